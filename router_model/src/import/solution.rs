//! Routes as JSON: `router_soln.json` (`{"net0": {"tree": [[FROM, TO], ...]}}`) and
//! `*_routed.aiesol` (`"Net Routing"`).
//!
//! A pair or arc from a slave to a master port of one switch is a setting. A pair from a master
//! port to the slave port of a neighbour restates the array; it is compared with the array. Arcs
//! between wires of one tile that are no ports, and the marks between branches (`__BEGIN_ROOT__`),
//! are skipped: settings alone determine a net's path.

use std::cell::Cell;

use aiec_device::Device;
use aiec_diag::{SourceFile, Span};
use serde_json::{Map, Value};

use super::node::{Node, beyond, node, pin};
use super::{Arc, Packets, Read, VendorNet, errors};

/// The nets of the file.
pub(super) fn read(file: &SourceFile, device: &Device) -> Read<Vec<VendorNet>> {
    let value: Value =
        serde_json::from_str(file.text.trim_start_matches(super::BYTE_ORDER_MARK)).map_err(|error| {
            let span = errors::line_span(file, error.line(), error.column());
            errors::bad_import(span, "the file", &format!("it is not JSON: {error}"))
        })?;
    let start = file.text.find("\"Net Routing\"").unwrap_or(0);
    let reader = Reader { file, device, start: Cell::new(start) };
    match value.as_object() {
        Some(all) => match all.get("Net Routing") {
            Some(routing) => reader.arcs_of_all(routing),
            None => reader.trees(all),
        },
        None => Err(errors::bad_import(file.first_line(), "the file", "it is not a JSON object").into()),
    }
}

struct Reader<'a> {
    file: &'a SourceFile,
    device: &'a Device,
    /// Offset where the search for the next name begins. Nets are read in the order of the file.
    start: Cell<usize>,
}

impl Reader<'_> {
    fn refuse<T>(&self, name: &str, path: &str, reason: &str) -> Read<T> {
        Err(errors::bad_import(self.span(name), path, reason).into())
    }

    fn net(&self, name: &str, arcs: Vec<Arc>) -> VendorNet {
        VendorNet {
            name: name.to_owned(),
            demand: None,
            ends: None,
            arcs,
            packets: Packets::default(),
            span: self.span(name),
        }
    }

    fn span(&self, name: &str) -> Span {
        let span = errors::quoted_span(self.file, self.start.get(), name);
        if span != self.file.span() {
            self.start.set(span.end as usize);
        }
        span
    }

    /// `router_soln.json`
    fn trees(&self, all: &Map<String, Value>) -> Read<Vec<VendorNet>> {
        if all.is_empty() {
            return self.refuse("", "the file", "it names no net");
        }
        all.iter().map(|(name, net)| self.tree(name, net)).collect()
    }

    fn tree(&self, name: &str, net: &Value) -> Read<VendorNet> {
        let path = format!("{name}.tree");
        let Some(pairs) = net.get("tree").and_then(Value::as_array) else {
            return self.refuse(name, &path, "there is no list of pairs of ports");
        };
        let mut arcs = Vec::new();
        for (at, pair) in pairs.iter().enumerate() {
            let path = format!("{path}[{at}]");
            match self.pair(pair) {
                Ok(arc) => arcs.extend(arc),
                Err(reason) => return self.refuse(name, &path, &reason),
            }
        }
        Ok(self.net(name, arcs))
    }

    /// A setting. Returns None when it is an existing wire between two switches.
    fn pair(&self, pair: &Value) -> Result<Option<Arc>, String> {
        let names = pair.as_array().map(|pair| pair.iter().filter_map(Value::as_str).collect::<Vec<_>>());
        let Some([from, to]) = names.as_deref() else {
            return Err("a pair of names of ports is expected".into());
        };
        let (start, end) = (node(from, self.device)?, node(to, self.device)?);
        match (start.slave, end.slave) {
            (true, false) if start.switch == end.switch => Ok(Some(setting(start, end))),
            (false, true) if beyond(start.at()) == Some(end.at()) => Ok(None),
            _ => Err(format!("no wire and no switch joins `{from}` to `{to}`")),
        }
    }

    /// `*_routed.aiesol`
    fn arcs_of_all(&self, routing: &Value) -> Read<Vec<VendorNet>> {
        let Some(nets) = routing.as_array() else {
            return self.refuse("Net Routing", "Net Routing", "it is not a list of nets");
        };
        nets.iter().enumerate().map(|(at, net)| self.arcs(at, net)).collect()
    }

    fn arcs(&self, at: usize, net: &Value) -> Read<VendorNet> {
        let path = format!("Net Routing[{at}]");
        let Some(name) = net.get("Name").and_then(Value::as_str) else {
            return self.refuse("Net Routing", &path, "the net has no `Name`");
        };
        let Some(steps) = net.get("Route ArcNodes").and_then(Value::as_array) else {
            return self.refuse(name, &format!("{path}.Route ArcNodes"), "there is no list of arcs");
        };
        let mut arcs = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            match self.arc(step) {
                Ok(arc) => arcs.extend(arc),
                Err(reason) => return self.refuse(name, &format!("{path}.Route ArcNodes[{at}]"), &reason),
            }
        }
        Ok(self.net(name, arcs))
    }

    fn arc(&self, step: &Value) -> Result<Option<Arc>, String> {
        let field = |name: &str| step.get(name).and_then(Value::as_str);
        let (Some(tile), Some(arc)) = (field("Tile"), field("Arc")) else {
            return Err("a step has a `Tile` and an `Arc`".into());
        };
        // The type of the tile precedes the first wire.
        let Some((from, to)) = arc.split_once("->>") else { return Ok(None) };
        let from = from.rsplit_once('.').map_or(from, |(_, wire)| wire);
        let ends = (pin(tile, from, self.device)?, pin(tile, to, self.device)?);
        Ok(match ends {
            (Some(from), Some(to)) if from.slave && !to.slave => Some(setting(from, to)),
            _ => None,
        })
    }
}

const fn setting(from: Node, to: Node) -> Arc {
    Arc { switch: from.switch, slave: from.port, master: to.port }
}
