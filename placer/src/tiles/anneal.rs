//! Simulated annealing over tiles and memory at once.
//!
//! Takes a [`State`] and returns the best one met: the least violations, then the least cost with
//! the nets beyond the wires of each line. A move takes one kernel to another tile, or swaps two,
//! or packs the memory of one kernel anew, or moves a formation. The cooling is geometric.

use aiec_device::TileId;

use super::problem::{CUT, Edge, TileProblem};
use super::state::State;
use crate::random::{Dice, Random};
use crate::watch::Run;

/// Temperature below which lines have prices, in cost units. At higher temperatures any placement
/// crowds the lines; at much lower ones only single kernels can still move.
const PRICED: i64 = CUT * 5 / 8;
/// Temperature below which memory that lacks something counts in every move from then on. At higher
/// temperatures most windows go by DMA and any placement lacks channels.
const COUNTED: i64 = CUT / 5;
/// Temperature range in which a graph settles which kernels share memory. These steps get more
/// moves.
const SETTLING: std::ops::RangeInclusive<i64> = CUT * 3 / 20..=CUT * 3 / 10;
/// Of 16 tried moves, the number that begin with an edge and move one end if the edge is cut. Once
/// a graph has its shape, few other moves are accepted.
const CUTS: usize = 14;
/// Cooling factor of each step, in 1/65536: e^(-1 / 128).
const FALL: i64 = 65_026;
/// Cost of an excess net on a line when whole states are compared.
const CROWD: i64 = 3 * CUT;

/// Length and temperatures of an annealing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Total number of moves tried.
    pub(crate) moves: u64,
    /// Temperature at the start, in cost units.
    pub(crate) hot: i64,
    /// Temperature at the end, in cost units.
    pub(crate) cold: i64,
}

impl Schedule {
    /// The temperature of each step, with its number of moves.
    fn steps(self) -> Vec<(i64, u64)> {
        let (mut temperature, mut all) = (self.hot << 16, Vec::new());
        while temperature >> 16 > self.cold {
            all.push(temperature >> 16);
            temperature = (temperature >> 16) * FALL + (((temperature & 0xFFFF) * FALL) >> 16);
        }
        let share = |&temperature: &i64| if SETTLING.contains(&temperature) { 8 } else { 3 };
        let shares: u64 = all.iter().map(share).sum();
        all.into_iter().map(|t| (t, self.moves * share(&t) / shares.max(1))).collect()
    }
}

/// Violations, then cost with excess nets. Smaller is better.
pub(crate) fn worth(state: &State<'_>) -> (i64, i64) {
    let problem = state.problem;
    let overload = problem.nets.overload(&problem.nets.loads(problem.grid, &state.tiles));
    let violations = state.violations();
    (
        violations,
        state.cost() - violations + CROWD * i64::try_from(overload).unwrap_or(i64::MAX / (4 * CROWD)),
    )
}

/// Anneals `state`. Returns the best state at the end of any step, or `state` itself.
pub(crate) fn anneal<'a>(
    mut state: State<'a>,
    schedule: Schedule,
    random: &mut Random,
    run: &Run<'_>,
) -> State<'a> {
    let problem = state.problem;
    let movable: Vec<usize> = (0..problem.kernels()).filter(|&k| problem.is_free(k)).collect();
    let mut best = (worth(&state), state.clone());
    if problem.kernels() == 0 {
        return state;
    }
    let dice = Dice::new();
    let steps = schedule.steps();
    let count = steps.len() as u64;
    for (step, (temperature, moves)) in (0..).zip(steps) {
        if run.stopped() {
            break;
        }
        run.tell(step, count, problem.always + best.1.cut_connections());
        for _ in 0..moves {
            let limit = dice.limit(temperature, random);
            try_one(&mut state, &movable, limit, random);
        }
        if !state.counts_memory {
            state.pack();
            state.counts_memory = temperature <= COUNTED && state.memory.cost() > 0;
        }
        let now = worth(&state);
        if now < best.0 {
            best = (now, state.clone());
        }
        if temperature <= PRICED {
            state.reprice();
        }
    }
    best.1
}

/// Tries one random move that raises the cost by no more than `limit`.
fn try_one(state: &mut State<'_>, movable: &[usize], limit: i64, random: &mut Random) {
    let problem = state.problem;
    let noise = random.bits();
    if state.memory.cost() > 0 && noise & 0xF00 == 0 {
        let kernel = random.below(problem.kernels());
        if state.memory.is_strained(&problem.needs, problem.grid, kernel, state.tiles[kernel]) {
            state.attempt(kernel, state.tiles[kernel], None, limit, noise >> 12);
        }
        return;
    }
    let groups = &problem.rules.groups;
    if !groups.is_empty() && (movable.is_empty() || noise & 0xF000 == 0) {
        move_group(state, random.below(groups.len()), limit, random);
        return;
    }
    if movable.is_empty() {
        return;
    }
    if let Some((kernel, target)) = propose(state, movable, random)
        && let Some(other) = partner(state, kernel, target, random)
    {
        state.attempt(kernel, target, other, limit, noise >> 12);
    }
}

/// Tries to move a formation, near its place or anywhere.
fn move_group(state: &mut State<'_>, group: usize, limit: i64, random: &mut Random) {
    let problem = state.problem;
    let group = &problem.rules.groups[group];
    let Some(&first) = group.members.first() else { return };
    let here = state.tiles[first];
    let target = match random.below(3) {
        0 => anywhere(problem, random),
        _ => near(problem, here, random),
    };
    let moves = target.filter(|&target| target != here).and_then(|target| state.with_group(group, target));
    if let Some(moves) = moves {
        state.attempt_all(&moves, random.bits(), |_, delta| delta <= limit);
    }
}

/// Proposes a kernel and an allowed tile for it. Mostly the tile is beside the other end of a cut
/// edge.
fn propose(state: &State<'_>, movable: &[usize], random: &mut Random) -> Option<(usize, TileId)> {
    let problem = state.problem;
    let cut = if random.below(16) < CUTS { cut_end(state, random) } else { None };
    let (kernel, target) = match cut {
        Some((kernel, end)) => (kernel, near(problem, end, random)?),
        None => {
            let kernel = movable[random.below(movable.len())];
            let here = state.tiles[kernel];
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
fn cut_end(state: &State<'_>, random: &mut Random) -> Option<(usize, TileId)> {
    let problem = state.problem;
    let &Edge { a, b, .. } = problem.edges.get(random.below(problem.edges.len()))?;
    let (kernel, end) = if random.below(2) == 0 { (a, b) } else { (b, a) };
    (problem.gap(state.tiles[a], state.tiles[b]) > 0).then(|| (kernel, state.tiles[end]))
}

/// The kernel that changes places with `kernel` on `target`: nobody if that core has room, else one
/// of those there. None when they may not move.
fn partner(state: &State<'_>, kernel: usize, target: TileId, random: &mut Random) -> Option<Option<usize>> {
    if state.is_free(target) {
        return Some(None);
    }
    if state.joins(kernel, target) && random.below(2) == 0 {
        return Some(None);
    }
    let count = state.on(target).count();
    let other = state.on(target).nth(random.below(count))?;
    let problem = state.problem;
    (problem.is_free(other) && problem.allows(other, state.tiles[kernel])).then_some(Some(other))
}

/// A random tile that shares a module with `tile`.
fn near(problem: &TileProblem<'_>, tile: TileId, random: &mut Random) -> Option<TileId> {
    let partners = problem.grid.partners(tile);
    partners.get(random.below(partners.len())).copied()
}

fn anywhere(problem: &TileProblem<'_>, random: &mut Random) -> Option<TileId> {
    u16::try_from(random.below(problem.grid.len())).ok().map(TileId)
}
