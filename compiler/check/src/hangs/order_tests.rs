//! Orders of reads and writes that differ from kernel to kernel.

use std::collections::BTreeMap;

use aiec_collectives::Direction::{In, Out};
use aiec_diag::Spanned;
use aiec_ir::expanded::Expanded;
use aiec_test_support::Builder;
use proptest::prelude::*;

use super::random::{Words, finishes};
use crate::context::Context;
use crate::orders::{self, OpenOrder};
use crate::testing::{slugs_on_toy, toy, window, words};

/// Mixes of orders that a case draws.
const MIXES: u32 = 24;

/// True if the check names a ring of kernels.
pub(super) fn has_ring(context: &Context) -> bool {
    let orders = orders::of_kernels(context, &BTreeMap::new());
    orders.iter().any(|order| matches!(order, OpenOrder::Ring(_)))
}

/// A design without a line finishes in every order of each kernel, and one with lines does so with
/// the words that they name.
pub(super) fn serves_every_order(mut design: Expanded) -> Result<(), TestCaseError> {
    let device = toy();
    let context = Context::new(&design, &device);
    let ways = super::in_step(&context);
    if has_ring(&context) || ways.iter().any(|way| way.apart) {
        return Ok(());
    }
    for way in &ways {
        let words = way.words.expect("a FIFO helps in each of these graphs");
        let fifo = Spanned::new(u32::try_from(words).expect("few"), design.connections[way.connection].span);
        design.connections[way.connection].fifo = Some(fifo);
    }
    for seed in 0..MIXES {
        prop_assert!(finishes(&design, 8, Words::Mixed(seed), true), "mix {seed} stops, with {ways:?}");
    }
    Ok(())
}

/// What the check says of each connection: its ends, and the words of its FIFO.
fn found(builder: &Builder) -> Vec<(String, Option<u64>)> {
    assert_eq!(slugs_on_toy(builder), [""; 0], "an order in which it finishes is no fault");
    let design = builder.expanded().expect("every name is declared");
    let ways = super::in_step(&Context::new(&design, &toy()));
    ways.iter().map(|way| (design.connection_name(way.connection), way.words)).collect()
}

/// `deal` gives two workers every other word. `cat` may take all of the first one before the
/// second.
fn dealer(fifos: [u32; 2]) -> Builder {
    let mut builder = Builder::new("dealer", "toy");
    builder.gmio_input("i").gmio_output("o");
    let ports = [(In, "x", window(64)), (Out, "even", words(32)), (Out, "odd", words(32))];
    builder.carrying("deal", &[], &ports);
    builder.carrying("w", &[2], &[(In, "x", words(32)), (Out, "y", words(32))]);
    builder.carrying("cat", &[], &[(In, "a", words(32)), (In, "b", words(32)), (Out, "y", window(64))]);
    builder.connect("i", "deal.x").connect("deal.even", "w[0].x").connect("deal.odd", "w[1].x");
    builder.connect("w[0].y", "cat.a").fifo(fifos[0]).connect("w[1].y", "cat.b").fifo(fifos[1]);
    builder.connect("cat.y", "o");
    builder
}

#[test]
fn a_dealer_in_step_and_a_reader_of_whole_streams_need_a_fifo_on_each_way() {
    // A worker holds a word, and each of its two ways 8.
    let way = |at: usize| (format!("w[{at}].y -> cat.{}", ["a", "b"][at]), Some(32 - 8 - 8 - 1));
    assert_eq!(found(&dealer([0, 0])), [way(0), way(1)]);
    assert_eq!(found(&dealer([15, 0])), [way(1)]);
    assert_eq!(found(&dealer([15, 15])), []);
}

/// A case in which the last of 64 words of one stream leave before the other one begins, or the
/// other way round.
#[test]
fn two_streams_between_two_kernels_have_to_hold_a_firing_each() {
    let between = |fifos: [u32; 2]| {
        let mut builder = Builder::new("both", "toy");
        builder.carrying("from", &[], &[(Out, "p", words(64)), (Out, "q", words(64))]);
        builder.carrying("to", &[], &[(In, "p", words(64)), (In, "q", words(64))]);
        builder.connect("from.p", "to.p").fifo(fifos[0]).connect("from.q", "to.q").fifo(fifos[1]);
        builder
    };
    let way = |name: &str| (format!("from.{name} -> to.{name}"), Some(56));
    assert_eq!(found(&between([0, 0])), [way("p"), way("q")]);
    assert_eq!(found(&between([56, 0])), [way("q")]);
    assert_eq!(found(&between([56, 56])), []);
    let stops = |fifos| {
        let design = between(fifos).expanded().expect("every name is declared");
        (0..MIXES).any(|seed| !finishes(&design, 8, Words::Mixed(seed), true))
    };
    assert_eq!([[0, 0], [56, 55], [56, 56]].map(stops), [true, true, false]);
}

/// `to` takes the window of `from` as a stream, before or after the other one.
#[test]
fn a_window_at_one_end_is_a_stream_at_the_other() {
    let between = |fifo: u32| {
        let mut builder = Builder::new("late", "toy");
        builder.gmio_input("i").gmio_output("o");
        let ports = [(In, "x", window(25)), (Out, "s", words(25)), (Out, "w", window(25))];
        builder.carrying("from", &[], &ports);
        builder.carrying("to", &[], &[(In, "s", words(25)), (In, "w", words(25)), (Out, "y", window(25))]);
        builder.connect("i", "from.x").connect("from.s", "to.s").fifo(fifo);
        builder.connect("from.w", "to.w").connect("to.y", "o");
        builder
    };
    assert_eq!(slugs_on_toy(&between(0)), ["check/may-hang"], "in step `to` has read one word");
    assert_eq!(found(&between(16)), [("from.s -> to.s".to_owned(), Some(17))], "it may read none");
    assert_eq!(found(&between(17)), [], "two FIFOs of a switch hold 32 words");
}

#[test]
fn chains_and_trees_need_no_more() {
    let mut builder = Builder::new("tree", "toy");
    builder.gmio_output("o");
    builder.carrying("leaf", &[4], &[(Out, "y", words(64))]);
    builder.carrying("sum", &[2], &[(In, "a", words(64)), (In, "b", words(64)), (Out, "y", words(64))]);
    builder.carrying("root", &[], &[(In, "a", words(64)), (In, "b", words(64)), (Out, "y", window(64))]);
    for at in 0..4 {
        let port = ["a", "b"][at % 2];
        builder.connect(&format!("leaf[{at}].y"), &format!("sum[{}].{port}", at / 2));
    }
    builder.connect("sum[0].y", "root.a").connect("sum[1].y", "root.b").connect("root.y", "o");
    assert_eq!(found(&builder), []);
}

/// `middle` runs three times. It waits for a free window before it reads any word of its last run.
#[test]
fn a_kernel_needs_its_output_window_before_it_reads() {
    let ways = |fifo: u32| {
        let mut builder = Builder::new("thrice", "toy");
        builder.carrying("from", &[], &[(Out, "long", words(78)), (Out, "short", words(24))]);
        builder.carrying("middle", &[], &[(In, "x", words(26)), (Out, "y", window(26))]);
        builder.carrying("to", &[], &[(In, "long", words(78)), (In, "short", words(24))]);
        builder.connect("from.long", "middle.x").connect("middle.y", "to.long").fifo(fifo);
        builder.connect("from.short", "to.short").fifo(16);
        builder
    };
    // Two runs fill the buffers. The third begins when a DMA has emptied one of them.
    assert_eq!(found(&ways(0)), [("middle.y -> to.long".to_owned(), Some(26 - 8))]);
    assert_eq!(found(&ways(18)), []);
}
