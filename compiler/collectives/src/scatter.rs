//! Scatter: every rank gets its block of the root's data.

use super::rooted::{BINOMIAL, CHAIN, FLAT, HUB, Node, STREAM, TREE, phase, streamed};
use super::table::{Algorithm, PLAIN, Row, Ways, Wire};
use super::{Cell, Class, Phase, Plan, Rank, Seat, Step, Tree};

pub(crate) static ROW: Row = Row {
    name: "scatter",
    noun: "scatter",
    has_root: true,
    names_root: true,
    lays_out: true,
    ways: Ways::Down,
    algorithms: &[
        Algorithm { program, class, most_steps, ..TREE },
        Algorithm { program, class, most_steps, ..BINOMIAL },
        Algorithm { program, class, most_steps, ..CHAIN },
        Algorithm {
            program,
            class,
            most_steps,
            multicast: false,
            wires: |_| vec![Wire::Rooted { function: "flat", number: None, ways: Ways::Down }],
            ..FLAT
        },
        Algorithm { program, class, most_steps, ..HUB },
        Algorithm {
            program: |plan, tree, rank| streamed(program(plan, tree, rank)),
            header: |_| "scatter_stream",
            class: |seat| seat.blocks("scatter_stream_root", "scatter_stream"),
            most_steps,
            ..STREAM
        },
    ],
    arrays: |data, rank| (if data.is_root(rank) { data.whole() } else { 0 }, data.own(rank)),
    result: |call, rank| Some(Ok(call.scattered(rank))),
    sentence: "each of {ranks} kernels gets its block of `{root}`'s array, {block}",
    ..PLAIN
};

fn class(seat: &Seat<'_>) -> Class {
    seat.blocks("scatter_root", "scatter_tree")
}

/// The root sends the blocks of all ranks.
fn most_steps(ranks: u64) -> u64 {
    ranks.saturating_mul(2)
}

/// Takes its block, then passes on its children's, child by child; the root sends all.
fn program(plan: &Plan, tree: &Tree, rank: Rank) -> Vec<Phase> {
    let node = Node::of(plan, tree, rank);
    let own = plan.windows_of(rank);
    if node.is_root() {
        let first = Step::copy(Cell::Own(rank.0), Cell::Found(0));
        let others = node.subtrees().flat_map(|(port, ranks)| {
            ranks.into_iter().map(move |rank| (rank, Step::send(Cell::Own(rank.0), port)))
        });
        let others = others.map(|(rank, step)| (plan.windows_of(rank), step));
        return std::iter::once((own, first)).chain(others).map(phase).collect();
    }
    let below = node.passing(|port| Step::forward(0, port));
    std::iter::once((own, Step::receive(0, Cell::Found(0)))).chain(below).map(phase).collect()
}
