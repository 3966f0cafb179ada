//! Designs that are larger than the language allows.

use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::Design;

/// More instances than any array holds.
pub fn too_many_instances(span: Span, total: u128) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!(
            "the design has {total} kernels, inputs and outputs up to here; the limit is {}",
            Design::MAX_INSTANCES
        ),
        "use smaller extents: an AI Engine array has a few hundred tiles",
    )
    .label(span, format!("this brings the number to {total}"))
}

/// More ports than there could be connections for.
pub fn too_many_ports(span: Span, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the kernels of the design have more than {limit} ports"),
        "use smaller extents or fewer ports",
    )
    .label(span, format!("port number {} is declared here", limit + 1))
}

/// More connections than a design may have.
pub fn too_many_connections(span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the design has more than {} connections", Design::MAX_CONNECTIONS),
        "connect fewer instances: an AI Engine array has a few hundred tiles",
    )
    .label(span, format!("connection number {} is made here", Design::MAX_CONNECTIONS + 1))
}

/// A loop that runs too often.
pub fn loop_too_long(span: Span, from: i64, to: i64, limit: u64) -> Diagnostic {
    Diagnostic::new(
        &catalogue::TOO_MANY_INSTANCES,
        format!("the loops of the design make more than {limit} connections and placements"),
        "shorten the range, or connect whole slices: `connect a[0..8].y -> b[0..8].x`",
    )
    .label(span, format!("from {from} up to {to}"))
}

/// A loop from a number to one that is not larger. `whole` is the place of the loop.
pub fn empty_loop(span: Span, from: i64, to: i64, whole: Span) -> Diagnostic {
    let help = match from > to {
        true => "write the smaller number first, as in `0..4`, or remove the loop",
        false => {
            "the second number is the first one that the loop leaves out: make it larger, or remove the loop"
        }
    };
    Diagnostic::new(&catalogue::EMPTY_LOOP, format!("the loop from {from} to {to} never runs"), help)
        .label(span, "no number lies in this range")
        .fix("remove the loop", [(whole, "")])
}

/// A loop in which nothing mentions its variable.
pub fn idle_variable(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::IDLE_VARIABLE,
        format!("nothing in the loop mentions `{name}`, so each round states the same"),
        format!("use the variable, as in `worker[{name}]`, or write the statements without a loop"),
    )
    .label(span, "used nowhere in the loop")
}

/// More bytes than a simulation or the host can handle go through an input or output, in windows of
/// `bytes` each.
pub fn too_much_data(
    span: Span,
    name: &str,
    iterations: u32,
    windows: u64,
    window: &str,
    bytes: u64,
) -> Diagnostic {
    let total = u128::from(windows) * u128::from(bytes) * u128::from(iterations);
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!(
            "{total} bytes go through `{name}`: {iterations} iterations of {windows} x {window}; \
             an input or output moves less than 4 GiB"
        ),
        "use fewer `iterations`, `calls` or `windows`, or less data",
    )
    .label(span, format!("{total} bytes"))
}
