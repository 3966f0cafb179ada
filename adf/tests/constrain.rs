//! Constraints of files as statements of a graph.

mod common;

use aiec_adf::constrain;
use aiec_adf::description::*;
use aiec_collectives::Direction;
use aiec_device::Device;
use aiec_diag::{Diagnostic, SourceFile, SourceId};
use aiec_ir::blocks::{Anchor, Block};
use aiec_ir::design::Instance;
use aiec_ir::{ExternalFamilyId, FamilyId};
use aiec_vendor::aiecst;
use common::{Graph, K, block, parameter, stream};

fn device() -> Device {
    aiec_device::builtin("xcvc1902").and_then(|device| device.into_parts().0).expect("built in")
}

/// Two kernels in a row, of which the graph places the first.
fn pair() -> (Graph, K, K) {
    let mut graph = Graph::new();
    let first = graph.kernel("g.first", "work", &[], &[block(64)]);
    let second = graph.kernel("g.second", "work", &[block(64)], &[stream()]);
    let out = graph.plio("g.out", Direction::In, "out.txt");
    graph.description.externals[0].logical = "Data Out".to_owned();
    graph.connect(first.outs[0], second.ins[0]);
    graph.connect(second.outs[0], out);
    graph.locate(Subject::Kernel(first.index()), &[Place::Tile { column: 3, row: 1 }]);
    (graph, first, second)
}

/// Adds the constraints of a text, and returns what the description does not hold.
fn constrained(graph: &mut Graph, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    let file = SourceFile { id: SourceId(1), name: "a.aiecst".to_owned(), text: text.to_owned() };
    let constraints = aiecst::read(&file).into_parts().0.expect("right form");
    let (left_out, faults) = constrain(&mut graph.description, &[constraints], &device()).into_parts();
    left_out.map(|all| all.into_iter().map(|one| one.what).collect()).ok_or(faults)
}

/// The locations in words, without those of the graph's own text.
fn locations(graph: &Graph) -> Vec<String> {
    let of_file = |site: &Option<Site>| site.as_ref().is_some_and(|site| site.span.source == SourceId(1));
    let locations = graph.description.locations.iter().filter(|one| of_file(&one.site));
    locations.map(|one| format!("{:?} {:?}", one.subject, one.places)).collect()
}

#[test]
fn kernels_stacks_buffers_and_outputs_are_found_by_their_names() {
    let (mut graph, ..) = pair();
    let left_out = constrained(
        &mut graph,
        r#"{"NodeConstraints": {
              "g.second": {"tile": {"column": 3, "row": 2}, "reserved_memory": {"column": 3, "row": 2, "bankId": 1, "offset": 32}},
              "Data Out": {"shim": {"column": 7, "channel": 1}}},
            "PortConstraints": {
              "g.second.in[0]": {"buffers": [{"column": 3, "row": 1, "offset": 64}, {"column": 3, "row": 1, "bankId": 2}]}}}"#,
    );
    assert_eq!(left_out.expect("known names"), [""; 0]);
    assert_eq!(
        locations(&graph),
        [
            "Kernel(KernelIndex(1)) [Tile { column: 3, row: 2 }]",
            "Stack(KernelIndex(1)) [Address { column: 3, row: 2, offset: 8224 }]",
            "External(ExternalIndex(0)) [Shim { column: 7, channel: Some(1) }]",
            "Port(PortIndex(1)) [Address { column: 3, row: 1, offset: 64 }, Bank { column: 3, row: 1, bank: 2 }]",
        ]
    );
}

#[test]
fn a_place_in_a_file_takes_that_of_the_graph() {
    let at = |column: u16| {
        format!(r#"{{"NodeConstraints": {{"g.first": {{"tile": {{"column": {column}, "row": 1}}}}}}}}"#)
    };
    let (mut graph, ..) = pair();
    assert_eq!(constrained(&mut graph, &at(3)).expect("known names"), [""; 0], "the same place twice");
    assert_eq!(graph.description.locations.len(), 1);
    let (mut graph, ..) = pair();
    let left_out = constrained(&mut graph, &at(4)).expect("known names");
    assert_eq!(
        left_out,
        ["the location of `g.first` in the graph, which a constraints file states otherwise"]
    );
    assert_eq!(graph.adopted().design.places[0].column, 4);
}

// `aiec place --aiecst` writes the channel that the graph leaves open.
#[test]
fn a_channel_in_a_file_is_no_other_place_than_its_column() {
    let file = r#"{"NodeConstraints": {"Data Out": {"shim": {"column": 7, "channel": 1}}}}"#;
    for (channel, left_out) in [
        (None, &[][..]),
        (Some(1), &[]),
        (Some(2), &["the location of `Data Out` in the graph, which a constraints file states otherwise"]),
    ] {
        let (mut graph, ..) = pair();
        graph.locate(Subject::External(ExternalIndex(0)), &[Place::Shim { column: 7, channel }]);
        assert_eq!(constrained(&mut graph, file).expect("known names"), left_out, "{channel:?}");
    }
}

#[test]
fn relations_and_areas_are_those_of_a_graph() {
    let (mut graph, ..) = pair();
    let left_out = constrained(
        &mut graph,
        r#"{"NodeConstraints": {"g.second": {"not_colocated_nodes": ["g.first"]}},
            "GlobalConstraints": {
              "areaGroup": {"name": "all", "nodeGroup": ["g.first", "g.second"], "tileGroup": ["(0,0):(49,7)"]},
              "areaGroup": {"name": "left", "nodeGroup": ["g.second"], "tileGroup": ["(0,0):(5,7)"]},
              "areaGroup": {"name": "free", "exclude": true, "tileGroup": ["(6,0):(7,7)"]}}}"#,
    );
    assert_eq!(left_out.expect("known names"), [""; 0]);
    let design = graph.adopted().design;
    assert_eq!(design.constraints.distinct.len(), 1);
    assert_eq!(design.constraints.regions.len(), 1, "an area of the whole array says nothing");
    assert!(design.constraints.keeps_out(6, 3) && !design.constraints.keeps_out(5, 3));
}

#[test]
fn a_group_with_its_tiles_for_itself_is_a_region_for_all_others() {
    let (mut graph, ..) = pair();
    let left_out = constrained(
        &mut graph,
        r#"{"GlobalConstraints": {"areaGroup": {"name": "a", "nodeGroup": ["g.first"],
            "tileGroup": ["(4,2):(5,3)"], "exclude_placement": true}}}"#,
    );
    assert_eq!(left_out.expect("known names"), [""; 0]);
    let regions = graph.adopted().design.constraints.regions;
    let corners =
        |at: usize| -> Vec<_> { regions[at].areas.iter().map(|area| (area.from, area.to)).collect() };
    assert_eq!(corners(0), [((4, 2), (5, 3))]);
    let around = [((0, 0), (3, 7)), ((4, 0), (5, 1)), ((4, 4), (5, 7)), ((6, 0), (49, 7))];
    assert_eq!(corners(1), around);
    assert_eq!((regions.len(), regions[1].kernels.len()), (2, 1));
}

/// AMD's tutorial of a 2-D FFT passes `fft_rows[0]*` to aiecompiler.
#[test]
fn a_star_stands_for_all_nodes_whose_names_begin_so() {
    let (mut graph, ..) = pair();
    let left_out = constrained(
        &mut graph,
        r#"{"GlobalConstraints": {"areaGroup": {"name": "a", "nodeGroup": ["g.f*", "g.*ond", "g.other[1]*"],
            "tileGroup": ["(4,2):(5,3)"]}}}"#,
    );
    assert_eq!(left_out.expect("no fault"), ["the pattern `g.other[1]*`, which matches no node"]);
    let regions = graph.adopted().design.constraints.regions;
    assert_eq!(regions.iter().map(|region| region.kernels.len()).sum::<usize>(), 2);
}

#[test]
fn an_output_without_a_logical_name_has_that_of_its_member() {
    let logical =
        |graph: &Graph| graph.adopted().design.externals.iter().next().expect("one").logical.clone();
    let (graph, ..) = pair();
    assert_eq!(logical(&graph), ["Data Out"]);
    let (mut graph, ..) = pair();
    graph.description.externals[0].logical = String::new();
    for name in ["g_out", "g.out", "out"] {
        let text = format!(r#"{{"NodeConstraints": {{"{name}": {{"shim": {{"column": 7}}}}}}}}"#);
        assert_eq!(constrained(&mut graph, &text).expect("a known name"), [""; 0]);
    }
    assert_eq!(logical(&graph), ["g_out"], "as the tools' own template has it for the linker");
    assert!(graph.adopted().unnamed.is_empty());
}

/// No public project tells these names, so constraint files leave them out.
#[test]
fn members_of_sub_graphs_and_kernels_in_variables_may_have_no_name_for_files() {
    let mut graph = Graph::new();
    let first = graph.kernel("", "work", &[stream()], &[stream()]);
    let input = graph.plio("g.in[0]", Direction::Out, "in.txt");
    let output = graph.plio("g.sub.out", Direction::In, "out.txt");
    graph.connect(input, first.ins[0]);
    graph.connect(first.outs[0], output);
    graph.description.tables.push(Table {
        kernel: first.index(),
        path: None,
        bytes: 64,
        is_shared: false,
        is_registered: false,
        site: None,
    });
    let unnamed: Vec<String> = graph.adopted().unnamed.into_keys().collect();
    assert_eq!(unnamed, ["sub.out", "work0", "work0.param[0]"]);
    let logical = |at: u32| graph.adopted().design.externals[ExternalFamilyId(at)].logical.clone();
    assert_eq!([logical(0), logical(1)], [["g_in_0_"], [""]], "as the linker calls an element");
}

#[test]
fn what_no_description_holds_is_listed() {
    let (mut graph, ..) = pair();
    let left_out = constrained(
        &mut graph,
        r#"{"NodeConstraints": {"g._dma[1]": {"tile": {"column": 3, "row": 2}}},
            "PortConstraints": {"g.taps": {"buffers": [{"column": 1, "row": 1, "bankId": 2}]},
                                "g.second.in[0]": {"buffers": [{"bankId": 2}]}},
            "GlobalConstraints": {"isomorphicGraphGroup": {"referenceGraph": "g", "stampedGraphs": ["g"]},
              "areaGroup": {"name": "a", "nodeGroup": ["g.first"], "tileGroup": ["(0,0):(5,7)"], "contain_routing": true}}}"#,
    );
    assert_eq!(
        left_out.expect("known names"),
        [
            "the place of `g._dma[1]`, a node of the mapper",
            "the place of the parameter `g.taps`",
            "a bank without its module",
            "that nets stay inside the area group `a`",
        ]
    );
}

/// Two readers of a split.
fn split() -> Graph {
    let mut graph = Graph::new();
    graph.graph("g", "Top", None);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let (trunk, branches) = graph.switch(SwitchKind::Split, 2);
    graph.connect(input, trunk);
    for (at, &branch) in branches.iter().enumerate() {
        let reader = graph.kernel(&format!("g.k[{at}]"), "work", &[block(64)], &[]);
        graph.connect(branch, reader.ins[0]);
    }
    graph
}

/// `*_mapped.aiecst` has the buffers behind a split at both ports (a public run of 2023.2).
#[test]
fn ports_of_splits_stand_for_the_ports_behind_them() {
    let text = |offset: u32, node: &str, port: &str| {
        format!(
            r#"{{"PortConstraints": {{
                "{node}.{port}": {{"buffers": [{{"column": 1, "row": 1, "bankId": 2, "offset": {offset}}}]}},
                "g.k[1].in[0]": {{"buffers": [{{"column": 1, "row": 1, "bankId": 2, "offset": 32}}]}}}},
              "GlobalConstraints": {{"areaGroup": {{"name": "a", "nodeGroup": ["g.k[0]", "g.sp[0]"], "tileGroup": ["(0,0):(49,7)"]}}}}}}"#
        )
    };
    assert_eq!(constrained(&mut split(), &text(32, "g.sp[0]", "out[1]")).expect("known names"), [""; 0]);
    for (offset, port) in [(64, "out[1]"), (32, "out[0]"), (32, "in[0]")] {
        let expected = [format!("the place of `g.sp[0].{port}`, a split or merge of packets")];
        let left_out = constrained(&mut split(), &text(offset, "g.sp[0]", port));
        assert_eq!(left_out.expect("known names"), expected);
    }
    for (node, port) in
        [("g.sp[0]", "out[2]"), ("g.k[0]", "out[1]"), ("g.far.sp", "out[1]"), ("g.sp[1]", "out[1]")]
    {
        let warnings = warned(&mut split(), &text(32, node, port));
        assert_eq!(warnings.len(), 1, "{node}.{port}");
    }
}

#[test]
fn fifos_belong_to_the_connection_to_their_port() {
    let (mut graph, _, second) = pair();
    let text = |port: &str| {
        format!(
            r#"{{"PortConstraints": {{
                "fifo_locations_records": {{"dma_fifos": {{"f": {{"tile_type": "core", "row": 0, "column": 2, "size": 16, "offset": 8, "bankId": 2}}}}}},
                "{port}": {{"fifo_locations": ["f"]}}}}}}"#
        )
    };
    assert_eq!(constrained(&mut graph, &text("g.second.out[0]")).expect("known names"), [""; 0]);
    let fifo = DmaFifo { column: 2, row: Some(0), address: 2 * 8192 + 8, words: 16 };
    assert_eq!(locations(&graph), [format!("Fifo(ConnectionIndex(1)) [DmaFifo(Some({fifo:?}))]")]);
    assert_eq!(graph.description.connections[1].from, second.outs[0]);
}

/// A FIFO of 16 words at the start of a module of the bottom row.
fn fifo_in(column: i64) -> Place {
    Place::DmaFifo(Some(DmaFifo { column, row: Some(0), address: 0, words: 16 }))
}

/// UG1079 ("FIFO Location Constraints") asks for one set of places for each connection from kernel
/// to kernel. The graph may state them at either side of a port, which several readers share.
#[test]
fn a_file_replaces_the_fifos_on_the_whole_way_through_a_port() {
    let through_a_port = || {
        let mut graph = Graph::new();
        graph.graph("g.s", "Sub", Some(0));
        let first = graph.kernel("g.s.first", "work", &[], &[stream()]);
        let second = graph.kernel("g.second", "work", &[stream()], &[]);
        let third = graph.kernel("g.third", "work", &[stream()], &[]);
        let gate = graph.gate("g.s.out", Direction::Out);
        graph.connect(first.outs[0], gate);
        graph.connect(gate, second.ins[0]);
        graph.connect(gate, third.ins[0]);
        graph.locate(Subject::Fifo(ConnectionIndex(0)), &[fifo_in(2)]);
        graph
    };
    let at = |column: u32| {
        format!(
            r#"{{"PortConstraints": {{
                "fifo_locations_records": {{"dma_fifos": {{"f": {{"row": 0, "column": {column}, "size": 16, "offset": 0}}}}}},
                "g.second.in[0]": {{"fifo_locations": ["f"]}}}}}}"#
        )
    };
    let columns = |graph: &Graph| -> Vec<Vec<i64>> {
        let links = graph.adopted().design.graph;
        links.edge_weights().map(|link| link.fifo_places.iter().map(|place| place.column).collect()).collect()
    };
    let mut graph = through_a_port();
    assert_eq!(columns(&graph), [[2], [2]]);
    assert_eq!(constrained(&mut graph, &at(2)).expect("known names"), [""; 0], "the same place twice");
    assert_eq!(columns(&graph), [[2], [2]]);
    let mut graph = through_a_port();
    let left_out = constrained(&mut graph, &at(3)).expect("known names");
    assert_eq!(left_out, ["the location in the graph, which a constraints file states otherwise"]);
    assert_eq!(columns(&graph), [[3], [2]], "the other reader keeps the graph's place");
}

/// AMD's mapper writes FIFOs at the port of an output, and the buffers behind an input at its port
/// (Xilinx/Vitis-Tutorials, 21-Back-Projection-SAR, `sar_top_1engine_app_aie_routed.aiecst`).
#[test]
fn ports_of_inputs_and_outputs_stand_for_the_ends_of_their_connections() {
    let mut graph = Graph::new();
    let only = graph.kernel("g.only", "work", &[block(64)], &[stream()]);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    let output = graph.plio("g.out", Direction::In, "out.txt");
    graph.connect(input, only.ins[0]);
    graph.connect(only.outs[0], output);
    let text = r#"{"PortConstraints": {
        "g.in.out[0]": {"buffers": [{"column": 1, "row": 0, "offset": 64}]},
        "fifo_locations_records": {"dma_fifos": {"f": {"row": 0, "column": 2, "size": 16, "offset": 0}}},
        "g.out.in[0]": {"fifo_locations": ["f"]}}}"#;
    assert_eq!(constrained(&mut graph, text).expect("known names"), [""; 0]);
    let fifo = DmaFifo { column: 2, row: Some(0), address: 0, words: 16 };
    let buffers = format!("{:?} [Address {{ column: 1, row: 0, offset: 64 }}]", Subject::Port(only.ins[0]));
    assert_eq!(locations(&graph), [buffers, format!("Fifo(ConnectionIndex(1)) [DmaFifo(Some({fifo:?}))]")]);
}

/// The same file has a third block for an async parameter: its selector word.
#[test]
fn the_selector_word_of_a_parameter_may_have_a_place() {
    let mut graph = Graph::new();
    let only = graph.kernel("g.only", "work", &[parameter()], &[stream()]);
    let text = r#"{"PortConstraints": {"g.only.in[0]": {"buffers": [
        {"column": 1, "row": 0, "offset": 0}, {"column": 1, "row": 0, "offset": 32}, {"column": 1, "row": 0, "offset": 64}]}}}"#;
    let left_out = constrained(&mut graph, text).expect("known names");
    assert_eq!(left_out, ["the place of the selector word of `g.only.in[0]`"]);
    let place = |offset: u32| format!("Address {{ column: 1, row: 0, offset: {offset} }}");
    let both = format!("{:?} [{}, {}]", Subject::Port(only.ins[0]), place(0), place(32));
    assert_eq!(locations(&graph), [both]);
}

#[test]
fn a_fifo_without_a_record_is_named() {
    let (mut graph, ..) = pair();
    let text = r#"{"PortConstraints": {"g.second.out[0]": {"fifo_locations": ["f"]}}}"#;
    assert_eq!(constrained(&mut graph, text).expect("known names"), ["the FIFO `f`, which has no record"]);
    assert_eq!(locations(&graph), [""; 0]);
}

/// No document says what the tools do with places that hold fewer words than `fifo_depth` asks for.
#[test]
fn a_depth_that_its_places_do_not_hold_is_named() {
    let left_out = |words: u32| {
        let (mut graph, ..) = pair();
        graph.description.connections[1].fifo = Some(50);
        let fifo = DmaFifo { column: 2, row: Some(0), address: 0, words };
        graph.locate(Subject::Fifo(ConnectionIndex(1)), &[Place::DmaFifo(Some(fifo))]);
        graph.adopted().notes.left_out.into_iter().map(|one| one.what).collect::<Vec<String>>()
    };
    assert_eq!(left_out(48), ["a `fifo_depth` of 50 words, at whose places FIFOs hold 48"]);
    assert_eq!(left_out(52), [""; 0]);
}

/// UG1079 ("FIFO Constraint") has the offset 9 in its example, and does not say what it counts.
#[test]
fn a_fifo_that_begins_inside_a_word_begins_with_the_word() {
    let (mut graph, ..) = pair();
    let text = r#"{"PortConstraints": {
        "fifo_locations_records": {"dma_fifos": {"r2": {"tile_type": "core", "row": 0, "column": 1, "size": 16, "offset": 9}}},
        "g.second.out[0]": {"fifo_locations": ["r2"]}}}"#;
    let left_out = constrained(&mut graph, text).expect("known names");
    assert_eq!(left_out, ["that a FIFO begins inside a word: the DMA counts in words (AM009)"]);
    let fifo = DmaFifo { column: 1, row: Some(0), address: 8, words: 16 };
    assert_eq!(locations(&graph), [format!("Fifo(ConnectionIndex(1)) [DmaFifo(Some({fifo:?}))]")]);
}

/// The guide has the interface row as row 1, and its C++ as row 0.
#[test]
fn a_fifo_of_a_switch_may_lie_in_the_interface_row() {
    let text = |row: u32| {
        format!(
            r#"{{"PortConstraints": {{
        "fifo_locations_records": {{"stream_fifos": {{"f": {{"tile_type": "shim", "row": {row}, "column": 2, "channel": 1}}}}}},
        "g.second.out[0]": {{"fifo_locations": ["f"]}}}}}}"#
        )
    };
    for row in [0, 1] {
        let (mut graph, ..) = pair();
        assert_eq!(constrained(&mut graph, &text(row)).expect("known names"), [""; 0]);
        let fifo = SwitchFifo { column: 2, row: None, id: 1 };
        assert_eq!(locations(&graph), [format!("Fifo(ConnectionIndex(1)) [SwitchFifo(Some({fifo:?}))]")]);
    }
}

/// UG1079 ("Colocated Reserved Memories Constraint" of nodes): the kernel lies on the tile of the
/// stacks. Stacks are not tied to each other.
#[test]
fn a_kernel_may_lie_where_the_stack_of_another_one_does() {
    let with_stack = r#"{"NodeConstraints": {"g.second": {"colocated_reserved_memories": ["g.first"]}}}"#;
    let (mut graph, ..) = pair();
    assert_eq!(constrained(&mut graph, with_stack).expect("known names"), [""; 0]);
    let design = graph.adopted().design;
    let [tie] = design.blocks.ties.as_slice() else { panic!("{:?}", design.blocks.ties) };
    let name = |of: &aiec_ir::design::Instance| design.families[of.family].instance_name(of.index);
    let (Block::Stack(stack), Anchor::Core(core)) = (tie.block, tie.from) else { panic!("{tie:?}") };
    assert_eq!((name(&stack), name(&core)), ("first".to_owned(), "second".to_owned()));
    assert_eq!(tie.distance, Some((0, 0)));

    // A stack with a place fixes the tile.
    let (mut graph, first, _) = pair();
    graph.locate(Subject::Stack(first.index()), &[Place::Bank { column: 4, row: 1, bank: 3 }]);
    assert_eq!(constrained(&mut graph, with_stack).expect("known names"), [""; 0]);
    let places = graph.adopted().design.places;
    let tiles: Vec<(i64, i64)> = places.iter().map(|place| (place.column, place.row)).collect();
    assert_eq!(tiles, [(3, 1), (4, 1)]);
}

/// UG1079 ("Colocated Ports Constraint" and its neighbours): these are about banks.
#[test]
fn ports_may_share_banks_with_ports_and_stacks() {
    for (relation, left_out) in [
        (r#""colocated_ports": ["g.second.in[0]"]"#, &[][..]),
        (
            r#""exclusive_colocated_ports": ["g.second.in[0]"]"#,
            &["that no other buffers lie in the banks of `g.first.out[0]`"],
        ),
        (r#""colocated_reserved_memories": ["g.second"]"#, &[]),
    ] {
        let (mut graph, ..) = pair();
        let text = format!(r#"{{"PortConstraints": {{"g.first.out[0]": {{{relation}}}}}}}"#);
        assert_eq!(constrained(&mut graph, &text).expect("known names"), left_out);
        assert_eq!(graph.adopted().design.blocks.one_bank.len(), 1, "{relation}");
    }
    let (mut graph, ..) = pair();
    let text = r#"{"PortConstraints": {"g.first.out[0]": {"colocated_nodes": ["g.first"]}}}"#;
    assert_eq!(constrained(&mut graph, text).expect("known names"), [""; 0]);
    assert_eq!(graph.adopted().design.blocks.one_bank.len(), 0, "any bank of the tile");
}

/// UG1079 ("Not Colocated Nodes Constraint", "Not Colocated Reserved Memories Constraint"): memory
/// on other tiles than a kernel, and buffers in other banks than a stack.
#[test]
fn memory_may_lie_apart_from_a_kernel_or_a_stack() {
    let is_first = |of: &Instance| (of.family, of.index) == (FamilyId(0), 0);
    let stated = |section: &str, node: &str, relation: &str| {
        let (mut graph, ..) = pair();
        let text = format!(r#"{{"{section}": {{"{node}": {{"{relation}": ["g.first"]}}}}}}"#);
        assert_eq!(constrained(&mut graph, &text).expect("known names"), [""; 0]);
        let adopted = graph.adopted();
        assert_eq!(adopted.notes.left_out.len(), 0);
        adopted.design.blocks
    };
    let blocks = stated("PortConstraints", "g.second.in[0]", "not_colocated_nodes");
    let [tie] = blocks.ties.as_slice() else { panic!("{blocks:?}") };
    assert!(matches!((&tie.block, &tie.from), (Block::Buffers(_), Anchor::Core(of)) if is_first(of)));
    assert_eq!(tie.distance, None);
    let blocks = stated("NodeConstraints", "g.second", "not_colocated_reserved_memories");
    let [tie] = blocks.ties.as_slice() else { panic!("{blocks:?}") };
    assert!(matches!((&tie.block, &tie.from), (Block::Stack(of), Anchor::Core(_)) if is_first(of)));
    assert_eq!(tie.distance, None);
    let blocks = stated("PortConstraints", "g.second.in[0]", "not_colocated_reserved_memories");
    let [both] = blocks.no_bank.as_slice() else { panic!("{blocks:?}") };
    assert!(matches!(&both.blocks, [Block::Buffers(_), Block::Stack(of)] if is_first(of)));
}

/// One file states a place, and another one is what `--aiecst` wrote with it.
#[test]
fn two_files_may_state_one_place_of_a_fifo() {
    let text = r#"{"PortConstraints": {
        "fifo_locations_records": {"dma_fifos": {"f": {"row": 0, "column": 2, "size": 16, "offset": 0}}},
        "g.second.out[0]": {"fifo_locations": ["f"]}}}"#;
    let (mut graph, ..) = pair();
    let file = |id| SourceFile { id: SourceId(id), name: "a.aiecst".to_owned(), text: text.to_owned() };
    let files = [1, 2].map(|id| aiecst::read(&file(id)).into_parts().0.expect("right form"));
    assert_eq!(constrain(&mut graph.description, &files, &device()).into_parts().1.len(), 0);
    let links = graph.adopted().design.graph;
    let places: Vec<usize> = links.edge_weights().map(|link| link.fifo_places.len()).collect();
    assert_eq!(places, [0, 1]);
}

/// UG1079 ("Relative Constraints" of JSON). Its example names one node in several entries.
#[test]
fn relative_nodes_lie_at_a_distance_from_the_node_that_lists_them() {
    let (mut graph, ..) = pair();
    let left_out = constrained(
        &mut graph,
        r#"{"NodeConstraints": {
              "g.first": {"relative_nodes": ["g.second:(X=1,Y=-1)"]},
              "g.first": {"relative_nodes": ["Data Out:(X=2)"]},
              "g.second": {"relative_nodes": ["g.first:(X=-1)"]}}}"#,
    );
    assert_eq!(left_out.expect("known names"), [""; 0]);
    let design = graph.adopted().design;
    let name = |of: &aiec_ir::design::Instance| design.families[of.family].instance_name(of.index);
    let said = |one: &aiec_ir::constraints::Offset<aiec_ir::design::Instance>| {
        (name(&one.kernel), name(&one.from), one.columns, one.rows)
    };
    let offsets: Vec<_> = design.constraints.offsets.iter().map(said).collect();
    assert_eq!(offsets, [("second".to_owned(), "first".to_owned(), 1, -1)]);
    assert_eq!(design.constraints.aligned.len(), 1);
    let columns: Vec<_> = design.shims.iter().map(|shim| shim.ranges.clone()).collect();
    assert_eq!(columns, [[(5, 5)]], "the graph has the first kernel in column 3");
}

/// The distance holds for both, whichever of them the file lists.
#[test]
fn a_kernel_relative_to_an_output_ties_the_output() {
    let ties = |text: &str| {
        let (mut graph, ..) = pair();
        assert_eq!(constrained(&mut graph, text).expect("known names"), [""; 0]);
        let ties = graph.adopted().design.shim_ties;
        ties.iter().map(|tie| tie.columns).collect::<Vec<i64>>()
    };
    assert_eq!(ties(r#"{"NodeConstraints": {"g.second": {"relative_nodes": ["Data Out:(X=2)"]}}}"#), [2]);
    assert_eq!(ties(r#"{"NodeConstraints": {"Data Out": {"relative_nodes": ["g.second:(X=2)"]}}}"#), [-2]);
}

/// A file may place both. The check then compares the column with the distance.
#[test]
fn a_file_does_not_take_a_distance_between_inputs_and_outputs_away() {
    let (mut graph, ..) = pair();
    let third = graph.kernel("g.third", "work", &[stream()], &[]);
    let input = graph.plio("g.in", Direction::Out, "in.txt");
    graph.connect(input, third.ins[0]);
    let [output, input] = [0, 1].map(|at| Subject::External(ExternalIndex(at)));
    graph.locate(output, &[Place::Relative { to: input, columns: Some(2), rows: None }]);
    let text = r#"{"NodeConstraints": {"Data Out": {"shim": {"column": 9}}}}"#;
    assert_eq!(constrained(&mut graph, text).expect("known names"), [""; 0]);
    let design = graph.adopted().design;
    assert_eq!((design.shims.len(), design.shim_links.len()), (1, 1));
}

/// The warnings about the names of a text, which stops nothing.
fn warned(graph: &mut Graph, text: &str) -> Vec<Diagnostic> {
    let file = SourceFile { id: SourceId(1), name: "a.aiecst".to_owned(), text: text.to_owned() };
    let constraints = aiecst::read(&file).into_parts().0.expect("right form");
    let (left_out, warnings) = constrain(&mut graph.description, &[constraints], &device()).into_parts();
    assert!(left_out.is_some() && !warnings.iter().any(Diagnostic::is_error), "{warnings:?}");
    warnings
}

#[test]
fn unknown_names_of_a_file_are_one_warning_and_the_rest_holds() {
    let (mut graph, ..) = pair();
    let text = r#"{"NodeConstraints": {
        "g.secnd": {"not_colocated_nodes": ["h"]},
        "out": {},
        "g.second": {"tile": {"column": 3, "row": 2}, "not_colocated_nodes": ["h"]}}}"#;
    let warnings = warned(&mut graph, text);
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(warning.message, "the graph has no `g.secnd`, `out` and `h`");
    assert!(warning.help.contains("What the file says of them has no effect"), "{}", warning.help);
    let labels: Vec<&str> = warning.labels.iter().map(|label| label.text.as_str()).collect();
    let usual = "no kernel, port, input or output has this name";
    assert_eq!(labels, [&format!("{usual}; `g.second` is similar"), usual, usual]);
    assert_eq!(locations(&graph), ["Kernel(KernelIndex(1)) [Tile { column: 3, row: 2 }]"]);
}

#[test]
fn a_file_of_another_graph_gets_few_labels() {
    let (mut graph, ..) = pair();
    let nodes: Vec<String> = (0..500).map(|at| format!(r#""other.k[{at}]": {{}}"#)).collect();
    let warnings = warned(&mut graph, &format!(r#"{{"NodeConstraints": {{{}}}}}"#, nodes.join(",")));
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(warning.message.ends_with("`other.k[4]` and 495 more"), "{}", warning.message);
    assert_eq!(warning.labels.len(), 3);
    let warnings = warned(&mut graph, r#"{"NodeConstraints": {"g.secnd": {}}}"#);
    assert!(
        warnings[0].help.starts_with("did you mean `g.second`? What the file says of it"),
        "{warnings:?}"
    );
}

/// A group of nodes that the graph does not have keeps nothing out.
#[test]
fn an_area_of_unknown_nodes_is_no_keepout() {
    let (mut graph, ..) = pair();
    let text = r#"{"GlobalConstraints": {"areaGroup": {"name": "a", "nodeGroup": ["h.k"], "tileGroup": ["(0,0):(9,7)"],
        "exclude_placement": true}}}"#;
    assert_eq!(warned(&mut graph, text).len(), 1);
    assert!(graph.description.keepouts.is_empty());
}
