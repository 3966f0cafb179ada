//! The command lines of what concerns the machine: completions, manual pages, other programs.

use clap::Args;
use clap_complete::Shell;

/// `aiec completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell that reads the script.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `aiec man`
#[derive(Debug, Args)]
pub struct Man {
    /// The commands of the page, such as `new kernel`; without one, the page of aiec itself.
    #[arg(value_name = "COMMAND")]
    pub commands: Vec<String>,
}

/// `aiec doctor`
#[derive(Debug, Args)]
pub struct Doctor {
    /// The C++ compiler that `aiec sim` and `aiec check` start.
    #[arg(long, value_name = "COMMAND", default_value = "g++")]
    pub cxx: String,
}
