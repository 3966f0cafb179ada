//! The command line: what can be asked for, and with which options.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use aiec_device::{Board, Release};
use aiec_host_run::numbers::{Skip, Tolerance};
use aiec_placer::{Objective, Term};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::asked::Asked;
use crate::solver::Chosen;

/// Graph compiler for AMD AI Engine arrays: kernels and collectives in, a placed and routed Vitis project out.
#[derive(Debug, Parser)]
#[command(name = "aiec", version, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The command line as a command and as what projects record of it.
pub(crate) fn parse(
    arguments: impl IntoIterator<Item = impl Into<OsString>>,
) -> Result<(Cli, Asked), clap::Error> {
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let matches = Cli::command().try_get_matches_from(&arguments);
    let matches = matches.or_else(|error| json_to_standard_output(arguments).ok_or(error))?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut Cli::command()))?;
    Ok((cli, Asked::of(&matches)))
}

/// `aiec report --json DESIGN`, where the option has no FILE and the design is next to it.
fn json_to_standard_output(mut arguments: Vec<OsString>) -> Option<ArgMatches> {
    let report = arguments.get(1).is_some_and(|command| command == "report");
    let at = arguments.iter().position(|argument| argument == "--json").filter(|_| report)?;
    let json = arguments.remove(at);
    arguments.push(json);
    Cli::command().try_get_matches_from(arguments).ok()
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compile a design and write the complete Vitis project.
    Build(Build),
    /// Check a design as far as it can be checked without placing it.
    Check(Check),
    /// Place a design and print the floorplan, and how far from the best it can be.
    Place(Place),
    /// Route a design, or say why it cannot be, and print how full the wires are.
    Route(Route),
    /// Compile a design, or any ADF graph.cpp, run it on this machine and compare its outputs with a reference.
    Sim(Sim),
    /// Compile a design and print what it uses of the array.
    Report(Report),
    /// Print a design in canonical form, with its comments.
    Fmt(Fmt),
    /// List the devices aiec knows, or print the numbers of one.
    Devices(Devices),
    /// Say what a diagnostic means; without a slug, list all of them.
    Explain(Explain),
}

/// The design and how to read it.
#[derive(Debug, Args)]
pub struct Input {
    /// The design file.
    #[arg(value_name = "DESIGN")]
    pub design: PathBuf,
    /// Override a constant of the design.
    #[arg(short = 'D', value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub define: Vec<String>,
    /// A device name or a device file to use instead of the design's device.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// The release of Vitis that the project is for, such as 2023.2; wins over the design's `vitis` line.
    #[arg(long, value_name = "RELEASE", value_parser = parse_release)]
    pub vitis: Option<&'static Release>,
    /// The board that the project is for, vck190 or vck5000; wins over the design's `board` line.
    #[arg(long, value_name = "BOARD", value_parser = parse_board)]
    pub board: Option<Board>,
    /// How diagnostics are written.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// How to find a placement.
#[derive(Debug, Args)]
pub struct Placing {
    /// Load this placement file instead of searching.
    #[arg(long, value_name = "FILE")]
    pub placement: Option<PathBuf>,
    /// How hard to search for a placement.
    #[arg(long, value_name = "1..5", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=5))]
    pub effort: u32,
    /// Seed of the placement search: same input and seed, same result.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads of the search; the result does not depend on it [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Stop the search after so many seconds, such as 2.5, and keep the best it has; so does Ctrl-C.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    /// Who solves the integer programs of the search. All but `microlp` and `highs` are programs that must be installed.
    #[arg(long, value_name = "SOLVER", default_value = "microlp", value_parser = crate::solver::parse)]
    pub solver: Chosen,
    /// What makes one legal placement better than another, the most important first: `dma` connections, their `bytes`, longest `path`
    /// through collectives, tiles of `wire`, `compact` around the middle column. A later one decides only between placements equal in
    /// all before; what is left out is not looked at.
    #[arg(long, value_name = "TERM,...", default_value = "dma,bytes,path,wire,compact", value_parser = parse_objective)]
    pub objective: Objective,
}

fn parse_release(text: &str) -> Result<&'static Release, String> {
    let known = || Release::names().collect::<Vec<_>>().join(", ");
    Release::named(text).ok_or_else(|| format!("the releases are {}", known()))
}

fn parse_board(text: &str) -> Result<Board, String> {
    let known = || Board::ALL.map(Board::name).join(" and ");
    Board::named(text).ok_or_else(|| format!("the boards are {}", known()))
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, such as 2.5")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a time is not negative, and not for ever".to_owned())
}

fn parse_objective(text: &str) -> Result<Objective, String> {
    let known = || Term::ALL.map(|term| format!("`{}`", term.name())).join(", ");
    let term = |name: &str| {
        let term = Term::ALL.into_iter().find(|term| term.name() == name);
        term.ok_or_else(|| format!("`{name}` is none of {}", known()))
    };
    let terms: Vec<Term> = text.split(',').map(term).collect::<Result<_, _>>()?;
    Objective::new(&terms).ok_or_else(|| "name each term at most once".to_owned())
}

/// `aiec build`
#[derive(Debug, Args)]
pub struct Build {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// How to place it.
    #[command(flatten)]
    pub placing: Placing,
    /// Directory of the project [default: build/<design name>].
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace files of the output directory that were edited since aiec wrote them, or that it did not write, or that are of another
    /// design or of other constants.
    #[arg(long)]
    pub overwrite: bool,
    /// Write nothing; show how the output directory differs from what would be written, and fail if it does.
    #[arg(long, conflicts_with_all = ["overwrite", "emit"])]
    pub check: bool,
    /// Print an intermediate form instead of writing the project.
    #[arg(long, value_enum, value_name = "FORM")]
    pub emit: Option<EmitForm>,
    /// Which location constraints the graph has; the vendor's mapper places the rest.
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Locations::All)]
    pub locations: Locations,
    /// Run the design on this machine, as `aiec sim` does, and add what its outputs must receive as data/golden/. Needs a C++ compiler.
    #[arg(long, conflicts_with = "emit")]
    pub golden: bool,
    /// The C++ compiler of --golden.
    #[arg(long, value_name = "COMMAND", default_value = "g++", requires = "golden")]
    pub cxx: String,
    /// Seconds after which the run of --golden is stopped if it makes no end.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "golden")]
    pub timeout: u64,
}

/// `aiec place`
#[derive(Debug, Args)]
pub struct Place {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// How to place it.
    #[command(flatten)]
    pub placing: Placing,
    /// Write a picture of the floorplan to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the floorplan as JSON to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write all locations to this file, in the JSON form of aiecompiler's --constraints.
    #[arg(long, value_name = "FILE")]
    pub aiecst: Option<PathBuf>,
    /// Write the placement to this file, for --placement.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since. The design, its sources and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec route`
#[derive(Debug, Args)]
pub struct Route {
    /// The design file.
    #[arg(value_name = "DESIGN", required_unless_present = "import")]
    pub design: Option<PathBuf>,
    /// Instead of a design: nets or routes that aiecompiler wrote (router.input, router_soln.json, *_routed.aiesol). Several files of one run
    /// are put together.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["design", "placement", "define", "output"])]
    pub import: Vec<PathBuf>,
    /// Override a constant of the design.
    #[arg(short = 'D', value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub define: Vec<String>,
    /// A device name or a device file to use instead of the design's device; imported files are of an xcvc1902 if there is none.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// How diagnostics are written.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
    /// How to place it.
    #[command(flatten)]
    pub placing: Placing,
    /// Also route so many streams of event trace, from every core that runs a kernel, over the wires that the design leaves.
    #[arg(long, value_name = "STREAMS", conflicts_with = "import", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub trace: Option<u32>,
    /// Write a picture of nets, loads and the fullest cuts to this file; also if there is no routing.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write what the picture shows as JSON to this file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the routes to this file, as `aiec build --emit=routes` prints them.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since. The design, its sources and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// `aiec check`
#[derive(Debug, Args)]
pub struct Check {
    /// The design.
    #[command(flatten)]
    pub input: Input,
}

/// `aiec sim`
#[derive(Debug, Args)]
pub struct Sim {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// How to place it.
    #[command(flatten)]
    pub placing: Placing,
    /// Compare an output with a file of numbers. For a graph.cpp, OUTPUT is a PLIO's name or file, and FILE alone means the output whose
    /// file has that name, or the only output.
    #[arg(long, value_name = "OUTPUT=FILE")]
    pub golden: Vec<String>,
    /// The C++ compiler.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
    /// How to run an ADF graph that aiec did not write.
    #[command(flatten)]
    pub graph: GraphRun,
    /// Seconds after which a run that makes no end is stopped.
    #[arg(long, default_value_t = 120)]
    pub timeout: u64,
    /// Keep the project, the program and everything it wrote in this directory.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Neither place nor route the design first: what it computes does not depend on where it lies. No times are modelled then.
    #[arg(long, conflicts_with = "placement")]
    pub unplaced: bool,
}

/// Options of `aiec sim` for a graph.cpp or a folder with one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for a graph.cpp")]
pub struct GraphRun {
    /// A folder of headers and kernel sources.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// The folder of the PLIO input files, or the one of the folders that their names begin with; if not given, the named folder, the
    /// working folder, the graph's folder and the one above that.
    #[arg(long, value_name = "DIR")]
    pub input: Option<PathBuf>,
    /// The folder for what the graph writes.
    #[arg(long, value_name = "DIR", default_value = "x86simulator_output")]
    pub output: PathBuf,
    /// Replace files in the folder of --output that aiec did not write, or that were edited since. The graph, its sources and data are
    /// never replaced.
    #[arg(long)]
    pub overwrite: bool,
    /// Another flag for the C++ compiler.
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cxxflag: Vec<String>,
    /// Largest difference from the golden file: below 1 of floats, relative to their magnitude (1e-5 if not given); a whole number
    /// of integers, in units (0 if not given). May be given for both.
    #[arg(long, value_name = "NUMBER", value_parser = Tolerance::parse)]
    pub tolerance: Vec<Tolerance>,
    /// Leave out the first N values of an output, and of its golden file, when they are compared: what comes before a filter has
    /// settled. Without OUTPUT, of every output.
    #[arg(long, value_name = "[OUTPUT=]N", value_parser = Skip::parse)]
    pub skip: Vec<Skip>,
    /// Run with so many seeds, from --seed on, --jobs at a time; all must write the same. The seed draws the order in which
    /// kernels take turns; 1 is the order of creation.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: u32,
    /// Compare the packets (or lines, if there are none) of this output in any order: a packet merge takes them as they come,
    /// which is another order with every seed.
    #[arg(long, value_name = "OUTPUT")]
    pub any_order: Vec<String>,
    /// FIFOs and buffers without end: what the graph computes, whether or not it would hang.
    #[arg(long)]
    pub unbounded: bool,
    /// Fail on warnings, too.
    #[arg(long, conflicts_with = "lenient")]
    pub strict: bool,
    /// Only warn of what hardware survives: reads past a window or buffer, outputs only partly written, arrays larger than
    /// the stack, loops that run less often than chess_loop_range says.
    #[arg(long)]
    pub lenient: bool,
    /// The stack of kernels whose graph does not say, in bytes, as the vendor's compiler is given it. If neither says, arrays
    /// that do not fit 1024 bytes are a warning.
    #[arg(long, value_name = "BYTES")]
    pub stacksize: Option<u64>,
}

impl GraphRun {
    /// The options as they are where none is given.
    pub fn usual() -> Self {
        Self {
            include: Vec::new(),
            input: None,
            output: PathBuf::from("x86simulator_output"),
            overwrite: false,
            cxxflag: Vec::new(),
            tolerance: Vec::new(),
            skip: Vec::new(),
            seeds: 1,
            any_order: Vec::new(),
            unbounded: false,
            strict: false,
            lenient: false,
            stacksize: None,
        }
    }
}

/// `aiec report`
#[derive(Debug, Args)]
pub struct Report {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// How to place it.
    #[command(flatten)]
    pub placing: Placing,
    /// Show every cut, not only the fullest.
    #[arg(long)]
    pub cuts: bool,
    /// Write the data as JSON to this file, or to standard output if none is named.
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "cuts", value_parser = result_file())]
    pub json: Option<Option<PathBuf>>,
    /// Replace files that aiec did not write, or that were edited since. The design, its sources and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
}

/// A file that is written: no design, which would be lost.
fn result_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.extension() {
        Some(ending) if ending == "dsl" => Err("a design is not written over"),
        _ => Ok(path),
    })
}

/// `aiec fmt`
#[derive(Debug, Args)]
pub struct Fmt {
    /// The design file.
    #[arg(value_name = "DESIGN")]
    pub design: PathBuf,
    /// Change nothing; fail if the file is not in canonical form.
    #[arg(long, conflicts_with = "write")]
    pub check: bool,
    /// Change the file instead of printing.
    #[arg(short, long)]
    pub write: bool,
    /// How diagnostics are written.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `aiec devices`
#[derive(Debug, Args)]
pub struct Devices {
    /// The device, or device file, to print.
    pub name: Option<String>,
    /// Print the device file itself, to start one of your own.
    #[arg(long, requires = "name")]
    pub toml: bool,
    /// How diagnostics are written.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// `aiec explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The diagnostic, such as `check/kernel-memory`.
    pub slug: Option<String>,
    /// How diagnostics are written.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// Which location constraints the graph of a project has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Locations {
    /// None: kernels, stacks, buffers, inputs and outputs are the mapper's to place.
    None,
    /// Tiles of kernels.
    Kernels,
    /// Everything.
    All,
}

impl From<Locations> for aiec_codegen::Locations {
    fn from(locations: Locations) -> Self {
        match locations {
            Locations::None => Self::None,
            Locations::Kernels => Self::Kernels,
            Locations::All => Self::All,
        }
    }
}

/// The intermediate forms that can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EmitForm {
    /// The syntax tree.
    Ast,
    /// Families, collectives and connections with names and constants resolved.
    Design,
    /// One node per kernel, one edge per connection.
    Expanded,
    /// Where everything lies; can be loaded again with --placement.
    Placement,
    /// The nets and their ways.
    Routes,
    /// Cycles and resource use.
    Estimate,
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For people.
    Human,
    /// A JSON array on standard error, for editors and CI.
    Json,
}
