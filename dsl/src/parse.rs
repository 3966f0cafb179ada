//! Text to syntax tree: runs the grammar, continues after errors, and collects the errors.
//!
//! After a syntax error parsing continues at the next line that begins, at its very first column,
//! with the word of an item. So several errors are reported at once, but no item is parsed twice.

use aiec_diag::{Diagnostic, Outcome, SourceFile};
use pest::Parser;
use pest::error::{Error, InputLocation};

use crate::ITEM_WORDS;
use crate::ast::{Item, Program};
use crate::errors;
use crate::scan::{Scan, scan};
use crate::tree::Builder;
use crate::words;

/// The generated parser and its rules.
#[allow(missing_docs, reason = "the rules are documented in grammar.pest")]
mod grammar {
    /// The parser of `grammar.pest`.
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar.pest"]
    pub struct Grammar;
}

pub(crate) use grammar::{Grammar, Rule};

/// Most syntax errors that are reported at once.
const MAX_ERRORS: usize = 20;

/// The syntax tree of a design, or the syntax errors.
pub fn parse(file: &SourceFile) -> Outcome<Program> {
    let scan = match scan(file) {
        Ok(scan) if scan.tokens.is_empty() => return Outcome::error(errors::empty(file.span())),
        Ok(scan) => scan,
        Err(diagnostic) => return Outcome::error(diagnostic),
    };
    let mut items = Vec::new();
    let mut diagnostics = Vec::new();
    let mut start = Some(0);
    while let Some(from) = start.filter(|_| diagnostics.len() < MAX_ERRORS) {
        start = match parse_from(file, &scan, from) {
            Ok((more, problems)) => {
                items.extend(more);
                diagnostics.extend(problems);
                None
            }
            Err((position, diagnostic)) => {
                diagnostics.push(diagnostic);
                next_item(&file.text, &scan, position)
            }
        };
    }
    Outcome::new(Program { items, span: file.span() }, diagnostics)
}

type Parsed = Result<(Vec<Item>, Vec<Diagnostic>), (usize, Diagnostic)>;

/// The items from byte `from` on, or the first syntax error there with its position.
fn parse_from(file: &SourceFile, scan: &Scan, from: usize) -> Parsed {
    let text = file.text.get(from..).unwrap_or_default();
    match Grammar::parse(Rule::file, text) {
        Ok(pairs) => {
            let mut builder = Builder::new(file, scan, from);
            let items = builder.items(pairs);
            Ok((items, builder.diagnostics))
        }
        Err(error) => {
            let position = from + offset_of(&error);
            Err((position, words::syntax_error(file, scan, position, &error)))
        }
    }
}

fn offset_of(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(offset) | InputLocation::Span((offset, _)) => offset,
    }
}

/// Start of the next item at the start of a line, after the line of byte `position`.
fn next_item(text: &str, scan: &Scan, position: usize) -> Option<usize> {
    let line_end = position + text.get(position..)?.find('\n')?;
    let first = scan.tokens.partition_point(|token| token.range.start <= line_end);
    scan.tokens[first..].iter().map(|token| token.range.clone()).find_map(|range| {
        let at_line_start = text.as_bytes().get(range.start.checked_sub(1)?) == Some(&b'\n');
        (at_line_start && ITEM_WORDS.contains(&&text[range.clone()])).then_some(range.start)
    })
}

/// The phrase for the token at byte `position`.
pub(crate) fn found_at(file: &SourceFile, scan: &Scan, position: usize) -> (String, aiec_diag::Span) {
    match scan.at(position) {
        None => {
            let end = scan.tokens.last().map_or(0, |token| token.range.end);
            let last =
                file.text.get(..end).and_then(|text| text.char_indices().next_back()).map_or(0, |(at, _)| at);
            ("the end of the file".to_owned(), file.span_at(last..end))
        }
        Some(token) => {
            let text = file.text.get(token.range.clone()).unwrap_or_default();
            let shown: String = text.chars().take(40).collect();
            let dots = if shown.len() < text.len() { "..." } else { "" };
            (format!("`{shown}{dots}`"), file.span_at(token.range.clone()))
        }
    }
}
