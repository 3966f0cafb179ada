//! The command line: commands and their options.

mod check;
mod common;
mod compare;
mod diff;
mod graph;
mod lsp;
mod machine;
mod start;
mod takes;
mod traffic;
mod view;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use aiec_device::{Board, Release};
use aiec_placer::Objective;
use aiec_system::files::STDIN;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::asked::Asked;
use crate::log::Denied;
use crate::solver::Chosen;
pub use crate::values::{EmitForm, Locations, MessageFormat, RouteForm, Warn};
use crate::values::{
    parse_board, parse_denied, parse_objective, parse_release, parse_seconds, result_file, written_file,
};
pub use check::{Check, KernelSources};
pub use common::Common;
pub use compare::Compare;
pub use diff::Diff;
pub use graph::{Compiler, GraphInput, GraphRun};
pub use lsp::Lsp;
pub use machine::{Completions, Doctor, Man};
pub use start::{New, NewFile, NewKernel, Template, Test};
pub use traffic::Traffic;
pub use view::View;

/// Graph compiler for AMD AI Engine arrays: compiles kernels and collectives to a placed and routed
/// Vitis project.
#[derive(Debug, Parser)]
#[command(name = "aiec", version, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// Parses the command line. Returns the command, and the form of it that projects record.
pub(crate) fn parse(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<(Cli, Asked), clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let matches = Cli::command().try_get_matches_from(&arguments);
    let matches = matches.or_else(|error| json_to_standard_output(arguments).ok_or(error))?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))?;
    one_standard_input(&cli.command)?;
    Ok((cli, Asked::of(&matches, Cli::command())))
}

/// Fails when several designs are to come from standard input, which ends with the first.
fn one_standard_input(command: &Command) -> Result<(), clap::Error> {
    let designs = match command {
        Command::Check(args) | Command::Watch(args) => args.designs.iter().collect(),
        Command::Fmt(args) => args.designs.iter().collect(),
        Command::Diff(args) => vec![&args.old, &args.new],
        _ => Vec::new(),
    };
    if designs.into_iter().filter(|design| design.as_os_str() == STDIN).count() <= 1 {
        return Ok(());
    }
    let message = "`-` is given twice, but standard input holds one design; write the others to files";
    Err(Cli::command().error(ErrorKind::ArgumentConflict, message))
}

/// Handles `aiec report --json DESIGN`: the option has no FILE, and the design follows it. The same
/// for `aiec diff --json OLD NEW`.
fn json_to_standard_output(mut arguments: Vec<OsString>) -> Option<ArgMatches> {
    let has_json = arguments.get(1).is_some_and(|command| command == "report" || command == "diff");
    let at = arguments.iter().position(|argument| argument == "--json").filter(|_| has_json)?;
    let json = arguments.remove(at);
    arguments.push(json);
    Cli::command().try_get_matches_from(arguments).ok()
}

/// The commands; `--help` of each shows its options.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a design and write the complete Vitis project.
    Build(Build),
    /// Check designs without placing them.
    Check(Check),
    /// Check designs again whenever one of their files is saved, until Ctrl-C.
    Watch(Check),
    /// Place a design; print the floorplan and the gap to the best possible placement.
    Place(Place),
    /// Route a design and print how full the wires are, or why there is no routing.
    Route(Route),
    /// Compile a design, or any ADF graph.cpp, run it on this machine and compare its outputs with
    /// a reference.
    Sim(Sim),
    /// Compare two placements and routings, of designs or of files that aiecompiler wrote.
    Compare(Compare),
    /// Print what changed between two designs or builds; exit with 0 for nothing, 1 for something,
    /// 2 for trouble.
    Diff(Diff),
    /// Compile a design and print its use of the array.
    Report(Report),
    /// Write a design as one HTML page: array, graph, and a run over time.
    View(View),
    /// Compile a design for many values of its constants; write figures of each as CSV, JSON and
    /// plots.
    Sweep(Sweep),
    /// Print how long the calls of collectives take: as the host program of the project logged it
    /// on the board, beside the event model, or by the event model alone.
    Bench(Bench),
    /// Route and time patterns of traffic over a grid of kernels.
    Traffic(Traffic),
    /// Write an ADF graph.cpp as a design of the language.
    Import(Import),
    /// Make a folder with a design to begin with, or the first version of a kernel's source.
    New(New),
    /// Simulate the designs of folders and compare them with their goldens.
    Test(Test),
    /// Print a design in canonical form, with its comments.
    Fmt(Fmt),
    /// List the devices that aiec knows, or print the numbers of one.
    Devices(Devices),
    /// List the timing profiles that aiec knows, or print the file of one.
    Profiles(Profiles),
    /// Explain a diagnostic; without a slug, list all of them.
    Explain(Explain),
    /// Serve an editor over standard input and output, by the Language Server Protocol.
    Lsp(Lsp),
    /// List the compilers, tools and solvers on this machine, and what each enables.
    Doctor(Doctor),
    /// Print the script that completes commands and options in a shell.
    Completions(Completions),
    /// Print a page of the manual.
    Man(Man),
}

/// DESIGN of a command line without it: the working folder.
const FOLDER: &str = ".";

/// How to read a design.
#[derive(Clone, Debug, Args)]
pub struct Reading {
    /// Override a constant of the design, or define a macro of a graph.
    #[arg(short = 'D', value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub define: Vec<String>,
    /// A device name or a device file to use instead of the design's device.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// A timing profile, by its name or as a file, instead of vck190-thesis.
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Let the event model count conflicts of memory banks: cycles in which several use one bank.
    #[arg(long)]
    pub bank_conflicts: bool,
    /// Build the project for this release of Vitis, such as 2023.2; overrides the design's `vitis`
    /// line.
    #[arg(long, value_name = "RELEASE", value_parser = parse_release)]
    pub vitis: Option<&'static Release>,
    /// Build the project for this board, vck190 or vck5000; overrides the design's `board` line.
    #[arg(long, value_name = "BOARD", value_parser = parse_board)]
    pub board: Option<Board>,
    /// Make an error of this warning, or of every warning; may be given several times.
    #[arg(long, value_name = "SLUG|warnings", value_parser = parse_denied)]
    pub deny: Vec<Denied>,
    /// Also give notes about what is legal and only slow, as far as the command looks.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub warn: Option<Warn>,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// The design and the options for reading it.
#[derive(Debug, Args)]
pub struct Input {
    /// The design file, or `-` for standard input; for some commands also a graph.cpp. A folder
    /// stands for the only design, or the only graph, that it has.
    #[arg(value_name = "DESIGN", default_value = FOLDER)]
    pub design: PathBuf,
    /// How to read it.
    #[command(flatten)]
    pub reading: Reading,
}

/// Options of the search for a placement.
#[derive(Clone, Debug, Args)]
pub struct Placing {
    /// Load this placement file instead of searching.
    #[arg(long, value_name = "FILE")]
    pub placement: Option<PathBuf>,
    /// Effort of the search for a placement.
    #[arg(long, value_name = "1..5", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=5))]
    pub effort: u32,
    /// Seed of the placement search; the same input and seed give the same result.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads of the search; the result does not depend on their number [default: one per
    /// processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop the search after N seconds, such as 2.5, and keep the best placement so far; Ctrl-C
    /// does the same.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    /// Solver of the integer programs of placement and routing. All but `microlp` and `highs` are
    /// programs that must be installed.
    #[arg(long, value_name = "SOLVER", default_value = "microlp", value_parser = crate::solver::parse)]
    pub solver: Chosen,
    /// Terms that rank legal placements, the most important first: `dma` connections, their
    /// `bytes`, longest `path` through collectives, tiles of `wire`, `compact` around the middle
    /// column. A term decides only between placements that are equal in all terms before it; the
    /// search ignores terms that are left out.
    #[arg(long, value_name = "TERM,...", default_value = "dma,bytes,path,wire,compact", value_parser = parse_objective)]
    pub objective: Objective,
}

/// `aiec build`
#[derive(Debug, Args)]
pub struct Build {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// Options of the placement.
    #[command(flatten)]
    pub placing: Placing,
    /// Directory of the project [default: build/<design name>].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace files of the output directory that were edited since aiec wrote them, that aiec did
    /// not write, or that belong to another design or to other constants.
    #[arg(long)]
    pub overwrite: bool,
    /// Write nothing; show how the output directory differs from the result, and fail if it does.
    #[arg(long, conflicts_with_all = ["overwrite", "emit"])]
    pub check: bool,
    /// Print an intermediate form instead of writing the project.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with = "output")]
    pub emit: Option<EmitForm>,
    /// Location constraints in the graph; the vendor's mapper places the rest.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Locations::All)]
    pub locations: Locations,
    /// Run the design on this machine, as `aiec sim` does, and add the expected data of its outputs
    /// as data/golden/. Needs a C++ compiler.
    #[arg(long, conflicts_with = "emit")]
    pub golden: bool,
    /// The C++ compiler of --golden.
    #[arg(long, value_name = "COMMAND", default_value = "g++", requires = "golden")]
    pub cxx: String,
    /// Stop the run of --golden after N seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "golden")]
    pub timeout: u64,
}

/// `aiec place`
#[derive(Debug, Args)]
pub struct Place {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// Instead of a design: a placement that aiecompiler wrote (*_mapped.aiecst, Map_Report.csv),
    /// or a folder that holds its files. Several files of one run are combined. Their device is
    /// xcvc1902 without --device.
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["design", "placement", "define", "output", "aiecst", "json", "vitis", "board"])]
    pub import: Vec<PathBuf>,
    /// How to place it.
    #[command(flatten)]
    pub common: Common,
    /// Write a picture of the floorplan to this file.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub svg: Option<PathBuf>,
    /// Write the floorplan as JSON to this file.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub json: Option<PathBuf>,
    /// Write all locations to this file, in the JSON form of aiecompiler's --constraints.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub aiecst: Option<PathBuf>,
    /// Write all locations to this file as C++: statements that the constructor of the graph
    /// includes.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub cpp: Option<PathBuf>,
    /// Write the placement to this file, for --placement.
    #[arg(short, long, value_name = "FILE", value_parser = written_file())]
    pub output: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since. The design, its sources
    /// and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec route`
#[derive(Debug, Args)]
pub struct Route {
    /// The design or graph.
    #[command(flatten)]
    pub input: Input,
    /// Instead of a design: nets or routes that aiecompiler wrote (router.input, router_soln.json,
    /// *_routed.aiesol, aie_control.cpp), or a folder that holds its files. Several files of one
    /// run are combined. Their device is xcvc1902 without --device.
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["design", "placement", "define", "output", "vitis", "board"])]
    pub import: Vec<PathBuf>,
    /// How to place it.
    #[command(flatten)]
    pub common: Common,
    /// Also route N streams of event trace from every core that runs a kernel, over the wires that
    /// the design leaves free.
    #[arg(long, value_name = "STREAMS", conflicts_with = "import", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub trace: Option<u32>,
    /// Write a picture of nets, loads and the fullest cuts to this file, even without a routing.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub svg: Option<PathBuf>,
    /// Write the data of the picture as JSON to this file.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub json: Option<PathBuf>,
    /// Print the routes in this form instead of a summary, or write it to the file of --output.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with_all = ["import", "trace"])]
    pub emit: Option<RouteForm>,
    /// Write the routes to this file, as `aiec build --emit=routes` prints them, or in the form of
    /// --emit.
    #[arg(short, long, value_name = "FILE", value_parser = written_file())]
    pub output: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since. The design, its sources
    /// and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec sim`
#[derive(Debug, Args)]
pub struct Sim {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// Options of the placement.
    #[command(flatten)]
    pub placing: Placing,
    /// Compare an output with a file of numbers. OUTPUT is its name or file. FILE alone means the
    /// output whose file has that name, or the only output. A folder means the outputs whose files
    /// have the names of files in it. FILE takes the place of the design's `golden`.
    #[arg(long, value_name = "[OUTPUT=]FILE")]
    pub golden: Vec<String>,
    /// The C++ compiler.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
    /// Options for a graph.
    #[command(flatten)]
    pub code: GraphInput,
    /// Options for foreign ADF graphs.
    #[command(flatten)]
    pub graph: GraphRun,
    /// Stop a run after N seconds.
    #[arg(long, default_value_t = 120)]
    pub timeout: u64,
    /// Keep the project, the program and all files of the run in this directory.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Run the design without placement and routing, on which its results do not depend. Models no
    /// times.
    #[arg(long, conflicts_with = "placement")]
    pub unplaced: bool,
    /// Estimate the cycles of each kernel from what it executes, and the latency and throughput of
    /// the graph from these.
    #[arg(long)]
    pub timing: bool,
    /// With --timing, take cycles of kernels from AMD's tools, before those counted here:
    /// profile_funct_*.xml of `aiesimulator --profile`, C_R.log of `aiecompiler -v`, or a folder.
    #[arg(long, value_name = "FILE|DIR", requires = "timing")]
    pub profiled: Vec<PathBuf>,
    /// With --timing, print JSON alone: estimates and counts.
    #[arg(long, requires = "timing")]
    pub json: bool,
}

/// `aiec report`
#[derive(Debug, Args)]
pub struct Report {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// How to place it.
    #[command(flatten)]
    pub common: Common,
    /// Show every cut, not only the fullest.
    #[arg(long)]
    pub cuts: bool,
    /// Write the data as JSON to this file, or to standard output without FILE.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "cuts", value_parser = result_file())]
    pub json: Option<Option<PathBuf>>,
    /// Print where the cycles go instead: floors, the critical path, and the changes that help
    /// most, each built, placed and timed. With --json, add this to the data.
    #[arg(long, conflicts_with = "cuts")]
    pub why: bool,
    /// Take the cycles of kernels that do not state them from this file: the output of `aiec sim
    /// DESIGN --timing --json`.
    #[arg(long, value_name = "FILE")]
    pub cycles: Option<PathBuf>,
    /// Print the cost of each connection instead: overhead of sender and receiver, latency and gap.
    /// With --json, add this to the data.
    #[arg(long, conflicts_with = "cuts")]
    pub logp: bool,
    /// Write what kernels and nets do at each cycle of the event model to this file, in the
    /// trace-event format that Perfetto opens.
    #[arg(long, value_name = "FILE", value_parser = result_file())]
    pub trace: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since. The design, its sources
    /// and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec sweep`
#[derive(Debug, Args)]
#[command(
    mut_arg("define", |arg| arg.value_name("NAME=VALUES").required(true).help(VALUES)),
    mut_arg("jobs", |arg| arg.help(POINTS_AT_A_TIME)),
    mut_arg("time_limit", |arg| arg.help(LIMIT_OF_A_POINT))
)]
pub struct Sweep {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// Options of the placement.
    #[command(flatten)]
    pub placing: Placing,
    /// Directory of the results. A sweep that was ended goes on there.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Compile nothing, but write DIR/Snakefile: a workflow that builds the project of each point
    /// and runs the vendor's tools, on this machine or on a cluster.
    #[arg(long)]
    pub snakemake: bool,
    /// Replace files that aiec did not write, or that were edited since. The design and the files
    /// that it names are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec bench`
#[derive(Debug, Args)]
pub struct Bench {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// Options of the placement.
    #[command(flatten)]
    pub placing: Placing,
    /// A log of the project's host program (`host.exe --restarts 10 --log LOG`). Several logs are
    /// of one design.
    #[arg(long, value_name = "LOG")]
    pub read: Vec<PathBuf>,
    /// Compare a table of measurements with the models instead: CSV with a column for each
    /// constant, and columns `first:OUTPUT`, `further:OUTPUT` or `latency:PORT` in cycles.
    #[arg(long, value_name = "FILE", conflicts_with = "read")]
    pub table: Option<PathBuf>,
    /// Directory for table.json, table.csv, table.md and plots.
    #[arg(short, long, value_name = "DIR", requires = "table")]
    pub output: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since.
    #[arg(long, requires = "output")]
    pub overwrite: bool,
    /// Print the data as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The help of `--jobs` of a sweep.
const POINTS_AT_A_TIME: &str =
    "Points that are compiled at a time; the results do not depend on it [default: one per processor]";
/// The help of `--time-limit` of a sweep.
const LIMIT_OF_A_POINT: &str = "Stop the search of a point after N seconds, such as 2.5, and keep its best \
     placement so far. Results then depend on the machine";
/// The help of `-D` of a sweep.
const VALUES: &str = "Values of a constant: numbers, and ranges that include both ends where they \
     are hit, between commas. `15,31,63`; `8..64` steps by 1, `8..64+8` by 8, and `64..4096*2` doubles. With \
     several constants every combination is a point; the last constant changes first";

/// `aiec import`
#[derive(Debug, Args)]
pub struct Import {
    /// The graph.
    #[command(flatten)]
    pub input: Input,
    /// Options for reading it.
    #[command(flatten)]
    pub graph: GraphInput,
    /// The C++ compiler.
    #[command(flatten)]
    pub compiler: Compiler,
    /// The design file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a file that aiec did not write, or that was edited since.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec fmt`
#[derive(Debug, Args)]
pub struct Fmt {
    /// Design files, or `-` for standard input. A folder stands for its only design.
    #[arg(value_name = "DESIGN", default_value = FOLDER)]
    pub designs: Vec<PathBuf>,
    /// Change nothing; fail if a file is not in canonical form.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Change the files instead of printing.
    #[arg(short, long)]
    pub write: bool,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `aiec devices`
#[derive(Debug, Args)]
pub struct Devices {
    /// The device, or device file, to print.
    pub name: Option<String>,
    /// Print the device file itself, as a start for your own.
    #[arg(long, requires = "name")]
    pub toml: bool,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `aiec profiles`
#[derive(Debug, Args)]
pub struct Profiles {
    /// The profile whose file is printed, as a start for your own.
    pub name: Option<String>,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `aiec explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The diagnostic, such as `check/kernel-memory`, or the number of a message of AMD's tools,
    /// such as 77-753.
    pub slug: Option<String>,
    /// Explain the messages in a log of aiecompiler or v++; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "slug")]
    pub log: Option<PathBuf>,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}
