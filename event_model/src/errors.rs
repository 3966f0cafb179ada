//! Faults that the event model finds.

use aiec_check::Checked;
use aiec_collectives::Buffering;
use aiec_diag::{Diagnostic, Span, catalogue, count};
use aiec_ir::{CollectiveId, ConnectionId, Direction, KernelId, PortId};

use crate::awaited::Awaited;
use crate::engine::Engine;
use crate::path::{Leg, LegKind, Path};
use crate::trace::net_name;

/// Most waits that one diagnostic spells out.
const MAX_WAITS: usize = 6;

/// One kernel waits for another.
struct Wait {
    kernel: KernelId,
    /// The wait in words.
    text: String,
    /// The connection or collective that makes it wait.
    span: Span,
    /// The kernel it waits for, unless that is an input or output.
    other: Option<KernelId>,
}

/// The kernels wait for each other, or for one that is done.
pub(crate) fn deadlock(checked: &Checked, engine: &Engine<'_>) -> Diagnostic {
    let waits = chain(checked, engine);
    let message = match waits.first() {
        Some(wait) => {
            format!(
                "the run stops after {} cycles: {}",
                engine.now.as_cycles(),
                waits.iter().take(MAX_WAITS).map(|wait| wait.text.as_str()).collect::<Vec<_>>().join(", ")
            ) + if waits.len() > MAX_WAITS { ", ..." } else { "" }
                + if closes(&waits, wait) { ", and so on in a cycle" } else { "" }
        }
        None => "the run stops although no kernel waits".to_owned(),
    };
    let help = "let one of these kernels hand its window on earlier (`async`), or let producer and consumer move the same number \
                of windows in a run";
    let mut diagnostic = Diagnostic::new(&catalogue::SIM_DEADLOCK, message, help);
    for wait in waits.iter().take(MAX_WAITS) {
        let text = format!("`{}` waits here", checked.kernels[wait.kernel].name);
        diagnostic = diagnostic.label(wait.span, text);
    }
    diagnostic
}

/// Notes about the single-buffered connections on the critical path: one for each construct.
pub fn single_on_path(checked: &Checked, path: &Path) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for connection in checked.connections.iter().filter(|one| one.buffering == Buffering::Single) {
        let name = net_name(checked, connection.from);
        let leg = path.legs.iter().find(|leg| leg.kind != LegKind::Kernel && leg.name == name);
        let is_new = found.iter().all(|one| one.span() != Some(connection.span));
        if let Some(leg) = leg.filter(|_| is_new) {
            found.push(single_buffer(connection.span, leg));
        }
    }
    found
}

fn single_buffer(span: Span, leg: &Leg) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SINGLE_BUFFER,
        format!(
            "`{}` has single buffers and lies on the critical path, which comes here {}: its two ends work in turn",
            leg.name,
            count(leg.visits, "time"),
        ),
        "remove `buffer single`, if the modules have room for a second buffer; `aiec report --why` tells what it gains",
    )
    .label(span, "one buffer at each end")
}

/// True if the last wait is for the kernel of `first`.
fn closes(waits: &[Wait], first: &Wait) -> bool {
    waits.last().and_then(|wait| wait.other) == Some(first.kernel)
}

fn spell(checked: &Checked, port: PortId, other: PortId) -> String {
    let what = match checked.ports[port].direction {
        Direction::In => "a window from",
        Direction::Out => "room at",
    };
    format!("`{}` waits for {what} `{}`", checked.port_name(port), checked.port_name(other))
}

/// The chain of waits from the first waiting kernel: the cycle it ends in, or all up to a kernel
/// that does not wait.
fn chain(checked: &Checked, engine: &Engine<'_>) -> Vec<Wait> {
    let mut waits: Vec<Wait> = Vec::new();
    let mut next = checked.kernels.ids().find(|&kernel| engine.kernels[kernel].waiting.is_some());
    while let Some(kernel) = next {
        if let Some(start) = waits.iter().position(|wait| wait.kernel == kernel) {
            return waits.split_off(start);
        }
        let Some(wait) = wait_of(checked, engine, kernel) else { break };
        next = wait.other;
        waits.push(wait);
    }
    waits
}

fn wait_of(checked: &Checked, engine: &Engine<'_>, kernel: KernelId) -> Option<Wait> {
    match engine.kernels[kernel].waiting?.0 {
        Awaited::Port(port) | Awaited::Word(port, _) => wait_at(checked, engine, kernel, port),
        Awaited::Ranks(collective) => wait_with(checked, engine, kernel, collective),
    }
}

/// A wait for a window or for room.
fn wait_at(checked: &Checked, engine: &Engine<'_>, kernel: KernelId, port: PortId) -> Option<Wait> {
    let connections = &checked.ports[port].connections;
    let other_end = |connection: ConnectionId| checked.connections[connection].other(port);
    // Of several consumers, the report names one without room.
    let blamed = connections.iter().copied().find(|&c| !engine.has_empty(other_end(c)));
    let connection = blamed.or_else(|| connections.first().copied())?;
    let (other, span) = (other_end(connection), checked.connections[connection].span);
    Some(Wait { kernel, text: spell(checked, port, other), span, other: checked.kernel_of(other) })
}

/// A wait on the ranks of a cascade or of streams, for the first rank that has not begun.
fn wait_with(
    checked: &Checked,
    engine: &Engine<'_>,
    kernel: KernelId,
    collective: CollectiveId,
) -> Option<Wait> {
    let chain = &checked.collectives[collective];
    let other = chain.ranks.iter().copied().find(|&rank| !engine.has_joined(collective, rank))?;
    let name = |kernel: KernelId| &checked.kernels[kernel].name;
    let text = format!("`{}` waits in `{}` for `{}`", name(kernel), chain.name, name(other));
    Some(Wait { kernel, text, span: chain.span, other: Some(other) })
}
