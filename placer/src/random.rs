//! Pseudo-random numbers that are the same on every machine (SplitMix64), and the acceptance rule
//! of simulated annealing.

/// A generator with 64 bits of state (SplitMix64: Steele, Lea and Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose numbers depend on `seed` alone.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    /// A number in `0..bound`; 0 if `bound` is 0.
    pub(crate) const fn below(&mut self, bound: usize) -> usize {
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }
}

/// The output function of the generator: spreads the bits of a number, such as a seed.
pub const fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    state ^ (state >> 31)
}

/// Parts of a temperature, for the annealing's two exponentials: the table of [`Dice`] has an entry
/// for each, and the temperature falls by one in each step. `1 - 1/128` differs from `e^(-1/128)`
/// by less than 1/30000.
pub(crate) const PARTS: i64 = 128;

/// Metropolis' rule as a table: the accepted cost increase for each of 4096 equally likely draws,
/// by multiplication alone: library functions differ in the last bit between machines.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    /// In 1/[`PARTS`] of the temperature.
    steps: Vec<i64>,
}

impl Dice {
    pub(crate) fn new() -> Self {
        // An increase of 16 temperatures is accepted less than once in 2^23 draws.
        let falls = |value: &u64| Some(value - value.div_ceil(PARTS as u64));
        let table: Vec<u64> =
            std::iter::successors(Some(u64::from(u32::MAX)), falls).take(16 * PARTS as usize).collect();
        // The middle of each of 2^12 equal parts of 32 bits.
        let middle = |part: u64| (part << 20) + (1 << 19);
        let steps = |part| table.partition_point(|&bound| bound > middle(part));
        Self { steps: (0..1 << 12).map(|part| i64::try_from(steps(part)).unwrap_or(0)).collect() }
    }

    /// The largest cost increase that Metropolis' rule accepts for one random draw.
    pub(crate) fn limit(&self, temperature: i64, random: &mut Random) -> i64 {
        (self.steps[random.below(self.steps.len())] * temperature - 1).max(0) / PARTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_accept_as_often_as_the_rule_of_metropolis() {
        let dice = Dice::new();
        for (growth, part) in [(0, 1.0), (256, 0.778_801), (1024, 0.367_879), (4096, 0.018_316)] {
            let accepted = dice.steps.iter().filter(|&&steps| steps * 1024 / PARTS >= growth).count();
            let found = accepted as f64 / dice.steps.len() as f64;
            assert!((found - part).abs() < 0.02, "a growth of {growth} at 1024 degrees: {found}, not {part}");
        }
    }
}
