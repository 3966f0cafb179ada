//! The steps of `aiec sim` from a compiled program to its report: the same for a design and for any
//! graph.

use std::path::PathBuf;

use aiec_host_run::program::Finished;

use crate::args::Sim;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::pipeline::{Back, Front};
use crate::sim::execution::{memory, other_seeds, running, runs};
use crate::sim::outputs::Outputs;
use crate::sim::profiled::Profiled;
use crate::sim::timing;

/// What a comparison of outputs found.
#[derive(Default)]
pub(super) struct Compared {
    /// Lines about what agrees.
    pub(super) notes: Vec<String>,
    /// True if nothing differs. Differences are logged.
    pub(super) same: bool,
}

/// A program that is ready to run, and what its runs mean.
pub(super) trait Subject: Sync {
    /// What the report calls it.
    fn name(&self) -> String;

    /// Runs the program once with a seed, in the folder of run `number`. Does not check how the run
    /// ended.
    fn started(
        &self,
        seed: u64,
        number: usize,
        progress: &mut dyn FnMut(&str),
        invocation: &mut Invocation,
    ) -> Option<Finished>;

    /// The path of an output of the first run.
    fn output(&self, file: &str) -> PathBuf;

    /// Returns None for a run that failed, and logs why.
    fn judge(&self, finished: &Finished, invocation: &mut Invocation) -> Option<()>;

    /// Compares the outputs of the first run with references.
    fn compare(&self, finished: &Finished, invocation: &mut Invocation) -> Compared;

    /// Lines about files, which stand behind those of the comparison.
    fn files(&self) -> Vec<String> {
        Vec::new()
    }

    /// Runs another seed, which must end like the first and write the same. Returns None when it
    /// does not, and logs why.
    fn other(&self, seed: u64, number: usize, invocation: &mut Invocation) -> Option<()>;

    /// The line behind all others of a run that is not right.
    fn kept(&self) -> Option<String> {
        None
    }

    /// Lines about the first run that stand behind those about seeds.
    fn details(&self, _finished: &Finished) -> Vec<String> {
        Vec::new()
    }

    /// What the runtime said in a run that is right, if the user gets it on standard error.
    fn aside<'f>(&self, _finished: &'f Finished) -> &'f str {
        ""
    }

    /// Lines about the time that the model foretells. `progress` shows a bar.
    fn foretold(&self, _progress: bool) -> Vec<String> {
        Vec::new()
    }

    /// The design of the program, and its placement if it has one.
    fn design(&self) -> Option<(&Front, Option<&Back>)> {
        None
    }
}

/// A subject with what is known before its first run.
pub(super) struct Ready<'a> {
    /// The program.
    pub(super) subject: &'a dyn Subject,
    /// Where its outputs go.
    pub(super) outputs: Outputs<'a>,
    /// Cycles that other tools counted.
    pub(super) profiled: &'a Profiled,
    /// False if arrays do not fit their stacks, which is logged. The run shows other faults.
    pub(super) fits: bool,
}

impl Ready<'_> {
    /// Runs the program with all seeds, compares its outputs and prints the report. Returns None
    /// when it logs an error.
    pub(super) fn run(
        self,
        args: &Sim,
        invocation: &mut Invocation,
        console: &mut Console<'_>,
    ) -> Option<()> {
        let subject = self.subject;
        let wait = running(invocation);
        let finished = subject.started(args.placing.seed, 0, &mut |line| wait.say(line), invocation)?;
        drop(wait);
        said(args, &finished, console);
        invocation.require(self.outputs.put(|file| subject.output(file)))?;
        let right = subject.judge(&finished, invocation);
        // The results may be right even after a fault.
        let compared = match right.is_some() || finished.ended() {
            true => subject.compare(&finished, invocation),
            false => Compared::default(),
        };
        let mut notes = compared.notes;
        notes.extend(subject.files());
        if right.is_none() || !compared.same {
            notes.iter().chain(&subject.kept()).for_each(|note| console.line(note));
            return None;
        }
        for line in subject.aside(&finished).lines().filter(|line| !line.trim().is_empty()) {
            console.error(&format!("{line}\n"));
        }
        other_seeds(args, invocation, &mut notes, |seed, number, one| subject.other(seed, number, one))?;
        notes.extend(subject.details(&finished));
        notes.extend(memory(&finished));
        if !self.fits {
            return None;
        }
        notes.extend(subject.foretold(invocation.progress));
        tell(args, &subject.name(), &notes, &finished, console);
        if args.timing {
            let ran = timing::Ran { design: subject.design(), profiled: self.profiled };
            timing::report(args, ran, &finished, invocation, console);
        }
        Some(())
    }
}

/// Prints the output of the kernels and of the host program. With `--json` it goes to standard
/// error.
fn said(args: &Sim, finished: &Finished, console: &mut Console<'_>) {
    match args.json {
        true => console.error(&finished.stdout),
        false => console.text(&finished.stdout),
    }
}

/// Prints how a run of `what` ended, with its notes, unless JSON is to stand alone.
fn tell(args: &Sim, what: &str, notes: &[String], finished: &Finished, console: &mut Console<'_>) {
    if args.json {
        return;
    }
    console.line(&format!("{what}: {}", runs(finished)));
    notes.iter().for_each(|note| console.line(&format!("  {note}")));
}
