//! Orders of reads and writes that a design leaves open and the checks assume to be sound.
//!
//! Takes connections of streams, packets and cascades. Returns the rings of kernels in which one
//! must write before it reads, the pairs whose cascade and stream both ends must move in one order,
//! the cascades whose reader starts after a run of the writer, kernels in turn on one core that
//! other kernels could make wait for each other, and connections whose FIFO serves kernels in step
//! alone. A ring may lead over cascades. Only the C++ shows these orders, and most designs have
//! sound ones, so they are no faults.

use std::collections::{BTreeMap, BTreeSet};

use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{Carries, ConnectionId, Id, KernelId, PortId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::cycles::{leaves_at_end, waits_for_start};

/// What the order of reads and writes in the C++ of kernels has to be, so that they do not hang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenOrder {
    /// Kernels that streams and cascades lead around in circles, in the order of the design. One of
    /// each circle has to write before it reads.
    Ring(Vec<KernelId>),
    /// The first kernel gives the second one a cascade and a stream. If one moves the cascade first
    /// and the other the stream, both wait.
    Both(KernelId, KernelId),
    /// The first kernel gives the second one a cascade. The second starts only with a window or a
    /// parameter that leaves at the end of a run of the first, or of kernels behind it. So the
    /// cascade has to hold what the first writes until then.
    Ahead(KernelId, KernelId),
    /// The first kernel gives the second one a cascade. What leaves at the end of a run of the
    /// first reaches the second as a stream. If the second reads this stream before the cascade,
    /// the cascade has to hold what the first writes until then.
    Behind(KernelId, KernelId),
    /// Kernels that constraints put on one core, which runs them in turn. One of them waits for
    /// kernels on other cores in the middle of its firing, and these must not wait for the others.
    Turns(Vec<KernelId>),
    /// Kernels around a connection move their streams in step.
    InStep(InStep),
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

/// The open orders that do not depend on what streams hold.
pub(super) fn of_kernels(design: &Expanded) -> Vec<OpenOrder> {
    let mut found: Vec<OpenOrder> = rings(design).into_iter().map(OpenOrder::Ring).collect();
    found.extend(pairs(design).into_iter().map(|(from, to)| OpenOrder::Both(from, to)));
    found.extend(ahead(design));
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

fn rings(design: &Expanded) -> Vec<Vec<KernelId>> {
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    design.kernels.iter().for_each(|_| {
        graph.add_node(());
    });
    let moves = |id: &ConnectionId| is_stream(design, *id) || design.goes_by_cascade(*id);
    for id in design.connections.ids().filter(moves) {
        if let Some((from, to)) = kernels(design, id) {
            graph.update_edge(NodeIndex::new(from.index()), NodeIndex::new(to.index()), ());
        }
    }
    let is_ring = |nodes: &Vec<NodeIndex>| {
        nodes.len() > 1 || nodes.first().is_some_and(|&node| graph.contains_edge(node, node))
    };
    let components = kosaraju_scc(&graph).into_iter().filter(is_ring);
    let mut rings: Vec<Vec<KernelId>> = components
        .map(|nodes| nodes.into_iter().map(|node| KernelId::from_index(node.index())).collect())
        .collect();
    rings.iter_mut().for_each(|ring| ring.sort_unstable());
    rings.sort_unstable();
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

/// The cascades whose reader waits for the end of a run of the writer, before it starts or at a
/// stream. What leaves there may pass other kernels, which need it for what they give: before they
/// start, or at a stream, packets or a cascade that they read.
fn ahead(design: &Expanded) -> Vec<OpenOrder> {
    let mut given: BTreeMap<KernelId, Vec<ConnectionId>> = BTreeMap::new();
    for id in design.connections.ids() {
        if let Some((from, _)) = kernels(design, id) {
            given.entry(from).or_default().push(id);
        }
    }
    let cascades = design.connections.ids().filter(|&id| design.goes_by_cascade(id));
    let ends = cascades.filter_map(|id| kernels(design, id));
    let is_window = |port| !design.is_stream(port);
    let order = |(from, to)| {
        let needs = |leaves: &dyn Fn(PortId) -> bool, waits: &dyn Fn(PortId) -> bool| {
            needs_end(design, &given, (from, to), leaves, waits)
        };
        if needs(&|_| true, &|port| waits_for_start(design, port)) {
            return Some(OpenOrder::Ahead(from, to));
        }
        needs(&is_window, &|port| design.is_stream(port)).then_some(OpenOrder::Behind(from, to))
    };
    ends.filter_map(order).collect()
}

/// True if the second kernel waits, at a port for which `waits` holds, for what leaves at the end
/// of a run of the first at a port for which `leaves` holds. `given` has the connections from each
/// kernel.
fn needs_end(
    design: &Expanded,
    given: &BTreeMap<KernelId, Vec<ConnectionId>>,
    (from, to): (KernelId, KernelId),
    leaves: &dyn Fn(PortId) -> bool,
    waits: &dyn Fn(PortId) -> bool,
) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(kernel) = open.pop() {
        for &id in given.get(&kernel).into_iter().flatten() {
            let wire = &design.connections[id];
            let Some(next) = design.kernel_of(wire.to) else { continue };
            if kernel == from && !(leaves(wire.from) && leaves_at_end(design, wire.from)) {
                continue;
            }
            if next == to && waits(wire.to) {
                return true;
            }
            let reads = design.is_stream(wire.to) || design.goes_by_cascade(id);
            let passes = waits_for_start(design, wire.to) || reads;
            if next != to && passes && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use aiec_collectives::Direction::{In, Out};
    use aiec_collectives::ElementType;
    use aiec_ir::{Accumulator, Carries, CascadeType, ParameterType};
    use aiec_test_support::{Builder, int32, stream};

    use super::{OpenOrder, of_kernels};

    fn found(builder: &Builder) -> Vec<String> {
        let design = builder.expanded().expect("every name is declared");
        let name = |id: &aiec_ir::KernelId| design.kernels[*id].name.clone();
        let orders = of_kernels(&design);
        let shown = orders.iter().map(|order| match order {
            OpenOrder::Ring(kernels) => kernels.iter().map(name).collect::<Vec<_>>().join(" "),
            OpenOrder::Both(from, to) => format!("{}+{}", name(from), name(to)),
            OpenOrder::Ahead(from, to) => format!("{}>{}", name(from), name(to)),
            OpenOrder::Behind(from, to) => format!("{}>~{}", name(from), name(to)),
            OpenOrder::Turns(kernels) => kernels.iter().map(name).collect::<Vec<_>>().join("|"),
            OpenOrder::InStep(_) => unreachable!("it depends on what streams hold"),
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
        assert_eq!(beside(stream(Some(64)), "via.x", "b.x"), [""; 0], "a stream comes during the run");
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
        assert_eq!(over(stream(Some(64)), stream(Some(64))), [""; 0], "in step, all go on");
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
