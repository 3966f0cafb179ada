//! Simulated annealing over swaps and moves: the cheap first answer that integer programs then improve.

use aiec_device::TileId;

use super::problem::{CUT, TileProblem};
use super::state::State;
use crate::random::{Acceptance, Random};
use crate::watch::Run;

/// Improves `state` with `moves` tried moves, from `start` degrees (cost units) down to cold; returns the best state seen.
///
/// Fixed kernels stay where they are. The result never costs more than the input.
pub(crate) fn anneal(
    problem: &TileProblem<'_>,
    mut state: State,
    moves: u64,
    start: i64,
    random: &mut Random,
    run: &Run<'_>,
) -> State {
    let movable: Vec<usize> = (0..problem.kernels()).filter(|&k| problem.fixed[k].is_none()).collect();
    if movable.is_empty() || moves == 0 {
        return state;
    }
    let acceptance = Acceptance::new();
    let mut cost = state.cost(problem);
    let (mut best, mut best_cost) = (state.clone(), cost);
    let steps = 100;
    for step in 0..steps {
        if run.stopped() {
            break;
        }
        run.tell(step, steps, problem.always + best.cut_connections(problem));
        let temperature = temperature(start, step, steps);
        for _ in 0..moves / steps {
            let kernel = movable[random.below(movable.len())];
            let Some(target) = propose(problem, &state, kernel, random) else { continue };
            let source = state.tiles[kernel];
            let delta = state.exchange(problem, kernel, target);
            if acceptance.accepts(delta, temperature, random) {
                cost += delta;
            } else {
                state.exchange(problem, kernel, source);
            }
        }
        if cost < best_cost {
            (best, best_cost) = (state.clone(), cost);
        }
    }
    best
}

/// Geometric from `start` to about 1/100 of [`CUT`], by integer arithmetic.
fn temperature(start: i64, step: u64, steps: u64) -> i64 {
    let cold = CUT / 100;
    let mut temperature = start.max(cold) * 1024;
    // In 1024ths; over all steps the temperature falls to about e^-5 of the start.
    let ratio = 1024 - 1024 * 5 / i64::try_from(steps).unwrap_or(100);
    for _ in 0..step {
        temperature = temperature * ratio / 1024;
    }
    (temperature / 1024).max(cold)
}

/// A tile for `kernel`: near one of its neighbours, near itself, or anywhere.
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
    let occupied_by_fixed = state.kernel[target.index()].is_some_and(|k| problem.fixed[k].is_some());
    (target != here && !occupied_by_fixed).then_some(target)
}
