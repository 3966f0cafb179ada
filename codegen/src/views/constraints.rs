//! Every location by hierarchical name, in the JSON form of the tools (`.aiecst`).

use aiec_ir::design::Endpoint;
use aiec_ir::{ExternalId, PortId};
use aiec_placer::{Placed, Spot};
use serde_json::{Map, Value, json};

use super::Context;
use super::place::own_buffers;
use crate::naming::Naming;

/// The constraints of a placement, as `aiecompiler --constraints` reads them (UG1076,
/// "Constraints": `NodeConstraints` and `PortConstraints`).
pub(crate) fn constraints(context: &Context<'_>, placed: &Placed, naming: Naming<'_>) -> Value {
    let mut nodes = Map::new();
    let mut ports = Map::new();
    for kernel in context.design.kernels.ids() {
        let tile = placed.kernels[kernel];
        let node = json!({
            "tile": { "column": tile.column, "row": tile.row },
            "reserved_memory": reserved(context, placed.stacks[kernel]),
        });
        nodes.insert(naming.hierarchical(context, &naming.kernel(context, kernel)), node);
        for port in context.design.ports_of(kernel) {
            if let Some(buffers) = buffers(context, port) {
                ports.insert(naming.hierarchical(context, &naming.port(context, port)), buffers);
            }
        }
    }
    for (id, _) in context.used_externals() {
        nodes.insert(naming.logical(context, id), json!({ "shim": shim(context, placed, id) }));
    }
    json!({ "NodeConstraints": nodes, "PortConstraints": ports })
}

/// Stack, heap and sync area: a bank of the module, and the offset in bytes within that bank
/// (UG1076 2022.1, UG1079 2025.1, `reserved_memory`).
fn reserved(context: &Context<'_>, spot: Spot) -> Value {
    let bank = context.device.memory.bank_bytes().max(1);
    json!({
        "column": spot.tile.column,
        "row": spot.tile.row,
        "bankId": spot.offset / bank,
        "offset": spot.offset % bank,
    })
}

/// PLIO: column and channel. GMIO: the column alone, "Do not use GMIO channel constraints for AI
/// Engine compilation" (UG1079 2023.1).
fn shim(context: &Context<'_>, placed: &Placed, id: ExternalId) -> Value {
    let shim = placed.shims[id];
    match context.design.externals[id].endpoint {
        Endpoint::Plio { .. } => json!({ "column": shim.column, "channel": shim.channel }),
        Endpoint::Gmio { .. } => json!({ "column": shim.column }),
    }
}

/// The buffers of a port: offsets in bytes within the module.
fn buffers(context: &Context<'_>, port: PortId) -> Option<Value> {
    let place =
        |spot: &Spot| json!({ "column": spot.tile.column, "row": spot.tile.row, "offset": spot.offset });
    let spots = own_buffers(context, port)?;
    Some(json!({ "buffers": spots.iter().map(place).collect::<Vec<_>>() }))
}
