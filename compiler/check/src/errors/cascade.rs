//! Errors of reductions along the cascade.

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue};

use super::labelled;
use aiec_ir::expanded::{Cascade, CascadeOrigin, Collective, Expanded};

/// The construct that made a cascade, as messages name it.
pub(crate) fn cascade_name(design: &Expanded, origin: CascadeOrigin) -> String {
    match origin {
        CascadeOrigin::Collective(id) => format!("`{}`", design.collectives[id].name),
        CascadeOrigin::Connection(id) => {
            let connection = &design.connections[id];
            format!("`{} -> {}`", design.port_name(connection.from), design.port_name(connection.to))
        }
    }
}

/// The source location of the construct that made a cascade.
pub(crate) fn cascade_span(design: &Expanded, origin: CascadeOrigin) -> Span {
    match origin {
        CascadeOrigin::Collective(id) => design.collectives[id].shape_span,
        CascadeOrigin::Connection(id) => design.connections[id].span,
    }
}

/// Two cascade streams begin, or end, at one kernel.
pub(crate) fn ends(design: &Expanded, first: &Cascade, second: &Cascade, into: bool) -> Diagnostic {
    let kernel = &design.kernels[if into { first.to } else { first.from }].name;
    let way = if into { "in" } else { "out" };
    let names = [first, second].map(|cascade| cascade_name(design, cascade.origin));
    let message = format!(
        "{} and {} each need a cascade {way} at `{kernel}`, but a core has 1 in and 1 out (AM009)",
        names[0], names[1]
    );
    let help = "let one of them run over other kernels, or write `shape chain` for a collective";
    Diagnostic::new(&catalogue::CASCADE_ENDS, message, help)
        .label(first.span, format!("takes the cascade {way} of `{kernel}`"))
        .label(second.span, "asks for the same one")
}

/// A cascade has more ranks than open cores that follow each other along the cascade.
pub(crate) fn too_long(
    design: &Expanded,
    collective: &Collective,
    longest: usize,
    device: &Device,
) -> Diagnostic {
    let (name, ranks) = (&collective.name, collective.ranks.len());
    let message = format!(
        "the {ranks} ranks of `{name}` need {ranks} cores that follow each other along the cascade, but {} has at most {longest} \
         that are not left free",
        device.name
    );
    let diagnostic = Diagnostic::new(
        &catalogue::CASCADE_LENGTH,
        message,
        "use fewer ranks, leave fewer tiles free, or write `shape chain`",
    )
    .label(collective.shape_span, format!("a cascade over {ranks} cores"));
    let keepouts = design.constraints.keepouts.iter();
    labelled(diagnostic, keepouts.map(|keepout| (keepout.span, "these tiles are left free".to_owned())))
}

/// No vector type has elements of this type.
pub(crate) fn element(collective: &Collective) -> Diagnostic {
    let (name, element) = (&collective.name, collective.data.value.element.name());
    Diagnostic::new(
        &catalogue::CASCADE_TYPE,
        format!(
            "`{name}` reduces {element}, of which there are no vectors; the cascade carries nothing else"
        ),
        "use signed elements of at most 32 bits, or write `shape chain`",
    )
    .label(collective.data.span, format!("{element} does not travel on the cascade"))
    .label(collective.shape_span, "the cascade carries vectors")
}
