//! `aiec completions`, `aiec man`, and `aiec doctor`: the shell, the manual, and the programs of
//! others that aiec can use.
#![allow(clippy::disallowed_methods, reason = "this module looks for programs and their folders")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use aiec_system::passing::children;
use clap::{Command, CommandFactory};

use crate::args::{Cli, Completions, Doctor, Man};
use crate::output::Console;
use crate::solver::{self, find};
use crate::{SUCCESS, USAGE, summary};

/// `aiec completions`: the script for a shell.
pub(crate) fn completions(args: &Completions, console: &mut Console<'_>) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "aiec", &mut script);
    console.text(&String::from_utf8_lossy(&script));
    SUCCESS
}

/// `aiec man`: a manual page in roff.
pub(crate) fn man(args: &Man, console: &mut Console<'_>) -> u8 {
    let mut all = Cli::command();
    // Names the commands in full, and gives each its `help`.
    all.build();
    let mut command = Some(&all);
    for name in &args.commands {
        command = command.and_then(|command| command.find_subcommand(name));
    }
    let Some(command) = command else {
        let names: Vec<&str> = all.get_subcommands().map(Command::get_name).collect();
        console.error(&format!(
            "aiec has no command `{}`; it has {}\n",
            args.commands.join(" "),
            names.join(", ")
        ));
        return USAGE;
    };
    let name = command.get_display_name().unwrap_or("aiec").to_owned();
    let mut page = Vec::new();
    // A vector takes all that is written to it.
    let source = format!("aiec {}", env!("CARGO_PKG_VERSION"));
    let _ = clap_mangen::Man::new(command.clone()).title(name).source(source).render(&mut page);
    console.text(&String::from_utf8_lossy(&page));
    SUCCESS
}

/// Something that aiec or its projects can use.
struct Tool {
    name: String,
    /// Where it is, or its version. None when it was not found.
    found: Option<String>,
    /// What needs it.
    enables: String,
}

impl Tool {
    fn new(name: impl Into<String>, found: Option<String>, enables: impl Into<String>) -> Self {
        Self { name: name.into(), found, enables: enables.into() }
    }
}

/// `aiec doctor`: what was found, and what each enables. All commands that are not named work
/// without any of it.
pub(crate) fn doctor(args: &Doctor, console: &mut Console<'_>) -> u8 {
    let tools = tools(&args.cxx);
    let rows = tools.iter().map(|tool| {
        let found = tool.found.as_deref().unwrap_or("not found");
        (format!("{}: {found}", tool.name), tool.enables.clone())
    });
    console.text(&summary::table(&rows.collect::<Vec<_>>()));
    SUCCESS
}

fn tools(cxx: &str) -> Vec<Tool> {
    let vitis = || {
        let compiler = program("aiecompiler").or_else(|| program("v++"))?;
        let release = std::env::var("XILINX_VITIS").ok().map(|folder| format!(", XILINX_VITIS={folder}"));
        Some(compiler + &release.unwrap_or_default())
    };
    let platforms = folder("PLATFORM_REPO_PATHS", "")
        .or_else(|| std::env::var_os("XILINX_VITIS").map(|folder| Path::new(&folder).join("base_platforms")))
        .filter(|folder| folder.is_dir());
    let xrt = [
        folder("XILINX_XRT", "include/xrt/xrt_aie.h"),
        there("/opt/xilinx/xrt/include/xrt/xrt_aie.h"),
        there("/usr/include/xrt/xrt/xrt_aie.h"),
    ];
    let mut tools = vec![
        Tool::new(
            "C++ compiler",
            version(cxx),
            "sim, graphs in C++, the C++ of kernels in check, build --golden",
        ),
        Tool::new("Vitis", vitis(), "make x86sim, aiesim and hw in projects"),
        Tool::new("platforms", platforms.map(shown), "make hw and hw_emu in projects"),
        Tool::new("XRT", xrt.into_iter().flatten().next().map(shown), "make host in projects for cards"),
        Tool::new(
            "aarch64-linux-gnu-g++",
            program("aarch64-linux-gnu-g++"),
            "make host in projects for the VCK190",
        ),
        Tool::new("make", program("make"), "the Makefile of projects"),
        Tool::new("snakemake", program("snakemake"), "the workflow of sweep --snakemake"),
    ];
    let solvers = solver::programs();
    tools.extend(solvers.map(|(name, file)| Tool::new(file, program(file), format!("--solver {name}"))));
    tools
}

/// The path of a program in PATH.
fn program(name: &str) -> Option<String> {
    find(name).map(shown)
}

fn shown(path: PathBuf) -> String {
    path.display().to_string()
}

/// The first line that a compiler says of its version. Returns None when it does not start.
fn version(command: &str) -> Option<String> {
    let output = children::output(Process::new(command).arg("--version")).ok()?;
    let text = String::from_utf8_lossy(&output.stdout).lines().next()?.trim().to_owned();
    output.status.success().then_some(text).filter(|text| !text.is_empty())
}

/// The folder that a variable names, if `file` is in it.
fn folder(variable: &str, file: &str) -> Option<PathBuf> {
    let folder: OsString = std::env::var_os(variable)?;
    let folder = PathBuf::from(folder);
    folder.join(file).exists().then_some(folder)
}

fn there(file: &str) -> Option<PathBuf> {
    Some(PathBuf::from(file)).filter(|file| file.is_file())
}
