//! The ring: every rank sends to the next one and receives from the one before. In each step a rank
//! sends before it receives, so one buffer in each link suffices.

use super::table::{Algorithm, NOTHING, Wire};
use super::{Cell, Link, Plan, Rank, Step};

/// The part that all operations over a ring have in common.
pub(crate) const RING: Algorithm = Algorithm {
    word: "ring",
    links: |plan, _| {
        Rank::all(plan.size).map(|rank| Link { from: rank, to: vec![plan.after(rank, 1)] }).collect()
    },
    most_steps: |ranks| ranks.saturating_mul(16),
    wires: |_| vec![Wire::Plain("ring")],
    ..NOTHING
};

/// Every rank's finished block goes once round the ring.
pub(crate) fn pass_round(plan: &Plan, rank: Rank, cell: fn(u32) -> Cell) -> Vec<Step> {
    let step = |s| {
        let (mine, next) = (plan.before(rank, s), plan.before(rank, s + 1));
        [Step::send(cell(mine.0), 0), Step::receive(0, cell(next.0))]
    };
    (0..plan.size - 1).flat_map(step).collect()
}
