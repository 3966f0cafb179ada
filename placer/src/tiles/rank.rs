//! Compares two assignments of tiles before memory is assigned.
//!
//! Takes a problem and tiles, returns their [`Terms`] and [`Score`]. A connection counts as shared
//! memory wherever its cores share a module. Whether memory is enough for that is only estimated
//! here.

use aiec_device::TileId;

use super::problem::{CUT, TileProblem};
use super::state::State;
use crate::objective::Term;
use crate::score::{Layout, Score, Terms};

/// The layout of `tiles`.
fn layout(problem: &TileProblem<'_>, tiles: &[TileId]) -> Layout {
    problem.measure.assigned(problem.grid, tiles, |a, b| problem.gap(a, b))
}

/// All terms of `tiles`.
pub(super) fn terms(problem: &TileProblem<'_>, tiles: &[TileId]) -> Terms {
    of_layout(problem, tiles, &layout(problem, tiles))
}

fn of_layout(problem: &TileProblem<'_>, tiles: &[TileId], layout: &Layout) -> Terms {
    let [unkept, overload] = must_hold(problem, tiles);
    Terms { unkept, overload, ..problem.measure.terms(layout) }
}

/// The criteria above the terms, 0 if met: pairs that break their rule, and excess nets.
fn must_hold(problem: &TileProblem<'_>, tiles: &[TileId]) -> [u64; 2] {
    [problem.broken_pairs(tiles), problem.nets.overload(&problem.nets.loads(problem.grid, tiles))]
}

/// The terms of `tiles` when the connections for whose producing port `shared` is true go through
/// shared memory.
pub(crate) fn with_memory(
    problem: &TileProblem<'_>,
    tiles: &[TileId],
    shared: impl Fn(aiec_ir::PortId) -> bool,
) -> Terms {
    let mut layout = layout(problem, tiles);
    layout.shared = problem.measure.links.iter().map(|link| shared(link.from)).collect();
    of_layout(problem, tiles, &layout)
}

/// The score of a state. Missing memory and channels count as connections forced onto DMA, or as
/// broken pairs if the objective ignores connections.
pub(super) fn score(problem: &TileProblem<'_>, state: &State) -> Score {
    let mut terms = terms(problem, &state.tiles);
    let lack = u64::try_from(state.memory_cost(problem) / CUT).unwrap_or(0);
    if problem.objective.place(Term::Dma).is_some() {
        terms.dma += lack
    } else {
        terms.unkept += lack
    }
    terms.score(&problem.objective)
}

/// True if no tiles beat these terms. Ignores compactness when it is the last term.
pub(crate) fn is_floor(problem: &TileProblem<'_>, terms: &Terms) -> bool {
    let floor = problem.measure.floor(problem.kernels());
    let mut others = problem.objective.terms().peekable();
    let mut reached = [terms.unkept, terms.overload] == [0; 2];
    while let Some(term) = others.next() {
        let is_left_aside = term == Term::Compact && others.peek().is_none();
        reached &= is_left_aside || terms.value(term) <= floor.value(term);
    }
    reached
}

/// True if `tiles` beat the terms `than`. Counts cheap terms first.
pub(super) fn is_better(problem: &TileProblem<'_>, tiles: &[TileId], than: &Terms) -> bool {
    let layout = layout(problem, tiles);
    let objective = &problem.objective;
    if [than.unkept, than.overload] == [0; 2] {
        return problem.measure.is_better(&layout, than, objective) && must_hold(problem, tiles) == [0; 2];
    }
    of_layout(problem, tiles, &layout).score(objective) < than.score(objective)
}
