//! Moves of formations: kernels in fixed relative positions move as one.

use aiec_device::TileId;

use super::problem::TileProblem;
use super::state::State;
use crate::formation::Formation;

/// A move of a group, with the data to undo it.
pub(crate) struct Shift {
    /// The moved kernels in order, with their old tiles.
    steps: Vec<(usize, TileId)>,
    /// Change of the cost.
    pub(crate) delta: i64,
}

impl Shift {
    /// Undoes the move.
    pub(crate) fn undo(self, problem: &TileProblem<'_>, state: &mut State) {
        for (kernel, source) in self.steps.into_iter().rev() {
            state.exchange(problem, kernel, source);
        }
    }
}

/// Moves `group` so that its first kernel is on `target`. Displaced kernels take the tiles that
/// become free. Returns None, with nothing changed, when the move leads off the array or onto a
/// tile whose kernel is fixed, or gives a kernel a tile it may not take.
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
    // The foremost member goes first. Then few members step on a tile of the group that is still
    // occupied, which would cost a second swap.
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
