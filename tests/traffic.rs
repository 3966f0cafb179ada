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
fn barriers_run_on_the_array_and_their_designs_are_canonical() {
    let patterns = "barrier-flat,barrier-hub,barrier-hypercube";
    let all = rows(&["--pattern", patterns, "--grid", "4x2", "--bytes", "16,64"]);
    assert_eq!(all.len(), 3, "a barrier has no size");
    for row in &all {
        let pattern = row["pattern"].as_str().expect("a name");
        let [min, max] = ["min_cycles", "max_cycles"].map(|name| number(&row["barrier"][name]));
        assert!(0.0 < min && min <= max, "{row}");
        let design = succeeds(&["--pattern", pattern, "--grid", "4x2", "--emit", "dsl"]).out;
        assert_eq!(aiec_on("fmt", &design, &[], &["--check"]).status, 0, "{design}");
        let checked = aiec_on("report", &design, &[], &["--effort", "1"]);
        assert_eq!(checked.status, 0, "{}", checked.err);
    }
}

#[test]
fn a_network_of_a_file_has_the_times_of_its_constants() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("mesh.toml");
    let text = aiec(["profiles", "gasnet-bee3"]).out;
    let text = text.replace("routers = [4]", "routers = [3, 2]").replace("wrap = true", "wrap = false");
    fs::write(&file, text.replace("hop = 7 ", "hop = 20 ")).expect("writable");
    let profile = file.display().to_string();
    let run = |more: &[&str]| rows(&[&["--profile", &profile][..], more].concat());
    let row = &run(&["--pattern", "one-way", "--bytes", "0"])[0]["figures"]["hops"];
    let times: Vec<f64> =
        row.as_array().expect("groups").iter().map(|group| number(&group["mean_cycles"])).collect();
    assert_eq!(times, [17.0, 37.0, 57.0, 77.0], "send, receive and up to three hops of 20");
    let all = run(&["--pattern", "neighbour,hotspot,random:3,barrier-hub", "--bytes", "64"]);
    let messages: Vec<Option<u64>> = all.iter().map(|row| row["figures"]["messages"].as_u64()).collect();
    assert_eq!((messages[0], messages[1], messages[3]), (Some(24), Some(23), None), "24 nodes");
    let one = &run(&["--pattern", "random:3", "--bytes", "64", "--jobs", "1"])[0];
    assert_eq!(one, &all[2], "the results do not depend on threads");
    fs::write(&file, "name = \"n\"\nsource = \"s\"\n[network]\nhops = 1\n").expect("writable");
    let ran = traffic(&["--profile", &profile, "--pattern", "hotspot"]);
    assert_eq!(ran.status, 1);
    assert!(ran.words().contains("unknown field `hops`"), "{}", ran.err);
}

#[test]
fn nodes_that_enter_a_barrier_at_different_times_stay_differently() {
    let of = |more: &[&str]| {
        let usual = ["--profile", "xmp64", "--pattern", "barrier-hypercube"];
        rows(&[&usual[..], more].concat())[0].clone()
    };
    let together = of(&[]);
    assert_eq!(together["barrier"]["min_cycles"], together["barrier"]["max_cycles"]);
    let apart = of(&["--skew", "100"]);
    assert_eq!(apart["runs"], 100);
    let [min, mean, max] =
        ["min_cycles", "mean_cycles", "max_cycles"].map(|name| number(&apart["barrier"][name]));
    let all = number(&together["barrier"]["max_cycles"]);
    assert!(all - 100.0 <= min && min < mean && mean < max && max <= all + 100.0, "{apart}");
}

#[test]
fn wrong_arguments_have_a_reason() {
    for (arguments, reason) in [
        (&["transpose", "--grid", "4x2"][..], "as many columns as rows"),
        (&["shuffle", "--grid", "3x2"], "power of two"),
        (&["transpose", "--grid", "1x1"], "sends nothing"),
        (&["neighbour", "--grid", "51x8"], "larger than the array of xcvc1902, which is 50x8"),
        (&["neighbour", "--bytes", "0"], "a message goes in a window, which cannot be empty"),
        (&["neighbour", "--bytes", "6"], "6 is no whole number of 32-bit words"),
        (&["neighbour", "--bytes", "16..x"], "`x` is no number"),
        (&["neighbour", "--bytes", "4..99999999"], "values, and at most"),
        (&["random:10000", "--bytes", "4..8192+4"], "20480000 designs are to be compiled"),
        (&["neighbour", "--load", "50"], "have circuits"),
        (&["hotspot", "--load", "0"], "0 is not from 1 to 1000"),
        (&["transpose,shuffle", "--emit", "dsl"], "prints one design"),
        (&["one-way"], "single messages of a network"),
        (&["barrier-flat", "--skew", "9"], "--skew is for the nodes of a network"),
        (&["barrier-flat", "--profile", "xmp64", "--grid", "4x4"], "--grid is for an array"),
        (&["barrier-flat", "--profile", "xmp64", "--emit", "dsl"], "--emit is for an array"),
        (&["shuffle", "--profile", "xmp64", "--skew", "9"], "none of these patterns is one"),
        (&["shuffle", "--profile", "xmp64", "--bytes", "4,2000000000"], "is no size of a message"),
        (
            &["random:10000", "--profile", "xmp64", "--bytes", "1..99"],
            "over up to 4 hops, and at most 10000000 are",
        ),
        (&["shuffle", "--profile", "xmp65"], "did you mean `xmp64`"),
    ] {
        let ran = traffic(&[&["--pattern"], arguments].concat());
        assert_eq!(ran.status, 1, "{arguments:?}");
        assert!(ran.words().contains(reason), "{arguments:?}: {}", ran.err);
    }
    for arguments in [&["tornado"][..], &["random:0"], &["random"], &["shuffle", "--grid", "8"]] {
        assert_eq!(traffic(&[&["--pattern"], arguments].concat()).status, 2, "{arguments:?}");
    }
}
