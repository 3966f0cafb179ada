//! The device model, field by field as in a device file.

use serde::{Deserialize, Serialize};

/// The generation of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arch {
    /// AI Engine (Versal AI Core).
    Aie1,
    /// AI Engine-ML (Versal AI Edge).
    Aie2,
}

/// One array of AI Engines with everything on it that can run out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// The name designs use, as in `device xcvc1902`.
    pub name: String,
    /// What the device is, in a few words.
    pub description: String,
    /// Generation of the array.
    pub arch: Arch,
    /// Whether the compiler can target it.
    pub supported: bool,
    /// Number of columns; column 0 is the westernmost.
    pub columns: u16,
    /// Number of core rows; row 0 is the lowest one (ADF numbering, UG1076).
    pub rows: u16,
    /// Data memory.
    pub memory: Memory,
    /// What each core tile has.
    pub tile: TileLimits,
    /// Stream switches and the wires between them.
    pub switch: Switch,
    /// The interface row below the array.
    pub shim: Shim,
    /// Clocks.
    pub clock: Clock,
}

/// Data memory of the tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Bytes in one memory module.
    pub module_bytes: u32,
    /// Banks in one module, numbered from 0, of equal size.
    pub banks: u32,
    /// Buffers start at multiples of this many bytes.
    pub buffer_alignment: u32,
    /// The stored size of a buffer is rounded up to a multiple of this many bytes.
    pub buffer_rounding: u32,
    /// Bytes of the sync area each used core has.
    pub sync_bytes: u32,
    /// Bytes of stack where a kernel does not say.
    pub default_stack: u32,
    /// Bytes of heap where a kernel does not say.
    pub default_heap: u32,
    /// Bytes of the smallest window that can be transferred.
    pub min_window: u32,
    /// Most windows, input and output together, that one kernel may have.
    pub windows_per_kernel: u32,
    /// Column offset of the horizontal neighbour module a core on an even row reaches.
    pub neighbour_even_row: i16,
    /// Column offset of the horizontal neighbour module a core on an odd row reaches.
    pub neighbour_odd_row: i16,
}

/// What one core tile has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileLimits {
    /// Locks of the memory module.
    pub locks: u32,
    /// Buffer descriptors of the tile DMA, shared by its channels.
    pub bds: u32,
    /// Channels of the tile DMA from stream to memory.
    pub s2mm: u32,
    /// Channels of the tile DMA from memory to stream.
    pub mm2s: u32,
    /// Stream ports into the core.
    pub streams_in: u32,
    /// Stream ports out of the core.
    pub streams_out: u32,
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
}

/// The interface row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shim {
    /// Columns whose shim tile is connected to the NoC and has a DMA: the columns of GMIO ports.
    pub noc_columns: Vec<u16>,
    /// Columns whose shim tile is connected to the programmable logic: the columns of PLIO ports.
    pub pl_columns: PlColumns,
    /// PLIO channels into the array per column; channel number = South input port of the shim switch.
    pub plio_in_channels: u32,
    /// PLIO channels out of the array per column; channel number = South output port of the shim switch.
    pub plio_out_channels: u32,
    /// South input port that each shim DMA MM2S channel takes; the list's length is the number of GMIO inputs per
    /// NoC column.
    pub gmio_in_ports: Vec<u32>,
    /// South output port that each shim DMA S2MM channel takes.
    pub gmio_out_ports: Vec<u32>,
    /// Legal PLIO widths in bits.
    pub plio_widths: Vec<u32>,
}

/// A range of columns, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlColumns {
    /// First column of the range.
    pub first: u16,
    /// Last column of the range.
    pub last: u16,
}

impl PlColumns {
    /// True if `column` lies in the range.
    pub const fn contains(self, column: u16) -> bool {
        self.first <= column && column <= self.last
    }

    /// The columns of the range, from west to east.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        self.first..=self.last
    }
}

/// Clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Array clock in MHz at the speed grade of the common boards.
    pub array_mhz: u32,
}

impl Memory {
    /// Bytes a window of `bytes` takes in a module: rounded up (devices: `buffer_rounding`).
    pub const fn stored_bytes(&self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.buffer_rounding as u64)
    }

    /// Bytes of one bank.
    pub const fn bank_bytes(&self) -> u32 {
        self.module_bytes / self.banks
    }
}
