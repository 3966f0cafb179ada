use aiec_router_model::{EndPort, NetId, RouteOptions, route_requests};

use super::*;

fn device(name: &str) -> Device {
    aiec_device::builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

fn end(column: u16, row: u16, channel: u32) -> NetEnd {
    NetEnd { switch: Switch { column, row }, port: EndPort::Dma(channel) }
}

fn drawn(requests: &[Request], trees: &[Vec<Hop>]) -> Vec<DrawnNet> {
    let named = requests.iter().zip(trees).enumerate();
    named
        .map(|(n, (request, hops))| DrawnNet {
            name: format!("net{n}"),
            request: request.clone(),
            hops: hops.clone(),
        })
        .collect()
}

/// Two nets from one module, one of them to two sinks.
fn two_nets() -> RoutingPlan {
    let device = device("toy");
    let requests = [
        Request::circuit(end(1, 1, 0), vec![end(4, 1, 0), end(4, 2, 0)]),
        Request::circuit(end(1, 1, 1), vec![end(4, 1, 1)]),
    ];
    let routing = route_requests(&requests, &device, &RouteOptions::default()).expect("there is room");
    routing_plan("two", &device, &drawn(&requests, &routing.trees), true, None, None)
}

#[test]
fn a_plan_counts_hops_edges_and_cuts() {
    let plan = two_nets();
    assert_eq!(
        (plan.hops(), plan.longest().map(|net| net.longest)),
        (7, Some(4)),
        "3 hops and 1 more, and 3"
    );
    let used: u32 = plan.edges.iter().map(|edge| edge.used).sum();
    assert_eq!(used as usize, plan.hops());
    let east: Vec<(u32, u32)> = plan
        .worst_cuts()
        .iter()
        .filter(|c| direction(c) == Some(Side::East))
        .map(|c| (c.demand, c.used))
        .collect();
    assert_eq!(east, [(2, 2)]);
}

#[test]
fn parallel_nets_have_lanes_of_their_own() {
    let plan = two_nets();
    let lanes = lanes::Lanes::assign(&plan.nets);
    let shared = plan.edges.iter().filter(|edge| edge.used == 2);
    let hops: Vec<Hop> = shared.map(|edge| Hop { from: edge.from, to: edge.to }).collect();
    for &hop in &hops {
        assert_ne!(lanes.lane(NetId(0), hop), lanes.lane(NetId(1), hop), "{hop:?}");
        assert_eq!(lanes.count(hop), 2);
    }
}

#[test]
fn a_picture_has_a_line_for_each_net_and_a_dot_for_each_end() {
    let picture = routing_svg(&two_nets());
    assert_eq!(picture.matches(r#"stroke-linejoin="round""#).count(), 2);
    assert_eq!(picture.matches(r#"r="2.4""#).count(), 5, "two sources, three sinks");
    assert!(picture.contains("net0: (1, 1) dma 0 to (4, 1) dma 0, (4, 2) dma 0"), "{picture}");
    assert!(picture.contains("2/20"), "the share of the fullest cut");
}

#[test]
fn kernels_of_one_core_have_a_slice_each() {
    let slices = |together: bool| {
        let (device, mut floor) = (device("toy"), crate::tests::plan());
        if together {
            floor.kernels[1].tile = floor.kernels[0].tile;
        }
        let plan = routing_plan("three", &device, &drawn(&[], &[]), true, None, Some(floor));
        routing_svg(&plan).matches("width=\"11\"").count()
    };
    assert_eq!((slices(false), slices(true)), (0, 2));
}

#[test]
fn what_cannot_be_routed_shows_the_cut_and_the_nets_that_must_cross_it() {
    let device = device("xcvc1902");
    let requests: Vec<Request> = (0..37)
        .map(|n| Request::circuit(end(8 - n / 16, 1 + n % 8, 0), vec![end(9 + n / 16, 1 + n % 8, 0)]))
        .collect();
    let trees = vec![Vec::new(); requests.len()];
    let plan = routing_plan("full", &device, &drawn(&requests, &trees), false, None, None);
    let full: Vec<(&str, u32, usize)> =
        plan.worst_cuts().iter().map(|cut| (cut.name.as_str(), cut.demand, cut.nets.len())).collect();
    assert_eq!(full, [("column 8 going east", 37, 37)]);
    let picture = routing_svg(&plan);
    assert!(picture.contains("37 nets must cross column 8 going east, which has 36 wires"));
    assert!(picture.contains("37/36"));
}

/// Nets that cross a line for which there are not enough wires, and one that stays at its place.
fn overfull() -> RoutingPlan {
    let device = device("xcvc1902");
    let crossing =
        |n: u16| Request::circuit(end(8 - n / 16, 1 + n % 8, 0), vec![end(9 + n / 16, 1 + n % 8, 0)]);
    let mut requests: Vec<Request> = (0..37).map(crossing).collect();
    requests.push(Request::circuit(end(20, 1, 0), vec![end(21, 1, 0)]));
    let trees = vec![Vec::new(); requests.len()];
    routing_plan("full", &device, &drawn(&requests, &trees), false, None, None)
}

#[test]
fn a_failure_draws_only_what_crosses_the_full_line() {
    let plan = overfull();
    assert_eq!(plan.shown().len(), 37);
    let picture = routing_svg(&plan);
    assert!(picture.contains("net36:") && !picture.contains("net37"));
    assert_eq!(picture.matches("/36").count(), 1, "one cut: {picture}");
}

#[test]
fn a_legend_of_many_nets_is_a_table_by_weight() {
    let plan = overfull();
    let picture = routing_svg(&plan);
    assert!(picture.contains("and 25 more nets of at most as many tiles apart"));
    let heaviest = plan.nets.iter().map(NetMark::weight).max();
    assert_eq!(heaviest, Some(5), "from two columns before the line to two behind it");
    let rows: Vec<&str> = picture.split("<text").filter(|text| text.contains(r#"x="154""#)).collect();
    assert_eq!(rows.len(), 13, "the head and twelve nets: {rows:?}");
    assert!(!routing_svg(&two_nets()).contains(r#"x="154""#), "a list of few");
}

#[test]
fn kernels_have_the_labels_and_the_legend_of_the_floorplan() {
    let mut floor = crate::tests::row_of(&["stage[0]", "stage[1]", "finishing"].map(str::to_owned));
    for kernel in &mut floor.kernels {
        kernel.family = kernel.name.split('[').next().unwrap_or_default().to_owned();
    }
    let placed = crate::svg(&floor);
    let plan = RoutingPlan { floorplan: Some(floor), ..two_nets() };
    let picture = routing_svg(&plan);
    let words = |picture: &str, word: &str| picture.matches(&format!("\n{word}\n")).count();
    for word in ["stage", "finishing"] {
        assert_eq!((words(&placed, word), words(&picture, word)), (1, 1), "{word} in the legends: {picture}");
    }
    assert_eq!(words(&picture, "finis"), 1, "as much of the name as the box has room for: {picture}");
    let bare = routing_svg(&two_nets());
    assert!(words(&bare, "stage") == 0 && bare.len() < picture.len());
}

#[test]
fn one_net_is_one_net() {
    let device = device("toy");
    let requests = [Request::circuit(end(1, 1, 0), vec![end(2, 1, 0)])];
    let routing = route_requests(&requests, &device, &RouteOptions::default()).expect("there is room");
    let plan = routing_plan("one", &device, &drawn(&requests, &routing.trees), true, None, None);
    let picture = routing_svg(&plan);
    assert!(picture.contains("1 net, 1 hop, the longest way 1 hop, "), "{picture}");
    assert!(picture.contains("1 net must cross, wires in use: 1"), "{picture}");
    assert!(!picture.contains("1 nets") && !picture.contains("1 hops"), "{picture}");
}
