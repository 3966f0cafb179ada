//! `aiec traffic`: patterns as designs, their times, links and refusals.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use crate::snapshot::assert_snapshot;
use std::fs;

use aiec_tests::{Ran, aiec, aiec_on};
use serde_json::Value;

fn traffic(arguments: &[&str]) -> Ran {
    aiec([&["traffic"], arguments].concat())
}

fn succeeds(arguments: &[&str]) -> Ran {
    let ran = traffic(arguments);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    ran
}

fn rows(arguments: &[&str]) -> Vec<Value> {
    let whole: Value = serde_json::from_str(&succeeds(&[arguments, &["--json"]].concat()).out).expect("JSON");
    whole["rows"].as_array().expect("rows").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Compares a text with `cases/traffic/NAME.snap`.
fn golden(name: &str, text: &str) {
    assert_snapshot("tests/cases/traffic", name, text);
}

#[test]
fn a_pattern_has_times_hops_and_links() {
    let ran =
        succeeds(&["--pattern", "transpose,neighbour,random:5", "--grid", "4x4", "--bytes", "64..4096*8"]);
    golden("times", &ran.out);
}

#[test]
fn packets_have_loads_and_a_saturation() {
    let ran =
        succeeds(&["--pattern", "hotspot", "--grid", "4x4", "--bytes", "16,1024", "--load", "25..125+25"]);
    golden("loads", &ran.out);
}

#[test]
fn the_design_of_a_pattern_is_canonical_and_has_the_times_of_the_table() {
    // One kernel receives all packets.
    for (pattern, more) in [("shuffle", 0), ("hotspot", 1), ("random:1", 0)] {
        let arguments = ["--pattern", pattern, "--grid", "4x4", "--bytes", "256"];
        let row = &rows(&arguments)[0]["figures"];
        let design = succeeds(&[&arguments[..], &["--emit", "dsl"]].concat()).out;
        let formatted = aiec_on("fmt", &design, &[], &["--check"]);
        assert_eq!(formatted.status, 0, "{design}{}", formatted.err);
        let report = aiec_on("report", &design, &[], &["--json", "--logp", "--effort", "1"]);
        let report: Value = serde_json::from_str(&report.out).expect("JSON");
        let kernels = report["kernels"].as_array().map_or(0, Vec::len);
        assert_eq!(
            Some(kernels as u64),
            row["messages"].as_u64().map(|all| all + more),
            "{pattern}: {design}"
        );
        if pattern == "shuffle" {
            // A burst of circuits waits for nothing: each message takes what it takes alone.
            let connections = report["logp"]["connections"].as_array().expect("connections");
            let alone: f64 = connections.iter().map(|one| number(&one["message"])).sum();
            assert!((number(&row["mean_cycles"]) - alone / connections.len() as f64).abs() < 0.01, "{row}");
        }
    }
}

#[test]
fn messages_through_shared_memory_have_no_net_and_the_others_are_counted_by_hops() {
    let row = &rows(&["--pattern", "neighbour", "--grid", "4x2", "--bytes", "64"])[0];
    let figures = &row["figures"];
    let groups = figures["hops"].as_array().expect("groups");
    let all: u64 = groups.iter().filter_map(|group| group["messages"].as_u64()).sum();
    assert_eq!((all, figures["messages"].as_u64()), (8, Some(8)));
    assert!(groups[0]["hops"].is_null() && groups[0]["messages"] == figures["shared"], "{row}");
}

#[test]
fn a_pattern_with_too_few_wires_is_refused_with_the_reason() {
    let narrow = |links| rows(&["--pattern", "bit-complement", "--bytes", "64", "--links", links]);
    assert_eq!(narrow("1")[0]["refusal"]["code"], "check/line-wires");
    assert!(narrow("1")[0]["figures"].is_null());
    assert_eq!(narrow("4")[0]["refused"], 0);
    let ran = succeeds(&["--pattern", "neighbour", "--grid", "2x2", "--bytes", "64,65536"]);
    assert!(ran.out.contains("neighbour, 65536 bytes: refused: check/window-too-large: "), "{}", ran.out);
    let ran = succeeds(&["--pattern", "hotspot", "--grid", "50x8", "--bytes", "64"]);
    assert!(ran.out.contains("refused: check/dma-channels: `hot` needs 13 S2MM channels"), "{}", ran.out);
}

#[test]
fn a_message_of_packets_is_there_when_its_last_word_is() {
    let figures =
        &rows(&["--pattern", "hotspot", "--grid", "3x1", "--device", "toy", "--bytes", "4096"])[0]["figures"];
    let alone = 1024.0;
    assert!(number(&figures["p50_cycles"]) > alone, "{figures}");
    assert!(number(&figures["max_cycles"]) > 2.0 * alone, "the second one waits for the first: {figures}");
    assert!(number(&figures["max_cycles"]) <= number(&figures["total_cycles"]), "{figures}");
}

#[test]
fn results_depend_on_the_seed_and_not_on_the_number_of_threads() {
    let run = |more: &[&str]| {
        let usual = ["--pattern", "random:6", "--grid", "4x4", "--bytes", "64", "--json"];
        succeeds(&[&usual[..], more].concat()).out
    };
    assert_eq!(run(&["--jobs", "1"]), run(&["--jobs", "3"]));
    assert_ne!(run(&["--seed", "1"]), run(&["--seed", "2"]));
}

#[test]
fn the_files_are_replaced_unless_somebody_edited_them() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let out = folder.path().join("out");
    let shown = out.display().to_string();
    let arguments =
        ["--pattern", "shuffle,hotspot", "--grid", "2x2", "--device", "toy", "--bytes", "64,128", "-o"];
    let arguments = [&arguments[..], &[&shown]].concat();
    let ran = succeeds(&arguments);
    assert!(ran.out.contains("traffic.csv"), "{}", ran.out);
    let csv = fs::read_to_string(out.join("traffic.csv")).expect("there");
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.lines().all(|line| line.split(',').count() == 14), "{csv}");
    for plot in ["mean_cycles.svg", "p99_cycles.svg"] {
        assert!(fs::read_to_string(out.join(plot)).expect(plot).contains("shuffle"));
    }
    succeeds(&arguments);
    fs::write(out.join("traffic.csv"), csv + "mine\n").expect("writable");
    let ran = traffic(&arguments);
    assert_eq!(ran.status, 1);
    assert!(ran.words().contains("traffic.csv"), "{}", ran.err);
    succeeds(&[&arguments[..], &["--overwrite"]].concat());
}

#[test]
fn wrong_arguments_have_a_reason() {
    for (arguments, reason) in [
        (&["transpose", "--grid", "4x2"][..], "as many columns as rows"),
        (&["shuffle", "--grid", "3x2"], "power of two"),
        (&["transpose", "--grid", "1x1"], "sends nothing"),
        (&["neighbour", "--grid", "51x8"], "larger than the array of xcvc1902, which is 50x8"),
        (&["neighbour", "--bytes", "6"], "6 is no whole number of 32-bit words"),
        (&["neighbour", "--bytes", "16..x"], "`x` is no number"),
        (&["neighbour", "--bytes", "4..99999999"], "values, and at most"),
        (&["random:10000", "--bytes", "4..8192+4"], "20480000 designs are to be compiled"),
        (&["neighbour", "--load", "50"], "have circuits"),
        (&["hotspot", "--load", "0"], "0 is not from 1 to 1000"),
        (&["transpose,shuffle", "--emit", "dsl"], "prints one design"),
    ] {
        let ran = traffic(&[&["--pattern"], arguments].concat());
        assert_eq!(ran.status, 1, "{arguments:?}");
        assert!(ran.words().contains(reason), "{arguments:?}: {}", ran.err);
    }
    for arguments in [&["tornado"][..], &["random:0"], &["random"], &["shuffle", "--grid", "8"]] {
        assert_eq!(traffic(&[&["--pattern"], arguments].concat()).status, 2, "{arguments:?}");
    }
}
