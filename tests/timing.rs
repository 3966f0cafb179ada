//! `aiec sim --timing`: cycles of kernels that a run on the host counts, for designs and for graphs
//! of the vendor's API.
use aiec_tests::{aiec, path};
use serde_json::Value;

/// The report of a run with `--timing --json`.
#[track_caller]
fn timed(project: &str) -> Value {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let outputs = folder.path().display().to_string();
    let ran = aiec(["sim", &path(project), "--timing", "--json", "--output", &outputs]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    serde_json::from_str(&ran.out).expect("JSON and nothing else")
}

/// Low, estimate and high of each kernel are in order, and each kernel has fired.
#[track_caller]
fn assert_ranges(report: &Value, kernels: usize) {
    let all = report["kernels"].as_array().expect("kernels");
    assert_eq!(all.len(), kernels, "{report:#}");
    for kernel in all {
        let [low, estimate, high] =
            ["low", "estimate", "high"].map(|name| kernel[name].as_f64().expect("a number of cycles"));
        assert!(0.0 < low && low <= estimate && estimate <= high, "{kernel:#}");
        assert!(kernel["firings"].as_u64() > Some(0), "{kernel:#}");
    }
}

#[test]
#[ignore = "long: simulates"]
fn kernels_of_a_design_have_cycles_and_low_confidence_where_they_are_scalar() {
    let report = timed("examples/pipeline.dsl");
    assert_ranges(&report, 3);
    assert!(report["kernels"].as_array().expect("kernels").iter().all(|one| one["confidence"] == "low"));
}

#[test]
#[ignore = "long: simulates"]
fn vector_kernels_of_a_graph_have_cycles_and_good_confidence() {
    let report = timed("examples/adf/matmul/graph.cpp");
    assert_ranges(&report, 1);
    assert_eq!(report["kernels"][0]["confidence"], "good", "{report:#}");
    // The event model passes the data of one iteration after the other.
    let [latency, interval] =
        ["latency", "interval"].map(|name| report["graph"][name].as_f64().expect("a number of cycles"));
    assert!(report["kernels"][0]["estimate"].as_f64() <= Some(interval) && interval <= latency, "{report:#}");
}
