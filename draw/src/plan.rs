//! The floorplan as plain data: what is on which tile, and which connections share memory.

use aiec_device::Tile;
use aiec_placer::{PlacementEntry, Terms};
use serde::Serialize;

/// The places of all parts of a design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Floorplan {
    /// Always `aiec-floorplan`.
    pub format: &'static str,
    /// Number of the format: additions keep it, anything else raises it.
    pub version: u32,
    /// The name in the `design` line.
    pub design: String,
    /// The name of the device that the design is placed on.
    pub device: String,
    /// Columns of the array.
    pub columns: u16,
    /// Core rows of the array.
    pub rows: u16,
    /// Quality of the placement. None when aiecompiler made the placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<PlacementEntry>,
    /// The terms that an objective (`--objective`) orders. None when aiecompiler made the
    /// placement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<TermsEntry>,
    /// Kernels in the order of the design.
    pub kernels: Vec<KernelMark>,
    /// Memory modules that hold anything.
    pub modules: Vec<ModuleMark>,
    /// Inputs and outputs in the order of the design.
    pub externals: Vec<ExternalMark>,
    /// Connections in the order of the design.
    pub lines: Vec<Line>,
    /// FIFOs in memory with a stated or chosen place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fifos: Vec<FifoMark>,
}

/// The terms of a placement (`docs/placement.md`), the less the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TermsEntry {
    /// Nets for which lines between columns or rows have no wires.
    pub overload: u64,
    /// Connections through DMA, including those to inputs and outputs.
    pub dma: u64,
    /// Bytes of their windows.
    pub bytes: u64,
    /// Longest way through each collective, in 1/100 cycles; the sum over all collectives.
    pub path_centicycles: u64,
    /// Tiles between the ends of connections through DMA.
    pub wire: u64,
    /// Columns that cores in use lie off their middle column.
    pub compact: u64,
}

impl From<Terms> for TermsEntry {
    fn from(Terms { overload, dma, bytes, path, wire, compact, .. }: Terms) -> Self {
        Self { overload, dma, bytes, path_centicycles: path, wire, compact }
    }
}

/// A kernel on its tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KernelMark {
    /// The instance, such as `pe[1][2]`.
    pub name: String,
    /// The declaration that it is an instance of.
    pub family: String,
    /// Row-major index in the family.
    pub index: u32,
    /// Where its core is.
    pub tile: Tile,
    /// Its first collective and its level there: 0 for the root.
    pub collective: Option<Level>,
}

/// A place in the tree of a collective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// The name of the collective.
    pub name: String,
    /// Steps to the root.
    pub level: u32,
}

/// A memory module that holds stacks or buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ModuleMark {
    /// The tile whose memory it is.
    pub tile: Tile,
    /// Bytes of its stacks and buffers.
    pub bytes: u64,
    /// Bytes that the module has.
    pub available: u64,
}

/// A FIFO, or a part of one, in a memory module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FifoMark {
    /// The connection whose data pass it.
    pub connection: String,
    /// The tile whose memory holds it.
    pub tile: Tile,
    /// Bytes from the start of the module.
    pub offset: u32,
    /// Its words of 32 bits.
    pub words: u32,
}

/// An input or output of the array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExternalMark {
    /// The instance, such as `samples[3]`.
    pub name: String,
    /// Its far end: `plio` or `gmio`.
    pub kind: &'static str,
    /// Column of the interface row.
    pub column: u16,
    /// Channel in that column.
    pub channel: u32,
}

/// A connection as a line between two tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The end that produces the data.
    pub from: End,
    /// The end that consumes the data.
    pub to: End,
    /// What moves the data.
    pub by: Medium,
}

/// What moves the data of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Medium {
    /// A buffer that both kernels reach.
    Shared,
    /// A DMA at one end or both, over the stream switches.
    Dma,
    /// The stream switches alone.
    Stream,
    /// The cascade between two cores.
    Cascade,
}

/// An end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// Kernel and port, such as `scale.out`.
    pub port: String,
    /// Counted from the west.
    pub column: u16,
    /// Its core row. None when it is in the interface row.
    pub row: Option<u16>,
    /// The tile whose module holds its first buffer. None when it is a stream or in the interface
    /// row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Tile>,
}

impl Floorplan {
    /// The columns from the first to the last that hold anything.
    pub(crate) fn used_columns(&self) -> std::ops::RangeInclusive<u16> {
        let kernels = self.kernels.iter().map(|kernel| kernel.tile.column);
        let modules = self.modules.iter().map(|module| module.tile.column);
        let all = kernels.chain(modules).chain(self.externals.iter().map(|external| external.column));
        let (first, last) = all.fold((u16::MAX, 0), |(low, high), c| (low.min(c), high.max(c)));
        first.min(last)..=last
    }

    /// The kernels on one tile.
    pub(crate) fn on(&self, tile: Tile) -> impl Iterator<Item = &KernelMark> {
        self.kernels.iter().filter(move |kernel| kernel.tile == tile)
    }

    /// The slice of its tile that a kernel has: its place among those that run there, from 0, and
    /// their number, at least 1.
    pub(crate) fn slice(&self, kernel: &KernelMark) -> (usize, usize) {
        let place = self.on(kernel.tile).position(|other| other == kernel).unwrap_or(0);
        (place, self.on(kernel.tile).count().max(1))
    }

    /// The label of a kernel: its index, or the first `most` characters of its name if it is the
    /// only one of its family. True for an index.
    pub(crate) fn label(&self, kernel: &KernelMark, most: usize) -> (String, bool) {
        let is_of_many = self.kernels.iter().filter(|other| other.family == kernel.family).nth(1).is_some();
        match is_of_many {
            true => (kernel.index.to_string(), true),
            false => (kernel.name.chars().take(most).collect(), false),
        }
    }

    /// The number of connections that a medium moves.
    pub fn count(&self, by: Medium) -> usize {
        self.lines.iter().filter(|line| line.by == by).count()
    }
}
