//! Errors of kernels that wait for each other over streams.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::{Diagnostic, Span, catalogue, listed};

use super::places::constraints_on;
use super::{count, fixes, labelled, list};
use crate::flow::{Stop, Wait};
use aiec_ir::expanded::{Expanded, Owner, PacketSwitch, SwitchKind};
use aiec_ir::{Carries, CollectiveId, ConnectionId, Direction, KernelId};

/// Limit on the waits that a message names.
const MOST_NAMED: usize = 6;

/// Under which assumption a design hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sure {
    /// Whatever the order of reads and writes, and even if nets hold this number of words. A
    /// warning if the cycle has open ends, whose amounts are not known.
    Always(u64),
    /// If windows go through shared memory.
    SharedMemory,
    /// If each run of a kernel moves a vector over each of its cascades, and nets hold no more than
    /// this number of words if there is one.
    EachRun(Option<u64>),
    /// If nets hold no more than this number of words.
    ShortWays(u64),
    /// If kernels read and write their streams in step, and read first.
    ReadingFirst,
    /// If kernels read and write their streams in step, and write first.
    WritingFirst,
    /// If kernels read and write their streams in step, whatever comes first.
    InStep,
}

/// What a verdict assumes that counts cascades.
const EACH_RUN: &str = "kernels read and write each of their cascades in every run";

/// What a verdict for nets that hold this number of words assumes.
fn short(words: u64) -> String {
    format!("its nets hold no more than {} on their way", count(words, "word"))
}

impl Sure {
    /// What a verdict assumes. None when it assumes nothing.
    fn assumed(self) -> Option<String> {
        match self {
            Self::Always(_) => None,
            Self::SharedMemory => {
                Some("windows go through shared memory, where both ends use the same buffers".to_owned())
            }
            Self::EachRun(None) => Some(EACH_RUN.to_owned()),
            Self::EachRun(Some(words)) => Some(format!("{} and {EACH_RUN}", short(words))),
            Self::ShortWays(words) => Some(short(words)),
            Self::ReadingFirst => Some(in_step("reading")),
            Self::WritingFirst => Some(in_step("writing")),
            Self::InStep => Some("kernels read and write their streams in step".to_owned()),
        }
    }
}

/// A change at a connection that helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Depth {
    /// The full connection of a cycle of waits.
    pub connection: ConnectionId,
    /// Words of its FIFO in all. None when it needs no more.
    pub words: Option<u64>,
    /// True if it must go by DMA, which has buffers at both ends.
    pub apart: bool,
}

/// The kernels of this cycle wait for each other. `depths` let them go on, if there are any: in
/// step if the flag is true, else in the best order.
pub(crate) fn hang(
    design: &Expanded,
    cycle: &[Wait],
    (depths, is_in_step): (&[Depth], bool),
    sure: Sure,
) -> Diagnostic {
    let opened = opened(design, cycle);
    let is_certain = matches!(sure, Sure::Always(_)) && opened.is_empty();
    let code = if is_certain { &catalogue::STREAM_HANG } else { &catalogue::MAY_HANG };
    let conditions = conditions(design, &opened, cycle, sure);
    let head = head(design, cycle, &conditions, sure);
    let mut edges: Vec<String> = cycle.iter().take(MOST_NAMED).map(|wait| sentence(design, wait)).collect();
    if cycle.len() > MOST_NAMED {
        edges.push(format!("and so on over {} kernels", cycle.len()));
    }
    let message = format!("the graph hangs{head}: {}", edges.join("; "));
    let labels = cycle.iter().map(|wait| (place(design, wait), sentence(design, wait)));
    let help = help(design, cycle, depths, is_in_step) + &smaller_data(design, &opened);
    let diagnostic = Diagnostic::new(code, message, help);
    fixes::depths(labelled(diagnostic, labels.collect::<Vec<_>>()), design, depths)
}

/// The kernels of one core run in turn, and wait for each other through kernels on other cores.
/// `more` cores have kernels of the same families.
pub(crate) fn turns(design: &Expanded, core: &[KernelId], stop: &Stop, sure: Sure, more: u64) -> Diagnostic {
    let waits = &stop.waits;
    let opened = opened(design, waits);
    let is_certain = matches!(sure, Sure::Always(_)) && opened.is_empty();
    let code = if is_certain { &catalogue::STREAM_HANG } else { &catalogue::MAY_HANG };
    let conditions = conditions(design, &opened, waits, sure);
    let head = head(design, waits, &conditions, sure);
    let name = |kernel: KernelId| design.kernels[kernel].name.as_str();
    let (running, resting) = (name(stop.running), name(stop.resting));
    let mut edges: Vec<String> = waits.iter().take(MOST_NAMED).map(|wait| sentence(design, wait)).collect();
    if waits.len() > MOST_NAMED {
        edges.push(format!("and so on over {} kernels", waits.len()));
    }
    let others = match more {
        0 => String::new(),
        more => format!("; so do those of {}", count(more, "more core")),
    };
    let message = format!(
        "the graph hangs{head}: {} run in turn on one core, and none of them ends, whichever begins: {}; {resting} begins \
         only when {running} has ended{others}",
        list(design, &stop.open),
        edges.join("; ")
    );
    let help = format!(
        "give `{resting}` a tile of its own, or let a kernel on the way between them pass windows instead of streams"
    );
    let labels = waits.iter().map(|wait| (place(design, wait), sentence(design, wait)));
    let labels = labels.chain(constraints_on(design, core));
    labelled(Diagnostic::new(code, message, help), labels.collect::<Vec<_>>())
}

/// What a verdict on these waits assumes. `opened` are the collectives at their open ends.
fn conditions(design: &Expanded, opened: &[CollectiveId], waits: &[Wait], sure: Sure) -> Vec<String> {
    let of_packets = match sure {
        Sure::Always(_) | Sure::SharedMemory | Sure::EachRun(_) | Sure::ShortWays(_) => None,
        Sure::ReadingFirst | Sure::WritingFirst | Sure::InStep => packets_in_turn(design, waits),
    };
    opens(design, opened).into_iter().chain(of_packets).chain(sure.assumed()).collect()
}

/// The order of packets that a run in step assumes at these waits. None when it assumes none.
fn packets_in_turn(design: &Expanded, waits: &[Wait]) -> Option<String> {
    let of_order = |switch: &&PacketSwitch| {
        let source = |&wire: &ConnectionId| &design.ports[design.connections[wire].from];
        match switch.kind {
            SwitchKind::Split => true,
            SwitchKind::OrderedMerge => switch.branches.iter().any(|wire| source(wire).window().is_none()),
            SwitchKind::Merge => false,
        }
    };
    let switch = waits.iter().filter_map(|wait| switch(design, wait)).find(of_order)?;
    Some(format!("each run at a branch of the `{}` moves one whole packet in turn", switch.kind.word()))
}

/// Under which conditions the graph hangs.
fn head(design: &Expanded, waits: &[Wait], conditions: &[String], sure: Sure) -> String {
    let head = match conditions.is_empty() {
        true => String::new(),
        false => format!(" if {}", conditions.join(" and ")),
    };
    let Sure::Always(words) = sure else { return head };
    let comma = if head.is_empty() { "" } else { "," };
    let (orders, words) = (orders(design, waits), count(words, "word"));
    format!("{head}{comma} in whatever order {orders}, even if its nets hold {words}")
}

/// The channels and streamed collectives at whose open ends kernels of a cycle wait.
fn opened(design: &Expanded, cycle: &[Wait]) -> Vec<CollectiveId> {
    let ends = cycle.iter().filter_map(|wait| design.opens_for(wait.port));
    ends.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Such as "`halo` opens for all 512 elements". None when no end is open.
fn opens(design: &Expanded, opened: &[CollectiveId]) -> Option<String> {
    let of = |&id: &CollectiveId| {
        let collective = &design.collectives[id];
        format!(
            "`{}` opens for all {}",
            collective.name,
            count(collective.data.value.elements.into(), "element")
        )
    };
    (!opened.is_empty()).then(|| listed(opened.iter().map(of), MOST_NAMED))
}

/// What else helps where ends are open.
fn smaller_data(design: &Expanded, opened: &[CollectiveId]) -> String {
    let names = opened.iter().map(|&id| format!("`{}`", design.collectives[id].name));
    match opened {
        [] => String::new(),
        _ => {
            format!("; or state a smaller `data` in {}, if kernels open for less", listed(names, MOST_NAMED))
        }
    }
}

/// The order that a run in step assumes.
fn in_step(first: &str) -> String {
    format!("kernels read and write their streams in step, {first} first")
}

/// The orders that a verdict on a cycle leaves open.
fn orders(design: &Expanded, cycle: &[Wait]) -> &'static str {
    let of_packets =
        |wait: &Wait| switch(design, wait).is_some_and(|switch| switch.kind != SwitchKind::OrderedMerge);
    match cycle.iter().any(of_packets) {
        true => "kernels read and write and packets follow each other",
        false => "kernels read and write",
    }
}

/// The split or merge at which a kernel waits.
fn switch<'a>(design: &'a Expanded, wait: &Wait) -> Option<&'a PacketSwitch> {
    let wire = *design.ports[wait.port].connections.first()?;
    design.connections[wire].switch.map(|id| &design.switches[id])
}

/// The changes of kernels that open a cycle without a FIFO.
fn changes(design: &Expanded, cycle: &[Wait]) -> String {
    let moves = |port| design.is_stream(port) || design.is_cascade(port) || design.ports[port].asynchronous;
    let is_given = |wait: &Wait| {
        let mut wires = design.ports[wait.port].connections.iter();
        wait.full.is_none() && wires.next().is_some_and(|&wire| moves(design.connections[wire].from))
    };
    let before = cycle.iter().cycle().skip(cycle.len().saturating_sub(1));
    // It waits for data in the course of its run, and another one for data that it gives then.
    let writer = cycle.iter().zip(before).find_map(|(wait, before)| {
        let is_open = wait.full.is_none() && moves(wait.port) && is_given(before);
        is_open.then_some(wait.kernel)
    });
    let window = cycle
        .iter()
        .map(|wait| wait.port)
        .find(|&port| design.ports[port].window().is_some() && !design.ports[port].asynchronous);
    let writer = writer.map(|kernel| {
        let name = &design.kernels[kernel].name;
        format!("let one kernel of the cycle, such as `{name}`, write more before it reads")
    });
    let window = window.map(|port| {
        let (name, kernel) = (design.port_name(port), design.owner_name(design.ports[port].owner));
        format!("make the window `{name}` `async`, so that `{kernel}` starts without it")
    });
    let changes: Vec<String> = writer.into_iter().chain(window).collect();
    if changes.is_empty() { "leave out a connection of the cycle".to_owned() } else { changes.join(", or ") }
}

fn help(design: &Expanded, cycle: &[Wait], depths: &[Depth], is_in_step: bool) -> String {
    if depths.is_empty() {
        let is_value = |wait: &Wait| matches!(design.ports[wait.port].carries, Some(Carries::Parameter(_)));
        if cycle.iter().any(|wait| is_value(wait) && wait.full.is_some()) {
            return "no FIFO helps: the buffers of the parameter hold values that its reader has not taken; write \
                    `async` behind the parameter, or leave out a connection of the cycle"
                .to_owned();
        }
        if cycle.iter().any(is_value) {
            return "no FIFO helps: a parameter between kernels has no value before its writer has run; let the host \
                    give it, or leave out a connection of the cycle"
                .to_owned();
        }
        let cascade = cycle.iter().find(|wait| wait.full.is_some_and(|wire| design.goes_by_cascade(wire)));
        if let Some(wait) = cascade {
            return format!(
                "no FIFO helps: a cascade holds few vectors; let `{}` start earlier, with an `async` window, or let a \
                 stream with a `fifo` take the place of the cascade",
                design.kernels[wait.needs].name
            );
        }
        let any = match cycle.iter().any(|wait| wait.first.is_some() && wait.full.is_none()) {
            true => "take the packets in any order with a plain `merge`, or ",
            false => "",
        };
        let tried = match cycle.iter().any(|wait| wait.full.is_some()) {
            true => "no depth of a FIFO was found that helps",
            false => "no FIFO helps",
        };
        return format!("{tried}: {any}{}", changes(design, cycle));
    }
    let mut channels: BTreeMap<CollectiveId, u64> = BTreeMap::new();
    let mut names: Vec<String> = pairs_apart(design, depths).map(|pair| format!("`{pair}`")).collect();
    let is_apart = depths.iter().any(|depth| depth.apart);
    if design.is_adf() {
        let wires =
            depths.iter().filter(|depth| depth.apart).map(|depth| design.connection_name(depth.connection));
        names = wires.map(|wire| format!("`location<buffer>` at each end of `{wire}`")).collect();
    }
    for depth in depths {
        let Some(words) = depth.words else { continue };
        match design.connections[depth.connection].collective {
            // All links of a channel have one depth.
            Some(id) => {
                let most = channels.entry(id).or_default();
                *most = (*most).max(words);
            }
            None => {
                names.push(format!(
                    "`fifo {words}` on the connection `{}`",
                    design.connection_name(depth.connection)
                ));
            }
        }
    }
    let named =
        |(id, words): (CollectiveId, u64)| format!("`depth {words}` in `{}`", design.collectives[id].name);
    names.extend(channels.into_iter().map(named));
    let reason = if is_apart { ": a DMA has buffers at both ends" } else { "" };
    let least = match (depths.iter().any(|depth| depth.words.is_some()), is_in_step) {
        (true, true) => "; a FIFO that holds less is too short for kernels in step, over the shortest ways",
        (true, false) => "; a FIFO that holds less is too short in any order, over the shortest ways",
        (false, _) => "",
    };
    format!("write {}{reason}{least}", listed(names, MOST_NAMED))
}

/// The statements by which a DMA moves the windows of these connections, each once. They name
/// ports, since kernels that a cascade or a `place` joins have no tiles without common memory.
pub(super) fn pairs_apart(design: &Expanded, depths: &[Depth]) -> impl Iterator<Item = String> {
    let wires = depths.iter().filter(|depth| depth.apart).map(|depth| &design.connections[depth.connection]);
    let pairs: BTreeSet<_> = wires.map(|wire| (wire.from, wire.to)).collect();
    let pairs: Vec<String> = pairs
        .into_iter()
        .map(|(from, to)| format!("apart {}, {}", design.port_name(from), design.port_name(to)))
        .collect();
    pairs.into_iter()
}

/// Such as `b waits for data at b.x, which a.y cannot send before c reads c.d`.
fn sentence(design: &Expanded, wait: &Wait) -> String {
    let port = design.port_name(wait.port);
    let kernel = &design.kernels[wait.kernel].name;
    let needs = &design.kernels[wait.needs].name;
    let full = wait.full.map(|id| &design.connections[id]);
    if let Some(switch) = switch(design, wait) {
        return of_packets(design, wait, switch);
    }
    let is_value = matches!(design.ports[wait.port].carries, Some(Carries::Parameter(_)));
    match (design.ports[wait.port].direction, full) {
        (Direction::In, None) if is_value => format!("{kernel} waits for a value at {port}, of {needs}"),
        (Direction::In, None) => format!("{kernel} waits for data at {port}, of {needs}"),
        (Direction::In, Some(full)) => {
            let (from, to) = (design.port_name(full.from), design.port_name(full.to));
            let source = match design.ports[full.from].owner {
                Owner::External(_) => format!("the input {from}"),
                Owner::Kernel(_) => from,
            };
            format!("{kernel} waits for data at {port}, which {source} cannot send before {needs} reads {to}")
        }
        (Direction::Out, Some(full)) => {
            let to = design.port_name(full.to);
            format!("{kernel} cannot write {port} before {needs} reads {to}")
        }
        (Direction::Out, None) => format!("{kernel} cannot write {port} before {needs} acts"),
    }
}

/// The same for a kernel that waits at a split or merge.
fn of_packets(design: &Expanded, wait: &Wait, switch: &PacketSwitch) -> String {
    let (kernel, port) = (&design.kernels[wait.kernel].name, design.port_name(wait.port));
    let needs = &design.kernels[wait.needs].name;
    let other = if switch.branches.len() > 1 { " or another branch" } else { "" };
    let trunk = switch.trunk == wait.port;
    match (design.ports[wait.port].direction, wait.first, wait.full) {
        (Direction::In, Some(first), Some(_)) => {
            format!(
                "{kernel} waits for a packet at {port}, which follows the one at {}",
                design.port_name(first)
            )
        }
        (Direction::Out, Some(first), Some(_)) => {
            format!(
                "{kernel} cannot send more of {port} before {needs} reads {}, whose packet comes first",
                design.port_name(first)
            )
        }
        (Direction::In, Some(first), None) => {
            format!(
                "{kernel} waits at {port} for the packet of {}, which comes next",
                design.port_name(first)
            )
        }
        (Direction::Out, Some(first), None) => {
            format!(
                "{kernel} cannot send {port} before {needs} sends {}, whose packet comes first",
                design.port_name(first)
            )
        }
        (Direction::In, None, _) if trunk => {
            format!("{kernel} waits for a packet at {port}, of {needs}{other}")
        }
        (Direction::In, None, _) => format!("{kernel} waits for a packet at {port}, of {needs}"),
        (Direction::Out, None, _) => {
            let other = if trunk { other } else { "" };
            format!("{kernel} cannot send a packet of {port} before {needs}{other} takes one")
        }
    }
}

fn place(design: &Expanded, wait: &Wait) -> Span {
    let wire = wait.full.or_else(|| design.ports[wait.port].connections.first().copied());
    wire.map_or(design.ports[wait.port].span, |id| design.connections[id].span)
}
