//! `aiec diff`: what it finds between designs, reports and builds, and its exit statuses.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::fs;

use aiec_tests::{aiec, path};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with the report of the pipeline, and the pipeline with other words.
struct Sides {
    folder: TempDir,
}

impl Sides {
    fn new() -> Self {
        let sides = Self { folder: tempfile::tempdir().expect("a temporary directory") };
        let ran = aiec(["report", &path("examples/pipeline.dsl"), "--json", &sides.at("old.json")]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        sides
    }

    fn at(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The pipeline with each `old` replaced by its `new`.
    fn changed(&self, replaced: &[(&str, &str)]) -> String {
        let mut text = fs::read_to_string(path("examples/pipeline.dsl")).expect("the example");
        for (old, new) in replaced {
            assert!(text.contains(old), "{old}");
            text = text.replacen(old, new, 1);
        }
        fs::write(self.at("new.dsl"), text).expect("writable");
        self.at("new.dsl")
    }

    /// The differences as data.
    fn between(&self, old: &str, new: &str) -> Value {
        let ran = aiec(["diff", "--json", old, new]);
        assert!(ran.status < 2, "{}", ran.err);
        serde_json::from_str(&ran.out).expect("JSON")
    }
}

#[test]
fn a_build_its_report_and_its_design_are_the_same() {
    let sides = Sides::new();
    let design = path("examples/pipeline.dsl");
    let built = aiec(["build", &design, "-o", &sides.at("build")]);
    assert_eq!(built.status, 0, "{}", built.err);
    for [old, new] in [[sides.at("build"), design], [sides.at("old.json"), sides.at("build")]] {
        let ran = aiec(["diff", &old, &new]);
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("no difference: 3 kernels on the same tiles"), "{}", ran.out);
    }
}

#[test]
fn a_kernel_that_is_moved_is_named_with_its_tiles_ways_and_bytes() {
    let sides = Sides::new();
    let old: Value =
        serde_json::from_str(&fs::read_to_string(sides.at("old.json")).expect("there")).expect("JSON");
    let scale = &old["kernels"][0];
    assert!(scale["name"] == "scale" && scale["tile"] != serde_json::json!([10, 3]), "{scale}");
    let new = sides.changed(&[("connect samples", "place scale at (10, 3)\nconnect samples")]);
    let found = sides.between(&sides.at("old.json"), &new);
    let moved = found["kernels"]["moved"].as_array().expect("a list");
    assert!(moved.iter().any(|one| one["name"] == "scale" && one["places"][1] == "(10, 3)"), "{moved:?}");
    assert_eq!(
        (&found["equal"], &found["kernels"]["only"]),
        (&Value::from(false), &serde_json::json!([[], []]))
    );
    assert_eq!(found["format"], "aiec-diff");
    let hops = &found["hops"];
    assert!(
        hops.as_array().is_some_and(|hops| hops.iter().all(|pair| pair["values"][0] != pair["values"][1]))
    );
    let bytes = found["bytes"].as_array().expect("a list");
    let of_tile = |name: &str| bytes.iter().find(|pair| pair["name"] == name).map(|pair| &pair["values"][0]);
    assert_eq!(of_tile("(10, 3)"), Some(&Value::from(0)), "nothing lay there before: {bytes:?}");

    let ran = aiec(["diff", &sides.at("old.json"), &new, "--html", &sides.at("d.html")]);
    assert!(ran.status == 1 && ran.out.contains("moved"), "{}", ran.out);
    let page = fs::read_to_string(sides.at("d.html")).expect("the page");
    assert!(page.contains("<title>scale, old</title>") && page.contains("<td>(10, 3)</td>"), "{page}");
    for outside in ["http", "src=", "href=", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains(&sides.folder.path().display().to_string()), "no path from the root");
}

#[test]
fn a_removed_kernel_is_framed_above_the_one_that_took_its_tile() {
    let sides = Sides::new();
    let old = sides.changed(&[("connect samples", "place scale at (10, 3)\nconnect samples")]);
    let gone = fs::read_to_string(&old).expect("the design").replace("scale", "other");
    fs::write(sides.at("renamed.dsl"), gone).expect("writable");
    let ran = aiec(["diff", &old, &sides.at("renamed.dsl"), "--html", &sides.at("d.html")]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let page = fs::read_to_string(sides.at("d.html")).expect("the page");
    let place = |class: &str, title: &str| {
        page.match_indices(&format!("class=\"{class}\"")).map(|(at, _)| at).find(|&at| {
            page[at..].split("</title>").next().is_some_and(|rect| rect.ends_with(&format!("<title>{title}")))
        })
    };
    let (added, frame) = (place("added", "other added"), place("gone", "scale removed"));
    assert!(added.is_some() && frame > added, "{added:?} {frame:?}");
}

#[test]
fn a_placement_that_is_shifted_as_a_whole_is_one_difference() {
    let sides = Sides::new();
    let placed = |name: &str, tiles: [(u16, u16); 3]| {
        let names = ["scale", "bias", "clip"].iter().zip(tiles);
        let lines: String =
            names.map(|(name, (column, row))| format!("place {name} at ({column}, {row})\n")).collect();
        let new = sides.changed(&[("connect samples", &format!("{lines}connect samples"))]);
        fs::rename(new, sides.at(name)).expect("the design moves");
        sides.at(name)
    };
    let old = placed("old.dsl", [(10, 3), (11, 3), (12, 3)]);
    let shifted = aiec(["diff", &old, &placed("shifted.dsl", [(14, 3), (15, 3), (16, 3)])]);
    assert_eq!(shifted.status, 1, "{}", shifted.err);
    assert!(shifted.out.contains("\n3 kernels moved as one, 4 columns east\n"), "{}", shifted.out);
    assert!(!shifted.out.contains("scale") && !shifted.out.contains("bytes"), "{}", shifted.out);
    let apart = placed("apart.dsl", [(14, 3), (15, 3), (16, 4)]);
    let ran = aiec(["diff", &old, &apart, "--html", &sides.at("d.html")]);
    assert!(
        ran.out.contains("2 kernels moved as one, 4 columns east, 1 kernel moved otherwise"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("clip     (12, 3)  (16, 4)") && !ran.out.contains("scale"), "{}", ran.out);
    let page = fs::read_to_string(sides.at("d.html")).expect("the page");
    assert!(page.contains("<title>clip, old</title>") && !page.contains("<title>scale, old</title>"));
    // The data have every kernel, and the map.
    let found = sides.between(&old, &apart);
    assert_eq!(found["kernels"]["moved"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["shift"], serde_json::json!({"mirrored": [false, false], "by": [4, 0], "kernels": 2}));
}

#[test]
#[ignore = "long: places both sides"]
fn kernels_connections_and_settings_that_came_and_went_are_named() {
    let sides = Sides::new();
    let renamed = [
        ("kernel clip", "kernel cut"),
        ("kernels/clip.cc", "kernels/cut.cc"),
        ("connect bias.y -> clip.x", "connect bias.y -> cut.x"),
        ("connect clip.y", "connect cut.y"),
        ("iterations 4", "iterations 3"),
    ];
    let found = sides.between(&sides.at("old.json"), &sides.changed(&renamed));
    assert_eq!(found["kernels"]["only"], serde_json::json!([["clip"], ["cut"]]));
    let settings = &found["settings"]["moved"][0];
    assert_eq!(settings, &serde_json::json!({"name": "iterations", "places": ["4", "3"]}));
    let connections = found["connections"]["only"].to_string();
    assert!(
        connections.contains("bias.y -> clip.x") && connections.contains("bias.y -> cut.x"),
        "{connections}"
    );
}

/// The ports and neighbours of `cut` are those of `clip`, and so is its source.
#[test]
#[ignore = "long: places both sides"]
fn a_kernel_with_another_name_is_no_other_kernel() {
    let sides = Sides::new();
    let renamed = [
        ("kernel clip", "kernel cut"),
        ("connect bias.y -> clip.x", "connect bias.y -> cut.x"),
        ("connect clip.y", "connect cut.y"),
    ];
    let new = sides.changed(&renamed);
    let found = sides.between(&sides.at("old.json"), &new);
    assert_eq!(found["renamed"], serde_json::json!([["clip", "cut"]]));
    for part in ["kernels", "connections", "memory"] {
        assert_eq!(found[part]["only"], serde_json::json!([[], []]), "{part}");
    }
    let ran = aiec(["diff", &sides.at("old.json"), &new]);
    assert!(ran.status == 1 && ran.out.contains("1 name changed"), "{}", ran.out);
}

#[test]
#[ignore = "long: places both sides"]
fn cycles_of_collectives_differ_with_their_data() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let report = |n: &str| {
        let file = folder.path().join(format!("{n}.json")).display().to_string();
        let ran = aiec(["report", &path("examples/reduce.dsl"), "-D", n, "--json", &file]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        file
    };
    let ran = aiec(["diff", &report("N=3"), &report("N=7")]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    for said in ["4 kernels added", "total, first call", "connections through shared memory"] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
}

#[test]
fn trouble_is_no_difference() {
    let sides = Sides::new();
    fs::write(sides.at("half.json"), "{\"format\": \"aiec-report\", \"version\": 2}").expect("writable");
    for (bad, said) in [("half.json", "input/bad-report"), ("none.json", "input/unreadable-file")] {
        let ran = aiec(["diff", &sides.at(bad), &sides.at("old.json")]);
        assert!(ran.status == 2 && ran.err.contains(said), "{}", ran.err);
    }
}
