//! Hill climbing on the lexicographic score. Annealing minimises a weighted sum, which only
//! approximates that order.
//!
//! Takes tiles that keep every rule. Returns tiles that keep them too and whose
//! [score](crate::score) is no greater. It moves and swaps single kernels and shifts connected ones
//! together. It keeps a change that lowers the score and raises the cost of neither memory,
//! channels nor lines: that cost estimates whether memory and routing can still succeed.

use aiec_device::TileId;

use super::problem::TileProblem;
use super::rank;
use super::state::{Costs, State};
use crate::formation::moved;
use crate::watch::Run;

/// Shifts of connected kernels, in columns and rows. Shifts by columns and by two rows keep what is
/// shared.
const SHIFTS: [(i64, i64); 8] = [(1, 0), (-1, 0), (0, -2), (0, 2), (4, 0), (-4, 0), (0, -1), (0, 1)];

/// Improves `tiles` with at most `tries` tried changes.
pub(super) fn polish(
    problem: &TileProblem<'_>,
    costs: Costs,
    tiles: Vec<TileId>,
    tries: u64,
    run: &Run<'_>,
) -> Vec<TileId> {
    if run.stopped() {
        return tiles;
    }
    let costs = Costs { traffic: true, ..costs };
    let mut polish = Polish::new(problem, costs, tiles, tries);
    let pieces = pieces(problem);
    let kernels: Vec<usize> = (0..problem.kernels()).filter(|&kernel| problem.is_free(kernel)).collect();
    loop {
        let before = polish.improved;
        for piece in &pieces {
            while polish.left > 0 && SHIFTS.iter().any(|&(columns, rows)| polish.shift(piece, columns, rows))
            {
            }
        }
        for &kernel in &kernels {
            if polish.left == 0 || run.stopped() {
                return polish.tiles;
            }
            polish.settle(kernel);
        }
        if polish.improved == before {
            return polish.tiles;
        }
    }
}

struct Polish<'a> {
    problem: &'a TileProblem<'a>,
    costs: Costs,
    tiles: Vec<TileId>,
    /// Kernel on each tile.
    kernel: Vec<Option<usize>>,
    terms: crate::score::Terms,
    /// Cost of memory, channels and lines.
    room: i64,
    /// Remaining number of changes to try.
    left: u64,
    /// Number of changes made.
    improved: u64,
}

impl<'a> Polish<'a> {
    fn new(problem: &'a TileProblem<'a>, costs: Costs, tiles: Vec<TileId>, left: u64) -> Self {
        let state = State::new(problem, costs, tiles);
        let (room, terms) = (state.room_cost(problem), rank::terms(problem, &state.tiles));
        Self { problem, costs, tiles: state.tiles, kernel: state.kernel, terms, room, left, improved: 0 }
    }

    /// Tries tiles beside the kernel's own and beside those of its partners. Keeps each
    /// improvement.
    fn settle(&mut self, kernel: usize) {
        let grid = self.problem.grid;
        let partners = self.problem.neighbours[kernel].iter().map(|n| self.tiles[n.kernel]);
        let near = std::iter::once(self.tiles[kernel]).chain(partners);
        let mut targets: Vec<TileId> = near.flat_map(|tile| grid.partners(tile).iter().copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            if self.left > 0 {
                self.exchange(kernel, target);
            }
        }
    }

    /// Moves `kernel` to `target` and the kernel there to its old tile, if that is allowed and
    /// better.
    fn exchange(&mut self, kernel: usize, target: TileId) {
        let (problem, here) = (self.problem, self.tiles[kernel]);
        let other = self.kernel[target.index()];
        let yields = |other: usize| problem.is_free(other) && problem.allows(other, here);
        if target == here || !problem.allows(kernel, target) || !other.is_none_or(yields) {
            return;
        }
        let mut tiles = self.tiles.clone();
        tiles[kernel] = target;
        if let Some(other) = other {
            tiles[other] = here;
        }
        self.take(tiles);
    }

    /// Moves all kernels of `piece` by `columns` and `rows`, if that is allowed and better.
    fn shift(&mut self, piece: &[usize], columns: i64, rows: i64) -> bool {
        let (problem, mut tiles) = (self.problem, self.tiles.clone());
        for &kernel in piece {
            let Some(target) = moved(problem.grid, tiles[kernel], columns, rows) else { return false };
            let there = self.kernel[target.index()];
            if !problem.allows(kernel, target)
                || there.is_some_and(|other| piece.binary_search(&other).is_err())
            {
                return false;
            }
            tiles[kernel] = target;
        }
        let groups = &problem.rules.groups;
        groups.iter().all(|group| group.stands(&tiles)) && self.take(tiles)
    }

    /// Accepts `tiles` if they are better. Returns true if so.
    fn take(&mut self, tiles: Vec<TileId>) -> bool {
        self.left = self.left.saturating_sub(1);
        if !rank::is_better(self.problem, &tiles, &self.terms) {
            return false;
        }
        let state = State::new(self.problem, self.costs, tiles);
        let room = state.room_cost(self.problem);
        if room > self.room {
            return false;
        }
        self.terms = rank::terms(self.problem, &state.tiles);
        (self.tiles, self.kernel, self.room) = (state.tiles, state.kernel, room);
        self.improved += 1;
        true
    }
}

/// Sets of kernels that are connected or move as one, each in ascending order. Leaves out sets with
/// a fixed kernel.
fn pieces(problem: &TileProblem<'_>) -> Vec<Vec<usize>> {
    let mut seen = vec![false; problem.kernels()];
    let mut pieces = Vec::new();
    for first in 0..problem.kernels() {
        let (mut piece, mut next) = (Vec::new(), vec![first]);
        while let Some(kernel) = next.pop() {
            if !std::mem::replace(&mut seen[kernel], true) {
                piece.push(kernel);
                next.extend(problem.neighbours[kernel].iter().map(|n| n.kernel));
                let group = problem.group_of[kernel].and_then(|group| problem.rules.groups.get(group));
                next.extend(group.into_iter().flat_map(|group| &group.members));
            }
        }
        piece.sort_unstable();
        if !piece.is_empty() && piece.iter().all(|&kernel| problem.fixed[kernel].is_none()) {
            pieces.push(piece);
        }
    }
    pieces
}
