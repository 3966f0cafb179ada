//! Inputs and outputs in columns that follow from kernels.

mod common;

use aiec_adf::description::*;
use aiec_collectives::Direction;
use aiec_ir::constraints::Area;
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

/// A rectangle between two corners in the order of the statement.
fn area(from: (i64, i64), to: (i64, i64), is_cores: bool) -> Place {
    let area = Rectangle { column: from.0, row: from.1, last_column: to.0, last_row: to.1 };
    Place::Area { area, is_cores }
}

#[test]
fn an_area_with_swapped_corners_holds_and_is_noted() {
    let (mut graph, kernel, [input, _]) = pass();
    graph.locate(Subject::Kernel(kernel.index()), &[area((7, 3), (4, 0), true)]);
    graph.locate(input, &[area((9, 0), (6, 0), false)]);
    let design = graph.expanded();
    assert_eq!(design.constraints.regions[0].areas, [Area { from: (4, 0), to: (7, 3) }]);
    assert_eq!(design.shims[0].ranges, [(6, 9)]);
    let end = "UG1079 has the least column and row first";
    let said = ["k", "g.in"].map(|of| format!("the order of the corners in the area of `{of}`: {end}"));
    assert_eq!(noted(&graph), said);
}

#[test]
fn a_kernel_lies_in_the_cores_of_an_area_and_an_input_in_its_columns() {
    let both = [area((4, 0), (7, 3), true), area((6, 0), (9, 0), false)];
    let (mut graph, kernel, [input, output]) = pass();
    graph.locate(Subject::Kernel(kernel.index()), &both);
    graph.locate(input, &both);
    let design = graph.expanded();
    assert_eq!(design.constraints.regions[0].areas, [Area { from: (4, 0), to: (7, 3) }]);
    assert_eq!((design.shims[0].ranges.as_slice(), noted(&graph)), (&[(6, 9)][..], vec![]));
    let (mut graph, ..) = pass();
    graph.locate(Subject::Kernel(kernel.index()), &both[1..]);
    graph.locate(output, &both[..1]);
    graph.locate(Subject::Stack(kernel.index()), &both[..1]);
    assert_eq!(
        noted(&graph),
        [
            "the area of `k` in the interface row, where no kernel runs",
            "the area of `g.out` outside the interface row",
            "the area of the stack of `k`: UG1079 has areas of nodes, and none of their memory",
        ]
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
