//! Options of the placement search.

use crate::objective::Objective;

/// How hard [`place`](crate::place()) searches, and from which seed.
///
/// The unit of work is a move of the annealing or an integer program, never a second. The same
/// options therefore give the same placement on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceOptions {
    /// 1 (quick) to 5 (patient). Each step multiplies the moves of the annealing by about 4 and
    /// adds integer programs. The search runs all lower efforts first, so a higher effort never
    /// gives a worse placement. See [`PlaceOptions::moves_per_kernel`],
    /// [`PlaceOptions::annealings`] and [`PlaceOptions::programs`].
    pub effort: u32,
    /// Seed of the pseudo-random numbers. Different seeds give different placements of about the
    /// same quality.
    pub seed: u64,
    /// The terms that rank legal placements.
    pub objective: Objective,
}

impl Default for PlaceOptions {
    fn default() -> Self {
        Self { effort: 2, seed: 1, objective: Objective::USUAL }
    }
}

impl PlaceOptions {
    /// The effort, clamped to 1..=5.
    pub const fn level(self) -> u32 {
        match self.effort {
            0 => 1,
            1..=5 => self.effort,
            _ => 5,
        }
    }

    /// These options with each effort from 1 to this one.
    pub(crate) fn up_to(self) -> impl Iterator<Item = Self> {
        (1..=self.level()).map(move |effort| Self { effort, ..self })
    }

    /// These options with one effort less, at least 1.
    pub(crate) const fn lesser(self) -> Self {
        let effort = if self.level() > 1 { self.level() - 1 } else { 1 };
        Self { effort, ..self }
    }

    /// Moves of one annealing per kernel.
    pub const fn moves_per_kernel(self) -> u64 {
        [2_000, 8_000, 40_000, 160_000, 640_000][self.level() as usize - 1]
    }

    /// Moves per kernel of the annealing that counts only connections and wires. Its moves are
    /// several times as fast.
    pub const fn plain_moves_per_kernel(self) -> u64 {
        [30_000, 120_000, 500_000, 2_000_000, 8_000_000][self.level() as usize - 1]
    }

    /// Number of annealings. The search keeps the best result.
    pub const fn annealings(self) -> u32 {
        if self.level() < 3 { self.level() } else { 3 }
    }

    /// Changes that the hill climbing tries per kernel. Each one counts the whole placement again.
    pub(crate) const fn polish_tries_per_kernel(self) -> u64 {
        [20, 80, 200, 400, 800][self.level() as usize - 1]
    }

    /// Rounds of large neighbourhood search per kernel, after memory conflicts.
    pub(crate) const fn refits_per_kernel(self) -> u64 {
        [50, 200, 800, 3_200, 12_800][self.level() as usize - 1]
    }

    /// Rounds of ejection search per kernel, when a kernel finds no memory.
    pub(crate) const fn squeezes_per_kernel(self) -> u64 {
        [50, 100, 200, 400, 800][self.level() as usize - 1]
    }

    /// Maximum number of integer programs that improve the tiles.
    pub const fn programs(self) -> usize {
        [4, 12, 40, 120, 400][self.level() as usize - 1]
    }

    /// Attempts with more and more room between kernels before the search gives up.
    pub const fn attempts(self) -> u32 {
        4 + self.level()
    }
}
