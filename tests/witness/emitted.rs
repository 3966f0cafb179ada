//! Every emitted graph and every kernel header that it sees, against the witness of ADF.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{Unit, errors, grouped, release_macro, witness};
use crate::projects::{Project, collectives, projects};
use crate::{BUFFERS, RELEASES, Release};

/// One file for the compiler: the headers of kernels first, so that no other header can help them,
/// then the graph with its main program, as the compilers of the simulators see it.
fn in_one(project: &Path) -> PathBuf {
    let kernels = fs::read_to_string(project.join("aie/kernels.h")).expect("a project has kernels.h");
    let included = kernels.lines().filter(|line| line.starts_with("#include \""));
    let headers: String = included.map(|line| format!("{line}\n")).collect();
    let file = project.join("aie/judged.cpp");
    fs::write(&file, headers + "#include \"graph.cpp\"\n").expect("writable");
    file
}

/// The errors of g++ for a project's graph.
fn faults(project: &Path, release: &Release) -> Vec<String> {
    let below = |folder: &str| project.join(folder);
    let unit = Unit {
        file: in_one(project),
        standard: release.standard,
        // As in the Makefile of the project.
        folders: vec![below("aie"), below("aie/include"), below("aie/kernels")],
        system: vec![witness("adf")],
        macros: vec!["__X86SIM__".to_owned(), release_macro(release.number)],
    };
    unit.faults().map_or_else(Vec::new, |said| errors(&said))
}

/// Fails with every fault once, and the projects that have it.
#[track_caller]
fn accept(projects: &[Project], release: &Release) {
    let of = |(name, folder): &'_ Project| (name.clone(), faults(folder, release));
    let all: Vec<(String, Vec<String>)> = projects.iter().map(of).collect();
    let each =
        all.iter().flat_map(|(name, faults)| faults.iter().map(|fault| (fault.clone(), name.as_str())));
    let found = grouped(each);
    assert!(found.is_empty(), "against ADF of {}:\n{found}", release.name);
}

#[test]
#[ignore = "long: builds every design for four releases"]
fn graphs_of_examples_and_golden_projects_are_graphs_of_adf() {
    for release in &RELEASES {
        accept(&projects(release), release);
    }
}

#[test]
#[ignore = "long: builds every design for four releases"]
fn graphs_of_every_operation_and_shape_are_graphs_of_adf() {
    for release in &RELEASES {
        accept(&collectives("collectives", "", release), release);
    }
}

#[test]
#[ignore = "long: builds every design for four releases"]
fn graphs_with_buffer_ports_are_graphs_of_adf() {
    accept(&collectives("buffers", "ports buffer\n", &BUFFERS), &BUFFERS);
}
