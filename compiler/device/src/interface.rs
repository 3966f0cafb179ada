//! The part of the device model around the cores: shim row, memory tiles, clocks, tools, and the
//! expected totals.

use serde::{Deserialize, Serialize};

/// The interface row below the array: its ports to the programmable logic and the NoC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shim {
    /// Columns whose shim tile is connected to the NoC and has a DMA: the columns of GMIO ports.
    pub noc_columns: Vec<u16>,
    /// Columns whose shim tile is connected to the programmable logic: the columns of PLIO ports.
    /// Left out where only their number is known.
    pub pl_columns: Option<PlColumns>,
    /// Number of columns with PLIO, where it is known.
    pub pl_column_count: Option<u16>,
    /// Bits of one PLIO channel per cycle of the programmable logic; a wider port takes a pair.
    pub channel_bits: u32,
    /// PLIO channels into the array per column; channel number = South input port of the shim
    /// switch.
    pub plio_in_channels: u32,
    /// PLIO channels out of the array per column; channel number = South output port of the shim
    /// switch.
    pub plio_out_channels: u32,
    /// Pairs of input channels that one wide PLIO port can take.
    pub plio_in_pairs: Vec<[u32; 2]>,
    /// Pairs of output channels that one wide PLIO port can take.
    pub plio_out_pairs: Vec<[u32; 2]>,
    /// Input channels without a register at the boundary, which limits the clock of the
    /// programmable logic.
    #[serde(default)]
    pub slow_inputs: Vec<u32>,
    /// Legal PLIO widths in bits.
    pub plio_widths: Vec<u32>,
    /// South input port that each shim DMA MM2S channel takes; the list's length is the number of
    /// GMIO inputs per NoC column.
    pub gmio_in_ports: Vec<u32>,
    /// South output port that each shim DMA S2MM channel takes.
    pub gmio_out_ports: Vec<u32>,
    /// South input ports that the NoC side, DMA included, can take; left out if not known.
    #[serde(default)]
    pub noc_in_ports: Vec<u32>,
    /// South output ports that the NoC side, DMA included, can take; left out if not known.
    #[serde(default)]
    pub noc_out_ports: Vec<u32>,
    /// Buffer descriptors of a shim DMA.
    pub bds: u32,
    /// Buffer descriptors that the runtime takes for one GMIO port, where it is known.
    pub gmio_bds: Option<u32>,
    /// Locks of a shim DMA.
    pub locks: u32,
    /// Transfers that can wait for one channel of a shim DMA.
    pub dma_queue: u32,
    /// Dimensions a buffer descriptor of a shim DMA can step through.
    pub dma_dimensions: u32,
    /// Bits of the addresses in global memory that a buffer descriptor of a shim DMA can name,
    /// where they are known.
    pub address_bits: Option<u32>,
    /// Transfers of a shim DMA start at multiples of this many bytes in global memory, where it is
    /// known.
    pub address_alignment: Option<u32>,
    /// Bits of the length of a transfer in a buffer descriptor of a shim DMA, where they are known.
    pub bd_length_bits: Option<u32>,
    /// Bytes of the bursts a shim DMA can use on the NoC, the shortest first.
    pub burst_bytes: Vec<u32>,
    /// Entries of the FIFO between the clock of the programmable logic and that of the array, where
    /// it is known.
    pub crossing_fifo: Option<u32>,
}

impl Shim {
    /// The columns with PLIO, from west to east. Empty when they are not known.
    pub fn plio_columns(&self) -> impl Iterator<Item = u16> + use<> {
        self.pl_columns.into_iter().flat_map(PlColumns::iter)
    }

    /// True if `column` is known to have PLIO.
    pub fn has_plio(&self, column: u16) -> bool {
        self.pl_columns.is_some_and(|columns| columns.contains(column))
    }

    /// Pairs of input channels of a column that both have a register at the boundary.
    pub fn registered_pairs(&self) -> usize {
        let is_registered = |pair: &&[u32; 2]| pair.iter().all(|channel| !self.slow_inputs.contains(channel));
        self.plio_in_pairs.iter().filter(is_registered).count()
    }

    /// PLIO channels that a port of `bits` takes: one, or a pair.
    pub const fn channels_of(&self, bits: u32) -> u32 {
        if bits > self.channel_bits { 2 } else { 1 }
    }

    /// Bytes of the shortest burst of a shim DMA. The self-check requires at least one.
    pub fn shortest_burst(&self) -> u32 {
        self.burst_bytes.iter().copied().min().unwrap_or(0)
    }

    /// Number of columns with PLIO, 0 if that is not known.
    pub fn plio_column_count(&self) -> u16 {
        let counted =
            self.pl_columns.map(|columns| columns.last.saturating_sub(columns.first).saturating_add(1));
        counted.or(self.pl_column_count).unwrap_or(0)
    }
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

/// Memory tiles: rows of large memories between the shim row and the cores (AM020).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryTiles {
    /// Rows of memory tiles.
    pub rows: u16,
    /// Bytes of one memory tile.
    pub bytes: u32,
    /// Banks of one memory tile.
    pub banks: u32,
    /// Bits a bank moves per cycle.
    pub bank_bits: u32,
    /// Locks of one memory tile; semaphores as in the core tiles.
    pub locks: u32,
    /// DMA channels from stream to memory.
    pub s2mm: u32,
    /// DMA channels from memory to stream.
    pub mm2s: u32,
    /// Buffer descriptors of one memory tile.
    pub bds: u32,
    /// First and last buffer descriptor that channels of even numbers can use.
    pub even_bds: [u32; 2],
    /// First and last buffer descriptor that channels of odd numbers can use.
    pub odd_bds: [u32; 2],
    /// Words that one buffer descriptor transfers at most.
    pub bd_words: u32,
    /// Dimensions a buffer descriptor can step through.
    pub dma_dimensions: u32,
    /// Channels, in both directions, that also reach the memory tiles to the west and east.
    pub neighbour_channels: Vec<u32>,
    /// DMA byte address of the memory tile to the west, the own one and that to the east.
    pub addresses: [u32; 3],
    /// Number of lock 0 of the memory tile to the west, the own one and that to the east.
    pub lock_ids: [u32; 3],
}

/// Frequencies of array and programmable logic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Array clock in MHz at the speed grade of the common boards.
    #[serde(default)]
    pub array_mhz: u32,
    /// The speed grade of the common boards, one of `grades`; left out if not known.
    pub grade: Option<String>,
    /// The highest array clock of each speed grade.
    #[serde(default)]
    pub grades: Vec<SpeedGrade>,
    /// The array clock divided by this is the default clock of the programmable logic.
    pub pl_divisor: u32,
    /// The array clock divided by this is the highest clock of the programmable logic.
    pub pl_min_divisor: u32,
    /// Up to the array clock divided by this, PLIO need no registers at the boundary.
    pub pl_register_divisor: u32,
}

impl Clock {
    /// True if PLIO at the default clock of the programmable logic have registers at the boundary
    /// (UG1076).
    pub const fn registers_plio(&self) -> bool {
        self.pl_divisor < self.pl_register_divisor
    }

    /// True if a PLIO at this clock in kHz has registers at the boundary (UG1076). `khz` is None
    /// when it is the default clock of the programmable logic.
    pub const fn registers_at(&self, khz: Option<u32>) -> bool {
        match khz {
            None => self.registers_plio(),
            Some(khz) => khz as u64 * self.pl_register_divisor as u64 > self.array_mhz as u64 * 1000,
        }
    }

    /// The highest clock of the programmable logic in kHz, at the fastest speed grade (UG1079).
    /// Returns None when no clock of the array is known.
    pub fn highest_pl_khz(&self) -> Option<u32> {
        let fastest = self.grades.iter().map(|grade| grade.mhz).chain([self.array_mhz]).max();
        let khz = fastest?.saturating_mul(1000) / self.pl_min_divisor.max(1);
        (khz > 0).then_some(khz)
    }
}

/// The highest array clock of one speed grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedGrade {
    /// Speed grade and voltage, as in `-2 0.80V (M)`.
    pub name: String,
    /// Highest frequency, in MHz.
    pub mhz: u32,
}

/// Limits of the vendor's tools rather than of the array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// A `fifo_depth` of at least this many words becomes a DMA FIFO instead of switch FIFOs.
    pub fifo_threshold_words: Option<u32>,
    /// Units in which the router's log counts one net of full rate.
    pub router_units: Option<u32>,
    /// Packet-switched nets that the tools let share one slave port. Defaults to the number of
    /// packet ids.
    pub slave_nets: Option<u32>,
    /// Trace streams by default.
    pub trace_streams: Option<u32>,
}

/// Derived numbers. Each one present is compared with the value that the model computes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Cores that reach four memory modules.
    pub cores_reaching_4: Option<u32>,
    /// Cores that reach three memory modules.
    pub cores_reaching_3: Option<u32>,
    /// Cores that reach two memory modules.
    pub cores_reaching_2: Option<u32>,
    /// Nets across the line between two columns, in one direction.
    pub column_cut: Option<u32>,
    /// Nets up across the line between two rows.
    pub row_cut_up: Option<u32>,
    /// Nets down across the line between two rows.
    pub row_cut_down: Option<u32>,
    /// Nets from the shim row up into the array in the columns with PLIO.
    pub pl_cut_up: Option<u32>,
    /// Nets from the array down into the shim row in the columns with PLIO.
    pub pl_cut_down: Option<u32>,
    /// PLIO channels into the array.
    pub plio_in: Option<u32>,
    /// PLIO channels out of the array.
    pub plio_out: Option<u32>,
    /// Pairs of PLIO channels into the array that both have a register.
    pub registered_plio_pairs: Option<u32>,
    /// GMIO ports into the array.
    pub gmio_in: Option<u32>,
    /// GMIO ports out of the array.
    pub gmio_out: Option<u32>,
}
