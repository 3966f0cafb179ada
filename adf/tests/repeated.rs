//! Names that several objects of a graph have.

mod common;

use aiec_collectives::Direction;
use common::{Graph, stream};

/// The linker connects inputs and outputs by their names (UG1076, `stream_connect`).
#[test]
fn a_name_that_two_inputs_have_is_noted() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "f", &[stream(), stream()], &[]);
    for (at, path) in ["g.p[0]", "g.p[1]"].into_iter().enumerate() {
        let port = graph.plio(path, Direction::Out, "in.txt");
        graph.connect(port, kernel.ins[at]);
    }
    assert!(graph.adopted().notes.left_out.is_empty());
    for external in &mut graph.description.externals {
        external.logical = "in.txt".to_owned();
    }
    assert!(graph.adopted().notes.left_out.is_empty(), "that is the file");
    for external in &mut graph.description.externals {
        external.logical = "In".to_owned();
    }
    let notes = graph.adopted().notes.left_out;
    let said: Vec<String> = notes.into_iter().map(|one| one.what).collect();
    assert_eq!(said, ["the name `In` of p[1], which p[0] has already"]);
}
