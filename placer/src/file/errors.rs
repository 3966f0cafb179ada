//! Diagnostics of placement files.

use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, Span, catalogue};

/// The text is not a placement file for this `reason`.
pub(super) fn bad_file(span: Span, reason: &str) -> Diagnostic {
    let message = format!("this is not a placement file: {reason}");
    let help = "start from a placement that aiec wrote for this design: `aiec build --emit placement`";
    Diagnostic::new(&catalogue::PLACEMENT_FILE, message, help).label(span, "the first error is here")
}

/// The file was written for another design, device, format or version.
pub(super) fn header(span: Span, field: &str, has: &str, needs: &str) -> Diagnostic {
    let message = format!("the placement file has {field} `{has}`, but `{needs}` is needed");
    let help = "use a placement that aiec wrote for this design and device";
    Diagnostic::new(&catalogue::PLACEMENT_FILE, message, help).label(span, format!("{field} `{has}`"))
}

/// A name has two entries.
pub(super) fn named_twice(span: Span, kind: &str, name: &str) -> Diagnostic {
    let message = format!("the placement file has two entries for the {kind} `{name}`");
    Diagnostic::new(&catalogue::PLACEMENT_FILE, message, "remove one of them")
        .label(span, format!("the second entry for `{name}`"))
}

/// An entry names something the design does not have.
pub(super) fn unknown_name(span: Span, kind: &str, name: &str) -> Diagnostic {
    let message = format!("the design has no {kind} `{name}`");
    let help = "remove the entry, or let aiec write a new placement for the changed design";
    Diagnostic::new(&catalogue::PLACEMENT_UNKNOWN, message, help)
        .label(span, format!("no {kind} has this name"))
}

/// A part of the design has no entry.
pub(super) fn missing(file: Span, construct: Span, kind: &str, name: &str) -> Diagnostic {
    let message = format!("the placement file has no entry for the {kind} `{name}`");
    let help = "add an entry, or let aiec write a new placement for the changed design";
    Diagnostic::new(&catalogue::PLACEMENT_MISSING, message, help)
        .label(construct, format!("`{name}` comes from this"))
        .label(file, format!("no entry for `{name}` in this file"))
}

/// A kernel's tile is not on the array.
pub(super) fn outside(span: Span, name: &str, tile: Tile, device: &Device) -> Diagnostic {
    let message = format!("the placement file puts `{name}` at {tile}, which is not on the array");
    let help = format!("use columns below {} and core rows below {}", device.columns, device.rows);
    Diagnostic::new(&catalogue::PLACEMENT_OUTSIDE, message, help)
        .label(span, format!("`{name}` has no tile there"))
}
