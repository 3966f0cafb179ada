//! The emitted projects of the examples, and what the search makes of them.
//!
//! C++ goldens start from a fixed placement file (`cases/projects/<example>.placement.json`), so that a better search does not
//! rewrite them. The quality table is the search's own result: a change that makes one worse shows in review.
#![allow(clippy::disallowed_methods, reason = "tests read what aiec wrote")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use aiec_tests::{aiec, path};

/// Examples that build.
const EXAMPLES: [&str; 4] = ["reduce", "pipeline", "pingpong", "allports"];

type Files = BTreeMap<String, String>;

fn read_all(root: &Path, directory: &Path, files: &mut Files) {
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_all(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("below").display().to_string();
            files.insert(name, fs::read_to_string(&path).expect("text"));
        }
    }
}

/// Builds an example into a fresh directory and reads everything that was written.
fn build(example: &str, extra: &[&str]) -> Files {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path().join("project");
    let design = path(&format!("examples/{example}.dsl"));
    let out_argument = out.display().to_string();
    let ran = aiec([&["build", &design, "-o", &out_argument], extra].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let mut files = Files::new();
    read_all(&out, &out, &mut files);
    files
}

/// The texts of a project that differ from design to design.
fn golden_text(files: &Files) -> String {
    let list: String = files.keys().map(|name| format!("{name}\n")).collect();
    let ours = |name: &&String| {
        !name.starts_with("aie/include/") && !name.starts_with("data/") && !name.ends_with(".json")
    };
    let texts: String = files
        .iter()
        .filter(|(name, _)| ours(name))
        .map(|(name, text)| format!("\n======== {name}\n{text}"))
        .collect();
    list + &texts
}

fn golden(example: &str) {
    let placement = path(&format!("tests/cases/projects/{example}.placement.json"));
    let files = build(example, &["--placement", &placement]);
    insta::with_settings!({ snapshot_path => path("tests/cases/projects"), prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(example, golden_text(&files));
    });
}

#[test]
fn reduce_project() {
    golden("reduce");
}

#[test]
fn pipeline_project() {
    golden("pipeline");
}

#[test]
fn pingpong_project() {
    golden("pingpong");
}

#[test]
fn allports_project() {
    golden("allports");
}

#[test]
fn a_project_has_the_headers_that_it_needs() {
    let files = build("reduce", &["--placement", &path("tests/cases/projects/reduce.placement.json")]);
    let headers = files.keys().filter(|name| name.starts_with("aie/include/"));
    let library: String = headers.map(|name| format!("{name}\n")).collect();
    insta::with_settings!({ snapshot_path => path("tests/cases/projects"), prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("library", library);
    });
}

/// With fewer location constraints only the graph, its placement and what the README says of places differ; what it computes does not.
#[test]
fn a_project_holds_whatever_locations_it_has() {
    let placement = path("tests/cases/projects/pipeline.placement.json");
    let build = |locations: &str| build("pipeline", &["--placement", &placement, "--locations", locations]);
    let all = build("all");
    assert_eq!(
        all,
        self::build("pipeline", &["--placement", &placement]),
        "all is what there is without the option"
    );
    for (locations, kinds) in [("none", vec![]), ("kernels", vec!["kernel"])] {
        let files = build(locations);
        let text = |name: &str| files.get(name).map_or("", String::as_str);
        let said = |kind: &str| text("aie/placement.h").contains(&format!("adf::location<adf::{kind}>"));
        let found: Vec<&str> =
            ["kernel", "stack", "buffer", "PLIO"].into_iter().filter(|kind| said(kind)).collect();
        assert_eq!(found, kinds, "{locations}");
        // Apart from the lines that say who made the file, and how.
        let told = |text: &str| -> Vec<String> {
            text.lines().filter(|line| !line.contains("aiec")).map(str::to_owned).collect()
        };
        let changed = ["aie/graph.h", "aie/placement.h", "README.md"];
        let same = |name: &&String| !changed.contains(&name.as_str()) && !name.starts_with('.');
        for name in all.keys().filter(same) {
            assert_eq!(told(text(name)), told(&all[name]), "{locations}: {name}");
        }
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in &files {
            let file = directory.path().join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("writable");
            fs::write(file, text).expect("writable");
        }
        let at = |name: &str| directory.path().join(name).display().to_string();
        let golden = format!("clipped={}", path("examples/data/pipeline_golden.txt"));
        let ran = aiec([
            "sim",
            &at("aie/graph.cpp"),
            "--input",
            &at(""),
            "--output",
            &at("out"),
            "--golden",
            &golden,
        ]);
        assert_eq!(ran.status, 0, "{locations}: {}", ran.err);
    }
}

#[test]
fn two_builds_of_one_input_are_byte_identical() {
    for example in EXAMPLES {
        assert_eq!(build(example, &[]), build(example, &[]), "{example}");
    }
}

#[test]
fn every_intermediate_form_is_stable_text() {
    let design = path("examples/allports.dsl");
    for form in ["ast", "design", "expanded", "placement", "routes", "estimate"] {
        let emit = format!("--emit={form}");
        let (first, second) = (aiec(["build", &emit, &design]), aiec(["build", &emit, &design]));
        assert_eq!(first.status, 0, "{}", first.err);
        assert_eq!(first.out, second.out, "{form}");
        assert!(serde_json::from_str::<serde_json::Value>(&first.out).is_ok(), "{form} is JSON");
    }
}

#[test]
fn an_emitted_placement_can_be_loaded_again() {
    let design = path("examples/reduce.dsl");
    let emitted = aiec(["build", "--emit=placement", &design]);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("p.json");
    fs::write(&file, &emitted.out).expect("writable");
    let file = file.display().to_string();
    let loaded = aiec(["build", "--emit=placement", "--placement", &file, &design]);
    assert_eq!((loaded.status, loaded.out), (0, emitted.out), "{}", loaded.err);
}

#[test]
fn a_placement_that_breaks_the_hardware_is_refused() {
    let design = path("examples/pingpong.dsl");
    let emitted = aiec(["build", "--emit=placement", &design]).out;
    let mut json: serde_json::Value = serde_json::from_str(&emitted).expect("JSON");
    json["kernels"]["b"]["tile"] = serde_json::json!([30, 5]);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("p.json");
    fs::write(&file, json.to_string()).expect("writable");
    let ran = aiec(["build", "--emit=placement", "--placement", &file.display().to_string(), &design]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.err.contains("place/unreachable-buffer") && ran.err.contains("place/constraint-broken"),
        "{}",
        ran.err
    );
}

#[test]
fn quality_of_the_search() {
    let mut table =
        String::from("example    shared routed nets hops worst link  cycles of each collective\n");
    for example in EXAMPLES {
        let ran = aiec([
            "build".to_owned(),
            "--emit=estimate".to_owned(),
            path(&format!("examples/{example}.dsl")),
        ]);
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let collectives = json["collectives"].as_array().map_or(&[][..], Vec::as_slice);
        let cycles: Vec<String> = collectives.iter().map(|c| c["total_cycles"].to_string()).collect();
        let edge = &json["routing"]["worst_edge"];
        table += &format!(
            "{example:<10} {:>6} {:>6} {:>4} {:>4} {:>10}  {}\n",
            json["resources"]["shared_connections"],
            json["resources"]["routed_connections"],
            json["routing"]["nets"],
            json["routing"]["hops"],
            format!("{}/{}", edge["used"], edge["capacity"]),
            cycles.join(" ")
        );
    }
    insta::with_settings!({ snapshot_path => path("tests/cases/projects"), prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("quality", table);
    });
}
