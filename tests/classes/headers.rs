//! Functions of headers: in namespaces, as templates, and with sources that define others.

use std::fs;

use aiec_tests::{Ran, aiec};

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
