mod packets;

use aiec_diag::Sources;

use super::*;
use crate::port::SwitchPort;
use crate::{Bundle, EndPort, Request, Review, RouteOptions, route_requests};

fn device() -> Device {
    aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

fn imported(texts: &[&str]) -> Outcome<Vec<VendorNet>> {
    let mut sources = Sources::default();
    let add = |(number, text): (usize, &&str)| {
        let id = sources.add(format!("file{number}"), *text);
        sources.get(id).cloned().expect("added")
    };
    let files: Vec<SourceFile> = texts.iter().enumerate().map(add).collect();
    import(&files, &device())
}

fn reviewed(texts: &[&str]) -> Review {
    let (nets, diagnostics) = imported(texts).into_parts();
    review(nets.unwrap_or_else(|| panic!("{diagnostics:?}")), &device(), &RouteOptions::default())
}

fn said(review: &Review) -> String {
    review.diagnostics.iter().map(|d| format!("{}: {}\n", d.code.slug, d.message)).collect()
}

/// Two nets as `router.input` lists them.
const LISTED: &str = "net0:100 S_SHIM_SOUTH_ch0_C24 M_S2MM_DMA_ch0_C24_R1\nnet2:100 S_AIE_OUT_ch0_C25_R0 M_SHIM_SOUTH_ch0_C25\n";
/// The same nets routed, in any order.
const TREES: &str = r#"{
  "net2": { "tree": [ ["M_SOUTH_ch3_C25_R0", "S_SHIM_NORTH_ch3_C25"], ["S_AIE_OUT_ch0_C25_R0", "M_SOUTH_ch3_C25_R0"],
                      ["S_SHIM_NORTH_ch3_C25", "M_SHIM_SOUTH_ch0_C25"] ] },
  "net0": { "tree": [ ["M_NORTH_ch5_C24_R0", "S_SOUTH_ch5_C24_R1"], ["M_SHIM_NORTH_ch5_C24", "S_SOUTH_ch5_C24_R0"],
                      ["S_SHIM_SOUTH_ch0_C24", "M_SHIM_NORTH_ch5_C24"], ["S_SOUTH_ch5_C24_R0", "M_NORTH_ch5_C24_R0"],
                      ["S_SOUTH_ch5_C24_R1", "M_S2MM_DMA_ch0_C24_R1"] ] } }"#;

#[test]
fn nets_and_their_trees_from_two_files_are_put_together_and_verified() {
    let review = reviewed(&[LISTED, TREES]);
    assert_eq!((said(&review).as_str(), review.routed, review.theirs), ("", true, true));
    assert_eq!(review.names, ["net0", "net2"]);
    assert_eq!(review.trees.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(review.trees[0][0].from, Switch { column: 24, row: 0 });
}

#[test]
fn trees_alone_tell_their_ends() {
    let review = reviewed(&[TREES]);
    assert_eq!(said(&review), "");
    let both = reviewed(&[LISTED, TREES]);
    let net0 = review.names.iter().position(|name| name == "net0").expect("there");
    assert_eq!(review.requests[net0], both.requests[0]);
}

#[test]
fn a_list_alone_is_routed_by_aiec() {
    let review = reviewed(&[LISTED]);
    assert_eq!((said(&review).as_str(), review.routed, review.theirs), ("", true, false));
}

/// A step of a solution in arcs.
fn step(tile: &str, from: &str, to: &str) -> String {
    format!(r#"{{"Tile": "{tile}", "Arc": "AIE_TILE.{from}->>{to}", "Wire": "{to}"}}"#)
}

#[test]
fn a_solution_in_arcs_is_read_for_its_switches_alone() {
    let shim = "AIE_INTF_B3_CORE_X24Y0";
    let steps = [
        r#"{"Tile": "__BEGIN_ROOT__", "Arc": "NULL", "Wire": "NULL"}"#.to_owned(),
        step(shim, "AIE_PL_TO_AIE_1", "AIE_SWITCH_S_SOUTH_CH1_PIN"),
        step(shim, "AIE_SWITCH_S_SOUTH_CH1_PIN", "AIE_SWITCH_M_NORTH_CH4_PIN"),
        step(shim, "AIE_SWITCH_M_NORTH_CH4_PIN", "AIE_SWITCH_M_NORTH_CH4"),
        step("AIE_TILE_X24Y1", "AIE_SWITCH_S_SOUTH_CH4", "AIE_SWITCH_S_SOUTH_CH4_PIN"),
        step("AIE_TILE_X24Y1", "AIE_SWITCH_S_SOUTH_CH4_PIN", "AIE_SWITCH_M_CORE_IN_CH0_PIN"),
    ];
    let text = format!(
        r#"{{"Version": 0.0, "Net Routing": [{{"Name": "net0", "Route ArcNodes": [{}]}}]}}"#,
        steps.join(",")
    );
    let review = reviewed(&[&text]);
    assert_eq!(said(&review), "");
    assert_eq!(review.trees[0].len(), 1);
    assert_eq!(review.requests[0].sinks.len(), 1);
}

#[test]
fn a_tree_that_is_spoilt_is_not_legal() {
    let spoils: [(&str, &str, &str); 4] = [
        ("another channel", r#"["S_SOUTH_ch5_C24_R1", "M_S2MM"#, r#"["S_SOUTH_ch4_C24_R1", "M_S2MM"#),
        ("a step missing", r#"["S_SOUTH_ch5_C24_R0", "M_NORTH_ch5_C24_R0"],"#, ""),
        ("a sink twice as far", r#""M_S2MM_DMA_ch0_C24_R1"]"#, r#""M_S2MM_DMA_ch1_C24_R1"]"#),
        ("a port that is not there", "M_SHIM_SOUTH_ch0_C25", "M_SHIM_SOUTH_ch9_C25"),
    ];
    for (what, from, to) in spoils {
        let text = TREES.replace(from, to);
        assert_ne!(text, TREES, "{what}");
        let review = reviewed(&[LISTED, &text]);
        assert!(said(&review).contains("route/bad-route"), "{what}: {}", said(&review));
        assert!(!review.routed, "{what}");
    }
}

#[test]
fn a_net_without_route_among_routed_ones_is_named() {
    let more = format!("{LISTED}net7:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch0_C12_R0\n");
    assert_eq!(
        said(&reviewed(&[&more, TREES])),
        "route/bad-route: the route of `net7` is not legal: the files have no route for it\n"
    );
}

#[test]
fn two_nets_at_one_port_demand_two_hundred_of_one_hundred() {
    let text = r#"{
      "a": { "tree": [["S_MM2S_DMA_ch0_C9_R0", "M_EAST_ch0_C9_R0"], ["S_WEST_ch0_C10_R0", "M_S2MM_DMA_ch0_C10_R0"]] },
      "b": { "tree": [["S_MM2S_DMA_ch1_C9_R0", "M_EAST_ch0_C9_R0"], ["S_WEST_ch0_C10_R0", "M_S2MM_DMA_ch1_C10_R0"]] } }"#;
    let said = said(&reviewed(&[text]));
    assert!(said.contains("belongs to `a`; together they demand 200 of 100"), "{said}");
}

#[test]
fn two_nets_at_one_source_or_sink_are_refused_in_the_words_of_aiecompiler() {
    let source = "a:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch0_C12_R1\nb:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch1_C12_R1\n";
    let sink = "a:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch1_C12_R0 M_S2MM_DMA_ch0_C12_R1\n\
                b:100 S_MM2S_DMA_ch0_C10_R0 M_S2MM_DMA_ch0_C12_R1\n";
    let node = |at: &str, way: &str| {
        format!(
            "route/shared-port: [AIE-ROUTER-3] Demand of 200 at node {at} exceeds limit of 100: `a` and `b` {way} there\n"
        )
    };
    let cases =
        [(source, node("dma 0 of switch (9, 1)", "start")), (sink, node("dma 0 of switch (12, 2)", "end"))];
    for (text, expected) in cases {
        let review = reviewed(&[text]);
        assert_eq!((said(&review), review.routed), (expected, false), "{text}");
        let diagnostic = &review.diagnostics[0];
        assert_eq!(diagnostic.labels.len(), 2, "both nets are shown");
        assert!(
            !diagnostic.help.contains("import"),
            "who imports is not told to import: {}",
            diagnostic.help
        );
    }
}

#[test]
fn a_request_without_a_legal_route_is_not_told_to_import_the_request() {
    let review = reviewed(&["a:100 S_SHIM_SOUTH_ch12_C10 M_S2MM_DMA_ch0_C12_R1\n"]);
    assert!(said(&review).contains("`a` has no legal route"), "{}", said(&review));
    assert!(!review.diagnostics[0].help.contains("alone"), "{}", review.diagnostics[0].help);
}

/// 37 nets from columns 6 to 8 to columns 9 to 11.
fn crowd(demand: u32) -> String {
    let net = |n: u32| {
        let (column, row, channel) = (n / 16, n % 8, n / 8 % 2);
        format!(
            "net{n}:{demand} S_MM2S_DMA_ch{channel}_C{}_R{row} M_S2MM_DMA_ch{channel}_C{}_R{row}\n",
            8 - column,
            9 + column
        )
    };
    (0..37).map(net).collect()
}

#[test]
fn an_overfull_cut_is_told_in_the_words_of_aiecompiler() {
    let review = reviewed(&[&crowd(100)]);
    assert_eq!(
        said(&review),
        "route/overfull: [aiecompiler 35-3253] AIE Router found too many nets on Column: 8 going EAST, 37/36\n"
    );
    assert!(!review.routed && review.proof.is_some());
}

#[test]
fn nets_that_need_half_a_stream_forbid_nothing() {
    assert_eq!(reviewed(&[&crowd(50)]).proof, None);
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let cases = [
        ("{\"net0\": {", "the file: it is not JSON"),
        ("[1]", "line 1: a line starts with the name of a net"),
        ("", "the file: it names no net"),
        ("{}", "the file: it names no net"),
        ("{\"net0\": 3}", "net0.tree: there is no list"),
        ("{\"net0\": {\"tree\": [[\"S_UP_ch0_C1_R0\", 4]]}}", "net0.tree[0]: a pair of names"),
        (
            "{\"n\": {\"tree\": [[\"S_UP_ch0_C1_R0\", \"M_EAST_ch0_C1_R0\"]]}}",
            "n.tree[0]: `S_UP_ch0_C1_R0` is not",
        ),
        (
            "{\"n\": {\"tree\": [[\"S_WEST_ch0_C1_R0\", \"M_EAST_ch0_C2_R0\"]]}}",
            "n.tree[0]: no wire and no switch joins",
        ),
        ("{\"Net Routing\": [{}]}", "Net Routing[0]: the net has no `Name`"),
        (
            "{\"Net Routing\": [{\"Name\": \"n\", \"Route ArcNodes\": [7]}]}",
            "Net Routing[0].Route ArcNodes[0]: a step has",
        ),
        ("net0:100 S_SHIM_SOUTH_ch0_C24", "line 1: the net has no sink"),
        ("net0:100 S_SHIM_SOUTH_ch0_C60 M_S2MM_DMA_ch0_C24_R1", "which has 50 columns and 8 rows"),
        ("net0:x S_SHIM_SOUTH_ch0_C2 M_S2MM_DMA_ch0_C24_R1", "line 1: the demand `x`"),
        ("net0:1 S_NORTH_ch0_C2_R0 M_S2MM_DMA_ch0_C24_R1", "line 1: no net starts at"),
        ("net0:1 S_MM2S_DMA_ch0_C2_R65535 M_S2MM_DMA_ch0_C24_R1", "is not on the xcvc1902"),
    ];
    for (text, expected) in cases {
        let (nets, diagnostics) = imported(&[text]).into_parts();
        assert!(nets.is_none(), "{text}");
        assert!(diagnostics[0].message.contains(expected), "{text}: {}", diagnostics[0].message);
        assert_eq!(diagnostics[0].code.slug, "route/bad-import");
    }
}

/// The name of a port in the vendor's files.
fn vendor_name(switch: Switch, port: Port, slave: bool) -> String {
    let kind = match port.bundle {
        Bundle::North => "NORTH",
        Bundle::South => "SOUTH",
        Bundle::East => "EAST",
        Bundle::West => "WEST",
        Bundle::Dma if slave => "MM2S_DMA",
        Bundle::Dma => "S2MM_DMA",
        other => panic!("{other:?}"),
    };
    let (way, channel, column) = (if slave { 'S' } else { 'M' }, port.channel, switch.column);
    match switch.row.checked_sub(1) {
        None => format!("{way}_SHIM_{kind}_ch{channel}_C{column}"),
        Some(row) => format!("{way}_{kind}_ch{channel}_C{column}_R{row}"),
    }
}

#[test]
fn what_aiec_routed_is_legal_when_it_comes_back_in_the_vendors_form() {
    let end = |at: u16, channel| NetEnd {
        switch: Switch { column: at % 50, row: 1 + at / 50 },
        port: EndPort::Dma(channel),
    };
    let nets = (0_u16..60)
        .map(|n| Request::circuit(end(n * 7 % 400, 0), vec![end(n * 11 % 400, 0), end(n * 13 % 400, 1)]));
    let requests: Vec<Request> = nets.collect();
    let routing = route_requests(&requests, &device(), &RouteOptions::default()).expect("there is room");
    let pairs = |index: usize| {
        // Circuits are identified by following each from its source.
        let mut open = vec![SwitchPort::from(requests[index].source)];
        let mut pairs = Vec::new();
        while let Some(at @ SwitchPort { switch, port: slave }) = open.pop() {
            let settings = &routing.wiring.switches[&switch].circuits;
            for (&master, _) in settings.iter().filter(|(_, from)| **from == slave) {
                pairs.push([vendor_name(switch, slave, true), vendor_name(switch, master, false)]);
                open.extend(node::beyond(SwitchPort { port: master, ..at }));
            }
        }
        pairs
    };
    let all: serde_json::Map<String, serde_json::Value> = (0..requests.len())
        .map(|index| (format!("net{index}"), serde_json::json!({ "tree": pairs(index) })))
        .collect();
    let review = reviewed(&[&serde_json::Value::from(all).to_string()]);
    assert_eq!(said(&review), "");
    let hops = |trees: &[Vec<crate::Hop>]| trees.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(hops(&review.trees), hops(&routing.trees));
}

#[test]
fn some_cut_and_mangled_files_never_end_the_program() {
    mangle(29);
}

#[test]
#[ignore = "long: judges thousands of files"]
fn cut_and_mangled_files_are_refused_or_judged_but_never_end_the_program() {
    mangle(1);
}

/// Cuts or changes the files at every `step`th byte.
fn mangle(step: usize) {
    for text in [LISTED, TREES, packets::MERGE, packets::CONTROL] {
        for at in (0..text.len()).step_by(step) {
            for mangled in [text[..at].to_owned(), format!("{}9{}", &text[..at], &text[at + 1..])] {
                if let Some(nets) = imported(&[&mangled]).into_parts().0 {
                    review(nets, &device(), &RouteOptions::default());
                }
            }
        }
    }
}

#[test]
fn entries_of_one_net_in_one_file_are_one_multicast_net() {
    let text = "net0:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch0_C12_R0\nnet0:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch0_C13_R0\n";
    let review = reviewed(&[text]);
    assert_eq!((review.requests.len(), review.requests[0].sinks.len(), review.trees[0].len()), (1, 2, 4));
}

#[test]
fn a_net_with_two_sources_is_refused_where_the_second_stands() {
    let text = "net0:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch0_C12_R0\nnet0:100 S_MM2S_DMA_ch1_C9_R0 M_S2MM_DMA_ch0_C13_R0\n";
    let (nets, diagnostics) = imported(&[text]).into_parts();
    assert!(nets.is_none());
    assert!(diagnostics[0].message.contains("different sources"), "{}", diagnostics[0].message);
    assert!(diagnostics[0].labels[0].span.start > 50, "the label is on the second line");
}

#[test]
fn a_list_with_nets_that_cannot_exist_is_not_routed() {
    let spoilt = [
        ("a channel that is not there", "a:100 S_MM2S_DMA_ch7_C9_R0 M_S2MM_DMA_ch0_C12_R1\n"),
        ("a sink that is not there", "a:100 S_MM2S_DMA_ch0_C9_R0 M_S2MM_DMA_ch9_C12_R1\n"),
        ("a port of the interface that is not there", "a:100 S_SHIM_SOUTH_ch12_C10 M_S2MM_DMA_ch0_C12_R1\n"),
        ("a column without PLIO", "a:100 S_SHIM_SOUTH_ch0_C0 M_S2MM_DMA_ch0_C12_R1\n"),
    ];
    for (what, text) in spoilt {
        let review = reviewed(&[text]);
        assert!(said(&review).contains("route/bad-route") && !review.routed, "{what}: {}", said(&review));
    }
}

#[test]
fn a_port_of_the_wrong_direction_is_refused() {
    for name in ["M_S2MM_DMA_ch0_C9_R0", "S_S2MM_DMA_ch0_C9_R0"] {
        let (nets, diagnostics) = imported(&[&format!("a:100 {name} M_S2MM_DMA_ch0_C12_R1\n")]).into_parts();
        assert!(nets.is_none(), "{name}");
        assert_eq!(diagnostics[0].code.slug, "route/bad-import");
    }
}

#[test]
fn halves_of_streams_without_wires_are_said_and_not_called_routed() {
    // 45 nets of demand 50 over one column: 36 wires. Whether half streams can share them is
    // unknown.
    let net = |i: usize| {
        format!(
            "n{i}:50 S_MM2S_DMA_ch{}_C{}_R{} M_S2MM_DMA_ch{}_C{}_R{}\n",
            i / 24,
            8 + i % 3,
            i / 3 % 8,
            i / 24,
            11 + i % 3,
            i / 3 % 8
        )
    };
    let text: String = (0..45).map(net).collect();
    let review = reviewed(&[&text]);
    assert!(!review.routed);
    assert!(said(&review).starts_with("route/gave-up"), "{}", said(&review));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_name() {
    assert_eq!(reviewed(&[&format!("\u{feff}{LISTED}")]).names, ["net0", "net2"]);
    assert_eq!(reviewed(&[&format!("\u{feff}{TREES}")]).diagnostics.len(), 0);
}

/// The comments of `aie_control.cpp` between code.
const CONTROL: &str = "void f() {\n\t// S_SHIM_SOUTH_ch2_C7 M_SHIM_EAST_ch3_C7 net3\n\tXAie_StrmConnCctEnable(&DevInst, XAie_TileLoc(7, 0), SOUTH, 2, EAST, 3);\n
\t// S_SHIM_WEST_ch3_C8 M_SHIM_NORTH_ch0_C8 net3\n\tset(S_A, M_B);\n\t// S_SOUTH_ch0_C8_R0 M_S2MM_DMA_ch1_C8_R0 net3\n\t// S_a M_b is no setting\n}\n";

#[test]
fn comments_that_set_switches_are_routes() {
    let review = reviewed(&[CONTROL]);
    assert_eq!((said(&review).as_str(), review.routed, review.theirs), ("", true, true));
    assert_eq!(review.names, ["net3"]);
    assert_eq!(review.trees[0].len(), 2);
    let spoilt = reviewed(&[&CONTROL.replace("M_SHIM_EAST_ch3", "M_SHIM_EAST_ch2")]);
    assert!(said(&spoilt).contains("route/bad-route"), "{}", said(&spoilt));
}

#[test]
fn next_and_prev_change_sides_from_row_to_row() {
    // One hop east from each of the shim, core row 0 (hardware row 1) and core row 1.
    for (row, east, west) in
        [(0, "NEXT", "PREV"), (1, "NEXT", "PREV"), (2, "PREV", "NEXT"), (3, "NEXT", "PREV")]
    {
        let source = if row == 0 { "SOUTH" } else { "MM2S" };
        let sink = if row == 0 { "SOUTH" } else { "S2MM" };
        let kind = if row == 0 { "AIE_INTF_B0_CORE" } else { "AIE_TILE" };
        let steps = [
            step(
                &format!("{kind}_X7Y{row}"),
                &format!("AIE_SWITCH_S_{source}_CH0_PIN"),
                &format!("AIE_SWITCH_M_{east}_CH1_PIN"),
            ),
            step(
                &format!("{kind}_X8Y{row}"),
                &format!("AIE_SWITCH_S_{west}_CH1_PIN"),
                &format!("AIE_SWITCH_M_{sink}_CH0_PIN"),
            ),
        ];
        let text =
            format!(r#"{{"Net Routing": [{{"Name": "n", "Route ArcNodes": [{}]}}]}}"#, steps.join(","));
        let review = reviewed(&[&text]);
        assert_eq!(said(&review), "", "row {row}");
        assert_eq!(review.trees[0][0].to, Switch { column: 8, row }, "row {row}");
    }
}

#[test]
fn files_that_hold_no_nets_name_one_that_does() {
    for text in [
        r#"{"NodeConstraints": {}}"#,
        "\n\nBUFFER,FROM_INSTANCE.PORT,TO_INSTANCE.PORT,SIZE\n",
        "INFO: [aiecompiler 77-297] Cmd Line : x\n",
    ] {
        let outcome = imported(&[text]);
        let said = &outcome.diagnostics()[0];
        assert!(said.message.ends_with("holds no nets") && said.help.contains("aie_control.cpp"), "{said:?}");
    }
}

#[test]
fn files_for_arrays_of_another_generation_are_refused_as_such() {
    let of = |generation: &str, port: &str| {
        let define = format!("#define HW_GEN                   {generation}\n");
        imported(&[&format!("/* x */\n{define}// S_{port}_ch0_C2_R0 M_EAST_ch0_C2_R0 net0\n")])
    };
    assert_eq!(of("XAIE_DEV_GEN_AIE", "SOUTH").diagnostics().len(), 0);
    let outcome = of("XAIE_DEV_GEN_AIEML", "MEMTILE_MM2S_DMA");
    let said = &outcome.diagnostics()[0];
    assert!(said.message.contains("of an array of AIE-ML, whose ports"), "{said:?}");
}

/// A long file would fill the screen.
#[test]
fn what_is_said_of_a_whole_file_marks_its_first_line() {
    let text = "{\n  \"NodeConstraints\": {\n    \"g.k\": {}\n  }\n}\n";
    let (_, diagnostics) = imported(&[text]).into_parts();
    let span = diagnostics[0].labels[0].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "{");
}
