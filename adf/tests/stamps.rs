//! Graphs that are placed like others: `location<graph>(a) = stamp(location<graph>(b))`.

mod common;

use aiec_adf::description::{GraphIndex, Place, Rectangle, Subject};
use aiec_ir::KernelId;
use aiec_ir::constraints::Offset;
use common::Graph;

/// Two graphs `first` and `second` of two kernels, the second a stamp of the first.
fn stamped() -> (Graph, [GraphIndex; 2], [Subject; 4]) {
    let mut graph = Graph::new();
    let graphs = ["g.first", "g.second"].map(|path| GraphIndex(graph.graph(path, "Pair", Some(0))));
    let kernels = ["first.a", "first.b", "second.a", "second.b"];
    let kernels = kernels.map(|name| graph.kernel(&format!("g.{name}"), "f", &[], &[]));
    for (at, of) in kernels.iter().enumerate() {
        graph.of(of).graph = Some(graphs[at / 2]);
    }
    let stamp = Place::Relative { to: Subject::Graph(graphs[0]), columns: None, rows: None };
    graph.locate(Subject::Graph(graphs[1]), std::slice::from_ref(&stamp));
    (graph, graphs, kernels.map(|of| Subject::Kernel(of.index())))
}

/// A kernel, the one that it counts from, and the columns and rows between them.
type Distance = (u32, u32, i64, i64);

/// The distances between kernels, and what is left out.
fn distances(graph: &Graph) -> (Vec<Distance>, Vec<String>) {
    let offset = |one: &Offset<KernelId>| (one.kernel.0, one.from.0, one.columns, one.rows);
    let offsets = graph.expanded().constraints.offsets.iter().map(offset).collect();
    let notes = graph.adopted().notes.left_out.into_iter().map(|one| one.what);
    (offsets, notes.filter(|what| *what != LIKE).collect())
}

/// What a design never has of a stamp.
const LIKE: &str =
    "that the buffers and stacks of the graph `g.second` lie like those of the graph `g.first`";

#[test]
fn a_stamp_repeats_the_distances_that_its_reference_states() {
    let (mut graph, _, of) = stamped();
    let said = "that the place of the graph `g.second` follows from that of the graph `g.first`";
    assert_eq!(distances(&graph), (vec![], vec![said.to_owned()]));
    graph.locate(of[1], &[Place::Relative { to: of[0], columns: Some(2), rows: Some(-1) }]);
    assert_eq!(distances(&graph), (vec![(3, 2, 2, -1), (1, 0, 2, -1)], vec![]));
    assert_eq!(
        graph.adopted().notes.left_out.iter().map(|one| one.what.as_str()).collect::<Vec<_>>(),
        [LIKE]
    );
}

/// UG1079 ("IsomorphicGraphGroup Constraint"): all graphs of a stamp have areas of one size.
#[test]
fn a_stamp_of_free_kernels_lies_as_far_away_as_its_area() {
    let area = |column, row, last_column, last_row| Place::Area {
        area: Rectangle { column, row, last_column, last_row },
        is_cores: true,
    };
    let to = |last_row| {
        let (mut graph, [first, second], of) = stamped();
        graph.locate(Subject::Graph(first), &[area(4, 0, 7, 3), area(8, 0, 8, 1)]);
        graph.locate(Subject::Graph(second), &[area(14, 4, 17, 7), area(18, 4, 18, last_row)]);
        (graph, of)
    };
    assert_eq!(distances(&to(6).0).1.len(), 1, "of another size");
    let (mut graph, of) = to(5);
    assert_eq!(distances(&graph), (vec![(2, 0, 10, 4), (3, 1, 10, 4)], vec![]));
    graph.locate(of[1], &[Place::Tile { column: 5, row: 1 }]);
    graph.locate(of[3], &[Place::Tile { column: 14, row: 5 }]);
    assert_eq!(distances(&graph), (vec![(2, 0, 9, 4), (3, 1, 9, 4)], vec![]), "as two kernels lie");
}
