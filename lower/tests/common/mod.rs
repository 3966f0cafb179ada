//! Shared by the tests: from text to designs, and diagnostics as short lines.

#![allow(dead_code, reason = "each test file uses its part")]

use aiec_diag::{Diagnostic, Outcome, SourceId, Sources, Span};
use aiec_ir::{Design, Expanded};
use aiec_lower::{Options, Scalar, expand, lower};
use aiec_test_support::Plain;

/// A source text as the command line would hold it.
pub fn sources(text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("test.dsl", text);
    sources
}

/// Parses and lowers.
pub fn lowered_with(text: &str, overrides: &[(&str, i64)]) -> Outcome<Design> {
    let sources = sources(text);
    let file = sources.get(SourceId(0)).expect("added above");
    let options = Options {
        overrides: overrides
            .iter()
            .map(|(name, value)| ((*name).to_owned(), Scalar::Whole(*value)))
            .collect(),
        ..Options::default()
    };
    aiec_dsl::parse(file).and_then(|program| lower(&program, &options))
}

/// The design of `text`, which must have no diagnostics.
pub fn design(text: &str) -> Design {
    let (design, diagnostics) = lowered_with(text, &[]).into_parts();
    assert!(diagnostics.is_empty(), "{}", shown(text, &diagnostics));
    design.expect("no diagnostics")
}

/// The expanded design of `text`, which must have no diagnostics.
pub fn expanded(text: &str) -> Expanded {
    let (expanded, diagnostics) = expand(&design(text), &Plain).into_parts();
    assert!(diagnostics.is_empty(), "{}", shown(text, &diagnostics));
    expanded.expect("no diagnostics")
}

/// All diagnostics of parse, lower and expand, each as `slug: message [underlined text]`.
pub fn faults(text: &str) -> Vec<String> {
    faults_with(text, &[])
}

/// As above, with constants overridden.
pub fn faults_with(text: &str, overrides: &[(&str, i64)]) -> Vec<String> {
    let outcome = lowered_with(text, overrides).and_then(|design| expand(&design, &Plain));
    outcome.diagnostics().iter().map(|diagnostic| line(text, diagnostic)).collect()
}

fn line(text: &str, diagnostic: &Diagnostic) -> String {
    assert!(!diagnostic.help.is_empty() && diagnostic.labels.iter().all(|label| !label.text.is_empty()));
    let span = |span: Span| &text[span.start as usize..span.end as usize];
    let place = diagnostic.span().map_or_else(String::new, |place| format!(" [{}]", span(place)));
    format!("{}: {}{place}", diagnostic.code.slug, diagnostic.message)
}

fn shown(text: &str, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| line(text, diagnostic)).collect::<Vec<_>>().join("\n")
}

/// A design around `body`: header, two families with ports, a single kernel, an input and an
/// output.
pub fn around(body: &str) -> String {
    format!(
        "design d\ndevice xcvc1902\n\
         kernel w[8](in x: window int32[8], out y: window int32[8]) {{ source \"w.cc\" }}\n\
         kernel pe[2][3](in x: window int32[8], out y: window int32[8]) {{ source \"pe.cc\" }}\n\
         kernel one(in x: window int32[8], out y: window int32[8]) {{ source \"one.cc\" }}\n\
         input samples from plio(64, \"in.txt\")\noutput sum to gmio\n{body}\n"
    )
}
