//! Kernels whose results have no use.
//!
//! Takes a design with outputs. Finds the kernels from which no way leads to an output, to a
//! parameter that the host reads, or to a kernel without outputs of its own. Such a kernel is there
//! on purpose: it takes what another one would wait with. What is left runs in circles.

use aiec_collectives::Direction;
use aiec_diag::Diagnostic;
use aiec_ir::KernelId;
use aiec_ir::expanded::{Expanded, Owner};
use petgraph::Direction as Way;
use petgraph::graph::NodeIndex;

use crate::context::Context;
use crate::errors;

/// A warning for the kernels whose data reaches no output, in a design with outputs.
pub(crate) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    if !has_outputs(design) {
        return Vec::new();
    }
    let seen = seen(design);
    let idle: Vec<KernelId> = design.kernels.ids().filter(|id| !seen[id.index()]).collect();
    if idle.is_empty() { Vec::new() } else { vec![errors::wiring::no_way_out(design, &idle)] }
}

fn has_outputs(design: &Expanded) -> bool {
    design.externals.iter().any(|external| external.direction == Direction::In)
        || design.parameters.iter().any(|parameter| parameter.direction == Direction::In)
}

/// For each node of the graph, whether its results are used. Kernels come first.
fn seen(design: &Expanded) -> Vec<bool> {
    // Cascades of collectives are no connections.
    let after = |kernel: KernelId| {
        let cascades = design.cascades.iter().filter(move |cascade| cascade.from == kernel);
        cascades.map(|cascade| design.nodes[cascade.to.index()])
    };
    let before = |kernel: KernelId| {
        let cascades = design.cascades.iter().filter(move |cascade| cascade.to == kernel);
        cascades.map(|cascade| design.nodes[cascade.from.index()])
    };
    let is_exit = |node: NodeIndex| match design.graph[node] {
        Owner::External(id) => design.externals[id].direction == Direction::In,
        Owner::Kernel(id) => {
            let is_last = design.graph.neighbors(node).next().is_none() && after(id).next().is_none();
            is_last || !design.kernels[id].inouts.is_empty()
        }
    };
    let mut seen = vec![false; design.graph.node_count()];
    let mut pending: Vec<NodeIndex> = design.graph.node_indices().filter(|&node| is_exit(node)).collect();
    while let Some(node) = pending.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        pending.extend(design.graph.neighbors_directed(node, Way::Incoming));
        if let Owner::Kernel(id) = design.graph[node] {
            pending.extend(before(id));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use crate::testing::slugs_on_toy;
    use aiec_test_support::{Builder, input, int32, output};

    /// Two kernels that pass a window round, with `extra` ports at the first.
    fn round(extra: usize) -> Builder {
        let mut builder = Builder::new("d", "toy");
        let ports = [input("x", int32(8)), output("y", int32(8)), output("z", int32(8))];
        builder.kernels("a", &[], &ports[..2 + extra]).kernels("b", &[], &ports[..2]);
        builder.kernels("c", &[], &ports[..2]).gmio_input("i").gmio_output("o");
        builder.connect("i", "c.x").connect("c.y", "o");
        builder.connect("async a.y", "async b.x").connect("async b.y", "async a.x");
        builder
    }

    #[test]
    fn kernels_that_pass_data_round_are_warned_about() {
        assert_eq!(slugs_on_toy(&round(0)), ["check/no-way-out"]);
    }

    #[test]
    fn a_kernel_that_only_takes_is_there_on_purpose() {
        let mut builder = round(1);
        builder.kernels("sink", &[], &[input("x", int32(8))]).connect("a.z", "sink.x");
        assert!(slugs_on_toy(&builder).is_empty());
    }

    #[test]
    fn nothing_is_said_about_a_design_without_outputs() {
        let mut builder = Builder::new("d", "toy");
        let ports = [input("x", int32(8)), output("y", int32(8))];
        builder.kernels("a", &[], &ports).kernels("b", &[], &ports);
        builder.connect("async a.y", "async b.x").connect("async b.y", "async a.x");
        assert!(slugs_on_toy(&builder).is_empty());
    }
}
