//! The device model, field by field as in a device file.
//!
//! A field that a device file may leave out documents its default: an `Option` means that the limit
//! or part does not exist, a plain number is 0 and means unknown. The [self-check](crate::check)
//! refuses an unknown number on a device that is a target.

use serde::{Deserialize, Serialize};

use crate::grid::Tile;

pub use crate::interface::{Clock, Expect, MemoryTiles, PlColumns, Shim, SpeedGrade, Tools};

/// The generation of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arch {
    /// AI Engine (Versal AI Core).
    Aie1,
    /// AI Engine-ML (Versal AI Edge).
    Aie2,
}

/// An array of AI Engines with all its limited resources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// The name designs use, as in `device xcvc1902`.
    pub name: String,
    /// Family, type and boards, in a few words.
    pub description: String,
    /// Generation of the array.
    pub arch: Arch,
    /// Whether the compiler can target it.
    pub supported: bool,
    /// The compiler's support for the device, in a few words.
    pub support: String,
    /// Number of columns; column 0 is the westernmost.
    pub columns: u16,
    /// Number of core rows; row 0 is the lowest one (ADF numbering, UG1076).
    pub rows: u16,
    /// Closed tiles, `[column, core row]`: no kernel runs on them and their memory holds nothing,
    /// because they are otherwise used or faulty. Nets may pass. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keepout: Vec<Tile>,
    /// Hardware row of core row 0: the shim row and the memory tiles lie below it.
    pub first_hardware_row: u16,
    /// What a core has and does in a cycle.
    pub core: Core,
    /// The data memory of each core tile.
    pub memory: Memory,
    /// Resources of each core tile.
    pub tile: TileLimits,
    /// Costs of buffers in the module that holds them.
    pub costs: Costs,
    /// Stream switches and the wires between them.
    pub switch: Switch,
    /// Memory tiles between the shim row and the cores. None when the array has none.
    pub memory_tiles: Option<MemoryTiles>,
    /// The interface row below the array.
    pub shim: Shim,
    /// Frequencies of array and programmable logic.
    pub clock: Clock,
    /// Limits of the vendor's tools rather than of the array.
    #[serde(default)]
    pub tools: Tools,
    /// Numbers that follow from the others, counted by hand: the self-check compares.
    #[serde(default)]
    pub expect: Expect,
}

/// What a core has and does in a cycle. All cores are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// Bytes of program memory, for all that runs on the core.
    pub program_bytes: u32,
    /// Loads from data memory per cycle.
    pub loads: u32,
    /// Width of a load.
    pub load_bits: u32,
    /// Stores to data memory per cycle.
    pub stores: u32,
    /// Width of a store.
    pub store_bits: u32,
    /// Bits the cascade moves per cycle.
    pub cascade_bits: u32,
    /// Entries of the cascade FIFO at each end.
    pub cascade_fifo: u32,
    /// The direction of the cascade.
    pub cascade_order: CascadeOrder,
}

impl Core {
    /// The vectors of `cascade_bits` that a cascade between two cores holds: the FIFOs at both ends
    /// (AM009).
    pub const fn cascade_vectors(&self) -> u32 {
        2 * self.cascade_fifo
    }
}

/// The course of the cascade over the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CascadeOrder {
    /// Even rows eastwards, odd rows westwards, at the end of a row to the core above (AM009).
    Snake,
    /// From north or west to south or east, chosen per core; nothing at the edges (AM020).
    SouthOrEast,
}

/// A number for each side of a core on which a memory module lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sides {
    /// The number for the module below.
    pub south: u32,
    /// The module on the left.
    pub west: u32,
    /// The number for the module above.
    pub north: u32,
    /// The module on the right.
    pub east: u32,
}

/// Data memory of the tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Bytes in one memory module.
    pub module_bytes: u32,
    /// Banks in one module as the tools number them, from 0, of equal size.
    pub banks: u32,
    /// Bits a bank moves per cycle.
    pub bank_bits: u32,
    /// Single-port memories in one module; accesses to different ones do not wait for each other.
    pub physical_banks: u32,
    /// Bits a physical bank moves per cycle.
    pub physical_bank_bits: u32,
    /// Core-local byte address of the module on each side of a core.
    pub addresses: Sides,
    /// Buffers start at multiples of this many bytes.
    #[serde(default)]
    pub buffer_alignment: u32,
    /// The stored size of a buffer is rounded up to a multiple of this many bytes.
    #[serde(default)]
    pub buffer_rounding: u32,
    /// Bytes of the sync area each used core has.
    #[serde(default)]
    pub sync_bytes: u32,
    /// Bytes of stack of a kernel that gives no size.
    #[serde(default)]
    pub default_stack: u32,
    /// Bytes of heap of a kernel that gives no size.
    #[serde(default)]
    pub default_heap: u32,
    /// Bytes of the smallest window that can be transferred.
    #[serde(default)]
    pub min_window: u32,
    /// Most windows, input and output together, that one kernel may have. If left out, there is no
    /// limit.
    pub windows_per_kernel: Option<u32>,
    /// Column offset of the horizontal neighbour module a core on an even row reaches.
    pub neighbour_even_row: i16,
    /// Column offset of the horizontal neighbour module a core on an odd row reaches.
    pub neighbour_odd_row: i16,
}

/// Resources of one core tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileLimits {
    /// Locks of the memory module.
    pub locks: u32,
    /// What a lock counts.
    pub lock_kind: LockKind,
    /// The largest value of a lock.
    pub lock_max: u32,
    /// Core-local number of lock 0 of the module on each side of a core.
    pub lock_ids: Sides,
    /// Buffer descriptors of the tile DMA, shared by its channels.
    pub bds: u32,
    /// Words that one buffer descriptor transfers at most.
    pub bd_words: u32,
    /// Bits of the fields of a buffer descriptor.
    pub bd_bits: BdBits,
    /// Bytes of a word: the data of a stream per cycle, and the granularity of DMA transfers.
    pub word_bytes: u32,
    /// Transfers that can wait for one DMA channel.
    pub dma_queue: u32,
    /// Dimensions a buffer descriptor can step through.
    pub dma_dimensions: u32,
    /// Channels of the tile DMA from stream to memory.
    pub s2mm: u32,
    /// Channels of the tile DMA from memory to stream.
    pub mm2s: u32,
    /// Stream ports into the core.
    pub streams_in: u32,
    /// Stream ports out of the core.
    pub streams_out: u32,
}

/// Bits of the fields of a buffer descriptor, which counts in words. A field left out is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BdBits {
    /// The length of a transfer.
    pub length: u32,
    /// Its start in the module, in bytes.
    pub offset: Option<u32>,
    /// The step along one dimension.
    pub step: Option<u32>,
    /// The steps along one dimension before it starts again.
    pub wrap: Option<u32>,
}

/// Costs of window buffers in the module that holds them, besides their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// Locks that guard one buffer.
    pub buffer_locks: u32,
    /// Buffer descriptors of a buffer that a DMA fills or drains.
    pub dma_buffer_bds: u32,
}

/// What a lock counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockKind {
    /// Acquired or not, with a value of one bit (AM009).
    Binary,
    /// A counter that is acquired by an amount (AM020).
    Semaphore,
}

/// Stream switches: the number of wires that leave a switch towards each neighbour, one net each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Wires to the switch above.
    pub north: u32,
    /// Wires to the switch below.
    pub south: u32,
    /// Wires to the switch on the right.
    pub east: u32,
    /// Wires to the switch on the left.
    pub west: u32,
    /// Cycles a word takes to cross one switch.
    pub hop_cycles: u32,
    /// Cycles a word takes from a neighbour to a port of the own tile, if that differs from
    /// `hop_cycles`.
    pub local_cycles: Option<u32>,
    /// Words the buffers of one crossing hold.
    pub hop_words: u32,
    /// Words that each FIFO of a switch holds. The number of FIFO ports gives the number of FIFOs.
    pub fifo_words: u32,
    /// Limits of packet switching in one switch.
    pub packet: Packet,
    /// The switch of a core tile.
    pub core: SwitchPorts,
    /// The switch of a shim tile.
    pub shim: SwitchPorts,
    /// The switch of a memory tile.
    pub memory: Option<SwitchPorts>,
}

/// Resources that packet-switched nets share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packet {
    /// Packet numbers, and so streams, that can share one port.
    pub ids: u32,
    /// Arbiters of a switch.
    pub arbiters: u32,
    /// Selects of an arbiter.
    pub selects: u32,
    /// Rules of a slave port, each a number and a mask.
    pub rules: u32,
}

/// The ports of one kind of switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchPorts {
    /// Ports by which streams leave the switch.
    pub masters: Ports,
    /// Ports by which streams enter the switch.
    pub slaves: Ports,
    /// Connections that the crossbar lacks. Empty for a full one.
    #[serde(default)]
    pub forbidden: Vec<Forbidden>,
}

/// Ports of one direction by the other end. Omitted ones are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ports {
    /// Ports from or to the core of the tile.
    #[serde(default)]
    pub core: u32,
    /// The tile DMA. The DMA of a shim tile is behind its South ports.
    #[serde(default)]
    pub dma: u32,
    /// Ports to or from the registers of the tile.
    #[serde(default)]
    pub ctrl: u32,
    /// The FIFOs of the switch.
    #[serde(default)]
    pub fifo: u32,
    /// The tile below, or the programmable logic and the NoC.
    #[serde(default)]
    pub south: u32,
    /// The tile on the left.
    #[serde(default)]
    pub west: u32,
    /// Ports to or from the tile above.
    #[serde(default)]
    pub north: u32,
    /// The tile on the right.
    #[serde(default)]
    pub east: u32,
    /// Ports from the trace units.
    #[serde(default)]
    pub trace: u32,
    /// Sum of all ports; the self-check adds them up.
    pub total: u32,
}

/// A connection that a crossbar lacks (mlir-aie `isLegalTileConnection`, aie-rt, AMD's Python model
/// of the array).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forbidden {
    /// From the core to itself.
    CoreToCore,
    /// From a DMA channel to one of another number.
    DmaToOtherDma,
    /// Back to the side a stream came from, on a channel of another number.
    TurnBackToOtherChannel,
    /// As above, except from south to south: there every channel leads to every other one.
    TurnBackToOtherChannelExceptSouth,
    /// From south to north or back, on a channel of another number.
    StraightToOtherChannel,
    /// From the registers to themselves.
    CtrlToCtrl,
    /// From the registers to a DMA channel.
    CtrlToDma,
    /// From the registers to any DMA channel but 5.
    #[serde(rename = "ctrl-to-dma-except-5")]
    CtrlToDmaExcept5,
    /// From a trace unit to anything but FIFO, South and DMA channel 0.
    #[serde(rename = "trace-except-fifo-south-dma-0")]
    TraceExceptFifoSouthDma0,
    /// From a trace unit to anything but South and DMA channel 5.
    #[serde(rename = "trace-except-south-dma-5")]
    TraceExceptSouthDma5,
    /// From a trace unit to anything but FIFO and South.
    TraceExceptFifoSouth,
    /// From a trace unit to anything but South.
    TraceExceptSouth,
}

impl Forbidden {
    /// True if the rule is about trace units only, from which no data comes.
    pub const fn is_about_trace(self) -> bool {
        matches!(
            self,
            Self::TraceExceptFifoSouthDma0
                | Self::TraceExceptSouthDma5
                | Self::TraceExceptFifoSouth
                | Self::TraceExceptSouth
        )
    }
}
