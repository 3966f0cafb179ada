//! Tests of the kernels that may share a core, and of their firing order.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use aiec_ir::{Alone, CollectiveId, Direction, KernelId};
use aiec_test_support::{Builder, Reduce, input, int32, output, stream};

fn pipe() -> Builder {
    let mut builder = Builder::new("pipe", "toy");
    builder.kernels("b", &[], &[input("x", int32(4)), output("y", int32(4))]);
    builder.kernels("a", &[], &[output("y", int32(4))]).gmio_output("o");
    builder.connect("a.y", "b.x").connect("b.y", "o");
    builder
}

fn reasons(builder: &Builder) -> Vec<Option<Alone>> {
    builder.expanded().unwrap().alone().iter().copied().collect()
}

#[test]
fn kernels_fire_in_the_order_of_the_data() {
    assert_eq!(pipe().expanded().unwrap().firing_order(), [KernelId(1), KernelId(0)]);
}

#[test]
fn a_kernel_without_a_ratio_has_a_core_of_its_own() {
    let mut builder = pipe();
    builder.runtime("a", 400);
    assert_eq!(reasons(&builder), [Some(Alone::NoRuntime), None]);
    assert_eq!(builder.expanded().unwrap().core_shares().as_slice(), [1000, 400]);
}

// UG1079, "Interface Considerations": the compiler puts several kernels on one core if the sum of
// what they need, such as ports for streams, is within the limits of the tile.
#[test]
fn kernels_with_streams_share_a_core_where_constraints_demand_it_but_not_with_the_other_end() {
    let mut ends = Builder::new("ends", "toy");
    ends.carrying("a", &[], &[(Direction::Out, "y", stream(Some(4)))]);
    ends.carrying("b", &[], &[(Direction::In, "x", stream(Some(4))), (Direction::Out, "y", stream(Some(4)))]);
    ends.carrying("c", &[], &[(Direction::In, "x", stream(Some(4)))]);
    ends.connect("a.y", "b.x").connect("b.y", "c.x");
    ends.runtime("a", 400).runtime("b", 400).runtime("c", 400);
    assert!(reasons(&ends).iter().all(|reason| matches!(reason, Some(Alone::Stream(_)))));
    let mut far = ends.clone();
    far.place("a", 1, 1).place("c", 1, 1);
    let found = reasons(&far);
    assert!(
        found[0].is_none() && found[2].is_none() && matches!(found[1], Some(Alone::Stream(_))),
        "{found:?}"
    );
    ends.place_relative("b", "a", (0, 0));
    assert!(reasons(&ends).iter().all(|reason| matches!(reason, Some(Alone::Stream(_)))));
}

#[test]
fn a_kernel_that_could_wait_for_one_on_its_core_has_a_core_of_its_own() {
    let mut locks = pipe();
    locks.runtime("a", 400).runtime("b", 400).connect("async a.y", "b.x");
    assert!(matches!(reasons(&locks)[1], Some(Alone::Asynchronous(_))));
    locks.place("a", 1, 1).place("b", 1, 1);
    assert_eq!(reasons(&locks)[..2], [None, None], "the check before placement says that they may wait");
    let ports = [input("x", int32(4)), output("y", int32(4))];
    let mut ring = Builder::new("ring", "toy");
    ring.kernels("k", &[2], &ports).runtime("k", 100);
    ring.connect("k[0].y", "k[1].x").connect("k[1].y", "k[0].x");
    assert_eq!(reasons(&ring), [Some(Alone::Cycle); 2]);
    let calls = |calls: u32| {
        let mut tree = Builder::new("tree", "toy");
        tree.kernels("w", &[3], &[]).runtime("w", 100);
        tree.reduce(Reduce::over("t", &["w"], int32(4)).calls(calls));
        reasons(&tree)
    };
    assert_eq!(calls(1), [None; 3]);
    assert_eq!(calls(2), [Some(Alone::SeveralWindows(CollectiveId(0))); 3]);
}
