//! Items into modules: greedy in order of difficulty, with others moved out of the way where that helps.

use aiec_device::TileId;

use super::items::{Item, Load};

/// Which modules hold the parts of each item, and what that leaves.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// Modules of the parts of each item; empty while it has none.
    pub(crate) modules: Vec<Vec<TileId>>,
    /// What each module still has.
    pub(crate) room: Vec<Load>,
    /// Bytes that items without a place may still want, by module: the guide to where others should not go.
    wanted: Vec<u64>,
}

impl Packing {
    /// Nothing packed yet.
    pub(crate) fn new(modules: usize, capacity: Load, items: &[Item]) -> Self {
        let mut packing = Self {
            modules: vec![Vec::new(); items.len()],
            room: vec![capacity; modules],
            wanted: vec![0; modules],
        };
        for item in items {
            packing.want(item, true);
        }
        packing
    }

    /// Packs `item` greedily, moving others away if it must; false if that does not do.
    pub(crate) fn insert(&mut self, items: &[Item], item: usize) -> bool {
        self.want(&items[item], false);
        self.place(items, item) || self.evict_for(items, item)
    }

    /// Takes `item` out again.
    pub(crate) fn remove(&mut self, items: &[Item], item: usize) {
        for module in std::mem::take(&mut self.modules[item]) {
            add(&mut self.room[module.index()], &items[item].part);
        }
    }

    /// Puts the parts of `item` into `modules`, which have room.
    pub(crate) fn put(&mut self, items: &[Item], item: usize, modules: Vec<TileId>) {
        for module in &modules {
            subtract(&mut self.room[module.index()], &items[item].part);
        }
        self.modules[item] = modules;
    }

    /// True if no module gives more than it has.
    pub(crate) fn fits(&self, module: TileId, load: &Load) -> bool {
        self.room[module.index()].iter().zip(load).all(|(room, need)| room >= need)
    }

    fn want(&mut self, item: &Item, more: bool) {
        let share = item.total()[0] / item.modules.len().max(1) as u64;
        for module in &item.modules {
            let wanted = &mut self.wanted[module.index()];
            *wanted = if more { *wanted + share } else { wanted.saturating_sub(share) };
        }
    }

    /// The parts together if possible, each in the module with most to spare otherwise.
    fn place(&mut self, items: &[Item], index: usize) -> bool {
        let item = &items[index];
        let spare = |packing: &Self, module: &TileId| {
            let [bytes, locks, ..] = packing.room[module.index()];
            (i128::from(bytes) - i128::from(packing.wanted[module.index()]), locks)
        };
        let best = |packing: &Self, load: &Load| {
            let candidates = item.modules.iter().filter(|&&m| packing.fits(m, load));
            candidates.rev().max_by_key(|module| spare(packing, module)).copied()
        };
        if let Some(module) = best(self, &item.total()) {
            self.put(items, index, vec![module; item.parts]);
            return true;
        }
        let mut chosen = Vec::with_capacity(item.parts);
        for _ in 0..item.parts {
            let Some(module) = best(self, &item.part) else { break };
            subtract(&mut self.room[module.index()], &item.part);
            chosen.push(module);
        }
        for module in &chosen {
            add(&mut self.room[module.index()], &item.part);
        }
        let complete = chosen.len() == item.parts;
        if complete {
            self.put(items, index, chosen);
        }
        complete
    }

    /// Makes room for `item` by moving one other item to another of its modules.
    fn evict_for(&mut self, items: &[Item], index: usize) -> bool {
        for other in 0..items.len() {
            let touches = self.modules[other].iter().any(|module| items[index].modules.contains(module));
            if other == index || !touches || items[other].modules.len() < 2 {
                continue;
            }
            let before = self.modules[other].clone();
            self.remove(items, other);
            if self.place(items, index) {
                if self.place(items, other) {
                    return true;
                }
                self.remove(items, index);
            }
            self.put(items, other, before);
        }
        false
    }
}

/// Items from the hardest to the easiest: fewest modules, then a need of channels, then size.
pub(crate) fn hardest_first(items: &[Item]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&index| {
        let [bytes, _, _, s2mm, mm2s] = items[index].total();
        (items[index].modules.len(), 2 - s2mm - mm2s, u64::MAX - bytes, index)
    });
    order
}

/// Gives `load` back to `room`.
pub(super) fn add(room: &mut Load, load: &Load) {
    for (room, amount) in room.iter_mut().zip(load) {
        *room += amount;
    }
}

/// Takes `load` from `room`.
pub(super) fn subtract(room: &mut Load, load: &Load) {
    for (room, amount) in room.iter_mut().zip(load) {
        *room = room.saturating_sub(*amount);
    }
}
