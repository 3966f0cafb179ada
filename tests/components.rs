//! The classes of sub-graphs that components become, in `simulated/components`: their text, the
//! data that passes their ports, and the graph that C++ makes of them.
#![allow(clippy::disallowed_methods, reason = "tests read what aiec wrote")]

use std::fs;
use std::path::Path;

use aiec_tests::{aiec, path};

/// Builds the design into a folder and returns the text of the graph.
#[track_caller]
fn graph(project: &Path) -> String {
    let design = path("tests/simulated/components/d.dsl");
    let ran = aiec(["build", &design, "--effort", "1", "-o", &project.display().to_string()]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    fs::read_to_string(project.join("aie/graph.h")).expect("a project has a graph")
}

#[test]
fn instances_share_a_class_whose_constructor_takes_what_differs() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let graph = graph(&folder.path().join("project"));
    assert_eq!(graph.matches("class pair :").count(), 1, "four instances, one class");
    insta::with_settings!({ snapshot_path => path("tests/cases/projects"), prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("components", graph);
    });
}

#[test]
#[ignore = "long: describes a graph"]
fn the_emitted_classes_make_the_graph_of_the_design() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let project = folder.path().join("project");
    graph(&project);
    let expanded = |file: &str| {
        let ran = aiec(["check", file, "--no-cxx"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{file}");
        ran.out.lines().next().and_then(|line| line.split_once(':')).map(|(_, sizes)| sizes.to_owned())
    };
    let sizes = expanded(&path("tests/simulated/components/d.dsl")).expect("a line");
    assert!(sizes.starts_with(" 19 kernels, 38 connections"), "{sizes}");
    let emitted = expanded(&project.join("aie/graph.cpp").display().to_string()).expect("a line");
    assert!(emitted.starts_with(" 19 kernels, 38 connections"), "{emitted}");
}

/// The numbers of an output file.
fn numbers(file: &Path) -> Vec<i64> {
    let text = fs::read_to_string(file).expect("an output");
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
#[ignore = "long: simulates"]
fn data_pass_the_ports_of_classes() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let output = folder.path().display().to_string();
    let ran = aiec(["sim", &path("tests/simulated/components/d.dsl"), "--output", &output]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let written = |file: &str| numbers(&folder.path().join(file));
    let scaled = |factor: i64, bias: i64| (1..=32).map(|x| factor * x + bias).collect::<Vec<i64>>();
    for (at, factor) in [0, 1, 1, 2, 10, 11, 11, 12].into_iter().enumerate() {
        assert_eq!(written(&format!("y_{at}.txt")), scaled(factor, 3), "output y[{at}]");
    }
    for file in ["same_0.txt", "same_3.txt", "spy.txt", "z.txt"] {
        assert_eq!(written(file), scaled(1, 0), "{file}");
    }
    assert_eq!(written("sum.txt"), scaled(1 + 2 + 3, 0), "the sum over the ranks");
    assert_eq!(written("q.txt").len(), 2 * 2 * 17, "two packets of a header and 16 words in each run");
}
