//! The lock protocol of windows: the waits between kernels, and the result when a kernel breaks the
//! rules (thesis 2.2).

use serde_json::json;

use crate::bench::Case;

#[test]
#[ignore = "long: compiles a program of its own"]
fn asynchronous_windows_allow_a_round_trip() {
    let case = Case::new("ping_pong");
    let run = case.run();
    run.assert_clean();
    let counted = |windows: &serde_json::Value| (windows["fewest"].as_u64(), windows["most"].as_u64());
    assert!(!run.windows.is_empty(), "{:?}", run.events);
    assert!(run.windows.iter().all(|windows| counted(windows) == (Some(8), Some(8))), "{:?}", run.windows);
    assert_eq!(case.output("check.txt"), "8\n16\n24\n32\n"); // eight trips, each adding 1, 2, 3 and 4
}

// Thesis 3.1: two kernels that feed each other through synchronous windows can never start.
#[test]
#[ignore = "long: compiles a program of its own"]
fn synchronous_windows_in_a_cycle_deadlock() {
    let run = Case::linked(&["ping_pong"], &["-DSYNCHRONOUS"]).run();
    run.assert_fails("deadlock");
    run.assert_fails(
        "kernel 0 (kernels/a.cc) waits, before it can start, for a full buffer at in[0] from kernel 1",
    );
    run.assert_fails(
        "kernel 1 (kernels/b.cc) waits, before it can start, for a full buffer at in[0] from kernel 0",
    );
    let blocked = json!([
        {"kernel": 0, "direction": "in", "port": 0, "waits": "a full buffer", "iteration": 0},
        {"kernel": 1, "direction": "in", "port": 0, "waits": "a full buffer", "iteration": 0},
    ]);
    let cycle = ["kernel 0 (kernels/a.cc), port in[0]", "kernel 1 (kernels/b.cc), port in[0]"];
    let steps = json!([
        {"kernel": 0, "direction": "in", "port": 0, "why": "is empty: waits for"},
        {"kernel": 1, "direction": "in", "port": 0, "why": "is empty: waits for"},
    ]);
    let deadlock = json!({"event": "deadlock", "blocked": blocked, "cycle": cycle, "steps": steps});
    assert_eq!(run.events, [deadlock]);
}

#[test]
fn ping_pong_lets_a_producer_run_two_windows_ahead() {
    let case = Case::new("buffers");
    case.run().assert_clean();
    assert_eq!(case.output("out.txt"), "1\n2\n1\n2\n");
}

#[test]
fn a_single_buffer_does_not() {
    let run = Case::new("buffers").run_with(&[("SINGLE", "1")]);
    run.assert_fails("kernel 0 (kernels/send.cc) waits in window_acquire for an empty buffer at out[0]");
    let line = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/buffers.cpp:9");
    let blocked = json!([
        {"kernel": 0, "direction": "out", "port": 0, "waits": "an empty buffer", "iteration": 0, "line": line},
        {"kernel": 1, "direction": "in", "port": 1, "waits": "a full buffer", "iteration": 0},
    ]);
    let cycle = ["kernel 0 (kernels/send.cc), port out[0]", "kernel 1 (kernels/receive.cc), port in[1]"];
    let steps = json!([
        {"kernel": 0, "direction": "out", "port": 0, "why": "is full: waits for"},
        {"kernel": 1, "direction": "in", "port": 1, "why": "is empty: waits for"},
    ]);
    let deadlock = json!({"event": "deadlock", "blocked": blocked, "cycle": cycle, "steps": steps});
    assert_eq!(run.events, [deadlock]);
    let sent = json!({"event": "windows", "kernel": 0, "direction": "out", "port": 0, "firings": 0, "fewest": 0, "most": 0, "now": 2});
    assert!(
        run.windows.contains(&sent),
        "one window was sent, and the kernel waits for another: {:?}",
        run.windows
    );
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn a_broadcast_waits_for_its_slowest_consumer_and_loses_nothing() {
    let case = Case::new("broadcast");
    case.run().assert_clean();
    let numbers = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n";
    assert_eq!(case.output("to0.txt"), numbers);
    assert_eq!(case.output("to1.txt"), numbers);
    assert_eq!(case.output("to2.txt"), "1\n5\n9\n13\n17\n21\n");
}

#[test]
fn kernels_that_keep_the_rules_are_left_alone() {
    let case = Case::new("misuse");
    let run = case.run();
    run.assert_clean();
    assert_eq!(run.events, [json!({"event": "end", "firings": 4})]);
    let suspicious = case.run_with(&[("MISUSE", "under-read")]); // legal, and noted
    assert_eq!(suspicious.code, 0, "{}", suspicious.stderr);
    assert!(suspicious.stderr.lines().all(|line| line.contains("note: ")), "{}", suspicious.stderr);
    assert_eq!(case.output("out.txt"), "1\n1\n");
}

// UG1079, "Asynchronous Buffer Port Access": the release may come in a later call of the kernel.
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_lock_may_be_held_from_one_run_to_the_next() {
    let case = Case::new("held");
    case.input("in.txt", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
    case.run_with(&[("RUNS", "4")]).assert_clean();
    let sums = (1..=16).map(|i| format!("{}\n", 2 * i + 1)).collect::<String>();
    assert_eq!(case.output("out.txt"), sums);
    // Each kernel holds what another run of the graph would pass on, and the second one waits.
    let odd = case.run_with(&[("RUNS", "3")]);
    odd.assert_fails("kernel 0 (kernels/halves.cc), port out[0]: missing release: held since iteration 2, and the other end waits for it");
    odd.assert_fails("deadlock");
}

#[test]
fn a_kernel_that_acquires_what_it_holds_waits_for_itself() {
    let run = Case::new("misuse").run_with(&[("MISUSE", "missing release")]);
    run.assert_fails("kernel 1 (kernels/consume.cc), port in[0]: missing release: held since iteration 0 and acquired again");
    let mut events = run.events;
    let line = events[0].as_object_mut().and_then(|event| event.remove("line")).expect("there is a line");
    assert!(line.as_str().is_some_and(|line| line.ends_with("misuse.cpp:24")), "{line}");
    assert_eq!(
        events,
        [
            json!({"event": "missing-release", "kernel": 1, "direction": "in", "port": 0, "severity": "error", "iteration": 1}),
            json!({"event": "end", "firings": 4}),
        ]
    );
}

// Nobody waits for it any more, and the next run of the graph could release it.
#[test]
fn a_window_that_is_held_at_the_end_is_a_note() {
    let run = Case::new("misuse").run_with(&[("MISUSE", "missing release"), ("RUNS", "1")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let words =
        "note: kernel 1 (kernels/consume.cc), port in[0]: still held since iteration 0 when the run ended";
    assert!(run.stderr.contains(words), "{}", run.stderr);
}

#[test]
fn every_misuse_of_a_window_is_reported_once_with_its_port() {
    // The mistake, its place, the message, and the line of misuse.cpp.
    let cases = [
        ("write before acquire", 0, "out", "write before window_acquire", 12),
        ("write past end", 0, "out", "write past the end of the window", 15),
        (
            "write round",
            0,
            "out",
            "write where window_incr led past the end of the window, which wraps around",
            17,
        ),
        ("release twice", 0, "out", "released without being acquired", 19),
        ("read before acquire", 1, "in", "read before window_acquire", 23),
        ("acquire twice", 1, "in", "acquired twice without a release", 25),
        ("acquire synchronous", 1, "out", "window_acquire of a synchronous window", 26),
        ("before the start", 1, "in", "read before the start of the window", 32),
        (
            "round the start",
            1,
            "in",
            "read where window_decr led before the start of the window, which wraps around",
            32,
        ),
        ("read past end", 1, "in", "read past the end of the window", 32),
        (
            "round the end",
            1,
            "in",
            "read where window_incr led past the end of the window, which wraps around",
            33,
        ),
    ];
    let case = Case::new("misuse");
    for (chosen, kernel, direction, what, line) in cases {
        let run = case.run_with(&[("MISUSE", chosen), ("AIEC_SIM_STRICT", "1")]);
        run.assert_fails(what);
        let event = &run.events[0];
        let at = event["line"].as_str().expect("the program has debug information");
        assert!(at.ends_with(&format!("misuse.cpp:{line}")), "{chosen}: {at}");
        let found =
            json!([event["event"], event["kernel"], event["direction"], event["port"], event["what"]]);
        assert_eq!(found, json!(["misuse", kernel, direction, 0, what]), "{chosen}");
        let others: Vec<_> = run.events[1..].iter().filter(|event| event["severity"] != "note").collect();
        assert_eq!(others, [&json!({"event": "end", "firings": 4})], "{chosen}");
    }
}

// Loops that read one vector ahead do it, and hardware survives it: windows go round in a circle.
#[test]
fn passing_the_end_is_an_error_unless_lenient_and_goes_round() {
    let case = Case::new("misuse");
    // The action, its kernel, and the sums of the consumer's reads: 0 1 2 3 is in the window.
    for (chosen, words, sums) in [
        (
            "read past end",
            "kernel 1 (kernels/consume.cc), port in[0]: read past the end of the window",
            "7\n7\n",
        ),
        (
            "write past end",
            "kernel 0 (kernels/produce.cc), port out[0]: write past the end of the window",
            "10\n10\n",
        ),
    ] {
        case.run_with(&[("MISUSE", chosen)]).assert_fails(words);
        let run = case.run_with(&[("MISUSE", chosen), ("AIEC_SIM_LENIENT", "1")]);
        assert_eq!(run.code, 0);
        assert!(run.stderr.contains(&format!("warning: {words}")), "{}", run.stderr);
        assert_eq!(case.output("out.txt"), sums, "{chosen}");
    }
}

// UG1079: window_incr and window_decr are circular over margin and window. A kernel that only moves
// there and back has accessed nothing.
#[test]
fn moves_lead_round_the_end_with_a_warning() {
    let case = Case::new("misuse");
    for (chosen, sums) in
        [("round the end", "106\n106\n"), ("round the start", "6\n6\n"), ("write round", "13\n13\n")]
    {
        let run = case.run_with(&[("MISUSE", chosen)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("of the window, which wraps around"), "{}", run.stderr);
        assert_eq!(case.output("out.txt"), sums, "{chosen}");
    }
    case.run_with(&[("MISUSE", "there and back")]).assert_clean();
    assert_eq!(case.output("out.txt"), "6\n6\n");
}
