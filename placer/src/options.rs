//! Options of the placement search.

use crate::objective::Objective;

/// Nodes of a branch and bound over an integer program or the banks of a module: milliseconds.
pub(crate) const NODES: u64 = 400;

/// How hard [`place`](crate::place()) searches, and from which seed.
///
/// The unit of work is a move of the annealing or an integer program, never a second. The same
/// options therefore give the same placement on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceOptions {
    /// 1 (quick) to 5 (patient), or 0 for one short annealing without proofs. Each step multiplies
    /// the moves of an annealing by about 4 and adds integer programs. The search runs all lower
    /// efforts first, so a higher effort never gives a worse placement. See
    /// [`PlaceOptions::moves_per_kernel`] and [`PlaceOptions::programs`].
    pub effort: u32,
    /// Seed of the pseudo-random numbers. Different seeds give different placements of about the
    /// same quality.
    pub seed: u64,
    /// The terms that rank legal placements.
    pub objective: Objective,
}

/// The options with the least effort and the usual objective.
pub(crate) const EASY: PlaceOptions = PlaceOptions { effort: 1, seed: 1, objective: Objective::USUAL };

impl Default for PlaceOptions {
    fn default() -> Self {
        Self { effort: 2, seed: 1, objective: Objective::USUAL }
    }
}

impl PlaceOptions {
    /// The effort of annealings, 1 to 5.
    pub fn level(self) -> u32 {
        self.effort.clamp(1, 5)
    }

    /// These options with each effort from 1 to this one.
    pub(crate) fn up_to(self) -> impl Iterator<Item = Self> {
        (1..=self.level()).map(move |effort| Self { effort, ..self })
    }

    /// Moves per kernel of an annealing that only shortens wires.
    pub fn short_moves_per_kernel(self) -> u64 {
        [2_000, 8_000, 40_000, 160_000, 640_000][self.level() as usize - 1]
    }

    /// Moves per kernel of an annealing.
    pub fn moves_per_kernel(self) -> u64 {
        [20_000, 80_000, 320_000, 1_280_000, 5_120_000][self.level() as usize - 1]
    }

    /// Changes that the hill climbing tries per kernel. Each one counts the whole placement again.
    pub(crate) fn polish_tries_per_kernel(self) -> u64 {
        [20, 80, 200, 400, 800][self.level() as usize - 1]
    }

    /// Maximum number of integer programs that improve the tiles.
    pub fn programs(self) -> usize {
        [4, 12, 40, 120, 400][self.level() as usize - 1]
    }
}
