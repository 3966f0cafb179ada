//! What a design leaves to the C++ of its kernels, so that the event model has to assume it. Takes
//! a checked design. Returns the reason for which the model makes no statement, with its remedy,
//! and the assumption of those who run it nevertheless.

use std::collections::BTreeSet;

use aiec_check::Checked;
use aiec_event_model::Timeline;
use aiec_ir::PortId;
use aiec_ir::expanded::PortRole;

use crate::pipeline::Front;

/// Limit on the ports that an assumption names.
const MOST_PORTS: usize = 4;

/// Ports whose amounts only the C++ of kernels determines.
struct Unstated {
    /// Windows that kernels lock themselves, any number of times.
    windows: BTreeSet<PortId>,
    /// Streams with any number of elements.
    streams: BTreeSet<PortId>,
}

impl Unstated {
    fn of(checked: &Checked) -> Self {
        let ends = |id| {
            let connection = &checked.connections[id];
            [connection.from, connection.to]
        };
        let open: Vec<PortId> = checked.without_verdict().flat_map(ends).collect();
        let is_locked = |port: &PortId| {
            let port = &checked.ports[*port];
            let is_user = matches!(port.role, PortRole::User(_)) && port.window().is_some();
            is_user && port.asynchronous && port.windows.is_none()
        };
        Self {
            windows: open.iter().copied().filter(is_locked).collect(),
            streams: open.into_iter().filter(|&port| checked.has_open_amount(port)).collect(),
        }
    }
}

/// Why the event model makes no statement about a design: only the code of its kernels determines
/// how often they lock windows, or how many elements streams move; or it stops in the order of the
/// model. With what to do, if something can be done.
pub(crate) fn silence(front: &Front, timeline: Option<&Timeline>) -> Option<String> {
    let checked = &front.checked;
    let open = Unstated::of(checked);
    if let Some(&port) = open.windows.first() {
        let graph = if checked.is_adf() { ", in a graph `async_repetition`," } else { "" };
        return Some(format!(
            "the kernel locks the windows of {} itself, as often as its code says: state `windows N`{graph} \
             at the connection",
            checked.port_name(port)
        ));
    }
    if let Some(&port) = open.streams.first() {
        let remedy = match checked.is_adf() {
            true => "`aiec sim --timing` runs it, and counts the words of each port",
            false => "state the amount, as in `stream int32[256]`",
        };
        return Some(format!("it is unknown how many elements {} moves: {remedy}", checked.port_name(port)));
    }
    let reason = match timeline {
        None => "it lets kernels read all inputs before they write, and this design stops so",
        Some(timeline) if !timeline.complete => "it has too many events",
        Some(_) => return None,
    };
    Some(reason.to_owned())
}

/// What a run of the event model assumes about amounts that nothing states. Empty when it assumes
/// nothing.
pub(crate) fn assumed(checked: &Checked) -> Vec<String> {
    let open = Unstated::of(checked);
    let named = |ports: &BTreeSet<PortId>| {
        aiec_diag::listed(ports.iter().map(|&port| checked.port_name(port)), MOST_PORTS)
    };
    let windows = (!open.windows.is_empty()).then(|| {
        let names = named(&open.windows);
        format!("each firing passes one window through {names}, which kernels lock themselves")
    });
    let streams = (!open.streams.is_empty())
        .then(|| format!("streams of an unknown number of elements take no time: {}", named(&open.streams)));
    windows.into_iter().chain(streams).collect()
}
