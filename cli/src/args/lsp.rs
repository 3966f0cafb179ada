//! The command line of `aiec lsp`.

use clap::Args;

use super::{KernelSources, Reading};

/// `aiec lsp`
#[derive(Clone, Debug, Args)]
pub struct Lsp {
    /// How to read designs; the format of messages has no effect.
    #[command(flatten)]
    pub reading: Reading,
    /// How to read the kernels' sources when a design is saved.
    #[command(flatten)]
    pub sources: KernelSources,
    /// Has no effect: the server knows no other way. Some editors pass it.
    #[arg(long)]
    pub stdio: bool,
}
