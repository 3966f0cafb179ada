//! What the instances of a design say about its declarations, as lines of Markdown.

use std::collections::BTreeMap;

use aiec_collectives::{Direction, Handler, ServedBuffer};
use aiec_diag::{Span, count, size};
use aiec_ir::design::{Family, Subgraph, local_name};
use aiec_ir::expanded::{Collective, Connection, External, HostParameter, Kernel, Membership, Owner};
use aiec_ir::expanded::{Port, PortRole};
use aiec_ir::{Carries, CollectiveId, ConnectionId, Expanded, FamilyId, KernelId, PortId};

/// A declaration: its name and the component that it belongs to, if any.
#[derive(Clone, Copy)]
pub struct Declared<'a> {
    /// As its file writes it, without instances in front.
    pub name: &'a str,
    /// The component that declares the name. None when the design itself does.
    pub component: Option<&'a str>,
}

impl Declared<'_> {
    /// True for a name of the design, which begins with the instance that it belongs to.
    fn is(&self, design: &Expanded, name: &str) -> bool {
        if local_name(name) != self.name {
            return false;
        }
        let instance = name.rsplit_once('.').map(|(instance, _)| instance);
        let of = design.subgraphs.iter().find(|subgraph| Some(subgraph.name.as_str()) == instance);
        match (instance, self.component) {
            (None, None) => true,
            (Some(_), Some(component)) => of.is_some_and(|subgraph| subgraph.component == component),
            _ => false,
        }
    }
}

/// The families of a declaration: one for each instance of its component.
fn families<'a>(design: &'a Expanded, declared: Declared<'a>) -> Vec<(FamilyId, &'a Family)> {
    design.families.enumerate().filter(|(_, family)| declared.is(design, &family.name)).collect()
}

fn kernels_of(design: &Expanded, family: FamilyId) -> impl Iterator<Item = (KernelId, &Kernel)> {
    design.kernels.enumerate().filter(move |(_, kernel)| kernel.family == family)
}

/// Instances, ports with their bytes, memory and ranks of a kernel family. `instance` is the name
/// of one instance, as the design writes it.
pub fn kernel(design: &Expanded, declared: Declared<'_>, instance: Option<&str>) -> Vec<String> {
    let families = families(design, declared);
    let Some(&(first, family)) = families.first() else { return Vec::new() };
    let mut lines =
        vec![count(families.iter().map(|(_, family)| u64::from(family.instances())).sum(), "instance")];
    let named = |(_, kernel): &(KernelId, &Kernel)| Some(local_name(&kernel.name)) == instance;
    let one = kernels_of(design, first).find(named);
    let Some((id, kernel)) = one.or_else(|| kernels_of(design, first).next()) else { return lines };
    let of_user = |port: &&PortId| matches!(design.ports[**port].role, PortRole::User(_));
    let ports = kernel.inputs.iter().chain(&kernel.outputs).chain(&kernel.inouts).filter(of_user);
    lines.extend(ports.map(|port| port_line(design, *port)));
    let body = family.body(kernel.index);
    let memory = [("stack", &body.stack), ("heap", &body.heap)]
        .into_iter()
        .filter_map(|(word, bytes)| Some(format!("{word} {}", size(bytes.as_ref()?.value.into()))));
    lines.extend(memory);
    if kernel.repetitions > 1 {
        lines.push(format!("{} in one iteration of the graph", count(kernel.repetitions.into(), "run")));
    }
    match one {
        Some(_) => lines.extend(kernel.memberships.iter().map(|member| rank(design, id, member))),
        None => lines.extend(ranks(design, first)),
    }
    lines
}

/// A port with what it carries and the memory that it takes.
fn port_line(design: &Expanded, id: PortId) -> String {
    let Port { name, carries, asynchronous, .. } = &design.ports[id];
    let carries = carries.map_or_else(String::new, |carries| format!(": {carries}"));
    let kind = if *asynchronous { "async " } else { "" };
    format!("{kind}`{name}{carries}`{}", memory(design, id))
}

/// The memory of a port's buffers, as the end of a line. Empty for a port without buffers.
fn memory(design: &Expanded, id: PortId) -> String {
    let Some(block) = design.block(id) else { return String::new() };
    let copies = design.buffering_of(id).copies();
    let bytes = block.bytes();
    match copies {
        1 => format!(", {} in one buffer", size(bytes)),
        _ => format!(", {} in each of {copies} buffers", size(bytes)),
    }
}

/// The rank of a kernel in a collective, and with which ranks it is linked.
fn rank(design: &Expanded, kernel: KernelId, member: &Membership) -> String {
    let collective = &design.collectives[member.collective];
    let links = collective.plan.links();
    let from = links.iter().filter(|link| link.to.contains(&member.rank)).map(|link| link.from.to_string());
    let to = links.iter().filter(|link| link.from == member.rank).flat_map(|link| &link.to);
    let named = |verb: &str, ranks: Vec<String>| match ranks.len() {
        0 => String::new(),
        1 => format!(", {verb} rank {}", ranks[0]),
        _ => format!(", {verb} ranks {}", aiec_diag::listed(ranks, aiec_diag::LISTED)),
    };
    let root = match has_root(collective) && collective.root.value == kernel {
        true if collective.plan.is_active() => ", the owner",
        true => ", the root",
        false => "",
    };
    let (from, to) =
        (named("receives from", from.collect()), named("sends to", to.map(ToString::to_string).collect()));
    format!("rank {} of {} in `{}`{root}{from}{to}", member.rank, collective.ranks.len(), collective.name)
}

/// The ranks of a family in each of its collectives, and how many have which links.
fn ranks(design: &Expanded, family: FamilyId) -> Vec<String> {
    let mut all: BTreeMap<CollectiveId, Vec<&Membership>> = BTreeMap::new();
    for (_, kernel) in kernels_of(design, family) {
        for member in &kernel.memberships {
            all.entry(member.collective).or_default().push(member);
        }
    }
    let lines = all.into_iter().map(|(id, members)| {
        let collective = &design.collectives[id];
        let ranks = members.iter().map(|member| member.rank);
        let (least, most) = (ranks.clone().min(), ranks.max());
        let range = match (least, most) {
            (Some(least), Some(most)) if least != most => format!("ranks {least} to {most}"),
            (Some(one), _) => format!("rank {one}"),
            _ => String::new(),
        };
        format!("{range} of {} in `{}`: {}", collective.ranks.len(), collective.name, roles(&members))
    });
    lines.collect()
}

/// How many ranks have how many links.
fn roles(members: &[&Membership]) -> String {
    let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for member in members {
        *counts.entry((member.inputs.len(), member.outputs.len())).or_default() += 1;
    }
    let roles = counts.into_iter().map(|((inputs, outputs), number)| {
        let verb = if number == 1 { "has" } else { "have" };
        format!("{number} {verb} {} and {}", count(inputs as u64, "input"), count(outputs as u64, "output"))
    });
    roles.collect::<Vec<_>>().join(", ")
}

/// A port of a kernel family: what it carries and takes.
pub fn port(design: &Expanded, kernel: Declared<'_>, name: &str) -> Vec<String> {
    let families = families(design, kernel);
    let first = families.first().and_then(|(family, _)| kernels_of(design, *family).next());
    let Some((id, _)) = first else { return Vec::new() };
    let is_named = |port: &PortId| {
        let Port { name: full, role, .. } = &design.ports[*port];
        matches!(role, PortRole::User(_)) && full.split('[').next() == Some(name)
    };
    design.ports_of(id).filter(is_named).map(|port| port_line(design, port)).collect()
}

/// Operation, ranks, shape and sizes of a collective.
pub fn collective(design: &Expanded, declared: Declared<'_>) -> Vec<String> {
    let Some(collective) = collective_of(design, declared) else { return Vec::new() };
    if collective.plan.row().takes_messages {
        return messages(design, collective);
    }
    if collective.plan.row().is_channel() {
        return channel(design, collective);
    }
    let root = match has_root(collective) {
        true => format!(", root `{}`", design.kernels[collective.root.value].name),
        false => String::new(),
    };
    let (links, chunks) = (collective.plan.links().len() as u64, u64::from(collective.chunks()));
    let (shape, links) = (collective.plan.shape, count(links, "link"));
    let mut lines = vec![
        format!("{} over {}", collective.operation(), count(collective.ranks.len() as u64, "rank")),
        format!("shape {shape}{root}, {links}, depth {}", collective.depth()),
    ];
    lines.push(match collective.plan.row().has_data() {
        true => format!(
            "data `{}` ({}), in {} of `{}`",
            collective.data.value,
            size(collective.data.value.bytes()),
            count(chunks, "window"),
            collective.window.value
        ),
        false => format!("windows of `{}` between ranks, no data of kernels", collective.window.value),
    });
    if collective.calls > 1 {
        lines.push(format!("{} in each run", count(collective.calls.into(), "call")));
    }
    lines
}

fn collective_of<'a>(design: &'a Expanded, declared: Declared<'_>) -> Option<&'a Collective> {
    design.collectives.iter().find(|collective| declared.is(design, &collective.name))
}

/// True if one rank has a part of its own.
fn has_root(collective: &Collective) -> bool {
    let row = collective.plan.row();
    let is_open = row.is_channel() && (row.takes_messages || collective.plan.is_relay());
    row.has_root || row.names_root || is_open
}

/// Ends, data of one opening and depth of a channel.
fn channel(design: &Expanded, collective: &Collective) -> Vec<String> {
    let ranks = collective.ranks.len() as u64;
    let data = collective.data.value;
    let opening = format!("at most `{data}` ({}) in one opening", size(data.bytes()));
    if let Some(relay) = collective.plan.relay {
        let root = &design.kernels[collective.root.value].name;
        return vec![
            format!("channel to any peer over {}", count(ranks, "rank")),
            format!("packets of at most {} go through `{root}`", count(relay.packet.into(), "word")),
            opening,
            format!("depth {} of memory at each rank", count(relay.depth.into(), "word")),
        ];
    }
    let links = collective.plan.links().len() as u64;
    let pairs = count(links, "pair");
    let mut lines =
        vec![format!("channel over {}, {pairs} of a sender and a receiver", count(ranks, "rank")), opening];
    if let Some(depth) = &collective.fifo {
        lines.push(format!("depth {} of FIFO on each way", count(depth.value.into(), "word")));
    }
    if collective.calls > 1 {
        lines.push(format!("{} of each end in each run", count(collective.calls.into(), "opening")));
    }
    lines
}

/// Ends and largest messages of a mailbox, and what the owner of active messages serves.
fn messages(design: &Expanded, collective: &Collective) -> Vec<String> {
    let root = &design.kernels[collective.root.value].name;
    let others = collective.ranks.len().saturating_sub(1) as u64;
    let largest = size(collective.data.value.bytes());
    if !collective.plan.is_active() {
        return vec![
            format!("`{root}` takes the messages of {}", count(others, "other kernel")),
            format!("largest message {largest}"),
        ];
    }
    let services = &collective.plan.services;
    let mut lines = vec![
        format!("owner `{root}`, {}", count(others, "client")),
        format!("largest request {largest}, largest reply {}", size(4 * u64::from(services.reply_words()))),
    ];
    lines.extend(services.handlers.iter().map(|one| format!("handler `{}`, {}", one.name, request(one))));
    lines.extend(services.buffers.iter().map(|ServedBuffer { name, data }| {
        format!("buffer `{name}: {data}`, {} at the owner", size(data.bytes()))
    }));
    lines
}

/// The sizes of a handler's request and reply, without the word in front of each.
fn request(handler: &Handler) -> String {
    let most = if handler.array.is_some() { "at most " } else { "" };
    let reply =
        handler.result.map_or_else(|| ", no reply".to_owned(), |result| format!(", reply `{result}`"));
    format!("request of {most}{}{reply}", size(4 * u64::from(handler.words())))
}

/// What a handler or a buffer of active messages takes, and who calls it how.
pub fn service(design: &Expanded, active: Declared<'_>, name: &str) -> Vec<String> {
    let Some(collective) = collective_of(design, active) else { return Vec::new() };
    let services = &collective.plan.services;
    let owner = &design.kernels[collective.root.value].name;
    let handlers = services.handlers.iter().filter(|one| one.name == name);
    let buffers = services.buffers.iter().filter(|one| one.name == name);
    let handlers = handlers.map(|one| vec![request(one), format!("served by `{owner}`")]);
    let buffers = buffers.map(|ServedBuffer { data, .. }| {
        let access = format!("clients call `put_{name}` and `get_{name}`");
        vec![format!("{} at the owner `{owner}`", size(data.bytes())), access]
    });
    handlers.chain(buffers).flatten().collect()
}

/// What passes an input or output, or which parameter of the host it is.
pub fn external(design: &Expanded, declared: Declared<'_>) -> Vec<String> {
    let is_named = |name: &str| name.split('[').next() == Some(declared.name);
    let all: Vec<&External> = design.externals.iter().filter(|one| is_named(&one.name)).collect();
    if let Some(first) = all.first() {
        let carries = design.ports[first.port].carries.map(|carries| format!("`{carries}`"));
        return std::iter::once(count(all.len() as u64, "instance")).chain(carries).collect();
    }
    let all: Vec<&HostParameter> = design.parameters.iter().filter(|one| is_named(&one.name)).collect();
    let Some(first) = all.first() else { return Vec::new() };
    let mut lines = vec![count(all.len() as u64, "instance")];
    lines.extend(first.ports.first().into_iter().flat_map(|port| parameter(design, *port)));
    lines.push(match &first.values.file {
        _ if !first.values.initial.is_empty() => "one value for all runs".to_owned(),
        Some(file) if all.len() > 1 => format!("values of each run in files such as `{file}`"),
        Some(file) => format!("values of each run in `{file}`"),
        None => return lines,
    });
    lines
}

/// What a port carries that is a parameter, the memory that it takes, and whether a run waits for
/// it.
fn parameter(design: &Expanded, id: PortId) -> Vec<String> {
    let Port { carries, asynchronous, direction, .. } = &design.ports[id];
    let Some(carries) = carries else { return Vec::new() };
    let wait = match (direction, asynchronous) {
        (Direction::In, false) => "each run waits for a new value",
        (Direction::In, true) => "each run takes the latest value",
        (Direction::Out, false) => "each run waits until its value is read",
        (Direction::Out, true) => "no run waits for a reader",
    };
    vec![format!("`{carries}`{}", memory(design, id)), wait.to_owned()]
}

/// The constants of each instance of a component.
pub fn instances(design: &Expanded, name: &str) -> Vec<String> {
    let of = |subgraph: &&Subgraph| subgraph.name.split('[').next() == Some(name);
    let all = design.subgraphs.iter().filter(of).take(aiec_diag::LISTED);
    let lines = all.map(|Subgraph { name, constants, .. }| {
        let values: Vec<String> = constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        format!("`{name}`: {}", values.join(", "))
    });
    lines.collect()
}

/// True for a component that is checked by itself: it has its defaults, which instances elsewhere
/// need not have.
pub fn is_alone(design: &Expanded, component: &str) -> bool {
    design
        .subgraphs
        .iter()
        .any(|one| one.parent.is_none() && one.name == component && one.component == component)
}

/// The values of a component's constants that all its instances agree on.
pub fn settings(design: &Expanded, component: &str) -> BTreeMap<String, i64> {
    let mut instances = design.subgraphs.iter().filter(|subgraph| subgraph.component == component);
    let Some(first) = instances.next() else { return BTreeMap::new() };
    let mut values: BTreeMap<String, i64> = first.constants.iter().cloned().collect();
    for instance in instances {
        let others: BTreeMap<&String, i64> =
            instance.constants.iter().map(|(name, value)| (name, *value)).collect();
        values.retain(|name, value| others.get(name) == Some(value));
    }
    values
}

/// The connections that a `connect` makes, and the memory that they take. `is_here` tells whether
/// the place of a connection lies in it.
pub fn connections(design: &Expanded, is_here: impl Fn(Span) -> bool) -> Vec<String> {
    let all = design.connections.enumerate().filter(|(_, connection)| connection.collective.is_none());
    let all: Vec<(ConnectionId, &Connection)> =
        all.filter(|(_, connection)| is_here(connection.span)).collect();
    let Some(&(id, first)) = all.first() else { return of_host(design, is_here) };
    let mut lines = vec![count(all.len() as u64, "connection")];
    if matches!(design.ports[first.to].carries, Some(Carries::Parameter(_))) {
        lines.extend(parameter(design, first.to));
        lines.push(way(design, id, first).to_owned());
        return lines;
    }
    let end = if matches!(design.ports[first.from].owner, Owner::Kernel(_)) { first.from } else { first.to };
    if let Some(carries) = design.ports[end].carries {
        lines.push(format!("`{carries}`{}", memory(design, end)));
    }
    if let Some(bytes) = design.bytes_per_run(end) {
        lines.push(format!("{} in each run{}", size(bytes), transfer(design, id, bytes)));
    }
    lines.push(way(design, id, first).to_owned());
    lines
}

/// The connections of a `connect` with the host.
fn of_host(design: &Expanded, is_here: impl Fn(Span) -> bool) -> Vec<String> {
    let all = design.parameters.iter().flat_map(|one| one.connects.iter().zip(&one.ports));
    let all: Vec<PortId> = all.filter(|(span, _)| is_here(**span)).map(|(_, port)| *port).collect();
    let Some(first) = all.first() else { return Vec::new() };
    let mut lines = vec![count(all.len() as u64, "connection")];
    lines.extend(parameter(design, *first));
    let verb = if design.ports[*first].direction == Direction::In { "writes" } else { "reads" };
    lines.push(format!("the host {verb} it in the memory of the array, without DMA"));
    lines
}

/// The cycles that bytes take on their way, where it has a pace of its own: a stream and a DMA move
/// 4 bytes in a cycle (AM009, stream switch).
fn transfer(design: &Expanded, id: ConnectionId, bytes: u64) -> String {
    if design.goes_by_cascade(id) {
        return String::new();
    }
    format!(", at least {} where they are streamed", count(bytes.div_ceil(4), "cycle"))
}

/// How data gets from end to end, before the placement decides.
fn way(design: &Expanded, id: ConnectionId, connection: &Connection) -> &'static str {
    let ends = [connection.from, connection.to];
    let is_outside = |port: PortId| design.kernel_of(port).is_none();
    if design.goes_by_cascade(id) {
        "over the cascade of two neighbouring cores"
    } else if design.goes_by_stream(id) {
        "over the stream switches"
    } else if ends.into_iter().any(is_outside) {
        match ends.into_iter().all(|port| is_outside(port) || design.is_stream(port)) {
            true => "over the stream switches",
            false => "over the stream switches, with DMA at the buffers",
        }
    } else if design.always_streams(connection.from) {
        "over the stream switches, with DMA at the buffers"
    } else {
        "through shared memory, or over the stream switches with DMA at both ends: the placement decides"
    }
}
