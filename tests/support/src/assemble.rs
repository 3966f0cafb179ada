//! From collected constructs to an expanded design: instances and ports first, then trees, then
//! connections.

use std::collections::BTreeMap;

use aiec_diag::{Span, Spanned};
use petgraph::graph::DiGraph;

use super::{BuildError, Builder, Connect, Declared};
use aiec_collectives::{Buffering, Direction, ElementType, Plan, Rank, WindowType};
use aiec_ir::constraints::{Aligned, Constraints, Group, Offset, Region, ShimPlace, ShimTie};
use aiec_ir::design::{Endpoint, FarEnd};
use aiec_ir::expanded::{Cascade, CascadeOrigin, PacketSwitch, SwitchKind};
use aiec_ir::expanded::{
    Collective, Connection, Expanded, External, Kernel, Marks, Membership, Owner, Place, Port, PortRole,
    Windows,
};
use aiec_ir::fifos::FifoPlace;
use aiec_ir::ways::Way;
use aiec_ir::{Carries, CollectiveId, ConnectionId, ExternalId, Flow, IdVec, KernelId, PortId, SwitchId};

/// The design that `builder` describes.
pub(super) fn assemble(builder: &Builder) -> Result<Expanded, BuildError> {
    let mut assembly = Assembly::start(builder);
    assembly.kernels(builder);
    assembly.externals(builder);
    for declared in &builder.reduces {
        assembly.collective(builder, declared)?;
    }
    let trees = std::mem::take(&mut assembly.trees);
    for connect in &builder.connects {
        assembly.connect(builder, connect)?;
    }
    for (connection, from, to) in trees {
        assembly.join(from, to, connection);
    }
    for place in &builder.places {
        let kernel = assembly.kernel(&place.kernel)?;
        let (column, row, span) = (place.column, place.row, place.span);
        assembly.expanded.places.push(Place { kernel, column, row, span });
    }
    assembly.expanded.constraints = assembly.constraints(builder)?;
    for place in &builder.shims {
        let ShimPlace { external, ranges, channel, span } = place.clone();
        let external = assembly.external(&external)?;
        assembly.expanded.shims.push(ShimPlace { external, ranges, channel, span });
    }
    for ShimTie { external, from, columns, span } in builder.shim_ties.clone() {
        let external = assembly.external(&external)?;
        match assembly.kernel(&from) {
            Ok(from) => assembly.expanded.shim_ties.push(ShimTie { external, from, columns, span }),
            Err(_) => {
                let from = assembly.external(&from)?;
                assembly.expanded.shim_links.push(ShimTie { external, from, columns, span });
            }
        }
    }
    let (ports, kernel) = (&assembly.ports, |name: &String| assembly.kernel(name).ok());
    assembly.expanded.blocks = builder.blocks.map(kernel, |name| ports.get(name).copied());
    Ok(assembly.finish())
}

/// Storage and origin of a connection. Its ends are given separately.
struct Wire {
    buffering: Buffering,
    windows: Windows,
    fifo: Option<u32>,
    fifo_places: Vec<FifoPlace>,
    collective: Option<CollectiveId>,
    switch: Option<SwitchId>,
    span: Span,
}

struct Assembly {
    expanded: Expanded,
    /// Kernels by name, and families by name with all their kernels.
    kernels: BTreeMap<String, Vec<KernelId>>,
    /// Ports by name, collective ports also as `total.result`.
    ports: BTreeMap<String, PortId>,
    /// The splits and merges that have a branch already, by their positions in the builder.
    switches: BTreeMap<usize, SwitchId>,
    /// The connections of collectives, which come after the user's.
    trees: Vec<(Wire, PortId, PortId)>,
}

impl Assembly {
    fn start(builder: &Builder) -> Self {
        let expanded = Expanded {
            name: builder.name.clone(),
            device: builder.device.clone(),
            iterations: builder.iterations,
            release: builder.release,
            board: builder.board,
            written: aiec_ir::design::Written::default(),
            language: aiec_ir::design::Language::Aiec,
            is_component: false,
            port_kind: builder.port_kind,
            constants: Vec::new(),
            tables: Vec::new(),
            decimals: Vec::new(),
            ambiguous: Default::default(),
            families: builder.families.clone(),
            subgraphs: IdVec::new(),
            allowances: Vec::new(),
            kernels: IdVec::new(),
            externals: IdVec::new(),
            ports: IdVec::new(),
            connections: IdVec::new(),
            collectives: IdVec::new(),
            cascades: Vec::new(),
            switches: IdVec::new(),
            parameters: IdVec::new(),
            places: Vec::new(),
            constraints: Constraints::default(),
            blocks: aiec_ir::Blocks::default(),
            shims: Vec::new(),
            shim_ties: Vec::new(),
            shim_links: Vec::new(),
            graph: DiGraph::new(),
            nodes: Vec::new(),
        };
        Self { expanded, kernels: [].into(), ports: [].into(), switches: [].into(), trees: Vec::new() }
    }

    fn external(&self, name: &str) -> Result<ExternalId, BuildError> {
        let found = self.expanded.externals.enumerate().find(|(_, known)| known.name == name);
        found.map(|(external, _)| external).ok_or_else(|| BuildError(name.to_owned()))
    }

    /// The constraints on kernels by their names; a family stands for all its kernels.
    fn constraints(&self, builder: &Builder) -> Result<Constraints<KernelId>, BuildError> {
        let written = &builder.constraints;
        let all = |names: &[String]| -> Result<Vec<KernelId>, BuildError> {
            let found =
                names.iter().map(|name| self.kernels.get(name).ok_or_else(|| BuildError(name.clone())));
            Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().copied().collect())
        };
        let group = |group: &Group<String>| Ok(Group { kernels: all(&group.kernels)?, span: group.span });
        let offset = |o: &Offset<String>| {
            let (kernel, from) = (self.kernel(&o.kernel)?, self.kernel(&o.from)?);
            Ok(Offset { kernel, from, columns: o.columns, rows: o.rows, span: o.span })
        };
        let aligned = |a: &Aligned<String>| {
            let (kernel, from) = (self.kernel(&a.kernel)?, self.kernel(&a.from)?);
            Ok(Aligned { kernel, from, axis: a.axis, distance: a.distance, span: a.span })
        };
        let region = |r: &Region<String>| {
            Ok(Region { kernels: all(&r.kernels)?, areas: r.areas.clone(), span: r.span })
        };
        Ok(Constraints {
            offsets: written.offsets.iter().map(offset).collect::<Result<_, _>>()?,
            aligned: written.aligned.iter().map(aligned).collect::<Result<_, _>>()?,
            regions: written.regions.iter().map(region).collect::<Result<_, _>>()?,
            together: written.together.iter().map(group).collect::<Result<_, _>>()?,
            apart: written.apart.iter().map(group).collect::<Result<_, _>>()?,
            distinct: written.distinct.iter().map(group).collect::<Result<_, _>>()?,
            keepouts: written.keepouts.clone(),
        })
    }

    fn kernels(&mut self, builder: &Builder) {
        for (id, family) in builder.families.enumerate() {
            for index in 0..family.instances() {
                let name = family.instance_name(index);
                let kernel = self.expanded.kernels.push(Kernel {
                    family: id,
                    index,
                    name: name.clone(),
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                    inouts: Vec::new(),
                    tables: Vec::new(),
                    memberships: Vec::new(),
                    repetitions: 1,
                    span: family.span,
                });
                self.kernels.entry(family.name.clone()).or_default().push(kernel);
                if name != family.name {
                    self.kernels.insert(name, vec![kernel]);
                }
                for (number, port) in (0..).zip(&family.ports) {
                    let role = PortRole::User(number);
                    self.port(kernel, port.direction, &port.name, port.carries, role, port.span);
                }
            }
        }
    }

    fn externals(&mut self, builder: &Builder) {
        for (id, family) in builder.externals.enumerate() {
            for index in 0..family.instances() {
                let name = family.instance_name(index);
                let external = ExternalId(u32::try_from(self.expanded.externals.len()).unwrap_or(u32::MAX));
                let port = self.expanded.ports.push(Port {
                    owner: Owner::External(external),
                    direction: family.direction,
                    name: name.clone(),
                    slot: 0,
                    carries: None,
                    asynchronous: false,
                    role: PortRole::External,
                    connections: Vec::new(),
                    windows: None,
                    switch: None,
                    span: family.span,
                });
                self.ports.insert(name.clone(), port);
                let identifier =
                    if family.dims.is_empty() { name.clone() } else { format!("{}_{index}", family.name) };
                let endpoint = endpoint(&family.end, index);
                let (direction, span) = (family.direction, family.span);
                self.expanded.externals.push(External {
                    family: id,
                    index,
                    name,
                    logical: identifier.clone(),
                    identifier,
                    direction,
                    endpoint,
                    golden: None,
                    port,
                    alone: family.alone,
                    span,
                });
            }
        }
    }

    /// Adds a port to a kernel; ports of collectives are asynchronous.
    fn port(
        &mut self,
        kernel: KernelId,
        direction: Direction,
        name: &str,
        carries: Carries,
        role: PortRole,
        span: Span,
    ) -> PortId {
        let id = PortId(u32::try_from(self.expanded.ports.len()).unwrap_or(u32::MAX));
        let owner = &mut self.expanded.kernels[kernel];
        let list = if direction == Direction::In { &mut owner.inputs } else { &mut owner.outputs };
        let slot = u32::try_from(list.len()).unwrap_or(u32::MAX);
        list.push(id);
        self.ports.insert(format!("{}.{name}", owner.name), id);
        self.expanded.ports.push(Port {
            owner: Owner::Kernel(kernel),
            direction,
            name: name.to_owned(),
            slot,
            carries: Some(carries),
            asynchronous: !matches!(role, PortRole::User(_)),
            role,
            connections: Vec::new(),
            windows: None,
            switch: None,
            span,
        })
    }

    fn collective(&mut self, builder: &Builder, declared: &Declared) -> Result<(), BuildError> {
        let (reduce, span) = (&declared.reduce, declared.span);
        let mut ranks = Vec::new();
        for member in &reduce.over {
            ranks.extend(self.kernels.get(member).ok_or_else(|| BuildError(member.clone()))?);
        }
        let first = ranks.first().copied().ok_or_else(|| BuildError(reduce.over.join(", ")))?;
        let root = reduce.root.as_deref().map_or(Ok(first), |root| self.kernel(root))?;
        let size = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        let root_rank = ranks.iter().position(|&rank| rank == root).map(Rank::at);
        let chunks = reduce.data.elements.div_ceil(reduce.window.elements.max(1));
        let plan = Plan {
            root: root_rank.unwrap_or(Rank(0)),
            windows: vec![chunks; ranks.len()],
            ..Plan::new(reduce.operation, reduce.shape, size)
        };
        let id = self.expanded.collectives.push(Collective {
            name: reduce.name.clone(),
            op: plan.operation.combines().then(|| Spanned::new(reduce.op.clone(), span)),
            plan,
            data: Spanned::new(reduce.data, span),
            window: Spanned::new(reduce.window, span),
            ranks,
            root: Spanned::new(root, span),
            shape_span: span,
            buffering: reduce.buffering,
            calls: reduce.calls,
            fifo: None,
            cycles: reduce.cycles.map(|cycles| Spanned::new(cycles, span)),
            reference: reduce.reference.clone(),
            layout: None,
            scalar: reduce.scalar,
            sends_once: false,
            compared: Vec::new(),
            span,
        });
        self.members(builder, id);
        Ok(())
    }

    /// Gives every rank its ports and notes the collective's connections.
    fn members(&mut self, builder: &Builder, id: CollectiveId) {
        let collective = self.expanded.collectives[id].clone();
        let ports = collective.plan.port_counts();
        for rank in collective.plan.order() {
            let kernel = collective.ranks[rank.index()];
            let (inputs, outputs) = ports[rank.index()];
            let inputs = self.rank_ports(&collective, id, rank, Direction::In, inputs);
            let outputs = self.rank_ports(&collective, id, rank, Direction::Out, outputs);
            let at_root = |what, window, role| (rank == collective.plan.root).then_some((what, window, role));
            let window = Some(collective.window.value);
            let result = at_root("result", window, PortRole::Result(id));
            let result =
                result.and_then(|(what, window, role)| self.root_port(builder, id, what, window, role));
            let window = collective.cycles.as_ref().map(|cycles| cycles.value);
            let cycles = at_root("cycles", window, PortRole::Cycles(id));
            let cycles =
                cycles.and_then(|(what, window, role)| self.root_port(builder, id, what, window, role));
            let membership = Membership { collective: id, rank, inputs, outputs, result, cycles };
            self.expanded.kernels[kernel].memberships.push(membership);
        }
        let collective_ = &self.expanded.collectives[id];
        let found: Vec<(PortId, PortId)> = link_ports(&self.expanded, collective_, id);
        self.expanded.cascades.extend(collective.cascades(id));
        let wire = || Wire {
            buffering: collective.buffering,
            windows: Windows::default(),
            fifo: None,
            fifo_places: Vec::new(),
            collective: Some(id),
            switch: None,
            span: collective.span,
        };
        self.trees.extend(found.into_iter().map(|(from, to)| (wire(), from, to)));
    }

    /// `count` ports of a rank in one direction.
    fn rank_ports(
        &mut self,
        collective: &Collective,
        id: CollectiveId,
        rank: Rank,
        direction: Direction,
        count: usize,
    ) -> Vec<PortId> {
        let name = |at: usize| format!("{}_{direction}{at}", collective.name);
        let (window, span) = (collective.link_window(rank, direction), collective.span);
        let kernel = collective.ranks[rank.index()];
        (0..count)
            .map(|at| {
                let role = port_role(collective, id, kernel, direction);
                let carries = match role {
                    PortRole::Packets(_) => Carries::Packets(Flow { element: window.element, per_run: None }),
                    _ => Carries::window_of(window),
                };
                self.port(kernel, direction, &name(at), carries, role, span)
            })
            .collect()
    }

    /// The port `what` of a collective at the root, if the design connects it.
    fn root_port(
        &mut self,
        builder: &Builder,
        id: CollectiveId,
        what: &str,
        window: Option<WindowType>,
        role: PortRole,
    ) -> Option<PortId> {
        let (name, span) = (self.expanded.collectives[id].name.clone(), self.expanded.collectives[id].span);
        let reference = format!("{name}.{what}");
        let wanted = builder.connects.iter().any(|connect| connect.from == reference);
        let (window, kernel) = (window.filter(|_| wanted)?, self.expanded.collectives[id].root.value);
        let port = self.port(
            kernel,
            Direction::Out,
            &format!("{name}_{what}"),
            Carries::window_of(window),
            role,
            span,
        );
        self.ports.insert(reference, port);
        Some(port)
    }

    fn connect(&mut self, builder: &Builder, connect: &Connect) -> Result<(), BuildError> {
        let find = |name: &str| self.ports.get(name).copied().ok_or_else(|| BuildError(name.to_owned()));
        let (from, to) = (find(&connect.from)?, find(&connect.to)?);
        self.expanded.ports[from].asynchronous |= connect.from_async;
        self.expanded.ports[to].asynchronous |= connect.to_async;
        let ends = [self.expanded.ports[from].carries, self.expanded.ports[to].carries];
        let carries = ends.into_iter().flatten().next();
        for port in [from, to] {
            let port = &mut self.expanded.ports[port];
            port.carries = port.carries.or(carries);
        }
        let windows = Windows {
            from: connect.from_windows.map(|number| Spanned::new(number, connect.span)),
            to: connect.to_windows.map(|number| Spanned::new(number, connect.span)),
        };
        let Connect { buffering, span, fifo, .. } = *connect;
        let fifo_places = connect.fifo_places.clone();
        let switch = connect.switch.map(|at| self.switch(at, builder.switches[at], (from, to), span));
        self.join(from, to, Wire { buffering, windows, fifo, fifo_places, collective: None, switch, span });
        Ok(())
    }

    /// The split or merge at a position of the builder. Its ends outside the array carry packets.
    fn switch(
        &mut self,
        at: usize,
        (kind, first): (SwitchKind, u32),
        (from, to): (PortId, PortId),
        span: Span,
    ) -> SwitchId {
        for port in [from, to] {
            let port = &mut self.expanded.ports[port];
            if let (Owner::External(_), Some(carries)) = (port.owner, port.carries) {
                let element = carries.element().unwrap_or(ElementType::Int32);
                port.carries = Some(Carries::Packets(Flow { element, per_run: None }));
            }
        }
        let switches = &mut self.expanded.switches;
        let trunk = if kind == SwitchKind::Split { from } else { to };
        let way = Way::default();
        let new = || {
            switches.push(PacketSwitch {
                kind,
                trunk,
                branches: Vec::new(),
                first,
                first_span: None,
                way,
                span,
            })
        };
        let id = *self.switches.entry(at).or_insert_with(new);
        self.expanded.ports[trunk].switch.get_or_insert(id);
        id
    }

    fn join(&mut self, from: PortId, to: PortId, wire: Wire) {
        let Wire { buffering, windows, fifo, fifo_places, collective, switch, span } = wire;
        let connection = Connection {
            from,
            to,
            buffering,
            fifo: fifo.map(|words| Spanned::new(words, span)),
            fifo_places,
            fifo_memory: None,
            switch,
            windows,
            collective,
            way: Way::default(),
            marks: Marks { from: span, to: span, buffer: None, fifo: None },
            span,
        };
        let Windows { from: sent, to: taken } = connection.windows.clone();
        let id = self.expanded.connections.push(connection);
        if let Some(switch) = switch {
            self.expanded.switches[switch].branches.push(id);
        }
        for (port, windows) in [(from, sent), (to, taken)] {
            let port = &mut self.expanded.ports[port];
            port.connections.push(id);
            port.windows = port.windows.take().or(windows);
        }
    }

    fn kernel(&self, name: &str) -> Result<KernelId, BuildError> {
        match self.kernels.get(name).map(Vec::as_slice) {
            Some(&[kernel]) => Ok(kernel),
            _ => Err(BuildError(name.to_owned())),
        }
    }

    fn finish(mut self) -> Expanded {
        let design = &mut self.expanded;
        let along = design.connections.enumerate().filter(|(id, _)| design.goes_by_cascade(*id));
        let cascade = |(id, connection): (ConnectionId, &Connection)| {
            let (from, to) = (design.kernel_of(connection.from)?, design.kernel_of(connection.to)?);
            Some(Cascade { from, to, origin: CascadeOrigin::Connection(id), span: connection.span })
        };
        let cascades: Vec<Cascade> = along.filter_map(cascade).collect();
        design.cascades.extend(cascades);
        let owners =
            design.kernels.ids().map(Owner::Kernel).chain(design.externals.ids().map(Owner::External));
        let owners: Vec<Owner> = owners.collect();
        design.nodes = owners.iter().map(|&owner| design.graph.add_node(owner)).collect();
        let by_owner: BTreeMap<Owner, _> = owners.into_iter().zip(design.nodes.iter().copied()).collect();
        let ends = |connection: ConnectionId| {
            let connection = &design.connections[connection];
            [connection.from, connection.to].map(|port| by_owner[&design.ports[port].owner])
        };
        let edges: Vec<_> = design.connections.ids().map(|id| (ends(id), id)).collect();
        for ([from, to], id) in edges {
            design.graph.add_edge(from, to, id);
        }
        for (kernel, times) in aiec_ir::rates::repetitions(&self.expanded).enumerate() {
            self.expanded.kernels[kernel].repetitions = *times;
        }
        self.expanded
    }
}

/// The far end of instance `index`: `{}` in its file name replaced.
fn endpoint(end: &FarEnd, index: u32) -> Endpoint {
    let FarEnd::Array(endpoint) = end else { return Endpoint::GMIO };
    let number = |file: &str| file.replace("{}", &index.to_string());
    let mut endpoint = endpoint.clone();
    match &mut endpoint {
        Endpoint::Plio { file, .. } => *file = number(file),
        Endpoint::Gmio { file, .. } => *file = file.as_deref().map(number),
    }
    endpoint
}

/// The two ports of each connection of a collective, in the order of its links. A link to several
/// ranks is one connection for each receiver.
fn link_ports(design: &Expanded, collective: &Collective, id: CollectiveId) -> Vec<(PortId, PortId)> {
    let mut found = Vec::new();
    let links = collective.plan.links();
    for (link, ends) in links.iter().zip(collective.plan.ends(&links)) {
        let port = |rank: Rank, at: usize, list: fn(&Membership) -> &[PortId]| {
            let kernel = collective.ranks.get(rank.index())?;
            list(design.membership(*kernel, id)?).get(at).copied()
        };
        let from = port(link.from, ends.from, |member| &member.outputs);
        for (&to, at) in link.to.iter().zip(ends.to) {
            found.extend(from.zip(port(to, at, |member| &member.inputs)));
        }
    }
    found
}

/// The role of the ports that `kernel` has for its links in one direction.
fn port_role(collective: &Collective, id: CollectiveId, kernel: KernelId, direction: Direction) -> PortRole {
    let merged = collective.plan.is_merged() && kernel == collective.root.value && direction == Direction::In;
    if merged { PortRole::Packets(id) } else { PortRole::Link(id) }
}

#[cfg(test)]
mod tests {
    use crate::{BuildError, Builder, Reduce, input, int32, output};
    use aiec_ir::expanded::{Owner, PortRole};

    #[test]
    fn a_tree_of_seven_has_the_shape_of_a_heap() {
        let mut builder = Builder::new("reduce7", "toy");
        builder.kernels("worker", &[7], &[]).gmio_output("sum");
        builder.reduce(Reduce::over("total", &["worker"], int32(4)).root("worker[3]"));
        let design = builder.connect("total.result", "sum").expanded().unwrap();
        let edges: Vec<String> = design
            .connections
            .iter()
            .map(|c| format!("{} -> {}", design.port_name(c.from), design.port_name(c.to)))
            .collect();
        assert_eq!(edges[0], "worker[3].total_result -> sum", "the user's connections come first");
        assert_eq!(edges[1], "worker[0].total_out0 -> worker[3].total_in0");
        assert_eq!(edges[2], "worker[1].total_out0 -> worker[3].total_in1");
        assert_eq!(
            edges[3], "worker[2].total_out0 -> worker[0].total_in0",
            "position 3 is the child of position 1"
        );
        assert_eq!(edges.len(), 7);
        assert_eq!(design.collectives.as_slice()[0].depth(), 3);
    }

    #[test]
    fn ports_list_their_connections_and_the_graph_agrees() {
        let ports = [input("x", int32(4)), output("y", int32(4))];
        let mut builder = Builder::new("pipe", "toy");
        builder.plio_input("samples", 64).kernels("stage", &[2, 2], &ports);
        builder.connect("samples", "stage[0][0].x").connect("async stage[0][0].y", "stage[1][1].x");
        let design = builder.expanded().unwrap();
        for (id, connection) in design.connections.enumerate() {
            assert!(design.ports[connection.from].connections.contains(&id));
            assert!(design.ports[connection.to].connections.contains(&id));
        }
        assert_eq!((design.graph.node_count(), design.graph.edge_count()), (5, 2));
        let samples = design.ports.iter().find(|p| p.role == PortRole::External).expect("declared");
        assert_eq!(samples.window(), Some(int32(4)), "an input has the window of what it feeds");
        assert!(matches!(samples.owner, Owner::External(_)));
        assert_eq!(design.ports.iter().filter(|p| p.asynchronous).count(), 1);
    }

    #[test]
    fn spans_point_into_the_source() {
        let mut builder = Builder::new("pipe", "toy");
        builder.kernels("a", &[], &[output("y", int32(4))]).gmio_output("sum").connect("a.y", "sum");
        let design = builder.expanded().unwrap();
        let span = design.connections.as_slice()[0].span;
        assert_eq!(&builder.source()[span.start as usize..span.end as usize], "connect a.y -> sum");
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        let error = Builder::new("pipe", "toy").connect("a.y", "b.x").expanded().err();
        assert_eq!(error, Some(BuildError("a.y".into())));
    }
}
