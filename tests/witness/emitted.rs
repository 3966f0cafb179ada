//! Every emitted graph and every kernel header that it sees, against the witness of ADF.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{Unit, errors, grouped, release_macro, witness};
use crate::projects::{Project, collectives, projects};
use crate::{BUFFERS, RELEASES, Release};

/// The headers of kernels that the graph sees: those that `kernels.h` includes. Each is compiled as the first include of a file, all in one.
fn headers(project: &Path) -> PathBuf {
    let kernels = fs::read_to_string(project.join("aie/kernels.h")).expect("a project has kernels.h");
    let included = kernels.lines().filter(|line| line.starts_with("#include \""));
    let mut text: String = included.map(|line| format!("{line}\n")).collect();
    text += "#include \"kernels.h\"\n#include \"graph.h\"\n";
    let file = project.join("aie/headers_first.cpp");
    fs::write(&file, text).expect("writable");
    file
}

/// What g++ has against a project's graph: as the compilers of the simulators see it, with its main program, and as hosts do, without.
fn faults(project: &Path, release: &Release) -> Vec<String> {
    let unit = |file: PathBuf, more: &[&str]| {
        let below = |folder: &str| project.join(folder);
        Unit {
            file,
            standard: release.standard,
            // As in the Makefile of the project.
            folders: vec![below("aie"), below("aie/include"), below("aie/kernels")],
            system: vec![witness("adf")],
            macros: more.iter().map(|&name| name.to_owned()).chain([release_macro(release.number)]).collect(),
        }
    };
    let units = [unit(project.join("aie/graph.cpp"), &["__X86SIM__"]), unit(headers(project), &[])];
    units.iter().filter_map(Unit::faults).flat_map(|said| errors(&said)).collect()
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
fn graphs_of_examples_and_golden_projects_are_graphs_of_adf() {
    for release in &RELEASES {
        accept(&projects(release), release);
    }
}

#[test]
fn graphs_of_every_operation_and_shape_are_graphs_of_adf() {
    for release in &RELEASES {
        accept(&collectives("collectives", "", release), release);
    }
}

#[test]
fn graphs_with_buffer_ports_are_graphs_of_adf() {
    accept(&collectives("buffers", "ports buffer\n", &BUFFERS), &BUFFERS);
}
