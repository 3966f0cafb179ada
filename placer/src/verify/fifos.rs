//! FIFOs in memory with stated places: bytes, descriptors and channels of their modules.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::Tile;
use aiec_diag::{Diagnostic, Span};
use aiec_ir::fifos::{FifoKind, WORD_BYTES};

use super::errors;
use super::ledger::Stored;
use super::modules::ModuleUse;
use crate::placement::Spot;

/// Buffer descriptors of a DMA FIFO: one to fill it, one to empty it (UG1079, "FIFO depth"). No
/// document states its locks.
pub(crate) const DESCRIPTORS: u8 = 2;

/// A FIFO at a stated place in memory. It takes a channel of each direction of the tile's DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserved {
    /// Its position.
    pub(crate) spot: Spot,
    /// What it takes of its module, before rounding.
    pub(crate) bytes: u64,
    /// The statement.
    pub(crate) span: Span,
}

impl Reserved {
    /// The first byte behind it.
    pub(crate) fn end(&self) -> u64 {
        u64::from(self.spot.offset) + self.bytes
    }
}

/// All FIFOs at stated places in memory, one for all branches of a broadcast with the same place.
pub(crate) fn reserved(checked: &Checked) -> Vec<Reserved> {
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for place in checked.connections.iter().flat_map(|connection| &connection.fifo_places) {
        let (FifoKind::Dma { offset, words }, Some(row)) = (place.kind, place.row) else { continue };
        let (Ok(column), Ok(row)) = (u16::try_from(place.column), u16::try_from(row)) else { continue };
        if seen.insert((column, row, offset, words)) {
            let spot = Spot { tile: Tile::new(column, row), offset };
            all.push(Reserved { spot, bytes: u64::from(words) * WORD_BYTES, span: place.span });
        }
    }
    all
}

/// Adds what these FIFOs take to the use of their modules.
pub(super) fn charge(fifos: &[Reserved], uses: &mut BTreeMap<Tile, ModuleUse>) {
    for fifo in fifos {
        let used = uses.entry(fifo.spot.tile).or_default();
        used.bytes += fifo.bytes;
        used.bds += u32::from(DESCRIPTORS);
        used.s2mm += 1;
        used.mm2s += 1;
    }
}

/// A stack or buffer that overlaps each of these FIFOs.
pub(super) fn overlaps(checked: &Checked, fifos: &[Reserved], ledger: &[Stored]) -> Vec<Diagnostic> {
    let meeting = |fifo: &Reserved| {
        let end = fifo.end();
        let meets = |stored: &&Stored| {
            stored.spot.tile == fifo.spot.tile
                && u64::from(stored.spot.offset) < end
                && u64::from(fifo.spot.offset) < stored.end()
        };
        Some(errors::fifo_overlap(checked, ledger.iter().find(meets)?, fifo))
    };
    fifos.iter().filter_map(meeting).collect()
}
