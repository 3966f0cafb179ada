//! Expansion of a design: instances, ports and connections.

use aiec_collectives::Shape;
use aiec_diag::SourceId;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::{Expanded, External, PortRole};
use aiec_ir::{Buffering, CollectiveId, KernelId, PortId};

use crate::common::{self, around, expanded, faults};

/// The connections as `producer -> consumer`.
fn wires(design: &Expanded) -> Vec<String> {
    let name = |port: PortId| design.port_name(port);
    design.connections.iter().map(|c| format!("{} -> {}", name(c.from), name(c.to))).collect()
}

/// The ports of a kernel as `in x`, `async out y`, ..., inputs first.
fn ports(design: &Expanded, kernel: u32) -> Vec<String> {
    let show = |port: PortId| {
        let port = &design.ports[port];
        let asynchronous = if port.asynchronous { "async " } else { "" };
        format!("{asynchronous}{} {}", port.direction, port.name)
    };
    design.ports_of(KernelId(kernel)).map(show).collect()
}

#[test]
fn slices_connect_one_by_one_and_one_producer_broadcasts() {
    let design = expanded(&around(
        "connect w[0..3].y -> pe[0][..].x\nconnect one.y -> w[6..].x\nconnect samples -> one.x",
    ));
    let wanted = [
        "w[0].y -> pe[0][0].x",
        "w[1].y -> pe[0][1].x",
        "w[2].y -> pe[0][2].x",
        "one.y -> w[6].x",
        "one.y -> w[7].x",
        "samples -> one.x",
    ];
    assert_eq!(wires(&design), wanted);
    let producer = design.connections.iter().nth(3).expect("the broadcast").from;
    assert!(design.is_broadcast(producer));
}

#[test]
fn a_column_of_a_two_dimensional_family_is_a_slice() {
    let design = expanded(&around("connect pe[..][1].y -> w[0..2].x"));
    assert_eq!(wires(&design), ["pe[0][1].y -> w[0].x", "pe[1][1].y -> w[1].x"]);
}

#[test]
fn whole_families_connect_one_by_one() {
    let design = expanded(
        "design d device xcvc1902 const N = 2
         kernel a[N](in x: window int32[8], out y: window int32[8]) { source \"a.cc\" }
         kernel b[N](in x: window int32[8], out y: window int32[8]) { source \"b.cc\" }
         input i[N] from plio(64, \"i_{}.txt\") output o[N] to plio(64, \"o_{}.txt\")
         connect i -> a.x connect a.y -> async b.x buffer single connect b.y -> o",
    );
    let wanted = [
        "i[0] -> a[0].x",
        "i[1] -> a[1].x",
        "a[0].y -> b[0].x",
        "a[1].y -> b[1].x",
        "b[0].y -> o[0]",
        "b[1].y -> o[1]",
    ];
    assert_eq!(wires(&design), wanted);
    assert_eq!(ports(&design, 2), ["async in x", "out y"]);
    let identifiers: Vec<&str> = design.externals.iter().map(|e| e.identifier.as_str()).collect();
    assert_eq!(identifiers, ["i_0", "i_1", "o_0", "o_1"]);
    let files: Vec<String> = design.externals.iter().map(|e| format!("{:?}", e.endpoint)).collect();
    assert!(files[3].contains("o_1.txt"), "{files:?}");
    let single = design.connections.iter().map(|c| c.buffering == Buffering::Single).collect::<Vec<_>>();
    assert_eq!(single, [false, false, true, true, false, false]);
}

#[test]
fn loops_connect_and_place() {
    let design =
        expanded(&around("for i in 0..3 { connect w[i].y -> w[i + 1].x place w[i] at (i + 1, 7 - i) }"));
    assert_eq!(wires(&design), ["w[0].y -> w[1].x", "w[1].y -> w[2].x", "w[2].y -> w[3].x"]);
    let places: Vec<_> = design.places.iter().map(|p| (p.kernel.0, p.column, p.row)).collect();
    assert_eq!(places, [(0, 1, 7), (1, 2, 6), (2, 3, 5)]);
}

#[test]
fn an_input_or_output_has_the_window_of_its_partner() {
    let design = expanded(&around("connect samples -> one.x"));
    let windows: Vec<_> =
        design.externals.iter().map(|e| design.ports[e.port].window().map(|w| w.to_string())).collect();
    assert_eq!(windows, [Some("int32[8]".to_owned()), None]);
}

#[test]
fn a_port_is_async_if_any_of_its_connections_says_so() {
    let design = expanded(&around("connect one.y -> w[0].x\nconnect async one.y -> w[1].x"));
    assert_eq!(ports(&design, 14), ["in x", "async out y"]);
    assert_eq!(ports(&design, 1), ["in x", "out y"]);
}

#[test]
fn files_have_the_index_of_the_instance_or_a_number_of_a_range() {
    let files = |file: &str| -> Vec<String> {
        let design = expanded(&format!(
            "design d device toy kernel k[3](in x: window int32[64]) {{ source \"k.cc\" }}
             input i[3] from plio(32, \"{file}\") connect i -> k.x"
        ));
        let file = |external: &External| match &external.endpoint {
            Endpoint::Plio { file, .. } => file.clone(),
            Endpoint::Gmio { .. } => String::new(),
        };
        design.externals.iter().map(file).collect()
    };
    assert_eq!(files("data/i_{}.txt"), ["data/i_0.txt", "data/i_1.txt", "data/i_2.txt"]);
    assert_eq!(files("data/i_{1..4}.txt"), ["data/i_1.txt", "data/i_2.txt", "data/i_3.txt"]);
    assert_eq!(files("i{0..9 step 4}.txt"), ["i0.txt", "i4.txt", "i8.txt"]);
}

#[test]
fn tables_of_a_constructor_are_memory_of_each_instance() {
    let design = expanded(&around(
        "const T = [1, -2, 3] const F = [0.5, 1.5]
         kernel k[r: 2](in x: window int32[4]) { source \"k.cc\" header \"k.h\"
            arguments (r, T as int16, F, T[r]) }
         input i[2] from plio(32, \"i_{}.txt\") connect i -> k.x",
    ));
    let tables = |name: &str| {
        let kernel = design.kernels.iter().find(|kernel| kernel.name == name).expect("an instance");
        let ports = kernel.tables.iter();
        ports.map(|&port| (design.port_name(port), design.ports[port].carries)).collect::<Vec<_>>()
    };
    let table = |name: &str, bytes| (name.to_owned(), Some(aiec_ir::Carries::Table { bytes }));
    assert_eq!(tables("k[1]"), [table("k[1].param[0]", 6), table("k[1].param[1]", 8)]);
    assert_eq!(tables("k[0]").len(), 2);
}

#[test]
fn a_reduction_becomes_a_tree_in_heap_order() {
    let design = expanded(&around(
        "reduce total over w { op sum data int32[64] window int32[16] }\nconnect total.result -> sum",
    ));
    let wanted = [
        "w[0].total_result -> sum",
        "w[1].total_out0 -> w[0].total_in0",
        "w[2].total_out0 -> w[0].total_in1",
        "w[3].total_out0 -> w[1].total_in0",
        "w[4].total_out0 -> w[1].total_in1",
        "w[5].total_out0 -> w[2].total_in0",
        "w[6].total_out0 -> w[2].total_in1",
        "w[7].total_out0 -> w[3].total_in0",
    ];
    assert_eq!(wires(&design), wanted);
    assert_eq!(
        ports(&design, 0),
        ["in x", "async in total_in0", "async in total_in1", "out y", "async out total_result"]
    );
    assert_eq!(ports(&design, 3), ["in x", "async in total_in0", "out y", "async out total_out0"]);
    assert_eq!(ports(&design, 7), ["in x", "out y", "async out total_out0"]);
    let total = &design.collectives[CollectiveId(0)];
    assert_eq!((total.chunks(), total.depth(), total.plan.shape), (4, 4, Shape::Tree(2)));
    let sum = &design.ports[design.externals.iter().nth(1).expect("two externals").port];
    assert_eq!(sum.window().map(|w| w.to_string()).as_deref(), Some("int32[16]"));
}

#[test]
fn arity_root_and_order_of_ranks_shape_the_tree() {
    let design = expanded(&around(
        "reduce r over w[2..4], one, pe[1][0..2] { op max data int32[8] root one shape tree arity 3 }",
    ));
    let wanted = [
        "w[2].r_out0 -> one.r_in0",
        "w[3].r_out0 -> one.r_in1",
        "pe[1][0].r_out0 -> one.r_in2",
        "pe[1][1].r_out0 -> w[2].r_in0",
    ];
    assert_eq!(wires(&design), wanted);
    let ranks: Vec<u32> =
        design.kernels.iter().flat_map(|k| k.memberships.iter().map(|m| m.rank.0)).collect();
    assert_eq!(ranks, [0, 1, 3, 4, 2], "by kernel: w[2], w[3], pe[1][0], pe[1][1], one");
}

/// The worked example of the documentation of `aiec_ir::expanded`, from its text.
#[test]
fn the_worked_example_of_the_contract_expands_as_documented() {
    let design = expanded(
        "design sum3 device xcvc1902
         kernel worker[3] { source \"kernels/worker.cc\" }
         reduce total over worker { op sum data int32[64] window int32[16] root worker[0] shape tree arity 2 }
         output sum to gmio
         connect total.result -> sum",
    );
    let names: Vec<String> = design.ports.ids().map(|port| design.port_name(port)).collect();
    let wanted = [
        "sum",
        "worker[0].total_in0",
        "worker[0].total_in1",
        "worker[0].total_result",
        "worker[1].total_out0",
        "worker[2].total_out0",
    ];
    assert_eq!(names, wanted);
    let ends: Vec<(u32, u32)> = design.connections.iter().map(|c| (c.from.0, c.to.0)).collect();
    assert_eq!(ends, [(3, 0), (4, 1), (5, 2)]);
    let total = &design.collectives[CollectiveId(0)];
    assert_eq!((total.chunks(), total.depth(), total.plan.shape), (4, 2, Shape::Tree(2)));
    assert_eq!(design.windows_per_run(PortId(3)), Some(4));
}

#[test]
fn arity_one_is_a_chain() {
    let design = expanded(&around("reduce r over w[0..3] { op sum data int32[8] shape tree arity 1 }"));
    assert_eq!(wires(&design), ["w[1].r_out0 -> w[0].r_in0", "w[2].r_out0 -> w[1].r_in0"]);
    assert_eq!(design.collectives[CollectiveId(0)].depth(), 3);
}

#[test]
fn cycle_counts_leave_the_root_through_a_port_that_is_not_async() {
    let body = "reduce r over w[0..2] { op sum data int32[8] calls 4 cycles int64[4] }\n\
                connect r.result -> sum\noutput cycles to gmio\nconnect r.cycles -> cycles";
    let design = expanded(&around(body));
    assert_eq!(ports(&design, 0)[2..], ["out y", "async out r_result", "out r_cycles"]);
    let cycles = design.ports.iter().find(|p| matches!(p.role, PortRole::Cycles(_))).expect("the port");
    assert_eq!(cycles.window().map(|w| w.to_string()).as_deref(), Some("int64[4]"));
}

#[test]
fn a_kernel_in_two_reductions_has_the_ports_of_both_in_declaration_order() {
    let body = "reduce a over w[0..2] { op sum data int32[8] root w[1] }\nreduce b over w[0..3] { op sum data int32[4] }";
    let design = expanded(&around(body));
    assert_eq!(ports(&design, 0), ["in x", "async in b_in0", "async in b_in1", "out y", "async out a_out0"]);
    assert_eq!(ports(&design, 1), ["in x", "async in a_in0", "out y", "async out b_out0"]);
}

#[test]
fn an_input_that_leads_straight_to_an_output_carries_what_other_readers_take() {
    let text = |connections: &str| {
        format!(
            "design d device xcvc1902
             component pass(in x: window int32[8], out y: window int32[8]) {{ connect x -> y }}
             kernel k(in x: window int32[8], out y: window int32[8]) {{ source \"k.cc\" }}
             input i[2] from plio(32, \"i_{{}}.txt\") output o[2] to plio(32, \"o_{{}}.txt\")
             {connections}"
        )
    };
    let broadcast = expanded(&text("connect i[0] -> o[1], k.x connect k.y -> o[0]"));
    assert_eq!(wires(&broadcast), ["i[0] -> o[1]", "i[0] -> k.x", "k.y -> o[0]"]);
    let fault = "lower/wrong-kind: an input is connected to an output without a kernel between them";
    for straight in [
        "connect i[0] -> k.x connect i[1], k.y -> o",
        "instance p of pass connect i[0] -> p.x connect p.y -> o[0] connect i[1] -> k.x connect k.y -> o[1]",
    ] {
        let found = faults(&text(straight));
        assert!(found.len() == 1 && found[0].starts_with(fault), "{straight}: {found:?}");
    }
    let hosts = "design d device xcvc1902
        component pass(in x: parameter int32, out y: parameter int32) { connect x -> y }
        kernel k(out y: window int32[8]) { source \"k.cc\" }
        instance p of pass input h from host output back to host output o to gmio
        connect k.y -> o connect h -> p.x connect p.y -> back";
    let found = faults(hosts);
    assert!(found.len() == 1 && found[0].starts_with(fault), "{found:?}");
}

#[test]
fn a_component_that_passes_data_on_can_be_checked_alone() {
    let text = "device xcvc1902
        component relay(in x: window int32[8], out y: window int32[8], in s: stream int32[8], out t: stream int32[8]) {
            kernel k(in x: window int32[8], out y: window int32[8]) { source \"k.cc\" }
            connect x -> k.x connect k.y -> y connect s -> t
        }";
    let sources = common::sources(text);
    let file = sources.get(SourceId(0)).expect("added above");
    let options = aiec_lower::Options {
        alone: Some(aiec_lower::Alone { component: "relay".to_owned(), extent: |_| None }),
        ..aiec_lower::Options::default()
    };
    let outcome = aiec_dsl::parse(file).and_then(|program| aiec_lower::lower(&program, &options));
    let outcome = outcome.and_then(|design| aiec_lower::expand(&design, &aiec_test_support::Plain));
    assert!(outcome.diagnostics().is_empty(), "{:?}", outcome.diagnostics());
    let design = outcome.value().expect("no diagnostics");
    assert!(wires(design).contains(&"s -> outside_t.t".to_owned()), "{:?}", wires(design));
}
