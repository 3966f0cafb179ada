//! The command line of `aiec lsp`.

use clap::Args;

use super::Reading;

/// `aiec lsp`
#[derive(Clone, Debug, Args)]
pub struct Lsp {
    /// How to read designs; the format of messages has no effect.
    #[command(flatten)]
    pub reading: Reading,
    /// The C++ compiler that reads the sources of kernels when a design is saved.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
    /// Do not compile the sources of kernels.
    #[arg(long)]
    pub no_cxx: bool,
    /// Sources that are compiled at a time [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Has no effect: the server knows no other way. Some editors pass it.
    #[arg(long)]
    pub stdio: bool,
}
