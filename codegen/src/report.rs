//! `aiec-report.json`: everything that was decided, as data.
//!
//! The format is versioned; additions keep the number, anything else raises it.

use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{ConnectionId, Direction, ExternalId, KernelId, PortId};
use aiec_placer::Spot;
use aiec_router_model::{Estimate, Routed};
use serde_json::{Value, json};

use crate::emit::VERSION;
use crate::views::place::own_buffers;
use crate::views::{Context, Traffic};

/// Number of the report's format.
const FORMAT: u32 = 1;

/// The report.
pub(crate) fn report(context: &Context<'_>, routed: &Routed, estimate: &Estimate, seed: u64) -> Value {
    let design = context.design;
    json!({
        "format": "aiec-report",
        "version": FORMAT,
        "tool": { "name": "aiec", "version": VERSION, "seed": seed },
        "design": { "name": design.name.value, "iterations": design.iterations },
        "device": { "name": context.device.name, "columns": context.device.columns, "rows": context.device.rows },
        "kernels": design.kernels.ids().map(|kernel| kernel_entry(context, kernel)).collect::<Vec<_>>(),
        "externals": context.used_externals().map(|(id, traffic)| external_entry(context, id, traffic)).collect::<Vec<_>>(),
        "connections": design.connections.ids().map(|id| connection_entry(context, routed, id)).collect::<Vec<_>>(),
        "collectives": design.collectives.iter().map(collective_entry(design)).collect::<Vec<_>>(),
        "estimate": estimate,
    })
}

fn external_entry(context: &Context<'_>, id: ExternalId, traffic: Traffic) -> Value {
    let (external, shim) = (&context.design.externals[id], context.placed.shims[id]);
    json!({
        "name": external.name,
        "identifier": context.names.logical[id],
        "direction": if external.direction == Direction::Out { "input" } else { "output" },
        "kind": match external.endpoint { Endpoint::Plio { .. } => "plio", Endpoint::Gmio { .. } => "gmio" },
        "file": context.names.data[id],
        "window": traffic.window,
        "windows": traffic.windows,
        "shim": { "column": shim.column, "channel": shim.channel },
    })
}

fn kernel_entry(context: &Context<'_>, id: KernelId) -> Value {
    let kernel = &context.design.kernels[id];
    let tile = context.placed.kernels[id];
    let memory = &context.device.memory;
    json!({
        "name": kernel.name,
        "expression": context.hierarchical(&context.kernel(id)),
        "role": context.roles.of_kernel[id].map(|role| context.names.roles[role].clone()),
        "source": context.design.families[kernel.family].source.value,
        "tile": [tile.column, tile.row],
        "stack": {
            "at": spot(context.placed.stacks[id]),
            "stack_bytes": context.design.stack_bytes(id, memory.default_stack),
            "heap_bytes": context.design.heap_bytes(id, memory.default_heap),
            "sync_bytes": memory.sync_bytes,
        },
        "ports": context.design.ports_of(id).map(|port| port_entry(context, port)).collect::<Vec<_>>(),
    })
}

fn port_entry(context: &Context<'_>, id: PortId) -> Value {
    let port = &context.design.ports[id];
    let role = match port.role {
        PortRole::User(_) => "user",
        PortRole::External => "external",
        PortRole::Child(_) => "child",
        PortRole::Parent(_) => "parent",
        PortRole::Result(_) => "result",
        PortRole::Cycles(_) => "cycles",
    };
    json!({
        "name": port.name,
        "expression": context.hierarchical(&context.port(id)),
        "role": role,
        "window": port.window,
        "async": port.asynchronous,
        "buffers": own_buffers(context, id).map(|spots| spots.iter().map(|&at| spot(at)).collect::<Vec<_>>()),
    })
}

fn spot(spot: Spot) -> Value {
    json!({ "tile": [spot.tile.column, spot.tile.row], "offset": spot.offset })
}

fn connection_entry(context: &Context<'_>, routed: &Routed, id: ConnectionId) -> Value {
    let connection = &context.design.connections[id];
    let window = context.design.ports[connection.to].window.or(context.design.ports[connection.from].window);
    let shared = context.placed.is_shared_port(connection.from);
    json!({
        "from": context.design.port_name(connection.from),
        "to": context.design.port_name(connection.to),
        "window": window,
        "buffers": connection.buffering,
        "collective": connection.collective.map(|id| context.design.collectives[id].name.clone()),
        "by": if shared { "shared memory" } else { "stream" },
        "hops": routed.route_from(connection.from).and_then(|route| route.hops_to(id)),
    })
}

fn collective_entry(design: &Expanded) -> impl Fn(&aiec_ir::expanded::Collective) -> Value {
    |collective| {
        json!({
            "name": collective.name,
            "op": collective.op.value,
            "data": collective.data.value,
            "window": collective.window.value,
            "chunks": collective.chunks(),
            "calls": collective.calls,
            "arity": collective.arity.value,
            "depth": collective.depth(),
            "root": design.kernels[collective.root.value].name,
            "ranks": collective.ranks.iter().map(|&rank| design.kernels[rank].name.clone()).collect::<Vec<_>>(),
        })
    }
}
