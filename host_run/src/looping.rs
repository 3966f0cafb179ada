//! Finds functions with loops. Takes preprocessed C++ and returns the names of its functions, and
//! of named lambdas, whose bodies have a loop or call such a function. Functions of system headers
//! do not count: their loops are over the lanes of a vector, for which a core has an instruction.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::tokens::{Source, regions, tokens};

/// Keywords that look like the name of a function before its parameters.
const STATEMENTS: [&str; 5] = ["if", "for", "while", "switch", "catch"];

/// The names of functions with loops.
#[derive(Debug, Default)]
pub(super) struct Looping(BTreeSet<String>);

impl Looping {
    /// The functions with loops in `text`, by a fixed point over the calls.
    pub(super) fn of(text: &str) -> Self {
        let parts = regions(text).into_iter().filter_map(|region| text.get(region));
        let own = parts.filter(|part| !is_of_the_system(part));
        let sources: Vec<Source<'_>> = own.map(|text| Source { text, tokens: tokens(text) }).collect();
        let mut open: Vec<(&Source<'_>, String, Range<usize>)> = Vec::new();
        for source in &sources {
            open.extend(functions(source).map(|(name, body)| (source, name, body)));
        }
        let mut known = Self::default();
        loop {
            let (found, rest): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(source, _, body)| known.within(source, body.clone()));
            if found.is_empty() {
                return known;
            }
            known.0.extend(found.into_iter().map(|(_, name, _)| name));
            open = rest;
        }
    }

    /// True if one of these tokens is a loop keyword or the name of a function with loops.
    pub(super) fn within(&self, source: &Source<'_>, range: Range<usize>) -> bool {
        range
            .into_iter()
            .filter_map(|at| source.word(at))
            .any(|word| matches!(word, "for" | "while" | "do") || self.0.contains(word))
    }
}

/// True if a part of preprocessed text begins with the line marker of a system header (GCC,
/// "Preprocessor Output").
pub(super) fn is_of_the_system(part: &str) -> bool {
    let first = part.lines().next().unwrap_or_default();
    first.starts_with("# ") && first.rsplit_once('"').is_some_and(|(_, flags)| flags.contains('3'))
}

/// The name and body, as a range of tokens, of every function.
fn functions<'a>(source: &'a Source<'_>) -> impl Iterator<Item = (String, Range<usize>)> + 'a {
    (0..source.tokens.len()).filter(|&at| source.is(at, "{")).filter_map(|at| {
        let mut close = at.checked_sub(1)?;
        while matches!(source.word(close), Some("const" | "noexcept" | "override" | "mutable")) {
            close = close.checked_sub(1)?;
        }
        let open = source.opening(close).filter(|_| source.is(close, ")"))?;
        let mut name = open.checked_sub(1)?;
        if source.is(name, "]") {
            name = source.opening(name)?.checked_sub(2)?; // `name = [...](`
        }
        let word = source.word(name).filter(|word| !STATEMENTS.contains(word))?;
        word.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(())?;
        Some((word.to_owned(), at..source.closing(at)?))
    })
}
