//! Functions of headers: in namespaces, as templates, and with sources that define others.

use std::fs;

use aiec_tests::{Ran, aiec, design};

/// A kernel with a function in a namespace; `TEMPLATE` stands for the arguments of its template.
const DESIGN: &str = "design d device xcvc1902 ports buffer
kernel f(in x: window int32[64] margin 8, out y: stream int16[64]) {
    source \"f.cc\" header \"f.h\" function q::f TEMPLATE
}
input i from gmio output o to plio(32, \"o.txt\")
connect i -> f.x connect f.y -> o\n";
const RIGHT: &str = "adf::input_buffer<int32, adf::extents<adf::inherited_extent>, adf::margin<8>> &x, output_stream<int16> *y";

/// Checks the function with these parameters in the header and in the source, as a template or not.
fn checked(is_template: bool, declared: &str, defined: &str) -> Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (head, arguments) = if is_template { ("template <int N> ", "template (64)") } else { ("", "") };
    let header = format!("#pragma once\n#include <adf.h>\nnamespace q {{ {head}void f({declared}); }}\n");
    let source = format!("#include \"f.h\"\nnamespace q {{\n{head}void f({defined}) {{}}\n}}\n");
    let design = DESIGN.replace("TEMPLATE", arguments);
    for (name, text) in [("d.dsl", &design), ("f.h", &header), ("f.cc", &source)] {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    aiec(["check", &folder.path().join("d.dsl").display().to_string()])
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_function_in_a_namespace_is_compared_with_the_ports() {
    for is_template in [false, true] {
        let right = checked(is_template, RIGHT, &RIGHT.replace("&x", "&values"));
        assert!(right.status == 0 && right.err.is_empty(), "{is_template}: {}", right.err);
        assert!(!right.out.contains("not checked"), "{is_template}: {}", right.out);
        for (old, new) in
            [("margin<8>", "margin<4>"), ("stream<int16>", "stream<int32>"), ("input_", "output_")]
        {
            let other = RIGHT.replacen(old, new, 1);
            let ran = checked(is_template, &other, &other);
            let wanted = ["kernel `f` needs `void q::f(", "but `f.h` declares other parameters", "f.h:3:"];
            assert!(wanted.iter().all(|part| ran.words().contains(part)), "{is_template}: {}", ran.err);
            assert_eq!(ran.err.matches("check/").count(), 1, "{}", ran.err);
        }
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_source_that_defines_another_function_than_its_header_is_named() {
    for is_template in [false, true] {
        let other = RIGHT.replace("stream<int16>", "stream<int32>");
        let ran = checked(is_template, RIGHT, &other);
        let wanted = ["kernel `f` needs `void q::f(", "but `f.cc` defines a function", "f.cc:3:", "`f.h`"];
        assert!(wanted.iter().all(|part| ran.words().contains(part)), "{is_template}: {}", ran.err);
        assert_eq!(ran.err.matches("check/").count(), 1, "{}", ran.err);
    }
}

/// A component with a class at two sizes, and a class that has no such name.
const TWICE: &str = "design d device xcvc1902 ports buffer
const LONG = [1, 2, 3]
component part(N = 64, TAPS = LONG)(in x: window int16[N], in c: parameter int16[N] async, out y: window int16[N]) {
    kernel f(in x: window int16[N], in c: parameter int16[N] async, out y: window int16[N]) {
        source \"f.cc\" header \"f.h\" template (int16, len(TAPS), N) arguments (TAPS as int16, N) function q::F
    }
    kernel h(in x: window int16[N], in c: parameter int16[N] async, out y: window int16[N]) {
        source \"f.cc\" header \"f.h\" template (N) function q::h
    }
    connect x -> f.x connect c -> f.c connect f.y -> h.x connect c -> h.c connect h.y -> y
}
const SHORT = [1, 2]
instance a of part
instance b of part(N = 32, TAPS = SHORT)
input i[2] from gmio input p from host input r from host output o[2] to gmio
connect i[0] -> a.x connect i[1] -> b.x connect p -> a.c connect r -> b.c connect a.y -> o[0] connect b.y -> o[1]\n";

#[test]
fn a_component_at_two_sizes_has_a_stub_that_passes_the_check() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let design = folder.path().join("d.dsl").display().to_string();
    fs::write(&design, TWICE).expect("writable");
    let new = aiec(["new", "kernel", "a.h", &design]);
    assert_eq!((new.status, new.err.as_str()), (0, ""));
    let header = fs::read_to_string(folder.path().join("f.h")).expect("written");
    let parts = ["F(int16 (&numbers0)[N1], int", "int16 (&numbers0_)[N1];", "(&c)[N2]", "(&c)[N0]"];
    for part in parts {
        assert!(header.contains(part), "{part}: {header}");
    }
    let checked = aiec(["check", &design]);
    assert!(checked.status == 0 && checked.err.is_empty(), "{}{}", checked.out, checked.err);
    assert!(!checked.out.contains("not checked"), "{}", checked.out);
    let wrong = TWICE.replace("function q::F", "function q::Ff");
    fs::write(&design, wrong).expect("writable");
    let ran = aiec(["check", &design]);
    let wanted = "kernel `a.f` runs `q::Ff`, but `f.h` declares no class of this name; and so in `b`";
    assert!(ran.words().contains(wanted) && ran.words().contains("did you mean `q::F`?"), "{}", ran.err);
    assert!(ran.err.contains("the header declares nothing of this name"), "at `function`: {}", ran.err);
    assert_eq!(ran.err.matches("check/kernel-function").count(), 1, "{}", ran.err);
}

/// Checks a design in which `b` takes a cascade of `acc48` and gives a window of `int32`, where its
/// header declares these parameters.
fn checked_with(parameters: &str) -> Ran {
    let text = "design d device xcvc1902
kernel a(in x: stream int32[64], out c: cascade acc48) { source \"a.cc\" }
kernel b(in c: cascade acc48, out y: window int32[64]) { source \"b.cc\" header \"b.h\" }
input x from plio(32, \"x.txt\") output y to plio(32, \"y.txt\")
connect x -> a.x connect a.c -> b.c connect b.y -> y";
    let (directory, file) = design(text);
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("writable");
    write("a.cc", "#include <adf.h>\nvoid a(input_stream<int32> *x, output_cascade<acc48> *c) {}\n");
    write("b.h", &format!("#pragma once\n#include <adf.h>\nvoid b({parameters});\n"));
    write("b.cc", &format!("#include \"b.h\"\nvoid b({parameters}) {{}}\n"));
    aiec(["check", &file])
}

fn is_refused(parameters: &str) {
    let ran = checked_with(parameters);
    let wanted = "kernel `b` needs `void b(input_cascade<acc48> *c, adf::output_buffer<int32";
    let words = ran.words();
    assert!(ran.status == 1 && words.contains(wanted) && words.contains("but `b.h` declares"), "{}", ran.err);
}

#[test]
fn a_header_may_not_declare_a_cascade_of_another_type() {
    is_refused("input_cascade<acc80> *c, adf::output_buffer<int32> &y");
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_header_declares_a_cascade_in_either_spelling_with_the_other_ports() {
    for cascade in [
        "input_cascade<acc48> *c",
        "input_cascade_acc48 *c",
        "input_stream<acc48> *__restrict c",
        "input_stream_acc48 *c",
    ] {
        let ran = checked_with(&format!("{cascade}, adf::output_buffer<int32> &y"));
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{cascade}");
        assert!(!ran.out.contains("not checked"), "{}", ran.out);
        is_refused(&format!("{cascade}, adf::output_buffer<int16> &y"));
    }
    for cascade in ["output_cascade<acc48> *c", "input_stream_cacc48 *c", "input_stream<int32> *c", "int32 c"]
    {
        is_refused(&format!("{cascade}, adf::output_buffer<int32> &y"));
    }
}
