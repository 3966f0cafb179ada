//! The first texts of kernels that `aiec new kernel` writes: they pass the check, and move what the
//! design says.
#![allow(clippy::disallowed_methods, reason = "the tests write and read sources")]

use std::fs;
use std::path::Path;

use aiec_tests::{aiec, design};

/// The text of a file beside the design.
fn text_of(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("written")
}

/// Four workers take a packet each, and give one each.
const FAN: &str = "design fan device toy
    kernel w[4](in p: packets int32[8], out q: packets cfloat[3]) { source \"w.cc\" }
    input a from plio(32, \"a.txt\") output b to plio(64, \"b.txt\")
    connect a -> split w.p connect w.q -> merge b";

#[test]
#[ignore = "long: simulates"]
fn a_stub_moves_the_packets_that_the_design_states() {
    let (directory, file) = design(FAN);
    let ran = aiec(["new", "kernel", "w[2]", &file]);
    assert_eq!(ran.status, 0, "the index of a kernel names its family: {}", ran.err);
    let source = text_of(directory.path(), "w.cc");
    for line in [
        "(void)readincr(p); // the header of the packet\n",
        "i < design::w::p_elements; ++i) (void)readincr(p);\n",
        "writeHeader(q, 0, getPacketid(q, 0));\n",
        "i < 2 * design::w::q_elements; ++i) writeincr(q, int32(), i + 1 == 2 * design::w::q_elements);\n",
    ] {
        assert!(source.contains(line), "{line}: {source}");
    }
    let packets: String = (0..4).map(|id| format!("{id}\n1\n2\n3\n4\n5\n6\n7\nTLAST\n8\n")).collect();
    fs::write(directory.path().join("a.txt"), packets).expect("writable");
    let ran = aiec(["sim", &file]);
    assert!(ran.status == 0 && ran.out.contains("ran to its end, 4 kernel runs"), "{}{}", ran.out, ran.err);
}

/// Two families with one function, whose ports pass other amounts. CODE is what their C++ is.
fn shared(code: &str, elements_of_slim: u32) -> String {
    let kernel = |name: &str, elements: u32| {
        format!(
            "kernel {name}(in p: packets int32[{elements}], in s: stream int32[{elements}], \
             out y: window int32[{elements}]) {{ source \"v.cc\" function value {code} }}\n"
        )
    };
    format!(
        "design d device toy {}{}
        input p[2] from plio(32, \"p_{{}}.txt\") input s[2] from gmio output y[2] to gmio
        connect p[0] -> wide.p connect p[1] -> slim.p connect s[0] -> wide.s connect s[1] -> slim.s
        connect wide.y -> y[0] connect slim.y -> y[1]",
        kernel("wide", 64),
        kernel("slim", elements_of_slim).replace("template (1)", "template (2)")
    )
}

#[test]
fn a_stub_of_several_kernels_has_the_numbers_of_none() {
    for (code, elements) in [("header \"v.h\" template (1)", 32), ("", 64), ("", 32)] {
        let (directory, file) = design(shared(code, elements));
        assert_eq!(aiec(["new", "kernel", "wide", &file]).status, 0);
        let again = aiec(["new", "kernel", "slim", &file]);
        assert!(again.out.ends_with("is the stub of `slim` already\n"), "{}{}", again.out, again.err);
        let source = text_of(directory.path(), "v.cc");
        let packets = "for (bool last = false; !last;) (void)readincr(p, last);\n";
        let stream = "(void)s; // stream int32[64] of wide and stream int32[32] of slim\n";
        let window = "i < y.size(); ++i) y.data()[i] = int32();\n";
        for line in [packets, stream, window] {
            assert_eq!(source.contains(line), elements == 32, "{line}: {source}");
        }
        let own = "i < design::wide::s_elements; ++i) (void)readincr(s);\n";
        assert_eq!(source.contains(own), elements == 64, "{source}");
        let checked = aiec(["check", &file]);
        assert_eq!((checked.status, checked.err.as_str()), (0, ""), "{}", checked.out);
    }
}

#[test]
fn a_source_without_its_header_is_not_checked_and_gets_one() {
    let kernel = "kernel a(out y: window int32[16]) { source \"a.cc\" header \"a.h\" arguments (3) }";
    let (directory, file) =
        design(format!("design d device toy {kernel} output o to plio(32, \"o.txt\") connect a.y -> o"));
    let source = "#include \"a.h\"\nvoid a::run(adf::output_buffer<int32> &y) { y.data()[0] = value0_; }\n";
    fs::write(directory.path().join("a.cc"), source).expect("writable");
    let checked = aiec(["check", &file]);
    assert_eq!((checked.status, checked.err.as_str()), (0, ""), "{}", checked.out);
    let line = format!("not checked: `a.h`, not there yet; `aiec new kernel a {file}` writes a stub");
    assert!(checked.out.contains(&line), "{}", checked.out);
    let ran = aiec(["new", "kernel", "a", &file]);
    assert_eq!((ran.status, ran.out.lines().count()), (0, 1), "{}{}", ran.out, ran.err);
    assert!(text_of(directory.path(), "a.h").contains("class a {"));
    assert_eq!(text_of(directory.path(), "a.cc"), source, "it stays");
    let checked = aiec(["check", &file]);
    assert_eq!((checked.status, checked.err.as_str()), (0, ""), "{}", checked.out);
}

#[test]
fn the_types_that_ports_carry_are_arguments_of_templates() {
    let (directory, file) = design(
        "design d device toy
        kernel a(out c: cascade cacc48) { source \"a.cc\" header \"a.h\" template (int16, cacc48, 4) }
        kernel b(in c: cascade cacc48, out y: window int32[16]) { source \"b.cc\" }
        output o to plio(32, \"o.txt\") connect a.c -> b.c connect b.y -> o",
    );
    for kernel in ["a", "b"] {
        assert_eq!(aiec(["new", "kernel", kernel, &file]).status, 0);
    }
    assert!(text_of(directory.path(), "a.h").contains("template <typename T0, typename T1, int N2>"));
    let checked = aiec(["check", &file]);
    assert_eq!((checked.status, checked.err.as_str()), (0, ""), "{}", checked.out);
    let text = text_of(directory.path(), "a.dsl").replace("(int16, cacc48", "(int16, acc47");
    fs::write(&file, text).expect("writable");
    let wrong = aiec(["check", "--no-cxx", &file]);
    assert!(wrong.words().contains("help: did you mean `acc48`?"), "{}", wrong.err);
}

/// The design of a split and a merge, whose workers may run several times in an iteration.
fn dealt(elements: u32, workers: u32, runs: u32) -> String {
    let each = elements / (workers * runs);
    format!(
        "design d device xcvc1902
        kernel s(in x: window int32[{elements}], out p: packets int32[{elements}]) {{ source \"s.cc\" }}
        kernel w[{workers}](in x: window int32[{each}], out y: window int32[{each}]) {{ source \"w.cc\" repetitions {runs} }}
        kernel c(in p: packets int32[{elements}], out y: window int32[{elements}]) {{ source \"c.cc\" }}
        input i from plio(64, \"i.txt\") output o to plio(64, \"o.txt\")
        connect i -> s.x connect s.p -> split w.x connect w.y -> merge c.p connect c.y -> o"
    )
}

/// The stubs of `s`, `w` and `c`, written beside the design.
fn written(folder: &Path, file: &str) -> [String; 3] {
    ["s", "w", "c"].map(|kernel| {
        let ran = aiec(["new", "kernel", kernel, file]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        text_of(folder, &format!("{kernel}.cc"))
    })
}

#[test]
fn a_stub_gives_each_branch_of_a_split_its_packets() {
    for (runs, head) in [
        (
            1,
            "    for (unsigned branch = 0; branch < 4; ++branch) {\n        writeHeader(p, 0, getPacketid(p, branch));\n",
        ),
        (
            2,
            "    for (unsigned packet = 0; packet < 8; ++packet) {\n        writeHeader(p, 0, getPacketid(p, packet % 4));\n",
        ),
    ] {
        let (directory, file) = design(dealt(32, 4, runs));
        let [s, _, c] = written(directory.path(), &file);
        assert!(s.contains(head), "{s}");
        let packets = 4 * runs;
        let words = format!(
            "i < design::s::p_elements / {packets}; ++i) writeincr(p, int32(), i + 1 == design::s::p_elements / {packets});\n"
        );
        assert!(s.contains(&words), "{s}");
        let read = format!(
            "    for (unsigned packet = 0; packet < {packets}; ++packet) {{\n        (void)readincr(p); // the header of the packet\n        \
             for (bool last = false; !last;) (void)readincr(p, last);\n    }}\n"
        );
        assert!(c.contains(&read), "{c}");
    }
}

#[test]
fn a_stub_gives_unlike_branches_of_a_split_packets_of_their_own() {
    let (directory, file) = design(
        "design d device xcvc1902
        kernel s(in x: window int32[16], out p: packets int32[16]) { source \"s.cc\" }
        kernel a(in x: window int32[4], out y: window int32[4]) { source \"a.cc\" repetitions 2 }
        kernel b(in x: window int32[8], out y: window int32[8]) { source \"b.cc\" }
        input i from plio(64, \"i.txt\") output o[2] to plio(64, \"o_{}.txt\")
        connect i -> s.x connect s.p -> split a.x, b.x connect a.y -> o[0] connect b.y -> o[1]",
    );
    assert_eq!(aiec(["new", "kernel", "s", &file]).status, 0);
    let source = text_of(directory.path(), "s.cc");
    let body = "    for (unsigned packet = 0; packet < 2; ++packet) {
        writeHeader(p, 0, getPacketid(p, 0));
        for (unsigned i = 0; i < 4; ++i) writeincr(p, int32(), i + 1 == 4);
    }
    writeHeader(p, 0, getPacketid(p, 1));
    for (unsigned i = 0; i < 8; ++i) writeincr(p, int32(), i + 1 == 8);\n";
    assert!(source.contains(body), "{source}");
}

#[test]
#[ignore = "long: simulates"]
fn the_stubs_around_a_split_and_a_merge_run_to_their_end() {
    for (runs, said) in [(1, "6 kernel runs"), (2, "10 kernel runs")] {
        let (directory, file) = design(dealt(32, 4, runs));
        written(directory.path(), &file);
        let data: String = (0..16).map(|line| format!("{line} {line}\n")).collect();
        fs::write(directory.path().join("i.txt"), data).expect("writable");
        let ran = aiec(["sim", &file]);
        assert!(ran.status == 0 && ran.out.contains(said), "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("no statement"), "the event model runs to its end, too: {}", ran.out);
    }
}
