//! Reduce-scatter: every rank gets its block of the combination of all ranks' data.

use super::butterfly::{BUTTERFLY, distances};
use super::ring::RING;
use super::table::{Algorithm, Order, PLAIN, Row, Wire};
use super::{Cell, Class, Link, Plan, Rank, Shape, Step};

pub(crate) static ROW: Row = Row {
    name: "reduce_scatter",
    noun: "reduce_scatter",
    combines: true,
    default: Shape::Ring,
    ordered: Shape::Butterfly,
    algorithms: &[
        Algorithm {
            program: |plan, _, rank| plan.steps(around(plan, rank)),
            order: Order::Any,
            class: |_| Class::new("reduce_scatter_ring", []),
            most_steps,
            ..RING
        },
        Algorithm {
            links: |plan, _| {
                let link = |rank: Rank, d| Link { from: rank, to: vec![Rank(rank.0 ^ d)] };
                let partners = |d| Rank::all(plan.size).map(move |rank| link(rank, d));
                distances(plan.size).flat_map(partners).collect()
            },
            program: |plan, _, rank| plan.steps(halving(plan, rank)),
            power_of_two: true,
            class: |seat| Class::new("reduce_scatter_halving", [seat.inputs]),
            wires: |_| vec![Wire::Plain("hypercube")],
            most_steps,
            ..BUTTERFLY
        },
    ],
    arrays: |data, _| (data.block() * data.ranks(), data.block()),
    result: |call, rank| Some(call.combined(0..call.ranks(), rank.index())),
    sentence: "each of {ranks} kernels gets its block of {block} of the data of all of them combined{with}",
    ..PLAIN
};

fn most_steps(ranks: u64) -> u64 {
    ranks.saturating_mul(16)
}

/// The combination of block `b` starts at rank `b + 1` and ends at rank `b`; the array of the
/// result gathers it.
fn around(plan: &Plan, rank: Rank) -> Vec<Step> {
    let found = Cell::Found(0);
    let mut steps = vec![Step::send(Cell::Own(plan.before(rank, 1).0), 0)];
    for s in 2..plan.size {
        steps.push(Step::combine(0, true, Cell::Own(plan.before(rank, s).0), found));
        steps.push(Step::send(found, 0));
    }
    steps.push(Step::combine(0, true, Cell::Own(rank.0), found));
    steps
}

/// Recursive halving: in round `k` partners divide the blocks by bit `k` of their number, and each
/// gets those of its own.
fn halving(plan: &Plan, Rank(rank): Rank) -> Vec<Step> {
    let mut steps = Vec::new();
    for (round, distance) in (0..).zip(distances(plan.size)) {
        let mine = (0..plan.size).filter(|block| (block ^ rank) & (2 * distance - 1) == 0);
        let lower = rank & distance != 0;
        steps.extend(mine.flat_map(|block| {
            let own = Cell::Own(block);
            [Step::send(Cell::Own(block ^ distance), round), Step::combine(round, lower, own, own)]
        }));
    }
    steps.push(Step::copy(Cell::Own(rank), Cell::Found(0)));
    steps
}
