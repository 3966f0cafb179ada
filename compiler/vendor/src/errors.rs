//! Diagnostics of the readers and of the verification of a placement.

use aiec_diag::{Diagnostic, Span, catalogue};

/// An entry of a constraints file cannot be read. `reason` is a sentence without its end.
pub(crate) fn bad_constraints(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_CONSTRAINTS,
        format!("the constraints cannot be read: {reason}"),
        "write the entry as UG1079, \"JSON Constraints\", defines it, or let `aiec place DESIGN --aiecst FILE` write the file",
    )
    .label(span, "this cannot be read")
}

/// A line of a report of the mapper has another form. `expected` is its form.
pub(crate) fn bad_map_report(span: Span, expected: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_MAP_REPORT,
        format!("the mapper's report cannot be read: here is no {expected}"),
        "give Map_Report.csv of aiecompiler as it was written",
    )
    .label(span, "this cannot be read")
}

/// A profile of the simulator has another form. `reason` is a sentence without its end.
pub(crate) fn bad_cycle_report(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_CYCLE_REPORT,
        format!("the profile cannot be read: {reason}"),
        "give the files profile_funct_*.xml of `aiesimulator --profile` as it wrote them",
    )
    .label(span, "this cannot be read")
}

/// A placement breaks a rule of the array. `labels` are the places concerned.
pub(crate) fn bad_placement(fault: String, labels: &[(Span, &str)]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::BAD_PLACEMENT,
        fault,
        "give the files of one run unchanged, with --device the device they were written for; aiecompiler places everything again without these constraints",
    );
    labels.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.label(*span, *text))
}
