//! Paths without a folder. One test alone: the working folder belongs to the whole process.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]

use std::fs;

use aiec_tests::aiec;

const GRAPH: &str = "#include \"kernels/copy.h\"
struct one : adf::graph {
    adf::kernel k = adf::kernel::create(copy);
    adf::input_plio in = adf::input_plio::create(adf::plio_32_bits, \"in.txt\");
    adf::output_plio out = adf::output_plio::create(\"copied\", adf::plio_32_bits, \"data/out.txt\");
    one() {
        adf::source(k) = \"kernels/copy.cc\";
        adf::runtime<adf::ratio>(k) = 0.5;
        adf::connect<adf::window<16>>(in.out[0], k.in[0]);
        adf::connect<adf::window<16>>(k.out[0], out.in[0]);
    }
} g;
int main() {
    g.init();
    g.run(1);
    g.end();
}
";

const KERNEL: &str = "#include \"kernels/copy.h\"
void copy(input_window<int32> *in, output_window<int32> *out) {
    for (int i = 0; i < 4; ++i) window_writeincr(out, window_readincr(in));
}
";

#[test]
fn a_graph_in_the_working_folder_and_outputs_are_named_as_they_stand_there() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::create_dir(folder.path().join("kernels")).expect("writable");
    let header = "#include <adf.h>\nvoid copy(input_window<int32> *in, output_window<int32> *out);\n";
    let numbers = "1\n2\n3\n4\n";
    for (file, text) in [
        ("project.cpp", GRAPH),
        ("kernels/copy.h", header),
        ("kernels/copy.cc", KERNEL),
        ("in.txt", numbers),
        ("golden.txt", numbers),
    ] {
        fs::write(folder.path().join(file), text).expect("writable");
    }
    std::env::set_current_dir(folder.path()).expect("it is there");
    for output in ["copied=golden.txt", "data/out.txt=golden.txt", "out.txt=golden.txt", "golden.txt"] {
        let ran = aiec(["sim", "project.cpp", "--golden", output]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{output}");
        assert!(ran.out.contains("data/out.txt: 4 values equal golden.txt"), "{}", ran.out);
    }
    for unknown in [["--golden", "other.txt=golden.txt"], ["--any-order", "other.txt"]] {
        let ran = aiec(["sim", "project.cpp", unknown[0], unknown[1]]);
        assert_eq!(ran.status, 1);
        assert!(ran.err.contains("input/unknown-output"), "{}", ran.err);
        assert!(ran.err.contains("one of: copied, data/out.txt"), "{}", ran.err);
    }
}
