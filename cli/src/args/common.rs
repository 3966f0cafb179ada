//! What commands that place a design or a graph have in common.

use clap::Args;

use super::{Compiler, GraphInput, MessageFormat, Placing, Reading};
use crate::graphs::Code;

/// How to place a design or a graph.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Options of the placement.
    #[command(flatten)]
    pub placing: Placing,
    /// Options for a graph.
    #[command(flatten)]
    pub graph: GraphInput,
    /// The C++ compiler.
    #[command(flatten)]
    pub compiler: Compiler,
}

impl Common {
    /// How to read C++.
    pub(crate) fn code(&self) -> Code<'_> {
        Code { graph: &self.graph, cxx: &self.compiler.cxx, as_text: false, headers: false }
    }
}

impl Reading {
    /// The options of a command line that has none of them but `--device`.
    pub(crate) const fn usual(device: Option<String>) -> Self {
        Self {
            define: Vec::new(),
            device,
            profile: None,
            bank_conflicts: false,
            vitis: None,
            board: None,
            deny: Vec::new(),
            warn: None,
            message_format: MessageFormat::Human,
        }
    }
}
