//! `aiec sim --timing`: cycles of kernels that a run on the host counts, for designs and for graphs
//! of the vendor's API.
use aiec_tests::{aiec, path};
use serde_json::Value;

/// The report of a run with `--timing --json`.
#[track_caller]
fn timed(project: &str) -> Value {
    timed_with(&path(project), &[])
}

#[track_caller]
fn timed_with(project: &str, extra: &[&str]) -> Value {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let outputs = folder.path().display().to_string();
    let arguments = ["sim", project, "--timing", "--json", "--output", &outputs];
    let ran = aiec([&arguments, extra].concat());
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    serde_json::from_str(&ran.out).expect("JSON and nothing else")
}

/// The interval of an example of `docs/messages.md`, in cycles.
fn interval(example: &str, constants: &[&str]) -> f64 {
    let constants = constants.iter().flat_map(|&one| ["-D", one]);
    let flags: Vec<&str> = ["--effort", "1"].into_iter().chain(constants).collect();
    let report = timed_with(&path(&format!("examples/messages/{example}.dsl")), &flags);
    let own = report["kernels"].as_array().expect("kernels").iter().filter_map(|one| one["own"].as_f64());
    let longest = own.fold(0.0, f64::max);
    let interval = report["graph"]["interval"].as_f64().expect("an interval");
    assert!(longest > 0.0 && interval >= longest, "a kernel works {longest} of {interval} cycles");
    interval
}

/// The first rows of the tables of `docs/messages.md`. Kernels in collectives work outside of them,
/// too.
#[allow(clippy::disallowed_methods, reason = "the test reads a page")]
#[test]
#[ignore = "long: simulates"]
fn applications_take_the_cycles_that_their_tables_say() {
    let page = std::fs::read_to_string(path("docs/messages.md")).expect("readable");
    let row = |begins: &str| -> Vec<f64> {
        let line = page.lines().find(|line| line.starts_with(begins)).expect("a row");
        line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()
    };
    let (products, strips) = (row("| 4 | 1771 |"), row("| 4 | 28586 |"));
    assert_eq!(interval("gesummv", &[]), products[1]);
    assert_eq!(interval("scaling", &["WINDOWS=1"]), strips[3]);
}

/// Low, estimate and high of each kernel are in order, and each kernel has fired.
#[track_caller]
fn assert_ranges(report: &Value, kernels: usize) {
    let all = report["kernels"].as_array().expect("kernels");
    assert_eq!(all.len(), kernels, "{report:#}");
    for kernel in all {
        let [low, estimate, high] =
            ["low", "estimate", "high"].map(|name| kernel[name].as_f64().expect("a number of cycles"));
        assert!(0.0 < low && low <= estimate && estimate <= high, "{kernel:#}");
        assert!(kernel["firings"].as_u64() > Some(0), "{kernel:#}");
    }
}

#[test]
#[ignore = "long: simulates"]
fn kernels_of_a_design_have_cycles_and_low_confidence_where_they_are_scalar() {
    let report = timed("examples/pipeline.dsl");
    assert_ranges(&report, 3);
    let kernels = report["kernels"].as_array().expect("kernels");
    assert!(kernels.iter().all(|one| one["confidence"] == "low" && one["from"] == "counted"));
    let names: Vec<&str> = kernels.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["scale", "bias", "clip"], "instances of the design");
    assert!(report["graph"]["interval"].as_f64() > Some(0.0), "{report:#}");
}

#[test]
#[ignore = "long: simulates"]
fn vector_kernels_of_a_graph_have_cycles_and_good_confidence() {
    let report = timed("examples/adf/matmul/graph.cpp");
    assert_ranges(&report, 1);
    assert_eq!(report["kernels"][0]["confidence"], "good", "{report:#}");
    // The event model passes the data of one iteration after the other.
    let [latency, interval] =
        ["latency", "interval"].map(|name| report["graph"][name].as_f64().expect("a number of cycles"));
    assert!(report["kernels"][0]["estimate"].as_f64() <= Some(interval) && interval <= latency, "{report:#}");
}

/// A kernel whose words wait for nobody, one that locks its windows itself, and times between two
/// cycles.
#[test]
#[ignore = "long: simulates"]
fn a_graph_is_never_faster_than_its_slowest_kernel() {
    for example in ["packet_fanout", "async_histogram", "fft"] {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let outputs = folder.path().display().to_string();
        let graph = path(&format!("examples/adf/{example}/graph.cpp"));
        let ran = aiec(["sim", &graph, "--timing", "--output", &outputs]);
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        let words: Vec<&str> = ran.out.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<u32>().expect("a number");
        let period = words.windows(3).position(|three| three == ["can", "fire", "every"]).expect("a period");
        let interval = words.windows(3).position(|three| three == ["from", "one", "iteration"]);
        let interval = number(interval.expect("an interval") - 1);
        assert!(number(period + 3) <= interval, "{example}: {}", ran.out);
    }
}

/// Six stages of 32 butterflies, four at a time, each of which takes four cycles of the multiplier.
#[test]
#[ignore = "long: simulates"]
fn the_stage_functions_of_an_fft_are_counted() {
    let report = timed("examples/adf/fft/graph.cpp");
    let transform = &report["kernels"][0];
    assert_eq!((&transform["low"], &transform["limit"]), (&192.0.into(), &"vector".into()), "{transform:#}");
}

/// A profile as AMD's simulator writes it: `a` took 400 cycles in 4 calls.
const PROFILE: &str = "<profile>
  <total_cycle_count>9000</total_cycle_count>
  <function>
    <function_name>void a(output_window&lt;int&gt; *)</function_name>
    <calls>4</calls>
    <function_and_descendants_time><total_cycle_count>400</total_cycle_count></function_and_descendants_time>
  </function>
</profile>
";

/// A kernel that speaks, and one that does not.
const PAIR: &str = "design pair
device toy
ports window
kernel a(out y: window int32[16]) { source \"a.cc\" }
kernel b(in x: window int32[16], out y: window int32[16]) { source \"b.cc\" }
output o to plio(32, \"o.txt\")
connect a.y -> b.x
connect b.y -> o
";

/// A log as AMD's compiler of cores writes it: the loop of `b` in line 2 takes 50 cycles, and one
/// iteration begins before the one before has ended.
const LOG: &str = "chess-backend --mist1
HW do-loop #37 in \"/home/x/b.cc\", line 2: (loop #3) :
scheduling HW do-loop #37     \t-> # cycles: 90
  -> HW do-loop #37 in \"/home/x/b.cc\", line 2: (loop #3) : 90 cycles
HW do-loop #37 in \"/home/x/b.cc\", line 2: (loop #3) :
minimum length due to resources: 2
(resume algo)     -> after folding: 50  (folded over 1 iterations)
  -> HW do-loop #37 in \"/home/x/b.cc\", line 2: (loop #3) : 50 cycles
";

/// The report of the pair with the profile.
#[track_caller]
fn profiled(design: &str) -> Value {
    of_pair(design, &[("aiesimulator_output/profile_funct_24_0.xml", PROFILE)])
}

/// The report of the pair with these files of AMD's tools.
#[allow(clippy::disallowed_methods, reason = "the test prepares files")]
#[track_caller]
fn of_pair(design: &str, files: &[(&str, &str)]) -> Value {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let own = [
        ("d.dsl", design),
        (
            "a.cc",
            "#include <adf.h>\n#include <cstdio>\nvoid a(output_window<int32> *y) { printf(\"hello\\n\"); for (int i = 0; i < 16; ++i) window_writeincr(y, i); }\n",
        ),
        (
            "b.cc",
            "#include <adf.h>\nvoid b(input_window<int32> *x, output_window<int32> *y) { for (int i = 0; i < 16; ++i) window_writeincr(y, window_readincr(x)); }\n",
        ),
        ("aiesimulator_output/profile_instr_24_0.xml", "not read"),
    ];
    for (name, text) in own.iter().chain(files) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    }
    let [design, folder] =
        [folder.path().join("d.dsl"), folder.path().to_owned()].map(|path| path.display().to_string());
    timed_with(&design, &["--profiled", &folder])
}

#[test]
#[ignore = "long: simulates"]
fn cycles_of_the_design_come_before_those_of_a_profile_and_these_before_counts() {
    let report = profiled(PAIR);
    let kernels = &report["kernels"];
    assert_eq!(
        (&kernels[0]["name"], &kernels[0]["from"], &kernels[0]["cycles"]),
        (&"a".into(), &"profile".into(), &100.0.into())
    );
    assert_eq!((&kernels[1]["name"], &kernels[1]["from"]), (&"b".into(), &"counted".into()));
    let report = profiled(&PAIR.replace("source \"a.cc\"", "source \"a.cc\" cycles 7000"));
    assert_eq!(
        (&report["kernels"][0]["from"], &report["kernels"][0]["cycles"]),
        (&"design".into(), &7000.0.into())
    );
    assert!(report["graph"]["interval"].as_f64() > Some(7000.0), "{report:#}");
}

#[test]
#[ignore = "long: simulates"]
fn loops_take_what_the_compiler_of_cores_scheduled() {
    let log = ("Work/aie/24_0/24_0.log", LOG);
    let report = of_pair(PAIR, &[log]);
    let [a, b] = [&report["kernels"][0], &report["kernels"][1]];
    assert_eq!((&a["from"], &b["from"]), (&"counted".into(), &"schedule".into()));
    // 16 iterations, and one to fill the pipeline. The call and the entry of the loop cost more.
    let cycles = b["cycles"].as_f64().expect("a number of cycles");
    assert!((850.0..900.0).contains(&cycles), "{b:#}");
    let both = of_pair(PAIR, &[log, ("aiesimulator_output/profile_funct_24_0.xml", PROFILE)]);
    assert_eq!(
        (&both["kernels"][0]["from"], &both["kernels"][1]["from"]),
        (&"profile".into(), &"schedule".into())
    );
}

/// A pair whose second kernel works on each number in registers.
const NUMBERS: &str = "#include <adf.h>
void a(output_window<int32> *y) { for (int i = 0; i < 16; ++i) window_writeincr(y, i); }
void b(input_window<int32> *x, output_window<int32> *y) {
    for (int i = 0; i < 16; ++i) {
        int32 n = window_readincr(x);
        n = ((n ^ 21) + n * n) >> 3;
        float f = n;
        window_writeincr(y, int32(f * 0.3f + 1.7f));
    }
}
";

#[cfg(target_arch = "x86_64")]
#[test]
#[ignore = "long: simulates"]
fn scalar_arithmetic_is_counted_by_basic_blocks_and_has_low_confidence() {
    let report = of_pair(
        &PAIR.replace("\"a.cc\"", "\"numbers.cc\"").replace("\"b.cc\"", "\"numbers.cc\""),
        &[("numbers.cc", NUMBERS), ("aiesimulator_output/profile_funct_24_0.xml", PROFILE)],
    );
    let regions = report["counts"][1]["regions"].as_array().expect("loops");
    let inner = regions.iter().find(|region| region["inner"] == true).expect("a loop");
    let of_turn = |name: &str| inner[name].as_f64().unwrap_or(0.0) / inner["turns"].as_f64().expect("turns");
    // An exclusive or, a product, a sum and a shift; a conversion, a product, a sum and a
    // conversion. The counter of the loop is none of them.
    assert_eq!((of_turn("scalar"), of_turn("scalar_float")), (4.0, 4.0), "{inner:#}");
    let b = &report["kernels"][1];
    assert_eq!((&b["confidence"], &b["limit"]), (&"low".into(), &"scalar".into()), "{b:#}");
    assert!(b["low"].as_f64() >= Some(16.0 * 4.0), "{b:#}");
}

/// The loops of kernels that do the same: on vectors in memory, and on copies of them in registers.
const LOOPS: [[&str; 2]; 7] = [
    ["aie::add(*pa++, *pb++)", "auto x = *pa++; auto z = *pb++; STORE aie::add(x, z)"],
    ["*pa++ + *pb++", "auto x = *pa++; auto z = *pb++; STORE x + z"],
    ["aie::max(*pa++, *pb++)", "auto x = *pa++; auto z = *pb++; STORE aie::max(x, z)"],
    ["aie::abs(*pa++)", "auto x = *pa++; STORE aie::abs(x)"],
    [
        "aie::select(aie::zeros<int32, 8>(), aie::broadcast<int32, 8>(1), aie::lt(*pa++, 5))",
        "auto x = *pa++; STORE aie::select(aie::zeros<int32, 8>(), aie::broadcast<int32, 8>(1), aie::lt(x, 5))",
    ],
    [
        "aie::accum<acc80, 8>(*pa++).to_vector<int32>()",
        "auto x = *pa++; STORE aie::accum<acc80, 8>(x).to_vector<int32>()",
    ],
    ["aie::reverse(*pa++)", "auto x = *pa++; STORE aie::reverse(x)"],
];

/// A graph with a kernel for each of these loops: its name is `k`, row and column.
fn graph_of_loops() -> [(&'static str, String); 2] {
    let loops = LOOPS.iter().enumerate().flat_map(|(row, loops)| {
        loops.iter().enumerate().map(move |(column, body)| (format!("k{row}{column}"), *body))
    });
    let (mut sources, mut graph) =
        (String::from("#include <adf.h>\n#include <aie_api/aie.hpp>\n"), String::new());
    let ports = "(adf::input_buffer<int32> &a, adf::input_buffer<int32> &b, adf::output_buffer<int32> &y)";
    let mut declared = String::from("#include <adf.h>\n");
    for (name, body) in loops {
        let body =
            if body.contains("STORE") { body.replace("STORE", "*py++ =") } else { format!("*py++ = {body}") };
        sources += &format!(
            "void {name}{ports} {{
                auto pa = aie::begin_restrict_vector<8>(a), pb = aie::begin_restrict_vector<8>(b);
                auto py = aie::begin_restrict_vector<8>(y);
                for (int i = 0; i < 16; ++i) chess_prepare_for_pipelining {{ {body}; }}
            }}\n"
        );
        declared += &format!("void {name}{ports};\n");
        graph += &format!(
            "  n = {name} = adf::kernel::create(::{name}); adf::source(n) = \"k.cc\"; adf::runtime<adf::ratio>(n) = 0.9;
               adf::connect(i.out[0], n.in[0]); adf::connect(i.out[0], n.in[1]);
               o.push_back(adf::output_plio::create(\"{name}\", adf::plio_32_bits, \"{name}.txt\")); adf::connect(n.out[0], o.back().in[0]);
               adf::dimensions(n.in[0]) = {{128}}; adf::dimensions(n.in[1]) = {{128}}; adf::dimensions(n.out[0]) = {{128}};\n"
        );
    }
    let names: Vec<String> = (0..LOOPS.len()).map(|row| format!("k{row}0, k{row}1")).collect();
    let graph = format!(
        "{declared}struct loops : adf::graph {{
            adf::kernel n, {}; adf::input_plio i; std::vector<adf::output_plio> o;
            loops() {{
                i = adf::input_plio::create(\"i\", adf::plio_32_bits, \"i.txt\");
                {graph}
            }}
        }};
        loops g;
        int main() {{ g.init(); g.run(1); g.end(); }}\n",
        names.join(", ")
    );
    [("graph.cpp", graph), ("k.cc", sources)]
}

#[allow(clippy::disallowed_methods, reason = "the test prepares files")]
#[test]
#[ignore = "long: simulates"]
fn operands_in_memory_cost_their_loads_and_no_scalar_work() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let numbers = ("i.txt", "7\n".repeat(128));
    for (name, text) in graph_of_loops().into_iter().chain([numbers]) {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    let report = timed_with(&folder.path().join("graph.cpp").display().to_string(), &[]);
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 2 * LOOPS.len(), "{report:#}");
    for (pair, [memory, _]) in kernels.chunks(2).zip(LOOPS) {
        let figures = |one: &Value| ["low", "estimate", "limit", "confidence"].map(|name| one[name].clone());
        assert_eq!(figures(&pair[0]), figures(&pair[1]), "{memory}");
        assert_eq!(pair[0]["confidence"], "good", "{memory}: {pair:#?}");
    }
    // Each operand is loaded once.
    let regions = report["counts"][0]["regions"].as_array().expect("loops");
    let inner = regions.iter().find(|region| region["inner"] == true).expect("a loop");
    assert_eq!(
        (&inner["load"], &inner["lanes"], &inner["store"]),
        (&32.into(), &16.into(), &16.into()),
        "{inner:#}"
    );
}

#[cfg(target_arch = "x86_64")]
#[test]
#[ignore = "long: simulates"]
fn what_a_core_does_in_software_is_named_and_not_counted() {
    let b = "#include <adf.h>\n#include <cmath>\nvoid b(input_window<int32> *x, output_window<int32> *y) { \
             for (int i = 0; i < 16; ++i) { int32 n = window_readincr(x); \
             window_writeincr(y, int32(sinf(float(n))) + 1000 / (n | 1)); } }\n";
    let profile = ("aiesimulator_output/profile_funct_24_0.xml", PROFILE);
    let report = of_pair(&PAIR.replace("\"b.cc\"", "\"sine.cc\" function b"), &[("sine.cc", b), profile]);
    let uncounted = &report["kernels"][1]["uncounted"];
    assert_eq!(
        (&uncounted["sinf"], &uncounted["division of integers"]),
        (&16.0.into(), &16.0.into()),
        "{report:#}"
    );
    assert!(report["kernels"][0]["uncounted"].is_null(), "{report:#}");
    assert_eq!(report["counts"][1]["uncounted"]["sinf"], 16, "{report:#}");
}

/// The JSON of `--timing` gives a report the cycles that the design does not state.
#[allow(clippy::disallowed_methods, reason = "the test prepares files")]
#[test]
#[ignore = "long: simulates"]
fn a_report_takes_counted_cycles() {
    let timing = timed("examples/pipeline.dsl");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("cycles.json").display().to_string();
    std::fs::write(&file, timing.to_string()).expect("writable");
    let design = path("examples/pipeline.dsl");
    let why = |extra: &[&str]| {
        let ran = aiec([&["report", &design, "--why", "--json", "--effort", "1"][..], extra].concat());
        assert_eq!(ran.status, 0, "{}", ran.err);
        serde_json::from_str::<Value>(&ran.out).expect("JSON")["why"].clone()
    };
    let [bare, counted] = [why(&[]), why(&["--cycles", &file])];
    let total = |why: &Value| why["total_cycles"].as_f64().expect("cycles");
    let own = timing["kernels"].as_array().expect("kernels").iter().filter_map(|one| one["own"].as_f64());
    let longest = own.fold(0.0, f64::max);
    assert!(total(&counted) > total(&bare) && total(&counted) > longest, "{bare:#} {counted:#}");
    assert!(bare["holds"].as_str().is_some_and(|holds| holds.contains("--cycles")), "{bare:#}");
    assert!(
        counted["holds"].as_str().is_some_and(|holds| holds.ends_with("cycles of all kernels")),
        "{counted:#}"
    );
    // A file of another design is refused.
    let other = path("examples/pingpong.dsl");
    let ran = aiec(["report", &other, "--effort", "1", "--cycles", &file]);
    assert!(ran.status == 1 && ran.err.contains("input/bad-cycle-report"), "{}", ran.err);
}
