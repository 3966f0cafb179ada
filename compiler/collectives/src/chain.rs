//! The chain: every rank is linked to its neighbours in rank order. A root in the middle has an arm on both sides. Combining along
//! it keeps rank order whatever the root is.

use super::{Cell, Keep, Link, Phase, Plan, Step, Tree};

/// Both arms, each from the root outwards.
pub(super) fn tree(size: u32, root: u32) -> Tree {
    let towards_root = |rank: u32| match rank.cmp(&root) {
        std::cmp::Ordering::Less => Some(rank + 1),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(rank - 1),
    };
    let order = std::iter::once(root).chain((0..root).rev()).chain(root + 1..size).collect();
    Tree::from_parents(order, (0..size).map(towards_root).collect()).with_children_by_rank()
}

/// From every rank to the next one.
pub(super) fn scan_links(plan: &Plan) -> Vec<Link> {
    (1..plan.size).map(|rank| Link { from: rank - 1, to: vec![rank] }).collect()
}

/// Takes what the ranks before contribute, and passes it on with the own data.
pub(super) fn scan_program(plan: &Plan, rank: u32) -> Vec<Phase> {
    let take = if rank == 0 { vec![] } else { vec![0] };
    let give = if rank + 1 == plan.size { vec![] } else { vec![0] };
    let keep = match (rank, plan.exclusive) {
        (0, _) => Keep::Nothing,
        (_, true) => Keep::Taken(Cell::Own(0)),
        (_, false) => Keep::Combined(Cell::Own(0)),
    };
    let step =
        Step { before: u32::from(rank > 0), take, own: Some(Cell::Own(0)), keep, give, ..Step::nothing() };
    vec![Phase { times: plan.chunks(), steps: vec![step] }]
}
