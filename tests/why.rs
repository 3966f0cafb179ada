//! `aiec report --why`: floors below the total, a path that explains it, and changes whose effect
//! is that of the changed design.

use crate::snapshot::assert_snapshot;
use aiec_tests::{aiec, aiec_on, path};
use serde_json::Value;

/// Rounding of times to hundredths of a cycle.
const ROUNDING: f64 = 0.011;

/// The answer for a design.
fn why(design: &str) -> Value {
    let ran = aiec_on("report", design, &[], &["--why", "--json", "--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    serde_json::from_str::<Value>(&ran.out).expect("JSON")["why"].clone()
}

fn cycles(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// A scalar reduction of seven kernels along a chain.
const CHAIN: &str = "design seven
device toy

kernel worker[7] { source \"worker.cc\" }

reduce total over worker {
    op sum
    data int32[64]
    root worker[0]
    shape chain
    style scalar
}

output sum to plio(32, \"sum.txt\")
connect total.result -> sum
";

/// Two kernels in a row; the first one works.
const ROW: &str = "design row
device toy
iterations 8

kernel a(in x: window int32[16], out y: window int32[16]) {
    source \"a.cc\"
    cycles 500
}
kernel b(in x: window int32[16], out y: window int32[16]) { source \"b.cc\" }

input x from plio(32, \"x.txt\")
output y to plio(32, \"y.txt\")
connect x -> a.x
connect a.y -> b.x
connect b.y -> y
";

#[test]
#[ignore = "long: places and times many designs"]
fn floors_of_the_examples_are_in_order_and_below_the_total() {
    floors_are_in_order(&[("reduce", &["-D", "N=15"]), ("pipeline", &[]), ("pingpong", &[])]);
}

#[test]
#[ignore = "long: changes a large example"]
fn floors_of_all_kinds_of_ports_are_in_order_and_below_the_total() {
    floors_are_in_order(&[("allports", &[])]);
}

fn floors_are_in_order(examples: &[(&str, &[&str])]) {
    for &(example, define) in examples {
        let design = path(&format!("examples/{example}.dsl"));
        let ran = aiec([&["report", &design, "--why", "--json", "--effort", "1"][..], define].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        let why = serde_json::from_str::<Value>(&ran.out).expect("JSON")["why"].clone();
        if why["no_statement"].is_string() {
            assert_eq!(example, "pingpong", "its kernels lock windows themselves");
            continue;
        }
        let floors = ["any_shape", "any_placement", "this_placement"].map(|name| &why["floors"][name]);
        assert!(floors.iter().all(|floor| floor["assumes"].as_str().is_some_and(|text| !text.is_empty())));
        let all: Vec<f64> = floors
            .iter()
            .map(|floor| cycles(&floor["cycles"]))
            .chain([cycles(&why["total_cycles"])])
            .collect();
        assert!(all.is_sorted() && all[0] > 0.0, "{example}: {all:?}");
    }
}

#[test]
#[ignore = "long: places and times many designs"]
fn the_path_explains_every_cycle() {
    for design in [CHAIN, ROW] {
        let why = why(design);
        let sum = |spent: &Value| spent.as_object().expect("uses").values().map(cycles).sum::<f64>();
        let legs: f64 = list(&why["path"]["legs"]).iter().map(|leg| sum(&leg["cycles"])).sum();
        assert!((legs - cycles(&why["total_cycles"])).abs() < ROUNDING, "{why}");
        assert!((sum(&why["path"]["cycles"]) - legs).abs() < ROUNDING, "{why}");
    }
    let legs = why(CHAIN)["path"]["legs"].clone();
    let names: Vec<&str> = list(&legs).iter().filter_map(|leg| leg["name"].as_str()).collect();
    assert_eq!(names.first(), Some(&"worker[6]"), "the end of the chain begins: {names:?}");
    assert_eq!(names.last(), Some(&"worker[0].total_result -> sum"), "the result leaves: {names:?}");
}

#[test]
#[ignore = "long: places and times many designs"]
fn a_change_has_the_effect_that_the_changed_design_has() {
    changes_have_their_effect(0..1);
}

#[test]
#[ignore = "long: places a design for each change"]
fn each_change_has_the_effect_that_the_changed_design_has() {
    changes_have_their_effect(1..3);
}

/// Holds these of the three changes against the design with the change.
fn changes_have_their_effect(range: std::ops::Range<usize>) {
    let of_chain = why(CHAIN);
    let before = cycles(&of_chain["total_cycles"]);
    let changes = list(&of_chain["changes"]);
    assert_eq!(changes.len(), 3);
    for change in &changes[range] {
        let words = change["change"].as_str().and_then(|words| words.strip_prefix("total: ")).expect("words");
        let changed = words.split(", ").fold(CHAIN.to_owned(), |design, words| {
            let property = words.split(' ').next().expect("a word");
            let line = design.lines().find(|line| line.trim().starts_with(property));
            match line {
                Some(line) => design.replace(line, &format!("    {words}")),
                None => design.replace("    op sum", &format!("    op sum\n    {words}")),
            }
        });
        assert_eq!(cycles(&change["before"]), before);
        let after = cycles(&change["after"]);
        assert!(after < before);
        assert_eq!(after, cycles(&why(&changed)["total_cycles"]), "{words}");
    }
}

#[test]
fn without_collectives_a_faster_kernel_and_larger_windows_are_tried() {
    let answer = why(ROW);
    let changes = list(&answer["changes"])
        .iter()
        .map(|change| (change["change"].as_str().expect("words").to_owned(), cycles(&change["after"])));
    let changes: Vec<(String, f64)> = changes.collect();
    let faster = why(&ROW.replace("cycles 500", "cycles 250"));
    assert_eq!(changes[0], ("a: cycles 250 in the place of 500".to_owned(), cycles(&faster["total_cycles"])));
    let larger = ROW.replace("[16]", "[32]").replace("iterations 8", "iterations 4").replace("500", "1000");
    let larger = cycles(&why(&larger)["total_cycles"]);
    assert!(changes.iter().any(|(words, after)| words.starts_with("windows of twice") && *after == larger));
}

/// Windows wait for locks and DMA, and words of a stream pass one a cycle.
#[test]
fn a_gather_over_windows_is_tried_over_streams() {
    let design = "design flat
device toy
kernel w[6](in x: window int32[64], out y: window int32[64]) { source \"w.cc\" }
gather b over w { data int32[64] root w[0] shape flat }
input x[6] from plio(64, \"x_{}.txt\")
output y[6] to plio(64, \"y_{}.txt\")
connect x -> w.x
connect w.y -> y
";
    let answer = why(design);
    let changes = list(&answer["changes"]);
    let streamed = changes.iter().find(|change| change["change"] == "b: shape stream").expect("it helps");
    assert!(cycles(&streamed["after"]) < cycles(&answer["total_cycles"]), "{streamed}");
}

#[test]
fn json_answer_of_a_chain() {
    let text = serde_json::to_string_pretty(&why(CHAIN)).expect("JSON");
    assert_snapshot("tests/cases/estimate", "why-json", &text);
}

/// A kernel that locks the window between two kernels itself.
fn locked(windows: &str) -> String {
    ROW.replace("connect a.y -> b.x", &format!("connect async a.y {windows} -> b.x"))
}

#[test]
fn windows_that_kernels_lock_have_times_where_their_number_is_stated() {
    let silent = why(&locked(""));
    let reason = silent["no_statement"].as_str().expect("a reason");
    assert!(reason.contains("a.y itself") && reason.contains("state `windows N`"), "{reason}");
    let stated = why(&locked("windows 1"));
    assert!(cycles(&stated["total_cycles"]) > 8.0 * 500.0, "{stated}");
}

/// Without the number, a trace is written under an assumption that it states.
#[allow(clippy::disallowed_methods, reason = "the test reads a result")]
#[test]
fn a_trace_states_what_it_assumes() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("trace.json").display().to_string();
    for (windows, number) in [("", 1), ("windows 1", 0)] {
        let flags = ["--trace", &file, "--effort", "1", "--overwrite"];
        let ran = aiec_on("report", &locked(windows), &[], &flags);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let said = ran.out.matches("assumed in the trace: each firing passes one window through a.y").count();
        let trace: Value =
            serde_json::from_str(&std::fs::read_to_string(&file).expect("written")).expect("JSON");
        let in_file = trace["otherData"]["assumed"].as_array().map_or(0, Vec::len);
        assert_eq!((said, in_file), (number, number), "{}", ran.out);
    }
}

/// The time limit is that of the design and of all changes: without time, none is built.
#[test]
fn a_time_limit_ends_the_changes_too() {
    let flags = ["--why", "--json", "--effort", "1", "--time-limit", "0.001"];
    let ran = aiec_on("report", CHAIN, &[], &flags);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let why = serde_json::from_str::<Value>(&ran.out).expect("JSON")["why"].clone();
    assert!(why["not_built"].as_u64() > Some(0) && why["built"] == 0, "{why}");
    let all = self::why(CHAIN);
    assert!(all["not_built"].is_null() && all["built"].as_u64() > Some(2), "{all}");
}

/// The cycles that a design states hold the call; those that were counted do not.
#[allow(clippy::disallowed_methods, reason = "the test prepares files")]
#[test]
fn stated_cycles_have_no_call_on_top() {
    let design = "design d\ndevice toy\niterations 4\n\
                  kernel a(in x: window int32[16], out y: window int32[16]) { source \"a.cc\" CYCLES }\n\
                  input i from gmio\noutput o to gmio\nconnect i -> a.x\nconnect a.y -> o\n";
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("cycles.json").display().to_string();
    let total = |cycles: &str, extra: &[&str]| {
        let flags = [&["--why", "--json", "--effort", "1"][..], extra].concat();
        let ran = aiec_on("report", &design.replace("CYCLES", cycles), &[], &flags);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        report["why"]["total_cycles"].as_f64().expect("cycles")
    };
    let read = |from: &str| {
        let kernel = format!(r#"{{"instance":"a","own":900,"wrapper":11,"from":"{from}"}}"#);
        let text = format!(r#"{{"format":"aiec-timing","version":2,"kernels":[{kernel}]}}"#);
        std::fs::write(&file, text).expect("writable");
        total("", &["--cycles", &file])
    };
    assert_eq!(read("design"), total("cycles 900", &[]));
    assert_eq!(read("counted"), total("cycles 911", &[]));
}

/// The input takes 40 times 1024 cycles, whatever the shape of the reduction.
#[test]
fn the_floor_for_any_shape_holds_the_rest_of_the_design() {
    let design = "design d\ndevice xcvc1902\niterations 10\n\
                  kernel w[3](in x: window int32[1024]) { source \"w.cc\" }\n\
                  reduce total over w { op sum data int32[64] root w[2] shape cascade }\n\
                  input lanes[3] from plio(32, \"a_{}.txt\")\noutput sum to gmio\n\
                  connect lanes -> w.x\nconnect total.result -> sum\n";
    let ran = aiec_on("report", design, &[], &["--why", "--json", "--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let floor = report["why"]["floors"]["any_shape"]["cycles"].as_f64().expect("cycles");
    let total = report["why"]["total_cycles"].as_f64().expect("cycles");
    assert!(10.0 * 4096.0 <= floor && floor <= total, "{floor} of {total}");
}
