//! The log of the emitted host program: one line of JSON for each run.

use std::collections::BTreeMap;

use aiec_diag::{Diagnostic, SourceFile};
use serde::Deserialize;

use super::Counts;
use super::sample::Sample;
use crate::errors;

/// A line of the log, as `aiec_host.h` writes it.
#[derive(Debug, Deserialize)]
struct Line {
    format: String,
    version: u32,
    design: String,
    seconds: f64,
    /// False if an output differed from its golden data.
    right: bool,
    /// The durations of each output that counts: a list for each iteration of the graph.
    counts: Counts,
}

/// The runs of all logs, without those with a wrong output.
#[derive(Debug, Default)]
pub(super) struct Measured {
    seconds: Vec<f64>,
    counts: Vec<Counts>,
    /// Runs with a wrong output.
    pub(super) wrong: u64,
}

/// The durations that an output counted.
#[derive(Debug, Default)]
pub(super) struct Durations {
    first: Vec<i64>,
    further: Vec<i64>,
}

impl From<Durations> for [Option<Sample>; 2] {
    fn from(durations: Durations) -> Self {
        let sample = |values: Vec<i64>| Sample::of(values.into_iter().map(|value| (value as f64, 1)));
        [sample(durations.first), sample(durations.further)]
    }
}

/// A message of the JSON parser without its place: it counts lines from the one that it was given.
fn without_place(message: &str) -> String {
    message.split(" at line ").next().unwrap_or(message).to_owned()
}

impl Measured {
    /// Adds the runs of a log of the host program of `design`.
    pub(super) fn add(&mut self, log: &SourceFile, design: &str) -> Result<(), Diagnostic> {
        let mut begin = 0;
        let before = self.seconds.len() + usize::try_from(self.wrong).unwrap_or(usize::MAX);
        for text in log.text.split_inclusive('\n') {
            let bytes = begin..begin + text.trim_end().len();
            begin = begin.saturating_add(text.len());
            if !bytes.is_empty() {
                let bad = |reason: String| errors::bad_log(log, bytes.clone(), &reason);
                self.add_line(text, design).map_err(bad)?;
            }
        }
        let after = self.seconds.len() + usize::try_from(self.wrong).unwrap_or(usize::MAX);
        match after > before && !self.seconds.is_empty() {
            true => Ok(()),
            false if after == before => Err(errors::bad_log(log, 0..log.text.len(), "the log holds no run")),
            false => {
                let reason = "every run so far had a wrong output, so its durations prove nothing";
                Err(errors::bad_log(log, 0..log.text.len(), reason))
            }
        }
    }

    fn add_line(&mut self, text: &str, design: &str) -> Result<(), String> {
        let line: Line = serde_json::from_str(text).map_err(|error| without_place(&error.to_string()))?;
        if (line.format.as_str(), line.version) != ("aiec-bench", 1) {
            return Err(format!("this is format {} {}, not aiec-bench 1", line.format, line.version));
        }
        if line.design != design {
            return Err(format!("the run is of the design {}, not of {design}", line.design));
        }
        if !line.seconds.is_finite() || line.seconds < 0.0 {
            return Err("the duration is negative".to_owned());
        }
        if line.right {
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
    pub(super) fn outputs(&self) -> Vec<&String> {
        let all: BTreeMap<&String, ()> = self.counts.iter().flatten().map(|(name, _)| (name, ())).collect();
        all.into_keys().collect()
    }

    /// The durations of an output: the first one of each start of the program, and all that follow
    /// another one in the same iteration of the graph (thesis 4.5.2).
    pub(super) fn counts(&self, output: &str) -> Durations {
        let mut durations = Durations::default();
        for iterations in self.counts.iter().filter_map(|counts| counts.get(output)) {
            durations.first.extend(iterations.iter().flatten().next());
            durations.further.extend(iterations.iter().flat_map(|calls| calls.iter().skip(1)));
        }
        durations
    }

    /// Durations of whole runs in cycles of this clock.
    pub(super) fn seconds(&self, hertz: f64) -> Option<Sample> {
        Sample::of(self.seconds.iter().map(|seconds| (seconds * hertz, 1)))
    }
}
