//! What a placement leaves of each memory module and its DMA.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::fifos::{DESCRIPTORS, WORD_BYTES, in_memory_at};
use aiec_ir::{Direction, PortId};
use aiec_placer::{Placed, stored};

use crate::assign::{Gap, Module};
use crate::position;

/// What lies in a module and takes of its DMA.
#[derive(Default)]
struct Used {
    /// First bytes, and those behind the last.
    bytes: Vec<(u64, u64)>,
    descriptors: u32,
    /// Channels from stream to memory and from memory to stream.
    channels: [u32; 2],
    /// Ports with a channel.
    ports: BTreeSet<PortId>,
}

/// The open modules of the array, each with its tile.
pub(crate) fn modules(checked: &Checked, device: &Device, placed: &Placed) -> (Vec<Module>, Vec<Tile>) {
    let mut used = used(checked, device, placed);
    let grid = checked.open_grid(device);
    let tiles: Vec<Tile> = grid.ids().filter(|&id| grid.is_open(id)).map(|id| grid.tile(id)).collect();
    let modules = tiles.iter().map(|&tile| module(device, tile, used.remove(&tile).unwrap_or_default()));
    (modules.collect(), tiles)
}

fn used(checked: &Checked, device: &Device, placed: &Placed) -> BTreeMap<Tile, Used> {
    let mut modules: BTreeMap<Tile, Used> = BTreeMap::new();
    for block in stored(checked, device, placed) {
        let module = modules.entry(block.spot.tile).or_default();
        module.bytes.push((block.spot.offset.into(), block.end()));
        let Some((port, direction)) = block.port.zip(block.dma) else { continue };
        module.descriptors += device.costs.dma_buffer_bds;
        if module.ports.insert(port) {
            module.channels[usize::from(direction == Direction::Out)] += 1;
        }
    }
    for fifo in in_memory_at(checked, |id| placed.fifo_places(checked, id)) {
        let Some((tile, offset, words)) = fifo.place.module() else { continue };
        let module = modules.entry(tile).or_default();
        module.bytes.push((offset.into(), u64::from(offset) + u64::from(words) * WORD_BYTES));
        module.descriptors += u32::from(DESCRIPTORS);
        module.channels.iter_mut().for_each(|channels| *channels += 1);
    }
    modules
}

/// What is left of the module of `tile`.
fn module(device: &Device, tile: Tile, used: Used) -> Module {
    let supply = &device.tile;
    let channels = [supply.s2mm, supply.mm2s].into_iter().zip(used.channels);
    let channels = channels.map(|(has, used)| has.saturating_sub(used)).min().unwrap_or(0);
    let descriptors = supply.bds.saturating_sub(used.descriptors) / u32::from(DESCRIPTORS);
    Module {
        at: position(device, tile),
        fifos: channels.min(descriptors) as usize,
        is_used: !used.bytes.is_empty(),
        gaps: gaps(device, used.bytes),
    }
}

/// The pieces between what lies in a module, the largest first: it mostly has a bank without stack
/// or buffers, which no core waits for.
fn gaps(device: &Device, mut taken: Vec<(u64, u64)>) -> Vec<Gap> {
    let alignment = u64::from(device.memory.buffer_alignment).max(WORD_BYTES);
    let (mut found, mut free) = (Vec::new(), 0);
    taken.sort_unstable();
    taken.push((device.memory.module_bytes.into(), u64::MAX));
    for (start, end) in taken {
        let gap = Gap { start: u64::next_multiple_of(free, alignment), end: start };
        if gap.bytes() > 0 {
            found.push(gap);
        }
        free = free.max(end.min(device.memory.module_bytes.into()));
    }
    found.sort_by_key(|gap| (std::cmp::Reverse(gap.bytes()), gap.start));
    found
}
