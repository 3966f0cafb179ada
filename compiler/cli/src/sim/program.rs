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
    /// What it wrote to standard output.
    pub(crate) stdout: String,
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
        let strict = [("AIEC_SIM_STRICT", "1".to_owned())];
        execute(&self.program(), &self.project(), self.root, &strict, timeout, &mut |_| {})
    }
}

/// Runs `program` in `directory` for `timeout` at the most. What it prints and reports goes to files in `folder`; what it
/// says about its progress goes to `progress` while it runs.
pub(crate) fn execute(
    program: &Path,
    directory: &Path,
    folder: &Path,
    environment: &[(&str, String)],
    timeout: Duration,
    progress: &mut dyn FnMut(&str),
) -> io::Result<Finished> {
    let journal = folder.join("events.jsonl");
    let stderr = folder.join("stderr.txt");
    let mut child = Command::new(absolute(program))
        .current_dir(directory)
        .env("AIEC_SIM_EVENTS", absolute(&journal))
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(File::create(folder.join("stdout.txt"))?)
        .stderr(File::create(&stderr)?)
        .spawn()?;
    let text = |path: &Path, limit| files::read_text(path, limit, None).unwrap_or_default();
    let started = Instant::now();
    let mut polls = 0u32;
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
        polls += 1;
        if polls.is_multiple_of(200) {
            let said = text(&stderr, MAX_TEXT);
            if let Some(line) = said.lines().rev().find(|line| line.contains(PROGRESS)) {
                progress(line);
            }
        }
    };
    let said = text(&stderr, MAX_TEXT);
    let kept: Vec<&str> = said.lines().filter(|line| !line.contains(PROGRESS)).collect();
    Ok(Finished {
        status,
        stderr: kept.join("\n"),
        stdout: text(&folder.join("stdout.txt"), MAX_TEXT),
        events: events::parse(&text(&journal, MAX_DATA)),
    })
}

/// How the runtime marks lines about its progress.
const PROGRESS: &str = "aiec-runtime: progress: ";

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

pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
