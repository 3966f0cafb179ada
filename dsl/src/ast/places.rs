//! What places kernels, memory, inputs, outputs and FIFOs.

use aiec_diag::Span;
use serde::Serialize;

use super::{Expr, Reference};

/// A placement constraint on kernels, on the buffers of a port or a stack, or on inputs and
/// outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The kernel, port, stack, input or output that is placed.
    pub reference: Reference,
    /// The position behind `at`.
    pub at: At,
}

/// The position of a kernel, of memory, or of an input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// `(column, row)`
    Tile(Pair),
    /// `(column, row) bank 0, 1` and `(column, row) offset 0, (column, row) offset 0`: several
    /// spots, or one with a bank or an offset.
    Memory(Vec<Spot>),
    /// `offset 0, 8192`: offsets in any module.
    Offsets(Vec<Expr>),
    /// `shim 6 channel 2`
    Shim(Shim),
    /// `REF + (columns, rows)`, or `REF` for the tile of REF itself.
    Kernel {
        /// The kernel from which the distance counts.
        of: Reference,
        /// Distance from that kernel.
        offset: Option<Distance>,
    },
}

/// A position in a memory module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The tile of the module.
    pub tile: Pair,
    /// The position in the module.
    pub within: Within,
}

/// Positions in a memory module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Within {
    /// Anywhere.
    Module,
    /// `bank EXPR, EXPR`: banks of the buffers or the stack.
    Banks(Vec<Expr>),
    /// `offset EXPR, EXPR`: offsets in bytes from the start of the module.
    Offsets(Vec<Expr>),
}

/// `shim COLUMN channel CHANNEL`: a column of the interface row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shim {
    /// Counted from the west.
    pub column: Expr,
    /// The channel of a PLIO.
    pub channel: Option<Expr>,
}

/// `fifo WORDS at TILE, TILE`: a FIFO on the way of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fifo {
    /// Depth in words of 32 bits.
    pub words: Expr,
    /// Its places; empty when the tools choose.
    pub places: Vec<FifoPlace>,
}

/// Where a FIFO lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FifoPlace {
    /// What holds its words.
    pub at: FifoAt,
    /// Source location of the whole place.
    #[serde(skip)]
    pub span: Span,
}

/// What holds the words of a FIFO.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FifoAt {
    /// `(column, row) offset EXPR`: the memory of a tile, at bytes from the start of the module.
    Memory(Pair, Expr),
    /// `switch (column, row) number EXPR`: the stream switch of a tile, and the FIFO's number
    /// there.
    Switch(Pair, Expr),
    /// `shim COLUMN number EXPR`: a stream switch of the interface row.
    Shim(Expr, Expr),
}

/// `(columns, rows)` from a kernel; `*` leaves one of the two open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Distance {
    /// Columns to the east.
    pub columns: Option<Expr>,
    /// Rows to the north.
    pub rows: Option<Expr>,
}

/// `(column, row)`: a tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// Counted from the west.
    pub column: Expr,
    /// The core row, 0 at the bottom.
    pub row: Expr,
}

/// A rectangle of tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Area {
    /// One corner of the rectangle, as written.
    pub from: Pair,
    /// The opposite corner, inside the rectangle. None when it is a single tile.
    pub to: Option<Pair>,
}

/// A `region`: kernels that stay within rectangles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Region {
    /// The kernels, or instances of components.
    pub references: Vec<Reference>,
    /// The rectangles, of which a kernel may take any.
    pub areas: Vec<Area>,
}

/// `apart REF, REF` or `apart REF, REF by core`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Apart {
    /// The kernels or ports.
    pub references: Vec<Reference>,
    /// True with `by core`: the kernels may share memory, but no core.
    pub by_core: bool,
}
