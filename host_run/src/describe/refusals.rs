//! Graphs without a description: what the compiler says of them, and how their constructors end.

use std::path::Path;

use aiec_diag::{Diagnostic, Sources, Span};

use super::DescribeRequest;
use super::sites::{self, Sites};
use crate::absent;
use crate::complaints::{Message, located, message};
use crate::errors;
use crate::objects::Found;
use crate::probe::{Line, SECONDS, Said};

/// The diagnostic for what the compiler says of a graph.
pub(super) fn of_compiler(words: &str, request: &DescribeRequest<'_>, sources: &mut Sources) -> Diagnostic {
    let messages: Vec<Message<'_>> = words.lines().filter_map(message).collect();
    let place = |message: &Message<'_>, sources: &mut Sources| -> Option<Span> {
        let id = sites::source(sources, &sites::real(Path::new(message.file)))?;
        sites::span_in(&sources.get(id)?.text.clone(), id, message.line, message.column)
    };
    if let Some((message, diagnostic)) = absent::missing_header(words, request.graph, request.include) {
        return diagnostic.label_at(place(&message, sources), "this header is missing");
    }
    if let Some((statement, sentence)) = refused_statement(words) {
        let span = place(&statement, sources);
        return errors::refused_by_headers(sentence).label_at(span, "this statement");
    }
    let diagnostic = errors::graph_does_not_compile(words);
    let first = messages
        .iter()
        .find(|message| is_users(message.file))
        .and_then(|message| Some((place(message, sources)?, message.text)));
    match first {
        Some((span, text)) => diagnostic.label(span, text.to_owned()),
        None => diagnostic,
    }
}

/// True for files that are neither aiec's headers nor the system's.
fn is_users(file: &str) -> bool {
    let is_system = |start: &&str| file.trim_start_matches('/').starts_with(*start);
    !crate::build::SYSTEMS.iter().any(is_system) && !file.contains("/headers-")
}

/// The statement of the user that a `static_assert` of aiec's headers refuses, and the sentence
/// there. Returns None when the first error is another one.
fn refused_statement(words: &str) -> Option<(Message<'_>, &str)> {
    let lines: Vec<&str> = words.lines().collect();
    let first = lines.iter().position(|line| message(line).is_some())?;
    let refused = message(lines.get(first)?).filter(|refused| !is_users(refused.file))?;
    let said = SAID.iter().find_map(|said| refused.text.strip_prefix(said))?;
    // g++ tells the instantiations before the error, the outermost last; clang behind it.
    let next = lines.iter().skip(first + 1).position(|line| line.contains(": error: "));
    let end = next.map_or(lines.len(), |next| first + 1 + next);
    let of_clang = lines.get(first..end)?.iter().filter(|line| line.contains("requested here"));
    let of_gcc = lines.get(..first)?.iter().filter(|line| line.contains("required from"));
    let mut statement = of_gcc.chain(of_clang).filter_map(|line| placed(line)).filter(|at| is_users(at.file));
    Some((statement.next_back()?, said))
}

/// Words of g++ and clang before the sentence of a `static_assert`.
const SAID: [&str; 3] =
    ["static assertion failed: ", "static assertion failed due to requirement ", "static_assert failed "];

/// The place that a note begins with: `FILE:LINE:COLUMN:   required from here`.
fn placed(line: &str) -> Option<Message<'_>> {
    let (place, text) = line.split_once(": ")?;
    located(place, text)
}

/// Fails if the constructors did not end, or constructed nothing.
pub(super) fn of_constructors(
    graph: &Path,
    said: &Said,
    found: &Found,
    sites: &mut Sites<'_>,
) -> Result<(), Diagnostic> {
    let graph = graph.display().to_string();
    let Some(lines) = &said.lines else {
        let reason = if said.is_late {
            format!("is still running after {SECONDS} seconds")
        } else {
            "ends the program".to_owned()
        };
        return Err(errors::constructor(&graph, &reason, &said.stderr, None));
    };
    for line in lines {
        if let Line::Failure(failure) = line {
            let named = found.handle.as_deref().filter(|_| failure.handle != 0);
            let reason = named_kernels(&named_handle(&plain(&failure.text), named), lines, found);
            let site = sites.site(failure.statement);
            return Err(errors::constructor(
                &graph,
                &reason,
                &others(&said.stderr, &failure.text),
                site.as_ref(),
            ));
        }
    }
    if lines.iter().any(|line| matches!(line, Line::Graph(_))) {
        Ok(())
    } else {
        Err(errors::no_graph(&graph))
    }
}

/// What a program said besides the failure `text`.
fn others(stderr: &str, text: &str) -> String {
    let told = format!("aiec-runtime: error: {text}");
    stderr.lines().filter(|line| **line != told).collect::<Vec<_>>().join("\n")
}

/// The reason with the member path of a handle to nothing.
fn named_handle(reason: &str, path: Option<&str>) -> String {
    let Some(path) = path else { return reason.to_owned() };
    let named = format!("`{path}`, which was never created,");
    let kinds = ["a kernel, PLIO or GMIO that was never created", "a kernel that was never created"];
    kinds.iter().fold(reason.to_owned(), |reason, kind| reason.replace(kind, &named))
}

/// The reason with the member paths of the kernels that it names by their numbers.
fn named_kernels(reason: &str, lines: &[Line], found: &Found) -> String {
    let kernels = lines.iter().filter_map(|line| match line {
        Line::Kernel(kernel) => Some(kernel.node.at),
        _ => None,
    });
    let paths: Vec<Option<&String>> = kernels.map(|at| Some(&found.objects.get(&at)?.path)).collect();
    let mut named = String::new();
    for (at, piece) in reason.split("kernel ").enumerate() {
        let digits = piece.len() - piece.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: Option<usize> = piece[..digits].parse().ok().filter(|_| at > 0);
        match number.and_then(|number| *paths.get(number)?) {
            Some(path) => named += &format!("`{path}`{}", &piece[digits..]),
            None if at > 0 => named += &format!("kernel {piece}"),
            None => named += piece,
        }
    }
    named
}

/// The reason with names as C++ spells them.
fn plain(reason: &str) -> String {
    let word = |word: &str| {
        let symbol = word.trim_end_matches(',');
        let name = if symbol.starts_with("_Z") {
            format!("`{}`", crate::functions::function(symbol))
        } else {
            symbol.to_owned()
        };
        format!("{name}{}", &word[symbol.len()..])
    };
    reason.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
