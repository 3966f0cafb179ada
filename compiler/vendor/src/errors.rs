//! Diagnostics of the readers.

use std::ops::Range;

use aiec_diag::{Diagnostic, SourceFile, Span, catalogue};

/// The place of some bytes of `file`.
pub(crate) fn span(file: &SourceFile, at: &Range<usize>) -> Span {
    let clamp = |at: usize| u32::try_from(at.min(file.text.len())).unwrap_or(u32::MAX);
    Span::new(file.id, clamp(at.start), clamp(at.end))
}

/// An entry of a constraints file cannot be read. `reason` is a sentence without its end.
pub(crate) fn bad_constraints(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_CONSTRAINTS,
        format!("the constraints cannot be read: {reason}"),
        "write the entry as UG1079, \"JSON Constraints\", defines it, or let `aiec place DESIGN --aiecst FILE` write the file",
    )
    .label(span, "this cannot be read")
}
