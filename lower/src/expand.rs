//! Expands families to instances: every kernel, port and connection separately.
//!
//! Kernels are in declaration order, all instances of one family together; so are inputs and
//! outputs. A kernel's ports are its declared ports, then those of its collectives in declaration
//! order: from other ranks, to other ranks, and at the root the result and the cycle counts if they
//! are connected. Collectives along the cascade have only cascade streams as ports.

mod collectives;
mod files;
mod merges;
mod packets;
mod parameters;
mod plan;
mod straight;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::Guide;
use aiec_diag::{Diagnostic, Outcome, Span, Spanned};
use aiec_ir::constraints::{ShimPlace, ShimTie};
use aiec_ir::design::{Collective as DesignCollective, FarEnd, Instance, Link, Node};
use aiec_ir::design::{Selection, UserPort};
use aiec_ir::expanded::{Cascade, CascadeOrigin, HostParameter, PacketSwitch};
use aiec_ir::expanded::{Connection, External, Kernel, Marks, Owner, Place, Port, PortRole, Windows};
use aiec_ir::ways::Way;
use aiec_ir::{
    Carries, CollectiveId, ConnectionId, Design, Direction, Expanded, ExternalFamilyId, ExternalId,
};
use aiec_ir::{FamilyId, IdVec, KernelId, ParameterId, PortId, SwitchId, rates};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::errors;
use crate::identifiers::external_identifier;
use crate::lower::bug;
use crate::validate::validate_expanded;
use files::{numbered, numbered_file, volumes};

/// Makes every instance of a design explicit and turns its collectives into connections. If a
/// design leaves a shape open, it takes the cheapest by `guide`.
pub fn expand(design: &Design, guide: &dyn Guide) -> Outcome<Expanded> {
    let mut expansion = Expansion::of(design, guide);
    expansion.kernels(design);
    expansion.externals(design);
    expansion.collectives(design);
    let complete = expansion.connections(design);
    expansion.synchronous_merges();
    expansion.output_files(design);
    let mut diagnostics = std::mem::take(&mut expansion.diagnostics);
    if complete.is_none() && !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.push(bug("a connection of the design leads nowhere"));
    }
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    let expanded = if failed { None } else { complete.map(|()| expansion.finish(design)) };
    diagnostics.extend(expanded.iter().flat_map(volumes));
    let expanded = expanded.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    let outcome = Outcome::from_parts(expanded, diagnostics);
    debug_assert_eq!(outcome.value().map_or(Ok(()), validate_expanded), Ok(()));
    outcome
}

/// The expanded design as far as it is built.
struct Expansion<'a> {
    guide: &'a dyn Guide,
    /// True if the design constrains any place.
    is_constrained: bool,
    /// Kernels on the cascade of a collective.
    on_cascade: BTreeSet<KernelId>,
    /// Windows and streams of each kernel used by collectives so far. Later collectives cannot use
    /// them.
    taken: BTreeMap<KernelId, plan::Need>,
    /// First kernel of each family.
    first_kernel: Vec<u32>,
    /// First instance of each input or output, among those of its table.
    first_external: Vec<u32>,
    kernels: IdVec<KernelId, Kernel>,
    externals: IdVec<ExternalId, External>,
    ports: IdVec<PortId, Port>,
    /// The user's ports of each kernel, in declaration order.
    user_ports: Vec<Vec<PortId>>,
    connections: IdVec<ConnectionId, Connection>,
    switches: IdVec<SwitchId, PacketSwitch>,
    parameters: IdVec<ParameterId, HostParameter>,
    collectives: IdVec<CollectiveId, aiec_ir::expanded::Collective>,
    diagnostics: Vec<Diagnostic>,
}

/// The end of a connection: a port, or a parameter of the host.
#[derive(Clone, Copy)]
enum Selected {
    Port(PortId),
    Parameter(ParameterId),
}

/// An end of a connection between ports, and the selection that names it.
#[derive(Clone, Copy)]
struct End<'s> {
    port: PortId,
    of: &'s Selection,
}

impl<'a> Expansion<'a> {
    /// An empty expansion that knows where the instances of each family will be.
    fn of(design: &Design, guide: &'a dyn Guide) -> Self {
        Self {
            guide,
            is_constrained: !design.places.is_empty()
                || !design.constraints.is_empty()
                || !design.blocks.is_empty()
                || !design.shims.is_empty()
                || !design.shim_ties.is_empty()
                || !design.shim_links.is_empty(),
            on_cascade: BTreeSet::new(),
            taken: BTreeMap::new(),
            first_kernel: starts(design.families.iter().map(|family| family.instances())),
            first_external: first_externals(design),
            kernels: IdVec::new(),
            externals: IdVec::new(),
            ports: IdVec::new(),
            user_ports: Vec::new(),
            connections: IdVec::new(),
            switches: IdVec::new(),
            parameters: IdVec::new(),
            collectives: IdVec::new(),
            diagnostics: Vec::new(),
        }
    }

    fn kernel_id(&self, family: FamilyId, index: u32) -> KernelId {
        KernelId(self.first_kernel.get(family.index()).copied().unwrap_or(0) + index)
    }

    fn external_id(&self, family: ExternalFamilyId, index: u32) -> ExternalId {
        ExternalId(self.first_external.get(family.index()).copied().unwrap_or(0) + index)
    }

    fn kernel_of(&self, instance: Instance) -> KernelId {
        self.kernel_id(instance.family, instance.index)
    }

    /// The port that a family declares at this index.
    fn declared_port(&self, instance: Instance, port: u32) -> Option<PortId> {
        self.user_ports.get(self.kernel_of(instance).index())?.get(port as usize).copied()
    }

    fn kernels(&mut self, design: &Design) {
        for (family, declared) in design.families.enumerate() {
            for index in 0..declared.instances() {
                let kernel = self.kernels.push(Kernel {
                    family,
                    index,
                    name: declared.instance_name(index),
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                    inouts: Vec::new(),
                    tables: Vec::new(),
                    memberships: Vec::new(),
                    repetitions: 1,
                    span: declared.span,
                });
                let ports =
                    (0..).zip(&declared.ports).map(|(at, port)| self.user_port(kernel, at, port)).collect();
                self.user_ports.push(ports);
                self.constructor_tables(kernel, declared);
            }
        }
    }

    fn user_port(&mut self, kernel: KernelId, at: u32, port: &UserPort) -> PortId {
        let new = NewPort {
            direction: port.direction,
            name: port.name.clone(),
            carries: port.carries,
            asynchronous: port.asynchronous,
            role: PortRole::User(at),
            span: port.span,
        };
        self.kernel_port(kernel, new)
    }

    /// Adds a port to a kernel, as the last one of its direction.
    fn kernel_port(&mut self, kernel: KernelId, new: NewPort) -> PortId {
        let NewPort { direction, name, carries, asynchronous, role, span } = new;
        let owner = &mut self.kernels[kernel];
        let list = match (direction, carries) {
            (_, Carries::Table { .. }) => &mut owner.tables,
            (Direction::In, _) => &mut owner.inputs,
            (Direction::Out, Carries::Parameter(_)) => &mut owner.inouts,
            (Direction::Out, _) => &mut owner.outputs,
        };
        let slot = u32::try_from(list.len()).unwrap_or(u32::MAX);
        let id = self.ports.push(Port {
            owner: Owner::Kernel(kernel),
            direction,
            name,
            slot,
            carries: Some(carries),
            asynchronous,
            role,
            connections: Vec::new(),
            windows: None,
            switch: None,
            span,
        });
        list.push(id);
        id
    }

    fn externals(&mut self, design: &Design) {
        for (family, declared) in design.externals.enumerate() {
            for index in 0..declared.instances() {
                let name = declared.instance_name(index);
                let identifier = external_identifier(&declared.name, &declared.dims, index);
                let golden = declared.golden.as_ref().map(|file| numbered_file(file, index));
                let endpoint = match numbered(&declared.end, index) {
                    FarEnd::Array(endpoint) => endpoint,
                    FarEnd::Host(values) => {
                        self.parameters.push(HostParameter {
                            family,
                            index,
                            name,
                            identifier,
                            direction: declared.direction,
                            values,
                            golden,
                            ports: Vec::new(),
                            ways: Vec::new(),
                            connects: Vec::new(),
                            buffering: Vec::new(),
                            alone: declared.alone,
                            span: declared.span,
                        });
                        continue;
                    }
                };
                let id = self.external_id(family, index);
                let port = self.ports.push(Port {
                    owner: Owner::External(id),
                    direction: declared.direction,
                    name: name.clone(),
                    slot: 0,
                    carries: None,
                    asynchronous: false,
                    role: PortRole::External,
                    connections: Vec::new(),
                    windows: None,
                    switch: None,
                    span: declared.span,
                });
                let logical = declared.logical.get(index as usize);
                self.externals.push(External {
                    family,
                    index,
                    name,
                    logical: logical.cloned().unwrap_or_else(|| identifier.clone()),
                    identifier,
                    direction: declared.direction,
                    endpoint,
                    golden,
                    port,
                    alone: declared.alone,
                    span: declared.span,
                });
            }
        }
    }

    /// All connections: those of the design in source order, then those of the collectives.
    fn connections(&mut self, design: &Design) -> Option<()> {
        for link in design.graph.edge_weights() {
            self.link(link)?;
        }
        self.straight();
        self.agree(design);
        self.links(design);
        Some(())
    }

    fn link(&mut self, link: &Link) -> Option<()> {
        let producers = self.selected(&link.from)?;
        let consumers = self.selected(&link.to)?;
        let switch = self.packet_switch(link, &producers, &consumers);
        for at in 0..producers.len().max(consumers.len()) {
            let (from, sent) = *producers.get(at).or(producers.first())?;
            let (to, taken) = *consumers.get(at).or(consumers.first())?;
            let way = way(link, at);
            match (from, to) {
                (Selected::Port(from), Selected::Port(to)) => {
                    self.user_connection(
                        link,
                        [End { port: from, of: sent }, End { port: to, of: taken }],
                        (switch, way),
                    );
                }
                (Selected::Parameter(parameter), Selected::Port(port))
                | (Selected::Port(port), Selected::Parameter(parameter)) => {
                    self.host_parameter(parameter, port, way, link);
                }
                (Selected::Parameter(from), Selected::Parameter(to)) => self.straight_parameter(from, to),
            }
        }
        if let Some(switch) = switch {
            self.lend_packets(switch);
        }
        Some(())
    }

    fn user_connection(&mut self, link: &Link, ends: [End<'_>; 2], (switch, way): (Option<SwitchId>, Way)) {
        for end in ends {
            self.ports[end.port].asynchronous |= end.of.asynchronous;
        }
        let [(from, sent), (to, taken)] = ends.map(|end| (end.port, end.of));
        self.lend(from, to);
        self.lend(to, from);
        let id = self.connection(Connection {
            from,
            to,
            buffering: link.buffering,
            fifo: fifo(link, [sent, taken]),
            fifo_places: link.fifo_places.clone(),
            fifo_memory: link.fifo_memory,
            switch,
            windows: Windows { from: sent.windows.clone(), to: taken.windows.clone() },
            collective: None,
            way,
            marks: Marks { from: sent.span, to: taken.span, buffer: link.buffer, fifo: link.fifo_span },
            span: link.span,
        });
        if let Some(switch) = switch {
            self.switches[switch].branches.push(id);
        }
    }

    /// Connects a parameter of the host with a port, which must carry one.
    fn host_parameter(&mut self, parameter: ParameterId, port: PortId, way: Way, link: &Link) {
        let found = &self.ports[port];
        if !matches!(found.carries, Some(Carries::Parameter(_))) {
            let name = &self.parameters[parameter].name;
            let diagnostic = errors::no_parameter(link.span, name, found, self.parameters[parameter].span);
            self.diagnostics.push(diagnostic);
            return;
        }
        let parameter = &mut self.parameters[parameter];
        parameter.ports.push(port);
        parameter.buffering.push(link.buffering);
        parameter.ways.push(way);
        parameter.connects.push(link.span);
    }

    /// An input or output carries what the first port does that it is connected to.
    fn lend(&mut self, kernel: PortId, external: PortId) {
        if self.ports[external].carries.is_none() {
            let carries = self.ports[kernel].carries;
            self.ports[external].carries = carries.map(|carries| match carries {
                Carries::Window { window, .. } => Carries::window_of(window),
                other => other,
            });
        }
    }

    fn connection(&mut self, connection: Connection) -> ConnectionId {
        let (from, to) = (connection.from, connection.to);
        let Windows { from: sent, to: taken } = connection.windows.clone();
        let id = self.connections.push(connection);
        for (port, windows) in [(from, sent), (to, taken)] {
            let port = &mut self.ports[port];
            port.connections.push(id);
            port.windows = port.windows.take().or(windows);
        }
        id
    }

    /// The ends that selections name, in order.
    fn selected<'s>(&self, selections: &'s [Selection]) -> Option<Vec<(Selected, &'s Selection)>> {
        let ends = selections.iter().flat_map(|one| one.ends().map(move |end| (one, end)));
        ends.map(|(one, (&index, &port))| Some((self.end(one.node, index, port)?, one))).collect()
    }

    /// One port of one instance of a node.
    fn end(&self, node: Node, index: u32, port: u32) -> Option<Selected> {
        let port = match node {
            Node::Family(family) => {
                let ports = self.user_ports.get(self.kernel_id(family, index).index())?;
                ports.get(port as usize).copied()?
            }
            Node::External(family) => {
                let id = self.external_id(family, index);
                let parameter = ParameterId(id.0);
                let host = self.parameters.get(parameter).filter(|host| host.family == family);
                if host.is_some() {
                    return Some(Selected::Parameter(parameter));
                }
                self.externals.get(id)?.port
            }
            Node::Collective(collective) => self.own_port(collective, port)?,
        };
        Some(Selected::Port(port))
    }

    /// The port of a collective itself, which is one of its root.
    fn own_port(&self, collective: CollectiveId, port: u32) -> Option<PortId> {
        let membership = self.membership(self.collectives.get(collective)?.root.value, collective)?;
        if port == DesignCollective::RESULT { membership.result } else { membership.cycles }
    }

    /// The cascade streams of all collectives, then those of the user's connections.
    fn cascades(&self) -> Vec<Cascade> {
        let of_collectives =
            self.collectives.enumerate().flat_map(|(id, collective)| collective.cascades(id));
        let of_connections = self.connections.enumerate().filter_map(|(id, connection)| {
            let kernel = |port: PortId| match (self.ports[port].carries, self.ports[port].owner) {
                (Some(Carries::Cascade(_)), Owner::Kernel(kernel)) => Some(kernel),
                _ => None,
            };
            let (from, to) = (kernel(connection.from)?, kernel(connection.to)?);
            Some(Cascade { from, to, origin: CascadeOrigin::Connection(id), span: connection.span })
        });
        of_collectives.chain(of_connections).collect()
    }

    fn finish(self, design: &Design) -> Expanded {
        let places = design.places.iter().map(|place| Place {
            kernel: self.kernel_of(place.instance),
            column: place.column,
            row: place.row,
            span: place.span,
        });
        let places = places.collect();
        let constraints = design.constraints.map(|&instance| self.kernel_of(instance));
        let blocks = design.blocks.map(
            |&instance| Some(self.kernel_of(instance)),
            |&(instance, port)| self.declared_port(instance, port),
        );
        let shims = design.shims.iter().map(|place| {
            let &ShimPlace { external: (family, index), ref ranges, channel, span } = place;
            let external = self.external_id(family, index);
            ShimPlace { external, ranges: ranges.clone(), channel, span }
        });
        let shims = shims.collect();
        let tied = |&ShimTie { external: (family, index), from, columns, span }: &ShimTie<_, Instance>| {
            let (external, from) = (self.external_id(family, index), self.kernel_of(from));
            ShimTie { external, from, columns, span }
        };
        let shim_ties = design.shim_ties.iter().map(tied).collect();
        let links = design.shim_links.iter().map(|&ShimTie { external, from, columns, span }| {
            let [external, from] = [external, from].map(|(family, index)| self.external_id(family, index));
            ShimTie { external, from, columns, span }
        });
        let shim_links = links.collect();
        let (graph, nodes) = graph(&self);
        let cascades = self.cascades();
        let mut expanded = Expanded {
            name: design.name.clone(),
            device: design.device.clone(),
            release: design.release,
            board: design.board,
            written: design.written.clone(),
            language: design.language,
            is_component: design.is_component,
            iterations: design.iterations,
            port_kind: design.port_kind,
            constants: design.constants.clone(),
            tables: design.tables.clone(),
            decimals: design.decimals.clone(),
            ambiguous: design.ambiguous.clone(),
            families: design.families.clone(),
            subgraphs: design.subgraphs.clone(),
            allowances: design.allowances.clone(),
            kernels: self.kernels,
            externals: self.externals,
            ports: self.ports,
            connections: self.connections,
            collectives: self.collectives,
            cascades,
            switches: self.switches,
            parameters: self.parameters,
            places,
            constraints,
            blocks,
            shims,
            shim_ties,
            shim_links,
            graph,
            nodes,
        };
        for (kernel, times) in rates::repetitions(&expanded).enumerate() {
            expanded.kernels[kernel].repetitions = *times;
        }
        expanded
    }
}

/// The FIFO of a connection: the words of its link and those of its ends.
fn fifo(link: &Link, ends: [&Selection; 2]) -> Option<Spanned<u32>> {
    let all = [&link.fifo, &ends[0].fifo, &ends[1].fifo].into_iter().flatten().cloned();
    all.reduce(|a, b| Spanned::new(a.value.saturating_add(b.value), b.span))
}

/// The way of connection `at` of a link, or of the trunk behind its branches.
fn way(link: &Link, at: usize) -> Way {
    Way {
        level: link.level,
        borders: link.borders.get(at).cloned().unwrap_or_default(),
        fifo: link.fifo_level,
    }
}

/// A port of a kernel to be added.
struct NewPort {
    direction: Direction,
    name: String,
    carries: Carries,
    asynchronous: bool,
    role: PortRole,
    span: Span,
}

/// The number of the first instance of each family, from their sizes.
fn starts(sizes: impl Iterator<Item = u32>) -> Vec<u32> {
    sizes
        .scan(0u32, |next, size| {
            let start = *next;
            *next = next.saturating_add(size);
            Some(start)
        })
        .collect()
}

/// The number of the first instance of each input or output: those of the host are a table of their
/// own.
fn first_externals(design: &Design) -> Vec<u32> {
    let (mut externals, mut parameters) = (0u32, 0u32);
    let first = design.externals.iter().map(|external| {
        let is_host = matches!(external.end, FarEnd::Host(_));
        let next = if is_host { &mut parameters } else { &mut externals };
        let first = *next;
        *next = next.saturating_add(external.instances());
        first
    });
    first.collect()
}

/// Kernels, then inputs and outputs as nodes; connections in order as edges.
fn graph(expansion: &Expansion<'_>) -> (DiGraph<Owner, ConnectionId>, Vec<NodeIndex>) {
    let mut graph = DiGraph::new();
    let kernels = expansion.kernels.ids().map(Owner::Kernel);
    let owners = kernels.chain(expansion.externals.ids().map(Owner::External));
    let nodes: Vec<NodeIndex> = owners.map(|owner| graph.add_node(owner)).collect();
    let node = |port: PortId| match expansion.ports[port].owner {
        Owner::Kernel(id) => NodeIndex::new(id.index()),
        Owner::External(id) => NodeIndex::new(expansion.kernels.len() + id.index()),
    };
    for (id, connection) in expansion.connections.enumerate() {
        graph.add_edge(node(connection.from), node(connection.to), id);
    }
    (graph, nodes)
}
