//! FIFOs in memory whose places aiec chooses: every form of a design has the same place.

#![allow(clippy::disallowed_methods, reason = "tests read and write files")]

use std::fs;

use aiec_tests::{aiec, aiec_on, path};
use serde_json::{Value, json};

const DESIGN: &str = "design delayed
device xcvc1902
ports window
kernel a(in x: window int32[64], out y: stream int32[64]) { source \"a.cc\" }
kernel b(in x: stream int32[64], out y: window int32[64]) { source \"b.cc\" }
input  x from plio(32, \"x.txt\")
output y to plio(32, \"y.txt\")
connect x -> a.x
connect a.y -> b.x fifo 64
connect b.y -> y
";
const FILES: [(&str, &str); 2] = [
    ("a.cc", "void a(input_window_int32 *x, output_stream_int32 *y) {}\n"),
    ("b.cc", "void b(input_stream_int32 *x, output_window_int32 *y) {}\n"),
];

fn read(file: &str) -> String {
    fs::read_to_string(file).expect("written")
}

fn json_of(file: &str) -> Value {
    serde_json::from_str(&read(file)).expect("JSON")
}

/// The tools have nothing left to choose, unless `--locations` leaves buffers to them.
#[test]
fn the_chosen_place_is_that_of_the_file_the_routes_the_report_and_the_project() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let kept = at("kept.json");
    let ran = aiec_on("place", DESIGN, &FILES, &["--effort", "1", "--output", &kept]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let chosen = &json_of(&kept)["fifos"]["a.y -> b.x"][0];
    let [column, row] = [0, 1].map(|n| chosen["tile"][n].as_u64().expect("a tile"));
    let offset = chosen["offset"].as_u64().expect("an offset");
    assert!(ran.out.contains(&format!("64 words of `a.y -> b.x` at ({column}, {row}) offset {offset}")));
    for (locations, stated) in [("all", true), ("kernels", false), ("none", false)] {
        let out = at(locations);
        let given = ["--placement", &kept, "--locations", locations, "--output", &out];
        let built = aiec_on("build", DESIGN, &FILES, &given);
        assert_eq!(built.status, 0, "{built:?}");
        let graph = read(&format!("{out}/aie/graph.h"));
        let line = format!(
            "adf::location<adf::fifo>(net) = adf::dma_fifo(adf::aie_tile, {column}, {row}, {offset:#06x}, 64);"
        );
        assert!(graph.contains("adf::fifo_depth(net) = 64;"), "{graph}");
        assert_eq!(graph.contains(&line), stated, "{locations}: {graph}");
        let connections = &json_of(&format!("{out}/aiec-report.json"))["connections"];
        let connections = connections.as_array().expect("a list");
        let passing = connections.iter().find(|one| one["from"] == "a.y").expect("the connection");
        assert_eq!(passing["fifo_places"], json!([chosen]));
    }
    let routed = aiec_on("route", DESIGN, &FILES, &["--placement", &kept, "--emit", "routes"]);
    let routes: Value = serde_json::from_str(&routed.out).expect("JSON");
    let nets = routes["nets"].as_array().expect("nets").iter().filter(|net| net["from"] == "a.y");
    let ends: Vec<[&Value; 2]> = nets.map(|net| [&net["at"], &net["sinks"][0]["at"]]).collect();
    // Switches count from the interface row.
    let switch = json!(format!("{column},{}", row + 1));
    assert!(ends.len() == 2 && *ends[0][1] == switch && *ends[1][0] == switch, "{ends:?}");
}

/// A file that was changed by hand is checked like any other.
#[test]
fn a_wrong_place_in_a_placement_file_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let kept = folder.path().join("kept.json").display().to_string();
    let ran = aiec_on("place", DESIGN, &FILES, &["--effort", "1", "--output", &kept]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let text = read(&kept);
    for (right, wrong, slug) in [
        ("\"words\":64", "\"words\":60", "check/fifo-place"),
        ("a.y -> b.x", "a.y -> b.z", "place/unknown-name"),
        ("\"words\":64", "\"word\":64", "place/bad-file"),
    ] {
        fs::write(&kept, text.replace(right, wrong)).expect("writable");
        let ran = aiec_on("place", DESIGN, &FILES, &["--placement", &kept]);
        assert!(ran.status != 0 && ran.err.contains(slug), "{slug}: {ran:?}");
    }
}

/// The constraints of a graph hold the chosen place, and `--constraints` reads it as one that the
/// graph states.
#[test]
fn the_fifo_of_a_graph_gets_a_place_that_its_constraints_keep() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let graph = path("examples/adf/reconverge/graph.cpp");
    let (file, plan, header) = (at("c.aiecst"), at("plan.json"), at("c.h"));
    let first = ["place", &graph, "--effort", "1", "--aiecst", &file, "--json", &plan, "--cpp", &header];
    let ran = aiec(first);
    assert_eq!(ran.status, 0, "{ran:?}");
    let fifos = json_of(&plan)["fifos"].clone();
    assert_eq!((fifos.as_array().map(Vec::len), &fifos[0]["words"]), (Some(1), &json!(56)));
    assert!(read(&header).contains("adf::location<adf::fifo>(net) = adf::dma_fifo(adf::aie_tile, "));
    let second = at("plan2.json");
    let ran = aiec(["place", &graph, "--constraints", &file, "--seed", "9", "--json", &second]);
    assert_eq!((ran.status, &json_of(&second)["fifos"]), (0, &fifos), "{ran:?}");
    let ran = aiec(["route", &graph, "--effort", "1"]);
    assert!(ran.status == 0 && ran.out.contains("nets        4"), "{ran:?}");
}
