//! `aiec sim`: examples run to their end with the right data, and every failure names the kernel
//! and the port.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

#[path = "simulation/data.rs"]
mod data;
#[path = "simulation/instances.rs"]
mod instances;
#[path = "simulation/packets.rs"]
mod packets;
#[path = "simulation/parameters.rs"]
mod parameters;
#[path = "simulation/sources.rs"]
mod sources;
#[path = "simulation/windows.rs"]
mod windows;

use std::fs;
use std::path::Path;

use aiec_tests::{Ran, aiec, aiec_on, path};

/// Simulates a design with its kernel sources, in a fresh directory.
fn simulate(design: &str, files: &[(&str, &str)], extra: &[&str]) -> Ran {
    aiec_on("sim", design, files, extra)
}

/// The simulation fails with this slug, and the message holds all of `words`.
fn fails(ran: &Ran, slug: &str, words: &[&str]) {
    assert_eq!(ran.status, 1, "{}", ran.out);
    assert!(ran.err.contains(slug), "expected {slug} in\n{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "expected `{word}` in\n{}", ran.err);
    }
}

const PINGPONG: &str = include_str!("simulated/pingpong/d.dsl");
const A: &str = include_str!("simulated/pingpong/a.cc");
const B: &str = include_str!("simulated/pingpong/b.cc");

const REDUCE: &str = include_str!("simulated/reduce/d.dsl");
const WORKER: &str = include_str!("simulated/reduce/worker.cc");

#[test]
#[ignore = "long: simulates"]
fn reduce_equals_its_reference() {
    let ran = aiec(["sim", &path("examples/reduce.dsl")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("63 kernel runs"), "{}", ran.out);
    assert!(ran.out.contains("1024 values at output `sum` equal the reference over 63 ranks"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn allports_equals_its_references() {
    let ran = aiec(["sim", &path("examples/allports.dsl")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("total: 64 values") && ran.out.contains("peak: 128 values"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn pipeline_equals_its_golden_file_and_nothing_else() {
    let design = path("examples/pipeline.dsl");
    let ran = aiec(["sim", &design]);
    assert!(ran.status == 0 && ran.out.contains("1024 values equal"), "{} {}", ran.out, ran.err);
    let wrong = format!("clipped={}", path("examples/data/pipeline_in.txt"));
    fails(
        &aiec(["sim", &design, "--golden", &wrong]),
        "sim/wrong-data",
        &["`clipped`", "`clip.y`", "element "],
    );
    fails(&aiec(["sim", &design, "--golden", "nothing=x"]), "input/unknown-output", &["clipped"]);
}

#[test]
#[ignore = "long: simulates"]
fn classes_and_variants_equal_their_golden_files_in_windows_and_buffers() {
    let golden = |lane| format!("y[{lane}]={}", path(&format!("examples/data/classes_golden_{lane}.txt")));
    let golden: Vec<String> = (0..4).map(golden).collect();
    for release in ["2022.1", "2023.2"] {
        let mut arguments =
            vec!["sim".to_owned(), path("examples/classes.dsl"), "--vitis".to_owned(), release.to_owned()];
        golden.iter().for_each(|file| arguments.extend(["--golden".to_owned(), file.clone()]));
        let ran = aiec(&arguments);
        assert_eq!(ran.status, 0, "{release}: {}", ran.err);
        assert_eq!(ran.out.matches("192 values equal").count(), 4, "{release}: {}", ran.out);
    }
}

#[test]
#[ignore = "long: simulates"]
fn multirate_equals_its_golden_file_with_windows_and_buffers() {
    let golden = format!("peaks={}", path("examples/data/multirate_golden.txt"));
    for release in ["2022.1", "2025.2"] {
        let ran = aiec(["sim", &path("examples/multirate.dsl"), "--vitis", release, "--golden", &golden]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert!(ran.out.contains("39 kernel runs") && ran.out.contains("96 values equal"), "{}", ran.out);
        assert!(
            ran.out
                .contains("timing model with profile vck190-thesis, windows, streams and collectives only:"),
            "{}",
            ran.out
        );
    }
}

/// A design of `tests/simulated/again`: `a` sends a stream to `b` and `c`, and `c` takes the window
/// of `b` before it starts.
fn again(fifo: &str) -> Ran {
    let design = include_str!("simulated/again/d.dsl").replace("FIFO", fifo);
    let source = include_str!("simulated/again/kernels.cc");
    let data: String = (0..64).map(|n| format!("{n}\n")).collect();
    simulate(&design, &[("kernels.cc", source), ("in.txt", &data)], &[])
}

#[test]
#[ignore = "long: simulates"]
fn the_least_fifo_of_the_check_is_the_least_with_which_a_run_ends() {
    let short = again("fifo 55");
    assert!(short.err.contains("check/may-hang"), "{}", short.err);
    assert!(short.err.contains("`fifo 56`"), "{}", short.err);
    fails(&short, "sim/deadlock", &["c.late"]);
    let enough = again("fifo 56");
    assert_eq!((enough.status, enough.err.as_str()), (0, ""), "{}", enough.out);
}

#[test]
#[ignore = "long: simulates"]
fn pingpong_ends_with_the_ball_where_it_started() {
    let ran = aiec(["sim", &path("examples/pingpong.dsl")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", B), ("golden.txt", "")], &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
}

#[test]
fn a_missing_release_names_kernel_and_port() {
    let forgetful = B.replace("    window_release(ball);\n", "");
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", &forgetful)], &[]);
    fails(&ran, "sim/missing-release", &["kernel `b`", "`b.ball`", "d.dsl:5:"]);
    // The line of the source, as the user has it.
    fails(&ran, "sim/missing-release", &["in iteration 0", "`b.cc:2`", "b.cc:2:1]"]);
}

#[test]
#[ignore = "long: simulates"]
fn data_and_goldens_lie_in_any_folder_and_outputs_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let put = |from: &str, to: &str| {
        fs::create_dir_all(Path::new(&at(to)).parent().expect("a folder")).expect("writable");
        fs::copy(path(from), at(to)).expect("writable");
    };
    put("examples/data/pipeline_in.txt", "given/pipeline_in.txt");
    put("examples/data/pipeline_golden.txt", "right/pipeline_out.txt");
    let design = path("examples/pipeline.dsl");
    let (given, right, out) = (at("given"), at("right"), at("out"));
    let command = ["sim", &design, "--unplaced", "--golden", &right, "--output", &out];
    let ran = aiec([&command[..], &["--input", &given]].concat());
    let missing = ran.err.contains("sim/input") && ran.err.contains("given");
    assert!(ran.status == 1 && missing, "the file is `data/...`, which is not in this folder: {}", ran.err);
    fs::rename(at("given"), at("data")).expect("writable");
    let ran = aiec([&command[..], &["--input", &at("data")]].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.contains("1024 values equal") && ran.out.contains(&format!("outputs are in {out}")),
        "{}",
        ran.out
    );
    let kept = fs::read_to_string(at("out/data/pipeline_out.txt")).expect("kept");
    fs::write(at("out/data/pipeline_out.txt"), format!("{kept}1\n")).expect("writable");
    fails(&aiec(command), "emit/output-occupied", &["was edited since aiec wrote it"]);
}

#[test]
#[ignore = "long: simulates"]
fn a_finding_of_a_family_is_one_message_with_its_line() {
    let design = "design d
device toy
ports window
kernel k[3](in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }
input i[3] from plio(32, \"i.txt\")
output o[3] to plio(32, \"o_{}.txt\")
connect i -> k.x
connect k.y -> o
";
    let kernel = "#include <adf.h>
void k(input_window<int32> *x, output_window<int32> *y) {
    for (int i = 0; i < 9; ++i)
        window_writeincr(y, window_readincr(x));
}
";
    let ran = simulate(design, &[("k.cc", kernel), ("i.txt", "1 2 3 4 5 6 7 8\n")], &["--unplaced"]);
    fails(
        &ran,
        "sim/window-misuse",
        &["`k[0].x`", "the same at `k[1].x`, `k[2].x`", "k.cc:4:", "is not async"],
    );
    assert_eq!(ran.err.matches("sim/window-misuse").count(), 2, "one for each port: {}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn a_deadlock_names_everybody_who_waits() {
    let impatient = include_str!("simulated/pingpong/impatient.cc");
    let ran = simulate(PINGPONG, &[("a.cc", impatient), ("b.cc", B)], &[]);
    fails(&ran, "sim/deadlock", &["`a.back` waits for a full buffer", "`b.ball` waits for a full buffer"]);
    for words in ["the cycle:", "`a.back` is empty: waits for", "again"] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
}

#[test]
#[ignore = "long: simulates"]
fn a_crash_with_any_seed_names_the_instance_and_the_line_of_the_user() {
    // The second seed alone ends in a crash.
    let design = "design d device xcvc1902 kernel fir[3](in x: window int32[8], out y: window int32[8]) { source \"fir.cc\" }
input x[3] from plio(32, \"in_{}.txt\") output y[3] to plio(32, \"out_{}.txt\") connect x -> fir.x connect fir.y -> y";
    let source = "#include <adf.h>\n#include <cstdlib>\nvoid fir(input_window<int32> *x, output_window<int32> *y) {\n\
        for (int i = 0; i < 8; ++i) {\nint32 v = window_readincr(x);\nif (v == 7 && std::getenv(\"AIEC_SIM_SEED\")[0] == '1') std::abort();\nwindow_writeincr(y, v);\n}\n}\n";
    let (good, bad) = ("1 1 1 1 1 1 1 1\n", "1 1 1 1 7 1 1 1\n");
    let files = [("fir.cc", source), ("in_0.txt", good), ("in_1.txt", good), ("in_2.txt", bad)];
    let ran = simulate(design, &files, &["--unplaced", "--vitis", "2022.1", "--seeds", "2"]);
    fails(&ran, "sim/failed", &["with seed 2", "`fir[2]`: abort", "fir.cc:6:1]", "the run stopped here"]);
    assert!(ran.words().contains(", at fir.cc:6") && !ran.err.contains("/aiec/"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn an_access_outside_a_window_names_kernel_and_port() {
    let greedy = B.replace("i < 4", "i < 5");
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", &greedy)], &[]);
    fails(&ran, "sim/window-misuse", &["`b.ball`"]);
}

#[test]
fn a_source_that_does_not_compile_is_quoted() {
    let broken = B.replace("window_acquire(ball)", "window_acquire(bell)");
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", &broken)], &[]);
    fails(&ran, "check/kernel-compile", &["bell", "b.cc:3:"]);
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", &B.replace("void b", "void c"))], &[]);
    fails(&ran, "check/kernel-function", &["has no function of this name"]);
}

#[test]
#[ignore = "long: compiles four wrappers"]
fn a_wrong_line_of_a_kernel_with_roles_is_one_message() {
    let design = "design roles device toy
kernel w[6] { source \"w.cc\" }
reduce total over w { op sum data int32[16] root w[0] shape tree arity 2 }
output sum to gmio
connect total.result -> sum
";
    let source = "#include <adf.h>\n#include <aiec/design.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n\
        alignas(32) int32 data[16] = {};\ncomm.total.reduce(data, 1);\n}\n";
    let ran = aiec_on("check", design, &[("w.cc", source)], &[]);
    let help = "the functions of this name are `void reduce(Data &&data)` and `void reduce(";
    fails(&ran, "check/kernel-compile", &["w.cc:6:", help]);
    assert_eq!(ran.err.matches("check/kernel-compile").count(), 1, "one for the line: {}", ran.err);
}

/// A stream of eight elements in one run, and a kernel that makes `body` of them.
const STREAM: &str = "design s device toy ports window
kernel st(in a: stream int32[8], out b: window int32[8]) { source \"st.cc\" }
input i from plio(32, \"a.txt\")
output o to plio(32, \"o.txt\")
connect i -> st.a
connect st.b -> o
";

#[test]
#[ignore = "long: simulates"]
fn a_stream_moves_the_elements_that_the_design_states() {
    let run = |last: &str| {
        let source = format!(
            "#include <adf.h>\nvoid st(input_stream<int32> *a, output_window<int32> *b) {{\n\
             for (int i = 0; i < 7; ++i) window_writeincr(b, readincr(a));\nwindow_writeincr(b, {last});\n}}\n"
        );
        let data = "1 2 3 4 5 6 7 8\n";
        simulate(STREAM, &[("st.cc", &source), ("a.txt", data)], &["--unplaced"])
    };
    assert_eq!(run("readincr(a)").status, 0);
    fails(&run("0"), "sim/stream-amount", &["takes 7 elements of `st.a` in every run, the design says 8"]);
    let more = run("readincr(a) + readincr(a)");
    fails(&more, "sim/stream-amount", &["takes 8 elements of `st.a` in one run and waits for more"]);
    assert!(!more.err.contains("sim/input"), "{}", more.err);
}

#[test]
#[ignore = "long: simulates"]
fn a_function_without_definition_is_named_with_the_line_of_its_call() {
    let source = "#include <adf.h>\nint twice(int x);\nvoid st(input_stream<int32> *a, output_window<int32> *b) {\n\
        for (int i = 0; i < 8; ++i) window_writeincr(b, twice(readincr(a)));\n}\n";
    let ran = simulate(STREAM, &[("st.cc", source), ("a.txt", "1 2 3 4 5 6 7 8\n")], &["--unplaced"]);
    fails(
        &ran,
        "sim/compile",
        &["`twice(int)`, called at `st.cc:4`, is defined nowhere", "include the file"],
    );
}

#[test]
#[ignore = "long: simulates"]
fn a_synchronous_window_that_the_kernel_acquires_is_one_fault() {
    let design = STREAM.replace("stream", "window");
    let source = "#include <adf.h>\nvoid st(input_window<int32> *a, output_window<int32> *b) {\n\
        window_acquire(a);\nfor (int i = 0; i < 8; ++i) window_writeincr(b, window_readincr(a));\n\
        window_release(a);\n}\n";
    let ran = simulate(&design, &[("st.cc", source), ("a.txt", "1 2 3 4 5 6 7 8\n")], &["--unplaced"]);
    fails(&ran, "sim/window-misuse", &["remove these calls", "connect `async st.a`"]);
    assert_eq!(ran.err.matches("sim/window-misuse").count(), 1, "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn a_folder_of_goldens_has_the_names_of_the_design() {
    let design = STREAM.replace("\"o.txt\")", "\"o.txt\") golden \"data/expected.txt\"");
    let source = "#include <adf.h>\nvoid st(input_stream<int32> *a, output_window<int32> *b) {\n\
        for (int i = 0; i < 8; ++i) window_writeincr(b, readincr(a));\n}\n";
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = folder.path().display().to_string();
    let data = "1 2 3 4 5 6 7 8\n";
    let files = [("st.cc", source), ("a.txt", data)];
    fs::write(folder.path().join("expected.txt"), data).expect("writable");
    let ran = simulate(&design, &files, &["--unplaced", "--golden", &golden]);
    assert!(ran.status == 0 && ran.out.contains("o: 8 values equal"), "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("no output takes"), "{}", ran.out);
    fs::create_dir(folder.path().join("old")).expect("writable");
    fs::write(folder.path().join("old/expectd.txt"), data).expect("writable");
    let ran = simulate(&design, &files, &["--unplaced", "--golden", &golden]);
    assert!(ran.out.contains("no output takes the golden data of `old/expectd.txt`"), "{}", ran.out);
}

/// A class template with a constructor and an initialization function, and a plain function.
const CLASS: &str = "design d device toy ports window
kernel fir(in a: window int32[16], out b: window int32[16]) {
    header \"fir.h\" source \"fir.cc\" template (int32, 4) arguments (1, 2) init \"start\"
}
kernel st(in a: window int32[16], out b: window int32[16]) { source \"st.cc\" }
input i from plio(32, \"a.txt\")
output o to plio(32, \"o.txt\")
connect i -> fir.a
connect fir.b -> st.a
connect st.b -> o
";
const FIR_H: &str = include_str!("simulated/class/fir.h");
const FIR: &str = include_str!("simulated/class/fir.cc");
const ST: &str = include_str!("simulated/class/st.cc");

#[test]
fn a_function_of_the_graph_is_visible_returns_nothing_and_is_alone_with_its_name() {
    let starts = FIR.replace("start", "begin");
    let hidden = ST.replace("void st", "static void st");
    let ran = aiec_on("check", CLASS, &[("fir.h", FIR_H), ("fir.cc", &starts), ("st.cc", &hidden)], &[]);
    fails(&ran, "check/kernel-function", &["`start` of kernel `fir` is not in `fir.cc`", "d.dsl:3:"]);
    fails(&ran, "check/kernel-function", &["defines it static", "st.cc:3:"]);
    let value = ST.replace("void st", "int st").replace("static int twice", "int twice");
    let helper = format!("{FIR}\nint twice(int x) {{ return x + x; }}\n");
    let ran = aiec_on("check", CLASS, &[("fir.h", FIR_H), ("fir.cc", &helper), ("st.cc", &value)], &[]);
    fails(&ran, "check/kernel-function", &["with a value to return", "`void st(input_window<int32> *a,"]);
    fails(&ran, "check/helper-not-static", &["`twice` is defined in `fir.cc` and in `st.cc`", "rename one"]);
}

#[test]
#[ignore = "long: compiles a header three times"]
fn what_the_graph_constructs_fits_the_headers() {
    let check =
        |header: &str| aiec_on("check", CLASS, &[("fir.h", header), ("fir.cc", FIR), ("st.cc", ST)], &[]);
    let ran = check(FIR_H);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(!ran.out.contains("not checked"), "the ports of a class are compared too: {}", ran.out);
    let ran = check(&FIR_H.replace("int second = 0", "int *second = nullptr"));
    let created = "`adf::kernel::create_object<::fir<int32, 4>>(1, 2)`";
    fails(&ran, "check/kernel-function", &[created, "fir.h:5:", "d.dsl:3:", "a constructor with these"]);
    let ran = check(&FIR_H.replace("typename T, int N", "typename T"));
    fails(&ran, "check/kernel-", &["fir"]);
}

/// Three instances of a component with a collective, whose workers have the source `w.cc`.
const INSTANCES: &str = "design d device xcvc1902
component total(N = 2)(in x[N]: window int32[8], out y: window int32[8]) {
    kernel w[N](in x: window int32[8]) { source \"w.cc\" }
    reduce all over w { op sum data int32[8] }
    connect x -> w.x
    connect all.result -> y
}
instance part[3] of total
input a[6] from plio(32, \"a_{}.txt\")
output b[3] to plio(32, \"b_{}.txt\")
connect a -> part.x
connect part.y -> b
";

#[test]
#[ignore = "long: compiles three instances twice"]
fn one_fault_in_the_source_of_many_instances_is_one_message_that_names_the_first() {
    let worker = "#include <adf.h>\ntemplate <typename Comm>\n#if AIEC_BUFFER_PORTS\n\
        void w(Comm &comm, adf::input_buffer<int32> &x) {}\n#else\n\
        void w(Comm &comm, input_window<int32> *x) {}\n#endif\n";
    let ran = aiec_on("check", INSTANCES, &[("w.cc", worker)], &[]);
    fails(&ran, "check/kernel-function", &["`part[0].w`", "w.cc:3:", "#include <aiec/design.h>"]);
    assert_eq!(ran.err.matches("check/kernel-function").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("`part[0]` is an instance of `total`"), "{}", ran.err);
    let ran = aiec_on("check", INSTANCES, &[("w.cc", &format!("#include <aiec/design.h>\n{worker}"))], &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn collectives_of_nested_instances_equal_their_definitions() {
    let source = include_str!("simulated/nested/w.cc");
    let ran = simulate(include_str!("simulated/nested/d.dsl"), &[("w.cc", source)], &["--unplaced"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.matches(" equal the definition of ").count(), 18, "{}", ran.out);
    for line in ["top[1].every: 16 values at 5 ranks", "top[0].sub[1].right: 32 values at 3 ranks"] {
        assert!(ran.out.contains(line), "{}", ran.out);
    }
}

#[test]
fn a_missing_compiler_is_named() {
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", B)], &["--cxx", "no-such-compiler"]);
    fails(&ran, "sim/compiler", &["no-such-compiler"]);
}

#[test]
#[ignore = "long: simulates"]
fn a_kernel_without_end_is_stopped() {
    let endless = include_str!("simulated/pingpong/endless.cc");
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", endless)], &["--timeout", "1"]);
    fails(&ran, "sim/failed", &["1 second"]);
}

#[test]
#[ignore = "long: simulates"]
fn several_calls_of_a_collective_are_each_compared() {
    let ran = simulate(REDUCE, &[("worker.cc", WORKER)], &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("32 values at output `sum`"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn a_contribution_that_is_not_as_declared_names_the_kernel() {
    let wrong = WORKER.replace("+ i +", "+ i + (comm.total.rank() == 2 && i == 5) +");
    let ran = simulate(REDUCE, &[("worker.cc", &wrong)], &[]);
    fails(&ran, "sim/contribution", &["`worker[2]`", "element 5 is", "26, expected 25"]);
}

#[test]
#[ignore = "long: simulates"]
fn a_rank_that_calls_too_seldom_is_named_and_not_those_that_wait() {
    let lazy = WORKER.replace("call < 2", "call < 2 - int(comm.total.rank() == 1)");
    let ran = simulate(REDUCE, &[("worker.cc", &lazy)], &[]);
    fails(&ran, "sim/contribution", &["kernel `worker[1]` skips `total`", "1 of 2 calls"]);
    assert!(!ran.err.contains("sim/deadlock"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn ranks_that_all_call_too_seldom_are_told_so() {
    let lazy = WORKER.replace("call < 2", "call < 1");
    let ran = simulate(REDUCE, &[("worker.cc", &lazy)], &[]);
    fails(&ran, "sim/contribution", &["kernel `worker[0]` called `total` 1 times, not 2"]);
    fails(&ran, "sim/deadlock", &["`sum` still waits for 64 bytes"]);
}

#[test]
#[ignore = "long: simulates"]
fn too_little_input_names_the_file() {
    let design = include_str!("simulated/copy/d.dsl");
    let kernel = include_str!("simulated/copy/k.cc");
    let ran = simulate(design, &[("k.cc", kernel), ("i.txt", "1 2 3\n")], &[]);
    fails(&ran, "sim/input", &["`i`", "i.txt", "3 values", "16 values"]);
    let ran = simulate(design, &[("k.cc", kernel)], &[]);
    fails(&ran, "sim/input", &["`i` has no data", "i.txt", "d.dsl:5:"]);
}

#[test]
#[ignore = "long: simulates"]
fn golden_data_is_part_of_a_project_that_asks_for_it() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let design = REDUCE.replace("calls 2", "calls 2 cycles int64[8]")
        + "output cycles to gmio\nconnect total.cycles -> cycles\n";
    fs::write(file("d.dsl"), &design).expect("writable");
    fs::write(file("worker.cc"), WORKER).expect("writable");
    let (source, project) = (file("d.dsl"), file("project"));
    let build = |extra: &[&str]| aiec([&["build", &source, "-o", &project][..], extra].concat());
    let golden = file("project/data/golden/sum.out.txt");
    let plain = build(&[]);
    assert_eq!(plain.status, 0, "{}", plain.err);
    assert!(!file_exists(&golden), "a plain build runs nothing");
    let ran = build(&["--golden"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    // Three ranks contribute 10 * rank + i, and 100 more in the second call.
    let sums = |call: i32| (0..16).map(move |i| format!("{}\n", 30 + 3 * i + 300 * call));
    let wanted: String = sums(0).chain(sums(1)).collect();
    assert_eq!(fs::read_to_string(&golden).expect("written"), wanted);
    assert!(
        !file_exists(&file("project/data/golden/cycles.out.txt")),
        "counts of cycles are other ones on a board"
    );
    assert_eq!(build(&["--golden", "--check"]).status, 0);
    fs::write(&golden, "1\n").expect("writable");
    assert_eq!(build(&["--golden", "--check"]).status, 1);
    fs::write(&golden, wanted).expect("writable");
    assert_eq!(build(&[]).status, 0);
    assert!(file_exists(&golden), "it is of these inputs");
    fails(&build(&["--golden", "--cxx", "no-such-compiler"]), "sim/compiler", &["no-such-compiler"]);
}

fn file_exists(path: &str) -> bool {
    std::path::Path::new(path).exists()
}

#[test]
#[ignore = "long: simulates"]
fn a_simulation_can_be_kept() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let keep = directory.path().join("kept").display().to_string();
    let ran = simulate(PINGPONG, &[("a.cc", A), ("b.cc", B)], &["--keep", &keep]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let seen = fs::read_to_string(directory.path().join("kept/project/x86simulator_output/seen.txt"));
    assert_eq!(seen.expect("written"), "1\n2\n3\n4\n");
    let again = simulate(PINGPONG, &[("a.cc", A), ("b.cc", B)], &["--keep", &keep]);
    fails(&again, "emit/output-occupied", &[]);
}

// The design, and the project that `aiec build` writes for it, use one compile step, cache and set
// of seeds.
#[test]
#[ignore = "long: simulates"]
fn a_design_and_its_emitted_project_end_the_same_with_every_seed() {
    let (design, golden) = (path("examples/pipeline.dsl"), path("examples/data/pipeline_golden.txt"));
    let seeds = ["--seeds", "3", "--jobs", "2"];
    let ran = aiec([&["sim", &design][..], &seeds].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("2 more seeds end the same"), "{}", ran.out);
    assert!(ran.out.contains("memory: at most "), "{}", ran.out);

    let directory = tempfile::tempdir().expect("a temporary directory");
    let project = directory.path().join("project").display().to_string();
    assert_eq!(aiec(["build", &design, "-o", &project]).status, 0);
    let output = directory.path().join("output").display().to_string();
    let emitted = [&["sim", &project, "--output", &output, "--golden", &golden][..], &seeds].concat();
    let ran = aiec(emitted);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    for part in ["values equal", "2 more seeds end the same"] {
        assert!(ran.out.contains(part), "{}", ran.out);
    }
}

const BUFFERS: &str = include_str!("simulated/buffers/d.dsl");
const BUFFER_SOURCES: [(&str, &str); 3] = [
    ("scale.cc", include_str!("simulated/buffers/scale.cc")),
    ("late.cc", include_str!("simulated/buffers/late.cc")),
    ("worker.cc", include_str!("simulated/buffers/worker.cc")),
];

/// Numbers from `first` on, one a line.
fn numbers(first: i32, step: i32, count: i32) -> String {
    (0..count).map(|i| format!("{}\n", first + step * i)).collect()
}

// Plain kernels, async ports, collectives with a result and cycle counts: all kinds of ports as
// buffers (UG1079).
#[test]
#[ignore = "long: simulates"]
fn a_design_with_buffer_ports_computes_the_same() {
    let data = [numbers(1, 1, 64), numbers(0, 1, 32), numbers(100, 2, 32), numbers(4, 3, 64)];
    let names = ["samples.txt", "lanes_0.txt", "lanes_1.txt", "golden.txt"];
    let mut files: Vec<(&str, &str)> = BUFFER_SOURCES.to_vec();
    files.extend(names.iter().zip(&data).map(|(&name, text)| (name, text.as_str())));
    let golden = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(golden.path(), &data[3]).expect("writable");
    let golden = format!("scaled={}", golden.path().display());
    let ran = simulate(BUFFERS, &files, &["--golden", &golden]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    for part in ["scaled: 64 values", "32 values at output `sum`", "back: 64 values", "timing model"] {
        assert!(ran.out.contains(part), "expected `{part}` in\n{}", ran.out);
    }
    // Its results do not depend on the placement.
    let ran = simulate(BUFFERS, &files, &["--golden", &golden, "--unplaced"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("scaled: 64 values") && !ran.out.contains("timing model"), "{}", ran.out);
}
