//! Placement files: a written file reads back, and diagnostics point at each fault.

use std::sync::LazyLock;

use crate::support::*;
use aiec_check::Checked;
use aiec_diag::{Outcome, SourceFile, SourceId};
use aiec_placer::{Basis, Loaded, Placement, Tools, dump, load, load_part, search, verify};
use aiec_test_support::{Builder, int32};

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(7), name: "placement.json".to_owned(), text: text.to_owned() }
}

/// A tree of seven kernels and a placement of it.
fn design() -> &'static (Checked, Placement) {
    static DESIGN: LazyLock<(Checked, Placement)> = LazyLock::new(|| {
        let device = vc1902();
        let design = checked(&tree(7, 2, int32(64)), &device);
        let placement = placement(&design, &device);
        (design, placement)
    });
    &DESIGN
}

/// Loads the file of the small tree after replacing text in it.
fn load_changed(from: &str, to: &str) -> (SourceFile, Outcome<Placement>) {
    let (design, placement) = design();
    let text = dump(design, placement);
    assert!(text.contains(from), "{from} is not in\n{text}");
    let source = file(&text.replacen(from, to, 1));
    let outcome = load(design, &source);
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
    let text = dump(design, placement);
    let loaded = value(load(design, &file(&text)));
    assert_eq!(loaded, *placement);
    assert_eq!(dump(design, &loaded), text);
    assert!(verify(design, &vc1902(), loaded).value().is_some());
}

#[test]
fn a_file_names_things_as_the_design_does() {
    let (design, placement) = design();
    let text = dump(design, placement);
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
fn what_a_field_is_and_should_be_is_said_where_it_stands() {
    let says = |from: &str, to: &str, reason: &str, at: &str| {
        let (source, outcome) = load_changed(from, to);
        assert_eq!(first(&source, &outcome), ("place/bad-file", at.to_owned()), "{to}");
        let message = &outcome.diagnostics()[0].message;
        assert_eq!(message, &format!("this is not a placement file: {reason}"), "{to}");
    };
    let small = "`version` is the number -1, where a whole number from 0 to 4294967295 is expected";
    says("\"version\": 1", "\"version\": -1", small, "-1");
    says(
        "\"design\": \"tree\"",
        "\"design\": 5",
        "`design` is the number 5, where a string is expected",
        "5",
    );
    says(
        "\"version\": 1",
        "\"revision\": 1",
        "the file has no field `revision`, only `format`, `version`, `design`, `device`, `kernels`, `buffers`, `shims`, `fifos`, `generated`",
        "\"revision\"",
    );
    let twice = "the file has two fields `version`";
    says("\"version\": 1", "\"version\": 1, \"version\": 1", twice, "\"version\"");
    says("\"version\": 1,", "\"version\": 1", "expected `,` or `}`", "\"");
    says(
        "\"shared\"",
        "\"own\"",
        "`worker[1].total_out0` is the string \"own\", where a list of buffers, or \"shared\", is expected",
        "\"own\"",
    );
}

#[test]
fn json_of_another_kind_lacks_the_format() {
    let (_, outcome) = load_changed("\"format\": \"aiec-placement\"", "\"columns\": 50");
    let message = &outcome.diagnostics()[0].message;
    assert_eq!(message, "this is not a placement file: the file has no `format`");
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
fn a_name_that_occurs_twice_is_not_said_to_be_missing_too() {
    // The first of the two entries has no stack.
    let name = "\"worker[5]\":";
    let (_, outcome) = load_changed(name, &format!("{name} {{\"tile\":[9,3]}}, {name}"));
    assert_eq!(slugs(&outcome), ["place/bad-file"], "{:?}", outcome.diagnostics());
}

#[test]
fn a_kernel_without_a_stack_in_a_whole_placement_lacks_just_that() {
    let (design, placement) = design();
    let text = dump(design, placement);
    let start = text.find(",\"stack\"").expect("stacks are written");
    let end = start + text[start..].find("}}").expect("the end of a kernel's entry") + 1;
    let outcome = load(design, &file(&format!("{}{}", &text[..start], &text[end..])));
    let message = &outcome.diagnostics().first().expect("refused").message;
    assert!(message.contains("no entry for the stack of the kernel `worker[0]`"), "{message}");
}

#[test]
fn mangled_files_never_panic() {
    let (design, placement) = design();
    let text = dump(design, placement);
    for cut in (0..text.len()).step_by(37) {
        assert!(load(design, &file(&text[..cut])).value().is_none());
        let mangled = format!("{}é{}", &text[..cut], &text[cut + 1..]);
        load(design, &file(&mangled)).into_parts();
    }
}

/// The diagnostic of a partial placement of a tree of seven kernels under constraints: the message,
/// and the text under each label.
fn refused(kernels: &str, constrain: impl Fn(&mut Builder)) -> (String, Vec<String>) {
    let device = vc1902();
    let mut builder = tree(7, 2, int32(64));
    constrain(&mut builder);
    let design = checked(&builder, &device);
    let head = r#""format": "aiec-placement", "version": 1, "design": "tree", "device": "xcvc1902""#;
    let source = file(&format!("{{ {head}, \"kernels\": {{ {kernels} }} }}"));
    let Loaded::Part(pins) = value(load_part(&design, &device, &source)) else {
        unreachable!("tiles only");
    };
    let outcome = search(&design, &device, &QUICK, &Basis { pins: &pins, ..Basis::NOTHING }, &Tools::ALONE);
    let first = outcome.diagnostics().first().expect("refused");
    assert_eq!(first.code.slug, "place/contradiction", "{}", first.message);
    assert!(first.help.contains("placement.json"), "{}", first.help);
    let in_file = first.labels.iter().filter(|label| label.span.source == source.id);
    let text = |span: aiec_diag::Span| source.text[span.start as usize..span.end as usize].to_owned();
    assert!(first.labels[0].span.source == source.id, "the file comes first");
    (first.message.clone(), in_file.map(|label| text(label.span)).collect())
}

#[test]
fn a_part_of_a_placement_that_breaks_a_constraint_is_shown_with_it() {
    let (message, labels) =
        refused(r#""worker[3]": {"tile":[9,3]}, "worker[4]": {"tile":[2,3]}"#, |builder| {
            builder.region(&["worker[4]", "worker[3]"], (0, 0), (5, 7)).apart(&["worker[0]", "worker[1]"]);
        });
    let all = "`worker[3]` cannot be placed: 1 `region` and 1 tile of the placement file `placement.json` leave it none of the tiles of xcvc1902";
    assert_eq!((message.as_str(), labels), (all, vec!["\"worker[3]\"".to_owned()]));
}

#[test]
fn tiles_of_a_file_that_contradict_each_other_or_an_offset_or_pair_are_shown() {
    let (message, labels) = refused(r#""worker[3]": {"tile":[9,3]}, "worker[5]": {"tile":[9,3]}"#, |_| ());
    assert!(message.contains("2 tiles of the placement file") && labels.len() == 2, "{message}");
    let two = r#""worker[3]": {"tile":[9,3]}, "worker[5]": {"tile":[30,3]}, "worker[6]": {"tile":[31,3]}"#;
    let (message, labels) = refused(two, |b| {
        b.place_relative("worker[5]", "worker[3]", (1, 0));
    });
    assert!(message.contains("1 `place` and 2 tiles") && labels.len() == 2, "{message}");
    let (message, _) = refused(two, |b| {
        b.together(&["worker[5]", "worker[3]"]);
    });
    assert!(message.contains("1 `together` and 2 tiles"), "{message}");
    let (message, _) = refused(two, |b| {
        b.keepout((30, 0), (40, 7));
    });
    assert!(message.contains("1 `keepout` and 1 tile"), "{message}");
}
