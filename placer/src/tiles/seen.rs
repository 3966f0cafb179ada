//! Keeps the best tiles that a search has met, for a search that is stopped. Annealing follows a
//! weighted sum, so its current tiles may have a worse [score](super::rank) than earlier ones.
//!
//! Receives tiles whenever an annealing has found cheaper ones than before, and keeps the best of
//! all.

use std::sync::{Mutex, PoisonError};

use aiec_device::TileId;

use super::problem::TileProblem;
use super::rank;
use super::state::{Costs, State};
use crate::score::Score;

/// The best tiles met so far, and their score.
#[derive(Debug)]
pub(crate) struct Seen {
    costs: Costs,
    best: Mutex<Option<(Score, Vec<TileId>)>>,
}

impl Seen {
    /// Holds no tiles yet. Missing memory counts as in states with these `costs`.
    pub(super) const fn new(costs: Costs) -> Self {
        Self { costs, best: Mutex::new(None) }
    }

    /// Records tiles.
    pub(crate) fn note(&self, problem: &TileProblem<'_>, tiles: &[TileId]) {
        let score = rank::score(problem, &State::new(problem, self.costs, tiles.to_vec()));
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        // Among equals it keeps the smallest tiles, so that the order in which parallel annealings
        // record them does not matter.
        if best.as_ref().is_none_or(|(least, other)| (score, tiles) < (*least, other)) {
            *best = Some((score, tiles.to_vec()));
        }
    }

    /// The best of `state` and all recorded tiles.
    pub(super) fn or_better(self, problem: &TileProblem<'_>, state: State) -> State {
        match self.best.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((score, tiles)) if score < rank::score(problem, &state) => state.moved(problem, tiles),
            _ => state,
        }
    }
}
