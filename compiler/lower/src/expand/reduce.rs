//! Reductions to trees: ranks, ports of every role, and the connections from children to parents.
//!
//! The tree is complete and in heap order (thesis 4.4.3 for two children): the root first, then the other ranks in rank
//! order; the parent of position `i` is at `(i - 1) / arity`, whose port number `(i - 1) % arity` it feeds. Both ends of
//! a tree connection are async, since a kernel takes part in several chunks and calls within one firing; so is the
//! result, which the root acquires once per chunk. The window of cycle counts is filled once per firing and is not.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Span, Spanned};
use aiec_ir::design::{Collective as DesignCollective, Instance, Node};
use aiec_ir::expanded::{Collective, Connection, Membership, PortRole};
use aiec_ir::{CollectiveId, Design, Direction, KernelId, WindowType};

use super::{Expansion, NewPort};
use crate::errors;

impl Expansion {
    /// Expands all collectives in declaration order, so that kernels get their ports in that order.
    pub(super) fn collectives(&mut self, design: &Design) {
        let connected = connected_ports(design);
        for (id, collective) in design.collectives.enumerate() {
            let ranks = self.ranks(design, collective);
            let root = self.kernel_of(collective.root);
            self.check_group(design, collective, &ranks, root);
            let tree = tree(&ranks, root);
            let own = OwnPorts {
                result: connected.contains(&(id, DesignCollective::RESULT)),
                cycles: connected.contains(&(id, DesignCollective::CYCLES)),
            };
            self.members(id, collective, &ranks, &tree, own);
            self.collectives.push(Collective {
                name: collective.name.clone(),
                op: collective.op.clone(),
                data: collective.data.clone(),
                window: collective.window.clone(),
                ranks,
                root: Spanned::new(root, collective.root.span),
                tree,
                arity: collective.arity.clone(),
                buffering: collective.buffering,
                calls: collective.calls,
                cycles: collective.cycles.clone(),
                reference: collective.reference.clone(),
                span: collective.span,
            });
        }
    }

    /// The kernels of the group in rank order; one that is listed twice keeps its first rank.
    fn ranks(&mut self, design: &Design, collective: &DesignCollective) -> Vec<KernelId> {
        let mut seen: BTreeMap<KernelId, Span> = BTreeMap::new();
        let mut ranks = Vec::new();
        for instance in &collective.group {
            let kernel = self.kernel_of(*instance);
            match seen.get(&kernel) {
                None => {
                    seen.insert(kernel, instance.span);
                    ranks.push(kernel);
                }
                Some(first) => {
                    let name = instance_name(design, *instance);
                    let diagnostic = errors::duplicate_rank(&collective.name, &name, instance.span, *first);
                    self.diagnostics.push(diagnostic);
                }
            }
        }
        ranks
    }

    /// A group has at least two ranks, and the root is one of them.
    fn check_group(
        &mut self,
        design: &Design,
        collective: &DesignCollective,
        ranks: &[KernelId],
        root: KernelId,
    ) {
        let Some(first) = collective.group.first() else { return };
        if let [_] = ranks {
            self.diagnostics.push(errors::too_few_ranks(first.span, &collective.name));
        }
        if !ranks.contains(&root) {
            let (root, span) = (instance_name(design, collective.root), collective.root.span);
            let example = instance_name(design, *first);
            self.diagnostics.push(errors::root_not_in_group(
                span,
                &collective.name,
                &root,
                &example,
                first.span,
            ));
        }
    }

    /// The ports and the membership of every rank.
    fn members(
        &mut self,
        id: CollectiveId,
        collective: &DesignCollective,
        ranks: &[KernelId],
        tree: &[KernelId],
        own: OwnPorts,
    ) {
        let rank_of: BTreeMap<KernelId, u32> = ranks.iter().copied().zip(0..).collect();
        for (position, &kernel) in tree.iter().enumerate() {
            let Some(&rank) = rank_of.get(&kernel) else { continue };
            let new = |name: String, role| collective_port(collective, name, role);
            let children = (0..children_of(position, tree.len(), collective.arity.value))
                .map(|child| new(format!("in{child}"), PortRole::Child(id)))
                .map(|port| self.kernel_port(kernel, port))
                .collect();
            let is_root = position == 0;
            let mut add = |wanted: bool, name: &str, role| {
                wanted.then(|| self.kernel_port(kernel, new(name.to_owned(), role)))
            };
            let parent = add(!is_root, "out", PortRole::Parent(id));
            let result = add(is_root && own.result, "result", PortRole::Result(id));
            let cycles = add(is_root && own.cycles, "cycles", PortRole::Cycles(id));
            let membership = Membership { collective: id, rank, children, parent, result, cycles };
            self.kernels[kernel].memberships.push(membership);
        }
    }

    /// The connections of all trees, each from the root down.
    pub(super) fn trees(&mut self) -> Option<()> {
        for id in self.collectives.ids() {
            let (tree, arity) =
                (self.collectives[id].tree.clone(), self.collectives[id].arity.value.max(1) as usize);
            for (position, &child) in tree.iter().enumerate().skip(1) {
                let parent = *tree.get((position - 1) / arity)?;
                let from = self.membership(child, id)?.parent?;
                let to = *self.membership(parent, id)?.children.get((position - 1) % arity)?;
                let Collective { buffering, span, .. } = self.collectives[id];
                self.connection(Connection { from, to, buffering, collective: Some(id), span });
            }
        }
        Some(())
    }

    /// The part of `kernel` in `collective`; memberships are in the order of collectives.
    pub(super) fn membership(&self, kernel: KernelId, collective: CollectiveId) -> Option<&Membership> {
        let memberships = &self.kernels.get(kernel)?.memberships;
        let at = memberships.binary_search_by_key(&collective, |membership| membership.collective).ok()?;
        memberships.get(at)
    }
}

/// Which of a collective's own ports the design connects.
#[derive(Clone, Copy)]
struct OwnPorts {
    result: bool,
    cycles: bool,
}

/// The ports of collectives that the design connects.
fn connected_ports(design: &Design) -> BTreeSet<(CollectiveId, u32)> {
    let ports = design.graph.edge_weights().filter_map(|link| match link.from.node {
        Node::Collective(id) => Some((id, link.from.port)),
        Node::Family(_) | Node::External(_) => None,
    });
    ports.collect()
}

/// The root, then the other ranks in rank order.
fn tree(ranks: &[KernelId], root: KernelId) -> Vec<KernelId> {
    let others = ranks.iter().copied().filter(|&kernel| kernel != root);
    std::iter::once(root).chain(others).collect()
}

/// Number of children at `position` of a complete tree of `size` kernels.
fn children_of(position: usize, size: usize, arity: u32) -> usize {
    let arity = arity.max(1) as usize;
    let first = position.saturating_mul(arity).saturating_add(1);
    size.saturating_sub(first).min(arity)
}

/// A port that a rank has for a collective, called `<collective>_<name>`.
fn collective_port(collective: &DesignCollective, name: String, role: PortRole) -> NewPort {
    let direction = if matches!(role, PortRole::Child(_)) { Direction::In } else { Direction::Out };
    let is_cycles = matches!(role, PortRole::Cycles(_));
    let window: WindowType = match &collective.cycles {
        Some(cycles) if is_cycles => cycles.value,
        _ => collective.window.value,
    };
    NewPort {
        direction,
        name: format!("{}_{name}", collective.name),
        window,
        asynchronous: !is_cycles,
        role,
        span: collective.span,
    }
}

fn instance_name(design: &Design, instance: Instance) -> String {
    design
        .families
        .get(instance.family)
        .map_or_else(String::new, |family| family.instance_name(instance.index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_tree_gives_every_position_but_the_root_one_parent() {
        for arity in 1..5 {
            for size in 1..40 {
                let edges: usize = (0..size).map(|position| children_of(position, size, arity)).sum();
                assert_eq!(edges, size - 1, "{size} kernels with arity {arity}");
            }
        }
        assert_eq!(children_of(usize::MAX / 2, 4, u32::MAX), 0);
    }

    #[test]
    fn the_root_comes_first_and_the_others_keep_their_order() {
        let ranks: Vec<KernelId> = (0..5).map(KernelId).collect();
        assert_eq!(tree(&ranks, KernelId(3)), [3, 0, 1, 2, 4].map(KernelId));
    }
}
