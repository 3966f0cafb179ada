//! Quality of placements and bounds: ten designs with their connections by DMA and the lower bound,
//! compared with `quality.golden` within a tolerance. `AIEC_BLESS=1 cargo test -p aiec_placer
//! --test all quality:: -- --include-ignored` rewrites the file.
#![allow(clippy::disallowed_methods, reason = "the test reads and writes its golden file")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::support::*;
use aiec_placer::{PlaceOptions, PlacementEntry, place, verify};
use aiec_test_support::{Builder, int32};

/// Allowed excess over the golden result. A change to the search moves some designs slightly in
/// either direction.
const TOLERANCE: u64 = 2;

/// The ten designs, with their effort.
fn designs() -> Vec<(&'static str, Builder, u32)> {
    vec![
        ("tree of 63", tree(63, 2, int32(4)), 2),
        ("tree of 127", tree(127, 2, int32(4)), 2),
        ("tree of 255, arity 3", tree(255, 3, int32(4)), 1),
        ("tree of 399", tree(399, 2, int32(4)), 1),
        ("thesis, windows of 16 bytes", thesis(16), 1),
        ("thesis, windows of 8 KiB", thesis(8192), 1),
        ("random 1", random_graph(60, 1), 1),
        ("random 2", random_graph(60, 2), 1),
        ("pipelines", pipelines(20, 8), 1),
        ("broadcast to 40", broadcast(40), 1),
    ]
}

/// Connections by DMA, and their lower bound.
fn measured(builder: &Builder, effort: u32) -> (u64, u64) {
    let device = vc1902();
    let design = checked(builder, &device);
    let options = PlaceOptions { effort, ..PlaceOptions::default() };
    let placed = value(place(&design, &device, &options));
    let placed = value(verify(&design, &device, placed));
    let entry = PlacementEntry::of(&design, &device, &placed, false);
    (entry.connections, entry.bound)
}

#[test]
#[ignore = "long: places ten designs"]
fn placements_and_bounds_are_as_good_as_they_were() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/quality.golden");
    let mut now = "# design: connections by DMA, and a bound below that of any placement\n".to_owned();
    let mut results = Vec::new();
    for (name, builder, effort) in designs() {
        let (by_dma, bound) = measured(&builder, effort);
        let _ = writeln!(now, "{name}: {by_dma} {bound}");
        results.push((name, by_dma, bound));
    }
    if std::env::var_os("AIEC_BLESS").is_some() {
        fs::write(&golden, &now).expect("writable");
    }
    let text = fs::read_to_string(&golden).expect("there");
    for (name, by_dma, bound) in results {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let numbers: Vec<u64> = line
            .expect("every design is listed")
            .split(' ')
            .map(|word| word.parse().expect("a number"))
            .collect();
        let [most, least] = numbers[..] else { panic!("two numbers for {name}") };
        assert!(bound <= by_dma, "{name}: {by_dma} by DMA, below the bound {bound}");
        assert!(by_dma <= most + TOLERANCE, "{name}: {by_dma} by DMA, not {most}");
        assert!(bound + TOLERANCE >= least, "{name}: the bound is {bound}, not {least}");
    }
}
