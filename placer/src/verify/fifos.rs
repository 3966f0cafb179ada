//! FIFOs in memory with stated places: bytes, descriptors and channels of their modules.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::Tile;
use aiec_diag::{Diagnostic, Span};
use aiec_ir::fifos::{DESCRIPTORS, MemoryFifo, WORD_BYTES, in_memory};

use super::errors;
use super::ledger::Stored;
use super::modules::ModuleUse;
use crate::placement::Spot;

/// A FIFO at a stated place in memory. It takes a channel of each direction of the tile's DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reserved {
    /// The module that holds it, and its offset there.
    pub(crate) spot: Spot,
    /// What it takes of its module, before rounding.
    pub(crate) bytes: u64,
    /// Source location of the statement.
    pub(crate) span: Span,
}

impl Reserved {
    /// The first byte behind it.
    pub(crate) fn end(&self) -> u64 {
        u64::from(self.spot.offset) + self.bytes
    }
}

/// All FIFOs at stated places in memory.
pub(crate) fn reserved(checked: &Checked) -> Vec<Reserved> {
    let reserved = |fifo: MemoryFifo<'_>| {
        let place = fifo.place;
        let tile = Tile::new(u16::try_from(place.column).ok()?, u16::try_from(place.row?).ok()?);
        let bytes = u64::from(fifo.words) * WORD_BYTES;
        Some(Reserved { spot: Spot { tile, offset: fifo.offset }, bytes, span: place.span })
    };
    in_memory(checked).into_iter().filter_map(reserved).collect()
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
