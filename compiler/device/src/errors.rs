//! Faults of a device file.

use aiec_diag::{Diagnostic, Span, catalogue};

use crate::check::Fault;

/// The text at `span` does not fit a device file. `reason` is the reader's own message.
pub(crate) fn bad_file(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_DEVICE_FILE,
        format!("this is not a device file: {}", reason.trim_end().replace('\n', "; ")),
        "start from a file that works: `aiec devices xcvc1902 --toml` prints one",
    )
    .label(span, "the reader of the file stopped here")
}

/// A number of the file contradicts another; `span` is where the file states it.
pub(crate) fn inconsistent(span: Span, fault: &Fault) -> Diagnostic {
    Diagnostic::new(
        &catalogue::INCONSISTENT_DEVICE,
        format!("`{}` of the device file contradicts the rest: {}", fault.key, fault.text),
        "correct the number; `aiec devices xcvc1902 --toml` prints a file that explains each one",
    )
    .label(span, fault.text.clone())
}
