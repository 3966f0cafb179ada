//! Hangs of packets that follow each other whole, in the order of the branches.

use aiec_collectives::Direction::{In, Out};
use aiec_collectives::ElementType;
use aiec_ir::{Carries, Flow};
use aiec_test_support::Builder;

use crate::testing::{packets, rendered, slugs_on_toy, toy, window, words};

/// `deal` sends a packet to each of two workers, whose streams `collect` reads in step.
fn dealt(taken: Carries, fifo: u32) -> Builder {
    let mut builder = Builder::new("dealt", "toy");
    builder.gmio_input("i").gmio_output("o");
    builder.carrying("deal", &[], &[(In, "x", window(400)), (Out, "y", packets(400))]);
    builder.carrying("w", &[2], &[(In, "x", taken), (Out, "y", words(200))]);
    let ports = [(In, "a", words(200)), (In, "b", words(200)), (Out, "y", window(400))];
    builder.carrying("collect", &[], &ports);
    builder.connect("i", "deal.x").split("deal.y", &["w[0].x", "w[1].x"]);
    builder.connect("w[0].y", "collect.a").fifo(fifo);
    builder.connect("w[1].y", "collect.b").connect("collect.y", "o");
    builder
}

#[test]
fn packets_that_follow_each_other_whole_may_hang_in_step() {
    assert_eq!(slugs_on_toy(&dealt(packets(200), 0)), ["check/may-hang"]);
    let text = rendered(&dealt(packets(200), 0), &toy());
    for part in [
        "each run at a branch of the `split` moves one whole packet in turn",
        "w[1] waits for a packet at w[1].x, which follows the one at w[0].x",
        "on the connection `w[0].y -> collect.a`",
    ] {
        assert!(text.replace("\n  │ ", " ").contains(part), "{part} is missing in\n{text}");
    }
    assert_eq!(slugs_on_toy(&dealt(packets(200), 200)), [""; 0]);
    assert_eq!(slugs_on_toy(&dealt(window(200), 0)), [""; 0], "a window takes a whole packet");
    let unknown = Carries::Packets(Flow { element: ElementType::Int32, per_run: None });
    assert_eq!(slugs_on_toy(&dealt(unknown, 0)), [""; 0]);
}

/// `deal` sends a packet to each of two sinks. The first one waits for the end of `deal`.
fn late_sink(each: u32, fifo: u32) -> Builder {
    let mut builder = Builder::new("late", "toy");
    builder.gmio_input("i").gmio_output("o").gmio_output("p");
    let ports = [(In, "x", window(16)), (Out, "y", packets(2 * each)), (Out, "end", window(4))];
    builder.carrying("deal", &[], &ports);
    builder.carrying(
        "first",
        &[],
        &[(In, "x", packets(each)), (In, "end", window(4)), (Out, "y", window(4))],
    );
    builder.carrying("second", &[], &[(In, "x", packets(each)), (Out, "y", window(4))]);
    builder.connect("i", "deal.x").split("deal.y", &["first.x", "second.x"]).depth_to("first.x", fifo);
    builder.connect("deal.end", "first.end").connect("first.y", "o").connect("second.y", "p");
    builder
}

#[test]
fn the_header_of_a_packet_takes_a_word_of_its_way() {
    let help = |each: u32, fifo: u32| rendered(&late_sink(each, fifo), &toy());
    assert_eq!(slugs_on_toy(&late_sink(7, 0)), [""; 0]);
    assert!(help(8, 0).contains("`fifo 1` on the connection `deal.y -> first.x`"), "{}", help(8, 0));
    assert!(help(16, 0).contains("`fifo 9` on the connection `deal.y -> first.x`"), "{}", help(16, 0));
    assert_eq!(slugs_on_toy(&late_sink(8, 1)), [""; 0]);
    assert_eq!(slugs_on_toy(&late_sink(16, 9)), [""; 0]);
    // A FIFO of a stream switch has 16 words (AM009).
    assert_eq!(slugs_on_toy(&late_sink(23, 1)), [""; 0]);
    assert!(help(24, 16).contains("`fifo 17` on the connection `deal.y -> first.x`"), "{}", help(24, 16));
    assert_eq!(slugs_on_toy(&late_sink(24, 17)), [""; 0]);
}

/// `deal` also sends a stream, half of which has gone when its first packet has.
#[test]
fn a_sender_may_wait_for_the_reader_of_its_packet() {
    let mut builder = Builder::new("tied", "toy");
    builder.gmio_input("i").gmio_output("o").gmio_output("p");
    builder.carrying(
        "deal",
        &[],
        &[(In, "x", window(400)), (Out, "y", packets(400)), (Out, "z", words(200))],
    );
    builder.carrying("w", &[], &[(In, "x", packets(200)), (Out, "y", words(200))]);
    builder.carrying("v", &[], &[(In, "x", packets(200)), (Out, "y", window(200))]);
    builder.carrying("sum", &[], &[(In, "a", words(200)), (In, "b", words(200)), (Out, "y", window(200))]);
    builder.connect("i", "deal.x").split("deal.y", &["w.x", "v.x"]).connect("v.y", "p");
    builder.connect("w.y", "sum.a").connect("deal.z", "sum.b").connect("sum.y", "o");
    let text = rendered(&builder, &toy());
    let said = "deal cannot send more of deal.y before w reads w.x, whose packet comes first";
    assert!(text.replace("\n  │ ", " ").contains(said), "{text}");
    assert_eq!(slugs_on_toy(&builder), ["check/may-hang"]);
}

/// Two workers, whose packets an output gets. They come from one input, or windows from two.
fn workers(is_split: bool, is_ordered: bool) -> Builder {
    let mut builder = Builder::new("workers", "toy");
    builder.carrying("w", &[2], &[(In, "x", window(16)), (Out, "y", window(16))]).gmio_output("o");
    match is_split {
        true => builder.gmio_input("i").split("i", &["w[0].x", "w[1].x"]),
        false => builder.plio("i", &[2], Out, 32).connect("i[0]", "w[0].x").connect("i[1]", "w[1].x"),
    };
    match is_ordered {
        true => builder.merge_ordered(&["w[0].y", "w[1].y"], "o"),
        false => builder.merge(&["w[0].y", "w[1].y"], "o"),
    };
    builder
}

#[test]
fn only_the_data_show_the_packets_of_an_input() {
    let open = |builder: &Builder| {
        let design = builder.expanded().expect("every name is declared");
        let trunks = crate::open_packets(&design, &toy());
        trunks.into_iter().map(|trunk| design.port_name(trunk)).collect::<Vec<_>>()
    };
    assert_eq!(open(&workers(true, false)), ["i"]);
    assert_eq!(open(&workers(false, true)), [""; 0]);
    assert_eq!(open(&dealt(packets(200), 200)), [""; 0]);
    let unknown = Carries::Packets(Flow { element: ElementType::Int32, per_run: None });
    assert_eq!(open(&dealt(unknown, 0)), [""; 0], "its connections are without a verdict");
}

#[test]
fn an_ordered_merge_into_an_output_needs_equally_many_packets() {
    let merged = |elements: u32| {
        let mut builder = Builder::new("turns", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying(
            "deal",
            &[],
            &[(In, "x", window(16)), (Out, "y", window(16)), (Out, "z", window(16))],
        );
        builder.carrying("a", &[], &[(In, "x", window(16)), (Out, "y", window(16))]);
        builder.carrying("b", &[], &[(In, "x", window(elements)), (Out, "y", window(elements))]);
        builder.connect("i", "deal.x").connect("deal.y", "a.x").connect("deal.z", "b.x");
        builder.merge_ordered(&["a.y", "b.y"], "o");
        slugs_on_toy(&builder)
    };
    assert_eq!(merged(16), [""; 0]);
    assert_eq!(merged(4), ["check/rate-mismatch"], "`b` runs four times, with two buffers");
}
