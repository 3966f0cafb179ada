//! Data up and down a rooted tree: reduce, broadcast, allreduce, gather, scatter and barrier.

use super::table::{Algorithm, NOTHING, Order, Waits, Ways, Wire};
use super::{Carry, Cell, Keep, Link, Phase, Plan, Rank, Shape, Step, Tree, trees};

/// The part that all rooted shapes have in common.
pub(crate) const ROOTED: Algorithm = Algorithm {
    links,
    program,
    order: Order::Tree,
    most_links: |ways, ranks| {
        let links = ranks.saturating_sub(1);
        if matches!(ways, Ways::Both) { links.saturating_mul(2) } else { links }
    },
    waits: Waits::Senders,
    ..NOTHING
};

/// A complete tree in heap order (thesis 4.4.3 for two children).
pub(crate) const TREE: Algorithm = Algorithm {
    word: "tree",
    tree: Some(|plan| match plan.shape {
        Shape::Tree(arity) => trees::heap(plan.size, plan.root, arity),
        _ => trees::flat(plan.size, plan.root),
    }),
    wires: |plan| match plan.shape {
        Shape::Tree(arity) => vec![rooted(plan, "tree", Some(arity))],
        _ => Vec::new(),
    },
    ..ROOTED
};

/// A binomial tree over the ranks counted from the root.
pub(crate) const BINOMIAL: Algorithm = Algorithm {
    word: "binomial",
    tree: Some(|plan| trees::binomial(plan.size, plan.root)),
    wires: |plan| vec![rooted(plan, "binomial", None)],
    ..ROOTED
};

/// Neighbours in rank order.
pub(crate) const CHAIN: Algorithm = Algorithm {
    word: "chain",
    tree: Some(|plan| trees::chain(plan.size, plan.root)),
    wires: |plan| vec![rooted(plan, "chain", Some(plan.root.0))],
    lists_by_rank: true,
    ..ROOTED
};

/// All ranks directly below the root, which sends to all of them at once.
pub(crate) const FLAT: Algorithm = Algorithm {
    word: "flat",
    tree: Some(|plan| trees::flat(plan.size, plan.root)),
    multicast: true,
    wires: |plan| {
        let ways = plan.row().ways;
        let up = Wire::Rooted { function: "flat", number: None, ways: Ways::Up };
        let gathered = (ways != Ways::Down).then_some(up);
        gathered.into_iter().chain((ways != Ways::Up).then_some(Wire::Multicast)).collect()
    },
    ..ROOTED
};

/// Clusters of neighbours below the root.
pub(crate) const HUB: Algorithm = Algorithm {
    word: "hub",
    tree: Some(|plan| match plan.shape {
        Shape::Hub(heads) => trees::hub(plan.size, plan.root, heads),
        _ => trees::flat(plan.size, plan.root),
    }),
    wires: |plan| match plan.shape {
        Shape::Hub(heads) => vec![rooted(plan, "hub", Some(heads))],
        _ => Vec::new(),
    },
    ..ROOTED
};

/// A chain over the cascade. A rank goes on when the next one takes what it writes: at most four
/// vectors are on the way between two cores (AM009, cascade), so all ranks wait for each other.
pub(crate) const CASCADE: Algorithm = Algorithm {
    word: "cascade",
    outside: "stream_outside",
    wires: |_| vec![Wire::Cascade],
    waits: Waits::All,
    ..CHAIN
};

/// A chain over streams. A rank reads, combines and writes element by element. Little is on the way
/// between two cores, so all ranks wait for each other.
pub(crate) const STREAM: Algorithm = Algorithm {
    word: "stream",
    program: |plan, tree, rank| streamed(program(plan, tree, rank)),
    opened: true,
    outside: "stream_outside",
    wires: |_| Vec::new(),
    waits: Waits::All,
    ..CHAIN
};

/// From the root to all other ranks at once, over one stream that the array copies.
pub(crate) const STREAM_TO_ALL: Algorithm =
    Algorithm { tree: FLAT.tree, multicast: true, lists_by_rank: false, ..STREAM };

/// The same phases, with words of streams in place of the windows that they take and give. A copy
/// within a rank stays one of windows.
pub(crate) fn streamed(mut phases: Vec<Phase>) -> Vec<Phase> {
    let steps = phases.iter_mut().flat_map(|phase| &mut phase.steps);
    for step in steps.filter(|step| !(step.take.is_empty() && step.give.is_empty())) {
        step.carry = Carry::Words;
    }
    phases
}

fn rooted(plan: &Plan, function: &'static str, number: Option<u32>) -> Wire {
    Wire::Rooted { function, number, ways: plan.row().ways }
}

/// From children to parents, then from parents to children, each from the root down.
fn links(plan: &Plan, tree: &Tree) -> Vec<Link> {
    let pairs = || {
        tree.order
            .iter()
            .flat_map(|&rank| tree.children[rank.index()].iter().map(move |&child| (rank, child)))
    };
    let ways = plan.row().ways;
    let mut links = Vec::new();
    if ways != Ways::Down {
        links.extend(pairs().map(|(parent, child)| Link { from: child, to: vec![parent] }));
    }
    if ways != Ways::Up && plan.algorithm().multicast {
        links.push(Link { from: plan.root, to: tree.children[plan.root.index()].clone() });
    } else if ways != Ways::Up {
        links.extend(pairs().map(|(parent, child)| Link { from: parent, to: vec![child] }));
    }
    links
}

/// Combines on the way up, passes on on the way down.
fn program(plan: &Plan, tree: &Tree, rank: Rank) -> Vec<Phase> {
    let node = Node::of(plan, tree, rank);
    let ways = plan.row().ways;
    let up = (ways != Ways::Down).then(|| node.up());
    let down = (ways != Ways::Up).then(|| node.down());
    let phase = |step| Phase { times: plan.chunks(), steps: vec![step] };
    up.into_iter().chain(down).map(phase).collect()
}

/// A rank of a tree.
pub(crate) struct Node<'a> {
    plan: &'a Plan,
    tree: &'a Tree,
    rank: Rank,
    children: u32,
}

impl<'a> Node<'a> {
    pub(crate) fn of(plan: &'a Plan, tree: &'a Tree, rank: Rank) -> Self {
        let children = u32::try_from(tree.children[rank.index()].len()).unwrap_or(u32::MAX);
        Self { plan, tree, rank, children }
    }

    pub(crate) fn is_root(&self) -> bool {
        self.tree.parent[self.rank.index()].is_none()
    }

    /// Combines the children's windows with the own one for the parent; the root keeps it.
    pub(crate) fn up(&self) -> Step {
        let (keep, give) = match self.is_root() {
            true => (Keep::Combined(Cell::Own(0)), Vec::new()),
            false => (Keep::Nothing, vec![0]),
        };
        let before = self.tree.before[self.rank.index()];
        let result = self.is_root() && self.plan.row().ends_at_root();
        let take = (0..self.children).collect();
        Step { take, before, own: Some(Cell::Own(0)), keep, give, result, ..Step::nothing() }
    }

    /// Takes the parent's window and passes it on; the root sends its own.
    pub(crate) fn down(&self) -> Step {
        let both = self.plan.row().ways == Ways::Both;
        let first_out = u32::from(both && !self.is_root());
        let outs = if self.plan.algorithm().multicast { self.children.min(1) } else { self.children };
        let give = (first_out..first_out + outs).collect();
        if self.is_root() {
            return Step { own: Some(Cell::Own(0)), give, ..Step::nothing() };
        }
        let parent = if both { self.children } else { 0 };
        Step { take: vec![parent], keep: Keep::Combined(Cell::Own(0)), give, ..Step::nothing() }
    }

    /// The subtree of each child, with its port.
    pub(crate) fn subtrees(&self) -> impl Iterator<Item = (u32, Vec<Rank>)> {
        (0..).zip(self.tree.children[self.rank.index()].iter().map(|&child| self.tree.below(child)))
    }

    /// What is passed on of each rank below: its header, if it has one, then its block.
    pub(crate) fn passing(&self, step: impl Fn(u32) -> Step) -> impl Iterator<Item = (u32, Step)> {
        let headers = u32::from(self.plan.headed);
        self.subtrees().flat_map(move |(port, ranks)| {
            let step = step(port);
            let of = |rank| [(headers, step.clone()), (self.plan.windows_of(rank), step.clone())];
            ranks.into_iter().flat_map(of).collect::<Vec<_>>()
        })
    }
}

/// A phase of one step for each of N windows.
pub(crate) fn phase((times, step): (u32, Step)) -> Phase {
    Phase { times, steps: vec![step] }
}
