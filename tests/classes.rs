//! Kernel classes, and families with several sources: their stubs, and the comparison of their
//! functions with the ports of a design.
#![allow(clippy::disallowed_methods, reason = "the tests write and read sources")]

#[path = "classes/constructors.rs"]
mod constructors;
#[path = "classes/headers.rs"]
mod headers;
#[path = "classes/undefined.rs"]
mod undefined;

use std::fs;

use aiec_tests::{aiec, design};

const MINIMAL: &str = "design d\ndevice toy\nports window\nkernel a(out y: window int32[16]) { source \"a.cc\" }\n\
    output o to plio(32, \"o.txt\")\nconnect a.y -> o\n";

#[test]
fn a_class_has_a_stub_and_a_check_says_that_it_was_left_out() {
    let class = "{ header \"a.h\" source \"a.cc\" arguments (1) init \"start\" }";
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", class));
    let checked = aiec(["check", &file]);
    for words in
        ["not checked: `a.cc` and `a.h`, not there yet", "not checked: what the graph constructs of `a.h`"]
    {
        assert!(checked.status == 0 && checked.out.contains(words), "{words}: {}", checked.out);
    }
    assert!(checked.out.contains(&format!("`aiec new kernel a {file}` writes a stub")), "{}", checked.out);
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).expect("written");
    for (name, words) in [
        ("a.h", "a(int value0) : value0_(value0) {}"),
        ("a.h", "REGISTER_FUNCTION(a::run);"),
        ("a.cc", "#include \"a.h\""),
        ("a.cc", "void a::run(output_window<int32> *y) {"),
        ("a.cc", "void start() {"),
    ] {
        assert!(read(name).contains(words), "{words}: {}", read(name));
    }
    let checked = aiec(["check", &file]);
    assert!(checked.status == 0 && !checked.out.contains("not checked"), "{} {}", checked.out, checked.err);
}

#[test]
fn kernels_of_a_file_of_components_have_stubs_that_pass_its_check() {
    let component = "device toy
component part(N = 64)(in x: window int32[N], out y: stream int32[N]) {
    kernel copy(in a: window int32[N], out b: stream int32[N]) { source \"copy.cc\" }
    connect x -> copy.a
    connect copy.b -> y
}
";
    let without_device = component.replace("device toy\n", "");
    // A design may have components without instances, and the command line may give the device.
    for (text, device) in [
        (component.to_owned(), ""),
        (MINIMAL.replace("device toy", component), ""),
        (without_device, " --device toy"),
    ] {
        let (directory, file) = design(text);
        let run = |words: &[&str]| {
            aiec(words.iter().copied().chain([file.as_str()]).chain(device.split_whitespace()))
        };
        let checked = run(&["check"]);
        let hint =
            format!("`copy.cc`, not there yet; `aiec new kernel part.copy {file}{device}` writes a stub");
        assert!(checked.status == 0 && checked.out.contains(&hint), "{}", checked.out);
        let other = run(&["new", "kernel", "part.coppy"]);
        assert!(other.err.contains("did you mean `part.copy`?"), "{}", other.err);
        let new = run(&["new", "kernel", "part.copy"]);
        assert_eq!((new.status, new.err.as_str()), (0, ""));
        assert!(directory.path().join("copy.cc").exists());
        let checked = run(&["check"]);
        assert!(checked.status == 0 && !checked.out.contains("copy.cc"), "{}", checked.out);
    }
}

#[test]
fn functions_and_classes_in_namespaces_have_stubs_that_pass_the_check() {
    for (properties, files) in [
        (
            "{ source \"a.cc\" function dsp::filters::a }",
            [
                ("a.cc", "namespace dsp { namespace filters {\n"),
                ("a.cc", "\nvoid a(output_window<int32> *y) {"),
            ],
        ),
        (
            "{ header \"a.h\" source \"a.cc\" function dsp::gather arguments (1) }",
            [("a.h", "namespace dsp {\n"), ("a.cc", "\nvoid dsp::gather::run(output_window<int32> *y) {")],
        ),
    ] {
        let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", properties));
        assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
        let read = |name: &str| fs::read_to_string(directory.path().join(name)).expect("written");
        for (name, words) in files {
            assert!(read(name).contains(words), "{words}: {}", read(name));
        }
        let checked = aiec(["check", &file]);
        assert!(
            checked.status == 0 && !checked.out.contains("not checked"),
            "{} {}",
            checked.out,
            checked.err
        );
    }
}

#[test]
fn cpp_that_does_not_compile_is_one_fault_in_all_instances_of_a_component() {
    let (directory, file) = design(
        "design d device xcvc1902
        component lane(out y: window int32[16]) {
            kernel k(in s: stream int32[16], out y: window int32[16]) { source \"k.cc\" function k }
            kernel l(out y: stream int32[16]) { source \"k.cc\" function l }
            connect l.y -> k.s
            connect k.y -> y
        }
        instance bank[3] of lane
        output o[3] to plio(32, \"o_{}.txt\")
        connect bank.y -> o\n",
    );
    fs::write(directory.path().join("k.cc"), "#include <adf.h>\nint none = missing;\n").expect("writable");
    let words = aiec(["check", &file]).words();
    assert_eq!(words.matches("check/kernel-compile").count(), 1, "{words}");
    assert!(
        words.contains("kernel `bank[0].k` does not")
            && words.contains("; and so in `bank[1]` and `bank[2]`"),
        "{words}"
    );
}

#[test]
fn a_source_without_its_function_is_one_fault_in_all_instances_of_a_component() {
    let (directory, file) = design(
        "design d device xcvc1902
        component lane(out y: window int32[16]) {
            kernel k(out y: window int32[16]) { source \"k.cc\" }
            connect k.y -> y
        }
        instance bank[3] of lane
        output o[3] to plio(32, \"o_{}.txt\")
        connect bank.y -> o\n",
    );
    fs::write(directory.path().join("k.cc"), "#include <adf.h>\nvoid other() {}\n").expect("writable");
    let checked = aiec(["check", &file]);
    let words = checked.words();
    assert_eq!((checked.status, words.matches("check/kernel-function").count()), (1, 1), "{words}");
    assert!(
        words.contains("kernel `bank[0].k` needs") && words.contains("; and so in `bank[1]` and `bank[2]`"),
        "{words}"
    );
}

#[test]
fn a_table_of_constants_in_a_kernel_lies_on_no_stack() {
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", "{ source \"a.cc\" stack 512 B }"));
    for table in ["const int32 big[256]", "constexpr int32 big[256]", "alignas(32) const int32 big[256]"] {
        let source = format!(
            "#include <adf.h>\nvoid a(output_window<int32> *y) {{\n    {table} = {{7, 5, 3}};\n    \
             for (int i = 0; i < 16; ++i) {{ window_writeincr(y, big[(i * 7) & 255]); }}\n}}\n"
        );
        fs::write(directory.path().join("a.cc"), source).expect("writable");
        let checked = aiec(["check", &file]);
        assert_eq!((checked.status, checked.err.as_str()), (0, ""), "{table}");
    }
}

#[test]
fn an_array_that_the_compiler_removes_counts_unless_it_is_static() {
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", "{ source \"a.cc\" stack 512 B }"));
    for (array, counts) in
        [("int32 big[256]", true), ("static int32 big[256]", false), ("int32 big[100]", false)]
    {
        let source = format!(
            "#include <adf.h>\nvoid a(output_window<int32> *y) {{\n    {array};\n    \
             for (int i = 0; i < 16; ++i) {{ big[i] = i; window_writeincr(y, big[i]); }}\n}}\n"
        );
        fs::write(directory.path().join("a.cc"), source).expect("writable");
        let checked = aiec(["check", &file]);
        assert_eq!(checked.status, 0, "{}", checked.err);
        assert_eq!(checked.err.contains("check/kernel-stack"), counts, "{array}: {}", checked.err);
    }
}

#[test]
fn a_function_in_another_namespace_is_suggested() {
    let (directory, file) =
        design(MINIMAL.replace("{ source \"a.cc\" }", "{ source \"a.cc\" function dsp::a }"));
    let source = "#include <adf.h>\nnamespace other { void a(output_window<int32> *y) {} }\n";
    fs::write(directory.path().join("a.cc"), source).expect("writable");
    let checked = aiec(["check", &file]);
    let help = "did you mean `other::a`? Then write `function other::a` in `a`";
    for words in ["needs `void dsp::a(output_window<int32> *y)`", help] {
        assert!(checked.status == 1 && checked.words().contains(words), "{words}: {}", checked.err);
    }
}

#[test]
fn a_template_without_a_header_is_told_to_have_one() {
    let (directory, file) = design(MINIMAL);
    let path = directory.path().join("a.cc");
    let template = "template <int N> void a(output_window<int32> *y) {}";
    let used = "void b(output_window<int32> *y) { a<4>(y); }";
    for rest in ["", used] {
        fs::write(&path, format!("#include <adf.h>\n{template}\n{rest}\n")).expect("writable");
        let checked = aiec(["check", &file]);
        for words in [
            "`a.cc` has only a function template of this name",
            "write `header \"a.h\"` and `template (...)` in `a`",
        ] {
            assert!(checked.status == 1 && checked.words().contains(words), "{words}: {}", checked.err);
        }
    }
}

#[test]
fn a_long_signature_is_readable_as_a_whole() {
    let text = "design d device toy ports buffer
        kernel a(in x: window int16[64] margin 16, in scale_of_rows: parameter int16[4] async,
                 in shift_of_columns: parameter uint8 async, out y: window int16[64]) { source \"a.cc\" }
        input x from plio(32, \"x.txt\") input s from host input t from host connect s -> a.scale_of_rows connect t -> a.shift_of_columns
        output o to plio(32, \"o.txt\") connect x -> a.x connect a.y -> o";
    let (directory, file) = design(text);
    fs::write(directory.path().join("a.cc"), "#include <adf.h>\nvoid a(int32 x) {}\n").expect("writable");
    let checked = aiec(["check", &file]);
    assert!(checked.words().contains("..."), "{}", checked.err);
    let whole = "The whole signature: void a( adf::input_buffer<int16, adf::extents<adf::inherited_extent>, \
                 adf::margin<16>> &x, const int16 (&scale_of_rows)[4], uint8 shift_of_columns, \
                 adf::output_buffer<int16> &y)";
    assert!(checked.status == 1 && checked.words().contains(whole), "{}", checked.err);
}

/// A class that takes twelve windows in each run, and is constructed with a number with a point.
const FRAMES: &str = "design d device xcvc1902 ports buffer const GAIN = 0.5 const LINES = 12
    kernel a(in x: window int32[16], out y: window int32[8]) {
        header \"a.h\" source \"a.cc\" arguments (GAIN)
    }
    input i from plio(32, \"i.txt\") output o to plio(32, \"o.txt\")
    connect i -> async a.x windows LINES connect a.y -> o\n";

#[test]
fn a_stub_acquires_the_windows_that_the_design_states() {
    let (directory, file) = design(FRAMES);
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    let source = fs::read_to_string(directory.path().join("a.cc")).expect("written");
    let words = "    for (unsigned window = 0; window < 12; ++window) {\n        x.acquire();\n";
    assert!(source.contains(words) && source.contains("        x.release();\n    }\n"), "{source}");
    let (directory, file) = design(FRAMES.replace(" windows LINES", " windows 1"));
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    let source = fs::read_to_string(directory.path().join("a.cc")).expect("written");
    assert!(source.contains("\n    x.acquire();\n") && !source.contains("window < "), "{source}");
}

#[test]
fn a_constant_with_a_point_is_overridden() {
    let (directory, file) = design(FRAMES);
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    fs::write(directory.path().join("i.txt"), "1\n".repeat(16 * 12)).expect("writable");
    let project = directory.path().join("out");
    let build = |define: &str| {
        let out = project.display().to_string();
        let ran = aiec(["build", &file, "-D", define, "-o", &out, "--overwrite"]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        fs::read_to_string(project.join("aie/graph.h")).expect("written")
    };
    for (define, argument) in [("GAIN=0.750", "(0.75f)"), ("GAIN=-2.0", "(-2.0f)"), ("GAIN=3", "(3)")] {
        let graph = build(define);
        assert!(graph.contains(&format!("create_object<::a>{argument}")), "{define}: {graph}");
    }
    let whole = aiec(["check", &file, "--no-cxx", "-D", "LINES=2.5"]);
    assert!(whole.status == 1 && whole.err.contains("LINES"), "{}", whole.err);
}

/// Checks a class whose function has each of these lists of parameters, which are not the design's.
fn is_named_with_its_ports(others: &[&str]) {
    let class = "{ header \"a.h\" source \"a.cc\" arguments (1) }";
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", class));
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    for other in others {
        let path = directory.path().join("a.h");
        let text = fs::read_to_string(&path).expect("written");
        let (before, rest) = text.split_once("run(").expect("its function");
        let (_, after) = rest.split_once(')').expect("its parameters");
        fs::write(&path, format!("{before}run({other}){after}")).expect("writable");
        let source = format!("#include \"a.h\"\nvoid a::run({other}) {{}}\n");
        fs::write(directory.path().join("a.cc"), source).expect("writable");
        let ran = aiec(["check", &file]);
        let wanted = "kernel `a` needs `void a::run(output_window<int32> *y)`, but `a.h` declares";
        assert!(ran.status == 1 && ran.words().contains(wanted), "{other}: {}", ran.err);
    }
}

#[test]
fn a_class_that_takes_other_ports_is_named_with_those_of_the_design() {
    is_named_with_its_ports(&["input_window<int32> *y"]);
}

#[test]
fn a_value_may_be_taken_by_reference() {
    let (directory, file) = design(
        MINIMAL
            .replace("(out y", "(in g: parameter int32 async, out y")
            .replace("output o", "input g from host initial 3\nconnect g -> a.g\noutput o"),
    );
    for reference in ["const int32 &g", "int32 const &", "int32 g"] {
        let source = format!("#include <adf.h>\nvoid a({reference}, output_window<int32> *y) {{}}\n");
        fs::write(directory.path().join("a.cc"), source).expect("writable");
        let ran = aiec(["check", &file]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{reference}: {}", ran.out);
    }
    let text = fs::read_to_string(&file).expect("written");
    fs::write(&file, text.replace("source \"a.cc\"", "source \"a.cc\" header \"a.h\"")).expect("writable");
    for (reference, is_it) in [("const int32 &", true), ("const int16 &", false), ("int32 &", false)] {
        let header =
            format!("#pragma once\n#include <adf.h>\nvoid a({reference}g, output_window<int32> *y);\n");
        fs::write(directory.path().join("a.h"), header).expect("writable");
        let source = format!("#include \"a.h\"\nvoid a({reference}g, output_window<int32> *y) {{}}\n");
        fs::write(directory.path().join("a.cc"), source).expect("writable");
        let ran = aiec(["check", &file]);
        assert_eq!(ran.status == 0, is_it, "{reference}: {}", ran.err);
    }
}

#[test]
#[ignore = "long: compiles kernels"]
fn other_types_and_numbers_of_ports_are_named_too() {
    is_named_with_its_ports(&["output_window<int16> *y", "int32 y", ""]);
}

/// The kernel `a` of two instances, with these properties.
fn two(properties: &str) -> String {
    let two = MINIMAL.replace("kernel a(", "kernel a[r: 2](").replace("output o", "output o[2]");
    two.replace("o.txt", "o_{}.txt").replace("{ source \"a.cc\" }", properties)
}

#[test]
fn all_functions_and_classes_of_a_header_have_stubs_that_pass_the_check() {
    for (properties, files) in [
        (
            "{ header \"a.h\" source \"a.cc\" if r == 1 { function dsp::b template (int16, 4) } }",
            [
                ("a.h", "\nvoid a(output_window<int32> *y);\n"),
                (
                    "a.h",
                    "namespace dsp {\n// Kernel `a` of the design `d`.\ntemplate <typename T0, int N1>\nvoid b(",
                ),
                ("a.cc", "#include \"a.h\"\n#include <adf.h>\n"),
                ("a.cc", "\ntemplate <typename T0, int N1>\nvoid b(output_window<int32> *y) {"),
            ],
        ),
        (
            "{ header \"a.h\" source \"a.cc\" arguments (1) if r == 1 { function b } else { function c } }",
            [
                ("a.h", "class b {\npublic:\n    b(int value0) : value0_(value0) {}"),
                ("a.h", "REGISTER_FUNCTION(c::run);"),
                ("a.cc", "void b::run(output_window<int32> *y) {"),
                ("a.cc", "void c::run(output_window<int32> *y) {"),
            ],
        ),
    ] {
        let (directory, file) = design(two(properties));
        let checked = aiec(["check", "--no-cxx", &file]);
        assert_eq!(checked.status, 0, "{}", checked.err);
        let ran = aiec(["new", "kernel", "a", &file]);
        assert_eq!((ran.status, ran.out.lines().count()), (0, 2), "{}{}", ran.out, ran.err);
        for (name, words) in files {
            let text = fs::read_to_string(directory.path().join(name)).expect("written");
            assert!(text.contains(words), "{words}: {text}");
        }
        let checked = aiec(["check", &file]);
        assert_eq!((checked.status, checked.err.as_str()), (0, ""), "{}", checked.out);
    }
}

#[test]
#[ignore = "long: compiles for seconds"]
fn a_header_that_is_there_stays_and_its_function_has_a_stub() {
    let properties = "{ header \"include/a.h\" source \"src/a.cc\" template (4) }";
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", properties));
    let header = "#include <adf.h>\ntemplate <int N> void a(output_window<int32> *y);\n";
    fs::create_dir(directory.path().join("include")).expect("writable");
    fs::write(directory.path().join("include/a.h"), header).expect("writable");
    let ran = aiec(["new", "kernel", "a", &file]);
    assert!(
        ran.status == 0 && ran.out.ends_with("src/a.cc: void a(output_window<int32> *y)\n"),
        "{}",
        ran.out
    );
    let read = |name: &str| fs::read_to_string(directory.path().join(name)).expect("written");
    assert_eq!(read("include/a.h"), header);
    assert!(read("src/a.cc").starts_with("#include \"../include/a.h\"\n"), "{}", read("src/a.cc"));
    let built = aiec(["sim", &file, "--unplaced"]);
    assert_eq!((built.status, built.err.as_str()), (0, ""), "{}", built.out);
}

#[test]
fn a_name_with_several_types_has_no_stub() {
    let class = "{ header \"a.h\" source \"a.cc\" if r == 1 { template (1) } else { template (int32) } }";
    let (_directory, file) = design(two(class));
    let ran = aiec(["new", "kernel", "a", &file]);
    assert!(
        ran.status == 1 && ran.err.contains("kernels need `a` of `a.h` with several types"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("declare `void "), "the signature to write: {}", ran.err);
}

/// Checks the function `a` of the header `a.h` with these parameters, the template arguments of
/// the design included.
fn checked_with(template: &str, parameters: &str) -> aiec_tests::Ran {
    let arguments = if template.is_empty() { "" } else { "template (4)" };
    let body = format!("{{ header \"a.h\" source \"a.cc\" {arguments} }}");
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", &body));
    let header = format!("#include <adf.h>\n{template}void a({parameters});\n");
    fs::write(directory.path().join("a.h"), header).expect("writable");
    let instance = if template.is_empty() { "" } else { "template void a<4>(" };
    let instance = if instance.is_empty() { String::new() } else { format!("{instance}{parameters});\n") };
    let source = format!("#include \"a.h\"\n{template}void a({parameters}) {{}}\n{instance}");
    fs::write(directory.path().join("a.cc"), source).expect("writable");
    aiec(["check", &file])
}

#[test]
#[ignore = "long: compiles kernels"]
fn a_function_of_a_header_is_compared_with_the_ports() {
    for template in ["", "template <int N> "] {
        let right = checked_with(template, "output_window_int32 *__restrict y");
        assert!(right.status == 0 && right.err.is_empty(), "{template}: {}", right.err);
        assert!(!right.out.contains("not checked"), "{template}: {}", right.out);
        for other in ["output_window<int16> *y", "adf::output_buffer<int32> &y", "input_window<int32> *y"] {
            let ran = checked_with(template, other);
            let wanted = "kernel `a` needs `void a(output_window<int32> *y)`, but `a.h` declares";
            assert!(ran.status == 1 && ran.words().contains(wanted), "{template}{other}: {}", ran.err);
        }
    }
}

/// Checks a function or class template of the header `a.h` with the argument `argument` and a stack
/// of 512 B. `source` defines it.
fn instance(properties: &str, header: &str, source: &str) -> aiec_tests::Ran {
    let body = format!("{{ header \"a.h\" source \"a.cc\" stack 512 B {properties} }}");
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", &body));
    fs::write(directory.path().join("a.h"), format!("#include <adf.h>\n{header}")).expect("writable");
    fs::write(directory.path().join("a.cc"), format!("#include \"a.h\"\n{source}")).expect("writable");
    aiec(["check", &file])
}

const TEMPLATE: &str = "template <int N> void a(output_window<int32> *y);\n";
const BODY: &str = "template <int N>\nvoid a(output_window<int32> *y) {
    int32 all[64 * N];
    for (int i = 0; i < 64 * N; ++i) all[i] = i;
    for (int i = 0; i < 16; ++i) window_writeincr(y, all[i * N] LAST);\n}\n";

#[test]
#[ignore = "long: compiles for seconds"]
fn the_body_and_the_stack_of_a_template_are_checked_for_its_arguments() {
    let source = BODY.replace(" LAST", "");
    let fits = instance("template (1)", TEMPLATE, &source);
    assert_eq!((fits.status, fits.err.as_str()), (0, ""), "{}", fits.out);
    let large = instance("template (4)", TEMPLATE, &source);
    assert!(large.err.contains("check/kernel-stack") && large.err.contains("a.cc:4:"), "{}", large.err);
    let faulty = instance("template (1)", TEMPLATE, &BODY.replace("LAST", ".value"));
    assert!(faulty.status == 1 && faulty.err.contains("check/kernel-compile"), "{}", faulty.err);
    assert_eq!(faulty.err.matches("check/kernel-").count(), 1, "once: {}", faulty.err);
}

#[test]
#[ignore = "long: compiles kernels"]
fn the_stacks_of_classes_and_of_functions_in_headers_are_checked_too() {
    let class = "template <int N>\nclass a {\npublic:\n    a(int) {}\n    \
        static void registerKernelClass() { REGISTER_FUNCTION(a::run); }\n    \
        void run(output_window<int32> *y);\n};\n";
    let member = BODY.replace("void a(", "void a<N>::run(").replace(" LAST", "");
    let within = BODY.replace(" LAST", "");
    for (properties, header, source) in [
        ("template (4) arguments (1)", class.to_owned(), member.clone()),
        ("template (4)", within.clone(), String::new()),
        ("arguments (1)", class.replace("template <int N>\n", ""), {
            let plain = member.replace("template <int N>\n", "").replace("a<N>", "a");
            plain.replace("64 * N", "256").replace("i * N", "i")
        }),
        ("", TEMPLATE.replace("template <int N> ", ""), {
            let plain = within.replace("template <int N>\n", "").replace("64 * N", "256");
            plain.replace("i * N", "i")
        }),
    ] {
        let ran = instance(properties, &header, &source);
        assert!(ran.status == 0 && ran.err.contains("check/kernel-stack"), "{properties}: {}", ran.err);
    }
}

#[test]
fn a_stub_need_not_mention_the_constants_of_its_kernel() {
    let (directory, file) = design(MINIMAL.replace("kernel a", "const SLOTS = 4\nkernel a"));
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    let stub = aiec(["check", &file]);
    assert_eq!((stub.status, stub.err.as_str()), (0, ""), "{}", stub.out);
    let path = directory.path().join("a.cc");
    let text = fs::read_to_string(&path).expect("written");
    fs::write(&path, format!("{text}// finished\n")).expect("writable");
    assert!(aiec(["check", &file]).err.contains("check/unused-constant"), "the kernel is no stub now");
    let allow = "allow \"check/unused-constant\" because \"later\"\nkernel a";
    let allowed = |constant: &str| {
        let text = MINIMAL.replace("kernel a", &format!("{constant}{allow}"));
        fs::write(&file, text).expect("writable");
        aiec(["check", &file]).err
    };
    assert_eq!(allowed("const SLOTS = 4\n"), "");
    assert!(allowed("").contains("check/unused-allow"), "nothing is unused");
}

#[test]
fn an_initialization_function_lies_in_its_namespace() {
    let body = "{ source \"a.cc\" init \"dsp::start\" }";
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", body));
    assert_eq!(aiec(["new", "kernel", "a", &file]).status, 0);
    let right = aiec(["check", &file]);
    assert_eq!((right.status, right.err.as_str()), (0, ""), "{}", right.out);
    let path = directory.path().join("a.cc");
    let text = fs::read_to_string(&path).expect("written");
    fs::write(&path, text.replace("namespace dsp", "namespace other")).expect("writable");
    let wrong = aiec(["check", &file]);
    for words in ["`dsp::start` of kernel `a` is not in `a.cc`", "did you mean `other::start`?"] {
        assert!(wrong.status == 1 && wrong.words().contains(words), "{words}: {}", wrong.err);
    }
}

#[test]
fn an_array_for_the_other_simulator_lies_on_no_stack_of_the_array() {
    let (directory, file) = design(MINIMAL.replace("{ source \"a.cc\" }", "{ source \"a.cc\" stack 512 B }"));
    for (macros, counts) in [("__X86SIM__", false), ("__AIE_ARCH__", true)] {
        let source = format!(
            "#include <adf.h>\nvoid a(output_window<int32> *y) {{\n#ifdef {macros}\n    int32 seen[256];\n    \
             for (int i = 0; i < 256; ++i) seen[i] = i;\n    window_writeincr(y, seen[y->head[0]]);\n#endif\n    \
             for (int i = 0; i < 15; ++i) window_writeincr(y, i);\n}}\n"
        );
        fs::write(directory.path().join("a.cc"), source).expect("writable");
        let checked = aiec(["check", &file]);
        assert_eq!(checked.err.contains("check/kernel-stack"), counts, "{macros}: {}", checked.err);
    }
}

#[test]
fn instances_with_sources_of_their_own_all_get_one() {
    let text = "design d\ndevice xcvc1902
        kernel w[r: 3](in x: window int32[64], out y: window int32[64]) {
          if r == 0 { source \"w0.cc\" } else { source \"w1.cc\" function rest }
        }
        input x from gmio output y[3] to gmio connect x -> w.x connect w.y -> y";
    let (directory, file) = design(text);
    let text_of = |name: &str| fs::read_to_string(directory.path().join(name)).expect("written");
    let ran = aiec(["new", "kernel", "w", &file]);
    assert_eq!((ran.status, ran.out.lines().count()), (0, 2), "{}{}", ran.out, ran.err);
    assert!(text_of("w0.cc").contains("void w("), "{}", text_of("w0.cc"));
    assert!(text_of("w1.cc").contains("void rest("), "{}", text_of("w1.cc"));
    let again = aiec(["new", "kernel", "w", &file]);
    assert!(again.status == 0 && again.out.contains("w1.cc: is the stub of `w` already"), "{}", again.out);
    fs::write(directory.path().join("w0.cc"), "// mine\n").expect("writable");
    fs::remove_file(directory.path().join("w1.cc")).expect("removable");
    assert_eq!(aiec(["new", "kernel", "w", &file]).status, 0, "the other source is still missing");
    assert_eq!((text_of("w0.cc").as_str(), text_of("w1.cc").contains("void rest(")), ("// mine\n", true));
}
