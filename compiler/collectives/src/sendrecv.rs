//! Sendrecv: every rank sends its data to at most one other rank, and receives from at most one.

use super::table::{Algorithm, NOTHING, PLAIN, Row, Waits};
use super::{Cell, Class, Link, Plan, Rank, Seat, Shape, Step};

pub(crate) static ROW: Row = Row {
    name: "sendrecv",
    noun: "sendrecv",
    names_partners: true,
    default: Shape::Direct,
    algorithms: &[Algorithm {
        word: "direct",
        links: |plan, _| partner_links(plan),
        program: |plan, _, rank| plan.steps(steps(plan, rank)),
        class: |seat| class("sendrecv_pair", seat),
        waits: Waits::Partner,
        ..NOTHING
    }],
    arrays: |data, _| (data.block(), data.block()),
    result: |call, rank| {
        let from = call.data.plan.partners.iter().position(|&partner| partner == Some(rank))?;
        Some(Ok(call.of_rank(Rank::at(from))))
    },
    sentence: "each of {ranks} kernels sends {block} to one other and receives the same amount",
    ..PLAIN
};

/// A link from each rank to its partner.
pub(crate) fn partner_links(plan: &Plan) -> Vec<Link> {
    let link = |(from, to): (Rank, &Option<Rank>)| Some(Link { from, to: vec![(*to)?] });
    (0..).map(Rank).zip(&plan.partners).filter_map(link).collect()
}

/// A class with the numbers of ports from and to partners.
pub(crate) fn class(name: &'static str, seat: &Seat<'_>) -> Class {
    Class::new(name, [seat.inputs, seat.outputs])
}

fn steps(plan: &Plan, rank: Rank) -> Vec<Step> {
    let sends = plan.partners.get(rank.index()).is_some_and(Option::is_some);
    let receives = plan.partners.contains(&Some(rank));
    let send = sends.then(|| Step::send(Cell::Own(0), 0));
    send.into_iter().chain(receives.then(|| Step::receive(0, Cell::Found(0)))).collect()
}
