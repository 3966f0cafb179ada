//! The projects that the witnesses judge: all examples, the golden projects, and every operation in every shape.

use std::fs;
use std::path::PathBuf;

use aiec_tests::{aiec, path};

use crate::compiler::fresh;
use crate::{Release, cases};

/// Designs of `examples/`.
pub const EXAMPLES: [&str; 13] = [
    "allports",
    "pingpong",
    "pingpong_sync",
    "pipeline",
    "reduce",
    "collectives/barriers",
    "collectives/dot",
    "collectives/gesummv",
    "collectives/histogram",
    "collectives/matvec",
    "collectives/select",
    "collectives/stencil",
    "collectives/transpose",
];

/// Golden projects: their places are in `tests/cases/projects`.
pub const GOLDENS: [&str; 4] = ["allports", "pingpong", "pipeline", "reduce"];

/// Ranks of a collective: a power of two for those that halve; a root, inner ranks and leaves; as many as 2022.1 can merge.
const RANKS: u32 = 4;

/// Collectives in one design.
const IN_ONE: usize = 11;

/// Builds a design and returns the folder of its project.
#[track_caller]
fn build(name: &str, design: &str, release: &Release, extra: &[&str]) -> PathBuf {
    let folder = fresh(&format!("{}/{name}", release.name)).join("project");
    let out = folder.display().to_string();
    let ran = aiec([&["build", design, "-o", &out], extra, release.arguments].concat());
    assert_eq!(ran.status, 0, "{name} for {}:\n{}", release.name, ran.err);
    folder
}

/// Builds an example.
#[track_caller]
pub fn example(name: &str, release: &Release) -> PathBuf {
    build(name, &path(&format!("examples/{name}.dsl")), release, &["--effort", "1"])
}

/// Builds a golden project.
#[track_caller]
pub fn golden(name: &str, release: &Release) -> PathBuf {
    let placement = path(&format!("tests/cases/projects/{name}.placement.json"));
    let design = path(&format!("examples/{name}.dsl"));
    build(&format!("golden/{name}"), &design, release, &["--placement", &placement])
}

/// Builds designs that have every operation in every shape, each once; `more` is written below the device.
#[track_caller]
pub fn collectives(name: &str, more: &str, release: &Release) -> Vec<PathBuf> {
    let all = cases::cases(RANKS, cases::Element::Int32, cases::Blocks::OneWindow);
    assert!(all.len() > 60, "operations and shapes: {}", all.len());
    let one = |(number, cases): (usize, &[cases::Case])| {
        let name = format!("{name}{number}");
        let folder = fresh(&format!("{}/{name}_design", release.name));
        let design = cases::design(cases).replacen('\n', &format!("{number}\n"), 1);
        let design = design.replacen("device xcvc1902\n", &format!("device xcvc1902\n{more}"), 1);
        // Kernels without ports of their own serve both kinds of ports.
        let kernel = |at| format!("template <typename Comm>\nvoid k{at}(Comm &) {{}}\n");
        (0..cases.len())
            .for_each(|at| fs::write(folder.join(format!("k{at}.cc")), kernel(at)).expect("writable"));
        fs::write(folder.join("d.dsl"), design).expect("writable");
        build(&name, &folder.join("d.dsl").display().to_string(), release, &["--effort", "1"])
    };
    all.chunks(IN_ONE).enumerate().map(one).collect()
}
