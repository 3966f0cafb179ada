//! Orders of reads and writes that a design leaves open and the checks assume to be sound.
//!
//! Takes connections of streams, packets and cascades. Returns the rings of kernels in which one
//! must write before it reads, the pairs whose cascade and stream both ends must move in one order,
//! with other kernels on the stream's way or without, the cascades whose reader starts after a run
//! of the writer, cascades whose writers wait for each other when all of them are full, the streams
//! whose reader has a cascade that comes after a run of the writer, kernels in turn on one core
//! that other kernels could make wait for each other, and connections whose FIFO serves kernels in
//! step alone. A ring may lead over cascades, windows and parameters. Only the C++ shows these
//! orders, and most designs have sound ones, so they are no faults.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::rates::gcd;
use aiec_ir::{Carries, ConnectionId, Id, KernelId, PortId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::context::Context;
use super::cycles::{leaves_at_end, waits_for_start};
use super::fifos::MOST_FIFO;

/// What the order of reads and writes in the C++ of kernels has to be, so that they do not hang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenOrder {
    /// Kernels that wait for each other's data in circles.
    Ring(Ring),
    /// The first kernel gives the second one a cascade and a stream. If one moves the cascade first
    /// and the other the stream, both wait.
    Both(KernelId, KernelId),
    /// A cascade whose reader starts only with what leaves at the end of a run of the writer: a
    /// window or a parameter of the writer or of kernels behind it, or room that these give.
    Ahead(Ahead),
    /// The first kernel gives the second one a cascade. What leaves at the end of a run of the
    /// first, or of a kernel behind it, reaches the second as a stream. If the second reads this
    /// stream before the cascade, the cascade has to hold what the first writes until then.
    Behind(KernelId, KernelId),
    /// The first kernel gives the second one a cascade. Streams of the first reach the second over
    /// other kernels. If the second reads them before the cascade, the cascade has to hold what the
    /// first writes before it writes them.
    Beside(KernelId, KernelId),
    /// A cascade of the first kernel, which others pass on along theirs, reaches the second. So do
    /// streams of the first. If the second reads these before the cascade, the cascades have to
    /// hold what the first writes before it writes them.
    Chain(KernelId, KernelId),
    /// Several cascades, each with its writer and reader, in the order of the design. If all are
    /// full, the writer of each waits for the reader, which waits for data of another writer.
    Crossed(Vec<(KernelId, KernelId)>),
    /// A stream whose reader has a cascade that waits for the end of a run of the stream's writer.
    Past(Past),
    /// Kernels that constraints put on one core, which runs them in turn. One of them waits for
    /// kernels on other cores in the middle of its firing, and these must not wait for the others.
    Turns(Vec<KernelId>),
    /// Kernels around a connection move their streams in step.
    InStep(InStep),
}

/// A cascade that has to hold what its writer writes before its reader starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The writer.
    pub from: KernelId,
    /// The reader.
    pub to: KernelId,
    /// The connection between them.
    pub cascade: ConnectionId,
    /// Runs of the writer that end before the reader starts the first of them. At least these: a
    /// design may leave amounts open.
    pub runs: u64,
}

/// Kernels that streams, packets, cascades, and windows or parameters lead around in circles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// All of them, in the order of the design.
    pub kernels: Vec<KernelId>,
    /// Those that read and write data of the ring within a run. One of each circle has to write
    /// before it reads. The others wait for a window before they start, or give one at their end.
    pub open: Vec<KernelId>,
    /// Words of a FIFO with which each stream between two of them holds all that it carries until
    /// the design is back in its first state. None when all do so without, when an amount is not
    /// known, or when a collective has one of the streams.
    pub words: Option<u64>,
    /// True if they pass streams, packets or cascades.
    pub has_streams: bool,
    /// True if they pass windows that they lock themselves.
    pub has_locked: bool,
}

/// A stream from one kernel to another. What leaves at the end of a run of the writer reaches the
/// reader over a cascade. If the reader takes the cascade first, the stream has to hold the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The connection of the stream, whose FIFO `words` is about.
    pub stream: ConnectionId,
    /// The reader's cascade, which waits for the end of the run.
    pub cascade: ConnectionId,
    /// Words of a FIFO that holds the run. None when the amount is not known, or too large.
    pub words: Option<u64>,
}

/// A connection that holds too few words for kernels around it that do not move their streams in
/// step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InStep {
    /// The connection, the first of its statement.
    pub connection: ConnectionId,
    /// More such connections of the statement.
    pub more: usize,
    /// The least words of its FIFO that serve every order, where the other connections have theirs.
    /// None when it needs no more.
    pub words: Option<u64>,
    /// True if it must also go by DMA, which has buffers at both ends.
    pub apart: bool,
}

/// The open orders of kernels. `runs` are those that cascades have to hold before their readers
/// start, as far as that depends on amounts.
pub(super) fn of_kernels(context: &Context, runs: &BTreeMap<ConnectionId, u64>) -> Vec<OpenOrder> {
    let design = context.expanded;
    let mut found: Vec<OpenOrder> = rings(context).into_iter().map(OpenOrder::Ring).collect();
    found.extend(pairs(design).into_iter().map(|(from, to)| OpenOrder::Both(from, to)));
    found.extend(cascades(design, runs));
    found.extend(turns(design).into_iter().map(OpenOrder::Turns));
    found
}

/// The kernels of each core of several where a stream or a window that a kernel locks leads to a
/// kernel of another core.
pub(super) fn turns(design: &Expanded) -> Vec<Vec<KernelId>> {
    let mates = design.core_mates();
    let waits = |kernel: KernelId| {
        let ports = design.ports_of(kernel).filter(|&port| {
            let is_user = matches!(design.ports[port].role, PortRole::User(_));
            is_user && (design.is_stream(port) || design.ports[port].asynchronous)
        });
        let mut links = ports.flat_map(|port| &design.ports[port].connections);
        links.any(|&id| {
            let connection = &design.connections[id];
            let ends = [connection.from, connection.to].map(|end| design.kernel_of(end));
            ends.into_iter().flatten().any(|other| mates[other] != mates[kernel])
        })
    };
    let mut cores: BTreeMap<KernelId, Vec<KernelId>> = BTreeMap::new();
    mates.enumerate().for_each(|(kernel, &first)| cores.entry(first).or_default().push(kernel));
    cores.into_values().filter(|core| core.len() > 1 && core.iter().any(|&kernel| waits(kernel))).collect()
}

/// The kernels at the ends of a connection of the design's own.
fn kernels(design: &Expanded, id: ConnectionId) -> Option<(KernelId, KernelId)> {
    let connection = &design.connections[id];
    let ends = [connection.from, connection.to];
    let is_own =
        ends.iter().all(|&port| matches!(design.ports[port].role, PortRole::User(_) | PortRole::Channel(_)));
    Some((design.kernel_of(ends[0])?, design.kernel_of(ends[1])?)).filter(|_| is_own)
}

/// True if both ends are streams or packets, and no packets of other branches come between.
fn is_stream(design: &Expanded, id: ConnectionId) -> bool {
    let connection = &design.connections[id];
    let moves = |port| matches!(design.ports[port].carries, Some(Carries::Stream(_) | Carries::Packets(_)));
    connection.switch.is_none() && moves(connection.from) && moves(connection.to)
}

/// True if a kernel locks the window of this port itself.
fn is_locked(design: &Expanded, port: PortId) -> bool {
    design.ports[port].window().is_some() && design.ports[port].asynchronous
}

/// True if a kernel moves the data of this port in the course of a run.
fn moves(design: &Expanded, port: PortId) -> bool {
    design.is_stream(port) || design.is_cascade(port) || is_locked(design, port)
}

/// True if a kernel waits for another one at this connection, in the course of a run, or for what
/// leaves at the end of one or is there before one starts.
fn waits(design: &Expanded, id: ConnectionId) -> bool {
    let wire = &design.connections[id];
    let leaves = moves(design, wire.from) || leaves_at_end(design, wire.from);
    // The library of collectives orders its own packets.
    let is_own = wire.switch.is_none() || is_user(design, id);
    is_own && leaves && (moves(design, wire.to) || waits_for_start(design, wire.to))
}

/// True if the design states both ends of a connection.
fn is_user(design: &Expanded, id: ConnectionId) -> bool {
    let wire = &design.connections[id];
    [wire.from, wire.to].iter().all(|&port| matches!(design.ports[port].role, PortRole::User(_)))
}

/// Words of a FIFO with which a stream holds all that it carries until the design is back in its
/// first state. None when it does so without, or the amount is not known.
fn words_of_round(context: &Context, stream: ConnectionId) -> Option<u64> {
    let words = in_round(context, stream)?;
    let in_switches = u64::from(context.device.switch.hop_words);
    let held = context.expanded.connections[stream].held_words(context.device);
    (words > in_switches + u64::from(held)).then(|| words - in_switches)
}

fn rings(context: &Context) -> Vec<Ring> {
    let design = context.expanded;
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    design.kernels.iter().for_each(|_| {
        graph.add_node(());
    });
    let ends = |id| Some((id, kernels(design, id)?));
    let wires: Vec<_> = design.connections.ids().filter(|&id| waits(design, id)).filter_map(ends).collect();
    for (_, (from, to)) in &wires {
        graph.update_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
    }
    let ring = |nodes: Vec<NodeIndex>| {
        let mut kernels: Vec<_> = nodes.iter().map(|node| KernelId::from_index(node.index())).collect();
        kernels.sort_unstable();
        let inside = |(_, (from, to)): &&(_, (KernelId, KernelId))| {
            kernels.binary_search(from).is_ok() && kernels.binary_search(to).is_ok()
        };
        let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
        let (mut has_streams, mut has_locked) = (false, false);
        let mut words = Some(0);
        for &(id, (from, to)) in wires.iter().filter(inside) {
            let wire = &design.connections[id];
            writes.extend(Some(from).filter(|_| moves(design, wire.from)));
            reads.extend(Some(to).filter(|_| moves(design, wire.to)));
            has_locked |= is_locked(design, wire.from) || is_locked(design, wire.to);
            has_streams |=
                [wire.from, wire.to].iter().any(|&end| moves(design, end) && !is_locked(design, end));
            if design.is_stream(wire.from) || design.is_stream(wire.to) {
                let is_known = is_user(design, id) && in_round(context, id).is_some();
                let own = words_of_round(context, id).unwrap_or(0);
                words = words.filter(|_| is_known).map(|words: u64| words.max(own));
            }
        }
        let words = words.filter(|&words| words > 0 && words <= MOST_FIFO);
        Ring { open: reads.intersection(&writes).copied().collect(), kernels, words, has_streams, has_locked }
    };
    let mut rings: Vec<Ring> = kosaraju_scc(&graph).into_iter().map(ring).collect();
    // Other checks refuse a ring whose kernels have no choice.
    rings.retain(|ring| !ring.open.is_empty());
    rings.sort_unstable_by(|one, other| one.kernels.cmp(&other.kernels));
    rings
}

fn pairs(design: &Expanded) -> Vec<(KernelId, KernelId)> {
    // Whether a cascade leads from the first kernel to the second, and whether a stream does.
    let mut found: BTreeMap<(KernelId, KernelId), (bool, bool)> = BTreeMap::new();
    for id in design.connections.ids() {
        if let Some(ends) = kernels(design, id) {
            let (cascade, stream) = found.entry(ends).or_default();
            *cascade |= design.goes_by_cascade(id);
            *stream |= is_stream(design, id);
        }
    }
    found.into_iter().filter(|(_, both)| *both == (true, true)).map(|(ends, _)| ends).collect()
}

/// The connections from each kernel to others.
type Given = BTreeMap<KernelId, Vec<ConnectionId>>;

fn given(design: &Expanded) -> Given {
    let mut given = Given::new();
    for id in design.connections.ids() {
        if let Some((from, _)) = kernels(design, id) {
            given.entry(from).or_default().push(id);
        }
    }
    given
}

/// The kernel whose cascade another one reads, and this cascade.
fn before(design: &Expanded, kernel: KernelId) -> Option<(KernelId, ConnectionId)> {
    let mut links = design.kernels[kernel].inputs.iter().flat_map(|&port| &design.ports[port].connections);
    let cascade = links.find(|&&id| design.goes_by_cascade(id))?;
    kernels(design, *cascade).map(|(from, _)| (from, *cascade))
}

/// What has to be so that no cascade stays full: for each by itself, else for several together.
fn cascades(design: &Expanded, runs: &BTreeMap<ConnectionId, u64>) -> Vec<OpenOrder> {
    let given = given(design);
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for id in design.connections.ids().filter(|&id| design.goes_by_cascade(id)) {
        found.extend(ahead(design, &given, id, runs.get(&id).copied()).or_else(|| {
            let all = crossed(design, &given, id)?;
            seen.insert(all.clone()).then_some(OpenOrder::Crossed(all))
        }));
    }
    found
}

/// What has to be so that a cascade does not stay full. Its reader waits for what else its writer
/// gives: at the end of a run, or in a stream. That may pass other kernels, which need it for what
/// they give: before they start, or at a stream, packets or a cascade that they read. The writer
/// may also be the first of several whose cascades lead to the reader: the nearest one counts.
/// `known` are the runs of the writer that end before the reader starts.
fn ahead(design: &Expanded, given: &Given, cascade: ConnectionId, known: Option<u64>) -> Option<OpenOrder> {
    let (from, to) = kernels(design, cascade)?;
    let between = |head, known: Option<u64>| {
        let needs = |leaves: &dyn Fn(ConnectionId) -> bool, waits: &dyn Fn(PortId, bool) -> bool| {
            needs(design, given, (head, to), leaves, waits).is_some()
        };
        if known.is_some() || needs(&|_| true, &|port, _| waits_for_start(design, port)) {
            return Some(OpenOrder::Ahead(Ahead { from: head, to, cascade, runs: known.unwrap_or(1) }));
        }
        if needs(&|_| true, &|port, of_run| of_run && design.is_stream(port)) {
            return Some(OpenOrder::Behind(head, to));
        }
        let is_chain = head != from;
        let is_direct = |id| kernels(design, id) == Some((head, to));
        let is_beside = needs(&|id| is_chain || !is_direct(id), &|port, _| design.is_stream(port));
        let beside = if is_chain { OpenOrder::Chain } else { OpenOrder::Beside };
        is_beside.then(|| beside(head, to))
    };
    // A kernel has one cascade in each direction.
    let heads = std::iter::successors(Some(from), |&kernel| Some(before(design, kernel)?.0));
    let mut heads = heads.take(design.kernels.len()).take_while(|&head| head != to);
    heads.find_map(|head| between(head, known.filter(|_| head == from)))
}

/// A kernel that waits for another one, and whether a full cascade is on the way between them.
type Waiting = (KernelId, bool);

/// What is before a kernel on such a way, and the connection between the two.
type Before = Option<(Waiting, ConnectionId)>;

/// The writers and readers of this cascade and others, all of which stay full together: its reader
/// waits for data of a kernel that waits at one of the others. None when there are no such others.
fn crossed(design: &Expanded, given: &Given, cascade: ConnectionId) -> Option<Vec<(KernelId, KernelId)>> {
    let (from, to) = kernels(design, cascade)?;
    // The kernels that wait for `from`.
    let mut seen: BTreeMap<Waiting, Before> = BTreeMap::new();
    let (start, end) = ((from, false), (to, true));
    let mut open = VecDeque::from([start]);
    seen.insert(start, None);
    while let Some((kernel, is_crossed)) = open.pop_front() {
        let given = given.get(&kernel).into_iter().flatten().filter(|&&id| id != cascade);
        let data = given.filter_map(|&id| {
            let wire = &design.connections[id];
            let leaves = kernel != from || leaves_at_end(design, wire.from);
            Some((design.kernel_of(wire.to)?, id)).filter(|_| leaves && takes(design, wire.to))
        });
        let room = before(design, kernel).map(|(writer, id)| ((writer, true), id));
        for (next, id) in data.map(|(next, id)| ((next, is_crossed), id)).chain(room) {
            if let Entry::Vacant(entry) = seen.entry(next) {
                entry.insert(Some(((kernel, is_crossed), id)));
                open.push_back(next);
            }
        }
    }
    let way = std::iter::successors(seen.get(&end)?.as_ref(), |(before, _)| seen.get(before)?.as_ref());
    let way: Vec<_> = way.collect();
    let kernels_on_way: BTreeSet<_> = way.iter().map(|((kernel, _), _)| kernel).collect();
    if kernels_on_way.len() < way.len() || kernels_on_way.contains(&to) {
        return None;
    }
    // A way over the cascade of a kernel leads from its reader.
    let is_room = |((kernel, _), id): &&&(Waiting, ConnectionId)| {
        design.goes_by_cascade(*id) && design.kernel_of(design.connections[*id].to) == Some(*kernel)
    };
    let others = way.iter().filter(is_room).map(|(_, id)| *id);
    let all: BTreeSet<ConnectionId> = others.chain([cascade]).collect();
    let all: Vec<_> = all.into_iter().filter_map(|id| kernels(design, id)).collect();
    // Cascades that follow each other have a line of their own.
    let heads = all.iter().filter(|(head, _)| all.iter().all(|(_, reader)| reader != head));
    (heads.count() > 1).then_some(all)
}

/// True if a kernel waits for the data of this port, before it starts or where it reads.
fn takes(design: &Expanded, port: PortId) -> bool {
    waits_for_start(design, port) || design.is_stream(port) || design.is_cascade(port)
}

/// The streams that hold less than a run of their writer, and whose reader waits at a cascade for
/// the end of this run.
pub(super) fn past(context: &Context) -> Vec<OpenOrder> {
    let design = context.expanded;
    let given = given(design);
    let leaves = |id: ConnectionId| {
        let port = design.connections[id].from;
        !design.is_stream(port) && !design.is_cascade(port)
    };
    let order = |stream| {
        let ends = kernels(design, stream)?;
        let cascade = needs(design, &given, ends, &leaves, &|port, _| design.is_cascade(port))?;
        let words = words_of_round(context, stream);
        if words.is_none() && in_round(context, stream).is_some() {
            return None;
        }
        let words = words.filter(|&words| words <= MOST_FIFO);
        Some(OpenOrder::Past(Past { stream, cascade, words }))
    };
    design.connections.ids().filter(|&id| is_stream(design, id)).filter_map(order).collect()
}

/// True if `found` has the streams past cascades of these connections, with FIFOs that hold as
/// much.
pub(super) fn has_line(design: &Expanded, found: &[OpenOrder], way: &InStep) -> bool {
    let span = design.connections[way.connection].span;
    let holds = |order: &&OpenOrder| match order {
        OpenOrder::Past(past) => design.connections[past.stream].span == span && past.words >= way.words,
        _ => false,
    };
    !way.apart && way.words.is_some() && found.iter().filter(holds).count() > way.more
}

/// The words of a stream after which the whole design is back in its first state: those of one run
/// where all kernels run equally often. None when the design does not state the amount.
fn in_round(context: &Context, stream: ConnectionId) -> Option<u64> {
    let design = context.expanded;
    let wire = &design.connections[stream];
    let rounds = design.kernels.iter().map(|kernel| u64::from(kernel.repetitions)).fold(0, gcd).max(1);
    let of_end = |port| {
        let runs = u64::from(design.kernels[design.kernel_of(port)?].repetitions);
        design.bytes_per_run(port)?.checked_mul(runs / rounds)
    };
    let bytes = of_end(wire.from).max(of_end(wire.to))?;
    Some(bytes.div_ceil(u64::from(context.device.tile.word_bytes).max(1)))
}

/// The connection at which the second kernel waits, at a port for which `waits` holds, for what the
/// first gives over a connection for which `leaves` holds, at the end of a run or in a stream.
/// `waits` also takes whether the data wait on their way for the end of a run.
fn needs(
    design: &Expanded,
    given: &Given,
    (from, to): (KernelId, KernelId),
    leaves: &dyn Fn(ConnectionId) -> bool,
    waits: &dyn Fn(PortId, bool) -> bool,
) -> Option<ConnectionId> {
    let (mut seen, mut open) = (BTreeSet::from([(from, false)]), vec![(from, false)]);
    while let Some((kernel, of_run)) = open.pop() {
        for &id in given.get(&kernel).into_iter().flatten() {
            let wire = &design.connections[id];
            let Some(next) = design.kernel_of(wire.to) else { continue };
            if kernel == from && !(leaves(id) && leaves_at_end(design, wire.from)) {
                continue;
            }
            let moves = design.is_stream(wire.from) || design.goes_by_cascade(id);
            let is_late = !moves && leaves_at_end(design, wire.from);
            let of_run = of_run || is_late || waits_for_start(design, wire.to);
            if next == to && waits(wire.to, of_run) {
                return Some(id);
            }
            if next != to && takes(design, wire.to) && seen.insert((next, of_run)) {
                open.push((next, of_run));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests;
