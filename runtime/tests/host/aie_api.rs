//! The AIE API against its definitions: each case is a program that compares the headers with loops
//! written from the documentation, on seeded numbers, under AddressSanitizer and
//! UndefinedBehaviorSanitizer. It prints differences.

use crate::bench::Case;

/// Unoptimised, without debug information: these programs take longer to compile than to run.
const SANITIZED: [&str; 6] = [
    "-std=c++20",
    "-O0",
    "-g0",
    "-fno-strict-aliasing",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
];

/// AddressSanitizer finds what these checks of pointers find. They take a quarter of the compiler's
/// time.
const NO_POINTERS: &str = "-fno-sanitize=null,alignment,object-size";

#[track_caller]
fn assert_agrees(name: &str, flags: &[&str]) {
    let run = Case::with(&[name], &[&SANITIZED, flags].concat()).run();
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
}

#[test]
#[ignore = "long: compiles for seconds"]
fn numbers_round_saturate_wrap_and_accumulate_as_documented() {
    assert_agrees("aie_numbers", &[NO_POINTERS]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn lanes_go_where_the_documentation_says() {
    assert_agrees("aie_lanes", &[NO_POINTERS]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn memory_is_reached_through_pointers_iterators_and_tables() {
    // Pointers that are not aligned are the runtime's to report, not the sanitizer's.
    assert_agrees("aie_memory", &["-fsanitize-recover=alignment,null", "-DAIEC_CHECK_ALIGNMENT"]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn numbers_also_agree_with_the_widths_of_aie_ml() {
    assert_agrees("aie_numbers", &[NO_POINTERS, "-D__AIE_ARCH__=20"]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn multiplication_intrinsics_take_the_lanes_that_the_formula_says() {
    assert_agrees("aie_macs", &[NO_POINTERS]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn intrinsics_of_floats_and_of_lanes_do_what_their_page_says() {
    assert_agrees("aie_floats", &[NO_POINTERS]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn stages_of_ffts_and_their_intrinsics_are_the_transform() {
    assert_agrees("aie_fft", &[NO_POINTERS]);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn what_only_aie_ml_has_agrees_too() {
    assert_agrees("aie_ml", &[NO_POINTERS, "-D__AIE_ARCH__=20"]);
}

/// Two firings of eight values: ties at odd halves, and one that 16 bits cannot hold.
const VALUES: &str = "1 3 -1 -3 4 65536 -65538 7 1 3 -1 -3 4 65536 -65538 7";

fn lines(text: &str) -> Vec<i32> {
    text.split_whitespace().map(|word| word.parse().expect("outputs are numbers")).collect()
}

#[test]
#[ignore = "long: compiles for seconds"]
fn modes_belong_to_a_kernel_and_last_from_firing_to_firing() {
    let case = Case::new("aie_core");
    case.input("in.txt", VALUES);
    case.run().assert_clean();
    let by_default = [0, 1, -1, -2, 2, -32768, 32767, 3];
    let by_mode = [0, 2, 0, -2, 2, 32767, -32768, 4];
    assert_eq!(lines(&case.output("first.txt")), [by_default, by_mode].concat());
    assert_eq!(lines(&case.output("second.txt")), [by_default, by_default].concat());
    let rounded = [0, 2, 0, -2, 2, -32768, 32767, 4];
    assert_eq!(lines(&case.output("third.txt")), [rounded, rounded].concat());
}

#[test]
#[ignore = "long: compiles for seconds"]
fn a_misaligned_load_names_kernel_port_iteration_and_line() {
    let case = Case::linked(&["aie_core"], &["-DMISALIGNED"]);
    case.input("in.txt", VALUES);
    let run = case.run();
    run.assert_fails("kernel 1 (aie_core.cpp), port in[0]: a vector access of 32 bytes is not aligned to 16 bytes (it is 4 bytes off)");
    run.assert_fails("in iteration 0, at ");
    run.assert_fails("aie_core.cpp:23");
}

/// Column 3, row 2 of the cores, which is row 3 of the array: another placement, another number.
#[test]
#[ignore = "long: compiles for seconds"]
fn the_number_of_a_tile_is_noted_to_change_with_placement() {
    let case = Case::new("coreid");
    let run = case.run_with(&[("AIEC_SIM_STRICT", "1")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("note: ") && run.stderr.contains("changes with placement"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "once: {}", run.stderr);
    let case_output = case.output("out.txt");
    assert!(case_output.split_whitespace().all(|word| word == "196611"), "{case_output}");
}
