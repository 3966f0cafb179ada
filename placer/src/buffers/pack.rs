//! Greedy bin packing of items into modules, hardest first. It moves other items away if that
//! helps.

use aiec_device::TileId;

use super::items::{Item, Load};

/// The modules of the parts of each item, and the free resources.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// Modules of the parts of each item. Empty for an unpacked item.
    pub(crate) modules: Vec<Vec<TileId>>,
    /// Free resources of each module.
    pub(crate) room: Vec<Load>,
    /// Bytes that unpacked items may still need, by module. Other items avoid modules with a high
    /// value.
    wanted: Vec<u64>,
}

impl Packing {
    /// An empty packing.
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

    /// Packs `item` greedily and moves another item away if it must. Returns false on failure.
    pub(crate) fn insert(&mut self, items: &[Item], item: usize) -> bool {
        self.want(&items[item], false);
        self.place(items, item) || self.evict_for(items, item)
    }

    /// Takes `item` out.
    pub(crate) fn remove(&mut self, items: &[Item], item: usize) {
        for module in std::mem::take(&mut self.modules[item]) {
            add(&mut self.room[module.index()], &items[item].part);
        }
    }

    /// Puts the parts of `item` into `modules`, which must have room.
    pub(crate) fn put(&mut self, items: &[Item], item: usize, modules: Vec<TileId>) {
        for module in &modules {
            subtract(&mut self.room[module.index()], &items[item].part);
        }
        self.modules[item] = modules;
    }

    /// True if the module has the resources of `load`.
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

    /// Packs the parts into one module if possible, else each into the module with the most room.
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

    /// Ejection: makes room for `item` by moving one other item to another of its modules.
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

/// Items from the hardest to the easiest: fewest modules, then a need for channels, then size.
pub(crate) fn hardest_first(items: &[Item]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&index| {
        let [bytes, _, _, s2mm, mm2s] = items[index].total();
        (items[index].modules.len(), 2 - s2mm - mm2s, u64::MAX - bytes, index)
    });
    order
}

/// Adds `load` to `room`.
pub(super) fn add(room: &mut Load, load: &Load) {
    for (room, amount) in room.iter_mut().zip(load) {
        *room += amount;
    }
}

/// Subtracts `load` from `room`.
pub(super) fn subtract(room: &mut Load, load: &Load) {
    for (room, amount) in room.iter_mut().zip(load) {
        *room = room.saturating_sub(*amount);
    }
}
