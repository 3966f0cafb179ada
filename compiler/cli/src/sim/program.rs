//! Compiling and running the emitted C++ on this machine.
#![allow(clippy::disallowed_methods, reason = "this module is where programs are started")]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use aiec_diag::Diagnostic;

use crate::files::{self, MAX_DATA, MAX_TEXT};
use crate::sim::errors;
use crate::sim::events::{self, Event};

/// A directory with an emitted project and the host headers.
pub(crate) struct Workspace<'a> {
    /// Holds `project/`, `host/` and the program.
    pub(crate) root: &'a Path,
}

/// How a program ended.
pub(crate) struct Finished {
    /// None if it was stopped for taking too long.
    pub(crate) status: Option<ExitStatus>,
    /// What it wrote to standard error.
    pub(crate) stderr: String,
    /// What it reported.
    pub(crate) events: Vec<Event>,
}

impl Workspace<'_> {
    /// The emitted project.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    fn program(&self) -> PathBuf {
        self.root.join("program")
    }

    /// Compiles `units` (paths in the project) with the compiler `cxx`, as many at a time as there are cores, and links them.
    pub(crate) fn compile(&self, cxx: &str, units: &[String]) -> Result<(), Diagnostic> {
        let objects: Vec<PathBuf> =
            (0..units.len()).map(|n| absolute(self.root).join(format!("unit{n}.o"))).collect();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs: Vec<_> = units.iter().zip(&objects).collect();
        for batch in jobs.chunks(cores) {
            let started: Vec<_> = batch.iter().map(|(unit, object)| self.start(cxx, unit, object)).collect();
            // Every process is waited for before an error is returned.
            let ended: Vec<_> = started.into_iter().map(|child| finish(cxx, child)).collect();
            ended.into_iter().collect::<Result<Vec<()>, Diagnostic>>()?;
        }
        let mut link = Command::new(cxx);
        link.args(&objects).arg("-rdynamic").arg("-o").arg(absolute(&self.program()));
        finish(cxx, link.stdin(Stdio::null()).stderr(Stdio::piped()).spawn())
    }

    /// Starts to compile one file.
    fn start(&self, cxx: &str, unit: &str, object: &Path) -> io::Result<Child> {
        Command::new(cxx)
            .current_dir(self.project())
            .args([
                "-std=c++20",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-g1",
                "-D__X86SIM__",
                "-Iaie",
                "-Iaie/include",
            ])
            .arg(format!("-I{}", absolute(self.root).join("host").display()))
            .args(["-c", unit, "-o"])
            .arg(object)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
    }

    /// Runs the program in the project's directory, for `timeout` at the most.
    pub(crate) fn run(&self, timeout: Duration) -> Result<Finished, Diagnostic> {
        self.try_run(timeout).map_err(|error| errors::cannot_run(&error.to_string()))
    }

    fn try_run(&self, timeout: Duration) -> io::Result<Finished> {
        let journal = self.root.join("events.jsonl");
        let stderr = self.root.join("stderr.txt");
        let mut child = Command::new(absolute(&self.program()))
            .current_dir(self.project())
            .env("AIEC_SIM_EVENTS", absolute(&journal))
            .env("AIEC_SIM_STRICT", "1")
            .stdin(Stdio::null())
            .stdout(File::create(self.root.join("stdout.txt"))?)
            .stderr(File::create(&stderr)?)
            .spawn()?;
        let started = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break Some(status);
            }
            if started.elapsed() > timeout {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |path: &Path, limit| files::read_text(path, limit, None).unwrap_or_default();
        Ok(Finished {
            status,
            stderr: text(&stderr, MAX_TEXT),
            events: events::parse(&text(&journal, MAX_DATA)),
        })
    }
}

/// Waits for a compiler to end well.
fn finish(cxx: &str, child: io::Result<Child>) -> Result<(), Diagnostic> {
    let output =
        child.and_then(Child::wait_with_output).map_err(|error| errors::compiler(cxx, &error.to_string()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(errors::compile(&String::from_utf8_lossy(&output.stderr)))
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
