//! Every location by hierarchical name, in the JSON form of the tools (`.aiecst`).

use aiec_ir::design::Endpoint;
use aiec_ir::fifos::FifoKind;
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
    let is_named = |name: &str| naming.unnamed(name).is_none();
    for kernel in context.design.kernels.ids() {
        if !is_named(&context.design.kernels[kernel].name) {
            continue;
        }
        let tile = placed.kernels[kernel];
        let node = json!({
            "tile": { "column": tile.column, "row": tile.row },
            "reserved_memory": reserved(context, placed.stacks[kernel]),
        });
        nodes.insert(naming.hierarchical(context, &naming.kernel(context, kernel)), node);
        for port in context.design.ports_of(kernel) {
            if let Some(buffers) =
                buffers(context, port).filter(|_| is_named(&context.design.port_name(port)))
            {
                ports.insert(naming.hierarchical(context, &naming.port(context, port)), buffers);
            }
        }
    }
    fifos(context, placed, naming, &mut ports);
    for id in context.connected_externals() {
        let Some(name) = naming.node(context, id) else { continue };
        if !is_named(&context.design.externals[id].name) {
            continue;
        }
        // Several may have one name. The path is another one.
        let name = match nodes.contains_key(&name) {
            true => naming.hierarchical(context, &context.design.externals[id].name),
            false => name,
        };
        nodes.insert(name, json!({ "shim": shim(context, placed, id) }));
    }
    json!({ "NodeConstraints": nodes, "PortConstraints": ports })
}

/// The places of FIFOs, as records that the consuming ports name (UG1079, "Port
/// Constraints", `fifo_locations_records`). The interface row is row 1 in the examples of UG1079
/// and UG1603 ("FIFO Constraint", 2025.2, 2026.1), and row 0 in C++.
fn fifos(context: &Context<'_>, placed: &Placed, naming: Naming<'_>, ports: &mut Map<String, Value>) {
    let bank = context.device.memory.bank_bytes().max(1);
    let (mut dma, mut streams) = (Map::new(), Map::new());
    for (id, connection) in context.design.connections.enumerate() {
        let mut names = Vec::new();
        for place in placed.fifo_places(context.design, id) {
            let name = format!("fifo{}", dma.len() + streams.len());
            let (tile, row) = place.row.map_or(("shim", 1), |row| ("core", row));
            let mut record = json!({ "tile_type": tile, "column": place.column, "row": row });
            let records = match place.kind {
                FifoKind::Dma { offset, words } => {
                    record["size"] = json!(words);
                    record["bankId"] = json!(offset / bank);
                    record["offset"] = json!(offset % bank);
                    &mut dma
                }
                FifoKind::Switch { number } => {
                    record["channel"] = json!(number);
                    &mut streams
                }
            };
            records.insert(name.clone(), record);
            names.push(name);
        }
        let kernel = context.design.kernel_of(connection.to);
        let is_unnamed =
            kernel.is_some_and(|kernel| naming.unnamed(&context.design.kernels[kernel].name).is_some());
        if names.is_empty() || is_unnamed {
            continue;
        }
        let port = naming.hierarchical(context, &naming.port(context, connection.to));
        let entry = ports.entry(port).or_insert_with(|| json!({}));
        entry["fifo_locations"] = json!(names);
    }
    if !dma.is_empty() || !streams.is_empty() {
        let records = json!({ "dma_fifos": dma, "stream_fifos": streams });
        ports.insert("fifo_locations_records".to_owned(), records);
    }
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
