//! Inputs and outputs in columns that follow from kernels.

mod common;

use aiec_adf::description::*;
use aiec_collectives::Direction;
use aiec_ir::{ExternalId, KernelId};
use common::{Graph, K, stream};

/// A kernel between an input and an output.
fn pass() -> (Graph, K, [Subject; 2]) {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "f", &[stream()], &[stream()]);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let output = graph.plio("g.out", Direction::In, "out.txt");
    graph.connect(input, kernel.ins[0]);
    graph.connect(kernel.outs[0], output);
    (graph, kernel, [0, 1].map(|at| Subject::External(ExternalIndex(at))))
}

fn noted(graph: &Graph) -> Vec<String> {
    graph.adopted().notes.left_out.into_iter().map(|one| one.what).collect()
}

#[test]
fn inputs_and_outputs_follow_a_kernel_that_nothing_fixes() {
    let (mut graph, kernel, [input, output]) = pass();
    let to = Subject::Kernel(kernel.index());
    graph.locate(input, &[Place::Relative { to, columns: Some(1), rows: None }]);
    graph.locate(output, &[Place::Relative { to: input, columns: Some(-3), rows: None }]);
    let design = graph.expanded();
    assert!(design.shims.is_empty() && graph.adopted().notes.left_out.is_empty());
    let ties = design.shim_ties.iter().map(|tie| (tie.external, tie.from, tie.columns));
    assert_eq!(
        ties.collect::<Vec<_>>(),
        [(ExternalId(0), KernelId(0), 1), (ExternalId(1), KernelId(0), -2)],
        "the output by way of the input"
    );
}

#[test]
fn an_output_follows_an_input_without_a_place() {
    let (mut graph, _, [input, output]) = pass();
    graph.locate(output, &[Place::Relative { to: input, columns: Some(2), rows: None }]);
    assert!(noted(&graph).is_empty());
    let design = graph.expanded();
    let links = design.shim_links.iter().map(|link| (link.external, link.from, link.columns));
    assert_eq!(links.collect::<Vec<_>>(), [(ExternalId(1), ExternalId(0), 2)]);
    assert!(design.shim_ties.is_empty() && design.shims.is_empty());
}
