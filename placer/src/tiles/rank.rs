//! Compares two states of the search by their [`Terms`] and [`Score`]. Violations come first.

use super::state::State;
use crate::score::{Layout, Score, Terms};

/// The layout of `state`: a connection is shared if its buffers are.
fn layout(state: &State<'_>) -> Layout {
    let problem = state.problem;
    let gap = |a, b| problem.gap(a, b);
    let mut layout = problem.measure.assigned(problem.grid, &state.tiles, gap);
    if state.memory.cost() > state.memory.over() {
        for (id, link) in problem.measure.links.enumerate() {
            let flipped = |slot| state.memory.is_flipped(&problem.needs, slot);
            layout.shared[id] &= !problem.needs.slots[link.from].is_some_and(flipped);
        }
    }
    layout
}

/// All terms of `state`. Violations count in connections.
pub(crate) fn terms(state: &State<'_>) -> Terms {
    let [unkept, overload] = must_hold(state);
    Terms { unkept, overload, ..state.problem.measure.terms(&layout(state)) }
}

/// The criteria above the terms: violations with kernels on the core of others, and excess nets.
fn must_hold(state: &State<'_>) -> [u64; 2] {
    let problem = state.problem;
    let violations = u64::try_from(state.violations()).unwrap_or(0);
    [violations + state.joined(), problem.nets.overload(problem.grid, &state.tiles)]
}

/// The score of a state.
pub(crate) fn score(state: &State<'_>) -> Score {
    terms(state).score(&state.problem.weights.objective)
}

/// True if `state` beats the terms `than`. Counts cheap terms first.
pub(super) fn is_better(state: &State<'_>, than: &Terms) -> bool {
    let objective = &state.problem.weights.objective;
    if [than.unkept, than.overload] == [0; 2] {
        return state.problem.measure.is_better(&layout(state), than, objective)
            && must_hold(state) == [0; 2];
    }
    score(state) < than.score(objective)
}
