//! Events a second, and the memory of short and long runs.
//!
//! `cargo bench -p aiec_event_model_benches` runs it. With `-- --write` it writes `RESULTS.md`
//! beside this file; it always prints the table. Criterion repeats the runs. Times are processor
//! time, so other load on the machine counts little.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and writes its results"
)]

mod laid;

use std::alloc::System;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use aiec_event_model::{Timeline, run};
use aiec_ir::Direction;
use aiec_test_support::{Builder, Reduce, input, int32, output, stream};
use aiec_timing::TimingProfile;
use cap::Cap;
use criterion::{Bencher, Criterion, Throughput};
use laid::{Laid, value};

/// Counts allocated bytes.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Runs of a criterion estimate, the fewest that it takes.
const SAMPLES: usize = 10;
/// Iterations of the longer run, as a multiple of those of the shorter one.
const LONGER: u32 = 10;

/// A design with a name. It runs as often as asked.
struct Case {
    name: &'static str,
    /// Iterations of the run that is timed: about a million events.
    iterations: u32,
    design: fn(u32) -> Builder,
}

const CASES: [Case; 3] = [
    Case { name: "reduction of 63 ranks, 16 B windows", iterations: 1000, design: reduction },
    Case { name: "pipeline of 50 kernels over streams", iterations: 5000, design: pipeline },
    Case { name: "row of 390 kernels, 64 B windows", iterations: 500, design: row },
];

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("criterion");
    let mut criterion = Criterion::default().sample_size(SAMPLES).output_directory(&folder);
    let lines: Vec<String> = CASES.iter().map(|case| line(case, &mut criterion, &folder)).collect();
    let text = table(&lines);
    println!("{text}");
    if std::env::args().any(|argument| argument == "--write") {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/RESULTS.md");
        std::fs::write(page, text).expect("the folder can be written");
    }
}

/// Measures a case. Returns its row of the table.
fn line(case: &Case, criterion: &mut Criterion, folder: &Path) -> String {
    let short = Laid::of(&(case.design)(case.iterations));
    let (timeline, bytes) = allocated(&short);
    let long = Laid::of(&(case.design)(case.iterations * LONGER));
    let (longer, more_bytes) = allocated(&long);
    let seconds = seconds(case.name, timeline.events, &short, criterion, folder);
    let rate = timeline.events as f64 / seconds / 1e6;
    let kernels = timeline.kernels.len();
    let (events, more) = (timeline.events, longer.events);
    format!(
        "| {} | {kernels} | {events} | {rate:.2} | {} | {more} | {} |",
        case.name,
        kib(bytes),
        kib(more_bytes)
    )
}

fn kib(bytes: usize) -> String {
    format!("{:.0}", bytes as f64 / 1024.0)
}

/// Processor time of a run, by criterion's median.
fn seconds(name: &str, events: u64, laid: &Laid, criterion: &mut Criterion, folder: &Path) -> f64 {
    let mut group = criterion.benchmark_group("events");
    group.throughput(Throughput::Elements(events));
    group.bench_function(name, |bencher: &mut Bencher<'_>| {
        bencher.iter_custom(|runs| {
            let start = processor_time();
            (0..runs).for_each(|_| drop(std::hint::black_box(timeline(laid))));
            processor_time().saturating_sub(start)
        });
    });
    group.finish();
    let file = folder.join("events").join(name).join("new/estimates.json");
    let text = std::fs::read_to_string(file).expect("criterion writes its estimates");
    let estimates: serde_json::Value = serde_json::from_str(&text).expect("criterion writes JSON");
    estimates["median"]["point_estimate"].as_f64().expect("a number of nanoseconds") / 1e9
}

fn timeline(laid: &Laid) -> Timeline {
    value(run(&laid.whole(), &TimingProfile::thesis(), &|_| ()))
}

/// A run, and the bytes that it allocates in all.
fn allocated(laid: &Laid) -> (Timeline, usize) {
    let before = MEMORY.total_allocated();
    let timeline = timeline(laid);
    (timeline, MEMORY.total_allocated() - before)
}

/// Processor time of this thread.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the system is Linux");
    let spent = status.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse().ok());
    Duration::from_nanos(spent.expect("a number of nanoseconds"))
}

/// A perfect binary tree of 63 ranks, with one call of the reduction in each iteration.
fn reduction(iterations: u32) -> Builder {
    let mut builder = Builder::new("tree", "xcvc1902");
    builder.kernels("worker", &[63], &[]).gmio_output("sum").reduce(Reduce::over(
        "total",
        &["worker"],
        int32(4),
    ));
    builder.connect("total.result", "sum").iterations(iterations);
    builder
}

/// 50 kernels in a line, each of which sends 64 words on through a stream.
fn pipeline(iterations: u32) -> Builder {
    let mut builder = Builder::new("pipeline", "xcvc1902");
    let flow = stream(Some(64));
    builder.carrying("first", &[], &[(Direction::Out, "y", flow)]).place("first", 0, 0);
    builder.carrying("stage", &[48], &[(Direction::In, "x", flow), (Direction::Out, "y", flow)]);
    builder.carrying("last", &[], &[(Direction::In, "x", flow)]).place("last", 49, 0);
    line_of(&mut builder, 48, |at| (1 + at, 0));
    builder.cycles("stage", 80).iterations(iterations);
    builder
}

/// 390 kernels in a line along the snake of the array, with windows between neighbours.
fn row(iterations: u32) -> Builder {
    let mut builder = Builder::new("row", "xcvc1902");
    let window = int32(16);
    builder.kernels("first", &[], &[output("y", window)]).place("first", 0, 0);
    builder.kernels("stage", &[388], &[input("x", window), output("y", window)]);
    builder.kernels("last", &[], &[input("x", window)]);
    let tile = |at: i64| if at / 50 % 2 == 0 { (at % 50, at / 50) } else { (49 - at % 50, at / 50) };
    line_of(&mut builder, 388, |at| tile(at + 1));
    let (column, row) = tile(389);
    builder.place("last", column, row).cycles("stage", 100).iterations(iterations);
    builder
}

/// Connects `first`, `stages` kernels `stage` and `last` in this order.
fn line_of(builder: &mut Builder, stages: i64, tile: impl Fn(i64) -> (i64, i64)) {
    builder.connect("first.y", "stage[0].x");
    for at in 0..stages {
        let next = if at + 1 < stages { format!("stage[{}].x", at + 1) } else { "last.x".to_owned() };
        let (column, row) = tile(at);
        builder.connect(&format!("stage[{at}].y"), &next).place(&format!("stage[{at}]"), column, row);
    }
}

fn table(lines: &[String]) -> String {
    let mut text = String::from(HEAD);
    lines.iter().for_each(|line| _ = writeln!(text, "{line}"));
    text
}

const HEAD: &str = "\
# The event model measured

Written by `cargo bench -p aiec_event_model_benches -- --write`, on one core. The rate is the median
of criterion in processor time. The time is that of a whole run with its preparation. `KiB` is what
a run allocates in all, so it holds at most as much at a time. The longer run has ten times the
iterations.

| design | kernels | events | million events a second | KiB | events of the longer run | KiB |
|---|---:|---:|---:|---:|---:|---:|
";
