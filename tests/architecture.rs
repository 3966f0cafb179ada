//! The crate edges equal those in `ARCHITECTURE.md`, and every dependency is used.
#![allow(clippy::disallowed_methods, reason = "tests read the documentation")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use aiec_tests::{packages, path, root};
use cargo_metadata::DependencyKind;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// The table between `<!-- edges -->` and `<!-- /edges -->`: "| crate | uses |".
fn promised() -> Edges {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md exists");
    let (_, rest) = text.split_once("<!-- edges -->").expect("ARCHITECTURE.md has an edge table");
    let (table, _) = rest.split_once("<!-- /edges -->").expect("the edge table ends");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|');
        let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let name = names(cells.next().unwrap_or_default()).remove(0);
        (name, names(cells.next().unwrap_or_default()).into_iter().collect())
    })
    .collect()
}

fn actual() -> Edges {
    let packages = packages();
    let ours: BTreeSet<String> = packages.iter().map(|package| package.name.to_string()).collect();
    let edges = packages.iter().map(|package| {
        let normal = package.dependencies.iter().filter(|d| d.kind == DependencyKind::Normal);
        let uses = normal.map(|d| d.name.clone()).filter(|name| ours.contains(name)).collect();
        (package.name.to_string(), uses)
    });
    edges.collect()
}

#[test]
fn crate_edges_are_those_of_the_architecture_page() {
    assert_eq!(actual(), promised(), "left: the manifests, right: ARCHITECTURE.md");
}

#[test]
fn crates_depend_on_each_other_in_one_direction() {
    let edges = actual();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    while done.len() < edges.len() {
        let ready = |name: &&String| {
            !done.contains(name.as_str()) && edges[*name].iter().all(|d| done.contains(d.as_str()))
        };
        let next: Vec<&str> = edges.keys().filter(ready).map(String::as_str).collect();
        assert!(!next.is_empty(), "a cycle among the crates not in {done:?}");
        done.extend(next);
    }
}

/// What lies below `compiler/` serves every front end and every stage, so it uses none of them.
#[test]
fn crates_of_the_compiler_use_none_outside_its_folder() {
    let packages = packages();
    let inside: BTreeSet<String> = packages
        .iter()
        .filter(|package| package.manifest_path.as_std_path().starts_with(path("compiler")))
        .map(|package| package.name.to_string())
        .collect();
    assert!(!inside.is_empty(), "packages below compiler/");
    for (name, uses) in actual().iter().filter(|(name, _)| inside.contains(*name)) {
        let outside: Vec<&String> = uses.difference(&inside).collect();
        assert!(outside.is_empty(), "{name} lies in compiler/ and uses {outside:?}");
    }
}

/// The Rust below a folder, without that of packages inside it.
fn rust(folder: &Path) -> String {
    let mut text = String::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.join("Cargo.toml").exists() {
            text += &rust(&path);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text += &fs::read_to_string(path).expect("readable");
        }
    }
    text
}

#[test]
fn every_dependency_is_named_in_the_sources_of_its_crate() {
    for package in packages() {
        let folder = package.manifest_path.parent().expect("a folder").as_std_path();
        let production = ["src", "fuzz_targets"].map(|sources| rust(&folder.join(sources))).concat();
        let all = rust(folder);
        for dependency in &package.dependencies {
            let text = if dependency.kind == DependencyKind::Normal { &production } else { &all };
            let name = dependency.name.replace('-', "_");
            let uses = ["::", "!", ";", " as "].map(|after| format!("{name}{after}"));
            let is_used = uses.iter().any(|used| text.contains(used));
            assert!(is_used, "{} does not use {}", package.name, dependency.name);
        }
    }
}

/// Cargo finds no test files by itself where most are modules of one program, `all.rs`. One that is
/// missing would not run.
#[test]
fn every_test_file_is_a_program_or_a_module_of_one() {
    let mut several = 0;
    for package in packages() {
        let targets: BTreeSet<&Path> =
            package.targets.iter().map(|target| target.src_path.as_std_path()).collect();
        for all in targets.iter().filter(|target| target.ends_with("all.rs")) {
            several += 1;
            let text = fs::read_to_string(all).expect("readable");
            let is_module = |name: &str| text.lines().any(|line| line == format!("mod {name};"));
            let entries = fs::read_dir(all.parent().expect("a folder")).expect("readable").flatten();
            let files = entries.map(|entry| entry.path()).filter_map(|path| match path.is_dir() {
                true => Some(path.join("main.rs")).filter(|main| main.exists()),
                false => path.extension().is_some_and(|ending| ending == "rs").then_some(path),
            });
            for file in files.filter(|file| !targets.contains(file.as_path())) {
                let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
                assert!(is_module(name), "{} does not run: {} lacks it", file.display(), all.display());
            }
        }
    }
    assert_eq!(several, 5, "packages with several test files in one program");
}

#[test]
fn the_pipeline_fits_on_one_screen_and_holds_no_logic() {
    let text = fs::read_to_string(root().join("cli/src/pipeline.rs")).expect("pipeline.rs exists");
    let code = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//"));
    let code: Vec<&str> = code.collect();
    assert!(code.len() < 120, "pipeline.rs has grown: it states the order of the stages and nothing else");
    let loops = code.iter().any(|line| line.trim_start().starts_with("for ") || line.contains("while "));
    assert!(!loops, "no loops in pipeline.rs");
}
