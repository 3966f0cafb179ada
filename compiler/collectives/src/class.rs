//! The class of the library for each rank of a collective.

use super::{Plan, Rank, Tree};

/// A class template of the header library with its arguments (`docs/collectives.md` lists them).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// The name of the template, without `aiec::`.
    pub name: &'static str,
    /// Its arguments after the collective.
    pub arguments: Vec<String>,
    /// True if its constructor takes the windows that pass to or from each child: of a rank of a
    /// gather or scatter that is not the root.
    pub passes_blocks: bool,
    /// True if its constructor takes a number that the kernel keeps from run to run.
    pub keeps_number: bool,
    /// At the root of a gather or scatter: the ranks whose blocks come through each port.
    pub order: Option<Vec<Vec<Rank>>>,
}

impl Class {
    /// A class whose arguments are numbers.
    pub(crate) fn new<const N: usize>(name: &'static str, numbers: [usize; N]) -> Self {
        Self::with(name, numbers.iter().map(usize::to_string).collect())
    }

    pub(crate) fn with(name: &'static str, arguments: Vec<String>) -> Self {
        Self { name, arguments, passes_blocks: false, keeps_number: false, order: None }
    }
}

/// A rank of a plan, with the facts that select its class.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// The plan of its collective.
    pub plan: &'a Plan,
    /// Its tree. None when the shape has none.
    pub tree: Option<&'a Tree>,
    /// The rank whose class it is.
    pub rank: Rank,
    /// Ports from other ranks.
    pub inputs: usize,
    /// Ports to other ranks.
    pub outputs: usize,
    /// True if the rank has a window for the result.
    pub result: bool,
    /// True if a rank that sends into a merge sends one window in each run of its kernel, so that
    /// the window is synchronous.
    pub sends_once: bool,
}

impl Seat<'_> {
    pub(crate) const fn is_root(&self) -> bool {
        self.rank.0 == self.plan.root.0
    }

    /// Number of children that are combined before the rank's own data.
    pub(crate) fn before(&self) -> u32 {
        self.tree.and_then(|tree| tree.before.get(self.rank.index())).copied().unwrap_or(0)
    }

    /// The class of the root of a merge.
    pub(crate) fn merge_root(&self, name: &'static str) -> Class {
        let senders = self.plan.merged_streams().unwrap_or(0);
        let ports = self.result.then(|| "2".to_owned()); // to the others, and the result
        Class::with(name, std::iter::once(senders.to_string()).chain(ports).collect())
    }

    /// The class of a rank that sends into a merge.
    pub(crate) fn merge_leaf(&self, name: &'static str) -> Class {
        let once = self.sends_once.then(|| "true".to_owned());
        Class::with(name, once.into_iter().collect())
    }

    /// A class with the numbers of its ports up the tree, then down.
    pub(crate) fn both_ways(&self, name: &'static str) -> Class {
        let parent = usize::from(!self.is_root());
        let (inputs, outputs) = (self.inputs, self.outputs);
        Class::new(name, [inputs - parent.min(inputs), parent, parent, outputs - parent.min(outputs)])
    }

    /// The class of a rank of a gather or scatter; at the root, with the ranks below each child.
    pub(crate) fn blocks(&self, root: &'static str, other: &'static str) -> Class {
        let Some(tree) = self.tree.filter(|_| self.is_root()) else {
            return Class { passes_blocks: true, ..Class::new(other, [self.inputs, self.outputs]) };
        };
        let order = tree.children[self.rank.index()].iter().map(|&child| tree.below(child)).collect();
        Class { order: Some(order), ..Class::new(root, [self.inputs.max(self.outputs)]) }
    }
}
