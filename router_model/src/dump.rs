//! Writes routes and estimates as JSON with names instead of ids. The same input gives the same
//! bytes.

use aiec_check::Checked;
use aiec_ir::{ConnectionId, PortId};
use serde::Serialize;
use serde_json::{Value, json};

use crate::estimate::Estimate;
use crate::net::{EndPort, NetEnd};
use crate::routes::{Route, Routes};
use crate::switch::Switch;
use crate::wiring::WiringList;

/// The routes of `checked`, one entry per net. Switches are written `column,row` with hardware rows
/// (0 is the shim). A branch lists the switches it visits; the net has reached the first of them
/// before.
pub fn dump_routes(checked: &Checked, routes: &Routes) -> String {
    let nets: Vec<Value> = routes.routes.iter().map(|route| net(checked, route)).collect();
    pretty(&json!({ "design": checked.name.value, "device": checked.device.value, "nets": nets }))
}

/// The switch settings of a routed design. Every field of [`WiringList`] is a key.
pub fn dump_wiring(list: &WiringList) -> String {
    // Plain data with texts for keys: it always becomes a value.
    format!("{}\n", dense(&serde_json::to_value(list).unwrap_or_default(), 0))
}

/// The estimate of `checked`, with the names of connections and collectives.
pub fn dump_estimate(checked: &Checked, estimate: &Estimate) -> String {
    let collectives = checked.collectives.iter().zip(&estimate.collectives);
    let connections = checked.connections.iter().zip(&estimate.connections);
    pretty(&json!({
        "design": checked.name.value,
        "device": checked.device.value,
        "profile": estimate.profile,
        "source": estimate.source,
        "array_mhz": estimate.array_mhz,
        "resources": estimate.resources,
        "routing": estimate.routing,
        "collectives": collectives.map(|(c, times)| named(json!({ "name": c.name }), times)).collect::<Vec<_>>(),
        "connections": connections
            .map(|(c, times)| {
                named(json!({ "from": checked.port_name(c.from), "to": checked.port_name(c.to) }), times)
            })
            .collect::<Vec<_>>(),
    }))
}

/// The fields of `value` after those of `names`.
fn named(names: Value, value: &impl Serialize) -> Value {
    let mut fields = names;
    if let (Value::Object(fields), Ok(Value::Object(more))) = (&mut fields, serde_json::to_value(value)) {
        fields.extend(more);
    }
    fields
}

fn net(checked: &Checked, route: &Route) -> Value {
    let sink = |&(connection, end): &(ConnectionId, NetEnd)| {
        let to: PortId = checked.connections[connection].to;
        json!({ "to": checked.port_name(to), "at": switch(end.switch), "port": port(end.port) })
    };
    json!({
        "from": checked.port_name(route.net.from),
        "at": switch(route.net.source.switch),
        "port": port(route.net.source.port),
        "sinks": route.net.sinks.iter().map(sink).collect::<Vec<_>>(),
        "branches": branches(route),
    })
}

/// Maximal runs of consecutive hops.
fn branches(route: &Route) -> Vec<String> {
    let mut branches: Vec<String> = Vec::new();
    let mut last = None;
    for hop in &route.hops {
        match branches.last_mut() {
            Some(branch) if last == Some(hop.from) => branch.push_str(&format!(" {}", switch(hop.to))),
            _ => branches.push(format!("{} {}", switch(hop.from), switch(hop.to))),
        }
        last = Some(hop.to);
    }
    branches
}

fn switch(switch: Switch) -> String {
    format!("{},{}", switch.column, switch.row)
}

fn port(port: EndPort) -> String {
    match port {
        EndPort::Dma(channel) => format!("dma {channel}"),
        EndPort::South(port) => format!("south {port}"),
        EndPort::Core(port) => format!("core {port}"),
        EndPort::Trace(port) => format!("trace {port}"),
        EndPort::Ctrl(port) => format!("ctrl {port}"),
        EndPort::Fifo(number) => format!("fifo {number}"),
    }
}

fn pretty(value: &Value) -> String {
    // `Display` with `#` writes the same text as `to_string_pretty` and cannot fail.
    format!("{value:#}\n")
}

/// The longest value on one line.
const LINE: usize = 120;

/// JSON with a line for each value that fits on one, so that a setting of a switch is a line.
fn dense(value: &Value, indent: usize) -> String {
    let short = inline(value);
    if indent > 0 && short.len() <= LINE {
        return short;
    }
    let (pad, end) = (" ".repeat(indent + 2), " ".repeat(indent));
    match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| format!("{pad}{}", dense(item, indent + 2)));
            format!("[\n{}\n{end}]", items.collect::<Vec<_>>().join(",\n"))
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| format!("{pad}{}: {}", json!(key), dense(value, indent + 2)));
            format!("{{\n{}\n{end}}}", fields.collect::<Vec<_>>().join(",\n"))
        }
        _ => short,
    }
}

/// JSON on one line, with blanks.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{}: {}", json!(key), inline(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
