//! Files with several graph objects.

mod common;

use aiec_adf::description::Place;
use aiec_adf::description::Subject;
use aiec_collectives::Direction;
use common::{Graph, K, stream};

/// Two objects, each with kernels of these ratios between an input and an output.
fn objects(ratios: &[f64]) -> (Graph, Vec<K>) {
    let mut graph = Graph::new();
    graph.description.graphs[0].path = Some("first".to_owned());
    graph.graph("second", "Top", None);
    let mut kernels = Vec::new();
    for (object, (at, &ratio)) in ["first", "second"].iter().flat_map(|one| {
        let each = ratios.iter().enumerate();
        each.map(move |ratio| (one, ratio))
    }) {
        let k = graph.kernel(&format!("{object}.k{at}"), "copy", &[stream()], &[stream()]);
        let input = graph.plio(&format!("{object}.in{at}"), Direction::Out, "in.txt");
        let output = graph.plio(&format!("{object}.out{at}"), Direction::In, "out.txt");
        graph.connect(input, k.ins[0]);
        graph.connect(k.outs[0], output);
        graph.of(&k).runtime = Some(ratio);
        kernels.push(k);
    }
    (graph, kernels)
}

/// The groups of kernels that share no core, by name.
fn apart(graph: &Graph) -> Vec<String> {
    let design = graph.expanded();
    let name = |&kernel: &_| design.kernels[kernel].name.clone();
    let groups = design.constraints.distinct.iter();
    groups.map(|group| group.kernels.iter().map(name).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn kernels_of_different_objects_share_no_core() {
    let (graph, _) = objects(&[0.3, 0.6]);
    let told = ["first.k0 second.k0", "first.k0 second.k1", "first.k1 second.k0"];
    assert_eq!(apart(&graph), told, "0.6 and 0.6 fit no core together");
    let span = graph.expanded().constraints.distinct[0].span;
    let site = graph.description.graphs[1].site.as_ref().expect("the object has a line");
    assert_eq!(span, site.span);
}

/// Thousands of pairs would make a placement take minutes.
#[test]
fn too_many_pairs_are_noted_but_for_those_on_one_tile() {
    let (mut graph, kernels) = objects(&[0.3; 65]);
    assert_eq!(apart(&graph).len(), 0);
    let noted: Vec<String> = graph.adopted().notes.left_out.into_iter().map(|one| one.what).collect();
    assert_eq!(noted, ["that kernels of different graph objects share no core: they are too many pairs"]);
    for k in [&kernels[3], &kernels[70]] {
        graph.locate(Subject::Kernel(k.index()), &[Place::Tile { column: 4, row: 0 }]);
    }
    assert_eq!(apart(&graph), ["first.copy[3] second.copy[5]"]);
}

#[test]
fn kernels_of_one_object_may_share_a_core() {
    let (mut graph, kernels) = objects(&[0.3]);
    graph.description.graphs[1].parent = Some(aiec_adf::description::GraphIndex(0));
    assert_eq!(apart(&graph), [""; 0], "the second is a member of the first");
    graph.description.graphs[1].parent = None;
    assert_eq!(apart(&graph).len(), 1);
    graph.of(&kernels[0]).runtime = None;
    assert_eq!(apart(&graph), [""; 0], "it has a core of its own");
}

#[test]
fn stated_tiles_make_further_statements_needless() {
    let (mut graph, kernels) = objects(&[0.3]);
    for (k, column) in kernels.iter().zip([4, 5]) {
        graph.locate(Subject::Kernel(k.index()), &[Place::Tile { column, row: 0 }]);
    }
    assert_eq!(apart(&graph), [""; 0]);
    graph.description.locations[1].places = vec![Place::Tile { column: 4, row: 0 }];
    assert_eq!(apart(&graph).len(), 1, "the check tells that they share one");
}
