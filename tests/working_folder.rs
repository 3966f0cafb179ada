//! Paths without a folder. One test alone: the working folder belongs to the whole process.
#![allow(clippy::disallowed_methods, reason = "the test goes to a folder")]

use aiec_test_support::folder::{Folder, GRAPH};
use aiec_tests::aiec;

#[test]
#[ignore = "long: simulates"]
fn a_graph_in_the_working_folder_and_outputs_are_named_as_they_stand_there() {
    let folder = Folder::with(&GRAPH);
    folder.write("golden.txt", &folder.read("in.txt"));
    std::env::set_current_dir(folder.path("")).expect("it is there");
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
