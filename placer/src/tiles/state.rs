//! The state of the search: kernels on tiles, and memory for all their stacks and buffers.
//!
//! Takes tiles for all kernels, each on a tile that it may take and every formation in one of its
//! layouts. Both stay so. Everything else that must hold may be violated during the search and then
//! costs more than any connection: overfull modules ([`Memory`]), overfull cores, and pairs of
//! kernels that break their memory rule. [`State::violations`] is 0 when all of it holds.
//!
//! The cost of a move of single kernels is read from tables. Only a move that these do not refuse
//! changes memory, which then decides ([`State::attempt`]). Lines of the array have
//! [prices](Prices) that follow the nets across them.

use std::iter::successors;

use aiec_device::TileId;
use aiec_ir::KernelId;

use super::cores::Core;
use super::memory::{Memory, Noise, Site};
use super::problem::{Edge, NEVER, Neighbour, PENALTY, TileProblem, Tiles};
use crate::formation::Formation;
use crate::lines::Prices;

/// Parts that a move may shift to make room for another. Longer paths are rarely needed before the
/// next packing, and each step multiplies their number by that of the parts in a module.
const MOVE_STEPS: usize = 2;

/// A kernel and its new tile.
pub(crate) type Move = (KernelId, TileId);

/// A move of one kernel, or of two in exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) kernel: KernelId,
    pub(crate) target: TileId,
    /// The kernel that takes the old tile.
    pub(crate) other: Option<KernelId>,
}

/// Kernels on tiles, with their memory and the tables that price moves.
#[derive(Clone, Debug)]
pub(crate) struct State<'a> {
    pub(crate) problem: &'a TileProblem<'a>,
    /// Tile of each kernel.
    pub(crate) tiles: Tiles,
    /// Kernels on each tile, the last to come first.
    on: Vec<Vec<KernelId>>,
    cores: Vec<Core>,
    /// Cost of all cores.
    crowd: i64,
    /// Exact after every move if `counts_memory`, otherwise after [`State::pack`].
    pub(crate) memory: Memory,
    /// True if moves count memory.
    pub(crate) counts_memory: bool,
    /// Prices of nets between columns and between rows.
    pub(crate) prices: Prices,
    /// Cost of a window from tile to tile besides its weight, by row of tiles; 0 exactly where the
    /// tiles share memory. The second entry is the cost of a window in the other direction.
    single: Vec<[i32; 2]>,
    /// Cost of each tile for its distance from the column to gather around.
    aside: Vec<i64>,
    /// Cost of a tile of wire in moves, in those of the problem.
    stretch: i64,
    /// The moved kernels with their earlier tiles, for an undo.
    moved: Vec<Move>,
}

impl<'a> State<'a> {
    /// The state with kernel `k` on `tiles[k]`.
    pub(crate) fn new(problem: &'a TileProblem<'a>, tiles: Tiles) -> Self {
        let grid = problem.grid;
        let mut state = Self {
            problem,
            on: vec![Vec::new(); grid.len()],
            cores: vec![Core::default(); grid.len()],
            crowd: 0,
            memory: Memory::new(&problem.needs, grid),
            counts_memory: problem.needs.is_scarce(),
            prices: Prices::new(grid),
            single: Vec::new(),
            aside: Vec::new(),
            stretch: 1,
            moved: Vec::new(),
            tiles: Tiles::new(),
        };
        state.write_down();
        state.gather(problem.centre());
        state.fill(tiles);
        state
    }

    /// Makes kernels gather around a column.
    fn gather(&mut self, centre: u16) {
        let (grid, compact) = (self.problem.grid, self.problem.weights.compact);
        let aside = |id| i64::from(grid.tile(id).column.abs_diff(centre)) * compact;
        self.aside = grid.ids().map(aside).collect();
    }

    /// A state on `tiles` with unchanged prices; compactness counts from their median column.
    pub(crate) fn gathered(&self, tiles: Tiles) -> Self {
        let mut columns: Vec<u16> = tiles.iter().map(|&id| self.problem.grid.tile(id).column).collect();
        columns.sort_unstable();
        let mut state = self.with(tiles);
        state.gather(columns.get(columns.len() / 2).copied().unwrap_or(0));
        state
    }

    /// This state with wires in moves at `stretch` times their cost. [`State::cost`] stays.
    pub(crate) fn stretched(mut self, stretch: i64) -> Self {
        self.stretch = stretch;
        self.write_down();
        self
    }

    /// Cost of the site of `kernel` on `tile`: its distance from the shim and from the column to
    /// gather around.
    fn site_cost(&self, kernel: KernelId, tile: TileId) -> i64 {
        self.problem.site_cost(kernel, tile) + self.aside[tile.index()]
    }

    /// The same prices with other tiles.
    pub(crate) fn with(&self, tiles: Tiles) -> Self {
        let mut state = self.clone();
        state.fill(tiles);
        state
    }

    /// Puts all kernels on `tiles` and packs memory anew.
    fn fill(&mut self, tiles: Tiles) {
        self.on.iter_mut().for_each(Vec::clear);
        self.cores.fill(Core::default());
        self.crowd = 0;
        self.tiles = tiles;
        for kernel in self.tiles.ids() {
            self.enter(kernel, self.tiles[kernel]);
        }
        self.pack();
    }

    /// Packs memory anew, the kernels with the largest buffers first.
    pub(crate) fn pack(&mut self) {
        let problem = self.problem;
        self.memory = Memory::new(&problem.needs, problem.grid);
        for tile in problem.grid.ids() {
            self.stack(tile, 0);
        }
        let site = site(problem, &self.tiles, 0, usize::MAX);
        for &kernel in &problem.hardest_first {
            self.memory.seat(&site, kernel);
        }
        self.memory.commit();
    }

    /// Fills the table of single-window costs from the prices.
    pub(crate) fn write_down(&mut self) {
        let (grid, length) = (self.problem.grid, self.problem.weights.length * self.stretch);
        self.single.clear();
        for (a, own) in grid.ids().map(|a| (a, grid.tile(a))) {
            for b in grid.ids() {
                let (gap, other) = (self.problem.gap(a, b), grid.tile(b));
                // At least 1, because 0 means shared memory.
                let cost = |price: i64| i32::try_from((length * gap + price).max(1)).unwrap_or(i32::MAX / 2);
                let costs = || [cost(self.prices.of(own, other)), cost(self.prices.of(other, own))];
                self.single.push(if gap == 0 { [0; 2] } else { costs() });
            }
        }
    }

    /// The kernels on `tile`.
    pub(crate) fn on(&self, tile: TileId) -> &[KernelId] {
        &self.on[tile.index()]
    }

    /// True if no kernel is on `tile`.
    pub(crate) fn is_free(&self, tile: TileId) -> bool {
        self.on(tile).is_empty()
    }

    /// The kernel that has `tile` for itself. Returns None when there is none, or several.
    pub(crate) fn only(&self, tile: TileId) -> Option<KernelId> {
        if let &[kernel] = self.on(tile) { Some(kernel) } else { None }
    }

    /// True if the core on `tile` cannot run the kernels there.
    pub(crate) fn is_overfull(&self, tile: TileId) -> bool {
        self.cores[tile.index()].lack(self.problem.supply) > 0
    }

    /// Kernels with a stack or buffers in `module`.
    pub(crate) fn kernels_in(&self, module: TileId) -> Vec<KernelId> {
        let needs = &self.problem.needs;
        let lies = |kernel: &KernelId| {
            let slots = needs.of[*kernel].iter().map(|&slot| self.memory.of(slot));
            let stack = self.memory.of(needs.stack_of(self.tiles[*kernel]));
            slots.chain([stack]).any(|lying| lying.modules().contains(&module))
        };
        self.tiles.ids().filter(lies).collect()
    }

    /// Number of kernels that join another on its core.
    pub(crate) fn joined(&self) -> u64 {
        self.cores.iter().map(|core| u64::try_from(core.joined()).unwrap_or(0)).sum()
    }

    /// Cost of what must hold and does not: memory, cores and pairs. 0 for a legal state.
    pub(crate) fn violations(&self) -> i64 {
        self.memory.over()
            + self.untied()
            + self.cores.iter().map(|core| core.lack(self.problem.supply)).sum::<i64>()
            + NEVER * self.problem.broken_pairs(&self.tiles).count() as i64
    }

    /// Connections between kernels that need DMA on these tiles or for lack of memory.
    pub(crate) fn cut_connections(&self) -> u64 {
        let cut = self.problem.edges.iter().filter(|edge| self.is_cut(edge));
        let flipped = self.problem.needs.ports.ids().filter(|&slot| self.memory.of(slot).flipped);
        cut.map(|edge| edge.connections).sum::<u64>() + flipped.count() as u64
    }

    /// True if the kernels of an edge share no module.
    pub(crate) fn is_cut(&self, edge: &Edge) -> bool {
        self.problem.gap(self.tiles[edge.a], self.tiles[edge.b]) > 0
    }

    /// Pairs of kernels with a connection through DMA that could share memory.
    pub(crate) fn cuts(&self) -> Vec<(KernelId, KernelId)> {
        let cut = self.problem.edges.iter().filter(|edge| self.is_cut(edge));
        let mut cuts: Vec<(KernelId, KernelId)> = cut.map(|edge| (edge.a, edge.b)).collect();
        let ports = self.problem.needs.ports.enumerate();
        let flipped = ports.filter(|&(slot, _)| self.memory.of(slot).flipped);
        cuts.extend(flipped.filter_map(|(_, need)| Some((need.kernel, need.peer?.1))));
        cuts
    }

    /// Total cost without prices of lines.
    pub(crate) fn cost(&self) -> i64 {
        let problem = self.problem;
        let own = |kernel: KernelId| {
            let here = self.tiles[kernel];
            let wires = problem.neighbours[kernel].iter().filter(|n| n.kernel > kernel);
            let wires: i64 = wires.map(|n| problem.pair_cost(n, here, self.tiles[n.kernel])).sum();
            wires + self.site_cost(kernel, here)
        };
        problem.ids().map(own).sum::<i64>() + self.burden() + self.crowd
    }

    /// Cost of blocks that are off the places which follow from others.
    pub(crate) fn untied(&self) -> i64 {
        let needs = &self.problem.needs;
        needs.ties.cost(needs, &self.memory, &self.tiles, self.problem.grid)
    }

    /// Cost of memory and of ties.
    fn burden(&self) -> i64 {
        self.memory.cost() + self.untied()
    }

    /// Updates the prices of lines from the nets across them.
    pub(crate) fn reprice(&mut self) {
        let excess = self.problem.nets.excess(self.problem.grid, &self.tiles);
        if self.prices.update(&excess, PENALTY) {
            self.write_down();
        }
    }

    /// Makes a step if the cost grows by no more than `limit`. Returns the growth, or None and
    /// changes nothing. With `target` the tile of `kernel`, only its memory changes.
    pub(crate) fn attempt(&mut self, step: Step, limit: i64, noise: Noise) -> Option<i64> {
        let Step { kernel, target, other } = step;
        let source = self.tiles[kernel];
        let mut wires = 0;
        if source != target {
            wires = self.delta(step);
            if self.prices.are_any() {
                wires += self.toll_delta(step);
            }
        }
        if !self.counts_memory {
            if wires > limit {
                return None;
            }
            self.relocate(kernel, target);
            if let Some(other) = other {
                self.relocate(other, source);
            }
            return Some(wires);
        }
        let needs = &self.problem.needs;
        let saved =
            self.memory.most_saved(needs, [Some(kernel), other].into_iter().flatten()) + self.untied();
        if wires > limit.saturating_add(saved) {
            return None;
        }
        let before = self.burden();
        let mark = self.memory.mark();
        self.moved.clear();
        let moves = [(kernel, target), (other.unwrap_or(kernel), source)];
        self.shift(&moves[..if other.is_some() { 2 } else { 1 }], noise);
        let delta = wires + self.burden() - before;
        if delta > limit {
            self.undo(mark);
            return None;
        }
        self.memory.commit();
        Some(delta)
    }

    /// Moves kernels to tiles and packs their memory anew.
    fn shift(&mut self, moves: &[Move], noise: Noise) {
        for &(kernel, _) in moves {
            self.memory.lift(&self.problem.needs, kernel);
        }
        for &(kernel, target) in moves {
            self.moved.push((kernel, self.tiles[kernel]));
            self.relocate(kernel, target);
        }
        for at in self.moved.len() - moves.len()..self.moved.len() {
            let (kernel, source) = self.moved[at];
            self.stack(source, noise);
            if self.tiles[kernel] != source {
                self.stack(self.tiles[kernel], noise);
            }
        }
        let site = site(self.problem, &self.tiles, noise, MOVE_STEPS);
        for &(kernel, _) in moves {
            self.memory.seat(&site, kernel);
        }
    }

    /// Undoes the last moves, whose changes of memory begin at `mark`.
    fn undo(&mut self, mark: usize) {
        while let Some((kernel, source)) = self.moved.pop() {
            self.relocate(kernel, source);
        }
        self.memory.undo(&self.problem.needs, mark);
    }

    /// Moves several kernels at once, if `accepts` the growth of the cost. Returns true if so.
    pub(crate) fn attempt_all(
        &mut self,
        moves: &[Move],
        noise: Noise,
        accepts: impl FnOnce(&Self, i64) -> bool,
    ) -> bool {
        let cost = |state: &Self| {
            let own: i64 = moves.iter().map(|&(kernel, _)| state.around(kernel, moves)).sum();
            own + state.tolls(moves) + state.burden() + state.crowd
        };
        let (before, mark) = (cost(self), self.memory.mark());
        self.moved.clear();
        self.shift(moves, noise);
        let delta = cost(self) - before;
        let accepted = accepts(self, delta);
        if accepted {
            self.memory.commit();
        } else {
            self.undo(mark);
        }
        accepted
    }

    /// The moves that put `group` with its first kernel on `target`. A kernel that stands in the
    /// way of a member takes the tile of this member, or the tile that becomes free behind it.
    /// Returns None when a kernel may not take its tile.
    pub(crate) fn with_group(&self, group: &Formation<KernelId>, target: TileId) -> Option<Vec<Move>> {
        let problem = self.problem;
        let tiles = group.on(target)?;
        let mut moves: Vec<Move> = group.at(target).collect();
        if !moves.iter().all(|&(member, tile)| problem.allows(member, tile)) {
            return None;
        }
        let members = moves.len();
        let member_on = |tile: TileId| (0..members).find(|&at| tiles[at] == tile);
        // No member takes a tile twice, so this ends at a tile that all members leave.
        let left_behind = |at: usize| {
            let first = self.tiles[group.members[at]];
            let next = |&tile: &TileId| member_on(tile).map(|next| self.tiles[group.members[next]]);
            successors(Some(first), next).take(members + 1).last().unwrap_or(first)
        };
        for (at, &tile) in tiles.iter().enumerate() {
            let strange = |kernel: &&KernelId| !group.members.contains(kernel);
            let mut in_the_way = self.on(tile).iter().filter(strange).peekable();
            if in_the_way.peek().is_none() || member_on(tile) != Some(at) {
                continue;
            }
            let free = left_behind(at);
            for &kernel in in_the_way {
                if !problem.is_free(kernel) || !problem.allows(kernel, free) {
                    return None;
                }
                moves.push((kernel, free));
            }
        }
        Some(moves)
    }

    /// The price of lines that broadcasts of the moved kernels and their nets to the shim cross.
    fn tolls(&self, moves: &[Move]) -> i64 {
        if !self.prices.are_any() {
            return 0;
        }
        let kernels: Vec<KernelId> = moves.iter().map(|&(kernel, _)| kernel).collect();
        self.problem.nets.tolls(self.problem.grid, &kernels, &self.prices, |k| self.tiles[k])
    }

    /// Change of the cost of wires, sites and cores by a step.
    fn delta(&self, step: Step) -> i64 {
        let Step { kernel, target, other } = step;
        let source = self.tiles[kernel];
        let own = self.way(kernel, other, source, target);
        let back = other.map_or(0, |other| self.way(other, Some(kernel), target, source));
        own + back + self.core_delta(step)
    }

    /// Change of the price of lines that broadcasts and nets to the interface row cross, and of
    /// nets between the two kernels, which turn round.
    fn toll_delta(&self, Step { kernel, target, other }: Step) -> i64 {
        let (nets, source) = (&self.problem.nets, self.tiles[kernel]);
        let between = self.problem.neighbours[kernel].iter().filter(|n| Some(n.kernel) == other);
        let turned = between.map(|n| self.wire(n, target, source) - self.wire(n, source, target)).sum();
        let moved = [kernel, other.unwrap_or(kernel)];
        if moved.iter().all(|&kernel| nets.tolled_of(kernel).is_empty()) {
            return turned;
        }
        let after = |k: KernelId| match k {
            _ if k == kernel => target,
            _ if Some(k) == other => source,
            _ => self.tiles[k],
        };
        let toll = |at: &dyn Fn(KernelId) -> TileId| nets.tolls(self.problem.grid, &moved, &self.prices, at);
        turned + toll(&after) - toll(&|kernel| self.tiles[kernel])
    }

    /// Change of the wire cost of one kernel, without its wire to `except`, which stays as long.
    fn way(&self, kernel: KernelId, except: Option<KernelId>, from: TileId, to: TileId) -> i64 {
        let (row_from, row_to) = (self.row(from), self.row(to));
        let mut delta = self.site_cost(kernel, to) - self.site_cost(kernel, from);
        for n in self.problem.neighbours[kernel].iter().filter(|n| Some(n.kernel) != except) {
            let end = self.tiles[n.kernel];
            delta += match n.way {
                None => self.wire(n, to, end) - self.wire(n, from, end),
                Some(way) => {
                    let cost = |row: &[[i32; 2]]| match row[end.index()][way] {
                        0 => 0,
                        besides => n.weight + i64::from(besides),
                    };
                    cost(row_to) - cost(row_from)
                }
            };
        }
        delta
    }

    /// Cost of the wires and the site of `kernel`, where wires between two kernels of `moves` count
    /// for the first of them.
    fn around(&self, kernel: KernelId, moves: &[Move]) -> i64 {
        let here = self.tiles[kernel];
        let counts = |n: &&Neighbour| n.kernel > kernel || !moves.iter().any(|&(other, _)| other == n.kernel);
        let wires = self.problem.neighbours[kernel].iter().filter(counts);
        let wires: i64 = wires.map(|n| self.wire(n, here, self.tiles[n.kernel])).sum();
        wires + self.site_cost(kernel, here)
    }

    /// Cost of a link of any kind between two tiles.
    fn wire(&self, link: &Neighbour, here: TileId, there: TileId) -> i64 {
        let law = self.problem.law_cost(link.law, here, there);
        let gap = self.problem.gap(here, there);
        if gap == 0 {
            return link.near + law;
        }
        let (own, other) = (self.problem.grid.tile(here), self.problem.grid.tile(there));
        let [into, out] = link.windows;
        let lines = out * self.prices.of(own, other) + into * self.prices.of(other, own);
        link.weight + self.stretch * link.length * gap + lines + law
    }

    /// The tile of a random neighbour of `kernel`, or its own without neighbours.
    pub(crate) fn beside(&self, kernel: KernelId, number: usize) -> TileId {
        let near = &self.problem.neighbours[kernel];
        near.get(number % near.len().max(1)).map_or(self.tiles[kernel], |n| self.tiles[n.kernel])
    }

    /// The costs of single windows from `tile`.
    fn row(&self, tile: TileId) -> &[[i32; 2]] {
        let tiles = self.problem.grid.len();
        &self.single[tile.index() * tiles..][..tiles]
    }

    /// True if `kernel` may join the kernels on `target`: they leave it time and program memory.
    pub(crate) fn joins(&self, kernel: KernelId, target: TileId) -> bool {
        let core = self.cores[target.index()].with(self.problem.cores[kernel]);
        core.lack(self.problem.supply) == 0
    }

    /// Change of the cost of cores by a step.
    fn core_delta(&self, Step { kernel, target, other }: Step) -> i64 {
        let (here, there) = (self.cores[self.tiles[kernel].index()], self.cores[target.index()]);
        if here.kernels == 1 && there.kernels == u32::from(other.is_some()) {
            return 0;
        }
        let needs = &self.problem.cores;
        let (mut left, mut entered) = (here.without(needs[kernel]), there.with(needs[kernel]));
        if let Some(other) = other {
            (left, entered) = (left.with(needs[other]), entered.without(needs[other]));
        }
        let cost = |core: Core| core.cost(self.problem.supply);
        cost(left) + cost(entered) - cost(here) - cost(there)
    }

    /// Puts `kernel` on `tile`, without its memory.
    fn relocate(&mut self, kernel: KernelId, tile: TileId) {
        let here = self.tiles[kernel];
        if here != tile {
            self.leave(kernel, here);
            self.tiles[kernel] = tile;
            self.enter(kernel, tile);
        }
    }

    fn enter(&mut self, kernel: KernelId, tile: TileId) {
        self.on[tile.index()].insert(0, kernel);
        let own = self.problem.cores[kernel];
        self.change_core(tile, |core| core.with(own));
    }

    fn leave(&mut self, kernel: KernelId, tile: TileId) {
        self.on[tile.index()].retain(|&other| other != kernel);
        let own = self.problem.cores[kernel];
        self.change_core(tile, |core| core.without(own));
    }

    fn change_core(&mut self, tile: TileId, change: impl FnOnce(Core) -> Core) {
        let (limits, before) = (self.problem.supply, self.cores[tile.index()]);
        self.cores[tile.index()] = change(before);
        self.crowd += self.cores[tile.index()].cost(limits) - before.cost(limits);
    }

    /// Gives the kernels on `tile` their stack area.
    fn stack(&mut self, tile: TileId, noise: Noise) {
        let site = site(self.problem, &self.tiles, noise, MOVE_STEPS);
        self.memory.stack(&site, tile, &self.on[tile.index()]);
    }
}

fn site<'s>(problem: &'s TileProblem<'_>, tiles: &'s Tiles, noise: Noise, steps: usize) -> Site<'s> {
    Site { needs: &problem.needs, grid: problem.grid, tiles, noise, steps }
}
