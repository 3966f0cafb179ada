//! Any text through parse, lower, expand and check, and what they say through the renderer: no panic, and a design or an error.
#![no_main]

use aiec::pipeline::{self, Log, Options};
use aiec_diag::{Diagnostic, RenderStyle, Sources, render};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|data: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else { return Corpus::Reject };
    let mut sources = Sources::default();
    let id = sources.add("fuzz.dsl", text);
    let Some(source) = sources.get(id).cloned() else { return Corpus::Reject };
    let mut log = Log::default();
    let front = pipeline::front(&source, &Options::default(), &mut log);
    let errors = log.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(front.is_none(), errors, "a design or an error");
    let said = render(&log.diagnostics, &sources, RenderStyle { color: false, width: 100 });
    assert_eq!(said.is_empty(), log.diagnostics.is_empty());
    Corpus::Keep
});
