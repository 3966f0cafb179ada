//! Faults of paths, and of what a release or a board has.

use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::release::Platform;
use aiec_ir::{Board, Release};

/// `ports buffer` in a release without buffers, or with other names for them.
pub fn buffers_of_release(span: Span, release: &Release) -> Diagnostic {
    let first = aiec_ir::release::RELEASES.iter().find(|release| release.buffers.value == Some(true));
    let newer =
        first.map_or_else(|| "a newer release".to_owned(), |first| format!("`vitis \"{first}\"` or newer"));
    Diagnostic::new(
        &catalogue::PORTS_OF_RELEASE,
        format!("Vitis {release} has no buffer ports"),
        format!("choose {newer}, or write `ports window`"),
    )
    .label(span, format!("not in {release}: {}", release.buffers.source))
    .replacing(span, "ports window")
}

/// A release without a platform for the board, as a document states. `line` is the line of the
/// design that names the release.
pub fn no_platform(span: Span, release: &Release, board: Board, line: Option<Span>) -> Diagnostic {
    let has = |release: &&Release| matches!(release.platform(board).value, Some(Platform::Named(_)));
    let newest = aiec_ir::release::RELEASES.iter().rev().find(has);
    let other = newest
        .map_or_else(String::new, |newest| format!("choose `vitis \"{newest}\"`, the newest with one, or "));
    let diagnostic = Diagnostic::new(
        &catalogue::NO_PLATFORM,
        format!("Vitis {release} has no platform for the {board}"),
        format!("{other}another `board`"),
    )
    .label(span, format!("none: {}", release.platform(board).source));
    match line.zip(newest) {
        Some((line, newest)) => diagnostic.replacing(line, format!("vitis \"{newest}\"")),
        None => diagnostic,
    }
}

/// A path that the generated project cannot hold.
pub fn bad_path(span: Span, path: &str, reason: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("`{path}` cannot be used as a path: {reason}"),
        "write a path relative to the design, with `/` between its parts, such as \"data/in.txt\"",
    )
    .label(span, reason.to_owned())
}

/// A data file at a path that the generated project uses itself.
pub fn taken_path(span: Span, path: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("`{path}` cannot be used as a path: the generated project has files of its own there"),
        "choose another place, such as \"data/in.txt\"",
    )
    .label(span, "the project's own files would be overwritten")
}

/// Several outputs would write one file.
pub fn shared_output_file(span: Span, path: &str, first: Span) -> Diagnostic {
    let help = "give every output a file of its own; in a family, `{}` in the name stands for the index";
    Diagnostic::new(&catalogue::BAD_VALUE, format!("several outputs write the file `{path}`"), help)
        .label(span, format!("this one writes `{path}`"))
        .label(first, "and so does this one")
}

/// An output would write the file with the data of an input.
pub fn overwritten_input_file(span: Span, path: &str, input: Span) -> Diagnostic {
    let help = "give the output a file of its own";
    Diagnostic::new(
        &catalogue::BAD_VALUE,
        format!("an output writes the file `{path}`, the data of an input"),
        help,
    )
    .label(span, format!("this overwrites `{path}`"))
    .label(input, format!("this reads `{path}`"))
}
