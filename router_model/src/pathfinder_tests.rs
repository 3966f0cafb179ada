//! Tests of the router on plain nets.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, builtin};
use aiec_ir::{ConnectionId, PortId};

use super::*;
use crate::Boundary;
use crate::net::{EndPort, Net, NetEnd};
use crate::request::NetKind;
use crate::route::route_nets;
use crate::routes::{Route, Routes};

fn device(name: &str) -> Device {
    builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

const fn at(column: u16, row: u16) -> Switch {
    Switch { column, row }
}

/// A net from one switch to others. The search ignores end ports.
fn net(number: u32, source: Switch, sinks: &[Switch]) -> Net {
    let end = |switch| NetEnd { switch, port: EndPort::Dma(0) };
    let sinks = sinks.iter().map(|&switch| (ConnectionId(number), end(switch))).collect();
    Net {
        from: PortId(number),
        kind: NetKind::Circuit,
        leaves_fifo: false,
        source: end(source),
        sinks,
        fifos: BTreeMap::new(),
    }
}

/// Asserts that trees join neighbours and reach all sinks, and that no edge exceeds its wires.
fn assert_legal(routes: &Routes, device: &Device) {
    let mut used: BTreeMap<Hop, u32> = BTreeMap::new();
    for route in &routes.routes {
        let mut reached = BTreeSet::from([route.net.source.switch]);
        for hop in &route.hops {
            assert!(reached.contains(&hop.from), "parents come before children");
            assert!(reached.insert(hop.to), "no switch is entered twice");
            *used.entry(*hop).or_default() += 1;
        }
        assert!(route.net.sinks.iter().all(|(_, end)| reached.contains(&end.switch)));
    }
    for (hop, nets) in used {
        let wires = match (i32::from(hop.to.column) - i32::from(hop.from.column), hop.to.row > hop.from.row) {
            (1, _) => device.switch.east,
            (-1, _) => device.switch.west,
            (_, true) => device.switch.north,
            (_, false) => device.switch.south,
        };
        assert!(nets <= wires, "{nets} nets on {hop:?}");
    }
}

fn routed(nets: &[Net], device: &Device) -> Routes {
    let routes = route_nets(nets, device, &RouteOptions::default()).expect("there is a routing");
    assert_legal(&routes, device);
    routes
}

/// A repeatable stream of numbers below `limit` (xorshift).
fn numbers(mut state: u64) -> impl FnMut(u16) -> u16 {
    move |limit| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % u64::from(limit)) as u16
    }
}

#[test]
fn a_lone_net_takes_a_shortest_way() {
    let device = device("toy");
    let routes = routed(&[net(0, at(0, 1), &[at(4, 3)])], &device);
    assert_eq!(routes.routes[0].hops.len(), 6);
    let stay = routed(&[net(0, at(2, 2), &[at(2, 2)])], &device);
    assert_eq!(stay.routes[0].hops, [], "source and sink at one switch need no hop");
}

#[test]
fn a_multicast_tree_shares_its_trunk() {
    let routes = routed(&[net(0, at(0, 1), &[at(5, 1), at(5, 2), at(4, 1)])], &device("toy"));
    assert_eq!(routes.routes[0].hops.len(), 6, "five hops east, one north");
    assert_eq!(routes.routes[0].hops_to(ConnectionId(0)), Some(5));
}

#[test]
fn nets_spread_over_rows_when_a_lateral_edge_is_full() {
    // 8 nets from one tile to its neighbour. 4 wires lead there directly, the other nets must take
    // a detour.
    let device = device("toy");
    let nets: Vec<Net> = (0..8).map(|i| net(i, at(2, 2), &[at(3, 2)])).collect();
    let routes = routed(&nets, &device);
    assert_eq!(routes.routes.iter().filter(|route| route.hops.len() == 1).count(), 4);
}

#[test]
fn the_shim_row_is_an_ordinary_routing_row() {
    // With all 36 wires of a column cut needed, some nets must take the shim row.
    let device = device("xcvc1902");
    let nets: Vec<Net> = (0..36)
        .map(|i| {
            net(i, at(8 - (i / 8) as u16, 1 + (i % 8) as u16), &[at(9 + (i / 8) as u16, 1 + (i % 8) as u16)])
        })
        .collect();
    let routes = routed(&nets, &device);
    let through_shim =
        |route: &&Route| route.hops.iter().any(|hop| hop.from == at(8, 0) && hop.to == at(9, 0));
    assert_eq!(routes.routes.iter().filter(through_shim).count(), 4);
}

#[test]
fn one_net_more_than_a_column_has_wires_is_refused_with_proof() {
    // The published message: "too many nets on Column: 8 going EAST, 37/36".
    let nets: Vec<Net> = (0..37)
        .map(|i| {
            net(i, at((i / 8) as u16, 1 + (i % 8) as u16), &[at(20 + (i / 8) as u16, 1 + (i % 8) as u16)])
        })
        .collect();
    let refusal =
        route_nets(&nets, &device("xcvc1902"), &RouteOptions::default()).expect_err("37 do not fit 36");
    let Refusal::Overfull(cut) = refusal else { panic!("{refusal:?}") };
    assert_eq!((cut.demand(), cut.capacity), (37, 36));
    assert!(matches!(cut.boundary, Boundary::Column { towards: Side::East, .. }), "{:?}", cut.boundary);
}

#[test]
fn a_crowded_corner_is_refused_with_proof_of_the_region() {
    // 11 nets leave a shim corner with 6 wires up and 4 east; no column or row cut is overfull.
    let nets: Vec<Net> = (0..11).map(|i| net(i, at(0, 0), &[at(5, 4)])).collect();
    let refusal =
        route_nets(&nets, &device("toy"), &RouteOptions { max_rounds: 5, ..RouteOptions::default() })
            .expect_err("11 do not fit 10");
    let Refusal::Overfull(cut) = refusal else { panic!("{refusal:?}") };
    assert_eq!((cut.demand(), cut.capacity), (11, 10));
    let corner = Boundary::Region { low: at(0, 0), high: at(0, 0), outwards: true };
    assert!(matches!(cut.boundary, Boundary::Region { .. }));
    assert_eq!(cut.boundary, corner);
}

#[test]
fn a_device_without_lateral_wires_separates_columns() {
    let mut device = device("toy");
    for switch in [&mut device.switch.core, &mut device.switch.shim] {
        (switch.masters.east, switch.masters.west) = (0, 0);
    }
    let refusal = route_nets(&[net(0, at(0, 1), &[at(1, 1)])], &device, &RouteOptions::default());
    assert!(matches!(refusal, Err(Refusal::Overfull(cut)) if cut.capacity == 0));
}

/// 400 nets with one to `fan` sinks each, at most `reach` columns away.
fn random_nets(seed: u64, fan: u32, reach: u16) -> Vec<Net> {
    let mut next = numbers(seed);
    let mut random_net = |i: u32| {
        let source = at(next(50), 1 + next(8));
        let mut near =
            || at((source.column + next(2 * reach + 1)).saturating_sub(reach).min(49), 1 + next(8));
        let sinks: Vec<Switch> = (0..1 + i % fan).map(|_| near()).collect();
        net(i, source, &sinks)
    };
    (0..400).map(&mut random_net).collect()
}

#[test]
fn the_same_400_nets_are_routed_the_same_way_each_time() {
    let device = device("xcvc1902");
    let nets = random_nets(7, 3, 6);
    assert_eq!(routed(&nets, &device), routed(&nets, &device));
}

#[test]
fn random_designs_are_routed_or_proven_impossible() {
    let device = device("xcvc1902");
    let (mut routed, mut refused) = (0, 0);
    for (seed, fan, reach) in (1..5).flat_map(|seed| [(seed, 1, 8), (seed, 3, 7), (seed, 5, 4)]) {
        match route_nets(&random_nets(seed, fan, reach), &device, &RouteOptions::default()) {
            Ok(routes) => {
                assert_legal(&routes, &device);
                routed += 1;
            }
            Err(Refusal::Overfull(cut)) => {
                assert!(cut.demand() > cut.capacity);
                refused += 1;
            }
            Err(refusal) => panic!("seed {seed}, fan {fan}, reach {reach}: {refusal:?}"),
        }
    }
    assert!(routed > 0 && refused > 0, "{routed} routed and {refused} refused: the test sees both");
}

#[test]
fn congestion_is_negotiated_up_to_the_last_wire() {
    // All wires east out of column 2 are needed by nets that start in two rows only.
    let device = device("toy");
    let rows = [1, 4];
    let nets: Vec<Net> = (0..20)
        .map(|i| {
            net(i, at((i % 3) as u16, rows[(i / 10) as usize]), &[at(3 + (i % 3) as u16, 1 + (i % 4) as u16)])
        })
        .collect();
    routed(&nets, &device);
}

#[test]
fn uncongested_nets_are_within_five_percent_of_their_shortest_trees() {
    // The bound is exact for up to 6 sinks: the sum of the shortest trees, each net alone on the
    // array.
    let device = device("xcvc1902");
    for (seed, fan, reach) in [(1, 1, 6), (2, 1, 6), (3, 3, 3), (4, 3, 3), (5, 4, 2)] {
        let nets = random_nets(seed, fan, reach);
        let hops: usize = routed(&nets, &device).routes.iter().map(|route| route.hops.len()).sum();
        let least =
            nets.iter().map(|net| crate::least_hops(&Request::from(net), &device).expect("on the array"));
        let least: u64 = least.sum();
        assert!(least <= hops as u64, "no tree is shorter than its bound");
        assert!(hops as u64 * 100 <= least * 105, "seed {seed}: {hops} hops, at least {least}");
    }
}

#[test]
fn the_crossbar_of_aie_ml_joins_a_dma_channel_to_its_own_number_only() {
    // mlir-aie `isLegalTileConnection`: within a tile, DMA i to DMA j only for i = j.
    let device = device("xcve2802");
    let end = |channel| NetEnd { switch: at(5, 3), port: EndPort::Dma(channel) };
    let route = |sink| {
        route_requests(&[Request::circuit(end(0), vec![end(sink)])], &device, &RouteOptions::default())
    };
    assert_eq!(route(1).err(), Some(Refusal::Unreachable(NetId(0))));
    assert!(route(0).is_ok());
}

#[test]
fn at_the_shim_of_aie_ml_every_south_port_leads_to_every_other_one() {
    // mlir-aie `isLegalTileConnection` and aie-rt (executed): 8 ports from South, 6 to it.
    let device = device("xcve2802");
    let end = |port| NetEnd { switch: at(5, 0), port: EndPort::South(port) };
    for (from, to) in (0..8).flat_map(|from| (0..6).map(move |to| (from, to))) {
        let request = Request::circuit(end(from), vec![end(to)]);
        let routing = route_requests(std::slice::from_ref(&request), &device, &RouteOptions::default());
        let routing = routing.unwrap_or_else(|refusal| panic!("south {from} to south {to}: {refusal:?}"));
        let faults = crate::check_wiring(&[request], &routing.wiring, &[], &device);
        assert!(faults.iter().all(|fault| !fault.what.contains("does not connect")), "{faults:#?}");
    }
}
