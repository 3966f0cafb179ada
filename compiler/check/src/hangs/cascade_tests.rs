//! Cascades beside streams and windows: hand-made designs, and random graphs against a simulator
//! that moves single words and vectors.

use aiec_collectives::Direction::{In, Out};
use aiec_diag::Spanned;
use aiec_ir::ConnectionId;
use aiec_ir::design::Language;
use aiec_ir::expanded::Expanded;
use aiec_test_support::Builder;
use proptest::prelude::*;

use super::random::{Edge, KERNELS, SUMS, Wires, Words, finishes_with, graph, sources, with_cascades};
use crate::context::Context;
use crate::open_orders;
use crate::orders::OpenOrder;
use crate::testing::{rendered, slugs_on_toy, toy, window, words};

/// The FIFOs that serve every order in which no cascade is full.
fn fifos(builder: &Builder) -> Vec<(String, Option<u64>)> {
    assert_eq!(slugs_on_toy(builder), [""; 0], "an order in which it finishes is no fault");
    let design = builder.expanded().expect("every name is declared");
    let ways = super::in_step(&Context::new(&design, &toy()));
    ways.iter().map(|way| (design.connection_name(way.connection), way.words)).collect()
}

/// `a` gives `b` a cascade, and a stream over `t`.
fn over_a_third(fifos: [u32; 2]) -> Builder {
    let mut builder = Builder::new("third", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "c", SUMS), (Out, "s", words(64))]);
    builder.carrying("t", &[], &[(In, "s", words(64)), (Out, "y", words(64))]);
    builder.carrying("b", &[], &[(In, "c", SUMS), (In, "s", words(64)), (Out, "y", window(64))]);
    builder.connect("i", "a.x").connect("a.c", "b.c").connect("a.s", "t.s").fifo(fifos[0]);
    builder.connect("t.y", "b.s").fifo(fifos[1]).connect("b.y", "o");
    builder
}

#[test]
fn a_stream_over_a_third_kernel_past_a_cascade_has_to_hold_a_run() {
    // `t` holds a word, and each of its two ways 8.
    let ways = [("t.y -> b.s".to_owned(), Some(64 - 8 - 8 - 1))];
    for short in [0, 46] {
        assert_eq!(fifos(&over_a_third([0, short])), ways);
    }
    assert_eq!(fifos(&over_a_third([0, 47])), []);
    assert_eq!(fifos(&over_a_third([47, 0])), []);
}

#[test]
fn a_stream_to_a_kernel_that_starts_after_a_cascade_has_to_hold_a_run() {
    let late = |fifo: u32| {
        let mut builder = Builder::new("late", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "c", SUMS), (Out, "s", words(64))]);
        builder.carrying("b", &[], &[(In, "c", SUMS), (Out, "w", window(64))]);
        let ports = [(In, "w", window(64)), (In, "s", words(64)), (Out, "y", window(64))];
        builder.carrying("to", &[], &ports);
        builder.connect("i", "a.x").connect("a.c", "b.c").connect("b.w", "to.w");
        builder.connect("a.s", "to.s").fifo(fifo).connect("to.y", "o");
        builder
    };
    assert_eq!(fifos(&late(0)), [("a.s -> to.s".to_owned(), Some(64 - 8))]);
    assert_eq!(fifos(&late(56)), []);
}

#[test]
fn a_cascade_that_follows_a_stream_has_to_come_before_another_stream() {
    let follows = |fifos: [u32; 2]| {
        let mut builder = Builder::new("follows", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "s", words(64)), (Out, "p", words(64))]);
        builder.carrying("t", &[], &[(In, "p", words(64)), (Out, "c", SUMS)]);
        builder.carrying("b", &[], &[(In, "c", SUMS), (In, "s", words(64)), (Out, "y", window(64))]);
        builder.connect("i", "a.x").connect("a.s", "b.s").fifo(fifos[0]);
        builder.connect("a.p", "t.p").fifo(fifos[1]).connect("t.c", "b.c").connect("b.y", "o");
        builder
    };
    // `t` reads a word before it writes a vector, of which the cascade holds few.
    let ways = [("a.s -> b.s".to_owned(), Some(64 - 8)), ("a.p -> t.p".to_owned(), Some(64 - 8 - 1))];
    assert_eq!(fifos(&follows([0, 0])), ways);
    assert_eq!(fifos(&follows([56, 55])), []);
}

/// `t` passes the cascade of `a` on. If `a` writes more vectors than the two cascades hold before
/// the stream, and `b` reads the stream first, all of them wait.
#[test]
fn a_cascade_that_another_kernel_passes_on_comes_in_the_order_of_the_stream_beside_it() {
    let mut builder = Builder::new("chain", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(8)), (Out, "c", SUMS), (Out, "s", words(4))]);
    builder.carrying("t", &[], &[(In, "c", SUMS), (Out, "d", SUMS)]);
    builder.carrying("b", &[], &[(In, "d", SUMS), (In, "s", words(4)), (Out, "y", window(8))]);
    builder.connect("i", "a.x").connect("a.c", "t.c").connect("t.d", "b.d").connect("a.s", "b.s");
    builder.connect("b.y", "o");
    assert_eq!(slugs_on_toy(&builder), [""; 0]);
    let design = builder.expanded().expect("every name is declared");
    let orders = open_orders(&design, &toy());
    let [OpenOrder::Chain(from, to)] = orders[..] else { panic!("one line, not {orders:?}") };
    assert_eq!([from, to].map(|kernel| design.kernels[kernel].name.as_str()), ["a", "b"]);
}

/// `a` and `b` give `d` and `c` a cascade each, and the other one of them a stream.
fn crossed() -> Builder {
    let mut builder = Builder::new("crossed", "toy");
    builder.gmio_input("i").gmio_output("o").gmio_output("p");
    builder.carrying("a", &[], &[(In, "x", window(8)), (Out, "c", SUMS), (Out, "s", words(4))]);
    builder.carrying("b", &[], &[(In, "x", window(8)), (Out, "c", SUMS), (Out, "s", words(4))]);
    builder.carrying("c", &[], &[(In, "c", SUMS), (In, "s", words(4)), (Out, "y", window(8))]);
    builder.carrying("d", &[], &[(In, "c", SUMS), (In, "s", words(4)), (Out, "y", window(8))]);
    builder.connect("i", "a.x").connect("i", "b.x").connect("a.c", "d.c").connect("b.c", "c.c");
    builder.connect("a.s", "c.s").connect("b.s", "d.s").connect("c.y", "o");
    builder.connect("d.y", "p");
    builder
}

/// If `a` and `b` fill their cascades before they write the streams, and `c` and `d` read the
/// streams first, all of them wait.
#[test]
fn full_cascades_wait_for_each_other_through_streams_that_cross() {
    assert_eq!(slugs_on_toy(&crossed()), [""; 0]);
    let design = crossed().expanded().expect("every name is declared");
    let orders = open_orders(&design, &toy());
    let [OpenOrder::Crossed(cascades)] = orders.as_slice() else { panic!("one line, not {orders:?}") };
    let name = |kernel| design.kernels[kernel].name.as_str();
    let ends: Vec<_> = cascades.iter().map(|&(from, to)| [name(from), name(to)]).collect();
    assert_eq!(ends, [["a", "d"], ["b", "c"]]);
    let mut stops = (0..64).filter(|&seed| {
        let wires = Wires::new(&design, &sources(&design), 8, true);
        !finishes_with(&design, Words::Mixed(seed), wires)
    });
    assert!(stops.next().is_some(), "some orders hang");
}

/// A DMA sends `b` and `t` the same words. `t` has one input, and a small share of it fills the
/// cascade.
#[test]
fn a_full_cascade_behind_one_input_holds_up_the_dma_of_another_reader() {
    let mut builder = Builder::new("shared", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(64)), (Out, "w", window(64))]);
    builder.carrying("t", &[], &[(In, "s", words(64)), (Out, "c", SUMS)]);
    builder.carrying("b", &[], &[(In, "w", window(64)), (In, "c", SUMS), (Out, "y", window(64))]);
    builder.connect("i", "a.x").connect("a.w", "t.s").connect("a.w", "b.w");
    builder.connect("t.c", "b.c").connect("b.y", "o");
    // `t` reads a word before it writes a vector.
    assert_eq!(fifos(&builder), [("a.w -> t.s".to_owned(), Some(64 - 8 - 1))]);
}

/// `a` gives `b` a cascade. `b` starts with windows of `t`, which gathers several of `a`.
fn gathered(runs: u32) -> Builder {
    let mut builder = Builder::new("gather", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(16)), (Out, "c", SUMS), (Out, "w", window(16))]);
    builder.carrying("t", &[], &[(In, "w", window(16 * runs)), (Out, "y", window(16 * runs))]);
    builder.carrying("b", &[], &[(In, "c", SUMS), (In, "w", window(16)), (Out, "y", window(16))]);
    builder.connect("i", "a.x").connect("a.c", "b.c").connect("a.w", "t.w").connect("t.y", "b.w");
    builder.connect("b.y", "o");
    builder
}

#[test]
fn a_cascade_holds_a_vector_of_each_run_before_its_reader_starts() {
    for runs in [1, 3, 4] {
        assert_eq!(slugs_on_toy(&gathered(runs)), [""; 0], "four vectors fit");
        let orders = open_orders(&gathered(runs).expanded().expect("every name is declared"), &toy());
        let [OpenOrder::Ahead(ahead)] = orders.as_slice() else { panic!("one line, not {orders:?}") };
        assert_eq!(ahead.runs, u64::from(runs));
    }
    assert_eq!(slugs_on_toy(&gathered(5)), ["check/may-hang"]);
    let text = rendered(&gathered(5), &toy()).replace("\n  \u{2502} ", " ").replace("\n        ", " ");
    for part in [
        "hangs if kernels read and write each of their cascades in every run: a cannot write a.c before b reads b.c",
        "t waits for data at t.w, of a",
        "no FIFO helps: a cascade holds few vectors; let `b` start earlier, with an `async` window",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    // Its kernels may pass nothing in their first runs.
    let mut foreign = gathered(5).expanded().expect("every name is declared");
    foreign.language = Language::Adf;
    assert!(super::check(&Context::new(&foreign, &toy())).is_empty());
}

/// `b` starts its third run when the DMA has emptied a window of the first one, for which `to`
/// waits until `a` has run three times.
#[test]
fn a_reader_of_a_cascade_that_waits_for_room_starts_late() {
    let room = |fifo: u32| {
        let mut builder = Builder::new("room", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window(8)), (Out, "c", SUMS), (Out, "w", window(8))]);
        builder.carrying("b", &[], &[(In, "c", SUMS), (Out, "y", window(62))]);
        builder.carrying("to", &[], &[(In, "w", window(24)), (In, "s", words(186)), (Out, "y", window(24))]);
        builder.connect("i", "a.x").connect("a.c", "b.c").connect("a.w", "to.w");
        builder.connect("b.y", "to.s").fifo(fifo).connect("to.y", "o");
        assert_eq!(slugs_on_toy(&builder), [""; 0], "few vectors fit");
        open_orders(&builder.expanded().expect("every name is declared"), &toy())
    };
    let [OpenOrder::Ahead(ahead)] = room(0)[..] else { panic!("one line") };
    assert_eq!(ahead.runs, 1);
    assert_eq!(room(62 - 8), []);
}

// --- random graphs ---

type Cascades = Vec<(usize, usize)>;
type Graph = (Vec<Edge>, Vec<u32>, bool);

/// Graphs of which half have kernels that run equally often.
fn graphs() -> impl Strategy<Value = Graph> {
    let even = |(edges, runs, joined): Graph| (edges, vec![runs[0]; KERNELS], joined);
    prop_oneof![graph(), graph().prop_map(even)]
}

fn cascades() -> impl Strategy<Value = Cascades> {
    prop::collection::vec((0..KERNELS, 0..KERNELS), 1..4)
}

fn holds(graph: &Graph, cascades: &Cascades) -> Result<(), TestCaseError> {
    let mut design = with_cascades(graph, cascades).expanded().expect("every name is declared");
    let own: Vec<ConnectionId> = design.connections.ids().filter(|&id| design.goes_by_cascade(id)).collect();
    let runs = |port| design.kernel_of(port).map(|kernel| design.kernels[kernel].repetitions);
    let is_balanced = |id: &ConnectionId| {
        let wire = &design.connections[*id];
        runs(wire.from) == runs(wire.to)
    };
    if !own.iter().all(is_balanced) {
        return Ok(());
    }
    let device = toy();
    let context = Context::new(&design, &device);
    let (found, concerns) = (super::check(&context), super::concerns(&context));
    let most = device.switch.hop_words * u32::from(device.columns + device.rows);
    if let Some(one) = found.iter().find(|one| one.message.contains("cascades in every run")) {
        let most = if one.message.contains("no more than 8 words") { 8 } else { most };
        for seed in 0..8 {
            let wires = Wires::new(&design, &sources(&design), most, true);
            prop_assert!(!finishes_with(&design, Words::Mixed(seed), wires), "an order finishes: {found:?}");
        }
    }
    // Where kernels run unequally often, lines about cascades may be missing.
    let first = design.kernels.iter().map(|kernel| kernel.repetitions).next();
    let is_even = design.kernels.iter().all(|kernel| Some(kernel.repetitions) == first);
    if !found.is_empty() || !concerns || !is_even {
        return Ok(());
    }
    serves_every_order(&mut design, own)
}

/// `b` has a window of `a` and waits for the cascade of `t`, which waits for the end of the run in
/// which `a` sends all three.
#[test]
fn a_stream_beside_a_cascade_that_comes_later_needs_room_in_every_order() {
    let later = |fifo: u32| {
        let mut builder = Builder::new("later", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window(24)), (Out, "s", words(174)), (Out, "w", window(24))]);
        builder.carrying("t", &[], &[(In, "w", window(8)), (Out, "c", SUMS)]);
        builder.carrying("b", &[], &[(In, "c", SUMS), (In, "s", window(58)), (Out, "y", window(8))]);
        builder.connect("i", "a.x").connect("a.s", "b.s").fifo(fifo).connect("a.w", "t.w");
        builder.connect("t.c", "b.c").connect("b.y", "o");
        builder
    };
    // `b` has two buffers, and the way holds 8 words.
    assert_eq!(slugs_on_toy(&later(174 - 2 * 58 - 8 - 1)), ["check/may-hang"]);
    assert_eq!(slugs_on_toy(&later(174 - 2 * 58 - 8)), [""; 0]);
    let text = rendered(&later(0), &toy()).replace("\n  \u{2502} ", " ");
    for part in ["no more than 8 words on their way and kernels read and write each", "`fifo 50`"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

/// The FIFOs of the lines serve every order. Cascades hold what lines about them assume.
fn serves_every_order(design: &mut Expanded, own: Vec<ConnectionId>) -> Result<(), TestCaseError> {
    let orders = open_orders(design, &toy());
    if orders.iter().any(|order| matches!(order, OpenOrder::Ring(_))) {
        return Ok(());
    }
    let mut is_full = false;
    for order in &orders {
        let (connection, words) = match order {
            OpenOrder::InStep(way) if way.apart => return Ok(()),
            OpenOrder::InStep(way) => (way.connection, way.words),
            OpenOrder::Past(past) => (past.stream, past.words),
            _ => {
                is_full = true;
                continue;
            }
        };
        let words = words.expect("a FIFO helps in each of these graphs");
        let before = design.connections[connection].fifo.as_ref().map_or(0, |fifo| fifo.value);
        let words = before.max(u32::try_from(words).expect("few"));
        let fifo = Spanned::new(words, design.connections[connection].span);
        design.connections[connection].fifo = Some(fifo);
    }
    for seed in 0..24 {
        let mut wires = Wires::new(design, &sources(design), 8, true);
        if is_full {
            wires.open(own.iter().copied());
        }
        let finishes = finishes_with(design, Words::Mixed(seed), wires);
        prop_assert!(finishes, "mix {seed} stops, with {orders:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn lines_about_cascades_hold_in_a_run_word_by_word(graph in graphs(), cascades in cascades()) {
        holds(&graph, &cascades)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    #[ignore = "long: 512 random graphs"]
    fn lines_about_many_cascades_hold_in_a_run_word_by_word(graph in graphs(), cascades in cascades()) {
        holds(&graph, &cascades)?;
    }
}
