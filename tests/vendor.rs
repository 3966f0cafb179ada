//! Files that AMD's tools wrote, or might have written: `tests/vendor` is one run in miniature,
//! made by hand in the forms of public files.
#![allow(clippy::disallowed_methods, reason = "tests prepare files")]
#![allow(clippy::panic, reason = "a test fails by panicking")]

use crate::snapshot::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aiec_test_support::folder::{DESIGN, Folder};
use aiec_tests::{Ran, aiec, path};

/// The files of the run.
const PLACEMENT: [&str; 2] = ["Map_Report.csv", "Work/temp/graph_aie_mapped.aiecst"];
const ROUTES: [&str; 4] = [
    "Work/temp/router.input",
    "Work/temp/router_soln.json",
    "Work/temp/graph_aie_routed.aiesol",
    "Work/ps/c_rts/aie_control.cpp",
];

fn file(name: &str) -> String {
    path(&format!("tests/vendor/{name}"))
}

/// The output without the folder of this repository.
fn shown(ran: &Ran) -> String {
    format!("{}{}", ran.out, ran.err).replace(&file(""), "")
}

fn snapshot(name: &str, text: String) {
    assert_snapshot("tests/vendor/snapshots", name, &text);
}

fn ended_well(ran: Ran) -> Ran {
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    ran
}

#[test]
fn a_placement_of_the_mapper_is_verified_and_drawn() {
    let files = PLACEMENT.map(file);
    let ran = ended_well(aiec(["place", "--import", &files[0], "--import", &files[1]]));
    snapshot("placement", shown(&ran));
    let alone = ended_well(aiec(["place", "--import", &files[1]]));
    snapshot("constraints", shown(&alone));
}

#[test]
fn every_file_with_nets_gives_the_same_routes() {
    let lines = |name: &str| {
        let ran = ended_well(aiec(["route", "--import", &file(name)]));
        let text = ran.out.lines().skip(1).filter(|line| !line.starts_with("routes ")).collect::<Vec<_>>();
        // The net of the longest way is the first of equal ones, in the order of the file.
        text.join("\n").replace("cycles: net2", "cycles: net1")
    };
    let first = lines(ROUTES[1]);
    for name in &ROUTES[2..] {
        assert_eq!(lines(name), first, "{name}");
    }
    let both = ended_well(aiec(["route", "--import", &file(ROUTES[0]), "--import", &file(ROUTES[3])]));
    snapshot("routes", shown(&both));
}

#[test]
fn a_folder_stands_for_its_files() {
    let whole = file("");
    let placed = ended_well(aiec(["place", "--import", &whole]));
    assert!(placed.out.contains("Map_Report.csv and graph_aie_mapped.aiecst"), "{}", placed.out);
    // The report lies beside the folder Work.
    let work = ended_well(aiec(["place", "--import", &file("Work")]));
    assert_eq!(work.out, placed.out);
    let routed = ended_well(aiec(["route", "--import", &whole]));
    assert!(routed.out.contains("router.input and router_soln.json"), "{}", routed.out);
    let nothing = Folder::with(&[]);
    let empty = nothing.name("");
    for command in ["place", "route"] {
        let ran = aiec([command, "--import", &empty]);
        assert!(ran.status == 1 && ran.words().contains("nor has its Work folder"), "{}", ran.err);
    }
}

#[test]
fn files_of_the_other_kind_name_those_that_are_meant() {
    for name in PLACEMENT.into_iter().chain(["aie.log"]) {
        let ran = aiec(["route", "--import", &file(name)]);
        assert!(ran.status == 1 && ran.words().contains("holds no nets"), "{name}: {}", ran.err);
        assert!(ran.words().contains("Work/ps/c_rts/aie_control.cpp"), "{name}: {}", ran.err);
    }
    for name in ROUTES.into_iter().chain(["aie.log"]) {
        let ran = aiec(["place", "--import", &file(name)]);
        assert!(ran.status == 1 && ran.words().contains("holds no placement"), "{name}: {}", ran.err);
        assert!(ran.words().contains("*_mapped.aiecst"), "{name}: {}", ran.err);
    }
}

#[test]
fn the_messages_of_a_log_are_explained() {
    let ran = ended_well(aiec(["explain", "--log", &file("aie.log")]));
    snapshot("log", shown(&ran));
    let number = ended_well(aiec(["explain", "77-4280"]));
    assert!(number.out.contains("check/core-streams"), "{}", number.out);
    let quoted = ended_well(aiec(["explain", "[aiecompiler 35-3253]"]));
    let words = quoted.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("aiec explain route/overfull"), "{words}");
    assert_eq!(aiec(["explain", "77-1"]).status, 1);
}

#[test]
fn another_text_under_a_known_number_is_told() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let log = folder.path().join("a.log");
    let said = |text: &str| {
        std::fs::write(&log, format!("ERROR: [aiecompiler {text}\n")).expect("writable");
        let ran = ended_well(aiec(["explain", "--log", &log.display().to_string()]));
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let same = said("77-4352] Failed to allocate buffer descriptors for top.m due to too few of them.");
    assert!(!same.contains(" text of line"), "{same}");
    let other = said("77-4352] The license server is down.");
    let differs = "text of line 1 differs from the published one: ERROR: [aiecompiler 77-4352] Failed";
    assert!(other.contains(differs), "{other}");
    let alone = said("77-4280] Whatever.");
    assert!(alone.contains("number known by its number: no page"), "{alone}");
    let full = said(
        "35-3206] AIE Router found a column with over 80 percent horizontal resource utilization\n\
         Column[6] : East : 600/3600 West : 3000/3600",
    );
    assert!(full.contains("lines behind column 6: east 6/36, west 30/36 means"), "{full}");
}

#[test]
fn every_number_that_a_page_quotes_is_found() {
    for code in aiec_diag::catalogue::ALL {
        let after = code.page.split("[aiecompiler ").skip(1);
        for number in after.filter_map(|rest| rest.split(']').next()) {
            let ran = aiec(["explain", number]);
            assert!(ran.out.contains(code.slug), "{number} of {}: {}{}", code.slug, ran.out, ran.err);
        }
    }
}

#[test]
fn two_sides_are_compared() {
    let same = ended_well(aiec(["compare", &file(""), &file("")]));
    snapshot("same", shown(&same));

    let folder = Folder::with(&[]);
    let moved = fs::read_to_string(file(PLACEMENT[0])).expect("readable");
    folder.write("Map_Report.csv", &moved.replace("(10, 1)", "(12, 1)").replace("out,out,10", "out,out,12"));
    let other = folder.path("Map_Report.csv").display().to_string();
    let json = folder.path("c.json").display().to_string();
    let ran = ended_well(aiec(["compare", &file(PLACEMENT[0]), &other, "--json", &json]));
    snapshot("moved", shown(&ran).replace(&folder.name(""), ""));
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(json).expect("written")).expect("JSON");
    assert_eq!(json["kernels"]["moved"][0]["places"][1], "(12, 1)", "{json:#}");
}

#[test]
fn a_design_is_compared_with_the_constraints_that_aiec_wrote_of_it() {
    let folder = Folder::with(&[]);
    let at = |name: &str| folder.path(name).display().to_string();
    let design = path("examples/pipeline.dsl");
    ended_well(aiec(["place", &design, "--aiecst", &at("p.aiecst"), "-o", &at("p.json")]));
    ended_well(aiec(["route", &design, "-o", &at("r.json")]));
    let ran = ended_well(aiec(["compare", &design, &at("p.aiecst")]));
    let row = |out: &str, name: &str| {
        let row = out.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
        row.split_whitespace().skip(name.split(' ').count()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row(&ran.out, "kernels"), ["3", "3", "3", "0", "0", "0"], "{}", ran.out);
    assert_eq!(row(&ran.out, "stacks"), ["3", "3", "3", "0", "0", "0"], "{}", ran.out);
    // A placement file names kernels without their graph.
    let ran = ended_well(aiec(["compare", &at("p.aiecst"), &at("p.json")]));
    assert_eq!(row(&ran.out, "kernels"), ["3", "3", "3", "0", "0", "0"], "{}", ran.out);
    // It names inputs, outputs and ports as the design does.
    for sides in [[&at("p.json"), &design], [&design, &at("p.json")]] {
        let ran = ended_well(aiec(["compare", sides[0], sides[1]]));
        for kind in ["kernels", "stacks", "buffers of ports", "inputs and outputs"] {
            assert_eq!(row(&ran.out, kind)[3..], ["0", "0", "0"], "{kind}: {}", ran.out);
        }
        assert_eq!(row(&ran.out, "inputs and outputs")[..3], ["2", "2", "2"], "{}", ran.out);
    }
    let ran = ended_well(aiec(["compare", &at("r.json"), &design]));
    assert_eq!(row(&ran.out, "hops")[0], row(&ran.out, "hops")[1], "{}", ran.out);
}

// The tools know inputs by names in quotes, an import by those of members.
#[test]
fn inputs_of_a_graph_and_its_import_are_compared() {
    let folder = Folder::with(&[]);
    let (graph, design) = (path("examples/adf/subgraphs/graph.cpp"), folder.name("d.dsl"));
    ended_well(aiec(["import", &graph, "-o", &design]));
    let ran = ended_well(aiec(["compare", &graph, &design, "--effort", "1"]));
    let row = ran.out.lines().find(|line| line.contains("inputs and outputs")).unwrap_or_default();
    let counts: Vec<&str> = row.split_whitespace().skip(3).collect();
    assert_eq!((counts[0], &counts[4..]), ("10", &["0", "0"][..]), "none is alone\n{}", ran.out);
}

#[test]
fn a_project_that_was_not_compiled_is_compared_as_its_graph() {
    let (project, graph) = (path("examples/adf/softmax"), path("examples/adf/softmax/graph.cpp"));
    let ran = ended_well(aiec(["compare", &project, &graph, "--effort", "1"]));
    assert!(ran.out.contains("kernels"), "{}", ran.out);
}

#[test]
fn a_comparison_never_replaces_what_it_is_made_from() {
    let folder = Folder::with(&[("d.dsl", DESIGN), ("kernels/a.cc", "// mine\n"), ("kernels/b.cc", "")]);
    let (design, source) = (folder.name("d.dsl"), folder.name("kernels/a.cc"));
    for mine in [&design, &source] {
        let ran = aiec(["compare", &design, &design, "--effort", "1", "--json", mine, "--overwrite"]);
        assert!(ran.status == 1 && ran.err.contains("emit/output-is-source"), "{mine}: {}", ran.err);
    }
    assert_eq!(folder.read("kernels/a.cc"), "// mine\n");
}

/// Texts that are spoilt in fixed ways.
fn spoilt(text: &str) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> =
        vec![Vec::new(), vec![0; 64], vec![0xff, 0xfe, 0x00], b"\xef\xbb\xbf{".to_vec()];
    let bytes = text.as_bytes();
    all.extend((1..8).map(|part| bytes[..bytes.len() * part / 8].to_vec()));
    for number in ["99999999999999999999999999", "-1", "4294967295", "1e999", "\"\"", "[[[[", "}", "\u{0}"] {
        // Every digit, then the last one only.
        let digits = |c: char| c.is_ascii_digit();
        all.push(text.replace(digits, number).into_bytes());
        if let Some(at) = text.rfind(digits) {
            all.push(format!("{}{number}{}", &text[..at], &text[at + 1..]).into_bytes());
        }
    }
    all.push(format!("{}{}", "[".repeat(100_000), text).into_bytes());
    all.push(text.repeat(40).into_bytes());
    all.push(text.replace('\n', " ").into_bytes());
    all.push(text.replace(' ', "").into_bytes());
    // One byte in 97 is another one.
    all.push(
        bytes.iter().enumerate().map(|(at, &byte)| if at % 97 == 5 { byte ^ 0x15 } else { byte }).collect(),
    );
    all
}

#[test]
fn some_spoilt_files_end_with_a_result_or_a_message() {
    spoil(9);
}

#[test]
#[ignore = "long: every command on every spoilt file"]
fn spoilt_files_end_with_a_result_or_a_message() {
    spoil(1);
}

/// Runs the commands on every `step`-th spoilt text of each file.
fn spoil(step: usize) {
    let folder = Folder::with(&[]);
    let names = PLACEMENT.into_iter().chain(ROUTES).chain(["aie.log"]);
    for name in names {
        let text = fs::read_to_string(file(name)).expect("readable");
        let at: PathBuf = folder.path(Path::new(name).file_name().expect("a name").to_str().expect("text"));
        for (number, bytes) in spoilt(&text).into_iter().enumerate().step_by(step) {
            fs::write(&at, bytes).expect("writable");
            let named = at.display().to_string();
            for command in [
                vec!["place", "--import", &named],
                vec!["route", "--import", &named],
                vec!["explain", "--log", &named],
                vec!["compare", &named, &named],
            ] {
                let begin = Instant::now();
                let ran = aiec(&command);
                let refused = ran.status == 1 && !ran.err.is_empty();
                assert!(
                    ran.status == 0 || refused,
                    "{name} {number} {command:?}: {} {}",
                    ran.status,
                    ran.err
                );
                assert!(begin.elapsed() < Duration::from_secs(20), "{name} {number} {command:?}");
            }
        }
    }
}
