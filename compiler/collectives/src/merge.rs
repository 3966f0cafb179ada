//! The flat shape with what comes to the root merged into one stream of packets. The root takes
//! them in the order of arrival.
//!
//! Packets of one sender stay in order, those of several do not, and the root has no room for a
//! packet of a later call: no rank may send for a call that the root has not begun. Where all ranks
//! wait for an answer of the root, as at a barrier, none can. A reduce and a gather begin with a
//! signal of the root to all others, which take it before they send.

use super::rooted::phase;
use super::table::{Algorithm, NOTHING, Order, Waits, Ways, Wire};
use super::{Carry, Cell, Keep, Link, Phase, Plan, Rank, Step, Tree, trees};

/// The part that all operations with a merge have in common.
pub(crate) const MERGE: Algorithm = Algorithm {
    word: "flat merge",
    links,
    program,
    tree: Some(|plan| trees::flat(plan.size, plan.root)),
    multicast: true,
    order: Order::Any,
    as_packets_come: true,
    most_links: |_, ranks| ranks.saturating_sub(1).saturating_mul(2),
    waits: Waits::Senders,
    wires: |_| vec![Wire::Merge, Wire::Multicast],
    ..NOTHING
};

/// From every other rank to the root, then one from the root to all of them.
fn links(plan: &Plan, tree: &Tree) -> Vec<Link> {
    let senders = &tree.children[plan.root.index()];
    let up = senders.iter().map(|&rank| Link { from: rank, to: vec![plan.root] });
    up.chain([Link { from: plan.root, to: senders.clone() }]).collect()
}

/// What `rank` does.
fn program(plan: &Plan, tree: &Tree, rank: Rank) -> Vec<Phase> {
    let phases = match rank == plan.root {
        true => root(plan, &tree.children[rank.index()]),
        false => sender(plan, rank),
    };
    phases.into_iter().map(phase).collect()
}

/// Says that the call has begun, takes all packets, and answers.
fn root(plan: &Plan, senders: &[Rank]) -> Vec<(u32, Step)> {
    let mut phases = Vec::new();
    if plan.has_go() {
        phases.push((1, Step { carry: Carry::Signal, ..Step::announce(0) }));
    }
    if keeps_blocks(plan) {
        phases.push((plan.windows_of(plan.root), Step::copy(Cell::Own(0), Cell::Found(plan.root.0))));
    }
    phases.extend(senders.iter().map(|&sender| (plan.windows_of(sender), packet(plan))));
    if let (true, Some((_, last))) = (plan.row().combines && plan.row().ends_at_root(), phases.last_mut()) {
        last.result = true;
    }
    phases.extend(answer(plan).map(|(times, cell)| (times, Step::send(cell, 0))));
    phases
}

/// Waits until the root has begun, sends its block, and takes the answer.
fn sender(plan: &Plan, rank: Rank) -> Vec<(u32, Step)> {
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
    let blocks = match plan.row().ways {
        Ways::Both if keeps_blocks(plan) => {
            Rank::all(plan.size).map(|rank| (plan.windows_of(rank), Cell::Found(rank.0))).collect()
        }
        Ways::Both => vec![(plan.chunks(), Cell::Own(0))],
        Ways::Up | Ways::Down => Vec::new(),
    };
    blocks.into_iter()
}

/// True if the root keeps the blocks apart.
const fn keeps_blocks(plan: &Plan) -> bool {
    plan.row().has_data() && !plan.row().combines
}
