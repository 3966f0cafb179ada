//! Connections that hold enough for kernels in step alone.

use aiec_collectives::Direction::{In, Out};
use aiec_ir::expanded::Expanded;
use aiec_test_support::Builder;

use crate::context::Context;
use crate::testing::{slugs_on_toy, toy, window, words};

/// What the check says of each connection: its ends, those of its statement beside it, the words of
/// its FIFO.
fn found(builder: &Builder) -> Vec<(String, usize, Option<u64>)> {
    assert_eq!(slugs_on_toy(builder), [""; 0], "an order in which it finishes is no fault");
    said(&builder.expanded().expect("every name is declared"))
}

fn said(design: &Expanded) -> Vec<(String, usize, Option<u64>)> {
    let device = toy();
    let ways = super::in_step(&Context::new(design, &device));
    let said = ways.iter().map(|way| {
        assert!(!way.apart, "streams have no buffers");
        (design.connection_name(way.connection), way.more, way.words)
    });
    said.collect()
}

/// `mix` takes the stream of `from` twice: over `transform`, which may read all of it first, and
/// straight.
fn transformed(elements: u32, fifo: u32) -> Builder {
    let mut builder = Builder::new("block", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("from", &[], &[(In, "x", window(elements)), (Out, "y", words(elements))]);
    builder.carrying("transform", &[], &[(In, "x", words(elements)), (Out, "y", words(elements))]);
    let ports = [(In, "a", words(elements)), (In, "b", words(elements)), (Out, "y", window(elements))];
    builder.carrying("mix", &[], &ports);
    builder.connect("i", "from.x").connect("from.y", "transform.x").connect("from.y", "mix.a").fifo(fifo);
    builder.connect("transform.y", "mix.b").connect("mix.y", "o");
    builder
}

#[test]
fn the_way_beside_a_block_transform_has_to_hold_the_block() {
    // `mix` may take all of `b` before `a`, or all of `a` before `b`. A way holds 8, `transform`
    // one.
    let straight = ("from.y -> mix.a".to_owned(), 0, Some(56));
    let over = ("transform.y -> mix.b".to_owned(), 0, Some(64 - 8 - 8 - 1));
    assert_eq!(found(&transformed(64, 0)), [straight.clone(), over.clone()]);
    assert_eq!(found(&transformed(64, 55)), [straight, over.clone()]);
    assert_eq!(found(&transformed(64, 56)), [over]);
    assert_eq!(found(&transformed(17, 9)), []);
    assert_eq!(found(&transformed(8, 0)), []);
}

#[test]
fn a_statement_with_several_connections_has_one_depth() {
    let mut builder = Builder::new("many", "toy");
    builder.carrying("from", &[3], &[(Out, "y", words(64))]);
    builder.carrying("transform", &[3], &[(In, "x", words(64)), (Out, "y", words(64))]);
    builder.carrying("mix", &[3], &[(In, "a", words(64)), (In, "b", words(64))]);
    for at in 0..3 {
        builder.connect(&format!("from[{at}].y"), &format!("transform[{at}].x"));
        builder.connect(&format!("from[{at}].y"), &format!("mix[{at}].a"));
        builder.connect(&format!("transform[{at}].y"), &format!("mix[{at}].b"));
    }
    let mut design = builder.expanded().expect("every name is declared");
    let way = |at: usize, more: usize| (format!("from[{at}].y -> mix[{at}].a"), more, Some(56));
    let over = |at: usize| (format!("transform[{at}].y -> mix[{at}].b"), 0, Some(47));
    let each = (0..3).flat_map(|at| [way(at, 0), over(at)]);
    assert_eq!(said(&design), each.collect::<Vec<_>>(), "statements of their own");
    let straight: Vec<_> =
        design.connections.ids().filter(|&id| design.connection_name(id).ends_with(".a")).collect();
    for &id in &straight {
        design.connections[id].span = design.connections[straight[0]].span;
    }
    assert_eq!(said(&design), [way(0, 2), over(0), over(1), over(2)]);
}

#[test]
fn a_ring_and_a_design_that_may_hang_in_step_have_lines_of_their_own() {
    let mut ring = Builder::new("ring", "toy");
    ring.gmio_input("i").gmio_output("o");
    ring.carrying("a", &[], &[(In, "x", window(64)), (In, "back", words(64)), (Out, "y", words(64))]);
    ring.carrying("b", &[], &[(In, "x", words(64)), (Out, "y", window(64)), (Out, "back", words(64))]);
    ring.connect("i", "a.x").connect("a.y", "b.x").connect("b.back", "a.back").connect("b.y", "o");
    assert_eq!(found(&ring), []);
    let mut late = Builder::new("late", "toy");
    late.gmio_input("i").gmio_output("o");
    late.carrying("a", &[], &[(In, "x", window(64)), (Out, "y", words(64)), (Out, "end", window(4))]);
    late.carrying("b", &[], &[(In, "end", window(4)), (In, "x", words(64)), (Out, "y", window(64))]);
    late.connect("i", "a.x").connect("a.y", "b.x").connect("a.end", "b.end").connect("b.y", "o");
    assert_eq!(slugs_on_toy(&late), ["check/may-hang"]);
    assert_eq!(said(&late.expanded().expect("every name is declared")), []);
}
