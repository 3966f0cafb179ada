//! The connecting statements of the graph's constructor: the user's connections in their order,
//! then those of the collectives.
//!
//! A branch of a split or merge begins or ends at the member for it. The first branch of a split
//! brings the connection of its trunk, and so does the last branch of a merge.

use aiec_ir::expanded::{Connection, Expanded, Owner, SwitchKind};
use aiec_ir::fifos::{FifoKind, FifoPlace};
use aiec_ir::{Carries, CollectiveId, ConnectionId, Direction, ElementType, Flow, PortId, SwitchId};

use super::Context;
use super::links::collective_lines;
use super::parameters;
use crate::options::Locations;
use crate::runs::{Item, blocks, text};

/// Statements that make all connections.
pub(super) fn connect_lines(context: &Context<'_>) -> Vec<String> {
    let user = connections(context, None);
    let mut lines = Vec::new();
    if !user.is_empty() {
        lines.extend([String::new(), "// Connections of the design.".to_owned()]);
        lines.extend(connection_loops(context, &user));
    }
    lines.extend(parameters::connect_lines(context));
    lines.extend(collective_lines(context));
    lines
}

/// The connections of a collective. With None, those of no collective.
pub(super) fn connections(context: &Context<'_>, collective: Option<CollectiveId>) -> Vec<ConnectionId> {
    let all = context.design.connections.enumerate();
    all.filter(|(_, connection)| connection.collective == collective).map(|(id, _)| id).collect()
}

/// One statement for each connection. Connections that differ only by indices follow each other, in
/// loops.
pub(super) fn connection_loops(context: &Context<'_>, connections: &[ConnectionId]) -> Vec<String> {
    let mut kinds: Vec<Vec<Item<ConnectionKind>>> = Vec::new();
    for item in connections.iter().flat_map(|&id| connection_items(context, id)) {
        match kinds.iter_mut().find(|items| items.first().is_some_and(|first| first.kind == item.kind)) {
            Some(items) => items.push(item),
            None => kinds.push(vec![item]),
        }
    }
    text(kinds.iter().flat_map(|items| blocks(items, connection_lines)).collect())
}

/// The properties that all connections of one loop share.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ConnectionKind {
    /// The template arguments of `connect`, such as `adf::window<BYTES>`. Empty where a buffer is
    /// an end: its port states its size, and the tools derive the rest.
    what: String,
    /// FIFO words that the connection asks for.
    fifo: Option<u32>,
    /// The places of that FIFO.
    places: Vec<String>,
    from: EndKind,
    to: EndKind,
}

/// One end of a connection without its indices: those of the kernel, input or output in its array,
/// and that of the port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EndKind {
    /// The member of the graph class.
    member: String,
    /// Number of indices that select an element of the array.
    dims: usize,
    /// The list of the owner's ports: `in`, `out` or `inout`.
    list: &'static str,
    asynchronous: bool,
    /// True for a parameter that its kernel gives back synchronously.
    synchronous: bool,
    /// True if this statement sets `single_buffer`.
    single: bool,
    /// Elements, if the port is a buffer whose size this statement sets.
    dimension: Option<u32>,
}

impl EndKind {
    fn port(&self, indices: &[String]) -> String {
        port_at(&self.member, self.list, indices)
    }

    fn end(&self, indices: &[String]) -> String {
        let port = self.port(indices);
        match (self.asynchronous, self.synchronous) {
            (true, _) => format!("adf::async({port})"),
            (false, true) => format!("adf::sync({port})"),
            (false, false) => port,
        }
    }
}

/// A port, such as `worker[3].in[0]`. The last index is the port's.
pub(super) fn port_at(member: &str, list: impl std::fmt::Display, indices: &[String]) -> String {
    let Some((port, element)) = indices.split_last() else { return member.to_owned() };
    let element: String = element.iter().map(|index| format!("[{index}]")).collect();
    format!("{member}{element}.{list}[{port}]")
}

fn connection_lines(kind: &ConnectionKind, indices: &[String]) -> Vec<String> {
    let ConnectionKind { what, fifo, places, from: source, to: sink } = kind;
    let (from, to) = indices.split_at((source.dims + 1).min(indices.len()));
    let ends = format!("({}, {})", source.end(from), sink.end(to));
    let mut lines = match fifo {
        None => vec![format!("adf::connect<{what}>{ends};")],
        // A scope for each name: several of them may be in one loop.
        Some(words) => vec![
            "{".to_owned(),
            format!("    adf::connect<{what}> net{ends};"),
            format!("    adf::fifo_depth(net) = {words};"),
            "}".to_owned(),
        ],
    };
    if let (false, Some(at)) = (places.is_empty(), lines.len().checked_sub(1)) {
        let all = match places.as_slice() {
            [one] => one.clone(),
            several => format!("{{{}}}", several.join(", ")),
        };
        lines.insert(at, format!("    adf::location<adf::fifo>(net) = {all};"));
    }
    let ends = [(source, from), (sink, to)];
    let sized = ends.into_iter().filter_map(|(end, indices)| Some((end.port(indices), end.dimension?)));
    lines.extend(sized.map(|(port, elements)| format!("adf::dimensions({port}) = {{{elements}}};")));
    let single = ends.into_iter().filter(|(end, _)| end.single);
    lines.extend(single.map(|(end, indices)| format!("adf::single_buffer({});", end.port(indices))));
    lines
}

/// The places of the FIFO of a connection, unless the project states no locations.
fn fifo_places(context: &Context<'_>, connection: &Connection) -> Vec<String> {
    let place = |place: &FifoPlace| {
        let (tile, row) = place.row.map_or(("shim_tile", 0), |row| ("aie_tile", row));
        let at = format!("adf::{tile}, {}, {row}", place.column);
        match place.kind {
            FifoKind::Dma { offset, words } => format!("adf::dma_fifo({at}, {offset:#06x}, {words})"),
            FifoKind::Switch { number } => format!("adf::ss_fifo({at}, {number})"),
        }
    };
    if context.locations == Locations::None {
        return Vec::new();
    }
    connection.fifo_places.iter().map(place).collect()
}

/// The statements for a connection: its own, and that of the trunk of its split or merge if it is
/// the first or last branch.
fn connection_items(context: &Context<'_>, id: ConnectionId) -> Vec<Item<ConnectionKind>> {
    let connection = &context.design.connections[id];
    let what = template_arguments(context.design, connection);
    let fifo = connection.fifo.as_ref().map(|words| words.value);
    let [from, to] = [connection.from, connection.to].map(|port| end(context, port, id));
    let stated = fifo_places(context, connection);
    let item = |what: String,
                fifo: Option<u32>,
                (from, mut indices): (EndKind, Vec<i64>),
                (to, sink): (_, Vec<i64>)| {
        indices.extend(sink);
        let places = if fifo.is_some() { stated.clone() } else { Vec::new() };
        Item { kind: ConnectionKind { what, fifo, places, from, to }, indices }
    };
    let Some(switch) = connection.switch else { return vec![item(what, fifo, from, to)] };
    let branches = &context.design.switches[switch].branches;
    let number = branches.iter().position(|&branch| branch == id).unwrap_or(0);
    let (into, out) = (switch_end(context, switch, "in", 0), switch_end(context, switch, "out", 0));
    let packets = || "adf::pktstream".to_owned();
    match context.design.switches[switch].kind {
        SwitchKind::Split => {
            let trunk = (number == 0).then(|| item(packets(), None, from, into));
            let branch = item(what, fifo, switch_end(context, switch, "out", number), to);
            trunk.into_iter().chain([branch]).collect()
        }
        SwitchKind::Merge | SwitchKind::OrderedMerge => {
            let trunk = (number + 1 == branches.len())
                .then(|| item(trunk_arguments(context.design, connection.to), None, out, to));
            let branch = item(what, fifo, from, switch_end(context, switch, "in", number));
            [branch].into_iter().chain(trunk).collect()
        }
    }
}

/// Port `number` of the member for a split or merge.
fn switch_end(
    context: &Context<'_>,
    switch: SwitchId,
    list: &'static str,
    number: usize,
) -> (EndKind, Vec<i64>) {
    let (member, index) = context.names.switch(switch);
    let mut indices: Vec<i64> = index.into_iter().map(|index| i64::try_from(index).unwrap_or(0)).collect();
    let dims = indices.len();
    indices.push(i64::try_from(number).unwrap_or(0));
    let kind = EndKind {
        member: member.to_owned(),
        dims,
        list,
        asynchronous: false,
        synchronous: false,
        single: false,
        dimension: None,
    };
    (kind, indices)
}

/// The template arguments from a merge to its trunk.
fn trunk_arguments(design: &Expanded, trunk: PortId) -> String {
    match design.ports[trunk].carries {
        Some(Carries::Window { .. }) if !design.port_kind.is_window() => String::new(),
        Some(Carries::Window { window, .. }) if design.kernel_of(trunk).is_some() => {
            format!("adf::pktstream, adf::window<{}>", window.bytes())
        }
        _ => "adf::pktstream".to_owned(),
    }
}

/// The template arguments of `connect`: one for each end, or one for both (UG1079, "Connections").
/// The end at a split or merge is a stream of packets.
fn template_arguments(design: &Expanded, connection: &Connection) -> String {
    let kind = connection.switch.map(|switch| design.switches[switch].kind);
    let is_trunk = [kind == Some(SwitchKind::Split), kind.is_some_and(|kind| kind != SwitchKind::Split)];
    let ports = [(connection.from, is_trunk[0]), (connection.to, is_trunk[1])];
    let packets = Carries::Packets(Flow { element: ElementType::Int32, per_run: None });
    let ends = ports.map(|(port, trunk)| if trunk { Some(packets) } else { design.ports[port].carries });
    let kernels = ports.map(|(port, trunk)| trunk || design.kernel_of(port).is_some());
    let of = |carries: Option<Carries>| match carries {
        Some(Carries::Window { window, margin: 0 }) => format!("adf::window<{}>", window.bytes()),
        Some(Carries::Window { window, margin }) => {
            format!("adf::window<{}, {}>", window.bytes(), margin * window.element.bytes())
        }
        Some(Carries::Packets(_)) => "adf::pktstream".to_owned(),
        Some(Carries::Cascade(_)) => "adf::cascade".to_owned(),
        Some(Carries::Parameter(_)) => "adf::parameter".to_owned(),
        Some(Carries::Stream(_)) | None => "adf::stream".to_owned(),
    };
    let is_window = |carries: &Option<Carries>| matches!(carries, Some(Carries::Window { .. }));
    if !design.port_kind.is_window() && ends.iter().any(is_window) {
        return String::new();
    }
    // An input or output of the array takes the type of the kernel's port.
    let [from, to] = match kernels {
        [true, false] => [of(ends[0]), of(ends[0])],
        [false, true] => [of(ends[1]), of(ends[1])],
        _ => ends.map(of),
    };
    if from == to { from } else { format!("{from}, {to}") }
}

fn end(context: &Context<'_>, id: PortId, connection: ConnectionId) -> (EndKind, Vec<i64>) {
    let port = &context.design.ports[id];
    let (member, mut indices) = context.member_of(port.owner);
    let is_kernel = matches!(port.owner, Owner::Kernel(_));
    let first = port.connections.first() == Some(&connection);
    let single = is_kernel && first && port.window().is_some() && context.is_single(id);
    let windows = context.design.port_kind.is_window();
    // A buffer is async by the type of the kernel's parameter.
    let is_parameter = matches!(port.carries, Some(Carries::Parameter(_)));
    let asynchronous = is_kernel && port.asynchronous && (windows || is_parameter);
    let synchronous = is_parameter && !port.asynchronous && port.direction == Direction::Out;
    let sized = is_kernel && first && !windows;
    let dimension = port.window().filter(|_| sized).map(|window| window.elements);
    let dims = indices.len();
    indices.push(i64::from(port.slot));
    (EndKind { member, dims, list: port.list(), asynchronous, synchronous, single, dimension }, indices)
}
