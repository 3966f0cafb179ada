//! Graphs as the text of designs, and back.

mod common;

use aiec_adf::description::{
    ConnectionIndex, GraphIndex, Keepout, Place, PortIndex, Rectangle, Subject, SwitchFifo, SwitchKind,
};
use aiec_collectives::Direction;
use aiec_diag::Sources;
use aiec_ir::Expanded;
use aiec_test_support::Plain;
use aiec_test_support::form::first_difference;
use common::{Graph, block, expanded, parameter, stream, window};

fn imported(graph: &Graph) -> String {
    let adopted = graph.adopted();
    let design = adopted.arrays.as_ref().unwrap_or(&adopted.design);
    let text = aiec_adf::import(design, &adopted.notes, "A graph.", None).text;
    assert_eq!(first_difference(&expanded(design), &lowered(&text)), None, "{text}");
    text
}

fn lowered(text: &str) -> Expanded {
    let mut sources = Sources::default();
    let id = sources.add("design.dsl", text);
    let file = sources.get(id).expect("added above");
    let program = aiec_dsl::parse(file).into_parts().0.expect("it parses");
    assert_eq!(aiec_dsl::print(file, &program), text, "the text is in canonical form");
    let outcome = aiec_lower::lower(&program, &aiec_lower::Options::default());
    let outcome = outcome.and_then(|design| aiec_lower::expand(&design, &Plain));
    let (expanded, diagnostics) = outcome.into_parts();
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:#?}");
    expanded.expect("no faults")
}

#[test]
fn equal_steps_become_ranges_and_loops() {
    let mut graph = Graph::new();
    let inputs: Vec<_> =
        (0..8).map(|at| graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("in{at}.txt"))).collect();
    let output = graph.plio("g.out", Direction::In, "out.txt");
    let leaves: Vec<_> = (0..4)
        .map(|at| graph.kernel(&format!("g.leaf[{at}]"), "leaf", &[stream(), stream()], &[block(64)]))
        .collect();
    let all = graph.kernel("g.all", "all", &[block(64)], &[block(64)]);
    for (at, leaf) in leaves.iter().enumerate() {
        graph.connect(inputs[2 * at], leaf.ins[0]);
        graph.connect(inputs[2 * at + 1], leaf.ins[1]);
        graph.locate(Subject::Kernel(leaf.index()), &[Place::Tile { column: 10 + at as i64, row: 1 }]);
    }
    graph.connect(leaves[0].outs[0], all.ins[0]);
    graph.connect(all.outs[0], output);
    let text = imported(&graph);
    assert!(text.contains("connect in_port[.. step 2] -> leaf.in0\n"), "{text}");
    assert!(text.contains("connect in_port[1.. step 2] -> leaf.in1\n"), "{text}");
    assert!(text.contains("for i in 0..4 {\n    place leaf[i] at (i + 10, 1)\n}\n"), "{text}");
}

#[test]
fn comments_keep_the_names_for_the_tools() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "work", &[], &[stream()]);
    let output = graph.plio("g.out", Direction::In, "out.txt");
    graph.connect(kernel.outs[0], output);
    assert!(
        imported(&graph).contains("// In the graph `out_port` is g_out.\n"),
        "the name that the linker has"
    );
    graph.description.externals[0].logical = "DataOut1".to_owned();
    assert!(imported(&graph).contains("// In the graph `out_port` is DataOut1.\n"));
}

#[test]
fn closed_tiles_are_keepouts() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "work", &[], &[stream()]);
    let output = graph.plio("g.out", Direction::In, "out.txt");
    graph.connect(kernel.outs[0], output);
    let area = Rectangle { column: 6, row: 0, last_column: 7, last_row: 7 };
    graph.description.keepouts.push(Keepout { area, site: None });
    assert!(imported(&graph).contains("keepout (6, 0) to (7, 7)\n"));
}

#[test]
fn a_broadcast_to_a_family_is_one_line() {
    let mut graph = Graph::new();
    let input = graph.plio("g.samples", Direction::Out, "in.txt");
    for at in 0..5 {
        let kernel = graph.kernel(&format!("g.k[{at}]"), "work", &[stream()], &[]);
        graph.connect(input, kernel.ins[0]).fifo = Some(16);
    }
    assert!(imported(&graph).contains("connect samples -> k.in0 fifo 16\n"));
}

#[test]
fn every_kind_of_port_comes_back() {
    let mut graph = Graph::new();
    let cascade = aiec_adf::description::PortType::Cascade { lanes: Some("acc48".into()) };
    let a = graph.kernel("g.left.a", "ns::a", &[window(), parameter()], &[cascade.clone(), parameter()]);
    let b = graph.kernel("g.b", "b", &[cascade, stream()], &[block(64)]);
    let (input, output) =
        (graph.plio("g.in", Direction::Out, "in.txt"), graph.plio("g.out", Direction::In, "out.txt"));
    let gain = graph.gate("g.gain", Direction::In);
    let (split, branches) = graph.switch(SwitchKind::Split, 2);
    graph.connect(input, split);
    graph.connect(branches[0], a.ins[0]);
    graph.connect(branches[1], b.ins[1]);
    graph.connect(gain, a.ins[1]);
    graph.connect(a.outs[0], b.ins[0]);
    graph.connect(b.outs[0], output);
    graph.of(&a).function = "a".into();
    graph.of(&a).template = vec!["int".into(), "128".into(), "false".into()];
    graph.of(&a).headers = vec!["a.h".into()];
    graph.at(a.ins[1]).is_single = true;
    let text = imported(&graph);
    assert!(text.contains("connect gain -> left_a.in1 buffer single\n"), "{text}");
    assert!(text.contains("connect in_port -> split left_a.in0, b.in1\n"), "{text}");
    assert!(text.contains("template (int32, 128, 0)"), "{text}");
}

/// UG1079, "Kernel Bypass". A design has the kernel alone.
#[test]
fn bypasses_are_left_out() {
    let mut graph = Graph::new();
    let k = graph.kernel("g.k", "work", &[window(), parameter()], &[block(64)]);
    graph.at(k.ins[1]).is_control = true;
    let (input, output) =
        (graph.plio("g.in", Direction::Out, "in.txt"), graph.plio("g.out", Direction::In, "out.txt"));
    let control = graph.gate("g.control", Direction::In);
    graph.connect(input, k.ins[0]);
    graph.connect(control, k.ins[1]);
    graph.connect(k.outs[0], output);
    let text = imported(&graph);
    assert!(text.contains("// Left out: the bypass of `g.k`.\n"), "{text}");
    assert!(text.contains("kernel k(in in0: window int32["), "{text}");
    assert!(!text.contains("parameter"), "{text}");
}

#[test]
fn further_readers_of_a_branch_have_a_split_from_its_number() {
    let mut graph = Graph::new();
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let (split, branches) = graph.switch(SwitchKind::Split, 3);
    graph.connect(input, split);
    for (at, branch) in [0, 1, 2, 1, 2].into_iter().enumerate() {
        let kernel = graph.kernel(&format!("g.k[{at}]"), "work", &[window()], &[]);
        graph.connect(branches[branch], kernel.ins[0]);
    }
    let text = imported(&graph);
    for line in ["connect in_port -> split k[0..3].in0\n", "connect in_port -> split from 1 k[3..5].in0\n"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn instances_with_other_functions_have_conditions() {
    let mut graph = Graph::new();
    for (at, function) in ["even", "odd", "even"].into_iter().enumerate() {
        graph.kernel(&format!("g.k[{at}]"), function, &[], &[stream()]);
    }
    let text = imported(&graph);
    let odd = "if i == 1 {\n        source   \"kernels/odd.cc\"\n        function odd\n    } else {\n";
    assert!(text.contains(odd), "{text}");
}

#[test]
fn properties_of_other_instances_have_conditions_of_their_own() {
    let mut graph = Graph::new();
    for (row, column) in (0..8).map(|at| (at / 4, at % 4)) {
        let function = if row == 0 { "first" } else { "second" };
        let k = graph.kernel(&format!("g.k[{row}][{column}]"), function, &[], &[stream()]);
        graph.of(&k).stack = (column % 2 == 1).then_some(2048);
    }
    let text = imported(&graph);
    for lines in [
        "    if i == 0 {\n        source   \"kernels/first.cc\"\n        function first\n    } else {\n",
        "    if j % 2 == 1 {\n        stack 2 KiB\n    }\n",
    ] {
        assert!(text.contains(lines), "{lines}{text}");
    }
}

#[test]
fn functions_keep_their_namespaces() {
    let mut graph = Graph::new();
    let work = graph.kernel("g.k", "ns::inner::work", &[], &[stream()]);
    graph.of(&work).init = Some("ns::start".into());
    graph.kernel("g.gather", "gather", &[], &[stream()]);
    let text = imported(&graph);
    assert!(text.contains("kernel k(out out0: stream int32) {"), "{text}");
    assert!(text.contains("    function ns::inner::work\n"), "{text}");
    assert!(text.contains("    init     \"ns::start\"\n"), "{text}");
    assert!(text.contains("    function gather\n"), "{text}");
}

/// Two kernels in a row in the sub-graph at `path`, whose template takes `taps`. The input of the
/// first one, and the output of the second one.
fn stage(graph: &mut Graph, path: &str, parent: u32, taps: i64) -> (PortIndex, PortIndex) {
    graph.graph(path, "lib::Stage<4>", Some(parent));
    let fir = graph.kernel(&format!("{path}.fir"), "fir", &[block(64)], &[block(64)]);
    graph.of(&fir).template = vec![taps.to_string()];
    graph.of(&fir).headers = vec!["fir.h".into()];
    let cut = graph.kernel(&format!("{path}.cut"), "cut", &[block(64)], &[block(64)]);
    graph.connect(fir.outs[0], cut.ins[0]);
    (fir.ins[0], cut.outs[0])
}

#[test]
fn like_sub_graphs_are_instances_of_one_component() {
    let mut graph = Graph::new();
    for at in 0..3 {
        let (input, output) = stage(&mut graph, &format!("g.lane[{at}]"), 0, 8 * (at + 1));
        let outside = graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("in{at}.txt"));
        graph.connect(outside, input);
        let outside = graph.plio(&format!("g.out[{at}]"), Direction::In, &format!("out{at}.txt"));
        graph.connect(output, outside);
    }
    let text = imported(&graph);
    assert!(text.contains("component Stage(VALUE0 = 8)() {\n"), "{text}");
    assert!(text.contains("        template (VALUE0)\n"), "{text}");
    assert!(text.contains("    connect fir.out0 -> cut.in0\n}\n"), "{text}");
    assert!(text.contains("instance lane[i: 3] of Stage(VALUE0 = 8 * i + 8)\n"), "{text}");
    assert!(text.contains("connect in_port -> lane.fir.in0\n"), "{text}");
}

#[test]
fn constants_of_an_array_of_instances_may_grow_with_two_indices() {
    let mut graph = Graph::new();
    for (row, column) in (0..6).map(|at| (at / 3, at % 3)) {
        stage(&mut graph, &format!("g.lane[{row}][{column}]"), 0, 10 * row - column + 20);
    }
    let text = imported(&graph);
    assert!(text.contains("instance lane[i: 2][j: 3] of Stage(VALUE0 = 10 * i - j + 20)\n"), "{text}");
}

/// The input of a kernel behind ports of the graphs `paths`, the outermost first.
fn behind(graph: &mut Graph, from: PortIndex, paths: &[&str], kernel: PortIndex) {
    let mut before = from;
    for path in paths {
        let port = graph.gate(path, Direction::In);
        graph.connect(before, port);
        before = port;
    }
    graph.connect(before, kernel);
}

#[test]
fn ports_and_sub_graphs_whose_names_end_in_numbers_are_arrays() {
    let mut graph = Graph::new();
    let outer = graph.graph("g.outer", "Outer", Some(0));
    for (row, column) in (0..6).map(|at| (at / 3, at % 3)) {
        let cell = format!("g.outer.cell_{row}_{column}");
        graph.graph(&cell, "Cell", Some(outer));
        let kernel = graph.kernel(&format!("{cell}.k"), "k", &[stream()], &[]);
        let outside = graph.plio(&format!("g.in_{row}_{column}"), Direction::Out, "in.txt");
        let ports = [format!("g.outer.left_{row}_{column}"), format!("{cell}.data")];
        behind(&mut graph, outside, &[&ports[0], &ports[1]], kernel.ins[0]);
    }
    let text = imported(&graph);
    for line in ["component Outer(in left[6]: stream int32) {\n", "    instance cell[2][3] of Cell\n"] {
        assert!(text.contains(line), "{line}{text}");
    }
}

#[test]
fn ports_of_sub_graphs_are_ports_of_components() {
    let mut graph = Graph::new();
    let outer = graph.graph("g.outer", "Outer", Some(0));
    graph.graph("g.outer.inner", "Inner", Some(outer));
    let a = graph.kernel("g.outer.inner.a", "a", &[block(64), stream()], &[block(64)]);
    let b = graph.kernel("g.outer.b", "b", &[block(64)], &[]);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let other = graph.plio("g.other", Direction::Out, "other.txt");
    let output = graph.plio("g.out", Direction::In, "out.txt");
    let (wide, narrow) =
        (graph.gate("g.outer.data[0]", Direction::In), graph.gate("g.outer.data[1]", Direction::In));
    let inner = graph.gate("g.outer.inner.data", Direction::In);
    graph.connect(input, wide);
    graph.connect(input, narrow);
    graph.connect(wide, inner);
    graph.connect(inner, a.ins[0]);
    graph.connect(narrow, b.ins[0]);
    behind(&mut graph, other, &["g.outer.words"], a.ins[1]);
    let leaves = graph.gate("g.outer.inner.result", Direction::Out);
    graph.connect(a.outs[0], leaves);
    graph.connect(leaves, output);
    let text = imported(&graph);
    for line in [
        "component Inner(in data: window int32[16], out result: window int32[16]) {\n",
        "    connect data -> a.in0\n    connect a.out0 -> result\n",
        "component Outer(in data[2]: window int32[16], in words: stream int32) {\n",
        "    connect data[0] -> inner.data\n    connect data[1] -> b.in0\n",
        "    connect words -> inner.a.in1\n",
        "connect in_port -> outer.data\n",
        "connect outer.inner.result -> out_port\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
}

#[test]
fn a_port_with_readers_of_several_types_is_left_out() {
    let mut graph = Graph::new();
    graph.graph("g.pair", "Pair", Some(0));
    let a = graph.kernel("g.pair.a", "a", &[block(64)], &[]);
    let b = graph.kernel("g.pair.b", "b", &[block(128)], &[]);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let port = graph.gate("g.pair.data", Direction::In);
    graph.connect(input, port);
    graph.connect(port, a.ins[0]);
    graph.connect(port, b.ins[0]);
    let text = imported(&graph);
    assert!(text.contains("component Pair() {\n"), "{text}");
    assert!(text.contains("connect in_port -> pair.a.in0\nconnect in_port -> pair.b.in0\n"), "{text}");
}

#[test]
fn like_ports_of_a_kernel_are_an_array() {
    let mut graph = Graph::new();
    let sum = graph.kernel("g.sum", "sum", &[stream(), stream(), stream(), stream()], &[block(64)]);
    let mixed = graph.kernel("g.mixed", "mixed", &[stream(), stream(), block(64)], &[stream()]);
    for at in 0..4 {
        let input = graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("in{at}.txt"));
        graph.connect(input, sum.ins[at]);
    }
    graph.connect(sum.outs[0], mixed.ins[2]);
    let text = imported(&graph);
    assert!(text.contains("kernel sum(in inputs[4]: stream int32, out out0: window int32[16])"), "{text}");
    assert!(
        text.contains("    in in0: stream int32,\n    in in1: stream int32,\n    in in2: window"),
        "{text}"
    );
    assert!(text.contains("connect in_port -> sum.inputs\n"), "{text}");
}

#[test]
fn what_a_stamp_repeats_is_one_statement() {
    let mut graph = Graph::new();
    let mut all = Vec::new();
    for at in 0..2 {
        graph.graph(&format!("g.lane[{at}]"), "Lane", Some(0));
        let a = graph.kernel(&format!("g.lane[{at}].a"), "a", &[], &[stream()]);
        let b = graph.kernel(&format!("g.lane[{at}].b"), "b", &[stream()], &[]);
        graph.connect(a.outs[0], b.ins[0]);
        let to = Subject::Kernel(a.index());
        graph.locate(Subject::Kernel(b.index()), &[Place::Relative { to, columns: Some(0), rows: Some(1) }]);
        all.push((a, b));
    }
    let to = Subject::Graph(GraphIndex(1));
    graph.locate(Subject::Graph(GraphIndex(2)), &[Place::Relative { to, columns: None, rows: None }]);
    let text = imported(&graph);
    assert_eq!(text.matches("place lane[1].b at lane[1].a + (0, 1)").count(), 1, "{text}");
    assert_eq!(text.matches("place lane[0].b at lane[0].a + (0, 1)").count(), 1, "{text}");
}

#[test]
fn sub_graphs_of_other_bodies_have_components_of_their_own() {
    let mut graph = Graph::new();
    let first = stage(&mut graph, "g.left", 0, 8);
    let second = stage(&mut graph, "g.right", 0, 8);
    let third = graph.graph("g.other", "lib::Stage<5>", Some(0));
    assert_eq!(third, 3);
    let only = graph.kernel("g.other.fir", "fir", &[block(64)], &[block(64)]);
    graph.connect(first.1, second.0);
    graph.connect(second.1, only.ins[0]);
    let text = imported(&graph);
    assert!(text.contains("component Stage_4() {\n") && text.contains("        template (8)\n"), "{text}");
    assert!(text.contains("component Stage_5() {\n"), "{text}");
    assert!(text.contains("instance left of Stage_4\ninstance right of Stage_4\n"), "{text}");
    assert!(text.contains("instance other of Stage_5\n"), "{text}");
    assert!(text.contains("connect left.cut.out0 -> right.fir.in0\n"), "{text}");
}

#[test]
fn values_without_a_common_step_stand_in_instances_of_their_own() {
    let mut graph = Graph::new();
    let outer = graph.graph("g.outer", "Outer", Some(0));
    for (at, taps) in [4, 8, 32].into_iter().enumerate() {
        stage(&mut graph, &format!("g.outer.bank[{at}]"), outer, taps);
    }
    let text = imported(&graph);
    assert!(text.contains("instance bank_1 of Stage(VALUE0 = 8)\n"), "{text}");
    assert!(text.contains("    instance bank_2 of Stage(VALUE0 = 32)\n}\n"), "{text}");
    assert!(text.contains("instance outer of Outer\n"), "{text}");
}

#[test]
fn a_graph_with_places_of_fifos_is_flat() {
    let mut graph = Graph::new();
    stage(&mut graph, "g.lane", 0, 8);
    let fifo = SwitchFifo { column: 2, row: Some(1), id: 0 };
    graph.locate(Subject::Fifo(ConnectionIndex(0)), &[Place::SwitchFifo(Some(fifo))]);
    let text = imported(&graph);
    assert!(!text.contains("component") && text.contains("lane_fir.out0 -> lane_cut.in0"), "{text}");
}

#[test]
fn graphs_deeper_than_components_may_lie_are_flat() {
    let mut graph = Graph::new();
    let (mut path, mut parent) = ("g".to_owned(), 0);
    for _ in 0..17 {
        path += ".next";
        parent = graph.graph(&path, "Block", Some(parent));
    }
    stage(&mut graph, &format!("{path}.last"), parent, 4);
    let text = imported(&graph);
    assert!(!text.contains("component") && text.contains("next_next_last_cut"), "{text}");
}

/// A chain of kernels `k0` to `k5` with an input and an output each.
#[test]
fn members_with_numbers_in_their_names_are_families() {
    let mut graph = Graph::new();
    for at in 0..6 {
        let kernel = graph.kernel(&format!("g.k{at}"), "work", &[stream()], &[stream()]);
        let input = graph.plio(&format!("g.in_{at}"), Direction::Out, &format!("in_{at}.txt"));
        let output = graph.plio(&format!("g.out_{at}"), Direction::In, &format!("out_{at}.txt"));
        graph.connect(input, kernel.ins[0]);
        graph.connect(kernel.outs[0], output);
    }
    let text = imported(&graph);
    for line in ["kernel k[6](", "input in_port[6] ", "connect k.out0 -> out_port\n"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.lines().count() < 20, "{text}");
}

/// Kernels `g.k[R][C]` in rows, between an input and an output for each row.
fn rows(rows: u32, columns: u32) -> Graph {
    let mut graph = Graph::new();
    for row in 0..rows {
        let mut last = graph.plio(&format!("g.in[{row}]"), Direction::Out, &format!("in{row}.txt"));
        for column in 0..columns {
            let k = graph.kernel(&format!("g.k[{row}][{column}]"), "pass", &[block(64)], &[block(64)]);
            graph.connect(last, k.ins[0]);
            let place = Place::Tile { column: 10 + i64::from(column), row: row.into() };
            graph.locate(Subject::Kernel(k.index()), &[place]);
            last = k.outs[0];
        }
        let output = graph.plio(&format!("g.out[{row}]"), Direction::In, &format!("out{row}.txt"));
        graph.connect(last, output);
    }
    graph
}

#[test]
fn rows_of_an_array_are_ranges_over_two_indices() {
    let text = imported(&rows(4, 6));
    for lines in [
        "kernel k[4][6](in in0: window int32[16], out out0: window int32[16]) {\n",
        "connect in_port -> k[..][0].in0\nconnect k[..][..5].out0 -> k[..][1..].in0\n",
        "connect k[..][5].out0 -> out_port\n",
        "for i in 0..4 {\n    for j in 0..6 {\n        place k[i][j] at (j + 10, i)\n    }\n}\n",
    ] {
        assert!(text.contains(lines), "{lines}{text}");
    }
}

#[test]
fn a_list_of_ports_and_an_array_of_kernels_are_whole_in_one_line() {
    let mut graph = Graph::new();
    for at in 0..12 {
        let k = graph.kernel(&format!("g.k[{}][{}]", at / 4, at % 4), "take", &[stream()], &[]);
        let input = graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("in{at}.txt"));
        graph.connect(input, k.ins[0]);
    }
    let text = imported(&graph);
    assert!(text.contains("connect in_port -> k.in0\n"), "{text}");
}

#[test]
fn columns_whose_order_is_not_that_of_the_array_are_a_loop_over_ranges() {
    let mut graph = Graph::new();
    let kernels: Vec<Vec<_>> = (0..4)
        .map(|row| {
            let kernel = |column| graph.kernel(&format!("g.k[{row}][{column}]"), "take", &[stream()], &[]);
            (0..5).map(kernel).collect()
        })
        .collect();
    for column in 0..5 {
        let input = graph.plio(&format!("g.in[{column}]"), Direction::Out, &format!("in{column}.txt"));
        for row in &kernels {
            graph.connect(input, row[column].ins[0]);
        }
    }
    let text = imported(&graph);
    assert!(text.contains("for i in 0..5 {\n    connect in_port[i] -> k[..][i].in0\n}\n"), "{text}");
}

#[test]
fn groups_of_a_whole_array_name_it_once() {
    let mut graph = rows(2, 3);
    let area = Rectangle { column: 8, row: 0, last_column: 20, last_row: 7 };
    graph.locate(Subject::Graph(GraphIndex(0)), &[Place::Area { area, is_cores: true }]);
    let text = imported(&graph);
    assert!(text.contains("region k in (8, 0) to (20, 7)\n"), "{text}");
}

#[test]
fn inputs_of_two_extents_are_one_array_or_an_array_for_each_row() {
    let text = |file: &dyn Fn(usize, usize) -> String| {
        let mut graph = Graph::new();
        for (row, column) in (0..6).map(|at| (at / 3, at % 3)) {
            let k = graph.kernel(&format!("g.k[{row}][{column}]"), "take", &[stream()], &[]);
            let path = format!("g.p[{row}][{column}]");
            let input = graph.plio(&path, Direction::Out, &file(row, column));
            graph.connect(input, k.ins[0]);
        }
        imported(&graph)
    };
    let whole = text(&|row, column| format!("in{}.txt", 3 * row + column));
    assert!(whole.contains("input p[6] from plio(32, \"in{}.txt\")\n"), "{whole}");
    assert!(whole.contains("connect p -> k.in0\n"), "{whole}");
    let rows = text(&|row, column| format!("in_{row}_{column}.txt"));
    assert!(rows.contains("input p_1[3] from plio(32, \"in_1_{}.txt\")\n"), "{rows}");
    assert!(rows.contains("connect p_0 -> k[0][..].in0\nconnect p_1 -> k[1][..].in0\n"), "{rows}");
}

#[test]
fn an_array_of_parameters_is_one_input() {
    let mut graph = Graph::new();
    for at in 0..3 {
        let k = graph.kernel(&format!("g.k[{at}]"), "take", &[stream(), parameter()], &[]);
        let input = graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("in{at}.txt"));
        graph.connect(input, k.ins[0]);
        let gain = graph.gate(&format!("g.gain[{at}]"), Direction::In);
        graph.connect(gain, k.ins[1]);
    }
    let text = imported(&graph);
    assert!(text.contains("input gain[3] from host"), "{text}");
    assert!(text.contains("connect gain -> k.in1\n"), "{text}");
}

#[test]
fn names_for_the_tools_that_grow_by_equal_steps_are_a_range() {
    let mut graph = Graph::new();
    for at in 0..4 {
        let k = graph.kernel(&format!("g.k[{at}]"), "take", &[stream()], &[]);
        let input = graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("in{at}.txt"));
        graph.connect(input, k.ins[0]);
        graph.description.externals[at].logical = format!("In{}", at + 1);
    }
    let adopted = graph.adopted();
    let own = aiec_adf::OwnPorts { reason: "it has", object: "g" };
    let text = aiec_adf::import(&adopted.design, &adopted.notes, "A graph.", Some(own)).text;
    assert!(text.contains(" called \"In{1..5}\"\n"), "{text}");
    let back = lowered(&text);
    let names: Vec<&str> = back.externals.iter().map(|external| external.logical.as_str()).collect();
    assert_eq!(names, ["In1", "In2", "In3", "In4"]);
}

#[test]
fn a_name_for_the_tools_that_nobody_knows_is_empty() {
    let mut graph = Graph::new();
    let k = graph.kernel("g.k", "take", &[stream()], &[]);
    let input = graph.plio("g.sub.x", Direction::Out, "x.txt");
    graph.connect(input, k.ins[0]);
    let adopted = graph.adopted();
    let own = aiec_adf::OwnPorts { reason: "it has", object: "g" };
    let text = aiec_adf::import(&adopted.design, &adopted.notes, "A graph.", Some(own)).text;
    assert!(text.contains("input sub_x from plio(32, \"x.txt\") called \"\"\n"), "{text}");
    assert_eq!(lowered(&text).externals[aiec_ir::ExternalId(0)].logical, "");
}

#[test]
fn objects_of_one_class_are_instances_of_a_component() {
    let mut graph = Graph::new();
    graph.description.graphs[0].path = Some("first".to_owned());
    graph.description.graphs[0].class = "Copy".to_owned();
    graph.graph("second", "Copy", None);
    for (of, object) in ["first", "second"].into_iter().enumerate() {
        let k = graph.kernel(&format!("{object}.k"), "copy", &[stream()], &[stream()]);
        let input = graph.plio(&format!("{object}.in"), Direction::Out, &format!("in{of}.txt"));
        let output = graph.plio(&format!("{object}.out"), Direction::In, &format!("out{of}.txt"));
        graph.connect(input, k.ins[0]);
        graph.connect(k.outs[0], output);
    }
    let text = imported(&graph);
    assert!(text.contains("design first_and_second\n"), "{text}");
    assert!(text.contains("instance first of Copy\ninstance second of Copy\n"), "{text}");
    assert!(text.contains("connect second_in -> second.k.in0\n"), "{text}");
    assert!(text.contains("apart first.k, second.k by core\n"), "{text}");
}
