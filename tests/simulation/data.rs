//! Data files and golden files: one format, whose faults show before anything is compiled.

use std::fs;

use aiec_test_support::folder::Folder;
use aiec_tests::{Ran, aiec};

use super::{fails, simulate};

const NO_COMPILER: [&str; 2] = ["--cxx", "no-such-compiler"];

#[test]
fn a_golden_file_of_the_design_is_needed_before_anything_is_compiled() {
    let design =
        include_str!("../simulated/copy/d.dsl").replace("\"o.txt\")", "\"o.txt\") golden \"expected.txt\"");
    let kernel = include_str!("../simulated/copy/k.cc");
    let files = [("k.cc", kernel), ("i.txt", "1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8\n")];
    let ran = simulate(&design, &files, &["--cxx", "no-such-compiler"]);
    fails(&ran, "sim/golden", &["`o` has no expected data", "expected.txt", "d.dsl:6:"]);
    let bad = [("k.cc", kernel), ("expected.txt", "1 2\n3 l\n"), files[1]];
    let ran = simulate(&design, &bad, &["--cxx", "no-such-compiler"]);
    let said = ["`l` in line 2 of", "the expected data of output `o`", "expected.txt:2:3"];
    fails(&ran, "sim/golden", &said);
}

/// A kernel that adds a number of the host to what comes from memory.
const SHIFT: &str = "design d device xcvc1902 ports window
kernel shift(in x: window int16[8], in by: parameter float, out y: window float[8]) { source \"k.cc\" }
input x from gmio(\"x.txt\") input by from host(\"by.txt\")
output y to gmio(\"y.txt\") golden \"g.txt\"
connect x -> shift.x connect by -> shift.by connect shift.y -> y
";
const SHIFT_SOURCE: &str = "#include <adf.h>
void shift(input_window<int16> *x, float by, output_window<float> *y) {
    for (int i = 0; i < 8; ++i) window_writeincr(y, window_readincr(x) + by);
}
";

/// A run of [`SHIFT`] with these data and golden files.
fn shifted(x: &str, by: &str, golden: &str, extra: &[&str]) -> Ran {
    let files = [("k.cc", SHIFT_SOURCE), ("x.txt", x), ("by.txt", by), ("g.txt", golden)];
    simulate(SHIFT, &files, extra)
}

#[test]
#[ignore = "long: simulates"]
fn memory_parameters_and_goldens_take_commas_and_comments_as_plio_does() {
    let ran = shifted(
        "# numbers\n1,2, 3,4\nT 12 ns\n5 6\t7 8 # the last\n",
        "0x1p-1, # half",
        "1.5,2.5,3.5\n4.5 5.5 0x1.ap2 7.5 8.5 # all",
        &["--unplaced"],
    );
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("y: 8 values equal"), "{}", ran.out);
}

#[test]
fn a_word_that_is_no_number_has_its_line_whatever_reads_it() {
    let right = ["1 2 3 4 5 6 7 8\n", "0.5\n", "1 2 3 4 5 6 7 8\n"];
    let with = |x: &str, by: &str, golden: &str| shifted(x, by, golden, &NO_COMPILER);
    let [x, by, golden] = right;
    fails(&with("1 2\nTLAST 3 4 5 6 7 8\n", by, golden), "sim/input", &["`TLAST` in line 2", "x.txt:2:1"]);
    fails(&with("1 2\n3 0x4 5 6 7 8\n", by, golden), "sim/input", &["x.txt:2:3"]);
    fails(&with(x, "\nnano\n", golden), "sim/input", &["`nano` in line 2", "by.txt:2:1"]);
    fails(&with(x, by, "1 2 3 4\n5 6 7 8.O\n"), "sim/golden", &["`8.O` in line 2", "g.txt:2:7"]);
    fails(&with(x, by, "1 2 3 4 5 6 7\n"), "sim/golden", &["holds 7 values, but 8 of type float"]);
}

#[test]
fn a_number_of_another_type_in_a_golden_file_is_found_before_the_run() {
    let design = include_str!("../simulated/copy/d.dsl").replace("\"o.txt\")", "\"o.txt\") golden \"g.txt\"");
    let kernel = include_str!("../simulated/copy/k.cc");
    let data = "1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8\n";
    for (word, why) in [("0x10", "is no int32"), ("2.0", "is no int32"), ("4294967296", "is no int32")] {
        let golden = data.replacen('2', word, 1);
        let files = [("k.cc", kernel), ("i.txt", data), ("g.txt", golden.as_str())];
        fails(&simulate(&design, &files, &NO_COMPILER), "sim/golden", &[word, why, "g.txt:1:3"]);
    }
}

#[test]
fn data_that_is_no_text_is_a_fault_of_build_too() {
    let folder = Folder::with(&[("d.dsl", SHIFT), ("k.cc", SHIFT_SOURCE), ("by.txt", "0.5\n")]);
    let build = || aiec(["build", &folder.name("d.dsl"), "-o", &folder.name("project")]);
    fs::write(folder.name("x.txt"), [b'1', 0xff]).expect("writable");
    fails(&build(), "input/not-utf8", &["x.txt", "byte 1 starts no character"]);
    fs::remove_file(folder.name("x.txt")).expect("removable");
    fs::create_dir(folder.name("x.txt")).expect("writable");
    fails(&build(), "input/unreadable-file", &["x.txt", "it is a directory", "d.dsl:3:1"]);
    fs::remove_dir(folder.name("x.txt")).expect("removable");
    assert_eq!(build().status, 0, "a build does without data");
    fs::write(folder.name("x.txt"), "1 2 3 4 5 6 7 8\n").expect("writable");
    fs::create_dir(folder.name("g.txt")).expect("writable");
    fails(&aiec(["sim", &folder.name("d.dsl")]), "input/unreadable-file", &["it is a directory", "d.dsl:4:"]);
}

#[test]
#[ignore = "long: simulates"]
fn ends_of_packets_count_if_the_golden_file_has_any() {
    let design = "design d device xcvc1902
kernel s(in x: stream int32[4], out y: stream int32[4]) { source \"s.cc\" }
input x from plio(32, \"x.txt\") output y to plio(32, \"y.txt\") golden \"g.txt\"
connect x -> s.x connect s.y -> y
";
    let source = "#include <adf.h>
void s(input_stream<int32> *x, output_stream<int32> *y) {
    for (int i = 0; i < 4; ++i) writeincr(y, readincr(x), i % 2 == 1);
}
";
    let run = |golden: &str| {
        simulate(design, &[("s.cc", source), ("x.txt", "1 2 3 4\n"), ("g.txt", golden)], &["--unplaced"])
    };
    for right in ["1\nTLAST\n2\n3\nTLAST\n4\n", "1 2 3 4\n"] {
        assert_eq!(run(right).status, 0, "{right}: {}", run(right).err);
    }
    for (wrong, words) in [
        ("1\n2\n3\nTLAST\n4\n", "element 1 has a TLAST, expected none"),
        ("TLAST\n1\nTLAST\n2\n3\nTLAST\n4\n", "element 0 has no TLAST, expected one"),
    ] {
        let ran = run(wrong);
        fails(&ran, "sim/wrong-data", &[]);
        assert!(ran.words().contains(words), "{words}: {}", ran.err);
    }
}
