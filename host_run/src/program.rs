//! Runs compiled graphs on the host.
#![allow(clippy::disallowed_methods, reason = "this module starts programs")]

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use aiec_diag::Diagnostic;
use aiec_ir::KernelId;

use crate::errors;
use crate::events::{self, Event};
use aiec_system::Threads;
use aiec_system::files::{self, MAX_DATA, MAX_TEXT};
use aiec_system::passing::children;

/// A directory with an emitted project and its program.
pub struct Workspace<'a> {
    /// The directory: it holds `project/`, the program, and a folder with the reports of each run.
    pub root: &'a Path,
}

/// The result of a run.
pub struct Finished {
    /// The exit status. None when the time limit ended the program.
    pub status: Option<ExitStatus>,
    /// What the program wrote to standard error.
    pub stderr: String,
    /// What the program wrote to standard output.
    pub stdout: String,
    /// The events that it reported.
    pub events: Vec<Event>,
}

impl Finished {
    /// True if the time limit ended the run.
    pub fn timed_out(&self) -> bool {
        self.status.is_none() || self.events.iter().any(|event| matches!(event, Event::Timeout {}))
    }

    /// True if the program came to its end, whatever faults it reported.
    pub fn ended(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::End { .. }))
    }

    /// True if a signal stopped the program, one that the runtime reported or another.
    pub fn crashed(&self) -> bool {
        let killed = self.status.is_some_and(|status| status.code().is_none());
        killed || self.events.iter().any(|event| matches!(event, Event::Crash {}))
    }
}

impl Workspace<'_> {
    /// The folder of the emitted project for run `number`.
    pub fn project(&self, number: usize) -> PathBuf {
        if number == 0 { self.root.join("project") } else { self.folder(number).join("project") }
    }

    /// The folder for the reports of run `number`.
    pub fn folder(&self, number: usize) -> PathBuf {
        self.root.join(format!("seed{number}"))
    }
}

/// Options for all runs of a program.
pub struct Running<'a> {
    /// The path of the executable.
    pub program: &'a Path,
    /// True for FIFOs and buffers without limit.
    pub unbounded: bool,
    /// True to report faults that hardware survives as warnings.
    pub lenient: bool,
    /// True to report warnings as errors.
    pub strict: bool,
    /// The numbers of the kernels in order of creation. Empty for 0, 1 and so on.
    pub kernels: &'a [KernelId],
    /// The kernels of each core on which constraints put several. None for those that the graph
    /// itself gives one `location<kernel>`.
    pub cores: Option<&'a [Vec<KernelId>]>,
    /// Limit on the seconds of a run.
    pub timeout: u64,
}

impl Running<'_> {
    /// Runs the program in `directory`, with the order of kernels by a seed. Its reports go to
    /// `folder`.
    pub fn once(
        &self,
        seed: u64,
        directory: &Path,
        folder: &Path,
        more: &[(&'static str, String)],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Finished, Diagnostic> {
        let flag = |on: bool| u8::from(on).to_string();
        let numbers = |kernels: &[KernelId]| -> String {
            kernels.iter().map(|kernel| format!("{} ", kernel.index())).collect()
        };
        let cores = |cores: &[Vec<KernelId>]| {
            let cores: Vec<String> = cores.iter().map(|core| numbers(core)).collect();
            ("AIEC_SIM_CORES", cores.join(";"))
        };
        let mut environment = vec![
            ("AIEC_SIM_SEED", seed.saturating_sub(1).to_string()),
            ("AIEC_SIM_UNBOUNDED", flag(self.unbounded)),
            ("AIEC_SIM_STRICT", flag(self.strict)),
            ("AIEC_SIM_LENIENT", flag(self.lenient)),
            ("AIEC_SIM_KERNELS", numbers(self.kernels)),
            ("AIEC_SIM_TIMEOUT", self.timeout.to_string()),
            ("AIEC_SIM_PROGRESS", "2".to_owned()),
        ];
        environment.extend(self.cores.map(cores));
        environment.extend_from_slice(more);
        files::write_all(folder, [("seed", seed.to_string().as_str())])?;
        // The program ends itself at its time limit, and reports the running kernel. If it cannot,
        // aiec ends it later.
        let patience = Duration::from_secs(self.timeout.saturating_mul(2).saturating_add(10));
        execute(self.program, directory, folder, &environment, patience, progress)
            .map_err(|error| errors::cannot_run(&error.to_string()))
    }
}

/// Runs `more` seeds after `first`, on `jobs` threads. `one` gets a seed and its number, and fails
/// unless that run ends like the first. Returns a line about the runs, or None when `more` is 0.
///
/// # Errors
/// The first failure, in the order of the seeds.
pub fn other_seeds<E: Send>(
    first: u64,
    more: usize,
    jobs: Option<usize>,
    one: impl Fn(u64, usize) -> Result<(), E> + Sync,
) -> Result<Option<String>, E> {
    if more == 0 {
        return Ok(None);
    }
    let results = Threads::new(jobs).map(more, |at| one(first.saturating_add(at as u64 + 1), at + 1));
    results.into_iter().collect::<Result<Vec<()>, E>>()?;
    Ok(Some(format!("{more} more seeds end the same")))
}

/// Runs `program` in `directory` for at most `timeout`. Its output and reports go to files in
/// `folder`. Its lines about progress go to `progress` while it runs.
pub fn execute(
    program: &Path,
    directory: &Path,
    folder: &Path,
    environment: &[(&str, String)],
    timeout: Duration,
    progress: &mut dyn FnMut(&str),
) -> io::Result<Finished> {
    let journal = folder.join("events.jsonl");
    let stderr = folder.join("stderr.txt");
    let mut command = Command::new(absolute(program));
    command
        .current_dir(directory)
        .env("AIEC_SIM_EVENTS", absolute(&journal))
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(File::create(folder.join("stdout.txt"))?)
        .stderr(File::create(&stderr)?);
    let mut child = children::Running::start(&mut command)?;
    let text = |path: &Path, limit| files::read_text(path, limit, None).unwrap_or_default();
    let started = Instant::now();
    let mut polls = 0u32;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > timeout {
            child.end()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
        polls += 1;
        if polls.is_multiple_of(200) {
            let said = text(&stderr, MAX_TEXT);
            if let Some(line) = said.lines().rev().find(|line| line.contains(PROGRESS)) {
                let words = line.split_once(PROGRESS).map_or(line, |(_, words)| words);
                progress(words);
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

/// Prefix of the runtime's lines about its progress.
const PROGRESS: &str = "aiec-runtime: progress: ";

/// The absolute path. Links are not resolved.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
