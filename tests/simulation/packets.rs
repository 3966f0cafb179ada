//! Packets: their ids and amounts in the data, and what the check refuses hangs in a run.

use aiec_tests::{Ran, aiec_on};

use super::{fails, simulate};

/// Two kernels that get packets of four elements.
const PACKETS: &str = "design p device toy ports window
kernel w[2](in a: packets int32[4], out b: window int32[4]) { source \"w.cc\" }
input i from plio(32, \"a.txt\")
output o[2] to plio(32, \"o_{}.txt\")
connect i -> split w.a
connect w.b -> o
";

#[test]
fn a_packet_id_that_no_branch_has_is_found_in_the_data() {
    let data = "0\n1\n2\n3\nTLAST\n4\n9\n1\n2\n3\nTLAST\n4\n";
    let files = [("a.txt", data), ("w.cc", "#include <adf.h>\n")];
    let ran = simulate(PACKETS, &files, &["--unplaced", "--cxx", "no-such-compiler"]);
    fails(&ran, "sim/input", &["has id 9, which no branch has", "a.txt:7:1", "from 0 to 1"]);
}

#[test]
#[ignore = "long: simulates"]
fn packets_move_the_data_that_the_design_states_without_headers() {
    let run = |last: &str| {
        let source = format!(
            "#include <adf.h>\nvoid w(input_pktstream *a, output_window<int32> *b) {{\nreadincr(a);\nbool last = false;\n\
             for (int i = 0; i < 3; ++i) window_writeincr(b, readincr(a, last));\nwindow_writeincr(b, {last});\n}}\n"
        );
        let data = "0\n1\n2\n3\nTLAST\n4\n1\n1\n2\n3\nTLAST\n4\n";
        simulate(PACKETS, &[("w.cc", &source), ("a.txt", data)], &["--unplaced"])
    };
    let right = run("readincr(a, last)");
    assert_eq!((right.status, right.err.as_str()), (0, ""));
    fails(&run("0"), "sim/stream-amount", &["takes 3 elements of `w[0].a` in every run", "packets int32[3]"]);
}

/// No check before the run counts the values between headers.
#[test]
#[ignore = "long: simulates"]
fn inputs_of_one_declaration_that_run_dry_are_one_fault() {
    let design = "design p device toy ports window
kernel w[3](in a: packets int32[4], out b: window int32[4]) { source \"w.cc\" }
input i[3] from plio(32, \"a_{}.txt\")
output o[3] to plio(32, \"o_{}.txt\")
connect i -> w.a
connect w.b -> o\n";
    let source = "#include <adf.h>\nvoid w(input_pktstream *a, output_window<int32> *b) {\nreadincr(a);\nbool last = false;\n\
                  for (int i = 0; i < 4; ++i) window_writeincr(b, readincr(a, last));\n}\n";
    let few = "0\n1\n2\n";
    let files = [("w.cc", source), ("a_0.txt", few), ("a_1.txt", few), ("a_2.txt", few)];
    let ran = simulate(design, &files, &["--unplaced"]);
    fails(&ran, "sim/input", &["input `i[0]` ends too early"]);
    assert!(ran.words().contains("; the same fault at 2 more of this declaration"), "{}", ran.err);
    assert_eq!(ran.err.matches("sim/input").count(), 1, "{}", ran.err);
}

/// The designs whose packets hang, each with its kernels and what its kernels wait for.
const HANGS: [(&str, &str, &[&str]); 3] = [
    (
        include_str!("../simulated/packets/ring.dsl"),
        include_str!("../simulated/packets/ring.cc"),
        &["`deal.back` waits for a full buffer", "`worker[0].x` waits", "`collect.x` waits for data"],
    ),
    (
        include_str!("../simulated/packets/late.dsl"),
        include_str!("../simulated/packets/late.cc"),
        &["`deal.y` waits for space", "`sink[0].last` waits for a full buffer"],
    ),
    (
        include_str!("../simulated/packets/turn.dsl"),
        include_str!("../simulated/packets/turn.cc"),
        &["`stage[1].y` waits for an empty buffer", "`collect.x` waits for data"],
    ),
];

/// A design of [`HANGS`] beside its kernels and data. The text `from` of it becomes `to`.
fn hanging(command: &str, at: usize, from: &str, to: &str) -> Ran {
    let (design, kernels, _) = HANGS[at];
    let name = ["ring.cc", "late.cc", "turn.cc"][at];
    let data: String = (0..64).map(|value| format!("{value}\n")).collect();
    let changed = design.replace(from, to);
    assert!(from.is_empty() || changed != design, "`{from}` is not in the design");
    aiec_on(command, &changed, &[(name, kernels), ("in.txt", &data)], &[])
}

#[test]
fn packets_that_wait_for_each_other_are_refused_before_anything_runs() {
    for at in [0, 1] {
        let ran = hanging("check", at, "", "");
        fails(&ran, "check/stream-hang", &["packets follow each other", "a packet"]);
    }
    fails(
        &hanging("check", 2, "", ""),
        "check/stream-hang",
        &["whose packet comes first", "a plain `merge`"],
    );
    for (at, from, to) in [(1, "[2000]", "[14]"), (2, "merge ordered", "merge")] {
        let design = HANGS[at].0.replace("[1000]", "[7]").replace(from, to);
        let ran = aiec_on("check", &design, &[], &["--no-cxx"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    }
}

#[test]
#[ignore = "long: simulates"]
fn what_the_check_of_packets_refuses_hangs_in_the_simulation() {
    for (at, amount) in [(0, "packets int32[32]"), (1, "packets int32[2000]"), (2, "packets int32[80]")] {
        // The check says nothing where an amount is unknown.
        fails(&hanging("sim", at, amount, "packets int32"), "sim/deadlock", HANGS[at].2);
    }
    let ran = hanging("sim", 2, "merge ordered", "merge");
    assert!(ran.status == 0 && ran.out.contains("ran to its end"), "{}\n{}", ran.out, ran.err);
}

/// `j` waits for the stream of `d`, which comes behind the packets of both workers.
#[test]
#[ignore = "long: simulates"]
fn the_depths_of_a_split_are_those_of_its_one_connection() {
    let design = "design dealt device xcvc1902 ports window
kernel d(in x: window int32[64], out p: packets int32, out q: stream int32) { source \"k.cc\" }
kernel w[2](in x: packets int32, out y: stream int32) { source \"k.cc\" }
kernel j(in q: stream int32, in a: stream int32, out y: window int32[64]) { source \"k.cc\" }
kernel k(in a: stream int32, out y: window int32[32]) { source \"k.cc\" }
input i from plio(32, \"i.txt\") output o[2] to plio(32, \"o_{}.txt\")
connect i -> d.x connect d.p -> split w.x connect d.q -> j.q
connect w[0].y -> j.a connect w[1].y -> k.a connect j.y -> o[0] connect k.y -> o[1]\n";
    let source = "#include <adf.h>
void d(input_window<int32> *x, output_pktstream *p, output_stream<int32> *q) {
    for (int n = 0; n < 2; ++n) {
        writeHeader(p, 0, getPacketid(p, n));
        for (int i = 0; i < 32; ++i) writeincr(p, window_readincr(x), i == 31);
    }
    for (int i = 0; i < 32; ++i) writeincr(q, i);
}
void w(input_pktstream *x, output_stream<int32> *y) {
    readincr(x);
    for (int i = 0; i < 32; ++i) { bool last; writeincr(y, readincr(x, last)); }
}
void j(input_stream<int32> *q, input_stream<int32> *a, output_window<int32> *y) {
    for (int i = 0; i < 32; ++i) window_writeincr(y, readincr(q));
    for (int i = 0; i < 32; ++i) window_writeincr(y, readincr(a));
}
void k(input_stream<int32> *a, output_window<int32> *y) {
    for (int i = 0; i < 32; ++i) window_writeincr(y, readincr(a));
}
";
    let data: String = (0..64).map(|i| format!("{i}\n")).collect();
    let ran = simulate(design, &[("k.cc", source), ("i.txt", &data)], &[]);
    let words =
        ["at the connection of `w[0].y` and `j.a` and `fifo ", "` at the `split` of `d.p`, or change"];
    for part in words {
        assert!(ran.status == 1 && ran.words().contains(part), "{part} is missing in {}", ran.err);
    }
}

#[test]
fn data_of_several_packets_mark_their_ends() {
    let design = "design u device xcvc1902 iterations 3
kernel b(in p: packets int32[2], out q: packets int32[2]) { source \"k.cc\" }
input i from plio(32, \"i.txt\")
output o to plio(32, \"o.txt\")
connect i -> b.p
connect b.q -> o
";
    let check = |data: &str| {
        let files = [("i.txt", data), ("k.cc", "not C++\n")];
        simulate(design, &files, &["--unplaced", "--cxx", "no-such-compiler"])
    };
    let ran = check("0\n1\n2\n0\n3\n4\n0\n5\n6\n");
    fails(
        &ran,
        "sim/input",
        &["has no line `TLAST`", "i.txt:4:1", "in front of the last line of each packet"],
    );
    for legal in ["0\n1\nTLAST\n2\n0\n3\nTLAST\n4\n0\n5\nTLAST\n6\n", "0\n1\n2\n3\n4\n5\n6\n"] {
        assert!(!check(legal).err.contains("sim/input"), "{legal}");
    }
}

/// AMD's simulators write files of packets as integers, also those of kernels with floats.
#[test]
#[ignore = "long: simulates"]
fn packets_of_floats_are_words_in_files() {
    let graph = "#include <adf.h>
using namespace adf;
void twice(input_window<float> *in, output_window<float> *out);
struct G : graph {
    pktsplit<1> split = pktsplit<1>::create();
    pktmerge<1> merge = pktmerge<1>::create();
    kernel k = kernel::create(twice);
    input_plio in = input_plio::create(\"in\", plio_32_bits, \"in.txt\");
    output_plio out = output_plio::create(\"out\", plio_32_bits, \"out.txt\");
    G() {
        source(k) = \"twice.cc\";
        runtime<ratio>(k) = 0.5;
        connect<pktstream>(in.out[0], split.in[0]);
        connect<pktstream, window<12>>(split.out[0], k.in[0]);
        connect<window<12>, pktstream>(k.out[0], merge.in[0]);
        connect<pktstream>(merge.out[0], out.in[0]);
    }
} g;
int main() { g.init(); g.run(1); g.end(); }
";
    let kernel = "#include <adf.h>\nvoid twice(input_window<float> *in, output_window<float> *out) {\n\
                  for (int i = 0; i < 3; ++i) window_writeincr(out, 2 * window_readincr(in));\n}\n";
    // -0.5 as its bits, signed bits of -0.5, and a number with a point.
    let data = "2147483648\n3204448256\n-1090519040\nTLAST\n1.5\n";
    let files = [("g.cpp", graph), ("twice.cc", kernel), ("in.txt", data)];
    let folder = aiec_test_support::folder::Folder::with(&files);
    let at = |name: &str| folder.path(name).display().to_string();
    let ran = aiec_tests::aiec(["sim", &at("g.cpp"), "--input", &at(""), "--output", &at("results")]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let written = std::fs::read_to_string(at("results/out.txt")).expect("written");
    let words: Vec<&str> = written.split_whitespace().skip(1).collect();
    assert_eq!(words, ["3212836864", "3212836864", "TLAST", "1077936128"], "{written}");
}

/// A kernel that sends a packet to each of two windows.
const DEALT: &str = "design dealt device xcvc1902 ports window iterations 2
kernel d(in x: window int32[32], out p: packets int32) { source \"d.cc\" }
kernel w[2](in x: window int32[16], out y: window int32[16]) { source \"w.cc\" }
input i from plio(32, \"i.txt\") output o[2] to plio(32, \"o_{}.txt\")
connect i -> d.x connect d.p -> split w.x connect w.y -> o\n";
const DEALS: &str = "#include <adf.h>
void d(input_window<int32> *x, output_pktstream *p) {
    for (int n = 0; n < 2; ++n) {
        writeHeader(p, 0, getPacketid(p, n));
        for (int i = 0; i < 16; ++i) writeincr(p, window_readincr(x), i == 15);
    }
}
";
const TAKES: &str = "#include <adf.h>\nvoid w(input_window<int32> *x, output_window<int32> *y) {\n\
                     for (int i = 0; i < 16; ++i) window_writeincr(y, window_readincr(x));\n}\n";

#[test]
#[ignore = "long: simulates"]
fn a_packet_that_no_branch_takes_is_a_fault_of_its_kernel() {
    let data: String = (40..104).map(|i| format!("{i}\n")).collect();
    let run = |from: &str, to: &str| {
        let source = DEALS.replace(from, to);
        assert!(from.is_empty() || source != DEALS, "{from}");
        simulate(DEALT, &[("d.cc", &source), ("w.cc", TAKES), ("i.txt", &data)], &["--unplaced"])
    };
    let right = run("", "");
    assert_eq!((right.status, right.err.as_str()), (0, ""), "{}", right.out);
    for (from, to, what, line) in [
        ("getPacketid(p, n)", "n + 1", "writes a header with packet id 2", "d.cc:4:"),
        ("        writeHeader(p, 0, getPacketid(p, n));\n", "", "with a word that is no header", "d.cc:4:"),
    ] {
        let ran = run(from, to);
        fails(&ran, "sim/window-misuse", &["the packets of `d.p`", what, line, "getPacketid(p, BRANCH)"]);
        assert!(ran.words().contains("the split behind it has ids 0 to 1, in iteration 0"), "{}", ran.err);
        assert_eq!(ran.err.matches("sim/").count(), 1, "one fault: {}", ran.err);
    }
    let ran = run(", i == 15", "");
    fails(
        &ran,
        "sim/deadlock",
        &["`d.p` has begun a packet that never ends", "TLAST", "writeincr(p, value, true)"],
    );
    assert!(ran.words().contains("the last packet of `d.p` has no end"), "{}", ran.err);
}

/// A writer that deals four packets out to two workers.
const ENDLESS: &str = "design dealt device xcvc1902
kernel s(in x: window int32[16], out p: packets int32[16]) { source \"s.cc\" }
kernel w[2](in x: window int32[4], out y: window int32[4]) { source \"w.cc\" repetitions 2 }
input i from plio(64, \"i.txt\") output o[2] to plio(64, \"o_{}.txt\")
connect i -> s.x connect s.p -> split w.x connect w.y -> o\n";

/// A run of [`ENDLESS`] whose writer gives each packet the id `id`, and TLAST if `last` holds.
fn dealing(id: &str, last: &str) -> Ran {
    let source = format!(
        "#include <adf.h>\nvoid s(adf::input_buffer<int32> &x, output_pktstream *p) {{
    for (int n = 0; n < 4; ++n) {{
        writeHeader(p, 0, getPacketid(p, {id}));
        for (int i = 0; i < 4; ++i) writeincr(p, x.data()[4 * n + i], {last});
    }}
}}\n"
    );
    let works = "#include <adf.h>\nvoid w(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) {
    for (int i = 0; i < 4; ++i) y.data()[i] = x.data()[i];\n}\n";
    let data: String = (0..8).map(|i| format!("{i} {i}\n")).collect();
    simulate(ENDLESS, &[("s.cc", &source), ("w.cc", works), ("i.txt", &data)], &[])
}

#[test]
#[ignore = "long: simulates"]
fn a_packet_without_its_end_is_the_cause_of_an_amount_that_is_wrong() {
    let right = dealing("n % 2", "i == 3");
    assert_eq!((right.status, right.err.as_str()), (0, ""), "{}", right.out);
    assert!(!right.out.contains("no statement"), "the event model runs to its end, too: {}", right.out);
    let ran = dealing("n % 2", "false");
    fails(
        &ran,
        "sim/stream-amount",
        &["a packet of `s.p` has no TLAST at its last word", "writeincr(p, value, true)", "s.cc:4:"],
    );
    assert!(!ran.err.contains("int32[19]"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn a_branch_that_gets_no_packet_is_named_with_its_id() {
    let ran = dealing("0", "i == 3");
    fails(&ran, "sim/deadlock", &["no packet with id 1 has come for `w[1].x`"]);
}
