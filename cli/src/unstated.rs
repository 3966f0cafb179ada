//! What a design leaves to the C++ of its kernels, so that the event model has to assume it. Takes
//! a checked design. Returns the reason for which the model makes no statement, with its remedy,
//! and the assumption of those who run it nevertheless.

use std::collections::BTreeSet;

use aiec_check::Checked;
use aiec_event_model::Timeline;
use aiec_ir::expanded::PortRole;
use aiec_ir::{CollectiveId, PortId};

use crate::pipeline::Front;

/// Limit on the ports that an assumption names.
const MOST_PORTS: usize = 4;

/// The other way to an amount.
const COUNTED: &str = "give `aiec report --cycles` the output of `aiec sim --timing --json`, if all firings \
                       move as much";

/// Ports whose amounts only the C++ of kernels determines.
struct Unstated {
    /// Windows that kernels lock themselves, any number of times.
    windows: BTreeSet<PortId>,
    /// Streams with any number of elements.
    streams: BTreeSet<PortId>,
    /// Mailboxes and the like, through which any number of messages pass.
    messages: BTreeSet<CollectiveId>,
}

impl Unstated {
    fn of(checked: &Checked) -> Self {
        let ends = |id| {
            let connection = &checked.connections[id];
            [connection.from, connection.to]
        };
        let open: Vec<PortId> = checked.without_verdict().flat_map(ends).collect();
        let (streams, windows): (Vec<PortId>, Vec<PortId>) =
            open.into_iter().partition(|&port| checked.has_open_amount(port));
        let of_messages = |&port: &PortId| match checked.ports[port].role {
            PortRole::Channel(id) => Some(id),
            _ => None,
        };
        Self {
            windows: windows.into_iter().filter(|&port| checked.is_open(port)).collect(),
            messages: streams.iter().filter_map(of_messages).collect(),
            streams: streams.into_iter().filter(|port| of_messages(port).is_none()).collect(),
        }
    }
}

/// Why the event model makes no statement about a design: only the code of its kernels determines
/// how often they lock windows, or how many elements streams move; or it stops in the order of the
/// model. With what to do, if something can be done.
pub(crate) fn silence(front: &Front, timeline: Option<&Timeline>) -> Option<String> {
    if let Some(Unknown { what, state, is_counted }) = unknown(front.timed()) {
        let remedies: Vec<&str> = state.into_iter().chain(is_counted.then_some(COUNTED)).collect();
        return Some(match remedies.is_empty() {
            true => what,
            false => format!("{what}: {}", remedies.join(", or ")),
        });
    }
    let reason = match timeline {
        None => "it lets kernels read all inputs before they write, and this design stops so",
        Some(timeline) if !timeline.complete => "it has too many events",
        Some(_) => return None,
    };
    Some(reason.to_owned())
}

/// An amount that only the code of kernels determines.
pub(crate) struct Unknown {
    /// What is unknown, as a reason for which there are no times.
    pub(crate) what: String,
    /// What the design could state. None when it cannot.
    pub(crate) state: Option<&'static str>,
    /// True if a run may count it.
    is_counted: bool,
}

/// The first unknown amount. None when all are known.
pub(crate) fn unknown(checked: &Checked) -> Option<Unknown> {
    let open = Unstated::of(checked);
    if let Some(&port) = open.windows.first() {
        let name = checked.port_name(port);
        let what = format!("the kernel locks the windows of {name} itself, as often as its code says");
        return Some(Unknown { what, state: Some(state_windows(checked)), is_counted: true });
    }
    if let Some(&port) = open.streams.first() {
        let what = format!("it is unknown how many elements {} moves", checked.port_name(port));
        let state = (!checked.is_adf()).then_some("state the amount, as in `stream int32[256]`");
        return Some(Unknown { what, state, is_counted: true });
    }
    let name = &checked.collectives[*open.messages.first()?].name;
    let what = format!(
        "only the kernels know how many messages pass {name}, and the event model does not time them"
    );
    Some(Unknown { what, state: None, is_counted: false })
}

/// What a run of the event model assumes about amounts that nothing states. Empty when it assumes
/// nothing.
pub(crate) fn assumed(checked: &Checked) -> Vec<String> {
    let open = Unstated::of(checked);
    let named = |ports: &BTreeSet<PortId>| {
        aiec_diag::listed(ports.iter().map(|&port| checked.port_name(port)), MOST_PORTS)
    };
    let windows = (!open.windows.is_empty()).then(|| {
        let (names, state) = (named(&open.windows), state_windows(checked));
        format!("each firing passes one window through {names}, which kernels lock themselves: {state}")
    });
    let streams = (!open.streams.is_empty())
        .then(|| format!("streams of an unknown number of elements take no time: {}", named(&open.streams)));
    let messages = (!open.messages.is_empty()).then(|| {
        let names = open.messages.iter().map(|&id| checked.collectives[id].name.clone());
        format!("messages take no time: those of {}", aiec_diag::listed(names, MOST_PORTS))
    });
    windows.into_iter().chain(streams).chain(messages).collect()
}

/// What to do about windows that kernels lock themselves.
fn state_windows(checked: &Checked) -> &'static str {
    match checked.is_adf() {
        true => "state `async_repetition`",
        false => "state `windows N` at the connection",
    }
}
