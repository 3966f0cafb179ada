//! Mistakes in graphs and host programs, and what the user is told about them.

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
        ("ratio", "kernel 0 (kernels/copy.cc) needs a runtime<ratio> above 0 and at most 1"),
        ("odd size", "port in[0]: a window of 6 bytes does not hold a whole number of 4-byte elements"),
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

#[test]
fn a_graph_that_runs_for_ever_needs_a_time() {
    let case = mistakes();
    case.run_with(&[("MISTAKE", "forever")])
        .assert_fails("wait() never comes back when the graph runs for ever");
    case.run_with(&[("MISTAKE", "timed")]).assert_clean();
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
