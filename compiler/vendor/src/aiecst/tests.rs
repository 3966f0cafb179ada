use aiec_device::Tile;
use aiec_diag::{SourceFile, SourceId};

use super::*;

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "a.aiecst".to_owned(), text: text.to_owned() }
}

fn constraints(text: &str) -> Constraints {
    let (value, faults) = read(&file(text)).into_parts();
    value.unwrap_or_else(|| unreachable!("{faults:?}"))
}

/// The message, and the text that it points at.
fn faults(text: &str) -> Vec<(String, String)> {
    let file = file(text);
    let outcome = read(&file);
    let at = |span: Span| file.text[span.start as usize..span.end as usize].to_owned();
    outcome.diagnostics().iter().map(|d| (d.message.clone(), at(d.labels[0].span))).collect()
}

#[test]
fn nodes_have_tiles_shims_and_stacks() {
    let all = constraints(
        r#"{"NodeConstraints": {
            "g.k": {"tile": {"column": 3, "row": 1, "tile_type": "core"},
                    "reserved_memory": {"column": 3, "row": 0, "bankId": 2, "offset": 64}},
            "in": {"shim": {"column": 7, "channel": 1}},
            "gm": {"shim": {"column": 6}}}}"#,
    );
    assert_eq!(all.nodes[0].tile.as_ref().map(|tile| tile.value), Some(Tile::new(3, 1)));
    let stack = all.nodes[0].reserved_memory.as_ref().map(|address| address.value);
    assert_eq!(stack.and_then(|stack| stack.in_module(8192)), Some(2 * 8192 + 64));
    assert_eq!(all.nodes[1].shim.as_ref().map(|s| s.value), Some(Shim { column: 7, channel: Some(1) }));
    assert_eq!(all.nodes[2].shim.as_ref().and_then(|s| s.value.channel), None);
}

#[test]
fn ports_may_have_the_numbers_of_the_mapper() {
    let all = constraints(r#"{"PortConstraints": {"g.k[0]/po1": {}, "g.k[0]/pi0": {}, "g.k[0]/x": {}}}"#);
    let names: Vec<&str> = all.ports.iter().map(|port| port.name.value.as_str()).collect();
    assert_eq!(names, ["g.k[0].out[1]", "g.k[0].in[0]", "g.k[0]/x"]);
}

#[test]
fn an_address_may_leave_open_all_but_one_number() {
    let all = constraints(
        r#"{"PortConstraints": {
            "g.k.in[0]": {"buffers": [{"column": 1, "row": 2, "offset": 5632}, {"column": 1, "row": 2, "bankId": 3}]},
            "g.p": {"buffers": [{"offset": 512}]}}}"#,
    );
    let at = |port: usize, buffer: usize| all.ports[port].buffers[buffer].value;
    assert_eq!(at(0, 0).in_module(8192), Some(5632));
    assert_eq!((at(0, 1).bank, at(0, 1).in_module(8192)), (Some(3), None));
    assert_eq!((at(1, 0).module, at(1, 0).offset), (None, Some(512)));
}

#[test]
fn relative_nodes_have_one_distance_or_two() {
    let all = constraints(
        r#"{"NodeConstraints": {
            "g.k": {"relative_nodes": ["g.l:(X=-3,Y=2)", "In 0:(X=0)"]},
            "g.k": {"relative_nodes": ["g.m:(Y=1)"]}}}"#,
    );
    let said = |one: &Relative| (one.name.value.clone(), one.columns, one.rows);
    let found: Vec<_> = all.nodes.iter().flat_map(|node| node.relative.iter().map(said)).collect();
    let expected = [("g.l", Some(-3), Some(2)), ("In 0", Some(0), None), ("g.m", None, Some(1))];
    assert_eq!(found, expected.map(|(name, columns, rows)| (name.to_owned(), columns, rows)));
    let faults = faults(r#"{"NodeConstraints": {"g.k": {"relative_nodes": ["g.l:(Z=1)"]}}}"#);
    assert_eq!(faults[0].1, r#"["g.l:(Z=1)"]"#);
    assert!(faults[0].0.contains("`g.l:(Z=1)` has another form than \"g.k1:(X=1,Y=-2)\""), "{faults:?}");
}

#[test]
fn area_groups_of_one_name_are_all_kept() {
    let all = constraints(
        r#"{"GlobalConstraints": {
            "areaGroup": {"name": "a", "contain_routing": true, "nodeGroup": ["g.k"], "tileGroup": ["(0,0):(49,7)"], "shimGroup": ["0:49"]},
            "areaGroup": {"name": "b", "exclude": true, "issoft": true, "tileGroup": ["(2, 3)"], "shimGroup": ["(1,0):(4,7)"]},
            "isomorphicGraphGroup": {"name": "s", "referenceGraph": "g0", "stampedGraphs": ["g1"]}}}"#,
    );
    let names: Vec<_> =
        all.areas.iter().filter_map(|area| Some(area.name.as_ref()?.value.as_str())).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(all.areas[0].tiles[0].value, Tiles { from: Tile::new(0, 0), to: Tile::new(49, 7) });
    assert_eq!(all.areas[1].tiles[0].value, Tiles { from: Tile::new(2, 3), to: Tile::new(2, 3) });
    assert_eq!(all.areas[1].shims[0].value.to, Shim { column: 4, channel: Some(7) });
    assert!(all.areas[0].contain_routing && all.areas[1].exclude && all.areas[1].soft);
    assert_eq!(all.stamps[0].stamped[0].value, "g1");
}

#[test]
fn the_last_of_several_places_of_one_name_counts() {
    let all = constraints(
        r#"{"NodeConstraints": {"i": {"shim": {"column": 17, "channel": 0}, "colocated_nodes": ["j"]},
            "i": {"shim": {"column": 17, "channel": 1}}}}"#,
    );
    let columns: Vec<_> = all.nodes.iter().filter_map(|node| node.shim.as_ref()?.value.channel).collect();
    assert_eq!(columns, [1]);
    assert_eq!(all.nodes[0].relations.len(), 1, "what the later entry does not state again stays");
    assert_eq!(all.repeated.iter().map(|one| one.value.as_str()).collect::<Vec<_>>(), ["`shim` of `i`"]);
}

#[test]
fn relations_and_fifos_name_others() {
    let all = constraints(
        r#"{"NodeConstraints": {"g.a": {"not_colocated_nodes": ["g.b"]}},
            "PortConstraints": {
                "fifo_locations_records": {
                    "dma_fifos": {"r1": {"tile_type": "core", "row": 0, "column": 2, "size": 16, "offset": 8, "bankId": 2}},
                    "stream_fifos": {"r3": {"tile_type": "shim", "row": 0, "column": 3, "channel": 1}}},
                "g.a.in[0]": {"exclusive_colocated_ports": ["g.a.out[0]"], "fifo_locations": ["r1", "r3"]}}}"#,
    );
    assert_eq!(all.nodes[0].relations[0].kind, RelationKind::NotColocatedNodes);
    assert_eq!(all.ports[0].relations[0].kind, RelationKind::ExclusiveColocatedPorts);
    assert_eq!(all.ports[0].relations[0].others[0].value, "g.a.out[0]");
    assert_eq!(
        all.fifos.iter().map(|f| (f.dma, f.tile)).collect::<Vec<_>>(),
        [(true, Tile::new(2, 0)), (false, Tile::new(3, 0))]
    );
    assert_eq!(all.ports[0].fifo_locations.len(), 2);
}

/// The paths of entries that aiec does not know, with the nearest known names.
fn unknown(all: &Constraints) -> Vec<(&str, Option<&str>)> {
    all.unknown.iter().map(|one| (one.path.value.as_str(), one.near)).collect()
}

#[test]
fn what_is_not_known_is_listed_and_has_no_effect() {
    let all = constraints(
        r#"{"Version": 2, "NodeConstraints": {"g.k": {"colour": "red", "tile_src_info": {"line": 4}}}}"#,
    );
    assert_eq!(unknown(&all), [("Version", None), ("g.k.colour", None)]);
    assert_eq!(all.nodes.len(), 1);
    let all = constraints(
        r#"{"NodeConstraints": {"g.k": {"tile": {"column": 1, "row": 0, "tile_type": "core", "coloumn": 2},
                "reserved_memory": {"bankid": 2}}},
            "PortConstraints": {"g.k.in[0]": {"buffers": [{"column": 1, "row": 0, "bankid": 3}]},
                "fifo_locations_records": {"dma_fifos": {"f": {"column": 1, "row": 0, "depth": 3}}}},
            "GlobalConstraints": {"areaGroup": {"nodes": ["g.k"]}, "isomorphicGraphGroup": {"graph": "g"}}}"#,
    );
    let expected = [
        ("g.k.tile.coloumn", Some("column")),
        ("g.k.reserved_memory.bankid", Some("bankId")),
        ("g.k.in[0].buffers.bankid", Some("bankId")),
        ("f.depth", None),
        ("areaGroup.nodes", None),
        ("isomorphicGraphGroup.graph", None),
    ];
    assert_eq!(unknown(&all), expected, "misspelt fields are listed with the nearest one");
    assert_eq!(all.ports[0].buffers[0].value.bank, None);
}

#[test]
fn each_entry_of_another_form_is_pointed_at() {
    let said = faults(
        r#"{"NodeConstraints": {"g.a": {"tile": {"column": "x", "row": 0}}, "g.b": {"tile": {"column": 70000, "row": 0}},
            "g.c": {"tile": {"column": 1}}}, "PortConstraints": [], "GlobalConstraints": {"areaGroup": {"tileGroup": ["all"]}}}"#,
    );
    let places: Vec<&str> = said.iter().map(|(_, at)| at.as_str()).collect();
    assert_eq!(places, ["\"x\"", "70000", r#"{"column": 1}"#, "[]", r#"{"tileGroup": ["all"]}"#]);
    assert!(said[2].0.ends_with("`row` is missing"), "{said:?}");
}

#[test]
fn a_text_that_is_no_object_is_refused() {
    for text in ["", "[]", "{", "\u{feff}{\"a\": ", "3", "{\"NodeConstraints\": {\"é"] {
        assert_eq!(faults(text).len(), 1, "{text}");
    }
    assert!(constraints("\u{feff}{}").nodes.is_empty());
}

#[test]
fn a_text_of_more_values_than_any_design_is_refused_before_it_is_read() {
    let text = format!("{{\"a\": [{}0]}}", "0,".repeat(1_100_000));
    assert!(faults(&text)[0].0.contains("more than the 1000000"));
}
