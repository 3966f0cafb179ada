//! Required properties of the result for any input: the body of the fuzz target, which the tests
//! run on a fixed number of inputs.

use aiec::pipeline::{self, Log, Options};
use aiec_diag::{Diagnostic, RenderStyle, Sources, render, to_json};

/// The answer of the front half of the compiler to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The input is not UTF-8. The front half does not handle this case.
    NotText,
    /// A valid design.
    Design,
    /// At least one error.
    Refused,
}

/// Sends any bytes through parse, lower, expand and check, and the diagnostics through both
/// renderers.
///
/// # Panics
/// If there is neither a design nor an error, if there are both, if a diagnostic lacks a place, a
/// label or a help, or if a place lies outside the text.
///
/// ```
/// use aiec_tests::fuzz::{Answer, front};
/// assert_eq!(front(b"design d device toy kernel"), Answer::Refused);
/// assert_eq!(front(&[0xff]), Answer::NotText);
/// ```
pub fn front(input: &[u8]) -> Answer {
    let Ok(text) = std::str::from_utf8(input) else { return Answer::NotText };
    let mut sources = Sources::default();
    let id = sources.add("fuzz.dsl", text);
    let Some(source) = sources.get(id).cloned() else { return Answer::NotText };
    let mut log = Log::default();
    let front = pipeline::front(&source, &Options::default(), &mut log);
    let refused = log.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(front.is_none(), refused, "a design or an error");
    log.diagnostics.iter().for_each(|diagnostic| complete(diagnostic, &sources));
    let style = RenderStyle { color: false, width: 100 };
    let shown: Vec<Diagnostic> = log.diagnostics.iter().take(3).cloned().collect();
    assert_eq!(render(&shown, &sources, style).is_empty(), shown.is_empty());
    assert_eq!(to_json(&shown, &sources).len(), shown.len());
    if refused { Answer::Refused } else { Answer::Design }
}

/// Asserts that a diagnostic has a message, a place and a help.
fn complete(diagnostic: &Diagnostic, sources: &Sources) {
    let slug = diagnostic.code.slug;
    assert!(!diagnostic.message.is_empty() && !diagnostic.help.is_empty(), "{slug} says nothing");
    assert!(!diagnostic.labels.is_empty(), "{slug} is nowhere");
    for label in &diagnostic.labels {
        let text = sources.get(label.span.source).map(|source| source.text.as_str());
        let range = label.span.start as usize..label.span.end as usize;
        assert!(text.is_some_and(|text| text.get(range).is_some()), "{slug} points outside the text");
        assert!(!label.text.is_empty(), "{slug} has a label without words");
    }
}
