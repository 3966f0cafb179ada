//! What `aiec check` says of the C++ of kernels.

use aiec_tests::aiec_on;

use super::{CLASS, FIR, FIR_H, ST};

#[test]
fn a_kernel_in_the_source_of_a_collective_gets_a_file_of_its_own() {
    let design = "design d device toy
kernel m[3](in x: window int32[8]) { source \"m.cc\" }
kernel q(in x: window int32[8], out y: window int32[8]) { source \"m.cc\" }
reduce all over m { op sum data int32[8] shape chain }
input i[3] from plio(32, \"i_{}.txt\")
output o to plio(32, \"o.txt\")
connect i -> m.x
connect all.result -> q.x
connect q.y -> o
";
    let m = "#include <adf.h>
#include <aiec/design.h>
template <typename Comm> void m(Comm &comm, adf::input_buffer<int32> &x) {
  alignas(32) int32 d[8];
  for (int i = 0; i < 8; ++i) d[i] = x.data()[i];
  comm.all.reduce(d);
}
";
    let q =
        "void q(adf::input_buffer<int32> &x, adf::output_buffer<int32> &y) { y.data()[0] = x.data()[0]; }\n";
    let ran = aiec_on("check", design, &[("m.cc", &format!("{m}{q}"))], &[]);
    let said = ran.err.replace("\n  │ ", " ").replace("\n        ", " ");
    for words in [
        "check/helper-not-static",
        "`q`, the function of kernel `q`, is defined 4 times: 3 wrappers of kernel `m` include `m.cc`, too",
        "put `q` into a file of its own, and name that as the `source` of `q`",
    ] {
        assert!(said.contains(words), "expected {words} in\n{}", ran.err);
    }
    let own = design.replace(
        "window int32[8]) { source \"m.cc\" }\nreduce",
        "window int32[8]) { source \"q.cc\" }\nreduce",
    );
    let alone = format!("#include <adf.h>\n{q}");
    let ran = aiec_on("check", &own, &[("m.cc", m), ("q.cc", &alone)], &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
}

#[test]
fn a_design_with_the_name_of_a_type_of_its_kernels_is_told_its_class() {
    let design = CLASS.replace("design d", "design band");
    let header = format!("{FIR_H}\nstruct band {{ int v; }};\n");
    let ran = aiec_on("check", &design, &[("fir.h", &header), ("fir.cc", FIR), ("st.cc", ST)], &[]);
    let said = ran.err.replace("\n        ", " ");
    let wanted =
        "the design `band` becomes the class `band` in `aie/graph.h`: rename it, or the type in your headers";
    assert!(ran.status == 1 && said.contains(wanted), "{}", ran.err);
}
