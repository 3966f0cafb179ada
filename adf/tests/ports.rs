//! Ports of sub-graphs in the text of a design.

mod common;

use aiec_collectives::Direction;
use common::{Graph, block, stream};

#[test]
fn an_array_of_ports_of_two_types_is_an_array_for_each() {
    let mut graph = Graph::new();
    graph.graph("g.core", "Core", Some(0));
    for at in 0..4 {
        for (kind, bytes) in [("ka", 64), ("kb", 128)] {
            let kernel = graph.kernel(&format!("g.core.{kind}[{at}]"), kind, &[block(bytes)], &[]);
            let number = 2 * at + u32::from(kind == "kb");
            let input = graph.plio(&format!("g.p[{number}]"), Direction::Out, &format!("p{number}.txt"));
            let gate = graph.gate(&format!("g.core.data[{number}]"), Direction::In);
            graph.connect(input, gate);
            graph.connect(gate, kernel.ins[0]);
        }
    }
    let adopted = graph.adopted();
    let text = aiec_adf::import(&adopted.design, &adopted.notes, "A graph.", None).text;
    for line in [
        "component Core(in data_0[4]: window int32[16], in data_1[4]: window int32[32]) {\n",
        "    connect data_0 -> ka.in0\n    connect data_1 -> kb.in0\n",
        "connect p[.. step 2] -> core.data_0\nconnect p[1.. step 2] -> core.data_1\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
}

/// A port has the type of the kernel inside, and none lies between two ports of one sub-graph.
#[test]
fn a_stream_of_one_sub_graph_fills_windows_of_another() {
    let mut graph = Graph::new();
    for (name, class) in [("g.left", "Left"), ("g.right", "Right"), ("g.past", "Past")] {
        graph.graph(name, class, Some(0));
    }
    let a = graph.kernel("g.left.a", "a", &[block(64)], &[stream(), stream()]);
    let b = graph.kernel("g.right.b", "b", &[block(64), block(64)], &[block(64)]);
    for (at, past) in [(0, false), (1, true)] {
        let leaves = graph.gate(&format!("g.left.d{at}"), Direction::Out);
        let enters = graph.gate(&format!("g.right.d{at}"), Direction::In);
        graph.connect(a.outs[at], leaves);
        graph.connect(enters, b.ins[at]);
        if past {
            let through = [("x", Direction::In), ("y", Direction::Out)];
            let through = through.map(|(name, way)| graph.gate(&format!("g.past.{name}"), way));
            graph.connect(leaves, through[0]);
            graph.connect(through[0], through[1]);
            graph.connect(through[1], enters);
        } else {
            graph.connect(leaves, enters);
        }
    }
    let adopted = graph.adopted();
    let text = aiec_adf::import(&adopted.design, &adopted.notes, "A graph.", None).text;
    for line in ["connect left.d0 -> right.d0\n", "connect left.a.out1 -> right.b.in1\n"] {
        assert!(text.contains(line), "{line}{text}");
    }
    assert!(
        text.contains("(out d0: stream int32) {") && text.contains("(in d0: window int32[16]) {"),
        "{text}"
    );
}
