//! Results that differ from a golden file or from the definition of a collective.

use aiec_diag::{Diagnostic, Span, catalogue};

/// An output of a graph differs from a golden file.
pub fn graph_differs(output: &str, golden: &str, difference: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("output `{output}` differs from `{golden}`: {difference}"),
        "if the new values are right, replace the golden file; --tolerance allows values to differ more, --skip N leaves out \
         the first N values",
    )
}

/// The outputs of a graph depend on the order in which kernels take turns.
pub fn seeds_differ(first: u64, other: u64, output: &str, difference: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("output `{output}` with seed {other} differs from seed {first}: {difference}"),
        "something in the graph depends on time: a packet merge (--any-order OUTPUT compares its packets in any order), an \
         asynchronous parameter, or data that kernels share",
    )
}

/// The result that left through `port` differs from the reference of `collective`.
pub fn wrong_result(collective: &str, port: &str, output: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("the result of `{collective}` at `{port}` (output `{output}`) differs from the reference: {difference}"),
        "the reference combines what every rank passed to the collective: look for a kernel that changes its data during \
         the call, or for a changed collective library",
    )
    .label(span, format!("the values of `{port}` differ from the definition of this collective"))
}

/// An output differs from its golden file.
pub fn differs_from_golden(output: &str, port: &str, file: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!("output `{output}`, written by `{port}`, differs from `{file}`: {difference}"),
        "if the new values are right, replace the golden file",
    )
    .label(span, format!("`{output}` is written by `{port}`"))
}

/// A rank's contribution differs from the design's `reference`.
pub fn wrong_contribution(collective: &str, kernel: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!("the contribution of kernel `{kernel}` to `{collective}` differs from its `reference`: {difference}"),
        "correct the kernel's source, or the `reference` of the collective",
    )
    .label(span, "the reference is declared here")
}

/// A rank's data after a call differs from the definition of the operation.
pub fn wrong_at_rank(collective: &str, kernel: &str, difference: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_WRONG_DATA,
        format!(
            "after `{collective}` the data of kernel `{kernel}` differs from the definition: {difference}"
        ),
        "if the kernel sources are right, this is a bug of aiec: please report the design with its sources",
    )
    .label(span, "the collective is declared here")
}

/// A rank called the collective more or less often than declared.
pub fn missing_contribution(
    collective: &str,
    kernel: &str,
    called: usize,
    wanted: u64,
    span: Span,
) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!("kernel `{kernel}` called `{collective}` {called} times, not {wanted} (`calls` times `iterations`)"),
        "make the number of calls in the kernel's source and `calls` in the design agree",
    )
    .label(span, "the number of calls is declared here")
}

/// The recorded contributions cannot be combined, for `reason`.
pub fn unexpected(collective: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_CONTRIBUTION,
        format!("the data that the ranks passed to `{collective}` cannot be combined: {reason}"),
        "every rank must pass as many elements as `data` of the collective says",
    )
    .label(span, "the data of a rank is declared here")
}

/// A `--golden` argument is not OUTPUT=FILE or names no output.
pub fn unknown_output(argument: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_OUTPUT,
        format!("`--golden {argument}` does not name an output of the design and a file"),
        format!("write OUTPUT=FILE, where OUTPUT is one of: {}", known.join(", ")),
    )
}

/// The folder of `--golden` has none of the files `names`, one for each output.
pub fn no_golden_in(folder: &str, names: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_OUTPUT,
        format!("the folder `{folder}` of `--golden` has no file of an output"),
        format!("a file has the name of the output's: {}", names.join(", ")),
    )
}

/// `--any-order` names no output of the graph.
pub fn no_such_output(option: &str, argument: &str, known: &[&str]) -> Diagnostic {
    Diagnostic::new(
        &catalogue::UNKNOWN_OUTPUT,
        format!("`{option} {argument}` does not name an output of the graph"),
        format!("write one of: {}", known.join(", ")),
    )
}
