//! The `aiec` command.
#![allow(clippy::disallowed_methods, reason = "main takes arguments, streams and signals from the system")]

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

fn main() -> ExitCode {
    let is_terminal = io::stderr().is_terminal();
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let terminal = aiec::Terminal {
        color: is_terminal && !is_dumb && !is_set("NO_COLOR"),
        width: width(),
        // The log of a CI system keeps every state of a bar.
        progress: is_terminal && !is_set("CI"),
    };
    listen();
    let status = aiec::run(std::env::args_os(), terminal, &mut io::stdout().lock(), &mut io::stderr());
    ExitCode::from(status)
}

/// The columns for messages: those of a terminal, at most 100.
fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stderr());
    let columns = size.map_or(0, |size| usize::from(size.ws_col));
    if columns == 0 { 100 } else { columns.clamp(40, 100) }
}

/// Installs signal handlers. A signal ends the program with its child processes and temporary
/// folders. Ctrl-C first ends a search for a placement, which then returns the best placement so
/// far.
fn listen() {
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let Ok(mut signals) = Signals::new(heeded) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if signal != SIGINT || !aiec::interrupt() {
                aiec::end();
                // The exit status tells the shell the signal.
                let _ = emulate_default_handler(signal);
            }
        }
    });
}

/// True for signals that the parent process set to be ignored, as `nohup` does with SIGHUP. Linux
/// lists them (proc(5), `SigIgn`).
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
