//! Remedies as edits of the design.
//!
//! Takes a diagnostic and facts of the expanded design, returns the diagnostic with a fix. A remedy
//! whose place in the text is not known adds none.

use std::collections::BTreeMap;

use aiec_collectives::Buffering;
use aiec_diag::{Diagnostic, Span, Spanned};

use aiec_ir::design::{Body, Endpoint};
use aiec_ir::expanded::{Collective, Expanded};
use aiec_ir::{ConnectionId, ExternalId, PortId};

/// The place for a new property of a collective: behind its data. Returns None when it has no data.
fn behind_data(collective: &Collective) -> Option<Span> {
    collective.plan.row().has_data().then_some(collective.data.span)
}

/// Adds the fix that gives `collective` this shape.
pub(crate) fn shape(diagnostic: Diagnostic, collective: &Collective, shape: &str) -> Diagnostic {
    let written = (collective.shape_span != collective.span).then_some(collective.shape_span);
    match written.or(behind_data(collective)) {
        Some(place) => diagnostic.setting(written, place, &format!("shape {shape}")),
        None => diagnostic,
    }
}

/// Adds the fix that gives `collective` this window.
pub(crate) fn window(diagnostic: Diagnostic, collective: &Collective, window: &str) -> Diagnostic {
    let (at, data) = (collective.window.span, collective.data.span);
    match at == data {
        true => diagnostic.setting(None, data, &format!("window {window}")),
        false => diagnostic.fix(format!("write `window {window}`"), [(at, window)]),
    }
}

/// Adds the fix that makes all connections of these ports single-buffered.
pub(crate) fn single(
    diagnostic: Diagnostic,
    design: &Expanded,
    ports: impl IntoIterator<Item = PortId>,
) -> Diagnostic {
    let wires = ports.into_iter().flat_map(|port| design.ports[port].connections.iter());
    let mut edits: BTreeMap<Span, String> = BTreeMap::new();
    for &id in wires {
        let wire = &design.connections[id];
        let collective = wire.collective.map(|id| &design.collectives[id]);
        let place = match (wire.marks.buffer, collective) {
            (Some(word), _) => Some((word, "single".to_owned())),
            (None, None) => Some((wire.span.behind(), " buffer single".to_owned())),
            (None, Some(collective)) => {
                behind_data(collective).map(|data| (data.behind(), "  buffer single".to_owned()))
            }
        };
        edits.extend(place.filter(|_| wire.buffering == Buffering::Pingpong));
    }
    diagnostic.fix("write `buffer single`", edits)
}

/// Adds the fix that gives the kernels of `body` these bytes of `word`, which is `stack` or `heap`
/// and `now` in the text.
pub(crate) fn memory(
    diagnostic: Diagnostic,
    body: &Body,
    word: &str,
    now: Option<&Spanned<u32>>,
    size: &str,
) -> Diagnostic {
    let edit = match now {
        Some(now) => (now.span, size.to_owned()),
        None => (body.source.span.behind(), format!("  {word} {size}")),
    };
    diagnostic.fix(format!("write `{word} {size}`"), [edit])
}

/// Adds the fix that makes these ends of connections asynchronous, each the producing one if the
/// flag is set.
pub(crate) fn asynchronous(
    diagnostic: Diagnostic,
    design: &Expanded,
    ends: impl IntoIterator<Item = (ConnectionId, bool)>,
) -> Diagnostic {
    let mut edits: BTreeMap<Span, &str> = BTreeMap::new();
    for (id, producing) in ends {
        let wire = &design.connections[id];
        let (port, mark) = if producing { (wire.from, wire.marks.from) } else { (wire.to, wire.marks.to) };
        if !design.ports[port].asynchronous {
            edits.insert(mark.before(), "async ");
        }
    }
    diagnostic.fix("write `async` in front of the port", edits)
}

/// Adds the fix that states these depths of FIFOs, each in words.
pub(crate) fn fifos(
    diagnostic: Diagnostic,
    design: &Expanded,
    depths: impl IntoIterator<Item = (ConnectionId, u64)>,
) -> Diagnostic {
    // For each place, whether it is in a channel, and the most words.
    let mut edits: BTreeMap<Span, (bool, u64)> = BTreeMap::new();
    for (id, words) in depths {
        let wire = &design.connections[id];
        let channel = wire.collective.map(|id| &design.collectives[id]);
        let end = channel.map_or(wire.span, |channel| channel.data.span);
        let place = wire.fifo.as_ref().map_or(end.behind(), |fifo| fifo.span);
        let (_, most) = edits.entry(place).or_insert((channel.is_some(), 0));
        *most = (*most).max(words);
    }
    let named = edits.values().map(|&(in_channel, words)| match in_channel {
        true => format!("`depth {words}`"),
        false => format!("`fifo {words}`"),
    });
    let title = format!("write {}", super::listed(named, 4));
    let text = |(place, (in_channel, words)): (Span, (bool, u64))| {
        let word = if in_channel { "depth" } else { "fifo" };
        (place, if place.is_empty() { format!(" {word} {words}") } else { words.to_string() })
    };
    diagnostic.fix(title, edits.into_iter().map(text))
}

/// Adds the fix that makes these PLIO ports this number of bits wide.
pub(crate) fn width(
    diagnostic: Diagnostic,
    design: &Expanded,
    ports: impl IntoIterator<Item = ExternalId>,
    bits: u32,
) -> Diagnostic {
    let mut edits: BTreeMap<Span, String> = BTreeMap::new();
    for id in ports {
        if let Endpoint::Plio { bits: written, .. } = &design.externals[id].endpoint {
            edits.insert(written.span, bits.to_string());
        }
    }
    diagnostic.fix(format!("make it {bits} bits wide"), edits)
}
