//! Faults of rates: what one run sends against what one run takes.

use aiec_diag::{Diagnostic, catalogue};

use super::{connection, count, labelled};
use crate::expanded::{Collective, Expanded};
use crate::ids::ConnectionId;

/// The result of `collective` comes in `windows` windows a run, and the synchronous ports that these connections end at take
/// one.
pub(crate) fn rate_mismatch(
    design: &Expanded,
    collective: &Collective,
    windows: u64,
    connections: &[ConnectionId],
) -> Diagnostic {
    let first = &design.connections[connections[0]];
    let (from, to) = (design.port_name(first.from), design.port_name(first.to));
    let more = match connections.len() - 1 {
        0 => String::new(),
        more => format!(", and so do {more} more"),
    };
    let message = format!(
        "`{from}` sends {windows} windows in every run ({} for each of {}), but `{to}` is synchronous and takes 1{more}",
        collective.chunks(),
        count(collective.calls.into(), "call"),
    );
    let port = &design.ports[first.to].name;
    let result = format!("{}.result", collective.name);
    let one = if collective.calls == 1 { "a window as large as the data" } else { "one call of one window" };
    let help = format!(
        "write `connect {result} -> async {to}` and acquire and release `{port}` {windows} times in a run, or make it {one}"
    );
    let labels = connections.iter().map(|&id| {
        let text = format!("`{}`: {windows} windows are sent, 1 is taken", connection(design, id));
        (design.connections[id].span, text)
    });
    let diagnostic = labelled(Diagnostic::new(&catalogue::RATE_MISMATCH, message, help), labels);
    diagnostic.label(
        collective.window.span,
        format!("the result travels in windows of {}", collective.window.value),
    )
}
