//! What stacks and buffers need of modules.
//!
//! Takes the checked design and the device. Returns a [`Need`] for each port with buffers. The
//! charges are those of a window connection (AM009, memory and DMA chapters; mapping reports of
//! aiecompiler): one lock for every buffer, one buffer descriptor for every buffer that a DMA fills
//! or drains, and one channel for all such buffers of a port. A parameter of the host has a
//! selector word besides, with a lock.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::blocks::Block;
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, Id, IdVec, KernelId, PortId, stacks_and_heaps};

use super::memory::Lying;
use super::problem::{CUT, PENALTY, Tiles};
use super::ties::Ties;
use super::weights::Weights;
use crate::formation::moved;
use crate::layout::{Contents, Ruler, Stated, fitted};
use crate::options::NODES;
use crate::verify;

/// The resources of a module, by their names in messages.
pub(crate) const RESOURCES: [&str; 5] =
    ["bytes", "locks", "buffer descriptors", "stream-to-memory channels", "memory-to-stream channels"];

/// Amounts of each of the [`RESOURCES`].
pub(crate) type Load = [i32; RESOURCES.len()];

aiec_ir::ids! {
    /// A port with buffers, or the stack area of a tile, counted after the ports.
    pub(crate) SlotId;
}

/// The memory that a port needs.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// The port with the buffers.
    pub(crate) port: PortId,
    /// The kernel that uses them.
    pub(crate) kernel: KernelId,
    /// Slot and kernel of the port at the other end, if the two may share buffers.
    pub(crate) peer: Option<(SlotId, KernelId)>,
    /// True for a consumer. Shared buffers belong to the consumer.
    pub(super) is_input: bool,
    /// All buffers of the port, when a DMA fills or drains them.
    pub(crate) own: Load,
    /// One buffer that two kernels share.
    pub(crate) part: Load,
    /// Bytes of the selector word, which lies with the buffers; 0 without one.
    pub(crate) selector: i32,
    /// Number of buffers of the port.
    pub(crate) copies: usize,
    /// Cost of the connection through DMA, in the units of [`CUT`].
    pub(super) weight: i64,
    /// The one module that may hold each of the buffers which the port uses.
    fixed: [Option<Where>; 2],
}

/// A module that the design states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    At(TileId),
    /// At this distance in columns and rows from the core of the kernel.
    Beside(KernelId, (i64, i64)),
}

/// One of the buffers of a slot, or all of them if a DMA serves them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) slot: SlotId,
    /// The number of the buffer: 0, or 1 for pong.
    pub(crate) part: usize,
    /// True if producer and consumer share it.
    pub(crate) shared: bool,
}

/// Bytes of a block, and its stated place in a module.
pub(crate) type Bytes = (u64, Stated);

/// The memory that a design needs.
#[derive(Clone, Debug)]
pub(crate) struct Needs {
    /// Needs of the ports with buffers.
    pub(crate) ports: IdVec<SlotId, Need>,
    /// The slot of each port of the design, if it has one.
    pub(crate) slots: IdVec<PortId, Option<SlotId>>,
    /// Slots of each kernel, the largest buffers first.
    pub(super) of: IdVec<KernelId, Vec<SlotId>>,
    /// Bytes of the stack and of the heap of each kernel.
    stacks: IdVec<KernelId, [u64; 2]>,
    /// True for an ADF graph, in which kernels of one core have one stack.
    is_adf: bool,
    /// The one module that may hold the stack of a kernel.
    fixed_stacks: Vec<(KernelId, Where)>,
    /// Banks and offsets that the design states, of stacks and of the buffers of ports.
    stated: BTreeMap<Block<KernelId, PortId>, [Stated; 2]>,
    /// True if the design states offsets, so that free bytes lie in gaps.
    pub(super) has_gaps: bool,
    /// Blocks that follow others.
    pub(crate) ties: Ties,
    /// FIFOs with stated places, by module.
    pub(super) fifos: Vec<(TileId, Bytes)>,
    /// The array, for distances in it.
    grid: Grid,
    /// For the bytes of the sync area and the sizes that memory is given out in.
    device: Device,
    /// Resources of one module.
    pub(crate) capacity: Load,
}

impl Needs {
    /// The needs of `checked` on `device`.
    pub(crate) fn new(checked: &Checked, device: &Device, grid: &Grid, weights: &Weights) -> Self {
        let (tile, memory) = (&device.tile, &device.memory);
        let capacity = [memory.module_bytes, tile.locks, tile.bds, tile.s2mm, tile.mm2s];
        let mut slots = IdVec::filled(None, checked.ports.len());
        let mut ports: IdVec<SlotId, Need> = IdVec::new();
        for (port, entry) in checked.ports.enumerate() {
            let Owner::Kernel(kernel) = entry.owner else { continue };
            let copies = u64::from(checked.copies(port));
            if copies == 0 {
                continue;
            }
            let bytes = checked.buffer_bytes(port, device);
            let bds = u64::from(device.costs.dma_buffer_bds) * copies;
            let is_input = entry.direction == Direction::In;
            // The host reaches a parameter over the memory-mapped AXI bus, without DMA.
            let by_dma = u64::from(!entry.connections.is_empty());
            let channels = [u64::from(is_input), u64::from(!is_input)].map(|channels| channels * by_dma);
            let (all, locks) = (checked.port_bytes(port, device), checked.port_locks(port, device));
            let own = [all, locks, bds * by_dma, channels[0], channels[1]];
            let slot = ports.push(Need {
                port,
                kernel,
                peer: None,
                is_input,
                own: own.map(amount),
                part: [amount(bytes), amount(checked.buffer_locks(port, device)), 0, 0, 0],
                selector: amount(checked.selector_bytes(port, device)),
                copies: usize::try_from(copies).unwrap_or(1),
                weight: 0,
                fixed: [None; 2],
            });
            slots[port] = Some(slot);
        }
        let mut fixed_stacks = Vec::new();
        for place in &checked.blocks.places {
            let kernel = checked.kernel_of_block(place.block);
            let module = |number| match place.spot_of(number).module {
                Some((column, row)) => grid.at(column, row).map(Where::At),
                None => kernel.zip(place.beside).map(|(kernel, distance)| Where::Beside(kernel, distance)),
            };
            match place.block {
                Block::Stack(kernel) => fixed_stacks.extend(module(0).map(|module| (kernel, module))),
                Block::Buffers(port) => {
                    if let Some(need) = slots[port] {
                        let fixed = &mut ports[need].fixed;
                        *fixed = [module(0).or(fixed[0]), module(1).or(fixed[1])];
                    }
                }
            }
        }
        for connection in checked.connections.iter() {
            let ends = [connection.from, connection.to].map(|port| slots[port]);
            let apart = checked.blocks.apart.iter();
            let mut apart = apart.filter(|group| group.ports.contains(&connection.from));
            let shares = checked.may_share(connection.from)
                && !apart.any(|group| group.ports.contains(&connection.to));
            let ([Some(from), Some(to)], true) = (ends, shares) else { continue };
            let weight = weights.of(checked, device, connection);
            for (one, other) in [(from, to), (to, from)] {
                ports[one].peer = Some((other, ports[other].kernel));
                ports[one].weight = weight;
            }
        }
        let mut by_size: Vec<SlotId> = ports.ids().collect();
        by_size.sort_by_key(|&slot| -ports[slot].own[0]);
        let mut of = IdVec::filled(Vec::new(), checked.kernels.len());
        by_size.into_iter().for_each(|slot| of[ports[slot].kernel].push(slot));
        let (stated, fifos) = (stated(checked), fifos(checked, device, grid));
        let has_offsets = stated.values().flatten().any(|stated| stated.at.is_some());
        let stacks = checked.kernels.ids().map(|kernel| checked.stack_and_heap(kernel, device)).collect();
        Self {
            ties: Ties::of(checked, &slots),
            ports,
            slots,
            of,
            stacks,
            is_adf: checked.is_adf(),
            fixed_stacks,
            has_gaps: !fifos.is_empty() || has_offsets,
            stated,
            fifos,
            grid: grid.clone(),
            device: device.clone(),
            capacity: capacity.map(|c| amount(c.into())),
        }
    }

    /// True if the design lets `module` hold this piece.
    pub(crate) fn may_lie(&self, piece: Piece, tiles: &Tiles, module: TileId) -> bool {
        let Piece { slot, part, shared } = piece;
        let is_here = |fixed: Where| match fixed {
            Where::Beside(kernel, (columns, rows)) => {
                moved(&self.grid, tiles[kernel], columns, rows) == Some(module)
            }
            Where::At(stated) => stated == module,
        };
        let allows = |fixed: [Option<Where>; 2]| fixed[part.min(1)].is_none_or(is_here);
        let Some(need) = self.ports.get(slot) else {
            let here = |kernel: KernelId| self.stack_of(tiles[kernel]) == slot;
            return self.fixed_stacks.iter().all(|&(kernel, fixed)| !here(kernel) || is_here(fixed));
        };
        if !shared {
            let fixed = need.fixed[0].or(need.fixed[1]);
            return fixed.is_none_or(is_here);
        }
        allows(need.fixed) && need.peer.is_none_or(|(peer, _)| allows(self.ports[peer].fixed))
    }

    /// Those of `modules` that may hold this piece; all if none may.
    pub(super) fn narrowed<'m>(&self, piece: Piece, tiles: &Tiles, modules: &'m [TileId]) -> &'m [TileId] {
        let may = |module: &TileId| self.may_lie(piece, tiles, *module);
        match modules.iter().position(may) {
            Some(at) if !modules.iter().all(may) => &modules[at..=at],
            _ => modules,
        }
    }

    /// True if the two buffers of `slot` have different places.
    pub(super) fn is_split(&self, slot: SlotId) -> bool {
        let differ = |fixed: [Option<Where>; 2]| fixed[0] != fixed[1];
        self.ports.get(slot).is_some_and(|need| {
            differ(need.fixed) || need.peer.is_some_and(|(peer, _)| differ(self.ports[peer].fixed))
        })
    }

    /// The places that the design states for the buffers of `slot`. Where two ports share them, it
    /// may name either port.
    pub(crate) fn stated(&self, slot: SlotId, shared: bool) -> [Stated; 2] {
        let of = |slot: SlotId| {
            let block = Block::Buffers(self.ports[slot].port);
            self.stated.get(&block).copied().unwrap_or_default()
        };
        match self.ports[slot].peer.filter(|_| shared) {
            Some((peer, _)) => {
                let (own, other) = (of(slot), of(peer));
                [own[0].or(other[0]), own[1].or(other[1])]
            }
            None => of(slot),
        }
    }

    /// The place that the design states for the stack area of `kernels`, which share a core.
    pub(crate) fn stated_stack(&self, kernels: &[KernelId]) -> Stated {
        let stated = kernels.iter().filter_map(|&kernel| self.stated.get(&Block::Stack(kernel)));
        stated.fold(Stated::default(), |known, stated| known.or(stated[0]))
    }

    /// The blocks of `slot` in `module`.
    pub(super) fn blocks_in(&self, slot: SlotId, lying: &Lying, module: TileId) -> Vec<Bytes> {
        let sized = |bytes: i32, stated: Stated| (u64::try_from(bytes).unwrap_or(0), stated);
        let Some(need) = self.ports.get(slot) else { return vec![sized(lying.stack, lying.stated)] };
        let stated = self.stated(slot, lying.shared);
        let here = |number: &usize| !lying.shared || lying.modules().get(*number) == Some(&module);
        let buffers = (0..need.copies)
            .filter(here)
            .map(|number| sized(need.part[0], stated.get(number).copied().unwrap_or_default()));
        let selector =
            (!lying.shared && need.selector > 0).then_some(sized(need.selector, Stated::default()));
        buffers.chain(selector).collect()
    }

    /// True if `blocks` have room in one module: by bytes, and between those at stated offsets.
    /// Bounded work that finds no room counts as none.
    pub(super) fn have_room(&self, mut blocks: Vec<Bytes>) -> bool {
        if blocks.iter().all(|(_, stated)| stated.at.is_none()) {
            return true;
        }
        blocks.sort_unstable();
        let contents = Contents {
            bytes: blocks.iter().map(|(bytes, _)| *bytes).collect(),
            clash: vec![vec![0; blocks.len()]; blocks.len()],
            stated: blocks.iter().map(|(_, stated)| *stated).collect(),
        };
        fitted(Ruler::of(&self.device), &contents, NODES / 8).is_some_and(|layout| !layout.overlaps())
    }

    /// The slot of the stack area of `tile`.
    pub(crate) fn stack_of(&self, tile: TileId) -> SlotId {
        SlotId::from_index(self.ports.len() + tile.index())
    }

    /// Bytes that a kernel needs at least: its stack, its inputs and the outputs that are never
    /// shared.
    pub(crate) fn least_bytes(&self, kernel: KernelId) -> i64 {
        let counts = |slot: &&SlotId| self.ports[**slot].is_input || self.ports[**slot].peer.is_none();
        let ports = self.of[kernel].iter().filter(counts).map(|&slot| i64::from(self.ports[slot].own[0]));
        ports.sum::<i64>() + i64::from(self.stack_bytes(std::iter::once(kernel)))
    }

    /// True if the kernels need more than half of a module each on average, one needs more than a
    /// module, blocks follow others, or the design states offsets. Otherwise memory hardly decides
    /// where kernels go.
    pub(crate) fn is_scarce(&self) -> bool {
        let bytes = || self.of.ids().map(|kernel| self.least_bytes(kernel));
        let module = i64::from(self.capacity[0]);
        !self.ties.is_empty()
            || self.has_gaps
            || bytes().sum::<i64>() * 2 > module * self.of.len() as i64
            || bytes().any(|bytes| bytes > module)
    }

    /// True if some window of `kernel` takes a DMA channel on every tile.
    pub(crate) fn uses_channels(&self, kernel: KernelId) -> bool {
        self.of[kernel].iter().any(|&slot| self.ports[slot].peer.is_none())
    }

    /// Bytes of the stack area of a core that runs `kernels`; 0 without kernels.
    pub(super) fn stack_bytes(&self, kernels: impl Iterator<Item = KernelId>) -> i32 {
        let mut sizes = kernels.filter_map(|kernel| self.stacks.get(kernel).copied()).peekable();
        if sizes.peek().is_none() {
            return 0;
        }
        let memory = &self.device.memory;
        let bytes = stacks_and_heaps(sizes, self.is_adf) + u64::from(memory.sync_bytes);
        amount(memory.aligned(memory.stored_bytes(bytes)))
    }

    /// Resources of one part of `slot`.
    pub(super) fn part(&self, slot: SlotId, lying: &Lying) -> Load {
        match self.ports.get(slot) {
            None => [lying.stack, 0, 0, 0, 0],
            Some(need) if lying.shared => need.part,
            Some(need) => need.own,
        }
    }

    /// The tiles of the cores that use the memory of `slot`; twice the same for one core.
    pub(super) fn ends(&self, slot: SlotId, lying: &Lying, tiles: &Tiles) -> (TileId, TileId) {
        let Some(need) = self.ports.get(slot) else {
            let tile = u16::try_from(slot.index() - self.ports.len()).map_or(TileId(0), TileId);
            return (tile, tile);
        };
        let here = tiles[need.kernel];
        (here, need.peer.filter(|_| lying.shared).map_or(here, |(_, peer)| tiles[peer]))
    }

    /// Cost of a module whose blocks have no room between those at stated offsets: as for one that
    /// lacks a fourth of its bytes.
    pub(super) const UNFIT: i64 = CUT + PENALTY / 4;

    /// Cost of a module with this room.
    pub(super) fn penalty(&self, room: &Load) -> i64 {
        if room.iter().all(|&room| room >= 0) {
            return 0;
        }
        let lack = |(&room, &all): (&i32, &i32)| match room {
            0.. => 0,
            _ => CUT + i64::from(-room) * PENALTY / i64::from(all.max(1)),
        };
        room.iter().zip(&self.capacity).map(lack).sum()
    }
}

/// An amount of a resource. The largest ones are cut, so that sums of them fit.
pub(super) fn amount(amount: u64) -> i32 {
    i32::try_from(amount).unwrap_or(i32::MAX / 64)
}

/// The stated places of blocks. Several statements may name one block.
fn stated(checked: &Checked) -> BTreeMap<Block<KernelId, PortId>, [Stated; 2]> {
    let mut known: BTreeMap<_, [Stated; 2]> = BTreeMap::new();
    for place in &checked.blocks.places {
        let entry = known.entry(place.block).or_default();
        *entry = [0, 1].map(|number| entry[number].or(Stated::of(place.spot_of(number).within)));
    }
    known.retain(|_, stated| stated.iter().any(|stated| !stated.is_free()));
    known
}

/// FIFOs with stated places.
fn fifos(checked: &Checked, device: &Device, grid: &Grid) -> Vec<(TileId, Bytes)> {
    let fifos = verify::reserved(checked).into_iter().filter_map(|fifo| {
        let stated = Stated { bank: None, at: Some(fifo.spot.offset.into()) };
        Some((grid.id(fifo.spot.tile)?, (device.memory.aligned(fifo.bytes), stated)))
    });
    fifos.collect()
}
