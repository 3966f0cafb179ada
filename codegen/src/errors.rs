//! Diagnostics of this stage: one constructor per fault.

use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::PortKind;
use aiec_ir::design::Family;

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

/// The source of a kernel defines it with ports that are `written`, which the project's are not.
pub(crate) fn other_ports(family: &Family, written: PortKind, expected: &str) -> Diagnostic {
    let (theirs, ours, line) = match written {
        PortKind::Window => ("windows", "buffers", "ports window"),
        PortKind::Buffer => ("buffers", "windows", "ports buffer"),
    };
    let (name, source) = (&family.name, &family.source.value);
    Diagnostic::new(
        &catalogue::OTHER_PORTS,
        format!("`{source}` defines `{name}` with {theirs}, but the ports of this project are {ours}: it needs `{expected}`"),
        format!(
            "write `{line}` in the design if its kernels have {theirs} only, or define `{name}` in both forms under \
             `#if AIEC_BUFFER_PORTS` of `#include <aiec/design.h>`"
        ),
    )
    .label(family.source.span, format!("the function in this file has {theirs}"))
}

/// A template could not be rendered, which cannot happen with views of text and numbers.
pub(crate) fn template(file: &str, why: &str) -> Diagnostic {
    let message = format!("`{file}` cannot be written: {why}");
    Diagnostic::new(&catalogue::BUG, message, "please report this together with the design")
}
