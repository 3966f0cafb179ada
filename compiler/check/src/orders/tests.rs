//! Hand-made designs with orders that stay open, and their neighbours without.

use std::collections::BTreeMap;

use aiec_collectives::Direction::{In, Out};
use aiec_collectives::ElementType;
use aiec_ir::expanded::Expanded;
use aiec_ir::{Accumulator, Carries, CascadeType, ParameterType};
use aiec_test_support::{Builder, int32, stream};

use super::{Ahead, OpenOrder, of_kernels, past};
use crate::context::Context;
use crate::testing::{packets, slugs_on_toy, toy, window, words};

fn found(builder: &Builder) -> Vec<String> {
    let design = builder.expanded().expect("every name is declared");
    let name = |id: &aiec_ir::KernelId| design.kernels[*id].name.clone();
    let orders = of_kernels(&Context::new(&design, &toy()), &BTreeMap::new());
    let shown = orders.iter().map(|order| match order {
        OpenOrder::Ring(ring) => ring.kernels.iter().map(name).collect::<Vec<_>>().join(" "),
        OpenOrder::Both(from, to) => format!("{}+{}", name(from), name(to)),
        OpenOrder::Ahead(Ahead { from, to, .. }) => format!("{}>{}", name(from), name(to)),
        OpenOrder::Beside(from, to) => format!("{}~{}", name(from), name(to)),
        OpenOrder::Chain(from, to) => format!("{}..{}", name(from), name(to)),
        OpenOrder::Crossed(all) => {
            let pairs = all.iter().map(|(from, to)| format!("{}>{}", name(from), name(to)));
            pairs.collect::<Vec<_>>().join(" x ")
        }
        OpenOrder::Behind(from, to) => format!("{}>~{}", name(from), name(to)),
        OpenOrder::Turns(kernels) => kernels.iter().map(name).collect::<Vec<_>>().join("|"),
        OpenOrder::Past(_) | OpenOrder::InStep(_) => unreachable!("it depends on what streams hold"),
    });
    shown.collect()
}

fn stages() -> Builder {
    let mut builder = Builder::new("orders", "toy");
    let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
    let given = [(Out, "y", stream(Some(64))), (Out, "sums", cascade), (In, "back", stream(None))];
    builder.carrying("a", &[], &given);
    let taken = [(In, "x", stream(Some(64))), (In, "sums", cascade), (Out, "back", stream(None))];
    builder.carrying("b", &[], &taken);
    builder.connect("a.y", "b.x");
    builder
}

#[test]
fn streams_in_a_circle_leave_open_who_writes_first() {
    assert_eq!(found(&stages()), [""; 0]);
    assert_eq!(found(stages().connect("b.back", "a.back")), ["a b"]);
    let mut alone = Builder::new("alone", "toy");
    alone.carrying("a", &[], &[(In, "x", stream(None)), (Out, "y", stream(None))]);
    assert_eq!(found(alone.connect("a.y", "a.x")), ["a"]);
}

#[test]
fn the_line_of_a_ring_says_which_fifos_hold_a_run() {
    let words_of = |fifo: u32| {
        let mut ring = Builder::new("ring", "toy");
        ring.carrying("a", &[], &[(In, "x", words(64)), (Out, "y", words(64))]);
        ring.carrying("b", &[], &[(In, "x", words(64)), (Out, "y", words(64))]);
        ring.connect("a.y", "b.x").fifo(fifo).connect("b.y", "a.x").fifo(fifo);
        let design = ring.expanded().expect("every name is declared");
        let orders = of_kernels(&Context::new(&design, &toy()), &BTreeMap::new());
        let [OpenOrder::Ring(ring)] = orders.as_slice() else { panic!("one ring, not {orders:?}") };
        ring.words
    };
    assert_eq!(words_of(0), Some(64 - 8));
    assert_eq!(words_of(56), None, "they do");
}

/// A sender of packets that reads the answers of its workers, and one over async windows.
#[test]
fn a_ring_of_packets_or_async_windows_has_a_line() {
    let mut fan = Builder::new("fan", "toy");
    fan.gmio_input("i").gmio_output("o");
    let ports =
        [(In, "x", window(32)), (Out, "q", packets(32)), (In, "r", packets(32)), (Out, "y", window(32))];
    fan.carrying("a", &[], &ports);
    fan.carrying("w", &[2], &[(In, "x", packets(16)), (Out, "y", packets(16))]);
    fan.connect("i", "a.x").connect("a.y", "o");
    fan.split("a.q", &["w[0].x", "w[1].x"]).merge(&["w[0].y", "w[1].y"], "a.r");
    assert_eq!(found(&fan), ["a w[0] w[1]"]);
    let mut locked = Builder::new("locked", "toy");
    let ports = [(In, "r", window(16)), (Out, "q", window(16))];
    locked.carrying("a", &[], &ports).carrying("b", &[], &[(In, "x", window(16)), (Out, "y", window(16))]);
    locked.connect("async a.q", "b.x").connect("b.y", "async a.r");
    assert_eq!(found(&locked), ["a b"]);
}

#[test]
fn a_cascade_there_and_a_stream_back_are_a_circle_too() {
    let mut builder = Builder::new("orders", "toy");
    let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
    builder.carrying("a", &[], &[(Out, "sums", cascade), (In, "back", stream(Some(8)))]);
    builder.carrying("b", &[], &[(In, "sums", cascade), (Out, "back", stream(Some(8)))]);
    assert_eq!(found(builder.connect("a.sums", "b.sums").connect("b.back", "a.back")), ["a b"]);
}

const SUMS: Carries = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));

fn one_value() -> Carries {
    Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None })
}

/// Three kernels in a ring: `first` from `a` to `b`, `second` from there to `c`, and `back`.
fn three(first: Carries, second: Carries, back: Carries, to: &str) -> Builder {
    let mut builder = Builder::new("three", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("a", &[], &[(In, "x", window(32)), (In, "back", back), (Out, "p", first)]);
    builder.carrying("b", &[], &[(In, "p", first), (Out, "q", second)]);
    builder.carrying("c", &[], &[(In, "q", second), (Out, "back", back), (Out, "y", window(32))]);
    builder.connect("i", "a.x").connect("a.p", "b.p").connect("b.q", "c.q");
    builder.connect("c.back", to).connect("c.y", "o");
    builder
}

#[test]
fn a_ring_over_a_window_goes_on_only_if_a_kernel_between_streams_writes_first() {
    for back in [window(32), one_value()] {
        let ring = three(SUMS, words(32), back, "a.back");
        assert_eq!(slugs_on_toy(&ring), [""; 0], "`b` may write before it reads");
        let design = ring.expanded().expect("every name is declared");
        let orders = of_kernels(&Context::new(&design, &toy()), &BTreeMap::new());
        let [OpenOrder::Ring(ring)] = orders.as_slice() else { panic!("one ring, not {orders:?}") };
        assert_eq!((ring.kernels.len(), ring.open.as_slice()), (3, &[aiec_ir::KernelId(1)][..]));
    }
    assert_eq!(found(&three(words(32), SUMS, window(32), "a.back")), ["a b c"]);
    assert_eq!(found(&three(SUMS, words(32), window(32), "async a.back")), ["a b c"]);
    let certain = three(SUMS, window(32), window(32), "a.back");
    assert_eq!(slugs_on_toy(&certain), ["check/sync-cycle"]);
    assert_eq!(found(&certain), [""; 0], "`b` has no choice");
}

/// `from` gives `to` a stream straight, and a cascade over `via`, which waits for `late`.
fn past_cascade(late: Carries, to: &str, fifo: u32) -> Builder {
    let mut builder = Builder::new("past", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("from", &[], &[(In, "x", window(128)), (Out, "w", late), (Out, "s", words(128))]);
    builder.carrying("via", &[], &[(In, "w", late), (Out, "c", SUMS)]);
    builder.carrying("to", &[], &[(In, "c", SUMS), (In, "s", words(128)), (Out, "y", window(128))]);
    builder.connect("i", "from.x").connect("from.w", to).connect("from.s", "to.s").fifo(fifo);
    builder.connect("via.c", "to.c").connect("to.y", "o");
    builder
}

/// For each stream past a cascade that comes late, the words of a FIFO that help.
fn in_runs(design: &Expanded) -> Vec<Option<u64>> {
    let orders = past(&Context::new(design, &toy()));
    let words = orders.iter().map(|order| match order {
        OpenOrder::Past(past) => past.words,
        other => panic!("{other:?}"),
    });
    words.collect()
}

fn late(builder: &Builder) -> Vec<Option<u64>> {
    assert_eq!(slugs_on_toy(builder), [""; 0], "an order in which it finishes is no fault");
    in_runs(&builder.expanded().expect("every name is declared"))
}

#[test]
fn a_stream_past_a_cascade_of_the_end_of_a_run_has_to_hold_it() {
    assert_eq!(late(&past_cascade(window(8), "via.w", 0)), [Some(128 - 8)]);
    assert_eq!(late(&past_cascade(one_value(), "via.w", 0)), [Some(128 - 8)]);
    assert_eq!(late(&past_cascade(window(8), "via.w", 104)), [Some(128 - 8)], "seven FIFOs hold 112");
    assert_eq!(late(&past_cascade(window(8), "via.w", 120)), []);
    assert_eq!(late(&past_cascade(window(8), "async via.w", 0)), [], "`via` may give it before");
    assert_eq!(late(&past_cascade(words(8), "via.w", 0)), [], "a stream comes during the run");
}

#[test]
fn a_stream_past_a_cascade_holds_one_run_where_all_kernels_run_equally_often() {
    let mut design = past_cascade(window(8), "via.w", 0).expanded().expect("every name is declared");
    for kernel in 0..3 {
        design.kernels[aiec_ir::KernelId(kernel)].repetitions = 4;
    }
    assert_eq!(in_runs(&design), [Some(128 - 8)]);
    design.kernels[aiec_ir::KernelId(1)].repetitions = 2;
    assert_eq!(in_runs(&design), [Some(2 * 128 - 8)], "`via` may need two runs of `from`");
}

#[test]
fn a_cascade_beside_a_stream_leaves_open_which_comes_first() {
    assert_eq!(found(stages().connect("a.sums", "b.sums")), ["a+b"]);
}

#[test]
fn a_cascade_whose_reader_starts_after_the_run_of_the_writer_has_to_hold_it() {
    let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
    let values = Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None });
    let beside = |carries: Carries, out: &str, taken: &str| {
        let mut builder = Builder::new("orders", "toy");
        builder.carrying("a", &[], &[(Out, "sums", cascade), (Out, "y", carries)]);
        builder.carrying("via", &[], &[(In, "x", carries), (Out, "y", carries)]);
        builder.carrying("b", &[], &[(In, "sums", cascade), (In, "x", carries)]);
        builder.connect("a.sums", "b.sums").connect("a.y", out).connect("via.y", taken);
        found(&builder)
    };
    for carries in [values, Carries::window_of(int32(64))] {
        assert_eq!(beside(carries, "b.x", "via.x"), ["a>b"]);
        assert_eq!(beside(carries, "via.x", "b.x"), ["a>b"], "over another kernel");
    }
    assert_eq!(beside(Carries::window_of(int32(64)), "async b.x", "via.x"), [""; 0]);
    assert_eq!(beside(stream(Some(64)), "via.x", "b.x"), ["a~b"], "a stream comes during the run");
}

#[test]
fn a_kernel_on_the_way_may_read_the_window_of_a_run_as_a_stream() {
    let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
    let window = Carries::window_of(int32(64));
    let over = |given: Carries, taken: Carries| {
        let mut builder = Builder::new("orders", "toy");
        builder.carrying("a", &[], &[(Out, "sums", cascade), (Out, "y", given)]);
        builder.carrying("via", &[], &[(In, "x", stream(Some(64))), (Out, "y", stream(Some(64)))]);
        builder.carrying("b", &[], &[(In, "sums", cascade), (In, "x", taken)]);
        builder.connect("a.sums", "b.sums").connect("a.y", "via.x").connect("via.y", "b.x");
        found(&builder)
    };
    assert_eq!(over(window, window), ["a>b"]);
    assert_eq!(over(stream(Some(64)), window), ["a>b"], "`b` starts with the last word of the run");
    assert_eq!(over(stream(Some(64)), stream(Some(64))), ["a~b"], "in step, all go on");
    assert_eq!(over(window, stream(Some(64))), ["a>~b"], "`b` may take its cascade before");
}

#[test]
fn kernels_in_turn_on_a_core_must_not_wait_for_each_other_through_another_core() {
    let mut builder = Builder::new("orders", "toy");
    builder.carrying("first", &[], &[(Out, "y", stream(Some(64)))]);
    builder.carrying("middle", &[], &[(In, "x", stream(Some(64))), (Out, "y", stream(Some(64)))]);
    builder.carrying("last", &[], &[(In, "x", stream(Some(64)))]);
    builder.runtime("first", 400).runtime("last", 400);
    builder.connect("first.y", "middle.x").connect("middle.y", "last.x");
    assert_eq!(found(&builder), [""; 0]);
    builder.place_relative("last", "first", (0, 0));
    assert_eq!(found(&builder), ["first|last"]);
}
