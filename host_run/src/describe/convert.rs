//! From the lines of a description to [`Description`].

use std::collections::{BTreeMap, BTreeSet};

use aiec_adf::Description;
use aiec_adf::description::{
    AreaRules, Connection, ConnectionIndex, DmaFifo, EndType, External, ExternalIndex, ExternalKind, Graph,
    GraphIndex, Kernel, KernelIndex, KernelSites, Location, NotEqual, Owner, Place, Port, PortIndex,
    PortType, Rectangle, Site, Subject, Switch, SwitchFifo, SwitchIndex, SwitchKind, Table,
};
use aiec_collectives::{Direction, ElementType};
use object::{Object, ObjectSymbol};

use super::sites::Sites;
use crate::functions;
use crate::objects::{Found, FoundObject};
use crate::probe::{
    EdgeLine, EndLine, GraphLine, KernelLine, Line, LocationLine, Node, PlaceLine, PortLine, SubjectLine,
};

/// What the lines of a program say of its graph, with source locations.
pub(super) fn description(
    program: &[u8],
    lines: &[Line],
    found: &Found,
    sites: &mut Sites<'_>,
) -> Description {
    let mut making = Making {
        description: Description::default(),
        nodes: Vec::new(),
        logic: BTreeMap::new(),
        found,
        sites,
        symbols: symbols(program),
        base: 0,
        graphs: BTreeMap::new(),
    };
    for line in lines {
        making.take(line);
    }
    making.name_graphs();
    keep_last(&mut making.description.locations);
    making.description.tuples.clone_from(&found.tuples);
    making.description
}

/// Function symbols by address.
fn symbols(program: &[u8]) -> BTreeMap<u64, String> {
    let Ok(file) = object::File::parse(program) else { return BTreeMap::new() };
    let named = file.symbols().filter(|symbol| symbol.is_definition() && symbol.address() != 0);
    named.filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?.to_owned()))).collect()
}

/// Of several places for one object, the last assignment holds. A graph may have both an area and
/// the places of another graph. A block may have a module and offsets from two assignments: an
/// offset is relative to the tile that is allocated (UG1079, "Buffer Location Constraints"), and
/// states none.
fn keep_last(locations: &mut Vec<Location>) {
    let mut stated: BTreeSet<(Subject, Part)> = BTreeSet::new();
    let mut kept: Vec<Location> = Vec::new();
    for mut location in std::mem::take(locations).into_iter().rev() {
        let parts = parts(&location);
        let mut is_free = |part: Part| stated.insert((location.subject, part));
        let free: Vec<Part> = parts.iter().copied().filter(|&part| is_free(part)).collect();
        if free == [Part::Place] && parts.len() > 1 {
            location.places = location.places.iter().map(module_of).collect();
        }
        // What remains of an address without its module is no offset that anybody wrote.
        if free.first() == parts.first() || location.subject == Subject::Other {
            kept.push(location);
        }
    }
    locations.extend(kept.into_iter().rev());
}

/// What an assignment of a location states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// A tile, a module, or what they follow from.
    Place,
    /// The area of a graph.
    Area,
    /// Banks of a module, or offsets in it.
    Within,
}

/// What a location states, its place first.
fn parts(location: &Location) -> Vec<Part> {
    let any = |is: fn(&Place) -> bool| location.places.iter().any(is);
    let all_offsets = location.places.iter().all(|place| matches!(place, Place::Offset(_)));
    let is_area = any(|place| matches!(place, Place::Area { .. }));
    let place = match location.subject {
        Subject::Graph(_) if is_area => Part::Area,
        _ => Part::Place,
    };
    let within = any(|place| matches!(place, Place::Bank { .. } | Place::Address { .. } | Place::Offset(_)));
    let place = (!all_offsets).then_some(place);
    place.into_iter().chain(within.then_some(Part::Within)).collect()
}

/// The module of a bank or address.
fn module_of(place: &Place) -> Place {
    match *place {
        Place::Bank { column, row, .. } | Place::Address { column, row, .. } => Place::Tile { column, row },
        _ => place.clone(),
    }
}

/// Bits of the streams of kernels in programmable logic, of whose ports the graph states no width:
/// those of a stream of the array.
const LOGIC_BITS: u32 = 32;

/// A kernel in programmable logic.
#[derive(Clone, Debug)]
struct LogicKernel {
    path: Option<String>,
    site: Option<Site>,
}

/// A description in the making.
struct Making<'m, 's> {
    description: Description,
    /// The tables' index of each node.
    nodes: Vec<Owner>,
    /// The ports of kernels in programmable logic, by their numbers.
    logic: BTreeMap<usize, LogicKernel>,
    found: &'m Found,
    sites: &'m mut Sites<'s>,
    symbols: BTreeMap<u64, String>,
    base: u64,
    /// Graphs by address.
    graphs: BTreeMap<u64, GraphIndex>,
}

/// An index of a table.
fn next<T>(table: &[T]) -> u32 {
    u32::try_from(table.len()).unwrap_or(u32::MAX)
}

fn port(number: usize) -> PortIndex {
    PortIndex(u32::try_from(number).unwrap_or(u32::MAX))
}

/// A number of which 0 means "not stated". Returns None when it is 0.
fn stated(value: u64) -> Option<u64> {
    Some(value).filter(|value| *value != 0)
}

impl Making<'_, '_> {
    fn take(&mut self, line: &Line) {
        match line {
            Line::Base(base) => self.base = *base,
            Line::Graph(graph) => self.graph(graph),
            Line::Kernel(kernel) if kernel.in_logic => self.logic(kernel),
            Line::Kernel(kernel) => self.kernel(kernel),
            Line::Plio(plio) => {
                let megahertz = plio.megahertz.parse().ok().filter(|value: &f64| *value != 0.0);
                let kind = ExternalKind::Plio { bits: plio.bits, file: plio.file.clone(), megahertz };
                self.external(&plio.node, &plio.logical, kind);
            }
            Line::Gmio(gmio) => {
                let kind = ExternalKind::Gmio { burst: gmio.burst, bandwidth: gmio.bandwidth };
                self.external(&gmio.node, &gmio.logical, kind);
            }
            Line::Split(switch) => self.switch(SwitchKind::Split, &switch.node),
            Line::Merge(switch) => {
                self.switch(
                    if switch.ordered { SwitchKind::OrderedMerge } else { SwitchKind::Merge },
                    &switch.node,
                );
            }
            Line::Port(port) => self.port(port),
            Line::Edge(edge) => self.edge(edge),
            Line::Location(location) => {
                let places: Vec<Place> =
                    location.places.iter().filter_map(|place| self.place(place)).collect();
                let site = self.sites.site(location.statement);
                self.rules(location, &places, site.clone());
                self.description.locations.extend(self.subject(&location.of).map(|subject| Location {
                    subject,
                    places,
                    site,
                }));
            }
            Line::NotEqual(line) => {
                let site = self.sites.site(line.statement);
                let both = self.subject(&line.a).zip(self.subject(&line.b));
                self.description.not_equal.extend(both.map(|(a, b)| NotEqual { a, b, site }));
            }
            Line::Table(table) => {
                let owner = table.of.and_then(|of| self.nodes.get(of));
                if let Some(&Owner::Kernel(kernel)) = owner {
                    let site = self.sites.site(table.statement);
                    let path = self.path(table.at);
                    let (bytes, is_shared, is_registered) = (table.bytes, table.shared, table.registered);
                    let table = Table { kernel, path, bytes, is_shared, is_registered, site };
                    self.description.tables.push(table);
                }
            }
            Line::Chain(_) | Line::Failure(_) => {}
        }
    }

    // --- graphs and nodes ---

    fn graph(&mut self, line: &GraphLine) {
        let index = GraphIndex(next(&self.description.graphs));
        if line.at != 0 {
            self.graphs.insert(line.at, index);
        }
        self.description.graphs.push(Graph {
            path: None,
            class: functions::class(&line.class),
            parent: None,
            site: None,
        });
    }

    /// Gives graphs their paths, parents and declarations.
    fn name_graphs(&mut self) {
        for found in &self.found.graphs {
            let parent =
                found.parent.and_then(|parent| self.graphs.get(&self.found.graphs.get(parent)?.at).copied());
            let site = found.declared.as_ref().and_then(|declared| self.sites.declared(declared));
            let index = self.graphs.get(&found.at).and_then(|index| usize::try_from(index.0).ok());
            if let Some(graph) = index.and_then(|index| self.description.graphs.get_mut(index)) {
                (graph.path, graph.parent, graph.site) = (Some(found.path.clone()), parent, site);
            }
        }
    }

    /// The member path of an object. A path that the global graph's class cannot write is noted.
    fn path(&mut self, at: u64) -> Option<String> {
        let FoundObject { path, hidden, .. } = self.found.objects.get(&at)?;
        let hidden = hidden.iter().map(|reason| (path.clone(), reason.clone()));
        self.description.hidden.extend(hidden);
        Some(path.clone())
    }

    fn found(&self, at: u64) -> Option<&FoundObject> {
        self.found.objects.get(&at)
    }

    /// The graph that has the kernel, or else the last one begun of the innermost class whose
    /// constructor was running.
    fn graph_of(&self, node: &Node) -> Option<GraphIndex> {
        let holder =
            self.found(node.at).and_then(|found| self.graphs.get(&self.found.graphs.get(found.graph?)?.at));
        holder.copied().or_else(|| {
            let begun = self.description.graphs.iter().take(node.graphs);
            let classes: Vec<&str> = begun.map(|graph| graph.class.as_str()).collect();
            let mut innermost = self.sites.classes(node.statement);
            let last = innermost.find_map(|class| classes.iter().rposition(|begun| *begun == class));
            last.and_then(|index| Some(GraphIndex(u32::try_from(index).ok()?)))
        })
    }

    fn kernel(&mut self, line: &KernelLine) {
        self.nodes.push(Owner::Kernel(KernelIndex(next(&self.description.kernels))));
        let class = line.function.strip_prefix("class ");
        let symbol = self.symbols.get(&line.code.wrapping_sub(self.base));
        let name =
            class.map_or_else(|| functions::function(symbol.unwrap_or(&line.function)), functions::class);
        let named = functions::split(&name);
        let kernel = Kernel {
            path: self.path(line.node.at),
            graph: self.graph_of(&line.node),
            function: named.name,
            template: named.template,
            is_class: class.is_some(),
            arguments: (class.is_some() && line.has_arguments).then(|| line.arguments.clone()),
            source: line.source.clone(),
            headers: line.headers.clone(),
            init: Some(line.init.clone()).filter(|init| !init.is_empty()),
            runtime: stated(line.runtime_by).and_then(|_| line.runtime.parse().ok()),
            stack: stated(line.stack_by).map(|_| line.stack),
            heap: stated(line.heap_by).map(|_| line.heap),
            repetitions: stated(line.repetitions_by).map(|_| line.repetitions),
            ports: line.node.ports.iter().map(|number| port(*number)).collect(),
            site: self.sites.site(line.node.statement),
            sites: KernelSites {
                source: self.sites.site(line.source_by),
                runtime: self.sites.site(line.runtime_by),
                stack: self.sites.site(line.stack_by),
                heap: self.sites.site(line.heap_by),
                repetitions: self.sites.site(line.repetitions_by),
            },
        };
        self.description.kernels.push(kernel);
    }

    /// The ports of a kernel in programmable logic, each an input or output of the array.
    fn logic(&mut self, line: &KernelLine) {
        self.nodes.push(Owner::Graph);
        let path = self.found(line.node.at).map(|found| found.path.clone());
        let site = self.sites.site(line.node.statement);
        let ports = line.node.ports.iter().copied();
        self.logic.extend(ports.map(|port| (port, LogicKernel { path: path.clone(), site: site.clone() })));
    }

    /// Makes the port of a kernel in programmable logic an input or output of the array, if it is a
    /// stream. Returns what has it.
    fn logic_port(&mut self, kernel: LogicKernel, line: &PortLine) -> Owner {
        if line.carries == "parameter" {
            return Owner::Graph;
        }
        let owner = Owner::External(ExternalIndex(next(&self.description.externals)));
        let is_input = line.way == "in";
        let end = if is_input { "in" } else { "out" };
        self.description.externals.push(External {
            path: kernel.path.map(|path| format!("{path}.{end}[{}]", line.index)),
            logical: String::new(),
            kind: ExternalKind::Plio { bits: LOGIC_BITS, file: String::new(), megahertz: None },
            direction: if is_input { Direction::In } else { Direction::Out },
            port: PortIndex(next(&self.description.ports)),
            is_of_logic: true,
            site: kernel.site,
        });
        owner
    }

    fn external(&mut self, node: &Node, logical: &str, kind: ExternalKind) {
        self.nodes.push(Owner::External(ExternalIndex(next(&self.description.externals))));
        let path = self.path(node.at);
        self.description.externals.push(External {
            path,
            logical: logical.to_owned(),
            kind,
            direction: if node.input { Direction::Out } else { Direction::In },
            port: port(node.ports.first().copied().unwrap_or(usize::MAX)),
            is_of_logic: false,
            site: self.sites.site(node.statement),
        });
    }

    fn switch(&mut self, kind: SwitchKind, node: &Node) {
        self.nodes.push(Owner::Switch(SwitchIndex(next(&self.description.switches))));
        // Inputs come first.
        let mut branches: Vec<PortIndex> = node.ports.iter().map(|number| port(*number)).collect();
        let trunk = if kind == SwitchKind::Split {
            (!branches.is_empty()).then(|| branches.remove(0))
        } else {
            branches.pop()
        };
        let site = self.sites.site(node.statement);
        self.description.switches.push(Switch {
            kind,
            trunk: trunk.unwrap_or(PortIndex(u32::MAX)),
            branches,
            site,
        });
    }

    // --- ports and connections ---

    fn port(&mut self, line: &PortLine) {
        let of_logic = self.logic.remove(&self.description.ports.len());
        let is_of_logic = of_logic.is_some();
        let owner = match of_logic {
            Some(kernel) => Some(self.logic_port(kernel, line)),
            None => line.owner.and_then(|owner| self.nodes.get(owner).copied()),
        };
        self.description.ports.push(Port {
            owner: owner.unwrap_or(Owner::Graph),
            direction: if line.way == "in" { Direction::In } else { Direction::Out },
            is_inout: line.way == "inout",
            index: line.index,
            path: if owner.is_none() { self.found(line.at).map(|found| found.path.clone()) } else { None },
            carries: if is_of_logic { PortType::Open } else { carries(line) },
            is_async: line.is_async,
            is_sync: line.sync,
            is_single: line.single,
            is_control: line.control,
            is_patterned: line.patterned,
            async_repetitions: Some(line.repetitions).filter(|times| *times != 0),
            sites: line.statements.iter().filter_map(|statement| self.sites.site(*statement)).collect(),
        });
    }

    fn edge(&mut self, line: &EdgeLine) {
        self.description.connections.push(Connection {
            from: port(line.from),
            to: port(line.to),
            left: end(&line.left),
            right: end(&line.right),
            fifo: stated(line.fifo_by).map(|_| line.fifo),
            site: self.sites.site(line.statement),
            fifo_site: self.sites.site(line.fifo_by),
        });
    }

    // --- constraints ---

    /// What a constraint is about. Returns None when the description does not have the object.
    fn subject(&self, line: &SubjectLine) -> Option<Subject> {
        let index = || u32::try_from(line.number?).ok();
        let node = || self.nodes.get(line.number?).copied();
        match (line.kind.as_str(), node()) {
            ("kernel", Some(Owner::Kernel(kernel))) => Some(Subject::Kernel(kernel)),
            ("stack", Some(Owner::Kernel(kernel))) => Some(Subject::Stack(kernel)),
            ("table", Some(Owner::Kernel(kernel))) => {
                Some(Subject::Table(kernel, line.table.and_then(|number| u32::try_from(number).ok())))
            }
            ("external", Some(Owner::External(external))) => Some(Subject::External(external)),
            ("port", _) => index().map(|index| Subject::Port(PortIndex(index))),
            ("fifo", _) => index().map(|index| Subject::Fifo(ConnectionIndex(index))),
            ("graph", _) => index().map(|index| Subject::Graph(GraphIndex(index))),
            ("other", _) => Some(Subject::Other),
            _ => None,
        }
    }

    /// The rules of an area group for what lies outside it. The last assignment of a graph holds.
    fn rules(&mut self, line: &LocationLine, places: &[Place], site: Option<Site>) {
        let Some(of) = self.subject(&line.of) else { return };
        let is = |flag: fn(&PlaceLine) -> bool| line.places.iter().any(flag);
        let tiles = places.iter().filter_map(|place| match place {
            Place::Area { area, is_cores: true } => Some(*area),
            _ => None,
        });
        let rules = AreaRules {
            of: vec![of],
            tiles: tiles.collect(),
            contains_nets: is(|place| place.contains_nets),
            excludes_nets: is(|place| place.excludes_nets),
            excludes_nodes: is(|place| place.excludes_nodes),
            site,
        };
        if !rules.tiles.is_empty() {
            self.description.rules.retain(|other| other.of != rules.of);
            self.description.rules.push(rules);
        }
    }

    /// A place as the description has it. Returns None when the kind is unknown, or the object that
    /// the place is relative to is missing.
    fn place(&self, line: &PlaceLine) -> Option<Place> {
        let &PlaceLine { column, row, value, address, .. } = line;
        let core = line.cores.then_some(row);
        Some(match line.kind.as_str() {
            "tile" => Place::Tile { column, row },
            "bank" => Place::Bank { column, row, bank: value },
            "address" => Place::Address { column, row, offset: value },
            "offset" => Place::Offset(value),
            "shim" => Place::Shim { column, channel: None },
            "shim_channel" => Place::Shim { column, channel: Some(value) },
            "relative" => {
                Place::Relative { to: self.subject(&line.to)?, columns: line.columns, rows: line.rows }
            }
            "area" => {
                let area = Rectangle { column, row, last_column: line.last_column, last_row: line.last_row };
                Place::Area { area, is_cores: line.cores }
            }
            "fifo" => Place::DmaFifo((!line.anywhere).then_some(DmaFifo {
                column,
                row: core,
                address,
                words: value,
            })),
            "stream_fifo" => {
                Place::SwitchFifo((!line.anywhere).then_some(SwitchFifo { column, row: core, id: value }))
            }
            "dma" => Place::DmaChannel { column, row, channel: value },
            _ => return None,
        })
    }
}

fn carries(line: &PortLine) -> PortType {
    let element = ElementType::from_name(&line.element);
    match line.carries.as_str() {
        "block" => PortType::Block {
            element,
            bytes: stated(line.bytes),
            margin: line.margin,
            is_buffer: line.buffer,
        },
        "stream" => PortType::Stream { element },
        "packet" => PortType::Packets { element },
        "cascade" => PortType::Cascade { lanes: line.lanes.as_deref().map(functions::class) },
        "parameter" => PortType::Parameter { element, elements: line.values, initial: line.initial.clone() },
        _ => PortType::Open,
    }
}

fn end(line: &EndLine) -> EndType {
    match line.kind.as_str() {
        "block" => EndType::Window { bytes: line.bytes, margin: line.margin },
        "stream" => EndType::Stream,
        "packet" => EndType::Packets,
        "cascade" => EndType::Cascade,
        "parameter" => EndType::Parameter,
        _ => EndType::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_replaces_what_it_states() {
        let subject = Subject::Port(PortIndex(0));
        let beside = Place::Relative { to: Subject::Kernel(KernelIndex(0)), columns: Some(0), rows: Some(1) };
        let (tile, address) =
            (Place::Tile { column: 2, row: 1 }, Place::Address { column: 2, row: 1, offset: 64 });
        let (offset, other) = (Place::Offset(32), Place::Offset(96));
        let kept = |places: &[&Place]| {
            let one = |place: &&Place| Location { subject, places: vec![(*place).clone()], site: None };
            let mut all: Vec<Location> = places.iter().map(one).collect();
            keep_last(&mut all);
            all.into_iter().flat_map(|one| one.places).collect::<Vec<Place>>()
        };
        let both = |a: &Place, b: &Place| vec![a.clone(), b.clone()];
        assert_eq!(kept(&[&beside, &offset]), both(&beside, &offset));
        assert_eq!(kept(&[&offset, &beside]), both(&offset, &beside));
        assert_eq!(kept(&[&address, &other]), both(&tile, &other));
        assert_eq!(kept(&[&beside, &offset, &address]), both(&address, &address)[..1]);
        assert_eq!(kept(&[&address, &beside]), both(&beside, &beside)[..1]);
        assert_eq!(kept(&[&offset, &beside, &other]), both(&beside, &other));
    }
}
