//! Broadcast: every rank gets the root's data.

use super::rooted::{BINOMIAL, CHAIN, FLAT, HUB, STREAM_TO_ALL, TREE};
use super::table::{Algorithm, Call, PLAIN, Row, Ways};
use super::{Class, Seat};

pub(crate) static ROW: Row = Row {
    name: "broadcast",
    noun: "broadcast",
    has_root: true,
    names_root: true,
    call: Call::InPlace,
    ways: Ways::Down,
    algorithms: &[
        Algorithm { class: tree, ..TREE },
        Algorithm { class: tree, ..BINOMIAL },
        Algorithm { class: tree, ..CHAIN },
        Algorithm { class: tree, ..FLAT },
        Algorithm { class: tree, ..HUB },
        Algorithm { header: |_| "broadcast_stream", class: stream, ..STREAM_TO_ALL },
    ],
    arrays: |data, _| (data.block(), 0),
    result: |call, _| Some(Ok(call.of_rank(call.root()))),
    sentence: "{ranks} kernels get the {block} of `{root}`",
    ..PLAIN
};

fn tree(seat: &Seat<'_>) -> Class {
    Class::new("broadcast_tree", [seat.inputs, seat.outputs])
}

fn stream(seat: &Seat<'_>) -> Class {
    Class::new("broadcast_stream", [seat.inputs, seat.outputs])
}
