//! A short way over several places. Takes the places and both ends. Returns the places in the order
//! in which the way passes them.
//!
//! The nearest place comes next, from the start on. Then parts of the way are reversed as long as
//! that makes it shorter (2-opt).

use crate::assign::{Position, hops};

/// Orders `places`, each at a position, between two `ends`. The same places give the same way.
pub(crate) fn short<T>(places: Vec<T>, ends: [Position; 2], at: impl Fn(&T) -> Position) -> Vec<T> {
    let mut way = nearest_next(places, ends[0], &at);
    while shorten(&mut way, ends, &at) {}
    way
}

fn nearest_next<T>(mut rest: Vec<T>, start: Position, at: impl Fn(&T) -> Position) -> Vec<T> {
    let mut way: Vec<T> = Vec::new();
    while !rest.is_empty() {
        let from = way.last().map_or(start, &at);
        let next = (0..rest.len()).min_by_key(|&next| hops(from, at(&rest[next]))).unwrap_or(0);
        way.push(rest.remove(next));
    }
    way
}

/// Reverses parts of the way that are shorter so. Returns true if there was one.
fn shorten<T>(way: &mut [T], ends: [Position; 2], at: impl Fn(&T) -> Position) -> bool {
    let mut is_shorter = false;
    for first in 0..way.len() {
        for last in first + 1..way.len() {
            let before = if first == 0 { ends[0] } else { at(&way[first - 1]) };
            let behind = way.get(last + 1).map_or(ends[1], &at);
            let (a, b) = (at(&way[first]), at(&way[last]));
            if hops(before, b) + hops(a, behind) < hops(before, a) + hops(b, behind) {
                way[first..=last].reverse();
                is_shorter = true;
            }
        }
    }
    is_shorter
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Position, hops, short};

    /// Hops of the way over `places` in their order.
    fn length(places: &[Position], ends: [Position; 2]) -> u64 {
        let all = [&ends[..1], places, &ends[1..]].concat();
        all.windows(2).map(|two| hops(two[0], two[1])).sum()
    }

    /// A block of 6 x 6 tiles between its corners: one step to each, and to the end.
    #[test]
    fn a_way_over_a_block_of_places_takes_a_step_to_most() {
        let block: Vec<Position> = (0..36).map(|at| (at / 6, at % 6)).collect();
        let way = short(block, [(0, 0), (5, 0)], |&at| at);
        assert!(length(&way, [(0, 0), (5, 0)]) <= 39, "{way:?}");
    }

    proptest! {
        #[test]
        fn a_way_passes_all_places_and_is_no_longer_than_by_distance(
            places in prop::collection::vec((0_i64..9, 0_i64..9), 0..12),
            ends in [(0_i64..9, 0_i64..9), (0_i64..9, 0_i64..9)],
        ) {
            let way = short(places.clone(), ends, |&at| at);
            let (mut sorted, mut passed) = (places, way.clone());
            sorted.sort_unstable();
            passed.sort_unstable();
            prop_assert_eq!(&sorted, &passed);
            // No single exchange of two neighbours makes it shorter.
            for at in 1..way.len() {
                let mut other = way.clone();
                other.swap(at - 1, at);
                prop_assert!(length(&way, ends) <= length(&other, ends));
            }
        }
    }
}
