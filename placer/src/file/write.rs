//! Writes a placement as text.

use aiec_check::Checked;
use aiec_ir::fifos::FifoPlace;
use serde_json::{Value, json};

use super::{FORMAT, VERSION};
use crate::placement::{Placement, PortBuffers};

/// `placement` of `checked` as pretty JSON with a final newline, always the same text.
///
/// Entries are in the order of the design. Ports of inputs, outputs and packet streams have no
/// buffers and no entries.
pub fn dump(checked: &Checked, placement: &Placement) -> String {
    let head = [
        ("format", json!(FORMAT)),
        ("version", json!(VERSION)),
        ("design", json!(checked.name.value)),
        ("device", json!(checked.device.value)),
    ];
    let head = head.map(|(name, value)| format!("  \"{name}\": {value}")).join(",\n");
    let kernels = checked.kernels.enumerate().filter_map(|(id, kernel)| {
        let (tile, stack) = (placement.kernels.get(id)?, placement.stacks.get(id)?);
        Some((kernel.name.clone(), json!({ "tile": tile, "stack": stack })))
    });
    let buffers = checked.ports.ids().filter_map(|port| {
        let entry = match placement.buffers.get(port)? {
            PortBuffers::None => return None,
            PortBuffers::Own(spots) => json!(spots),
            PortBuffers::Shared => json!("shared"),
        };
        Some((checked.port_name(port), entry))
    });
    let shims = checked.externals.enumerate();
    let shims = shims.filter_map(|(id, entry)| Some((entry.name.clone(), json!(placement.shims.get(id)?))));
    let fifos = placement.fifos.iter().filter(|(id, _)| checked.connections.get(**id).is_some());
    let fifos = fifos.map(|(&id, places)| {
        let part = |place: &FifoPlace| {
            let (tile, offset, words) = place.module()?;
            Some(json!({ "tile": tile, "offset": offset, "words": words }))
        };
        let parts: Vec<Value> = places.iter().filter_map(part).collect();
        (checked.connection_name(id), json!(parts))
    });
    let tables = [table("kernels", kernels), table("buffers", buffers), table("shims", shims)];
    // Most designs have no FIFOs in memory.
    let fifos = if placement.fifos.is_empty() { String::new() } else { table("fifos", fifos) };
    format!("{{\n{head}{}{fifos}\n}}\n", tables.concat())
}

/// A table in which each entry is a line.
fn table(name: &str, entries: impl Iterator<Item = (String, Value)>) -> String {
    let lines: Vec<String> = entries.map(|(name, value)| format!("\n    {}: {value}", json!(name))).collect();
    let end = if lines.is_empty() { "" } else { "\n  " };
    format!(",\n  \"{name}\": {{{}{end}}}", lines.join(","))
}
