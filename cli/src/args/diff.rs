//! The command line of `aiec diff`.

use std::path::PathBuf;

use clap::Args;

use super::{Common, MessageFormat};
use crate::values::result_file;

/// `aiec diff`
#[derive(Debug, Args)]
pub struct Diff {
    /// A design, a graph.cpp, a report (`aiec report --json FILE`), or the folder of a build.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// What OLD became, in the same forms.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// A device name or a device file to use instead of that of designs.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// How to place designs and graphs.
    #[command(flatten)]
    pub common: Common,
    /// Write the differences as JSON to this file, or to standard output without FILE.
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_parser = result_file())]
    pub json: Option<Option<PathBuf>>,
    /// Write the differences as one HTML page, which loads nothing, to this file.
    #[arg(long, value_name = "FILE", value_parser = result_file())]
    pub html: Option<PathBuf>,
    /// Replace files that aiec did not write, or that were edited since.
    #[arg(long)]
    pub overwrite: bool,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}
