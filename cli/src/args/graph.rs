//! Options for an ADF graph in the place of a design.

use std::path::PathBuf;

use aiec_diag::Code;
use aiec_host_run::numbers::{Skip, Tolerance};
use clap::Args;

use crate::values::parse_allowed;

/// Options for reading a `graph.cpp`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Options for a graph.cpp")]
pub struct GraphInput {
    /// A folder of headers and kernel sources.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Stack in bytes of kernels for which the graph declares none, as for the vendor's compiler.
    /// If neither declares it, 1024 bytes.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    pub stacksize: Option<u64>,
    /// Heap in bytes of kernels for which the graph declares none, as for the vendor's compiler.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    pub heapsize: Option<u64>,
    /// Do not give this diagnostic about waits between kernels, which the vendor's compiler does
    /// not look for: check/core-wait, check/may-hang, check/stream-hang or check/sync-cycle. Or do
    /// not warn of names in files of constraints that the graph does not have: input/unknown-node.
    #[arg(long, value_name = "SLUG", value_parser = parse_allowed)]
    pub allow: Vec<&'static Code>,
    /// A file of constraints (.aiecst), as the vendor's compiler takes it; several may be given.
    /// They hold like statements of the graph.
    #[arg(long, value_name = "FILE")]
    pub constraints: Vec<PathBuf>,
}

/// The C++ compiler that a `graph.cpp` needs.
#[derive(Clone, Debug, Args)]
pub struct Compiler {
    /// The C++ compiler.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
}

/// Options of `aiec sim` for a graph.cpp or a folder with one.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the run, most of them for a graph.cpp")]
pub struct GraphRun {
    /// The folder of the input files, or one of the folders that their names begin with [default
    /// for a design: its folder; for a graph: the named folder, the working folder, the graph's
    /// folder, the folder above that].
    #[arg(long, value_name = "DIR")]
    pub input: Option<PathBuf>,
    /// The folder for the output files.
    #[arg(long, value_name = "DIR", default_value = "x86simulator_output")]
    pub output: PathBuf,
    /// Replace files in the folder of --output that aiec did not write, or that were edited since.
    /// The graph, its sources and data are never replaced.
    #[arg(long)]
    pub overwrite: bool,
    /// Another flag for the C++ compiler.
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub cxxflag: Vec<String>,
    /// Largest difference from the golden file: a number below 1 for floats, relative to their
    /// magnitude (default 1e-5); a whole number for integers, in units (default 0). Can be given
    /// for both.
    #[arg(long, value_name = "NUMBER", value_parser = Tolerance::parse)]
    pub tolerance: Vec<Tolerance>,
    /// Skip the first N values of an output and of its golden file in the comparison, such as those
    /// before a filter has settled. Without OUTPUT, for every output.
    #[arg(long, value_name = "[OUTPUT=]N", value_parser = Skip::parse)]
    pub skip: Vec<Skip>,
    /// Run N seeds starting at --seed, --jobs in parallel; fail unless all write the same output.
    /// The seed draws the order in which kernels take turns; seed 1 is the order of creation.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub seeds: u32,
    /// Compare the packets (or lines, without packets) of this output in any order: a packet merge
    /// takes packets as they arrive, which differs from seed to seed.
    #[arg(long, value_name = "OUTPUT")]
    pub any_order: Vec<String>,
    /// FIFOs and buffers without limit: shows the results of a graph even if it would hang.
    #[arg(long)]
    pub unbounded: bool,
    /// Fail on warnings, too.
    #[arg(long, conflicts_with = "lenient")]
    pub strict: bool,
    /// Only warn of faults that hardware survives: reads past a window or buffer, outputs only
    /// partly written, arrays larger than the stack, loops with fewer iterations than
    /// chess_loop_range promises.
    #[arg(long)]
    pub lenient: bool,
}

impl GraphRun {
    /// The options of a command line without any of them.
    pub fn usual() -> Self {
        Self {
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
        }
    }
}
