//! `aiec sim graph.cpp` accepts code that works on hardware, and confirms correct results.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_test_support::folder::Folder;
use aiec_tests::{Ran, aiec};

/// An outer loop whose directive promises more iterations than it runs, one whose inner loop is in
/// a function, vectors of a parameter that the user does not place; with INNER an innermost loop
/// that breaks its promise.
const KERNEL: &str = "#include \"kernel.h\"
#include <aie_api/aie.hpp>
static int32 sum(const int32 *t) {
    int32 s = 0;
    for (int i = 0; i < 2; ++i) s += t[i];
    return s;
}
void work(input_window<int32> *in, const int32 (&table)[8], output_window<int32> *out) {
    const aie::vector<int32, 8> v = aie::load_v<8>(table);
    for (int k = 0; k < 8; ++k) chess_loop_range(16, ) {
        for (int i = 0; i < 2; ++i) chess_loop_range(2, 2) window_writeincr(out, window_readincr(in) + v[k]);
    }
    int32 n = 0;
    for (int k = 0; k < 8; ++k) chess_loop_range(16, ) n += sum(table);
#ifdef INNER
    for (int k = 0; k < 8; ++k) chess_loop_range(16, ) n += k;
#endif
}
";

const GRAPH: &str = "#include \"kernel.h\"
struct one : adf::graph {
    adf::kernel k = adf::kernel::create(work);
    adf::port<adf::input> table;
    adf::input_plio in = adf::input_plio::create(\"in\", adf::plio_32_bits, \"data/in.txt\");
    adf::output_plio out = adf::output_plio::create(\"out\", adf::plio_32_bits, \"out.txt\");
    one() {
        adf::source(k) = \"kernel.cc\";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::window<64>>(in.out[0], k.in[0]);
        adf::connect<adf::parameter>(table, adf::async(k.in[1]));
        adf::connect<adf::window<64>>(k.out[0], out.in[0]);
    }
} g;
int main() {
    g.init();
    const int32 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    g.update(g.table, table, 8);
    g.run();
    g.end();
}
";

/// The project, with an input of two and a half windows and a golden file of two.
fn project() -> Folder {
    let numbers = |of: &mut dyn Iterator<Item = i32>| of.map(|n| format!("{n}\n")).collect::<String>();
    Folder::with(&[
        ("graph.cpp", GRAPH),
        (
            "kernel.h",
            "#include <adf.h>\nvoid work(input_window<int32> *in, const int32 (&table)[8], output_window<int32> *out);\n",
        ),
        ("kernel.cc", KERNEL),
        ("data/in.txt", &numbers(&mut (1..=40))),
        ("golden.txt", &numbers(&mut (0..32).map(|at| at + 1 + at % 16 / 2 + 1))),
    ])
}

fn simulate(folder: &Folder, extra: &[&str]) -> Ran {
    aiec([&["sim", &folder.name("graph.cpp"), "--output", &folder.name("written")], extra].concat())
}

// UG1079: run() without a count is for ever; functional simulators end with the input.
#[test]
#[ignore = "long: simulates"]
fn outer_loops_endless_runs_and_vectors_of_parameters_are_nothing_to_complain_of() {
    let folder = project();
    let golden = folder.name("golden.txt");
    let ran = simulate(&folder, &["--strict", "--golden", &golden]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("out.txt: 32 values equal"), "{}", ran.out);
    let note = "note: the graph runs for ever, so it ended with its input";
    assert!(ran.words().contains(note) && ran.err.lines().count() == 1, "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn what_stands_before_the_headers_of_a_kernel_changes_nothing() {
    let folder = project();
    let golden = folder.name("golden.txt");
    for before in ["", "static const int BEFORE = 8;", "#pragma GCC diagnostic ignored \"-Wunused\""] {
        fs::write(folder.path("kernel.cc"), format!("{before}\n#include <adf.h>\n{KERNEL}"))
            .expect("writable");
        let ran = simulate(&folder, &["--golden", &golden]);
        assert!(ran.status == 0 && ran.out.contains("out.txt: 32 values equal"), "{before}: {}", ran.err);
    }
}

#[test]
#[ignore = "long: simulates"]
fn an_innermost_loop_that_breaks_its_promise_is_an_error_and_outputs_are_compared_all_the_same() {
    let folder = project();
    let golden = folder.name("golden.txt");
    let ran = simulate(&folder, &["-D", "INNER", "--golden", &golden]);
    let words = ran.words();
    assert!(ran.status == 1 && words.contains("kernel.cc:16 ran 8 times, chess_loop_range(16,)"), "{words}");
    assert_eq!(words.matches("chess_loop_range").count(), 1, "{words}");
    assert!(ran.out.contains("out.txt: 32 values equal"), "{}", ran.out);
    let ran = simulate(&folder, &["-D", "INNER", "--lenient", "--golden", &golden]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("warning: g.k (kernel.cc): the loop at"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn differences_that_are_allowed_are_none_and_others_name_both_files() {
    let folder = project();
    let golden = folder.read("golden.txt");
    let values: Vec<i32> = golden.lines().map(|line| line.parse().expect("a number")).collect();
    let write = |name: &str, change: &dyn Fn(usize, i32) -> i32| {
        let path = folder.path(name);
        let lines = values.iter().enumerate().map(|(at, &value)| format!("{}\n", change(at, value)));
        fs::write(&path, lines.collect::<String>()).expect("writable");
        path.display().to_string()
    };
    let settling = write("settling.txt", &|at, value| if at < 3 { 99 } else { value });
    let unit = write("out.txt", &|at, value| if at % 2 == 0 { value + 1 } else { value - 1 });
    for (golden, extra, right) in [
        (&settling, &["--skip", "3"][..], true),
        (&settling, &["--skip", "out=3"], true),
        (&settling, &["--skip", "2"], false),
        (&unit, &["--tolerance", "1"], true),
        (&unit, &["--tolerance", "1e-3", "--tolerance", "2"], true),
        (&unit, &["--tolerance", "0.5"], false), // a share is for floats
    ] {
        let ran = simulate(&folder, &[&["--golden", golden], extra].concat());
        assert_eq!(ran.status == 0, right, "{extra:?}: {}", ran.err);
        if !right {
            let shown = ran.words().replace("/ ", "/");
            let found = folder.path("written/out.txt");
            assert!(shown.contains(&format!("`{}` differs from `{golden}`", found.display())), "{shown}");
        }
    }
    let ran = simulate(&folder, &["--skip", "nothing=3"]);
    assert!(ran.status == 1 && ran.err.contains("`--skip nothing` does not name an output"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn inputs_are_found_below_the_folder_their_names_begin_with_and_the_missing_ones_are_named_at_once() {
    let folder = project();
    let path = |name: &str| folder.name(name);
    for input in [".", "data"] {
        let ran = simulate(&folder, &["--input", &path(input)]);
        assert_eq!(ran.status, 0, "--input {input}: {}", ran.err);
    }
    // A kernel that does not compile shows that none was compiled.
    fs::write(path("kernel.cc"), "no C++").expect("writable");
    let graph = GRAPH.replace("    one() {", "    adf::input_plio more = adf::input_plio::create(\"more\", adf::plio_32_bits, \"more.txt\");\n    one() {");
    fs::write(path("graph.cpp"), graph).expect("writable");
    let ran = simulate(&folder, &[]);
    let words = ran.words();
    assert!(
        ran.status == 1 && words.contains("input file is missing: `more.txt` of input `more`"),
        "{words}"
    );
    assert!(!words.contains("data/in.txt") && !words.contains("does not compile"), "{words}");
}

#[test]
#[ignore = "long: compiles a project"]
fn a_name_that_aiec_lacks_is_called_so() {
    let folder = project();
    let path = |name: &str| folder.name(name);
    fs::write(path("kernel.cc"), KERNEL.replace("window_readincr(in)", "window_readincr_later(in)"))
        .expect("writable");
    let ran = simulate(&folder, &[]);
    let words = ran.words();
    assert!(ran.status == 1 && words.contains("headers have no `window_readincr_later`"), "{words}");
}
