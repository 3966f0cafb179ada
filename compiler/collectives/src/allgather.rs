//! Allgather: every rank gets the data of all ranks, side by side.

use super::butterfly::{BUTTERFLY, distances};
use super::merge::MERGE;
use super::ring::{self, RING};
use super::table::{Algorithm, PLAIN, Row, Ways};
use super::{Cell, Class, Plan, Rank, Shape, Step};

pub(crate) static ROW: Row = Row {
    name: "allgather",
    noun: "allgather",
    ways: Ways::Both,
    default: Shape::Ring,
    algorithms: &[
        Algorithm {
            program: |plan, _, rank| {
                let own = Step::copy(Cell::Own(0), Cell::Found(rank.0));
                plan.steps(std::iter::once(own).chain(ring::pass_round(plan, rank, Cell::Found)).collect())
            },
            class: |_| Class::new("allgather_ring", []),
            most_steps,
            ..RING
        },
        Algorithm {
            program: |plan, _, rank| plan.steps(bruck(plan, rank)),
            class: |seat| Class::new("allgather_butterfly", [seat.inputs]),
            most_steps,
            ..BUTTERFLY
        },
        Algorithm {
            header: |_| "allgather_merge",
            class: |seat| match seat.is_root() {
                true => seat.merge_root("allgather_merge"),
                false => Class::new("allgather_merge_leaf", []),
            },
            most_steps,
            ..MERGE
        },
    ],
    arrays: |data, _| (data.block(), data.block() * data.ranks()),
    result: |call, _| Some(Ok(call.all())),
    sentence: "each of {ranks} kernels gets the blocks of all of them, {block} each",
    ..PLAIN
};

fn most_steps(ranks: u64) -> u64 {
    ranks.saturating_mul(16)
}

/// After Bruck: in round `k` a rank that has the blocks of `2^k` ranks up to itself gets as many
/// before them.
fn bruck(plan: &Plan, rank: Rank) -> Vec<Step> {
    let block = |distance| Cell::Found(plan.before(rank, distance).0);
    let mut steps = vec![Step::copy(Cell::Own(0), block(0))];
    for (round, distance) in (0..).zip(distances(plan.size)) {
        steps.extend(
            (0..distance.min(plan.size - distance))
                .flat_map(|j| [Step::send(block(j), round), Step::receive(round, block(distance + j))]),
        );
    }
    steps
}
