//! Which class of the library does a rank's part in a collective.
//!
//! The table of operations names the class; this module finds what it depends on: the tree, the
//! ports, and the result.

use aiec_collectives::{Class, Rank, Seat, Tree};
use aiec_ir::expanded::Collective;

/// What a kernel does in a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// It has the result in the end, or takes the packets of the others.
    Root,
    /// It combines what its children send and passes it on.
    Interior,
    /// It only sends.
    Leaf,
    /// It is linked to others, but not in a tree.
    Member,
    /// It takes no part; other kernels of its source do.
    Outside,
}

impl Part {
    /// The word for it in C++ names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Interior => "interior",
            Self::Leaf => "leaf",
            Self::Member => "member",
            Self::Outside => "outside",
        }
    }
}

/// A collective with what its ranks' classes are found from.
pub(crate) struct Classes<'a> {
    collective: &'a Collective,
    tree: Option<Tree>,
    ports: Vec<(usize, usize)>,
}

impl<'a> Classes<'a> {
    pub(crate) fn of(collective: &'a Collective) -> Self {
        let plan = &collective.plan;
        Self { collective, tree: plan.has_tree().then(|| plan.tree()), ports: plan.port_counts() }
    }

    /// What a rank is in the shape.
    pub(crate) fn part(&self, rank: Rank) -> Part {
        let Some(tree) = &self.tree else {
            let plan = &self.collective.plan;
            return if plan.goes_by_packets() && rank == plan.root { Part::Root } else { Part::Member };
        };
        match tree.children.get(rank.index()).is_none_or(Vec::is_empty) {
            _ if rank == self.collective.plan.root => Part::Root,
            true => Part::Leaf,
            false => Part::Interior,
        }
    }

    /// Windows that pass through a node of a gather or scatter from or to each of its children's
    /// subtrees, or ranks there, if their windows are not known; nothing for other ranks.
    pub(crate) fn below(&self, rank: Rank) -> Vec<u32> {
        let passes_on = self.collective.plan.row().lays_out;
        let Some(tree) = self.tree.as_ref().filter(|_| passes_on && rank != self.collective.plan.root) else {
            return Vec::new();
        };
        let windows = |ranks: Vec<Rank>| {
            if self.collective.plan.headed {
                return u32::try_from(ranks.len()).unwrap_or(u32::MAX);
            }
            let of = |&rank: &Rank| self.collective.plan.windows.get(rank.index()).copied().unwrap_or(0);
            ranks.iter().map(of).sum()
        };
        tree.children[rank.index()].iter().map(|&child| windows(tree.below(child))).collect()
    }

    /// The class of a rank; `result` says whether it has a window for the result.
    pub(crate) fn class(&self, rank: Rank, result: bool) -> Class {
        let (inputs, outputs) = self.ports.get(rank.index()).copied().unwrap_or((0, 0));
        let Collective { plan, sends_once, .. } = self.collective;
        let tree = self.tree.as_ref();
        (plan.algorithm().class)(&Seat { plan, tree, rank, inputs, outputs, result, sends_once: *sends_once })
    }
}
