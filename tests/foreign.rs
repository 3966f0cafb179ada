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
