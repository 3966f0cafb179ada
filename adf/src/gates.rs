//! Ports of sub-graphs: those that connections between kernels, inputs and outputs pass, with what
//! the kernels inside give them to carry.
//!
//! A port of a graph has no type of its own. It gets that of the kernels inside if all of them
//! agree, and that of a kernel at the other end may be another one. Splits and merges of packets,
//! and parameters that kernels give back, pass no such port here: their connections lead from
//! kernel to kernel.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Span;
use aiec_ir::design::{Family, Node, Subgraph, UserPort};
use aiec_ir::ways::Border;
use aiec_ir::{Carries, Direction, FamilyId, IdVec, SubgraphId};

use crate::description::{Description, Owner, PortIndex};
use crate::ends::host_ends;
use crate::names::Names;
use crate::wires::Wire;

/// The ports of sub-graphs on the way of each wire, by the ports at its ends; the port that is
/// nearest to the consumer comes first.
pub(crate) type Ways = BTreeMap<(PortIndex, PortIndex), Vec<Border>>;

/// What is known of the ports of a description.
pub(crate) struct Known<'a> {
    pub description: &'a Description,
    pub names: &'a Names,
    /// Node, index of the instance, and number of the port in its family.
    pub of: &'a BTreeMap<PortIndex, (Node, u32, u32)>,
    pub families: &'a IdVec<FamilyId, Family>,
    /// The graph's file, for ports without a statement.
    pub file: Span,
}

/// Gives sub-graphs the ports that wires pass. Returns the ways of these wires.
pub(crate) fn gates(known: &Known<'_>, wires: &[Wire], subgraphs: &mut IdVec<SubgraphId, Subgraph>) -> Ways {
    let named: BTreeMap<String, SubgraphId> =
        subgraphs.enumerate().map(|(id, graph)| (graph.name.clone(), id)).collect();
    let passing = wires.iter().filter(|wire| known.can_pass(wire));
    let passing = passing.filter_map(|wire| Some((wire, known.passed(wire, &named)?)));
    let passing = passing.filter(|(wire, passed)| !passed.is_empty() && known.fits(wire, passed));
    let passing: Vec<(&Wire, Vec<PortIndex>)> = passing.collect();
    let mut types: BTreeMap<PortIndex, Vec<UserPort>> = BTreeMap::new();
    for (wire, passed) in &passing {
        for &port in passed {
            let found = known.typed(wire, port);
            let all = types.entry(port).or_default();
            all.extend(found.filter(|one| !all.contains(one)));
        }
    }
    let is_typed = |port: &PortIndex| types.get(port).is_some_and(|all| all.len() == 1);
    let sound: Vec<_> = passing.iter().filter(|(_, passed)| passed.iter().all(is_typed)).collect();
    let used: BTreeSet<PortIndex> = sound.iter().flat_map(|(_, passed)| passed.iter().copied()).collect();
    let mut borders: BTreeMap<PortIndex, Border> = BTreeMap::new();
    for port in used {
        let Some((graph, name)) = known.seat(port, &named) else { continue };
        let Some([only]) = types.get(&port).map(Vec::as_slice) else { continue };
        let ports = &mut subgraphs[graph].ports;
        borders.insert(port, (graph, u32::try_from(ports.len()).unwrap_or(u32::MAX)));
        ports.push(UserPort { name, ..only.clone() });
    }
    let way = |passed: &[PortIndex]| -> Vec<Border> {
        passed.iter().rev().filter_map(|port| borders.get(port).copied()).collect()
    };
    sound.into_iter().map(|(wire, passed)| ((wire.from, wire.to), way(passed))).collect()
}

impl Known<'_> {
    /// The sub-graph of a port, and the port's name in it.
    fn seat(&self, port: PortIndex, named: &BTreeMap<String, SubgraphId>) -> Option<(SubgraphId, String)> {
        let path = self.names.local(self.description.ports.get(port.0 as usize)?.path.as_deref()?);
        let (graph, name) = path.rsplit_once('.')?;
        Some((*named.get(graph)?, name.to_owned()))
    }

    /// The ports of sub-graphs on the way of a wire, the producer's first. Returns None when
    /// something else lies between its ends.
    fn passed(&self, wire: &Wire, named: &BTreeMap<String, SubgraphId>) -> Option<Vec<PortIndex>> {
        let inner = wire.path.split_last().map_or(&[][..], |(_, inner)| inner);
        let mut found = Vec::new();
        for at in inner {
            let port = self.description.connections.get(at.0 as usize)?.to;
            let of = self.description.ports.get(port.0 as usize)?;
            if of.owner != Owner::Graph || of.is_inout {
                return None;
            }
            found.extend(Some(port).filter(|&port| self.seat(port, named).is_some()));
        }
        Some(found)
    }

    /// True for a wire between kernels, inputs and outputs.
    fn can_pass(&self, wire: &Wire) -> bool {
        let gives_back = host_ends(self.description, wire)
            .is_some_and(|(_, inner)| self.description.ports[inner.0 as usize].direction == Direction::Out);
        let is_known = [wire.from, wire.to].iter().all(|port| self.of.contains_key(port));
        is_known && !gives_back
    }

    /// True if a component may have the ports that a wire passes. A sub-graph that passes data from
    /// one port to another has nothing between them that makes a window of a stream.
    fn fits(&self, wire: &Wire, passed: &[PortIndex]) -> bool {
        let direction = |port: PortIndex| self.description.ports[port.0 as usize].direction;
        let passes_on =
            |pair: &[PortIndex]| (direction(pair[0]), direction(pair[1])) == (Direction::In, Direction::Out);
        let carries = |port: PortIndex| self.user_port(port).map(|port| port.carries);
        let agree = carries(wire.from).zip(carries(wire.to)).is_none_or(|(from, to)| alike(from, to));
        agree || !passed.windows(2).any(passes_on)
    }

    fn user_port(&self, port: PortIndex) -> Option<&UserPort> {
        let &(node, _, number) = self.of.get(&port)?;
        match node {
            Node::Family(family) => self.families[family].ports.get(number as usize),
            Node::External(_) | Node::Collective(_) => None,
        }
    }

    /// A port of a sub-graph with the type of the kernel inside, at the end of `wire`. It has no
    /// name yet.
    fn typed(&self, wire: &Wire, port: PortIndex) -> Option<UserPort> {
        let of = self.description.ports.get(port.0 as usize)?;
        let inner = if of.direction == Direction::In { wire.to } else { wire.from };
        let span = of.sites.first().map_or(self.file, |site| site.span);
        let own = self.user_port(inner)?;
        Some(UserPort { name: String::new(), direction: of.direction, span, ..own.clone() })
    }
}

/// True if the ports of a design may carry these from one to the other through a port of a
/// component.
fn alike(from: Carries, to: Carries) -> bool {
    let is_cascade = matches!(from, Carries::Cascade(_));
    from.word() == to.word() && from.element() == to.element() && (!is_cascade || from == to)
}
