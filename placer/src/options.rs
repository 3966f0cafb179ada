//! What the user may ask of the search.

use crate::objective::Objective;

/// How hard [`place`](crate::place()) searches, and from where.
///
/// Work is counted in moves of the annealing and in integer programs solved, never in seconds, so that the same options
/// give the same placement on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceOptions {
    /// 1 (quick) to 5 (patient). Each step multiplies the moves of the annealing by about 4 and adds integer programs, and the search begins with
    /// those of all lesser efforts, so that a higher one never gives a worse placement: see [`PlaceOptions::moves_per_kernel`], [`PlaceOptions::annealings`] and [`PlaceOptions::programs`].
    pub effort: u32,
    /// Start of the pseudo-random numbers. Different seeds give different placements of about the same quality.
    pub seed: u64,
    /// What counts among legal placements, in which order.
    pub objective: Objective,
}

impl Default for PlaceOptions {
    fn default() -> Self {
        Self { effort: 2, seed: 1, objective: Objective::USUAL }
    }
}

impl PlaceOptions {
    /// The effort, forced into 1..=5.
    pub const fn level(self) -> u32 {
        match self.effort {
            0 => 1,
            1..=5 => self.effort,
            _ => 5,
        }
    }

    /// The same with each effort from the least to this one.
    pub(crate) fn up_to(self) -> impl Iterator<Item = Self> {
        (1..=self.level()).map(move |effort| Self { effort, ..self })
    }

    /// The same with an effort less, if there is one.
    pub(crate) const fn lesser(self) -> Self {
        let effort = if self.level() > 1 { self.level() - 1 } else { 1 };
        Self { effort, ..self }
    }

    /// Moves one annealing tries for each kernel.
    pub const fn moves_per_kernel(self) -> u64 {
        [2_000, 8_000, 40_000, 160_000, 640_000][self.level() as usize - 1]
    }

    /// The same for the annealing that looks at connections and wires alone, whose moves are several times as quick.
    pub const fn plain_moves_per_kernel(self) -> u64 {
        [30_000, 120_000, 500_000, 2_000_000, 8_000_000][self.level() as usize - 1]
    }

    /// Annealings from which the best is kept.
    pub const fn annealings(self) -> u32 {
        if self.level() < 3 { self.level() } else { 3 }
    }

    /// Changes tried for each kernel by the last touch, each of which counts the whole placement anew.
    pub(crate) const fn polish_tries_per_kernel(self) -> u64 {
        [20, 80, 200, 400, 800][self.level() as usize - 1]
    }

    /// Times that a few kernels are seated anew where memory stood in the way, for each kernel.
    pub(crate) const fn refits_per_kernel(self) -> u64 {
        [50, 200, 800, 3_200, 12_800][self.level() as usize - 1]
    }

    /// Times that a few kernels make way for one that found no memory, for each kernel.
    pub(crate) const fn squeezes_per_kernel(self) -> u64 {
        [50, 100, 200, 400, 800][self.level() as usize - 1]
    }

    /// Most integer programs solved to improve the tiles.
    pub const fn programs(self) -> usize {
        [4, 12, 40, 120, 400][self.level() as usize - 1]
    }

    /// Attempts with more and more room between kernels before the search gives up.
    pub const fn attempts(self) -> u32 {
        4 + self.level()
    }
}
