//! Kernels that constraints put on one core: `aiec sim` runs them in turn, too, and finds those
//! that wait for each other in every order.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_tests::{Ran, aiec, aiec_on};

const SOURCE: &str = include_str!("simulated/cores/kernels.cc");

fn numbers() -> String {
    (0..3 * 64).map(|n| format!("{n}\n")).collect()
}

fn simulated(design: &str, count: &str) -> Ran {
    let source = SOURCE.replace("COUNT", count);
    aiec_on("sim", design, &[("kernels.cc", &source), ("in.txt", &numbers())], &["--unplaced"])
}

/// `first` and `last` on one core, and `middle` between them on another.
fn streams(middle: &str, fifo: &str) -> Ran {
    let design = include_str!("simulated/cores/streams.dsl");
    let kind = if middle == "step" { "stream" } else { "window" };
    let design = design.replace("KIND", kind).replace("MIDDLE", middle);
    let behind = "connect middle.y -> last.x";
    simulated(&design.replace(behind, &format!("{behind} {fifo}")), "1")
}

fn windows(count: &str) -> Ran {
    simulated(&include_str!("simulated/cores/windows.dsl").replace("COUNT", count), count)
}

/// The run ends without a fault.
#[track_caller]
fn ends(ran: &Ran) {
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

/// The run ends with a warning: longer ways may hold more.
#[track_caller]
fn may_stop(ran: &Ran, parts: &[&str]) {
    assert_eq!(ran.status, 0, "{}", ran.err);
    says(ran, parts);
}

/// The run is an error, whatever streams hold.
#[track_caller]
fn stops(ran: &Ran, parts: &[&str]) {
    assert_eq!(ran.status, 1, "{}", ran.err);
    says(ran, parts);
}

#[track_caller]
fn says(ran: &Ran, parts: &[&str]) {
    let words = ran.words();
    assert!(words.contains("core-wait") || words.contains("in turn"), "{words}");
    assert!(!words.contains("sim/deadlock"), "the run itself ends: {words}");
    for part in parts {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

#[test]
#[ignore = "long: simulates"]
fn streams_through_another_core_hang_and_the_cycle_is_shown() {
    let ran = streams("step", "");
    let parts = [
        "check/may-hang",
        "`last` and `first` run in turn on one core, and wait for each other there, whichever begins, if streams hold 8 words",
        "`first` has the core and waits, in iteration 0, and `last` begins only when `first` has ended",
        "`first.y` is full (FIFO holds 8 of 8 words): waits for",
        "`middle.y` is full (FIFO holds 8 of 8 words): waits for",
        "`last`, which rests",
        "kernels.cc:5",
        "`last` is here relative to `first`",
        "a `fifo` that holds the words of a run",
    ];
    may_stop(&ran, &parts);
}

#[test]
#[ignore = "long: simulates"]
fn a_fifo_that_holds_the_words_of_a_run_ends_the_wait() {
    ends(&streams("step", "fifo 48"));
    may_stop(&streams("step", "fifo 40"), &[]);
}

/// `last` is the first kernel of the design, but no run of it ends before one of `first`.
#[test]
#[ignore = "long: simulates"]
fn one_order_that_goes_on_is_enough() {
    ends(&streams("whole", ""));
}

#[test]
#[ignore = "long: simulates"]
fn an_allow_of_locked_windows_is_checked() {
    ends(&windows("2"));
    stops(&windows("3"), &["`deal.y` is full: waits for", "`deal` waits here", "no more windows"]);
}

#[test]
#[ignore = "long: simulates"]
fn a_graph_with_one_location_for_two_kernels_is_run_in_turn() {
    let run = |fifo: &str| {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let graph = include_str!("simulated/cores/graph.cpp").replace("FIFO", fifo);
        let source = SOURCE.replace("COUNT", "1");
        for (file, text) in [("graph.cpp", &graph), ("kernels.cc", &source), ("in.txt", &numbers())] {
            fs::write(folder.path().join(file), text).expect("writable");
        }
        let path = |file: &str| folder.path().join(file).display().to_string();
        aiec(["sim", &path("graph.cpp"), "--output", &path("out")])
    };
    ends(&run("48"));
    let parts = [
        "run in turn on one core",
        "if streams hold 8 words",
        "g.from (kernels.cc, tile 3,2) has the core and waits, in iteration 0, at",
        "kernels.cc:5",
        "g.to (kernels.cc, tile 3,2), which begins only when",
    ];
    may_stop(&run("1"), &parts);
}
