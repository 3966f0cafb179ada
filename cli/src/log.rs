//! Diagnostics of the stages of one run.

use aiec_diag::{Diagnostic, Outcome};

/// Collects the diagnostics of stages.
#[derive(Debug, Default)]
pub struct Log {
    /// All diagnostics so far, stage by stage.
    pub diagnostics: Vec<Diagnostic>,
}

impl Log {
    /// The value of a stage. Its diagnostics go to the log.
    pub fn take<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        let (value, diagnostics) = outcome.into_parts();
        self.diagnostics.extend(diagnostics);
        value
    }
}
