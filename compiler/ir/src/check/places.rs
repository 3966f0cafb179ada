//! Placement constraints: each names a tile of the array, and no two contradict each other.

use aiec_device::TileId;
use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::places as errors;
use crate::expanded::Place;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let (mut inside, mut found) = (Vec::new(), Vec::new());
    for place in &context.expanded.places {
        match context.tile(place.column, place.row) {
            Some(tile) => inside.push((tile, place)),
            None => found.push(errors::outside(context.expanded, place, context.device)),
        }
    }
    found.extend(two_tiles(context, &inside));
    found.extend(two_kernels(context, &inside));
    found
}

/// A kernel is fixed to one tile.
fn two_tiles(context: &Context, places: &[(TileId, &Place)]) -> Vec<Diagnostic> {
    let by_kernel = grouped(places.iter().map(|&(tile, place)| (place.kernel, (tile, place))));
    let pairs = by_kernel.values().filter_map(|places| first_difference(places, |(tile, _)| *tile));
    pairs.map(|((_, first), (_, second))| errors::two_tiles(context.expanded, first, second)).collect()
}

/// A tile runs one kernel.
fn two_kernels(context: &Context, places: &[(TileId, &Place)]) -> Vec<Diagnostic> {
    let by_tile = grouped(places.iter().map(|&(tile, place)| (tile, place)));
    let pairs = by_tile.values().filter_map(|places| first_difference(places, |place| place.kernel));
    pairs.map(|(first, second)| errors::two_kernels(context.expanded, first, second)).collect()
}

/// The first thing and the first that differs from it in `by`.
fn first_difference<T: Copy, K: PartialEq>(things: &[T], by: impl Fn(&T) -> K) -> Option<(T, T)> {
    let first = things.first()?;
    let other = things.iter().find(|thing| by(thing) != by(first))?;
    Some((*first, *other))
}

#[cfg(test)]
mod tests {
    use crate::build::{Builder, Reduce, int32};
    use crate::check::testing::slugs_on_toy;

    fn placed(places: &[(&str, i64, i64)]) -> Vec<&'static str> {
        let mut builder = Builder::new("placed", "toy");
        builder.kernels("a", &[3], &[]).reduce(Reduce::over("total", &["a"], int32(4)));
        for &(kernel, column, row) in places {
            builder.place(kernel, column, row);
        }
        slugs_on_toy(&builder)
    }

    #[test]
    fn a_place_lies_on_the_array() {
        assert_eq!(placed(&[("a[0]", 5, 3), ("a[1]", 0, 0)]), [""; 0]);
        assert_eq!(placed(&[("a[0]", 6, 0)]), ["check/place-outside"]);
        assert_eq!(placed(&[("a[0]", 0, 4)]), ["check/place-outside"]);
        assert_eq!(placed(&[("a[0]", -1, 0)]), ["check/place-outside"]);
        assert_eq!(placed(&[("a[0]", 1 << 40, 0)]), ["check/place-outside"]);
    }

    #[test]
    fn a_kernel_is_on_one_tile_and_a_tile_runs_one_kernel() {
        assert_eq!(placed(&[("a[0]", 1, 1), ("a[0]", 1, 1)]), [""; 0], "saying it twice is no contradiction");
        assert_eq!(placed(&[("a[0]", 1, 1), ("a[0]", 1, 2)]), ["check/place-conflict"]);
        assert_eq!(placed(&[("a[0]", 1, 1), ("a[1]", 1, 1), ("a[2]", 2, 2)]), ["check/place-conflict"]);
    }
}
