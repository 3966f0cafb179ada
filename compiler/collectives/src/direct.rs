//! Direct links between the ranks that exchange data: those of a sendrecv, and all pairs for an alltoall.

use super::{Cell, Link, Operation, Phase, Plan, Step};

pub(super) fn links(plan: &Plan) -> Vec<Link> {
    let link = |from, to| Link { from, to: vec![to] };
    if plan.operation == Operation::Alltoall {
        let round = |d| (0..plan.size).map(move |rank| link(rank, plan.after(rank, d)));
        return (1..plan.size).flat_map(round).collect();
    }
    (0..).zip(&plan.partners).filter_map(|(from, to)| Some(link(from, (*to)?))).collect()
}

pub(super) fn program(plan: &Plan, rank: u32) -> Vec<Phase> {
    let steps = match plan.operation {
        Operation::Alltoall => alltoall(plan, rank),
        _ => sendrecv(plan, rank),
    };
    vec![Phase { times: plan.chunks(), steps }]
}

fn alltoall(plan: &Plan, rank: u32) -> Vec<Step> {
    let pair = |d| {
        let (to, from) = (plan.after(rank, d), plan.before(rank, d));
        [Step::send(Cell::Own(to), d - 1), Step::receive(d - 1, Cell::Found(from))]
    };
    let own = Step::copy(Cell::Own(rank), Cell::Found(rank));
    std::iter::once(own).chain((1..plan.size).flat_map(pair)).collect()
}

fn sendrecv(plan: &Plan, rank: u32) -> Vec<Step> {
    let sends = plan.partners.get(rank as usize).is_some_and(Option::is_some);
    let receives = plan.partners.contains(&Some(rank));
    let send = sends.then(|| Step::send(Cell::Own(0), 0));
    send.into_iter().chain(receives.then(|| Step::receive(0, Cell::Found(0)))).collect()
}
