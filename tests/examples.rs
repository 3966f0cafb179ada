//! The designs of `examples/collectives`, `examples/messages`, `examples/modules` and
//! `examples/ports`. Each runs in `aiec sim`, and its results equal the data that the plain script
//! beside it computed by the definitions of linear algebra. Every rank's part in every collective
//! equals MPI's definition.

#![allow(clippy::disallowed_methods, reason = "the test reads examples and emitted files")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use aiec_tests::{Ran, aiec, aiec_on, path};

/// Runs an example, whose `goldens` outputs equal the golden files that it names.
#[track_caller]
fn simulate(example: &str, goldens: usize) -> Ran {
    simulate_with(example, goldens, &[])
}

#[track_caller]
fn simulate_with(example: &str, goldens: usize, flags: &[&str]) -> Ran {
    let folder = if example.contains('/') { "examples" } else { "examples/collectives" };
    let design = path(&format!("{folder}/{example}.dsl"));
    let flags = flags.iter().map(|&flag| flag.to_owned());
    let ran = aiec(["sim".to_owned(), design].into_iter().chain(flags));
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.matches(" values equal ").count(), goldens, "{}", ran.out);
    ran
}

#[track_caller]
fn says(ran: &Ran, words: &str) {
    assert!(ran.out.contains(words), "expected `{words}` in\n{}", ran.out);
}

#[test]
#[ignore = "long: simulates an example"]
fn dot_products_of_slices_are_combined_by_an_allreduce() {
    let ran = simulate("dot", 4);
    says(&ran, "16 values at 4 ranks equal the definition of allreduce");
}

#[test]
#[ignore = "long: simulates an example"]
fn strips_of_a_plate_exchange_their_borders_by_sendrecv_both_ways() {
    let ran = simulate("stencil", 4);
    // Three of four strips have a neighbour on each side; five steps of a row of 16.
    says(&ran, "down: 240 values at 4 ranks equal the definition of sendrecv");
    says(&ran, "up: 240 values at 4 ranks equal the definition of sendrecv");
}

#[test]
#[ignore = "long: simulates an example"]
fn strips_of_a_plate_exchange_their_borders_element_by_element() {
    let ran = simulate("messages/stencil", 4);
    says(&ran, "timing model with profile vck190-thesis, windows, streams and collectives only:");
}

/// The same plate in 4 strips with windows, and in 8 with channels.
#[test]
#[ignore = "long: simulates an example"]
fn a_plate_is_the_same_in_any_number_of_strips_and_with_windows() {
    let plate = |strips: usize, flags: &[&str]| -> String {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let output = folder.path().display().to_string();
        simulate_with("messages/scaling", 0, &[&["--output", &output], flags].concat());
        let file = |at: usize| folder.path().join(format!("data/scaling_out_{at}.txt"));
        (0..strips).map(|at| fs::read_to_string(file(at)).expect("an output")).collect()
    };
    let whole = plate(4, &["-D", "WINDOWS=1"]);
    assert_eq!(plate(8, &["-D", "N=8", "-D", "ROWS=8"]), whole);
    assert_eq!(whole.split_whitespace().count(), 64 * 16);
}

#[test]
#[ignore = "long: simulates an example"]
fn sums_and_means_pass_in_one_loop_of_all_kernels() {
    simulate("messages/average", 4);
}

#[test]
#[ignore = "long: simulates an example"]
fn blocks_travel_around_a_ring_of_kernels_as_vectors() {
    simulate("messages/ring", 5);
}

#[test]
#[ignore = "long: simulates an example"]
fn elements_of_y_collect_their_sums_in_one_kernel_or_in_four() {
    simulate("messages/gesummv", 1);
    simulate_with("messages/gesummv", 1, &["-D", "ROWS=1"]);
    simulate_with("messages/gesummv", 1, &["-D", "ROWS=2", "-D", "WINDOWS=1"]);
}

#[test]
#[ignore = "long: simulates an example"]
fn numbers_are_sorted_by_messages_to_ranks_that_data_decides() {
    simulate("messages/mail", 6);
}

#[test]
#[ignore = "long: simulates an example"]
fn samples_are_counted_by_messages_of_different_lengths() {
    simulate("messages/histogram", 1);
}

#[test]
#[ignore = "long: simulates an example"]
fn keys_are_looked_up_at_a_server() {
    simulate("messages/store", 4);
}

#[test]
#[ignore = "long: simulates an example"]
fn kernels_compare_when_they_are_done() {
    simulate("messages/clock", 6);
}

#[test]
#[ignore = "long: simulates an example"]
fn kernels_get_what_others_have_put() {
    simulate("messages/pinboard", 4);
}

#[test]
#[ignore = "long: simulates an example"]
fn buckets_are_counted_by_a_reduction() {
    simulate("histogram", 1);
}

#[test]
#[ignore = "long: simulates an example"]
fn what_kernels_find_is_gathered_behind_headers_with_their_counts() {
    let ran = simulate("select", 1);
    // 0 + 13 + 16 + 11 + 17 + 11 + 0 samples of at most 64 from each of 7 ranks.
    says(&ran, "peaks: 68 values at 7 ranks equal the definition of gather");
}

#[test]
#[ignore = "long: simulates an example"]
fn a_matrix_is_transposed_by_an_alltoall() {
    simulate("transpose", 4);
}

// Its results do not depend on the placement of its 32 kernels.
#[test]
#[ignore = "long: simulates an example"]
fn a_vector_times_a_matrix_is_summed_along_the_columns_of_an_array() {
    let ran = simulate_with("matvec", 4, &["--unplaced"]);
    says(&ran, "y3: 8 values at 8 ranks equal the definition of reduce");
}

#[test]
#[ignore = "long: simulates an example"]
fn gesummv_scatters_a_vector_and_sums_two_products() {
    let ran = simulate("gesummv", 1);
    says(&ran, "parts: 72 values at 9 ranks equal the definition of scatter");
}

#[test]
#[ignore = "long: simulates an example"]
fn barriers_of_five_shapes_are_timed() {
    let ran = simulate("barriers", 0);
    says(&ran, "14 kernel runs");
    for output in ["tree_cycles", "rounds_cycles", "merged_cycles", "star_cycles", "hub_cycles"] {
        says(&ran, output);
    }
}

#[test]
#[ignore = "long: simulates an example"]
fn packets_fan_out_to_workers_and_their_answers_meet_again() {
    // 3 x 8 packets of a header and 16 words.
    let ran = simulate("ports/packets", 1);
    says(&ran, "408 values equal");
}

#[test]
#[ignore = "long: simulates an example"]
fn sections_of_a_filter_add_their_sums_along_the_cascade() {
    let ran = simulate("ports/cascade_fir", 1);
    says(&ran, "timing model with profile vck190-thesis, windows, streams and collectives only:");
}

#[test]
#[ignore = "long: simulates an example"]
fn kernels_write_the_ids_of_a_split_and_read_those_of_a_merge() {
    simulate("ports/headers", 1);
}

#[test]
#[ignore = "long: simulates an example"]
fn strips_of_an_image_exchange_their_borders_over_streams() {
    let ran = simulate("ports/blur", 4);
    says(&ran, "timing model with profile vck190-thesis, windows, streams and collectives only:");
}

#[test]
#[ignore = "long: simulates an example"]
fn frames_go_to_three_cores_in_turn_and_come_back_in_order() {
    let ran = simulate("ports/turns", 1);
    says(&ran, "12 kernel runs");
}

#[test]
#[ignore = "long: simulates an example"]
fn a_kernel_waits_for_the_gain_that_another_one_finds() {
    let ran = simulate("ports/agc", 2);
    says(&ran, "level: 4 values equal");
}

#[test]
#[ignore = "long: simulates an example"]
fn pairs_of_microphones_are_every_second_input() {
    simulate("ports/microphones", 1);
}

#[test]
#[ignore = "long: simulates an example"]
fn a_kernel_acquires_every_line_of_a_picture() {
    simulate("ports/frames", 1);
}

/// The designs in the table of lines, each with the file of components that it imports.
const COUNTED: [(&str, Option<&str>); 13] = [
    ("classes.dsl", None),
    ("fir_taps/fir_taps.dsl", None),
    ("multirate.dsl", None),
    ("ports/agc.dsl", None),
    ("ports/blur.dsl", None),
    ("ports/cascade_fir.dsl", None),
    ("ports/frames.dsl", None),
    ("ports/headers.dsl", None),
    ("ports/microphones.dsl", None),
    ("ports/packets.dsl", None),
    ("ports/turns.dsl", None),
    ("modules/bank.dsl", Some("modules/filters/fir.dsl")),
    ("modules/gemm.dsl", Some("modules/matmul.dsl")),
];

/// Lines that hold more than blanks and a comment.
fn lines_of_code(file: &std::path::Path) -> usize {
    let text = fs::read_to_string(file).expect("readable");
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
#[ignore = "long: builds thirteen projects"]
fn the_table_of_lines_counts_the_files_of_the_projects() {
    let mut table = String::new();
    for (name, imported) in COUNTED {
        let design = path(&format!("examples/{name}"));
        let folder = tempfile::tempdir().expect("a temporary directory");
        let project = folder.path().join("project");
        let ran = aiec(["build", &design, "-o", &project.display().to_string()]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        let files =
            ["aie/graph.h", "aie/graph.cpp", "sw/host.cpp"].map(|file| lines_of_code(&project.join(file)));
        let [header, main, host] = files;
        let imported = imported.map_or(0, |file| lines_of_code(path(&format!("examples/{file}")).as_ref()));
        let design = lines_of_code(design.as_ref()) + imported;
        writeln!(table, "| `{name}` | {design} | {header} | {main} | {host} |").expect("a string");
    }
    let readme = fs::read_to_string(path("examples/README.md")).expect("readable");
    assert!(readme.contains(&table), "examples/README.md has another table than\n{table}");
}

#[test]
#[ignore = "long: simulates an example"]
fn a_bank_of_filters_is_made_of_an_imported_component() {
    let ran = simulate("modules/bank", 4);
    says(&ran, "16 kernel runs");
}

#[test]
#[ignore = "long: simulates an example"]
fn blocks_of_a_product_of_matrices_are_added_along_the_cascade() {
    let ran = simulate("modules/gemm", 4);
    says(&ran, "24 kernel runs");
}

#[test]
#[ignore = "long: simulates an example"]
fn collectives_inside_instances_are_called_by_their_own_names() {
    let ran = simulate("modules/sensors", 2);
    says(&ran, "group[0].lowest: 128 values at 3 ranks equal the definition of reduce");
    says(&ran, "group[1].lowest: 128 values at 4 ranks equal the definition of reduce");
}

/// `modules/sensors.dsl` without components: one family for all sensors, in four collectives.
#[test]
#[ignore = "long: simulates"]
fn the_same_design_without_components_gives_the_same_data() {
    let design = include_str!("simulated/sensors/flat.dsl");
    let kernels = [
        ("sensor.cc".to_owned(), include_str!("simulated/sensors/sensor.cc").to_owned()),
        ("difference.cc".to_owned(), include_str!("../examples/modules/kernels/difference.cc").to_owned()),
    ];
    let data = |name: String| {
        let text = fs::read_to_string(path(&format!("examples/modules/data/{name}"))).expect("readable");
        (name, text)
    };
    let inputs = (0..7).map(|at| data(format!("sensors_in_{at}.txt")));
    let goldens = (0..2).map(|at| data(format!("sensors_golden_{at}.txt")));
    let files: Vec<(String, String)> = kernels.into_iter().chain(inputs).chain(goldens).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let ran = aiec_on("sim", design, &files, &[]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert_eq!(ran.out.matches("128 values equal ").count(), 2, "{}", ran.out);
}

/// The designs and files of components in a folder and below it.
fn designs_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("readable").map(|entry| entry.expect("readable").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let mut found: Vec<PathBuf> =
        files.into_iter().filter(|file| file.extension().is_some_and(|is| is == "dsl")).collect();
    found.extend(folders.iter().flat_map(|folder| designs_below(folder)));
    found.sort();
    found
}

#[test]
fn the_readme_of_the_examples_names_every_design() {
    let readme = fs::read_to_string(path("examples/README.md")).expect("readable");
    for file in designs_below(path("examples").as_ref()) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(readme.contains(&name), "examples/README.md has no row for {}", file.display());
    }
}

/// Checks every example with more arguments. Those called `*_sync` wait for each other.
fn examples_are_sound(extra: &[&str]) {
    let all = designs_below(path("examples").as_ref());
    assert!(all.len() >= 30, "{}", all.len());
    for file in all {
        let shown = file.display().to_string();
        let ran = aiec([&["check", &shown], extra].concat());
        if shown.ends_with("_sync.dsl") {
            assert!(ran.status == 1 && ran.err.starts_with("check/sync-cycle"), "{shown}: {}", ran.err);
        } else {
            assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{shown}");
        }
    }
}

#[test]
fn every_design_and_every_file_of_components_is_sound_by_itself() {
    examples_are_sound(&["--no-cxx"]);
}

#[test]
#[ignore = "long: compiles the kernels of all examples"]
fn every_design_and_every_file_of_components_is_sound_with_its_sources() {
    examples_are_sound(&[]);
}
