//! Diagnostics of this stage: one constructor per fault.

use aiec_device::release::{RELEASES, Release};
use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::design::Body;
use aiec_ir::{Expanded, PortKind};

/// The text of a kernel's source was not handed over.
pub(crate) fn missing_source(path: &str, span: Span) -> Diagnostic {
    let message = format!("the kernel source `{path}` is missing");
    Diagnostic::new(&catalogue::MISSING_SOURCE, message, "create the file, or change the path after `source`")
        .label(span, "no text for this file")
}

/// aie-rt cannot name a switch: a column or row needs more than 8 bits.
pub(crate) fn beyond_aie_rt(device: &str, column: u16, row: u16) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNSUPPORTED_DEVICE,
        format!(
            "the routes take the switch ({column}, {row}) of {device}, but aie-rt counts columns and rows \
                 to 255"
        ),
        "take --emit=wiring, or keep the design out of these tiles with `keepout`",
    )
}

/// The kernel's source defines it with ports of kind `written`, but the project uses the other
/// kind. The help offers the line that selects `written`, and another release when `release` lacks
/// it.
///
/// `only` is true if no other source has the kind of the project. `place` is the function's name in
/// the source.
pub(crate) fn other_ports(
    design: &Expanded,
    body: &Body,
    written: PortKind,
    expected: &str,
    only: bool,
    place: Option<Span>,
) -> Diagnostic {
    let release = design.release;
    let has_buffers = |release: &&Release| release.buffers.value == Some(true);
    let newer = RELEASES.iter().find(has_buffers).filter(|_| !has_buffers(&release));
    let (theirs, ours, line) = match (written, newer) {
        (PortKind::Window, _) => ("windows", "buffers", "`ports window`".to_owned()),
        (PortKind::Buffer, None) => ("buffers", "windows", "`ports buffer`".to_owned()),
        (PortKind::Buffer, Some(newer)) => {
            ("buffers", "windows", format!("`ports buffer` and `vitis \"{}\"` or newer", newer.name))
        }
    };
    let (name, source) = (&body.function, &body.source.value);
    let diagnostic = Diagnostic::new(
        &catalogue::OTHER_PORTS,
        format!(
            "`{source}` defines `{name}` with {theirs}, but the ports of this project are \
                 {ours}: it needs `{expected}`"
        ),
        format!(
            "write {line} in the design if its kernels have {theirs} only, or define `{name}` in \
             both forms under `#if AIEC_BUFFER_PORTS` of `#include <aiec/design.h>`"
        ),
    )
    .label_at(place, format!("this function has {theirs}"))
    .label(body.source.span, format!("the function in this file has {theirs}"));
    let word = if written == PortKind::Window { "window" } else { "buffer" };
    let edit = match design.written.ports {
        Some(span) => (span, word.to_owned()),
        None => (design.name.span.behind(), format!("\nports {word}")),
    };
    let is_certain = only && (written == PortKind::Window || newer.is_none());
    diagnostic.fix(format!("write `ports {word}`"), is_certain.then_some(edit))
}

/// A template could not be rendered, which cannot happen with views of text and numbers.
pub(crate) fn template(file: &str, why: &str) -> Diagnostic {
    let message = format!("`{file}` cannot be written: {why}");
    Diagnostic::new(&catalogue::BUG, message, "please report this together with the design")
}
