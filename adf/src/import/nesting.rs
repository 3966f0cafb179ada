//! Where the families of a design are declared: in the design itself, or in a component, which
//! stands for like sub-graphs.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::design::{Design, Link, Node, Selection, position};
use aiec_ir::{FamilyId, SubgraphId};

use super::statements::PartName;
use crate::names::{self, Member};

/// Most components around a kernel: the limit of the language.
const MOST_LEVELS: usize = 16;

/// Where something is declared. None when it is the design itself.
pub(super) type Scope = Option<SubgraphId>;

/// A sub-graph as an instance of a component.
#[derive(Clone, Debug, Default)]
pub(super) struct Seat {
    /// The name of its declaration, and the extents.
    pub part: Option<PartName>,
    /// Its indices in an array of instances.
    pub indices: Vec<u32>,
}

/// The scopes of a design.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    homes: BTreeMap<FamilyId, SubgraphId>,
    parents: BTreeMap<SubgraphId, Scope>,
    /// Sub-graphs with kernels in them, the innermost first, and by their order in the design.
    pub order: Vec<SubgraphId>,
    /// The instance of each sub-graph.
    pub seats: BTreeMap<SubgraphId, Seat>,
}

impl Nesting {
    /// Nothing is nested if graphs lie deeper in one another than components may, or if a FIFO has
    /// a place: in a component, places count from the tile of the instance.
    pub(super) fn of(design: &Design) -> Self {
        let mut nesting = Self::default();
        if design.graph.edge_weights().any(|link| !link.fifo_places.is_empty()) {
            return nesting;
        }
        for (id, graph) in design.subgraphs.enumerate() {
            nesting.parents.insert(id, graph.parent);
            nesting.homes.extend(graph.families.iter().map(|&family| (family, id)));
        }
        let mut heights: BTreeMap<SubgraphId, usize> = BTreeMap::new();
        for &home in nesting.homes.values() {
            let around = nesting.around(Some(home));
            if around.len() > MOST_LEVELS {
                return Self::default();
            }
            for (height, &graph) in around.iter().enumerate() {
                let known = heights.entry(graph).or_default();
                *known = height.max(*known);
            }
        }
        nesting.order = heights.keys().copied().collect();
        nesting.order.sort_by_key(|graph| heights[graph]);
        nesting
    }

    /// The sub-graphs around a scope, the innermost first, with itself.
    fn around(&self, scope: Scope) -> Vec<SubgraphId> {
        std::iter::successors(scope, |graph| self.parents.get(graph).copied().flatten()).collect()
    }

    /// The scope of a family.
    pub(super) fn home(&self, family: FamilyId) -> Scope {
        self.homes.get(&family).copied()
    }

    /// True for a sub-graph with kernels in it.
    pub(super) fn has(&self, graph: SubgraphId) -> bool {
        self.order.contains(&graph)
    }

    /// The scope around a sub-graph.
    pub(super) fn parent(&self, graph: SubgraphId) -> Scope {
        self.parents.get(&graph).copied().flatten()
    }

    /// The sub-graphs of a scope, in order of the design.
    pub(super) fn children(&self, scope: Scope) -> Vec<SubgraphId> {
        let mut found: Vec<SubgraphId> =
            self.order.iter().copied().filter(|graph| self.parents[graph] == scope).collect();
        found.sort_unstable();
        found
    }

    /// The innermost scope around all of them.
    pub(super) fn common(&self, scopes: impl IntoIterator<Item = Scope>) -> Scope {
        let mut scopes = scopes.into_iter();
        let mut shared = self.around(scopes.next()?);
        for scope in scopes {
            let around: BTreeSet<SubgraphId> = self.around(scope).into_iter().collect();
            shared.retain(|graph| around.contains(graph));
        }
        shared.first().copied()
    }

    /// The scope in which a connection is written. Inputs and outputs belong to the design.
    pub(super) fn of_link(&self, link: &Link) -> Scope {
        let scope = |selection: &Selection| match selection.node {
            Node::Family(family) => self.home(family),
            Node::External(_) | Node::Collective(_) => None,
        };
        self.common(link.from.iter().chain(&link.to).map(scope))
    }

    /// The instances that lead from `scope` to a family, the outermost first, and their indices.
    pub(super) fn way(&self, scope: Scope, family: FamilyId) -> (Vec<PartName>, Vec<i64>) {
        self.way_into(scope, self.home(family))
    }

    /// The instances that lead from `scope` into another scope, and their indices.
    pub(super) fn way_into(&self, scope: Scope, inner: Scope) -> (Vec<PartName>, Vec<i64>) {
        let inner = self.around(inner).into_iter().take_while(|&graph| Some(graph) != scope);
        let seats: Vec<&Seat> = inner.filter_map(|graph| self.seats.get(&graph)).collect();
        let parts = seats.iter().rev().filter_map(|seat| seat.part.clone()).collect();
        let indices = seats.iter().rev().flat_map(|seat| seat.indices.iter().copied().map(i64::from));
        (parts, indices.collect())
    }

    /// The name of a family or sub-graph in its scope.
    pub(super) fn local<'n>(design: &'n Design, scope: Scope, name: &'n str) -> &'n str {
        let around = scope.and_then(|graph| design.subgraphs.get(graph)).map(|graph| graph.name.as_str());
        let inside = around.and_then(|around| name.strip_prefix(around)?.strip_prefix('.'));
        inside.unwrap_or(name)
    }

    /// Declares the sub-graphs of a scope: arrays of those that are `alike`, and single ones. Calls
    /// `free` for the name of each declaration. Returns the members of each.
    pub(super) fn seat(
        &mut self,
        design: &Design,
        scope: Scope,
        alike: impl Fn(&[SubgraphId], &[u32]) -> bool,
        mut free: impl FnMut(&str) -> String,
    ) -> Vec<(PartName, Vec<SubgraphId>)> {
        let children = self.children(scope);
        let named = children.iter().map(|&graph| {
            let name = design.subgraphs.get(graph).map_or("", |graph| graph.name.as_str());
            Member::of(Self::local(design, scope, name))
        });
        let named: Vec<Member> = named.collect();
        let of = |members: &[usize]| members.iter().map(|&at| children[at]).collect::<Vec<_>>();
        let extents = |members: &[usize]| match members {
            [.., last] => named[*last].indices.iter().map(|index| index + 1).collect::<Vec<u32>>(),
            [] => Vec::new(),
        };
        let families = names::families(&named, |members| alike(&of(members), &extents(members)));
        let mut found = Vec::new();
        for family in families {
            let members = of(&family.members);
            let part = PartName { name: free(&family.name), dims: family.dims };
            for (index, &graph) in (0..).zip(&members) {
                let indices = position(&part.dims, index);
                self.seats.insert(graph, Seat { part: Some(part.clone()), indices });
            }
            found.push((part, members));
        }
        found
    }
}
