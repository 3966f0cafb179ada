//! The dissemination barrier: in round `k` every rank tells the one `2^k` further all it knows; after the last round every rank knows of all.

use super::butterfly::rounds_up;
use super::{Cell, Link, Phase, Plan, Step};

pub(super) fn links(plan: &Plan) -> Vec<Link> {
    let round = |round: u32| {
        (0..plan.size).map(move |rank| Link { from: rank, to: vec![plan.after(rank, 1 << round)] })
    };
    (0..rounds_up(plan.size)).flat_map(round).collect()
}

pub(super) fn program(plan: &Plan, _rank: u32) -> Vec<Phase> {
    let data = Cell::Own(0);
    let rounds = 0..rounds_up(plan.size);
    let steps = rounds.flat_map(|k| [Step::send(data, k), Step::combine(k, true, data, data)]).collect();
    vec![Phase { times: plan.chunks(), steps }]
}
