//! Functions beside the kernel's own that no source defines: one function per fault.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue};
use aiec_ir::design::{Body, Family};

/// Why a kernel has no initialization function.
pub(crate) enum Uninitialized<'a> {
    /// None has that name. With the nearest name, if one is close.
    Name(Option<&'a str>),
    /// The one of that name has parameters, or no other object can call it. With its place.
    Form(Option<Span>),
}

/// The sources of `family` have no function `init` that the graph can call.
pub(crate) fn initialization(
    family: &Family,
    source: &str,
    init: &Spanned<String>,
    why: &Uninitialized<'_>,
) -> Diagnostic {
    let (name, init, span) = (&family.name, &init.value, init.span);
    let (message, help, place) = match *why {
        Uninitialized::Name(near) => (
            format!("the initialization function `{init}` of kernel `{name}` is not in `{source}`"),
            match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("define `void {init}()` in `{source}`, or change `init`"),
            },
            None,
        ),
        Uninitialized::Form(place) => (
            format!(
                "kernel `{name}` needs `void {init}()` for its `init`, but `{source}` defines another `{init}`"
            ),
            format!(
                "define `void {init}()` without parameters, and neither `static`, `inline`, a template nor in a namespace \
                 without name: the graph calls it from another object"
            ),
            place,
        ),
    };
    let diagnostic = Diagnostic::new(&catalogue::KERNEL_FUNCTION, message, help);
    let diagnostic = diagnostic.label_at(place, "the graph cannot call this function");
    diagnostic.label(span, format!("`{init}` is named here"))
}

/// The header of `family` declares the member `member` of its class, which no source defines.
/// `place` is the declaration.
pub(crate) fn undefined_member(
    family: &Family,
    body: &Body,
    member: &str,
    place: Option<Span>,
) -> Diagnostic {
    let (name, source) = (&family.name, &body.source);
    let header = body.header.as_ref().unwrap_or(source);
    let diagnostic = Diagnostic::new(
        &catalogue::KERNEL_FUNCTION,
        format!(
            "kernel `{name}` needs `{member}`, which `{}` declares and `{}` does not define",
            header.value, source.value
        ),
        format!("define `{member}` in `{}` as the class declares it, or in the class", source.value),
    );
    let diagnostic = diagnostic.label_at(place, "no source defines this");
    diagnostic.label(source.span, format!("the source of `{name}` is named here"))
}
