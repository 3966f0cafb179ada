//! Tests of the header library: collectives are wired by hand to ADF graphs, compiled with warnings
//! as errors against the host runtime, and run.
//!
//! Every program below `collectives/` wires many groups of ranks and compares each rank's results
//! with MPI's definition. It runs with one buffer and with two in each connection, with kernels in
//! several orders, and strictly: every finding that hardware might not survive fails.

#![allow(clippy::disallowed_methods, reason = "these tests compile and run C++ programs")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use aiec_codegen::headers::{BUFFER_VARIANTS, HEADERS};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/collectives")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("writable");
    fs::write(path, text).expect("writable");
}

/// The kind of ports of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ports {
    Windows,
    Buffers,
}

/// Options of all programs.
const OPTIONS: [&str; 6] = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-O0", "-rdynamic"];

/// The object of the host runtime, compiled once. It is optimised, since it runs most of the time.
fn runtime() -> &'static Path {
    static OBJECT: OnceLock<PathBuf> = OnceLock::new();
    OBJECT.get_or_init(|| {
        let include = folder("runtime", Ports::Windows).join("include");
        let object = include.join("run.o");
        let mut command = Command::new("g++");
        command.args(OPTIONS).args(["-O2", "-c", "-I"]).arg(&include);
        let output = command.arg(include.join(aiec_runtime::RUN)).arg("-o").arg(&object).output();
        let output = output.expect("g++ is installed");
        assert!(output.status.success(), "{}", text(&output.stderr));
        object
    })
}

/// The headers for windows, with `adf.h` precompiled for the programs.
fn precompiled() -> &'static Path {
    static HEADERS: OnceLock<PathBuf> = OnceLock::new();
    HEADERS.get_or_init(|| {
        let folder = folder("precompiled", Ports::Windows);
        let include = folder.join("include");
        let mut command = compiler(&include, Ports::Windows);
        command.arg(aiec_runtime::LINKED).args(["-w", "-x", "c++-header"]).arg(include.join("adf.h"));
        let output = command.arg("-o").arg(include.join("adf.h.gch")).output().expect("g++ is installed");
        assert!(output.status.success(), "{}", text(&output.stderr));
        include
    })
}

/// Writes the headers for a program to a separate folder.
fn folder(name: &str, ports: Ports) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collectives").join(name);
    for (path, text) in HEADERS.iter() {
        let buffers = BUFFER_VARIANTS.iter().filter(|_| ports == Ports::Buffers);
        let text = buffers.into_iter().find(|(name, _)| name == path).map_or(*text, |(_, text)| text);
        write(&folder.join("include").join(path), text);
    }
    for (path, text) in aiec_runtime::HEADERS.iter() {
        write(&folder.join("include").join(path), text);
    }
    folder
}

fn compiler(include: &Path, ports: Ports) -> Command {
    let mut command = Command::new("g++");
    command.args(OPTIONS).arg("-I").arg(include);
    if ports == Ports::Buffers {
        command.arg("-DAIEC_TEST_BUFFERS");
    }
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn compiled(name: &str, ports: Ports) -> PathBuf {
    let folder = folder(&format!("{name}{}", if ports == Ports::Buffers { "_buffers" } else { "" }), ports);
    let program = folder.join("program");
    let source = tests().join(name).with_extension("cpp");
    let mut command = match ports {
        Ports::Windows => compiler(precompiled(), ports),
        Ports::Buffers => compiler(&folder.join("include"), ports),
    };
    command
        .args(["-include", "adf.h"])
        .arg(aiec_runtime::LINKED)
        .arg(source)
        .arg(runtime())
        .arg("-o")
        .arg(&program);
    let output = command.output().expect("g++ is installed");
    assert!(output.status.success(), "{}", text(&output.stderr));
    program
}

fn run(program: &Path, variables: &[(&str, &str)]) -> Output {
    let folder = program.parent().expect("the program lies in a folder");
    let mut command = Command::new(program);
    command.current_dir(folder).env("AIEC_SIM_STRICT", "1").envs(variables.iter().copied());
    command.output().expect("the compiled program runs")
}

/// Compiles a program and runs it in several ways, all of which must be right and silent.
fn holds(name: &str, ports: Ports) {
    let program = compiled(name, ports);
    let runs: [&[(&str, &str)]; 4] = [
        &[],
        &[("AIEC_SIM_SEED", "1")],
        &[("AIEC_SIM_SEED", "2")],
        &[("AIEC_SIM_SEED", "3"), ("AIEC_TEST_PING_PONG", "1")],
    ];
    for variables in runs {
        let output = run(&program, variables);
        let said = text(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{name} with {variables:?}: {said}");
    }
}

#[test]
#[ignore = "long: compiles for seconds"]
fn trees_reduce_broadcast_and_do_both() {
    holds("rooted", Ports::Windows);
    let program = folder("rooted", Ports::Windows).join("program");
    let recorded = run(&program, &[("AIEC_SIM_EVENTS", "events.jsonl")]);
    assert!(recorded.status.success() && recorded.stderr.is_empty(), "{}", text(&recorded.stderr));
}

#[test]
#[ignore = "long: compiles for seconds"]
fn rings_butterflies_and_direct_links_exchange() {
    holds("exchanges", Ports::Windows);
    what_ranks_hand_in_and_get_becomes_events(&folder("exchanges", Ports::Windows).join("program"));
}

/// A scan leaves the first rank without a result if it is exclusive (three groups), a sendrecv the
/// ranks without a sender (two of two groups each).
fn what_ranks_hand_in_and_get_becomes_events(program: &Path) {
    let events = program.with_file_name("events.jsonl");
    let path = events.to_str().expect("the target folder has a plain name");
    assert!(run(program, &[("AIEC_SIM_EVENTS", path)]).status.success());
    let events = fs::read_to_string(&events).expect("the run wrote it");
    let count =
        |what: &str| events.matches(&format!("{{\"event\":\"{what}\",\"collective\":\"tested\"")).count();
    let calls = 3 * 2;
    assert_eq!(count("contribution") - count("result"), (3 + 2 * 2) * calls);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn the_same_sources_work_on_buffers() {
    holds("rooted", Ports::Buffers);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn roots_gather_and_scatter_blocks_of_any_sizes() {
    holds("root_arrays", Ports::Windows);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn operators_wrap_and_give_the_same_as_vectors_and_trees_have_an_order() {
    holds("operators", Ports::Windows);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn packets_find_their_places_at_the_root_of_a_merge_in_whatever_order_they_come() {
    holds("merges", Ports::Windows);
}

/// The thesis argues for it (4.4.2); here every element is tagged.
#[test]
#[ignore = "long: compiles for seconds"]
fn calls_and_chunks_never_mix() {
    holds("ordering", Ports::Windows);
}

#[test]
#[ignore = "long: compiles for seconds"]
fn no_rank_leaves_a_barrier_before_all_have_entered_it() {
    holds("barriers", Ports::Windows);
    let program = folder("barriers", Ports::Windows).join("program");
    let without = run(&program, &[("AIEC_SIM_SEED", "1"), ("AIEC_TEST_WITHOUT_BARRIERS", "1")]);
    assert!(
        text(&without.stderr).contains("left phase"),
        "ranks that do not wait for each other are noticed"
    );
}

/// Each seed draws other latencies, starts of counters, delays of ranks and orders of kernels.
#[test]
#[ignore = "long: compiles for seconds"]
fn clocks_are_off_by_at_most_half_the_asymmetry_of_the_ways_between_them() {
    holds("clocks", Ports::Windows);
    let program = folder("clocks", Ports::Windows).join("program");
    for seed in (4..24).map(|seed: u32| seed.to_string()) {
        let output = run(&program, &[("AIEC_SIM_SEED", &seed)]);
        assert!(output.status.success(), "seed {seed}: {}", text(&output.stderr));
    }
}

#[test]
#[ignore = "long: compiles for seconds"]
fn clocks_work_on_buffers() {
    holds("clocks", Ports::Buffers);
}

/// Kernels include these headers behind their own macros.
#[test]
#[ignore = "long: compiles all headers twice"]
fn headers_leave_the_names_of_macros_to_users() {
    for ports in [Ports::Windows, Ports::Buffers] {
        let folder = folder(&format!("macros{}", ports as u8), ports);
        let users = include_str!("../../runtime/tests/cases/users_macros.h");
        let includes = HEADERS.iter().map(|(path, _)| format!("#include \"{path}\"\n")).collect::<String>();
        let source = folder.join("macros.cpp");
        write(&source, &format!("{users}{includes}"));
        let output = compiler(&folder.join("include"), ports).arg("-fsyntax-only").arg(&source).output();
        let output = output.expect("g++ is installed");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}
