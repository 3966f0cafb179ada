//! Simulated annealing over tiles and memory at once.
//!
//! Takes a [`State`] and returns the best one met: the least violations, then the least cost with
//! the nets beyond the wires of each line. A move takes one kernel to another tile, or swaps two,
//! or packs the memory of one kernel anew, or moves a formation. The cooling is geometric.

use aiec_device::TileId;
use aiec_ir::KernelId;

use super::problem::{CUT, PENALTY, TileProblem};
use super::state::{Move, State, Step};
use crate::random::{Dice, PARTS, Random};
use crate::watch::Run;

/// Temperatures of an annealing from scratch, in cost units. Above them nothing lasts, below them
/// hardly anything moves.
pub(super) const FROM_SCRATCH: [i64; 2] = [CUT * 2 / 5, CUT / 10];
/// Temperatures at which a graph settles which kernels share memory. These steps get more moves.
const SETTLING: std::ops::RangeInclusive<i64> = CUT * 3 / 20..=CUT * 3 / 10;
/// Of 16 tried moves, the number that begin with an edge and move one end if the edge is cut. Once
/// a graph has its shape, few other moves are accepted.
const CUTS: usize = 14;
/// Moves between two questions whether to stop: less than a tenth of a second, also for moves that
/// move memory of whole neighbourhoods, of which each may take 0.1 ms.
const ASK_EVERY: u64 = 1 << 9;

/// A solution that the annealing changes by moves.
pub(crate) trait Anneal: Clone {
    /// Compares solutions. Smaller is better.
    type Worth: Ord;

    /// The worth of the solution.
    fn worth(&self) -> Self::Worth;

    /// Tries one random move that raises the cost by no more than `limit`.
    fn try_one(&mut self, limit: i64, random: &mut Random);

    /// Ends a step at `temperature`.
    fn end_step(&mut self, _temperature: i64) {}

    /// True if no solution is better.
    fn is_least(&self) -> bool;

    /// Connections through DMA, for the progress. Returns None when only a part is placed.
    fn connections(&self) -> Option<u64> {
        None
    }
}

/// Length and temperatures of an annealing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Total number of moves tried.
    pub(crate) moves: u64,
    /// Temperatures at the start and at the end, in cost units.
    pub(crate) heat: [i64; 2],
}

impl Schedule {
    /// The temperature of each step, with its number of moves. Geometric: the temperature falls by
    /// one of its [`PARTS`] in each step.
    fn steps(self) -> Vec<(i64, u64)> {
        let [hot, cold] = self.heat;
        // With more digits than the temperature, so that it falls at the cold end too.
        let falls = |&fine: &i64| Some(fine - fine / PARTS);
        let fine = std::iter::successors(Some(hot << 16), falls);
        let all: Vec<i64> =
            fine.map(|fine| fine >> 16).take_while(|&temperature| temperature > cold).collect();
        // Half of the steps settle a graph, and so get about three quarters of the moves.
        let share = |&temperature: &i64| if SETTLING.contains(&temperature) { 8 } else { 3 };
        let shares: u64 = all.iter().map(share).sum();
        all.into_iter().map(|t| (t, self.moves * share(&t) / shares.max(1))).collect()
    }
}

/// Anneals `now`. Returns the best solution at the end of any step, or `now` itself.
pub(crate) fn anneal<S: Anneal>(mut now: S, schedule: Schedule, random: &mut Random, run: &Run<'_>) -> S {
    let mut best = (now.worth(), now.clone());
    let dice = Dice::new();
    let steps = schedule.steps();
    let count = steps.len() as u64;
    let mut tried = 0;
    for (step, (temperature, moves)) in (0..).zip(steps) {
        if best.1.is_least() {
            break;
        }
        if let Some(connections) = best.1.connections() {
            run.tell(step, count, connections);
        }
        for _ in 0..moves {
            tried += 1;
            if tried % ASK_EVERY == 0 && run.stopped() {
                return best.1;
            }
            now.try_one(dice.limit(temperature, random), random);
        }
        now.end_step(temperature);
        let worth = now.worth();
        if worth < best.0 {
            best = (worth, now.clone());
        }
    }
    best.1
}

impl Anneal for State<'_> {
    /// Violations, then cost with excess nets.
    type Worth = (i64, i64);

    fn worth(&self) -> Self::Worth {
        let overload = self.problem.nets.overload(self.problem.grid, &self.tiles);
        let crowd = PENALTY.saturating_mul(i64::try_from(overload).unwrap_or(i64::MAX));
        let violations = self.violations();
        (violations, (self.cost() - violations).saturating_add(crowd))
    }

    fn try_one(&mut self, limit: i64, random: &mut Random) {
        let problem = self.problem;
        let movable = &problem.movable;
        let noise = random.bits();
        if (noise & 0xF00 == 0 || !may_move(problem)) && (self.memory.cost() > 0 || self.untied() > 0) {
            let strained = |kernel: KernelId| {
                self.memory.is_strained(&problem.needs, problem.grid, kernel, self.tiles[kernel])
            };
            if let Some(kernel) = problem.ids().nth(random.below(problem.kernels()))
                && (strained(kernel) || self.untied() > 0)
            {
                let repack = Step { kernel, target: self.tiles[kernel], other: None };
                self.attempt(repack, limit, noise >> 12);
            }
            return;
        }
        let groups = &problem.rules.groups;
        if !groups.is_empty() && (movable.is_empty() || noise & 0xF000 == 0) {
            move_group(self, random.below(groups.len()), limit, random);
            return;
        }
        if movable.is_empty() {
            return;
        }
        if let Some((kernel, target)) = propose(self, random)
            && let Some(step) = arrival(self, kernel, target, random)
        {
            self.attempt(step, limit, noise >> 12);
        }
    }

    /// Packs memory if moves do not count it yet. Below the temperatures at which the graph
    /// settles, moves count it from the first step on at which it costs anything. Then prices the
    /// lines.
    fn end_step(&mut self, temperature: i64) {
        if !self.counts_memory {
            self.pack();
            self.counts_memory = temperature <= *SETTLING.start() && self.memory.cost() > 0;
        }
        self.reprice();
    }

    /// Where no kernel may move, memory can still be packed in another way.
    fn is_least(&self) -> bool {
        !may_move(self.problem) && self.violations() == 0
    }

    fn connections(&self) -> Option<u64> {
        Some(self.problem.measure.always() + self.cut_connections())
    }
}

/// True if the constraints leave a choice of tiles to some kernel or formation.
fn may_move(problem: &TileProblem<'_>) -> bool {
    !problem.movable.is_empty() || !problem.rules.groups.is_empty()
}

/// Tries to move a formation, near its place or anywhere.
fn move_group(state: &mut State<'_>, group: usize, limit: i64, random: &mut Random) {
    let problem = state.problem;
    let group = &problem.rules.groups[group];
    let Some(&first) = group.members.first() else { return };
    let here = state.tiles[first];
    let target = if random.below(4) == 0 { anywhere(problem, random) } else { near(problem, here, random) };
    let target = target.filter(|&target| target != here);
    let moves = target.and_then(|target| state.with_group(group, target));
    if let Some(moves) = moves {
        state.attempt_all(&moves, random.bits(), |_, delta| delta <= limit);
    }
}

/// Proposes a kernel and an allowed tile for it, mostly beside the other end of a cut edge.
fn propose(state: &State<'_>, random: &mut Random) -> Option<Move> {
    let problem = state.problem;
    let cut = if random.below(16) < CUTS { cut_end(state, random) } else { None };
    let (kernel, target) = match cut {
        Some((kernel, end)) => (kernel, near(problem, end, random)?),
        None => {
            let kernel = problem.movable[random.below(problem.movable.len())];
            let here = state.tiles[kernel];
            // Most lead beside a neighbour; a few keep the rest of the array in reach.
            let target = match random.below(16) {
                0 => anywhere(problem, random)?,
                1 => near(problem, here, random)?,
                2 => state.beside(kernel, random.below(1 << 16)),
                _ => near(problem, state.beside(kernel, random.below(1 << 16)), random)?,
            };
            (kernel, target)
        }
    };
    let allowed = target != state.tiles[kernel] && problem.is_free(kernel) && problem.allows(kernel, target);
    allowed.then_some((kernel, target))
}

/// One end of a random edge, and the tile of the other, if the edge is cut.
fn cut_end(state: &State<'_>, random: &mut Random) -> Option<Move> {
    let problem = state.problem;
    let edge = problem.edges.get(random.below(problem.edges.len()))?;
    let (kernel, end) = if random.below(2) == 0 { (edge.a, edge.b) } else { (edge.b, edge.a) };
    state.is_cut(edge).then(|| (kernel, state.tiles[end]))
}

/// How `kernel` may come to `target`: in exchange for one of the kernels there, unless that core
/// has room. Returns None when they may not move.
fn arrival(state: &State<'_>, kernel: KernelId, target: TileId, random: &mut Random) -> Option<Step> {
    if state.is_free(target) || state.joins(kernel, target) && random.below(2) == 0 {
        return Some(Step { kernel, target, other: None });
    }
    let (problem, there) = (state.problem, state.on(target));
    let other = *there.get(random.below(there.len()))?;
    let moves = problem.is_free(other) && problem.allows(other, state.tiles[kernel]);
    moves.then_some(Step { kernel, target, other: Some(other) })
}

/// A random tile that shares a module with `tile`.
fn near(problem: &TileProblem<'_>, tile: TileId, random: &mut Random) -> Option<TileId> {
    let partners = problem.grid.partners(tile);
    partners.get(random.below(partners.len())).copied()
}

/// A random tile of the array, closed ones included.
pub(super) fn anywhere(problem: &TileProblem<'_>, random: &mut Random) -> Option<TileId> {
    u16::try_from(random.below(problem.grid.len())).ok().map(TileId)
}
