//! The C++ and the memory of kernels, instance by instance.

use crate::common::{around, design, faults};
use aiec_ir::design::{Argument, Body};

/// The bodies of the last family of a body put into the design of `around`.
fn bodies(text: &str) -> Vec<Body> {
    design(&around(text)).families.iter().last().expect("a family").bodies.clone()
}

fn body(text: &str) -> Vec<String> {
    faults(&around(text))
}

#[test]
fn a_family_without_index_names_has_one_body() {
    let all = bodies("const B = 3 kernel k[4] { source \"k.cc\" stack 1 KiB if B > 2 { function f } }");
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].function.as_str(), all[0].stack.as_ref().map(|stack| stack.value)), ("f", Some(1024)));
}

#[test]
fn equal_instances_share_a_body() {
    assert_eq!(bodies("kernel k[r: 4] { source \"k.cc\" if r < 9 { function f } }").len(), 1);
}

#[test]
fn every_instance_has_its_own_properties() {
    let all = bodies(
        "kernel k[r: 2][3][c: 2] {
            if r == 0 { source \"a.cc\" function first } else if c == 0 { source \"b.cc\" } else { source \"c.cc\" }
            stack 1 + r * 1024 + c B
         }",
    );
    let shown: Vec<String> = all
        .iter()
        .map(|body| {
            let stack = body.stack.as_ref().map_or(0, |stack| stack.value);
            format!("{} {} {stack}", body.function, body.source.value)
        })
        .collect();
    assert_eq!(shown.len(), 12);
    assert_eq!(shown[0], "first a.cc 1");
    assert_eq!(shown[1], "first a.cc 2");
    assert_eq!(shown[6], "k b.cc 1025");
    assert_eq!(shown[11], "k c.cc 1026");
}

#[test]
fn arguments_are_types_numbers_and_tables() {
    let all = bodies(
        "const T = [1, -2] const int16 = 7
         kernel k[r: 2] { source \"k.cc\" header \"k.h\" template (int32, r, int16, float)
            arguments (T, r * 10 + T[r], T as int8, r as uint8) init \"go\" }",
    );
    let texts = |list: &[Argument]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(texts(&all[1].template), ["int32", "1", "7", "float"]);
    let arguments = all[1].arguments.as_deref().map(texts).unwrap_or_default();
    assert_eq!(arguments, ["[1, -2] as int32", "8", "[1, -2] as int8", "1 as uint8"]);
    assert_eq!(all[0].init.as_ref().map(|init| init.value.as_str()), Some("go"));
}

#[test]
fn an_initialization_function_may_lie_in_namespaces() {
    let all = bodies("kernel k { source \"k.cc\" init \"dsp::filters::start\" }");
    assert_eq!(all[0].init.as_ref().map(|init| init.value.as_str()), Some("dsp::filters::start"));
    for name in ["dsp::", "dsp:start", "dsp::class", "dsp::a b"] {
        assert_eq!(body(&format!("kernel k {{ source \"k.cc\" init \"{name}\" }}")).len(), 1, "{name}");
    }
}

#[test]
fn arguments_fit_their_types() {
    let with = |arguments: &str| {
        body(&format!(
            "const T = [1, 300] kernel k {{ source \"k.cc\" header \"k.h\" arguments ({arguments}) }}"
        ))
    };
    assert_eq!(with("T as uint8"), ["lower/bad-value: an argument of type uint8 is 300 [T]"]);
    assert_eq!(with("-1 as uint32"), ["lower/bad-value: an argument of type uint32 is -1 [-1]"]);
    assert_eq!(
        with("1 as cint16"),
        ["lower/wrong-kind: `cint16` is a complex type, where a type of numbers is needed [cint16]"]
    );
    assert_eq!(
        with("1 as strange"),
        ["lower/unknown-name: there is no constant or type called `strange` [strange]"]
    );
    assert_eq!(with("int32"), ["lower/unknown-name: there is no constant called `int32` [int32]"]);
    assert_eq!(with("9223372036854775807 as uint64"), [""; 0]);
}

#[test]
fn a_class_or_template_needs_its_header() {
    assert_eq!(
        body("kernel k { source \"k.cc\" arguments () }"),
        ["lower/missing-item: kernel `k` has no `header` [arguments ()]"]
    );
    assert_eq!(
        body("kernel k { source \"k.cc\" template (int16) }"),
        ["lower/missing-item: kernel `k` has no `header` [template (int16)]"]
    );
}

#[test]
fn functions_have_namespaces_and_words_of_the_language_as_names() {
    let function =
        |name: &str| bodies(&format!("kernel k {{ source \"k.cc\" function {name} }}"))[0].function.clone();
    assert_eq!(
        ["dsp::run", "a :: b :: place", "gather"].map(function),
        ["dsp::run", "a::b::place", "gather"]
    );
    let found = body("kernel k { source \"k.cc\" function dsp::class }");
    assert!(found.len() == 1 && found[0].ends_with("[dsp::class]"), "{found:?}");
}

#[test]
fn a_fault_of_all_instances_is_reported_once() {
    assert_eq!(
        body("kernel k[r: 8] { source \"k.cc\" stack r B }"),
        ["lower/bad-value: the stack in bytes is 0, with r = 0 [r B]"]
    );
    assert_eq!(
        body("kernel k[r: 8] { if r > 5 { source \"k.cc\" } }"),
        ["lower/missing-item: kernel `k` has no `source` [k]"]
    );
    assert_eq!(
        body("kernel k[r: 2] { source \"k.cc\" function f if r == 1 { function h } }"),
        ["lower/duplicate-item: `function` is given twice [function h]"]
    );
    assert_eq!(
        body("kernel k { source \"k.cc\" function class init \"a b\" }").len(),
        2,
        "names of C++ are checked"
    );
}

#[test]
fn a_message_about_a_value_names_the_instance() {
    let with = |property: &str| {
        let text = "const T = [1024, 2048, 0, 300]";
        body(&format!("{text} kernel k[r: 4] {{ source \"k.cc\" header \"k.h\" {property} }}"))
    };
    assert_eq!(with("stack T[r] B"), ["lower/bad-value: the stack in bytes is 0, with r = 2 [T[r] B]"]);
    assert_eq!(
        with("stack 4096 / r B"),
        ["lower/arithmetic: division by zero in an expression, with r = 0 [4096 / r]"]
    );
    assert_eq!(
        with("arguments (T[r + 2])"),
        ["lower/index-out-of-range: `T` has 4 numbers, and none at index 4, with r = 2 [r + 2]"]
    );
    assert_eq!(
        with("arguments (T[r] as int16, T[3 - r] as uint8)"),
        ["lower/bad-value: an argument of type uint8 is 300, with r = 0 [T[3 - r]]"]
    );
}

#[test]
fn an_index_name_holds_in_its_family_alone() {
    assert_eq!(
        body("kernel k[r: 2] { source \"k.cc\" } kernel l { source \"l.cc\" stack r KiB }"),
        ["lower/unknown-name: there is no constant called `r` [r]"]
    );
}

#[test]
fn kernels_of_collectives_have_no_code_of_their_own() {
    for property in ["function f", "header \"h.h\"", "arguments () header \"h.h\"", "init \"go\""] {
        let text = format!(
            "kernel k[r: 4] {{ source \"k.cc\" {property} }} reduce t over k {{ op sum data int32[8] }}"
        );
        assert_eq!(
            body(&text),
            ["lower/code-of-ranks: `k` takes part in a collective and has C++ of its own [kernel k]"]
        );
    }
    let stacks =
        "kernel k[r: 4] { source \"k.cc\" stack r + 1 KiB } reduce t over k { op sum data int32[8] }";
    assert_eq!(body(stacks), [""; 0]);
}
