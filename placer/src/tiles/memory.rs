//! Memory of a state of the search: the module of every stack and buffer, exact after every move.
//!
//! Takes the needs of a design, and the tiles of kernels as they move. Holds the free resources of
//! every module: bytes, locks, buffer descriptors and DMA channels. A module may be overfull during
//! the search; [`Memory::cost`] says by how much. Every change is written to a journal, so that a
//! refused move is undone exactly.
//!
//! The charges are those of a window connection (AM009, memory and DMA chapters; mapping reports of
//! aiecompiler): one lock for every buffer, one buffer descriptor for every buffer that a DMA fills
//! or drains, and one channel for all such buffers of a port. A parameter of the host has a
//! selector word besides, with a lock.

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::blocks::Block;
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, IdVec, KernelId, PortId};

use super::problem::{CUT, DEAR, Tiles, table};
use super::weights::Weights;
use crate::demand;
use crate::verify::{self, DESCRIPTORS};

/// The resources of a module, as indices of a [`Load`].
pub(crate) const RESOURCES: [&str; 5] =
    ["bytes", "locks", "buffer descriptors", "stream-to-memory channels", "memory-to-stream channels"];

/// Amounts of each of the [`RESOURCES`].
pub(crate) type Load = [i32; 5];

/// The memory that a port needs.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// The port.
    pub(crate) port: PortId,
    /// Its kernel.
    pub(crate) kernel: KernelId,
    /// Slot and kernel of the port at the other end, if the two may share buffers.
    pub(crate) peer: Option<(usize, KernelId)>,
    /// True for a consumer. Shared buffers belong to the consumer.
    is_input: bool,
    /// All buffers of the port, when a DMA fills or drains them.
    pub(crate) own: Load,
    /// One buffer that two kernels share.
    pub(crate) part: Load,
    /// Bytes of the selector word, which lies with the buffers; 0 without one.
    pub(crate) selector: i32,
    /// Number of buffers.
    pub(crate) copies: usize,
    /// Cost of the connection through DMA, in the units of [`CUT`].
    weight: i64,
    /// The one module that may hold each of the buffers which the port uses.
    fixed: [Option<TileId>; 2],
}

/// The memory that a design needs. A slot is a port with buffers, by its index here, or the stack
/// area of a tile, counted after the ports.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// Needs of the ports with buffers.
    pub(crate) ports: Vec<Need>,
    /// The slot of each port of the design, if it has one.
    slots: Vec<Option<usize>>,
    /// Slots of each kernel, the largest buffers first.
    of: IdVec<KernelId, Vec<usize>>,
    /// Bytes of stack and heap of each kernel.
    stacks: IdVec<KernelId, u64>,
    /// The one module that may hold the stack of a kernel.
    fixed_stacks: Vec<(KernelId, TileId)>,
    /// What FIFOs with stated places take of their modules.
    pub(crate) reserved: Vec<(TileId, Load)>,
    /// For the bytes of the sync area and the sizes that memory is given out in.
    device: Option<Device>,
    capacity: Load,
}

impl Needs {
    /// The needs of `checked` on `device`.
    pub(crate) fn new(checked: &Checked, device: &Device, grid: &Grid, weights: &Weights) -> Self {
        let amount = |amount: u64| i32::try_from(amount).unwrap_or(i32::MAX / 64);
        let (tile, memory) = (&device.tile, &device.memory);
        let capacity = [memory.module_bytes, tile.locks, tile.bds, tile.s2mm, tile.mm2s];
        let mut slots = vec![None; checked.ports.len()];
        let mut ports: Vec<Need> = Vec::new();
        for (port, entry) in checked.ports.enumerate() {
            let Owner::Kernel(kernel) = entry.owner else { continue };
            let copies = u64::from(demand::copies(checked, port));
            if copies == 0 {
                continue;
            }
            let bytes = demand::buffer_bytes(checked, device, port);
            let bds = u64::from(device.costs.dma_buffer_bds) * copies;
            let is_input = entry.direction == Direction::In;
            // The host reaches a parameter over the memory-mapped AXI bus, without DMA.
            let by_dma = u64::from(!entry.connections.is_empty());
            let channels = [u64::from(is_input), u64::from(!is_input)].map(|channels| channels * by_dma);
            let (all, locks) =
                (demand::port_bytes(checked, device, port), demand::port_locks(checked, device, port));
            let own = [all, locks, bds * by_dma, channels[0], channels[1]];
            slots[port.index()] = Some(ports.len());
            ports.push(Need {
                port,
                kernel,
                peer: None,
                is_input,
                own: own.map(amount),
                part: [amount(bytes), amount(demand::buffer_locks(device)), 0, 0, 0],
                selector: amount(demand::selector_bytes(checked, device, port)),
                copies: usize::try_from(copies).unwrap_or(1),
                weight: 0,
                fixed: [None; 2],
            });
        }
        let mut fixed_stacks = Vec::new();
        for place in &checked.blocks.places {
            let module = |number| {
                let (column, row) = place.spot_of(number).module?;
                grid.at(column, row)
            };
            match place.block {
                Block::Stack(kernel) => fixed_stacks.extend(module(0).map(|module| (kernel, module))),
                Block::Buffers(port) => {
                    if let Some(need) = slots[port.index()] {
                        let fixed = &mut ports[need].fixed;
                        *fixed = [module(0).or(fixed[0]), module(1).or(fixed[1])];
                    }
                }
            }
        }
        for connection in checked.connections.iter() {
            let ends = [connection.from, connection.to].map(|port| slots[port.index()]);
            let apart = checked.blocks.apart.iter();
            let mut apart = apart.filter(|group| group.ports.contains(&connection.from));
            let shares = demand::may_share(checked, connection.from)
                && !apart.any(|group| group.ports.contains(&connection.to));
            let ([Some(from), Some(to)], true) = (ends, shares) else { continue };
            let weight = weights.of(checked, device, connection);
            for (one, other) in [(from, to), (to, from)] {
                ports[one].peer = Some((other, ports[other].kernel));
                ports[one].weight = weight;
            }
        }
        let mut by_size: Vec<usize> = (0..ports.len()).collect();
        by_size.sort_by_key(|&slot| -ports[slot].own[0]);
        let mut of = table(checked.kernels.len(), Vec::new());
        by_size.into_iter().for_each(|slot| of[ports[slot].kernel].push(slot));
        let sync = u64::from(memory.sync_bytes);
        let stack = |kernel| checked.core_system_bytes(&[kernel], device).saturating_sub(sync);
        let stacks = checked.kernels.ids().map(stack).collect();
        Self {
            ports,
            slots,
            of,
            stacks,
            fixed_stacks,
            reserved: reserved(checked, device, grid),
            device: Some(device.clone()),
            capacity: capacity.map(|c| amount(c.into())),
        }
    }

    /// True if the design lets `module` hold buffer `part` of `slot`, shared with its peer or not.
    /// A part by DMA is all buffers of the port.
    pub(crate) fn may_lie(
        &self,
        slot: usize,
        part: usize,
        shared: bool,
        tiles: &Tiles,
        module: TileId,
    ) -> bool {
        let allows = |fixed: [Option<TileId>; 2]| fixed[part.min(1)].is_none_or(|fixed| fixed == module);
        let Some(need) = self.ports.get(slot) else {
            let here = |kernel: KernelId| tiles[kernel].index() + self.ports.len() == slot;
            return self.fixed_stacks.iter().all(|&(kernel, fixed)| !here(kernel) || fixed == module);
        };
        if !shared {
            let fixed = need.fixed[0].or(need.fixed[1]);
            return fixed.is_none_or(|fixed| fixed == module);
        }
        allows(need.fixed) && need.peer.is_none_or(|(peer, _)| allows(self.ports[peer].fixed))
    }

    /// Those of `modules` that may hold buffer `part` of `slot`; all if none may.
    fn narrowed<'m>(
        &self,
        (slot, part): (usize, usize),
        shared: bool,
        tiles: &Tiles,
        modules: &'m [TileId],
    ) -> &'m [TileId] {
        let may = |module: &TileId| self.may_lie(slot, part, shared, tiles, *module);
        match modules.iter().position(may) {
            Some(at) if !modules.iter().all(may) => &modules[at..=at],
            _ => modules,
        }
    }

    /// True if the two buffers of `slot` have different places.
    fn is_split(&self, slot: usize) -> bool {
        let differ = |fixed: [Option<TileId>; 2]| fixed[0] != fixed[1];
        self.ports.get(slot).is_some_and(|need| {
            differ(need.fixed) || need.peer.is_some_and(|(peer, _)| differ(self.ports[peer].fixed))
        })
    }

    /// The slot of `port`, if it has buffers.
    pub(crate) fn slot(&self, port: PortId) -> Option<usize> {
        self.slots.get(port.index()).copied().flatten()
    }

    /// Bytes that a kernel needs at least: its stack, its inputs and the outputs that are never
    /// shared.
    pub(crate) fn least_bytes(&self, kernel: KernelId) -> i64 {
        let counts = |slot: &&usize| self.ports[**slot].is_input || self.ports[**slot].peer.is_none();
        let ports = self.of(kernel).iter().filter(counts).map(|&slot| i64::from(self.ports[slot].own[0]));
        ports.sum::<i64>() + i64::from(self.stack_bytes(std::iter::once(kernel)))
    }

    /// True if the kernels need more than half of a module each on average, or one needs more than
    /// a module. Otherwise memory hardly decides where kernels go.
    pub(crate) fn is_scarce(&self) -> bool {
        let bytes = || self.of.ids().map(|kernel| self.least_bytes(kernel));
        let module = i64::from(self.capacity[0]);
        bytes().sum::<i64>() * 2 > module * self.of.len() as i64 || bytes().any(|bytes| bytes > module)
    }

    /// True if some window of `kernel` takes a DMA channel on every tile.
    pub(crate) fn uses_channels(&self, kernel: KernelId) -> bool {
        self.of(kernel).iter().any(|&slot| self.ports[slot].peer.is_none())
    }

    /// Slots of the ports of `kernel`.
    pub(crate) fn of(&self, kernel: KernelId) -> &[usize] {
        self.of.get(kernel).map_or(&[], Vec::as_slice)
    }

    /// Resources of one module.
    pub(crate) const fn capacity(&self) -> &Load {
        &self.capacity
    }

    /// Bytes of the stack area of a core that runs `kernels`; 0 without kernels.
    fn stack_bytes(&self, kernels: impl Iterator<Item = KernelId>) -> i32 {
        let (mut sum, mut any) = (0, false);
        for kernel in kernels {
            (sum, any) = (sum + self.stacks.get(kernel).copied().unwrap_or(0), true);
        }
        let Some(device) = self.device.as_ref().filter(|_| any) else { return 0 };
        let bytes = device.memory.stored_bytes(sum + u64::from(device.memory.sync_bytes));
        i32::try_from(demand::occupied(device, bytes)).unwrap_or(i32::MAX / 64)
    }

    /// Resources of one part of `slot`.
    fn part(&self, slot: usize, lying: &Lying) -> Load {
        match self.ports.get(slot) {
            None => [lying.stack, 0, 0, 0, 0],
            Some(need) if lying.shared => need.part,
            Some(need) => need.own,
        }
    }

    /// The tiles of the cores that use the memory of `slot`; twice the same for one core.
    fn ends(&self, slot: usize, lying: &Lying, tiles: &Tiles) -> (TileId, TileId) {
        let Some(need) = self.ports.get(slot) else {
            let tile = u16::try_from(slot - self.ports.len()).map_or(TileId(0), TileId);
            return (tile, tile);
        };
        let here = tiles[need.kernel];
        (here, need.peer.filter(|_| lying.shared).map_or(here, |(_, peer)| tiles[peer]))
    }

    /// Cost of a module with this room.
    fn penalty(&self, room: &Load) -> i64 {
        if room.iter().all(|&room| room >= 0) {
            return 0;
        }
        let lack = |(&room, &all): (&i32, &i32)| match room {
            0.. => 0,
            _ => CUT + i64::from(-room) * DEAR / i64::from(all.max(1)),
        };
        room.iter().zip(&self.capacity).map(lack).sum()
    }
}

/// What FIFOs with stated places take of their modules.
fn reserved(checked: &Checked, device: &Device, grid: &Grid) -> Vec<(TileId, Load)> {
    let amount = |amount: u64| i32::try_from(amount).unwrap_or(i32::MAX / 64);
    let load = |fifo: &verify::Reserved| {
        let bytes = fifo.bytes.next_multiple_of(u64::from(device.memory.buffer_alignment.max(1)));
        [amount(bytes), 0, i32::from(DESCRIPTORS), 1, 1]
    };
    let fifos = verify::reserved(checked);
    fifos.iter().filter_map(|fifo| Some((grid.id(fifo.spot.tile)?, load(fifo)))).collect()
}

/// The modules of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lying {
    modules: [TileId; 2],
    /// Number of parts: 0 for a port without buffers of its own, 2 for shared ping and pong.
    parts: u8,
    /// True for buffers that producer and consumer share.
    pub(crate) shared: bool,
    /// True for buffers with a DMA although the two kernels could share them.
    pub(crate) flipped: bool,
    /// Bytes, for a stack.
    stack: i32,
}

impl Lying {
    const NOWHERE: Self = Self { modules: [TileId(0); 2], parts: 0, shared: false, flipped: false, stack: 0 };

    /// The module of each part.
    pub(crate) fn modules(&self) -> &[TileId] {
        &self.modules[..usize::from(self.parts)]
    }

    /// Bytes of a stack area.
    pub(crate) const fn stack(&self) -> i32 {
        self.stack
    }
}

/// The modules of all stacks and buffers.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// By slot.
    lies: Vec<Lying>,
    /// Free resources of each module; negative where it is overfull.
    room: Vec<Load>,
    /// Slots with a part in each module.
    inside: Vec<Vec<u32>>,
    /// Sum of the penalties of all modules.
    over: i64,
    /// Sum of the weights of flipped connections.
    flips: i64,
    /// Changed slots with their earlier values.
    journal: Vec<(usize, Lying)>,
}

/// What a choice of modules depends on.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) needs: &'a Needs,
    pub(crate) grid: &'a Grid,
    /// The tile of each kernel.
    pub(crate) tiles: &'a Tiles,
    pub(crate) noise: Noise,
    /// Parts that may move to make room for another.
    pub(crate) steps: usize,
}

/// Choice of a module among equals: the lowest bits decide whether free bytes count and where the
/// list begins.
pub(crate) type Noise = u64;

impl Memory {
    /// Nothing lies anywhere.
    pub(crate) fn new(needs: &Needs, grid: &Grid) -> Self {
        let mut room = vec![needs.capacity; grid.len()];
        for (module, load) in &needs.reserved {
            room[module.index()].iter_mut().zip(load).for_each(|(room, amount)| *room -= amount);
        }
        Self {
            lies: vec![Lying::NOWHERE; needs.ports.len() + grid.len()],
            room,
            inside: vec![Vec::new(); grid.len()],
            over: 0,
            flips: 0,
            journal: Vec::new(),
        }
    }

    /// Cost of what modules lack.
    pub(crate) const fn over(&self) -> i64 {
        self.over
    }

    /// Cost of what modules lack, and of connections that go by DMA although they could share.
    pub(crate) const fn cost(&self) -> i64 {
        self.over + self.flips
    }

    /// Largest saving of [`Memory::cost`] by a move of `kernels`.
    pub(crate) fn most_saved(&self, needs: &Needs, kernels: impl Iterator<Item = KernelId>) -> i64 {
        if self.flips == 0 {
            return self.over;
        }
        let slots = kernels.flat_map(|kernel| needs.of(kernel));
        let flipped = slots.filter(|&&slot| self.is_flipped(needs, slot));
        self.over + flipped.map(|&slot| needs.ports[slot].weight).sum::<i64>()
    }

    /// True if the connection of `slot` goes by DMA although it could share.
    pub(crate) fn is_flipped(&self, needs: &Needs, slot: usize) -> bool {
        let need = &needs.ports[slot];
        let consumer = if need.is_input { slot } else { need.peer.map_or(slot, |(peer, _)| peer) };
        self.lies[consumer].flipped
    }

    /// True if some resource of `kernel` could be improved without moving it: a module around it is
    /// overfull, or a connection is flipped.
    pub(crate) fn is_strained(&self, needs: &Needs, grid: &Grid, kernel: KernelId, tile: TileId) -> bool {
        let lacks = |module: &TileId| self.room[module.index()].iter().any(|&room| room < 0);
        grid.reach(tile).iter().any(lacks)
            || needs.of(kernel).iter().any(|&slot| self.is_flipped(needs, slot))
    }

    /// What lies in the slot of a port.
    pub(crate) fn of_port(&self, slot: usize) -> &Lying {
        &self.lies[slot]
    }

    /// The stack area of the core on `tile`.
    pub(crate) fn of_stack(&self, needs: &Needs, tile: TileId) -> &Lying {
        &self.lies[needs.ports.len() + tile.index()]
    }

    /// Free resources of a module.
    pub(crate) fn room(&self, module: TileId) -> &Load {
        &self.room[module.index()]
    }

    /// Number of entries of the journal, for [`Memory::undo`].
    pub(crate) const fn mark(&self) -> usize {
        self.journal.len()
    }

    /// Undoes all changes since `mark`.
    pub(crate) fn undo(&mut self, needs: &Needs, mark: usize) {
        while self.journal.len() > mark {
            if let Some((slot, lying)) = self.journal.pop() {
                self.put(needs, slot, lying);
            }
        }
    }

    /// Forgets the journal.
    pub(crate) fn commit(&mut self) {
        self.journal.clear();
    }

    fn set(&mut self, needs: &Needs, slot: usize, lying: Lying) {
        let old = self.lies[slot];
        if old != lying {
            self.journal.push((slot, old));
            self.put(needs, slot, lying);
        }
    }

    fn put(&mut self, needs: &Needs, slot: usize, lying: Lying) {
        let old = std::mem::replace(&mut self.lies[slot], lying);
        self.charge(needs, slot, &old, 1);
        self.charge(needs, slot, &lying, -1);
        let weight = needs.ports.get(slot).map_or(0, |need| need.weight);
        self.flips += weight * (i64::from(lying.flipped) - i64::from(old.flipped));
    }

    fn charge(&mut self, needs: &Needs, slot: usize, lying: &Lying, sign: i32) {
        let load = needs.part(slot, lying);
        let own = u32::try_from(slot).unwrap_or(u32::MAX);
        for module in lying.modules() {
            let inside = &mut self.inside[module.index()];
            match inside.iter().position(|&other| other == own).filter(|_| sign > 0) {
                Some(at) => drop(inside.swap_remove(at)),
                None => inside.push(own),
            }
            let room = &mut self.room[module.index()];
            let before = needs.penalty(room);
            room.iter_mut().zip(load).for_each(|(room, amount)| *room += sign * amount);
            self.over += needs.penalty(room) - before;
        }
    }

    /// Makes room for `load` in one of `modules` that is not among `seen`, by moving parts to other
    /// modules that their cores reach (an augmenting path of at most `steps` parts). Returns the
    /// module with room.
    fn evict(
        &mut self,
        site: &Site<'_>,
        modules: &[TileId],
        load: &Load,
        seen: &mut Vec<TileId>,
        steps: usize,
    ) -> Option<TileId> {
        let needs = site.needs;
        let fits = |room: &Load, load: &Load, back: &Load| {
            room.iter().zip(load).zip(back).all(|((room, load), back)| room + back >= *load)
        };
        for &module in modules {
            if seen.contains(&module) {
                continue;
            }
            seen.push(module);
            for at in 0..self.inside[module.index()].len() {
                let Some(&slot) = self.inside[module.index()].get(at) else { break };
                let (slot, lying) = (slot as usize, self.lies[slot as usize]);
                let part = needs.part(slot, &lying);
                if !fits(&self.room[module.index()], load, &part) {
                    continue;
                }
                let (here, there) = needs.ends(slot, &lying, site.tiles);
                let number = lying.modules().iter().position(|&own| own == module).unwrap_or(0);
                let may = |other: &TileId| needs.may_lie(slot, number, lying.shared, site.tiles, *other);
                let others = site.grid.shared(here, there).filter(may);
                let others: Vec<TileId> = others.filter(|other| !seen.contains(other)).collect();
                let free = others.iter().find(|other| fits(&self.room[other.index()], &part, &[0; 5]));
                let other = match free {
                    Some(&other) => Some(other),
                    None if steps > 1 => self.evict(site, &others, &part, seen, steps - 1),
                    None => None,
                };
                if let Some(other) = other {
                    let mut moved = lying;
                    let count = usize::from(lying.parts);
                    if let Some(place) = moved.modules[..count].iter_mut().find(|place| **place == module) {
                        *place = other;
                    }
                    self.set(needs, slot, moved);
                    return Some(module);
                }
            }
        }
        None
    }

    /// Takes all buffers of `kernel` out of memory, with those that its partners use for the same
    /// connections.
    pub(crate) fn lift(&mut self, needs: &Needs, kernel: KernelId) {
        for &slot in needs.of(kernel) {
            self.set(needs, slot, Lying::NOWHERE);
            if let Some((peer, _)) = needs.ports[slot].peer {
                self.set(needs, peer, Lying::NOWHERE);
            }
        }
    }

    /// Gives the core on `tile` a stack area for `kernels`.
    pub(crate) fn stack(&mut self, site: &Site<'_>, tile: TileId, kernels: impl Iterator<Item = KernelId>) {
        let slot = site.needs.ports.len() + tile.index();
        let stack = site.needs.stack_bytes(kernels);
        let modules = site.needs.narrowed((slot, 0), false, site.tiles, site.grid.reach(tile));
        let stays = self.lies[slot].modules().iter().all(|module| modules.contains(module));
        if self.lies[slot].stack == stack && site.noise & 4 == 0 && stays {
            return;
        }
        self.set(site.needs, slot, Lying::NOWHERE);
        if stack > 0
            && let Some(module) = self.best_or_made(site, modules, &[stack, 0, 0, 0, 0])
        {
            self.set(site.needs, slot, Lying { modules: [module; 2], parts: 1, stack, ..Lying::NOWHERE });
        }
    }

    /// Gives all connections of `kernel` that lie nowhere their buffers: shared ones if the kernels
    /// share a module and that costs no more than DMA.
    pub(crate) fn seat(&mut self, site: &Site<'_>, kernel: KernelId) {
        let (slots, noise) = (site.needs.of(kernel), site.noise);
        let first = if noise & 1 == 0 { 0 } else { (noise >> 8) as usize % slots.len().max(1) };
        for &slot in slots[first..].iter().chain(&slots[..first]) {
            let need = &site.needs.ports[slot];
            let consumer = match need.peer {
                None => {
                    self.own(site, slot, false);
                    continue;
                }
                Some((peer, _)) if !need.is_input => peer,
                Some(_) => slot,
            };
            if self.lies[consumer].parts == 0 {
                self.connect(site, consumer);
            }
        }
    }

    /// Gives the connection to the port `consumer` its buffers.
    fn connect(&mut self, site: &Site<'_>, consumer: usize) {
        let need = &site.needs.ports[consumer];
        let Some((producer, from)) = need.peer else { return };
        let (here, there) = (site.tiles[need.kernel], site.tiles[from]);
        let mut common = [TileId(0); 4];
        let mut count = 0;
        let on_one_core = here == there;
        let may_part =
            |part: usize, module: &TileId| site.needs.may_lie(consumer, part, true, site.tiles, *module);
        let may = |module: &TileId| may_part(0, module) || may_part(1, module) || on_one_core;
        for module in site.grid.shared(here, there).filter(may).take(common.len()) {
            common[count] = module;
            count += 1;
        }
        let has = |part: usize| common[..count].iter().any(|module| may_part(part, module)) || on_one_core;
        if count == 0 || !has(0) || need.copies > 1 && !has(1) {
            self.own(site, consumer, false);
            self.own(site, producer, false);
            return;
        }
        // Kernels on one core run in turn and use one buffer (UG1079); no DMA leads from a core to
        // itself.
        let parts = if on_one_core && from != need.kernel { 1 } else { need.copies };
        let (before, mark) = (self.cost(), self.mark());
        let common = &common[..count];
        self.share(site, consumer, common, parts);
        let sharing = self.cost() - before;
        if sharing <= need.weight || on_one_core {
            return;
        }
        self.undo(site.needs, mark);
        self.own(site, consumer, true);
        self.own(site, producer, false);
        if self.cost() - before >= sharing {
            self.undo(site.needs, mark);
            self.share(site, consumer, common, parts);
        }
    }

    /// Puts shared buffers into the best of `modules`, in one module if that costs nothing.
    fn share(&mut self, site: &Site<'_>, slot: usize, modules: &[TileId], parts: usize) {
        let part = &site.needs.ports[slot].part;
        let is_split = site.needs.is_split(slot);
        let narrowed = |number: usize| site.needs.narrowed((slot, number), true, site.tiles, modules);
        let (modules, others) = (narrowed(0), narrowed(1));
        let shared = Lying { shared: true, ..Lying::NOWHERE };
        if parts == 2
            && !is_split
            && let Some((module, 0)) = self.best(site, modules, &part.map(|amount| 2 * amount))
        {
            self.set(site.needs, slot, Lying { modules: [module; 2], parts: 2, ..shared });
            return;
        }
        let Some(first) = self.best_or_made(site, modules, part) else { return };
        self.set(site.needs, slot, Lying { modules: [first; 2], parts: 1, ..shared });
        if parts < 2 {
            return;
        }
        let Some(second) = self.best_or_made(site, others, part) else { return };
        // Making room for the second may have moved the first.
        let first = self.lies[slot].modules[0];
        self.set(site.needs, slot, Lying { modules: [first, second], parts: 2, ..shared });
    }

    /// Puts the buffers of a port with a DMA into the best module of its core. All lie in one
    /// module, since a DMA serves only its own.
    fn own(&mut self, site: &Site<'_>, slot: usize, flipped: bool) {
        let need = &site.needs.ports[slot];
        let modules = site.grid.reach(site.tiles[need.kernel]);
        let modules = site.needs.narrowed((slot, 0), false, site.tiles, modules);
        if let Some(module) = self.best_or_made(site, modules, &need.own) {
            self.set(site.needs, slot, Lying { modules: [module; 2], parts: 1, flipped, ..Lying::NOWHERE });
        }
    }

    /// The module in which `load` costs least. If it costs something everywhere, a module in which
    /// an augmenting path makes room.
    fn best_or_made(&mut self, site: &Site<'_>, modules: &[TileId], load: &Load) -> Option<TileId> {
        let (module, cost) = self.best(site, modules, load)?;
        let made = if cost > 0 { self.evict(site, modules, load, &mut Vec::new(), site.steps) } else { None };
        Some(made.unwrap_or(module))
    }

    /// The module in which `load` costs least, then the one with the most bytes left; and the cost.
    fn best(&self, site: &Site<'_>, modules: &[TileId], load: &Load) -> Option<(TileId, i64)> {
        let Site { needs, noise, .. } = *site;
        let cost = |module: TileId| {
            let before = &self.room[module.index()];
            let mut room = *before;
            room.iter_mut().zip(load).for_each(|(room, amount)| *room -= amount);
            (needs.penalty(&room) - needs.penalty(before), if noise & 2 == 0 { -room[0] } else { 0 })
        };
        let first = (noise >> 16) as usize % modules.len().max(1);
        let turned = modules[first..].iter().chain(&modules[..first]);
        let best = turned.map(|&module| (cost(module), module)).min_by_key(|(cost, _)| *cost);
        best.map(|((cost, _), module)| (module, cost))
    }
}
