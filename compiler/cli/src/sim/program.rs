//! Compiling and running the emitted C++ on this machine.
#![allow(clippy::disallowed_methods, reason = "this module is where programs are started")]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use aiec_diag::Diagnostic;

use crate::files::{self, MAX_DATA, MAX_TEXT};
use crate::sim::errors;

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
    /// Its events, as written.
    pub(crate) events: String,
}

impl Workspace<'_> {
    /// The emitted project.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    fn program(&self) -> PathBuf {
        self.root.join("program")
    }

    /// Compiles `units` (paths in the project) with the compiler `cxx`, one after the other, and links them.
    pub(crate) fn compile(&self, cxx: &str, units: &[String]) -> Result<(), Diagnostic> {
        let include = |path: PathBuf| format!("-I{}", path.display());
        let mut command = Command::new(cxx);
        command
            .current_dir(self.project())
            .args(["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-D__X86SIM__", "-Iaie", "-Iaie/include"])
            .arg(include(absolute(self.root).join("host")))
            .args(units)
            .arg("-o")
            .arg(absolute(&self.program()));
        let output = command.stdin(Stdio::null()).output().map_err(|error| errors::compiler(cxx, &error.to_string()))?;
        if output.status.success() {
            Ok(())
        } else {
            Err(errors::compile(&String::from_utf8_lossy(&output.stderr)))
        }
    }

    /// Runs the program in the project's directory, for `timeout` at the most.
    pub(crate) fn run(&self, timeout: Duration) -> Result<Finished, Diagnostic> {
        self.try_run(timeout).map_err(|error| errors::cannot_run(&error.to_string()))
    }

    fn try_run(&self, timeout: Duration) -> io::Result<Finished> {
        let events = self.root.join("events.jsonl");
        let stderr = self.root.join("stderr.txt");
        let mut child = Command::new(absolute(&self.program()))
            .current_dir(self.project())
            .env("AIEC_SIM_EVENTS", absolute(&events))
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
        Ok(Finished { status, stderr: text(&stderr, MAX_TEXT), events: text(&events, MAX_DATA) })
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
