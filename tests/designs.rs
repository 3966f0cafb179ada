//! `aiec sim graph.cpp` on the designs of `examples/adf`: complete projects in the style of public
//! ones, compiled unmodified and compared with golden data that a plain script of the design's
//! folder computed. With `AIEC_SANITIZE` in the environment they are compiled for AddressSanitizer
//! and UndefinedBehaviorSanitizer.
#![allow(clippy::disallowed_methods, reason = "the environment says how to compile")]

use aiec_tests::{Ran, aiec, path};

/// Runs a design with additional arguments. `goldens` are names of outputs and files of the data
/// folder.
fn simulate(name: &str, goldens: &[(&str, &str)], extra: &[&str]) -> Ran {
    let output = tempfile::tempdir().expect("a temporary directory");
    let mut arguments = vec!["sim".to_owned(), path(&format!("examples/adf/{name}/graph.cpp"))];
    arguments.extend(["--output".to_owned(), output.path().display().to_string()]);
    for (output, file) in goldens {
        arguments.push("--golden".to_owned());
        arguments.push(format!("{output}={}", path(&format!("examples/adf/{name}/data/{file}"))));
    }
    arguments.extend(extra.iter().map(|&argument| argument.to_owned()));
    if std::env::var_os("AIEC_SANITIZE").is_some() {
        let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"];
        arguments.extend(sanitizers.iter().flat_map(|flag| ["--cxxflag".to_owned(), (*flag).to_owned()]));
    }
    let mut ran = aiec(arguments);
    // AddressSanitizer warns about every program that switches stacks; the runtime reports each
    // switch to it.
    ran.err = ran
        .err
        .lines()
        .filter(|line| !line.contains("makecontext"))
        .map(|line| format!("{line}\n"))
        .collect();
    ran
}

/// The design runs without a finding, its outputs are the golden ones, and three other orders give
/// equal outputs.
#[track_caller]
fn equals(name: &str, goldens: &[(&str, &str)]) {
    is_close(name, goldens, "0");
}

/// As above for floats, which may differ by this share of their magnitude.
#[track_caller]
fn is_close(name: &str, goldens: &[(&str, &str)], tolerance: &str) {
    let flags = ["--strict", "--seeds", "4", "--jobs", "2", "--tolerance", tolerance];
    let ran = simulate(name, goldens, &flags);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.matches("values equal").count(), goldens.len(), "{}", ran.out);
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn a_vision_filter_takes_coefficients_and_a_threshold_from_the_host() {
    equals("filter2d", &[("ImageOut", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn a_fir_filter_keeps_its_past_in_the_margin_of_its_window() {
    equals("fir_margin", &[("DataOut1", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn a_tree_of_adders_on_streams_and_buffers() {
    equals("adder_tree", &[("Sum", "golden.txt")]);
}

// The order of packets in a merge depends on time.
#[test]
#[ignore = "long: simulates"]
fn packets_fan_out_to_four_kernels_and_come_back_in_any_order() {
    let golden = [("Answers", "golden.txt")];
    let ran = simulate("packet_fanout", &golden, &["--strict"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("60 values equal"), "{}", ran.out);
    let ran = simulate("packet_fanout", &golden, &["--seeds", "4", "--any-order", "Answers"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("3 more seeds end the same"), "{}", ran.out);
    let ran = simulate("packet_fanout", &golden, &["--seeds", "4"]);
    assert!(ran.err.contains("--any-order"), "{}", ran.err);
}

#[test]
#[ignore = "long: simulates"]
fn four_kernels_on_a_cascade_are_one_fir_filter() {
    equals("cascade_fir", &[("SamplesOut", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn matrices_are_multiplied_tile_by_tile() {
    equals("matmul", &[("C", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn kernel_classes_have_parameters_and_a_state_of_their_own() {
    equals("class_kernels", &[("data/out.txt", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn memory_goes_through_gmio_and_back() {
    let ran = simulate("gmio_loopback", &[], &["--strict"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("GMIO transactions finished, profiled\nTEST PASSED!\n"), "{}", ran.out);
}

#[test]
#[ignore = "long: simulates"]
fn kernels_of_three_rates_fire_as_often_as_their_sizes_ask() {
    equals("multirate", &[("Out", "golden.txt")]);
    let ran = simulate("multirate", &[], &[]);
    assert!(ran.out.contains("57 kernel runs"), "3 * (4 + 3 + 12) firings: {}", ran.out);
}

// 64 words wait for the mean of their block: 8 of them in the stream (mlir-aie, DeadlockModel.md),
// 56 in the declared FIFO.
#[test]
#[ignore = "long: simulates"]
fn a_broadcast_that_meets_itself_again_runs_with_a_fifo_of_56_words() {
    equals("reconverge", &[("Out", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn the_same_broadcast_stands_still_with_one_word_less_and_says_so() {
    let ran = simulate("reconverge", &[], &["-D", "DEPTH=55"]);
    assert_eq!(ran.status, 1);
    let words = ran.words();
    for part in [
        "PLIO In (data/in.txt) waits for space at out[0] to g.difference (kernels/remove_mean.cc), port in[1]; its FIFO holds 63 of 63 words",
        "the cycle:",
        "a fifo_depth of 56 words on the connection from PLIO In (data/in.txt), port out[0] to g.difference",
    ] {
        assert!(words.contains(part), "wanted: {part}\ngot: {words}");
    }
}

#[test]
#[ignore = "long: simulates"]
fn buffers_are_acquired_as_often_as_the_data_asks() {
    equals("async_histogram", &[("Counts", "golden_counts.txt"), ("Bright", "golden_bright.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn sub_graphs_of_sub_graphs_with_places_for_everything() {
    let files: Vec<(String, String)> =
        (0..8).map(|i| (format!("Out{i}"), format!("golden{i}.txt"))).collect();
    let goldens: Vec<(&str, &str)> =
        files.iter().map(|(name, file)| (name.as_str(), file.as_str())).collect();
    equals("subgraphs", &goldens);
}

// Single precision, and the spectrum of a sum is small where its parts cancel.
#[test]
#[ignore = "long: simulates"]
fn a_fourier_transform_by_stages_of_radix_two() {
    is_close("fft", &[("Spectrum", "golden_spectrum.txt"), ("Power", "golden_power.txt")], "1e-4");
}

// The kernel's exponential is good to three digits.
#[test]
#[ignore = "long: simulates"]
fn softmax_of_floats() {
    is_close("softmax", &[("Shares", "golden.txt")], "1e-3");
}

#[test]
#[ignore = "long: simulates"]
fn numbers_are_sorted_by_shuffles_and_masks() {
    equals("sort", &[("Sorted", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn parameters_are_read_back_and_passed_from_kernel_to_kernel() {
    let goldens = [("Out", "golden_out.txt"), ("Followed", "golden_followed.txt")];
    let ran = simulate("inout_state", &goldens, &["--strict"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("24 negative, 16 zero, 24 positive\n"), "{}", ran.out);
}

// PLIO pointers, a platform, lane counts in names, intrinsics, a main program for the other
// simulator.
#[test]
#[ignore = "long: simulates"]
fn a_design_of_2020_runs_unmodified() {
    equals("legacy_fir", &[("DataOut0", "golden.txt")]);
}

#[test]
#[ignore = "long: simulates"]
fn a_design_runs_the_same_when_clang_compiles_it() {
    let clang = ["clang++", "clang++-14", "clang++-16", "clang++-18"];
    let there = |name: &&str| std::process::Command::new(name).arg("--version").output().is_ok();
    let Some(clang) = clang.into_iter().find(there) else { return };
    let ran = simulate("fir_margin", &[("DataOut1", "golden.txt")], &["--strict", "--cxx", clang]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("512 values equal"), "{}", ran.out);
}
