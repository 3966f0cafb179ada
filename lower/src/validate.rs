//! The invariants of `Design` and `Expanded`, checked once more: in tests and debug builds.
//!
//! Destructures forms, ports and connections without `..`, so that a new field does not compile
//! until its invariants are checked.

use std::sync::Arc;

use aiec_diag::{Severity, Spanned};
use aiec_ir::WHOLE_CORE;
use aiec_ir::blocks::{Anchor, Block, BuffersApart, OneBank};
use aiec_ir::constraints::ShimTie;
use aiec_ir::design::{
    Allowance, Body, Collective, Decimals, Endpoint, Family, FarEnd, Instance, Node, Selection, Subgraph,
};
use aiec_ir::expanded::{Cascade, CascadeOrigin, HostParameter, PacketSwitch, SwitchKind};
use aiec_ir::expanded::{Connection, Kernel, Membership, Owner, Port, PortRole};
use aiec_ir::ways::{Border, Way};
use aiec_ir::{
    Carries, ConnectionId, Design, Direction, Expanded, ExternalId, IdVec, KernelId, PortId, SubgraphId,
    SwitchId,
};
use petgraph::graph::EdgeIndex;

type Check = Result<(), String>;

fn holds(condition: bool, what: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(what()) }
}

/// The invariants in the documentation of [`Design`].
pub fn validate_design(design: &Design) -> Check {
    let Design {
        name,
        device: _,
        release: _,
        board: _,
        written: _,
        language: _,
        is_component: _,
        iterations,
        port_kind: _,
        constants: _,
        tables,
        decimals,
        ambiguous: _,
        families,
        externals,
        collectives,
        places,
        constraints,
        blocks,
        shims: _,
        shim_ties: _,
        shim_links: _,
        subgraphs,
        allowances,
        graph,
    } = design;
    holds(!name.value.is_empty() && *iterations >= 1, || "a nameless design".into())?;
    validate_tables(tables, decimals)?;
    let mut total = 0u64;
    for family in families.iter() {
        holds(family.dims.len() <= 3 && family.instances() >= 1, || format!("extents of {}", family.name))?;
        holds(
            family.ports.iter().all(|port| port.carries.block().is_none_or(|block| block.elements >= 1)),
            || format!("ports of {}", family.name),
        )?;
        validate_bodies(family)?;
        total += u64::from(family.instances());
    }
    for external in externals.iter() {
        holds(external.dims.len() <= 1 && external.instances() >= 1, || {
            format!("extents of {}", external.name)
        })?;
        let positive = |number: &Option<Spanned<u32>>| number.as_ref().is_none_or(|one| one.value >= 1);
        let sound = match &external.end {
            FarEnd::Array(Endpoint::Plio { bits, file, frequency }) => {
                bits.value >= 1 && !file.is_empty() && positive(frequency)
            }
            FarEnd::Array(Endpoint::Gmio { file: _, burst, bandwidth }) => {
                positive(burst) && positive(bandwidth)
            }
            FarEnd::Host(_) => true,
        };
        holds(sound, || format!("endpoint of {}", external.name))?;
        total += u64::from(external.instances());
    }
    holds(total <= Design::MAX_INSTANCES, || "too many instances".into())?;
    for collective in collectives.iter() {
        validate_collective(design, collective)?;
    }
    for place in places {
        validate_instance(design, place.instance)?;
    }
    constraints.kernels().try_for_each(|instance| validate_instance(design, *instance))?;
    let ports = blocks.apart.iter().flat_map(|group| &group.ports);
    ports.map(|(instance, _)| *instance).try_for_each(|instance| validate_instance(design, instance))?;
    holds(graph.node_count() == families.len() + externals.len() + collectives.len(), || "nodes".into())?;
    validate_subgraphs(subgraphs, families.len(), collectives.len())?;
    validate_allowances(allowances)?;
    let mut connections = 0;
    for link in graph.edge_weights() {
        link.from.iter().try_for_each(|from| validate_selection(design, from, Direction::Out))?;
        link.to.iter().try_for_each(|to| validate_selection(design, to, Direction::In))?;
        let count = |ends: &[Selection]| ends.iter().map(Selection::count).sum::<usize>();
        let (from, to) = (count(&link.from), count(&link.to));
        let legal = match link.switch {
            None => from == to || from == 1,
            Some(SwitchKind::Split) => from == 1,
            Some(SwitchKind::Merge | SwitchKind::OrderedMerge) => to == 1,
        };
        holds(legal, || format!("{from} to {to}"))?;
        connections += from.max(to) as u64;
    }
    holds(connections <= Design::MAX_CONNECTIONS, || "too many connections".into())
}

fn validate_subgraphs(
    subgraphs: &IdVec<SubgraphId, Subgraph>,
    family_count: usize,
    collective_count: usize,
) -> Check {
    for (id, subgraph) in subgraphs.enumerate() {
        let Subgraph {
            name,
            component,
            constants: _,
            ports: _,
            parent,
            families,
            collectives,
            span: _,
            placed: _,
        } = subgraph;
        let in_order = parent.is_none_or(|parent| parent < id);
        let families = families.iter().all(|family| family.index() < family_count);
        let collectives = collectives.iter().all(|collective| collective.index() < collective_count);
        let named = !name.is_empty() && !component.is_empty();
        holds(in_order && families && collectives && named, || format!("instance {name}"))?;
    }
    Ok(())
}

fn validate_bodies(family: &Family) -> Check {
    let count = family.bodies.len();
    holds(count == 1 || count == family.instances() as usize, || format!("bodies of {}", family.name))?;
    let sound = |body: &Body| {
        let Body { function, source: _, header, template, arguments, init: _, .. } = body;
        let ratio = body.runtime.as_ref().is_none_or(|ratio| (1..=WHOLE_CORE).contains(&ratio.value));
        let declared = header.is_some() || (template.is_empty() && arguments.is_none());
        !function.is_empty() && ratio && declared
    };
    holds(family.bodies.iter().all(sound), || format!("C++ of {}", family.name))
}

fn validate_tables(tables: &[(String, Arc<[i64]>)], decimals: &[(String, Decimals)]) -> Check {
    let lengths = tables.iter().map(|(name, table)| (name, table.len()));
    let decimals = decimals.iter().map(|(name, values)| (name, values.numbers().len()));
    let sound = |length| (1..=Design::MAX_TABLE).contains(&length);
    let mut all = lengths.chain(decimals);
    all.try_for_each(|(name, length)| holds(sound(length), || format!("numbers of {name}")))
}

fn validate_collective(design: &Design, collective: &Collective) -> Check {
    let sizes = [collective.data.value.elements, collective.window.value.elements, collective.calls];
    holds(sizes.iter().all(|&size| size >= 1), || format!("sizes of {}", collective.name))?;
    holds(collective.data.value.element == collective.window.value.element, || "element types".into())?;
    holds(!collective.group.is_empty(), || "an empty group".into())?;
    collective
        .group
        .iter()
        .chain([&collective.root])
        .try_for_each(|instance| validate_instance(design, *instance))
}

fn validate_instance(design: &Design, instance: Instance) -> Check {
    let family = design.families.get(instance.family);
    holds(family.is_some_and(|family| instance.index < family.instances()), || format!("{instance:?}"))
}

fn validate_selection(design: &Design, selection: &Selection, direction: Direction) -> Check {
    let Selection { node, ports, instances, asynchronous, windows, fifo: _, span: _ } = selection;
    holds(*asynchronous || windows.is_none(), || format!("windows of {selection:?}"))?;
    let direction_of = |port: u32| match node {
        Node::Family(id) => Some(design.families.get(*id)?.ports.get(port as usize)?.direction),
        Node::External(id) => {
            design.externals.get(*id).map(|e| e.direction).filter(|_| port == 0 && !asynchronous)
        }
        Node::Collective(_) => Some(Direction::Out).filter(|_| port < 2 && !asynchronous),
    };
    let count = match node {
        Node::Family(id) => design.families.get(*id).ok_or("family")?.instances(),
        Node::External(id) => design.externals.get(*id).ok_or("external")?.instances(),
        Node::Collective(_) => 1,
    };
    let right = !ports.is_empty() && ports.iter().all(|&port| direction_of(port) == Some(direction));
    holds(right, || format!("direction of {selection:?}"))?;
    holds(!instances.is_empty() && instances.iter().all(|&at| at < count), || {
        format!("instances of {selection:?}")
    })
}

/// Checks the invariants in the documentation of [`Expanded`].
///
/// # Errors
///
/// The first invariant that does not hold, in words for a developer.
pub fn validate_expanded(expanded: &Expanded) -> Check {
    let Expanded {
        name: _,
        device: _,
        release: _,
        board: _,
        written: _,
        language: _,
        is_component: _,
        iterations,
        port_kind: _,
        constants: _,
        tables,
        decimals,
        ambiguous: _,
        families,
        subgraphs,
        allowances,
        kernels,
        externals,
        ports: _,
        connections,
        collectives,
        cascades: _,
        switches,
        parameters,
        places,
        constraints,
        blocks: _,
        shims,
        shim_ties,
        shim_links,
        graph,
        nodes,
    } = expanded;
    holds(*iterations >= 1, || "iterations".into())?;
    validate_tables(tables, decimals)?;
    families.iter().try_for_each(validate_bodies)?;
    validate_subgraphs(subgraphs, families.len(), collectives.len())?;
    validate_allowances(allowances)?;
    validate_kernels(expanded)?;
    validate_ports(expanded)?;
    validate_cascades(expanded)?;
    for (id, switch) in switches.enumerate() {
        validate_switch(expanded, id, switch)?;
    }
    for parameter in parameters.iter() {
        validate_parameter(expanded, parameter)?;
    }
    holds(places.iter().all(|place| place.kernel.index() < kernels.len()), || "places".into())?;
    holds(constraints.kernels().all(|kernel| kernel.index() < kernels.len()), || "constraints".into())?;
    holds(shims.iter().all(|place| place.external.index() < externals.len()), || "shims".into())?;
    let is_tie = |tie: &ShimTie<ExternalId, KernelId>| {
        tie.external.index() < externals.len() && tie.from.index() < kernels.len()
    };
    holds(shim_ties.iter().all(is_tie), || "ties of shims".into())?;
    let mut linked = shim_links.iter().flat_map(|link| [link.external, link.from]);
    holds(linked.all(|external| external.index() < externals.len()), || "links of shims".into())?;
    validate_blocks(expanded)?;
    holds(graph.node_count() == kernels.len() + externals.len(), || "nodes of the graph".into())?;
    holds(nodes.len() == graph.node_count(), || "list of nodes".into())?;
    holds(graph.edge_count() == connections.len(), || "edges of the graph".into())
}

/// Every kernel and external has its ports, and no port has another owner.
fn validate_kernels(expanded: &Expanded) -> Check {
    let Expanded { families, kernels, externals, ports, collectives, .. } = expanded;
    let instances: u32 = families.iter().map(|family| family.instances()).sum();
    holds(kernels.len() == instances as usize, || "number of kernels".into())?;
    let links: Vec<Vec<(usize, usize)>> = collectives.iter().map(|c| c.plan.port_counts()).collect();
    for (id, kernel) in kernels.enumerate() {
        holds(kernel.repetitions >= 1, || format!("runs of {}", kernel.name))?;
        validate_slots(expanded, Owner::Kernel(id), &kernel.inputs, Direction::In)?;
        validate_slots(expanded, Owner::Kernel(id), &kernel.outputs, Direction::Out)?;
        validate_slots(expanded, Owner::Kernel(id), &kernel.inouts, Direction::Out)?;
        validate_slots(expanded, Owner::Kernel(id), &kernel.tables, Direction::In)?;
        validate_memberships(expanded, &links, kernel)?;
    }
    for (id, external) in externals.enumerate() {
        validate_slots(expanded, Owner::External(id), &[external.port], external.direction)?;
    }
    let listed: usize = kernels.ids().map(|kernel| expanded.ports_of(kernel).count()).sum();
    holds(ports.len() == listed + externals.len(), || "number of ports".into())
}

/// Every port lists what touches it, and every connection joins ports that it fits.
fn validate_ports(expanded: &Expanded) -> Check {
    let Expanded { ports, connections, switches, .. } = expanded;
    let mut touching: Vec<Touching> = vec![Touching::default(); ports.len()];
    for (id, connection) in connections.enumerate() {
        touching[connection.from.index()].add(id, connection.windows.from.as_ref());
        touching[connection.to.index()].add(id, connection.windows.to.as_ref());
    }
    for (id, switch) in switches.enumerate() {
        touching[switch.trunk.index()].switch.get_or_insert(id);
    }
    for (port, touching) in ports.iter().zip(&touching) {
        validate_port(port, touching)?;
    }
    connections.enumerate().try_for_each(|(id, connection)| validate_connection(expanded, id, connection))
}

/// The cascades are those of the collectives, then those of the connections.
fn validate_cascades(expanded: &Expanded) -> Check {
    let Expanded { connections, collectives, cascades, .. } = expanded;
    for collective in collectives.iter() {
        let root = collective.ranks.get(collective.plan.root.index());
        holds(root == Some(&collective.root.value), || "the root is one of the ranks".into())?;
        holds(collective.plan.size as usize == collective.ranks.len(), || "a plan for every rank".into())?;
    }
    let streams: Vec<Cascade> = collectives.enumerate().flat_map(|(id, c)| c.cascades(id)).collect();
    let (of_collectives, of_connections) = cascades.split_at(streams.len().min(cascades.len()));
    holds(of_collectives == streams, || "cascades of the collectives".into())?;
    let along: Vec<CascadeOrigin> =
        connections.ids().filter(|&c| expanded.goes_by_cascade(c)).map(CascadeOrigin::Connection).collect();
    let origins: Vec<CascadeOrigin> = of_connections.iter().map(|cascade| cascade.origin).collect();
    holds(origins == along, || "cascades of the connections".into())
}

/// Statements about memory name stacks and buffers of kernels.
fn validate_blocks(expanded: &Expanded) -> Check {
    let Expanded { kernels, ports, blocks, .. } = expanded;
    let is_block = |block: Block<KernelId, PortId>| match block {
        Block::Stack(kernel) => kernel.index() < kernels.len(),
        Block::Buffers(port) => ports.get(port).is_some_and(|port| matches!(port.owner, Owner::Kernel(_))),
    };
    holds(blocks.places.iter().all(|place| is_block(place.block)), || "places of blocks".into())?;
    let is_end = |from: Anchor<KernelId, PortId>| match from {
        Anchor::Core(kernel) => kernel.index() < kernels.len(),
        Anchor::Block(block) => is_block(block),
    };
    holds(blocks.ties.iter().all(|tie| is_block(tie.block) && is_end(tie.from)), || "ties of blocks".into())?;
    let are_blocks = |both: &OneBank<KernelId, PortId>| both.blocks.into_iter().all(is_block);
    holds(blocks.one_bank.iter().all(are_blocks), || "blocks of one bank".into())?;
    holds(blocks.no_bank.iter().all(are_blocks), || "blocks without a bank in common".into())?;
    let of_groups = |group: &BuffersApart<PortId>| group.ports.iter().all(|&port| ports.get(port).is_some());
    holds(blocks.apart.iter().all(of_groups), || "buffers apart".into())
}

/// What the design connects with a port.
#[derive(Clone, Default)]
struct Touching<'a> {
    connections: Vec<ConnectionId>,
    /// The first number of windows.
    windows: Option<&'a Spanned<u32>>,
    /// The first split or merge whose trunk it is.
    switch: Option<SwitchId>,
}

impl<'a> Touching<'a> {
    fn add(&mut self, connection: ConnectionId, windows: Option<&'a Spanned<u32>>) {
        self.connections.push(connection);
        self.windows = self.windows.or(windows);
    }
}

/// Its owner, direction, slot and name belong to the list that has it ([`validate_slots`]).
fn validate_port(port: &Port, touching: &Touching) -> Check {
    let Port {
        owner: _,
        direction,
        name,
        slot: _,
        carries,
        asynchronous: _,
        role,
        connections,
        windows,
        switch,
        span: _,
    } = port;
    holds(*connections == touching.connections, || format!("connections of {name}"))?;
    holds(windows.as_ref() == touching.windows, || format!("windows of {name}"))?;
    holds(*switch == touching.switch, || format!("split or merge at {name}"))?;
    let free = *role == PortRole::External && connections.is_empty();
    holds(carries.is_some() != free, || format!("what {name} carries"))?;
    let margin = matches!(carries, Some(Carries::Window { margin: 1.., .. }));
    holds(!margin || *direction == Direction::In, || format!("margin of {name}"))?;
    let packets = matches!(role, PortRole::Packets(_));
    holds(!packets || matches!(carries, Some(Carries::Packets(_))), || format!("packets of {name}"))
}

fn validate_switch(expanded: &Expanded, id: SwitchId, switch: &PacketSwitch) -> Check {
    let PacketSwitch { kind, trunk, branches, first, first_span: _, way, span: _ } = switch;
    validate_way(expanded, way)?;
    let right = |branch: &ConnectionId| {
        let connection = expanded.connections.get(*branch);
        connection.is_some_and(|connection| {
            let end = if *kind == SwitchKind::Split { connection.from } else { connection.to };
            end == *trunk && connection.switch == Some(id)
        })
    };
    holds(*first == 0 || *kind == SwitchKind::Split, || "the first branch of a merge".into())?;
    holds(branches.is_sorted() && branches.iter().all(right), || "branches of a split or merge".into())
}

fn validate_way(expanded: &Expanded, way: &Way) -> Check {
    let subgraphs = &expanded.subgraphs;
    let known = |level: Option<SubgraphId>| level.is_none_or(|level| subgraphs.get(level).is_some());
    let level = known(way.level) && known(way.fifo);
    let is_port = |&(id, port): &Border| {
        subgraphs.get(id).is_some_and(|subgraph| (port as usize) < subgraph.ports.len())
    };
    holds(level && way.borders.iter().all(is_port), || "a way through components".into())
}

fn validate_parameter(expanded: &Expanded, parameter: &HostParameter) -> Check {
    let HostParameter { name, ports, ways, connects, direction, .. } = parameter;
    let has_all = ways.len() == ports.len() && connects.len() == ports.len();
    holds(has_all, || format!("ways of the parameter {name}"))?;
    ways.iter().try_for_each(|way| validate_way(expanded, way))?;
    let right = |port: &PortId| {
        expanded.ports.get(*port).is_some_and(|port| {
            let carries = matches!(port.carries, Some(Carries::Parameter(_)));
            carries && port.direction != *direction
        })
    };
    holds(ports.iter().all(right), || format!("ports of the parameter {name}"))
}

fn validate_slots(expanded: &Expanded, owner: Owner, ports: &[PortId], direction: Direction) -> Check {
    for (slot, &id) in ports.iter().enumerate() {
        let port = expanded.ports.get(id).ok_or("port")?;
        let right = port.owner == owner && port.direction == direction && port.slot as usize == slot;
        holds(right, || format!("slot of {}", port.name))?;
    }
    // User ports precede those of collectives, which are in declaration order.
    let order = |id: &PortId| match expanded.ports[*id].role {
        PortRole::User(at) => (0, at),
        PortRole::External => (1, 0),
        PortRole::Link(c)
        | PortRole::Channel(c)
        | PortRole::Packets(c)
        | PortRole::Result(c)
        | PortRole::Cycles(c) => (2, c.0),
    };
    holds(ports.is_sorted_by_key(order), || "order of ports".into())
}

fn validate_memberships(expanded: &Expanded, ports: &[Vec<(usize, usize)>], kernel: &Kernel) -> Check {
    for membership in &kernel.memberships {
        let Membership { collective, rank, inputs, outputs, result, cycles } = membership;
        let id_of = *collective;
        let collective = expanded.collectives.get(*collective).ok_or("collective")?;
        let id = collective.ranks.get(rank.index()).ok_or("rank")?;
        holds(expanded.kernels[*id].name == kernel.name, || format!("rank of {}", kernel.name))?;
        let is_root = *id == collective.root.value;
        let body = expanded.body(*id);
        let plain = body.template.is_empty() && body.arguments.is_none() && body.header.is_none();
        holds(plain && body.init.is_none(), || format!("C++ of {}", kernel.name))?;
        holds(is_root || (result.is_none() && cycles.is_none()), || format!("result of {}", kernel.name))?;
        let expected = ports[id_of.index()].get(rank.index());
        holds(expected == Some(&(inputs.len(), outputs.len())), || format!("links of {}", kernel.name))?;
    }
    Ok(())
}

/// An error is never left out, and a reason is given.
fn validate_allowances(allowances: &[Allowance]) -> Check {
    let fits = |one: &Allowance| one.code.value.severity != Severity::Error && !one.reason.trim().is_empty();
    holds(allowances.iter().all(fits), || "an error or no reason behind `allow`".into())
}

fn validate_connection(expanded: &Expanded, id: ConnectionId, connection: &Connection) -> Check {
    let Connection {
        from,
        to,
        buffering: _,
        fifo: _,
        fifo_places: _,
        fifo_memory: _,
        switch,
        windows,
        collective,
        way,
        marks: _,
        span: _,
    } = connection;
    validate_way(expanded, way)?;
    let known = switch.is_none_or(|switch| {
        expanded.switches.get(switch).is_some_and(|s| s.branches.binary_search(&id).is_ok())
    });
    holds(known, || format!("split or merge of connection {}", id.index()))?;
    let stated = [(&windows.from, *from), (&windows.to, *to)];
    let legal = |(windows, port): &(&Option<_>, PortId)| {
        windows.is_none() || expanded.ports.get(*port).is_some_and(|port| port.asynchronous)
    };
    holds(stated.iter().all(legal), || format!("windows of connection {}", id.index()))?;
    let (from, to) = (expanded.ports.get(*from).ok_or("from")?, expanded.ports.get(*to).ok_or("to")?);
    let directions = (from.direction, to.direction) == (Direction::Out, Direction::In);
    holds(directions, || format!("direction of {} -> {}", from.name, to.name))?;
    let in_tree = matches!(
        (from.role, to.role),
        (PortRole::Link(a), PortRole::Link(b) | PortRole::Packets(b))
            | (PortRole::Channel(a), PortRole::Channel(b)) if a == b
    );
    holds(collective.is_some() == in_tree, || format!("origin of {} -> {}", from.name, to.name))?;
    let once = collective.is_some_and(|id| {
        let collective = expanded.collectives.get(id);
        collective.is_some_and(|collective| collective.sends_once) && matches!(to.role, PortRole::Packets(_))
    });
    let opened = matches!(from.role, PortRole::Channel(_));
    let streams = [from, to].iter().all(|end| {
        !end.asynchronous && matches!(end.carries, Some(Carries::Stream(_) | Carries::Packets(_)))
    });
    holds(!opened || streams, || "ends of channels are streams".into())?;
    holds(!in_tree || opened || (from.asynchronous != once && to.asynchronous), || {
        "connections of collectives are async, but for windows that go out once in a run to a merge".into()
    })?;
    let edge = EdgeIndex::new(id.index());
    let ends = expanded.graph.edge_endpoints(edge).ok_or("edge")?;
    let owners = (expanded.graph[ends.0], expanded.graph[ends.1]);
    holds(owners == (from.owner, to.owner), || format!("edge {}", id.index()))
}
