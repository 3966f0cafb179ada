//! The statements of a connection in all classes that it passes.
//!
//! A connection between two kernels of one class is one statement. An end in an instance of a
//! component climbs to the class that holds both: through the port of each class that the design
//! connects, with a statement inside, or straight to the kernel where the design names the kernel.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::expanded::SwitchKind;
use aiec_ir::ways::{Border, Way};
use aiec_ir::{ConnectionId, Direction, ParameterId, PortId, SwitchId};

use super::connect::{
    ConnectionKind, EndKind, end, fifo_places, inner_argument, template_arguments, trunk_arguments,
};
use super::{Context, Place};
use crate::hierarchy::{Level, around, common};
use crate::runs::Item;

/// The connecting statements of all classes.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    connections: BTreeMap<Level, Vec<Item<ConnectionKind>>>,
    parameters: BTreeMap<Level, Vec<Item<ConnectionKind>>>,
    /// The ports of classes that some statement connects.
    pub borders: BTreeSet<Border>,
    /// What has been connected: classes and both ends.
    seen: BTreeSet<(Level, String, String, Vec<i64>)>,
    /// True while parameters of the host are connected.
    of_host: bool,
}

/// What the statement of a connection says besides its ends.
struct Stated {
    /// The template arguments.
    what: String,
    fifo: Buffer,
}

/// The FIFO of a connection.
#[derive(Clone, Default)]
struct Buffer {
    /// Its words. None when the connection has no FIFO.
    words: Option<u32>,
    /// The arguments of its location. Empty when the design states none.
    places: Vec<String>,
}

impl Stated {
    fn only(what: &str) -> Self {
        Self { what: what.to_owned(), fifo: Buffer::default() }
    }
}

/// An end of a connection on its way to the class that holds both.
struct Climbing {
    level: Level,
    kind: EndKind,
    indices: Vec<i64>,
    /// True for the producing end.
    produces: bool,
    /// The template argument of the statements inside.
    what: String,
}

impl Ways {
    /// The statements of a whole design, without those of collectives.
    pub fn of(context: &Context<'_>) -> Self {
        let mut ways = Self::default();
        for (id, connection) in context.design.connections.enumerate() {
            if connection.collective.is_none() {
                ways.connection(context, id, connection.way.level);
            }
        }
        ways.of_host = true;
        for group in &context.names.parameters {
            for (at, &(id, port)) in group.targets.iter().enumerate() {
                let indices = group.array.then(|| i64::try_from(at).unwrap_or(0));
                let hole = if group.array { "[{}]" } else { "" };
                let pattern = format!("{}{hole}", group.member);
                let place = Place { pattern, indices: indices.into_iter().collect() };
                ways.parameter(context, place, id, port);
            }
        }
        ways
    }

    /// The connections of a class.
    pub fn connections(&self, level: Level) -> &[Item<ConnectionKind>] {
        self.connections.get(&level).map_or(&[], Vec::as_slice)
    }

    /// The connections of parameters of the host in a class.
    pub fn parameters(&self, level: Level) -> &[Item<ConnectionKind>] {
        self.parameters.get(&level).map_or(&[], Vec::as_slice)
    }

    /// The statements for a connection that stands in the class `level`: its own, and that of the
    /// trunk of its split or merge if it is the first or last branch.
    pub fn connection(&mut self, context: &Context<'_>, id: ConnectionId, level: Level) {
        let connection = &context.design.connections[id];
        let what = template_arguments(context.design, connection);
        let words = connection.fifo.as_ref().map(|words| words.value);
        let places = words.map_or_else(Vec::new, |_| fifo_places(context, id));
        let stated = Stated { what, fifo: Buffer { words, places } };
        let way = Way { level, ..connection.way.clone() };
        let [from, to] = [connection.from, connection.to].map(|port| climbing(context, port, Some(id)));
        let Some(switch) = connection.switch else { return self.join(context, &way, from, to, stated) };
        let branches = &context.design.switches[switch].branches;
        let number = context.design.branch_number(id).unwrap_or(0) as usize;
        let port = |list: &str, number: usize| switch_end(context, switch, list, number);
        let trunk = &context.design.switches[switch].way;
        let packets = || Stated::only("adf::pktstream");
        match context.design.switches[switch].kind {
            SwitchKind::Split => {
                if number == 0 {
                    self.join(context, trunk, from, port("in", 0), packets());
                }
                self.join(context, &way, port("out", number), to, stated);
            }
            SwitchKind::Merge | SwitchKind::OrderedMerge => {
                self.join(context, &way, from, port("in", number), stated);
                if number + 1 == branches.len() {
                    // All branches end at one port, which this one statement gives its properties.
                    let to = climbing(context, connection.to, branches.first().copied());
                    let what = trunk_arguments(context.design, connection.to);
                    self.join(context, trunk, port("out", 0), to, Stated::only(&what));
                }
            }
        }
    }

    /// The statements from or to a port of the graph for a parameter of the host. A port of a class
    /// leads to one kernel: no document shows one that leads to several parameters.
    fn parameter(&mut self, context: &Context<'_>, graph: Place, id: ParameterId, port: PortId) {
        let host = &context.design.parameters[id];
        let at = host.ports.iter().position(|&other| other == port).unwrap_or(0);
        let ways = || host.ways.iter().flat_map(|way| &way.borders);
        let alone = |border: &&Border| ways().filter(|other| other == border).count() == 1;
        let borders = host.ways.get(at).map_or(&[][..], |way| way.borders.as_slice());
        let way = Way { level: None, fifo: None, borders: borders.iter().filter(alone).copied().collect() };
        let kernel = climbing(context, port, None);
        let graph = Climbing {
            level: None,
            kind: EndKind::plain(&graph),
            indices: graph.indices,
            produces: !kernel.produces,
            what: String::new(),
        };
        let stated = Stated::only("adf::parameter");
        let (from, to) = if kernel.produces { (kernel, graph) } else { (graph, kernel) };
        self.join(context, &way, from, to, stated);
    }

    /// The statements between two ends. The FIFO stands where the design states it.
    fn join(&mut self, context: &Context<'_>, way: &Way, from: Climbing, to: Climbing, stated: Stated) {
        let level = match way.borders.is_empty() {
            true => way.level,
            false => common(context.design, from.level, to.level),
        };
        let [from, to] = [from, to].map(|end| self.climb(context, end, level, way, &stated));
        let mut indices = from.indices;
        indices.extend(to.indices);
        let is_inside = way.borders.iter().any(|(id, _)| way.fifo == Some(*id) && way.fifo > level);
        let Buffer { words, places } = if is_inside { Buffer::default() } else { stated.fifo };
        let kind = ConnectionKind { what: stated.what, fifo: words, places, from: from.kind, to: to.kind };
        self.push(level, Item { kind, indices });
    }

    /// The end as the class `level` around it has it.
    fn climb(
        &mut self,
        context: &Context<'_>,
        mut end: Climbing,
        level: Level,
        way: &Way,
        stated: &Stated,
    ) -> Climbing {
        while let Some(inside) = end.level.filter(|_| end.level != level) {
            let instance = context.instance_place(inside);
            match way.borders.iter().find(|(id, _)| *id == inside) {
                Some(&border) => {
                    self.borders.insert(border);
                    let port = context.border_place(border);
                    let outside = instance.then(&port);
                    let fifo = (way.fifo == Some(inside)).then(|| stated.fifo.clone());
                    self.cross(&end, &port, fifo.unwrap_or_default());
                    (end.kind, end.indices) = (EndKind::plain(&outside), outside.indices);
                }
                None => {
                    end.kind.port = format!("{}.{}", instance.pattern, end.kind.port);
                    end.kind.dims += instance.indices.len();
                    end.indices.splice(0..0, instance.indices);
                }
            }
            end.level = around(context.design, end.level);
        }
        end
    }

    /// The statement between an end and the port of its class.
    fn cross(&mut self, end: &Climbing, port: &Place, fifo: Buffer) {
        let border = EndKind::plain(port);
        let ((from, mut indices), (to, others)) = match end.produces {
            true => ((end.kind.clone(), end.indices.clone()), (border, port.indices.clone())),
            false => ((border, port.indices.clone()), (end.kind.clone(), end.indices.clone())),
        };
        indices.extend(others);
        let Buffer { words, places } = fifo;
        let kind = ConnectionKind { what: end.what.clone(), fifo: words, places, from, to };
        self.push(end.level, Item { kind, indices });
    }

    /// Adds a statement, unless a class has it already.
    fn push(&mut self, level: Level, item: Item<ConnectionKind>) {
        let ends = (item.kind.from.port.clone(), item.kind.to.port.clone());
        if self.seen.insert((level, ends.0, ends.1, item.indices.clone())) {
            let list = if self.of_host { &mut self.parameters } else { &mut self.connections };
            list.entry(level).or_default().push(item);
        }
    }
}

/// The end at a port of a kernel, input or output.
fn climbing(context: &Context<'_>, port: PortId, connection: Option<ConnectionId>) -> Climbing {
    let owner = &context.design.ports[port];
    let first = connection.is_some() && owner.connections.first() == connection.as_ref();
    let (kind, indices) = end(context, port, first);
    let level = context.level_of(owner.owner);
    let produces = owner.direction == Direction::Out;
    Climbing { level, kind, indices, produces, what: inner_argument(context.design, port) }
}

/// Port `number` of the member for a split or merge.
fn switch_end(context: &Context<'_>, switch: SwitchId, list: &str, number: usize) -> Climbing {
    let (member, index) = context.names.switch(switch);
    let hole = if index.is_some() { "[{}]" } else { "" };
    let indices = index.into_iter().chain([number]).map(|at| i64::try_from(at).unwrap_or(0)).collect();
    let place = Place { pattern: format!("{member}{hole}.{list}[{{}}]"), indices };
    Climbing {
        level: context.design.switches[switch].way.level,
        kind: EndKind::plain(&place),
        indices: place.indices,
        produces: list == "out",
        what: "adf::pktstream".to_owned(),
    }
}
