//! Barrier: no rank goes on before all have come.

use super::butterfly::{BUTTERFLY, rounds_up};
use super::merge::MERGE;
use super::rooted::{BINOMIAL, CHAIN, FLAT, HUB, TREE};
use super::table::{Algorithm, Call, PLAIN, Row, Ways};
use super::{Cell, Class, Link, Plan, Rank, Seat, Step};

pub(crate) static ROW: Row = Row {
    name: "barrier",
    noun: "barrier",
    names_root: true,
    call: Call::Plain,
    ways: Ways::Both,
    algorithms: &[
        Algorithm { class: tree, ..TREE },
        Algorithm { class: tree, ..BINOMIAL },
        Algorithm { class: tree, ..CHAIN },
        Algorithm { class: tree, ..FLAT },
        Algorithm {
            header: |_| "barrier_merge",
            class: |seat| if seat.is_root() { seat.merge_root("barrier_merge") } else { tree(seat) },
            ..MERGE
        },
        Algorithm { class: tree, ..HUB },
        Algorithm {
            word: "dissemination",
            links: |plan, _| {
                let round = |round: u32| {
                    Rank::all(plan.size)
                        .map(move |rank| Link { from: rank, to: vec![plan.after(rank, 1 << round)] })
                };
                (0..rounds_up(plan.size)).flat_map(round).collect()
            },
            program: |plan, _, _| plan.steps(disseminate(plan)),
            class: |seat| Class::new("barrier_dissemination", [seat.inputs]),
            ..BUTTERFLY
        },
    ],
    sentence: "each of {ranks} kernels waits until all have arrived",
    ..PLAIN
};

fn tree(seat: &Seat<'_>) -> Class {
    seat.both_ways("barrier_tree")
}

/// In round `k` every rank signals rank + 2^k. After the last round every rank has heard, directly
/// or not, from all.
fn disseminate(plan: &Plan) -> Vec<Step> {
    let data = Cell::Own(0);
    let rounds = 0..rounds_up(plan.size);
    rounds.flat_map(|k| [Step::send(data, k), Step::combine(k, true, data, data)]).collect()
}
