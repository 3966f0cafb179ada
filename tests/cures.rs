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
    for words in ["check/may-hang", "write `apart a, b`", "sim/deadlock"] {
        assert!(shared.err.contains(words), "expected {words} in\n{}", shared.err);
    }
    ends(&gather(64, "apart a, b", ""));
}

#[test]
#[ignore = "long: simulates"]
fn windows_that_need_more_than_the_buffers_of_a_dma_get_the_named_fifo() {
    let shared = gather(512, "", "");
    let named = "write `apart a, b` and `fifo 440` on the connection `a.z -> b.z`";
    for words in ["check/may-hang", named, "sim/deadlock"] {
        assert!(shared.err.contains(words), "expected {words} in\n{}", shared.err);
    }
    ends(&gather(512, "apart a, b", "fifo 440"));
    let short = gather(512, "apart a, b", "fifo 439");
    assert!(short.err.contains("check/may-hang") && short.err.contains("sim/deadlock"), "{}", short.err);
}
