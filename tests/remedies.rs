//! Remedies that edit a design are offered only where one text is surely right. That each of them
//! helps is tested with the pages of the diagnostics.
#![allow(clippy::disallowed_methods, reason = "the tests write designs")]

use aiec_tests::aiec;
use serde_json::Value;

/// The titles of the remedies that a check of `design` offers.
fn remedies(design: &str, options: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.dsl");
    std::fs::write(&path, format!("design d\n{design}\n")).expect("a design");
    let path = path.display().to_string();
    let ran = aiec([&["check", "--message-format", "json", path.as_str()], options].concat());
    let found: Vec<Value> = serde_json::from_str(&ran.err).expect("JSON");
    assert!(!found.is_empty(), "a design with a fault: {design}");
    let fixes = found.iter().filter_map(|one| one["fixes"].as_array()).flatten();
    fixes.filter_map(|fix| fix["title"].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_size_is_rewritten_where_it_is_a_number() {
    let of_size = |size: &str| {
        format!(
            "device toy\nconst N = 19\nkernel a(out y: window {size}) {{ source \"a.cc\" }}\n\
             output o to gmio\nconnect a.y -> o"
        )
    };
    assert_eq!(remedies(&of_size("int8[19]"), &[]), ["write `int8[20]`"]);
    assert_eq!(remedies(&of_size("int8[N]"), &[]), [""; 0]);
    assert_eq!(remedies(&of_size("int8[19 B]"), &[]), [""; 0]);
}

#[test]
fn an_end_takes_the_type_of_the_other_only_if_all_its_connections_agree() {
    let broadcast = "device toy\nkernel a(out y: window int32[16]) { source \"a.cc\" }\n\
                     kernel b(in x: window float[16]) { source \"b.cc\" }\n\
                     kernel c(in x: window int32[16]) { source \"c.cc\" }\n\
                     connect a.y -> b.x\nconnect a.y -> c.x";
    assert_eq!(remedies(broadcast, &[]), ["declare `b.x` as int32"]);
    let pair = broadcast.replace("connect a.y -> c.x", "input i from gmio\nconnect i -> c.x");
    assert_eq!(remedies(&pair, &[]), ["declare `b.x` as int32", "declare `a.y` as float"]);
}

#[test]
fn an_input_is_removed_only_if_nothing_mentions_it() {
    let design = "device toy\nkernel a(out y: window int32[16]) { source \"a.cc\" }\n\
                  input i from gmio // i\noutput o to gmio\nconnect a.y -> o\n";
    assert_eq!(remedies(design, &[]), ["remove the input"]);
    assert_eq!(remedies(&format!("{design}if 0 == 1 {{ connect i -> a.x }}"), &[]), [""; 0]);
}

#[test]
fn the_source_of_a_kernel_is_added_unless_a_condition_may_give_it() {
    let design = |body: &str| {
        format!(
            "device toy\nkernel a(out y: window int32[16]) {{{body}}}\noutput o to gmio\nconnect a.y -> o"
        )
    };
    assert_eq!(remedies(&design(""), &[]), ["add `source \"kernels/a.cc\"`"]);
    assert_eq!(remedies(&design(" if 0 == 1 { source \"b.cc\" } "), &[]), [""; 0]);
}

#[test]
fn a_board_that_is_no_device_leaves_another_board_alone() {
    let design = |lines: &str| {
        format!(
            "{lines}\nkernel a(out y: window int32[16]) {{ source \"a.cc\" }}\noutput o to gmio\nconnect a.y -> o"
        )
    };
    assert_eq!(remedies(&design("device vck190"), &[]), ["write `device xcvc1902` and `board vck190`"]);
    assert_eq!(remedies(&design("device vck190\nboard vck190"), &[]), ["write `xcvc1902`"]);
}

#[test]
fn a_release_is_rewritten_where_the_design_states_it() {
    let design = "device xcvc1902\nvitis \"2023.1\"\n\
                  kernel a(in x: window int32[64], out q: cascade int32) { source \"a.cc\" }\n\
                  kernel b(in q: cascade int32, out y: window int32[64]) { source \"b.cc\" }\n\
                  input x from gmio\noutput y to gmio\nconnect x -> a.x\nconnect a.q -> b.q\nconnect b.y -> y";
    assert_eq!(remedies(design, &[]), ["write `vitis \"2023.2\"`"]);
    assert_eq!(remedies(&design.replace("2023.1", "2023.2"), &["--vitis", "2023.1"]), [""; 0]);
}

#[test]
fn a_parameter_takes_the_type_of_the_other_end_only_if_all_its_ends_agree() {
    let design = |last: &str| {
        format!(
            "device toy\nkernel a(out g: parameter int16[4], out y: window int32[16]) {{ source \"a.cc\" }}\n\
             kernel b[2](in g: parameter int32[2] async, in x: window int32[16]) {{ source \"b.cc\" }}\n\
             connect a.g -> b[0].g\nconnect a.y -> b.x\n{last}"
        )
    };
    let of_kernel = design("kernel c(out g: parameter int16[4]) { source \"c.cc\" }\nconnect c.g -> b[1].g");
    assert_eq!(
        remedies(&of_kernel, &[]),
        [
            "declare `b[0].g` as parameter int16[4]",
            "declare `a.g` as parameter int32[2]",
            "declare `b[1].g` as \
         parameter int16[4]",
            "declare `c.g` as parameter int32[2]"
        ]
    );
    let of_host = design("input g from host initial [1, 2]\nconnect g -> b[1].g");
    assert_eq!(remedies(&of_host, &[]), ["declare `a.g` as parameter int32[2]"]);
}

#[test]
fn buffers_become_single_only_if_the_array_then_holds_them() {
    let design = |size: &str| {
        format!(
            "device toy\nkernel s[24](in x: window int32[{size}], out y: window int32[{size}]) {{ source \"s.cc\" }}\n\
             input i from plio(64, \"i.txt\")\noutput o to plio(64, \"o.txt\")\nconnect i -> s[0].x\n\
             connect s[0..23].y -> s[1..24].x\nconnect s[23].y -> o"
        )
    };
    assert_eq!(remedies(&design("14 KiB"), &[]), ["write `buffer single`"]);
    let large = design("14 KiB").replace("source", "stack 30 KiB source");
    assert_eq!(remedies(&large, &[]), [""; 0], "the stacks alone leave 2 KiB of each module");
}

#[test]
fn missing_indices_are_added_and_too_many_are_not_removed() {
    let design = |end: &str| {
        format!(
            "device toy\nkernel a[2][2](out y: window int32[16]) {{ source \"a.cc\" }}\noutput o[2] to gmio\n\
             output p[2] to gmio\nconnect {end}.y -> o\nconnect a[1][..].y -> p"
        )
    };
    assert_eq!(remedies(&design("a[0]"), &[]), ["write `[..]` behind it"]);
    assert_eq!(remedies(&design("a[(0)]"), &[]), [""; 0], "the brackets are not known");
    assert_eq!(remedies(&design("a[0][0][0]"), &[]), [""; 0]);
}

#[test]
fn an_operator_is_offered_where_one_is_missing_or_has_no_meaning() {
    let design = |properties: &str| {
        format!("device toy\nkernel w[4] {{ source \"w.cc\" }}\nreduce least over w {{ {properties} }}")
    };
    assert_eq!(remedies(&design("data int32[16]"), &[]), ["add `op sum`"]);
    assert_eq!(remedies(&design("op min data cint16[16]"), &[]), ["write `sum`", "write `prod`"]);
    assert_eq!(remedies(&design("op xor data float[16]"), &[]), [""; 0], "the type is wrong");
}

#[test]
fn a_loop_that_never_runs_is_removed() {
    let design = "device toy\nkernel a[4](in x: window int32[16], out y: window int32[16]) { source \"a.cc\" }\n\
                  input i[4] from gmio\noutput o[4] to gmio\nconnect i -> a.x\nconnect a.y -> o\n\
                  for r in 3..0 { place a[r] at (r, 0) }";
    assert_eq!(remedies(design, &[]), ["remove the loop"]);
}

#[test]
fn one_character_is_no_slip_of_another() {
    let design = "device toy\nkernel a(in x: window int32[16], out y: window int32[16]) { source \"a.cc\" }\n\
                  input i from gmio\noutput o to gmio\nconnect i -> a.x\nconnect a.y -> p";
    assert_eq!(remedies(design, &[]), [""; 0]);
}

#[test]
fn reversed_ends_are_swapped_where_the_statement_is_then_legal() {
    let design = |connect: &str| {
        format!(
            "device toy\nkernel a[2](in x: window int32[16], out y: window int32[16]) {{ source \"a.cc\" }}\n\
             component c(in p: window int32[16], out q: window int32[16]) {{\n\
             kernel k(in x: window int32[16], out y: window int32[16]) {{ source \"k.cc\" }}\n\
             connect p -> k.x\nconnect k.y -> q\n}}\n\
             instance one of c\ninput i[2] from gmio\noutput o[2] to gmio\n{connect}"
        )
    };
    let offered = |connect: &str| -> Vec<String> {
        let mut all = remedies(&design(connect), &[]);
        all.retain(|title| title.contains("->"));
        all.dedup();
        all
    };
    assert_eq!(offered("connect a.x -> i"), ["write `i -> a.x`"]);
    assert_eq!(offered("connect a[1].x -> async a[0x0].y buffer single"), ["write `async a[0].y -> a[1].x`"]);
    assert_eq!(offered("connect one.p -> i[0]"), ["write `i[0] -> one.p`"], "ports of an instance");
    for unclear in [
        "connect a.x -> i[0], i[1]",    // several ends
        "connect a[0].x -> i",          // two inputs for one port
        "connect a.y -> i",             // only one end is wrong
        "connect o -> i",               // no kernel between them
        "connect a[0].x -> split i[0]", // another statement
        "connect a[0].x -> one.p",      // both take data
        "connect a[5].x -> i[0]",       // no such kernel
    ] {
        assert_eq!(offered(unclear), [""; 0], "{unclear}");
    }
    let inside = design("").replace("connect p -> k.x", "connect k.x -> p");
    assert!(remedies(&inside, &[]).contains(&"write `p -> k.x`".to_owned()), "ports of the component around");
}

#[test]
fn a_board_of_the_command_line_is_not_rewritten() {
    let design = "device xcvc1902\nboard vck190\nvitis \"2022.2\"\n\
                  kernel a(in gain: parameter int32 async, out y: window int32[16]) { source \"a.cc\" }\n\
                  input gain from host initial 3\noutput o to plio(64, \"o.txt\")\n\
                  connect gain -> a.gain\nconnect a.y -> o";
    assert_eq!(remedies(&design.replace("vck190", "vck5000"), &[]), ["write `board vck190`"]);
    assert_eq!(remedies(design, &["--board", "vck5000"]), [""; 0]);
}
