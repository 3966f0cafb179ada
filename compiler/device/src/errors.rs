//! What can be wrong with a device file.

use aiec_diag::{Diagnostic, SourceFile, Span, catalogue};

/// The text at `span` is not what a device file has there; `reason` is the reader's own message.
pub(crate) fn bad_file(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEVICE_FILE,
        "this is not a device file",
        "start from a file that works: `aiec devices xcvc1902` prints one in the same format",
    )
    .label(span, reason.trim_end())
}

/// Two numbers of the file contradict each other; `fault` says which and why.
pub(crate) fn inconsistent(source: &SourceFile, fault: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INCONSISTENT_DEVICE,
        format!("the device file contradicts itself: {fault}"),
        "correct the number; the documentation of the device model says what each one means",
    )
    .label(source.span(), "in this device file")
}
