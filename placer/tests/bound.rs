//! No placement goes below the bound. For designs with known optima the bound proves them.

use std::collections::BTreeSet;

use crate::support::*;
use aiec_check::check;
use aiec_device::{Device, Grid, TileId};
use aiec_placer::{Alone, Argument, Counted, PlacementEntry, bound, place, verify};
use aiec_test_support::{Builder, input, int32, output};
use proptest::prelude::*;

fn quality(builder: &Builder) -> PlacementEntry {
    let device = vc1902();
    let design = checked(builder, &device);
    PlacementEntry::of(&design, &device, &placed(&design, &device), false)
}

#[test]
#[ignore = "long: searches for seconds"]
fn small_trees_are_placed_with_proof_that_nothing_is_better() {
    for kernels in [7, 15, 31] {
        let quality = quality(&tree(kernels, 2, int32(4)));
        // One connection goes to the output.
        assert_eq!((quality.connections, quality.gap), (1, 0), "{kernels} kernels");
        assert!(quality.optimal);
    }
}

/// The end of a chain of calls.
fn done(_: &mut Builder) {}

/// The complete graph of `kernels` kernels.
fn complete(kernels: usize) -> Builder {
    graph(kernels, &(0..kernels).flat_map(|a| (a + 1..kernels).map(move |b| (a, b))).collect::<Vec<_>>())
}

/// A mesh of 3 by 3 kernels, closed to a ring along both sides.
fn torus() -> Builder {
    let around = |a: usize| [(a, a / 3 * 3 + (a + 1) % 3), (a, (a + 3) % 9)];
    graph(9, &(0..9).flat_map(around).map(|(a, b)| (a.min(b), a.max(b))).collect::<Vec<_>>())
}

/// A graph with a window along each of `pairs`.
fn graph(kernels: usize, pairs: &[(usize, usize)]) -> Builder {
    let names: Vec<String> = (0..pairs.len()).map(|number| format!("e{number}")).collect();
    let mut builder = Builder::new("complete", "xcvc1902");
    for kernel in 0..kernels {
        let port = |(&(from, to), name): (&(usize, usize), &'_ String)| {
            let name: &'static str = Box::leak(name.clone().into_boxed_str());
            let sends = (from == kernel).then(|| output(name, int32(16)));
            sends.or((to == kernel).then(|| input(name, int32(16))))
        };
        let ports: Vec<_> = pairs.iter().zip(&names).filter_map(port).collect();
        builder.kernels(&format!("k{kernel}"), &[], &ports);
    }
    for ((from, to), name) in pairs.iter().zip(&names) {
        builder.connect(&format!("k{from}.{name}"), &format!("k{to}.{name}"));
    }
    builder
}

/// `builder` with all kernels in a region of 40 tiles.
fn in_region(mut builder: Builder, kernels: usize) -> Builder {
    let names: Vec<String> = (0..kernels).map(|kernel| format!("k{kernel}")).collect();
    builder.region(&names.iter().map(String::as_str).collect::<Vec<_>>(), (20, 0), (24, 7));
    builder
}

/// In a tree of 399 with arity 8, 50 kernels have children. All but the root and the last have nine
/// neighbours, one more than a core has partners. Its result goes to an output.
#[test]
fn wide_trees_are_cut_and_rings_need_not_be() {
    let device = vc1902();
    let of = |builder: &Builder| bound(&checked(builder, &device), &device, &Alone).connections;
    assert_eq!(of(&tree(399, 8, int32(4))), 43 + 1);
    // Every kernel sends to the next one, and the first to the last.
    let ring: Vec<_> = (0..399).map(|kernel| (kernel, kernel + 1)).chain([(0, 399)]).collect();
    assert_eq!(of(&graph(400, &ring)), 0);
}

#[test]
fn small_dense_graphs_are_placed_with_proof_that_nothing_is_better() {
    let all = [
        (complete(5), 2),
        (in_region(complete(5), 5), 2),
        (complete(6), 4),
        (torus(), 2),
        (in_region(torus(), 9), 2),
    ];
    for (builder, fewest) in all {
        let quality = quality(&builder);
        assert_eq!((quality.connections, quality.gap), (fewest, 0));
        assert_eq!((quality.argument, quality.counted), ("exhaustive", Some("cells")));
    }
}

#[test]
fn constraints_that_keep_kernels_out_of_reach_are_part_of_every_bound() {
    let device = vc1902();
    let bound = |constrain: &dyn Fn(&mut Builder)| {
        let mut builder = tree(3, 2, int32(4));
        constrain(&mut builder);
        bound(&checked(&builder, &device), &device, &Alone).connections
    };
    assert_eq!(bound(&|_| ()), 1, "the result");
    let (apart, offset, region, keepout) = (
        bound(&|b| done(b.apart(&["worker[0]", "worker[1]"]))),
        bound(&|b| done(b.place_relative("worker[1]", "worker[0]", (3, 0)))),
        bound(&|b| done(b.region(&["worker[0]"], (0, 0), (4, 7)).region(&["worker[2]"], (7, 0), (9, 7)))),
        bound(&|b| done(b.place("worker[0]", 5, 2).place("worker[1]", 5, 4).keepout((5, 3), (5, 3)))),
    );
    assert_eq!((apart, offset, region, keepout), (2, 2, 2, 2));
}

#[test]
fn inputs_outputs_and_broadcasts_always_go_by_dma() {
    let device = vc1902();
    let bound = bound(&checked(&broadcast(12), &device), &device, &Alone);
    assert_eq!((bound.connections, bound.argument), (1 + 12 + 12, Argument::Always));
}

#[test]
#[ignore = "long: searches for seconds"]
fn how_much_of_a_bound_is_of_broadcasts_is_told() {
    assert_eq!(quality(&broadcast(12)).broadcasts, 12);
    assert_eq!(quality(&tree(3, 2, int32(4))).broadcasts, 0, "the result goes by DMA, but is none");
}

#[test]
fn kernels_fixed_too_far_apart_are_counted() {
    let device = vc1902();
    let mut builder = tree(3, 2, int32(4));
    builder.place("worker[0]", 5, 5).place("worker[1]", 20, 5).place("worker[2]", 5, 6);
    assert_eq!(bound(&checked(&builder, &device), &device, &Alone).connections, 1 + 1);
}

#[test]
fn large_windows_and_stacks_leave_room_for_fewer_kernels() {
    // With 29 KiB of stack and heap and 16 KiB for each window, a kernel takes almost one and a
    // half modules on average.
    let device = vc1902();
    let mut builder = tree(63, 2, int32(2048));
    builder.stack("worker", 28 * 1024);
    let light = bound(&checked(&tree(63, 2, int32(4)), &device), &device, &Alone);
    let heavy = bound(&checked(&builder, &device), &device, &Alone);
    assert!(heavy.connections > light.connections && heavy.counted == Counted::Bytes, "{heavy:?}");
}

/// Up to eight kernels with windows that fill a large part of their modules, joined at random
/// without cycles.
fn heavy() -> impl Strategy<Value = Builder> {
    (3_u32..9, prop::collection::vec((0_u32..9, 0_u32..9, 1_u32..7), 2..12)).prop_map(|(kernels, wishes)| {
        let mut pairs: Vec<(u32, u32, u32)> = (1..kernels).map(|k| (k / 2, k, 3)).collect();
        let more = wishes.into_iter().map(|(a, b, size)| (a.min(b), a.max(b), size));
        pairs.extend(more.filter(|&(a, b, _)| a != b && b < kernels).take(6));
        let mut builder = Builder::new("heavy", "toy");
        for kernel in 0..kernels {
            let names: Vec<String> = (0..pairs.len()).map(|number| format!("e{number}")).collect();
            let port = |(&(from, to, size), name): (&(u32, u32, u32), &'_ String)| {
                let window = int32(256 * size);
                let name: &'static str = Box::leak(name.clone().into_boxed_str());
                let sends = (from == kernel).then(|| output(name, window));
                sends.or((to == kernel).then(|| input(name, window)))
            };
            let ports: Vec<_> = pairs.iter().zip(&names).filter_map(port).collect();
            builder.kernels(&format!("k{kernel}"), &[], &ports);
        }
        for (number, (from, to, _)) in pairs.iter().enumerate() {
            builder.connect(&format!("k{from}.e{number}"), &format!("k{to}.e{number}"));
        }
        builder
    })
}

#[test]
fn no_verified_placement_is_below_the_bound() {
    bounds_hold(3);
}

#[test]
#[ignore = "long: places 12 designs"]
fn no_verified_placement_is_below_the_bound_in_all_cases() {
    bounds_hold(12);
}

/// Any design that the checks accept and the search places: cells, bytes and locks.
fn bounds_hold(cases: u32) {
    proptest!(ProptestConfig::with_cases(cases), |(builder in heavy())| {
        let device = toy();
        if let Some(design) = check(builder.expanded().expect("names are right"), &device).into_parts().0 {
            let bound = bound(&design, &device, &Alone);
            if let Some(placement) = place(&design, &device, &QUICK).into_parts().0 {
                let placed = value(verify(&design, &device, placement));
                let quality = PlacementEntry::of(&design, &device, &placed, false);
                prop_assert!(quality.connections >= bound.connections, "{quality:?}");
            }
        }
    });
}

/// The fewest pairs of `pairs` on tiles that share nothing, over all tiles of the `kernels` after
/// those on `tiles`, which have `cuts` such pairs (exhaustive); at most `best`.
fn by_trying(
    grid: &Grid,
    pairs: &[(usize, usize)],
    kernels: usize,
    tiles: &mut Vec<TileId>,
    best: u64,
) -> u64 {
    let far = |&&(a, b): &&(usize, usize)| b < tiles.len() && !grid.partners(tiles[a]).contains(&tiles[b]);
    let cuts = pairs.iter().filter(far).count() as u64;
    if cuts >= best || tiles.len() == kernels {
        return cuts.min(best);
    }
    grid.ids().fold(best, |best, tile| {
        if tiles.contains(&tile) {
            return best;
        }
        tiles.push(tile);
        let found = by_trying(grid, pairs, kernels, tiles, best);
        tiles.pop();
        found
    })
}

/// Connected graphs of up to seven kernels, and a small array with room for them.
fn small() -> impl Strategy<Value = (usize, Vec<(usize, usize)>, u16, u16)> {
    (2_usize..8).prop_flat_map(|kernels| {
        let up = (1..kernels).map(|k| 0..k).collect::<Vec<_>>();
        let more = prop::collection::vec((0..kernels, 0..kernels), 0..12);
        (Just(kernels), up, more, 2_u16..4, 2_u16..4).prop_map(|(kernels, up, more, columns, rows)| {
            let tree = up.into_iter().zip(1..);
            let more = more.into_iter().filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b)));
            let pairs: BTreeSet<_> = tree.chain(more).collect();
            (
                kernels,
                pairs.into_iter().collect(),
                columns.max(kernels.div_ceil(usize::from(rows)) as u16),
                rows,
            )
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The greatest of all arguments, on arrays so small that their borders matter, and often so
    /// full that each kernel takes tiles from the others.
    #[test]
    fn the_bound_of_a_small_array_is_what_trying_out_finds((kernels, pairs, columns, rows) in small()) {
        let device = Device { columns, rows, ..toy() };
        let builder = graph(kernels, &pairs);
        if let Some(design) = check(builder.expanded().expect("names are right"), &device).into_parts().0 {
            let all = pairs.len() as u64 + 1;
            let least = by_trying(&Grid::new(&device), &pairs, kernels, &mut Vec::new(), all);
            prop_assert_eq!(bound(&design, &device, &Alone).connections, least);
        }
    }
}

#[test]
fn a_bound_has_a_name_with_what_it_counts() {
    let device = vc1902();
    let bound = bound(&checked(&tree(127, 2, int32(4)), &device), &device, &Alone);
    assert_eq!((bound.argument, bound.counted), (Argument::Pieces, Counted::Cells));
    assert_eq!(bound.name(), "pieces (cells)");
}
