//! Every collective in every shape at 2, 3, 7, 16 and 63 ranks, for three element types and for blocks of one window, of several and
//! with a tail: emitted, compiled, run and compared with plain loops after MPI's definitions (`mpi.h`), at every rank.
//!
//! A program holds a family of kernels for each collective, so one compilation serves many. Designs are not placed, since what they
//! compute does not depend on where they lie; the device has rows enough for all of them.
//! The ordinary run takes one type and one kind of block for each collective, shape and number of ranks, and all of them over
//! the whole; `cargo test -p aiec_tests --test matrix -- --ignored` takes them all.
#![allow(clippy::disallowed_methods, reason = "these tests compile and run C++ programs")]

mod cases;
mod host;
mod illegal;
mod safety;

use cases::{Case, cases};
use host::Program;

/// The numbers of ranks.
const SIZES: [u32; 5] = [2, 3, 7, 16, 63];

/// Compiles and runs cases as one program, with kernels taking turns in two orders.
#[track_caller]
fn run(name: &str, cases: &[Case]) {
    let (header, design) = (include_str!("mpi.h"), cases::design(cases));
    let sources: Vec<(String, String)> = (0..).zip(cases).map(|(at, case)| case.source(at)).collect();
    let program = Program::compile(name, &design, &sources, ("mpi.h", header));
    let calls: u32 = cases.iter().map(|case| case.ranks * 2).sum();
    for seed in [1, 23] {
        let said = program.run(seed);
        assert!(said.ends_with(&format!("{calls} calls, 0 wrong\n")), "{name}, seed {seed}:\n{said}");
    }
}

/// For each collective and shape over so many ranks one type and kind of block; others for other numbers of ranks and shapes.
fn some(ranks: u32) {
    let turn = SIZES.iter().position(|&size| size == ranks).unwrap_or(0);
    let chosen: Vec<Case> = cases(ranks)
        .into_iter()
        .filter(|case| case.variant() == (2 * case.number + turn + case.number / 9) % 9)
        .collect();
    run(&format!("some_{ranks}"), &chosen);
}

#[test]
fn collectives_of_2_ranks() {
    some(2);
}

#[test]
fn collectives_of_3_ranks() {
    some(3);
}

#[test]
fn collectives_of_7_ranks() {
    some(7);
}

#[test]
fn collectives_of_16_ranks() {
    some(16);
}

#[test]
fn collectives_of_63_ranks() {
    some(63);
}

/// Every type and kind of block for each collective and shape over so many ranks: a program for each of the nine pairs.
fn all(ranks: u32) {
    for variant in 0..9 {
        let chosen: Vec<Case> = cases(ranks).into_iter().filter(|case| case.variant() == variant).collect();
        run(&format!("all_{ranks}_{variant}"), &chosen);
    }
}

#[test]
#[ignore = "one of five parts of the whole matrix: minutes of compilation"]
fn all_collectives_of_63_ranks() {
    all(63);
}

#[test]
#[ignore = "one of five parts of the whole matrix: minutes of compilation"]
fn all_collectives_of_16_ranks() {
    all(16);
}

#[test]
#[ignore = "one of five parts of the whole matrix: minutes of compilation"]
fn all_collectives_of_7_ranks() {
    all(7);
}

#[test]
#[ignore = "one of five parts of the whole matrix: minutes of compilation"]
fn all_collectives_of_3_ranks() {
    all(3);
}

#[test]
#[ignore = "one of five parts of the whole matrix: minutes of compilation"]
fn all_collectives_of_2_ranks() {
    all(2);
}
