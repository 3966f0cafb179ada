//! The command lines of `aiec new` and `aiec test`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Input, MessageFormat};

/// `aiec new`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct New {
    /// A file that a design names.
    #[command(subcommand)]
    pub file: Option<NewFile>,
    /// The name of the design, and of its folder, which must not exist.
    #[arg(value_name = "NAME", required = true)]
    pub name: Option<String>,
    /// What to begin with.
    #[arg(long, value_enum, default_value_t = Template::Pipeline)]
    pub template: Template,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}

/// What `aiec new` writes for a design that exists.
#[derive(Debug, Subcommand)]
pub enum NewFile {
    /// Write the C++ source of a kernel, with the right signature and a body that writes zeros. An
    /// existing file stays.
    Kernel(NewKernel),
}

/// `aiec new kernel`
#[derive(Debug, Args)]
pub struct NewKernel {
    /// The name of a kernel in the design.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The design.
    #[command(flatten)]
    pub input: Input,
}

/// A design to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// An element-wise sum over the kernels of a tree.
    Reduce,
    /// Three kernels in a row.
    Pipeline,
    /// A product of matrices in blocks, with sums along cascades.
    Gemm,
    /// A blur of images, whose strips exchange rows over streams.
    Stencil,
}

/// `aiec test`
#[derive(Debug, Args)]
pub struct Test {
    /// Folders and design files; the working folder without any.
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,
    /// The C++ compiler.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
    /// Simulate the designs without placing them, which takes less time.
    #[arg(long)]
    pub unplaced: bool,
    /// Format of diagnostics.
    #[arg(long, value_enum, default_value_t = MessageFormat::Human)]
    pub message_format: MessageFormat,
}
