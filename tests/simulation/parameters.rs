//! Run-time parameters: values from files and to files, run by run.

use std::fs;

use aiec_tests::{aiec, path};

use super::{fails, simulate};

const LANES: &str = include_str!("../simulated/parameters/d.dsl");
const LANE: &str = include_str!("../simulated/parameters/lane.cc");
const TAIL: &str = include_str!("../simulated/parameters/tail.cc");

/// The data of the lanes: inputs that count up, and gains that differ by lane and run.
fn lanes_data() -> Vec<(String, String)> {
    let lines = |values: Vec<i32>| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    let of = |lane: i32| {
        let x = (format!("x_{lane}.txt"), lines((0..24).map(|i| 100 * lane + i).collect()));
        [x, (format!("gain_{lane}.txt"), lines((0..3).map(|run| lane + run + 1).collect()))]
    };
    (0..3).flat_map(of).collect()
}

/// The sum that a lane gives back after a run: gains and samples of `lanes_data`, mode 2, and the
/// imaginary parts of the table, -2 -4 -6 -8, twice.
fn sum_of(lane: i32, run: i32) -> i32 {
    let samples: i32 = (8 * run..8 * run + 8).map(|i| 100 * lane + i).sum();
    samples * (lane + run + 1) + 8 * 2 - 2 * (2 + 4 + 6 + 8)
}

#[test]
#[ignore = "long: simulates"]
fn parameters_reach_their_kernels_run_by_run() {
    let data = lanes_data();
    let golden = |lane: i32| (0..3).map(|run| format!("{}\n", sum_of(lane, run))).collect::<String>();
    let folder = tempfile::tempdir().expect("a temporary directory");
    let expected = |output: &str, text: &str| {
        let file = folder.path().join(format!("{output}.txt"));
        fs::write(&file, text).expect("writable");
        format!("{output}={}", file.display())
    };
    let sources = [("lane.cc", LANE), ("tail.cc", TAIL)];
    let texts = data.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let files: Vec<(&str, &str)> = texts.chain(sources).collect();
    let counts = "1\n2\n3\n";
    let goldens =
        [("sum[0]", &*golden(1)), ("sum[1]", &*golden(2)), ("count[0]", counts), ("count[2]", counts)];
    let goldens = goldens.map(|(output, text)| expected(output, text));
    let goldens: Vec<&str> = goldens.iter().flat_map(|golden| ["--golden", golden.as_str()]).collect();
    let ran = simulate(LANES, &files, &goldens);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.matches("3 values equal").count(), 4, "{}", ran.out);
    let windows = LANES.replace("device xcvc1902", "device xcvc1902\nvitis \"2022.1\"");
    assert_eq!(simulate(&windows, &files, &goldens).status, 0);
    let late = expected("count[1]", "1\n2\n4\n");
    let wrong = simulate(LANES, &files, &["--golden", &late]);
    fails(&wrong, "sim/wrong-data", &["`count[1]`", "`lane[1].count`", "element 2 is 3, expected 4"]);
    let missing: Vec<(&str, &str)> =
        files.iter().copied().filter(|(name, _)| *name != "gain_1.txt").collect();
    fails(&simulate(LANES, &missing, &[]), "sim/input", &["`gain[1]`", "gain_1.txt"]);
}

#[test]
#[ignore = "long: simulates"]
fn a_filter_takes_new_taps_in_each_run() {
    let at = |file: &str| path(&format!("examples/fir_taps/{file}"));
    let goldens = [("filtered", "data/golden.txt"), ("peak", "data/golden_peak.txt")];
    let goldens = goldens.map(|(output, file)| format!("{output}={}", at(file)));
    for vitis in ["2022.1", "2025.2"] {
        let [filtered, peak] = &goldens;
        let design = at("fir_taps.dsl");
        let ran = aiec(["sim", &design, "--vitis", vitis, "--golden", filtered, "--golden", peak]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert_eq!(ran.out.matches(" values equal ").count(), 2, "{}", ran.out);
    }
}

#[test]
#[ignore = "long: simulates"]
fn synchronous_outputs_are_read_in_each_run() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = |output: &str, text: &str| {
        let file = folder.path().join(output);
        fs::write(&file, text).expect("writable");
        format!("{output}={}", file.display())
    };
    let design = include_str!("../simulated/readers/d.dsl");
    let x = "1 2 3 4 5 6 7 8 9 10 11 12\n";
    let files = [
        ("readers.cc", include_str!("../simulated/readers/readers.cc")),
        ("gain.txt", "2\n5\n7\n"),
        ("x_0.txt", x),
        ("x_1.txt", x),
        ("x_2.txt", x),
    ];
    let goldens = [
        golden("sums", "10\n26\n42\n"),
        golden("last", "3 4 7 8 11 12\n"),
        golden("y[0]", "2 4 6 8 25 30 35 40 63 70 77 84\n"),
        golden("y[1]", "3 4 5 6 10 11 12 13 16 17 18 19\n"),
        golden("y[2]", "201 202 203 204 505 506 507 508 709 710 711 712\n"),
    ];
    let goldens: Vec<&str> = goldens.iter().flat_map(|golden| ["--golden", golden.as_str()]).collect();
    let ran = simulate(design, &files, &goldens);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.matches(" values equal ").count(), 5, "{}", ran.out);
}

/// A design with a collective, a kernel outside of it and no data.
const SUMS: &str = "design s device toy const T = [1, 2, 3]
kernel w[3] { source \"my/w.cc\" }
reduce total over w { op sum data int32[8] reference T[i] }
output sum to plio(32, \"sum.txt\") connect total.result -> sum\n";

#[test]
#[ignore = "long: simulates"]
fn a_reference_outside_of_its_table_and_a_warning_have_the_places_of_the_user() {
    let source = "#include <adf.h>\ntemplate <typename Comm> void w(Comm &comm) {\n    int unused;\n\
        alignas(32) int32 d[8] = {};\n    comm.total.reduce(d);\n}\n";
    let folder = aiec_test_support::folder::Folder::with(&[("d.dsl", SUMS), ("my/w.cc", source)]);
    let ran = aiec(["sim", &folder.name("d.dsl"), "--unplaced"]);
    for words in
        ["sim/contribution", "reads `T[3]`, outside of the 3 numbers of `T`, for element 3 of rank 0"]
    {
        assert!(ran.status == 1 && ran.words().contains(words), "{words}: {}", ran.err);
    }
    assert!(ran.err.starts_with("my/w.cc:3:9: warning:"), "{}", ran.err);
}

#[test]
fn a_folder_of_golden_files_has_one() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let golden = folder.path().display().to_string();
    let design = SUMS.replace("reference T[i]", "").replace("my/", "");
    let ran = simulate(&design, &[("w.cc", "")], &["--golden", &golden, "--unplaced"]);
    fails(&ran, "input/unknown-output", &["has no file of an output", "sum.txt"]);
}

/// A graph whose kernel `a` runs four times and gives `b` a parameter. `b` runs once.
const AHEAD: &str = "#include <adf.h>
void a(input_window<int32> *x, output_window<int32> *y, int32 &p);
void b(input_window<int32> *x, int32 p, output_window<int32> *y);
class G : public adf::graph { public:
    adf::kernel a, b; adf::input_plio i, j; adf::output_plio o, q;
    G() {
        i = adf::input_plio::create(\"i\", adf::plio_32_bits, \"i.txt\");
        j = adf::input_plio::create(\"j\", adf::plio_32_bits, \"i.txt\");
        o = adf::output_plio::create(\"o\", adf::plio_32_bits, \"o.txt\");
        q = adf::output_plio::create(\"q\", adf::plio_32_bits, \"q.txt\");
        a = adf::kernel::create(::a);
        b = adf::kernel::create(::b);
        adf::source(a) = \"k.cc\";
        adf::source(b) = \"k.cc\";
        adf::runtime<adf::ratio>(a) = 0.5;
        adf::runtime<adf::ratio>(b) = 0.5;
        adf::repetition_count(a) = 4;
        adf::connect<adf::window<16>>(i.out[0], a.in[0]);
        adf::connect<adf::window<16>>(a.out[0], o.in[0]);
        adf::connect<adf::window<64>>(j.out[0], b.in[0]);
        adf::connect<adf::window<64>>(b.out[0], q.in[0]);
        adf::connect<adf::parameter>(a.inout[0], b.in[1]);
    }
};
G g;
int main() { g.init(); g.run(4); g.end(); }
";

const AHEAD_KERNELS: &str = "#include <adf.h>
void a(input_window<int32> *x, output_window<int32> *y, int32 &p) {
    for (int i = 0; i < 4; ++i) window_writeincr(y, window_readincr(x));
    ++p;
}
void b(input_window<int32> *x, int32 p, output_window<int32> *y) {
    for (int i = 0; i < 16; ++i) window_writeincr(y, window_readincr(x) + p);
}
";

#[test]
#[ignore = "long: simulates"]
fn a_kernel_waits_while_nobody_reads_its_parameter() {
    let data: String = (0..64).map(|i| format!("{i}\n")).collect();
    let run = |graph: &str| {
        let files = [("graph.cpp", graph), ("k.cc", AHEAD_KERNELS), ("i.txt", data.as_str())];
        let folder = aiec_test_support::folder::Folder::with(&files);
        aiec(["sim", &folder.name("graph.cpp"), "--output", &folder.name("out")])
    };
    fails(&run(AHEAD), "sim/deadlock", &["for a reader at inout[0]", "finished its 4 runs"]);
    let sticky = run(&AHEAD.replace("b.in[1])", "adf::async(b.in[1]))"));
    assert_eq!((sticky.status, sticky.err.as_str()), (0, ""), "one end says it for both: {}", sticky.out);
}
