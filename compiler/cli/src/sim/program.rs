//! Running compiled graphs on this machine.
#![allow(clippy::disallowed_methods, reason = "this module is where programs are started")]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use aiec_diag::Diagnostic;

use crate::files::{self, MAX_DATA, MAX_TEXT};
use crate::sim::errors;
use crate::sim::events::{self, Event};

/// A directory with an emitted project and its program.
pub(crate) struct Workspace<'a> {
    /// Holds `project/`, the program, and a folder with the reports of each run.
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
    /// The emitted project, as the run with this number finds it.
    pub(crate) fn project(&self, number: usize) -> PathBuf {
        if number == 0 { self.root.join("project") } else { self.folder(number).join("project") }
    }

    /// Where a run's reports go.
    fn folder(&self, number: usize) -> PathBuf {
        self.root.join(format!("seed{number}"))
    }

    /// Runs the program in the project's directory, for `timeout` at the most, with kernels in the order of a seed.
    pub(crate) fn run(
        &self,
        number: usize,
        seed: u64,
        unbounded: bool,
        timeout: Duration,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Finished, Diagnostic> {
        let environment = [
            ("AIEC_SIM_STRICT", "1".to_owned()),
            ("AIEC_SIM_SEED", seed.saturating_sub(1).to_string()),
            ("AIEC_SIM_UNBOUNDED", u8::from(unbounded).to_string()),
            ("AIEC_SIM_PROGRESS", "2".to_owned()),
        ];
        let folder = self.folder(number);
        files::write_all(&folder, [("seed", seed.to_string().as_str())])?;
        execute(&self.root.join("program"), &self.project(number), &folder, &environment, timeout, progress)
            .map_err(|error| errors::cannot_run(&error.to_string()))
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

pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
