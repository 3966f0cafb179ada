//! Functions that a kernel needs and no object has for the graph.

use aiec_test_support::folder::Folder;
use aiec_tests::{Ran, aiec};

/// What `aiec check` says of a kernel `f` with these properties and files.
fn checked(properties: &str, files: &[(&str, &str)]) -> Ran {
    let design = format!(
        "design d device xcvc1902 ports buffer
kernel f(in x: window int16[64], out y: window int16[64]) {{ source \"f.cc\" {properties} }}
input i from gmio output o to gmio
connect i -> f.x connect f.y -> o
"
    );
    let all = files.iter().chain([&("d.dsl", design.as_str())]).copied().collect::<Vec<_>>();
    aiec(["check", &Folder::with(&all).name("d.dsl")])
}

/// The check fails with one fault of the kernel's function, whose message has all of `words`.
fn fails(ran: &Ran, words: &[&str]) {
    assert_eq!((ran.status, ran.err.matches("check/").count()), (1, 1), "{}", ran.err);
    assert!(ran.err.contains("check/kernel-function"), "{}", ran.err);
    for word in words {
        assert!(ran.words().contains(word), "expected `{word}` in {}", ran.words());
    }
}

fn passes(ran: &Ran) {
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

const PORTS: &str = "adf::input_buffer<int16> &x, adf::output_buffer<int16> &y";

#[test]
#[ignore = "long: compiles kernels"]
fn an_initialization_function_can_be_called_from_another_object() {
    let run = |start: &str| {
        let source =
            format!("#include <adf.h>\nstatic int v;\nvoid f({PORTS}) {{ y.data()[0] = v; }}\n{start}\n");
        checked("init \"start\"", &[("f.cc", &source)])
    };
    for right in
        ["void start() { v = 1; }", "extern \"C\" void start() { v = 1; }", "int start() { return v = 1; }"]
    {
        passes(&run(right));
    }
    for wrong in [
        "static void start() { v = 1; }",
        "inline void start() { v = 1; }",
        "void start(int to = 0) { v = to; }",
        "namespace { void start() { v = 1; } }",
        "template <int N = 1> void start() { v = N; }",
    ] {
        fails(&run(wrong), &["kernel `f` needs `void start()` for its `init`", "f.cc:4:1"]);
    }
}

/// A class with a constructor and a function that its source may define.
const CLASS: &str = "#pragma once
#include <adf.h>
class f {
public:
    f(int gain);
    void run(PORTS);
    static void registerKernelClass() { REGISTER_FUNCTION(f::run); }
    int gain;
};
";

#[test]
#[ignore = "long: compiles kernels"]
fn members_of_a_class_are_defined_somewhere() {
    let header = CLASS.replace("PORTS", PORTS);
    let (constructor, function) =
        ("f::f(int gain) : gain(gain) {}\n", format!("void f::run({PORTS}) {{}}\n"));
    let run = |members: &[&str]| {
        let source = format!("#include \"f.h\"\n{}", members.concat());
        checked("header \"f.h\" arguments (1)", &[("f.h", &header), ("f.cc", &source)])
    };
    passes(&run(&[constructor, &function]));
    fails(
        &run(&[constructor]),
        &["needs `f::run`, which `f.h` declares and `f.cc` does not define", "f.h:6:5"],
    );
    fails(&run(&[&function]), &["needs `f::f`, which `f.h` declares and `f.cc` does not define", "f.h:5:5"]);
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_class_registers_a_member_that_returns_nothing() {
    for (form, why) in [
        ("int run(PORTS)", "the function in `f.h` returns a value or is `const`"),
        ("void run(PORTS) const", "the function in `f.h` returns a value or is `const`"),
        ("static void run(PORTS)", "the function in `f.h` is `static`"),
    ] {
        let header = CLASS.replace("void run(PORTS)", form).replace("PORTS", PORTS);
        let source = "#include \"f.h\"\nf::f(int gain) : gain(gain) {}\n";
        let ran = checked("header \"f.h\" arguments (1)", &[("f.h", &header), ("f.cc", source)]);
        fails(&ran, &["kernel `f` needs `void f::run(adf::input_buffer<int16> &x, ", why, "f.h:6:5"]);
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_function_that_the_source_hides_is_shown() {
    for (form, words) in [
        ("extern \"C\" void f(PORTS) {}", "defines it as a function of C"),
        ("inline void f(PORTS) {}", "defines none of this name for the graph"),
        ("namespace { void f(PORTS) {} }", "defines none of this name for the graph"),
        ("void f(auto &x, auto &y) {}", "defines none of this name for the graph"),
    ] {
        let source = format!("#include <adf.h>\n{}\n", form.replace("PORTS", PORTS));
        fails(&checked("", &[("f.cc", &source)]), &[words, "f.cc:2:1"]);
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_number_that_no_parameter_of_a_template_holds_is_named() {
    for (parameter, argument) in [("unsigned char N", "300"), ("bool B", "2"), ("mode M", "1")] {
        let header =
            format!("#include <adf.h>\nenum class mode {{ a }};\ntemplate <{parameter}> void f({PORTS});\n");
        let source = format!("#include \"f.h\"\ntemplate <{parameter}> void f({PORTS}) {{}}\n");
        let properties = format!("header \"f.h\" template ({argument})");
        let ran = checked(&properties, &[("f.h", &header), ("f.cc", &source)]);
        let has =
            format!("has `template ({argument})`, but a parameter of the `template <{parameter}>` in `f.h`");
        fails(&ran, &[&has, "f.h:3:1"]);
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_definition_in_a_header_of_two_sources_is_inline() {
    let design = "design d device xcvc1902 ports buffer
kernel a(in x: window int16[64], out y: window int16[64]) { source \"a.cc\" }
kernel b(in x: window int16[64], out y: window int16[64]) { source \"b.cc\" }
input i from gmio output o to gmio
connect i -> a.x connect a.y -> b.x connect b.y -> o
";
    let run = |helper: &str| {
        let header = format!("#pragma once\n#include <adf.h>\n{helper}\n");
        let source = |name: &str| format!("#include \"h.h\"\nvoid {name}({PORTS}) {{}}\n");
        let (a, b) = (source("a"), source("b"));
        let files = [("d.dsl", design), ("h.h", header.as_str()), ("a.cc", a.as_str()), ("b.cc", b.as_str())];
        aiec(["check", &Folder::with(&files).name("d.dsl")])
    };
    for right in ["inline int h() { return 1; }", "static int h = 1;", "const int h = 1;", "extern int h;"] {
        passes(&run(right));
    }
    for wrong in ["int h() { return 1; }", "int h = 1;"] {
        let ran = run(wrong);
        let words = "`h` is defined in `h.h`, which both `a.cc` and `b.cc` include";
        assert!(ran.status == 0 && ran.words().contains(words), "{wrong}: {}", ran.err);
        assert!(ran.err.contains("check/helper-not-static") && ran.err.contains("h.h:3:1"), "{}", ran.err);
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn arrays_of_a_kernel_with_several_roles_are_one_fault() {
    let design = "design d device xcvc1902 ports buffer
kernel w[8] { source \"w.cc\" stack 512 B }
reduce total over w { op sum data int32[256] shape tree arity 3 }
output o to gmio connect total.result -> o
";
    let source = "#include <adf.h>
template <typename Comm> void w(Comm &comm) {
    alignas(32) int32 data[256] = {};
    comm.total.reduce(data);
}
";
    let ran = aiec(["check", &Folder::with(&[("d.dsl", design), ("w.cc", source)]).name("d.dsl")]);
    assert_eq!((ran.status, ran.err.matches("check/kernel-stack").count()), (0, 1), "{}", ran.err);
}
