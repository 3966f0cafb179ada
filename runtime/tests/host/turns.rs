//! Kernels with one `location<kernel>`, which a core runs in turn. The run gives each a core of its
//! own; copies of the process run them in turn.

use serde_json::json;

use crate::bench::{Case, Run};

fn run(variables: &[(&str, &str)]) -> Run {
    let case = Case::new("turns");
    case.input("in.txt", &(0..64 * 80).map(|n| format!("{n}\n")).collect::<String>());
    case.run_with(variables)
}

/// Nothing is found, and the run ends.
#[track_caller]
fn ends(variables: &[(&str, &str)]) {
    run(variables).assert_clean();
}

#[test]
fn kernels_that_wait_for_each_other_through_another_core_are_found() {
    let run = run(&[("CASE", "step")]);
    assert_eq!(run.code, 0, "longer ways may hold more: {}", run.stderr);
    let says = |part: &str| assert!(run.stderr.contains(part), "{part} is missing in\n{}", run.stderr);
    says("run in turn on one core, and wait for each other there in every order of their runs");
    let line = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/turns.cpp:14");
    says(&format!("has the core and waits, in iteration 0, at {line}"));
    says("out[0] is full (FIFO holds 8 of 8 words): waits for");
    let why = "is full (FIFO holds 8 of 8 words): waits for";
    let steps = json!([
        {"kernel": 0, "direction": "out", "port": 0, "why": why},
        {"kernel": 1, "direction": "out", "port": 0, "why": why},
    ]);
    let turns = json!({"event": "turns", "kernels": [0, 2], "running": 0, "resting": 2, "iteration": 0, "line": line, "steps": steps, "severity": "warning"});
    assert_eq!(run.events, [turns, json!({"event": "end", "firings": 6})], "the run itself ends");
}

#[test]
fn kernels_of_one_core_that_some_order_serves_are_left_alone() {
    ends(&[("CASE", "step"), ("APART", "1")]);
    ends(&[("CASE", "fifo")]);
    ends(&[("CASE", "whole")]);
    ends(&[("CASE", "whole"), ("LATE", "1")]);
    ends(&[("CASE", "whole"), ("LATE", "1"), ("AIEC_SIM_SEED", "7")]);
}

#[test]
fn a_kernel_that_locks_more_windows_than_there_are_buffers_waits_for_its_reader() {
    ends(&[("CASE", "locks"), ("COUNT", "2")]);
    ends(&[("CASE", "locks"), ("COUNT", "3"), ("APART", "1")]);
    let run = run(&[("CASE", "locks"), ("COUNT", "3")]);
    let steps = json!([{"kernel": 0, "direction": "out", "port": 0, "why": "is full: waits for"}]);
    assert_eq!((&run.events[0]["event"], &run.events[0]["steps"]), (&json!("turns"), &steps));
    assert_ne!(run.code, 0, "the window stays on the core");
}

#[test]
fn kernels_that_see_what_is_there_give_no_verdict() {
    ends(&[("CASE", "poll")]);
}

#[test]
fn a_caller_states_the_cores_instead() {
    ends(&[("CASE", "step"), ("AIEC_SIM_CORES", "")]);
    ends(&[("CASE", "step"), ("AIEC_SIM_CORES", "0;1;2")]);
    let apart = run(&[("CASE", "step"), ("APART", "1"), ("AIEC_SIM_CORES", "1;2 0 ")]);
    assert_eq!(apart.events[0]["kernels"], json!([0, 2]));
    ends(&[("CASE", "step"), ("AIEC_SIM_UNBOUNDED", "1")]);
}

#[test]
fn copies_leave_no_traces() {
    let case = Case::new("turns");
    case.input("in.txt", &(0..64 * 80).map(|n| format!("{n}\n")).collect::<String>());
    let run = |variables: &[(&str, &str)]| {
        let run = case.run_with(&[&[("WAITS", "40")], variables].concat());
        (run.stdout, case.output("out.txt"))
    };
    let alone = run(&[("CASE", "step"), ("APART", "1")]);
    assert_eq!(alone.0.lines().count(), 80);
    assert!(alone == run(&[("CASE", "step")]), "as without turns");
    assert!(alone == run(&[("CASE", "fifo")]), "as without turns");
}

#[test]
fn synchronous_windows_need_no_copy() {
    ends(&[("CASE", "synchronous"), ("ALONE", "1")]);
    ends(&[("CASE", "step"), ("APART", "1"), ("ALONE", "1")]);
    assert_ne!(run(&[("CASE", "fifo"), ("ALONE", "1")]).code, 0, "a stream needs one");
}
