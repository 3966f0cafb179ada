//! Items in modules, and the resources that they leave free.

use aiec_device::TileId;

use super::items::{Item, Load};

/// The modules of the parts of each item, and the free resources.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    /// Modules of the parts of each item.
    pub(crate) modules: Vec<Vec<TileId>>,
    /// Free resources of each module.
    pub(crate) room: Vec<Load>,
}

impl Packing {
    /// Moves the one part of `item` to `module`, which must have room.
    pub(crate) fn shift(&mut self, items: &[Item], item: usize, module: TileId) {
        for before in std::mem::replace(&mut self.modules[item], vec![module]) {
            add(&mut self.room[before.index()], &items[item].part);
        }
        subtract(&mut self.room[module.index()], &items[item].part);
    }

    /// True if the module has the resources of `load`.
    pub(crate) fn fits(&self, module: TileId, load: &Load) -> bool {
        self.room[module.index()].iter().zip(load).all(|(room, need)| room >= need)
    }
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
