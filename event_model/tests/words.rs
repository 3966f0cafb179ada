//! When the words of streams and cascades come, beside the work of the kernels at their ends.

mod common;

use aiec_event_model::{floors, run};
use aiec_ir::{Accumulator, Carries, CascadeType, Direction, ElementType, Flow};
use aiec_test_support::{Builder, input, int32, output, stream};
use aiec_timing::TimingProfile;
use common::laid::{Laid, value};

/// Cycles of a run. No floor is above them.
fn total(builder: &Builder) -> f64 {
    let laid = Laid::of(builder);
    let (whole, profile) = (laid.whole(), TimingProfile::thesis());
    let total = value(run(&whole, &profile, &|_| ())).total_cycles;
    let floors = floors(&whole, &profile, &|_| ()).expect("the run ends");
    for floor in floors.all() {
        assert!(floor.cycles <= total + 0.011, "{}: {} of {total}", floor.holds, floor.cycles);
    }
    total
}

/// Kernels `a` and `b` with `flow` from the first to the second, which take these cycles.
fn pair(flow: Carries, cycles: [u32; 2]) -> Builder {
    let mut builder = Builder::new("pair", "xcvc1902");
    builder.carrying("a", &[], &[(Direction::Out, "y", flow)]);
    builder.carrying("b", &[], &[(Direction::In, "x", flow)]);
    builder.connect("a.y", "b.x").cycles("a", cycles[0]).cycles("b", cycles[1]);
    builder
}

#[test]
fn a_reader_works_from_the_first_word_and_ends_after_the_last() {
    let way = total(&pair(stream(Some(64)), [0, 0]));
    let late = total(&pair(stream(Some(64)), [5000, 64]));
    assert!((5000.0..5000.0 + way).contains(&late), "the last word leaves after 5000 cycles: {late}");
    let slow = total(&pair(stream(Some(64)), [64, 5000]));
    assert!((5000.0..5000.0 + way).contains(&slow), "both work at once: {slow}");
}

#[test]
fn the_work_of_a_chain_of_streams_begins_with_its_first_word() {
    let mut chain = Builder::new("chain", "xcvc1902");
    let flow = stream(Some(64));
    chain.kernels("first", &[], &[output("y", int32(64))]).cycles("first", 2000);
    chain.carrying(
        "a",
        &[],
        &[(Direction::In, "x", Carries::window_of(int32(64))), (Direction::Out, "y", flow)],
    );
    chain.carrying(
        "b",
        &[],
        &[(Direction::In, "x", flow), (Direction::Out, "y", Carries::window_of(int32(64)))],
    );
    chain.kernels("last", &[], &[input("x", int32(64))]).cycles("last", 2000);
    chain.connect("first.y", "a.x").connect("a.y", "b.x").connect("b.y", "last.x");
    chain.cycles("a", 64).cycles("b", 3000);
    let cycles = total(&chain);
    assert!((7000.0..7700.0).contains(&cycles), "2000, the first word, 3000, and 2000: {cycles}");
}

#[test]
fn the_reader_of_a_cascade_ends_after_the_kernel_that_writes_it() {
    let flow = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
    let cycles = total(&pair(flow, [2000, 64]));
    assert!((2000.0..2500.0).contains(&cycles), "{cycles}");
}

/// Two kernels that read each other's words: which of them writes before it reads is not known.
#[test]
fn kernels_that_exchange_words_run_at_once() {
    let mut ring = Builder::new("ring", "xcvc1902");
    let flow = stream(Some(64));
    for kernel in ["a", "b"] {
        ring.carrying(kernel, &[], &[(Direction::In, "x", flow), (Direction::Out, "y", flow)]);
        ring.cycles(kernel, 1000);
    }
    ring.connect("a.y", "b.x").connect("b.y", "a.x");
    let cycles = total(&ring);
    assert!((1000.0..1200.0).contains(&cycles), "{cycles}");
}

/// A firing of the slow kernel reads the words of four firings of the fast one.
#[test]
fn words_of_several_firings_come_one_after_the_other() {
    let mut rates = Builder::new("rates", "xcvc1902");
    rates.carrying("a", &[], &[(Direction::Out, "y", stream(Some(16)))]);
    rates.carrying("b", &[], &[(Direction::In, "x", stream(Some(64)))]);
    rates.connect("a.y", "b.x").cycles("a", 500).cycles("b", 100).iterations(3);
    let cycles = total(&rates);
    assert!((6000.0..6300.0).contains(&cycles), "twelve firings of `a`: {cycles}");
}

/// A kernel that writes `writer` elements as packets in a run, of 16 in an iteration, and two
/// workers behind a split, which take four elements in a run.
fn split(writer: u32) -> Builder {
    let packets = Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(writer) });
    let mut builder = Builder::new("dealt", "xcvc1902");
    builder.kernels("first", &[], &[output("y", int32(16))]).cycles("first", 100);
    let window = Carries::window_of(int32(writer));
    builder.carrying("s", &[], &[(Direction::In, "x", window), (Direction::Out, "p", packets)]);
    builder.kernels("a", &[], &[input("x", int32(4)), output("y", int32(4))]);
    builder.kernels("b", &[], &[input("x", int32(4)), output("y", int32(4))]);
    builder.kernels("last", &[], &[input("x", int32(8)), input("y", int32(8))]);
    builder.connect("first.y", "s.x").split("s.p", &["a.x", "b.x"]);
    builder.connect("a.y", "last.x").connect("b.y", "last.y");
    builder.cycles("s", 100).cycles("a", 1000).cycles("b", 1000).cycles("last", 10).iterations(3);
    builder
}

#[test]
fn workers_behind_a_split_run_several_times_in_an_iteration() {
    for writer in [16, 8, 4] {
        let cycles = total(&split(writer));
        assert!(
            (6000.0..8000.0).contains(&cycles),
            "six runs of a worker with its locks: {cycles}, {writer}"
        );
    }
}

/// Each sender locks two windows in a run, and the reader of the merge reads all four packets.
#[test]
fn each_window_of_a_run_is_a_packet_of_a_merge() {
    let packets = Carries::Packets(Flow { element: ElementType::Int32, per_run: Some(32) });
    let mut builder = Builder::new("merged", "xcvc1902");
    builder.kernels("a", &[], &[output("y", int32(8))]).kernels("b", &[], &[output("y", int32(8))]);
    builder.carrying("c", &[], &[(Direction::In, "p", packets)]);
    builder.merge(&["async a.y windows 2", "async b.y windows 2"], "c.p");
    builder.cycles("a", 1000).cycles("b", 1000).cycles("c", 10).iterations(5);
    let cycles = total(&builder);
    assert!((5000.0..7000.0).contains(&cycles), "five runs of a sender: {cycles}");
}
