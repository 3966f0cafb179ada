//! The `aiec` command.
#![allow(clippy::disallowed_methods, reason = "this is where arguments and streams come from")]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

fn main() -> ExitCode {
    let terminal = aiec::Terminal {
        color: io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        width: 100,
        progress: io::stderr().is_terminal(),
    };
    // Without a handler Ctrl-C ends the program, which loses nothing but the placement so far.
    let _ = ctrlc::set_handler(|| {
        if !aiec::interrupt() {
            end();
        }
    });
    let status = aiec::run(std::env::args_os(), terminal, &mut io::stdout().lock(), &mut io::stderr());
    ExitCode::from(status)
}

/// Ends the program as Ctrl-C does: status 128 and the number of the signal.
#[allow(clippy::exit, reason = "nothing is left to be done after Ctrl-C")]
fn end() {
    std::process::exit(130);
}
