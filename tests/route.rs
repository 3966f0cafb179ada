//! `aiec route`: the summary, the picture and its data, with a routing and without one.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::fs;
use std::path::Path;

use aiec_tests::{Ran, aiec, path};
use serde_json::Value;

/// Routes a case with a picture and its data. Returns the messages, the picture, the data.
fn route(case: &str, options: &[&str]) -> (Ran, String, Value) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (svg, json) = (file("a.svg"), file("a.json"));
    let design = path(&format!("tests/cases/route/{case}.dsl"));
    let ran = aiec(["route", design.as_str(), "--svg", &svg, "--json", &json].iter().chain(options));
    let text = |path: &str| fs::read_to_string(path).expect("written");
    (ran, text(&svg), serde_json::from_str(&text(&json)).expect("JSON"))
}

fn sum(items: &Value, field: &str) -> u64 {
    items.as_array().map_or(0, |items| items.iter().filter_map(|item| item[field].as_u64()).sum())
}

#[test]
fn a_routed_design_is_drawn_with_every_hop_counted_on_an_edge() {
    let (ran, svg, plan) = route("nets", &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(plan["routed"], true);
    let nets = plan["nets"].as_array().expect("nets");
    let hops: usize = nets.iter().filter_map(|net| net["hops"].as_array()).map(Vec::len).sum();
    assert_eq!(sum(&plan["edges"], "used"), hops as u64);
    assert!(ran.out.contains(&format!("{hops} hops between switches")), "{}", ran.out);
    assert_eq!(svg.matches(r#"stroke-linejoin="round""#).count(), nets.len(), "a line for each net");
    assert_eq!(plan["cuts"].as_array().map(Vec::len), Some(2 * 5 + 2 * 4), "5 columns and 4 rows, both ways");
}

#[test]
fn a_design_that_cannot_be_routed_is_drawn_with_its_placement_and_the_overfull_cut() {
    let placement = path("tests/cases/route/overfull.placement.json");
    let (ran, svg, plan) = route("overfull", &["--placement", &placement]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("route/overfull"), "{}", ran.err);
    assert_eq!(plan["routed"], false);
    let overfull = plan["cuts"].as_array().expect("cuts").iter().filter(|cut| cut.get("nets").is_some());
    let named: Vec<&Value> = overfull.map(|cut| &cut["name"]).collect();
    assert_eq!(named, ["column 2 going east"]);
    assert_eq!(plan["floorplan"]["kernels"].as_array().map(Vec::len), Some(24));
    assert!(svg.contains("a[0] on (0, 0)") && svg.contains("/20 \u{2192}"), "kernels and demand/capacity");
}

/// The checks refuse the design, since its places alone fill the line.
#[test]
fn a_refused_design_with_stated_places_is_drawn_with_the_nets_of_the_full_line() {
    let (ran, svg, plan) = route("refused", &[]);
    assert_eq!((ran.status, &plan["routed"]), (1, &Value::Bool(false)));
    assert_eq!(ran.err.matches("nets must cross column 2").count(), 1, "one message: {}", ran.err);
    assert_eq!(plan["floorplan"]["kernels"].as_array().map(Vec::len), Some(14));
    assert!(svg.contains("a[0].w") && svg.contains("24/20") && !svg.contains("c.s"), "only what crosses");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let file = folder.path().join("places.svg").display().to_string();
    let placed = aiec(["place", &path("tests/cases/route/refused.dsl"), "--svg", &file]);
    assert_eq!(placed.status, 1);
    assert_eq!(fs::read_to_string(&file).expect("a picture"), svg);
}

#[test]
fn the_routes_that_are_written_are_those_that_build_prints() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("routes.json").display().to_string();
    let (design, placement) =
        (path("tests/cases/route/nets.dsl"), path("tests/cases/route/nets.placement.json"));
    let ran = aiec(["route", &design, "--placement", &placement, "--output", &file]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let built = aiec(["build", "--emit=routes", &design, "--placement", &placement]);
    let written = fs::read_to_string(Path::new(&file)).expect("written");
    let data = written.lines().filter(|line| !line.contains("\"generated\": \"by aiec "));
    assert_eq!(data.map(|line| format!("{line}\n")).collect::<String>(), built.out);
}

/// The design of the page: a FIFO of 64 words in the memory of (24, 1).
#[test]
fn a_route_passes_the_places_of_fifos() {
    let page = fs::read_to_string(path("docs/language.md")).expect("the page");
    let (_, design) = page.split_once("```aiec\ndesign delayed\n").expect("the sample");
    let (design, _) = design.split_once("```").expect("a closed block");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (source, routes) = (file("delayed.dsl"), file("routes.json"));
    fs::write(&source, format!("design delayed\n{design}")).expect("writable");
    let ran = aiec(["route", "--effort", "1", &source, "--output", &routes]);
    assert!(ran.status == 0 && !ran.out.contains("not taken into account"), "{ran:?}");
    let routes: Value = serde_json::from_str(&fs::read_to_string(routes).expect("written")).expect("JSON");
    let nets = routes["nets"].as_array().expect("nets").iter().filter(|net| net["from"] == "a.y");
    let ends: Vec<_> = nets.map(|net| [&net["at"], &net["sinks"][0]["at"]]).collect();
    assert!(ends.len() == 2 && ends[0][1] == "24,2" && ends[1][0] == "24,2", "{ends:?}");
}

/// Two streams of 32 words each end at a core next to their sender: its switch and the sender's
/// have four FIFOs, and a deeper stream finds too few.
#[test]
fn a_route_names_connections_that_find_too_few_fifos() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let source = directory.path().join("deep.dsl").display().to_string();
    let design = "design deep
device toy
kernel a(in x: window int32[16], out y: stream int32[16], out z: stream int32[16]) { source \"a.cc\" }
kernel b(in y: stream int32[16], in z: stream int32[16], out w: window int32[16]) { source \"b.cc\" }
input i from plio(32, \"i.txt\")
output o to plio(32, \"o.txt\")
connect i -> a.x
connect a.y -> b.y fifo 32
connect a.z -> b.z fifo DEPTH
connect b.w -> o
place a at (2, 1)
place b at (3, 1)
";
    let line = "the switches on these routes have too few free FIFOs for `a.z` -> `b.z`\n";
    for (depth, is_short) in [("32", false), ("39", true)] {
        fs::write(&source, design.replace("DEPTH", depth)).expect("writable");
        let ran = aiec(["route", "--effort", "1", &source]);
        assert_eq!((ran.status, ran.out.contains(line)), (0, is_short), "{ran:?}");
    }
}

/// Imports `text` as a file called `name`, with a picture and its data.
fn import(name: &str, text: &str) -> (Ran, String, Value) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = |name: &str| directory.path().join(name).display().to_string();
    let (input, svg, json) = (file(name), file("a.svg"), file("a.json"));
    fs::write(&input, text).expect("writable");
    let ran = aiec(["route", "--import", &input, "--svg", &svg, "--json", &json]);
    let text = |path: &str| fs::read_to_string(path).expect("written");
    (ran, text(&svg), serde_json::from_str(&text(&json)).expect("JSON"))
}

#[test]
fn a_vendor_run_that_failed_is_explained_in_its_own_words_and_drawn() {
    // 37 nets from columns 6 to 8 to columns 9 to 11, as in the thesis (4.6.4).
    let net = |n: u32| {
        let (away, row, channel) = (n / 16, n % 8, n / 8 % 2);
        format!(
            "net{n}:100 S_MM2S_DMA_ch{channel}_C{}_R{row} M_S2MM_DMA_ch{channel}_C{}_R{row}\n",
            8 - away,
            9 + away
        )
    };
    let (ran, svg, plan) = import("router.input", &(0..37).map(net).collect::<String>());
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("AIE Router found too many nets on Column: 8 going EAST, 37/36"), "{}", ran.err);
    assert!(ran.out.contains("column 8 going east: 37/36"), "{}", ran.out);
    assert!(svg.contains("37/36 \u{2192}"));
    assert_eq!(plan["routed"], false);
}

#[test]
fn a_vendor_solution_is_verified_and_drawn() {
    let text = r#"{ "net0": { "tree": [ ["S_SHIM_SOUTH_ch0_C24", "M_SHIM_NORTH_ch5_C24"], ["S_SOUTH_ch5_C24_R0", "M_S2MM_DMA_ch0_C24_R0"] ] } }"#;
    let (ran, svg, plan) = import("router_soln.json", text);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.contains("of the files") && ran.out.contains("1 hop, 8 cycles by AM009, not measured: net0"),
        "{}",
        ran.out
    );
    assert!(svg.contains("net0: (24, 0) south 0 to (24, 1) dma 0"));
    assert_eq!(plan["nets"][0]["hops"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_design_and_an_import_exclude_each_other() {
    assert_eq!(aiec(["route", "a.dsl", "--import", "b"]).status, 2);
}

#[test]
fn a_design_that_cannot_be_routed_still_has_its_table_of_cuts() {
    let (design, placement) =
        (path("tests/cases/route/overfull.dsl"), path("tests/cases/route/overfull.placement.json"));
    let ran = aiec(["report", "--cuts", "--placement", &placement, &design]);
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("column 2  23/20"), "demand and capacity of the full line: {}", ran.out);
    assert!(ran.err.contains("route/overfull"), "{}", ran.err);
}

#[test]
fn a_drawing_is_not_written_into_a_folder_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let svg = folder.path().join("missing/routes.svg").display().to_string();
    let ran = aiec(["route", "--svg", &svg, &path("examples/pipeline.dsl")]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.contains("emit/output-unwritable"), "{}", ran.err);
    assert!(!folder.path().join("missing").exists());
}

#[test]
fn trace_is_routed_over_what_the_design_leaves_and_counted() {
    let (ran, _, plan) = route("nets", &["--trace", "1"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("tiles traced"), "{}", ran.out);
    let nets = plan["nets"].as_array().expect("nets");
    let is_trace = |net: &&Value| net["name"].as_str().is_some_and(|name| name.starts_with("trace of"));
    let traced = nets.iter().filter(is_trace).count();
    assert!(traced > 0);
    let (_, _, without) = route("nets", &[]);
    let own: Vec<&Value> = nets.iter().filter(|net| !is_trace(net)).collect();
    assert_eq!(own, without["nets"].as_array().expect("nets").iter().collect::<Vec<_>>());
}

/// A split over the kernels of a block, four rows high, whose windows are joined column by column.
fn split(columns: usize) -> String {
    let joins = (0..columns).map(|column| format!("connect pe[{column}][..].y -> join[{column}].a\n"));
    format!(
        "design fan\ndevice xcvc1902\n\
         kernel pe[{columns}][4](in x: packets int32[64], out y: window int32[64]) {{ source \"pe.cc\" }}\n\
         kernel join[{columns}](in a[4]: window int32[64], out y: window int32[64]) {{ source \"join.cc\" }}\n\
         input work from plio(32, \"work.txt\")\n\
         output o[{columns}] to plio(32, \"o_{{}}.txt\")\n\
         connect work -> split pe[..][..].x\n{}connect join.y -> o\n",
        joins.collect::<String>()
    )
}

/// A slave port has four rules (AM009), so a split of more than four branches needs forks that few
/// rules tell apart, or wires that lead from branch to branch. The router verifies its answer.
#[track_caller]
fn assert_split_is_routed(columns: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let design = folder.path().join("fan.dsl");
    fs::write(&design, split(columns)).expect("written");
    let ran = aiec(["route", &design.display().to_string()]);
    assert_eq!(ran.status, 0, "{columns} columns: {}", ran.err);
    assert!(ran.out.contains(&format!("nets        {}", columns * 5)), "{}", ran.out);
}

#[test]
fn a_split_that_needs_a_chain_is_placed_and_routed() {
    assert_split_is_routed(3);
}

#[test]
#[ignore = "long: places and routes seven designs"]
fn splits_to_up_to_all_32_packet_numbers_are_placed_and_routed() {
    (2..=8).for_each(assert_split_is_routed);
}
