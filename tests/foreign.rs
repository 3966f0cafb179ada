//! `aiec sim graph.cpp`: graphs that aiec did not write.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_tests::{aiec, path};

fn simulate(extra: &[&str]) -> aiec_tests::Ran {
    let output = tempfile::tempdir().expect("a temporary directory");
    let (graph, include, folder) = (
        path("tests/graphs/counting/src/graph.cpp"),
        path("tests/graphs/counting/src"),
        output.path().display().to_string(),
    );
    aiec([&["sim", &graph, "-I", &include, "--output", &folder], extra].concat())
}

// Templates in a .cc, private static data, an initialization function, a main program for another
// simulator.
#[test]
#[ignore = "long: simulates"]
fn a_graph_runs_unmodified_and_equals_its_golden_file_with_every_seed() {
    let ran = simulate(&[
        "--golden",
        &path("tests/graphs/counting/data/golden.txt"),
        "--seeds",
        "4",
        "--jobs",
        "2",
    ]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("15 kernel runs"), "{}", ran.out);
    assert!(ran.out.contains("48 values equal"), "{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn a_difference_from_the_golden_file_names_output_and_element() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = folder.path().join("golden.txt");
    fs::write(&golden, "211 425\n").expect("writable");
    let ran = simulate(&["--golden", &format!("DataOut={}", golden.display())]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("sim/wrong-data"), "{}", ran.err);
    assert!(ran.words().contains("element 1 is"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn a_kernel_source_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = "#include <adf.h>
void f(input_window<int32> *in, output_window<int32> *out);
struct g1 : adf::graph {
    adf::kernel k = adf::kernel::create(f);
    g1() { adf::source(k) = \"missing.cc\"; }
} g;
int main() { g.init(); }
";
    let file = folder.path().join("graph.cpp");
    fs::write(&file, graph).expect("writable");
    let ran = aiec(["sim", &file.display().to_string()]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("`missing.cc`"), "{}", ran.err);
}

#[test]
#[ignore = "long: compiles a graph"]
fn a_header_that_a_kernel_source_misses_is_named_with_the_folders_where_it_was_looked_for() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = "#include <adf.h>
void f(input_window<int32> *in, output_window<int32> *out);
struct g1 : adf::graph {
    adf::kernel k = adf::kernel::create(f);
    g1() { adf::source(k) = \"f.cc\"; adf::runtime<adf::ratio>(k) = 0.5; }
} g;
int main() { g.init(); }
";
    let file = folder.path().join("graph.cpp");
    fs::write(&file, graph).expect("writable");
    fs::write(folder.path().join("f.cc"), "#include <adf.h>\n#include \"taps.h\"\n").expect("writable");
    let ran = aiec(["sim", &file.display().to_string(), "-I", "no/such/folder"]);
    for words in ["`f.cc` includes `taps.h` in line 2", "(which does not exist)", "with -I FOLDER"] {
        assert!(ran.status == 1 && ran.words().contains(words), "{words}: {}", ran.err);
    }
}

#[test]
fn files_and_folders_that_are_not_there_are_named() {
    let ran = aiec(["sim", "no/such/graph.cpp"]);
    assert!(ran.status == 1 && ran.err.contains("cannot read `no/such/graph.cpp`"), "{}", ran.err);
    let ran = simulate(&["--input", "no/such/folder"]);
    assert!(
        ran.status == 1 && ran.err.contains("the input folder `no/such/folder` is not a folder"),
        "{}",
        ran.err
    );
}

#[test]
#[ignore = "long: simulates"]
fn what_the_command_line_names_must_be_there() {
    for golden in ["no_such.txt", "DataOut=no_such.txt"] {
        let ran = simulate(&["--golden", golden]);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("cannot read `no_such.txt`"), "{}", ran.err);
    }
    let folder = tempfile::tempdir().expect("a temporary directory");
    let empty = folder.path().display().to_string();
    let ran = simulate(&["--input", &empty]);
    let words = ran.words();
    assert!(ran.status == 1 && words.contains("an input file is missing"), "{words}");
    assert!(words.contains("--input DIR"), "{words}");
}

#[test]
#[ignore = "long: simulates"]
fn a_folder_of_goldens_has_the_names_of_the_outputs() {
    let golden = fs::read_to_string(path("tests/graphs/counting/data/golden.txt")).expect("readable");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let given = folder.path().display().to_string();
    let ran = simulate(&["--golden", &given]);
    let words = ran.words();
    assert!(ran.status == 1 && words.contains("has no file of an output"), "{words}");
    assert!(words.contains("data/out.txt"), "{words}");
    for file in ["out.txt", "data/out.txt"] {
        fs::create_dir_all(folder.path().join("data")).expect("writable");
        fs::write(folder.path().join(file), &golden).expect("writable");
        let ran = simulate(&["--golden", &given]);
        assert!(ran.status == 0 && ran.out.contains("48 values equal"), "{file}: {} {}", ran.out, ran.err);
        fs::remove_file(folder.path().join(file)).expect("it is there");
    }
}

/// A graph with a kernel whose output goes to two files. A comment has a letter in Latin-1.
const TWO_OUTPUTS: &[u8] = b"// caf\xe9\n#include <adf.h>\nusing namespace adf;\n\
    void work(input_window<int32> *x, output_window<int32> *y);\nstruct G : graph {\n    \
    kernel k;\n    input_plio in;\n    output_plio left, right;\n    G() {\n        \
    k = kernel::create(work);\n        source(k) = \"work.cc\";\n        runtime<ratio>(k) = 0.5;\n        \
    in = input_plio::create(plio_32_bits, \"in.txt\");\n        \
    left = output_plio::create(plio_32_bits, \"left.txt\");\n        \
    right = output_plio::create(plio_32_bits, \"right.txt\");\n        \
    connect<window<16>>(in.out[0], k.in[0]);\n        connect<window<16>>(k.out[0], left.in[0]);\n        \
    connect<window<16>>(k.out[0], right.in[0]);\n    }\n} g;\n\
    #ifdef __X86SIM__\nint main() { g.init(); g.run(1); g.end(); }\n#endif\n";

/// Copies four numbers.
const WORK: &str = "#include <adf.h>\nvoid work(input_window<int32> *x, output_window<int32> *y) {\n    \
    for (int i = 0; i < 4; ++i) window_writeincr(y, window_readincr(x));\n}\n";

#[test]
#[ignore = "long: simulates"]
fn outputs_without_a_file_in_the_folder_of_goldens_are_named() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("graph.cpp"), TWO_OUTPUTS).expect("writable");
    fs::write(at("work.cc"), WORK).expect("writable");
    fs::create_dir(at("golden")).expect("writable");
    for data in ["in.txt", "golden/left.txt"] {
        fs::write(at(data), "1\n2\n3\n4\n").expect("writable");
    }
    let [graph, golden, output] =
        ["graph.cpp", "golden", "output"].map(|name| at(name).display().to_string());
    let ran = aiec(["sim", &graph, "--golden", &golden, "--output", &output]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("left.txt: 4 values equal"), "{}", ran.out);
    assert!(ran.out.contains("not compared: right.txt; no file of the folder has the name"), "{}", ran.out);
    let checked = aiec(["check", &graph]);
    assert!(
        checked.status == 0 && checked.err.is_empty(),
        "bytes of comments matter to nobody: {}",
        checked.err
    );
}

/// Runs a graph with one kernel of this source on sixteen numbers. Returns the words of the
/// compiler and of aiec.
fn one_kernel(source: &str, create: &str, extra: &[&str]) -> aiec_tests::Ran {
    let graph = include_str!("graphs/kernels/graph.cpp").replace("CREATE", create);
    let (header, body) = source.split_once("// kernel.cc\n").expect("the parts of the source are marked");
    let body = format!("#include \"kernel.h\"\n{body}");
    project(&[("graph.cpp", graph.as_str()), ("kernel.h", header), ("kernel.cc", &body)], extra)
}

/// A project of these files and of sixteen numbers as input.
fn project(files: &[(&str, &str)], extra: &[&str]) -> aiec_tests::Ran {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let numbers: String = (1..=16).map(|n| format!("{n}\n")).collect();
    for (name, text) in files.iter().chain(&[("in.txt", numbers.as_str())]) {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    let output = folder.path().join("output").display().to_string();
    aiec([&["sim", &folder.path().display().to_string(), "--output", &output], extra].concat())
}

/// Sixteen, sixty-four and two hundred words on three frames, two of them one after the other.
const ARRAYS: &str = include_str!("graphs/kernels/arrays.cc");

// UG1079, stack: 1024 bytes unless stack_size says otherwise; the host's own frames do not count.
#[test]
#[ignore = "long: simulates"]
fn arrays_that_do_not_fit_the_stack_are_added_up_over_calls() {
    let words = "g.k (kernel.cc): arrays of 1120 bytes lie on a stack of 1024 bytes; the largest is `copy` with 800 bytes";
    let ran = one_kernel(ARRAYS, "adf::kernel::create(work)", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains(words), "{}", ran.err);
    // A stack size given on the command line, as for the vendor's compiler, is used as it is.
    for (extra, status) in [
        (vec!["--strict"], 1),
        (vec!["--stacksize", "1119"], 1),
        (vec!["--stacksize", "1119", "--lenient"], 0),
        (vec!["--stacksize", "1120", "--strict"], 0),
    ] {
        let ran = one_kernel(ARRAYS, "adf::kernel::create(work)", &extra);
        assert_eq!(ran.status, status, "{extra:?}: {}", ran.err);
        assert_eq!(ran.err.contains("sim/stack"), status == 1, "{}", ran.err);
    }
}

/// Storage that a core needs as well as the host: the declarations of `LOCAL`, and their bytes on a
/// core. A vector beside it sets the frame's alignment.
const LOCALS: [(&str, u32); 9] = [
    ("int32 x[70];", 280),
    ("alignas(32) int32 x[16];", 64),
    ("v8int32 x[3];", 96),
    ("std::array<int32, 40> x;", 160),
    ("struct { int32 *at; int16 taps[20]; } x;", 40),
    ("struct { struct { int8 a[10]; } y; union { int32 b[5]; int8 c[7]; } z; } x, x2; KEEP(x2);", 60),
    ("int32 *x[10];", 40), // pointers have four bytes
    ("std::array<aie::accum<acc48, 8>, 3> x;", 144),
    // Allocated in the caller's frame, which counts it.
    ("auto x = made();", 100),
];

/// Objects that a core keeps in registers or does not have.
const REGISTERS: &str = "aie::vector<int32, 16> x; aie::accum<acc48, 8> x2; KEEP(x2); aie::mask<32> x3; KEEP(x3);
    auto x4 = aie::begin(data); KEEP(x4); struct { aie::vector<int16, 16> a, b; } x5; KEEP(x5);
    std::string x6; KEEP(x6); v8int32 x7; KEEP(x7); static int32 x8[99]; KEEP(x8); const int32 (&x9)[99] = x8; KEEP(x9);";

/// Runs a graph with a kernel for each declaration. Its stack is `below` bytes smaller than that
/// needs.
fn with_locals(locals: &[(&str, u32)], below: u32) -> aiec_tests::Ran {
    let source = include_str!("graphs/kernels/local.cc");
    let (_, shared) = source.split_once("// kernel.cc\n").expect("the parts of the source are marked");
    let (shared, kernel) = shared.split_once("void work(").expect("it has a kernel");
    let (mut header, mut body) =
        ("#include <adf.h>\n".to_owned(), format!("#include \"kernel.h\"\n{shared}"));
    let mut created = String::new();
    for (at, (local, bytes)) in locals.iter().enumerate() {
        header += &format!("void work{at}(input_window<int32> *in, output_window<int32> *out);\n");
        body += &format!("void work{at}({}", kernel.replace("LOCAL;", local));
        created += &format!("        add({at}, adf::kernel::create(work{at}), {});\n", bytes - below);
    }
    let graph = include_str!("graphs/kernels/locals.cpp").replace("CREATED;\n", &created);
    project(&[("graph.cpp", &graph), ("kernel.h", &header), ("kernel.cc", &body)], &[])
}

// Compilers describe frames that they align differently, and objects hold arrays, too.
#[test]
#[ignore = "long: simulates"]
fn arrays_count_wherever_they_lie_and_as_the_core_has_them() {
    let short = with_locals(&LOCALS, 1);
    assert_eq!(short.status, 1);
    for (at, (local, bytes)) in LOCALS.into_iter().enumerate() {
        let words = format!("g.k[{at}] (kernel.cc): arrays of {bytes} bytes lie on a stack of");
        assert!(short.words().contains(&words), "{local}: {}", short.err);
    }
    let enough = with_locals(&[&LOCALS[..], &[(REGISTERS, 4)]].concat(), 0);
    assert!(!enough.err.contains("sim/stack") && !enough.err.contains("arrays of"), "{}", enough.err);
}

/// A stack that is too small, and a pointer to vectors that is four bytes off.
const TWO_FAULTS: &str = include_str!("graphs/kernels/two_faults.cc");

// UG1079, alignment: hardware ignores the low bits of the address of a vector.
#[test]
#[ignore = "long: simulates"]
fn a_stack_that_is_too_small_hides_no_other_fault() {
    let create = "adf::kernel::create(work)";
    let aligned = TWO_FAULTS.replace("int32 copy", "alignas(32) int32 copy").replace("+ 1)", ")");
    for (source, stack, faults) in
        [(TWO_FAULTS, "60", vec!["sim/stack", "sim/window-misuse"]), (&aligned, "68", vec![])]
    {
        let ran = one_kernel(source, create, &["--stacksize", stack]);
        let words = ran.words();
        // How deep they go the compiler cannot know.
        let cycle = "call each other in a cycle, so that its stack";
        assert!(words.contains(cycle) && words.contains("`even` (") && words.contains("`odd` ("), "{words}");
        assert_eq!(ran.status == 0, faults.is_empty(), "{words}");
        assert!(faults.iter().all(|fault| words.contains(fault)), "{words}");
        let said = words.contains("not aligned to 16 bytes (it is") && words.contains("kernel.cc:10");
        assert_eq!(said, !faults.is_empty(), "{words}");
    }
}

/// Common names in headers, as macros before them; a kernel in a namespace, with a helper from
/// another source.
const MACROS: &str = include_str!("graphs/kernels/macros.cc");

#[test]
#[ignore = "long: simulates"]
fn macros_of_the_user_do_not_meet_names_of_the_headers() {
    let defines = ["-D", "M=3", "-D", "SRC=\"a file\"", "-D", "K=1", "-D", "COUNT", "--strict"];
    let ran = one_kernel(MACROS, "adf::kernel::create(dsp::work)", &defines);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains(", 1 kernel run\n"), "{}", ran.out);
}

/// Copies but for the last word.
const SHORT: &str = include_str!("graphs/kernels/short.cc");

// It shows when the kernel has returned: the line is that of its function.
#[test]
#[ignore = "long: simulates"]
fn what_shows_when_a_kernel_has_returned_has_the_line_of_its_function() {
    let ran = one_kernel(SHORT, "adf::kernel::create_object<copier>()", &[]);
    assert_eq!(ran.status, 1);
    let words = ran.words();
    assert!(words.contains("write short of the window: 4 bytes of 64 were not written"), "{words}");
    assert!(words.contains("in the function at ") && words.contains("kernel.cc:2"), "{words}");
}

#[test]
#[ignore = "long: simulates"]
fn a_kernel_that_never_ends_is_named_when_the_time_is_over() {
    let source = include_str!("graphs/kernels/endless.cc");
    let ran = one_kernel(source, "adf::kernel::create(work)", &["--timeout", "3"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("stopped after 3 seconds"), "{}", ran.err);
    assert!(ran.err.contains("g.k (kernel.cc): still running"), "{}", ran.err);
    assert!(ran.err.contains("kernel.cc:4"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn arrays_of_a_kernel_class_are_those_of_its_functions() {
    let source = include_str!("graphs/kernels/class.cc");
    let ran = one_kernel(source, "adf::kernel::create_object<deep::filter>()", &["--strict"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("arrays of 1200 bytes"), "{}", ran.err);
}

// gcc makes such members local to the source, and leaves them out if nothing there calls them.
#[test]
#[ignore = "long: simulates"]
fn a_constructor_of_a_class_template_may_have_a_type_that_names_a_constant() {
    let source = include_str!("graphs/kernels/constant.cc");
    let create = "adf::kernel::create_object<tables<2>>(std::vector<int>(8, 5))";
    for instance in ["", "template class tables<2>;\n"] {
        let ran = one_kernel(&format!("{source}{instance}"), create, &["--strict"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{instance}");
    }
}

/// Loops of all kinds, one a line. The promises of the first six do not hold.
const LOOPS: &str = include_str!("graphs/kernels/loops.cc");

// UG1079, chess_loop_range: the compiler relies on it, so every execution of a loop must keep it. A
// loop that is left early has kept its promise about the condition.
#[test]
#[ignore = "long: simulates"]
fn a_loop_range_holds_for_every_execution_of_a_loop() {
    let ran = one_kernel(LOOPS, "adf::kernel::create(work)", &[]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let words = [
        (15, "more than 8 times, chess_loop_range(4,8)"),
        (16, "0 times, chess_loop_range(1,)"),
        (17, "2 times, chess_loop_range(4,)"),
        (19, "3 times, chess_loop_range(4,4)"),
        (20, "more than 2 times, chess_loop_range(,2)"),
        (21, "3 times, chess_loop_range(4,4)"),
    ];
    let err = ran.words();
    for (line, words) in words {
        let line = format!("kernel.cc:{line} ran {words}");
        assert!(err.contains(&line), "{line} in {err}");
    }
    assert_eq!(err.matches("chess_loop_range(").count(), words.len(), "{err}");
}

// Names as the user wrote them. No kernels wait in a cycle, so none is drawn.
#[test]
#[ignore = "long: simulates"]
fn who_waits_for_a_kernel_that_has_finished_is_told_so() {
    let files = [
        ("graph.cpp", include_str!("graphs/nested/graph.cpp")),
        ("kernels.h", include_str!("graphs/nested/kernels.h")),
        ("kernels.cc", include_str!("graphs/nested/kernels.cc")),
    ];
    let ran = project(&files, &[]);
    assert_eq!(ran.status, 1);
    let err = ran.words().replace("] [", "][");
    let wanted = "design.parts[1][0].second[1] (kernels.cc) waits for data at in[0] from design.parts[1][0].first[0] (kernels.cc), \
                  port out[0]; its FIFO holds 0 of 8 words design.parts[1][0].first[0] (kernels.cc) has finished its 1 run and \
                  writes no more";
    assert!(err.contains(wanted), "{err}");
    assert!(!err.contains("the cycle"), "{err}");
}

/// A graph whose second kernel is of programmable logic, as in designs before 2023.1.
const LOGIC: &str = include_str!("graphs/logic/graph.cpp");

#[test]
#[ignore = "long: simulates"]
fn kernels_of_programmable_logic_run_without_a_ratio() {
    let first = "#include <adf.h>\nvoid first(input_window<int32> *in, output_stream<int32> *out) {\n\
                 for (int i = 0; i < 16; i++) writeincr(out, window_readincr(in));\n}\n";
    let clip = "#include <adf.h>\nvoid clip(input_stream<int32> *in, output_stream<int32> *out) {\n\
                for (int i = 0; i < 16; i++) {\n int32 v = readincr(in);\n writeincr(out, v > 8 ? 8 : v);\n }\n}\n";
    let ran = project(&[("graph.cpp", LOGIC), ("work.cc", first), ("clip.cc", clip)], &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

// AMD's labs compare the outputs in `main`, which finds them where x86simulator writes them, and
// names of the standard library behind `using namespace adf`.
#[test]
#[ignore = "long: simulates"]
fn a_host_program_reads_outputs_when_wait_and_end_return() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let graph = format!(
        r#"#include <adf.h>
#include <cstdio>
using namespace adf;
void ramp(output_stream<int32> *out) {{ for (int i = 0; i < 4; ++i) writeincr(out, i); }}
struct one : adf::graph {{
    adf::kernel k = adf::kernel::create(ramp);
    adf::output_plio out = adf::output_plio::create("Out", adf::plio_32_bits, "data/o.txt");
    one() {{
        adf::source(k) = "ramp.cc";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::stream>(k.out[0], out.in[0]);
    }}
}} g;
int lines() {{
    std::FILE *file = std::fopen("{}/data/o.txt", "r");
    if (!file) return -1;
    int n = 0;
    for (int c; (c = std::fgetc(file)) != EOF;) n += c == '\n';
    std::fclose(file);
    return n;
}}
int main() {{
    g.init();
    g.run(1);
    g.wait();
    const int first = lines();
    g.run(1);
    g.end();
    const int second = lines();
    std::cout << first << " and " << second << " lines" << endl;
    return second == 8 ? 0 : 1;
}}
"#,
        at("out")
    );
    fs::write(folder.path().join("graph.cpp"), graph).expect("writable");
    fs::write(folder.path().join("ramp.cc"), "// the kernel is in graph.cpp\n").expect("writable");
    // The second time nothing of the first may be seen, nor stop the run.
    for _ in 0..2 {
        let ran = aiec(["sim", &at("graph.cpp"), "--output", &at("out")]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        assert!(ran.out.contains("4 and 8 lines"), "{}", ran.out);
    }
    let kept = fs::read_to_string(folder.path().join("out/.aiec-outputs.json")).expect("there");
    assert!(!kept.contains("begun"), "{kept}");
}
