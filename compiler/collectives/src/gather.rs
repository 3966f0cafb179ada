//! Gather: the root gets the data of all ranks, side by side or where counts and strides say.

use super::merge::MERGE;
use super::rooted::{BINOMIAL, CHAIN, FLAT, HUB, Node, STREAM, TREE, phase, streamed};
use super::table::{Algorithm, PLAIN, Row};
use super::{Cell, Class, Phase, Plan, Rank, Seat, Step, Tree};

pub(crate) static ROW: Row = Row {
    name: "gather",
    noun: "gather",
    has_root: true,
    names_root: true,
    lays_out: true,
    heads: true,
    algorithms: &[
        Algorithm { program, class: tree, header, most_steps, ..TREE },
        Algorithm { program, class: tree, header, most_steps, ..BINOMIAL },
        Algorithm { program, class: tree, header, most_steps, ..CHAIN },
        Algorithm { program, class: tree, header, most_steps, ..FLAT },
        Algorithm {
            header: |_| "gather_merge",
            class: |seat| match seat.is_root() {
                true => seat.merge_root("gather_merge"),
                false => seat.merge_leaf("gather_merge_leaf"),
            },
            most_steps,
            ..MERGE
        },
        Algorithm { program, class: tree, header, most_steps, ..HUB },
        Algorithm {
            program: |plan, tree, rank| streamed(program(plan, tree, rank)),
            header: |_| "gather_stream",
            class: |seat| seat.blocks("gather_stream_root", "gather_stream"),
            most_steps,
            ..STREAM
        },
    ],
    arrays: |data, rank| (data.own(rank), if data.is_root(rank) { data.whole() } else { 0 }),
    result: |call, rank| call.is_root(rank).then(|| Ok(call.gathered())),
    sentence: "`{root}` gets the blocks of {ranks} kernels, {block} each",
    ..PLAIN
};

fn header(plan: &Plan) -> &'static str {
    if plan.headed { "gather_headed" } else { "gather" }
}

fn tree(seat: &Seat<'_>) -> Class {
    if seat.plan.headed {
        return seat.blocks("gather_headed_root", "gather_headed_tree");
    }
    seat.blocks("gather_root", "gather_tree")
}

/// Each rank forwards the header and block of every later rank.
fn most_steps(ranks: u64) -> u64 {
    ranks.saturating_mul(2)
}

/// Sends its block, then its children's, child by child; the root stores all.
fn program(plan: &Plan, tree: &Tree, rank: Rank) -> Vec<Phase> {
    let node = Node::of(plan, tree, rank);
    let own = plan.windows_of(rank);
    if node.is_root() {
        let first = Step::copy(Cell::Own(0), Cell::Found(rank.0));
        let others = node.subtrees().flat_map(|(port, ranks)| {
            let header = plan.headed.then(|| (1, Step::read(port)));
            let of = move |rank: Rank| {
                let block = (plan.windows_of(rank), Step::receive(port, Cell::Found(rank.0)));
                header.clone().into_iter().chain([block])
            };
            ranks.into_iter().flat_map(of)
        });
        return std::iter::once((own, first)).chain(others).map(phase).collect();
    }
    let header = plan.headed.then(|| (1, Step::announce(0)));
    let block = (own, Step::send(Cell::Own(0), 0));
    let below = node.passing(|port| Step::forward(port, 0));
    header.into_iter().chain([block]).chain(below).map(phase).collect()
}
