//! `aiec sim graph.cpp`: graphs that aiec did not write.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_tests::{aiec, path};

fn simulate(extra: &[&str]) -> aiec_tests::Ran {
    let output = tempfile::tempdir().expect("a temporary directory");
    let (graph, include, folder) = (
        path("tests/graphs/counting/src/graph.cpp"),
        path("tests/graphs/counting/src"),
        output.path().display().to_string(),
    );
    aiec([&["sim", &graph, "-I", &include, "--output", &folder], extra].concat())
}

// Templates in a .cc, private static data, an initialization function, a main program for the other simulator.
#[test]
fn a_graph_runs_unmodified_and_equals_its_golden_file_with_every_seed() {
    let ran = simulate(&[
        "--golden",
        &path("tests/graphs/counting/data/golden.txt"),
        "--seeds",
        "4",
        "--jobs",
        "2",
    ]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("15 kernel runs"), "{}", ran.out);
    assert!(ran.out.contains("48 values equal"), "{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

#[test]
fn a_difference_from_the_golden_file_names_output_and_element() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = folder.path().join("golden.txt");
    fs::write(&golden, "211 425\n").expect("writable");
    let ran = simulate(&["--golden", &format!("DataOut={}", golden.display())]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("sim/wrong-data"), "{}", ran.err);
    assert!(ran.err.contains("element 1 is"), "{}", ran.err);
}

#[test]
fn a_kernel_source_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = "#include <adf.h>
void f(input_window<int32> *in, output_window<int32> *out);
struct g1 : adf::graph {
    adf::kernel k = adf::kernel::create(f);
    g1() { adf::source(k) = \"missing.cc\"; }
} g;
int main() { g.init(); }
";
    let file = folder.path().join("graph.cpp");
    fs::write(&file, graph).expect("writable");
    let ran = aiec(["sim", &file.display().to_string()]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("`missing.cc`"), "{}", ran.err);
}

/// A graph with one kernel whose source is this, on sixteen numbers; the compiler's and aiec's words when it is run.
fn one_kernel(source: &str, create: &str, extra: &[&str]) -> aiec_tests::Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = format!(
        "#include \"kernel.h\"
struct one : adf::graph {{
    adf::kernel k = {create};
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, \"in.txt\");
    adf::output_plio out = adf::output_plio::create(adf::plio_32_bits, \"out.txt\");
    one() {{
        adf::source(k) = \"kernel.cc\";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::window<64>>(in.out[0], k.in[0]);
        adf::connect<adf::window<64>>(k.out[0], out.in[0]);
    }}
}} g;
int main() {{
    g.init();
    g.run(1);
    g.end();
}}
"
    );
    let (header, body) = source.split_once("// kernel.cc\n").expect("the parts of the source are marked");
    let numbers: String = (1..=16).map(|n| format!("{n}\n")).collect();
    let body = format!("#include \"kernel.h\"\n{body}");
    for (name, text) in
        [("graph.cpp", graph.as_str()), ("kernel.h", header), ("kernel.cc", &body), ("in.txt", &numbers)]
    {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    let output = folder.path().join("output").display().to_string();
    aiec([&["sim", &folder.path().display().to_string(), "--output", &output], extra].concat())
}

/// Sixteen, sixty-four and two hundred words on three frames, two of them one after the other.
const ARRAYS: &str = "#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
static int32 sum(const int32 *v, int n) {
    int32 copy[200], total = 0;
    for (int i = 0; i < n; ++i) copy[i] = 2 * v[i];
    for (int i = 0; i < n; ++i) total += copy[7 * i % n];
    return total;
}
void work(input_window<int32> *in, output_window<int32> *out) {
    int32 x[16], y[64];
    for (int i = 0; i < 16; ++i) x[i] = window_readincr(in);
    for (int i = 0; i < 64; ++i) y[i] = sum(x, 16) + i;
    for (int i = 0; i < 16; ++i) window_writeincr(out, x[i] + sum(y, 64));
}
";

// UG1079, stack: 1024 bytes unless stack_size says otherwise; the host's own frames do not count.
#[test]
fn arrays_that_do_not_fit_the_stack_are_added_up_over_calls() {
    let words = "kernel 0 (kernel.cc): arrays of 1120 bytes lie on a stack of 1024 bytes; the largest is `copy` with 800 bytes";
    let ran = one_kernel(ARRAYS, "adf::kernel::create(work)", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains(words), "{}", ran.err);
    let strict = one_kernel(ARRAYS, "adf::kernel::create(work)", &["--strict"]);
    assert_eq!(strict.status, 1);
    assert!(strict.err.contains("sim/stack"), "{}", strict.err);
}

#[test]
fn arrays_of_a_kernel_class_are_those_of_its_functions() {
    let source = "#include <adf.h>
namespace deep {
class filter {
    int32 kept[4096] = {};

public:
    void run(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(filter::run); }
};
} // namespace deep
// kernel.cc
void deep::filter::run(input_window<int32> *in, output_window<int32> *out) {
    static int32 table[2000];
    int32 x[300];
    for (int i = 0; i < 300; ++i) x[i] = table[i] + kept[i];
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in) + x[17 * i]);
}
";
    let ran = one_kernel(source, "adf::kernel::create_object<deep::filter>()", &["--strict"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("arrays of 1200 bytes"), "{}", ran.err);
}
