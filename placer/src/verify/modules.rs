//! Checks modules: overlaps, and the demand on each resource against its supply.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;

use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::fifos::DESCRIPTORS;
use aiec_ir::{Direction, PortId};

use super::Case;
use super::blocks::Broken;
use super::ledger::{Reserved, Stored, all_reserved};

/// Resource use of one memory module and its DMA, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModuleUse {
    /// Bytes of buffers and stacks.
    pub bytes: u64,
    /// Locks of every buffer.
    pub locks: u32,
    /// Buffer descriptors of every buffer that a DMA fills or drains.
    pub bds: u32,
    /// Channels from stream to memory.
    pub s2mm: u32,
    /// Channels from memory to stream.
    pub mm2s: u32,
}

impl Sum for ModuleUse {
    fn sum<I: Iterator<Item = Self>>(uses: I) -> Self {
        uses.fold(Self::default(), |sum, next| Self {
            bytes: sum.bytes + next.bytes,
            locks: sum.locks + next.locks,
            bds: sum.bds + next.bds,
            s2mm: sum.s2mm + next.s2mm,
            mm2s: sum.mm2s + next.mm2s,
        })
    }
}

/// Resource use of every module that holds anything.
pub(crate) fn uses(device: &Device, ledger: &[Stored], fifos: &[Reserved]) -> BTreeMap<Tile, ModuleUse> {
    let mut uses: BTreeMap<Tile, ModuleUse> = BTreeMap::new();
    for fifo in fifos {
        let used = uses.entry(fifo.spot.tile).or_default();
        used.bytes += fifo.bytes;
        used.bds += u32::from(DESCRIPTORS);
        used.s2mm += 1;
        used.mm2s += 1;
    }
    let mut channels: BTreeSet<(Tile, PortId)> = BTreeSet::new();
    for stored in ledger {
        let used = uses.entry(stored.spot.tile).or_default();
        used.bytes += stored.bytes;
        let Some(port) = stored.port else { continue };
        used.locks += if stored.is_locked { device.costs.buffer_locks } else { 0 };
        let Some(direction) = stored.dma else { continue };
        used.bds += device.costs.dma_buffer_bds;
        if channels.insert((stored.spot.tile, port)) {
            match direction {
                Direction::In => used.s2mm += 1,
                Direction::Out => used.mm2s += 1,
            }
        }
    }
    uses
}

impl Case<'_> {
    /// Diagnostics of whole modules.
    pub(super) fn module_faults(&self) -> Vec<Diagnostic> {
        let (tile, fifos) = (&self.device.tile, all_reserved(self.checked, self.placement));
        let overlaps = self.overlaps().into_iter().map(|(a, b)| self.overlap(a, b));
        let on_fifos = fifos.iter().filter_map(|fifo| {
            let meets = |stored: &&Stored| {
                stored.spot.tile == fifo.spot.tile
                    && u64::from(stored.spot.offset) < fifo.end()
                    && u64::from(fifo.spot.offset) < stored.end()
            };
            Some(self.fifo_overlap(self.ledger.iter().find(meets)?, fifo))
        });
        let mut found: Vec<Diagnostic> = overlaps.chain(on_fifos).collect();
        for (module, used) in uses(self.device, &self.ledger, &fifos) {
            let charges = [
                (&catalogue::MODULE_LOCKS, "locks", used.locks, tile.locks),
                (&catalogue::MODULE_BDS, "buffer descriptors", used.bds, tile.bds),
                (&catalogue::MODULE_CHANNELS, "DMA channels from stream to memory", used.s2mm, tile.s2mm),
                (&catalogue::MODULE_CHANNELS, "DMA channels from memory to stream", used.mm2s, tile.mm2s),
            ];
            for (code, resource, demand, supply) in charges.into_iter().filter(|(.., has, most)| has > most) {
                found.push(self.overcharged(module, code, (resource, demand.into(), supply)));
            }
        }
        found
    }

    /// Two blocks that overlap, as a search reports what it could not keep.
    pub(super) fn first_overlap(&self) -> Option<Broken> {
        let (first, second) = self.overlaps().into_iter().next()?;
        let [a, b] = [first, second].map(|stored| stored.name(self.checked));
        let what = format!("{a} and {b} overlap in the module at {}", first.spot.tile);
        Some(Broken { what, span: second.span(self.checked) })
    }

    /// Each buffer or stack that starts before an earlier one of its module ends, after that one.
    fn overlaps(&self) -> Vec<(&Stored, &Stored)> {
        let mut sorted: Vec<&Stored> = self.ledger.iter().collect();
        sorted.sort_by_key(|stored| (stored.spot, stored.end()));
        let mut found = Vec::new();
        let mut last: Option<&Stored> = None;
        for next in sorted {
            let before = last.filter(|last| last.spot.tile == next.spot.tile);
            let meeting = before.filter(|last| u64::from(next.spot.offset) < last.end());
            found.extend(meeting.map(|last| (last, next)));
            if before.is_none_or(|last| next.end() > last.end()) {
                last = Some(next);
            }
        }
        found
    }
}
