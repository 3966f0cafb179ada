//! Nets pass the FIFOs whose places the design states (`location<fifo>`, UG1079).

use aiec_ir::fifos::FifoKind::{self, Dma, Switch as Ss};
use aiec_ir::{Carries, Direction::In, Direction::Out};
use aiec_router_model::{Bundle, EndPort, Net, Switch, nets, verify};
use aiec_test_support::{Builder, int32, stream};

use super::verify::{Fixture, prepare, value};

/// A stream from `a` to `b` and to two outputs.
fn branches() -> Builder {
    let mut builder = Builder::new("branches", "toy");
    let (window, words) = (Carries::window_of(int32(4)), stream(Some(4)));
    builder.plio("i", &[], Out, 64).plio("o", &[3], In, 64);
    builder.carrying("a", &[], &[(In, "x", window), (Out, "y", words)]);
    builder.carrying("b", &[], &[(In, "x", words), (Out, "y", window)]);
    builder.connect("i", "a.x").connect("a.y", "b.x").connect("a.y", "o[0]").connect("a.y", "o[1]");
    builder.connect("b.y", "o[2]");
    builder.place("a", 1, 1).place("b", 4, 2);
    builder
}

/// The nets that carry what `a` sends.
fn legs(fixture: &Fixture) -> Vec<Net> {
    let all = nets(&fixture.checked, &fixture.placed, &fixture.device);
    all.into_iter().filter(|net| net.from == fixture.port("a.y")).collect()
}

/// The source of a net and its sinks, each with the port that it leads to.
fn ends(fixture: &Fixture, net: &Net) -> (EndPort, Vec<(String, EndPort)>) {
    let to = |id| fixture.checked.port_name(fixture.checked.connections[id].to);
    (net.source.port, net.sinks.iter().map(|&(id, end)| (to(id), end.port)).collect())
}

fn with(places: &[(&str, i64, Option<i64>, FifoKind)]) -> Fixture {
    let mut builder = branches();
    for &(to, column, row, kind) in places {
        builder.fifo_to(to, column, row, kind);
    }
    prepare(&builder)
}

#[test]
fn a_net_ends_where_a_fifo_is_filled_and_the_next_begins_where_it_is_emptied() {
    let fixture = with(&[("b.x", 2, Some(3), Ss { number: 1 })]);
    let legs = legs(&fixture);
    let (first, second) = (ends(&fixture, &legs[0]), ends(&fixture, &legs[1]));
    assert_eq!(first.1[0], ("b.x".to_owned(), EndPort::Fifo(1)));
    assert!(first.1[1..].iter().all(|(_, port)| matches!(port, EndPort::South(_))), "others pass none");
    assert_eq!(second, (EndPort::Fifo(1), vec![("b.x".to_owned(), EndPort::Core(0))]));
    assert_eq!(legs[1].source.switch, Switch { column: 2, row: 4 });
    let routed = value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
    // (1, 1) to (2, 3) is three hops, (2, 3) to (4, 2) is three.
    let connection = legs[1].sinks[0].0;
    assert_eq!(routed.hops_of(legs[0].from, connection), Some(6));
    assert_eq!(routed.from_ports().count() + 1, routed.routes.len());
}

#[test]
fn a_fifo_in_memory_has_a_dma_channel_of_each_direction_behind_those_of_ports() {
    // The window of `b` may take channel 0 of its own tile.
    let fixture = with(&[("b.x", 4, Some(2), Dma { offset: 16_384, words: 64 })]);
    let legs = legs(&fixture);
    let (fills, empties) = (legs[0].sinks[0].1, legs[1].source);
    let others = nets(&fixture.checked, &fixture.placed, &fixture.device);
    let taken = others.iter().filter(|net| net.from != legs[0].from);
    let taken: Vec<_> = taken.flat_map(|net| [net.source, net.sinks[0].1]).collect();
    assert!(matches!((fills.port, empties.port), (EndPort::Dma(_), EndPort::Dma(_))), "{legs:?}");
    assert!(!taken.contains(&empties), "{taken:?}");
    value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
}

#[test]
fn connections_share_a_fifo_and_go_their_ways_behind_it() {
    let fixture = with(&[
        ("b.x", 2, Some(1), Ss { number: 0 }),
        ("o[0]", 2, Some(1), Ss { number: 0 }),
        ("o[0]", 3, None, Ss { number: 0 }),
    ]);
    let all: Vec<_> = legs(&fixture).iter().map(|net| ends(&fixture, net).1).collect();
    let names: Vec<Vec<&str>> =
        all.iter().map(|sinks| sinks.iter().map(|(name, _)| name.as_str()).collect()).collect();
    assert_eq!(names, [vec!["b.x", "o[0]", "o[1]"], vec!["b.x", "o[0]"], vec!["o[0]"]]);
    value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
}

#[test]
fn every_place_of_the_array_is_reached_and_left() {
    let rows = std::iter::once(None).chain((0..4).map(Some));
    for (column, row) in rows.flat_map(|row| (0..6).map(move |column| (column, row))) {
        for number in [0, 1] {
            let fixture = with(&[("b.x", column, row, Ss { number })]);
            value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
        }
    }
}

/// UG1079, "FIFO depth": FIFOs of 16 words are chained. From 40 words on they lie in memory.
#[test]
fn a_fifo_without_a_place_takes_switches_of_its_own_branch() {
    let with = |words| {
        let mut builder = branches();
        builder.depth_to("b.x", words);
        prepare(&builder)
    };
    for (words, expected) in [(16, 1), (33, 3), (40, 0)] {
        let fixture = with(words);
        let legs = legs(&fixture);
        assert_eq!(legs.len(), 1);
        assert_eq!(legs[0].fifos.values().sum::<u32>(), expected, "{words} words");
        let routed = value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
        let ports = routed.wiring.switches.values().flat_map(|settings| settings.circuits.keys());
        let passed = ports.filter(|port| port.bundle == Bundle::Fifo).count();
        assert_eq!((passed, routed.wiring.short.len()), (expected as usize, 0), "{words} words");
    }
    with(33).assert_refused("route/bad-route", "another number of FIFOs", |routes| {
        routes.routes.iter_mut().for_each(|route| route.net.fifos.clear());
    });
}

#[test]
fn a_route_that_misses_a_fifo_is_refused() {
    let fixture = with(&[("b.x", 2, Some(3), Ss { number: 1 })]);
    let fault = "it does not pass the stated FIFOs in order";
    let from = fixture.port("a.y");
    let leg = |routes: &aiec_router_model::Routes| {
        let legs = routes.routes.iter().position(|route| route.net.from == from && route.net.leaves_fifo);
        legs.expect("there is a FIFO")
    };
    fixture.assert_refused("route/bad-route", fault, |routes| {
        let at = leg(routes);
        routes.routes.remove(at);
    });
    fixture.assert_refused("route/bad-route", fault, |routes| {
        let at = leg(routes);
        routes.routes[at].net.source.port = EndPort::Fifo(0);
    });
    fixture.assert_refused("route/bad-route", fault, |routes| {
        let at = leg(routes);
        routes.routes[at - 1].net.sinks[0].1.port = EndPort::Fifo(0);
    });
    fixture.assert_refused("route/bad-route", fault, |routes| {
        let at = leg(routes);
        routes.routes.swap(at, at - 1);
    });
    // Without the FIFO, on the direct way.
    let direct = prepare(&branches());
    fixture.assert_refused("route/bad-route", fault, |routes| *routes = direct.routes());
}
