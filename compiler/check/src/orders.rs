//! Orders of reads and writes that a design leaves open and the checks assume to be sound.
//!
//! Takes connections of streams, packets and cascades. Returns the rings of kernels in which one
//! must write before it reads, the pairs whose cascade and stream both ends must move in one order,
//! with other kernels on the stream's way or without, the cascades whose reader starts after a run
//! of the writer, the streams whose reader has a cascade that comes after a run of the writer,
//! kernels in turn on one core that other kernels could make wait for each other, and connections
//! whose FIFO serves kernels in step alone. A ring may lead over cascades, windows and parameters.
//! Only the C++ shows these orders, and most designs have sound ones, so they are no faults.

use std::collections::{BTreeMap, BTreeSet};

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

/// Kernels that streams, cascades, and windows or parameters of whole runs lead around in circles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    /// All of them, in the order of the design.
    pub kernels: Vec<KernelId>,
    /// Those that read and write streams or cascades of the ring. One of each circle has to write
    /// before it reads. The others wait for a window before they start, or give one at their end.
    pub open: Vec<KernelId>,
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
pub(super) fn of_kernels(design: &Expanded, runs: &BTreeMap<ConnectionId, u64>) -> Vec<OpenOrder> {
    let mut found: Vec<OpenOrder> = rings(design).into_iter().map(OpenOrder::Ring).collect();
    found.extend(pairs(design).into_iter().map(|(from, to)| OpenOrder::Both(from, to)));
    found.extend(ahead(design, runs));
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

/// True if the end of a connection moves its data in the course of a run.
fn moves(design: &Expanded, id: ConnectionId, end: PortId) -> bool {
    is_stream(design, id) || design.goes_by_cascade(id) || design.is_stream(end)
}

/// True if a kernel waits for another one at this connection, of streams, packets, a cascade, or of
/// what leaves at the end of a run or is there before one starts.
fn waits(design: &Expanded, id: ConnectionId) -> bool {
    let wire = &design.connections[id];
    let leaves = moves(design, id, wire.from) || leaves_at_end(design, wire.from);
    let arrives = moves(design, id, wire.to) || waits_for_start(design, wire.to);
    wire.switch.is_none() && leaves && arrives
}

fn rings(design: &Expanded) -> Vec<Ring> {
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
        for &(id, (from, to)) in wires.iter().filter(inside) {
            let wire = &design.connections[id];
            writes.extend(Some(from).filter(|_| moves(design, id, wire.from)));
            reads.extend(Some(to).filter(|_| moves(design, id, wire.to)));
        }
        Ring { open: reads.intersection(&writes).copied().collect(), kernels }
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

/// The kernel whose cascade another one reads.
fn before(design: &Expanded, kernel: KernelId) -> Option<KernelId> {
    let mut links = design.kernels[kernel].inputs.iter().flat_map(|&port| &design.ports[port].connections);
    let cascade = links.find(|&&id| design.goes_by_cascade(id))?;
    kernels(design, *cascade).map(|(from, _)| from)
}

/// The cascades whose reader waits for what else its writer gives: at the end of a run, or in a
/// stream. That may pass other kernels, which need it for what they give: before they start, or at
/// a stream, packets or a cascade that they read. The writer may also be the first of several whose
/// cascades lead to the reader: the nearest one counts.
fn ahead(design: &Expanded, runs: &BTreeMap<ConnectionId, u64>) -> Vec<OpenOrder> {
    let given = given(design);
    let between = |(from, to), known: Option<u64>, cascade| {
        let needs = |leaves: &dyn Fn(ConnectionId) -> bool, waits: &dyn Fn(PortId, bool) -> bool| {
            needs(design, &given, (from, to), leaves, waits).is_some()
        };
        if known.is_some() || needs(&|_| true, &|port, _| waits_for_start(design, port)) {
            return Some(OpenOrder::Ahead(Ahead { from, to, cascade, runs: known.unwrap_or(1) }));
        }
        if needs(&|_| true, &|port, of_run| of_run && design.is_stream(port)) {
            return Some(OpenOrder::Behind(from, to));
        }
        let is_chain = kernels(design, cascade) != Some((from, to));
        let is_direct = |id| kernels(design, id) == Some((from, to));
        let is_beside = needs(&|id| is_chain || !is_direct(id), &|port, _| design.is_stream(port));
        let beside = if is_chain { OpenOrder::Chain } else { OpenOrder::Beside };
        is_beside.then(|| beside(from, to))
    };
    let order = |cascade| {
        let (from, to) = kernels(design, cascade)?;
        let known = runs.get(&cascade).copied();
        // A kernel has one cascade in each direction.
        let heads = std::iter::successors(Some(from), |&kernel| before(design, kernel));
        let mut heads = heads.take(design.kernels.len()).take_while(|&head| head != to);
        heads.find_map(|head| between((head, to), known.filter(|_| head == from), cascade))
    };
    design.connections.ids().filter(|&id| design.goes_by_cascade(id)).filter_map(order).collect()
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
        let (in_switches, words) = (u64::from(context.device.switch.hop_words), in_round(context, stream));
        let held = in_switches + u64::from(design.connections[stream].held_words(context.device));
        if words.is_some_and(|words| words <= held) {
            return None;
        }
        let words = words.map(|words| words - in_switches).filter(|&words| words <= MOST_FIFO);
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
            let reads = design.is_stream(wire.to) || design.goes_by_cascade(id);
            let passes = waits_for_start(design, wire.to) || reads;
            if next != to && passes && seen.insert((next, of_run)) {
                open.push((next, of_run));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use aiec_collectives::Direction::{In, Out};
    use aiec_collectives::ElementType;
    use aiec_ir::expanded::Expanded;
    use aiec_ir::{Accumulator, Carries, CascadeType, ParameterType};
    use aiec_test_support::{Builder, int32, stream};

    use super::{Ahead, OpenOrder, of_kernels, past};
    use crate::context::Context;
    use crate::testing::{slugs_on_toy, toy, window, words};

    fn found(builder: &Builder) -> Vec<String> {
        let design = builder.expanded().expect("every name is declared");
        let name = |id: &aiec_ir::KernelId| design.kernels[*id].name.clone();
        let orders = of_kernels(&design, &BTreeMap::new());
        let shown = orders.iter().map(|order| match order {
            OpenOrder::Ring(ring) => ring.kernels.iter().map(name).collect::<Vec<_>>().join(" "),
            OpenOrder::Both(from, to) => format!("{}+{}", name(from), name(to)),
            OpenOrder::Ahead(Ahead { from, to, .. }) => format!("{}>{}", name(from), name(to)),
            OpenOrder::Beside(from, to) => format!("{}~{}", name(from), name(to)),
            OpenOrder::Chain(from, to) => format!("{}..{}", name(from), name(to)),
            OpenOrder::Behind(from, to) => format!("{}>~{}", name(from), name(to)),
            OpenOrder::Turns(kernels) => kernels.iter().map(name).collect::<Vec<_>>().join("|"),
            OpenOrder::Past(_) | OpenOrder::InStep(_) => unreachable!("it depends on what streams hold"),
        });
        shown.collect()
    }

    fn stages() -> Builder {
        let mut builder = Builder::new("orders", "toy");
        let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        let given = [(Out, "y", stream(Some(64))), (Out, "sums", cascade), (In, "back", stream(None))];
        builder.carrying("a", &[], &given);
        let taken = [(In, "x", stream(Some(64))), (In, "sums", cascade), (Out, "back", stream(None))];
        builder.carrying("b", &[], &taken);
        builder.connect("a.y", "b.x");
        builder
    }

    #[test]
    fn streams_in_a_circle_leave_open_who_writes_first() {
        assert_eq!(found(&stages()), [""; 0]);
        assert_eq!(found(stages().connect("b.back", "a.back")), ["a b"]);
        let mut alone = Builder::new("alone", "toy");
        alone.carrying("a", &[], &[(In, "x", stream(None)), (Out, "y", stream(None))]);
        assert_eq!(found(alone.connect("a.y", "a.x")), ["a"]);
    }

    #[test]
    fn a_cascade_there_and_a_stream_back_are_a_circle_too() {
        let mut builder = Builder::new("orders", "toy");
        let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        builder.carrying("a", &[], &[(Out, "sums", cascade), (In, "back", stream(Some(8)))]);
        builder.carrying("b", &[], &[(In, "sums", cascade), (Out, "back", stream(Some(8)))]);
        assert_eq!(found(builder.connect("a.sums", "b.sums").connect("b.back", "a.back")), ["a b"]);
    }

    const SUMS: Carries = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));

    fn one_value() -> Carries {
        Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None })
    }

    /// Three kernels in a ring: `first` from `a` to `b`, `second` from there to `c`, and `back`.
    fn three(first: Carries, second: Carries, back: Carries, to: &str) -> Builder {
        let mut builder = Builder::new("three", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window(32)), (In, "back", back), (Out, "p", first)]);
        builder.carrying("b", &[], &[(In, "p", first), (Out, "q", second)]);
        builder.carrying("c", &[], &[(In, "q", second), (Out, "back", back), (Out, "y", window(32))]);
        builder.connect("i", "a.x").connect("a.p", "b.p").connect("b.q", "c.q");
        builder.connect("c.back", to).connect("c.y", "o");
        builder
    }

    #[test]
    fn a_ring_over_a_window_goes_on_only_if_a_kernel_between_streams_writes_first() {
        for back in [window(32), one_value()] {
            let ring = three(SUMS, words(32), back, "a.back");
            assert_eq!(slugs_on_toy(&ring), [""; 0], "`b` may write before it reads");
            let orders = of_kernels(&ring.expanded().expect("every name is declared"), &BTreeMap::new());
            let [OpenOrder::Ring(ring)] = orders.as_slice() else { panic!("one ring, not {orders:?}") };
            assert_eq!((ring.kernels.len(), ring.open.as_slice()), (3, &[aiec_ir::KernelId(1)][..]));
        }
        assert_eq!(found(&three(words(32), SUMS, window(32), "a.back")), ["a b c"]);
        assert_eq!(found(&three(SUMS, words(32), window(32), "async a.back")), [""; 0]);
        let certain = three(SUMS, window(32), window(32), "a.back");
        assert_eq!(slugs_on_toy(&certain), ["check/sync-cycle"]);
        assert_eq!(found(&certain), [""; 0], "`b` has no choice");
    }

    /// `from` gives `to` a stream straight, and a cascade over `via`, which waits for `late`.
    fn past_cascade(late: Carries, to: &str, fifo: u32) -> Builder {
        let mut builder = Builder::new("past", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("from", &[], &[(In, "x", window(128)), (Out, "w", late), (Out, "s", words(128))]);
        builder.carrying("via", &[], &[(In, "w", late), (Out, "c", SUMS)]);
        builder.carrying("to", &[], &[(In, "c", SUMS), (In, "s", words(128)), (Out, "y", window(128))]);
        builder.connect("i", "from.x").connect("from.w", to).connect("from.s", "to.s").fifo(fifo);
        builder.connect("via.c", "to.c").connect("to.y", "o");
        builder
    }

    /// For each stream past a cascade that comes late, the words of a FIFO that help.
    fn in_runs(design: &Expanded) -> Vec<Option<u64>> {
        let orders = past(&Context::new(design, &toy()));
        let words = orders.iter().map(|order| match order {
            OpenOrder::Past(past) => past.words,
            other => panic!("{other:?}"),
        });
        words.collect()
    }

    fn late(builder: &Builder) -> Vec<Option<u64>> {
        assert_eq!(slugs_on_toy(builder), [""; 0], "an order in which it finishes is no fault");
        in_runs(&builder.expanded().expect("every name is declared"))
    }

    #[test]
    fn a_stream_past_a_cascade_of_the_end_of_a_run_has_to_hold_it() {
        assert_eq!(late(&past_cascade(window(8), "via.w", 0)), [Some(128 - 8)]);
        assert_eq!(late(&past_cascade(one_value(), "via.w", 0)), [Some(128 - 8)]);
        assert_eq!(late(&past_cascade(window(8), "via.w", 104)), [Some(128 - 8)], "seven FIFOs hold 112");
        assert_eq!(late(&past_cascade(window(8), "via.w", 120)), []);
        assert_eq!(late(&past_cascade(window(8), "async via.w", 0)), [], "`via` may give it before");
        assert_eq!(late(&past_cascade(words(8), "via.w", 0)), [], "a stream comes during the run");
    }

    #[test]
    fn a_stream_past_a_cascade_holds_one_run_where_all_kernels_run_equally_often() {
        let mut design = past_cascade(window(8), "via.w", 0).expanded().expect("every name is declared");
        for kernel in 0..3 {
            design.kernels[aiec_ir::KernelId(kernel)].repetitions = 4;
        }
        assert_eq!(in_runs(&design), [Some(128 - 8)]);
        design.kernels[aiec_ir::KernelId(1)].repetitions = 2;
        assert_eq!(in_runs(&design), [Some(2 * 128 - 8)], "`via` may need two runs of `from`");
    }

    #[test]
    fn a_cascade_beside_a_stream_leaves_open_which_comes_first() {
        assert_eq!(found(stages().connect("a.sums", "b.sums")), ["a+b"]);
    }

    #[test]
    fn a_cascade_whose_reader_starts_after_the_run_of_the_writer_has_to_hold_it() {
        let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        let values = Carries::Parameter(ParameterType { element: ElementType::Int32, elements: None });
        let beside = |carries: Carries, out: &str, taken: &str| {
            let mut builder = Builder::new("orders", "toy");
            builder.carrying("a", &[], &[(Out, "sums", cascade), (Out, "y", carries)]);
            builder.carrying("via", &[], &[(In, "x", carries), (Out, "y", carries)]);
            builder.carrying("b", &[], &[(In, "sums", cascade), (In, "x", carries)]);
            builder.connect("a.sums", "b.sums").connect("a.y", out).connect("via.y", taken);
            found(&builder)
        };
        for carries in [values, Carries::window_of(int32(64))] {
            assert_eq!(beside(carries, "b.x", "via.x"), ["a>b"]);
            assert_eq!(beside(carries, "via.x", "b.x"), ["a>b"], "over another kernel");
        }
        assert_eq!(beside(Carries::window_of(int32(64)), "async b.x", "via.x"), [""; 0]);
        assert_eq!(beside(stream(Some(64)), "via.x", "b.x"), ["a~b"], "a stream comes during the run");
    }

    #[test]
    fn a_kernel_on_the_way_may_read_the_window_of_a_run_as_a_stream() {
        let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        let window = Carries::window_of(int32(64));
        let over = |given: Carries, taken: Carries| {
            let mut builder = Builder::new("orders", "toy");
            builder.carrying("a", &[], &[(Out, "sums", cascade), (Out, "y", given)]);
            builder.carrying("via", &[], &[(In, "x", stream(Some(64))), (Out, "y", stream(Some(64)))]);
            builder.carrying("b", &[], &[(In, "sums", cascade), (In, "x", taken)]);
            builder.connect("a.sums", "b.sums").connect("a.y", "via.x").connect("via.y", "b.x");
            found(&builder)
        };
        assert_eq!(over(window, window), ["a>b"]);
        assert_eq!(over(stream(Some(64)), window), ["a>b"], "`b` starts with the last word of the run");
        assert_eq!(over(stream(Some(64)), stream(Some(64))), ["a~b"], "in step, all go on");
        assert_eq!(over(window, stream(Some(64))), ["a>~b"], "`b` may take its cascade before");
    }

    #[test]
    fn kernels_in_turn_on_a_core_must_not_wait_for_each_other_through_another_core() {
        let mut builder = Builder::new("orders", "toy");
        builder.carrying("first", &[], &[(Out, "y", stream(Some(64)))]);
        builder.carrying("middle", &[], &[(In, "x", stream(Some(64))), (Out, "y", stream(Some(64)))]);
        builder.carrying("last", &[], &[(In, "x", stream(Some(64)))]);
        builder.runtime("first", 400).runtime("last", 400);
        builder.connect("first.y", "middle.x").connect("middle.y", "last.x");
        assert_eq!(found(&builder), [""; 0]);
        builder.place_relative("last", "first", (0, 0));
        assert_eq!(found(&builder), ["first|last"]);
    }
}
