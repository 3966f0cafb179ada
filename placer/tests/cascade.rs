//! Reductions along the cascade: ranks on cores that follow each other (AM009), under any other
//! constraints.

use crate::support::{checked, placed, placement, slugs, toy, vc1902};
use aiec_check::check;
use aiec_collectives::{Operation, Shape};
use aiec_device::{Device, Tile};
use aiec_ir::KernelId;
use aiec_placer::{PlaceOptions, place, verify};
use aiec_test_support::{Builder, Reduce, input, int32, output};

/// A sum along the cascade over `ranks` kernels `w`.
fn chain(device: &str, ranks: u32) -> Builder {
    let mut builder = Builder::new("chain", device);
    let total = Reduce::over("total", &["w"], int32(64));
    builder.kernels("w", &[ranks], &[]);
    builder.reduce(total.operation(Operation::Reduce, Shape::Cascade).root(&format!("w[{}]", ranks - 1)));
    builder
}

/// The tiles of all kernels. The test fails unless each of the first `ranks` follows the one before
/// along the cascade.
fn tiles(builder: &Builder, device: &Device, ranks: usize) -> Vec<Tile> {
    let placed = placed(&checked(builder, device), device);
    let tiles: Vec<Tile> = placed.kernels.iter().copied().collect();
    for pair in tiles[..ranks].windows(2) {
        assert_eq!(device.cascade_targets(pair[0]), [pair[1]], "{tiles:?}");
    }
    tiles
}

#[test]
fn ranks_follow_each_other_around_the_end_of_a_row() {
    let mut builder = chain("xcvc1902", 16);
    builder.place("w[3]", 48, 0);
    let tiles = tiles(&builder, &vc1902(), 16);
    assert_eq!(tiles[4..6], [Tile::new(49, 0), Tile::new(49, 1)], "even rows lead east, then up");
    assert_eq!(tiles[15], Tile::new(39, 1), "odd rows lead west");
}

#[test]
fn a_cascade_fills_the_whole_array() {
    assert_eq!(tiles(&chain("toy", 24), &toy(), 24)[23], Tile::new(0, 3));
}

#[test]
fn regions_and_offsets_hold_beside_the_cascade() {
    let mut builder = chain("toy", 5);
    builder
        .kernels("v", &[3], &[input("x", int32(16)), output("y", int32(16))])
        .gmio_input("a")
        .gmio_output("b");
    builder
        .connect("a", "v[0].x")
        .connect("v[0].y", "v[1].x")
        .connect("v[1].y", "v[2].x")
        .connect("v[2].y", "b");
    builder.region(&["w[0]"], (3, 0), (5, 3)).place_relative("v[1]", "w[4]", (0, 1)).keepout((5, 1), (5, 1));
    let tiles = tiles(&builder, &toy(), 5);
    assert!(tiles[0].column >= 3 && !tiles.contains(&Tile::new(5, 1)), "{tiles:?}");
    assert_eq!(tiles[6], Tile::new(tiles[4].column, tiles[4].row + 1), "{tiles:?}");
}

#[test]
fn several_cascades_share_the_array() {
    let mut builder = Builder::new("chains", "toy");
    builder.kernels("w", &[3, 8], &[]);
    for row in 0..3 {
        let group: Vec<String> = (0..8).map(|column| format!("w[{row}][{column}]")).collect();
        let group: Vec<&str> = group.iter().map(String::as_str).collect();
        let sum = Reduce::over(&format!("t{row}"), &group, int32(16)).root(group[7]);
        builder.reduce(sum.operation(Operation::Reduce, Shape::Cascade));
    }
    let (design, device) = (checked(&builder, &toy()), toy());
    let placed = placed(&design, &device);
    for cascade in &design.cascades {
        let next = device.cascade_targets(placed.kernels[cascade.from]);
        assert_eq!(next, [placed.kernels[cascade.to]]);
    }
}

#[test]
fn contradictions_are_explained() {
    let refused = |constrain: &dyn Fn(&mut Builder)| {
        let mut builder = chain("toy", 4);
        constrain(&mut builder);
        let outcome = place(&checked(&builder, &toy()), &toy(), &PlaceOptions::default());
        let text = outcome
            .diagnostics()
            .iter()
            .map(|d| format!("{} {}", d.code.slug, d.message))
            .collect::<String>();
        assert!(text.starts_with("place/contradiction"), "{text}");
        text
    };
    let apart = refused(&|b| {
        b.place("w[0]", 1, 0).region(&["w[3]"], (4, 1), (4, 3));
    });
    assert!(apart.contains("1 `shape cascade`") && apart.contains("1 `place`"), "{apart}");
    refused(&|b| {
        b.region(&["w[1]"], (0, 3), (2, 3)).keepout((0, 3), (0, 3));
    });
}

/// Cores that follow each other along a cascade always reach a common module.
#[test]
fn ranks_of_a_cascade_that_are_apart_are_refused_before_the_search() {
    let mut builder = chain("toy", 4);
    builder.apart(&["w[1]", "w[2]"]);
    let (checked, said) = check(builder.expanded().expect("names are right"), &toy()).into_parts();
    assert!(checked.is_none());
    assert_eq!(said.iter().map(|one| one.code.slug).collect::<Vec<_>>(), ["check/place-conflict"]);
}

/// The checker works from the placement alone and finds a rank on a wrong core.
#[test]
fn ranks_that_do_not_follow_each_other_are_refused() {
    let (design, device) = (checked(&chain("toy", 4), &toy()), toy());
    let legal = placement(&design, &device);
    assert_eq!(slugs(&verify(&design, &device, legal.clone())), [""; 0]);
    let swapped = |a: u32, b: u32| {
        let mut broken = legal.clone();
        let (a, b) = (KernelId(a), KernelId(b));
        (broken.kernels[a], broken.kernels[b]) = (legal.kernels[b], legal.kernels[a]);
        (broken.stacks[a], broken.stacks[b]) = (legal.stacks[b], legal.stacks[a]);
        slugs(&verify(&design, &device, broken))
    };
    assert_eq!(swapped(0, 1), ["place/constraint-broken"]);
    assert_eq!(swapped(2, 3), ["place/constraint-broken"]);
    // Backwards along the row is no cascade, although every core is beside the next.
    let mut backwards = legal.clone();
    backwards.kernels = legal.kernels.iter().rev().copied().collect();
    backwards.stacks = legal.stacks.iter().rev().copied().collect();
    assert_eq!(slugs(&verify(&design, &device, backwards)), ["place/constraint-broken"]);
}
