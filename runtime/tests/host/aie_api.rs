//! The AIE API against its definitions: each case is a program that compares the headers with loops written from the
//! documentation, on seeded numbers, under AddressSanitizer and UndefinedBehaviorSanitizer. It prints what differs.

use crate::bench::Case;

/// Unoptimised: these programs take longer to compile than to run.
const SANITIZED: [&str; 5] = [
    "-std=c++20",
    "-O0",
    "-fno-strict-aliasing",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
];

#[track_caller]
fn assert_agrees(name: &str, flags: &[&str]) {
    let run = Case::with(&[name], &[&SANITIZED, flags].concat()).run();
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
}

#[test]
fn numbers_round_saturate_wrap_and_accumulate_as_documented() {
    assert_agrees("aie_numbers", &[]);
}

#[test]
fn lanes_go_where_the_documentation_says() {
    assert_agrees("aie_lanes", &[]);
}

#[test]
fn memory_is_reached_through_pointers_iterators_and_tables() {
    assert_agrees("aie_memory", &[]);
}

#[test]
fn numbers_also_agree_with_the_widths_of_aie_ml() {
    assert_agrees("aie_numbers", &["-D__AIE_ARCH__=20"]);
}
