//! The command line of `aiec compare`.

use std::path::PathBuf;

use clap::Args;

use super::{Common, MessageFormat};
use crate::values::written_file;

/// `aiec compare`
#[derive(Debug, Args)]
pub struct Compare {
    /// A design, a graph.cpp, a placement or routes that aiec wrote as JSON, a file that
    /// aiecompiler wrote, or a folder that holds its files.
    #[arg(value_name = "A")]
    pub one: PathBuf,
    /// What A is compared with, in the same forms.
    #[arg(value_name = "B")]
    pub other: PathBuf,
    /// The device of the files; xcvc1902 without this option.
    #[arg(long, value_name = "NAME|FILE")]
    pub device: Option<String>,
    /// How to place designs and graphs.
    #[command(flatten)]
    pub common: Common,
    /// Write the comparison as JSON to this file.
    #[arg(long, value_name = "FILE", value_parser = written_file())]
    pub json: Option<PathBuf>,
    /// Replace a file that aiec did not write, or that was edited since.
    #[arg(long)]
    pub overwrite: bool,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}
