//! The projects that the witnesses check: all examples, the golden projects, and every operation in
//! every shape.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use aiec_tests::{aiec, path};

use crate::compiler::fresh;
use crate::{RELEASES, Release, cases};

/// Designs of `examples/`, and the first release with their features: buffer ports 2023.1, merges
/// of more than four streams 2023.2. Without `pingpong_sync`, which shows a diagnostic.
const EXAMPLES: &[(&str, u32)] = &[
    ("classes", 20221),
    ("allports", 20221),
    ("fir_taps/fir_taps", 20221),
    ("pingpong", 20221),
    ("multirate", 20221),
    ("pipeline", 20221),
    ("reduce", 20221),
    ("collectives/barriers", 20232),
    ("collectives/dot", 20221),
    ("collectives/gesummv", 20231),
    ("collectives/histogram", 20221),
    ("collectives/matvec", 20221),
    ("collectives/select", 20221),
    ("collectives/stencil", 20221),
    ("collectives/transpose", 20221),
    ("ports/blur", 20221),
    ("messages/clock", 20221),
    ("messages/histogram", 20221),
    ("messages/mail", 20232),
    ("messages/store", 20221),
    ("modules/bank", 20221),
    ("modules/gemm", 20221),
    ("modules/sensors", 20221),
    ("ports/cascade_fir", 20221),
    ("ports/headers", 20231),
    ("ports/packets", 20232),
];

/// Golden projects: their places are in `tests/cases/projects`.
const GOLDENS: [&str; 4] = ["allports", "pingpong", "pipeline", "reduce"];

/// Ranks of a collective: a power of two for shapes that halve; a root, inner ranks and leaves; as
/// many as 2022.1 can merge.
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

/// A project: its name and its folder.
pub type Project = (String, PathBuf);

/// The placement file of a design, which all releases share.
#[track_caller]
fn placement(name: &str, design: &str, release: &Release) -> String {
    static PLACED: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut placed = PLACED.lock().expect("the other test has said what is wrong with the placement");
    let entry = placed.entry(name.to_owned());
    let search = || {
        let file = fresh(&format!("placements/{name}")).join("placement.json").display().to_string();
        let options = ["place", design, "--effort", "1", "--output", &file];
        let ran = aiec([&options, release.arguments].concat());
        assert_eq!(ran.status, 0, "{name}:\n{}", ran.err);
        file
    };
    entry.or_insert_with(search).clone()
}

/// Builds the examples of which this is the first release or the newest, a design with every kind
/// of run-time parameter, and one with components in components.
#[track_caller]
fn examples(release: &Release) -> Vec<Project> {
    let built = |name: &str, design: String| {
        let placement = placement(name, &design, release);
        (name.to_owned(), build(name, &design, release, &["--placement", &placement]))
    };
    let one = |(name, _): &(&str, u32)| built(name, path(&format!("examples/{name}.dsl")));
    let more =
        ["parameters", "components"].map(|name| built(name, path(&format!("tests/simulated/{name}/d.dsl"))));
    let judged = |since: u32| {
        let can: Vec<u32> = RELEASES.iter().map(|one| one.number).filter(|&number| number >= since).collect();
        can.first() == Some(&release.number) || can.last() == Some(&release.number)
    };
    EXAMPLES.iter().filter(|(_, since)| judged(*since)).map(one).chain(more).collect()
}

/// Builds the golden projects.
#[track_caller]
fn goldens(release: &Release) -> Vec<Project> {
    let one = |name: &&str| {
        let placement = path(&format!("tests/cases/projects/{name}.placement.json"));
        let design = path(&format!("examples/{name}.dsl"));
        let folder = build(&format!("golden/{name}"), &design, release, &["--placement", &placement]);
        (format!("golden {name}"), folder)
    };
    GOLDENS.iter().map(one).collect()
}

/// Examples and golden projects of a release. Several tests look at them; they are built once.
#[track_caller]
pub fn projects(release: &Release) -> Vec<Project> {
    static BUILT: Mutex<BTreeMap<u32, Vec<Project>>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().expect("the other test has said what is wrong with the build");
    built.entry(release.number).or_insert_with(|| [examples(release), goldens(release)].concat()).clone()
}

/// Builds designs that have every operation in every shape, each once; `more` is written below the
/// device.
#[track_caller]
pub fn collectives(name: &str, more: &str, release: &Release) -> Vec<Project> {
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
        let design = folder.join("d.dsl").display().to_string();
        let project = build(&name, &design, release, &["--placement", &placement(&name, &design, release)]);
        (name, project)
    };
    all.chunks(IN_ONE).enumerate().map(one).collect()
}
