//! Alltoall: every rank sends one block to each rank.

use super::butterfly::{BUTTERFLY, distances};
use super::ring::RING;
use super::table::{Algorithm, NOTHING, PLAIN, Row, Wire};
use super::{Cell, Class, Link, Plan, Rank, Shape, Step};

pub(crate) static ROW: Row = Row {
    name: "alltoall",
    noun: "alltoall",
    default: Shape::Ring,
    algorithms: &[
        Algorithm {
            word: "flat",
            links: |plan, _| pairs(plan),
            program: |plan, _, rank| plan.steps(directly(plan, rank)),
            class: |_| Class::new("alltoall_flat", []),
            wires: |_| vec![Wire::Plain("all")],
            most_links: |_, ranks| ranks.saturating_mul(ranks.saturating_sub(1)),
            most_steps,
            ..NOTHING
        },
        Algorithm {
            program: |plan, _, rank| plan.steps(around(plan, rank)),
            class: |_| Class::new("alltoall_ring", []),
            most_steps: |ranks| ranks.saturating_mul(ranks),
            ..RING
        },
        Algorithm {
            program: |plan, _, rank| plan.steps(bruck(plan, rank)),
            class: |seat| Class::new("alltoall_butterfly", [seat.inputs]),
            most_steps,
            ..BUTTERFLY
        },
    ],
    arrays: |data, _| (data.block() * data.ranks(), data.block() * data.ranks()),
    result: |call, rank| Some(Ok(call.block_of_all(rank.index()))),
    sentence: "each of {ranks} kernels sends a block of {block} to each of them",
    ..PLAIN
};

fn most_steps(ranks: u64) -> u64 {
    ranks.saturating_mul(16)
}

/// A link for each ordered pair of ranks.
fn pairs(plan: &Plan) -> Vec<Link> {
    let round = |d| Rank::all(plan.size).map(move |rank| Link { from: rank, to: vec![plan.after(rank, d)] });
    (1..plan.size).flat_map(round).collect()
}

fn directly(plan: &Plan, rank: Rank) -> Vec<Step> {
    let pair = |d| {
        let (to, from) = (plan.after(rank, d).0, plan.before(rank, d).0);
        [Step::send(Cell::Own(to), d - 1), Step::receive(d - 1, Cell::Found(from))]
    };
    let own = Step::copy(Cell::Own(rank.0), Cell::Found(rank.0));
    std::iter::once(own).chain((1..plan.size).flat_map(pair)).collect()
}

/// The block for the rank `d` further is handed on `d` times. Until it is there, `Found(rank - d)`
/// holds the block on its way; after step `d` that of rank `rank - d` stays.
fn around(plan: &Plan, rank: Rank) -> Vec<Step> {
    let slot = |d| Cell::Found(plan.before(rank, d).0);
    let load = (0..plan.size).map(|d| Step::copy(Cell::Own(plan.after(rank, d).0), slot(d)));
    let hand_on = (1..plan.size)
        .flat_map(|s| (s..plan.size).flat_map(move |d| [Step::send(slot(d), 0), Step::receive(0, slot(d))]));
    load.chain(hand_on).collect()
}

/// After Bruck: the block for the rank `d` further travels the distances whose bits `d` has; it
/// waits in `Found(rank - d)` of the rank that holds it.
fn bruck(plan: &Plan, rank: Rank) -> Vec<Step> {
    let slot = |d| Cell::Found(plan.before(rank, d).0);
    let mut steps: Vec<Step> =
        (0..plan.size).map(|d| Step::copy(Cell::Own(plan.after(rank, d).0), slot(d))).collect();
    for (round, distance) in (0..).zip(distances(plan.size)) {
        let travelling = (0..plan.size).filter(|d| d & distance != 0);
        steps.extend(travelling.flat_map(|d| [Step::send(slot(d), round), Step::receive(round, slot(d))]));
    }
    steps
}
