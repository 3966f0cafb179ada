//! The five numbers of a box plot.

use serde::Serialize;

/// A sample of durations in cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Sample {
    /// How many there are.
    pub(crate) values: u64,
    /// The least of them.
    pub(crate) least: f64,
    /// The first quartile. Quartiles lie between two values as in numpy and matplotlib (linear
    /// interpolation at `(n - 1) q`).
    pub(crate) lower: f64,
    /// The second quartile, interpolated like the first.
    pub(crate) median: f64,
    /// The third quartile, interpolated like the first.
    pub(crate) upper: f64,
    /// The largest of them.
    pub(crate) most: f64,
}

impl Sample {
    /// The numbers of durations, each of which occurs so often. Returns None when there are none.
    pub(crate) fn of(durations: impl IntoIterator<Item = (f64, u64)>) -> Option<Self> {
        let mut sorted: Vec<(f64, u64)> = durations.into_iter().filter(|(_, times)| *times > 0).collect();
        sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let values: u64 = sorted.iter().map(|(_, times)| times).sum();
        let (least, most) = (sorted.first()?.0, sorted.last()?.0);
        let [lower, median, upper] = [1, 2, 3].map(|quarter| quantile(&sorted, values, quarter));
        Some(Self { values, least, lower, median, upper, most })
    }
}

/// The value at `quarter` quarters of the way from the first to the last.
fn quantile(sorted: &[(f64, u64)], values: u64, quarter: u64) -> f64 {
    let position = (values - 1) * quarter;
    let (below, part) = (position / 4, position % 4);
    let [low, high] = [below, below + 1].map(|at| at_position(sorted, at));
    low + (high - low) * part as f64 / 4.0
}

/// The value at a position in order; the last one behind the end.
fn at_position(sorted: &[(f64, u64)], position: u64) -> f64 {
    let mut before = 0;
    let found = sorted.iter().find(|(_, times)| {
        before += times;
        position < before
    });
    found.or(sorted.last()).map_or(0.0, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::Sample;

    fn of(values: &[f64]) -> [f64; 5] {
        let sample = Sample::of(values.iter().map(|&value| (value, 1))).expect("there are values");
        [sample.least, sample.lower, sample.median, sample.upper, sample.most]
    }

    // numpy.percentile([..], [0, 25, 50, 75, 100])
    #[test]
    fn quartiles_are_those_of_numpy() {
        assert_eq!(of(&[7.0]), [7.0; 5]);
        assert_eq!(of(&[1.0, 2.0]), [1.0, 1.25, 1.5, 1.75, 2.0]);
        assert_eq!(of(&[9.0, 1.0, 4.0, 2.0]), [1.0, 1.75, 3.0, 5.25, 9.0]);
        assert_eq!(of(&[3.0, 1.0, 2.0, 5.0, 4.0]), [1.0, 2.0, 3.0, 4.0, 5.0]);
    }

    #[test]
    fn a_value_counts_as_often_as_it_occurs() {
        let sample = Sample::of([(5.0, 1), (3.0, 1022), (9.0, 0)]).expect("there are values");
        assert_eq!((sample.values, sample.median, sample.upper, sample.most), (1023, 3.0, 3.0, 5.0));
        assert_eq!(Sample::of([(1.0, 0)]), None);
    }
}
