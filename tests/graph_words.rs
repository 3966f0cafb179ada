//! Messages about an ADF graph speak C++: their remedies can be written into the graph's header.
#![allow(clippy::disallowed_methods, reason = "tests write graphs")]

use std::fs;

use aiec_tests::{Ran, aiec};

/// A graph of two kernels in a row, whose constructor has these statements.
fn graph(statements: &str) -> String {
    format!(
        "#include <adf.h>
using namespace adf;
void work(input_window<int32> *in, output_window<int32> *out);
struct Two : graph {{
    kernel a = kernel::create(work), b = kernel::create(work);
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    Two() {{
        source(a) = \"a.cc\", source(b) = \"b.cc\";
        connect<window<256>>(in.out[0], a.in[0]);
        connect<window<256>>(a.out[0], b.in[0]);
        connect<window<256>>(b.out[0], out.in[0]);
        {statements}
    }}
}} two;
"
    )
}

/// What a command says of a graph with these statements.
fn said(command: &str, statements: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("graph.cpp");
    fs::write(&file, graph(statements)).expect("writable");
    aiec([command, &file.display().to_string()])
}

#[test]
#[ignore = "long: compiles a graph"]
fn a_place_outside_the_array_is_answered_in_cpp() {
    let ran = said(
        "check",
        "location<kernel>(a) = tile(60, 7); location<graph>(*this) = bounding_box(0, 6, 55, 9);",
    );
    let words = ran.words();
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(words.contains("such as `location<kernel>(a) = tile(49, 7)`"), "{}", ran.err);
    assert!(words.contains("the `bounding_box` or `area_group` goes from (0, 6)"), "{}", ran.err);
    assert!(words.contains("such as `bounding_box(0, 6, 49, 7)`"), "{}", ran.err);
}

#[test]
#[ignore = "long: compiles graphs"]
fn other_remedies_are_cpp_too() {
    for (statements, remedy) in [
        (
            "location<kernel>(a) = tile(9, 0); location<kernel>(b) = tile(9, 0); runtime<ratio>(b) = 0.4;",
            "such as `runtime<ratio>(k) = 0.4`",
        ),
        (
            "location<PLIO>(in) = location<kernel>(a) + relative_offset({.col_offset = 60});",
            "`in` is placed 60 columns",
        ),
        ("not_equal(location<kernel>(a), location<kernel>(a));", "`not_equal`"),
    ] {
        let ran = said("check", statements);
        assert!(ran.status == 1 && ran.words().contains(remedy), "{statements}: {}", ran.err);
    }
}

/// UG1079, "Relative Constraints".
#[test]
#[ignore = "long: compiles and places a graph"]
fn an_input_follows_a_kernel_without_a_place() {
    let ran = said("place", "location<PLIO>(in) = location<kernel>(a) + relative_offset({.col_offset = 2});");
    assert!(ran.status == 0 && ran.err.is_empty(), "{}", ran.err);
    assert!(!ran.out.contains("not taken into account"), "{}", ran.out);
}

#[test]
#[ignore = "long: compiles a graph"]
fn of_several_calls_of_one_function_the_message_adds_that_for_its_kernel() {
    let statements = "auto set = [](kernel &k, int bytes) {
            runtime<ratio>(k) = 0.5;
            stack_size(k) = bytes;
        };
        set(a, 1024);
        set(b, 32760);";
    let ran = said("check", statements);
    let lines: Vec<&str> = ran.err.lines().collect();
    let labels = lines.iter().enumerate().filter(|(_, line)| line.contains("which is called here"));
    let [(label, _)] = labels.collect::<Vec<_>>()[..] else { panic!("{}", ran.err) };
    assert!(lines[label - 2].contains("set(b, 32760);"), "{}", ran.err);
}
