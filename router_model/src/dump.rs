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

/// The routes of `checked`, one entry per net. Switches are written `column,row` with hardware rows
/// (0 is the shim). A branch lists the switches it visits; the net has reached the first of them
/// before.
pub fn dump_routes(checked: &Checked, routes: &Routes) -> String {
    let nets: Vec<Value> = routes.routes.iter().map(|route| net(checked, route)).collect();
    pretty(&json!({ "design": checked.name.value, "device": checked.device.value, "nets": nets }))
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
