//! Results that can be kept: the same design in two folders gives the same bytes, and none of them
//! names a folder or the time.
#![allow(clippy::disallowed_methods, reason = "tests prepare and read files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use aiec_tests::{aiec, path};

/// A design with its files, below `examples`.
const FILES: [&str; 5] =
    ["pipeline.dsl", "kernels/scale.cc", "kernels/bias.cc", "kernels/clip.cc", "data/pipeline_in.txt"];

/// Commands with options that write results.
const COMMANDS: [&[&str]; 6] = [
    &["build", "-o", "project"],
    &[
        "place",
        "--svg",
        "p.svg",
        "--json",
        "p.json",
        "--aiecst",
        "p.aiecst",
        "--cpp",
        "p.h",
        "-o",
        "placed.json",
    ],
    &["route", "--svg", "r.svg", "--json", "r.json", "-o", "routed.json"],
    &["report", "--json", "report.json", "--trace", "trace.json"],
    &["view", "-o", "view.html"],
    &["diff", "--json", "diff.json", "--html", "diff.html", "project"],
];

/// What commands write into a folder from a design in another one, by relative paths. `design` and
/// all results are named from the root.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (design, out) = (folder.join("design"), folder.join("out"));
    for file in FILES {
        let to = design.join(file);
        fs::create_dir_all(to.parent().expect("below")).expect("writable");
        fs::copy(path(&format!("examples/{file}")), to).expect("copied");
    }
    fs::create_dir_all(&out).expect("writable");
    let refused = fs::read_to_string(path("examples/pingpong_sync.dsl")).expect("the example");
    fs::write(design.join("refused.dsl"), refused).expect("writable");
    for command in COMMANDS {
        let in_folder = |word: &&str| match word.starts_with('-') {
            true => (*word).to_owned(),
            false => out.join(word).display().to_string(),
        };
        let words: Vec<String> = command[1..].iter().map(in_folder).collect();
        let design = design.join("pipeline.dsl").display().to_string();
        let ran = aiec([&[command[0].to_owned()], &words[..], &[design]].concat());
        assert_eq!(ran.status, 0, "{command:?}: {}", ran.err);
    }
    let (refused, page) = (design.join("refused.dsl"), out.join("refused.html"));
    let ran = aiec(["view", &refused.display().to_string(), "-o", &page.display().to_string()]);
    assert!(ran.status == 1 && ran.err.contains("check/sync-cycle"), "{}", ran.err);
    let mut all = BTreeMap::new();
    read_all(&out, &out, &mut all);
    all
}

fn read_all(root: &Path, folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_all(root, &path, all);
        } else {
            let name = path.strip_prefix(root).expect("below").display().to_string();
            all.insert(name, fs::read(&path).expect("readable"));
        }
    }
}

#[test]
#[ignore = "long: runs for seconds"]
fn results_are_the_same_in_every_folder_and_name_none() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a temporary directory"));
    let first = results(one.path());
    let second = results(&other.path().join("a deeper folder"));
    assert!(first.len() > 30, "{:?}", first.keys());
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    let differing: Vec<&String> =
        first.iter().filter(|(name, text)| second[*name] != **text).map(|(name, _)| name).collect();
    assert!(differing.is_empty(), "{differing:?}");
    let folder = one.path().display().to_string();
    for (name, text) in &first {
        let text = String::from_utf8_lossy(text);
        assert!(!text.contains(&folder), "{name} names {folder}");
    }
}
