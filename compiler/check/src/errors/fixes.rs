//! Remedies as edits of the design.
//!
//! Takes a diagnostic and facts of the expanded design, returns the diagnostic with a fix. A remedy
//! whose place in the text is not known adds none.

use std::collections::{BTreeMap, BTreeSet};

use aiec_collectives::{Buffering, WindowType};
use aiec_diag::{Diagnostic, Span, Spanned};

use super::hangs::{Depth, pairs_apart};
use aiec_ir::design::{Body, Endpoint, UserPort};
use aiec_ir::expanded::{Collective, Connection, Expanded, PortRole};
use aiec_ir::{Carries, ConnectionId, Direction, ExternalId, PortId};

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

/// The place of a size in a declaration.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// The number of elements.
    Number(Span),
    /// The whole type, such as `int32[16]`.
    Type(Span),
}

/// Adds the fix that declares this window in place of another one with the same elements.
pub(crate) fn resize(diagnostic: Diagnostic, size: Option<Size>, window: WindowType) -> Diagnostic {
    let edit = match size {
        Some(Size::Number(span)) => Some((span, window.elements.to_string())),
        Some(Size::Type(span)) => Some((span, window.to_string())),
        None => None,
    };
    diagnostic.fix(format!("write `{window}`"), edit)
}

/// Adds the fixes that give one end of `wire` the element type of the other.
pub(crate) fn same_element(diagnostic: Diagnostic, design: &Expanded, wire: &Connection) -> Diagnostic {
    [(wire.to, wire.from), (wire.from, wire.to)].into_iter().fold(diagnostic, |diagnostic, (port, other)| {
        let span = declared(design, port).and_then(|declared| declared.written.element);
        let element = element(design, other);
        match span
            .zip(element)
            .filter(|(_, element)| fits_all(design, port, |end| self::element(design, end) == Some(*element)))
        {
            Some((span, element)) => {
                let title = format!("declare `{}` as {element}", design.port_name(port));
                diagnostic.fix(title, [(span, element)])
            }
            None => diagnostic,
        }
    })
}

/// Adds the fixes that give one end of `wire` the parameter of the other.
pub(crate) fn same_parameter(diagnostic: Diagnostic, design: &Expanded, wire: &Connection) -> Diagnostic {
    [(wire.to, wire.from), (wire.from, wire.to)].into_iter().fold(diagnostic, |diagnostic, (port, other)| {
        match retyped(design, port, other) {
            Some((wanted, edits)) => {
                diagnostic.fix(format!("declare `{}` as {wanted}", design.port_name(port)), edits)
            }
            None => diagnostic,
        }
    })
}

/// The parameter of `other`, with the edits that declare it at `port`. Returns None when they
/// may spoil another connection, or when the number of values is no number in the text.
fn retyped(design: &Expanded, port: PortId, other: PortId) -> Option<(Carries, Vec<(Span, String)>)> {
    let wanted = design.ports[other].carries?;
    let (Carries::Parameter(now), Carries::Parameter(then)) = (design.ports[port].carries?, wanted) else {
        return None;
    };
    let declaration = declared(design, port)?;
    let is_it = |end: &PortId| declared(design, *end).map(|one| one.span) == Some(declaration.span);
    let is_of_host = design.parameters.iter().any(|host| host.ports.iter().any(is_it));
    if is_of_host || !fits_all(design, port, |end| design.ports[end].carries == Some(wanted)) {
        return None;
    }
    let mut edits = Vec::new();
    if now.element != then.element {
        edits.push((declaration.written.element?, then.element.name().to_owned()));
    }
    if now.elements != then.elements {
        edits.push((declaration.written.elements?, then.elements?.to_string()));
    }
    Some((wanted, edits))
}

/// Adds the fix that gives the consuming end of `wire` as many elements as the other end has.
pub(crate) fn same_size(diagnostic: Diagnostic, design: &Expanded, wire: &Connection) -> Diagnostic {
    let size = declared(design, wire.to).and_then(|declared| declared.written.elements);
    let window = design.ports[wire.from].window();
    match size
        .zip(window)
        .filter(|(_, window)| fits_all(design, wire.to, |end| design.ports[end].window() == Some(*window)))
    {
        Some((span, window)) => resize(diagnostic, Some(Size::Number(span)), window),
        None => diagnostic,
    }
}

/// The name of the element type of a port, or of the type of its cascade.
fn element(design: &Expanded, port: PortId) -> Option<&'static str> {
    match design.ports[port].carries {
        Some(Carries::Cascade(lanes)) => Some(lanes.name()),
        _ => design.ports[port].window().map(|window| window.element.name()),
    }
}

/// The declaration of a kernel's port.
fn declared(design: &Expanded, port: PortId) -> Option<&UserPort> {
    let PortRole::User(number) = design.ports[port].role else { return None };
    let family = design.kernels[design.kernel_of(port)?].family;
    design.families[family].ports.get(number as usize)
}

/// True if `fits` holds for the other end of every connection of the ports that are declared where
/// `port` is. Instances of a component have one declaration.
fn fits_all(design: &Expanded, port: PortId, fits: impl Fn(PortId) -> bool) -> bool {
    let place = declared(design, port).map(|declared| declared.span);
    let is_it = |end: PortId| declared(design, end).map(|declared| declared.span) == place;
    design
        .connections
        .iter()
        .all(|wire| (!is_it(wire.from) || fits(wire.to)) && (!is_it(wire.to) || fits(wire.from)))
}

/// Adds the fix that makes all connections of these ports single-buffered.
pub(crate) fn single(
    diagnostic: Diagnostic,
    design: &Expanded,
    ports: impl IntoIterator<Item = PortId>,
) -> Diagnostic {
    let ports: BTreeSet<PortId> = ports.into_iter().collect();
    let mut edits: BTreeMap<Span, String> = BTreeMap::new();
    for parameter in design.parameters.iter().filter(|one| one.direction == Direction::Out) {
        let ends = parameter.ports.iter().zip(&parameter.connects).zip(&parameter.buffering);
        let double = ends.filter(|((port, _), now)| ports.contains(port) && **now == Buffering::Pingpong);
        edits.extend(double.map(|((_, connect), _)| (connect.behind(), " buffer single".to_owned())));
    }
    let wires = ports.iter().flat_map(|&port| &design.ports[port].connections);
    edits.extend(wires.filter_map(|&id| single_edit(design, &design.connections[id])));
    diagnostic.fix("write `buffer single`", edits)
}

/// How the `connect`s of a port give it `has` buffers in place of `needs`: the start of a help, and
/// labels for them. Returns None when they cannot.
pub fn stated_buffers(
    design: &Expanded,
    port: PortId,
    (needs, has): (usize, usize),
) -> Option<(&'static str, Vec<(Span, String)>)> {
    let wires = design.ports[port].connections.iter().map(|&id| &design.connections[id]);
    let wires: Vec<&Connection> = wires.filter(|wire| wire.collective.is_none()).collect();
    let is_single = wires.iter().all(|wire| wire.buffering == Buffering::Single);
    let change = match (needs, has) {
        _ if wires.is_empty() => return None,
        (2, 1) => "write `buffer single` behind each connection of the port, or ",
        (1, 2) if is_single => "remove `buffer single` from the connection, or ",
        _ => return None,
    };
    Some((change, wires.iter().map(|wire| (wire.span, "states its buffers".to_owned())).collect()))
}

/// The edit that makes a connection single-buffered. Returns None when it is so, or when the text
/// has no place for it.
pub(crate) fn single_edit(design: &Expanded, wire: &Connection) -> Option<(Span, String)> {
    if wire.buffering != Buffering::Pingpong {
        return None;
    }
    match (wire.marks.buffer, wire.collective.map(|id| &design.collectives[id])) {
        (Some(word), _) => Some((word, "single".to_owned())),
        (None, None) => Some((wire.span.behind(), " buffer single".to_owned())),
        (None, Some(collective)) => {
            behind_data(collective).map(|data| (data.behind(), "  buffer single".to_owned()))
        }
    }
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

/// Adds the fix that gives these connections the FIFOs that they need, and keeps their kernels
/// apart. Kernels of components have no names outside, so `apart` for them adds no fix.
pub(crate) fn depths(diagnostic: Diagnostic, design: &Expanded, depths: &[Depth]) -> Diagnostic {
    // For each place, whether it is in a channel, and the most words.
    let mut edits: BTreeMap<Span, (bool, u64)> = BTreeMap::new();
    for depth in depths {
        let Some(words) = depth.words else { continue };
        let wire = &design.connections[depth.connection];
        let channel = wire.collective.map(|id| &design.collectives[id]);
        let end = channel.map_or(wire.span, |channel| channel.data.span);
        let place = wire.fifo.as_ref().map_or(end.behind(), |fifo| fifo.span);
        let (_, most) = edits.entry(place).or_insert((channel.is_some(), 0));
        *most = (*most).max(words);
    }
    let pairs: Vec<String> = pairs_apart(design, depths).collect();
    let first =
        depths.iter().find(|depth| depth.apart).map(|depth| design.connections[depth.connection].span);
    // Ports of a component's kernels have no name outside of it.
    let inside = |depth: &Depth| {
        let wire = &design.connections[depth.connection];
        let kernels = [wire.from, wire.to].map(|end| design.kernel_of(end));
        kernels.into_iter().flatten().any(|kernel| design.kernels[kernel].name.contains('.'))
    };
    if depths.iter().any(|depth| depth.apart && inside(depth)) {
        return diagnostic;
    }
    let named = edits.values().map(|&(in_channel, words)| match in_channel {
        true => format!("`depth {words}`"),
        false => format!("`fifo {words}`"),
    });
    let named = pairs.iter().map(|pair| format!("`{pair}`")).chain(named);
    let title = format!("write {}", super::listed(named, 4));
    let text = |(place, (in_channel, words)): (Span, (bool, u64))| {
        let word = if in_channel { "depth" } else { "fifo" };
        (place, if place.is_empty() { format!(" {word} {words}") } else { words.to_string() })
    };
    let lines: String = pairs.iter().map(|pair| format!("{pair}\n")).collect();
    let lines = first.filter(|_| !pairs.is_empty()).map(|span| (span.before(), lines));
    diagnostic.fix(title, lines.into_iter().chain(edits.into_iter().map(text)))
}

/// Adds the fix that removes the declaration at `whole`, which is `what`, if nothing else in the
/// text mentions it.
pub(crate) fn removed(diagnostic: Diagnostic, whole: Option<Span>, what: &str) -> Diagnostic {
    diagnostic.fix(format!("remove the {what}"), whole.map(|span| (span, "")))
}

/// Adds the fix that removes `fifo` from these connections, if the design states it at all of them.
pub(crate) fn no_fifo(diagnostic: Diagnostic, design: &Expanded, wires: &[ConnectionId]) -> Diagnostic {
    let written = wires.iter().map(|&id| design.connections[id].marks.fifo);
    let written: Option<BTreeSet<Span>> = written.collect();
    let edits = written.unwrap_or_default().into_iter().map(|span| (span, ""));
    diagnostic.fix("remove `fifo`", edits)
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
