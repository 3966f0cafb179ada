//! Kernels in fixed positions to each other move as one.

use aiec_device::TileId;

use super::problem::TileProblem;
use super::state::State;
use crate::formation::Formation;

/// A move of a group that was made.
pub(crate) struct Shift {
    /// Kernels that were moved, in order, with where they came from.
    steps: Vec<(usize, TileId)>,
    /// What the cost grew by.
    pub(crate) delta: i64,
}

impl Shift {
    /// Takes the move back.
    pub(crate) fn undo(self, problem: &TileProblem<'_>, state: &mut State) {
        for (kernel, source) in self.steps.into_iter().rev() {
            state.exchange(problem, kernel, source);
        }
    }
}

/// Moves `group` so that its first kernel is on `target`; whoever is in the way takes tiles that become free. None, with nothing
/// changed, if that leads off the array or onto a tile that somebody must keep or may not take.
pub(crate) fn shift(
    problem: &TileProblem<'_>,
    state: &mut State,
    group: &Formation,
    target: TileId,
) -> Option<Shift> {
    let inside = |kernel: usize| group.members.contains(&kernel);
    let tiles = group.on(target)?;
    let mut moves = Vec::with_capacity(tiles.len());
    let mut displaced = Vec::new();
    for (&member, &to) in group.members.iter().zip(tiles) {
        let there = state.kernel[to.index()].filter(|&kernel| !inside(kernel));
        if !problem.allows(member, to) || there.is_some_and(|kernel| !problem.is_free(kernel)) {
            return None;
        }
        displaced.extend(there);
        moves.push((member, to));
    }
    // The foremost goes first, so that few step on a tile of the group that is not left yet: they would be swapped once more.
    let first = problem.grid.tile(state.tiles[*group.members.first()?]);
    let ahead = problem.grid.tile(target);
    let step =
        (i64::from(ahead.column) - i64::from(first.column), i64::from(ahead.row) - i64::from(first.row));
    moves.sort_by_key(|&(member, _)| {
        let tile = problem.grid.tile(state.tiles[member]);
        -(i64::from(tile.column) * step.0 + i64::from(tile.row) * step.1)
    });
    let mut shift = Shift { steps: Vec::with_capacity(moves.len()), delta: 0 };
    for (member, to) in moves {
        shift.steps.push((member, state.tiles[member]));
        shift.delta += state.exchange(problem, member, to);
    }
    if displaced.into_iter().all(|kernel| problem.allows(kernel, state.tiles[kernel])) {
        return Some(shift);
    }
    shift.undo(problem, state);
    None
}
