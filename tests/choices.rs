//! What a design leaves to the compiler: shapes, arities, windows and roots.
#![allow(clippy::disallowed_methods, reason = "tests read what aiec wrote")]

use aiec_tests::{Ran, aiec, aiec_on};
use serde_json::Value;

/// A reduction of `ranks` kernels on the device `toy` with these properties.
fn design(ranks: u32, properties: &str) -> String {
    format!(
        "design sum_up\ndevice toy\nkernel worker[{ranks}] {{ source \"worker.cc\" }}\n\
         reduce total over worker {{ op sum data int32[64] {properties} }}\n\
         output sum to plio(32, \"sum.txt\")\nconnect total.result -> sum\n"
    )
}

fn report(design: &str, extra: &[&str]) -> Ran {
    let ran = aiec_on("report", design, &[], extra);
    assert_eq!(ran.status, 0, "{}", ran.err);
    ran
}

/// The collective of a report, and the cycles of the whole run.
fn chosen(design: &str, extra: &[&str]) -> (Value, f64) {
    let ran = report(design, &[&["--json", "--why", "--effort", "1"], extra].concat());
    let data: Value = serde_json::from_str(&ran.out).expect("JSON");
    (data["collectives"][0].clone(), data["why"]["total_cycles"].as_f64().expect("a number"))
}

fn shape(collective: &Value) -> &str {
    collective["shape"].as_str().expect("words")
}

#[test]
#[ignore = "long: places several variants"]
fn the_shape_that_is_taken_is_no_slower_than_any_that_was_ranked_first() {
    let (taken, cycles) = chosen(&design(5, "shape auto"), &[]);
    let compared = taken["compared"].as_array().expect("a list");
    let legal = compared.iter().filter(|one| !one["cycles"].is_null());
    let mut legal: Vec<(i64, &str)> =
        legal.map(|one| (one["cycles"].as_i64().expect("cycles"), shape(one))).collect();
    assert_eq!(legal.first().map(|one| one.1), Some(shape(&taken)), "the report names it first");
    legal.sort();
    for (_, other) in legal.iter().take(2) {
        let (given, alone) = chosen(&design(5, &format!("shape {other}")), &[]);
        assert_eq!(shape(&given), *other);
        assert!(cycles <= alone, "{} takes {cycles}, and {other} {alone}", shape(&taken));
    }
    let (_, alone) = chosen(&design(5, &format!("shape {}", shape(&taken))), &[]);
    assert_eq!(cycles, alone, "its placement is that of the shape given");
}

/// A sum of `ranks` kernels that leaves the array over a PLIO.
fn leaving(ranks: u32, elements: u32, properties: &str) -> String {
    format!(
        "design sum_up\ndevice xcvc1902\nkernel w[{ranks}] {{ source \"w.cc\" stack 20 KiB }}\n\
         reduce total over w {{ op sum data int32[{elements}] {properties} }}\n\
         output sum to plio(128, \"sum.txt\")\nconnect total.result -> sum\n"
    )
}

#[test]
fn a_connected_result_may_leave_earlier_in_smaller_windows() {
    let (taken, cycles) = chosen(&leaving(4, 4096, "shape auto window auto"), &[]);
    assert!(taken["window"]["elements"].as_u64().is_some_and(|elements| elements < 4096), "{taken}");
    let (_, given) = chosen(&leaving(4, 4096, "shape tree arity 3 window int32[512]"), &[]);
    assert!(cycles <= given * 1.05, "{cycles} of the choice, {given} given");
}

#[test]
fn along_a_cascade_a_connected_result_leaves_in_the_window_that_is_chosen() {
    let (taken, cycles) = chosen(&leaving(4, 1024, "shape cascade window auto"), &[]);
    assert!(taken["window"]["elements"].as_u64().is_some_and(|elements| elements < 1024), "{taken}");
    let (_, given) = chosen(&leaving(4, 1024, "shape cascade"), &[]);
    assert!(cycles < given, "{cycles} of the choice, {given} in one window");
}

#[test]
#[ignore = "long: places several variants"]
fn arity_auto_takes_a_tree() {
    let (taken, _) = chosen(&design(9, "shape tree arity auto"), &[]);
    assert!(shape(&taken).starts_with("tree arity "), "{taken}");
    let compared = taken["compared"].as_array().expect("a list");
    assert_eq!(compared.len(), 7, "arities 2 to 8");
    assert!(compared.iter().all(|one| shape(one).starts_with("tree arity ")));
}

#[test]
#[ignore = "long: places several variants"]
fn small_windows_let_a_chain_of_scalar_loops_work_at_once() {
    let (taken, cycles) = chosen(&design(5, "shape chain style scalar window auto"), &[]);
    assert!(taken["window"]["elements"].as_u64() < Some(64), "{taken}");
    let (_, whole) = chosen(&design(5, "shape chain style scalar"), &[]);
    assert!(cycles < whole);
}

#[test]
fn windows_that_a_port_does_not_take_are_passed_over() {
    let text = design(5, "shape chain style scalar window auto")
        .replace("output sum", "kernel tail(in x: window int32[64]) { source \"tail.cc\" }\n//")
        .replace("-> sum", "-> tail.x");
    let (taken, _) = chosen(&text, &[]);
    assert_eq!(taken["window"]["elements"], 64, "the port `x` has windows of this size");
}

#[test]
#[ignore = "long: places several variants"]
fn root_any_takes_the_end_of_a_cascade_and_the_middle_of_a_chain() {
    let (taken, cycles) = chosen(&design(5, "root any shape auto"), &[]);
    assert_eq!((shape(&taken), taken["root"].as_str()), ("cascade", Some("worker[4]")));
    let (_, first) = chosen(&design(5, "root worker[0] shape auto"), &[]);
    assert!(cycles < first);
    let (taken, _) = chosen(&design(5, "root any shape chain"), &[]);
    assert_eq!(taken["root"], "worker[2]");
}

#[test]
fn a_kernel_may_be_called_any() {
    let text = design(5, "root any").replace(
        "reduce total over worker",
        "kernel any { source \"any.cc\" }\nreduce total over worker, any",
    );
    assert_eq!(chosen(&text, &[]).0["root"], "any");
}

#[test]
fn a_build_says_what_a_cascade_would_take() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let out = folder.path().join("out").display().to_string();
    let source = "void worker() {}\n";
    let files = [("worker.cc", source)];
    let ran = aiec_on("build", &design(5, "root worker[0] shape auto"), &files, &["-o", &out]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let line = ran.out.lines().find(|line| line.trim().starts_with("chosen: ")).expect("what was chosen");
    assert!(line.contains("root rank 0; no cascade: the root is not the last rank; "), "{line}");
    assert!(line.ends_with(" cycles with root worker[4]"), "{line}");
}

#[test]
fn a_choice_depends_on_no_threads_and_fits_the_placement_that_it_made() {
    let text = design(5, "root any window auto shape auto");
    let (one, two) = (report(&text, &["--jobs", "1"]), report(&text, &["--jobs", "4"]));
    assert_eq!(one.out, two.out);
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("p.json").display().to_string();
    let placed = aiec_on("place", &text, &[], &["--output", &file]);
    assert_eq!(placed.status, 0, "{}", placed.err);
    assert_eq!(report(&text, &["--placement", &file]).out, one.out, "its names are those of the choice");
}

#[test]
fn the_canonical_form_keeps_what_is_open() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("d.dsl");
    std::fs::write(&file, design(5, "root any window auto shape tree arity auto")).expect("writable");
    let ran = aiec(["fmt", &file.display().to_string()]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for line in ["root   any", "window auto", "shape  tree arity auto"] {
        assert!(ran.out.contains(line), "{}", ran.out);
    }
}

/// A chain takes a call while others are under way. The closed form has the time of one call.
#[test]
#[ignore = "long: places several variants"]
fn calls_that_overlap_are_timed_by_runs() {
    let design = |properties: &str| {
        format!(
            "design many\ndevice xcvc1902\nkernel w[12] {{ source \"w.cc\" stack 8 KiB }}\n\
             broadcast s over w {{ data float[1024] calls 24 root any {properties} }}\n"
        )
    };
    let (taken, cycles) = chosen(&design("shape auto window auto"), &[]);
    let (_, chain) = chosen(&design("shape chain"), &[]);
    assert!(cycles <= chain, "{}: {cycles}, and a chain {chain}", shape(&taken));
}

/// Three collectives over the same ranks. The shape that is fastest for the first alone takes the
/// windows that the others need.
fn three(first: &str) -> String {
    format!(
        "design three\ndevice xcvc1902\nkernel w[12] {{ source \"w.cc\" stack 4 KiB }}\n\
         allreduce s over w {{ op sum data int32[256] {first} }}\n\
         scan t over w {{ op sum data int32[64] shape auto }}\n\
         broadcast u over w {{ data float[512] shape tree arity auto window auto root any }}\n"
    )
}

#[test]
#[ignore = "long: places several variants"]
fn collectives_leave_each_other_windows() {
    let (_, cycles) = chosen(&three("shape auto window auto root any"), &[]);
    for given in ["shape binomial", "shape butterfly"] {
        let (_, other) = chosen(&three(given), &[]);
        assert!(cycles <= other * 1.05, "{cycles}, and with {given} {other}");
    }
}

#[test]
fn a_check_passes_over_choices_that_take_too_many_windows() {
    let ran = aiec_on("check", &three("shape auto window auto root any"), &[], &["--no-cxx"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

#[test]
fn a_check_goes_by_the_closed_form() {
    let ran = aiec_on("check", &design(5, "root any window auto shape auto"), &[], &["--no-cxx"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

#[test]
fn only_auto_is_a_word_in_the_place_of_a_window() {
    let ran = aiec_on("check", &design(5, "window automatic"), &[], &["--no-cxx"]);
    assert_eq!(ran.status, 1);
    assert!(ran.words().contains("parse/syntax"), "{}", ran.err);
}
