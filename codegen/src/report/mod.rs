//! The report of a design: every decision of the compiler and the use of the array, as data.
//!
//! Only [`report`] builds a [`Report`]. The JSON and the tables of the command line are made from
//! it. `docs/report.md` explains the fields.

mod banks;
mod model;
mod usage;

use std::collections::BTreeSet;

use aiec_check::{Demand, demand, open_packets};
use aiec_device::Device;
use aiec_ir::design::{Endpoint, Language};
use aiec_ir::expanded::{Collective, Compared, Connection, DataEnd, Expanded, PortRole};
use aiec_ir::fifos::FifoPlace;
use aiec_ir::{Carries, ConnectionId, Direction, ExternalId, KernelId, ParameterId, PortId, WindowType};
use aiec_placer::{Account, Placed, PlacementEntry, Spot};
use aiec_router_model::{Estimate, Implementation, Routed, cut_table};

use crate::context::Context;
use crate::options::EmitOptions;
use crate::stamp::VERSION;
use crate::with_context::with_context;
pub use model::*;

/// The report of a project, in its folder.
pub const FILE: &str = "aiec-report.json";

/// Number of the report's format: additions keep it, anything else raises it.
pub const FORMAT: u32 = 2;

/// The report of a routed design. `options` supplies only the seed and the paths of the sources,
/// which decide names.
pub fn report(whole: &Implementation<'_>, estimate: &Estimate, options: &EmitOptions) -> Report {
    let &Implementation { checked, placed, routed, device } = whole;
    with_context(checked, Some(placed), device, options, |context| {
        let demand = demand(checked, device);
        let usage = usage::Usage { context, checked, placed, routed };
        assemble(context, &usage, &demand, estimate, options)
    })
}

fn assemble(
    context: &Context<'_>,
    usage: &usage::Usage<'_>,
    demand: &Demand,
    estimate: &Estimate,
    options: &EmitOptions,
) -> Report {
    let (design, device) = (context.design, context.device);
    let usage::Usage { checked, placed, routed, .. } = *usage;
    let charges = usage.charges();
    Report {
        format: "aiec-report",
        version: FORMAT,
        tool: Tool { name: "aiec", version: VERSION, seed: options.seed },
        design: DesignEntry {
            name: design.name.value.clone(),
            iterations: design.iterations,
            vitis: design.release.name,
            board: design.board.name(),
        },
        device: DeviceEntry { name: device.name.clone(), columns: device.columns, rows: device.rows },
        kernels: design.kernels.ids().map(|kernel| kernel_entry(context, placed, demand, kernel)).collect(),
        externals: context.connected_externals().map(|id| external_entry(context, placed, id)).collect(),
        parameters: context
            .used_parameters()
            .map(|(id, values)| parameter_entry(context, id, values))
            .collect(),
        connections: design
            .connections
            .ids()
            .map(|id| connection_entry(context, placed, routed, id))
            .collect(),
        collectives: design
            .collectives
            .enumerate()
            .map(|(id, collective)| collective_entry(design, collective, charges.of(Account::Collective(id))))
            .collect(),
        others: OtherUses {
            windows: charges.of(Account::Windows),
            kernels: charges.of(Account::Kernels),
            fifos: Some(charges.of(Account::Fifos)).filter(|fifos| fifos.bytes > 0),
        },
        placement: PlacementEntry::of(checked, device, placed, options.cut_short),
        demand: demand.design,
        totals: usage.totals(),
        tiles: usage.tiles(),
        banks: banks::banks(checked, device, placed),
        shim: usage.shim(),
        cuts: cut_table(&routed.routes, device),
        estimate: estimate.clone(),
        assumed: Vec::new(),
        left_out: without_verdict(design, device),
    }
}

/// Lines about the connections whose rates and FIFO depths nothing here decides: those of the
/// design, of which the first of each `connect` is named, and those of messages, whose number only
/// the kernels know. Then a line about packets that the check of hangs does not follow. Names are
/// up to a limit. Empty when there are none.
pub fn without_verdict(design: &Expanded, device: &Device) -> Vec<String> {
    let message_at = |id: ConnectionId| match design.ports[design.connections[id].from].role {
        PortRole::Channel(collective) => Some(&design.collectives[collective].name),
        _ => None,
    };
    let (messages, own): (Vec<ConnectionId>, Vec<ConnectionId>) =
        design.without_verdict().partition(|&id| message_at(id).is_some());
    let is_stream = |id: &ConnectionId| {
        let ends = [design.connections[*id].from, design.connections[*id].to];
        ends.into_iter().any(|port| design.has_open_amount(port))
    };
    let (streams, windows): (Vec<ConnectionId>, Vec<ConnectionId>) = own.into_iter().partition(is_stream);
    let unknown = |wires: &[ConnectionId], how: &str| {
        let mut spans = BTreeSet::new();
        let firsts = wires.iter().map(|&id| &design.connections[id]).filter(|one| spans.insert(one.span));
        let name =
            |one: &Connection| format!("`{}` -> `{}`", design.port_name(one.from), design.port_name(one.to));
        let state = match design.language {
            Language::Aiec => how,
            Language::Adf => ", whose ends state no amount",
        };
        let named = some_of(firsts.map(name).collect(), wires.len());
        named.map(|named| format!("unknown: rates and enough FIFO of {named}{state}"))
    };
    let names: BTreeSet<String> =
        messages.into_iter().filter_map(message_at).map(|name| format!("`{name}`")).collect();
    let packets: Vec<String> = open_packets(design, device)
        .into_iter()
        .map(|trunk| format!("`{}`", design.port_name(trunk)))
        .collect();
    let all_packets = packets.len();
    let lines = [
        unknown(&streams, "; a port such as `stream int32[64]` states how many elements a run moves"),
        unknown(&windows, "; `windows N` behind an async end states how many windows a run passes"),
        some_of(names.iter().cloned().collect(), names.len())
            .map(|named| format!("unknown: how many messages pass {named}; only the kernels know")),
        some_of(packets, all_packets).map(|named| {
            format!("unknown: number and order of the packets at {named}; only their data shows it")
        }),
    ];
    lines.into_iter().flatten().collect()
}

/// The first of `names`, which stand for `all` things, and the number of the others.
fn some_of(names: Vec<String>, all: usize) -> Option<String> {
    const NAMED: usize = 4;
    let mut named: Vec<String> = names.into_iter().take(NAMED).collect();
    let more = all - named.len();
    named.extend((more > 0).then(|| format!("{more} more")));
    (all > 0).then(|| named.join(", "))
}

fn external_entry(context: &Context<'_>, placed: &Placed, id: ExternalId) -> ExternalEntry {
    let (external, shim) = (&context.design.externals[id], placed.shims[id]);
    let traffic = context.traffic(id);
    ExternalEntry {
        name: external.name.clone(),
        identifier: context.names.logical[id].clone(),
        direction: if external.direction == Direction::Out { "input" } else { "output" },
        kind: match external.endpoint {
            Endpoint::Plio { .. } => "plio",
            Endpoint::Gmio { .. } => "gmio",
        },
        file: context.names.data[id].clone(),
        window: traffic.as_ref().map(|traffic| traffic.window),
        windows: traffic.as_ref().map(|traffic| traffic.windows),
        shim: ChannelEntry { column: shim.column, channel: shim.channel },
    }
}

/// Each buffer of a parameter has a lock, as that of a window has, and so has its selector word.
fn parameter_entry(context: &Context<'_>, id: ParameterId, values: WindowType) -> ParameterEntry {
    let host = &context.design.parameters[id];
    let of_file = context.design.changes_between_runs(id);
    let (device, own) = (context.device, || host.ports.iter().filter_map(|&port| context.own_blocks(port)));
    let copies = own().map(|(buffers, _)| buffers.len() as u64).sum::<u64>();
    let selectors = own().map(|(_, selectors)| selectors.len() as u64).sum::<u64>();
    let [buffer, selector] =
        [values.bytes(), device.tile.word_bytes.into()].map(|bytes| device.memory.stored_bytes(bytes));
    ParameterEntry {
        name: host.name.clone(),
        direction: if host.direction == Direction::Out { "input" } else { "output" },
        values,
        file: of_file.then(|| context.file_of(DataEnd::Parameter(id))),
        ports: host.ports.iter().map(|&port| context.hierarchical(&context.port(port))).collect(),
        asynchronous: host.ports.iter().all(|&port| context.design.ports[port].asynchronous),
        bytes: copies * buffer + selectors * selector,
        locks: (copies + selectors) * u64::from(device.costs.buffer_locks),
    }
}

fn kernel_entry(context: &Context<'_>, placed: &Placed, demand: &Demand, id: KernelId) -> KernelEntry {
    let kernel = &context.design.kernels[id];
    let memory = &context.device.memory;
    KernelEntry {
        name: kernel.name.clone(),
        expression: context.hierarchical(&context.kernel(id)),
        role: context.roles.of_kernel[id].map(|role| context.names.roles[role].clone()),
        source: context.design.body(id).source.value.clone(),
        repetitions: kernel.repetitions,
        runtime_thousandths: context.design.body(id).runtime.as_ref().map(|runtime| runtime.value),
        tile: placed.kernels[id],
        stack: StackEntry {
            at: spot_entry(placed.stacks[id]),
            stack_bytes: context.design.stack_bytes(id, memory.default_stack),
            heap_bytes: context.design.heap_bytes(id, memory),
            sync_bytes: memory.sync_bytes,
        },
        demand: demand.kernels[id],
        ports: context.design.ports_of(id).map(|port| port_entry(context, port)).collect(),
    }
}

fn port_entry(context: &Context<'_>, id: PortId) -> PortEntry {
    let port = &context.design.ports[id];
    let role = match port.role {
        PortRole::User(_) => "user",
        PortRole::External => "external",
        PortRole::Link(_) => "link",
        PortRole::Channel(_) => "channel",
        PortRole::Packets(_) => "packets",
        PortRole::Result(_) => "result",
        PortRole::Cycles(_) => "cycles",
    };
    let blocks = context.own_blocks(id);
    PortEntry {
        name: port.name.clone(),
        expression: context.hierarchical(&context.port(id)),
        role,
        window: port.window(),
        parameter: port.carries.filter(|_| context.is_parameter(id)).and_then(Carries::block),
        asynchronous: port.asynchronous,
        buffers: blocks.map(|(buffers, _)| buffers.iter().map(|&at| spot_entry(at)).collect()),
        selector: blocks.and_then(|(_, selectors)| selectors.first().map(|&at| spot_entry(at))),
    }
}

const fn spot_entry(spot: Spot) -> SpotEntry {
    SpotEntry { tile: spot.tile, offset: spot.offset }
}

fn connection_entry(
    context: &Context<'_>,
    placed: &Placed,
    routed: &Routed,
    id: ConnectionId,
) -> ConnectionEntry {
    let connection = &context.design.connections[id];
    let window =
        context.design.ports[connection.to].window().or(context.design.ports[connection.from].window());
    let places = placed.fifo_places(context.design, id).iter().filter_map(FifoPlace::module);
    ConnectionEntry {
        from: context.design.port_name(connection.from),
        to: context.design.port_name(connection.to),
        window,
        buffers: connection.buffering,
        collective: connection.collective.map(|id| context.design.collectives[id].name.clone()),
        carries: carries(context.design, connection),
        fifo: connection.fifo.as_ref().map(|fifo| fifo.value),
        fifo_places: places.map(|(tile, offset, words)| FifoPlaceEntry { tile, offset, words }).collect(),
        by: match placed.is_shared_port(connection.from) {
            true => "shared memory",
            false if context.design.goes_by_cascade(id) => "cascade",
            false => "stream",
        },
        hops: routed.hops_of(connection.from, id),
    }
}

/// What the ports of kernels carry at the two ends of a connection.
fn carries(design: &Expanded, connection: &Connection) -> String {
    let ends = [connection.from, connection.to].into_iter().filter(|&end| design.kernel_of(end).is_some());
    let mut all: Vec<String> = ends.filter_map(|end| Some(design.ports[end].carries?.to_string())).collect();
    all.dedup();
    all.join(" to ")
}

fn compared_entry(compared: &Compared) -> ComparedEntry {
    let (cycles, reason) = match &compared.cycles {
        Ok(cycles) => (Some(*cycles), None),
        Err(reason) => (None, Some(reason.clone())),
    };
    ComparedEntry { shape: compared.shape.to_string(), cycles, reason }
}

fn collective_entry(design: &Expanded, collective: &Collective, uses: Charge) -> CollectiveEntry {
    CollectiveEntry {
        name: collective.name.clone(),
        operation: collective.operation(),
        op: collective.op.as_ref().map(|op| op.value.to_string()),
        data: collective.data.value,
        window: collective.window.value,
        chunks: collective.chunks(),
        calls: collective.calls,
        shape: collective.plan.shape.to_string(),
        compared: collective.compared.iter().map(compared_entry).collect(),
        depth: collective.depth(),
        root: design.kernels[collective.root.value].name.clone(),
        ranks: collective.ranks.iter().map(|&rank| design.kernels[rank].name.clone()).collect(),
        uses,
    }
}
