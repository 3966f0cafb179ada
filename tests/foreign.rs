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
    assert!(ran.err.contains("element 1 is"), "{}", ran.err);
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
fn files_and_folders_that_are_not_there_are_named() {
    let ran = aiec(["sim", "no/such/graph.cpp"]);
    assert!(ran.status == 1 && ran.err.contains("cannot read `no/such/graph.cpp`"), "{}", ran.err);
    let ran = simulate(&["--input", "no/such/folder"]);
    assert!(
        ran.status == 1 && ran.err.contains("`no/such/folder`, where the inputs are to be"),
        "{}",
        ran.err
    );
}

#[test]
#[ignore = "long: simulates"]
fn what_the_command_line_names_must_be_there() {
    let ran = simulate(&["-I", "no/such/headers"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("`no/such/headers`, where headers and kernel sources are to be"), "{}", ran.err);
    for golden in ["no_such.txt", "DataOut=no_such.txt"] {
        let ran = simulate(&["--golden", golden]);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("cannot read `no_such.txt`"), "{}", ran.err);
    }
    let folder = tempfile::tempdir().expect("a temporary directory");
    let empty = folder.path().display().to_string();
    let ran = simulate(&["--input", &empty]);
    let words = unwrapped(&ran.err);
    assert!(ran.status == 1 && words.contains("an input file is missing"), "{words}");
    assert!(words.contains("--input DIR"), "{words}");
}

/// Runs a graph with one kernel of this source on sixteen numbers. Returns the words of the
/// compiler and of aiec.
fn one_kernel(source: &str, create: &str, extra: &[&str]) -> aiec_tests::Ran {
    let graph = format!(
        "#include \"kernel.h\"
struct one : adf::graph {{
    adf::kernel k = {create};
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, \"in.txt\");
    adf::output_plio out = adf::output_plio::create(adf::plio_32_bits, \"out.txt\");
    one() {{
        adf::source(k) = \"kernel.cc\";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::window<64>>(in.out[0], k.in[0]);
        adf::connect<adf::window<64>>(k.out[0], out.in[0]);
    }}
}} g;
int main() {{
    g.init();
    g.run(1);
    g.end();
}}
"
    );
    let (header, body) = source.split_once("// kernel.cc\n").expect("the parts of the source are marked");
    let body = format!("#include \"kernel.h\"\n{body}");
    project(&[("graph.cpp", graph.as_str()), ("kernel.h", header), ("kernel.cc", &body)], extra)
}

/// A message without the line breaks that fit it to a terminal.
fn unwrapped(text: &str) -> String {
    text.replace("\n  │ ", " ").split_whitespace().collect::<Vec<_>>().join(" ")
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
const ARRAYS: &str = "#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
static int32 sum(const int32 *v, int n) {
    int32 copy[200], total = 0;
    for (int i = 0; i < n; ++i) copy[i] = 2 * v[i];
    for (int i = 0; i < n; ++i) total += copy[7 * i % n];
    return total;
}
void work(input_window<int32> *in, output_window<int32> *out) {
    int32 x[16], y[64];
    for (int i = 0; i < 16; ++i) x[i] = window_readincr(in);
    for (int i = 0; i < 64; ++i) y[i] = sum(x, 16) + i;
    for (int i = 0; i < 16; ++i) window_writeincr(out, x[i] + sum(y, 64));
}
";

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

fn with_local(local: &str, stack: u32) -> aiec_tests::Ran {
    let source = format!(
        "#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
#include <aie_api/aie.hpp>
#include <array>
#include <string>
#define KEEP(x) asm volatile(\"\" ::\"r\"(&x) : \"memory\")
static int32 data[16];
[[gnu::noinline]] static std::array<int8, 100> made() {{
    std::array<int8, 100> all;
    KEEP(all);
    return all;
}}
void work(input_window<int32> *in, output_window<int32> *out) {{
    aie::vector<int32, 8> v = aie::zeros<int32, 8>();
    KEEP(v);
    {local}
    KEEP(x);
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in));
}}
"
    );
    one_kernel(&source, "adf::kernel::create(work)", &["--stacksize", &stack.to_string()])
}

// Compilers describe frames that they align differently, and objects hold arrays, too.
#[test]
#[ignore = "long: simulates"]
fn arrays_count_wherever_they_lie_and_as_the_core_has_them() {
    for (local, bytes) in LOCALS {
        let short = with_local(local, bytes - 1);
        assert_eq!(short.status, 1, "{local}");
        assert!(
            unwrapped(&short.err).contains(&format!("arrays of {bytes} bytes")),
            "{local}: {}",
            short.err
        );
    }
    for (local, bytes) in [LOCALS[1], LOCALS[7], LOCALS[8], (REGISTERS, 0)] {
        let enough = with_local(local, bytes);
        assert!(
            !enough.err.contains("sim/stack") && !enough.err.contains("arrays of"),
            "{local}: {}",
            enough.err
        );
    }
}

/// A stack that is too small, and a pointer to vectors that is four bytes off.
const TWO_FAULTS: &str = "#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
#include <aie_api/aie.hpp>
int odd(int n);
[[gnu::noinline]] int even(int n) { return n == 0 || odd(n - 1); }
[[gnu::noinline]] int odd(int n) { return n != 0 && even(n - 1); }
void work(input_window<int32> *in, output_window<int32> *out) {
    int32 copy[17];
    copy[0] = even(16);
    for (int i = 0; i < 16; ++i) copy[i + 1] = window_readincr(in);
    for (int i = 0; i < 16; ++i) window_writeincr(out, ((const v4int32 *)(copy + i % 4 * 4 + 1))->get(unsigned(i) / 4));
}
";

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
        let words = unwrapped(&ran.err);
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
const MACROS: &str = "#define N 16
#define T int32
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#include <adf.h>
#include <aie_api/aie.hpp>
namespace dsp { void work(input_window<T> *restrict in, output_window<T> *restrict out); }
// kernel.cc
template <typename V> static V scaled(V v) { return aie::mul(v, T(M)).template to_vector<T>(0); }
namespace dsp {
void work(input_window<T> *restrict in, output_window<T> *restrict out) {
    for (int i = 0; i < N; i += 8) chess_loop_range(N / 8, ) window_writeincr(out, scaled(window_readincr_v<8>(in)));
}
} // namespace dsp
";

#[test]
#[ignore = "long: simulates"]
fn macros_of_the_user_do_not_meet_names_of_the_headers() {
    let defines = ["-D", "M=3", "-D", "SRC=\"a file\"", "-D", "K=1", "-D", "COUNT", "--strict"];
    let ran = one_kernel(MACROS, "adf::kernel::create(dsp::work)", &defines);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("1 kernel runs"), "{}", ran.out);
}

/// Copies but for the last word.
const SHORT: &str = "#include <adf.h>
class copier {
public:
    void run(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(copier::run); }
};
// kernel.cc
void copier::run(input_window<int32> *in, output_window<int32> *out) {
    for (int i = 0; i < 15; ++i) window_writeincr(out, window_readincr(in));
    window_incr(in, 1);
}
";

// It shows when the kernel has returned: the line is that of its function.
#[test]
#[ignore = "long: simulates"]
fn what_shows_when_a_kernel_has_returned_has_the_line_of_its_function() {
    let ran = one_kernel(SHORT, "adf::kernel::create_object<copier>()", &[]);
    assert_eq!(ran.status, 1);
    let words = unwrapped(&ran.err);
    assert!(words.contains("write short of the window: 4 bytes of 64 were not written"), "{words}");
    assert!(words.contains("in the function at ") && words.contains("kernel.cc:2"), "{words}");
}

#[test]
#[ignore = "long: simulates"]
fn a_kernel_that_never_ends_is_named_when_the_time_is_over() {
    let source = "#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
void work(input_window<int32> *in, output_window<int32> *out) {
    volatile int n = 0;
    while (n < 16) n = n & 1;
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in));
}
";
    let ran = one_kernel(source, "adf::kernel::create(work)", &["--timeout", "3"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("stopped after 3 seconds"), "{}", ran.err);
    assert!(ran.err.contains("g.k (kernel.cc): still running"), "{}", ran.err);
    assert!(ran.err.contains("kernel.cc:4"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn arrays_of_a_kernel_class_are_those_of_its_functions() {
    let source = "#include <adf.h>
namespace deep {
class filter {
    int32 kept[4096] = {};

public:
    void run(input_window<int32> *in, output_window<int32> *out);
    static void registerKernelClass() { REGISTER_FUNCTION(filter::run); }
};
} // namespace deep
// kernel.cc
void deep::filter::run(input_window<int32> *in, output_window<int32> *out) {
    static int32 table[2000];
    int32 x[300];
    for (int i = 0; i < 300; ++i) x[i] = table[i] + kept[i];
    for (int i = 0; i < 16; ++i) window_writeincr(out, window_readincr(in) + x[17 * i]);
}
";
    let ran = one_kernel(source, "adf::kernel::create_object<deep::filter>()", &["--strict"]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("arrays of 1200 bytes"), "{}", ran.err);
}

/// Loops of all kinds, one a line. The promises of the first six do not hold.
const LOOPS: &str = "#include <adf.h>
void work(input_window<int32> *in, output_window<int32> *out);
// kernel.cc
template <int Least>
static int32 find(int32 wanted) {
    for (int i = 0; i < 16; ++i) chess_loop_range(Least, 16) { if (i == wanted) return i; }
    return -1;
}
constexpr int sum(int n) {
    int total = 0;
    for (int i = 0; i < n; ++i) chess_loop_range(1, ) total += i;
    return total;
}
void work(input_window<int32> *in, output_window<int32> *out) {
    static_assert(sum(0) == 0);
    int n = 0, zero = *in->ptr - 1;
    for (int i = 0; i < 16; ++i) chess_prepare_for_pipelining chess_loop_range(4, 8) ++n; // 15
    for (int i = 0; i < zero; ++i) chess_loop_range(1, ) { ++n; } // 16
    for (int k = 0; k < 2; ++k) for (int i = 0; i < 2; ++i) chess_loop_range(4, ) ++n; // 17
    int w = 3;
    while (w-- > 0) chess_loop_range(4, 4) { if (w == 1) continue; ++n; } // 19
    do chess_loop_range(, 2) { ++w; } while (w < 3); // 20
    for (int x : {1, 2, 3}) chess_loop_range(4, 4) n += x; // 21
    // The promises of these hold.
    for (int i = 0; i < 16; ++i) chess_loop_range(16, 16) { if (i % 2) continue; else ++n; }
    for (int i = 0; i < 16; ++i) chess_loop_range(16, 16) { if (i == 2) break; }
    for (int k = 0; k < 3; ++k) for (int i = 0; i < 4; ++i) chess_loop_range(4, 4) ++n;
    while (w < 9) chess_loop_range(4, 8) { if (++w == 5) goto done; }
done:
    do chess_loop_range(1, 1) { } while (w < 0);
    if (n > 0) for (int i = 0; i < 2; ++i) chess_loop_range(2, 2) ++n; else n = find<2>(9);
    for (int i = 0; i < 16; ++i) chess_loop_range(1) window_writeincr(out, find<8>(2) + 0 * window_readincr(in));
}
";

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
    let err = unwrapped(&ran.err);
    for (line, words) in words {
        let line = format!("kernel.cc:{line} ran {words}");
        assert!(err.contains(&line), "{line} in {err}");
    }
    assert_eq!(err.matches("chess_loop_range(").count(), words.len(), "{err}");
}

/// Two kernels of a graph in a vector of vectors of graphs; the second reads more than the first
/// writes.
const NAMED: &str = "#include \"kernels.h\"
struct part : adf::graph {
    adf::port<adf::input> in;
    adf::port<adf::output> out;
    std::array<adf::kernel, 1> first;
    adf::kernel second[2];
    part() {
        first[0] = adf::kernel::create(four);
        second[1] = adf::kernel::create(eight);
        adf::source(first[0]) = \"kernels.cc\";
        adf::source(second[1]) = \"kernels.cc\";
        for (adf::kernel k : {first[0], second[1]}) adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::stream>(in, first[0].in[0]);
        adf::connect<adf::stream>(first[0].out[0], second[1].in[0]);
        adf::connect<adf::stream>(second[1].out[0], out);
    }
};
struct whole : adf::graph {
    std::vector<std::vector<part>> parts{2};
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, \"in.txt\");
    adf::output_plio out = adf::output_plio::create(adf::plio_32_bits, \"out.txt\");
    whole() {
        parts[1] = std::vector<part>(2);
        adf::connect<>(in.out[0], parts[1][0].in);
        adf::connect<>(parts[1][0].out, parts[1][1].in);
        adf::connect<>(parts[1][1].out, out.in[0]);
    }
} design;
int main() {
    design.init();
    design.run(1);
    design.end();
}
";

// Names as the user wrote them. No kernels wait in a cycle, so none is drawn.
#[test]
#[ignore = "long: simulates"]
fn who_waits_for_a_kernel_that_has_finished_is_told_so() {
    let header = "#include <adf.h>
void four(input_stream<int32> *in, output_stream<int32> *out);
void eight(input_stream<int32> *in, output_stream<int32> *out);
";
    let body = "#include \"kernels.h\"
void four(input_stream<int32> *in, output_stream<int32> *out) {
    for (int i = 0; i < 4; ++i) writeincr(out, readincr(in));
}
void eight(input_stream<int32> *in, output_stream<int32> *out) {
    for (int i = 0; i < 8; ++i) writeincr(out, readincr(in));
}
";
    let ran = project(&[("graph.cpp", NAMED), ("kernels.h", header), ("kernels.cc", body)], &[]);
    assert_eq!(ran.status, 1);
    let err = unwrapped(&ran.err).replace("] [", "][");
    let wanted = "design.parts[1][0].second[1] (kernels.cc) waits for data at in[0] from design.parts[1][0].first[0] (kernels.cc), \
                  port out[0]; its FIFO holds 0 of 8 words design.parts[1][0].first[0] (kernels.cc) has finished its 1 run and \
                  writes no more";
    assert!(err.contains(wanted), "{err}");
    assert!(!err.contains("the cycle"), "{err}");
}
