//! Items that need memory: stacks, and the buffers of each port, with the modules that may hold
//! them.
//!
//! The charges are those of a window connection (AM009, memory and DMA chapters; mapping reports of
//! aiecompiler): one lock for every buffer, one buffer descriptor for every buffer that a DMA fills
//! or drains, and one channel for all such buffers of a port.

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, KernelId, PortId};

use crate::demand;
use crate::teams::Teams;

/// The resources of a module, as indices of a [`Load`].
pub(crate) const RESOURCES: [&str; 5] =
    ["bytes", "locks", "buffer descriptors", "stream-to-memory channels", "memory-to-stream channels"];

/// Amounts of each of the [`RESOURCES`].
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
    /// The kernel that needs it.
    pub(crate) kernel: KernelId,
    /// Modules that every core using it reaches.
    pub(crate) modules: Vec<TileId>,
    /// Number of parts that may lie in different modules.
    pub(crate) parts: usize,
    /// Resources of one part.
    pub(crate) part: Load,
    /// Number of buffers in one part.
    pub(crate) blocks: u32,
    /// Bytes of one buffer, a multiple of the alignment.
    pub(crate) bytes: u64,
    /// The producing port, if this buffer is shared with it.
    pub(crate) shared_from: Option<PortId>,
}

impl Item {
    /// Resources of all parts together.
    pub(crate) fn total(&self) -> Load {
        self.part.map(|amount| amount * self.parts as u64)
    }
}

/// Resources of one module.
pub(crate) fn capacity(device: &Device) -> Load {
    let tile = &device.tile;
    [device.memory.module_bytes, tile.locks, tile.bds, tile.s2mm, tile.mm2s].map(u64::from)
}

/// All items of a design. Every shareable connection is shared.
pub(crate) fn items(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    teams: &Teams,
    tiles: &[TileId],
) -> Vec<Item> {
    let mut items: Vec<Item> =
        teams.members.iter().filter_map(|team| stack(checked, device, grid, tiles, team)).collect();
    for (port, entry) in checked.ports.enumerate() {
        let Owner::Kernel(kernel) = entry.owner else { continue };
        if checked.is_packets(port) {
            continue;
        }
        match shared_with(checked, grid, tiles, port) {
            None => items.push(own(checked, device, grid, tiles, kernel, port)),
            // A shared buffer is the consumer's.
            Some(from) if entry.direction == Direction::In => {
                items.push(shared(checked, device, grid, tiles, kernel, port, from));
            }
            Some(_) => {}
        }
    }
    items
}

/// The producing port, if the producer and the consumer of `port`'s one connection share a module.
fn shared_with(checked: &Checked, grid: &Grid, tiles: &[TileId], port: PortId) -> Option<PortId> {
    if !demand::may_share(checked, port) {
        return None;
    }
    let connection = &checked.connections[*checked.ports[port].connections.first()?];
    let from = tiles[checked.kernel_of(connection.from)?.index()];
    let to = tiles[checked.kernel_of(connection.to)?.index()];
    grid.shared(from, to).next().map(|_| connection.from)
}

/// The one area of a core for the stacks and heaps of its kernels.
fn stack(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &[TileId],
    team: &[KernelId],
) -> Option<Item> {
    let kernel = *team.first()?;
    let bytes = demand::stack_bytes(checked, device, team);
    Some(Item {
        what: What::Stack(kernel),
        kernel,
        modules: grid.reach(tiles[kernel.index()]).to_vec(),
        parts: 1,
        part: [bytes, 0, 0, 0, 0],
        blocks: 1,
        bytes,
        shared_from: None,
    })
}

/// The buffers of a port that a DMA fills or drains. All lie in one module, since a DMA serves only
/// its own.
pub(crate) fn own(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &[TileId],
    kernel: KernelId,
    port: PortId,
) -> Item {
    Item {
        what: What::Port(port),
        kernel,
        modules: grid.reach(tiles[kernel.index()]).to_vec(),
        parts: 1,
        part: own_load(checked, device, port),
        blocks: demand::copies(checked, port),
        bytes: demand::buffer_bytes(checked, device, port),
        shared_from: None,
    }
}

/// Resources of all buffers of a port that a DMA fills or drains.
pub(crate) fn own_load(checked: &Checked, device: &Device, port: PortId) -> Load {
    let copies = u64::from(demand::copies(checked, port));
    let bytes = demand::buffer_bytes(checked, device, port);
    let bds = u64::from(device.costs.dma_buffer_bds);
    let (s2mm, mm2s) = if checked.ports[port].direction == Direction::In { (1, 0) } else { (0, 1) };
    [bytes * copies, demand::buffer_locks(device) * copies, bds * copies, s2mm, mm2s]
}

/// The buffers of the consuming `port` that the producer `from` writes directly. Each may lie in
/// any module that both cores reach.
fn shared(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &[TileId],
    kernel: KernelId,
    port: PortId,
    from: PortId,
) -> Item {
    let bytes = demand::buffer_bytes(checked, device, port);
    let here = tiles[kernel.index()];
    let producer = checked.kernel_of(from);
    let there = producer.map_or(here, |producer| tiles[producer.index()]);
    let on_one_core = here == there && producer != Some(kernel);
    Item {
        what: What::Port(port),
        kernel,
        modules: grid.shared(here, there).collect(),
        // Kernels on one core run in turn and use one buffer (UG1079).
        parts: if on_one_core { 1 } else { demand::copies(checked, port) as usize },
        part: [bytes, demand::buffer_locks(device), 0, 0, 0],
        blocks: 1,
        bytes,
        shared_from: Some(from),
    }
}
