//! Memory of a state of the search: the module of every stack and buffer, exact after every move.
//!
//! Takes the needs of a design, and the tiles of kernels as they move. Holds the free resources of
//! every module: bytes, locks, buffer descriptors and DMA channels. Where the design states
//! offsets, it also holds whether the other blocks have room between. A module may be overfull
//! during the search; [`Memory::cost`] says by how much. Every change is written to a journal, so
//! that a refused move is undone exactly.

use std::borrow::Cow;

use aiec_device::{Grid, TileId};
use aiec_ir::fifos::DESCRIPTORS;
use aiec_ir::{IdVec, KernelId};

use super::needs::{Bytes, Load, Needs, Piece, SlotId, amount};
use super::problem::Tiles;
use crate::layout::Stated;

/// The modules of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lying {
    modules: [TileId; 2],
    /// Number of parts: 0 for a port without buffers of its own, 2 for shared ping and pong.
    parts: u8,
    /// True for buffers that producer and consumer share.
    pub(crate) shared: bool,
    /// True for buffers with a DMA although the two kernels could share them.
    pub(crate) flipped: bool,
    /// Bytes, for a stack.
    pub(crate) stack: i32,
    /// The stated place, for a stack.
    pub(crate) stated: Stated,
}

impl Lying {
    /// The module of each part.
    pub(crate) fn modules(&self) -> &[TileId] {
        &self.modules[..usize::from(self.parts)]
    }
}

/// The modules of all stacks and buffers.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// By slot.
    lies: IdVec<SlotId, Lying>,
    /// Free resources of each module; negative where it is overfull.
    room: Vec<Load>,
    /// Slots with a part in each module.
    inside: Vec<Vec<SlotId>>,
    /// True for a module whose blocks have no room between those at stated offsets.
    unfit: Vec<bool>,
    /// Sum of the penalties of all modules.
    over: i64,
    /// Sum of the weights of flipped connections.
    flips: i64,
    /// Changed slots with their earlier values.
    journal: Vec<(SlotId, Lying)>,
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
    /// A memory in which no slot lies anywhere. Reserved parts are already taken.
    pub(crate) fn new(needs: &Needs, grid: &Grid) -> Self {
        let mut room = vec![needs.capacity; grid.len()];
        for &(module, (bytes, _)) in &needs.fifos {
            let load = [amount(bytes), 0, i32::from(DESCRIPTORS), 1, 1];
            room[module.index()].iter_mut().zip(load).for_each(|(room, amount)| *room -= amount);
        }
        Self {
            lies: IdVec::filled(Lying::default(), needs.ports.len() + grid.len()),
            room,
            inside: vec![Vec::new(); grid.len()],
            unfit: vec![false; grid.len()],
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
        let slots = kernels.flat_map(|kernel| &needs.of[kernel]);
        let flipped = slots.filter(|&&slot| self.is_flipped(needs, slot));
        self.over + flipped.map(|&slot| needs.ports[slot].weight).sum::<i64>()
    }

    /// True if the connection of `slot` goes by DMA although it could share.
    pub(crate) fn is_flipped(&self, needs: &Needs, slot: SlotId) -> bool {
        let need = &needs.ports[slot];
        let consumer = if need.is_input { slot } else { need.peer.map_or(slot, |(peer, _)| peer) };
        self.lies[consumer].flipped
    }

    /// True if some resource of `kernel` could be improved without moving it: a module around it is
    /// overfull, or a connection is flipped.
    pub(crate) fn is_strained(&self, needs: &Needs, grid: &Grid, kernel: KernelId, tile: TileId) -> bool {
        let lacks = |module: &TileId| self.room[module.index()].iter().any(|&room| room < 0);
        grid.reach(tile).iter().any(lacks)
            || needs.of[kernel].iter().any(|&slot| self.is_flipped(needs, slot))
    }

    /// What lies in a slot.
    pub(crate) fn of(&self, slot: SlotId) -> &Lying {
        &self.lies[slot]
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

    /// Keeps all changes since the last commit, and clears the journal.
    pub(crate) fn commit(&mut self) {
        self.journal.clear();
    }

    fn set(&mut self, needs: &Needs, slot: SlotId, lying: Lying) {
        let old = self.lies[slot];
        if old != lying {
            self.journal.push((slot, old));
            self.put(needs, slot, lying);
        }
    }

    fn put(&mut self, needs: &Needs, slot: SlotId, lying: Lying) {
        let old = std::mem::replace(&mut self.lies[slot], lying);
        self.charge(needs, slot, &old, 1);
        self.charge(needs, slot, &lying, -1);
        let weight = needs.ports.get(slot).map_or(0, |need| need.weight);
        self.flips += weight * (i64::from(lying.flipped) - i64::from(old.flipped));
        if needs.has_gaps {
            let mut touched = [old.modules(), lying.modules()].concat();
            touched.sort_unstable();
            touched.dedup();
            touched.into_iter().for_each(|module| self.refit(needs, module));
        }
    }

    /// Finds out again whether the blocks of `module` have room between those at stated offsets.
    fn refit(&mut self, needs: &Needs, module: TileId) {
        let is_unfit = !needs.have_room(self.blocks_in(needs, module));
        let was_unfit = std::mem::replace(&mut self.unfit[module.index()], is_unfit);
        self.over += Needs::UNFIT * (i64::from(is_unfit) - i64::from(was_unfit));
    }

    /// The blocks in `module`.
    fn blocks_in(&self, needs: &Needs, module: TileId) -> Vec<Bytes> {
        let mut slots = self.inside[module.index()].clone();
        slots.sort_unstable();
        slots.dedup();
        let blocks = slots.iter().flat_map(|&slot| needs.blocks_in(slot, &self.lies[slot], module));
        let fifos = needs.fifos.iter().filter(|(other, _)| *other == module);
        blocks.chain(fifos.map(|(_, fifo)| *fifo)).collect()
    }

    /// True if a block in `module` has a stated offset.
    pub(crate) fn has_stated(&self, needs: &Needs, module: TileId) -> bool {
        needs.has_gaps && self.blocks_in(needs, module).iter().any(|(_, stated)| stated.at.is_some())
    }

    fn charge(&mut self, needs: &Needs, slot: SlotId, lying: &Lying, sign: i32) {
        let load = needs.part(slot, lying);
        for module in lying.modules() {
            let inside = &mut self.inside[module.index()];
            match inside.iter().position(|&other| other == slot).filter(|_| sign > 0) {
                Some(at) => drop(inside.swap_remove(at)),
                None => inside.push(slot),
            }
            let room = &mut self.room[module.index()];
            let before = needs.penalty(room);
            room.iter_mut().zip(load).for_each(|(room, amount)| *room += sign * amount);
            self.over += needs.penalty(room) - before;
        }
    }

    /// Makes room for `load` in one of `modules` that is not among `seen`, by moving parts to other
    /// modules that their cores reach (an augmenting path of at most `site.steps` parts). Returns
    /// the module with room.
    fn evict(
        &mut self,
        site: &Site<'_>,
        modules: &[TileId],
        load: &Load,
        seen: &mut Vec<TileId>,
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
                let lying = self.lies[slot];
                let part = needs.part(slot, &lying);
                let is_tied = needs.ties.hold(needs, slot, site.tiles);
                if is_tied || !fits(&self.room[module.index()], load, &part) {
                    continue;
                }
                let (here, there) = needs.ends(slot, &lying, site.tiles);
                let number = lying.modules().iter().position(|&own| own == module).unwrap_or(0);
                let piece = Piece { slot, part: number, shared: lying.shared };
                let may = |other: &TileId| needs.may_lie(piece, site.tiles, *other);
                let others = site.grid.shared(here, there).filter(may);
                let others: Vec<TileId> = others.filter(|other| !seen.contains(other)).collect();
                let free = others.iter().find(|other| fits(&self.room[other.index()], &part, &[0; 5]));
                let other = match free {
                    Some(&other) => Some(other),
                    None if site.steps > 1 => {
                        self.evict(&Site { steps: site.steps - 1, ..*site }, &others, &part, seen)
                    }
                    None => None,
                };
                if let Some(other) = other {
                    let mut moved = lying;
                    moved.modules[number] = other;
                    self.set(needs, slot, moved);
                    return Some(module);
                }
            }
        }
        None
    }

    /// Takes all buffers of `kernel` out of memory, and its partners' for the same connections.
    pub(crate) fn lift(&mut self, needs: &Needs, kernel: KernelId) {
        for &slot in &needs.of[kernel] {
            self.set(needs, slot, Lying::default());
            if let Some((peer, _)) = needs.ports[slot].peer {
                self.set(needs, peer, Lying::default());
            }
        }
    }

    /// Gives the core on `tile` a stack area for `kernels`.
    pub(crate) fn stack(&mut self, site: &Site<'_>, tile: TileId, kernels: &[KernelId]) {
        let slot = site.needs.stack_of(tile);
        let stack = site.needs.stack_bytes(kernels.iter().copied());
        let stated = site.needs.stated_stack(kernels);
        let piece = Piece { slot, part: 0, shared: false };
        let modules = &*self.suited(site, piece, site.grid.reach(tile));
        let stays = self.lies[slot].modules().iter().all(|module| modules.contains(module));
        let lying = &self.lies[slot];
        if lying.stack == stack && lying.stated == stated && site.noise & 4 == 0 && stays {
            return;
        }
        self.set(site.needs, slot, Lying::default());
        if stack > 0
            && let Some(module) = self.best_or_made(site, modules, &[stack, 0, 0, 0, 0])
        {
            let area = Lying { modules: [module; 2], parts: 1, stack, stated, ..Lying::default() };
            self.set(site.needs, slot, area);
        }
    }

    /// Gives all connections of `kernel` that lie nowhere their buffers: shared ones if the kernels
    /// share a module and that costs no more than DMA.
    pub(crate) fn seat(&mut self, site: &Site<'_>, kernel: KernelId) {
        let (slots, noise) = (&site.needs.of[kernel], site.noise);
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
    fn connect(&mut self, site: &Site<'_>, consumer: SlotId) {
        let need = &site.needs.ports[consumer];
        let Some((producer, from)) = need.peer else { return };
        let (here, there) = (site.tiles[need.kernel], site.tiles[from]);
        let mut common = [TileId(0); 4];
        let mut count = 0;
        let on_one_core = here == there;
        let piece = |part: usize| Piece { slot: consumer, part, shared: true };
        let may_part = |part: usize, module: &TileId| site.needs.may_lie(piece(part), site.tiles, *module);
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
    fn share(&mut self, site: &Site<'_>, slot: SlotId, modules: &[TileId], parts: usize) {
        let part = &site.needs.ports[slot].part;
        let is_split = site.needs.is_split(slot);
        let piece = |part: usize| Piece { slot, part, shared: true };
        let [modules, others] = [0, 1].map(|part| self.suited(site, piece(part), modules).into_owned());
        let (modules, others) = (modules.as_slice(), others.as_slice());
        let shared = Lying { shared: true, ..Lying::default() };
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
    fn own(&mut self, site: &Site<'_>, slot: SlotId, flipped: bool) {
        let need = &site.needs.ports[slot];
        let piece = Piece { slot, part: 0, shared: false };
        let modules = &*self.suited(site, piece, site.grid.reach(site.tiles[need.kernel]));
        if let Some(module) = self.best_or_made(site, modules, &need.own) {
            self.set(site.needs, slot, Lying { modules: [module; 2], parts: 1, flipped, ..Lying::default() });
        }
    }

    /// Those of `modules` that may hold a piece and suit its ties.
    fn suited<'m>(&self, site: &Site<'_>, piece: Piece, modules: &'m [TileId]) -> Cow<'m, [TileId]> {
        let modules = site.needs.narrowed(piece, site.tiles, modules);
        site.needs.ties.nearest(site, self, piece.slot, modules)
    }

    /// The module in which `load` costs least. If it costs something everywhere, a module in which
    /// an augmenting path makes room.
    fn best_or_made(&mut self, site: &Site<'_>, modules: &[TileId], load: &Load) -> Option<TileId> {
        let (module, cost) = self.best(site, modules, load)?;
        let made = if cost > 0 { self.evict(site, modules, load, &mut Vec::new()) } else { None };
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
