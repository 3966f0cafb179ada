//! Packets that wait for each other: what the check refuses hangs in a run.

use aiec_tests::{Ran, aiec_on};

use super::fails;

/// The designs whose packets hang, each with its kernels and what its kernels wait for.
const HANGS: [(&str, &str, &[&str]); 3] = [
    (
        include_str!("../simulated/packets/ring.dsl"),
        include_str!("../simulated/packets/ring.cc"),
        &["`deal.back` waits for a full buffer", "`worker[0].x` waits", "`collect.x` waits for data"],
    ),
    (
        include_str!("../simulated/packets/late.dsl"),
        include_str!("../simulated/packets/late.cc"),
        &["`deal.y` waits for space", "`sink[0].last` waits for a full buffer"],
    ),
    (
        include_str!("../simulated/packets/turn.dsl"),
        include_str!("../simulated/packets/turn.cc"),
        &["`stage[1].y` waits for an empty buffer", "`collect.x` waits for data"],
    ),
];

/// A design of [`HANGS`] beside its kernels and data. The text `from` of it becomes `to`.
fn hanging(command: &str, at: usize, from: &str, to: &str) -> Ran {
    let (design, kernels, _) = HANGS[at];
    let name = ["ring.cc", "late.cc", "turn.cc"][at];
    let data: String = (0..64).map(|value| format!("{value}\n")).collect();
    let changed = design.replace(from, to);
    assert!(from.is_empty() || changed != design, "`{from}` is not in the design");
    aiec_on(command, &changed, &[(name, kernels), ("in.txt", &data)], &[])
}

#[test]
fn packets_that_wait_for_each_other_are_refused_before_anything_runs() {
    for at in [0, 1] {
        let ran = hanging("check", at, "", "");
        fails(&ran, "check/stream-hang", &["packets follow each other", "a packet"]);
    }
    fails(
        &hanging("check", 2, "", ""),
        "check/stream-hang",
        &["whose packet comes first", "a plain `merge`"],
    );
    for (at, from, to) in [(1, "[2000]", "[16]"), (2, "merge ordered", "merge")] {
        let design = HANGS[at].0.replace("[1000]", "[8]").replace(from, to);
        let ran = aiec_on("check", &design, &[], &["--no-cxx"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
}

#[test]
#[ignore = "long: simulates"]
fn what_the_check_of_packets_refuses_hangs_in_the_simulation() {
    for (at, amount) in [(0, "packets int32[32]"), (1, "packets int32[2000]"), (2, "packets int32[80]")] {
        // The check says nothing where an amount is unknown.
        fails(&hanging("sim", at, amount, "packets int32"), "sim/deadlock", HANGS[at].2);
    }
    let ran = hanging("sim", 2, "merge ordered", "merge");
    assert!(ran.status == 0 && ran.out.contains("ran to its end"), "{}\n{}", ran.out, ran.err);
}
