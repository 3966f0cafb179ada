//! Readers of the branches of splits.

mod common;

use aiec_adf::description::SwitchKind;
use aiec_collectives::Direction;
use common::{Graph, block};

/// An input behind a split of three branches, with the readers of each by their numbers.
fn broadcasting(readers: [&[u32]; 3]) -> Graph {
    let mut graph = Graph::new();
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let (split, outs) = graph.switch(SwitchKind::Split, 3);
    graph.connect(input, split);
    for (branch, all) in outs.into_iter().zip(readers) {
        for at in all {
            let kernel = graph.kernel(&format!("g.k[{at}]"), "f", &[block(64)], &[]);
            graph.connect(branch, kernel.ins[0]);
        }
    }
    graph
}

#[test]
fn readers_of_one_branch_get_the_packets_of_one_number() {
    let numbers = |readers| {
        let design = broadcasting(readers).expanded();
        let reader = |id| design.kernels[design.kernel_of(design.connections[id].to).unwrap()].name.clone();
        let trunk = design.externals[aiec_ir::ExternalId(0)].port;
        let all = design.branches_of_splits(trunk).into_iter();
        all.map(|(number, readers)| (number, readers.into_iter().map(reader).collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    };
    let named = |all: &[(u32, &[u32])]| -> Vec<(u32, Vec<String>)> {
        let names = |of: &[u32]| of.iter().map(|at| format!("k[{at}]")).collect();
        all.iter().map(|&(number, of)| (number, names(of))).collect()
    };
    assert_eq!(numbers([&[0], &[1, 2], &[3, 4, 5]]), named(&[(0, &[0]), (1, &[1, 2]), (2, &[3, 4, 5])]));
    assert_eq!(numbers([&[0, 1], &[2, 3], &[4, 5]]), named(&[(0, &[0, 1]), (1, &[2, 3]), (2, &[4, 5])]));
    assert_eq!(numbers([&[0, 1], &[], &[2, 3]]), named(&[(0, &[0, 1]), (2, &[2, 3])]), "an open branch");
}

/// A merge of two kernels whose packets go to this number of kernels.
fn merged(readers: u32) -> Graph {
    let mut graph = Graph::new();
    let (merge, ins) = graph.switch(SwitchKind::Merge, 2);
    for (at, branch) in (0..).zip(ins) {
        let sender = graph.kernel(&format!("g.sender[{at}]"), "f", &[], &[block(64)]);
        graph.connect(sender.outs[0], branch);
    }
    for at in 0..readers {
        let reader = graph.kernel(&format!("g.reader[{at}]"), "f", &[block(64)], &[]);
        graph.connect(merge, reader.ins[0]);
    }
    graph
}

#[test]
fn merged_packets_go_to_one_reader() {
    assert_eq!(merged(1).expanded().switches.len(), 1);
    let fault = merged(2).fault();
    assert!(
        fault.starts_with("lower/unmodelled: aiec has no model of a broadcast of merged packets"),
        "{fault}"
    );
}
