//! Diagnostics of this stage: one constructor per fault.

use aiec_diag::{Diagnostic, Span, catalogue};

/// The text of a kernel's source was not handed over.
pub(crate) fn missing_source(path: &str, span: Span) -> Diagnostic {
    let message = format!("the kernel source `{path}` is missing");
    Diagnostic::new(
        &catalogue::MISSING_SOURCE,
        message,
        "put the file there, or change the path after `source`",
    )
    .label(span, "no text for this file")
}

/// A template could not be rendered, which cannot happen with views of text and numbers.
pub(crate) fn template(file: &str, why: &str) -> Diagnostic {
    let message = format!("`{file}` cannot be written: {why}");
    Diagnostic::new(&catalogue::BUG, message, "please report this together with the design")
}
