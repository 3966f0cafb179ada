//! The formatter: canonical layout, comments kept, nothing changed by printing twice.

use aiec_diag::{SourceFile, SourceId};
use aiec_dsl::{parse, print};

fn file(text: &str) -> SourceFile {
    SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() }
}

/// The canonical form of `text`, which must be a design.
fn format(text: &str) -> String {
    let file = file(text);
    let outcome = parse(&file);
    assert!(outcome.diagnostics().is_empty(), "{:#?}\n{text}", outcome.diagnostics());
    print(&file, outcome.value().expect("a tree without diagnostics"))
}

/// Formats `text` and compares; the result must be its own canonical form.
fn becomes(text: &str, canonical: &str) {
    let once = format(text);
    assert_eq!(once, canonical, "got\n{once}");
    assert_eq!(format(&once), once);
}

#[test]
fn every_construct_has_a_canonical_form() {
    becomes(include_str!("forms/everything.dsl"), include_str!("forms/everything.canonical.dsl"));
}

#[test]
fn names_of_many_kernels_fill_lines_of_their_own() {
    let names: Vec<String> =
        (0..12).map(|number| format!("\"member_of_the_graph[{}]\"", number * number)).collect();
    let text =
        format!("kernel f[12](out y: window int8[4]) called {} {{ source \"f.cc\" }}\n", names.join(", "));
    let printed = format(&text);
    assert!(printed.contains("\n) called\n    \"member_of_the_graph[0]\", "), "{printed}");
    assert!(printed.lines().all(|line| line.len() <= 100), "{printed}");
    assert_eq!(format(&printed), printed);
}

#[test]
fn comments_stay_before_behind_and_inside_their_construct() {
    becomes(include_str!("forms/comments.dsl"), include_str!("forms/comments.canonical.dsl"));
}

#[test]
fn ports_are_broken_into_lines_when_they_have_comments_or_do_not_fit() {
    becomes(include_str!("forms/ports.dsl"), include_str!("forms/ports.canonical.dsl"));
    let long = "kernel f(in first_input: window int32[1024], in second_input: window int32[1024], out y: window int8[4]) { source \"f.cc\" }";
    assert_eq!(format(long).lines().count(), 7);
    assert_eq!(format(&format(long)), format(long));
}

#[test]
fn parentheses_stay_where_they_matter_and_vanish_where_they_do_not() {
    becomes("const A = (1 + 2) * 3 - (4 - 5) - -(6 + 7)", "const A = (1 + 2) * 3 - (4 - 5) - -(6 + 7)\n");
    becomes("const A = ((1) + (2 * 3)) << (4 + 5)", "const A = 1 + 2 * 3 << 4 + 5\n");
    becomes("const A = (1 - 2) - min((3), max(4, (5 + 6)),)", "const A = 1 - 2 - min(3, max(4, 5 + 6))\n");
}

#[test]
fn at_most_one_blank_line_is_kept() {
    becomes("\n\n\ndesign a\n\n\n\ndevice b\nconst C = 1\n\n\n", "design a\n\ndevice b\nconst C = 1\n");
}

#[test]
fn a_comment_before_a_table_does_not_break_it() {
    becomes("const H /* x */ = [1, 2]\n", "/* x */\nconst H = [1, 2]\n");
    becomes("const H = // c\n[1, 2, 1]\n", "// c\nconst H = [1, 2, 1]\n");
}

#[test]
fn the_rows_of_a_table_keep_their_comments() {
    let rows = "const TAPS = [
    // of the low pass
    3, 5, // left
    -9,   // centre

    5,
    3, /* right */ 1
    // no more
]
";
    let wanted = "const TAPS = [
    // of the low pass
    3, 5, // left
    -9, // centre

    5,
    3, /* right */
    1,
    // no more
]
";
    becomes(rows, wanted);
    becomes("const NONE = [1,\n 2] // flat\n", "const NONE = [1, 2] // flat\n");
}
