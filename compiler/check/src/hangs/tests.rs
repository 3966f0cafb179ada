//! Hand-made hangs, and random graphs against a simulator that moves single words.

mod parameters;

use aiec_collectives::Direction::{In, Out};
use aiec_collectives::ElementType;
use aiec_ir::expanded::Expanded;
use aiec_ir::{Carries, Flow, ParameterType};
use aiec_test_support::{Builder, input, int32, output, stream};
use proptest::prelude::*;

use super::random::{Edge, Words, builder, finishes, graph};
use crate::context::Context;
use crate::testing::{packets, rendered, slugs_on_toy, toy, window, words};

/// `a` sends a stream to `b` and `c`, and `c` also takes the window of `b` before it starts.
fn reconvergence(elements: u32, fifo: u32) -> Builder {
    let mut builder = Builder::new("again", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(elements)), (Out, "y", words(elements))]);
    builder.carrying("b", &[], &[(In, "x", words(elements)), (Out, "y", window(elements))]);
    let ports = [(In, "late", window(elements)), (In, "s", words(elements)), (Out, "y", window(elements))];
    builder.carrying("c", &[], &ports);
    builder.connect("i", "a.x").connect("a.y", "b.x").connect("a.y", "c.s").fifo(fifo);
    builder.connect("b.y", "c.late").connect("c.y", "o");
    builder
}

#[test]
fn a_multicast_whose_branches_meet_again_needs_a_fifo() {
    assert_eq!(slugs_on_toy(&reconvergence(512, 0)), ["check/stream-hang"]);
    let text = rendered(&reconvergence(512, 0), &toy());
    assert!(text.contains("`fifo 504` on the connection `a.y -> c.s`"), "{text}");
    assert!(text.contains("which a.y cannot send before c reads c.s"), "{text}");
    assert_eq!(slugs_on_toy(&reconvergence(512, 504)), [""; 0]);
    assert_eq!(slugs_on_toy(&reconvergence(512, 503)), ["check/may-hang"], "a long way would help");
}

#[test]
fn few_words_fit_between_the_ends_of_a_stream() {
    assert_eq!(slugs_on_toy(&reconvergence(8, 0)), [""; 0]);
    assert_eq!(slugs_on_toy(&reconvergence(9, 0)), ["check/may-hang"]);
    let most = 8 * (6 + 4);
    assert_eq!(slugs_on_toy(&reconvergence(most, 0)), ["check/may-hang"]);
    assert_eq!(slugs_on_toy(&reconvergence(most + 1, 0)), ["check/stream-hang"]);
}

#[test]
fn unknown_amounts_have_no_verdict() {
    let mut builder = Builder::new("again", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(512)), (Out, "y", stream(None))]);
    builder.carrying("b", &[], &[(In, "x", stream(None)), (Out, "y", window(512))]);
    builder.carrying(
        "c",
        &[],
        &[(In, "late", window(512)), (In, "s", stream(None)), (Out, "y", window(512))],
    );
    builder.connect("i", "a.x").connect("a.y", "b.x").connect("a.y", "c.s");
    builder.connect("b.y", "c.late").connect("c.y", "o");
    assert_eq!(slugs_on_toy(&builder), [""; 0]);
}

/// `a` and `b` send each other streams. `a` takes a window, and `b` gives one.
fn ring(start: Carries) -> Builder {
    let mut builder = Builder::new("ring", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(64)), (In, "back", start), (Out, "y", words(64))]);
    builder.carrying("b", &[], &[(In, "x", words(64)), (Out, "y", window(64)), (Out, "back", start)]);
    builder.connect("i", "a.x").connect("a.y", "b.x").connect("b.back", "a.back").connect("b.y", "o");
    builder
}

#[test]
fn a_ring_hangs_unless_a_kernel_can_write_before_it_reads() {
    assert_eq!(slugs_on_toy(&ring(words(64))), [""; 0], "one of the kernels writes first");
    assert_eq!(slugs_on_toy(&ring(window(64))), ["check/stream-hang"], "a window comes at the end");
    assert_eq!(slugs_on_toy(&ring(stream(None))), [""; 0]);
}

#[test]
fn an_input_that_several_kernels_read_waits_for_all_of_them() {
    let design = |fifo: u32| {
        let mut builder = Builder::new("input", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("b", &[], &[(In, "x", words(256)), (Out, "y", window(256))]);
        let ports = [(In, "late", window(256)), (In, "s", words(256)), (Out, "y", window(256))];
        builder.carrying("c", &[], &ports);
        builder.connect("i", "b.x").connect("i", "c.s").fifo(fifo);
        builder.connect("b.y", "c.late").connect("c.y", "o");
        slugs_on_toy(&builder)
    };
    assert_eq!((design(0), design(248)), (vec!["check/stream-hang"], vec![]));
}

#[test]
fn kernels_at_other_rates_go_on() {
    let mut builder = Builder::new("rates", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "y", window(192))]);
    builder.carrying("b", &[], &[(In, "x", window(128)), (Out, "y", words(32))]);
    builder.carrying("c", &[], &[(In, "x", words(16)), (Out, "y", window(16))]);
    builder.connect("i", "a.x").connect("a.y", "b.x").connect("b.y", "c.x").connect("c.y", "o");
    assert_eq!(slugs_on_toy(&builder), [""; 0]);
}

// --- packets ---

/// Packets from `deal` to two sinks, each with a window that `deal` gives at its end.
fn late_sinks(given: Carries, taken: Carries) -> Builder {
    let mut builder = Builder::new("sinks", "toy");
    builder.gmio_input("i").gmio_output("o").gmio_output("p");
    builder.carrying("deal", &[], &[(In, "x", window(16)), (Out, "y", given), (Out, "last", window(4))]);
    builder.carrying("sink", &[2], &[(In, "x", taken), (In, "last", window(4)), (Out, "y", window(16))]);
    builder.connect("i", "deal.x").split("deal.y", &["sink[0].x", "sink[1].x"]);
    builder.connect("deal.last", "sink[0].last").connect("deal.last", "sink[1].last");
    builder.connect("sink[0].y", "o").connect("sink[1].y", "p");
    builder
}

#[test]
fn a_kernel_that_takes_its_last_window_before_its_packets_needs_room_for_all_of_them() {
    let slugs = |each: u32| slugs_on_toy(&late_sinks(packets(2 * each), packets(each)));
    assert_eq!(slugs(7), [""; 0], "a header and seven words");
    assert_eq!(slugs(8), ["check/may-hang"]);
    let most = 8 * (6 + 4);
    assert_eq!(slugs(most - 1), ["check/may-hang"], "each branch may hold as much as the longest way");
    assert_eq!(slugs(most), ["check/stream-hang"]);
    let text = rendered(&late_sinks(packets(400), packets(200)), &toy());
    assert!(text.contains("and packets follow each other"), "{text}");
    assert!(text.contains("deal cannot send a packet of deal.y before sink[0] or another branch"), "{text}");
    assert!(text.contains("sink[0] waits for data at sink[0].last, of deal"), "{text}");
    assert!(text.contains("no depth of a FIFO was found that helps"), "{text}");
}

#[test]
fn unknown_amounts_of_packets_have_no_verdict() {
    let unknown = Carries::Packets(Flow { element: ElementType::Int32, per_run: None });
    assert_eq!(slugs_on_toy(&late_sinks(unknown, packets(200))), [""; 0]);
    assert_eq!(slugs_on_toy(&late_sinks(packets(400), unknown)), [""; 0]);
    let counts_headers = late_sinks(packets(402), packets(200));
    assert_eq!(slugs_on_toy(&counts_headers), ["check/rate-mismatch"], "amounts are without headers");
}

/// `deal` sends packets to two workers and `collect` takes their answers. `collect` gives back what
/// `deal` takes.
fn ring_of_packets(back: Carries) -> Builder {
    let mut builder = Builder::new("fan", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("deal", &[], &[(In, "x", window(16)), (In, "back", back), (Out, "y", packets(128))]);
    builder.kernels("w", &[2], &[input("x", int32(64)), output("y", int32(64))]);
    let ports = [(In, "x", packets(128)), (Out, "back", back), (Out, "y", window(16))];
    builder.carrying("collect", &[], &ports);
    builder.connect("i", "deal.x").split("deal.y", &["w[0].x", "w[1].x"]);
    builder.merge(&["w[0].y", "w[1].y"], "collect.x").connect("collect.y", "o");
    builder.connect("collect.back", "deal.back");
    builder
}

#[test]
fn a_ring_over_a_split_and_a_merge_hangs_if_a_window_closes_it() {
    assert_eq!(slugs_on_toy(&ring_of_packets(window(4))), ["check/stream-hang"]);
    let text = rendered(&ring_of_packets(window(4)), &toy());
    for wait in [
        "deal waits for data at deal.back, of collect",
        "collect waits for a packet at collect.x, of w[0] or another branch",
        "w[0] waits for a packet at w[0].x, of deal",
    ] {
        assert!(text.contains(wait), "{text}");
    }
    assert_eq!(slugs_on_toy(&ring_of_packets(stream(None))), [""; 0], "deal may write first");
}

/// `a` gives one window to a merge, after `b` has given four to the merge and four to `a`.
fn turns(branches: [&str; 2], ordered: bool) -> Builder {
    let mut builder = Builder::new("turns", "toy");
    builder.gmio_input("j").gmio_output("o");
    builder.kernels("a", &[], &[input("four", int32(16)), output("y", int32(16))]);
    builder.kernels("b", &[], &[input("x", int32(16)), output("y", int32(16)), output("z", int32(4))]);
    builder.carrying("c", &[], &[(In, "x", packets(80)), (Out, "y", window(80))]);
    builder.connect("j", "b.x").connect("b.z", "a.four").connect("c.y", "o");
    if ordered {
        builder.merge_ordered(&branches, "c.x")
    } else {
        builder.merge(&branches, "c.x")
    };
    builder
}

#[test]
fn packets_that_wait_for_their_turn_hang_in_an_ordered_merge_alone() {
    for branches in [["a.y", "b.y"], ["b.y", "a.y"]] {
        assert_eq!(slugs_on_toy(&turns(branches, false)), [""; 0]);
        assert_eq!(slugs_on_toy(&turns(branches, true)), ["check/stream-hang"], "{branches:?}");
    }
    let text = rendered(&turns(["a.y", "b.y"], true), &toy());
    assert!(text.contains("b cannot send b.y before a sends a.y, whose packet comes first"), "{text}");
    assert!(text.contains("a waits for data at a.four, of b"), "{text}");
}

#[test]
fn the_branches_of_an_ordered_merge_send_equally_many_packets() {
    let join = |runs: u32, ordered: bool| {
        let mut builder = Builder::new("join", "toy");
        builder.gmio_input("i").gmio_input("j").gmio_output("o");
        builder.kernels("a", &[], &[input("x", int32(8)), output("y", int32(8))]);
        builder.kernels("b", &[], &[input("x", int32(8)), output("y", int32(8))]);
        builder.kernels("half", &[], &[input("x", int32(8)), output("y", int32(8 * runs))]);
        let words = 8 + 8 * runs;
        builder.carrying("c", &[], &[(In, "x", packets(words)), (Out, "y", window(words))]);
        builder.connect("i", "a.x").connect("j", "half.x").connect("half.y", "b.x").connect("c.y", "o");
        if ordered {
            builder.merge_ordered(&["a.y", "b.y"], "c.x")
        } else {
            builder.merge(&["a.y", "b.y"], "c.x")
        };
        slugs_on_toy(&builder)
    };
    assert_eq!(join(1, true), [""; 0]);
    assert_eq!(join(2, false), [""; 0]);
    assert_eq!(join(2, true), ["check/rate-mismatch"]);
}

/// Designs with verdicts of boards (mlir-aie, `create-packet-flows/nightly`) that say: only streams
/// on one arbiter hang. The check knows no arbiters, and the router keeps these streams apart.
#[test]
fn designs_that_hang_on_common_arbiters_alone_pass() {
    let mut join = Builder::new("join", "toy");
    join.gmio_input("i").gmio_input("j").gmio_output("o");
    join.carrying("a", &[], &[(In, "x", window(256)), (Out, "y", packets(256))]);
    join.carrying("b", &[], &[(In, "x", window(256)), (Out, "y", packets(256))]);
    join.kernels("c", &[], &[input("a", int32(256)), input("b", int32(256)), output("y", int32(256))]);
    join.connect("i", "a.x").connect("j", "b.x").connect("c.y", "o");
    join.split("a.y", &["c.a"]).split("b.y", &["c.b"]);
    assert_eq!(slugs_on_toy(&join), [""; 0], "a core takes two streams in step");
    let mut pipe = Builder::new("pipe", "toy");
    pipe.gmio_input("i").gmio_output("o");
    pipe.carrying("a", &[], &[(In, "x", window(256)), (Out, "y", packets(256))]);
    pipe.carrying("b", &[], &[(In, "x", window(256)), (Out, "y", packets(256))]);
    pipe.kernels("c", &[], &[input("x", int32(256)), output("y", int32(256))]);
    pipe.connect("i", "a.x").split("a.y", &["b.x"]).split("b.y", &["c.x"]).connect("c.y", "o");
    assert_eq!(slugs_on_toy(&pipe), [""; 0], "into a core and out of it");
}

// --- random graphs ---

fn build(graph: &(Vec<Edge>, Vec<u32>, bool)) -> Expanded {
    builder(graph).expanded().expect("every name is declared")
}

fn agrees(graph: &(Vec<Edge>, Vec<u32>, bool)) -> Result<(), TestCaseError> {
    let (design, device) = (build(graph), toy());
    let found = super::check(&Context::new(&design, &device));
    let slugs: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.slug).collect();
    let most = device.switch.hop_words * u32::from(device.columns + device.rows);
    if slugs.contains(&"check/stream-hang") {
        for seed in 0..8 {
            prop_assert!(!finishes(&design, most, Words::Drawn(seed), false), "an order finishes: {found:?}");
        }
    } else if slugs.is_empty() && super::concerns(&Context::new(&design, &device)) {
        let steps = [Words::ReadsFirst, Words::WritesFirst];
        prop_assert!(steps.iter().any(|&order| finishes(&design, 8, order, true)), "it stops: {graph:?}");
        super::order_tests::serves_every_order(design)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn verdicts_hold_in_a_run_word_by_word(graph in graph()) {
        agrees(&graph)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    #[ignore = "long: 512 random graphs"]
    fn verdicts_of_many_graphs_hold_in_a_run_word_by_word(graph in graph()) {
        agrees(&graph)?;
    }
}
