//! The options of `aiec traffic`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::MessageFormat;
use crate::pattern::{Grid, Pattern, parse_grid, parse_pattern};

/// `aiec traffic`
#[derive(Debug, Args)]
pub struct Traffic {
    /// Patterns, separated by commas: transpose, shuffle, bit-reverse, bit-complement, neighbour,
    /// hotspot, random:N for N random permutations; barrier-flat, barrier-hub, barrier-hypercube;
    /// of a network also one-way, round-trip.
    #[arg(long, value_name = "PATTERN,...", required = true, value_delimiter = ',', value_parser = parse_pattern)]
    pub pattern: Vec<Pattern>,
    /// Nodes of the grid, in columns and rows, instead of 8x8.
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid)]
    pub grid: Option<Grid>,
    /// Sizes of messages in bytes: numbers and ranges, as in `aiec sweep`.
    #[arg(long, value_name = "VALUES", default_value = "16..8192*2")]
    pub bytes: String,
    /// Also offer these loads, in percent of a wire, to nets that share wires (hotspot), and print
    /// what is accepted.
    #[arg(long, value_name = "VALUES")]
    pub load: Option<String>,
    /// Use at most N wires of each side of a switch, or links to a router. 1 is the most
    /// congestion.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub links: Option<u32>,
    /// A device name or a device file instead of xcvc1902.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// A timing profile, by its name or as a file, instead of vck190-thesis. That of a network has
    /// its own nodes.
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Nodes of a network enter barriers at random cycles from 0 to N, 100 times.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub skew: Option<u64>,
    /// Let the event model count conflicts of memory banks: cycles in which several use one bank.
    #[arg(long)]
    pub bank_conflicts: bool,
    /// Seed of random permutations and of the search for buffers.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Permutations that are computed at a time; the results do not depend on it [default: one per
    /// processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print the pattern as a design instead, with the first size.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with_all = ["output", "json", "load", "links"])]
    pub emit: Option<Form>,
    /// Print the data as JSON.
    #[arg(long)]
    pub json: bool,
    /// Directory for traffic.json, traffic.csv and plots.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since.
    #[arg(long)]
    pub overwrite: bool,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// What `aiec traffic --emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// A design of the language.
    Dsl,
}
