//! Estimates of routed designs.

use aiec_check::Checked;
use aiec_placer::PlaceOptions;
use aiec_router_model::{
    Estimate, Implementation, RouteOptions, Side, Way, dump_estimate, estimate, route, verify,
};
use aiec_test_support::{Builder, Reduce, input, int32, output};
use aiec_timing::Limit;

#[allow(clippy::unwrap_used, reason = "the line before asserts it; tests may stop")]
fn value<T>(outcome: aiec_diag::Outcome<T>) -> T {
    let (value, diagnostics) = outcome.into_parts();
    assert!(value.is_some(), "{diagnostics:#?}");
    value.unwrap()
}

fn estimated(builder: &Builder) -> (Checked, Estimate) {
    let expanded = builder.expanded().expect("the design names only what it has");
    let device =
        aiec_device::builtin(&expanded.device.value).and_then(|o| o.into_parts().0).expect("built in");
    let checked = value(aiec_check::check(expanded, &device));
    let placement = value(aiec_placer::place(&checked, &device, &PlaceOptions::default()));
    let placed = value(aiec_placer::verify(&checked, &device, placement));
    let routes = value(route(&checked, &placed, &device, &RouteOptions::default()));
    let routed = value(verify(&checked, &placed, &device, routes));
    let estimate =
        estimate(&Implementation { checked: &checked, placed: &placed, routed: &routed, device: &device });
    (checked, estimate)
}

/// Two kernels, `distance` columns apart.
fn pair(distance: i64) -> Builder {
    let mut builder = Builder::new("pair", "xcvc1902");
    builder.kernels("a", &[], &[output("x", int32(4))]).kernels(
        "b",
        &[],
        &[input("x", int32(4)), output("y", int32(4))],
    );
    builder.gmio_output("out").connect("a.x", "b.x").connect("b.y", "out");
    builder.place("a", 0, 0).place("b", distance, 0);
    builder
}

fn tree(elements: u32, data: u32, calls: u32, apart: i64) -> Builder {
    let mut builder = Builder::new("tree", "xcvc1902");
    builder.kernels("worker", &[7], &[]).gmio_output("sum");
    builder
        .reduce(Reduce::over("total", &["worker"], int32(elements)).data(int32(data)).calls(calls).scalar());
    builder.connect("total.result", "sum");
    for i in 0..7 {
        if apart > 0 {
            builder.place(&format!("worker[{i}]"), 4 + apart * i, 2);
        }
    }
    builder
}

#[test]
fn latencies_are_those_of_table_3_1() {
    let (_, shared) = estimated(&pair(1));
    assert_eq!(shared.connections[0].way, Way::Shared);
    assert!((shared.connections[0].latency_cycles - 98.5).abs() < 1e-9);
    let (_, far) = estimated(&pair(28));
    let connection = far.connections[0];
    assert_eq!((connection.way, connection.distance), (Way::Dma, Some(28)));
    assert!((connection.latency_cycles - 236.16).abs() < 1e-9, "measured: 236");
    assert!(
        (connection.window_cycles - connection.latency_cycles).abs() < 1e-9,
        "the window is the measured one"
    );
    assert!(connection.hops >= 27, "one of the buffers may lie a tile nearer");
    assert_eq!(connection.hop_cycles, u64::from(connection.hops + 1) * 4, "a switch more than hops");
    assert_eq!(connection.bound_cycles, 4, "16 bytes at 32 bits a cycle");
    assert_eq!(far.connections[1].way, Way::External);
}

#[test]
fn a_perfect_tree_has_the_times_of_table_4_2() {
    let (_, estimate) = estimated(&tree(4, 4, 1, 0));
    let total = &estimate.collectives[0];
    assert_eq!((total.levels, total.leaf_cycles, total.level_cycles, total.tree_cycles), (3, 161, 731, 1203));
    assert_eq!((total.call_cycles, total.total_cycles), (1203, 1203));
    assert!(total.ratio > 1.0, "no estimate is below its bound");
}

#[test]
fn further_windows_and_calls_cost_one_level_each() {
    let (_, estimate) = estimated(&tree(4, 12, 5, 0));
    let total = &estimate.collectives[0];
    assert_eq!((total.chunks, total.calls), (3, 5));
    assert_eq!(total.call_cycles, 1203 + 2 * 731);
    assert_eq!(total.total_cycles, 1203 + 14 * 731);
}

#[test]
fn links_over_the_network_improve_no_ratio() {
    let (_, near) = estimated(&tree(256, 256, 1, 0));
    let (_, far) = estimated(&tree(256, 256, 1, 3));
    let (near, far) = (&near.collectives[0], &far.collectives[0]);
    assert_eq!((far.routed_links, far.limit), (6, Limit::Loop), "the loops hide the streams");
    assert_eq!(near.routed_links + near.shared_links, 6);
    assert_eq!(far.bound_cycles, near.bound_cycles);
    assert!(far.ratio >= near.ratio);
}

#[test]
fn use_of_wires_is_counted_where_the_nets_go() {
    let (checked, estimate) = estimated(&pair(20));
    let routing = &estimate.routing;
    assert_eq!(
        (routing.nets, estimate.resources.routed_connections, estimate.resources.shared_connections),
        (2, 2, 0)
    );
    assert_eq!(routing.hops, estimate.connections.iter().map(|c| c.hops).sum::<u32>());
    assert_eq!(routing.longest_path, estimate.connections.iter().map(|c| c.hops).max().unwrap());
    let edge = routing.worst_edge.expect("nets use edges");
    assert!(edge.used <= edge.capacity && edge.used > 0);
    let east =
        routing.worst_cuts.iter().find(|cut| cut.towards == Side::East).expect("one cut per direction");
    assert_eq!((east.demand, east.capacity), (1, 36));
    assert_eq!((estimate.resources.cores, estimate.resources.tiles_available), (2, 400));
    let text = dump_estimate(&checked, &estimate);
    assert!(text.contains("\"from\": \"a.x\"") && text.contains("\"capacity\": 36"), "{text}");
}

#[test]
fn a_detour_costs_its_switches() {
    // AM009: 4 cycles per switch. Latencies were measured over shortest paths (thesis 3.3.3). 44
    // hops for a distance of 32 are 12 more.
    let device = aiec_device::builtin("xcvc1902").and_then(|o| o.into_parts().0).expect("built in");
    assert_eq!(aiec_router_model::detour_cycles(44, 32, &device), 48);
    assert_eq!(aiec_router_model::detour_cycles(27, 28, &device), 0);
    assert_eq!(
        aiec_router_model::way_cycles(0, &device),
        4,
        "within one tile a word still crosses its switch"
    );
}
