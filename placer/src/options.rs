//! What the user may ask of the search.

/// How hard [`place`](crate::place()) searches, and from where.
///
/// Work is counted in moves of the annealing and in integer programs solved, never in seconds, so that the same options
/// give the same placement on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceOptions {
    /// 1 (quick) to 5 (patient). Each step multiplies the moves of the annealing by about 4 and adds integer programs:
    /// see [`PlaceOptions::moves_per_kernel`], [`PlaceOptions::annealings`] and [`PlaceOptions::programs`].
    pub effort: u32,
    /// Start of the pseudo-random numbers. Different seeds give different placements of about the same quality.
    pub seed: u64,
    /// What counts how much among legal placements.
    pub objective: Objective,
}

/// What a placement costs besides one for every connection through DMA, in percent of the usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The bytes that go through DMA; usually a window that fills a module costs as much as a second connection.
    pub bytes: u32,
    /// The length of nets; usually 50 tiles cost as much as a connection.
    pub wire: u32,
    /// The distance of kernels from the middle column; usually 1024 columns cost as much as a connection.
    pub compact: u32,
}

impl Default for Objective {
    fn default() -> Self {
        Self::USUAL
    }
}

impl Objective {
    /// Everything as usual.
    pub const USUAL: Self = Self { bytes: 100, wire: 100, compact: 100 };
    /// The most percent that have an effect.
    pub const MOST: u32 = 10_000;
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

    /// Moves one annealing tries for each kernel.
    pub const fn moves_per_kernel(self) -> u64 {
        [2_000, 8_000, 40_000, 160_000, 640_000][self.level() as usize - 1]
    }

    /// The same for the annealing that looks at connections and wires alone, whose moves are several times as quick.
    pub const fn plain_moves_per_kernel(self) -> u64 {
        [24_000, 96_000, 400_000, 1_600_000, 6_400_000][self.level() as usize - 1]
    }

    /// Annealings from which the best is kept.
    pub const fn annealings(self) -> u32 {
        if self.level() < 3 { self.level() } else { 3 }
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
