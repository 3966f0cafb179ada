//! Diagnostics of the conversion: constructs of a graph for which a design has no form, although
//! later answers depend on them.

use aiec_diag::{Diagnostic, Span, Spanned, catalogue};

fn unmodelled(span: Span, what: &str, label: &str, help: &str) -> Diagnostic {
    Diagnostic::new(&catalogue::UNMODELLED, format!("aiec has no model of {what}"), help).label(span, label)
}

/// A split or merge feeds another one.
pub(crate) fn switches_in_a_row(span: Span) -> Diagnostic {
    unmodelled(
        span,
        "splits and merges of packets that feed each other like this",
        "one leads into another here",
        "let a merge lead into a split of as many ways, as UG1079 shows, or put a kernel between them",
    )
}

/// A branch of a merge has several senders.
pub(crate) fn several_senders(span: Span) -> Diagnostic {
    unmodelled(
        span,
        "several senders at one branch of a merge",
        "one of its branches is connected twice",
        "give each sender a branch of its own",
    )
}

/// What a merge gives is broadcast.
pub(crate) fn merge_broadcast(span: Span) -> Diagnostic {
    unmodelled(
        span,
        "a broadcast of merged packets",
        "its output is connected twice",
        "put a kernel behind the merge that gives the packets to its readers: UG1079 shows a merge with one reader",
    )
}

/// The graph passes a limit of a design.
pub(crate) fn too_large(span: Span, what: &str, count: usize, most: u64) -> Diagnostic {
    unmodelled(
        span,
        &format!("a graph of {count} {what}"),
        &format!("aiec takes at most {most}"),
        "the largest array has 400 cores: look for a loop that creates too many",
    )
}

/// A constraints file names what the graph does not have. `more` further names follow that get no
/// message.
pub(crate) fn unknown_node(name: &Spanned<String>, close: Option<&str>, more: usize) -> Diagnostic {
    let help = match close {
        Some(close) => format!("did you mean `{close}`?"),
        None => "write kernels as `g.left.k[0]`, from the graph object on, their ports as `g.k.in[0]`, and inputs and \
                 outputs by the name given to `create`; `aiec place GRAPH --aiecst FILE` writes a file with all names"
            .to_owned(),
    };
    let and_more = if more > 0 { format!(" (and {more} further names of the file)") } else { String::new() };
    let message = format!("the graph has no `{}`{and_more}", name.value);
    Diagnostic::new(&catalogue::UNKNOWN_NODE, message, help)
        .label(name.span, "no kernel, port, input or output has this name")
}
