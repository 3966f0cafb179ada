//! Every collective in every shape at 2, 3, 7, 16 and 63 ranks, for three element types and for
//! blocks of one window, of several and with a tail. Each is emitted, compiled, run and compared at
//! every rank with plain loops after MPI's definitions (`mpi.h`).
//!
//! Element types and kinds of block form a Latin square. Of its three diagonals each collective
//! takes one at few ranks: there it meets every type and every kind of block, not every pair of
//! them. At 63 ranks it takes one cell.
//!
//! A program holds a family of kernels for each collective, so one compilation serves many. Code
//! that depends only on element type and kind of block is compiled once for all shapes and numbers
//! of ranks. Designs are not placed, since their results do not depend on the placement; the device
//! has rows enough for all of them.
#![allow(clippy::disallowed_methods, reason = "these tests compile and run C++ programs")]

mod cases;
mod host;
mod illegal;
mod safety;

use cases::{Blocks, Case, Element, cases};
use host::{Checks, Program};

/// The numbers of ranks.
const SIZES: [u32; 4] = [2, 3, 7, 16];
/// A number of ranks whose trees are deep.
const MANY: u32 = 63;

/// Compiles and runs cases as one program, with kernels taking turns in two orders; with many ranks
/// in one.
#[track_caller]
fn run(name: &str, cases: &[Case], checks: Checks) {
    let design = cases::design(cases);
    let sources: Vec<(String, String)> = (0..).zip(cases).map(|(at, case)| case.source(at)).collect();
    let program = Program::compile(name, &design, &sources);
    let calls: u32 = cases.iter().map(|case| case.ranks * 2).sum();
    // Few ranks show what depends on the order; many take ten times as long.
    let seeds: &[u64] = if cases.iter().any(|case| case.ranks > 16) { &[23] } else { &[1, 23] };
    for &seed in seeds {
        let said = program.run(seed, checks);
        assert!(said.ends_with(&format!("{calls} calls, 0 wrong\n")), "{name}, seed {seed}:\n{said}");
    }
}

/// The cases that move data of one element type in one kind of block. Of the diagonals of the Latin
/// square, operation, shape and number of ranks choose one.
fn moving(ranks: u32, diagonal: usize, element: Element, blocks: Blocks) -> impl Iterator<Item = Case> {
    let on_it = move |case: &Case| (case.number + ranks as usize) % 3 == diagonal;
    cases(ranks, element, blocks).into_iter().filter(move |case| case.moves_data() && on_it(case))
}

/// A cell of the Latin square over few ranks.
#[track_caller]
fn few(element: Element, blocks: Blocks) {
    let diagonal = (element as usize + blocks as usize) % 3;
    let all = SIZES.into_iter().flat_map(|ranks| moving(ranks, diagonal, element, blocks));
    run(&format!("{element}_{blocks}_few"), &all.collect::<Vec<_>>(), Checks::All);
}

#[test]
#[ignore = "long: the whole matrix"]
fn int32_in_one_window() {
    few(Element::Int32, Blocks::OneWindow);
}

#[test]
#[ignore = "long: the whole matrix"]
fn int32_in_several_windows() {
    few(Element::Int32, Blocks::SeveralWindows);
}

#[test]
#[ignore = "long: the whole matrix"]
fn int32_with_a_tail() {
    few(Element::Int32, Blocks::WithTail);
}

#[test]
#[ignore = "long: the whole matrix"]
fn float_in_one_window() {
    few(Element::Float, Blocks::OneWindow);
}

#[test]
#[ignore = "long: the whole matrix"]
fn float_in_several_windows() {
    few(Element::Float, Blocks::SeveralWindows);
}

#[test]
#[ignore = "long: the whole matrix"]
fn float_with_a_tail() {
    few(Element::Float, Blocks::WithTail);
}

#[test]
#[ignore = "long: the whole matrix"]
fn int16_in_one_window() {
    few(Element::Int16, Blocks::OneWindow);
}

#[test]
#[ignore = "long: the whole matrix"]
fn int16_in_several_windows() {
    few(Element::Int16, Blocks::SeveralWindows);
}

#[test]
#[ignore = "long: the whole matrix"]
fn int16_with_a_tail() {
    few(Element::Int16, Blocks::WithTail);
}

/// A third of the collectives has int32 in one window, a third float in several, a third int16 with
/// a tail. The runtime does not watch the memory beside windows: this takes longer than everything
/// else and would find nothing that fewer ranks do not show.
#[test]
#[ignore = "long: the whole matrix"]
fn many_ranks() {
    let cells = [
        (Element::Int32, Blocks::OneWindow),
        (Element::Float, Blocks::SeveralWindows),
        (Element::Int16, Blocks::WithTail),
    ];
    let all =
        cells.into_iter().enumerate().flat_map(|(at, (element, blocks))| moving(MANY, at, element, blocks));
    run("many", &all.collect::<Vec<_>>(), Checks::OfPorts);
}

/// Barriers and clocks have neither types nor blocks.
#[test]
#[ignore = "long: compiles a barrier and a clock of each shape"]
fn barriers() {
    let signals =
        |ranks| cases(ranks, Element::Int32, Blocks::OneWindow).into_iter().filter(|case| !case.moves_data());
    run("barriers", &SIZES.into_iter().chain([MANY]).flat_map(signals).collect::<Vec<_>>(), Checks::All);
}
