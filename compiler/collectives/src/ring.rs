//! The ring: every rank sends to the next one and receives from the one before. In each step a rank sends before it receives, so one
//! buffer in each link suffices.

use super::{Cell, Link, Operation, Phase, Plan, Step};

pub(super) fn links(plan: &Plan) -> Vec<Link> {
    (0..plan.size).map(|rank| Link { from: rank, to: vec![plan.after(rank, 1)] }).collect()
}

pub(super) fn program(plan: &Plan, rank: u32) -> Vec<Phase> {
    let steps = match plan.operation {
        Operation::Allgather => {
            let own = Step::copy(Cell::Own(0), Cell::Found(rank));
            std::iter::once(own).chain(pass_round(plan, rank, Cell::Found)).collect()
        }
        Operation::ReduceScatter => reduce_scatter(plan, rank),
        Operation::Allreduce => {
            reduce_parts(plan, rank).into_iter().chain(pass_round(plan, rank, Cell::Own)).collect()
        }
        Operation::Alltoall => alltoall(plan, rank),
        _ => Vec::new(),
    };
    vec![Phase { times: plan.chunks(), steps }]
}

/// Every rank's finished block goes once round the ring.
fn pass_round(plan: &Plan, rank: u32, cell: fn(u32) -> Cell) -> Vec<Step> {
    let step = |s| {
        let (mine, next) = (plan.before(rank, s), plan.before(rank, s + 1));
        [Step::send(cell(mine), 0), Step::receive(0, cell(next))]
    };
    (0..plan.size - 1).flat_map(step).collect()
}

/// The combination of block `b` starts at rank `b + 1` and ends at rank `b`; it is gathered in the array of the result.
fn reduce_scatter(plan: &Plan, rank: u32) -> Vec<Step> {
    let found = Cell::Found(0);
    let mut steps = vec![Step::send(Cell::Own(plan.before(rank, 1)), 0)];
    for s in 2..plan.size {
        steps.push(Step::combine(0, true, Cell::Own(plan.before(rank, s)), found));
        steps.push(Step::send(found, 0));
    }
    steps.push(Step::combine(0, true, Cell::Own(rank), found));
    steps
}

/// The same in place, for parts of one array.
fn reduce_parts(plan: &Plan, rank: u32) -> Vec<Step> {
    let step = |s| {
        let (mine, next) = (Cell::Own(plan.before(rank, s)), Cell::Own(plan.before(rank, s + 1)));
        [Step::send(mine, 0), Step::combine(0, true, next, next)]
    };
    (1..plan.size).flat_map(step).collect()
}

/// The block for the rank `d` further is handed on `d` times. Until it is there, `Found(rank - d)` holds the block on its way; after
/// step `d` that of rank `rank - d` stays.
fn alltoall(plan: &Plan, rank: u32) -> Vec<Step> {
    let slot = |d| Cell::Found(plan.before(rank, d));
    let load = (0..plan.size).map(|d| Step::copy(Cell::Own(plan.after(rank, d)), slot(d)));
    let hand_on = (1..plan.size)
        .flat_map(|s| (s..plan.size).flat_map(move |d| [Step::send(slot(d), 0), Step::receive(0, slot(d))]));
    load.chain(hand_on).collect()
}
