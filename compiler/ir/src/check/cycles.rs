//! Cycles of synchronous windows: every kernel on one waits for another before it starts.
//!
//! A kernel with a synchronous input starts only when the input's window is full, and the producer gives the window
//! away at the earliest when it has started. So a cycle of connections whose consuming ends are all synchronous never
//! starts (thesis 3.1), and one asynchronous input on it lets its kernel start. Whether that kernel then also fills the window
//! the others wait for before it asks for its own is up to its code; the simulation shows it.

use std::collections::{BTreeMap, VecDeque};

use aiec_diag::Diagnostic;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::context::{Context, grouped};
use crate::errors::cycles as errors;
use crate::ids::ConnectionId;

/// Kernels as nodes; a connection as an edge if its consumer does not start without it.
type Waits = DiGraph<(), ConnectionId>;

/// Starts of the search for the shortest cycle of a component; the cycle through one kernel says enough about a huge one.
const STARTS: usize = 64;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let waits = waits(context);
    let mut components = kosaraju_scc(&waits);
    components.iter_mut().for_each(|component| component.sort_unstable());
    components.sort_unstable();
    let cycles = components.iter().filter_map(|component| {
        let starts = component.iter().take(STARTS);
        let cycles = starts.filter_map(|&start| shortest_cycle(&waits, component, start));
        cycles.min_by_key(Vec::len)
    });
    let span = |&id: &ConnectionId| context.expanded.connections[id].span;
    let groups = grouped(cycles.map(|cycle| (cycle.iter().map(span).collect::<Vec<_>>(), cycle)));
    groups.values().map(|cycles| errors::sync_cycle(context.expanded, &cycles[0], cycles.len())).collect()
}

fn waits(context: &Context) -> Waits {
    let design = context.expanded;
    let mut waits = Waits::new();
    let nodes: Vec<NodeIndex> = design.kernels.iter().map(|_| waits.add_node(())).collect();
    for (id, connection) in design.connections.enumerate() {
        let ends = (design.kernel_of(connection.from), design.kernel_of(connection.to));
        if let ((Some(from), Some(to)), false) = (ends, design.ports[connection.to].asynchronous) {
            waits.add_edge(nodes[from.index()], nodes[to.index()], id);
        }
    }
    waits
}

/// How the search got to a kernel: from which one, over which connection.
type ReachedBy = BTreeMap<NodeIndex, (NodeIndex, ConnectionId)>;

/// The connections of a shortest cycle through `start`, from producer to consumer, if there is one. It stays in the
/// strongly connected component of `start`, which is sorted.
fn shortest_cycle(waits: &Waits, component: &[NodeIndex], start: NodeIndex) -> Option<Vec<ConnectionId>> {
    let mut reached_by = ReachedBy::new();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        // petgraph lists the newest edge first.
        let mut edges: Vec<_> = waits.edges(node).map(|edge| (*edge.weight(), edge.target())).collect();
        edges.retain(|(_, target)| {
            component.binary_search(target).is_ok() && !reached_by.contains_key(target)
        });
        edges.sort_unstable();
        for (connection, target) in edges {
            reached_by.entry(target).or_insert((node, connection));
            if target == start {
                return Some(path(&reached_by, start));
            }
            queue.push_back(target);
        }
    }
    None
}

/// The way back from `end` to itself, turned forwards.
fn path(reached_by: &ReachedBy, end: NodeIndex) -> Vec<ConnectionId> {
    let mut path = Vec::new();
    let mut node = end;
    while let Some(&(previous, connection)) = reached_by.get(&node) {
        path.push(connection);
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
    use crate::build::{Builder, Reduce, input, int32, output};
    use crate::check::testing::{rendered, slugs_on_toy, toy};

    /// The two kernels of the thesis, chapter 3, that pass a window to and fro.
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

    #[test]
    fn each_component_is_reported_once_with_its_shortest_cycle() {
        let ports = [input("x", int32(4)), input("z", int32(4)), output("y", int32(4))];
        let mut builder = Builder::new("rings", "toy");
        builder.kernels("s", &[5], &ports);
        // A ring of three, of which s[1] and s[0] also form a ring of two, and a ring of two apart from it.
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
            design.connections[id].span = design.connections[crate::ConnectionId(id.0 % 2)].span;
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
}
