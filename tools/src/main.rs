//! Maintenance commands of the repository: `cargo run -p xtask -- bless|check|docs|test`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a command line tool"
)]

mod code;
#[cfg(test)]
mod commits;
mod constructs;
mod links;
mod site;
mod tiers;
mod voice;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use aiec_device::release;
use aiec_diag::catalogue;
use cargo_metadata::MetadataCommand;

const USAGE: &str = "usage: cargo run -p xtask -- COMMAND

  bless        run the tests, accept every changed snapshot and list, and remove snapshots that no case has
  bless CASE   accept the snapshots of the tests whose names contain CASE, such as check/plio-width
  check        fail if there is a snapshot without a case, a generated document is stale, prose is not in
               the plain voice, a Rust file is too long or a comment restates a name (CONTRIBUTING.md)
  docs         write the documents that are generated: docs/diagnostics.md, docs/releases.md, the
               table of constructs in docs/runtime.md, the rows of docs/timing.md
  docs site    make the documentation site in target/site by mdBook, with pictures of all examples
  test quick   the tests that need no C++ compiler
  test long    what `cargo test` leaves out because it takes long: ignored tests, and sanitizers
  test all     every test, and sanitizers";

/// The generated documents with their texts: the index of the diagnostics, the releases of Vitis,
/// and the pages of the host runtime and of timing, with their tables.
fn documents() -> Result<[(&'static str, String); 4], String> {
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"));
    let lists = [read("runtime/tests/conformance/graph.txt")?, read("runtime/tests/conformance/kernel.txt")?];
    let runtime = constructs::document(&read("docs/runtime.md")?, &lists.each_ref().map(String::as_str))?;
    Ok([
        ("docs/diagnostics.md", catalogue::index()),
        ("docs/releases.md", release::document()),
        ("docs/runtime.md", runtime),
        ("docs/timing.md", aiec_timing::witnesses::document(&read("docs/timing.md")?)?),
    ])
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["bless"] => bless_all(),
        ["bless", case] => bless(Some(case)),
        ["check"] => check(),
        ["docs"] => docs(),
        ["docs", "site"] => site::site(),
        ["test", "quick"] => tiers::quick(),
        ["test", "long"] => tiers::long(),
        ["test", "all"] => tiers::all(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

/// Removes snapshots without a case and accepts all others.
fn bless_all() -> Result<(), String> {
    for stale in orphans()? {
        println!("removing {}", stale.display());
        std::fs::remove_file(&stale).map_err(|error| error.to_string())?;
    }
    bless(None)
}

/// The packages that hold snapshots or lists which a test rewrites.
fn with_goldens() -> Result<BTreeSet<String>, String> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec();
    let packages = metadata.map_err(|error| error.to_string())?.packages;
    let is_golden = |path: &String| path.ends_with(".snap") || path.ends_with(".golden");
    let goldens = voice::tracked()?.into_iter().filter(is_golden).map(|path| root().join(path));
    let package = |path: PathBuf| {
        let around = |folder: &Path| {
            packages.iter().find(|one| one.manifest_path.parent().is_some_and(|its| its == folder))
        };
        path.ancestors().find_map(around).map(|package| package.name.to_string())
    };
    Ok(goldens.filter_map(package).collect())
}

/// Runs the tests of the packages with goldens and lets them overwrite these. With `case`, only
/// tests whose names contain it.
fn bless(case: Option<&str>) -> Result<(), String> {
    let mut cargo = tiers::cargo(["test", "--no-fail-fast"]);
    cargo.args(with_goldens()?.iter().flat_map(|package| ["-p", package.as_str()]));
    let status = cargo
        .args(["--", "--include-ignored"])
        .args(case)
        .env("INSTA_UPDATE", "always")
        .env("INSTA_FORCE_PASS", "1")
        .env("AIEC_BLESS", "1")
        .status();
    if status.map_err(|error| error.to_string())?.success() {
        Ok(())
    } else {
        Err("some tests fail for other reasons than changed snapshots".into())
    }
}

fn check() -> Result<(), String> {
    let orphans: Vec<String> = orphans()?.iter().map(|path| path.display().to_string()).collect();
    if !orphans.is_empty() {
        return Err(format!("snapshots without a case: {}", orphans.join(", ")));
    }
    for (path, text) in documents()? {
        if std::fs::read_to_string(root().join(path)).unwrap_or_default() != text {
            return Err(format!("{path} is stale: run `{}`", catalogue::INDEX_COMMAND));
        }
    }
    let faults = voice::faults()?;
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("not as CONTRIBUTING.md asks:\n{}", faults.join("\n")))
    }
}

fn docs() -> Result<(), String> {
    for (path, text) in documents()? {
        std::fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Snapshots in `tests/cases` that no design beside them makes and no test program in `tests`
/// names.
fn orphans() -> Result<Vec<PathBuf>, String> {
    let programs = programs()?;
    let mut orphans = Vec::new();
    for stage in files(&root().join("tests/cases"))? {
        let all = if stage.is_dir() { files(&stage)? } else { BTreeSet::new() };
        let is_made = |snapshot: &PathBuf| {
            let name =
                snapshot.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            all.contains(&snapshot.with_extension("dsl")) || programs.contains(&format!("\"{name}\""))
        };
        let snapshots =
            all.iter().filter(|path| path.extension().is_some_and(|extension| extension == "snap"));
        orphans.extend(snapshots.filter(|snapshot| !is_made(snapshot)).cloned());
    }
    Ok(orphans)
}

/// The text of all test programs.
fn programs() -> Result<String, String> {
    let all = files(&root().join("tests"))?;
    let sources = all.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    sources
        .map(|path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display())))
        .collect()
}

fn files(directory: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let entries =
        std::fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}
