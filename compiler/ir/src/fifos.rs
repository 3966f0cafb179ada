//! Places of FIFOs: `fifo 64 at (column, row)` behind a connection (the vendor's `location<fifo>`).
//!
//! A design may leave them open. A FIFO in memory then gets its place with the placement, as one
//! that the design states.
//!
//! Nothing is checked here. A FIFO of a connection may have several places; its data pass all of
//! them. Branches of a broadcast with the same place share that FIFO.

use std::collections::BTreeSet;

use aiec_device::Tile;
use aiec_diag::{Span, Spanned};

use crate::{ConnectionId, Expanded};

/// The place of a FIFO, or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FifoPlace {
    /// The column of the tile as written.
    pub column: i64,
    /// The core row of the tile as written. None when the tile is in the interface row (the
    /// vendor's `shim_tile`).
    pub row: Option<i64>,
    /// What holds the words.
    pub kind: FifoKind,
    /// Source location of the place.
    pub span: Span,
}

/// Bytes of a word of the stream network (AM009).
pub const WORD_BYTES: u64 = 4;

/// The words of a place in memory are a multiple of this (UG1079, "FIFO depth").
pub const PLACED_WORDS: u32 = 4;

/// The words of each of `parts` places in memory that share the words of a FIFO.
pub fn words_of_part(words: u32, parts: u32) -> u32 {
    let each = words.div_ceil(parts.max(1));
    each.checked_next_multiple_of(PLACED_WORDS).unwrap_or(each)
}

/// Buffer descriptors of a FIFO in memory: one to fill it, one to empty it (UG1079, "FIFO depth").
/// No document states its locks.
pub const DESCRIPTORS: u8 = 2;

/// What holds the words of a FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FifoKind {
    /// The memory module of the tile. A channel of its DMA fills the FIFO, another one empties it
    /// (the vendor's `dma_fifo`).
    Dma {
        /// Bytes from the start of the module.
        offset: u32,
        /// Its words of 32 bits.
        words: u32,
    },
    /// A FIFO of the tile's stream switch (the vendor's `ss_fifo`).
    Switch {
        /// Its number in the switch.
        number: u32,
    },
}

/// What is to hold the words of a FIFO without a stated place (the vendor's `dma_fifo()` and
/// `ss_fifo()`, UG1079, "FIFO Location Constraints"). Graphs alone say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FifoMemory {
    /// The memory module of a tile.
    Module,
    /// FIFOs of stream switches.
    Switches,
}

/// A FIFO at a stated place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFifo<'a> {
    /// The first connection that states it.
    pub connection: ConnectionId,
    /// The statement of its place.
    pub place: &'a FifoPlace,
    /// Bytes from the start of the module.
    pub offset: u32,
    /// Its words of 32 bits.
    pub words: u32,
}

impl FifoPlace {
    /// Some bytes of the memory module of a tile, from `offset` on.
    pub fn in_module(tile: Tile, offset: u32, words: u32, span: Span) -> Self {
        let (column, row) = tile.position();
        Self { column, row: Some(row), kind: FifoKind::Dma { offset, words }, span }
    }

    /// The tile of the module that holds it, its offset there and its words. None when it is a FIFO
    /// of a switch, or on no tile.
    pub fn module(&self) -> Option<(Tile, u32, u32)> {
        let FifoKind::Dma { offset, words } = self.kind else { return None };
        let tile = Tile::new(u16::try_from(self.column).ok()?, u16::try_from(self.row?).ok()?);
        Some((tile, offset, words))
    }
}

/// The connections with a FIFO to which the design gives no place, with its words.
pub fn without_place(design: &Expanded) -> impl Iterator<Item = (ConnectionId, &Spanned<u32>)> {
    let open = design.connections.enumerate().filter(|(_, link)| link.fifo_places.is_empty());
    open.filter_map(|(id, link)| Some((id, link.fifo.as_ref()?)))
}

/// All FIFOs at stated places in memory, one for all branches of a broadcast with the same place.
pub fn in_memory(design: &Expanded) -> Vec<MemoryFifo<'_>> {
    in_memory_at(design, |connection| &design.connections[connection].fifo_places)
}

/// Like [`in_memory`], with the `places` of the FIFO of each connection.
pub fn in_memory_at<'a>(
    design: &Expanded,
    places: impl Fn(ConnectionId) -> &'a [FifoPlace],
) -> Vec<MemoryFifo<'a>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for connection in design.connections.ids() {
        for place in places(connection) {
            let FifoKind::Dma { offset, words } = place.kind else { continue };
            if seen.insert((place.column, place.row, place.kind)) {
                found.push(MemoryFifo { connection, place, offset, words });
            }
        }
    }
    found
}
