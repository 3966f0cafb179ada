//! The memory of a run depends on the design, and not on the number of its events.

mod common;

use std::alloc::System;

use aiec_collectives::{Operation, Shape};
use aiec_event_model::{Timeline, run};
use aiec_ir::Direction;
use aiec_test_support::{Builder, Reduce, int32, stream};
use aiec_timing::TimingProfile;
use cap::Cap;
use common::laid::{Laid, value};

/// Counts allocated bytes.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes by which two runs may differ: a queue may double once more.
const SLACK: usize = 4096;

/// A run, and the bytes that it allocates in all.
fn allocated(builder: &Builder) -> (Timeline, usize) {
    let laid = Laid::of(builder);
    let before = MEMORY.total_allocated();
    let timeline = value(run(&laid.whole(), &TimingProfile::thesis(), &|_| ()));
    (timeline, MEMORY.total_allocated() - before)
}

/// Ranks that end each call together, and a pipeline of streams beside them.
fn design(iterations: u32) -> Builder {
    let mut builder = Builder::new("ranks", "xcvc1902");
    builder.kernels("rank", &[7], &[]).gmio_output("sum");
    builder.reduce(Reduce::over("total", &["rank"], int32(4)).calls(3));
    builder.reduce(Reduce::over("all", &["rank"], int32(4)).operation(Operation::Allreduce, Shape::Flat));
    let flow = stream(Some(16));
    builder.carrying("a", &[], &[(Direction::Out, "y", flow)]);
    builder.carrying("b", &[], &[(Direction::In, "x", flow)]);
    builder.connect("total.result", "sum").connect("a.y", "b.x").iterations(iterations);
    builder
}

#[test]
fn a_run_of_ten_times_the_events_takes_no_more_memory() {
    let (short, bytes) = allocated(&design(50));
    let (long, more) = allocated(&design(500));
    assert!(long.events > 9 * short.events, "{} and {} events", short.events, long.events);
    assert_eq!((long.collectives[0].calls, long.collectives[1].calls), (1500, 500));
    assert!(more <= bytes + SLACK, "{bytes} bytes, then {more}");
}
