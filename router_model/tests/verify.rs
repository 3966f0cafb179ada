//! From a placed design to verified routes, and the checker on spoilt ones.

use aiec_check::Checked;
use aiec_collectives::{Operation, Shape};
use aiec_device::{Device, Tile};
use aiec_ir::{ConnectionId, Expanded, PortId};
use aiec_placer::{Basis, Pins, PlaceOptions, Placed, Tools};
use aiec_router_model::{
    EndPort, Hop, Implementation, NetEnd, NetId, NetKind, Request, RouteOptions, Routes, Switch,
    check_wiring, dump_routes, nets, route, route_requests, trace_requests, verify,
};
use aiec_test_support::{Builder, Reduce, input, int32, output};

/// A design with every kind of net end: PLIO and GMIO in both directions, a broadcast, and a pair
/// in shared memory.
pub(super) struct Fixture {
    pub(super) checked: Checked,
    pub(super) placed: Placed,
    pub(super) device: Device,
}

fn fixture() -> Fixture {
    let window = int32(64);
    let mut builder = Builder::new("fan", "toy");
    builder.kernels("source", &[], &[input("x", window), input("z", window), output("y", window)]);
    builder.kernels("left", &[], &[input("a", window), output("b", window)]);
    builder.kernels("right", &[], &[input("a", window), output("b", window), output("c", window)]);
    builder.kernels("last", &[], &[input("a", window), output("b", window)]);
    builder
        .plio_input("samples", 64)
        .gmio_input("weights")
        .plio_output("low", 32)
        .gmio_output("high")
        .gmio_output("more");
    builder.connect("samples", "source.x").connect("weights", "source.z");
    builder.connect("source.y", "left.a").connect("source.y", "right.a");
    builder
        .connect("left.b", "low")
        .connect("right.b", "last.a")
        .connect("right.c", "more")
        .connect("last.b", "high");
    builder.place("source", 0, 0).place("left", 5, 3).place("right", 4, 0).place("last", 4, 1);
    prepare(&builder)
}

pub(super) fn prepare(builder: &Builder) -> Fixture {
    let (expanded, device) = expanded(builder);
    prepared(expanded, device, &Pins::default())
}

fn expanded(builder: &Builder) -> (Expanded, Device) {
    let expanded = builder.expanded().expect("the design names only what it has");
    let device =
        aiec_device::builtin(&expanded.device.value).and_then(|o| o.into_parts().0).expect("built in");
    (expanded, device)
}

/// Places the design with the tiles of `pins`, which the checks before placement do not know.
fn prepared(expanded: Expanded, device: Device, pins: &Pins) -> Fixture {
    let checked = value(aiec_check::check(expanded, &device));
    let options = PlaceOptions::default();
    let basis = Basis { pins, ..Basis::NOTHING };
    let found = value(aiec_placer::search(&checked, &device, &options, &basis, &Tools::ALONE));
    let placed = value(aiec_placer::verify(&checked, &device, found.placement));
    Fixture { checked, placed, device }
}

/// The tiles of all `place` of a design, as a placement file states them.
fn pins(expanded: &mut Expanded) -> Pins {
    let tile = |at: i64| u16::try_from(at).expect("a tile of the array");
    let places = std::mem::take(&mut expanded.places);
    let tiles = places.iter().map(|place| (place.kernel, Tile::new(tile(place.column), tile(place.row))));
    Pins {
        kernels: tiles.collect(),
        spans: places.iter().map(|place| (place.kernel, place.span)).collect(),
        file: "p.json".to_owned(),
    }
}

#[allow(clippy::unwrap_used, reason = "the line before asserts it; tests may stop")]
pub(super) fn value<T>(outcome: aiec_diag::Outcome<T>) -> T {
    let (value, diagnostics) = outcome.into_parts();
    assert!(value.is_some(), "{diagnostics:#?}");
    value.unwrap()
}

impl Fixture {
    /// The ports that read each net from `port`, after routing.
    fn readers(&self, port: &str) -> Vec<Vec<String>> {
        let routed = value(verify(&self.checked, &self.placed, &self.device, self.routes()));
        let name = |&(id, _): &(ConnectionId, _)| self.checked.port_name(self.checked.connections[id].to);
        let nets = routed.routes.iter().filter(|route| route.net.from == self.port(port));
        nets.map(|route| route.net.sinks.iter().map(name).collect()).collect()
    }

    pub(super) fn routes(&self) -> Routes {
        value(route(&self.checked, &self.placed, &self.device, &RouteOptions::default()))
    }

    pub(super) fn port(&self, name: &str) -> PortId {
        let named = |&port: &PortId| self.checked.port_name(port) == name;
        self.checked.ports.ids().find(named).expect("the design has this port")
    }

    /// The diagnostics for the routes after `spoil`.
    fn spoilt(&self, spoil: impl FnOnce(&mut Routes)) -> Vec<aiec_diag::Diagnostic> {
        let mut routes = self.routes();
        spoil(&mut routes);
        let (value, diagnostics) = verify(&self.checked, &self.placed, &self.device, routes).into_parts();
        assert!(value.is_none(), "the checker accepts spoilt routes");
        diagnostics
    }

    pub(super) fn assert_refused(&self, slug: &str, part: &str, spoil: impl FnOnce(&mut Routes)) {
        let found = self.spoilt(spoil);
        let expected = found.iter().any(|d| d.code.slug == slug && d.message.contains(part));
        assert!(expected, "{slug} with `{part}` is not among {found:#?}");
    }
}

/// The position of the first route with at least `hops` hops.
fn long_route(routes: &Routes, hops: usize) -> usize {
    routes.routes.iter().position(|route| route.hops.len() >= hops).expect("some net is that long")
}

#[test]
fn routes_of_the_router_are_accepted() {
    let fixture = fixture();
    let routed = value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
    assert_eq!(routed.routes.len(), 6, "the pair right -> last shares memory");
    let route_from = |port| routed.routes.iter().find(|route| route.net.from == fixture.port(port));
    let broadcast = route_from("source.y").expect("a broadcast needs a net");
    assert_eq!(broadcast.net.sinks.len(), 2);
    assert!(route_from("right.b").is_none());
}

#[test]
fn plio_channels_and_gmio_channels_have_the_south_ports_of_the_device() {
    let fixture = fixture();
    let nets = nets(&fixture.checked, &fixture.placed, &fixture.device);
    let gmio = nets.iter().find(|net| net.from == fixture.port("weights")).expect("a net for each input");
    assert!(
        matches!(gmio.source.port, EndPort::South(3 | 7)),
        "MM2S 0 and 1 of a shim enter at South 3 and 7"
    );
    assert_eq!(gmio.source.switch.row, 0);
    let out = nets.iter().find(|net| net.from == fixture.port("last.b")).expect("a net for each output");
    assert!(
        matches!(out.sinks[0].1.port, EndPort::South(2 | 3)),
        "S2MM 0 and 1 of a shim leave at South 2 and 3"
    );
}

#[test]
fn the_text_of_routes_names_ports_and_is_the_same_each_time() {
    let fixture = fixture();
    let text = dump_routes(&fixture.checked, &fixture.routes());
    assert!(text.contains("\"from\": \"source.y\"") && text.contains("\"to\": \"left.a\""), "{text}");
    assert_eq!(text, dump_routes(&fixture.checked, &fixture.routes()));
}

#[test]
fn a_dropped_hop_is_caught() {
    let fixture = fixture();
    fixture.assert_refused("route/bad-route", "where the net has not been", |routes| {
        let long = long_route(routes, 3);
        routes.routes[long].hops.remove(1);
    });
    fixture.assert_refused("route/bad-route", "is not reached", |routes| {
        let long = long_route(routes, 3);
        routes.routes[long].hops.pop();
    });
}

#[test]
fn a_branch_to_nowhere_is_caught() {
    let fixture = fixture();
    fixture.assert_refused("route/bad-route", "where no sink is", |routes| {
        let long = long_route(routes, 2);
        let from = routes.routes[long].net.source.switch;
        let taken = |to: Switch| routes.routes[long].hops.iter().any(|hop| hop.to == to);
        let east = Switch { column: from.column + 1, ..from };
        let north = Switch { row: from.row + 1, ..from };
        let to = if taken(east) { north } else { east };
        routes.routes[long].hops.push(Hop { from, to });
    });
}

#[test]
fn a_swapped_or_missing_port_is_caught() {
    let fixture = fixture();
    let at = |routes: &Routes, name: &str| {
        let port = fixture.port(name);
        routes.routes.iter().position(|route| route.net.from == port).expect("a net")
    };
    fixture.assert_refused("route/bad-route", "uses DMA channel 2 of 2", |routes| {
        let index = at(routes, "left.b");
        routes.routes[index].net.source.port = EndPort::Dma(2);
    });
    fixture.assert_refused("route/bad-route", "which is not that of its channel", |routes| {
        let index = at(routes, "samples");
        routes.routes[index].net.source.port = EndPort::South(63);
    });
    fixture.assert_refused("route/bad-route", "another net has the same port", |routes| {
        let (one, two) = (at(routes, "samples"), at(routes, "weights"));
        routes.routes[one].net.sinks[0].1 = routes.routes[two].net.sinks[0].1;
    });
    fixture.assert_refused("route/bad-route", "only a shim has one", |routes| {
        let index = at(routes, "left.b");
        routes.routes[index].net.source.port = EndPort::South(0);
    });
}

#[test]
fn an_end_at_another_tile_is_caught() {
    fixture().assert_refused("route/bad-route", "is not at the module of its buffers", |routes| {
        let long = long_route(routes, 3);
        for route in &mut routes.routes[long..] {
            route.net.source.switch.row += 1;
        }
    });
}

#[test]
fn missing_foreign_and_merged_nets_are_caught() {
    let fixture = fixture();
    fixture.assert_refused("route/bad-route", "its net is missing", |routes| {
        routes.routes.remove(0);
    });
    fixture.assert_refused("route/bad-route", "no connection needs this net", |routes| {
        let mut extra = routes.routes[0].clone();
        extra.net.from = fixture.port("right.b");
        routes.routes.push(extra);
    });
    fixture.assert_refused("route/bad-route", "it does not serve its connections", |routes| {
        let second = routes.routes.remove(1);
        routes.routes[0].net.sinks.extend(second.net.sinks);
        routes.routes[0].hops.extend(second.hops);
    });
    fixture.assert_refused("route/bad-route", "out of order or there twice", |routes| {
        let copy = routes.routes[0].clone();
        routes.routes.insert(0, copy);
    });
    fixture.assert_refused("route/bad-route", "does not exist", |routes| {
        routes.routes[0].net.sinks[0].0 = ConnectionId(999);
    });
}

#[test]
fn a_hop_off_the_array_or_over_a_tile_is_caught() {
    let fixture = fixture();
    for to in [Switch { column: 6, row: 0 }, Switch { column: 0, row: 5 }, Switch { column: 3, row: 3 }] {
        fixture.assert_refused("route/bad-route", "no wires lead from", |routes| {
            let from = Switch { column: to.column - u16::from(to.column > 0), row: to.row.saturating_sub(1) };
            routes.routes[0].hops.push(Hop { from, to });
        });
    }
}

#[test]
fn a_loop_is_caught() {
    fixture().assert_refused("route/bad-route", "for the second time", |routes| {
        let long = long_route(routes, 2);
        let Hop { from, to } = routes.routes[long].hops[0];
        routes.routes[long].hops.push(Hop { from: to, to: from });
    });
}

#[test]
fn an_overfull_edge_is_caught() {
    // The same routes on a device with fewer wires: every used edge is overfull.
    let mut fixture = fixture();
    let routes = fixture.routes();
    for switch in [&mut fixture.device.switch.core, &mut fixture.device.switch.shim] {
        let masters = &mut switch.masters;
        (masters.north, masters.south, masters.east, masters.west) = (0, 0, 0, 0);
    }
    let (value, found) = verify(&fixture.checked, &fixture.placed, &fixture.device, routes).into_parts();
    assert!(value.is_none());
    assert!(found.iter().all(|d| d.code.slug == "route/overfull"), "{found:#?}");
    assert!(found.iter().all(|d| d.message.contains("which has 0 wires") && !d.labels.is_empty()));
}

#[test]
fn a_full_cut_is_explained_in_the_words_of_the_tools() {
    // Rule: 36 nets each way between two columns of the VC1902. 40 pairs of kernels are on opposite
    // sides of column 9.
    let window = int32(16);
    let mut builder = Builder::new("cut", "xcvc1902");
    builder.kernels("west", &[40], &[output("x", window)]).kernels("east", &[40], &[input("x", window)]);
    for i in 0..40_i64 {
        builder.connect(&format!("west[{i}].x"), &format!("east[{i}].x"));
        builder.place(&format!("west[{i}]"), 4 + i / 8, i % 8).place(
            &format!("east[{i}]"),
            20 + i / 8,
            i % 8,
        );
    }
    // The check before placement counts the same nets, if the design itself states the tiles.
    let (mut expanded, device) = expanded(&builder);
    let refused = aiec_check::check(expanded.clone(), &device);
    let early = &refused.diagnostics()[0];
    assert_eq!(early.code.slug, "check/line-wires");
    assert!(early.message.contains("40 nets must cross column"), "{}", early.message);
    assert!(early.message.contains("going east, which has 36 wires"), "{}", early.message);
    let pins = pins(&mut expanded);
    let fixture = prepared(expanded, device, &pins);
    let outcome = route(&fixture.checked, &fixture.placed, &fixture.device, &RouteOptions::default());
    let diagnostic = &outcome.diagnostics()[0];
    assert_eq!(diagnostic.code.slug, "route/overfull");
    assert!(diagnostic.message.contains("40 nets must cross column"), "{}", diagnostic.message);
    assert!(diagnostic.message.contains("going east, which has 36 wires"), "{}", diagnostic.message);
    assert!(diagnostic.help.contains("going EAST, 40/36\""), "{}", diagnostic.help);
    assert_eq!(diagnostic.labels.len(), 8, "labels point at the connections");
}

/// The settings of a used switch with at least two masters.
fn busy(
    routes: &mut Routes,
) -> &mut std::collections::BTreeMap<aiec_router_model::Port, aiec_router_model::Port> {
    let mut switches = routes.wiring.switches.values_mut().map(|settings| &mut settings.circuits);
    switches.find(|circuits| circuits.len() > 1).expect("some switch joins two pairs of ports")
}

#[test]
fn settings_that_do_not_carry_the_routes_are_caught() {
    let fixture = fixture();
    fixture.assert_refused("route/bad-route", "the settings of", |routes| routes.wiring.switches.clear());
    fixture.assert_refused("route/bad-route", "leads nowhere", |routes| {
        busy(routes).pop_first();
    });
    fixture.assert_refused("route/bad-route", "the settings of", |routes| {
        // Two nets swap their exits from a switch.
        let circuits = busy(routes);
        let masters: Vec<_> = circuits.keys().copied().collect();
        let (one, two) = (circuits[&masters[0]], circuits[&masters[1]]);
        if one == two {
            circuits.remove(&masters[0]);
        } else {
            circuits.insert(masters[0], two);
            circuits.insert(masters[1], one);
        }
    });
}

#[test]
fn settings_that_take_another_way_than_the_routes_are_caught() {
    // The settings of one run with the routes of another, in which a net takes a detour.
    let fixture = fixture();
    let found = fixture.spoilt(|routes| {
        let long = long_route(routes, 3);
        let way = detour(&routes.routes[long].hops).expect("some hop of the net can go round");
        routes.routes[long].hops = way;
    });
    assert!(found.iter().any(|d| d.message.contains("the routes send")), "{found:#?}");
}

/// A tree with the same ends whose first hop is replaced by a detour of three.
fn detour(hops: &[Hop]) -> Option<Vec<Hop>> {
    let visited: std::collections::BTreeSet<Switch> =
        hops.iter().flat_map(|hop| [hop.from, hop.to]).collect();
    for (at, &Hop { from, to }) in hops.iter().enumerate() {
        let shift = |switch: Switch, up: bool| {
            let moved = |value: u16| if up { value + 1 } else { value.wrapping_sub(1) };
            if from.column == to.column {
                Switch { column: moved(switch.column), ..switch }
            } else {
                Switch { row: moved(switch.row), ..switch }
            }
        };
        for up in [true, false] {
            let (one, two) = (shift(from, up), shift(to, up));
            let on_array = |s: &Switch| s.column < 6 && (1..5).contains(&s.row);
            if [one, two].iter().all(|s| on_array(s) && !visited.contains(s)) {
                let round = [Hop { from, to: one }, Hop { from: one, to: two }, Hop { from: two, to }];
                return Some([&hops[..at], &round, &hops[at + 1..]].concat());
            }
        }
    }
    None
}

#[test]
fn trace_streams_take_what_the_nets_leave_and_arrive_by_free_ports_of_shim_dmas() {
    let fixture = fixture();
    let nets = nets(&fixture.checked, &fixture.placed, &fixture.device);
    let (trace, untraced) = trace_requests(&fixture.placed, &nets, &fixture.device, 1);
    assert_eq!((trace.len(), untraced), (4, 0), "a stream from the core of each kernel");
    let taken: Vec<_> = nets.iter().flat_map(|net| &net.sinks).map(|&(_, end)| end).collect();
    assert!(trace.iter().all(|stream| stream.optional && !taken.contains(&stream.sinks[0])));
    let all: Vec<Request> = nets.iter().map(Request::from).chain(trace).collect();
    let alone =
        route_requests(&all[..nets.len()], &fixture.device, &RouteOptions::default()).expect("routed");
    let routing = route_requests(&all, &fixture.device, &RouteOptions::default()).expect("routed");
    assert_eq!(routing.left_out, []);
    assert_eq!(routing.trees[..nets.len()], alone.trees, "the nets go as without trace");
    assert_eq!(check_wiring(&all, &routing.wiring, &routing.left_out, &fixture.device), []);
}

#[test]
fn tiles_beyond_the_trace_streams_are_counted() {
    let fixture = fixture();
    let (trace, untraced) = trace_requests(&fixture.placed, &[], &fixture.device, 0);
    assert_eq!((trace.len(), untraced), (0, 4));
}

/// Four ranks whose signals are merged into packets at a fifth one.
fn merge() -> Fixture {
    let mut builder = Builder::new("merge", "toy");
    builder.kernels("w", &[5], &[]);
    builder.reduce(
        Reduce::over("done", &["w"], int32(4)).operation(Operation::Barrier, Shape::Merge).root("w[2]"),
    );
    builder
        .place("w[0]", 0, 0)
        .place("w[1]", 1, 0)
        .place("w[2]", 5, 3)
        .place("w[3]", 0, 2)
        .place("w[4]", 2, 0);
    prepare(&builder)
}

#[test]
fn packets_of_a_merge_end_at_one_port_of_the_core_and_share_wires() {
    let fixture = merge();
    let routed = value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
    let packets = |route: &&aiec_router_model::Route| route.net.kind != NetKind::Circuit;
    let merged: Vec<_> = routed.routes.iter().filter(packets).collect();
    assert_eq!((routed.routes.len(), merged.len()), (5, 4), "and the answer");
    let end = NetEnd { switch: Switch { column: 5, row: 4 }, port: EndPort::Core(0) };
    for route in &merged {
        assert!(matches!(route.net.source.port, EndPort::Dma(_)), "from a window, by DMA");
        assert_eq!(route.net.sinks.iter().map(|&(_, end)| end).collect::<Vec<_>>(), [end]);
    }
    let hops: usize = merged.iter().map(|route| route.hops.len()).sum();
    let estimate = aiec_router_model::estimate(&Implementation {
        checked: &fixture.checked,
        placed: &fixture.placed,
        routed: &routed,
        device: &fixture.device,
    });
    let circuits: usize = routed.routes.iter().map(|route| route.hops.len()).sum::<usize>() - hops;
    let wires = estimate.routing.hops as usize - circuits;
    assert!(wires < hops, "{wires} wires for {hops} hops");
    assert_eq!(routed.wiring.ids.iter().flatten().count(), 4, "each stream has a number");
}

#[test]
fn spoilt_merges_are_caught() {
    let fixture = merge();
    let packet = |routes: &Routes| {
        routes.routes.iter().position(|route| route.net.kind != NetKind::Circuit).expect("there are four")
    };
    fixture.assert_refused(
        "route/bad-route",
        "it is a circuit, but ends where packets are merged",
        |routes| {
            let at = packet(routes);
            routes.routes[at].net.kind = NetKind::Circuit;
        },
    );
    fixture.assert_refused("route/bad-route", "it is a stream of packets of another group", |routes| {
        let at = packet(routes);
        routes.routes[at].net.kind = NetKind::Packet { group: 999, lane: 0, id: None };
    });
    fixture.assert_refused("route/bad-route", "uses stream port 2 of 2 into the core", |routes| {
        let at = packet(routes);
        routes.routes[at].net.sinks[0].1.port = EndPort::Core(2);
    });
    fixture.assert_refused("route/bad-route", "is not a stream port of the core", |routes| {
        let at = packet(routes);
        routes.routes[at].net.sinks[0].1.port = EndPort::Dma(0);
    });
    fixture.assert_refused("route/bad-route", "is not at the core but at", |routes| {
        let at = packet(routes);
        routes.routes[at].net.sinks[0].1.switch = Switch { column: 0, row: 1 };
    });
    fixture.assert_refused("route/bad-route", "it is a stream of packets of another group", |routes| {
        let answer = routes.routes.iter().position(|route| route.net.kind == NetKind::Circuit);
        routes.routes[answer.expect("there is one")].net.kind =
            NetKind::Packet { group: 0, lane: 0, id: None };
    });
    fixture.assert_refused("route/bad-route", "the settings of", |routes| {
        let at = packet(routes);
        let ids = &mut routes.wiring.ids;
        let at = NetId(u32::try_from(at).expect("few nets"));
        let other = ids.ids().find(|&net| ids[net].is_some() && ids[net] != ids[at]);
        ids[at] = ids[other.expect("there are four")];
    });
}

/// An input whose packets are split among `ways` kernels, whose answers are merged again.
fn fan(ways: u32) -> Fixture {
    let mut builder = Builder::new("fan", "xcvc1902");
    builder.kernels("w", &[ways], &[input("x", int32(16)), output("y", int32(16))]);
    builder.plio_input("i", 32).plio_output("o", 32);
    let ports = |port: &str| -> Vec<String> { (0..ways).map(|at| format!("w[{at}].{port}")).collect() };
    let (inputs, outputs) = (ports("x"), ports("y"));
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    prepare(builder.split("i", &inputs).merge(&outputs, "o"))
}

#[test]
fn branches_of_a_split_are_nets_of_one_group_with_numbers_of_their_own() {
    for ways in [1, 2, 5, 8, 16] {
        let fixture = fan(ways);
        let routed = value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
        let from = fixture.port("i");
        let branches: Vec<_> = routed.routes.iter().filter(|route| route.net.from == from).collect();
        assert_eq!(branches.len(), ways as usize);
        let kind = NetKind::Packet { group: from.0, lane: 0, id: None };
        assert!(branches.iter().all(|route| route.net.kind == kind && route.net.sinks.len() == 1));
        let connections = &fixture.checked.ports[from].connections;
        assert!(connections.iter().all(|&id| routed.hops_of(from, id).is_some()));
    }
}

#[test]
fn the_branches_of_a_split_take_one_wire_of_an_edge() {
    let fixture = fan(8);
    let routed = value(verify(&fixture.checked, &fixture.placed, &fixture.device, fixture.routes()));
    let estimate = aiec_router_model::estimate(&Implementation {
        checked: &fixture.checked,
        placed: &fixture.placed,
        routed: &routed,
        device: &fixture.device,
    });
    // All packets of the split enter by one wire, all of the merge leave by another.
    assert_eq!(estimate.routing.worst_edge.map(|edge| edge.used), Some(1));
    assert_eq!(estimate.resources.routed_connections, 16);
}

#[test]
fn a_branch_of_a_split_is_no_circuit_and_serves_one_connection() {
    let fixture = fan(3);
    let from = fixture.port("i");
    let first = |routes: &Routes| routes.routes.partition_point(|route| route.net.from < from);
    fixture.assert_refused("route/bad-route", "no packet stream of its split", |routes| {
        let at = first(routes);
        routes.routes[at].net.kind = NetKind::Circuit;
    });
    fixture.assert_refused("route/bad-route", "its net is missing", |routes| {
        drop(routes.routes.remove(first(routes)));
    });
    fixture.assert_refused("route/bad-route", "out of order or there twice", |routes| {
        let at = first(routes);
        routes.routes.swap(at, at + 1);
    });
}

/// An input that feeds `splits` splits of two branches each, whose answers are merged again.
fn multicast(splits: u32) -> Fixture {
    let mut builder = Builder::new("multicast", "xcvc1902");
    builder.kernels("w", &[2 * splits], &[input("x", int32(16)), output("y", int32(16))]);
    builder.plio_input("i", 32).plio_output("o", 32);
    let port = |at: u32, port: &str| format!("w[{at}].{port}");
    for at in 0..splits {
        builder.split("i", &[&port(2 * at, "x"), &port(2 * at + 1, "x")]);
    }
    let outputs: Vec<String> = (0..2 * splits).map(|at| port(at, "y")).collect();
    prepare(builder.merge(&outputs.iter().map(String::as_str).collect::<Vec<_>>(), "o"))
}

#[test]
fn branches_of_one_number_get_the_same_packets_of_an_input_that_feeds_several_splits() {
    for splits in [2, 3, 6] {
        let expected = [0, 1].map(|number| -> Vec<String> {
            (0..splits).map(|at| format!("w[{}].x", 2 * at + number)).collect()
        });
        assert_eq!(multicast(splits).readers("i"), expected, "one net for each number");
    }
}

#[test]
fn a_branch_of_a_split_may_have_a_further_reader() {
    let mut builder = Builder::new("shared", "xcvc1902");
    builder.kernels("w", &[4], &[input("x", int32(16)), output("y", int32(16))]);
    builder.plio_input("i", 32).plio_output("o", 32);
    builder.split("i", &["w[0].x", "w[1].x", "w[2].x"]).split_from(1, "i", &["w[3].x"]);
    let fixture = prepare(builder.merge(&["w[0].y", "w[1].y", "w[2].y", "w[3].y"], "o"));
    let expected: [&[&str]; 3] = [&["w[0].x"], &["w[1].x", "w[3].x"], &["w[2].x"]];
    assert_eq!(fixture.readers("i"), expected);
}

#[test]
fn a_multicast_serves_all_its_readers() {
    let fixture = multicast(2);
    let from = fixture.port("i");
    fixture.assert_refused("route/bad-route", "does not serve its connections", |routes| {
        let at = routes.routes.partition_point(|route| route.net.from < from);
        routes.routes[at].net.sinks.pop();
    });
}
