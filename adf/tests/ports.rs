//! Ports of sub-graphs in the text of a design.

mod common;

use aiec_collectives::Direction;
use common::{Graph, block};

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
