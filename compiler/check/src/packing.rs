//! How many bins things fill at least that cannot be cut: modules by bytes and locks, cores by time and program memory.
//!
//! In come sizes and the size of a bin; out goes a number that no packing goes below. It is the most of what several weights say, each of which
//! gives things that fit one bin together at most the weight of a bin (dual feasible functions: Fekete and Schepers, New classes of fast lower
//! bounds for bin packing problems, 2001).

use std::collections::BTreeMap;

/// Things to a bin up to which sizes are told apart.
const MOST_TO_A_BIN: u64 = 16;

/// A lower bound on the bins of size `bin` that `parts` fill, none of which can be cut or is larger than a bin.
///
/// For each limit up to half a bin, parts that leave less than it are alone in a bin and those below it count nothing. The others count as
/// they are, which is the bound L2 of Martello and Toth, or for each number of things to a bin by [`rounded`].
pub(super) fn least_bins(parts: Vec<u64>, bin: u64) -> u64 {
    let mut sizes: BTreeMap<u64, u64> = BTreeMap::new();
    for part in parts.into_iter().filter(|&part| part > 0) {
        *sizes.entry(part).or_default() += 1;
    }
    let limits = sizes.keys().copied().filter(|&part| 2 * part <= bin);
    let bound = |limit: u64| {
        let alone: u64 = sizes.iter().filter(|(part, _)| *part + limit > bin).map(|(_, times)| times).sum();
        let others = || sizes.iter().filter(|(part, _)| **part >= limit && *part + limit <= bin);
        let by_count = (2..=MOST_TO_A_BIN).map(|count| {
            let sum: u64 = others().map(|(&part, times)| times * rounded(part, bin, count)).sum();
            sum.div_ceil(count * bin)
        });
        alone + by_count.chain([by_size(others(), bin)]).max().unwrap_or(0)
    };
    std::iter::once(0).chain(limits).map(bound).max().unwrap_or(0)
}

/// What `part` counts where `count` things of equal size just fill a bin, in parts of which `count * bin` make a bin: parts of more than
/// `bin / (count + 1)` count as if they had the size `bin / count`, of more than twice that as twice, and so on; those of just these sizes as they
/// are.
const fn rounded(part: u64, bin: u64, count: u64) -> u64 {
    let more = part * (count + 1);
    if more.is_multiple_of(bin) { part * count } else { more / bin * bin }
}

/// Bins of parts, each with how often it comes: those over half a bin take one each, and the rest fills what they leave.
fn by_size<'a>(parts: impl Iterator<Item = (&'a u64, &'a u64)>, bin: u64) -> u64 {
    let (mut taken, mut filled, mut small) = (0, 0, 0);
    for (&part, &times) in parts {
        if 2 * part > bin {
            taken += times;
            filled += times * part;
        } else {
            small += times * part;
        }
    }
    taken + small.saturating_sub(taken * bin - filled).div_ceil(bin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bound_counts_halves_and_rests() {
        assert_eq!(least_bins(vec![], 32), 0);
        assert_eq!(least_bins(vec![32, 1], 32), 2);
        assert_eq!(least_bins(vec![16, 16, 16], 32), 2);
        assert_eq!(least_bins(vec![17, 17, 17], 32), 3);
        assert_eq!(least_bins(vec![20, 20, 12, 12], 32), 2);
        assert_eq!(least_bins(vec![20, 20, 13, 13], 32), 3, "13 does not fit beside 20");
    }

    #[test]
    fn the_bound_counts_how_many_of_a_size_go_into_a_bin() {
        assert_eq!(least_bins(vec![400; 50], 1000), 25, "two to a bin");
        assert_eq!(least_bins(vec![334; 48], 1000), 24, "two to a bin");
        assert_eq!(least_bins(vec![333; 48], 1000), 16, "three to a bin");
        assert_eq!(least_bins(vec![9; 14], 32), 5, "three to a bin");
        assert_eq!(least_bins([vec![9; 10], vec![17; 2]].concat(), 32), 5, "one of 9 beside one of 17");
    }

    /// Bins that are filled at least, by trying out each part in each of the bins begun and in a new one.
    fn by_trying(parts: &[u64], bins: &mut Vec<u64>, bin: u64) -> u64 {
        let Some((&part, rest)) = parts.split_first() else { return bins.len() as u64 };
        let mut best = u64::MAX;
        for at in 0..bins.len() {
            if bins[at] + part <= bin {
                bins[at] += part;
                best = best.min(by_trying(rest, bins, bin));
                bins[at] -= part;
            }
        }
        bins.push(part);
        best = best.min(by_trying(rest, bins, bin));
        bins.pop();
        best
    }

    proptest! {
        #[test]
        fn no_packing_takes_fewer_bins(parts in prop::collection::vec(1_u64..=24, 1..8)) {
            prop_assert!(least_bins(parts.clone(), 24) <= by_trying(&parts, &mut Vec::new(), 24), "{:?}", parts);
        }
    }
}
