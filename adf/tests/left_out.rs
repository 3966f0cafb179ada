//! What the text of a design leaves out of a graph.

mod common;

use aiec_adf::description::{Place, Subject};
use common::{Graph, stream};

#[test]
fn what_has_no_counterpart_is_a_comment() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "work<Mode::fast>", &[], &[]);
    graph.locate(Subject::Other, &[Place::Offset(3)]);
    assert_eq!(kernel.index, 0);
    let adopted = graph.adopted();
    let imported = aiec_adf::import(&adopted.design, &adopted.notes, "A graph.", None);
    let expected = ["the location of a DMA channel or a switch", "the C++ name `work<Mode::fast>` of `k`"];
    assert_eq!(imported.left_out, expected);
    assert!(
        imported.text.starts_with("// A graph.\n// Left out: the location of a DMA channel"),
        "{}",
        imported.text
    );
}

#[test]
fn kernels_whose_arguments_have_no_words_are_one_declaration_and_one_comment() {
    let mut graph = Graph::new();
    for at in [0, 2, 5] {
        let kernel = graph.kernel(&format!("g.k[{at}]"), "Fir", &[stream()], &[]);
        graph.of(&kernel).is_class = true;
        graph.of(&kernel).arguments = Some(vec![format!("std::vector<cint16>{{{{{at}, 1}}}}")]);
    }
    let adopted = graph.adopted();
    let imported = aiec_adf::import(&adopted.design, &adopted.notes, "A graph.", None);
    assert_eq!(imported.left_out, ["the C++ name `Fir(...)` of `k[0]`, `k[2]` and `k[5]`"]);
    assert!(imported.text.contains("kernel Fir[3]("), "{}", imported.text);
}
