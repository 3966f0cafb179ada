//! Statements of the graph's constructor that connect: the user's connections in their order, then those of the collectives.

use aiec_ir::expanded::{Cascade, Connection, Owner, PortRole};
use aiec_ir::{CollectiveId, ConnectionId, Direction, ExternalId, KernelId, PortId, PortKind};

use super::Context;
use crate::lines::{counted, looped};
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
        lines.extend(collective_lines(context, id));
    }
    lines
}

/// What two connections of one loop have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ConnectionKind {
    /// What `connect` is told: `adf::window<BYTES>` or `adf::cascade`; nothing between buffers, which have their sizes at their ports.
    what: String,
    from: EndKind,
    to: EndKind,
}

/// One end of a connection without its index.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EndKind {
    /// The member of the graph class, and whether it is an array.
    member: (String, bool),
    direction: Direction,
    /// None if the index is that of the port, as at a merge of packets.
    slot: Option<u32>,
    asynchronous: bool,
    /// True if `single_buffer` is to be said here.
    single: bool,
    /// Elements, if the port is a buffer whose size is to be said here.
    dimension: Option<u32>,
}

impl EndKind {
    fn port(&self, index: &str) -> String {
        let (member, array) = &self.member;
        let Some(slot) = self.slot else { return format!("{member}.{}[{index}]", self.direction) };
        let index = if *array { format!("[{index}]") } else { String::new() };
        format!("{member}{index}.{}[{slot}]", self.direction)
    }

    fn end(&self, index: &str) -> String {
        let port = self.port(index);
        if self.asynchronous { format!("adf::async({port})") } else { port }
    }
}

fn user_connections(context: &Context<'_>, connections: &[ConnectionId]) -> Vec<String> {
    loops(&connections.iter().map(|&id| connection_item(context, id)).collect::<Vec<_>>())
}

fn loops(items: &[Item<ConnectionKind>]) -> Vec<String> {
    let run_lines = runs(items).into_iter().flat_map(|run| {
        let (bounds, indices) = run.to_loop(items);
        let [from, to] = indices.as_slice() else { return Vec::new() };
        looped(bounds, connection_lines(&items[run.first].kind, from, to))
    });
    run_lines.collect()
}

fn connection_lines(kind: &ConnectionKind, from: &str, to: &str) -> Vec<String> {
    let ConnectionKind { what, from: source, to: sink } = kind;
    let mut lines = vec![format!("adf::connect<{what}>({}, {});", source.end(from), sink.end(to))];
    let ends = [(source, from), (sink, to)];
    let sized = ends.into_iter().filter_map(|(end, index)| Some((end.port(index), end.dimension?)));
    lines.extend(sized.map(|(port, elements)| format!("adf::dimensions({port}) = {{{elements}}};")));
    let single = ends.into_iter().filter(|(end, _)| end.single);
    lines.extend(single.map(|(end, index)| format!("adf::single_buffer({});", end.port(index))));
    lines
}

fn connection_item(context: &Context<'_>, id: ConnectionId) -> Item<ConnectionKind> {
    let connection = &context.design.connections[id];
    let windows = [connection.from, connection.to].map(|port| context.design.ports[port].window);
    let bytes = windows.into_iter().flatten().next().map_or(0, aiec_ir::WindowType::bytes);
    let merge = merge_end(context, connection);
    let what = match context.design.port_kind {
        PortKind::Window if merge.is_some() => format!("adf::window<{bytes}>, adf::pktstream"),
        PortKind::Window => format!("adf::window<{bytes}>"),
        PortKind::Buffer => String::new(),
    };
    let (from, from_index) = end(context, connection.from, id);
    let (to, to_index) = merge.unwrap_or_else(|| end(context, connection.to, id));
    Item { kind: ConnectionKind { what, from, to }, indices: vec![from_index, to_index] }
}

/// The input of the merge by which packets get to the port of a connection: the senders are numbered in order.
fn merge_end(context: &Context<'_>, connection: &Connection) -> Option<(EndKind, i64)> {
    let port = &context.design.ports[connection.to];
    let PortRole::Packets(collective) = port.role else { return None };
    let own = |&id: &ConnectionId| context.design.connections[id].from == connection.from;
    let index = port.connections.iter().position(own)?;
    let member = context.names.merges[collective].clone()?;
    Some((merge_port(member, Direction::In), i64::try_from(index).unwrap_or(i64::MAX)))
}

const fn merge_port(member: String, direction: Direction) -> EndKind {
    EndKind {
        member: (member, false),
        direction,
        slot: None,
        asynchronous: false,
        single: false,
        dimension: None,
    }
}

/// From the merge of a collective to its root.
fn merged_item(context: &Context<'_>, id: CollectiveId) -> Option<Item<ConnectionKind>> {
    let member = context.names.merges[id].clone()?;
    let root = context.design.membership(context.design.collectives[id].root.value, id)?;
    let port = *root.inputs.first()?;
    let (to, index) = end(context, port, *context.design.ports[port].connections.first()?);
    let to = EndKind { asynchronous: false, single: false, ..to };
    let kind =
        ConnectionKind { what: "adf::pktstream".to_owned(), from: merge_port(member, Direction::Out), to };
    Some(Item { kind, indices: vec![0, index] })
}

/// A cascade stream: from the last output of one kernel to the last input of the next one.
fn cascade_item(context: &Context<'_>, cascade: &Cascade) -> Item<ConnectionKind> {
    let end = |kernel: KernelId, direction| {
        let kernel = &context.design.kernels[kernel];
        let member = (context.names.families[kernel.family].clone(), context.is_array(kernel.family));
        let ports = if direction == Direction::In { &kernel.inputs } else { &kernel.outputs };
        let slot = u32::try_from(ports.len()).ok();
        let kind = EndKind { member, direction, slot, asynchronous: false, single: false, dimension: None };
        (kind, i64::from(kernel.index))
    };
    let ((from, out), (to, into)) = (end(cascade.from, Direction::Out), end(cascade.to, Direction::In));
    Item { kind: ConnectionKind { what: "adf::cascade".to_owned(), from, to }, indices: vec![out, into] }
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
    let windows = context.design.port_kind.is_window();
    // Of a buffer, the kernel's parameter says whether it is async.
    let asynchronous = is_kernel && windows && port.asynchronous;
    let sized = is_kernel && first && !windows;
    let dimension = port.window.filter(|_| sized).map(|window| window.elements);
    let kind =
        EndKind { member, direction: port.direction, slot: Some(port.slot), asynchronous, single, dimension };
    (kind, index)
}

/// The member that holds an input or output, whether it is an array, and the index in it.
fn external_end(context: &Context<'_>, external: ExternalId) -> ((String, bool), i64) {
    let Some((at, element)) = context.names.element_of(external) else { return Default::default() };
    let group = &context.names.externals[at];
    ((group.member.clone(), group.array), i64::try_from(element).unwrap_or(i64::MAX))
}

/// The connections of a collective: those through the same ports together, so that loops make them.
fn collective_lines(context: &Context<'_>, id: CollectiveId) -> Vec<String> {
    let collective = &context.design.collectives[id];
    let all = context.design.connections.enumerate().filter(|(_, c)| c.collective == Some(id));
    let mut items: Vec<Item<ConnectionKind>> = all.map(|(id, _)| connection_item(context, id)).collect();
    let key = |item: &Item<ConnectionKind>| {
        let ConnectionKind { from, to, .. } = &item.kind;
        let step = item.indices[1] - item.indices[0];
        let said = |end: &EndKind| (end.single, end.dimension);
        (from.member.clone(), to.member.clone(), from.slot, to.slot, said(from), said(to), step)
    };
    // A tree's links advance by different steps at both ends; those of other shapes keep a distance.
    let tree = collective.plan.has_tree();
    items.sort_by_cached_key(|item| {
        let (from, to, out, slot, single, also, step) = key(item);
        (from, to, out, slot, single, also, if tree { 0 } else { step }, item.indices[0])
    });
    items.extend(merged_item(context, id));
    items.extend(collective.cascades(id).map(|cascade| cascade_item(context, &cascade)));
    let what = format!("{}: {} over", collective.name, collective.operation());
    let mut lines =
        vec![format!("// {what} {}, {}.", counted(collective.ranks.len(), "rank"), collective.plan.shape)];
    lines.extend(loops(&items));
    lines
}
