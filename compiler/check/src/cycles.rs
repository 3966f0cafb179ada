//! Cycles of waiting: every kernel on one waits for another before it starts.
//!
//! A kernel with a synchronous input starts only when the input's window is full, and the producer
//! gives the window away no earlier than its own start. So a cycle of connections whose consuming
//! ends are all synchronous never starts (thesis 3.1). One asynchronous input on the cycle lets its
//! kernel start. The kernel's code then decides whether it fills the window that the others wait
//! for before it asks for its own; `aiec sim` shows that. A parameter of another kernel is such a
//! window, too. An asynchronous one has no value before its writer has run. A graph of ADF may give
//! that value (`initial_value`).
//!
//! A kernel that reads a cascade, or a stated amount of a stream, ends its run only after the
//! writer has started. So its synchronous outputs wait for the start of the writer. A cycle through
//! streams without cascades, parameters or collectives belongs to [`hangs`](super::hangs), which
//! also knows how many words fit. A kernel of a cycle that reads and writes streams or cascades may
//! write first. [`orders`](super::orders) names such kernels.
//!
//! A collective makes its kernels wait too. Its connections are asynchronous, so no kernel needs
//! them to start. But the windows that a kernel sends after its call, the result and every
//! synchronous output, leave only when all kernels whose data its part of the call needs have
//! started and contributed. These are the kernels below it in a tree, and all kernels where every
//! rank needs the data of every rank. Asynchronous outputs may leave before the call and wait for
//! no other kernel.

use std::collections::{BTreeMap, VecDeque};

use aiec_diag::Diagnostic;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::context::{Context, grouped};
use super::progress::waits_for_all;
use crate::errors::cycles::{self as errors, Need, Step};
use aiec_collectives::{self as collectives, Plan};
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{Carries, CollectiveId, ConnectionId, KernelId, PortId};

/// The waiting graph. Nodes: the start of each kernel, and the completion of each collective's call
/// at each rank. An edge leads from an event to an event that waits for it.
type Waits = DiGraph<(), Edge>;

/// The reason why the target of an edge waits for its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// A kernel does not start without the window or parameter of this connection.
    Data(ConnectionId),
    /// A kernel does not end before the writer of this cascade or stream has started.
    Read(ConnectionId),
    /// A call cannot complete at a rank, or as a whole, before this kernel has started.
    Contribution(CollectiveId, KernelId),
    /// A call cannot complete at a rank, or as a whole, before it has completed at another rank.
    Subtree,
}

/// Start nodes of the search for the shortest cycle of a component. In a huge component one of
/// these cycles explains enough.
const STARTS: usize = 64;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let waits = waits(context);
    let mut components = kosaraju_scc(&waits);
    components.iter_mut().for_each(|component| component.sort_unstable());
    components.sort_unstable();
    let cycles = components.iter().filter_map(|component| {
        // The trees alone have no cycle, so every cycle passes through a kernel. Kernels have the
        // first node numbers.
        let starts = component.iter().take_while(|node| node.index() < design.kernels.len()).take(STARTS);
        let cycles = starts.filter_map(|&start| shortest_cycle(&waits, component, start));
        cycles.min_by_key(Vec::len)
    });
    let spans = |step: &Step| {
        (
            design.connections[step.window].span,
            step.needs.map(|need| match need {
                Need::Contribution(collective, _) => design.collectives[collective].span,
                Need::Read(connection) => design.connections[connection].span,
            }),
        )
    };
    let cycles = cycles.map(|cycle| steps(&cycle)).filter(|steps| !is_of_streams(context, steps));
    let groups = grouped(cycles.map(|steps| (steps.iter().map(spans).collect::<Vec<_>>(), steps)));
    groups.values().map(|cycles| errors::sync_cycle(design, &cycles[0], cycles.len())).collect()
}

/// True for a cycle of streams and windows alone, where [`hangs`](super::hangs) gives the verdict.
fn is_of_streams(context: &Context, steps: &[Step]) -> bool {
    let design = context.expanded;
    let is_window = |step: &Step| design.ports[design.connections[step.window].to].window().is_some();
    let reads = || steps.iter().filter_map(|step| step.needs);
    let is_stream = |need| matches!(need, Need::Read(wire) if !design.goes_by_cascade(wire));
    steps.iter().all(is_window) && reads().count() > 0 && reads().all(is_stream)
}

fn waits(context: &Context) -> Waits {
    let design = context.expanded;
    let mut waits = Waits::new();
    let kernels: Vec<NodeIndex> = design.kernels.iter().map(|_| waits.add_node(())).collect();
    let calls = calls(context, &mut waits, &kernels);
    let reads = reads(context, &mut waits, &kernels);
    for (id, connection) in design.connections.enumerate() {
        let (Some(from), Some(to)) = (design.kernel_of(connection.from), design.kernel_of(connection.to))
        else {
            continue;
        };
        if !waits_for_start(design, connection.to) {
            continue;
        }
        let earlier = calls_before(context, connection.from);
        let earlier = earlier.into_iter().filter_map(|collective| calls.get(&(collective, from)).copied());
        let read = reads.get(&from).filter(|_| leaves_at_end(design, connection.from));
        for node in std::iter::once(kernels[from.index()]).chain(earlier).chain(read.copied()) {
            waits.add_edge(node, kernels[to.index()], Edge::Data(id));
        }
    }
    waits
}

/// True if a kernel does not start before it has the data of its port.
pub(super) fn waits_for_start(design: &Expanded, port: PortId) -> bool {
    let port = &design.ports[port];
    match port.carries {
        Some(Carries::Window { .. }) => !port.asynchronous,
        Some(Carries::Parameter(_)) => !port.asynchronous || !design.is_adf(),
        _ => false,
    }
}

/// True if the window or parameter of an output leaves at the end of a run.
pub(super) fn leaves_at_end(design: &Expanded, port: PortId) -> bool {
    let port = &design.ports[port];
    let is_parameter = matches!(port.carries, Some(Carries::Parameter(_)));
    matches!(port.role, PortRole::User(_)) && (is_parameter || !port.asynchronous)
}

/// Adds a node for the end of the reads of each kernel with a cascade or a stream of a stated
/// amount from another kernel. A split or merge chooses its packets by data, so its reads need no
/// certain kernel.
fn reads(context: &Context, waits: &mut Waits, kernels: &[NodeIndex]) -> BTreeMap<KernelId, NodeIndex> {
    let design = context.expanded;
    let mut reads = BTreeMap::new();
    for (id, connection) in design.connections.enumerate() {
        let ends = design.kernel_of(connection.from).zip(design.kernel_of(connection.to));
        let Some((from, to)) = ends.filter(|_| connection.switch.is_none()) else { continue };
        let port = &design.ports[connection.to];
        let reads_some = match port.carries {
            Some(Carries::Cascade(_)) => true,
            Some(Carries::Stream(flow)) => flow.per_run.is_some_and(|elements| elements > 0),
            _ => false,
        };
        if reads_some && matches!(port.role, PortRole::User(_) | PortRole::Channel(_)) {
            let node = *reads.entry(to).or_insert_with(|| waits.add_node(()));
            waits.add_edge(kernels[from.index()], node, Edge::Read(id));
        }
    }
    reads
}

/// Adds a node for the completion of each collective's call at each rank.
fn calls(
    context: &Context,
    waits: &mut Waits,
    kernels: &[NodeIndex],
) -> BTreeMap<(CollectiveId, KernelId), NodeIndex> {
    let mut calls = BTreeMap::new();
    for (id, collective) in context.expanded.collectives.enumerate() {
        let nodes: Vec<NodeIndex> = collective.ranks.iter().map(|_| waits.add_node(())).collect();
        calls.extend(collective.ranks.iter().map(|&kernel| (id, kernel)).zip(nodes.iter().copied()));
        let mut contributes = |rank: usize, to: NodeIndex| {
            let kernel = collective.ranks[rank];
            waits.add_edge(kernels[kernel.index()], to, Edge::Contribution(id, kernel));
        };
        (0..nodes.len()).for_each(|rank| contributes(rank, nodes[rank]));
        let waits_for = match collective.plan.waits() {
            // What streams hold lets a sender go on.
            collectives::Waits::All if collective.plan.is_opened() && !waits_for_all(collective) => {
                collectives::Waits::Senders
            }
            waits => waits,
        };
        match waits_for {
            collectives::Waits::Nobody => {}
            collectives::Waits::Partner => {
                pairs(&collective.plan).for_each(|(from, to)| contributes(from, nodes[to]));
            }
            collectives::Waits::Senders => {
                for (from, to) in pairs(&collective.plan) {
                    waits.add_edge(nodes[from], nodes[to], Edge::Subtree);
                }
            }
            collectives::Waits::All => {
                let all = waits.add_node(());
                for (rank, &node) in nodes.iter().enumerate() {
                    let kernel = collective.ranks[rank];
                    waits.add_edge(kernels[kernel.index()], all, Edge::Contribution(id, kernel));
                    waits.add_edge(all, node, Edge::Subtree);
                }
            }
        }
    }
    calls
}

/// Sender and receiver of every link.
fn pairs(plan: &Plan) -> impl Iterator<Item = (usize, usize)> {
    let links = plan.links().into_iter();
    links.flat_map(|link| link.to.into_iter().map(move |to| (link.from.index(), to.index())))
}

/// The collectives whose calls a kernel has completed before a window leaves its output port.
fn calls_before(context: &Context, port: PortId) -> Vec<CollectiveId> {
    let design = context.expanded;
    match design.ports[port].role {
        PortRole::Result(collective) => vec![collective],
        // A synchronous window leaves at the end of the run.
        PortRole::User(_) | PortRole::Cycles(_) if !design.ports[port].asynchronous => {
            let memberships = design.kernel_of(port).map(|kernel| &design.kernels[kernel].memberships);
            memberships.into_iter().flatten().map(|membership| membership.collective).collect()
        }
        PortRole::Cycles(collective) => vec![collective],
        PortRole::User(_)
        | PortRole::External
        | PortRole::Link(_)
        | PortRole::Channel(_)
        | PortRole::Packets(_) => Vec::new(),
    }
}

/// The windows and parameters of a cycle, each with the contribution or read that leads to it.
fn steps(cycle: &[Edge]) -> Vec<Step> {
    let mut needs = None;
    let mut steps = Vec::new();
    for &edge in cycle {
        match edge {
            Edge::Contribution(collective, kernel) => needs = Some(Need::Contribution(collective, kernel)),
            Edge::Read(connection) => needs = Some(Need::Read(connection)),
            Edge::Subtree => {}
            Edge::Data(window) => steps.push(Step { window, needs: needs.take() }),
        }
    }
    steps
}

/// For each node that the search reached, its predecessor and the edge between them.
type ReachedBy = BTreeMap<NodeIndex, (NodeIndex, Edge)>;

/// A shortest cycle through `start`, as its edges from producer to consumer, by breadth-first
/// search within the strongly connected component of `start`, which is sorted. Returns None when
/// there is no cycle.
fn shortest_cycle(waits: &Waits, component: &[NodeIndex], start: NodeIndex) -> Option<Vec<Edge>> {
    let mut reached_by = ReachedBy::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        // petgraph lists the newest edge first.
        let mut edges: Vec<_> = waits.edges(node).map(|edge| (*edge.weight(), edge.target())).collect();
        edges.retain(|(_, target)| {
            component.binary_search(target).is_ok() && !reached_by.contains_key(target)
        });
        edges.sort_unstable();
        for (edge, target) in edges {
            reached_by.entry(target).or_insert((node, edge));
            if target == start {
                return Some(path(&reached_by, start));
            }
            queue.push_back(target);
        }
    }
    None
}

/// The path from `end` back to itself, as edges in forward order.
fn path(reached_by: &ReachedBy, end: NodeIndex) -> Vec<Edge> {
    let mut path = Vec::new();
    let mut node = end;
    while let Some(&(previous, edge)) = reached_by.get(&node) {
        path.push(edge);
        node = previous;
        if node == end {
            break;
        }
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs, slugs_on_toy, toy};
    use aiec_collectives::Direction::{In, Out};
    use aiec_collectives::ElementType;
    use aiec_ir::design::Language;
    use aiec_ir::{Accumulator, Carries, CascadeType, ParameterType};
    use aiec_test_support::{Builder, Reduce, input, int32, output, stream};

    /// The two kernels of the thesis, chapter 3, that pass a window back and forth.
    fn ping_pong(out: &str, back: &str) -> Builder {
        let ports = [input("x", int32(4)), output("y", int32(4))];
        let mut builder = Builder::new("latency", "toy");
        builder.kernels("a", &[], &ports).kernels("b", &[], &ports);
        builder.connect("a.y", out).connect("b.y", back);
        builder
    }

    #[test]
    fn two_kernels_that_wait_for_each_other_never_start() {
        let builder = ping_pong("b.x", "a.x");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
        let text = rendered(&builder, &toy());
        for part in ["a waits for b.y", "b waits for a.y", "connect b.y -> async a.x"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn one_asynchronous_input_breaks_the_cycle() {
        assert_eq!(slugs_on_toy(&ping_pong("b.x", "async a.x")), [""; 0]);
    }

    #[test]
    fn an_asynchronous_output_alone_does_not_help() {
        let ports = [input("x", int32(4)), output("y", int32(4))];
        let mut builder = Builder::new("latency", "toy");
        builder.kernels("a", &[], &ports).kernels("b", &[], &ports);
        builder.connect("async a.y", "b.x").connect("async b.y", "a.x");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
    }

    #[test]
    fn a_kernel_that_waits_for_itself_never_starts() {
        let mut builder = Builder::new("own_tail", "toy");
        builder.kernels("a", &[], &[input("x", int32(4)), output("y", int32(4))]).connect("a.y", "a.x");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
    }

    /// `a` sends a cascade to `b`, and `b` a window back.
    fn window_against_cascade(back: &str) -> Builder {
        let window = Carries::window_of(int32(64));
        let cascade = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));
        let mut builder = Builder::new("loop", "toy");
        builder.gmio_input("i").gmio_output("o");
        builder.carrying("a", &[], &[(In, "x", window), (In, "back", window), (Out, "s", cascade)]);
        builder.carrying("b", &[], &[(In, "s", cascade), (Out, "back", window), (Out, "y", window)]);
        builder.connect("i", "a.x").connect("a.s", "b.s").connect("b.back", back).connect("b.y", "o");
        builder
    }

    #[test]
    fn a_kernel_ends_no_run_before_the_writer_of_its_cascade_has_started() {
        let builder = window_against_cascade("a.back");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
        let text = rendered(&builder, &toy());
        let parts = [
            "synchronous windows and cascades form a cycle and no kernel on it ever ends its run",
            "which b sends after it has read a.s",
            "`b` ends its run only after `a` has started",
            "`connect b.back -> async a.back`",
        ];
        for part in parts {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert_eq!(slugs_on_toy(&window_against_cascade("async a.back")), [""; 0]);
    }

    #[test]
    fn an_adf_graph_may_read_no_cascade_in_its_first_run() {
        let mut design = window_against_cascade("a.back").expanded().unwrap();
        design.language = Language::Adf;
        assert_eq!(slugs(&crate::check(design, &toy())), ["check/may-hang"]);
    }

    /// Two kernels in a ring: `a` passes `first` to `b`, and `b` passes `second` to `a`.
    fn ring(first: Carries, second: Carries) -> Builder {
        let mut builder = Builder::new("ring", "toy");
        builder.carrying("a", &[], &[(In, "p", second), (Out, "q", first)]);
        builder.carrying("b", &[], &[(In, "p", first), (Out, "q", second)]);
        builder.connect("a.q", "b.p").connect("b.q", "a.p");
        builder
    }

    #[test]
    fn a_synchronous_parameter_waits_for_its_kernel() {
        let parameter = ParameterType { element: ElementType::Int32, elements: None };
        let parameter = Carries::Parameter(parameter);
        let window = Carries::window_of(int32(64));
        for (first, kinds) in [(parameter, "parameters"), (window, "windows and parameters")] {
            let builder = ring(first, parameter);
            assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
            let text = rendered(&builder, &toy());
            assert!(text.contains(&format!("synchronous {kinds} form a cycle")), "{text}");
            assert!(text.contains("let the host give `"), "{text}");
        }
        let mut design = ring(parameter, parameter).expanded().unwrap();
        let ends =
            [design.kernels[aiec_ir::KernelId(0)].inputs[0], design.kernels[aiec_ir::KernelId(1)].outputs[0]];
        ends.into_iter().for_each(|port| design.ports[port].asynchronous = true);
        assert_eq!(
            slugs(&crate::check(design.clone(), &toy())),
            ["check/sync-cycle"],
            "no value before the first run"
        );
        design.language = Language::Adf;
        assert_eq!(slugs(&crate::check(design, &toy())), [""; 0], "a graph may give the value");
    }

    #[test]
    fn a_cycle_of_streams_and_windows_alone_is_found_word_by_word() {
        let window = Carries::window_of(int32(64));
        assert_eq!(slugs_on_toy(&ring(stream(Some(64)), window)), ["check/stream-hang"]);
        assert_eq!(slugs_on_toy(&ring(stream(None), window)), [""; 0], "an unknown amount");
    }

    #[test]
    fn each_component_is_reported_once_with_its_shortest_cycle() {
        let ports = [input("x", int32(4)), input("z", int32(4)), output("y", int32(4))];
        let mut builder = Builder::new("rings", "toy");
        builder.kernels("s", &[5], &ports);
        // A ring of three, in which s[1] and s[0] also form a ring of two, and a separate ring of
        // two.
        builder.connect("s[0].y", "s[1].x").connect("s[1].y", "s[2].x").connect("s[2].y", "s[0].x");
        builder.connect("s[1].y", "s[0].z").connect("s[0].y", "s[2].z");
        builder.connect("s[3].y", "s[4].x").connect("s[4].y", "s[3].x");
        let outcome = crate::check(builder.expanded().unwrap(), &toy());
        let cycles: Vec<_> =
            outcome.diagnostics().iter().filter(|d| d.code.slug == "check/sync-cycle").collect();
        assert_eq!(cycles.len(), 2);
        assert!(
            cycles[0].labels.len() == 2 && cycles[0].message.contains("s[0] waits for s[1].y"),
            "{cycles:?}"
        );
    }

    #[test]
    fn cycles_of_the_same_connects_are_one_diagnostic() {
        let ports = [input("x", int32(4)), output("y", int32(4))];
        let mut builder = Builder::new("pairs", "toy");
        builder.kernels("a", &[4], &ports).kernels("b", &[4], &ports);
        for i in 0..4 {
            builder.connect(&format!("a[{i}].y"), &format!("b[{i}].x"));
            builder.connect(&format!("b[{i}].y"), &format!("a[{i}].x"));
        }
        let mut design = builder.expanded().unwrap();
        for id in design.connections.ids().skip(2) {
            design.connections[id].span = design.connections[aiec_ir::ConnectionId(id.0 % 2)].span;
        }
        let outcome = crate::check(design, &toy());
        assert_eq!(outcome.diagnostics().len(), 1);
        assert!(outcome.diagnostics()[0].message.contains("3 more cycles"), "{:?}", outcome.diagnostics());
    }

    #[test]
    fn chains_and_trees_start() {
        let mut builder = Builder::new("reduce7", "toy");
        builder.kernels("worker", &[7], &[]).reduce(Reduce::over("total", &["worker"], int32(4)));
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    /// Four workers and `k`, the last rank, reduce to `w[0]`.
    fn reduce_with(k: &[(aiec_collectives::Direction, &str, aiec_collectives::WindowType)]) -> Builder {
        let mut builder = Builder::new("late", "toy");
        builder.kernels("w", &[4], &[]).kernels("k", &[], k);
        builder.reduce(Reduce::over("total", &["w", "k"], int32(4)));
        builder
    }

    #[test]
    fn a_rank_that_needs_the_result_to_start_never_contributes() {
        let mut builder = reduce_with(&[input("x", int32(4))]);
        builder.connect("total.result", "k.x");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
        let text = rendered(&builder, &toy());
        let parts = [
            "which needs the contribution of k to `total`",
            "`total` needs `k` to start",
            "`connect total.result -> async k.x`",
        ];
        for part in parts {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn a_rank_that_takes_the_result_asynchronously_starts() {
        let mut builder = reduce_with(&[input("x", int32(4))]);
        assert_eq!(slugs_on_toy(builder.connect("total.result", "async k.x")), [""; 0]);
    }

    #[test]
    fn a_rank_that_waits_for_a_kernel_that_waits_for_the_result_never_contributes() {
        let mut builder = reduce_with(&[input("x", int32(4))]);
        builder.kernels("mid", &[], &[input("x", int32(4)), output("y", int32(4))]);
        builder.connect("total.result", "mid.x").connect("mid.y", "k.x");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
    }

    #[test]
    fn the_result_may_start_a_kernel_that_is_no_rank() {
        let mut builder = reduce_with(&[]);
        builder.kernels("sink", &[], &[input("x", int32(4))]).connect("total.result", "sink.x");
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }

    #[test]
    fn a_synchronous_output_leaves_after_the_call_and_so_after_all_contributions_below() {
        let sends = |from: &str, to: &str| {
            let mut builder = Builder::new("late", "toy");
            builder.kernels("w", &[1], &[output("y", int32(4))]).kernels("k", &[2], &[input("x", int32(4))]);
            builder.kernels("i", &[], &[output("y", int32(4))]);
            builder.connect("i.y", "k[0].x");
            builder.reduce(Reduce::over("total", &["w", "k"], int32(4))).connect(from, to);
            slugs_on_toy(&builder)
        };
        assert_eq!(sends("w[0].y", "k[1].x"), ["check/sync-cycle"]);
        assert_eq!(sends("w[0].y", "async k[1].x"), [""; 0]);
        assert_eq!(sends("async w[0].y", "k[1].x"), [""; 0], "may leave before the call");
    }

    #[test]
    fn a_synchronous_output_does_not_wait_for_kernels_above_in_the_tree() {
        // k, a leaf, puts its contribution into a buffer and ends. The root may start after that.
        let mut builder = Builder::new("late", "toy");
        builder.kernels("w", &[], &[input("x", int32(4))]).kernels("k", &[], &[output("y", int32(4))]);
        builder.reduce(Reduce::over("total", &["w", "k"], int32(4))).connect("k.y", "w.x");
        assert_eq!(slugs_on_toy(&builder), [""; 0]);
    }
}
