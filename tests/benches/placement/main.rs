//! Quality and run time of placement: rebuilds `placer/benches/RESULTS.md`.
//!
//! ```console
//! $ cargo bench -p aiec_tests --bench placement          # the table, twice the sum of its seconds
//! $ cargo bench -p aiec_tests --bench placement -- tree  # designs with `tree` in the name, drawn
//! $ cargo bench -p aiec_tests --bench placement -- --effort 4 thesis
//! $ cargo bench -p aiec_tests --bench placement -- --plans target/plans
//! ```
//!
//! `--plans` only writes aiec's floorplans, for `tools/placement_rivals.py`.
//!
//! Every design is placed with one thread, verified and routed, again if that fails, as the command
//! line does. The table compares it with a lower bound, the thesis's column fill, and plain
//! simulated annealing for the same time; both use aiec's memory and router. The
//! [comparison](compare) at the end counts the designs on which aiec is behind.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a bench reads the clock, writes its table and ends when a design of its own is wrong"
)]

#[path = "../agreed/mod.rs"]
mod agreed;
mod baselines;
#[path = "../clock/mod.rs"]
mod clock;
mod compare;
mod designs;

use std::path::Path;
use std::time::Duration;

use aiec::pipeline::{Agreed, Front};
use aiec_check::{Checked, check};
use aiec_device::{Device, Grid, Tile, builtin};
use aiec_diag::Diagnostic;
use aiec_placer::PlacementEntry;
use aiec_placer::{PlaceOptions, Placed, Terms, place, verify};
use aiec_router_model::{RouteOptions, Routed, Routes, cut_table, route};
use aiec_test_support::Builder;

use agreed::agreed;
use baselines::Pairs;
use clock::clock;
use compare::{Answer, Tally};
use designs::Design;

/// The text before the table.
const HEAD: &str = "\
# Placement results

Made by `cargo bench -p aiec_tests --bench placement -- --effort EFFORT`; the designs are in
`tests/benches/placement/designs.rs`. Device xcvc1902, effort EFFORT, seed SEED, one thread.

* kernels, connections: of the design, those to inputs and outputs included
* DMA: connections of aiec's placement that go through DMA; bound: what no placement goes below,
  with the argument that proves it (`docs/proofs.md`); gap: the difference (what goes to inputs
  and outputs goes through DMA on every placement, as the one connection of a tree's root to its
  output does)
* worst cut: the fullest line across the array, nets that must cross it of the wires there are;
  routed: what the router says
* seconds, MiB: processor time of placement and routing together, tried again while there are no
  routes, and the most memory held meanwhile
* column fill: connections through DMA with kernels in the columns of every second tile, as in the
  thesis (4.6.1), and whether that is legal and routable; a dash where it has too few tiles
* annealing: the same with plain simulated annealing for the same time (at least half a second),
  from the order of the design in columns; it looks at tiles alone, then memory is packed and routed
  as for aiec. What that takes for aiec's tiles is taken off the annealing's time

Windows have 16 bytes unless the name says otherwise; random graphs have 100 to 300 kernels with up
to six neighbours and windows of 16 B to 4 KiB.

| design | kernels | connections | DMA | bound | by | gap | worst cut | routed | seconds | MiB | column fill | annealing |
|---|---:|---:|---:|---:|---|---:|---:|---|---:|---:|---|---:|
";

/// The folder of the workspace, which paths are relative to.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    let (mut effort, mut seed, mut filter, mut plans) = (2, 1, None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--effort" => effort = arguments.next().and_then(|level| level.parse().ok()).unwrap_or(effort),
            "--seed" => seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(seed),
            // Cargo runs benches in the folder of their package, but its caller is in the folder of
            // the workspace.
            "--plans" => plans = arguments.next().map(|folder| Path::new(WORKSPACE).join(folder)),
            _ => filter = Some(argument),
        }
    }
    let options = PlaceOptions { effort, seed, ..PlaceOptions::default() };
    let chosen = |design: &Design| filter.as_ref().is_none_or(|part| design.name.contains(part.as_str()));
    if let Some(folder) = plans {
        return designs::all().into_iter().filter(chosen).for_each(|design| plan(&design, &options, &folder));
    }
    let mut table = HEAD.replace("EFFORT", &effort.to_string()).replace("SEED", &seed.to_string());
    let mut tallies = [Tally::new("column fill"), Tally::new("annealing")];
    for design in designs::all().into_iter().filter(chosen) {
        let (row, ours, others) = row(&design, &options);
        println!("{row}");
        table.push_str(&row);
        table.push('\n');
        tallies.iter_mut().zip(&others).for_each(|(tally, other)| tally.count(&design.name, &ours, other));
        // Written after every row, so that an interrupted run keeps its results.
        if filter.is_none() {
            write(&table, &tallies);
        }
    }
    println!("{}", compare::summary(&tallies));
}

fn write(table: &str, tallies: &[Tally]) {
    let file = Path::new(WORKSPACE).join("placer/benches/RESULTS.md");
    std::fs::write(file, format!("{table}\n{}", compare::summary(tallies))).unwrap();
}

/// aiec's floorplan of a design, as `aiec place --json` writes it, in a file of the design's name.
fn plan(design: &Design, options: &PlaceOptions, folder: &Path) {
    let (Front { device, checked, .. }, agreed, said) = searched(design, options);
    let Agreed { placed, .. } = agreed.unwrap_or_else(|| panic!("{said:#?}"));
    let entry = PlacementEntry::of(&checked, &device, &placed, false);
    let plan = aiec_draw::floorplan(&checked, &placed, &device, entry);
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join(format!("{}.json", design.name));
    std::fs::write(&file, serde_json::to_string_pretty(&plan).unwrap()).unwrap();
    println!("{}", file.display());
}

/// A design, placed and routed as the command line does it, and the messages.
fn searched(design: &Design, options: &PlaceOptions) -> (Front, Option<Agreed>, Vec<Diagnostic>) {
    let device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).unwrap();
    let checked = checked(&design.builder, &device);
    agreed(device, checked, options)
}

/// The row of a design, and the answers of aiec, the column fill and annealing.
fn row(design: &Design, options: &PlaceOptions) -> (String, Answer, [Answer; 2]) {
    forget_memory_peak();
    let begin = clock();
    let (Front { device, checked, .. }, agreed, said) = searched(design, options);
    let (time, memory) = (clock().saturating_sub(begin), memory_peak());
    let head = format!("| {} | {} | {} |", design.name, checked.kernels.len(), checked.connections.len());
    // Annealing needs the steps after the search too, so their time is subtracted.
    let finishing = agreed.as_ref().map_or(Duration::ZERO, |agreed| {
        let begin = clock();
        whole(&design.builder, &checked, &device, agreed.placed.kernels.as_slice());
        clock().saturating_sub(begin)
    });
    let others = [
        fill(&design.builder, &checked, &device),
        anneal(&design.builder, &checked, &device, time.saturating_sub(finishing)),
    ];
    let tail = format!("{:.1} | {memory} | {} | {} |", time.as_secs_f64(), others[0], others[1]);
    let bound = aiec_placer::bound(&checked, &device, &aiec_placer::Alone);
    let Some(Agreed { placed, routes, .. }) = agreed else {
        let why = said.first().map_or("", |diagnostic| diagnostic.code.slug);
        let row = format!("{head} {why} | {} | {} | | | | {tail}", bound.connections, bound.name());
        return (row, Answer::Nothing, others);
    };
    let routed = routed(&checked, &placed, &device, routes.ok());
    let terms = Terms::of(&checked, &device, &placed);
    let gap = terms.dma - bound.connections;
    let why = said.last().map_or("refused", |diagnostic| diagnostic.code.slug);
    let row = format!(
        "{head} {} | {} | {} | {} | {} | {} | {tail}",
        terms.dma,
        bound.connections,
        bound.name(),
        if gap == 0 { "0, optimal".to_owned() } else { gap.to_string() },
        routed.as_ref().map_or_else(String::new, |routed| worst_cut(routed, &device)),
        if routed.is_some() { "yes" } else { why },
    );
    let ours = match routed {
        Some(_) => Answer::Routed(terms),
        None => Answer::Refused { connections: terms.dma, why: why.to_owned() },
    };
    (row, ours, others)
}

fn checked(builder: &Builder, device: &Device) -> Checked {
    let (checked, said) = check(builder.expanded().unwrap(), device).into_parts();
    checked.unwrap_or_else(|| panic!("{said:#?}"))
}

fn routed(checked: &Checked, placed: &Placed, device: &Device, routes: Option<Routes>) -> Option<Routed> {
    aiec_router_model::verify(checked, placed, device, routes?).into_parts().0
}

/// Nets across the fullest line, and its wires.
fn worst_cut(routed: &Routed, device: &Device) -> String {
    let share = |demand: u32, capacity: u32| u64::from(demand) * 1000 / u64::from(capacity.max(1));
    let cuts = cut_table(&routed.routes, device);
    let worst = cuts.iter().max_by_key(|cut| share(cut.demand, cut.capacity));
    worst.map_or_else(String::new, |cut| format!("{}/{}", cut.demand, cut.capacity))
}

/// The thesis's column fill.
fn fill(builder: &Builder, checked: &Checked, device: &Device) -> Answer {
    match baselines::every_second_tile(checked, device) {
        Some(tiles) => whole(builder, checked, device, &tiles),
        None => Answer::Nothing,
    }
}

/// Plain annealing for as long as aiec's search took.
fn anneal(builder: &Builder, checked: &Checked, device: &Device, time: Duration) -> Answer {
    let grid = Grid::new(device);
    let time = time.max(Duration::from_millis(500));
    let tiles = baselines::annealing(&Pairs::new(checked), &grid, time, clock, 1);
    let tiles: Vec<Tile> = tiles.into_iter().map(|id| grid.tile(id)).collect();
    whole(builder, checked, device, &tiles)
}

/// Kernels on `tiles` with aiec's memory and shim ports, and whether that is legal and has routes.
fn whole(builder: &Builder, checked: &Checked, device: &Device, tiles: &[Tile]) -> Answer {
    let mut fixed = builder.clone();
    for (kernel, tile) in checked.kernels.iter().zip(tiles) {
        let Tile { column, row } = *tile;
        fixed.place(&kernel.name, column.into(), row.into());
    }
    let because = |said: &[Diagnostic], connections: u64| {
        let why = said.first().map_or("refused", |diagnostic| diagnostic.code.slug);
        Answer::Refused { connections, why: why.to_owned() }
    };
    let refused = |said: &[Diagnostic]| {
        let grid = Grid::new(device);
        let ids: Vec<_> = tiles.iter().filter_map(|&tile| grid.id(tile)).collect();
        let count = baselines::connections(&Pairs::new(checked), &grid, &ids);
        because(said, count.unsigned_abs())
    };
    let (fixed, said) = check(fixed.expanded().unwrap(), device).into_parts();
    let Some(fixed) = fixed else { return refused(&said) };
    let (placement, said) =
        place(&fixed, device, &PlaceOptions { effort: 1, ..PlaceOptions::default() }).into_parts();
    let Some(placed) = placement.and_then(|placement| verify(&fixed, device, placement).into_parts().0)
    else {
        return refused(&said);
    };
    let terms = Terms::of(&fixed, device, &placed);
    let (routes, said) = route(&fixed, &placed, device, &RouteOptions::default()).into_parts();
    match routed(&fixed, &placed, device, routes) {
        Some(_) => Answer::Routed(terms),
        None => because(&said, terms.dma),
    }
}

/// Peak memory of the process since [`forget_memory_peak`], in MiB. A dash if the system does not
/// report it.
fn memory_peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.map_or_else(|| "-".to_owned(), |kib| kib.div_ceil(1024).to_string())
}

/// Linux resets the peak on request (proc(5)); elsewhere the column shows a dash.
fn forget_memory_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
