//! The butterfly: rounds of exchanges over distances 1, 2, 4 and so on.
//!
//! Allreduce by recursive doubling, where ranks beyond a power of two fold into their neighbours first and get the result back; allgather
//! and alltoall after Bruck; scan after Hillis and Steele; reduce-scatter by recursive halving of powers of two.

use super::{Cell, Link, Operation, Phase, Plan, Step};

/// Rounds until distances reach `size`: its binary logarithm, rounded up.
pub(super) const fn rounds_up(size: u32) -> u32 {
    size.next_power_of_two().ilog2()
}

/// Ranks in pairs of which one folds into the other, so that a power of two is left.
struct Fold {
    rounds: u32,
    /// Pairs: ranks below `2 * pairs` are folded (even) or keep (odd).
    pairs: u32,
}

impl Fold {
    const fn of(size: u32) -> Self {
        let rounds = size.ilog2();
        Self { rounds, pairs: size - (1 << rounds) }
    }

    /// The number of a rank that takes part in the rounds; none for one that is folded.
    const fn number(&self, rank: u32) -> Option<u32> {
        match rank {
            _ if rank >= 2 * self.pairs => Some(rank - self.pairs),
            _ if rank % 2 == 1 => Some(rank / 2),
            _ => None,
        }
    }

    const fn rank(&self, number: u32) -> u32 {
        if number < self.pairs { 2 * number + 1 } else { number + self.pairs }
    }

    const fn keeps(&self, rank: u32) -> bool {
        rank < 2 * self.pairs && rank % 2 == 1
    }
}

pub(super) fn links(plan: &Plan) -> Vec<Link> {
    let link = |from, to| Link { from, to: vec![to] };
    let all = 0..plan.size;
    match plan.operation {
        Operation::Allreduce => fold_links(&Fold::of(plan.size)),
        Operation::Scan => {
            let round =
                |distance: u32| (0..plan.size.saturating_sub(distance)).map(move |r| link(r, r + distance));
            distances(plan.size).flat_map(round).collect()
        }
        Operation::ReduceScatter => {
            distances(plan.size).flat_map(|d| all.clone().map(move |rank| link(rank, rank ^ d))).collect()
        }
        _ => distances(plan.size)
            .flat_map(|d| all.clone().map(move |rank| link(rank, plan.after(rank, d))))
            .collect(),
    }
}

fn distances(size: u32) -> impl Iterator<Item = u32> {
    (0..rounds_up(size)).map(|round| 1 << round)
}

fn fold_links(fold: &Fold) -> Vec<Link> {
    let link = |from, to| Link { from, to: vec![to] };
    let pair = |number: u32| (2 * number, 2 * number + 1);
    let first = (0..fold.pairs).map(pair).map(|(folded, keeper)| link(folded, keeper));
    let rounds = (0..fold.rounds).flat_map(|round| {
        (0..1 << fold.rounds).map(move |v: u32| link(fold.rank(v), fold.rank(v ^ (1 << round))))
    });
    let back = (0..fold.pairs).map(pair).map(|(folded, keeper)| link(keeper, folded));
    first.chain(rounds).chain(back).collect()
}

pub(super) fn program(plan: &Plan, rank: u32) -> Vec<Phase> {
    let steps = match plan.operation {
        Operation::Allreduce => allreduce(plan, rank),
        Operation::Scan => scan(plan, rank),
        Operation::ReduceScatter => reduce_scatter(plan, rank),
        Operation::Allgather => allgather(plan, rank),
        Operation::Alltoall => alltoall(plan, rank),
        _ => Vec::new(),
    };
    vec![Phase { times: plan.chunks(), steps }]
}

/// Ranks that hold the same range of contributions exchange them; a partner whose range is lower comes first.
fn allreduce(plan: &Plan, rank: u32) -> Vec<Step> {
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

/// In round `k` a rank that holds `2^k` contributions up to its own gets as many before them. For an exclusive scan the sums then move on by
/// one rank.
fn scan(plan: &Plan, rank: u32) -> Vec<Step> {
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

/// In round `k` partners divide the blocks by bit `k` of their number: each gets those of its own.
fn reduce_scatter(plan: &Plan, rank: u32) -> Vec<Step> {
    let mut steps = Vec::new();
    for (round, distance) in (0..).zip(distances(plan.size)) {
        let mine = (0..plan.size).filter(|block| (block ^ rank) & (2 * distance - 1) == 0);
        let lower = rank & distance != 0;
        steps.extend(mine.flat_map(|block| {
            let own = Cell::Own(block);
            [Step::send(Cell::Own(block ^ distance), round), Step::combine(round, lower, own, own)]
        }));
    }
    steps.push(Step::copy(Cell::Own(rank), Cell::Found(0)));
    steps
}

/// In round `k` a rank that has the blocks of `2^k` ranks up to itself gets as many before them.
fn allgather(plan: &Plan, rank: u32) -> Vec<Step> {
    let block = |distance| Cell::Found(plan.before(rank, distance));
    let mut steps = vec![Step::copy(Cell::Own(0), block(0))];
    for (round, distance) in (0..).zip(distances(plan.size)) {
        steps.extend(
            (0..distance.min(plan.size - distance))
                .flat_map(|j| [Step::send(block(j), round), Step::receive(round, block(distance + j))]),
        );
    }
    steps
}

/// The block for the rank `d` further travels the distances whose bits `d` has; it waits in `Found(rank - d)` of whoever holds it.
fn alltoall(plan: &Plan, rank: u32) -> Vec<Step> {
    let slot = |d| Cell::Found(plan.before(rank, d));
    let mut steps: Vec<Step> =
        (0..plan.size).map(|d| Step::copy(Cell::Own(plan.after(rank, d)), slot(d))).collect();
    for (round, distance) in (0..).zip(distances(plan.size)) {
        let travelling = (0..plan.size).filter(|d| d & distance != 0);
        steps.extend(travelling.flat_map(|d| [Step::send(slot(d), round), Step::receive(round, slot(d))]));
    }
    steps
}
