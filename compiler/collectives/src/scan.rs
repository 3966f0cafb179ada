//! Scan: rank `r` gets the combination of the data of the ranks up to `r`, or before `r`.

use super::butterfly::{BUTTERFLY, distances};
use super::table::{Algorithm, Call, NOTHING, PLAIN, Row, Waits, Ways, Wire};
use super::{Cell, Class, Keep, Link, Phase, Plan, Rank, Shape, Step};

pub(crate) static ROW: Row = Row {
    name: "scan",
    noun: "scan",
    combines: true,
    call: Call::InPlace,
    excludes: true,
    default: Shape::Chain,
    algorithms: &[
        Algorithm {
            word: "chain",
            links: |plan, _| {
                let link = |rank: u32| Link { from: Rank(rank - 1), to: vec![Rank(rank)] };
                (1..plan.size).map(link).collect()
            },
            program: |plan, _, rank| chain(plan, rank),
            class: |seat| Class::new("scan_chain", [seat.inputs, seat.outputs]),
            wires: |_| vec![Wire::Rooted { function: "chain", number: Some(0), ways: Ways::Down }],
            most_links: |_, ranks| ranks.saturating_sub(1),
            waits: Waits::Senders,
            ..NOTHING
        },
        Algorithm {
            links: |plan, _| {
                let link = |r: u32, d| Link { from: Rank(r), to: vec![Rank(r + d)] };
                let round = |d: u32| (0..plan.size.saturating_sub(d)).map(move |r| link(r, d));
                distances(plan.size).flat_map(round).collect()
            },
            program: |plan, _, rank| plan.steps(doubling(plan, rank)),
            class: |seat| Class::new("scan_butterfly", [seat.inputs, seat.outputs]),
            wires: |_| vec![Wire::Plain("prefix")],
            waits: Waits::Senders,
            ..BUTTERFLY
        },
    ],
    arrays: |data, _| (data.block(), 0),
    result: |call, rank| match (call.data.plan.exclusive, rank.index()) {
        (true, 0) => None,
        (true, before) => Some(call.combined(0..before, 0)),
        (false, before) => Some(call.combined(0..before + 1, 0)),
    },
    sentence: "each of {ranks} kernels gets the {block} of the kernels up to itself combined{with}",
    ..PLAIN
};

/// Takes what the ranks before contribute, and passes it on with the own data.
fn chain(plan: &Plan, Rank(rank): Rank) -> Vec<Phase> {
    let take = if rank == 0 { vec![] } else { vec![0] };
    let give = if rank + 1 == plan.size { vec![] } else { vec![0] };
    let keep = match (rank, plan.exclusive) {
        (0, _) => Keep::Nothing,
        (_, true) => Keep::Taken(Cell::Own(0)),
        (_, false) => Keep::Combined(Cell::Own(0)),
    };
    let step =
        Step { before: u32::from(rank > 0), take, own: Some(Cell::Own(0)), keep, give, ..Step::nothing() };
    plan.steps(vec![step])
}

/// After Hillis and Steele: in round `k` a rank that holds `2^k` contributions up to its own gets
/// as many before them. For an exclusive scan the sums then move on by one rank.
fn doubling(plan: &Plan, Rank(rank): Rank) -> Vec<Step> {
    let data = Cell::Own(0);
    let mut steps = Vec::new();
    for (round, distance) in (0..).zip(distances(plan.size)) {
        if rank + distance < plan.size {
            steps.push(Step::send(data, round));
        }
        if rank >= distance {
            steps.push(Step::combine(round, true, data, data));
        }
    }
    if plan.exclusive {
        steps.extend((rank + 1 < plan.size).then(|| Step::send(data, 0)));
        steps.extend((rank > 0).then(|| Step::receive(0, data)));
    }
    steps
}
