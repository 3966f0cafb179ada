//! Items that lie in memory: stacks, and the buffers of each port, with the modules that may hold
//! them and those that do, and the resources that modules have left.

use aiec_device::TileId;
use aiec_ir::{KernelId, PortId};

/// Amounts of bytes, locks, buffer descriptors and DMA channels.
pub(crate) type Load = [u64; 5];

/// The content of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Stacks, heaps and sync area of a core, by the first of its kernels.
    Stack(KernelId),
    /// The buffers of a port.
    Port(PortId),
}

/// A request for memory: one part, or several equal parts that may lie in different modules.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Stack or port.
    pub(crate) what: What,
    /// Modules that every core using it reaches.
    pub(crate) modules: Vec<TileId>,
    /// Resources of one part.
    pub(crate) part: Load,
    /// Number of buffers in one part.
    pub(crate) blocks: u32,
    /// Bytes of one buffer, a multiple of the alignment.
    pub(crate) bytes: u64,
    /// The producing port, if this buffer is shared with it.
    pub(crate) shared_from: Option<PortId>,
}

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
