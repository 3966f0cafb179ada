//! The result type of every stage.

use crate::diagnostic::Diagnostic;

/// The result of a stage: an optional value, and all diagnostics.
///
/// Invariant: the value is absent exactly when one of the diagnostics is an error. Diagnostics are
/// sorted by position (those without a place come first) and then by slug, so that output is
/// stable.
#[derive(Clone, Debug)]
#[must_use]
pub struct Outcome<T> {
    value: Option<T>,
    diagnostics: Vec<Diagnostic>,
}

/// An error was reported: a value is missing because of it, not because the user left it out.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

impl<T> Outcome<T> {
    /// A value without diagnostics.
    pub const fn ok(value: T) -> Self {
        Self { value: Some(value), diagnostics: Vec::new() }
    }

    /// The outcome of a stage that stops at a single error.
    pub fn error(diagnostic: Diagnostic) -> Self {
        debug_assert!(diagnostic.is_error(), "a warning alone does not stop a stage");
        Self { value: None, diagnostics: vec![diagnostic] }
    }

    /// `value` unless one of `diagnostics` is an error.
    pub fn new(value: T, diagnostics: Vec<Diagnostic>) -> Self {
        Self::from_parts(Some(value), diagnostics)
    }

    /// `value` if it is present and no diagnostic is an error.
    ///
    /// A stage that stops early passes `None`, and then at least one of `diagnostics` must be an
    /// error.
    pub fn from_parts(value: Option<T>, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics
            .sort_by(|a, b| (a.span(), a.code.slug, &a.message).cmp(&(b.span(), b.code.slug, &b.message)));
        diagnostics.dedup();
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        debug_assert!(failed || value.is_some(), "no value, yet nothing says why");
        Self { value: value.filter(|_| !failed), diagnostics }
    }

    /// The value, if the stage succeeded.
    pub const fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// All diagnostics of the stage, sorted by position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The value and the diagnostics.
    pub fn into_parts(self) -> (Option<T>, Vec<Diagnostic>) {
        (self.value, self.diagnostics)
    }

    /// Runs the next stage on the value and keeps the diagnostics of both, in stage order.
    pub fn and_then<U>(self, next: impl FnOnce(T) -> Outcome<U>) -> Outcome<U> {
        let Self { value, mut diagnostics } = self;
        match value {
            None => Outcome { value: None, diagnostics },
            Some(value) => {
                let outcome = next(value);
                diagnostics.extend(outcome.diagnostics);
                Outcome { value: outcome.value, diagnostics }
            }
        }
    }

    /// Applies `change` to the value, if present.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome { value: self.value.map(change), diagnostics: self.diagnostics }
    }
}
