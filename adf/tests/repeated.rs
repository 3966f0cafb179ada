//! Names that several objects of a graph have.

mod common;

use aiec_collectives::Direction;
use aiec_diag::Span;
use common::{Graph, stream};

/// The check of the design names both (UG1079, "Programming Model Features").
#[test]
fn inputs_of_one_name_keep_their_statements() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "f", &[stream(), stream()], &[]);
    for (at, path) in ["g.p[0]", "g.p[1]"].into_iter().enumerate() {
        let port = graph.plio(path, Direction::Out, &format!("in{at}.txt"));
        graph.connect(port, kernel.ins[at]);
    }
    let ends = |graph: &Graph| -> Vec<(String, Span)> {
        let design = graph.expanded();
        design.externals.iter().map(|one| (one.logical.clone(), one.span)).collect()
    };
    let named = |graph: &mut Graph, names: [&str; 2]| {
        for (external, name) in graph.description.externals.iter_mut().zip(names) {
            name.clone_into(&mut external.logical);
        }
    };
    let own = ends(&graph);
    assert_ne!(own[0].0, own[1].0, "the tools choose names that differ");
    named(&mut graph, ["in0.txt", "in1.txt"]);
    assert_eq!(ends(&graph), own, "those are the files");
    named(&mut graph, ["In", "Other"]);
    assert_eq!(ends(&graph)[0].1, ends(&graph)[1].1, "one declaration");
    named(&mut graph, ["In", "In"]);
    let [(first, at), (second, below)] = &ends(&graph)[..] else { unreachable!("two inputs") };
    assert_eq!((first.as_str(), second.as_str()), ("In", "In"));
    assert_ne!(at, below, "each has its own `create`");
}
