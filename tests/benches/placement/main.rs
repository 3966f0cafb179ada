//! How good and how fast placement is: rebuilds `placer/benches/RESULTS.md`.
//!
//! ```console
//! $ cargo bench -p aiec_tests --bench placement                 # the table, about as long as twice the sum of its seconds
//! $ cargo bench -p aiec_tests --bench placement -- tree         # designs with `tree` in their names, printed
//! $ cargo bench -p aiec_tests --bench placement -- --effort 4 thesis
//! ```
//!
//! Every design is placed with one thread, verified and routed, again if that fails, as the command line does. Beside it stand what no
//! placement goes below, the thesis's column fill and plain simulated annealing for the same time, both with aiec's memory and router.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a bench reads the clock, writes its table and ends when a design of its own is wrong"
)]

mod baselines;
mod designs;

use std::time::Duration;

use aiec::agree;
use aiec::pipeline::{Agreed, Front, Log, Options};
use aiec_device::{Device, Grid, Tile, builtin};
use aiec_diag::Diagnostic;
use aiec_ir::build::Builder;
use aiec_ir::{Checked, check};
use aiec_placer::{Pins, PlaceOptions, Placed, Quality, Tools, place, verify};
use aiec_router_model::{RouteOptions, Routes, cut_table, route};

use baselines::Pairs;
use designs::Design;

/// What is said of the table before it.
const HEAD: &str = "\
# Placement results

Made by `cargo bench -p aiec_tests --bench placement -- --effort EFFORT`; the designs are in `tests/benches/placement/designs.rs`. Device xcvc1902, effort EFFORT, seed 1, one thread.

* kernels, connections: of the design, those to inputs and outputs included
* DMA: connections of aiec's placement that go through DMA; bound: what no placement goes below, with the argument that proves
  it (`docs/placement.md`); gap: the difference
* worst cut: the fullest line across the array, nets that must cross it of the wires there are; routed: what the router says
* seconds, MiB: processor time of placement and routing together, tried again while there are no routes, and the most memory held meanwhile
* column fill: connections through DMA with kernels in the columns of every second tile, as in the thesis (4.6.1), and whether that is
  legal and routable; a dash where it has too few tiles
* annealing: the same with plain simulated annealing for the same time (at least half a second), from the order of the design in columns;
  it looks at tiles alone, then memory is packed and routed as for aiec

Windows have 16 bytes unless the name says otherwise; random graphs have 100 to 300 kernels with up to six neighbours and windows of 16 B to 4 KiB.

| design | kernels | connections | DMA | bound | by | gap | worst cut | routed | seconds | MiB | column fill | annealing |
|---|---:|---:|---:|---:|---|---:|---:|---|---:|---:|---|---:|
";

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    let (mut effort, mut filter) = (2, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--effort" => effort = arguments.next().and_then(|level| level.parse().ok()).unwrap_or(effort),
            _ => filter = Some(argument),
        }
    }
    let options = PlaceOptions { effort, ..PlaceOptions::default() };
    let chosen = |design: &Design| filter.as_ref().is_none_or(|part| design.name.contains(part.as_str()));
    let mut table = HEAD.replace("EFFORT", &effort.to_string());
    for design in designs::all().into_iter().filter(chosen) {
        let row = row(&design, &options);
        println!("{row}");
        table.push_str(&row);
        table.push('\n');
        // After every row, so that an interrupted run leaves what it has measured.
        if filter.is_none() {
            let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../placer/benches/RESULTS.md");
            std::fs::write(file, &table).unwrap();
        }
    }
}

fn row(design: &Design, options: &PlaceOptions) -> String {
    let device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).unwrap();
    let checked = checked(&design.builder, &device);
    forget_memory_peak();
    let begin = clock();
    let (front, options) = (Front { device, checked }, Options { place: *options, ..Options::default() });
    let mut log = Log::default();
    let agreed = agree::search(&front, &Pins::default(), &options, &Tools::ALONE, &mut log);
    let (Front { device, checked }, said) = (front, log.diagnostics);
    let (time, memory) = (clock().saturating_sub(begin), memory_peak());
    let head = format!("| {} | {} | {} |", design.name, checked.kernels.len(), checked.connections.len());
    let baselines =
        [fill(&design.builder, &checked, &device), anneal(&design.builder, &checked, &device, time)]
            .join(" | ");
    let seconds = time.as_secs_f64();
    let Some(Agreed { placed, routes, .. }) = agreed else {
        let bound = aiec_placer::bound(&checked, &device);
        let why = said.first().map_or("", |diagnostic| diagnostic.code.slug);
        return format!(
            "{head} {why} | {} | {} | | | | {seconds:.1} | {memory} | {baselines} |",
            bound.connections,
            bound.name()
        );
    };
    let quality = Quality::of(&checked, &device, &placed);
    let (cut, routed) = routed(&checked, &placed, &device, routes.ok(), &said);
    format!(
        "{head} {} | {} | {} | {} | {cut} | {routed} | {seconds:.1} | {memory} | {baselines} |",
        quality.connections,
        quality.bound.connections,
        quality.bound.name(),
        if quality.is_optimal() { "0, optimal".to_owned() } else { quality.gap().to_string() },
    )
}

fn checked(builder: &Builder, device: &Device) -> Checked {
    let (checked, said) = check(builder.expanded().unwrap(), device).into_parts();
    checked.unwrap_or_else(|| panic!("{said:#?}"))
}

/// The fullest cut, and whether routes were found; `said` tells why not.
fn routed(
    checked: &Checked,
    placed: &Placed,
    device: &Device,
    routes: Option<Routes>,
    said: &[Diagnostic],
) -> (String, String) {
    let verified =
        routes.map(|routes| aiec_router_model::verify(checked, placed, device, routes).into_parts().0);
    match verified.flatten() {
        None => (String::new(), said.last().map_or("refused", |diagnostic| diagnostic.code.slug).to_owned()),
        Some(routed) => {
            let cuts = cut_table(&routed.routes, device);
            let share = |demand: u32, capacity: u32| u64::from(demand) * 1000 / u64::from(capacity.max(1));
            let worst = cuts.iter().max_by_key(|cut| share(cut.demand, cut.capacity));
            (
                worst.map_or_else(String::new, |cut| format!("{}/{}", cut.demand, cut.capacity)),
                "yes".to_owned(),
            )
        }
    }
}

/// The thesis's column fill.
fn fill(builder: &Builder, checked: &Checked, device: &Device) -> String {
    match baselines::every_second_tile(checked, device) {
        Some(tiles) => whole(builder, checked, device, &tiles),
        None => "-".to_owned(),
    }
}

/// Plain annealing for as long as aiec took.
fn anneal(builder: &Builder, checked: &Checked, device: &Device, time: Duration) -> String {
    let grid = Grid::new(device);
    let tiles =
        baselines::annealing(&Pairs::new(checked), &grid, time.max(Duration::from_millis(500)), clock, 1);
    let tiles: Vec<Tile> = tiles.into_iter().map(|id| grid.tile(id)).collect();
    whole(builder, checked, device, &tiles)
}

/// Kernels on `tiles` with aiec's memory and shim ports: connections through DMA then, and whether that is legal and has routes.
fn whole(builder: &Builder, checked: &Checked, device: &Device, tiles: &[Tile]) -> String {
    let mut fixed = builder.clone();
    for (kernel, tile) in checked.kernels.iter().zip(tiles) {
        let Tile { column, row } = *tile;
        fixed.place(&kernel.name, column.into(), row.into());
    }
    let refused = |said: &[Diagnostic]| {
        let grid = Grid::new(device);
        let ids: Vec<_> = tiles.iter().filter_map(|&tile| grid.id(tile)).collect();
        let count = baselines::connections(&Pairs::new(checked), &grid, &ids);
        format!("{count}, {}", said.first().map_or("refused", |diagnostic| diagnostic.code.slug))
    };
    let (fixed, said) = check(fixed.expanded().unwrap(), device).into_parts();
    let Some(fixed) = fixed else { return refused(&said) };
    let (placement, said) =
        place(&fixed, device, &PlaceOptions { effort: 1, ..PlaceOptions::default() }).into_parts();
    let Some(placed) = placement.and_then(|placement| verify(&fixed, device, placement).into_parts().0)
    else {
        return refused(&said);
    };
    let (routes, said) = route(&fixed, &placed, device, &RouteOptions::default()).into_parts();
    let (_, routed) = routed(&fixed, &placed, device, routes, &said);
    let count = aiec_placer::dma_connections(&fixed, &placed);
    if routed == "yes" { format!("{count}, routed") } else { format!("{count}, {routed}") }
}

/// Processor time of this thread, so that others on the machine do not count; by the clock where the system does not tell.
fn clock() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = status.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok());
    spent.map_or_else(
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default(),
        Duration::from_nanos,
    )
}

/// The most memory the process has held since [`forget_memory_peak`], in MiB; a dash where the system does not say.
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
