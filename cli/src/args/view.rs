//! The command line of `aiec view`.

use std::path::PathBuf;

use clap::Args;

use super::{Common, Input};
use crate::values::written_file;

/// `aiec view`
#[derive(Debug, Args)]
pub struct View {
    /// The design.
    #[command(flatten)]
    pub input: Input,
    /// How to place it.
    #[command(flatten)]
    pub common: Common,
    /// The page [default: NAME.html in the working folder, after the design's name].
    #[arg(short, long, value_name = "FILE", value_parser = written_file())]
    pub output: Option<PathBuf>,
    /// Replace a file that aiec did not write, or that was edited since.
    #[arg(long)]
    pub overwrite: bool,
}
