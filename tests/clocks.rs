//! Clocks in `aiec sim`, whose counters start at different numbers in each kernel. The
//! matrix runs `sync` in every shape.

use aiec_tests::{Ran, aiec_on};

/// Four kernels with a clock and one outside of it.
const DESIGN: &str = "design clocks
device xcvc1902
iterations 2
ports window
kernel w[5](out y: window int64[2]) { source \"w.cc\" }
clock time over w[0..4] {}
broadcast start over w { data int64[2] }
output y[5] to plio(64, \"y_{}.txt\") golden \"y.txt\"
connect w.y -> y
";

/// Runs the design in several seeds. Each kernel writes an element in each of two runs.
fn simulated(design: &str, written: &str) -> Ran {
    let source = format!(
        "#include <adf.h>
template <typename Comm>
void w(Comm &comm, output_window<int64> *y) {{
    static int64 run = 0;
    const adf::sim::kernel_node *me = adf::sim::running_kernel();
    const int64 start = me->counter_start();
    alignas(32) int64 first[2] = {{start, 0}};
    comm.start.broadcast(first);
    if (run++ == 0) comm.time.sync(); // the offset stays
    const int64 raw = int64(aie::tile::current().cycles());
    const int64 now = int64(comm.time.now());
    (void)raw;
    window_writeincr(y, int64({written}));
    window_writeincr(y, int64(0));
}}
"
    );
    let files = [("w.cc", source.as_str()), ("y.txt", "0\n0\n0\n0\n")];
    aiec_on("sim", design, &files, &["--unplaced", "--strict", "--seeds", "4"])
}

#[test]
#[ignore = "long: compiles and simulates"]
fn all_ranks_have_the_counter_of_the_first_in_all_runs_and_outsiders_their_own() {
    let ran = simulated(DESIGN, "now - int64(me->time) - (comm.time.is_member ? first[0] : start)");
    assert_eq!(ran.status, 0, "{}", ran.words());
}

#[test]
#[ignore = "long: compiles and simulates"]
fn counters_of_kernels_start_at_different_numbers_which_are_the_same_in_all_seeds() {
    let ran = simulated(DESIGN, "!comm.start.is_root && start == first[0] || raw < 1000");
    assert_eq!(ran.status, 0, "{}", ran.words());
    let ran = simulated(&DESIGN.replace(" golden \"y.txt\"", ""), "raw");
    assert!(ran.status == 0 && ran.out.contains("3 more seeds end the same"), "{}", ran.words());
}

#[test]
#[ignore = "long: compiles and simulates"]
fn a_rank_that_does_not_synchronise_is_named() {
    let design = "design clocks\ndevice xcvc1902\nkernel w[3] { source \"w.cc\" }\nclock time over w { shape chain }\n";
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n    \
                  if (comm.time.rank() != 1) comm.time.sync();\n}\n";
    let ran = aiec_on("sim", design, &[("w.cc", source)], &["--unplaced"]);
    assert!(ran.words().contains("kernel `w[1]` skips `time`"), "{}", ran.words());
}

/// Collectives are members of `comm`, where names of ADF hide nothing.
#[test]
#[ignore = "long: compiles and simulates"]
fn collectives_may_have_names_of_adf() {
    let design = "design named\ndevice xcvc1902\nkernel w[2] { source \"w.cc\" }\nclock sync over w {}\n\
                  reduce read over w { op sum data int32[8] root w[1] }\n\
                  channel port over w { data int32[4] to rank + 1 }\n\
                  broadcast wait over w { data int32[4] root w[0] shape stream }\n";
    let source = "#include <adf.h>\ntemplate <typename Comm>\nvoid w(Comm &comm) {\n    comm.sync.sync();\n    \
                  alignas(32) int32 all[8] = {};\n    comm.read.reduce(all);\n    \
                  if (comm.rank() == 0) comm.port.open_send(1).push(3);\n    \
                  else (void)comm.port.open_receive(1).pop();\n    \
                  auto end = comm.wait.open(4);\n    while (end.left()) (void)end.next(1);\n}\n";
    let ran = aiec_on("sim", design, &[("w.cc", source)], &[]);
    assert_eq!(ran.status, 0, "{}", ran.words());
}
