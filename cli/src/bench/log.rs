//! The log of the emitted host program: one line of JSON for each run.

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::json::reason;
use aiec_diag::{Diagnostic, SourceFile, count};
use serde::Deserialize;

use super::Calls;
use crate::errors;
use crate::sample::Sample;

/// The durations of each output that counts: a list for each iteration of the graph.
type Counts = BTreeMap<String, Vec<Vec<i64>>>;

/// A line of the log, as `aiec_host.h` writes it.
#[derive(Debug, Deserialize)]
struct Line {
    format: String,
    version: u32,
    design: String,
    /// Iterations of the graph in the run.
    iterations: u32,
    seconds: f64,
    /// False if an output differed from its golden data.
    right: bool,
    counts: Counts,
}

/// What the host program of a design logs.
pub(super) struct Expected<'a> {
    /// The name of the design.
    pub(super) design: &'a str,
    /// Iterations of the graph in a run.
    pub(super) iterations: u32,
    /// The outputs of the array.
    pub(super) outputs: BTreeSet<&'a str>,
    /// The outputs of the cycles of collectives.
    pub(super) counters: Vec<Counted<'a>>,
}

/// An output of the cycles of a collective.
pub(super) struct Counted<'a> {
    pub(super) output: &'a str,
    /// How often its kernel fires in a run.
    pub(super) firings: u64,
    /// Calls of the collective in a firing.
    pub(super) calls: u32,
}

impl Expected<'_> {
    /// Fails with a reason for a run of another design.
    fn check(&self, line: &Line) -> Result<(), String> {
        if line.design != self.design {
            return Err(format!("the run is of the design {}, not of {}", line.design, self.design));
        }
        if line.iterations != self.iterations {
            let (found, wanted) = (count(line.iterations.into(), "iteration"), self.iterations);
            return Err(format!("the run has {found} of the graph, and the design has {wanted}"));
        }
        if !line.seconds.is_finite() || line.seconds < 0.0 {
            return Err("the duration is negative".to_owned());
        }
        Ok(())
    }

    /// Fails with a reason for counts that the design cannot have given.
    fn check_counts(&self, counts: &Counts) -> Result<(), String> {
        for (output, runs) in counts {
            if !self.outputs.contains(output.as_str()) {
                return Err(format!("the design has no output `{output}`"));
            }
            if let Some(negative) = runs.iter().flatten().find(|&&cycles| cycles < 0) {
                return Err(format!("a duration of `{output}` is negative: {negative}"));
            }
        }
        for Counted { output, firings, calls } in &self.counters {
            let Some(runs) = counts.get(*output) else {
                return Err(format!("it has no counts of `{output}`"));
            };
            if runs.len() as u64 != *firings {
                let found = count(runs.len() as u64, "list");
                return Err(format!(
                    "it has {found} of counts of `{output}`, and its kernel fires {firings} times"
                ));
            }
            if let Some(run) = runs.iter().find(|run| run.len() as u64 != u64::from(*calls)) {
                let found = count(run.len() as u64, "count");
                return Err(format!("it has {found} of `{output}` for the {calls} calls of a firing"));
            }
        }
        Ok(())
    }
}

/// The runs of all logs, without those with a wrong output.
#[derive(Debug, Default)]
pub(super) struct Measured {
    seconds: Vec<f64>,
    counts: Vec<Counts>,
    /// Runs with a wrong output.
    pub(super) wrong: u64,
    /// Logs whose last line is cut off, as when the program was killed. The line is left out.
    pub(super) cut_off: Vec<String>,
}

/// True for the start of a line without its end: what a host program that is killed leaves behind.
fn is_cut_off(text: &str) -> bool {
    let parsed = serde_json::from_str::<serde::de::IgnoredAny>(text);
    !text.ends_with('\n') && parsed.is_err_and(|error| error.is_eof())
}

impl Measured {
    /// Adds the runs of a log of the host program.
    pub(super) fn add(&mut self, log: &SourceFile, expected: &Expected<'_>) -> Result<(), Diagnostic> {
        let mut begin = 0;
        let mut runs = 0;
        for text in log.text.split_inclusive('\n') {
            let bytes = begin..begin + text.trim_end().len();
            begin = begin.saturating_add(text.len());
            if bytes.is_empty() {
                continue;
            }
            if is_cut_off(text) {
                self.cut_off.push(log.name.clone());
                continue;
            }
            let bad = |reason: String| errors::bad_log(log, bytes.clone(), &reason);
            self.add_line(text, expected).map_err(bad)?;
            runs += 1;
        }
        let reason = match runs {
            0 => "the log holds no run",
            _ if self.seconds.is_empty() => {
                "every run so far had a wrong output, so its durations prove nothing"
            }
            _ => return Ok(()),
        };
        Err(errors::bad_log(log, 0..log.text.len(), reason))
    }

    fn add_line(&mut self, text: &str, expected: &Expected<'_>) -> Result<(), String> {
        let line: Line = serde_json::from_str(text).map_err(|error| reason(&error))?;
        if (line.format.as_str(), line.version) != ("aiec-bench", 1) {
            return Err(format!("this is format {} {}, not aiec-bench 1", line.format, line.version));
        }
        expected.check(&line)?;
        if line.right {
            expected.check_counts(&line.counts)?;
            self.seconds.push(line.seconds);
            self.counts.push(line.counts);
        } else {
            self.wrong += 1;
        }
        Ok(())
    }

    /// Runs of the host program that count.
    pub(super) fn runs(&self) -> u64 {
        self.seconds.len() as u64
    }

    /// All outputs that counted durations, by name.
    pub(super) fn outputs(&self) -> BTreeSet<&String> {
        self.counts.iter().flat_map(Counts::keys).collect()
    }

    /// The families with several outputs that counted durations: of each rank, for example.
    pub(super) fn families(&self) -> BTreeSet<&str> {
        let outputs = self.outputs();
        let families = || outputs.iter().filter_map(|output| Some(output.split_once('[')?.0));
        families().filter(|family| families().filter(|other| other == family).count() > 1).collect()
    }

    /// The durations of all outputs of a family together.
    pub(super) fn calls_of_all(&self, family: &str) -> Calls {
        self.calls_of(&|output| output.split_once('[').is_some_and(|(name, _)| name == family))
    }

    /// The durations of an output: the first one of each start of the program, and all that follow
    /// another one in the same iteration of the graph (thesis 4.5.2).
    pub(super) fn calls(&self, output: &str) -> Calls {
        self.calls_of(&|name| name == output)
    }

    /// The durations of the outputs that `counts` selects.
    fn calls_of(&self, counts: &dyn Fn(&str) -> bool) -> Calls {
        let starts = || {
            let all = self.counts.iter().flatten();
            all.filter(|(name, _)| counts(name)).map(|(_, runs)| runs)
        };
        let cycles = |&duration: &i64| (duration as f64, 1);
        Calls {
            first: Sample::of(starts().filter_map(|runs| runs.iter().flatten().next()).map(cycles)),
            further: Sample::of(starts().flatten().flat_map(|calls| calls.iter().skip(1)).map(cycles)),
        }
    }

    /// Durations of whole runs in cycles of this clock.
    pub(super) fn seconds(&self, hertz: f64) -> Option<Sample> {
        Sample::of(self.seconds.iter().map(|seconds| (seconds * hertz, 1)))
    }
}
