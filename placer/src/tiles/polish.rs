//! Hill climbing on the lexicographic score, which the annealing's weighted sum only approximates.
//!
//! It moves and swaps single kernels, and moves formations. It keeps a change that lowers the
//! [score](crate::score).

use aiec_device::TileId;
use aiec_ir::KernelId;

use super::rank;
use super::state::{Move, State};
use crate::score::Terms;
use crate::watch::Run;

/// Improves `state` with at most `tries` tried changes.
pub(super) fn polish<'a>(state: State<'a>, tries: u64, run: &Run<'_>) -> State<'a> {
    let problem = state.problem;
    let mut polish = Polish { terms: rank::terms(&state), state, left: tries, improved: 0 };
    loop {
        let before = polish.improved;
        for group in &problem.rules.groups {
            if polish.left == 0 || run.stopped() {
                return polish.state;
            }
            polish.settle(&group.members, |state, target| state.with_group(group, target));
        }
        for &kernel in &problem.movable {
            if polish.left == 0 || run.stopped() {
                return polish.state;
            }
            polish.settle(&[kernel], |state, target| exchange(state, kernel, target));
        }
        if polish.improved == before {
            return polish.state;
        }
    }
}

struct Polish<'a> {
    state: State<'a>,
    terms: Terms,
    /// Remaining number of changes to try.
    left: u64,
    /// Number of changes made.
    improved: u64,
}

impl Polish<'_> {
    /// Tiles beside the tiles of `kernels`, and beside those of their partners.
    fn around(&self, kernels: &[KernelId]) -> Vec<TileId> {
        let (problem, tiles) = (self.state.problem, &self.state.tiles);
        let partners = kernels.iter().flat_map(|&kernel| &problem.neighbours[kernel]).map(|n| n.kernel);
        let near = kernels.iter().copied().chain(partners);
        let mut targets: Vec<TileId> =
            near.flat_map(|kernel| problem.grid.partners(tiles[kernel]).iter().copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Tries the tiles around `kernels`, by the moves that lead to each. Keeps each improvement.
    fn settle(&mut self, kernels: &[KernelId], moves: impl Fn(&State<'_>, TileId) -> Option<Vec<Move>>) {
        for target in self.around(kernels) {
            let Some(moves) = moves(&self.state, target).filter(|_| self.left > 0) else { continue };
            self.left -= 1;
            let (terms, groups) = (&self.terms, &self.state.problem.rules.groups);
            let taken = self.state.attempt_all(&moves, 0, |state, _| {
                groups.iter().all(|group| group.stands(|kernel| state.tiles[kernel]))
                    && rank::is_better(state, terms)
            });
            if taken {
                self.terms = rank::terms(&self.state);
                self.improved += 1;
            }
        }
    }
}

/// The moves of `kernel` to `target` and of the kernel there to its old tile, if both may move.
fn exchange(state: &State<'_>, kernel: KernelId, target: TileId) -> Option<Vec<Move>> {
    let (problem, here) = (state.problem, state.tiles[kernel]);
    if target == here || !problem.allows(kernel, target) {
        return None;
    }
    let mut moves = vec![(kernel, target)];
    if !state.is_free(target) {
        let yields = |&other: &KernelId| problem.is_free(other) && problem.allows(other, here);
        moves.push((state.only(target).filter(yields)?, here));
    }
    Some(moves)
}
