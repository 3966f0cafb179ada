//! Kernels, inputs, outputs and connections of a design, with their places in the picture of the
//! graph, and the levels of collectives.

use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{CascadeOrigin, Collective, Expanded, Owner};
use aiec_ir::{Carries, Direction, KernelId, PortId};

use crate::layered;
use crate::model::{Edge, Graph, Group, Node, NodeKind};

/// The graph of a design.
pub(crate) fn graph(design: &Expanded) -> Graph<'_> {
    let mut edges = edges(design);
    let ends: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from as usize, edge.to as usize)).collect();
    let mut nodes = nodes(design);
    let layout = layered::layout(nodes.len(), &ends);
    nodes.iter_mut().zip(layout.at).for_each(|(node, at)| node.at = at);
    edges.iter_mut().zip(layout.bends).for_each(|(edge, bends)| edge.bends = bends);
    Graph { nodes, edges, size: layout.size, node: layered::NODE }
}

fn nodes(design: &Expanded) -> Vec<Node<'_>> {
    let kernels = design.kernels.enumerate().map(|(id, kernel)| Node {
        name: &kernel.name,
        kind: NodeKind::Kernel,
        family: &design.families[kernel.family].name,
        source: &design.body(id).source.value,
        at: [0.0; 2],
    });
    let externals = design.externals.iter().map(|external| Node {
        name: &external.name,
        kind: if external.direction == Direction::Out { NodeKind::Input } else { NodeKind::Output },
        family: match external.endpoint {
            Endpoint::Plio { .. } => "plio",
            Endpoint::Gmio { .. } => "gmio",
        },
        source: "",
        at: [0.0; 2],
    });
    kernels.chain(externals).collect()
}

/// The node of a port.
fn node_of(design: &Expanded, port: PortId) -> u32 {
    match design.ports[port].owner {
        Owner::Kernel(kernel) => kernel.0,
        Owner::External(external) => number(design.kernels.len()).saturating_add(external.0),
    }
}

fn edges(design: &Expanded) -> Vec<Edge> {
    let connections = design.connections.iter().map(|connection| {
        let carries = |port: PortId| design.ports[port].carries;
        let carries = carries(connection.to).or(carries(connection.from));
        Edge {
            from: node_of(design, connection.from),
            to: node_of(design, connection.to),
            ports: [connection.from, connection.to].map(|port| design.port_name(port)),
            carries: carries.as_ref().map_or_else(String::new, Carries::to_string),
            group: connection.collective.map(|id| id.0),
            bends: Vec::new(),
        }
    });
    let cascades = design.cascades.iter().filter_map(|cascade| match cascade.origin {
        CascadeOrigin::Connection(_) => None,
        CascadeOrigin::Collective(id) => Some(Edge {
            from: cascade.from.0,
            to: cascade.to.0,
            ports: [cascade.from, cascade.to].map(|kernel| design.kernels[kernel].name.clone()),
            carries: "cascade".to_owned(),
            group: Some(id.0),
            bends: Vec::new(),
        }),
    });
    connections.chain(cascades).collect()
}

/// The connections of a port, by position.
pub(crate) fn edges_of(design: &Expanded, port: PortId) -> Vec<u32> {
    design.ports[port].connections.iter().map(|connection| connection.0).collect()
}

/// The collectives and their levels.
pub(crate) fn groups(design: &Expanded) -> Vec<Group<'_>> {
    let collectives = design.collectives.iter();
    collectives
        .map(|collective| Group {
            name: &collective.name,
            what: format!("{}, shape {}", collective.operation(), collective.plan.shape),
            levels: levels(collective),
        })
        .collect()
}

/// The kernels of a collective by level.
fn levels(collective: &Collective) -> Vec<Vec<u32>> {
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for (&KernelId(kernel), level) in collective.ranks.iter().zip(aiec_draw::levels(collective)) {
        let level = level as usize;
        levels.resize(levels.len().max(level + 1), Vec::new());
        levels[level].push(kernel);
    }
    levels
}

/// A position as data has it.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
