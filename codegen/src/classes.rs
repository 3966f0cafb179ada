//! Which class of the library does a rank's part in a collective.
//!
//! In come a collective and a rank; out goes the class with its template arguments, as `docs/collectives.md` lists them, and the
//! numbers that its constructor takes besides rank and ports.

use aiec_collectives::{Operation, Shape, Tree};
use aiec_ir::expanded::Collective;

use crate::roles::Part;

/// A class template of `include/aiec` with arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class {
    /// The template's name.
    pub name: &'static str,
    /// Its arguments after the collective.
    pub arguments: Vec<String>,
    /// At the root of a gather or scatter: the ranks whose blocks come through each port.
    pub order: Option<Vec<Vec<u32>>>,
}

/// The header of the library, without its ending, that has the classes of a collective.
pub(crate) const fn header(collective: &Collective) -> &'static str {
    match collective.plan.shape {
        Shape::Cascade => "reduce_cascade",
        Shape::Merge => merged(collective.operation()),
        _ if collective.plan.headed => "gather_headed",
        _ => collective.operation().name(),
    }
}

/// The root's class over a merge, after which its header is called.
const fn merged(operation: Operation) -> &'static str {
    match operation {
        Operation::Reduce => "reduce_merge",
        Operation::Allreduce => "allreduce_merge",
        Operation::Gather => "gather_merge",
        Operation::Allgather => "allgather_merge",
        _ => "barrier_merge",
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
    pub(crate) fn part(&self, rank: u32) -> Part {
        let Some(tree) = &self.tree else { return Part::Member };
        match tree.children.get(rank as usize).is_none_or(Vec::is_empty) {
            _ if rank == self.collective.plan.root => Part::Root,
            true => Part::Leaf,
            false => Part::Interior,
        }
    }

    /// Windows that pass through a node of a gather or scatter from or to each of its children's subtrees, or ranks there, if their windows
    /// are not known; nothing for other ranks.
    pub(crate) fn below(&self, rank: u32) -> Vec<u32> {
        let passes_on = matches!(self.collective.operation(), Operation::Gather | Operation::Scatter);
        let Some(tree) = self.tree.as_ref().filter(|_| passes_on && rank != self.collective.plan.root) else {
            return Vec::new();
        };
        let windows = |ranks: Vec<u32>| {
            if self.collective.plan.headed {
                return u32::try_from(ranks.len()).unwrap_or(u32::MAX);
            }
            let of = |&rank: &u32| self.collective.plan.windows.get(rank as usize).copied().unwrap_or(0);
            ranks.iter().map(of).sum()
        };
        tree.children[rank as usize].iter().map(|&child| windows(tree.below(child))).collect()
    }

    /// The class of a rank; `result` says whether it has a window for the result.
    pub(crate) fn class(&self, rank: u32, result: bool) -> Class {
        let (ins, outs) = self.ports.get(rank as usize).copied().unwrap_or((0, 0));
        let (name, arguments) = match (self.collective.operation(), self.collective.plan.shape) {
            (Operation::Reduce, Shape::Cascade) => return self.cascade(rank, result),
            (operation, Shape::Merge) if self.is_root(rank) => {
                let senders = self.collective.plan.merged_streams().unwrap_or(0);
                let ports = result.then(|| "2".to_owned()); // to the others, and the result
                let arguments = std::iter::once(senders.to_string()).chain(ports).collect();
                return Class { name: merged(operation), arguments, order: None };
            }
            (Operation::Reduce, Shape::Merge) => return self.merge_leaf("reduce_merge_leaf"),
            (Operation::Gather, Shape::Merge) => return self.merge_leaf("gather_merge_leaf"),
            (Operation::Allgather, Shape::Merge) => ("allgather_merge_leaf", vec![]),
            (Operation::Reduce, _) => {
                let (before, root) = (self.before(rank), self.is_root(rank));
                let outs = outs + usize::from(result);
                return Class {
                    name: "reduce_tree",
                    arguments: vec![ins.to_string(), outs.to_string(), before, root.to_string()],
                    order: None,
                };
            }
            (Operation::Broadcast, _) => ("broadcast_tree", vec![ins, outs]),
            (Operation::Allreduce, Shape::Ring) => ("allreduce_ring", vec![]),
            (Operation::Allreduce, Shape::Butterfly) => return self.folding(rank),
            (Operation::Allreduce, _) => {
                let mut class = self.both_ways("allreduce_tree", rank, (ins, outs));
                class.arguments.push(self.before(rank));
                return class;
            }
            (Operation::Barrier, Shape::Dissemination) => ("barrier_dissemination", vec![ins]),
            (Operation::Barrier, _) => return self.both_ways("barrier_tree", rank, (ins, outs)),
            (Operation::Gather, _) if self.collective.plan.headed => {
                return self.blocks(("gather_headed_root", "gather_headed_tree"), rank, (ins, outs));
            }
            (Operation::Gather, _) => return self.blocks(("gather_root", "gather_tree"), rank, (ins, outs)),
            (Operation::Scatter, _) => {
                return self.blocks(("scatter_root", "scatter_tree"), rank, (ins, outs));
            }
            (Operation::Scan, Shape::Chain) => ("scan_chain", vec![ins, outs]),
            (Operation::Scan, _) => ("scan_butterfly", vec![ins, outs]),
            (Operation::Allgather, Shape::Ring) => ("allgather_ring", vec![]),
            (Operation::Allgather, _) => ("allgather_butterfly", vec![ins]),
            (Operation::ReduceScatter, Shape::Ring) => ("reduce_scatter_ring", vec![]),
            (Operation::ReduceScatter, _) => ("reduce_scatter_halving", vec![ins]),
            (Operation::Alltoall, Shape::Ring) => ("alltoall_ring", vec![]),
            (Operation::Alltoall, Shape::Butterfly) => ("alltoall_butterfly", vec![ins]),
            (Operation::Alltoall, _) => ("alltoall_flat", vec![]),
            (Operation::Sendrecv, _) => ("sendrecv_pair", vec![ins, outs]),
        };
        Class { name, arguments: arguments.iter().map(usize::to_string).collect(), order: None }
    }

    /// A rank that sends into a merge, and whether its window is synchronous.
    fn merge_leaf(&self, name: &'static str) -> Class {
        let once = self.collective.sends_once.then(|| "true".to_owned());
        Class { name, arguments: once.into_iter().collect(), order: None }
    }

    /// A rank of a cascade: first, last, and windows for the result.
    fn cascade(&self, rank: u32, result: bool) -> Class {
        let ends = [rank == 0, rank + 1 == self.collective.plan.size].map(|end| end.to_string());
        let result = result.then(|| "1".to_owned());
        Class { name: "reduce_cascade", arguments: ends.into_iter().chain(result).collect(), order: None }
    }

    fn is_root(&self, rank: u32) -> bool {
        rank == self.collective.plan.root
    }

    /// How many children are combined before the own data.
    fn before(&self, rank: u32) -> String {
        let tree = self.tree.as_ref();
        tree.and_then(|tree| tree.before.get(rank as usize)).copied().unwrap_or(0).to_string()
    }

    /// Ports up the tree, then down.
    fn both_ways(&self, name: &'static str, rank: u32, (ins, outs): (usize, usize)) -> Class {
        let parent = usize::from(!self.is_root(rank));
        let ports = [ins - parent.min(ins), parent, parent, outs - parent.min(outs)];
        Class { name, arguments: ports.iter().map(usize::to_string).collect(), order: None }
    }

    /// A butterfly whose surplus ranks fold into their neighbours.
    fn folding(&self, rank: u32) -> Class {
        let size = self.collective.plan.size;
        let rounds = size.ilog2();
        let pairs = size - (1 << rounds);
        let fold = match rank {
            _ if rank >= 2 * pairs => "none",
            _ if rank.is_multiple_of(2) => "folded",
            _ => "keeper",
        };
        let arguments = vec![rounds.to_string(), format!("aiec::fold::{fold}")];
        Class { name: "allreduce_butterfly", arguments, order: None }
    }

    /// A rank of a gather or scatter.
    fn blocks(
        &self,
        (root, other): (&'static str, &'static str),
        rank: u32,
        (ins, outs): (usize, usize),
    ) -> Class {
        let Some(tree) = self.tree.as_ref().filter(|_| self.is_root(rank)) else {
            let arguments = vec![ins.to_string(), outs.to_string()];
            return Class { name: other, arguments, order: None };
        };
        let order = tree.children[rank as usize].iter().map(|&child| tree.below(child)).collect();
        Class { name: root, arguments: vec![ins.max(outs).to_string()], order: Some(order) }
    }
}
