//! Kernels whose results have no use.
//!
//! In a design with outputs, finds the kernels from which no way leads to an output, to a parameter
//! that the host reads, or to a kernel without outputs of its own. Such a kernel is there on
//! purpose: it takes what another one would wait with. What is left runs in circles.
//!
//! A design with inputs and without outputs, whose kernels pass results on, is one fault. Without
//! inputs, too, it is a part for which nobody chose the ends yet. A component alone gets its ends
//! from the designs around it, and an ADF graph is what the vendor's tools accept.

use aiec_collectives::Direction;
use aiec_diag::Diagnostic;
use aiec_ir::expanded::{Expanded, Owner};
use aiec_ir::{KernelId, PortId};
use petgraph::Direction as Way;
use petgraph::graph::NodeIndex;

use crate::context::Context;
use crate::errors;

/// A warning for the kernels whose data reaches no output, or for a design that takes data alone.
pub(crate) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    if !has_outputs(design) {
        let fault = keeps_all(design).then(|| errors::wiring::no_output(design));
        return fault.into_iter().collect();
    }
    let seen = seen(design);
    let idle: Vec<KernelId> = design.kernels.ids().filter(|id| !seen[id.index()]).collect();
    if idle.is_empty() { Vec::new() } else { vec![errors::wiring::no_way_out(design, &idle)] }
}

fn has_outputs(design: &Expanded) -> bool {
    design.externals.iter().any(|external| external.direction == Direction::In)
        || design.parameters.iter().any(|parameter| parameter.direction == Direction::In)
}

/// True if a design without outputs takes data, and kernels pass results on. It must be whole: no
/// component alone and no graph.
fn keeps_all(design: &Expanded) -> bool {
    let is_component = design
        .subgraphs
        .iter()
        .any(|one| one.name == design.name.value && one.component == design.name.value);
    let changes_parameters = design.kernels.iter().any(|kernel| !kernel.inouts.is_empty());
    let takes = !design.externals.is_empty() || !design.parameters.is_empty();
    let is_kernel = |port: PortId| design.kernel_of(port).is_some();
    let mut wires = design.connections.iter().filter(|wire| wire.collective.is_none());
    let passes = wires.any(|wire| is_kernel(wire.from) && is_kernel(wire.to));
    takes && passes && !design.is_adf() && !is_component && !changes_parameters
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
    fn a_design_that_takes_data_and_gives_none_is_warned_about() {
        let mut builder = Builder::new("d", "toy");
        let ports = [input("x", int32(8)), output("y", int32(8))];
        builder.kernels("a", &[], &ports).kernels("b", &[], &ports[..1]).gmio_input("i");
        builder.connect("i", "a.x").connect("a.y", "b.x");
        assert_eq!(slugs_on_toy(&builder), ["check/no-way-out"]);
    }

    #[test]
    fn nothing_is_said_about_a_design_without_ends() {
        let mut builder = Builder::new("d", "toy");
        let ports = [input("x", int32(8)), output("y", int32(8))];
        builder.kernels("a", &[], &ports).kernels("b", &[], &ports);
        builder.connect("async a.y", "async b.x").connect("async b.y", "async a.x");
        assert!(slugs_on_toy(&builder).is_empty());
    }
}
