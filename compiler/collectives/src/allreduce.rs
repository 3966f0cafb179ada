//! Allreduce: every rank gets the combination of all ranks' data.

use super::butterfly::{BUTTERFLY, Fold};
use super::merge::MERGE;
use super::ring::{self, RING};
use super::rooted::{BINOMIAL, CHAIN, FLAT, HUB, TREE};
use super::table::{Algorithm, Call, Order, PLAIN, Row, Ways, Wire};
use super::{Cell, Class, Link, Plan, Rank, Seat, Step};

pub(crate) static ROW: Row = Row {
    name: "allreduce",
    noun: "allreduce",
    names_root: true,
    combines: true,
    call: Call::InPlace,
    ways: Ways::Both,
    algorithms: &[
        Algorithm { class: tree, ..TREE },
        Algorithm { class: tree, ..BINOMIAL },
        Algorithm { class: tree, ..CHAIN },
        Algorithm {
            program: |plan, _, rank| plan.steps(around(plan, rank)),
            order: Order::Any,
            parts: true,
            class: |_| Class::new("allreduce_ring", []),
            ..RING
        },
        Algorithm {
            links: |plan, _| fold_links(&Fold::of(plan.size)),
            program: |plan, _, rank| plan.steps(doubling(plan, rank)),
            class: |seat| folding("allreduce_butterfly", seat),
            wires: |_| vec![Wire::Plain("hypercube")],
            ..BUTTERFLY
        },
        Algorithm { class: tree, ..FLAT },
        Algorithm {
            header: |_| "allreduce_merge",
            class: |seat| if seat.is_root() { seat.merge_root("allreduce_merge") } else { tree(seat) },
            ..MERGE
        },
        Algorithm { class: tree, ..HUB },
    ],
    arrays: |data, _| (data.block(), 0),
    result: |call, _| Some(call.combined(0..call.ranks(), 0)),
    sentence: "each of {ranks} kernels gets the {block} of all of them combined{with}",
    ..PLAIN
};

fn tree(seat: &Seat<'_>) -> Class {
    let mut class = seat.both_ways("allreduce_tree");
    class.arguments.push(seat.before().to_string());
    class
}

/// The class `name` of a butterfly whose surplus ranks fold into their neighbours.
pub(crate) fn folding(name: &'static str, seat: &Seat<'_>) -> Class {
    let fold = Fold::of(seat.plan.size);
    let word = match fold.number(seat.rank) {
        None => "folded",
        Some(_) if fold.keeps(seat.rank) => "keeper",
        Some(_) => "none",
    };
    Class::with(name, vec![fold.rounds.to_string(), format!("aiec::fold::{word}")])
}

/// Reduces parts of the array in place, then passes each finished part once around the ring.
fn around(plan: &Plan, rank: Rank) -> Vec<Step> {
    let step = |s| {
        let (mine, next) = (Cell::Own(plan.before(rank, s).0), Cell::Own(plan.before(rank, s + 1).0));
        [Step::send(mine, 0), Step::combine(0, true, next, next)]
    };
    (1..plan.size).flat_map(step).chain(ring::pass_round(plan, rank, Cell::Own)).collect()
}

/// Recursive doubling: ranks beyond a power of two fold into their neighbours first and get the
/// result back.
pub(crate) fn fold_links(fold: &Fold) -> Vec<Link> {
    let link = |from, to| Link { from, to: vec![to] };
    let pair = |number: u32| (Rank(2 * number), Rank(2 * number + 1));
    let first = (0..fold.pairs).map(pair).map(|(folded, keeper)| link(folded, keeper));
    let rounds = (0..fold.rounds).flat_map(|round| {
        (0..1 << fold.rounds).map(move |v: u32| link(fold.rank(v), fold.rank(v ^ (1 << round))))
    });
    let back = (0..fold.pairs).map(pair).map(|(folded, keeper)| link(keeper, folded));
    first.chain(rounds).chain(back).collect()
}

/// Ranks that hold the same range of contributions exchange them; a partner whose range is lower
/// comes first.
fn doubling(plan: &Plan, rank: Rank) -> Vec<Step> {
    let (fold, data) = (Fold::of(plan.size), Cell::Own(0));
    let Some(number) = fold.number(rank) else {
        return vec![Step::send(data, 0), Step::receive(0, data)];
    };
    let first = u32::from(fold.keeps(rank));
    let mut steps = Vec::new();
    if fold.keeps(rank) {
        steps.push(Step::combine(0, true, data, data));
    }
    for round in 0..fold.rounds {
        let lower = number >> round & 1 == 1;
        steps.extend([Step::send(data, round), Step::combine(first + round, lower, data, data)]);
    }
    if fold.keeps(rank) {
        steps.push(Step::send(data, fold.rounds));
    }
    steps
}
