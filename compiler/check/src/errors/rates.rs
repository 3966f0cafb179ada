//! Errors of rates: windows that one run sends against windows that one run takes.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue};

use super::{connection, count, labelled};
use aiec_ir::expanded::{Collective, Expanded};
use aiec_ir::{ConnectionId, PortId};

/// The design states two numbers of windows for one port, at these two places.
pub(crate) fn stated_twice(
    design: &Expanded,
    port: PortId,
    numbers: Option<(&Spanned<u32>, &Spanned<u32>)>,
    first: Span,
    second: Span,
) -> Diagnostic {
    let (one, other) = numbers.map_or((0, 0), |(one, other)| (one.value, other.value));
    Diagnostic::new(
        &catalogue::WINDOWS_DISAGREE,
        format!("`{}` passes {one} windows in every run, and also {other}", design.port_name(port)),
        "state the number of windows once, or the same number at every connection of the port",
    )
    .label(second, format!("{other} here"))
    .label(first, format!("{one} here"))
}

/// The ends of these connections, all of one `connect`, pass different numbers of windows in a run.
pub(crate) fn ends_disagree(design: &Expanded, ends: &[(ConnectionId, u64, u64)]) -> Diagnostic {
    let (id, sent, taken) = ends[0];
    let wire = &design.connections[id];
    let (from, to) = (design.port_name(wire.from), design.port_name(wire.to));
    let more = match ends.len() - 1 {
        0 => String::new(),
        more => format!(", and so do {more} more"),
    };
    let message = format!("`{from}` sends {}, but `{to}` takes {taken}{more}", in_every_run(sent));
    let help =
        "let both kernels acquire the same number of windows in one run; a synchronous port passes one";
    let mut diagnostic = Diagnostic::new(&catalogue::RATE_MISMATCH, message, help);
    for (windows, does) in [(&wire.windows.to, "taken"), (&wire.windows.from, "sent")] {
        if let Some(windows) = windows {
            diagnostic = diagnostic.label(
                windows.span,
                format!("{} {does} in every run", count(windows.value.into(), "window")),
            );
        }
    }
    diagnostic
}

/// Two readers of one input take different numbers of windows in a run.
pub(crate) fn readers_disagree(design: &Expanded, input: PortId, readers: [(PortId, u64); 2]) -> Diagnostic {
    let [(first, one), (second, other)] = readers;
    let name = design.port_name(input);
    let message = format!(
        "`{name}` sends every window to all its readers, but `{}` takes {} and `{}` takes {other}",
        design.port_name(first),
        in_every_run(one),
        design.port_name(second),
    );
    let help = "let all readers take the same number of windows in one run (`windows` behind an async end states it; otherwise it is 1), or give them inputs of their own";
    let place = |reader: PortId| {
        let stated = design.stated_windows(reader).map(|windows| windows.span);
        let wires = design.ports[reader].connections.iter().map(|&id| &design.connections[id]);
        stated.or_else(|| wires.map(|wire| wire.span).next()).unwrap_or(design.ports[reader].span)
    };
    let labels = readers.map(|(reader, number)| {
        (place(reader), format!("`{}` takes {}", design.port_name(reader), count(number, "window")))
    });
    labelled(Diagnostic::new(&catalogue::WINDOWS_DISAGREE, message, help), labels)
}

fn in_every_run(windows: u64) -> String {
    format!("{} in every run", count(windows, "window"))
}

/// The result of `collective` comes in `windows` windows per run, and the synchronous ports at the
/// other ends of these connections take one.
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
