//! What the stages of one run have said.

use aiec_diag::{Diagnostic, Outcome};

/// Collects what the stages say while they run.
#[derive(Debug, Default)]
pub struct Log {
    /// Everything said so far, stage by stage.
    pub diagnostics: Vec<Diagnostic>,
}

impl Log {
    /// The value of a stage; its diagnostics are kept.
    pub fn take<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        let (value, diagnostics) = outcome.into_parts();
        self.diagnostics.extend(diagnostics);
        value
    }
}
