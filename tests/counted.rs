//! Amounts that a run counts: of streams whose elements nothing states, and of windows that kernels
//! lock themselves. `aiec sim --timing` gives them to the event model, and `aiec report --cycles`
//! does.

use std::path::Path;

use aiec_tests::{aiec, aiec_on};
use serde_json::Value;

/// Two kernels that pass 256 words in each firing, and three that pass packets of eight words.
const GRAPH: &str = "#include <adf.h>
using namespace adf;
void fast(input_stream<int32> *in, output_stream<int32> *out);
void twice(input_stream<int32> *in, output_stream<int32> *out);
void pk(input_pktstream *in, output_pktstream *out);
void copy(input_buffer<int32> &in, output_buffer<int32> &out);
void deal(input_async_buffer<int32> &in, output_async_buffer<int32> &out);
";

/// Their code. `twice` moves 1 and 2 words in turn.
const KERNELS: &str = "#include \"graph.h\"
void fast(input_stream<int32> *in, output_stream<int32> *out) {
    for (int n = 0; n < 256; ++n) writeincr(out, readincr(in));
}
void twice(input_stream<int32> *in, output_stream<int32> *out) {
    static int firing = 0;
    for (int n = 0; n < 1 + firing % 2; ++n) writeincr(out, readincr(in));
    ++firing;
}
void pk(input_pktstream *in, output_pktstream *out) {
    bool last;
    readincr(in);
    writeHeader(out, 0, getPacketid(out, 0));
    for (int i = 0; i < 8; i++) writeincr(out, readincr(in, last) * 2, i == 7);
}
void copy(input_buffer<int32> &in, output_buffer<int32> &out) {
    const int32 *from = in.data();
    int32 *to = out.data();
    for (int n = 0; n < 32; ++n) to[n] = from[n];
}
void deal(input_async_buffer<int32> &in, output_async_buffer<int32> &out) {
    for (int w = 0; w < 8; ++w) {
        in.acquire(), out.acquire();
        for (int n = 0; n < 32; ++n) out.data()[n] = in.data()[n];
        in.release(), out.release();
    }
}
";

/// A kernel after another one.
const CHAIN: &str = "kernel a, b;
G() {
    x = input_plio::create(\"x\", plio_32_bits, \"x.txt\");
    y = output_plio::create(\"y\", plio_32_bits, \"y.txt\");
    a = kernel::create(F), b = kernel::create(F);
    for (kernel *k : {&a, &b}) source(*k) = \"k.cc\", runtime<ratio>(*k) = 0.9;
    connect<stream>(x.out[0], a.in[0]);
    connect<stream>(a.out[0], b.in[0]);
    connect<stream>(b.out[0], y.in[0]);
}";

const PACKETS: &str = "kernel k[3]; pktsplit<3> sp; pktmerge<3> me;
G() {
    x = input_plio::create(\"x\", plio_32_bits, \"x.txt\");
    y = output_plio::create(\"y\", plio_32_bits, \"y.txt\");
    sp = pktsplit<3>::create(), me = pktmerge<3>::create();
    connect<pktstream>(x.out[0], sp.in[0]);
    for (int i = 0; i < 3; i++) {
        k[i] = kernel::create(pk), source(k[i]) = \"k.cc\", runtime<ratio>(k[i]) = 0.5;
        connect<pktstream>(sp.out[i], k[i].in[0]);
        connect<pktstream>(k[i].out[0], me.in[i]);
    }
    connect<pktstream>(me.out[0], y.in[0]);
}";

/// `b` locks eight windows in a firing.
const LOCKS: &str = "kernel a, b, c;
G() {
    x = input_plio::create(\"x\", plio_32_bits, \"x.txt\");
    y = output_plio::create(\"y\", plio_32_bits, \"y.txt\");
    a = kernel::create(copy), b = kernel::create(deal), c = kernel::create(copy);
    for (kernel *k : {&a, &b, &c}) {
        source(*k) = \"k.cc\", runtime<ratio>(*k) = 0.9;
        dimensions(k->in[0]) = {32}, dimensions(k->out[0]) = {32};
    }
    repetition_count(a) = 8, repetition_count(c) = 8;
    connect(x.out[0], a.in[0]);
    connect(a.out[0], async(b.in[0]));
    connect(async(b.out[0]), c.in[0]);
    connect(c.out[0], y.in[0]);
}";

/// A folder with a graph of these members, which runs as often.
#[allow(clippy::disallowed_methods, reason = "the test prepares files")]
#[track_caller]
fn graph(members: &str, runs: u32, numbers: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let own =
        format!("{GRAPH}class G : public graph {{ public: input_plio x; output_plio y; {members} }};\n");
    let main = format!("#include \"graph.h\"\nG g;\nint main() {{ g.init(); g.run({runs}); g.end(); }}\n");
    for (name, text) in
        [("graph.h", own.as_str()), ("graph.cpp", &main), ("k.cc", KERNELS), ("x.txt", numbers)]
    {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    folder
}

/// What `--timing --json` tells about a project in a folder, and the file that has it.
#[allow(clippy::disallowed_methods, reason = "the test keeps the answer")]
#[track_caller]
fn timed(folder: &Path, project: &str) -> (Value, String) {
    let [project, outputs, file] =
        [project, "out", "t.json"].map(|name| folder.join(name).display().to_string());
    let ran = aiec(["sim", &project, "--timing", "--json", "--output", &outputs]);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    std::fs::write(&file, &ran.out).expect("writable");
    (serde_json::from_str(&ran.out).expect("JSON"), file)
}

fn interval(report: &Value) -> f64 {
    report["graph"]["interval"].as_f64().unwrap_or_default()
}

/// The answer of `report --why`.
#[track_caller]
fn why(project: &str, extra: &[&str]) -> Value {
    let ran = aiec([&["report", project, "--why", "--json", "--effort", "1"][..], extra].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    serde_json::from_str::<Value>(&ran.out).expect("JSON")["why"].clone()
}

#[test]
#[ignore = "long: simulates"]
fn counted_words_of_streams_take_their_time() {
    let folder = graph(&CHAIN.replace('F', "fast"), 6, &"7\n".repeat(6 * 256));
    let (report, file) = timed(folder.path(), "graph.cpp");
    let amounts = serde_json::json!({ "a.in[0]": 256, "a.out[0]": 256 });
    assert_eq!(report["kernels"][0]["amounts"], amounts, "{report:#}");
    assert!(report["assumed"].is_null(), "{report:#}");
    // The PLIO takes a word in four cycles.
    assert!(interval(&report) >= 1024.0, "{report:#}");
    let graph = folder.path().join("graph.cpp").display().to_string();
    let bare = why(&graph, &[]);
    let reason = bare["no_statement"].as_str().expect("a reason");
    assert!(reason.contains("a.in[0] moves: give `aiec report --cycles`"), "{reason}");
    let counted = why(&graph, &["--cycles", &file, "--profile", "aiesim"]);
    assert!(counted["total_cycles"].as_f64() >= Some(1024.0), "{counted:#}");
}

/// `count` hands on seven windows in three firings, and `pass` takes two in each.
#[test]
#[ignore = "long: simulates"]
fn a_count_without_that_of_the_other_end_is_not_taken() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let outputs = folder.path().display().to_string();
    let graph = aiec_tests::path("examples/adf/async_histogram/graph.cpp");
    let ran = aiec(["sim", &graph, "--timing", "--json", "--output", &outputs]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let assumed = report["assumed"][0].as_str().expect("an assumption");
    assert!(assumed.contains("count.out[1] and pass.in[0]") && interval(&report) > 0.0, "{assumed}");
}

#[test]
#[ignore = "long: simulates"]
fn words_that_differ_from_firing_to_firing_stay_an_assumption() {
    let folder = graph(&CHAIN.replace('F', "twice"), 6, &"7\n".repeat(9));
    let (report, _) = timed(folder.path(), "graph.cpp");
    assert!(report["kernels"][0]["amounts"].is_null(), "9 words in 6 firings: {report:#}");
    let assumed = report["assumed"][0].as_str().expect("an assumption");
    assert!(assumed.contains("unknown number of elements take no time: a.in[0]"), "{assumed}");
}

/// In an iteration the PLIO carries three packets of nine words.
#[test]
#[ignore = "long: simulates"]
fn counted_words_of_packets_take_their_time() {
    let packet = |id: u32| {
        let parity = if id.count_ones().is_multiple_of(2) { 1_u32 << 31 } else { 0 };
        let last = (0..8).map(|word| if word == 7 { "TLAST\n7\n" } else { "7\n" });
        format!("{}\n{}", (parity | id).cast_signed(), last.collect::<String>())
    };
    let packets: String = (0..12).map(|number| packet(number % 3)).collect();
    let folder = graph(PACKETS, 4, &packets);
    let (report, _) = timed(folder.path(), "graph.cpp");
    assert!(report["assumed"].is_null(), "{report:#}");
    assert!(interval(&report) >= 3.0 * 9.0 * 4.0, "{report:#}");
}

#[test]
#[ignore = "long: simulates"]
fn counted_acquires_are_the_windows_of_a_firing() {
    let folder = graph(LOCKS, 4, &"7\n".repeat(4 * 8 * 32));
    let (report, file) = timed(folder.path(), "graph.cpp");
    let amounts = serde_json::json!({ "b.in[0]": 8, "b.out[0]": 8 });
    assert_eq!(report["kernels"][1]["amounts"], amounts, "{report:#}");
    assert!(report["no_graph"].is_null() && report["assumed"].is_null(), "{report:#}");
    let stated = "async_repetition(b.in[0]) = 8, async_repetition(b.out[0]) = 8; connect(x.out[0], a.in[0]);";
    let other = graph(&LOCKS.replace("connect(x.out[0], a.in[0]);", stated), 4, &"7\n".repeat(4 * 8 * 32));
    let (with, _) = timed(other.path(), "graph.cpp");
    assert_eq!(report["graph"], with["graph"], "{with:#}");
    let graph = folder.path().join("graph.cpp").display().to_string();
    let counted = why(&graph, &["--cycles", &file]);
    assert!(counted["total_cycles"].as_f64() > Some(0.0), "{counted:#}");
    // The table has the cycles that a design states, with the call.
    let outputs = folder.path().join("out").display().to_string();
    let ran = aiec(["sim", &graph, "--timing", "--output", &outputs]);
    let row = ran.out.lines().find(|line| line.trim_start().starts_with("g.a")).expect("a row");
    let cells: Vec<&str> = row.split_whitespace().collect();
    let own = report["kernels"][0]["own"].as_f64().expect("cycles");
    let wrapper = report["kernels"][0]["wrapper"].as_f64().expect("cycles");
    assert_eq!(cells[8], format!("{:.0}", own + wrapper), "{row}");
    // One output does not hold a sentence without the counts beside the times with them.
    assert!(!ran.out.contains("timing model:"), "{}", ran.out);
}

const OPEN: &str = "design d\ndevice xcvc1902\n
kernel a(in x: stream int32[256], out y: stream int32[256]) { source \"a.cc\" }
kernel b(in x: stream int32, out y: stream int32[256]) { source \"b.cc\" }
input i from plio(32, \"i.txt\")\noutput o to plio(32, \"o.txt\")
connect i -> a.x\nconnect a.y -> b.x\nconnect b.y -> o\n";

/// The total of `report --why`, or its reason for none.
#[track_caller]
fn total(design: &str) -> Result<f64, String> {
    let ran = aiec_on("report", design, &[], &["--why", "--json", "--effort", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let why = serde_json::from_str::<Value>(&ran.out).expect("JSON")["why"].clone();
    why["total_cycles"].as_f64().ok_or_else(|| why["no_statement"].to_string())
}

#[test]
fn an_amount_at_one_end_of_a_stream_holds_at_the_other() {
    let stated = OPEN.replace("in x: stream int32,", "in x: stream int32[256],");
    assert_eq!(total(OPEN), total(&stated));
    let sender =
        OPEN.replace("out y: stream int32[256]) { source \"a.cc\"", "out y: stream int32) { source \"a.cc\"");
    let sender = sender.replace("in x: stream int32,", "in x: stream int32[256],");
    assert_eq!(total(&sender), total(&stated));
    // Four firings of `b` take what one of `a` sends.
    let of_rates = |end: &str| {
        let rates = OPEN.replace(
            "in x: stream int32, out y: stream int32[256]",
            &format!("in x: {end}, out y: stream int32[64]"),
        );
        rates.replace("source \"b.cc\"", "source \"b.cc\" repetitions 4")
    };
    let open = total(&of_rates("stream int32"));
    assert!(open.is_ok() && open == total(&of_rates("stream int32[64]")), "{open:?}");
    // Nothing states an amount.
    let none = total(&sender.replace(
        "in x: stream int32[256], out y: stream int32[256]) { source \"b.cc\"",
        "in x: stream int32, out y: stream int32[256]) { source \"b.cc\"",
    ));
    assert!(none.as_ref().is_err_and(|reason| reason.contains("a.y moves: state the amount")), "{none:?}");
}

#[test]
fn messages_of_a_mailbox_are_not_timed_and_no_amount_is_asked_for() {
    let design = "design d\ndevice xcvc1902\nkernel s { source \"s.cc\" stack 4 KiB }
        kernel c[4] { source \"c.cc\" stack 4 KiB }\nmailbox inbox over c { root s max 64 B }\n";
    let reason = total(design).expect_err("no statement");
    assert!(reason.contains("messages pass inbox") && !reason.contains("state the amount"), "{reason}");
}
