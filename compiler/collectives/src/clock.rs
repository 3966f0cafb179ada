//! Clock: every rank learns by how much its counter of cycles is ahead of that of rank 0.
//!
//! Global clock synchronisation of the XK-XMP-64 note (3.2). Pairs of ranks exchange the times of
//! their counters in two ping-pongs. Over a hypercube (`butterfly`) they do so in one dimension
//! after the other, and the rank with the larger number adjusts its clock. All pairs of a dimension
//! between the same two halves should find one difference, so each takes the mean of theirs.
//! Surplus ranks of a butterfly fold into their neighbours first. In a tree children adjust their
//! clocks to their parents.

use super::allreduce::{fold_links, folding};
use super::butterfly::{BUTTERFLY, Fold};
use super::rooted::{BINOMIAL, CHAIN, HUB, TREE};
use super::table::{Algorithm, Call, PLAIN, Row, Ways, Wire};
use super::{Cell, Class, Phase, Plan, Rank, Seat, Shape, Step, Tree};

/// The class of a kernel outside the group.
const OUTSIDE: &str = "clock_outside";

pub(crate) static ROW: Row = Row {
    name: "clock",
    noun: "clock",
    call_name: Some("sync"),
    call: Call::Plain,
    leaves_out_calls: true,
    ways: Ways::Both,
    default: Shape::Butterfly,
    algorithms: &[
        Algorithm { program: up_and_down, class: tree, outside: OUTSIDE, ..TREE },
        Algorithm { program: up_and_down, class: tree, outside: OUTSIDE, ..BINOMIAL },
        Algorithm { program: up_and_down, class: tree, outside: OUTSIDE, ..CHAIN },
        Algorithm {
            links: |plan, _| fold_links(&Fold::of(plan.size)),
            program: |plan, _, rank| plan.steps(dimensions(plan, rank)),
            most_steps: |ranks| {
                let rounds = u64::from(u64::BITS - ranks.leading_zeros());
                rounds.saturating_mul(rounds + 5).saturating_add(6)
            },
            class: |seat| Class { keeps_number: true, ..folding("clock_butterfly", seat) },
            outside: OUTSIDE,
            wires: |_| vec![Wire::Plain("hypercube")],
            ..BUTTERFLY
        },
        Algorithm { program: up_and_down, class: tree, outside: OUTSIDE, ..HUB },
    ],
    sentence: "each of {ranks} kernels learns by how many cycles its counter is ahead of that of the first one",
    ..PLAIN
};

fn tree(seat: &Seat<'_>) -> Class {
    Class { keeps_number: true, ..seat.both_ways("clock_tree") }
}

/// Steps of the reference rank of a pair: two round trips of time stamps. The second begins with
/// the answer of the first, and both ranks end with the data of both.
fn gives_time(from: u32, to: u32) -> [Step; 5] {
    let data = Cell::Own(0);
    [
        Step::announce(to),
        Step::combine(from, true, data, data),
        Step::send(data, to),
        Step::read(from),
        Step::announce(to),
    ]
}

/// Steps of the rank that takes the time of the reference rank `from`.
fn takes_time(from: u32, to: u32) -> [Step; 5] {
    let data = Cell::Own(0);
    [Step::read(from), Step::send(data, to), Step::receive(from, data), Step::announce(to), Step::read(from)]
}

/// The ranks of a hypercube, one dimension after the other. Those that adjust their clocks then
/// take the mean of what they found, over the dimensions before.
fn dimensions(plan: &Plan, rank: Rank) -> Vec<Step> {
    let (fold, data) = (Fold::of(plan.size), Cell::Own(0));
    let Some(number) = fold.number(rank) else {
        return gives_time(0, 0).into_iter().chain([Step::receive(0, data)]).collect();
    };
    let keeps = fold.keeps(rank);
    let first = u32::from(keeps);
    let mut steps = Vec::new();
    if keeps {
        steps.extend(takes_time(0, fold.rounds));
    }
    for round in 0..fold.rounds {
        if number >> round & 1 == 0 {
            steps.extend(gives_time(first + round, round));
            continue;
        }
        steps.extend(takes_time(first + round, round));
        steps.extend((0..round).flat_map(|before| [Step::announce(before), Step::read(first + before)]));
    }
    if keeps {
        steps.push(Step::send(data, fold.rounds));
    }
    steps
}

/// A rank of a tree: its children take its time, then it takes that of its parent. Offsets from the
/// root come down.
fn up_and_down(plan: &Plan, tree: &Tree, rank: Rank) -> Vec<Phase> {
    let children = u32::try_from(tree.children[rank.index()].len()).unwrap_or(u32::MAX);
    let has_parent = tree.parent[rank.index()].is_some();
    let (down, data) = (u32::from(has_parent), Cell::Own(0));
    let mut steps: Vec<Step> = (0..children).flat_map(|child| gives_time(child, down + child)).collect();
    if has_parent {
        steps.extend(takes_time(children, 0));
        steps.push(Step::receive(children, data));
    }
    steps.extend((0..children).map(|child| Step::send(data, down + child)));
    plan.steps(steps)
}
