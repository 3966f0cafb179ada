//! `aiec place`: the floorplan, the bound, and a search with a given time limit and number of
//! threads.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::fs;
use std::path::Path;

use aiec_tests::{Ran, aiec, aiec_on, path};
use serde_json::Value;

/// Places the example of 63 kernels with `options`.
fn place(options: &[&str]) -> Ran {
    let design = path("examples/reduce.dsl");
    let ran = aiec(["place", design.as_str(), "--effort", "1"].iter().chain(options));
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran
}

/// The file that `place` writes with the option `option`.
fn written(option: &str, directory: &Path) -> String {
    let file = directory.join("written");
    place(&[option, &file.display().to_string()]);
    fs::read_to_string(file).expect("written")
}

#[test]
fn the_floorplan_is_printed_with_the_bound() {
    let ran = place(&[]);
    assert!(ran.out.contains("63 kernels") && ran.out.contains("by DMA"), "{}", ran.out);
    assert!(ran.out.contains("(always)") || ran.out.contains("optimal"), "{}", ran.out);
}

#[test]
fn the_json_says_how_good_the_placement_is_and_where_everything_lies() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let plan: Value = serde_json::from_str(&written("--json", directory.path())).expect("JSON");
    assert_eq!(plan["kernels"].as_array().map(Vec::len), Some(63));
    let of = |field: &str| plan["placement"][field].as_u64().expect("a number");
    assert_eq!(of("gap"), of("connections") - of("bound"));
    assert_eq!(plan["placement"]["optimal"], of("gap") == 0);
    let lines = plan["lines"].as_array().expect("lines");
    let by_dma = lines.iter().filter(|line| line["by"] == "dma").count() as u64;
    assert_eq!(of("connections"), by_dma);
    assert_eq!(plan["terms"]["dma"].as_u64(), Some(by_dma));
}

#[test]
fn the_picture_is_svg_and_the_placement_can_be_loaded_again() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    assert!(written("--svg", directory.path()).starts_with("<svg"));
    let first = written("--output", directory.path());
    fs::write(directory.path().join("p.json"), &first).expect("writable");
    let file = directory.path().join("p.json").display().to_string();
    let again = directory.path().join("again.json").display().to_string();
    place(&["--placement", &file, "--output", &again]);
    assert_eq!(fs::read_to_string(again).expect("written"), first);
}

#[test]
fn the_selector_of_a_parameter_has_a_place_of_its_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let design = "design one\ndevice toy\nkernel k(in a: parameter int32 async, out y: stream int32[4]) {
    source \"k.cc\"\n}\ninput a from host initial 1\noutput y to plio(32, \"y.txt\")
connect a -> k.a\nconnect k.y -> y\n";
    fs::write(file("one.dsl"), design).expect("writable");
    let placed = aiec(["place", &file("one.dsl"), "--output", &file("p.json")]);
    assert_eq!(placed.status, 0, "{}", placed.err);
    let placement = fs::read_to_string(file("p.json")).expect("written");
    let placement: Value = serde_json::from_str(&placement).expect("JSON");
    assert_eq!(placement["buffers"]["k.a"].as_array().map(Vec::len), Some(3));
    let refused = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut other = placement.clone();
        change(other["buffers"]["k.a"].as_array_mut().expect("a list"));
        fs::write(file("other.json"), other.to_string()).expect("writable");
        let ran = aiec(["place", &file("one.dsl"), "--placement", &file("other.json")]);
        assert_eq!(ran.status, 1, "{}", ran.out);
        ran.words()
    };
    let text = refused(&|spots| spots[2] = spots[1].clone());
    assert!(text.contains("place/buffer-overlap") && text.contains("the selector word of `k.a`"), "{text}");
    let text = refused(&|spots| spots[1]["tile"][1] = (1 - spots[0]["tile"][1].as_i64().unwrap_or(0)).into());
    assert!(text.contains("place/dma-split") && text.contains("a parameter of the host in two"), "{text}");
    let text = refused(&|spots| _ = spots.pop());
    assert!(text.contains("place/buffer-count") && text.contains("for its selector word"), "{text}");
}

/// UG1079, "Buffer Allocation Control": an input that is a run-time parameter may have one buffer.
#[test]
fn a_parameter_with_one_buffer_has_that_and_its_selector_word() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    // Two buffers of 24000 bytes would fill more than a module of 32 KiB.
    let design =
        "design one\ndevice toy\nkernel k(in a: parameter int32[6000] async, out y: stream int32[4]) {
    source \"k.cc\"\n}\ninput a from host initial TABLE\noutput y to plio(32, \"y.txt\")
const TABLE = from \"a.txt\"\nconnect a -> k.a buffer single\nconnect k.y -> y\n";
    fs::write(file("one.dsl"), design).expect("writable");
    fs::write(file("a.txt"), "1\n".repeat(6000)).expect("writable");
    let placed = aiec(["place", &file("one.dsl"), "--output", &file("p.json")]);
    assert_eq!(placed.status, 0, "{}", placed.err);
    let placement: Value =
        serde_json::from_str(&fs::read_to_string(file("p.json")).expect("written")).expect("JSON");
    assert_eq!(placement["buffers"]["k.a"].as_array().map(Vec::len), Some(2));

    let twice = design.replace(" buffer single", "");
    fs::write(file("one.dsl"), twice).expect("writable");
    let ran = aiec(["place", &file("one.dsl")]);
    assert!((ran.status, ran.words().contains("48032 B")) == (1, true), "{}", ran.err);

    let given = "design back\ndevice toy\nkernel k(in x: stream int32[4], out a: parameter int32) {
    source \"k.cc\"\n}\noutput a to host\ninput x from plio(32, \"x.txt\")
connect k.a -> a buffer single\nconnect x -> k.x\n";
    fs::write(file("back.dsl"), given).expect("writable");
    let ran = aiec(["check", "--no-cxx", &file("back.dsl")]);
    assert!(ran.err.contains("a connection to the host takes no `buffer`"), "{}", ran.err);
}

/// Windows of two sizes have no buffer in common, also on one core: a DMA copies, and both ends
/// have two buffers at two places each.
#[test]
fn windows_of_two_sizes_on_one_core_have_buffers_of_their_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let project = |size: u32| {
        let design = format!(
            "design two\ndevice toy\nkernel a(in x: window int32[64], out y: window int32[64]) {{ source \"a.cc\" runtime 0.4 }}
kernel b(in x: window int32[{size}], out y: window int32[{size}]) {{ source \"b.cc\" runtime 0.4 }}
input i from gmio\noutput o to gmio\nconnect i -> a.x\nconnect a.y -> b.x\nconnect b.y -> o\nplace b at a\n"
        );
        for name in ["a.cc", "b.cc"] {
            fs::write(file(name), "").expect("writable");
        }
        fs::write(file("two.dsl"), design).expect("writable");
        let built = aiec(["build", &file("two.dsl"), "-o", &file(&size.to_string())]);
        assert_eq!(built.status, 0, "{}", built.err);
        fs::read_to_string(directory.path().join(size.to_string()).join("aie/graph.h")).expect("written")
    };
    assert!(project(64).contains("single_buffer"), "one buffer in turn");
    assert!(!project(256).contains("single_buffer"));
}

/// The two ends of a connection may lie in different banks of one module. Then a DMA copies.
#[test]
fn ends_at_two_stated_places_have_buffers_of_their_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("two.dsl").display().to_string();
    let design = |places: &str| {
        format!(
            "design two\ndevice toy\nkernel k[2](in x: window int32[64], out y: window int32[64]) {{
    source \"k.cc\"\n}}\ninput i from plio(32, \"i.txt\")\noutput o to plio(32, \"o.txt\")
connect i -> k[0].x\nconnect k[0].y -> k[1].x\nconnect k[1].y -> o\n{places}"
        )
    };
    let ran = |places: &str| {
        fs::write(&file, design(places)).expect("writable");
        aiec(["place", &file])
    };
    let at = |from: &str, to: &str| format!("place k[0].y at (1, 0) {from}\nplace k[1].x at (1, 0) {to}\n");
    let shared = ran(&at("bank 0", "bank 0"));
    assert!(shared.out.contains("shared  1 connection"), "{}{}", shared.out, shared.err);
    for (from, to) in [("bank 0", "bank 2"), ("offset 0", "offset 8192")] {
        let placed = ran(&at(from, to));
        assert!(placed.out.contains("by DMA  3 connections"), "{from} {to}: {}{}", placed.out, placed.err);
    }
    let overlapping = ran(&at("offset 0", "offset 32"));
    assert!(overlapping.err.contains("check/block-place"), "{}", overlapping.err);
}

#[test]
#[ignore = "long: searches for seconds"]
fn the_number_of_threads_does_not_change_the_result() {
    let results = ["1", "2", "5"].map(|jobs| place(&["--jobs", jobs, "--seed", "3"]).out);
    assert!(results.iter().all(|out| *out == results[0]));
}

#[test]
fn a_search_without_time_gives_a_legal_placement_and_says_that_it_was_cut_short() {
    let ran = place(&["--time-limit", "0"]);
    assert!(ran.out.contains("the search was cut short"), "{}", ran.out);
}

#[test]
#[ignore = "long: searches for a second"]
fn the_objective_is_checked_and_counts() {
    let design = path("examples/reduce.dsl");
    for wrong in ["", "wire=200", "wire,dma,wire", "speed"] {
        assert_eq!(aiec(["place", &design, "--objective", wrong]).status, 2, "{wrong}");
    }
    assert!(place(&["--objective", "wire,dma"]).out.contains("by DMA"));
}

/// Six kernels, every two connected: integer programs maximise the shared connections.
fn six() -> String {
    let pairs: Vec<(u32, u32)> = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b))).collect();
    let window = "window int32[16]";
    let mut text = "design six\ndevice toy\n".to_owned();
    for kernel in 0..6 {
        let port = |&(a, b): &(u32, u32)| {
            let way = if a == kernel { Some("out") } else { (b == kernel).then_some("in") };
            way.map(|way| format!("{way} p{a}{b}: {window}"))
        };
        let ports: Vec<String> = pairs.iter().filter_map(port).collect();
        text.push_str(&format!("kernel k{kernel}({}) {{ source \"k.cc\" }}\n", ports.join(", ")));
    }
    for (a, b) in pairs {
        text.push_str(&format!("connect k{a}.p{a}{b} -> k{b}.p{a}{b}\n"));
    }
    text
}

#[test]
#[ignore = "long: starts every solver"]
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
fn every_solver_that_is_installed_places_a_design_and_its_results_have_one_format() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (design, plan) = (directory.path().join("six.dsl"), directory.path().join("plan.json"));
    fs::write(&design, six()).expect("writable");
    let (design, plan) = (design.display().to_string(), plan.display().to_string());
    let mut fields: Option<Vec<String>> = None;
    for solver in ["microlp", "highs", "cbc", "glpk"] {
        let ran = aiec(["place", &design, "--effort", "1", "--solver", solver, "--json", &plan]);
        if ran.status == 2 {
            eprintln!("left out: {}", ran.err.lines().next().unwrap_or_default());
            continue;
        }
        assert_eq!((ran.status, ran.err.contains("solver-failed")), (0, false), "{solver}: {}", ran.err);
        let text = fs::read_to_string(&plan).expect("written");
        let plan: Value = serde_json::from_str(&text).expect("JSON");
        let names = |value: &Value| value.as_object().map(|o| o.keys().cloned().collect::<Vec<_>>());
        let found = [names(&plan), names(&plan["placement"])].into_iter().flatten().flatten().collect();
        assert_eq!(*fields.get_or_insert_with(|| Vec::clone(&found)), found, "{solver}");
        assert!(plan["placement"]["connections"].as_u64() >= plan["placement"]["bound"].as_u64());
    }
}

#[test]
fn a_time_limit_is_a_number_of_seconds_with_or_without_a_fraction() {
    let ran = place(&["--time-limit", "0.05"]);
    assert!(ran.out.contains("by DMA"), "{}", ran.out);
    for text in ["-1", "soon", "inf", "nan"] {
        let limit = format!("--time-limit={text}");
        assert_eq!(aiec(["place", path("examples/reduce.dsl").as_str(), &limit]).status, 2, "{text}");
    }
}

/// Fourteen senders to one kernel, each with three windows from inputs, and the root of two
/// reductions whose packets take neither windows nor channels.
fn crowd() -> String {
    let all = |each: &dyn Fn(u32) -> String| (0..14).map(each).collect::<Vec<_>>().join(", ");
    let inputs = all(&|k| format!("in x{k}: window int32[4]"));
    let mut text = format!("design crowd\ndevice xcvc1902\nkernel root({inputs}) {{ source \"k.cc\" }}\n");
    text.push_str("kernel s[14](in x0: window int32[4], in x1: window int32[4], in x2: window int32[4], ");
    text.push_str("out y: window int32[4]) { source \"k.cc\" }\nkernel m[56] { source \"k.cc\" }\n");
    for k in 0..3 {
        text.push_str(&format!(
            "input i{k}[14] from plio(64, \"data/i{k}_{{}}.txt\")\nconnect i{k} -> s.x{k}\n"
        ));
    }
    for k in 0..14 {
        text.push_str(&format!("connect s[{k}].y -> root.x{k}\n"));
        for half in 0..2 {
            let first = (2 * k + half) * 2;
            let over = format!("over s[{k}], m[{first}..{}]", first + 2);
            text.push_str(&format!(
                "reduce r{k}_{half} {over} {{ op sum data int32[4] root s[{k}] shape flat merge }}\n"
            ));
        }
    }
    text
}

#[test]
#[ignore = "long: searches for seconds"]
fn packet_streams_are_no_windows_in_proofs_and_have_no_entries_in_files() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [design, file] =
        ["crowd.dsl", "p.json"].map(|name| directory.path().join(name).display().to_string());
    fs::write(&design, crowd()).expect("writable");
    let ran = aiec(["place", &design, "--effort", "1", "--output", &file]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let again = aiec(["place", &design, "--placement", &file]);
    assert_eq!(again.status, 0, "{}", again.err);
}

#[test]
fn a_parameter_whose_buffers_fit_no_module_together_is_named() {
    let place = |elements: u32| {
        let kernel = format!(
            "kernel k(in x: window int32[64], in c: parameter int32[{elements}] async, out y: window int32[64])"
        );
        let wires = "input x from gmio input c from host output y to gmio connect x -> k.x connect k.y -> y";
        let text =
            format!("design d device xcvc1902 {kernel} {{ source \"k.cc\" }} {wires} connect c -> k.c\n");
        aiec_on("place", &text, &[], &["--effort", "1"])
    };
    for elements in [4092, 9000] {
        let ran = place(elements);
        let words = ["check/window-too-large", "the parameter `k.c`", "both buffers and a selector word"];
        assert!(ran.status == 1 && words.iter().all(|word| ran.words().contains(word)), "{}", ran.err);
        assert!(
            ran.words().contains("use at most int32[4088], several parameters"),
            "the limit of placement"
        );
    }
    assert_eq!(place(4088).status, 0, "has a placement");
}

/// Windows at stated offsets leave gaps in a module. Its free bytes would hold the other windows
/// that fit no gap.
#[test]
fn blocks_find_room_between_those_at_stated_offsets() {
    let design = "design gaps\ndevice toy
kernel k0(in x: window int32[24]) { source \"k.cc\" }
kernel k1(out a: window int32[3348], out b: window int32[2084], out c: window int32[1780], out d: window int32[1640]) { source \"k.cc\" }
kernel k3(in x: window int32[3348], out y: window int32[2100]) { source \"k.cc\" }
kernel k4(in x: window int32[2084], out y: window int32[1228]) { source \"k.cc\" }
kernel k5(in x: window int32[1780], in z: window int32[2100]) { source \"k.cc\" }
kernel k7(in x: window int32[1640], out y: window int32[204]) { source \"k.cc\" }
kernel k8(out y: window int32[904]) { source \"k.cc\" }
input i from plio(64, \"i.txt\")
output o0 to plio(32, \"o0.txt\")
output o1 to plio(32, \"o1.txt\")
output o2 to plio(128, \"o2.txt\")
connect async k1.a -> async k3.x
connect async k1.b -> async k4.x
connect k1.c -> k5.x
connect k1.d -> k7.x
connect k3.y -> k5.z
connect i -> k0.x
connect k4.y -> o0
connect k7.y -> o1
connect k8.y -> o2
place k4.x at (1,0) offset 96, 20000
place k3.stack at (0,2) offset 21472
";
    for seed in ["1", "2", "3"] {
        let ran = aiec_on("place", design, &[], &["--seed", seed]);
        assert_eq!(ran.status, 0, "seed {seed}: {}", ran.err);
        assert!(ran.out.contains("4 connections: optimal"), "seed {seed}: {}", ran.out);
    }
}
