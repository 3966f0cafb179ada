//! What `aiec sim` says of a run besides faults: amounts that a design leaves open, and how faults
//! of a family are counted.

use aiec_tests::{Ran, aiec_on};

/// Simulates a design with its kernel sources, in a fresh directory.
fn simulate(design: &str, files: &[(&str, &str)], extra: &[&str]) -> Ran {
    aiec_on("sim", design, files, extra)
}

/// The simulation fails with this slug, and the message holds all of `words`.
fn fails(ran: &Ran, slug: &str, words: &[&str]) {
    assert_eq!(ran.status, 1, "{}", ran.out);
    assert!(ran.err.contains(slug), "expected {slug} in\n{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "expected `{word}` in\n{}", ran.err);
    }
}

/// The amounts of two streams are open: one kernel reads as many numbers as a number says.
const OPEN: &str = "design untold device xcvc1902 iterations 2
    kernel a[2](in x: window int32[16], out s: stream int32) { source \"a.cc\" }
    kernel b(in s: stream int32, in t: stream int32, out n: stream int32) { source \"b.cc\" }
    kernel c(in n: stream int32, out y: window int32[16]) { source \"c.cc\" }
    input x[2] from plio(32, \"x.txt\")
    output y to plio(32, \"y.txt\")
    connect x -> a.x
    connect a[0].s -> b.s
    connect a[1].s -> b.t
    connect b.n -> c.n
    connect c.y -> y\n";

#[test]
#[ignore = "long: simulates"]
fn amounts_that_a_design_leaves_open_are_unknown_before_a_run_and_seen_in_it() {
    let kernels = [
        (
            "a.cc",
            "#include <adf.h>\nvoid a(input_window<int32> *x, output_stream<int32> *s) {\n    for (int i = 0; i < 16; ++i) writeincr(s, window_readincr(x));\n}\n",
        ),
        (
            "b.cc",
            "#include <adf.h>\nvoid b(input_stream<int32> *s, input_stream<int32> *t, output_stream<int32> *n) {\n    for (int i = 0; i < 16; ++i) {\n        const int32 sum = readincr(s) + readincr(t);\n        if (sum != 2) writeincr(n, sum);\n    }\n}\n",
        ),
        (
            "c.cc",
            "#include <adf.h>\nvoid c(input_stream<int32> *n, output_window<int32> *y) {\n    for (int i = 0; i < 15; ++i) window_writeincr(y, readincr(n));\n    window_writeincr(y, 0);\n}\n",
        ),
    ];
    let numbers: String = (0..32).map(|at| format!("{}\n", at % 16 + 1)).collect();
    let data = [("x.txt", numbers.as_str())];
    let files: Vec<(&str, &str)> = kernels.into_iter().chain(data).collect();
    let design = OPEN.replacen("device xcvc1902", "device xcvc1902 ports window", 1);
    let checked = aiec_on("check", &design, &files, &["--no-cxx"]);
    let unknown = "unknown: rates and enough FIFO of `a[0].s` -> `b.s`, `a[1].s` -> `b.t`, `b.n` -> `c.n`; \
                   a port such as `stream int32[64]` states how many elements a run moves";
    assert!(checked.status == 0 && checked.out.contains(unknown), "{}", checked.out);
    let ran = simulate(&design, &files, &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    for line in
        ["`a[0].s` moved 16 elements in each run: `stream int32[16]` states it", "`b.n` moved 15 elements"]
    {
        assert_eq!(ran.out.matches(line).count(), 1, "one line for a family: {}", ran.out);
    }
    assert!(!ran.out.contains("`a[1].s`"), "{}", ran.out);
}

/// A lane that turns its numbers into others than the golden ones, on a stack that is too small.
const LANES_OF_TWO: &str = "design lanes device xcvc1902 ports window
    kernel lane[3](in x: window int32[16], out y: window int32[16]) { source \"lane.cc\" }
    input x[3] from plio(32, \"x_{}.txt\")
    output y[3] to plio(32, \"y_{}.txt\") golden \"golden.txt\"
    connect x -> lane.x
    connect lane.y -> y\n";

#[test]
#[ignore = "long: simulates"]
fn one_fault_of_a_family_is_one_message() {
    let kernel = |bytes: u32| {
        format!(
            "#include <adf.h>\nvoid lane(input_window<int32> *x, output_window<int32> *y) {{\n    volatile int32 kept[{bytes} / 4];\n    for (int i = 0; i < 16; ++i) {{\n        kept[i] = window_readincr(x);\n        window_writeincr(y, kept[i] + 1);\n    }}\n}}\n"
        )
    };
    let (small, large) = (kernel(256), kernel(4096));
    let numbers: String = (0..16).map(|at| format!("{at}\n")).collect();
    let golden = ("golden.txt", numbers.as_str());
    let others = ["; the same fault at 2 more of this declaration"];

    let none = simulate(LANES_OF_TWO, &[("lane.cc", &small), golden], &[]);
    fails(&none, "sim/input", &["inputs `x[0]`, `x[1]` and `x[2]` have no data: `x_0.txt`, `x_1.txt`"]);
    let few = [("x_0.txt", "1"), ("x_1.txt", "1"), ("x_2.txt", "1"), ("lane.cc", small.as_str()), golden];
    let few = simulate(LANES_OF_TWO, &few, &[]);
    fails(&few, "sim/input", &["input `x[0]` ends too early"]);
    let inputs = ["x_0.txt", "x_1.txt", "x_2.txt"].map(|name| (name, numbers.as_str()));
    let run =
        |kernel: &str| simulate(LANES_OF_TWO, &[&inputs[..], &[("lane.cc", kernel), golden]].concat(), &[]);
    let wrong = run(&small);
    fails(&wrong, "sim/wrong-data", &["output `y[0]`, written by `lane[0].y`, differs"]);
    assert_eq!(none.err.matches("sim/").count(), 1, "{}", none.err);
    for ran in [few, wrong] {
        assert!(others.iter().all(|words| ran.words().contains(words)), "{}", ran.err);
        assert_eq!(ran.err.matches("sim/").count(), 1, "{}", ran.err);
    }
    let stack = run(&large);
    fails(&stack, "sim/stack", &["lane[0]", "and 2 more kernels: arrays of 4096 bytes"]);
}
