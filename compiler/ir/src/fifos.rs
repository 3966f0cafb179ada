//! Places of FIFOs: `fifo 64 at (column, row)` behind a connection (the vendor's `location<fifo>`).
//!
//! Nothing is checked here. A FIFO of a connection may have several places; its data pass all of
//! them. Branches of a broadcast with the same place share that FIFO.

use std::collections::BTreeSet;

use aiec_diag::Span;

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

/// All FIFOs at stated places in memory, one for all branches of a broadcast with the same place.
pub fn in_memory(design: &Expanded) -> Vec<MemoryFifo<'_>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (connection, link) in design.connections.enumerate() {
        for place in &link.fifo_places {
            let FifoKind::Dma { offset, words } = place.kind else { continue };
            if seen.insert((place.column, place.row, place.kind)) {
                found.push(MemoryFifo { connection, place, offset, words });
            }
        }
    }
    found
}
