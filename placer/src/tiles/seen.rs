//! The best tiles that a search has met, for when it is stopped: an annealing follows a weighted sum, so that what it has in hand may be worse by
//! the [score](super::rank) than what it had before.
//!
//! In come tiles whenever an annealing has cheaper ones than before; out go the best of all of them.

use std::sync::{Mutex, PoisonError};

use aiec_device::TileId;

use super::problem::TileProblem;
use super::rank;
use super::state::{Shape, State};
use crate::score::Score;

/// The best tiles met so far, and their score.
#[derive(Debug)]
pub(crate) struct Seen {
    shape: Shape,
    best: Mutex<Option<(Score, Vec<TileId>)>>,
}

impl Seen {
    /// Nothing met yet. Room counts as in states of this `shape`.
    pub(super) const fn new(shape: Shape) -> Self {
        Self { shape, best: Mutex::new(None) }
    }

    /// Notes tiles that were met.
    pub(crate) fn note(&self, problem: &TileProblem<'_>, tiles: &[TileId]) {
        let score = rank::score(problem, &State::new(problem, self.shape, tiles.to_vec()));
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        // The first by order of tiles among equals, so that the order in which annealings meet them does not matter.
        if best.as_ref().is_none_or(|(least, other)| (score, tiles) < (*least, other)) {
            *best = Some((score, tiles.to_vec()));
        }
    }

    /// The best of `state` and of all that was met.
    pub(super) fn or_better(self, problem: &TileProblem<'_>, state: State) -> State {
        match self.best.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((score, tiles)) if score < rank::score(problem, &state) => state.moved(problem, tiles),
            _ => state,
        }
    }
}
