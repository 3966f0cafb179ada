//! Findings of a run in components: their names, and one for all instances.

use super::{fails, simulate};

/// In a component, whose sources call `comm.total`. Ranks that wait for the lazy one are not to
/// blame for the calls that they could not make yet.
#[test]
#[ignore = "long: simulates"]
fn a_rank_that_is_ahead_in_another_collective_is_the_cause_alone() {
    let design = "design d device xcvc1902
component team(in x[3]: window int32[16]) {
    kernel w[3](in x: window int32[16]) { source \"w.cc\" }
    connect x -> w.x
    allreduce total over w { op sum data int32[16] calls 2 }
    barrier bar over w { }
}
instance teams[2] of team input x[6] from gmio(\"x.txt\") connect x -> teams.x\n";
    let kernel = "#include <adf.h>
template <typename Comm> void w(Comm &comm, adf::input_buffer<int32> &) {
    alignas(32) int32 data[16] = {};
    comm.total.allreduce(data);
    if (comm.total.rank() != 1) comm.total.allreduce(data);
    comm.bar.barrier();
}\n";
    let ran = simulate(design, &[("w.cc", kernel), ("x.txt", &"0 ".repeat(16))], &[]);
    let said =
        ["`teams[0].w[1]` waits in `teams[0].bar`", "w.cc:6:5", "`teams[0].w[0]` waits here, in iteration 0"];
    fails(&ran, "sim/contribution", &said);
    let words = ran.words();
    assert_eq!(words.matches("sim/contribution").count(), 1, "{words}");
    assert!(
        words.contains("; and so in `teams[1]`") && words.contains("call `comm.total` and `comm.bar`"),
        "{words}"
    );
}

/// Each instance has a kernel family of its own, with one source.
#[test]
#[ignore = "long: simulates"]
fn a_fault_of_the_kernels_of_all_instances_is_one_finding() {
    let design = "design d device xcvc1902
component part(in x: window int32[16], out y: stream int32[16]) {
    kernel k(in x: window int32[16], out y: stream int32[16]) { source \"k.cc\" }
    connect x -> k.x connect k.y -> y
}
instance a[3] of part input x[3] from gmio(\"x.txt\") output y[3] to plio(32, \"y{}.txt\")
connect x -> a.x connect a.y -> y\n";
    let kernel = "#include <adf.h>
void k(adf::input_buffer<int32> &x, output_stream<int32> *y) {
    for (unsigned i = 0; i < 17; ++i) writeincr(y, x.data()[i]);
}\n";
    let ran = simulate(design, &[("k.cc", kernel), ("x.txt", &"0 ".repeat(16))], &[]);
    let words = ran.words();
    for slug in ["sim/window-misuse", "sim/stream-amount", "; and so in `a[1]` and `a[2]`"] {
        let once = if slug.starts_with("sim/") { 1 } else { 2 };
        assert_eq!(words.matches(slug).count(), once, "{slug} in {words}");
    }
}
