//! The arguments of `aiec check`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::{FOLDER, GraphInput, Reading};
use crate::kernels::Compiling;

/// `aiec check`
#[derive(Debug, Args)]
pub struct Check {
    /// The design files, or graphs in C++; for `check`, `-` means standard input. A folder stands
    /// for the only design, or the only graph, that it has.
    #[arg(value_name = "DESIGN", default_value = FOLDER)]
    pub designs: Vec<PathBuf>,
    /// How to read them.
    #[command(flatten)]
    pub reading: Reading,
    /// Options for a graph.
    #[command(flatten)]
    pub graph: GraphInput,
    /// How to read the kernels' sources.
    #[command(flatten)]
    pub sources: KernelSources,
}

/// How the C++ of kernels is read.
#[derive(Clone, Debug, Args)]
pub struct KernelSources {
    /// The C++ compiler that reads the kernels' sources, or the graph.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
    /// Do not compile the kernels' sources. Those of a graph are never compiled.
    #[arg(long)]
    pub no_cxx: bool,
    /// Sources that are compiled at a time [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

impl KernelSources {
    /// The sources of a design to compile. Returns None when `--no-cxx` is given.
    pub(crate) fn of<'a>(&'a self, design: &'a Path, reading: &'a Reading) -> Option<Compiling<'a>> {
        let device = reading.device.as_deref();
        (!self.no_cxx).then_some(Compiling { design, device, cxx: &self.cxx, jobs: self.jobs })
    }
}
