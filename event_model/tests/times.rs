//! Simulations of small designs against times computed by hand, and of trees against the closed
//! form of the thesis.

mod common;

use std::cell::Cell;
use std::ops::RangeInclusive;

use aiec_collectives::{Operation, Shape};
use aiec_diag::{Diagnostic, Outcome};
use aiec_event_model::{Timeline, run};
use aiec_ir::{Buffering, Carries, Direction, Loops};
use aiec_router_model::{Estimate, estimate};
use aiec_test_support::{Builder, Reduce, input, int32, output, stream};
use aiec_timing::TimingProfile;
use common::laid::{Laid, value};

fn outcome(builder: &Builder) -> (Outcome<Timeline>, Estimate) {
    let laid = Laid::of(builder);
    let whole = laid.whole();
    let timeline = run(&whole, &TimingProfile::thesis(), &|_| ());
    (timeline, estimate(&whole))
}

fn timeline_of(builder: &Builder) -> Timeline {
    value(outcome(builder).0)
}

fn error(builder: &Builder) -> Diagnostic {
    let (value, mut diagnostics) = outcome(builder).0.into_parts();
    assert!(value.is_none());
    diagnostics.remove(0)
}

/// The cycle at which the first call of the first collective is done.
fn first_call(timeline: &Timeline) -> f64 {
    timeline.collectives[0].first.expect("it is done")
}

/// A chain of kernels `stage[0]`, ... in column 2 (or `apart` columns from each other), each
/// passing a window on.
fn chain(stages: i64, apart: i64, elements: u32, buffering: Buffering) -> Builder {
    let mut builder = Builder::new("chain", "xcvc1902");
    let window = int32(elements);
    builder.kernels("first", &[], &[output("y", window)]);
    builder.kernels("stage", &[stages as u32], &[input("x", window), output("y", window)]).gmio_output("out");
    builder.connect_with("first.y", "stage[0].x", buffering).place("first", 2, 0);
    for i in 0..stages {
        let next = if i + 1 < stages { format!("stage[{}].x", i + 1) } else { "out".to_owned() };
        builder.connect_with(&format!("stage[{i}].y"), &next, buffering);
        let (column, row) = if apart == 0 { (2, 1 + i) } else { (2 + apart * (i + 1), 0) };
        builder.place(&format!("stage[{i}]"), column, row);
    }
    builder
}

/// A perfect binary tree with loops that go element by element.
fn perfect_tree(levels: u32, elements: u32, calls: u32) -> Builder {
    let reduce = Reduce::over("total", &["worker"], int32(elements)).calls(calls).scalar();
    tree(levels, elements, reduce)
}

fn tree(levels: u32, elements: u32, reduce: Reduce) -> Builder {
    let mut builder = Builder::new("tree", "xcvc1902");
    builder.kernels("worker", &[(1 << levels) - 1], &[]).stack("worker", 4 * elements + 1024);
    builder.gmio_output("sum").reduce(reduce);
    builder.connect("total.result", "sum");
    builder
}

#[test]
fn a_window_in_shared_memory_takes_98_5_cycles_from_write_to_read() {
    // first: acquire 48, release 45; transit 98.5 - 93; stage[0]: had taken its output window
    // before, acquires x, 45 + 45 to release.
    let timeline = timeline_of(&chain(1, 0, 4, Buffering::Pingpong));
    let first = timeline.kernels[0].finished_at.expect("it is done");
    assert!((first - 93.0).abs() < 1e-9, "first is done at {first}");
    let stage = timeline.kernels[1].finished_at.expect("it is done");
    assert!((stage - (98.5 + 48.0 + 48.0 + 90.0)).abs() < 1e-9, "stage is done at {stage}");
    assert!((timeline.kernels[1].waiting_cycles - 98.5).abs() < 1e-9, "that is how long it waits");
    assert!((timeline.kernels[1].busy_cycles - 186.0).abs() < 1e-9, "two windows acquired and released");
}

#[test]
fn a_window_through_dma_takes_125_cycles_and_3_97_for_each_tile() {
    let timeline = timeline_of(&chain(1, 28, 4, Buffering::Pingpong));
    assert!((timeline.kernels[1].waiting_cycles - (125.0 + 3.97 * 28.0)).abs() < 0.011, "{timeline:#?}");
    let larger = timeline_of(&chain(1, 28, 1004, Buffering::Pingpong));
    let extra = larger.kernels[1].waiting_cycles - timeline.kernels[1].waiting_cycles;
    assert!((extra - 1000.0).abs() < 0.011, "1000 words more take 1000 cycles more, not {extra}");
}

#[test]
fn two_buffers_let_a_chain_run_faster_than_one() {
    let total = |buffering| {
        let mut builder = chain(4, 0, 64, buffering);
        builder.iterations(50);
        timeline_of(&builder).total_cycles
    };
    let (double, single) = (total(Buffering::Pingpong), total(Buffering::Single));
    assert!(double < single, "ping-pong {double}, single {single}");
}

#[test]
fn a_kernel_works_for_its_cycles_between_its_windows() {
    let total = |cycles, iterations| {
        let mut builder = chain(3, 0, 64, Buffering::Pingpong);
        builder.cycles("stage", cycles).iterations(iterations);
        timeline_of(&builder).total_cycles
    };
    let pace = |cycles| (total(cycles, 30) - total(cycles, 20)) / 10.0;
    assert_eq!(pace(500), 500.0 + 2.0 * (48.0 + 45.0), "own work, and two windows acquired and released");
    assert!(pace(0) < 250.0, "without own work the latency of the windows decides");
}

#[test]
fn the_words_of_a_stream_pass_while_a_kernel_works() {
    let pace = |cycles| {
        let total = |iterations| {
            let mut builder = Builder::new("line", "xcvc1902");
            let flow = stream(Some(64));
            builder.carrying("a", &[], &[(Direction::Out, "y", flow)]);
            builder.carrying("b", &[], &[(Direction::In, "x", flow)]);
            builder.connect("a.y", "b.x").cycles("b", cycles).iterations(iterations);
            timeline_of(&builder).total_cycles
        };
        (total(30) - total(20)) / 10.0
    };
    let wire = pace(10);
    assert!((64.0..100.0).contains(&wire), "a word a cycle, and the way of the block: {wire}");
    assert_eq!(pace(300), 300.0, "the kernel");
}

/// Cycles from one iteration to the next of kernels that each send 1000 words out of the array.
fn pace_of_outputs(ports: u32, bits: Option<u32>) -> f64 {
    let total = |iterations| {
        let mut builder = Builder::new("out", "xcvc1902");
        builder.kernels("a", &[ports], &[output("y", int32(1000))]);
        match bits {
            Some(bits) => builder.plio("o", &[ports], Direction::In, bits),
            None => builder.externals("o", &[ports], Direction::In, aiec_ir::design::Endpoint::GMIO),
        };
        (0..ports).for_each(|i| {
            builder.connect(&format!("a[{i}].y"), &format!("o[{i}]"));
        });
        builder.iterations(iterations);
        timeline_of(&builder).total_cycles
    };
    (total(30) - total(20)) / 10.0
}

#[test]
fn a_plio_moves_its_width_in_each_cycle_of_a_quarter_of_the_clock() {
    for (bits, cycles) in [(32, 4000.0), (64, 2000.0), (128, 1000.0)] {
        let pace = pace_of_outputs(1, Some(bits));
        assert!((pace - cycles).abs() < 1e-6, "{bits} bits: {pace}");
    }
}

#[test]
fn all_gmio_share_the_rate_of_global_memory() {
    assert!((pace_of_outputs(1, None) - 1000.0).abs() < 1e-6, "one keeps up with its stream");
    // 16 outputs of 4000 bytes at 15.6 bytes a cycle.
    let pace = pace_of_outputs(16, None);
    assert!((pace - 4103.0).abs() < 1.0, "{pace}");
}

#[test]
fn only_the_first_block_of_a_gmio_waits_for_the_first_access() {
    let mut builder = Builder::new("source", "xcvc1902");
    builder.kernels("sink", &[], &[input("x", int32(64))]).gmio_input("in").iterations(5);
    builder.connect("in", "sink.x");
    let laid = Laid::of(&builder);
    let total = |first_access| {
        let mut profile = TimingProfile::thesis();
        profile.memory.first_access = first_access;
        value(run(&laid.whole(), &profile, &|_| ())).total_cycles
    };
    assert!((total(340) - total(0) - 340.0).abs() < 1e-9, "{} after {}", total(340), total(0));
    let usual = value(run(&laid.whole(), &TimingProfile::thesis(), &|_| ())).total_cycles;
    assert!((usual - total(340)).abs() < 1e-9, "340 cycles were measured");
}

#[test]
fn durations_of_calls_are_kept_at_the_rank_that_counts() {
    let mut builder = perfect_tree(3, 64, 8);
    builder.iterations(2);
    let total = &timeline_of(&builder).collectives[0];
    let level = TimingProfile::thesis().level(Loops::of(int32(64), true, None), 2) as f64;
    // The first call of the second firing follows no other one.
    assert_eq!(total.durations.iter().map(|(_, calls)| calls).sum::<u64>(), 14, "{total:?}");
    assert!(total.durations.iter().all(|(cycles, _)| (cycles - level).abs() < 1e-9), "{total:?}");
    assert_eq!(total.first_duration, total.first, "all kernels start at cycle 0");
}

#[test]
fn calls_return_one_level_time_apart_once_the_tree_is_full() {
    let timeline = timeline_of(&perfect_tree(3, 64, 8));
    let total = &timeline.collectives[0];
    assert_eq!(total.calls, 8);
    let level = TimingProfile::thesis().level(Loops::of(int32(64), true, None), 2) as f64;
    let interval = total.interval_cycles.expect("there are several calls");
    assert!((interval - level).abs() < 1e-9, "interval {interval}, level {level}");
}

/// Levels of a tree, elements of a window, and the measured cycles of the first call: all rows of
/// Table 4.2 of the thesis.
const TABLE_4_2: [(u32, u32, f64); 17] = [
    (3, 4, 1246.5),
    (4, 4, 1783.5),
    (5, 4, 2247.5),
    (6, 4, 2780.0),
    (3, 8, 1949.0),
    (3, 16, 3408.0),
    (3, 32, 6344.0),
    (3, 64, 12_208.0),
    (3, 128, 23_907.0),
    (3, 256, 47_343.0),
    (3, 512, 94_189.0),
    (3, 1024, 189_946.5),
    (4, 1024, 276_165.5),
    (5, 1024, 362_667.5),
    (6, 1024, 449_123.0),
    (3, 2048, 379_373.0),
    (4, 2048, 551_618.5),
];

#[test]
#[ignore = "long: simulates many trees"]
fn the_first_call_of_a_small_tree_takes_the_measured_time() {
    first_call_takes_the_measured_time(3..=4);
}

#[test]
#[ignore = "long: places trees of 63 kernels"]
fn the_first_call_takes_the_measured_time() {
    first_call_takes_the_measured_time(5..=6);
}

/// The profile was fitted to the closed form (`84 n + 185` cycles a level). The timeline adds up
/// what there is to do instead: `83 n + 194.5` cycles a level through shared memory, and 10 at the
/// end for the root's releases of its inputs. With 4 elements the leaves are done before the
/// constant part of the next level, which adds 33.5 cycles.
///
/// From 1024 elements on each measured level takes a cycle per element more. That is the time of a
/// window on a stream: these windows did not go through shared memory, as they do here.
fn first_call_takes_the_measured_time(levels: RangeInclusive<u32>) {
    for (levels, elements, measured) in TABLE_4_2.into_iter().filter(|row| levels.contains(&row.0)) {
        let simulated = first_call(&timeline_of(&perfect_tree(levels, elements, 1)));
        let error = simulated / measured - 1.0;
        assert!(error.abs() < 0.03, "{levels} levels, {elements} elements: {simulated}, {error:.4}");
        let streams = if elements < 1024 { 0 } else { (levels - 1) * elements };
        let error = (simulated + f64::from(streams)) / measured - 1.0;
        assert!(elements < 8 || error.abs() < 0.004, "{levels} levels, {elements} elements: {error:.4}");
    }
}

#[test]
fn vector_loops_are_timed_alike_by_both_models() {
    // In larger windows the root passes its output on more slowly than it combines. The closed form
    // ignores this.
    for (levels, elements) in [(2, 4), (3, 64), (4, 256), (5, 256)] {
        let reduce = Reduce::over("total", &["worker"], int32(elements)).calls(8);
        let (timeline, estimate) = outcome(&tree(levels, elements, reduce));
        let (times, closed) = (&value(timeline).collectives[0], &estimate.collectives[0]);
        let ratio = times.first.expect("it is done") / closed.tree_cycles as f64;
        assert!((ratio - 1.0).abs() < 0.01, "{levels} levels, {elements} elements: {ratio}");
        let pace = times.interval_cycles.expect("there are several calls") / closed.level_cycles as f64;
        assert!((pace - 1.0).abs() < 0.05, "{levels} levels, {elements} elements: {pace}");
    }
}

#[test]
#[ignore = "long: times many designs"]
fn windows_that_find_a_free_buffer_are_timed_alike_by_both_models() {
    for (operation, shape) in [
        (Operation::Reduce, Shape::Tree(4)),
        (Operation::Broadcast, Shape::Tree(2)),
        (Operation::Allreduce, Shape::Tree(2)),
        (Operation::Allreduce, Shape::Ring),
        (Operation::Allreduce, Shape::Butterfly),
        (Operation::Gather, Shape::Chain),
    ] {
        let mut builder = Builder::new("design", "xcvc1902");
        builder.kernels("worker", &[4], &[]).stack("worker", 8192);
        builder.reduce(Reduce::over("total", &["worker"], int32(64)).operation(operation, shape));
        let (timeline, estimate) = outcome(&builder);
        let ratio = first_call(&value(timeline)) / estimate.collectives[0].call_cycles as f64;
        assert!((ratio - 1.0).abs() < 0.01, "{operation}, {shape:?}: {ratio}");
    }
}

#[test]
#[ignore = "long: times many designs"]
fn collectives_over_streams_are_timed_alike_by_both_models() {
    for operation in [Operation::Reduce, Operation::Broadcast, Operation::Gather, Operation::Scatter] {
        for elements in [16, 128, 1024] {
            let mut builder = Builder::new("design", "xcvc1902");
            builder.kernels("worker", &[4], &[]).stack("worker", 20_480);
            let streamed = Reduce::over("total", &["worker"], int32(elements));
            builder.reduce(streamed.operation(operation, Shape::Stream));
            let (timeline, estimate) = outcome(&builder);
            let (run, closed) = (first_call(&value(timeline)), &estimate.collectives[0]);
            let name = format!("{operation} of {elements} elements");
            assert_eq!(run, closed.call_cycles as f64, "{name}");
            assert!(closed.bound_cycles as f64 <= run, "{name}: the bound is above the run");
            // Four blocks pass at one word a cycle, behind the ways of the first words.
            assert!(run < f64::from(4 * elements) + 300.0, "{name}: {run} cycles");
        }
    }
}

#[test]
fn links_through_dma_add_a_cycle_per_element_and_level() {
    // The thesis had to add 1 cycle per element and level to fit its measurements (T_tree,element);
    // a stream carries one element a cycle.
    let mut builder = perfect_tree(3, 1024, 1);
    for i in 0..7 {
        builder.place(&format!("worker[{i}]"), 4 + 3 * i, 2);
    }
    let (far, estimate) = outcome(&builder);
    assert_eq!(estimate.collectives[0].routed_links, 6);
    let far = first_call(&value(far));
    let near = first_call(&timeline_of(&perfect_tree(3, 1024, 1)));
    let extra = far - near;
    assert!((2.0 * 1020.0..2.0 * 1024.0 + 300.0).contains(&extra), "{extra} cycles more at two levels");
    let ratio = far / estimate.collectives[0].tree_cycles as f64;
    assert!((ratio - 1.0).abs() < 0.005, "simulated / closed form = {ratio}");
}

#[test]
fn further_windows_of_a_call_follow_at_the_pace_of_a_level() {
    let mut builder = Builder::new("chunks", "xcvc1902");
    builder.kernels("worker", &[7], &[]).stack("worker", 4096).gmio_output("sum");
    builder
        .reduce(Reduce::over("total", &["worker"], int32(64)).data(int32(640)).calls(2).scalar())
        .connect("total.result", "sum");
    let (timeline, estimate) = outcome(&builder);
    let (timeline, total) = (value(timeline), &estimate.collectives[0]);
    let ratio = first_call(&timeline) / total.call_cycles as f64;
    assert!((ratio - 1.0).abs() < 0.02, "simulated / closed form = {ratio}");
    let ratio = timeline.collectives[0].last.expect("it is done") / total.total_cycles as f64;
    assert!((ratio - 1.0).abs() < 0.02, "simulated / closed form of both calls = {ratio}");
}

#[test]
fn inputs_and_outputs_of_the_array_keep_pace() {
    // A window takes 256 cycles on the stream, more than the kernel's 186 cycles of locks. A PLIO
    // of 64 bits at the default clock takes twice as long.
    for (bits, least, most) in [(128, 255.0, 275.0), (64, 512.0, 530.0)] {
        let window = int32(256);
        let mut builder = Builder::new("io", "xcvc1902");
        builder
            .plio_input("samples", bits)
            .kernels("k", &[], &[input("x", window), output("y", window)])
            .plio_output("out", bits);
        builder.connect("samples", "k.x").connect("k.y", "out").iterations(100);
        let per_firing = timeline_of(&builder).total_cycles / 100.0;
        assert!((least..most).contains(&per_firing), "{bits} bits: {per_firing} cycles per firing");
    }
}

#[test]
fn a_kernel_that_is_fed_too_few_windows_is_reported() {
    // Eight calls send eight windows in a run, but the consumer is assumed to take one per run.
    let mut builder = Builder::new("rates", "toy");
    builder.kernels("worker", &[3], &[]).kernels(
        "sink",
        &[],
        &[input("x", int32(16)), output("y", int32(16))],
    );
    builder.gmio_output("out").reduce(Reduce::over("total", &["worker"], int32(16)).calls(8).scalar());
    builder.connect("total.result", "async sink.x").connect("sink.y", "out");
    let diagnostic = error(&builder);
    assert_eq!(diagnostic.code.slug, "sim/deadlock");
    assert!(diagnostic.message.contains("waits for room at `sink.x`"), "{}", diagnostic.message);
    assert!(!diagnostic.labels.is_empty());
}

#[test]
fn collectives_that_wait_for_each_other_through_user_windows_are_reported() {
    // b hands its window on only when it returns, and it cannot return before a has taken part in
    // the collective; but a waits for the window first.
    let window = int32(16);
    let mut builder = Builder::new("knot", "toy");
    builder
        .kernels("a", &[], &[input("x", window)])
        .kernels("b", &[], &[output("y", window)])
        .gmio_output("sum");
    builder
        .connect("b.y", "async a.x")
        .reduce(Reduce::over("total", &["b", "a"], window))
        .connect("total.result", "sum");
    let diagnostic = error(&builder);
    assert_eq!(diagnostic.code.slug, "sim/deadlock");
    assert!(diagnostic.message.contains("in a cycle"), "{}", diagnostic.message);
    for port in ["`b.y`", "`a.total_out0`"] {
        assert!(diagnostic.message.contains(port), "{}", diagnostic.message);
    }
}

#[test]
fn the_same_design_gives_the_same_run() {
    let builder = perfect_tree(4, 32, 5);
    assert_eq!(timeline_of(&builder), timeline_of(&builder));
}

/// `w[0]` to `w[2]` along the cascade, 64 integers, the constants of the built-in profile: 16
/// vectors, 16 cycles from rank to rank.
fn cascade() -> Builder {
    let mut builder = Builder::new("chain", "toy");
    builder.kernels("w", &[3], &[]);
    let total = Reduce::over("total", &["w"], int32(64)).root("w[2]").calls(2);
    builder.reduce(total.operation(Operation::Reduce, Shape::Cascade));
    builder
}

#[test]
fn along_the_cascade_all_ranks_are_busy_at_once() {
    let (timeline, estimate) = outcome(&cascade());
    let timeline = value(timeline);
    assert_eq!(
        (timeline.collectives[0].first, timeline.collectives[0].last),
        (Some(64.0), Some(96.0)),
        "16 vectors and 3 ranks; then 16 vectors and 1"
    );
    assert_eq!(timeline.kernels[2].busy_cycles, 32.0);
    assert_eq!((estimate.collectives[0].call_cycles, estimate.collectives[0].total_cycles), (64, 96));
    assert_eq!(estimate.collectives[0].bound_cycles, 16 + 2, "384 bits a cycle");
}

#[test]
fn a_late_rank_holds_up_the_whole_cascade() {
    let mut builder = Builder::new("chain", "toy");
    builder.kernels("w", &[2], &[]).kernels("late", &[], &[input("x", int32(250))]).gmio_input("a");
    builder.connect("a", "late.x");
    let total = Reduce::over("total", &["w", "late"], int32(64)).root("late");
    builder.reduce(total.operation(Operation::Reduce, Shape::Cascade));
    let timeline = timeline_of(&builder);
    let waits = timeline.kernels[0].waiting_cycles;
    assert!(waits > 250.0, "the window alone takes 250 cycles, the first rank waits {waits}");
    assert!(first_call(&timeline) > 250.0 + 16.0);
}

/// A barrier whose signals are merged into packets at `w[0]`.
fn merged(ranks: u32, calls: u32) -> Builder {
    let mut builder = Builder::new("merged", "xcvc1902");
    builder.kernels("w", &[ranks], &[]);
    builder.reduce(
        Reduce::over("done", &["w"], int32(4)).calls(calls).operation(Operation::Barrier, Shape::Merge),
    );
    builder
}

#[test]
fn the_root_of_a_merge_reads_five_words_of_each_packet_and_locks_no_window_for_it() {
    for ranks in [2, 16] {
        let timeline = timeline_of(&merged(ranks, 3));
        let packets = 5.0 * f64::from(ranks - 1);
        // The answer: a window acquired, filled in a cycle and released.
        assert_eq!(timeline.kernels[0].busy_cycles, 3.0 * (packets + 48.0 + 1.0 + 45.0), "{ranks} ranks");
        assert_eq!(timeline.collectives[0].calls, 3);
    }
}

#[test]
fn packets_get_to_the_root_of_a_merge_one_after_the_other() {
    let root = &timeline_of(&merged(6, 1)).kernels[0];
    let done = root.finished_at.expect("it is done");
    assert!(root.waiting_cycles > 94.0, "nothing comes before a sender has filled and released its window");
    assert!(done >= 94.0 + 5.0 * 5.0 + 94.0, "five packets of five words, and the answer: {done}");
}

/// Blocks of `windows` windows of 64 bytes each that arrive at `w[0]` as packets.
fn merged_blocks(operation: Operation, ranks: u32, windows: u32, calls: u32) -> Builder {
    let mut builder = Builder::new("merged", "xcvc1902");
    builder.kernels("w", &[ranks], &[]).stack("w", 16 << 10);
    let total = Reduce::over("total", &["w"], int32(16)).data(int32(16 * windows));
    builder.reduce(total.calls(calls).operation(operation, Shape::Merge));
    builder
}

#[test]
fn the_root_of_a_merge_reads_a_word_a_cycle_of_each_packet() {
    for (ranks, windows) in [(2, 1), (9, 5), (33, 2)] {
        let timeline = timeline_of(&merged_blocks(Operation::Reduce, ranks, windows, 2));
        let packets = f64::from((ranks - 1) * windows) * (1.0 + 16.0);
        // Before them the signal: a window acquired, filled in a cycle and released.
        assert_eq!(timeline.kernels[0].busy_cycles, 2.0 * (packets + 48.0 + 1.0 + 45.0), "{ranks} ranks");
        assert_eq!(timeline.collectives[0].calls, 2);
    }
}

#[test]
fn ranks_wait_with_their_packets_for_a_root_that_is_late() {
    let mut builder = Builder::new("late", "xcvc1902");
    builder.kernels("w", &[3], &[]).kernels("late", &[], &[input("x", int32(1000))]).gmio_input("a");
    builder.connect("a", "late.x");
    let total = Reduce::over("total", &["w", "late"], int32(64)).root("late");
    builder.reduce(total.operation(Operation::Reduce, Shape::Merge));
    let timeline = timeline_of(&builder);
    for rank in &timeline.kernels.iter().collect::<Vec<_>>()[..3] {
        assert!(rank.waiting_cycles > 1000.0, "the root's data alone takes 1000 cycles: {rank:?}");
    }
}

#[test]
#[ignore = "long: runs merges of many ranks"]
fn the_estimate_of_a_merge_lacks_no_more_than_the_latencies_of_its_way() {
    let barriers = [3, 33].map(|ranks| merged(ranks, 1)).into_iter();
    let moving = [Operation::Reduce, Operation::Gather, Operation::Allreduce, Operation::Allgather];
    let sizes = [(3, 1), (8, 6), (33, 2)];
    let blocks = moving
        .into_iter()
        .flat_map(|operation| sizes.map(|(ranks, windows)| merged_blocks(operation, ranks, windows, 1)));
    for builder in barriers.chain(blocks) {
        let (timeline, estimate) = outcome(&builder);
        let (first, estimate) = (first_call(&value(timeline)), &estimate.collectives[0]);
        let least = estimate.call_cycles as f64;
        let most = least + estimate.path_latency_cycles;
        let what = format!("{} ranks, {} windows", estimate.routed_links, estimate.chunks);
        assert!((least..=most).contains(&first), "{what}: {first} is not from {least} to {most}");
        assert!(estimate.bound_cycles as f64 <= first, "{what}");
    }
}

/// Two kernels that send each other a stream of `elements` and end with a window.
fn exchange(elements: u32) -> Builder {
    let (flow, window) = (stream(Some(elements)), Carries::window_of(int32(16)));
    let mut builder = Builder::new("exchange", "toy");
    for (name, out) in [("a", "first"), ("b", "second")] {
        let ports = [(Direction::In, "x", flow), (Direction::Out, "y", flow), (Direction::Out, "w", window)];
        builder.carrying(name, &[], &ports).gmio_output(out);
        builder.connect(&format!("{name}.w"), out);
    }
    builder.connect("a.y", "b.x").connect("b.y", "a.x").iterations(5);
    builder
}

#[test]
fn kernels_that_exchange_streams_do_not_stop() {
    // Reads and writes of a firing proceed together, a word per cycle: five firings of 4 words take
    // at least 20 cycles, of 8 words 40.
    for elements in [4, 8] {
        let timeline = timeline_of(&exchange(elements));
        assert!(timeline.kernels.iter().all(|kernel| kernel.finished_at.is_some()), "{timeline:#?}");
        assert!(timeline.total_cycles >= f64::from(5 * elements), "{timeline:#?}");
    }
}

#[test]
fn a_run_reports_its_firings() {
    let mut builder = perfect_tree(3, 4, 1);
    builder.iterations(2000);
    let laid = Laid::of(&builder);
    let latest = Cell::new((0, 0));
    let timeline = run(&laid.whole(), &TimingProfile::thesis(), &|progress| {
        let (fired, reports) = latest.get();
        assert!(fired <= progress.fired && progress.fired <= progress.firings);
        assert_eq!(progress.firings, 7 * 2000, "seven ranks");
        latest.set((progress.fired, reports + 1));
    });
    let (fired, reports) = latest.get();
    assert_eq!(reports, value(timeline).events / 100_000);
    assert!(fired > 7 * 1000, "the last report is near the end: {fired}");
}

#[test]
fn ranks_of_a_barrier_enter_before_the_last_one_and_leave_after_it() {
    let mut builder = Builder::new("late", "toy");
    builder.kernels("w", &[3], &[]).kernels("late", &[], &[input("x", int32(250))]).gmio_input("a");
    builder.connect("a", "late.x");
    let done = Reduce::over("done", &["w", "late"], int32(4)).calls(2);
    builder.reduce(done.operation(Operation::Barrier, Shape::Dissemination));
    let times = &timeline_of(&builder).collectives[0];
    let spread = times.spread.as_ref().expect("a barrier has it");
    let count = |times: &[(f64, u64)]| times.iter().map(|(_, count)| count).sum::<u64>();
    assert_eq!((count(&spread.entered), count(&spread.left)), (8, 8), "four ranks, two calls");
    assert_eq!(spread.entered[0].0, 0.0, "the last rank waits for nobody");
    let (longest, ranks) = spread.entered[spread.entered.len() - 1];
    assert!(longest > 250.0 && ranks == 3, "the window of the late rank takes 250 cycles: {spread:?}");
    assert!(spread.left[0].0 > 0.0, "nobody leaves before all have come: {spread:?}");
    let slowest = spread.left[spread.left.len() - 1].0;
    assert_eq!(Some(longest + slowest), times.first, "the others have come at cycle 0: {spread:?}");
    assert_eq!(timeline_of(&perfect_tree(3, 64, 8)).collectives[0].spread, None, "its root has the result");
}
