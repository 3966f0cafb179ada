//! Offsets within the modules: ping and pong in different banks where there is room.

use aiec_device::{Device, TileId};

use super::items::{Item, What};
use super::pack::Packing;

/// A buffer or stack in a module.
#[derive(Clone, Copy, Debug)]
struct Block {
    item: usize,
    /// Which of the item's buffers.
    index: usize,
    bytes: u64,
}

/// The module and offset (bytes) of every buffer of every item.
///
/// Blocks of a module go where ping and pong of a port meet in no bank; if that wastes too much room, one after the other,
/// which always fits because sizes are multiples of the alignment and sum to at most the module.
pub(crate) fn offsets(device: &Device, items: &[Item], packing: &Packing) -> Vec<Vec<(TileId, u64)>> {
    let mut result: Vec<Vec<(TileId, u64)>> = vec![Vec::new(); items.len()];
    let mut modules: Vec<Vec<Block>> = vec![Vec::new(); packing.room.len()];
    for (item, parts) in packing.modules.iter().enumerate() {
        for &module in parts {
            for _ in 0..items[item].blocks {
                let index = result[item].len();
                result[item].push((module, 0));
                modules[module.index()].push(Block { item, index, bytes: items[item].bytes });
            }
        }
    }
    for blocks in &mut modules {
        // Large ones first; stacks of equal size before buffers.
        blocks.sort_by_key(|b| {
            (u64::MAX - b.bytes, matches!(items[b.item].what, What::Port(_)), b.item, b.index)
        });
        let starts = banked(device, blocks).unwrap_or_else(|| sequential(blocks));
        for (block, start) in blocks.iter().zip(starts) {
            result[block.item][block.index].1 = start;
        }
    }
    result
}

/// One after the other.
fn sequential(blocks: &[Block]) -> Vec<u64> {
    let mut starts = Vec::with_capacity(blocks.len());
    let mut next = 0;
    for block in blocks {
        starts.push(next);
        next += block.bytes;
    }
    starts
}

/// First fit at ends of blocks and starts of banks, siblings in different banks if possible; none if a block finds no place.
fn banked(device: &Device, blocks: &[Block]) -> Option<Vec<u64>> {
    let size = u64::from(device.memory.module_bytes);
    let bank = u64::from(device.memory.bank_bytes()).max(1);
    let banks = |start: u64, bytes: u64| (start / bank, (start + bytes.max(1) - 1) / bank);
    let mut starts: Vec<u64> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let placed = || starts.iter().copied().zip(blocks);
        let mut candidates: Vec<u64> = (0..size).step_by(usize::try_from(bank).ok()?).collect();
        candidates.extend(placed().map(|(start, other)| start + other.bytes));
        candidates.sort_unstable();
        let free = |start: u64| {
            let end = start + block.bytes;
            end <= size && placed().all(|(other, b)| end <= other || other + b.bytes <= start)
        };
        let apart = |start: u64| {
            let (first, last) = banks(start, block.bytes);
            placed().filter(|(_, other)| other.item == block.item).all(|(other, b)| {
                let (low, high) = banks(other, b.bytes);
                last < low || high < first
            })
        };
        let fits: Vec<u64> = candidates.into_iter().filter(|&start| free(start)).collect();
        let start = fits.iter().copied().find(|&start| apart(start)).or_else(|| fits.first().copied())?;
        starts.push(start);
    }
    Some(starts)
}
