//! Lines about orders of reads and writes that only the C++ of kernels shows.

use aiec_check::{Ahead, Checked, InStep, OpenOrder, Past, Ring};
use aiec_device::Device;
use aiec_ir::KernelId;
use aiec_ir::expanded::PortRole;

/// Limit on the kernels that a line about orders names, and on such lines.
const MOST_ASSUMED: usize = 6;

/// A line for each open order, or for the first of many.
pub(crate) fn assumed(checked: &Checked, device: &Device) -> Vec<String> {
    let orders = aiec_check::open_orders(checked, device);
    let name = |id: &KernelId| format!("`{}`", checked.kernels[*id].name);
    let others = Others {
        ways: orders.iter().filter(|order| matches!(order, OpenOrder::InStep(_))).count() > 1,
        cascades: orders.iter().any(is_of_cascade),
    };
    let line = |order: &OpenOrder| match order {
        OpenOrder::Ring(ring) => around(checked, ring),
        OpenOrder::Both(from, to) => {
            let (from, to) = (name(from), name(to));
            format!(
                "assumed: {from} writes its cascade and its stream to {to} in the order in which {to} reads them"
            )
        }
        OpenOrder::Ahead(Ahead { from, to, runs, .. }) => {
            let (from, to, times) = (name(from), name(to), device.core.cascade_vectors());
            let end = match runs {
                1 => "its run ends".to_owned(),
                runs => format!("{runs} of its runs end"),
            };
            format!(
                "assumed: {from} writes its cascade at most {times} times before {end}, since {to} reads it and starts \
                 only then"
            )
        }
        OpenOrder::Beside(from, to) => {
            let (from, to) = (name(from), name(to));
            format!(
                "assumed: {from} writes its cascade to {to}, and what reaches {to} as a stream over other kernels, in \
                 the order in which {to} reads them"
            )
        }
        OpenOrder::Chain(from, to) => {
            let (from, to) = (name(from), name(to));
            format!(
                "assumed: {from} writes its cascade, which other kernels pass on to {to}, and what reaches {to} as a \
                 stream, in the order in which {to} reads them"
            )
        }
        OpenOrder::Crossed(cascades) => {
            let cascades = cascades.iter().map(|(from, to)| format!("{} to {}", name(from), name(to)));
            let cascades = aiec_diag::listed(cascades, MOST_ASSUMED);
            format!(
                "assumed: the cascades of {cascades} are not full at the same time, as the reader of each waits for \
                 data of another writer"
            )
        }
        OpenOrder::Behind(from, to) => {
            let (from, to, times) = (name(from), name(to), device.core.cascade_vectors());
            format!(
                "assumed: {to} reads the cascade of {from} before its streams, which wait for the end of a run of {from}, \
                 or {from} writes it at most {times} times"
            )
        }
        OpenOrder::Turns(kernels) => {
            let names = aiec_diag::listed(kernels.iter().map(name), MOST_ASSUMED);
            format!(
                "assumed: {names}, in turn on one core, do not wait for each other through kernels on other cores"
            )
        }
        OpenOrder::Past(stream) => past(checked, stream),
        OpenOrder::InStep(way) => in_step(checked, way, others),
    };
    let mut lines: Vec<String> = orders.iter().take(MOST_ASSUMED).map(line).collect();
    let more = orders.len() - lines.len();
    lines.extend((more > 0).then(|| {
        format!("assumed: so do {more} more rings, pairs or cores of kernels, or kernels around connections")
    }));
    lines
}

/// The line about kernels in a ring.
fn around(checked: &Checked, ring: &Ring) -> String {
    let names = |kernels: &[KernelId]| {
        let names = kernels.iter().map(|&id| format!("`{}`", checked.kernels[id].name));
        aiec_diag::listed(names, MOST_ASSUMED)
    };
    let all = names(&ring.kernels);
    let what = match (ring.has_streams, ring.has_locked) {
        (true, true) => "streams, cascades or async windows",
        (false, true) => "async windows",
        (_, false) => "streams or cascades",
    };
    let room = ring.words.map(|words| {
        format!("; `fifo {words}` at each stream of the ring holds what may be written before it is read")
    });
    let room = room.unwrap_or_default();
    if ring.open == ring.kernels {
        return format!("assumed: of {all}, which pass {what} in a ring, one writes before it reads{room}");
    }
    let one = match ring.open.as_slice() {
        [one] => names(&[*one]),
        several => format!("one of {}", names(several)),
    };
    format!("assumed: in the ring of {all}, {one} writes {what} before it reads those of the ring{room}")
}

/// The line about a stream whose reader has a cascade that comes late.
fn past(checked: &Checked, past: &Past) -> String {
    let ends = |id| {
        let wire = &checked.connections[id];
        [wire.from, wire.to].map(|end| checked.owner_name(checked.ports[end].owner))
    };
    let ([from, to], [via, _]) = (ends(past.stream), ends(past.cascade));
    let stream = checked.connection_name(past.stream);
    let fifo = past.words.map(|words| format!(", or `{stream}` has `fifo {words}`"));
    format!(
        "assumed: `{to}` reads the stream of `{from}` before the cascade of `{via}`, which waits for the end of a run \
         of `{from}`{}",
        fifo.unwrap_or_default()
    )
}

/// What other lines there are beside one about a connection that serves kernels in step.
#[derive(Clone, Copy)]
struct Others {
    /// Lines about more such connections, whose FIFOs all must have their depths.
    ways: bool,
    /// Lines about cascades that hold too few vectors for some order.
    cascades: bool,
}

/// True for an order in which a cascade is full.
fn is_of_cascade(order: &OpenOrder) -> bool {
    match order {
        OpenOrder::Both(..)
        | OpenOrder::Ahead(_)
        | OpenOrder::Behind(..)
        | OpenOrder::Beside(..)
        | OpenOrder::Crossed(_)
        | OpenOrder::Chain(..) => true,
        OpenOrder::Ring(_) | OpenOrder::Past(_) | OpenOrder::Turns(_) | OpenOrder::InStep(_) => false,
    }
}

/// The line about a connection that serves kernels in step.
fn in_step(checked: &Checked, way: &InStep, others: Others) -> String {
    let name = checked.connection_name(way.connection);
    let more = match way.more {
        0 => String::new(),
        more => format!(" and {more} more like it"),
    };
    let ends = [checked.connections[way.connection].from, checked.connections[way.connection].to];
    let apart = way.apart.then(|| match checked.is_adf() {
        true => "`location<buffer>` at each end".to_owned(),
        false => format!("`apart {}, {}`", checked.port_name(ends[0]), checked.port_name(ends[1])),
    });
    let fifo = way.words.map(|words| format!("`fifo {words}`"));
    let wanted: Vec<String> = apart.into_iter().chain(fifo).collect();
    let served = match others.cascades {
        true => "every order in which no cascade is full",
        false => "every order",
    };
    let wanted = wanted.join(" and ");
    let helps = match others.ways {
        _ if wanted.is_empty() => format!("no depth of a FIFO was found that serves {served}"),
        true => format!("{wanted} there, and those of the other lines, serve {served}"),
        false => format!("{wanted} there serves {served}"),
    };
    let packets = match checked.connections[way.connection].switch {
        Some(_) => ", and send packets to the branches in turn",
        None => "",
    };
    let has_cascades = checked.connections.ids().any(|id| checked.goes_by_cascade(id));
    let has_async = checked
        .ports
        .iter()
        .any(|port| matches!(port.role, PortRole::User(_)) && port.asynchronous && port.window().is_some());
    let order = match (has_cascades, has_async) {
        (true, _) => "move streams and cascades in an order in which none waits for ever",
        (false, true) => "move streams and async windows in an order in which none waits for ever",
        (false, false) => "read and write in step",
    };
    format!("assumed: kernels around `{name}`{more} {order}{packets}; {helps}")
}
