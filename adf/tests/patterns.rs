//! Access patterns of ports.

mod common;

use aiec_collectives::Direction;
use common::{Graph, block};

/// UG1079, "Tiling Parameters Specification": the tools add a DMA between the kernels.
#[test]
fn a_port_with_an_access_pattern_shares_no_buffers_with_its_reader() {
    let mut graph = Graph::new();
    let first = graph.kernel("g.first", "produce", &[block(64)], &[block(64)]);
    let second = graph.kernel("g.second", "consume", &[block(64)], &[block(64)]);
    let (input, output) =
        (graph.plio("g.in", Direction::Out, "in.txt"), graph.plio("g.out", Direction::In, "out.txt"));
    graph.connect(input, first.ins[0]);
    graph.connect(first.outs[0], second.ins[0]);
    graph.connect(second.outs[0], output);
    assert!(graph.expanded().blocks.apart.is_empty());
    graph.at(second.ins[0]).is_patterned = true;
    let design = graph.expanded();
    let apart: Vec<Vec<String>> = design
        .blocks
        .apart
        .iter()
        .map(|one| one.ports.iter().map(|&port| design.port_name(port)).collect())
        .collect();
    assert_eq!(apart, [["first.out[0]", "second.in[0]"]]);
    let notes = graph.adopted().notes.left_out;
    assert_eq!(notes.len(), 1);
    assert!(notes[0].what.starts_with("the order in which a DMA moves "), "{}", notes[0].what);
    graph.at(second.ins[0]).is_patterned = false;
    graph.at(first.ins[0]).is_patterned = true;
    assert!(graph.expanded().blocks.apart.is_empty(), "what comes from a PLIO passes a DMA anyway");
}
