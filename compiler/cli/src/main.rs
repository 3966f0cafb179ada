//! The `aiec` command.
#![allow(clippy::disallowed_methods, reason = "this is where arguments and streams come from")]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

fn main() -> ExitCode {
    let terminal = aiec::Terminal {
        color: io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        width: 100,
    };
    let status = aiec::run(std::env::args_os(), terminal, &mut io::stdout().lock(), &mut io::stderr());
    ExitCode::from(status)
}
