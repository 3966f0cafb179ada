//! Small designs are placed optimally: compared with an exhaustive search.

use crate::support::{QUICK, checked, slugs, toy, value};
use aiec_check::Checked;
use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::KernelId;
use aiec_placer::{Objective, PlaceOptions, PlacementEntry, Term, Terms, place, verify};
use aiec_test_support::{Builder, input, int32, output};
use proptest::prelude::*;

/// Kernels, edges between them, and constraints, all as numbers.
#[derive(Clone, Debug)]
struct Small {
    kernels: u32,
    edges: Vec<(u32, u32)>,
    constraints: Vec<(u8, u32, u32, i64, i64)>,
}

fn small() -> impl Strategy<Value = Small> {
    let edges = prop::collection::vec((0_u32..6, 1_u32..6), 3..10);
    let constraints = prop::collection::vec((0_u8..6, 0_u32..6, 1_u32..6, -1_i64..2, 0_i64..3), 0..4);
    (3_u32..7, edges, constraints).prop_map(|(kernels, edges, constraints)| Small {
        kernels,
        edges: edges
            .into_iter()
            .map(|(a, more)| (a % kernels, (a + more) % kernels))
            .filter(|(a, b)| a != b)
            .collect(),
        constraints,
    })
}

/// The design. Every kernel has a window of 1 KiB for each of its edges.
fn design(small: &Small) -> Builder {
    let window = int32(256);
    let mut builder = Builder::new("small", "toy");
    for k in 0..small.kernels {
        let names: Vec<(String, bool)> = (small.edges.iter().enumerate())
            .filter(|(_, (a, b))| *a == k || *b == k)
            .map(|(number, (a, _))| (format!("e{number}"), *a == k))
            .collect();
        let ports: Vec<_> = names
            .iter()
            .map(|(name, out)| if *out { output(name, window) } else { input(name, window) })
            .collect();
        builder.kernels(&format!("k{k}"), &[], &ports);
    }
    for (number, (a, b)) in small.edges.iter().enumerate() {
        builder.connect(&format!("async k{a}.e{number}"), &format!("async k{b}.e{number}"));
    }
    builder.region(
        &(0..small.kernels)
            .map(|k| format!("k{k}"))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
        (1, 0),
        (2, 3),
    );
    for &(kind, a, more, column, row) in &small.constraints {
        let (first, second) = (format!("k{}", a % small.kernels), format!("k{}", (a + more) % small.kernels));
        if first == second {
            continue;
        }
        match kind {
            0 => builder.place_relative(&first, &second, (column, row)),
            1 => builder.together(&[&first, &second]),
            2 => builder.apart(&[&first, &second]),
            3 => builder.region(&[&first], (1, row), (2, row + 1)),
            4 => builder.place(&first, 1 + column.abs(), row),
            _ => &mut builder,
        };
    }
    builder
}

/// The least score over all tiles that keep the constraints, without memory. Returns None when
/// there are no such tiles.
fn best(checked: &Checked, grid: &Grid, objective: &[Term], tiles: &mut Vec<TileId>) -> Option<Vec<u64>> {
    if tiles.len() == checked.kernels.len() {
        return keeps_all(checked, grid, tiles)
            .then(|| objective.iter().map(|&term| count(checked, grid, tiles, term)).collect());
    }
    let mut least: Option<Vec<u64>> = None;
    for tile in grid.ids().filter(|&id| (1..=2).contains(&grid.tile(id).column)) {
        if !tiles.contains(&tile) {
            tiles.push(tile);
            let found = best(checked, grid, objective, tiles);
            tiles.pop();
            least = [least, found].into_iter().flatten().min();
        }
    }
    least
}

fn near(grid: &Grid, a: TileId, b: TileId) -> bool {
    grid.shared(a, b).next().is_some()
}

fn keeps_all(checked: &Checked, grid: &Grid, tiles: &[TileId]) -> bool {
    let at = |kernel: KernelId| {
        let Tile { column, row } = grid.tile(tiles[kernel.index()]);
        (i64::from(column), i64::from(row))
    };
    let share = |a: &KernelId, b: &KernelId| near(grid, tiles[a.index()], tiles[b.index()]);
    let all = &checked.constraints;
    checked.places.iter().all(|place| at(place.kernel) == (place.column, place.row))
        && all.regions.iter().all(|r| r.kernels.iter().all(|&k| r.contains(at(k).0, at(k).1)))
        && all.together.iter().all(|group| group.pairs().all(|(a, b)| share(a, b)))
        && all.apart.iter().all(|group| group.pairs().all(|(a, b)| !share(a, b)))
        && all.offsets.iter().all(|o| {
            let (a, b) = (at(o.from), at(o.kernel));
            (b.0 - a.0, b.1 - a.1) == (o.columns, o.rows)
        })
        && all.aligned.iter().all(|a| a.axis.of(at(a.kernel)) - a.axis.of(at(a.from)) == a.distance)
        && all.distinct.iter().all(|group| group.pairs().all(|(a, b)| at(*a) != at(*b)))
}

/// One term: connections by DMA, tiles between their ends, or columns off the middle.
fn count(checked: &Checked, grid: &Grid, tiles: &[TileId], term: Term) -> u64 {
    let ends =
        checked.connections.iter().filter_map(|c| checked.kernel_of(c.from).zip(checked.kernel_of(c.to)));
    let cut = ends.map(|(a, b)| (tiles[a.index()], tiles[b.index()])).filter(|&(a, b)| !near(grid, a, b));
    match term {
        Term::Dma => cut.count() as u64,
        Term::Wire => cut.map(|(a, b)| u64::from(grid.tile(a).distance(grid.tile(b)))).sum(),
        _ => {
            let off =
                |middle: u16| tiles.iter().map(|&t| u64::from(grid.tile(t).column.abs_diff(middle))).sum();
            (1..=2).map(off).min().unwrap_or(0)
        }
    }
}

fn found(checked: &Checked, device: &Device, order: &[Term], seed: u64) -> Option<(Vec<u64>, bool)> {
    let objective = Objective::new(order).expect("an order");
    let outcome = place(checked, device, &PlaceOptions { objective, seed, ..QUICK });
    if outcome.value().is_none() {
        assert_eq!(slugs(&outcome), ["place/contradiction"], "{:?}", outcome.diagnostics());
        return None;
    }
    let placed = value(verify(checked, device, value(outcome)));
    let terms = Terms::of(checked, device, &placed);
    let is_optimal = PlacementEntry::of(checked, device, &placed, false).optimal;
    Some((order.iter().map(|&term| terms.value(term)).collect(), is_optimal))
}

#[test]
#[ignore = "long: tries all placements of many designs"]
fn no_placement_of_a_small_design_is_better_than_the_one_that_is_found() {
    no_placement_is_better(12);
}

#[test]
#[ignore = "long: tries all placements of many designs"]
fn no_placement_of_any_small_design_is_better_than_the_one_that_is_found() {
    no_placement_is_better(96);
}

/// In a region of 2 by 4 tiles, under any constraints and with any term first.
fn no_placement_is_better(cases: u32) {
    proptest!(ProptestConfig::with_cases(cases), |(small in small(), seed in 0_u64..100)| {
        let device = toy();
        if let Some(checked) = aiec_check::check(design(&small).expanded().expect("names are right"), &device).into_parts().0 {
            let grid = Grid::new(&device);
            let orders: [&[Term]; 3] = [&[Term::Dma, Term::Wire], &[Term::Wire, Term::Dma], &[Term::Compact, Term::Dma]];
            for order in orders {
                let best = best(&checked, &grid, order, &mut Vec::new());
                let found = found(&checked, &device, order, seed);
                prop_assert_eq!(found.as_ref().map(|(terms, _)| terms), best.as_ref(), "{:?}", order);
                // The bound is exhaustive for so small a design, and its windows find room
                // everywhere.
                if order[0] == Term::Dma {
                    prop_assert!(found.is_none_or(|(_, is_optimal)| is_optimal), "the fewest, but not proved");
                }
            }
        }
    });
}

/// Six kernels with nine connections in a region of 2 by 4 tiles. One placement in thousands shares
/// them all.
#[test]
fn one_way_in_thousands_is_found_whatever_the_seed() {
    let small = Small {
        kernels: 6,
        edges: vec![(0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 4), (4, 5), (1, 2), (3, 5)],
        constraints: vec![(0, 0, 5, 1, 2)],
    };
    let device = toy();
    let checked = checked(&design(&small), &device);
    let best = best(&checked, &Grid::new(&device), &[Term::Dma], &mut Vec::new());
    for seed in 0..4 {
        assert_eq!(found(&checked, &device, &[Term::Dma], seed).map(|(terms, _)| terms), best, "seed {seed}");
    }
}
