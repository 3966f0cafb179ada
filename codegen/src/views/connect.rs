//! The connecting statements of the graph's constructor: the user's connections in their order,
//! then those of the collectives.
//!
//! A branch of a split or merge begins or ends at the member for it. The first branch of a split
//! brings the connection of its trunk, and so does the last branch of a merge.

use aiec_ir::expanded::{Connection, Expanded, Owner, SwitchKind};
use aiec_ir::fifos::{FifoKind, FifoPlace};
use aiec_ir::{Buffering, Carries, CollectiveId, ConnectionId, Direction, ElementType, Flow, PortId};

use super::links::collective_lines;
use super::ways::Ways;
use super::{Context, Place, with_indices};
use crate::hierarchy::Level;
use crate::options::Locations;
use crate::runs::{Item, blocks, text};

/// Statements that make all connections of a class.
pub(super) fn connect_lines(context: &Context<'_>, ways: &Ways, level: Level) -> Vec<String> {
    let user = ways.connections(level);
    let mut lines = Vec::new();
    if !user.is_empty() {
        let what = if level.is_some() { "// Connections." } else { "// Connections of the design." };
        lines.extend([String::new(), what.to_owned()]);
        lines.extend(loops(user));
    }
    let parameters = ways.parameters(level);
    if !parameters.is_empty() {
        lines.extend([String::new(), "// Run-time parameters of the host.".to_owned()]);
        lines.extend(text(blocks(parameters, connection_lines)));
    }
    lines.extend(collective_lines(context, level));
    lines
}

/// The connections of a collective.
pub(super) fn connections(context: &Context<'_>, collective: CollectiveId) -> Vec<ConnectionId> {
    let all = context.design.connections.enumerate();
    all.filter(|(_, connection)| connection.collective == Some(collective)).map(|(id, _)| id).collect()
}

/// One statement for each connection of a collective in the class `level`.
pub(super) fn connection_loops(
    context: &Context<'_>,
    connections: &[ConnectionId],
    level: Level,
) -> Vec<String> {
    let mut ways = Ways::default();
    connections.iter().for_each(|&id| ways.connection(context, id, level));
    loops(ways.connections(level))
}

/// Connections that differ only by indices follow each other, in loops.
fn loops(connections: &[Item<ConnectionKind>]) -> Vec<String> {
    let mut kinds: Vec<Vec<Item<ConnectionKind>>> = Vec::new();
    for item in connections {
        match kinds.iter_mut().find(|items| items.first().is_some_and(|first| first.kind == item.kind)) {
            Some(items) => items.push(item.clone()),
            None => kinds.push(vec![item.clone()]),
        }
    }
    text(kinds.iter().flat_map(|items| blocks(items, connection_lines)).collect())
}

/// The properties that all connections of one loop share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConnectionKind {
    /// The template arguments of `connect`, such as `adf::window<BYTES>`. Empty where a buffer is
    /// an end: its port states its size, and the tools derive the rest.
    pub what: String,
    /// FIFO words that the connection states.
    pub fifo: Option<u32>,
    /// The places of that FIFO.
    pub places: Vec<String>,
    pub from: EndKind,
    pub to: EndKind,
}

/// One end of a connection without its indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndKind {
    /// The port with a hole `{}` for each index, such as `worker[{}].in[{}]`.
    pub port: String,
    /// Number of its indices.
    pub dims: usize,
    pub asynchronous: bool,
    /// True for a parameter that its kernel gives back synchronously.
    pub synchronous: bool,
    /// True if this statement sets `single_buffer`.
    pub single: bool,
    /// Elements, if the port is a buffer whose size this statement sets.
    pub dimension: Option<u32>,
}

impl EndKind {
    /// An end without properties.
    pub(super) fn plain(place: &Place) -> Self {
        let port = place.pattern.clone();
        let dims = place.indices.len();
        Self { port, dims, asynchronous: false, synchronous: false, single: false, dimension: None }
    }

    fn port(&self, indices: &[String]) -> String {
        with_indices(&self.port, indices)
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

fn connection_lines(kind: &ConnectionKind, indices: &[String]) -> Vec<String> {
    let ConnectionKind { what, fifo, places, from: source, to: sink } = kind;
    let (from, to) = indices.split_at(source.dims.min(indices.len()));
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
        lines.insert(at, format!("    adf::location<adf::fifo>(net) = {};", fifo_value(places)));
    }
    let ends = [(source, from), (sink, to)];
    let sized = ends.into_iter().filter_map(|(end, indices)| Some((end.port(indices), end.dimension?)));
    lines.extend(sized.map(|(port, elements)| format!("adf::dimensions({port}) = {{{elements}}};")));
    let single = ends.into_iter().filter(|(end, _)| end.single);
    lines.extend(single.map(|(end, indices)| format!("adf::single_buffer({});", end.port(indices))));
    lines
}

/// The places of the FIFO of a connection that the project states: those of the design, and the
/// chosen ones if it states where buffers lie.
pub(super) fn fifo_places(context: &Context<'_>, id: ConnectionId) -> Vec<String> {
    let stated = &context.design.connections[id].fifo_places;
    let places = match (context.locations, context.placed) {
        (Locations::None, _) => &[],
        (Locations::All, Some(placed)) => placed.fifo_places(context.design, id),
        (Locations::Kernels | Locations::All, _) => stated.as_slice(),
    };
    places.iter().map(fifo_place).collect()
}

/// The place of a FIFO in the vendor's words.
fn fifo_place(place: &FifoPlace) -> String {
    let (tile, row) = place.row.map_or(("shim_tile", 0), |row| ("aie_tile", row));
    let at = format!("adf::{tile}, {}, {row}", place.column);
    match place.kind {
        FifoKind::Dma { offset, words } => format!("adf::dma_fifo({at}, {offset:#06x}, {words})"),
        FifoKind::Switch { number } => format!("adf::ss_fifo({at}, {number})"),
    }
}

/// What a FIFO is set to: one place, or a list of them.
pub(super) fn fifo_value(places: &[String]) -> String {
    match places {
        [one] => one.clone(),
        several => format!("{{{}}}", several.join(", ")),
    }
}

/// The template arguments from a merge to its trunk.
pub(super) fn trunk_arguments(design: &Expanded, trunk: PortId) -> String {
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
pub(super) fn template_arguments(design: &Expanded, connection: &Connection) -> String {
    let kind = connection.switch.map(|switch| design.switches[switch].kind);
    let is_trunk = [kind == Some(SwitchKind::Split), kind.is_some_and(|kind| kind != SwitchKind::Split)];
    let ports = [(connection.from, is_trunk[0]), (connection.to, is_trunk[1])];
    let packets = Carries::Packets(Flow { element: ElementType::Int32, per_run: None });
    let ends = ports.map(|(port, trunk)| if trunk { Some(packets) } else { design.ports[port].carries });
    let kernels = ports.map(|(port, trunk)| trunk || design.kernel_of(port).is_some());
    let is_window = |carries: &Option<Carries>| matches!(carries, Some(Carries::Window { .. }));
    if !design.port_kind.is_window() && ends.iter().any(is_window) {
        return String::new();
    }
    // An input or output of the array takes the type of the kernel's port.
    let [from, to] = match kernels {
        [true, false] => [argument(ends[0]), argument(ends[0])],
        [false, true] => [argument(ends[1]), argument(ends[1])],
        _ => ends.map(argument),
    };
    if from == to { from } else { format!("{from}, {to}") }
}

/// The template argument of `connect` for an end.
fn argument(carries: Option<Carries>) -> String {
    match carries {
        Some(Carries::Window { window, margin: 0 }) => format!("adf::window<{}>", window.bytes()),
        Some(Carries::Window { window, margin }) => {
            format!("adf::window<{}, {}>", window.bytes(), margin * window.element.bytes())
        }
        Some(Carries::Packets(_)) => "adf::pktstream".to_owned(),
        Some(Carries::Cascade(_)) => "adf::cascade".to_owned(),
        Some(Carries::Parameter(_)) => "adf::parameter".to_owned(),
        Some(Carries::Stream(_) | Carries::Table { .. }) | None => "adf::stream".to_owned(),
    }
}

/// The template argument between a kernel and a port of its class: that of the kernel.
pub(super) fn inner_argument(design: &Expanded, port: PortId) -> String {
    match design.ports[port].carries {
        Some(Carries::Window { .. }) if !design.port_kind.is_window() => String::new(),
        carries => argument(carries),
    }
}

/// The end of a connection at a port, in the class of the port's owner. `first` is true for the
/// first statement of the port, which states its properties.
pub(super) fn end(context: &Context<'_>, id: PortId, first: bool) -> (EndKind, Vec<i64>) {
    let port = &context.design.ports[id];
    let place = context.port_place(id);
    let is_kernel = matches!(port.owner, Owner::Kernel(_));
    let windows = context.design.port_kind.is_window();
    // A buffer is async by the type of the kernel's parameter.
    let is_parameter = matches!(port.carries, Some(Carries::Parameter(_)));
    let sized = is_kernel && first && !windows;
    let is_single = match is_parameter {
        // `single_buffer` is for inputs (UG1079, "Buffer Allocation Control").
        true => port.direction == Direction::In && context.design.buffering_of(id) == Buffering::Single,
        false => first && port.window().is_some() && context.is_single(id),
    };
    let kind = EndKind {
        asynchronous: is_kernel && port.asynchronous && (windows || is_parameter),
        synchronous: is_parameter && !port.asynchronous && port.direction == Direction::Out,
        single: is_kernel && is_single,
        dimension: port.window().filter(|_| sized).map(|window| window.elements),
        ..EndKind::plain(&place)
    };
    (kind, place.indices)
}
