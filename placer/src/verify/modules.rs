//! Checks modules: overlaps, and the demand on each resource against its supply.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;

use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, catalogue};
use aiec_ir::{Direction, PortId};

use super::blocks::Broken;
use super::errors::Charge;
use super::fifos::{Reserved, charge, overlaps as overlaps_fifo, reserved};
use super::ledger::Stored;
use super::{Case, errors};

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
    charge(fifos, &mut uses);
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

/// Bytes in each bank of every module that holds anything. What crosses a border
/// counts in both banks, each with its part.
pub(crate) fn bank_bytes(device: &Device, ledger: &[Stored], fifos: &[Reserved]) -> BTreeMap<Tile, Vec<u64>> {
    let size = u64::from(device.memory.bank_bytes());
    let mut modules: BTreeMap<Tile, Vec<u64>> = BTreeMap::new();
    let stored = ledger.iter().map(|stored| (stored.spot, stored.end()));
    let fifos = fifos.iter().map(|fifo| (fifo.spot, fifo.end()));
    for (spot, end) in stored.chain(fifos) {
        let banks = modules.entry(spot.tile).or_insert_with(|| vec![0; device.memory.banks as usize]);
        for (bank, bytes) in (0..).zip(banks) {
            let first = u64::from(spot.offset).max(bank * size);
            *bytes += end.min((bank + 1) * size).saturating_sub(first);
        }
    }
    modules
}

/// Diagnostics of whole modules.
pub(super) fn faults(case: &Case<'_>) -> Vec<Diagnostic> {
    let Case { checked, device, ledger, .. } = *case;
    let overlaps = overlaps(ledger).into_iter();
    let mut found: Vec<Diagnostic> = overlaps.map(|(a, b)| errors::overlap(checked, a, b)).collect();
    let tile = &device.tile;
    let fifos = reserved(checked);
    found.extend(overlaps_fifo(checked, &fifos, ledger));
    for (module, used) in uses(device, ledger, &fifos) {
        let charges = [
            (&catalogue::MODULE_LOCKS, "locks", used.locks, tile.locks),
            (&catalogue::MODULE_BDS, "buffer descriptors", used.bds, tile.bds),
            (&catalogue::MODULE_CHANNELS, "DMA channels from stream to memory", used.s2mm, tile.s2mm),
            (&catalogue::MODULE_CHANNELS, "DMA channels from memory to stream", used.mm2s, tile.mm2s),
        ];
        for (code, resource, demand, supply) in charges {
            if demand > supply {
                let charge = Charge { resource, demand: demand.into(), supply: supply.into() };
                found.push(errors::overcharged(checked, module, ledger, code, charge));
            }
        }
    }
    found
}

/// Two blocks that overlap, as a search reports what it could not keep.
pub(super) fn overlapping(case: &Case<'_>) -> Option<Broken> {
    let (first, second) = overlaps(case.ledger).into_iter().next()?;
    let [a, b] = [first, second].map(|stored| stored.name(case.checked));
    let what = format!("{a} and {b} overlap in the module at {}", first.spot.tile);
    Some(Broken { what, span: second.span(case.checked) })
}

/// Each buffer or stack that starts before an earlier one of its module ends, after that one.
fn overlaps(ledger: &[Stored]) -> Vec<(&Stored, &Stored)> {
    let mut modules: BTreeMap<Tile, Vec<&Stored>> = BTreeMap::new();
    ledger.iter().for_each(|stored| modules.entry(stored.spot.tile).or_default().push(stored));
    let mut found = Vec::new();
    for stored in modules.values_mut() {
        stored.sort_by_key(|s| (s.spot.offset, s.end()));
        let mut last: Option<&Stored> = None;
        for &next in stored.iter() {
            let meeting = last.filter(|previous| u64::from(next.spot.offset) < previous.end());
            found.extend(meeting.map(|previous| (previous, next)));
            if last.is_none_or(|previous| next.end() > previous.end()) {
                last = Some(next);
            }
        }
    }
    found
}
