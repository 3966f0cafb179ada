//! Statements of the graph's constructor that connect: the user's connections in their order, then the trees.

use aiec_ir::expanded::Owner;
use aiec_ir::{Buffering, CollectiveId, ConnectionId, Direction, ExternalId, FamilyId, KernelId, PortId};

use super::Context;
use crate::lines::{counted, looped};
use crate::roles::membership;
use crate::runs::{Item, runs};

/// Statements that make all connections.
pub(super) fn connect_lines(context: &Context<'_>) -> Vec<String> {
    let user: Vec<ConnectionId> = context
        .design
        .connections
        .enumerate()
        .filter(|(_, c)| c.collective.is_none())
        .map(|(id, _)| id)
        .collect();
    let mut lines = Vec::new();
    if !user.is_empty() {
        lines.extend([String::new(), "// Connections of the design.".to_owned()]);
        lines.extend(user_connections(context, &user));
    }
    for id in context.design.collectives.ids() {
        lines.push(String::new());
        lines.extend(tree_lines(context, id));
    }
    lines
}

/// What two connections of one loop have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ConnectionKind {
    bytes: u64,
    from: EndKind,
    to: EndKind,
}

/// One end of a connection without its index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EndKind {
    /// The member of the graph class, and whether it is an array.
    member: (String, bool),
    direction: Direction,
    slot: u32,
    asynchronous: bool,
    /// True if `single_buffer` is to be said here.
    single: bool,
}

impl EndKind {
    fn port(&self, index: &str) -> String {
        let (member, array) = &self.member;
        let index = if *array { format!("[{index}]") } else { String::new() };
        format!("{member}{index}.{}[{}]", self.direction, self.slot)
    }

    fn end(&self, index: &str) -> String {
        let port = self.port(index);
        if self.asynchronous { format!("adf::async({port})") } else { port }
    }
}

fn user_connections(context: &Context<'_>, connections: &[ConnectionId]) -> Vec<String> {
    let items: Vec<Item<ConnectionKind>> =
        connections.iter().map(|&id| connection_item(context, id)).collect();
    let run_lines = runs(&items).into_iter().flat_map(|run| {
        let (bounds, indices) = run.to_loop(&items);
        let [from, to] = indices.as_slice() else { return Vec::new() };
        looped(bounds, connection_lines(&items[run.first].kind, from, to))
    });
    run_lines.collect()
}

fn connection_lines(kind: &ConnectionKind, from: &str, to: &str) -> Vec<String> {
    let ConnectionKind { bytes, from: source, to: sink } = kind;
    let mut lines =
        vec![format!("adf::connect<adf::window<{bytes}>>({}, {});", source.end(from), sink.end(to))];
    let ends = [(source, from), (sink, to)];
    let single = ends.into_iter().filter(|(end, _)| end.single);
    lines.extend(single.map(|(end, index)| format!("adf::single_buffer({});", end.port(index))));
    lines
}

fn connection_item(context: &Context<'_>, id: ConnectionId) -> Item<ConnectionKind> {
    let connection = &context.design.connections[id];
    let windows = [connection.from, connection.to].map(|port| context.design.ports[port].window);
    let bytes = windows.into_iter().flatten().next().map_or(0, aiec_ir::WindowType::bytes);
    let (from, from_index) = end(context, connection.from, id);
    let (to, to_index) = end(context, connection.to, id);
    Item { kind: ConnectionKind { bytes, from, to }, indices: vec![from_index, to_index] }
}

fn end(context: &Context<'_>, id: PortId, connection: ConnectionId) -> (EndKind, i64) {
    let port = &context.design.ports[id];
    let (member, index) = match port.owner {
        Owner::Kernel(kernel) => {
            let kernel = &context.design.kernels[kernel];
            let family = kernel.family;
            ((context.names.families[family].clone(), context.is_array(family)), i64::from(kernel.index))
        }
        Owner::External(external) => external_end(context, external),
    };
    let is_kernel = matches!(port.owner, Owner::Kernel(_));
    let first = port.connections.first() == Some(&connection);
    let single = is_kernel && first && context.is_single(id);
    let asynchronous = is_kernel && port.asynchronous;
    let kind = EndKind { member, direction: port.direction, slot: port.slot, asynchronous, single };
    (kind, index)
}

/// The member that holds an input or output, whether it is an array, and the index in it.
fn external_end(context: &Context<'_>, external: ExternalId) -> ((String, bool), i64) {
    let Some((at, element)) = context.names.element_of(external) else { return Default::default() };
    let group = &context.names.externals[at];
    ((group.member.clone(), group.array), i64::try_from(element).unwrap_or(i64::MAX))
}

/// The nodes of a collective's tree, and the call that connects them.
fn tree_lines(context: &Context<'_>, id: CollectiveId) -> Vec<String> {
    let collective = &context.design.collectives[id];
    let array = &context.names.trees[id];
    let items = tree_items(context, id);
    let mut lines = vec![
        format!(
            "// The tree of {}: {}, the root first.",
            collective.name,
            counted(collective.tree.len(), "kernel")
        ),
        format!("aiec::tree_node {array}[{}];", collective.tree.len()),
    ];
    for run in runs(&items) {
        let (bounds, indices) = run.to_loop(&items);
        let [node, kernel] = indices.as_slice() else { continue };
        let (family, first_in, out) = items[run.first].kind;
        let kernel = context.kernel_at(family, kernel);
        lines.extend(looped(bounds, vec![format!("{array}[{node}] = {{&{kernel}, {first_in}, {out}}};")]));
    }
    let single = if collective.buffering == Buffering::Single { ", aiec::buffers::single" } else { "" };
    let bytes = collective.window.value.bytes();
    lines.push(format!("aiec::connect_tree<{bytes}>({array}, {}{single});", collective.arity.value));
    lines.extend(on_one_core(context, id));
    lines
}

/// Links of a tree between kernels on one core, which use one buffer in turn (UG1079).
fn on_one_core(context: &Context<'_>, id: CollectiveId) -> Vec<String> {
    let links = context.design.connections.iter().filter(|connection| {
        let pingpong = connection.buffering == Buffering::Pingpong;
        connection.collective == Some(id) && pingpong && context.stays_on_core(connection.from)
    });
    let ports = links.flat_map(|connection| [connection.from, connection.to]);
    ports.map(|port| format!("adf::single_buffer({});", context.port(port))).collect()
}

/// What a tree uses of a kernel.
#[derive(Clone, Copy)]
struct TreePorts {
    family: FamilyId,
    /// The first input port; none at a leaf.
    first_in: Option<u32>,
    /// The output port towards the parent; none at the root.
    out: Option<u32>,
}

/// Each node by family and ports, with its position in the tree and its kernel's index.
///
/// Ports that a node does not have are those of the others of its family, so that one loop serves all.
fn tree_items(context: &Context<'_>, id: CollectiveId) -> Vec<Item<(FamilyId, u32, u32)>> {
    let tree = &context.design.collectives[id].tree;
    let nodes: Vec<TreePorts> = tree.iter().map(|&kernel| tree_ports(context, id, kernel)).collect();
    let usual = |family: FamilyId, port: fn(&TreePorts) -> Option<u32>| {
        nodes.iter().filter(|node| node.family == family).find_map(port).unwrap_or(0)
    };
    let item = |position: usize, node: &TreePorts| {
        let first_in = node.first_in.unwrap_or_else(|| usual(node.family, |node| node.first_in));
        let out = node.out.unwrap_or_else(|| usual(node.family, |node| node.out));
        let index = context.design.kernels[tree[position]].index;
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        Item { kind: (node.family, first_in, out), indices: vec![position, i64::from(index)] }
    };
    nodes.iter().enumerate().map(|(position, node)| item(position, node)).collect()
}

fn tree_ports(context: &Context<'_>, id: CollectiveId, kernel: KernelId) -> TreePorts {
    let kernel = &context.design.kernels[kernel];
    let slot = |port: PortId| context.design.ports[port].slot;
    let member = membership(kernel, id);
    TreePorts {
        family: kernel.family,
        first_in: member.and_then(|member| member.children.first()).map(|&port| slot(port)),
        out: member.and_then(|member| member.parent).map(slot),
    }
}
