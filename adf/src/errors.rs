//! Diagnostics of the conversion: constructs of a graph for which a design has no form, although
//! later answers depend on them.

use aiec_diag::{Diagnostic, LISTED, Span, Spanned, catalogue, listed};

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

/// Most unknown names with a label each. A file for graphs of several sizes has many.
const MOST_LABELS: usize = 3;

/// A constraints file names what the graph does not have: all `names` of one file, in order, with
/// the most similar name of the graph where one is close.
pub(crate) fn unknown_nodes(names: &[(&Spanned<String>, Option<&str>)]) -> Diagnostic {
    let quoted = names.iter().map(|(name, _)| format!("`{}`", name.value));
    let message = format!("the graph has no {}", listed(quoted, LISTED));
    let (close, these) = match names {
        [(_, close)] => (*close, "it"),
        _ => (None, "them"),
    };
    let first = match close {
        Some(close) => format!("did you mean `{close}`?"),
        None => {
            "kernels are written as `g.left.k[0]`, from the graph object on, their ports as `g.k.in[0]`, and \
                 inputs and outputs by the name given to `create`."
                .to_owned()
        }
    };
    let help = format!(
        "{first} What the file says of {these} has no effect, and all else holds. For a file that serves several \
         graphs, write `--allow input/unknown-node`"
    );
    let warning = Diagnostic::new(&catalogue::UNKNOWN_NODE, message, help);
    names.iter().take(MOST_LABELS).fold(warning, |warning, (name, near)| {
        let near = near.filter(|_| close.is_none());
        let near = near.map_or_else(String::new, |near| format!("; `{near}` is similar"));
        warning.label(name.span, format!("no kernel, port, input or output has this name{near}"))
    })
}
