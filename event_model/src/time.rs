//! Time in hundredths of array cycles: the profile's latencies are exact, and sums do not depend on
//! their order.

/// A point in time or a duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(u64);

impl Time {
    /// No time: the start of a run, or a step that costs nothing.
    pub(crate) const ZERO: Self = Self(0);
    const PER_CYCLE: u64 = 100;

    /// Whole cycles. Negative durations become 0.
    pub(crate) fn cycles(cycles: i64) -> Self {
        Self(u64::try_from(cycles).unwrap_or(0).saturating_mul(Self::PER_CYCLE))
    }

    /// Cycles rounded to hundredths. Negative durations become 0.
    pub(crate) fn rounded(cycles: f64) -> Self {
        // A conversion from floating point saturates: negative becomes 0.
        Self((cycles * Self::PER_CYCLE as f64).round() as u64)
    }

    pub(crate) const fn after(self, duration: Self) -> Self {
        Self(self.0.saturating_add(duration.0))
    }

    /// The duration this many times.
    pub(crate) const fn times(self, number: u64) -> Self {
        Self(self.0.saturating_mul(number))
    }

    pub(crate) const fn since(self, start: Self) -> Self {
        Self(self.0.saturating_sub(start.0))
    }

    /// In cycles, for reports.
    pub(crate) fn as_cycles(self) -> f64 {
        self.0 as f64 / Self::PER_CYCLE as f64
    }
}
