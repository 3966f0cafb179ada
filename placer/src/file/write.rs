//! Writes a placement as text.

use aiec_check::Checked;

use super::format::{BufferEntry, Entries, FORMAT, File, KernelEntry, Shared, ShimEntry, SpotEntry, VERSION};
use crate::placement::{Placement, PortBuffers, Spot};

/// `placement` of `checked` as pretty JSON with a final newline. The same placement gives the same
/// text.
///
/// Entries are in the order of the design. Ports of inputs, outputs and packet streams have no
/// buffers and no entries.
pub fn dump(checked: &Checked, placement: &Placement) -> String {
    let kernels = checked.kernels.enumerate().filter_map(|(id, kernel)| {
        let entry =
            KernelEntry { tile: *placement.kernels.get(id)?, stack: Some(spot(placement.stacks.get(id)?)) };
        Some((kernel.name.clone(), entry))
    });
    let buffers = checked.ports.ids().filter_map(|port| {
        let entry = match placement.buffers.get(port)? {
            PortBuffers::None => return None,
            PortBuffers::Own(spots) => BufferEntry::Own(spots.iter().map(spot).collect()),
            PortBuffers::Shared => BufferEntry::Word(Shared::Shared),
        };
        Some((checked.port_name(port), entry))
    });
    let shims = checked.externals.enumerate().filter_map(|(id, external)| {
        let at = placement.shims.get(id)?;
        Some((external.name.clone(), ShimEntry { column: at.column, channel: at.channel }))
    });
    let file = File {
        format: FORMAT.to_owned(),
        version: VERSION,
        design: checked.name.value.clone(),
        device: checked.device.value.clone(),
        kernels: Entries(kernels.collect()),
        buffers: Entries(buffers.collect()),
        shims: Entries(shims.collect()),
    };
    text(&file)
}

fn spot(spot: &Spot) -> SpotEntry {
    SpotEntry { tile: spot.tile, offset: spot.offset }
}

/// Pretty JSON in which a value that fits a line stays on one: each table entry is a line.
fn text(file: &File) -> String {
    let string = |value: &str| serde_json::Value::from(value).to_string();
    let mut text = format!(
        "{{\n  \"format\": {},\n  \"version\": {},\n  \"design\": {},\n  \"device\": {}",
        string(&file.format),
        file.version,
        string(&file.design),
        string(&file.device)
    );
    table(&mut text, "kernels", &file.kernels);
    table(&mut text, "buffers", &file.buffers);
    table(&mut text, "shims", &file.shims);
    text.push_str("\n}\n");
    text
}

fn table<T: serde::Serialize>(text: &mut String, name: &str, entries: &Entries<T>) {
    text.push_str(&format!(",\n  \"{name}\": {{"));
    for (index, (name, entry)) in entries.0.iter().enumerate() {
        let name = serde_json::Value::from(name.as_str());
        // Plain data with string keys always has a JSON form.
        let value = serde_json::to_value(entry).unwrap_or_default();
        let comma = if index == 0 { "" } else { "," };
        text.push_str(&format!("{comma}\n    {name}: {value}"));
    }
    text.push_str(if entries.0.is_empty() { "}" } else { "\n  }" });
}
