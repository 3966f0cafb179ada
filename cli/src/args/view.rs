//! The command line of `aiec view`.

use std::path::PathBuf;

use clap::Args;

use super::{Compiler, GraphInput, Input, Placing};

/// `aiec view`
#[derive(Debug, Args)]
pub struct View {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// Options of the placement.
    #[command(flatten)]
    pub placing: Placing,
    /// Options for a graph.
    #[command(flatten)]
    pub graph: GraphInput,
    /// The C++ compiler.
    #[command(flatten)]
    pub compiler: Compiler,
    /// The page [default: NAME.html in the working folder, after the design's name].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace a file that aiec did not write, or that was edited since.
    #[arg(long)]
    pub overwrite: bool,
}
