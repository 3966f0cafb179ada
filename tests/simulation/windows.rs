//! Asynchronous windows: as many in a run as the design states.

use std::fs;

use aiec_tests::aiec;

use super::{fails, numbers, simulate};

/// A kernel that sums up `windows` windows of 4 in every run. The design states `said` windows. The
/// data is at `endpoint`.
fn frames(endpoint: &str, said: &str) -> String {
    include_str!("../simulated/frames/d.dsl").replace("ENDPOINT", endpoint).replace(" WINDOWS", said)
}

/// The kernel of `frames`; `count` is a C++ expression that may use `run`, the number of the run.
fn frames_kernel(count: &str) -> String {
    include_str!("../simulated/frames/k.cc").replace("COUNT", count)
}

#[test]
#[ignore = "long: simulates"]
fn eighty_windows_in_a_run_move_through_host_main_and_data() {
    let data = numbers(0, 1, 2 * 80 * 4);
    for endpoint in ["plio(32, \"i.txt\")", "gmio(\"i.txt\")"] {
        let files = [("k.cc", &*frames_kernel("80")), ("i.txt", &*data)];
        let design = frames(endpoint, " windows 8 * 10");
        let ran = simulate(&design, &files, &["--unplaced"]);
        assert_eq!(ran.status, 0, "{endpoint}: {}", ran.err);
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = |name: &str| directory.path().join(name);
        fs::write(file("d.dsl"), &design).expect("writable");
        files.iter().for_each(|(name, text)| fs::write(file(name), text).expect("writable"));
        let project = file("project").display().to_string();
        let ran = aiec(["build", &file("d.dsl").display().to_string(), "-o", &project]);
        assert_eq!(ran.status, 0, "{endpoint}: {}", ran.err);
        let text = |name: &str| fs::read_to_string(file("project").join(name)).expect("written");
        let host = text("sw/host.cpp");
        assert!(host.contains("i_windows = 80;") && host.contains("i_window = 4;"), "{endpoint}: {host}");
        assert!(host.contains("iterations = 2;"), "{endpoint}: {host}");
        assert!(text("data/README.md").contains("640 values"), "{endpoint}: {}", text("data/README.md"));
        assert!(text("README.md").contains("640 int32"), "{endpoint}: {}", text("README.md"));
        if endpoint.starts_with("gmio") {
            let main = text("aie/graph.cpp");
            assert!(main.contains("std::size_t{iterations} * 80 * 4;"), "{main}");
        }
    }
}

// The data suffices, so that only the count can show that the host would send one window for 80.
#[test]
#[ignore = "long: simulates"]
fn another_number_of_windows_than_the_design_says_is_an_error_with_both() {
    let (data, kernel) = (numbers(0, 1, 2 * 90 * 4), frames_kernel("80"));
    let files = [("k.cc", &*kernel), ("i.txt", &*data)];
    let plio = simulate(&frames("plio(32, \"i.txt\")", ""), &files, &["--unplaced"]);
    fails(&plio, "sim/windows-per-run", &["acquired 80 windows", "`k.x`", "which means 1", "windows 80`"]);
    let gmio = simulate(&frames("gmio(\"i.txt\")", ""), &files, &["--unplaced"]);
    fails(&gmio, "sim/windows-per-run", &["`k.x`", "waits for another", "which means 1"]);
    assert!(!gmio.err.contains("sim/deadlock"), "the number is the cause: {}", gmio.err);
    let less = simulate(&frames("gmio(\"i.txt\")", " windows 90"), &files, &["--unplaced"]);
    fails(&less, "sim/windows-per-run", &["acquired 80 windows of `k.x`", "the design says 90"]);
    assert!(!less.err.contains("sim/deadlock"), "the number is the cause: {}", less.err);
}

#[test]
fn a_kernel_whose_number_varies_cannot_stand_at_the_edge() {
    let data = numbers(0, 1, 8 * 4);
    let kernel = frames_kernel("(run == 0 ? 1 : 3)");
    let files = [("k.cc", &*kernel), ("i.txt", &*data)];
    let ran = simulate(&frames("plio(32, \"i.txt\")", " windows 2"), &files, &["--unplaced"]);
    fails(&ran, "sim/windows-per-run", &["between 1 and 3 windows of `k.x`", "if the number must vary"]);
}

#[test]
#[ignore = "long: simulates"]
fn too_little_data_for_many_windows_says_how_much_is_needed() {
    let kernel = frames_kernel("80");
    let files = [("k.cc", &*kernel), ("i.txt", "1 2 3\n")];
    let ran = simulate(&frames("plio(32, \"i.txt\")", " windows 80"), &files, &["--unplaced"]);
    fails(&ran, "sim/input", &["`i`", "3 values", "640 values are needed"]);
}
