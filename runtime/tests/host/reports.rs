//! Mistakes in graphs and host programs, and their messages.

use serde_json::{Value, json};

use crate::bench::Case;

fn mistakes() -> Case {
    let case = Case::new("mistakes");
    case.input("data/in.txt", "1 2 3 4 5 6 7 8 9 10 11 12");
    case
}

#[test]
fn each_mistake_in_a_graph_is_told_before_it_runs() {
    let cases = [
        ("source", "kernel 0 has no source"),
        ("source", "kernel 0, port out[0] is not connected"),
        ("source", "PLIO out (out.txt), port in[0] is not connected"),
        ("ratio", "runtime<ratio> is 1.5; it must be between 0 and 1"),
        ("odd size", "port in[0]: a window of 6 bytes does not hold a whole number of 4-byte elements"),
        (
            "types",
            "PLIO in (data/in.txt), port out[0] feeds kernel 0 (kernels/copy.cc), port in[0] and kernel 1",
        ),
        ("file", "PLIO again (out.txt) writes a file that another PLIO writes"),
        ("repetitions", "repetition_count is 0; it must be 1 or more"),
        ("short table", "array of 4 values, T (&)[4], but the graph gives a vector of 3"),
        ("long table", "array of 4 values, T (&)[4], but the graph gives a vector of 5"),
        ("init", "run before init"),
        ("again", "a second init"),
        ("fan-in", "kernel 0 (kernels/copy.cc), port in[0] is connected twice"),
        ("port", "kernel 0 (kernels/copy.cc) has no port out[1]: it has 1 in that direction"),
    ];
    let case = mistakes();
    for (mistake, message) in cases {
        case.run_with(&[("MISTAKE", mistake)]).assert_fails(message);
    }
}

// UG1079: location<buffer> names two places for a ping-pong and one after single_buffer.
#[test]
fn buffer_places_must_be_as_many_as_buffers() {
    let run = Case::new("buffers").run_with(&[("MISPLACED", "1")]);
    run.assert_fails("port in[0]: location<buffer> names 1 place, the port has 2 buffers");
}

// Functional simulators run such a graph until its input is used up; the rest of a window is not
// taken.
#[test]
fn a_graph_that_runs_for_ever_ends_with_its_input() {
    let case = mistakes();
    for (mistake, call) in [("forever", "wait()"), ("endless", "end()")] {
        let run = case.run_with(&[("MISTAKE", mistake)]);
        assert_eq!((run.code, case.output("out.txt").lines().count()), (0, 12), "{}", run.stderr);
        let note = format!(
            "note: the graph runs for ever, so it ended with its input; on hardware {call} does not come back"
        );
        assert!(run.stderr.contains(&note) && run.stderr.lines().count() == 1, "{}", run.stderr);
    }
    case.run_with(&[("MISTAKE", "timed")]).assert_clean();
    assert_eq!(case.output("out.txt").lines().count(), 12);
}

// The end of the input does not excuse a deadlock.
#[test]
#[ignore = "long: compiles a program of its own"]
fn a_graph_that_runs_for_ever_and_gets_stuck_is_reported() {
    let case = Case::new("reconverge");
    case.input("in.txt", &(1..=90).map(|i| format!("{i} ")).collect::<String>());
    case.run_with(&[("ENDLESS", "1")]).assert_fails("the cycle:");
    let run = case.run_with(&[("ENDLESS", "1"), ("DEPTH", "40")]);
    assert_eq!((run.code, case.output("out.txt").lines().count()), (0, 80), "{}", run.stderr);
}

// The vendor's warning 77-6442: async belongs to kernel ports.
#[test]
fn async_at_a_plio_is_ignored_with_a_warning() {
    let case = mistakes();
    let run = case.run_with(&[("MISTAKE", "async")]);
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("warning: PLIO out (out.txt), port in[0]: adf::async is for kernel ports"));
    assert_eq!(case.output("out.txt").lines().count(), 12);
}

#[test]
fn a_program_that_forgets_to_wait_is_told() {
    mistakes().run_with(&[("MISTAKE", "no end")]).assert_fails("the program ended before the graph");
}

#[test]
fn a_stack_overflow_names_the_kernel() {
    let run = mistakes().run_with(&[("MISTAKE", "stack")]);
    run.assert_fails("kernel 0 (kernels/copy.cc) overflowed its stack: stack_size 1024");
}

#[test]
#[ignore = "long: compiles a program of its own"]
fn contributions_keep_every_bit_of_a_value() {
    let case = Case::new("contributions");
    let run = case.run();
    run.assert_clean();
    let of = |collective: &str, rank: u32, call: u32, values: Value| json!({"event": "contribution", "collective": collective, "rank": rank, "call": call, "values": values});
    let reals = run.events[0]["values"].as_array().expect("contributions have values");
    let finite: Vec<f32> = reals[..3].iter().filter_map(Value::as_f64).map(|v| v as f32).collect();
    assert_eq!(finite, [0.1, -1e-30, 16_777_216.0]);
    assert_eq!(reals[3], "inf"); // JSON has no such number
    assert_eq!(run.events[1], of("others", 7, 0, json!([[1, -2], [32767, -32768]])));
    assert_eq!(run.events[2], of("others", 7, 1, json!([u64::MAX])));
    assert_eq!(run.events[3], of("others", 8, 0, json!([-128, 127])));
    assert_eq!(case.output("out.txt"), "0.100000001\n-1e-30\n16777216\ninf\n");
}
