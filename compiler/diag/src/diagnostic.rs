//! The shape of one message.

use crate::catalogue::{Code, Severity};
use crate::source::Span;

/// A place in a source text with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is *here*, in a few words; never empty.
    pub text: String,
}

/// One message to the user: what is wrong, where, why it is so, and a way out.
///
/// Built only by the constructor functions that sit beside each stage, from an entry of the
/// [catalogue](crate::catalogue). If a reader sees one thing only, it is `message`; the first label says
/// what is here, further labels where the other half came from; `help` says what to type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The catalogue entry: slug, severity, summary.
    pub code: &'static Code,
    /// What is wrong, in the design's own terms.
    pub message: String,
    /// The places concerned; the first is the primary one.
    pub labels: Vec<Label>,
    /// One thing to try; never empty.
    pub help: String,
}

impl Diagnostic {
    /// A diagnostic without labels yet; `help` says what the user can do.
    pub fn new(code: &'static Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { code, message: message.into(), labels: Vec::new(), help: help.into() }
    }

    /// Adds a label; the first one added is the primary label.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// True if this diagnostic keeps its stage from giving a result.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }

    /// The primary place, by which diagnostics are sorted.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}
