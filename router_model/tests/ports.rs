//! Routing down to single ports: the checker executes the router's settings, on arrays with full
//! and with restricted crossbars.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, builtin};
use aiec_router_model::{
    Boundary, Bundle, EndPort, Fault, NetEnd, NetId, NetKind, Port, Refusal, Request, RouteOptions, Routing,
    Rule, SinkId, Switch, check_crossing, check_wiring, least_hops, route_requests,
};
use proptest::prelude::*;

fn device(name: &str) -> Device {
    builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

const fn at(column: u16, row: u16, port: EndPort) -> NetEnd {
    NetEnd { switch: Switch { column, row }, port }
}

const fn dma(column: u16, row: u16, channel: u32) -> NetEnd {
    at(column, row, EndPort::Dma(channel))
}

const fn shim(column: u16, channel: u32) -> NetEnd {
    at(column, 0, EndPort::South(channel))
}

#[track_caller]
fn routed(requests: &[Request], device: &Device) -> Routing {
    let routing = route_requests(requests, device, &RouteOptions::default()).expect("there is a routing");
    let faults = check_wiring(requests, &routing.wiring, &routing.left_out, device);
    assert_eq!(faults, [], "what the router sets up works");
    routing
}

/// The faults of a routing after `spoil`.
fn spoilt(requests: &[Request], device: &Device, spoil: impl FnOnce(&mut Routing)) -> Vec<Fault> {
    let mut routing = routed(requests, device);
    spoil(&mut routing);
    check_wiring(requests, &routing.wiring, &routing.left_out, device)
}

#[track_caller]
fn assert_caught(faults: &[Fault], part: &str) {
    assert!(faults.iter().any(|fault| fault.what.contains(part)), "`{part}` is not among {faults:#?}");
}

/// A broadcast, a shorter net and a net to the PL on the toy array.
fn three() -> Vec<Request> {
    vec![
        Request::circuit(dma(1, 1, 0), vec![dma(4, 3, 0), dma(3, 4, 1)]),
        Request::circuit(dma(2, 2, 0), vec![dma(3, 2, 0)]),
        Request::circuit(at(4, 1, EndPort::Core(1)), vec![shim(2, 5)]),
    ]
}

/// Four streams merged into one DMA channel (`pktmerge`), and two split from one PLIO (`pktsplit`).
fn packets() -> Vec<Request> {
    let merge = |column, row| Request::packet(1, dma(column, row, 0), vec![dma(3, 3, 0)]);
    let split = |column, row| Request::packet(2, shim(2, 0), vec![dma(column, row, 1)]);
    vec![merge(1, 1), merge(1, 3), merge(5, 2), merge(3, 1), split(0, 4), split(5, 4)]
}

#[test]
fn circuits_are_wired_port_by_port() {
    routed(&three(), &device("toy"));
}

#[test]
fn a_dropped_hop_is_caught() {
    let faults = spoilt(&three(), &device("toy"), |routing| {
        let switch = routing.trees[0][0].to;
        routing.wiring.switches.remove(&switch);
    });
    assert_caught(&faults, "is not reached");
}

#[test]
fn a_swapped_port_is_caught() {
    let faults = spoilt(&three(), &device("toy"), |routing| {
        let settings =
            routing.wiring.switches.get_mut(&Switch { column: 2, row: 0 }).expect("the net ends here");
        let slave = settings.circuits.remove(&Port::new(Bundle::South, 5)).expect("at South 5");
        settings.circuits.insert(Port::new(Bundle::South, 4), slave);
    });
    assert_caught(&faults, "leaves by south 4, which is no sink of it");
    assert_caught(&faults, "the sink south 5 is not reached");
}

#[test]
fn merged_nets_are_caught() {
    // The second net is diverted to the sink of the first.
    let faults = spoilt(&three(), &device("toy"), |routing| {
        let settings =
            routing.wiring.switches.get_mut(&Switch { column: 3, row: 2 }).expect("the net ends here");
        let slave = settings.circuits[&Port::new(Bundle::Dma, 0)];
        settings.circuits.insert(Port::new(Bundle::North, 5), slave);
    });
    assert_caught(&faults, "which leads nowhere");
    let two = [
        Request::circuit(dma(1, 1, 0), vec![dma(3, 1, 0)]),
        Request::circuit(dma(1, 1, 1), vec![dma(3, 1, 0)]),
    ];
    let routing = route_requests(&two, &device("toy"), &RouteOptions::default()).expect("the edges suffice");
    assert!(!check_wiring(&two, &routing.wiring, &[], &device("toy")).is_empty(), "two circuits at one sink");
}

#[test]
fn a_connection_over_the_edge_of_the_array_is_caught() {
    let faults = spoilt(&[Request::circuit(dma(5, 4, 0), vec![dma(5, 3, 0)])], &device("toy"), |routing| {
        let settings =
            routing.wiring.switches.get_mut(&Switch { column: 5, row: 4 }).expect("the net starts here");
        settings.circuits.insert(Port::new(Bundle::East, 0), Port::new(Bundle::Dma, 0));
    });
    assert_caught(&faults, "crosses the edge of the array");
}

#[test]
fn a_port_that_is_not_there_is_caught() {
    // Rule: 6 wires north, 4 east (AM009).
    for (bundle, channel) in [(Bundle::North, 6), (Bundle::East, 4), (Bundle::South, 4), (Bundle::Fifo, 2)] {
        let faults = spoilt(&three(), &device("toy"), |routing| {
            let settings =
                routing.wiring.switches.get_mut(&Switch { column: 1, row: 1 }).expect("a net starts here");
            settings.circuits.insert(Port::new(bundle, channel), Port::new(Bundle::Dma, 0));
        });
        assert_caught(&faults, "there is no master port");
    }
}

#[test]
fn a_connection_without_a_stream_is_caught() {
    let faults = spoilt(&three(), &device("toy"), |routing| {
        let settings = routing.wiring.switches.entry(Switch { column: 0, row: 4 }).or_default();
        settings.circuits.insert(Port::new(Bundle::Core, 0), Port::new(Bundle::South, 0));
    });
    assert_caught(&faults, "no stream comes by it");
}

#[test]
fn gmio_ports_collide_with_the_plio_channels_of_their_numbers() {
    // Rule: shim DMA MM2S 0 enters at South 3 (aie-rt xaie_plif.c). A PLIO on channel 3 of the same
    // column is the same port.
    let both =
        [Request::circuit(shim(1, 3), vec![dma(1, 1, 0)]), Request::circuit(shim(1, 3), vec![dma(1, 2, 0)])];
    let routing = route_requests(&both, &device("toy"), &RouteOptions::default()).expect("the edges suffice");
    let faults = check_wiring(&both, &routing.wiring, &[], &device("toy"));
    assert!(!faults.is_empty(), "one South port serves one circuit");
}

#[test]
fn plio_is_only_at_the_columns_of_the_pl_and_gmio_only_at_those_of_the_noc() {
    // Rule: PLIO in columns 6 to 44, GMIO in the 16 NoC columns of the VC1902 at South 3 and 7 in,
    // 2 and 3 out.
    let device = device("xcvc1902");
    let faults = |source: NetEnd| {
        let requests = [Request::circuit(source, vec![dma(10, 4, 0)])];
        let routing = route_requests(&requests, &device, &RouteOptions::default()).expect("routed");
        check_wiring(&requests, &routing.wiring, &[], &device)
    };
    assert_caught(&faults(shim(5, 0)), "leads to neither PL nor NoC");
    assert_caught(&faults(shim(46, 0)), "leads to neither PL nor NoC");
    assert_eq!(faults(shim(46, 7)), [], "South 7 of a NoC column is shim DMA MM2S 1");
    assert_eq!(faults(shim(44, 7)), []);
    assert_caught(&faults(shim(20, 8)), "there is no port south 8");
}

#[test]
fn streams_of_one_group_share_wires_and_stay_apart_by_their_numbers() {
    let device = device("toy");
    let routing = routed(&packets(), &device);
    let hops: usize = routing.trees[4..].iter().map(Vec::len).sum();
    assert!(hops >= 10, "two streams from one PLIO");
    let mut ids = routing.wiring.ids.as_slice()[..4].to_vec();
    ids.sort_unstable();
    assert_eq!(ids, [Some(0), Some(1), Some(2), Some(3)]);
}

#[test]
fn a_wrong_packet_number_is_caught() {
    let faults = spoilt(&packets(), &device("toy"), |routing| {
        routing.wiring.ids[NetId(5)] = routing.wiring.ids[NetId(4)]
    });
    assert_caught(&faults, "is not reached");
    let faults = spoilt(&packets(), &device("toy"), |routing| {
        routing.wiring.ids[NetId(1)] = routing.wiring.ids[NetId(0)]
    });
    assert_caught(&faults, "one packet id");
    let faults = spoilt(&packets(), &device("toy"), |routing| routing.wiring.ids[NetId(0)] = Some(32));
    assert_caught(&faults, "no packet id that fits");
}

#[test]
fn more_rules_than_slots_and_selects_that_are_not_there_are_caught() {
    // Rules: 4 slots for each slave port, 6 arbiters of 4 selects (AM009).
    let at_source = Switch { column: 2, row: 0 };
    let slave = Port::new(Bundle::South, 0);
    let faults = spoilt(&packets(), &device("toy"), |routing| {
        let rules = &mut routing.wiring.switches.get_mut(&at_source).expect("the streams start here").rules;
        let Rule { arbiter, select, .. } = rules[0];
        rules.extend((8..12).map(|id| Rule { slave, id, mask: 31, arbiter, select }));
    });
    assert_caught(&faults, "rules for 4 slots");
    for (arbiter, select) in [(6, 0), (0, 4)] {
        let faults = spoilt(&packets(), &device("toy"), |routing| {
            let settings = routing.wiring.switches.get_mut(&at_source).expect("the streams start here");
            settings.rules.push(Rule { slave, id: 9, mask: 31, arbiter, select });
        });
        assert_caught(&faults, "there is no select");
    }
}

/// The arbiters that the packets of each group take at each switch.
fn arbiters(requests: &[Request], routing: &Routing) -> BTreeMap<(Switch, u32), BTreeSet<u32>> {
    let mut all: BTreeMap<(Switch, u32), BTreeSet<u32>> = BTreeMap::new();
    for (&switch, settings) in &routing.wiring.switches {
        for rule in &settings.rules {
            let is_it = |net: &usize| routing.wiring.ids[NetId(*net as u32)] == Some(rule.id);
            let net = (0..requests.len()).find(is_it).expect("some stream has the number");
            let NetKind::Packet { group, .. } = requests[net].kind else { continue };
            all.entry((switch, group)).or_default().insert(rule.arbiter);
        }
    }
    all
}

#[test]
fn streams_that_cross_share_no_arbiter() {
    // The verdicts of mlir-aie on hardware: streams that pass two switches in opposite order hang
    // on common arbiters, and so does one into a full buffer whose core sends over the same
    // arbiter.
    let numbered = |group, id, from, to| Request {
        kind: NetKind::Packet { group, lane: 0, id: Some(id) },
        ..Request::packet(group, from, vec![to])
    };
    let crossing = [numbered(1, 0, dma(0, 2, 0), dma(2, 2, 0)), numbered(2, 1, dma(3, 2, 0), dma(1, 2, 0))];
    let pipe = [
        numbered(1, 0, shim(2, 3), dma(2, 3, 0)),
        numbered(2, 1, dma(2, 3, 0), dma(2, 4, 0)),
        numbered(3, 2, dma(2, 4, 0), shim(3, 2)),
    ];
    for (requests, meetings) in [(&crossing[..], 2), (&pipe[..], 2)] {
        let routing = routed(requests, &device("toy"));
        let found = arbiters(requests, &routing);
        let mut switches: BTreeMap<Switch, Vec<u32>> = BTreeMap::new();
        found.iter().for_each(|((switch, _), own)| switches.entry(*switch).or_default().extend(own));
        let common = switches.values().filter(|arbiters| arbiters.len() > 1).count();
        assert!(common >= meetings, "the streams meet: {found:?}");
        for (switch, arbiters) in switches {
            let different: BTreeSet<u32> = arbiters.iter().copied().collect();
            assert_eq!(different.len(), arbiters.len(), "{switch:?} of {found:?}");
        }
    }
}

#[test]
fn a_split_takes_as_many_branches_as_there_are_numbers() {
    splits(32, &[(8, 1)]);
}

#[test]
#[ignore = "long: routes many splits"]
fn a_split_takes_any_number_of_branches() {
    for ways in [9, 16, 17, 24, 25, 32] {
        // A block of tiles, a row, and tiles far from each other.
        splits(ways, &[(ways.div_ceil(4), 1), (ways, 1), (ways.div_ceil(4), 5)]);
    }
}

/// Rule: 32 numbers and 4 rules for each slave port (AM009). UG1079 has `pktsplit<32>`. A layout
/// is the number of columns of the readers, and the distance between these columns.
fn splits(ways: u16, layouts: &[(u16, u16)]) {
    let device = device("xcvc1902");
    for &(columns, step) in layouts {
        let branch = |number: u16| {
            let (column, row) = (step * (number % columns), 1 + number / columns);
            Request::packet(1, shim(10, 3), vec![dma(4 + column, row, 0)])
        };
        let requests: Vec<Request> = (0..ways).map(branch).collect();
        let routing = routed(&requests, &device);
        let numbers: BTreeSet<_> = routing.wiring.ids.iter().collect();
        assert_eq!(numbers.len(), usize::from(ways), "each branch has a number of its own");
    }
}

#[test]
fn more_streams_on_a_port_than_the_tools_allow_are_caught() {
    // Rule: "Slave Net Limit: 4" of the 2022.2 router's log.
    let merge = |column: u16, row| Request::packet(1, dma(column, row, 0), vec![dma(5, 3, 0)]);
    let requests: Vec<Request> = (0..5).map(|i| merge(i, 1)).collect();
    let mut device = device("toy");
    let routing = route_requests(&requests, &device, &RouteOptions::default()).expect("the edges suffice");
    assert_caught(&check_wiring(&requests, &routing.wiring, &[], &device), "at most 4 may");
    device.tools.slave_nets = None;
    assert_eq!(check_wiring(&requests, &routing.wiring, &[], &device), [], "later tools allow 32");
}

#[test]
fn a_packet_group_counts_once_on_every_edge() {
    // 36 wires cross a column; 35 circuits and a group of four streams fit, 36 circuits and the
    // group do not.
    let device = device("xcvc1902");
    let crossing = |i: u16| dma(8 - i / 8, 1 + i % 8, u32::from(i / 24));
    let circuits = |n: u16| (0..n).map(|i| Request::circuit(crossing(i), vec![dma(9 + i / 8, 1 + i % 8, 0)]));
    let group = || (0..4).map(|i| Request::packet(7, dma(3, 1 + i, 0), vec![dma(20, 4, 0)]));
    let fits: Vec<Request> = circuits(35).chain(group()).collect();
    routed(&fits, &device);
    let too_many: Vec<Request> = circuits(36).chain(group()).collect();
    let refusal = route_requests(&too_many, &device, &RouteOptions::default()).expect_err("37 do not fit 36");
    let Refusal::Overfull(cut) = refusal else { panic!("{refusal:?}") };
    assert_eq!((cut.demand(), cut.capacity), (37, 36));
    assert_eq!(check_crossing(&cut, &too_many, &device), Ok(()));
}

#[test]
fn fifos_are_passed_behind_forks_where_they_are_free() {
    // Rule: 2 FIFOs in each switch of the VC1902 (AM009).
    let device = device("toy");
    // The fork is at (1, 1): each branch has its own switch there and at its end.
    let buffered = |fifos: [u32; 2]| Request {
        fifos: fifos.to_vec(),
        ..Request::circuit(dma(0, 1, 0), vec![dma(2, 1, 0), dma(1, 2, 0)])
    };
    let short = |requests: &[Request]| Vec::from_iter(routed(requests, &device).wiring.short);
    assert_eq!(short(&[buffered([3, 3])]), []);
    assert_eq!(short(&[buffered([4, 2])]), []);
    assert_eq!(short(&[buffered([4, 3])]), [(NetId(0), SinkId(1))]);
    let local =
        |fifos: u32| Request { fifos: vec![fifos], ..Request::circuit(dma(0, 1, 0), vec![dma(0, 1, 0)]) };
    assert_eq!(short(&[local(2)]), []);
    assert_eq!(short(&[local(3)]), [(NetId(0), SinkId(0))]);
    // The first stream leaves those of (0, 1) to the second, which has no other.
    let far = Request { fifos: vec![2], ..Request::circuit(dma(3, 1, 0), vec![dma(0, 1, 1)]) };
    assert_eq!(short(&[far, local(2)]), []);
}

#[test]
fn a_stream_that_passes_too_few_fifos_is_a_fault() {
    let device = device("toy");
    let with =
        |fifos: u32| Request { fifos: vec![fifos], ..Request::circuit(dma(0, 1, 0), vec![dma(2, 1, 0)]) };
    let routing = routed(&[with(1)], &device);
    let faults = check_wiring(&[with(2)], &routing.wiring, &[], &device);
    assert!(faults.iter().any(|fault| fault.what == "1 FIFOs on the way, not 2"), "{faults:?}");
}

#[test]
fn trace_streams_take_what_is_left_and_may_stay_without_a_route() {
    let device = device("toy");
    let trace = |column, row, out| Request {
        optional: true,
        ..Request::circuit(at(column, row, EndPort::Trace(0)), vec![shim(3, out)])
    };
    let open = [trace(0, 2, 0), trace(1, 1, 1)];
    assert_eq!(routed(&open, &device).left_out, []);
    let mut narrow = device.clone();
    narrow.switch.core.masters.south = 0;
    let routing =
        route_requests(&open, &narrow, &RouteOptions::default()).expect("trace never stops a design");
    assert_eq!(routing.left_out, [NetId(0), NetId(1)]);
}

#[test]
fn a_trace_stream_leaves_its_core_tile_to_the_south_only() {
    // mlir-aie `isLegalTileConnection` for AIE1.
    let device = device("toy");
    for (column, row, packets) in (0..6).flat_map(|c| (1..5).flat_map(move |r| [(c, r, false), (c, r, true)]))
    {
        let source = at(column, row, EndPort::Trace(0));
        let request = match packets {
            true => Request::packet(0, source, vec![shim(3, 0)]),
            false => Request::circuit(source, vec![shim(3, 0)]),
        };
        let routing = routed(&[request], &device);
        let first = &routing.trees[0][0];
        assert_eq!((first.to.column, first.to.row), (column, row - 1), "column {column}, row {row}");
    }
    let requests = [Request::circuit(at(2, 2, EndPort::Trace(0)), vec![shim(3, 0)])];
    let mut routing = routed(&requests, &device);
    let settings = routing.wiring.switches.get_mut(&Switch { column: 2, row: 2 }).expect("its own");
    settings.circuits.insert(Port::new(Bundle::East, 0), Port::new(Bundle::Trace, 0));
    assert_caught(&check_wiring(&requests, &routing.wiring, &[], &device), "the crossbar does not connect");
}

#[test]
fn a_stream_keeps_its_channel_through_the_memory_tiles_of_an_aie_ml() {
    // Rule: from South k to North k only (mlir-aie isLegalTileConnection); six nets go up one
    // column, four come down.
    let device = device("xcve2802");
    let up = (0..6).map(|i| Request::circuit(at(4, 0, EndPort::South(i)), vec![dma(4, 3 + i as u16, 0)]));
    let down = (0..4).map(|i| Request::circuit(dma(4, 3 + i as u16, 1), vec![dma(4, 2, i)]));
    let requests: Vec<Request> = up.chain(down).collect();
    let routing = route_requests(&requests, &device, &RouteOptions::default()).expect("each edge has wires");
    let faults = check_wiring(&requests, &routing.wiring, &[], &device);
    assert!(faults.iter().all(|fault| fault.what.contains("neither PL nor NoC")), "{faults:#?}");
    let mut routing = routing;
    let settings = routing.wiring.switches.get_mut(&Switch { column: 4, row: 1 }).expect("a memory tile");
    let master = *settings.circuits.keys().find(|port| port.bundle == Bundle::North).expect("six go north");
    settings.circuits.insert(master, Port::new(Bundle::South, (master.channel + 1) % 6));
    assert_caught(&check_wiring(&requests, &routing.wiring, &[], &device), "the crossbar does not connect");
}

#[test]
fn memory_tiles_have_no_wires_sideways() {
    let requests = [Request::circuit(dma(4, 1, 0), vec![dma(5, 1, 0)])];
    let routing = routed(&requests, &device("xcve2802"));
    let sideways = routing.trees[0].iter().filter(|hop| hop.from.column != hop.to.column);
    assert!(sideways.clone().all(|hop| hop.from.row == 0 || hop.from.row >= 3));
    assert_eq!(sideways.count(), 1);
}

/// Random nets with distinct end ports: circuits and packet groups.
fn requests(columns: u16, low: u16, rows: u16, most: usize) -> impl Strategy<Value = Vec<Request>> {
    let tile = move || (0..columns, low..low + rows, 0..2_u32);
    let net = (tile(), proptest::collection::vec(tile(), 1..5), 0..4_u32);
    proptest::collection::vec(net, 1..most).prop_map(|nets| {
        let (mut sources, mut sinks) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
        let mut requests = Vec::new();
        for (source, ends, kind) in nets {
            let ends: Vec<_> = ends.into_iter().filter(|&end| sinks.insert(end)).collect();
            if ends.is_empty() || !sources.insert(source) {
                continue;
            }
            let end = |(column, row, channel)| dma(column, row, channel);
            let ends = ends.into_iter().map(end).collect();
            // Restricted crossbars join DMA channels of one switch only if they are equal. Another
            // test covers such nets.
            let mut request = Request::circuit(end(source), ends);
            request.sinks.retain(|sink| sink.switch != request.source.switch);
            if kind == 0 {
                request.kind = NetKind::Packet { group: (requests.len() / 4) as u32, lane: 0, id: None };
            }
            if !request.sinks.is_empty() {
                requests.push(request);
            }
        }
        requests
    })
}

/// Properties of any answer: the checker accepts routes, and the recount accepts proofs.
fn holds(requests: &[Request], device: &Device) -> Result<(), TestCaseError> {
    match route_requests(requests, device, &RouteOptions { max_rounds: 200, ..RouteOptions::default() }) {
        Ok(routing) => {
            let faults = check_wiring(requests, &routing.wiring, &routing.left_out, device);
            prop_assert_eq!(faults, []);
            for (request, tree) in requests.iter().zip(&routing.trees) {
                prop_assert!(least_hops(request, device).is_some_and(|least| tree.len() as u64 >= least));
            }
        }
        Err(Refusal::Overfull(cut)) => prop_assert_eq!(check_crossing(&cut, requests, device), Ok(())),
        Err(Refusal::GaveUp { .. } | Refusal::NoSettings(_)) => {}
        Err(Refusal::Unreachable(net)) => prop_assert!(false, "net {} is unreachable", net.0),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_answer_for_random_nets_on_the_toy_array_can_be_checked(requests in requests(6, 1, 4, 40)) {
        holds(&requests, &device("toy"))?;
    }

    #[test]
    fn any_answer_for_random_nets_on_an_aie_ml_can_be_checked(requests in requests(8, 1, 10, 60)) {
        holds(&requests, &device("xcve2802"))?;
    }
}

#[test]
fn a_false_proof_is_refused() {
    let requests: Vec<Request> = (0..37)
        .map(|i: u16| Request::circuit(dma(i / 8, 1 + i % 8, 0), vec![dma(20 + i / 8, 1 + i % 8, 0)]))
        .collect();
    let device = device("xcvc1902");
    let refusal = route_requests(&requests, &device, &RouteOptions::default()).expect_err("37 do not fit 36");
    let Refusal::Overfull(cut) = refusal else { panic!("{refusal:?}") };
    assert_eq!(check_crossing(&cut, &requests, &device), Ok(()));
    for spoil in [
        |cut: &mut aiec_router_model::Crossing| cut.capacity = 35,
        |cut: &mut aiec_router_model::Crossing| {
            cut.nets.pop();
        },
        |cut: &mut aiec_router_model::Crossing| cut.nets[0] = cut.nets[1],
        |cut: &mut aiec_router_model::Crossing| {
            cut.boundary = Boundary::Row { row: 3, towards: aiec_router_model::Side::North };
        },
    ] {
        let mut spoilt = cut.clone();
        spoil(&mut spoilt);
        assert!(check_crossing(&spoilt, &requests, &device).is_err(), "{spoilt:?}");
    }
}
