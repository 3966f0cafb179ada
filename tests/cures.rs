//! What the help of `aiec check` names ends the hang in `aiec sim`.

use aiec_tests::{Ran, aiec_on};

/// Simulates `tests/simulated/gather`: `a` sends `b` windows of 16 elements, and others over `m`,
/// which takes `gathered` elements at once. `lines` are added to the design, and `fifo` to the
/// connection from `a` to `b`.
fn gather(gathered: u32, lines: &str, fifo: &str) -> Ran {
    let design = include_str!("simulated/gather/d.dsl").replace("GATHERED", &gathered.to_string());
    let direct = "connect a.z -> b.z";
    let design = design.replace(direct, &format!("{direct} {fifo}\n{lines}"));
    let source = include_str!("simulated/gather/kernels.cc");
    let data: String = (0..gathered).map(|n| format!("{n}\n")).collect();
    aiec_on("sim", &design, &[("kernels.cc", source), ("in.txt", &data)], &[])
}

/// The run ends without a fault.
fn ends(ran: &Ran) {
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn windows_that_need_more_buffers_than_shared_memory_has_go_by_dma() {
    ends(&gather(32, "", ""));
    let shared = gather(64, "", "");
    for words in ["check/may-hang", "write `apart a.z, b.z`", "sim/deadlock"] {
        assert!(shared.err.contains(words), "expected {words} in\n{}", shared.err);
    }
    ends(&gather(64, "apart a.z, b.z", ""));
}

#[test]
#[ignore = "long: simulates"]
fn windows_that_need_more_than_the_buffers_of_a_dma_get_the_named_fifo() {
    let shared = gather(512, "", "");
    let named = "write `apart a.z, b.z` and `fifo 440` on the connection `a.z -> b.z`";
    for words in ["check/may-hang", named, "sim/deadlock"] {
        assert!(shared.err.contains(words), "expected {words} in\n{}", shared.err);
    }
    ends(&gather(512, "apart a.z, b.z", "fifo 440"));
    let short = gather(512, "apart a.z, b.z", "fifo 439");
    assert!(short.err.contains("check/may-hang") && short.err.contains("sim/deadlock"), "{}", short.err);
}

/// Simulates kernels around a cascade, with files of a folder of `tests/simulated`.
fn beside_a_cascade(design: &str) -> Ran {
    with_source(design, include_str!("simulated/cascade/kernels.cc"))
}

fn with_source(design: &str, source: &str) -> Ran {
    let data: String = (0..128).map(|n| format!("{n}\n")).collect();
    aiec_on("sim", design, &[("kernels.cc", source), ("in.txt", &data)], &["--unplaced"])
}

/// The run stops in a deadlock with these waits, and the check before has no more than a line.
fn stops(ran: &Ran, waits: &[&str]) {
    let words = ran.words();
    assert!(words.contains("sim/deadlock") && !words.contains("check/"), "{words}");
    for wait in waits {
        assert!(words.contains(wait), "{wait} is missing in\n{words}");
    }
}

/// `a` writes its stream before its cascade, and `b` reads the cascade before what `t` passes on.
#[test]
#[ignore = "long: simulates"]
fn a_stream_over_a_third_kernel_past_a_cascade_needs_the_named_fifo() {
    let with = |fifo: &str| {
        let design = include_str!("simulated/cascade/third.dsl");
        beside_a_cascade(&design.replace("connect t.y -> b.s", &format!("connect t.y -> b.s {fifo}")))
    };
    let waits = ["`a.s` waits for space", "`t.y` waits for space", "`b.c` waits for an accumulator"];
    stops(&with(""), &waits);
    stops(&with("fifo 46"), &waits);
    ends(&with("fifo 47"));
}

/// `e` starts with the window of `b`, which needs the cascade that `a` writes after its stream.
#[test]
#[ignore = "long: simulates"]
fn a_stream_to_a_kernel_that_starts_after_a_cascade_needs_the_named_fifo() {
    let with = |fifo: &str| {
        let design = include_str!("simulated/cascade/late.dsl");
        beside_a_cascade(&design.replace("connect a.s -> e.s", &format!("connect a.s -> e.s {fifo}")))
    };
    let waits = ["`a.s` waits for space", "`b.c` waits for an accumulator", "`e.w` waits for a full buffer"];
    stops(&with(""), &waits);
    stops(&with("fifo 55"), &waits);
    ends(&with("fifo 56"));
}

/// `b` starts when `a` has run four times, with a vector or two in each.
#[test]
#[ignore = "long: simulates"]
fn a_cascade_holds_four_vectors_before_its_reader_starts() {
    let with = |runs: u32, vectors: u32| {
        let gathered = (16 * runs).to_string();
        let design =
            include_str!("simulated/cascade/gather.dsl").replace("int32[64]", &format!("int32[{gathered}]"));
        let source = include_str!("simulated/cascade/kernels.cc");
        let source = source.replace("gathered = 64", &format!("gathered = {gathered}"));
        with_source(&design, &source.replace("of_run = 1", &format!("of_run = {vectors}")))
    };
    ends(&with(4, 1));
    stops(&with(4, 2), &["`a.c` waits for space", "`b.w` waits for a full buffer"]);
    let many = with(8, 1).words();
    for words in ["check/may-hang", "every run", "sim/deadlock"] {
        assert!(many.contains(words), "{words} is missing in\n{many}");
    }
}

/// `deal` sends its first packet whole, and `sum` wants a word of the second one first.
#[test]
#[ignore = "long: simulates"]
fn a_deadlock_shows_the_line_and_the_iteration_of_each_wait() {
    let design = "design d\ndevice xcvc1902\n\
                  input i from plio(32, \"i.txt\")\noutput o to plio(32, \"o.txt\")\n\
                  kernel deal(in x: window int32[16], out y: packets int32) { source \"k.cc\" }\n\
                  kernel sum(in a: packets int32, in b: packets int32, out y: window int32[16]) { source \"k.cc\" }\n\
                  connect i -> deal.x\nconnect deal.y -> split sum.a, sum.b\nconnect sum.y -> o\n";
    let source = "#include <adf.h>\nvoid deal(adf::input_buffer<int32> &x, output_pktstream *y) {\n    \
                  for (int id = 0; id < 2; ++id) {\n        writeHeader(y, 0, id);\n        \
                  for (int i = 0; i < 16; ++i)\n            writeincr(y, x.data()[i], i == 15);\n    }\n}\n\
                  void sum(input_pktstream *a, input_pktstream *b, adf::output_buffer<int32> &y) {\n    \
                  for (int i = 0; i < 16; ++i) {\n        y.data()[i] = readincr(b);\n        \
                  y.data()[i] += readincr(a);\n    }\n}\n";
    let numbers = (0..16).map(|i| format!("{i}\n")).collect::<String>();
    let ran = aiec_on("sim", design, &[("k.cc", source), ("i.txt", &numbers)], &["--unplaced"]);
    let words = ran.words();
    for part in [
        "sim/deadlock",
        "k.cc:6",
        "`deal.y` waits for space, in iteration 0",
        "`sum.b` waits for data, in iteration 0",
        "the `split` of `deal.y` is full",
    ] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}

#[test]
#[ignore = "long: simulates"]
fn a_stream_that_gives_too_much_shows_where() {
    let design = "design d\ndevice xcvc1902\n\
                  input i from plio(32, \"i.txt\")\noutput o to plio(32, \"o.txt\")\n\
                  kernel a(in x: window int32[16], out y: stream int32[16]) { source \"k.cc\" }\n\
                  kernel b(in x: stream int32[16], out y: window int32[16]) { source \"k.cc\" }\n\
                  connect i -> a.x\nconnect a.y -> b.x\nconnect b.y -> o\n";
    let source = "#include <adf.h>\nvoid a(adf::input_buffer<int32> &x, output_stream<int32> *y) {\n    \
                  for (int i = 0; i < 40; ++i)\n        writeincr(y, x.data()[i % 16]);\n}\n\
                  void b(input_stream<int32> *x, adf::output_buffer<int32> &y) {\n    \
                  for (int i = 0; i < 16; ++i) y.data()[i] = readincr(x);\n}\n";
    let numbers = (0..16).map(|i| format!("{i}\n")).collect::<String>();
    let ran = aiec_on("sim", design, &[("k.cc", source), ("i.txt", &numbers)], &["--unplaced"]);
    let words = ran.words();
    for part in ["sim/stream-amount", "k.cc:4", "in iteration 0", "`a.y` waits here"] {
        assert!(words.contains(part), "{part} is missing in\n{words}");
    }
}
