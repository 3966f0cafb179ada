//! Lower bounds for bin packing of indivisible parts: modules by bytes and locks, cores by time and
//! program memory.
//!
//! Takes part sizes and the size of a bin, and returns a number of bins that every packing needs.
//! It is the maximum over several dual feasible functions. Each gives weights to parts such that
//! parts that fit one bin together weigh at most one bin (Fekete and Schepers, New classes of fast
//! lower bounds for bin packing problems, 2001).

use std::collections::BTreeMap;

/// Dual feasible functions tell sizes apart up to this number of parts per bin.
const MOST_TO_A_BIN: u64 = 16;

/// A lower bound on the bins of size `bin` that `parts` fill. No part can be cut; no part is larger
/// than a bin.
///
/// For each limit up to half a bin, a part that leaves less than the limit is alone in its bin, and
/// parts below the limit count nothing. The other parts count their size, which is the bound L2 of
/// Martello and Toth, or the weight that [`rounded`] gives them for each number of parts per bin.
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

/// The weight of `part` where `count` parts of equal size just fill a bin; a bin weighs `count *
/// bin`. A part larger than `bin / (count + 1)` weighs as if its size were `bin / count`, a part
/// larger than twice that as if it were twice `bin / count`, and so on. Parts of exactly these
/// limits weigh their size.
const fn rounded(part: u64, bin: u64, count: u64) -> u64 {
    let more = part * (count + 1);
    if more.is_multiple_of(bin) { part * count } else { more / bin * bin }
}

/// The bound by size. `parts` pairs each size with its number of parts. Parts over half a bin take
/// one bin each; the others fill the rest of these bins first.
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

    /// The exact number of bins, by exhaustive search: each part in each open bin and in a new one.
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
