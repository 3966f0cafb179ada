//! What trees serve: reduce, broadcast, allreduce, gather, scatter and barrier, up and down the same tree.

use super::{Cell, Keep, Link, Operation, Phase, Plan, Shape, Step};

/// A rooted tree over the ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Ranks from the root down: every parent before its children.
    pub order: Vec<u32>,
    /// The parent of each rank, none for the root.
    pub parent: Vec<Option<u32>>,
    /// The children of each rank, in the order in which their data is combined.
    pub children: Vec<Vec<u32>>,
    /// How many children of each rank are combined before its own data.
    pub before: Vec<u32>,
}

impl Tree {
    /// A tree from the parents of the ranks, which stand in `order` from the root down; children are in that order, too.
    pub(super) fn from_parents(order: Vec<u32>, parent: Vec<Option<u32>>) -> Self {
        let mut children = vec![Vec::new(); parent.len()];
        for &rank in &order {
            if let Some(above) = parent[rank as usize] {
                children[above as usize].push(rank);
            }
        }
        let before = vec![0; parent.len()];
        Self { order, parent, children, before }
    }

    /// The same tree with children of smaller rank combined before their parent's data, all in rank order.
    pub(super) fn with_children_by_rank(mut self) -> Self {
        for (rank, children) in (0..).zip(&mut self.children) {
            children.sort_unstable();
            let before = children.iter().filter(|&&child| child < rank).count();
            self.before[rank as usize] = u32::try_from(before).unwrap_or(u32::MAX);
        }
        self
    }

    /// `rank` and all ranks below it: the rank first, then its children's subtrees one after the other.
    pub fn below(&self, rank: u32) -> Vec<u32> {
        let (mut found, mut open) = (Vec::new(), vec![rank]);
        while let Some(rank) = open.pop() {
            found.push(rank);
            open.extend(self.children[rank as usize].iter().rev());
        }
        found
    }

    /// Number of links from the root to each rank.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0; self.parent.len()];
        for &rank in &self.order {
            if let Some(above) = self.parent[rank as usize] {
                depths[rank as usize] = depths[above as usize] + 1;
            }
        }
        depths
    }

    /// True if combining children and own data as the tree says goes through the ranks in order.
    pub(super) fn is_in_rank_order(&self) -> bool {
        // From the leaves up: the first and last rank of every subtree, none for one that is not in order.
        let mut spans: Vec<Option<(u32, u32)>> = vec![None; self.parent.len()];
        for &rank in self.order.iter().rev() {
            let before = self.before[rank as usize] as usize;
            let (lower, upper) = self.children[rank as usize].split_at(before);
            let child = |&child: &u32| spans[child as usize];
            let parts = lower.iter().map(child).chain([Some((rank, rank))]).chain(upper.iter().map(child));
            let joined = parts.reduce(|a, b| match (a?, b?) {
                ((first, last), (next, end)) if last + 1 == next => Some((first, end)),
                _ => None,
            });
            spans[rank as usize] = joined.flatten();
        }
        self.order.first().is_some_and(|&root| spans[root as usize].is_some())
    }
}

/// True if the root sends to all at once.
fn is_multicast(plan: &Plan) -> bool {
    plan.shape == Shape::Flat && plan.operation != Operation::Scatter
}

const fn goes_up(operation: Operation) -> bool {
    matches!(operation, Operation::Reduce | Operation::Allreduce | Operation::Gather | Operation::Barrier)
}

const fn goes_down(operation: Operation) -> bool {
    matches!(operation, Operation::Broadcast | Operation::Allreduce | Operation::Scatter | Operation::Barrier)
}

/// From children to parents, then from parents to children, each from the root down.
pub(super) fn links(plan: &Plan, tree: &Tree) -> Vec<Link> {
    let pairs = || {
        tree.order
            .iter()
            .flat_map(|&rank| tree.children[rank as usize].iter().map(move |&child| (rank, child)))
    };
    let mut links = Vec::new();
    if goes_up(plan.operation) {
        links.extend(pairs().map(|(parent, child)| Link { from: child, to: vec![parent] }));
    }
    if goes_down(plan.operation) && is_multicast(plan) {
        links.push(Link { from: plan.root, to: tree.children[plan.root as usize].clone() });
    } else if goes_down(plan.operation) {
        links.extend(pairs().map(|(parent, child)| Link { from: parent, to: vec![child] }));
    }
    links
}

/// What `rank` does.
pub(super) fn program(plan: &Plan, tree: &Tree, rank: u32) -> Vec<Phase> {
    let node = Node::of(plan, tree, rank);
    match plan.operation {
        Operation::Gather => node.gather(),
        Operation::Scatter => node.scatter(),
        _ => {
            let mut phases = Vec::new();
            if goes_up(plan.operation) {
                phases.push(Phase { times: plan.chunks(), steps: vec![node.up()] });
            }
            if goes_down(plan.operation) {
                phases.push(Phase { times: plan.chunks(), steps: vec![node.down()] });
            }
            phases
        }
    }
}

/// A rank with its place in the tree.
struct Node<'a> {
    plan: &'a Plan,
    tree: &'a Tree,
    rank: u32,
    children: u32,
}

impl<'a> Node<'a> {
    fn of(plan: &'a Plan, tree: &'a Tree, rank: u32) -> Self {
        let children = u32::try_from(tree.children[rank as usize].len()).unwrap_or(u32::MAX);
        Self { plan, tree, rank, children }
    }

    fn is_root(&self) -> bool {
        self.tree.parent[self.rank as usize].is_none()
    }

    /// Combines the children's windows with the own one for the parent; the root keeps it.
    fn up(&self) -> Step {
        let (keep, give) = match self.is_root() {
            true => (Keep::Combined(Cell::Own(0)), Vec::new()),
            false => (Keep::Nothing, vec![0]),
        };
        let before = self.tree.before[self.rank as usize];
        let result = self.is_root() && self.plan.operation == Operation::Reduce;
        let take = (0..self.children).collect();
        Step { take, before, own: Some(Cell::Own(0)), keep, give, result, ..Step::nothing() }
    }

    /// Takes the parent's window and passes it on; the root sends its own.
    fn down(&self) -> Step {
        let both = goes_up(self.plan.operation);
        let first_out = u32::from(both && !self.is_root());
        let outs = if is_multicast(self.plan) { self.children.min(1) } else { self.children };
        let give = (first_out..first_out + outs).collect();
        if self.is_root() {
            return Step { own: Some(Cell::Own(0)), give, ..Step::nothing() };
        }
        let parent = if both { self.children } else { 0 };
        Step { take: vec![parent], keep: Keep::Combined(Cell::Own(0)), give, ..Step::nothing() }
    }

    /// The subtree of each child, with its port.
    fn subtrees(&self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        (0..).zip(self.tree.children[self.rank as usize].iter().map(|&child| self.tree.below(child)))
    }

    /// What is passed on of each rank below: its header, if it has one, then its block.
    fn passing(&self, step: impl Fn(u32) -> Step) -> impl Iterator<Item = (u32, Step)> {
        let headers = u32::from(self.plan.headed);
        self.subtrees().flat_map(move |(port, ranks)| {
            let step = step(port);
            let of = |rank| [(headers, step.clone()), (self.plan.windows_of(rank), step.clone())];
            ranks.into_iter().flat_map(of).collect::<Vec<_>>()
        })
    }

    /// Sends its block, then its children's, child by child; the root stores all.
    fn gather(&self) -> Vec<Phase> {
        let own = self.plan.windows_of(self.rank);
        if self.is_root() {
            let first = Step::copy(Cell::Own(0), Cell::Found(self.rank));
            let others = self.subtrees().flat_map(|(port, ranks)| {
                let header = self.plan.headed.then(|| (1, Step::read(port)));
                let of = move |rank| {
                    let block = (self.plan.windows_of(rank), Step::receive(port, Cell::Found(rank)));
                    header.clone().into_iter().chain([block])
                };
                ranks.into_iter().flat_map(of)
            });
            return std::iter::once((own, first)).chain(others).map(phase).collect();
        }
        let header = self.plan.headed.then(|| (1, Step::announce(0)));
        let block = (own, Step::send(Cell::Own(0), 0));
        let below = self.passing(|port| Step::forward(port, 0));
        header.into_iter().chain([block]).chain(below).map(phase).collect()
    }

    /// Takes its block, then passes on its children's, child by child; the root sends all.
    fn scatter(&self) -> Vec<Phase> {
        let own = self.plan.windows_of(self.rank);
        if self.is_root() {
            let first = Step::copy(Cell::Own(self.rank), Cell::Found(0));
            let others = self.subtrees().flat_map(|(port, ranks)| {
                ranks.into_iter().map(move |rank| (rank, Step::send(Cell::Own(rank), port)))
            });
            let others = others.map(|(rank, step)| (self.plan.windows_of(rank), step));
            return std::iter::once((own, first)).chain(others).map(phase).collect();
        }
        let below = self.passing(|port| Step::forward(0, port));
        std::iter::once((own, Step::receive(0, Cell::Found(0)))).chain(below).map(phase).collect()
    }
}

/// One step for each of so many windows.
pub(super) fn phase((times, step): (u32, Step)) -> Phase {
    Phase { times, steps: vec![step] }
}
