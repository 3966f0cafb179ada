//! Pseudo-random numbers that are the same on every machine (SplitMix64), and the acceptance rule of annealing.

/// A generator with 64 bits of state.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; 0 if `bound` is 0.
    pub(crate) const fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }
}

/// `exp(-x)` in steps of 1/64, by multiplication alone: library functions differ in the last bit between machines.
#[derive(Clone, Debug)]
pub(crate) struct Acceptance {
    table: Vec<u64>,
}

impl Acceptance {
    /// e^(-1/64).
    const STEP: f64 = 0.984_496_437_005_408_4;

    pub(crate) fn new() -> Self {
        let mut value = f64::from(u32::MAX);
        let table = (0..64 * 16)
            .map(|_| {
                let entry = value as u64;
                value *= Self::STEP;
                entry
            })
            .collect();
        Self { table }
    }

    /// The largest growth of the cost that Metropolis' rule accepts this time: `accepts` with the dice thrown before the cost is
    /// known, so that hopeless moves need not be worked out.
    pub(crate) fn limit(&self, temperature: i64, random: &mut Random) -> i64 {
        let dice = random.bits() >> 32;
        let steps = self.table.partition_point(|&bound| bound > dice);
        ((i64::try_from(steps).unwrap_or(0) * temperature - 1) / 64).max(0)
    }

    /// Metropolis: always accepts what does not cost more, and else with probability `exp(-delta / temperature)`.
    pub(crate) fn accepts(&self, delta: i64, temperature: i64, random: &mut Random) -> bool {
        if delta <= 0 {
            return true;
        }
        let index = usize::try_from(delta.saturating_mul(64) / temperature.max(1)).unwrap_or(usize::MAX);
        self.table.get(index).is_some_and(|&bound| random.bits() >> 32 < bound)
    }
}
