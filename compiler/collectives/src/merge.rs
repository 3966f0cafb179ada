//! The flat shape with what comes to the root merged into one stream of packets: the root takes whatever comes first, by whom it is.
//!
//! Packets of one sender stay in order, those of several do not, and the root has no room for what it is not yet about: nobody may send for
//! a call that the root has not begun. Where all wait for an answer of the root, as at a barrier, nobody can; a reduce and a gather begin with
//! a signal of the root to all others, which take it before they send.

use super::rooted::{Tree, phase};
use super::{Carry, Cell, Keep, Link, Operation, Phase, Plan, Step};

/// From every other rank to the root, then one from the root to all of them.
pub(super) fn links(plan: &Plan, tree: &Tree) -> Vec<Link> {
    let senders = &tree.children[plan.root as usize];
    let up = senders.iter().map(|&rank| Link { from: rank, to: vec![plan.root] });
    up.chain([Link { from: plan.root, to: senders.clone() }]).collect()
}

/// What `rank` does.
pub(super) fn program(plan: &Plan, tree: &Tree, rank: u32) -> Vec<Phase> {
    let phases = match rank == plan.root {
        true => root(plan, &tree.children[rank as usize]),
        false => sender(plan, rank),
    };
    phases.into_iter().map(phase).collect()
}

/// Says that the call has begun, takes all packets, and answers.
fn root(plan: &Plan, senders: &[u32]) -> Vec<(u32, Step)> {
    let mut phases = Vec::new();
    if plan.has_go() {
        phases.push((1, Step { carry: Carry::Signal, ..Step::announce(0) }));
    }
    if keeps_blocks(plan) {
        phases.push((plan.windows_of(plan.root), Step::copy(Cell::Own(0), Cell::Found(plan.root))));
    }
    phases.extend(senders.iter().map(|&sender| (plan.windows_of(sender), packet(plan))));
    if let (Operation::Reduce, Some((_, last))) = (plan.operation, phases.last_mut()) {
        last.result = true;
    }
    phases.extend(answer(plan).map(|(times, cell)| (times, Step::send(cell, 0))));
    phases
}

/// Waits until the root has begun, sends its block, and takes the answer.
fn sender(plan: &Plan, rank: u32) -> Vec<(u32, Step)> {
    let go = plan.has_go().then(|| (1, Step { carry: Carry::Signal, ..Step::read(0) }));
    let block = (plan.windows_of(rank), Step::send(Cell::Own(0), 0));
    let answer = answer(plan).map(|(times, cell)| (times, Step::receive(0, cell)));
    go.into_iter().chain([block]).chain(answer).collect()
}

/// One packet, which is combined with the root's data or stored as the block of its sender.
fn packet(plan: &Plan) -> Step {
    let step = match keeps_blocks(plan) {
        true => Step { take: vec![0], keep: Keep::Sorted, ..Step::nothing() },
        false => Step::combine(0, false, Cell::Own(0), Cell::Own(0)),
    };
    Step { carry: Carry::Packet, ..step }
}

/// Blocks that the root sends to all in the end, with their windows.
fn answer(plan: &Plan) -> impl Iterator<Item = (u32, Cell)> {
    let blocks = match plan.operation {
        Operation::Allgather => {
            (0..plan.size).map(|rank| (plan.windows_of(rank), Cell::Found(rank))).collect()
        }
        Operation::Allreduce | Operation::Barrier => vec![(plan.chunks(), Cell::Own(0))],
        _ => Vec::new(),
    };
    blocks.into_iter()
}

/// True if the root keeps the blocks apart.
const fn keeps_blocks(plan: &Plan) -> bool {
    matches!(plan.operation, Operation::Gather | Operation::Allgather)
}
