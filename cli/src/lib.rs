//! The command line: the part of aiec that reads and writes files, runs programs, and prints.
//!
//! [`run`] takes arguments and two writers, so that tests call it like a user would. [`pipeline`]
//! has the order of the stages, and `commands` has the commands.

pub mod agree;
mod args;
mod asked;
mod bench;
mod candidates;
mod check;
mod choose;
mod commands;
mod compared;
mod contenders;
mod copies;
mod create;
mod cycles;
mod data;
mod descent;
mod diff;
mod disk;
mod errors;
mod folder;
mod graphs;
mod import;
mod instances;
mod invocation;
mod kernels;
mod known;
mod locate;
mod log;
mod logp;
mod lsp;
mod machine;
mod models;
pub mod named;
mod open;
mod options;
mod orders;
mod origin;
mod output;
mod ownership;
mod pattern;
pub mod pipeline;
mod project;
mod refused;
mod report;
mod results;
mod route;
mod sample;
mod search;
mod sim;
mod solver;
mod spelled;
mod stubs;
mod summary;
mod sweep;
mod table;
mod testing;
mod trace;
mod traffic;
mod unstated;
mod unused;
mod values;
mod variant;
mod vendor;
mod view;
mod watch;
mod why;

use std::ffi::OsString;
use std::io::Write;

pub use aiec_system::end;
pub use output::Terminal;
pub use search::interrupt;

/// Exit status after success.
pub const SUCCESS: u8 = 0;
/// Exit status after an error in the design or its files. `aiec diff` returns it for sides that
/// differ.
pub const FAILURE: u8 = 1;
/// Exit status after a wrong command line. `aiec diff` returns it for an error, too.
pub const USAGE: u8 = 2;

/// Runs one command. Results go to `out`, diagnostics to `err`. Returns the exit status.
pub fn run(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    terminal: Terminal,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let mut console = output::Console::new(terminal, out, err);
    match args::parse(arguments) {
        Ok((cli, asked)) => {
            let status = commands::run(cli.command, asked, &mut console);
            match console.failure() {
                None => status,
                Some(error) => {
                    console.error(&format!("aiec: cannot write the result: {error}\n"));
                    FAILURE
                }
            }
        }
        Err(error) if error.use_stderr() => {
            console.error(&error.render().to_string());
            USAGE
        }
        Err(help) => {
            console.line(help.render().to_string().trim_end());
            SUCCESS
        }
    }
}
