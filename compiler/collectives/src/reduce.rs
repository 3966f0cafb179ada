//! Reduce: the root gets the combination of all ranks' data.

use super::rooted::{BINOMIAL, CASCADE, CHAIN, FLAT, HUB, STREAM, TREE};
use super::table::{Algorithm, Call, PLAIN, Row};
use super::{Class, Seat, merge::MERGE};

pub(crate) static ROW: Row = Row {
    name: "reduce",
    noun: "reduction",
    has_root: true,
    names_root: true,
    combines: true,
    call: Call::InPlace,
    has_result: true,
    algorithms: &[
        Algorithm { class: tree, ..TREE },
        Algorithm { class: tree, ..BINOMIAL },
        Algorithm { class: tree, ..CHAIN },
        Algorithm { class: tree, ..FLAT },
        Algorithm {
            header: |_| "reduce_merge",
            class: |seat| match seat.is_root() {
                true => seat.merge_root("reduce_merge"),
                false => seat.merge_leaf("reduce_merge_leaf"),
            },
            ..MERGE
        },
        Algorithm { class: tree, ..HUB },
        Algorithm { header: |_| "reduce_cascade", class: cascade, ..CASCADE },
        Algorithm { header: |_| "reduce_stream", class: stream, ..STREAM },
    ],
    arrays: |data, _| (data.block(), 0),
    result: |call, rank| call.is_root(rank).then(|| call.combined(0..call.ranks(), 0)),
    sentence: "`{root}` gets the {block} of {ranks} kernels combined{with}",
    ..PLAIN
};

fn tree(seat: &Seat<'_>) -> Class {
    let outputs = seat.outputs + usize::from(seat.result);
    let arguments =
        [seat.inputs.to_string(), outputs.to_string(), seat.before().to_string(), seat.is_root().to_string()];
    Class::with("reduce_tree", arguments.into())
}

/// A rank of a cascade: whether it is the first and the last, and its windows for the result.
fn cascade(seat: &Seat<'_>) -> Class {
    let ends = [seat.rank.0 == 0, seat.rank.0 + 1 == seat.plan.size].map(|end| end.to_string());
    let result = seat.result.then(|| "1".to_owned());
    Class::with("reduce_cascade", ends.into_iter().chain(result).collect())
}

fn stream(seat: &Seat<'_>) -> Class {
    Class { name: "reduce_stream", ..tree(seat) }
}
