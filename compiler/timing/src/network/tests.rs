//! The published tables against the runs of the built-in profiles.

use super::*;

fn network(name: &str) -> Network {
    NetworkProfile::parse(NetworkProfile::text(name).expect("built in")).expect("a profile").network
}

/// A node of the nearest router that is `hops` away from that of node 0.
fn away(network: &Network, hops: usize) -> usize {
    let router = (0..network.router_count()).find(|&router| network.hops(0, router) == hops);
    router.expect("a distance") * network.nodes as usize + 1
}

#[test]
fn gasnet_has_the_twelve_latencies_of_tables_4_and_5() {
    let bee3 = network("gasnet-bee3");
    for (hops, expected) in [[17, 35, 29, 47], [24, 49, 36, 61], [31, 63, 43, 75]].into_iter().enumerate() {
        let to = away(&bee3, hops);
        let one = |bytes| run(&bee3, &one_way(&bee3, 0, to, bytes), &[]).left[to];
        let two = |bytes| run(&bee3, &round_trip(&bee3, 0, to, bytes), &[]).left[0];
        assert_eq!([one(0), two(0), one(4), two(4)], expected.map(Some), "{hops} hops");
    }
}

#[test]
fn gasnet_reaches_half_of_its_peak_between_64_and_256_bytes() {
    let bee3 = network("gasnet-bee3");
    for (hops, expected) in [112_u64, 140, 168].into_iter().enumerate() {
        let to = away(&bee3, hops);
        let reaches = |bytes: &u64| {
            let cycles = run(&bee3, &one_way(&bee3, 0, to, *bytes), &[]).total;
            *bytes as f64 / cycles as f64 >= bee3.bytes / 2.0
        };
        let half = (4..=256).step_by(4).find(reaches).expect("half of the peak");
        assert!(half.abs_diff(expected) <= 4, "{hops} hops: {half}");
    }
}

/// Cycles until node 0 and all nodes have left a barrier.
fn barrier(network: &Network, barrier: Barrier) -> [u64; 2] {
    let outcome = run(network, &barrier.programs(network).expect("programs"), &[]);
    let left: Vec<u64> = outcome.left.into_iter().map(|left| left.expect("no node stays")).collect();
    [left[0], left.into_iter().max().unwrap_or(0)]
}

#[test]
fn gasnet_barriers_are_within_15_percent_of_tables_6_and_7() {
    let bee3 = network("gasnet-bee3");
    for (shape, published) in [(Barrier::Flat, [87.0, 196.0]), (Barrier::Hub, [62.0, 148.0])] {
        let ours = barrier(&bee3, shape);
        for (ours, published) in ours.into_iter().zip(published) {
            assert!((ours as f64 / published - 1.0_f64).abs() < 0.15, "{shape:?}: {ours} for {published}");
        }
    }
}

/// `docs/seeds.md` has these numbers.
#[test]
fn slower_and_fewer_links_make_barriers_longer() {
    let bee3 = Network { link_gap: 9, ..network("gasnet-bee3") };
    assert_eq!([Barrier::Flat, Barrier::Hub].map(|shape| barrier(&bee3, shape)), [[87, 197], [62, 131]]);
    let xmp = Network { links: 1, ..network("xmp64") };
    assert_eq!(barrier(&xmp, Barrier::Hypercube)[1], 1180);
}

#[test]
fn the_xmp_64_has_the_journeys_of_table_1_and_its_estimated_barrier() {
    let xmp = network("xmp64");
    for (hops, published) in [70, 200, 290, 390, 480].into_iter().enumerate() {
        let to = away(&xmp, hops);
        let cycles = run(&xmp, &one_way(&xmp, 0, to, 0), &[]).total;
        // The table has tens of nanoseconds.
        assert_eq!((cycles + 5) / 10 * 10, published, "{hops} hops");
    }
    assert_eq!(barrier(&xmp, Barrier::Hypercube)[1], 2 * 70 + 4 * 200, "the estimate of 3.3.1");
    let late: Vec<u64> = (0..64).map(|node| if node == 0 { 10_000 } else { 0 }).collect();
    let outcome = run(&xmp, &Barrier::Hypercube.programs(&xmp).expect("programs"), &late);
    assert_eq!(outcome.left[0], Some(10_282), "280 ns for the one that all others wait for (3.3.2)");
}

#[test]
fn no_node_leaves_a_barrier_before_all_have_entered() {
    for name in NetworkProfile::names() {
        let network = network(name);
        for shape in [Barrier::Flat, Barrier::Hub, Barrier::Hypercube] {
            let programs = shape.programs(&network).expect("programs");
            for late in 0..network.node_count() {
                let mut enter = vec![0; network.node_count()];
                enter[late] = 5000;
                let left = run(&network, &programs, &enter).left;
                assert!(
                    left.iter().all(|left| left.is_some_and(|left| left >= 5000)),
                    "{name} {shape:?} {late}"
                );
            }
        }
    }
}

#[test]
fn ways_are_shortest_in_rings_meshes_and_hypercubes() {
    let of = |routers: &[u32], wrap| Network { routers: routers.to_vec(), wrap, ..network("gasnet-bee3") };
    let ring = of(&[5], true);
    assert_eq!([1, 2, 3, 4].map(|to| ring.hops(0, to)), [1, 2, 2, 1]);
    let mesh = of(&[3, 4], false);
    assert_eq!((mesh.hops(0, 11), mesh.hops(2, 9)), (5, 5), "columns and rows");
    assert_eq!((ring.diameter(), mesh.diameter(), of(&[2, 2, 2, 2], false).diameter()), (2, 5, 4));
    let cube = of(&[2, 2, 2, 2], false);
    for (from, to) in (0..16_usize).flat_map(|from| (0..16_usize).map(move |to| (from, to))) {
        assert_eq!(cube.hops(from, to), (from ^ to).count_ones() as usize);
    }
    assert_eq!(of(&[2, 2, 2, 2], true).hops(0, 15), 4);
}

#[test]
fn messages_wait_for_a_link_of_their_direction() {
    let mut line = network("gasnet-bee3");
    (line.routers, line.nodes, line.wrap) = (vec![2], 3, false);
    let most = |network: &Network| {
        let to = [3, 4, 5, 0, 1, 2];
        run(network, &exchange(&to, 0), &[]).arrivals.iter().map(|message| message.cycles).max()
    };
    let alone = line.send + line.hop + line.receive;
    assert_eq!(most(&line), Some(alone + 2 * line.link_gap));
    assert_eq!(most(&Network { links: 2, ..line.clone() }), Some(alone + line.link_gap));
    assert_eq!(most(&Network { links: 3, ..line }), Some(alone));
}

#[test]
fn profiles_out_of_range_have_a_reason() {
    let text = NetworkProfile::text("xmp64").expect("built in");
    assert!(NetworkProfile::describes(text) && !NetworkProfile::describes("name = 1"));
    for (from, to, reason) in [
        ("[2, 2, 2, 2]", "[]", "at least one dimension"),
        ("[2, 2, 2, 2]", "[70000, 70000]", "4096 nodes"),
        ("nodes = 4", "nodes = 0", "1 to 4096 nodes"),
        ("links = 4", "links = 0", "1024 links"),
        ("bytes = 0.05", "bytes = 0", "bytes per cycle"),
        ("cycle_ns = 1", "cycle_ns = nan", "nanoseconds"),
        ("hop = 93", "hop = 9999999", "a million cycles"),
        ("hop = 93", "hop = -1", "invalid value"),
        ("hop = 93", "hopp = 93", "unknown field"),
    ] {
        let bad = NetworkProfile::parse(&text.replacen(from, to, 1)).expect_err(to);
        assert!(bad.message.contains(reason), "{to}: {}", bad.message);
    }
}
