//! Placement files: what is written is read again, and what is wrong is pointed at.

mod support;

use aiec_diag::{Outcome, SourceFile, SourceId};
use aiec_ir::Checked;
use aiec_ir::build::int32;
use aiec_placer::{Placement, dump, load, verify};
use support::*;

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(7), name: "placement.json".to_owned(), text: text.to_owned() }
}

fn design() -> (Checked, Placement) {
    let device = vc1902();
    let design = checked(&tree(7, 2, int32(64)), &device);
    let placement = placement(&design, &device);
    (design, placement)
}

/// Loads the file of the small tree after replacing text in it.
fn load_changed(from: &str, to: &str) -> (SourceFile, Outcome<Placement>) {
    let (design, placement) = design();
    let text = dump(&design, &placement);
    assert!(text.contains(from), "{from} is not in\n{text}");
    let source = file(&text.replacen(from, to, 1));
    let outcome = load(&design, &source);
    (source, outcome)
}

/// The slug and the text under the primary label.
fn first(source: &SourceFile, outcome: &Outcome<Placement>) -> (&'static str, String) {
    let diagnostic =
        outcome.diagnostics().iter().find(|d| d.labels.iter().any(|l| l.span.source == source.id));
    let diagnostic = diagnostic.expect("a diagnostic in the file");
    let span = diagnostic.labels.iter().find(|l| l.span.source == source.id).expect("a label").span;
    (diagnostic.code.slug, source.text[span.start as usize..span.end as usize].to_owned())
}

#[test]
fn what_is_dumped_is_loaded_again() {
    let (design, placement) = design();
    let text = dump(&design, &placement);
    let loaded = value(load(&design, &file(&text)));
    assert_eq!(loaded, placement);
    assert_eq!(dump(&design, &loaded), text);
    assert!(verify(&design, &vc1902(), loaded).value().is_some());
}

#[test]
fn a_file_names_things_as_the_design_does() {
    let (design, placement) = design();
    let text = dump(&design, &placement);
    assert!(
        text.starts_with("{\n  \"format\": \"aiec-placement\",\n  \"version\": 1,\n  \"design\": \"tree\"")
    );
    for name in ["\"worker[6]\": {\"tile\":[", "\"worker[0].total_in1\": [", "\"sum\": {\"column\":"] {
        assert!(text.contains(name), "{name} is not in\n{text}");
    }
    assert!(text.contains(": \"shared\""), "{text}");
}

#[test]
fn bad_json_is_pointed_at() {
    let (source, outcome) = load_changed("\"version\": 1", "\"version\": one");
    assert_eq!(first(&source, &outcome), ("place/bad-file", "o".to_owned()));
}

#[test]
fn a_file_for_another_design_or_version_is_refused() {
    let (source, outcome) = load_changed("\"design\": \"tree\"", "\"design\": \"bush\"");
    assert_eq!(first(&source, &outcome), ("place/bad-file", "\"design\"".to_owned()));
    let (source, outcome) = load_changed("\"version\": 1", "\"version\": 2");
    assert_eq!(first(&source, &outcome), ("place/bad-file", "\"version\"".to_owned()));
}

#[test]
fn an_unknown_name_and_the_missing_one_are_both_reported() {
    let (source, outcome) = load_changed("\"worker[6]\"", "\"worker[9]\"");
    assert_eq!(first(&source, &outcome), ("place/missing", source.text.clone()));
    let mut found = slugs(&outcome);
    found.sort_unstable();
    assert_eq!(found, ["place/missing", "place/unknown-name"]);
}

#[test]
fn a_name_that_occurs_twice_is_refused() {
    let (source, outcome) = load_changed("\"worker[6]\"", "\"worker[5]\"");
    let twice = outcome.diagnostics().iter().find(|d| d.code.slug == "place/bad-file").expect("refused");
    let start = twice.labels[0].span.start as usize;
    assert_eq!(source.text[..start].matches("\"worker[5]\"").count(), 1, "the second one is labelled");
}

#[test]
fn mangled_files_never_panic() {
    let (design, placement) = design();
    let text = dump(&design, &placement);
    for cut in (0..text.len()).step_by(37) {
        assert!(load(&design, &file(&text[..cut])).value().is_none());
        let mangled = format!("{}é{}", &text[..cut], &text[cut + 1..]);
        load(&design, &file(&mangled)).into_parts();
    }
}
