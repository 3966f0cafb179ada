//! Simulated annealing over swaps and moves. It gives a cheap first result that integer programs
//! then improve.

use aiec_device::TileId;

use super::groups;
use super::problem::{CUT, TileProblem};
use super::state::State;
use crate::random::{Acceptance, Random};
use crate::watch::Run;

/// Anneals `state` with `moves` tried moves, from temperature `start` (in cost units) down to about
/// 1/100 of [`CUT`]. Returns the best state met.
///
/// Fixed kernels keep their tiles. The result never costs more than the input.
pub(crate) fn anneal(
    problem: &TileProblem<'_>,
    mut state: State,
    moves: u64,
    start: i64,
    random: &mut Random,
    run: &Run<'_>,
) -> State {
    let movable: Vec<usize> = (0..problem.kernels()).filter(|&k| problem.is_free(k)).collect();
    if (movable.is_empty() && problem.rules.groups.is_empty()) || moves == 0 {
        return state;
    }
    let acceptance = Acceptance::new();
    let mut cost = state.cost(problem);
    let (mut best, mut best_cost) = (state.clone(), cost);
    run.note(problem, &best.tiles);
    let steps = 100;
    for step in 0..steps {
        if run.stopped() {
            break;
        }
        run.tell(step, steps, problem.always + best.cut_connections(problem));
        let temperature = temperature(start, step, steps);
        for _ in 0..moves / steps {
            if movable.is_empty() || (!problem.rules.groups.is_empty() && random.below(16) == 0) {
                cost += move_group(problem, &mut state, temperature, &acceptance, random);
                continue;
            }
            let kernel = movable[random.below(movable.len())];
            let Some(target) = propose(problem, &state, kernel, random) else { continue };
            let limit = acceptance.limit(temperature, random);
            if let Some(delta) = state.exchange_below(problem, kernel, target, limit) {
                cost += delta;
            }
        }
        if cost < best_cost {
            (best, best_cost) = (state.clone(), cost);
            run.note(problem, &best.tiles);
        }
    }
    best
}

/// Tries to move a formation, near its place or anywhere. Returns the change of the cost.
fn move_group(
    problem: &TileProblem<'_>,
    state: &mut State,
    temperature: i64,
    acceptance: &Acceptance,
    random: &mut Random,
) -> i64 {
    let group = &problem.rules.groups[random.below(problem.rules.groups.len())];
    let Some(&first) = group.members.first() else { return 0 };
    let here = state.tiles[first];
    let partners = problem.grid.partners(here);
    let target = match random.below(3) {
        0 => u16::try_from(random.below(problem.grid.len())).ok().map(TileId),
        _ => partners.get(random.below(partners.len())).copied(),
    };
    let Some(target) = target.filter(|&target| target != here) else { return 0 };
    match groups::shift(problem, state, group, target) {
        Some(shift) if acceptance.accepts(shift.delta, temperature, random) => shift.delta,
        Some(shift) => {
            shift.undo(problem, state);
            0
        }
        None => 0,
    }
}

/// Geometric cooling from `start` to about 1/100 of [`CUT`], by integer arithmetic.
fn temperature(start: i64, step: u64, steps: u64) -> i64 {
    let cold = CUT / 100;
    let mut temperature = start.max(cold) * 1024;
    // In 1024ths. Over all steps the temperature falls to about e^-5 of the start.
    let ratio = 1024 - 1024 * 5 / i64::try_from(steps).unwrap_or(100);
    for _ in 0..step {
        temperature = temperature * ratio / 1024;
    }
    (temperature / 1024).max(cold)
}

/// Proposes a tile for `kernel`: near one of its neighbours, near itself, or anywhere.
fn propose(problem: &TileProblem<'_>, state: &State, kernel: usize, random: &mut Random) -> Option<TileId> {
    let here = state.tiles[kernel];
    let neighbours = &problem.neighbours[kernel];
    let around = match random.below(8) {
        0 => None,
        1 | 2 => Some(here),
        _ => neighbours.get(random.below(neighbours.len())).map(|n| state.tiles[n.kernel]),
    };
    let target = match around {
        None => TileId(u16::try_from(random.below(problem.grid.len())).ok()?),
        Some(tile) => {
            let partners = problem.grid.partners(tile);
            *partners.get(random.below(partners.len()))?
        }
    };
    let stays = |other: usize| other != kernel && !(problem.is_free(other) && problem.allows(other, here));
    let free = !state.kernel[target.index()].is_some_and(stays);
    (target != here && free && problem.allows(kernel, target)).then_some(target)
}
