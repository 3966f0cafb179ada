//! Required properties of the result for any input: the body of the fuzz target, which the tests
//! run on a fixed number of inputs.

use aiec::pipeline::{self, Log, Options};
use aiec_diag::{Diagnostic, RenderStyle, SourceFile, Sources, render, to_json};

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

/// A file of components that stands for every import.
const IMPORTED: &str = "const TAPS = [3, -9, 11]
component fir(GAIN = 1)(in x: window int32[64], out y: window int32[64]) {
    kernel mac(in x: window int32[64], out y: window int32[64]) { source \"mac.cc\" }
    connect x -> mac.x
    connect mac.y -> y
}
";

/// Sends any bytes through parse, lower, expand and check, and the diagnostics through both
/// renderers. A text that parses is printed, too. Every import gives one component.
///
/// # Panics
/// If the printed text does not parse, or prints otherwise, if there is neither a design nor an
/// error, if there are both, if a diagnostic lacks a place, a label or a help, or if a place lies
/// outside the text.
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
    prints(&source);
    let mut options = Options::default();
    for name in aiec_dsl::imports(&source) {
        let imported = sources.add(&name, IMPORTED);
        options.lower.imports.extend(sources.get(imported).cloned().map(|file| (name, Ok(file))));
    }
    let mut log = Log::default();
    let front = pipeline::front(&source, &options, &mut log);
    let refused = log.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(front.is_none(), refused, "a design or an error");
    log.diagnostics.iter().for_each(|diagnostic| complete(diagnostic, &sources));
    let style = RenderStyle { color: false, width: 100 };
    let shown: Vec<Diagnostic> = log.diagnostics.iter().take(3).cloned().collect();
    assert_eq!(render(&shown, &sources, style).is_empty(), shown.is_empty());
    assert_eq!(to_json(&shown, &sources).len(), shown.len());
    if refused { Answer::Refused } else { Answer::Design }
}

/// Asserts that the text of a design in the form of `aiec fmt` is a design in that form.
fn prints(source: &SourceFile) {
    let Some(program) = aiec_dsl::parse(source).into_parts().0 else { return };
    let printed = SourceFile { text: aiec_dsl::print(source, &program), ..source.clone() };
    let again = aiec_dsl::parse(&printed).into_parts().0;
    let again = again.map(|program| aiec_dsl::print(&printed, &program));
    assert_eq!(again.as_deref(), Some(printed.text.as_str()), "a text of `aiec fmt` is as it leaves it");
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
