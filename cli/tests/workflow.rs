//! `aiec sweep --snakemake`: the workflow as Snakemake runs it, with stand-ins for the vendor's
//! tools.
#![allow(clippy::disallowed_methods, reason = "tests prepare files and start programs")]
#![allow(clippy::print_stderr, reason = "a test that is left out says why")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use aiec_test_support::folder::Folder;

/// A reduction along a chain of N kernels.
const CHAIN: &str = "design chain
device xcvc1902
const N = 3
kernel worker[N] { source \"worker.cc\" }
reduce total over worker {
    op sum
    data int32[64]
    root worker[0]
    shape chain
}
output sum to plio(32, \"sum.txt\")
connect total.result -> sum
";

/// A source that the build copies.
const WORKER: &str = "template <typename Comm> void worker(Comm &comm) { (void)comm; }\n";

/// Logs its call and makes the outputs of the tool it replaces: `libadf.a`, the folder of the
/// simulator, the file of `-o`.
const TOOL: &str = r#"#!/bin/sh
name=$(basename "$0")
echo "$name $*" >> "$CALLS"
case "$name $*" in
*"--mode aie"*) touch libadf.a;;
aiesimulator*) mkdir aiesimulator_output;;
*) for word in "$@"; do [ "$previous" = -o ] && touch "$word"; previous=$word; done;;
esac
exit 0
"#;

aiec_test_support::workshop! {
    /// A folder with a design and the stand-ins.
    Shop
}

impl Shop {
    fn new() -> Self {
        let shop = Self(Folder::with(&[("chain.dsl", CHAIN), ("worker.cc", WORKER)]));
        for name in ["v++", "aiesimulator", "aarch64-linux-gnu-g++"] {
            shop.program(&format!("tools/{name}"), TOOL);
        }
        let swept = Command::new(env!("CARGO_BIN_EXE_aiec"))
            .args(["sweep", "chain.dsl", "-D", "N=3,4", "-o", "my sweep", "--seed", "3", "--snakemake"])
            .current_dir(shop.path(""))
            .output()
            .expect("aiec starts");
        assert!(swept.status.success(), "{}", String::from_utf8_lossy(&swept.stderr));
        shop
    }

    /// Runs the workflow. Returns what Snakemake printed.
    fn snakemake(&self, installed: &Path, arguments: &[&str]) -> (bool, String) {
        let path = format!("{}:{}", self.path("tools").display(), std::env::var("PATH").unwrap_or_default());
        let Output { status, stdout, stderr } = Command::new(installed)
            .args(["-s", "my sweep/Snakefile"])
            .args(arguments)
            .args(["--config", concat!("aiec=", env!("CARGO_BIN_EXE_aiec"))])
            .current_dir(self.path(""))
            .env("PATH", path)
            .env("XILINX_VITIS", "/vitis")
            .env("CALLS", self.path("calls.txt"))
            .output()
            .expect("Snakemake starts");
        (status.success(), [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat())
    }

    /// The number of calls of a tool so far.
    fn calls(&self, tool: &str) -> usize {
        self.read("calls.txt").lines().filter(|line| line.starts_with(tool)).count()
    }
}

/// Snakemake with its plugin for Slurm, from PyPI, in a folder that stays. Returns None when PyPI
/// cannot be reached.
fn installed() -> Option<&'static Path> {
    static INSTALLED: OnceLock<Option<PathBuf>> = OnceLock::new();
    INSTALLED.get_or_init(install).as_deref()
}

fn install() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snakemake");
    let (snakemake, complete) = (folder.join("bin/snakemake"), folder.join("complete"));
    if complete.exists() {
        return Some(snakemake);
    }
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder).output();
    let pip = Command::new(folder.join("bin/pip"))
        .args(["install", "--quiet", "--retries", "0", "snakemake==9.*", "snakemake-executor-plugin-slurm"])
        .output();
    match (made, pip) {
        (Ok(_), Ok(pip)) if pip.status.success() => {
            fs::write(complete, "").expect("writable");
            Some(snakemake)
        }
        (_, pip) => {
            let why = pip.map(|pip| String::from_utf8_lossy(&pip.stderr).into_owned());
            eprintln!("left out: Snakemake cannot be installed from PyPI: {}", why.unwrap_or_default());
            None
        }
    }
}

#[test]
#[ignore = "long: installs Snakemake from PyPI"]
fn snakemake_builds_and_simulates_all_points_and_only_once() {
    let Some(snakemake) = installed() else { return };
    let shop = Shop::new();
    let (done, said) = shop.snakemake(snakemake, &["--cores", "2"]);
    assert!(done, "{said}");
    assert_eq!((shop.calls("v++ -c --mode aie"), shop.calls("aiesimulator")), (2, 2), "{said}");
    for point in ["N=3", "N=4"] {
        let project = shop.path("my sweep/projects").join(point);
        assert!(project.join("aie/graph.cpp").exists() && project.join("aiesimulator_output").is_dir());
        let kernels = format!("kernels       {}", &point[2..]);
        let log = shop.read(&format!("my sweep/logs/{point}/build.log"));
        assert!(log.contains(&kernels), "{log}");
    }

    let (done, said) = shop.snakemake(snakemake, &["--cores", "2", "--until", "aiesimulator"]);
    assert!(done && said.contains("Nothing to be done"), "{said}");

    let (done, said) =
        shop.snakemake(snakemake, &["--cores", "2", "my sweep/projects/N=4/build_hw/a.xclbin"]);
    assert!(done, "{said}");
    let calls = ["v++ -c --mode aie", "v++ -c -t hw", "v++ -l", "v++ -p"].map(|call| shop.calls(call));
    assert_eq!(calls, [2, 1, 1, 1], "the data mover of one project, which is linked and packaged: {said}");
}

#[test]
#[ignore = "long: installs Snakemake from PyPI"]
fn a_point_that_is_refused_fails_alone() {
    let Some(snakemake) = installed() else { return };
    let shop = Shop::new();
    let swept = Command::new(env!("CARGO_BIN_EXE_aiec"))
        .args(["sweep", "chain.dsl", "-D", "N=3,500", "-o", "my sweep", "--snakemake"])
        .current_dir(shop.path(""))
        .output()
        .expect("aiec starts");
    assert!(swept.status.success(), "the files of the earlier sweep are replaced");
    let (done, said) = shop.snakemake(snakemake, &["--cores", "2", "--keep-going"]);
    assert!(!done, "{said}");
    assert!(shop.path("my sweep/projects/N=3/aiesimulator_output").is_dir(), "{said}");
    let log = shop.read("my sweep/logs/N=500/build.log");
    assert!(log.contains("check/too-many-kernels"), "{log}");
}

#[test]
#[ignore = "long: installs Snakemake from PyPI"]
fn snakemake_plans_the_jobs_for_slurm() {
    let Some(snakemake) = installed() else { return };
    let shop = Shop::new();
    let (planned, said) = shop.snakemake(snakemake, &["--executor", "slurm", "--jobs", "9", "--dry-run"]);
    assert!(planned, "{said}");
    for rule in ["build", "aiecompiler", "aiesimulator"] {
        let number = said.lines().any(|line| line.split_whitespace().eq([rule, "2"]));
        assert!(number, "{rule}: {said}");
    }
}
