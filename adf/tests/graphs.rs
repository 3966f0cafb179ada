//! What the statements of a graph become in a design.

mod common;

use aiec_adf::description::{
    AreaRules, EndType, ExternalIndex, GraphIndex, Place, PortType, Rectangle, Subject, SwitchKind, Table,
};
use aiec_collectives::{Buffering, Direction};
use aiec_ir::blocks::{Anchor, Block};
use aiec_ir::expanded::Owner;
use aiec_ir::fifos::FifoMemory;
use aiec_ir::{Carries, KernelId, ParameterId};
use common::{Graph, INT32, block, parameter, pass, stream, window};

#[test]
fn members_keep_their_paths_and_arrays_of_like_kernels_are_families() {
    let mut graph = Graph::new();
    for (path, output) in
        [("g.k[1]", stream()), ("g.k[0]", stream()), ("g.m[0]", stream()), ("g.m[1]", block(64))]
    {
        graph.kernel(path, "f", &[], &[output]);
    }
    graph.kernel("", "ns::f", &[], &[]);
    let design = graph.expanded();
    let names: Vec<&str> = design.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    assert_eq!(names, ["k[0]", "k[1]", "m[0]", "m[1]", "f0"]);
    assert_eq!(
        design.families.iter().map(|family| family.dims.clone()).collect::<Vec<_>>(),
        [vec![2], vec![], vec![], vec![]]
    );
    assert_eq!(design.port_name(design.kernels[KernelId(1)].outputs[0]), "k[1].out[0]");
}

#[test]
fn members_of_sub_graphs_have_the_names_of_instances() {
    let mut graph = Graph::new();
    let left = graph.graph("g.left", "Column<6>", Some(0));
    graph.graph("g.left.first", "Pair<6, 1>", Some(left));
    graph.kernel("g.left.first.k[0]", "stage", &[], &[]);
    graph.kernel("g.left.first.k[1]", "stage", &[], &[]);
    let design = graph.expanded();
    assert_eq!(design.families.iter().next().map(|family| family.name.as_str()), Some("left.first.k"));
    let subgraphs: Vec<_> =
        design.subgraphs.iter().map(|one| (one.name.as_str(), one.component.as_str())).collect();
    assert_eq!(subgraphs, [("left", "Column<6>"), ("left.first", "Pair<6, 1>")]);
    assert_eq!(design.subgraphs.iter().map(|one| one.families.len()).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn two_global_objects_keep_their_names() {
    let mut graph = Graph::new();
    graph.graph("h", "Top", None);
    graph.kernel("g.k", "f", &[], &[]);
    graph.kernel("h.k", "f", &[], &[]);
    let names: Vec<String> = graph.expanded().kernels.iter().map(|kernel| kernel.name.clone()).collect();
    assert_eq!(names, ["g.k", "h.k"]);
}

#[test]
fn connections_lead_through_the_ports_of_graphs_and_add_their_fifos() {
    let mut graph = Graph::new();
    let (a, b) = (graph.kernel("g.a", "a", &[], &[stream()]), graph.kernel("g.b", "b", &[stream()], &[]));
    let other = graph.kernel("g.c", "c", &[stream()], &[]);
    let (outer, inner) = (graph.gate("g.left.in", Direction::In), graph.gate("g.left.x.in", Direction::In));
    graph.connect(a.outs[0], outer).fifo = Some(8);
    graph.connect(outer, inner);
    graph.connect(inner, b.ins[0]).fifo = Some(32);
    graph.connect(outer, other.ins[0]);
    assert_eq!(graph.wires(), ["a.out[0] -> b.in[0]", "a.out[0] -> c.in[0]"]);
    let design = graph.expanded();
    let depths: Vec<Option<u32>> =
        design.connections.iter().map(|wire| wire.fifo.as_ref().map(|words| words.value)).collect();
    assert_eq!(depths, [Some(40), Some(8)]);
}

#[test]
fn a_circle_of_ports_of_graphs_ends() {
    let mut graph = Graph::new();
    let a = graph.kernel("g.a", "a", &[], &[stream()]);
    let gates = ["g.x", "g.y"].map(|path| graph.gate(path, Direction::In));
    graph.connect(a.outs[0], gates[0]);
    graph.connect(gates[0], gates[1]);
    graph.connect(gates[1], gates[0]);
    assert_eq!(graph.wires(), [""; 0]);
}

#[test]
fn sizes_of_windows_come_from_connect_or_from_the_other_end() {
    let mut graph = Graph::new();
    let a = graph.kernel("g.a", "a", &[window()], &[window()]);
    let b = graph.kernel("g.b", "b", &[block(128)], &[window()]);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    graph.connect(input, a.ins[0]).right = EndType::Window { bytes: 64, margin: 16 };
    graph.connect(a.outs[0], b.ins[0]);
    let notes = graph.adopted().notes;
    let design = graph.expanded();
    let carries = |name: &str| {
        let port = design.ports.ids().find(|&port| design.port_name(port) == name).expect("declared");
        design.ports[port].carries.expect("of a kernel").to_string()
    };
    assert_eq!(carries("a.in[0]"), "window int32[16] margin 4");
    assert_eq!(carries("a.out[0]"), "window int32[32]");
    assert_eq!(carries("b.out[0]"), "window int32[8]");
    let said: Vec<String> = notes.assumed.iter().map(ToString::to_string).collect();
    assert!(said.contains(&"a size of 32 bytes of b.out[0]".to_owned()), "{said:?}");
}

#[test]
fn marks_of_ports_belong_to_their_ends() {
    let (mut graph, kernel) = pass();
    graph.at(kernel.ins[0]).is_async = true;
    graph.at(kernel.ins[0]).async_repetitions = Some(3);
    graph.at(kernel.outs[0]).is_single = true;
    let design = graph.expanded();
    let [input, output] = [design.kernels[KernelId(0)].inputs[0], design.kernels[KernelId(0)].outputs[0]];
    assert!(design.ports[input].asynchronous && !design.ports[output].asynchronous);
    assert_eq!(design.windows_per_run(input), Some(3));
    let buffering: Vec<Buffering> = design.connections.iter().map(|wire| wire.buffering).collect();
    assert_eq!(buffering, [Buffering::Pingpong, Buffering::Single]);
}

#[test]
fn parameters_at_ports_of_the_graph_belong_to_the_host() {
    let (mut graph, _) = pass();
    let given = PortType::Parameter {
        element: INT32,
        elements: Some(2),
        initial: Some(vec![1, 0, 0, 0, 2, 0, 0, 0]),
    };
    let kernel = graph.kernel("g.c", "c", &[given, parameter()], &[parameter()]);
    let [gain, number, state] = ["g.gain", "g.number", "g.state"].map(|path| graph.gate(path, Direction::In));
    graph.connect(gain, kernel.ins[0]);
    graph.connect(number, kernel.ins[1]);
    graph.connect(kernel.outs[0], state);
    graph.at(kernel.ins[0]).is_async = true;
    graph.at(kernel.ins[1]).is_single = true;
    let design = graph.expanded();
    let copies: Vec<u32> = design.ports_of(KernelId(1)).map(|port| design.copies(port)).collect();
    assert_eq!(copies, [2, 1, 2]);
    let hosts: Vec<_> =
        design.parameters.iter().map(|host| (host.name.as_str(), host.direction, host.ports.len())).collect();
    assert_eq!(
        hosts,
        [("gain", Direction::Out, 1), ("number", Direction::Out, 1), ("state", Direction::In, 1)]
    );
    assert_eq!(design.parameters[ParameterId(0)].values.initial, [1, 2].map(aiec_ir::Decimal::from));
    let asynchronous: Vec<bool> =
        design.ports_of(KernelId(1)).map(|port| design.ports[port].asynchronous).collect();
    assert_eq!(asynchronous, [true, false, true]);
}

#[test]
fn splits_and_merges_have_their_branches_in_order_and_streams_at_them_are_packets() {
    let mut graph = Graph::new();
    let workers = ["g.k[0]", "g.k[1]"].map(|path| graph.kernel(path, "f", &[stream()], &[block(64)]));
    let (input, output) =
        (graph.plio("g.in", Direction::Out, "in.txt"), graph.plio("g.out", Direction::In, "out.txt"));
    let (split, outs) = graph.switch(SwitchKind::Split, 2);
    let (merge, ins) = graph.switch(SwitchKind::OrderedMerge, 2);
    for at in [1, 0] {
        graph.connect(outs[at], workers[at].ins[0]);
        graph.connect(workers[at].outs[0], ins[at]);
    }
    graph.connect(input, split);
    graph.connect(merge, output);
    assert_eq!(
        graph.wires(),
        ["in -> k[0].in[0]", "in -> k[1].in[0]", "k[0].out[0] -> out", "k[1].out[0] -> out"]
    );
    let design = graph.expanded();
    let kinds: Vec<_> = design.switches.iter().map(|switch| (switch.kind, switch.branches.len())).collect();
    let expected =
        [(aiec_ir::expanded::SwitchKind::Split, 2), (aiec_ir::expanded::SwitchKind::OrderedMerge, 2)];
    assert_eq!(kinds, expected);
    assert!(matches!(design.ports[design.kernels[KernelId(0)].inputs[0]].carries, Some(Carries::Packets(_))));
}

#[test]
fn splits_in_splits_and_merges_in_merges_are_one_switch() {
    let mut graph = Graph::new();
    let workers: Vec<_> =
        (0..3).map(|at| graph.kernel(&format!("g.k[{at}]"), "f", &[stream()], &[stream()])).collect();
    let (input, output) =
        (graph.plio("g.in", Direction::Out, "in.txt"), graph.plio("g.out", Direction::In, "out.txt"));
    let [(outer, outs), (inner, inner_outs)] = [0; 2].map(|_| graph.switch(SwitchKind::Split, 2));
    let [(last, ins), (first, first_ins)] = [0; 2].map(|_| graph.switch(SwitchKind::Merge, 2));
    graph.connect(input, outer);
    graph.connect(outs[0], inner);
    graph.connect(first, ins[0]);
    graph.connect(last, output);
    for (worker, (exit, entry)) in
        workers.iter().zip([(inner_outs[0], first_ins[0]), (inner_outs[1], first_ins[1]), (outs[1], ins[1])])
    {
        graph.connect(exit, worker.ins[0]);
        graph.connect(worker.outs[0], entry);
    }
    let design = graph.expanded();
    let branches: Vec<usize> = design.switches.iter().map(|switch| switch.branches.len()).collect();
    assert_eq!(branches, [3, 3]);
    assert!(graph.adopted().notes.left_out.is_empty());
}

#[test]
fn the_fifo_between_two_splits_is_on_the_way_to_the_branches_of_the_second() {
    let mut graph = Graph::new();
    let workers: Vec<_> =
        (0..3).map(|at| graph.kernel(&format!("g.k[{at}]"), "f", &[stream()], &[])).collect();
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let [(outer, outs), (inner, inner_outs)] = [0; 2].map(|_| graph.switch(SwitchKind::Split, 2));
    graph.connect(input, outer).fifo = Some(4);
    graph.connect(outs[0], inner).fifo = Some(16);
    graph.connect(inner_outs[0], workers[0].ins[0]).fifo = Some(8);
    graph.connect(inner_outs[1], workers[1].ins[0]);
    graph.connect(outs[1], workers[2].ins[0]);
    let design = graph.expanded();
    let words = |one: &aiec_ir::expanded::Connection| one.fifo.as_ref().map(|fifo| fifo.value);
    assert_eq!(design.connections.iter().map(words).collect::<Vec<_>>(), [Some(28), Some(20), Some(4)]);
}

#[test]
fn a_table_is_memory_of_its_reader_and_shared_ones_lie_with_the_first() {
    let (mut graph, kernel) = pass();
    let other = graph.kernel("g.other", "f", &[], &[]);
    for (of, path, bytes, is_shared) in
        [(&kernel, "g.taps", 64, false), (&kernel, "", 4096, false), (&other, "g.copy", 64, true)]
    {
        let path = Some(path.to_owned()).filter(|path| !path.is_empty());
        let table = Table { kernel: of.index(), path, bytes, is_shared, is_registered: true, site: None };
        graph.description.tables.push(table);
    }
    let table = |number| Subject::Table(kernel.index(), number);
    graph.locate(table(Some(0)), &[Place::Bank { column: 3, row: 1, bank: 2 }]);
    graph.locate(table(Some(7)), &[Place::Offset(0)]);
    let design = graph.expanded();
    let tables = |at: u32| {
        let ports = design.kernels[KernelId(at)].tables.iter();
        ports.map(|&id| (design.port_name(id), design.ports[id].carries)).collect::<Vec<_>>()
    };
    let carries = |bytes| Some(Carries::Table { bytes });
    assert_eq!(tables(0), [("k.param[0]".to_owned(), carries(64)), ("k.param[1]".to_owned(), carries(4096))]);
    assert_eq!(tables(1), []);
    assert_eq!(design.blocks.places[0].spots[0].to_string(), "(3, 1) bank 2");
    let adopted = graph.adopted();
    assert_eq!(
        adopted.tables.into_iter().collect::<Vec<_>>(),
        [("k.param[0]".to_owned(), "taps".to_owned()), ("other.param[0]".to_owned(), "copy".to_owned())]
    );
    let said: Vec<String> = adopted.notes.left_out.into_iter().map(|one| one.what).collect();
    assert_eq!(said, ["that `other` reaches the table of another kernel", "the location of `k.param[7]`"]);
}

#[test]
fn tables_and_stacks_follow_a_table_that_nothing_fixes() {
    let (mut graph, kernel) = pass();
    for bytes in [64, 128] {
        graph.description.tables.push(Table {
            kernel: kernel.index(),
            path: None,
            bytes,
            is_shared: false,
            is_registered: true,
            site: None,
        });
    }
    let table = |number| Subject::Table(kernel.index(), Some(number));
    let like = |to| [Place::Relative { to, columns: Some(0), rows: Some(0) }];
    graph.locate(table(1), &like(table(0)));
    graph.locate(Subject::Stack(kernel.index()), &like(table(1)));
    let design = graph.expanded();
    let [first, second] = design.kernels[KernelId(0)].tables[..] else { panic!("two tables") };
    let ties: Vec<_> = design.blocks.ties.iter().map(|tie| (tie.block, tie.from)).collect();
    let anchor = Anchor::Block(Block::Buffers(first));
    assert_eq!(ties, [(Block::Buffers(second), anchor), (Block::Stack(KernelId(0)), anchor)]);
    assert!(graph.adopted().notes.left_out.is_empty());
    // The graph around the kernel places the stack anew.
    graph.locate(Subject::Stack(kernel.index()), &[Place::Bank { column: 3, row: 1, bank: 2 }]);
    let design = graph.expanded();
    assert_eq!(design.blocks.ties.len(), 1);
    assert_eq!(design.blocks.places.iter().map(|place| place.modules()).collect::<Vec<_>>(), [[(3, 1)]]);
}

#[test]
fn an_input_in_the_column_of_a_placed_kernel_has_that_column() {
    let (mut graph, kernel) = pass();
    let to = Subject::Kernel(kernel.index());
    let (input, output) = [0, 1].map(|at| Subject::External(ExternalIndex(at))).into();
    graph.locate(to, &[Place::Tile { column: 3, row: 1 }]);
    graph.locate(input, &[Place::Relative { to, columns: Some(0), rows: None }]);
    graph.locate(output, &[Place::Relative { to: input, columns: Some(2), rows: None }]);
    let shims = graph.expanded().shims;
    assert_eq!(
        shims.iter().map(|shim| (shim.column(), shim.channel)).collect::<Vec<_>>(),
        [(Some(3), None), (Some(5), None)]
    );
}

#[test]
fn splits_and_merges_that_feed_each_other_are_refused() {
    let mut graph = Graph::new();
    let (split, outs) = graph.switch(SwitchKind::Split, 2);
    let (merge, ins) = graph.switch(SwitchKind::Merge, 2);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    graph.connect(input, split);
    graph.connect(outs[0], ins[1]);
    let kernel = graph.kernel("g.k", "f", &[stream()], &[]);
    graph.connect(merge, kernel.ins[0]);
    assert_eq!(
        graph.fault(),
        "lower/unmodelled: aiec has no model of splits and merges of packets that feed each other like this"
    );
}

/// A merge of two kernels, and a split of `ways` behind it, the last of which has two readers.
fn merge_into_split(ways: u32) -> Graph {
    let mut graph = Graph::new();
    let (merge, ins) = graph.switch(SwitchKind::Merge, 2);
    let (split, outs) = graph.switch(SwitchKind::Split, ways);
    for (at, &entry) in ins.iter().enumerate() {
        let sender = graph.kernel(&format!("g.a[{at}]"), "a", &[], &[block(64)]);
        graph.connect(sender.outs[0], entry);
    }
    graph.connect(merge, split);
    for at in 0..=ways as usize {
        let reader = graph.kernel(&format!("g.b[{at}]"), "b", &[block(64)], &[]);
        graph.connect(outs[at.min(ways as usize - 1)], reader.ins[0]);
    }
    graph
}

#[test]
fn streams_of_a_merge_leave_the_split_behind_it_in_the_same_order() {
    let graph = merge_into_split(2);
    let wires = ["a[0].out[0] -> b[0].in[0]", "a[1].out[0] -> b[1].in[0]", "a[1].out[0] -> b[2].in[0]"];
    assert_eq!(graph.wires(), wires);
    let left_out: Vec<String> = graph.adopted().notes.left_out.into_iter().map(|one| one.what).collect();
    assert_eq!(left_out, ["that the streams of a merge which a split takes apart share wires"]);
}

#[test]
fn a_split_behind_a_merge_has_as_many_ways() {
    // "The in-degree of pktmerge should be equal to the out-degree of pktsplit" (UG1079).
    assert!(merge_into_split(3).fault().contains("feed each other"));
}

#[test]
fn two_pairs_in_a_row_are_one_stream_each() {
    let mut graph = Graph::new();
    let mut front = Vec::new();
    for pair in 0..2 {
        let (merge, ins) = graph.switch(SwitchKind::Merge, 2);
        let (split, outs) = graph.switch(SwitchKind::Split, 2);
        graph.connect(merge, split);
        for (at, &entry) in ins.iter().enumerate() {
            let from = match pair {
                0 => graph.kernel(&format!("g.a[{at}]"), "a", &[], &[block(64)]).outs[0],
                _ => front[1 - at],
            };
            graph.connect(from, entry);
        }
        front = outs;
    }
    for (at, exit) in front.into_iter().enumerate() {
        let reader = graph.kernel(&format!("g.b[{at}]"), "b", &[block(64)], &[]);
        graph.connect(exit, reader.ins[0]);
    }
    assert_eq!(graph.wires(), ["a[1].out[0] -> b[0].in[0]", "a[0].out[0] -> b[1].in[0]"]);
}

#[test]
fn packets_of_a_split_that_a_merge_takes_whole_go_on_as_they_came() {
    let build = |others: bool| {
        let mut graph = Graph::new();
        let input = graph.plio("g.in", Direction::Out, "in.txt");
        let reader = graph.kernel("g.r", "r", &[PortType::Packets { element: None }], &[]);
        let (split, outs) = graph.switch(SwitchKind::Split, 2);
        let (merge, ins) = graph.switch(SwitchKind::Merge, 2 + u32::from(others));
        graph.connect(input, split);
        for (&from, &to) in outs.iter().zip(&ins) {
            graph.connect(from, to);
        }
        graph.connect(merge, reader.ins[0]);
        if others {
            let other = graph.kernel("g.k", "k", &[], &[block(64)]);
            graph.connect(other.outs[0], ins[2]);
        }
        graph
    };
    assert_eq!(build(false).wires(), ["in -> r.in[0]"]);
    assert!(build(true).fault().contains("feed each other"));
}

#[test]
fn a_ring_of_merges_and_splits_without_a_kernel_has_no_streams() {
    let mut graph = Graph::new();
    let (merge, ins) = graph.switch(SwitchKind::Merge, 1);
    let (split, outs) = graph.switch(SwitchKind::Split, 1);
    graph.connect(merge, split);
    graph.connect(outs[0], ins[0]);
    let reader = graph.kernel("g.b", "b", &[block(64)], &[]);
    graph.connect(outs[0], reader.ins[0]);
    assert_eq!(graph.wires(), [""; 0]);
}

#[test]
fn arrays_of_plio_are_one_declaration_if_numbers_alone_differ() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "f", &[stream(), stream()], &[]);
    for at in 0..2 {
        let input = graph.plio(&format!("g.in[{at}]"), Direction::Out, &format!("data/in{at}.txt"));
        graph.connect(input, kernel.ins[at]);
    }
    let other = ["a.txt", "b.txt"]
        .map(|file| graph.plio(&format!("g.o[{}]", u8::from(file == "b.txt")), Direction::In, file));
    assert_eq!(graph.at(other[0]).owner, aiec_adf::description::Owner::External(ExternalIndex(2)));
    let design = graph.adopted().design;
    let names: Vec<_> = design.externals.iter().map(|one| (one.name.as_str(), one.dims.len())).collect();
    assert_eq!(names, [("in", 1), ("o[0]", 0), ("o[1]", 0)]);
    let design = graph.expanded();
    assert_eq!(design.owner_name(Owner::External(aiec_ir::ExternalId(1))), "in[1]");
}

#[test]
fn stated_runs_scale_the_rates() {
    let mut graph = Graph::new();
    let a = graph.kernel("g.a", "a", &[], &[block(64)]);
    let b = graph.kernel("g.b", "b", &[block(128)], &[]);
    let alone = graph.kernel("g.c", "c", &[], &[]);
    graph.connect(a.outs[0], b.ins[0]);
    graph.of(&b).repetitions = Some(3);
    graph.of(&alone).repetitions = Some(5);
    let runs: Vec<u32> = graph.expanded().kernels.iter().map(|kernel| kernel.repetitions).collect();
    assert_eq!(runs, [6, 3, 5]);
    // No number of runs of `b` balances these.
    graph.of(&a).repetitions = Some(3);
    let runs: Vec<u32> = graph.expanded().kernels.iter().map(|kernel| kernel.repetitions).collect();
    assert_eq!(runs, [3, 3, 5]);
}

#[test]
fn locations_are_places_distances_regions_and_banks() {
    let (mut graph, kernel) = pass();
    let left = graph.graph("g.left", "Left", Some(0));
    let inner = graph.kernel("g.left.k", "f", &[], &[]);
    let of = |kernel: &common::K| Subject::Kernel(kernel.index());
    graph.locate(of(&kernel), &[Place::Tile { column: 3, row: 1 }]);
    let to = of(&kernel);
    graph.locate(of(&inner), &[Place::Relative { to, columns: Some(1), rows: Some(-1) }]);
    let area = Rectangle { column: 0, row: 0, last_column: 4, last_row: 3 };
    graph.locate(
        Subject::Graph(aiec_adf::description::GraphIndex(left)),
        &[Place::Area { area, is_cores: true }],
    );
    let banks = [0, 1].map(|bank| Place::Bank { column: 3, row: 1, bank });
    graph.locate(Subject::Port(kernel.ins[0]), &banks);
    graph.locate(Subject::Stack(kernel.index()), &[Place::Bank { column: 3, row: 1, bank: 3 }]);
    let design = graph.expanded();
    assert_eq!(design.places.iter().map(|place| (place.column, place.row)).collect::<Vec<_>>(), [(3, 1)]);
    assert_eq!(
        design.constraints.offsets.iter().map(|one| (one.columns, one.rows)).collect::<Vec<_>>(),
        [(1, -1)]
    );
    assert_eq!(design.constraints.regions[0].kernels, [KernelId(1)]);
    let spots =
        |at: usize| design.blocks.places[at].spots.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        (spots(0), spots(1)),
        (vec!["(3, 1) bank 0".into(), "(3, 1) bank 1".into()], vec!["(3, 1) bank 3".to_owned()])
    );
}

#[test]
fn an_area_group_of_a_graph_holds_for_its_kernels_and_for_its_inputs_and_outputs() {
    let (mut graph, _) = pass();
    let left = GraphIndex(graph.graph("g.left", "Left", Some(0)));
    let inner = graph.kernel("g.left.k", "f", &[block(64)], &[]);
    let own = graph.plio("g.left.in", Direction::Out, "left.txt");
    graph.connect(own, inner.ins[0]);
    let cores = Rectangle { column: 7, row: 0, last_column: 13, last_row: 7 };
    let row = Rectangle { column: 7, row: 0, last_column: 13, last_row: 0 };
    let far = Rectangle { column: 20, last_column: 20, ..row };
    let places =
        [(cores, true), (row, false), (far, false)].map(|(area, is_cores)| Place::Area { area, is_cores });
    graph.locate(Subject::Graph(left), &places);
    let design = graph.expanded();
    assert_eq!(design.constraints.regions[0].kernels, [KernelId(1)]);
    assert_eq!(design.constraints.regions[0].areas.len(), 1);
    let shims: Vec<_> = design
        .shims
        .iter()
        .map(|place| (design.externals[place.external].name.as_str(), place.columns()))
        .collect();
    assert_eq!(shims, [("left.in", "columns 7 to 13 or 20".to_owned())]);
    assert!(graph.adopted().notes.left_out.is_empty());
}

#[test]
fn kernels_outside_a_graph_leave_the_tiles_that_it_has_for_itself() {
    let (mut graph, _) = pass();
    let left = GraphIndex(graph.graph("g.left", "Left", Some(0)));
    graph.kernel("g.left.k", "f", &[], &[]);
    graph.description.rules.push(AreaRules {
        of: vec![Subject::Graph(left)],
        tiles: vec![Rectangle { column: 0, row: 0, last_column: 49, last_row: 3 }],
        contains_nets: true,
        excludes_nets: false,
        excludes_nodes: true,
        site: None,
    });
    let design = graph.expanded();
    let region = &design.constraints.regions[0];
    assert_eq!((region.kernels.as_slice(), region.areas.len()), (&[KernelId(0)][..], 1));
    assert_eq!((region.areas[0].from, region.areas[0].to), ((0, 4), (49, 7)));
    let notes = graph.adopted().notes.left_out;
    let said: Vec<String> = notes.into_iter().map(|one| one.what).collect();
    assert_eq!(said, ["that nets stay inside the area group of `g.left`"]);
}

/// UG1079 ("FIFO Location Constraints"): a constraint without a location states the type alone.
#[test]
fn a_fifo_may_state_what_holds_it_without_a_place() {
    let fifo = Subject::Fifo(aiec_adf::description::ConnectionIndex(0));
    for (place, memory) in
        [(Place::DmaFifo(None), FifoMemory::Module), (Place::SwitchFifo(None), FifoMemory::Switches)]
    {
        let (mut graph, _) = pass();
        graph.description.connections[0].fifo = Some(32);
        graph.locate(fifo, &[place]);
        assert_eq!(graph.adopted().notes.left_out.len(), 0);
        let stated: Vec<_> = graph.expanded().connections.iter().map(|one| one.fifo_memory).collect();
        assert_eq!(stated, [Some(memory), None]);
    }
}

#[test]
fn what_a_design_cannot_hold_is_noted() {
    let (mut graph, kernel) = pass();
    let fifo = Subject::Fifo(aiec_adf::description::ConnectionIndex(0));
    graph.locate(fifo, &[Place::DmaFifo(None), Place::SwitchFifo(None)]);
    let to = Subject::Kernel(kernel.index());
    graph.locate(to, &[Place::Relative { to, columns: None, rows: None }]);
    let notes = graph.adopted().notes;
    let said: Vec<&str> = notes.left_out.iter().map(|one| one.what.as_str()).collect();
    assert_eq!(
        said,
        [
            "the location of the FIFO from `g.in` to `k.in[0]`",
            "that the place of `k` follows from that of `k`"
        ]
    );
    let assumed: Vec<String> = notes.assumed.iter().map(ToString::to_string).collect();
    assert_eq!(assumed, ["a stack of 1024 bytes of k", "a heap of 512 bytes of k"]);
}

/// UG1079, "AI Engine Memory": the tools compute the heap of a graph that states none.
#[test]
fn a_heap_takes_what_the_blocks_in_the_bank_of_its_stack_leave() {
    let heap = |bytes| {
        let mut graph = Graph::new();
        let kernel = graph.kernel("g.k", "f", &[], &[block(bytes)]);
        let output = graph.plio("g.out", Direction::In, "out.txt");
        graph.connect(kernel.outs[0], output);
        let bank = |bank| Place::Bank { column: 1, row: 0, bank };
        graph.locate(Subject::Stack(kernel.index()), &[bank(3)]);
        graph.locate(Subject::Port(kernel.outs[0]), &[bank(2), bank(3)]);
        let memory = aiec_device::builtin("xcvc1902").and_then(|device| device.into_parts().0);
        graph.expanded().heap_bytes(KernelId(0), &memory.expect("built in").memory)
    };
    // A bank has 8192 bytes, of which the stack takes 1024 and the sync area 32.
    assert_eq!([1600, 7104, 7168].map(heap), [1024, 32, 0]);
}

#[test]
fn two_outputs_may_write_one_file() {
    let mut graph = Graph::new();
    let kernel = graph.kernel("g.k", "f", &[], &[stream(), stream()]);
    for (at, name) in ["g.a", "g.b"].into_iter().enumerate() {
        let output = graph.plio(name, Direction::In, "out.txt");
        graph.connect(kernel.outs[at], output);
    }
    assert_eq!(graph.wires(), ["k.out[0] -> a", "k.out[1] -> b"]);
}
