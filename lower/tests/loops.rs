//! Warnings about loops: those that surely do nothing, and none of the others.

use aiec_diag::{Diagnostic, SourceFile, SourceId};
use aiec_lower::{Options, lower};

/// The slugs of what lowering says about a design with these statements.
fn said(statements: &str) -> Vec<&'static str> {
    found(statements).iter().map(|one| one.code.slug).collect()
}

/// The messages of what lowering says about a design with these statements.
fn messages(statements: &str) -> Vec<String> {
    found(statements).into_iter().map(|one| one.message).collect()
}

fn found(statements: &str) -> Vec<Diagnostic> {
    let text = format!(
        "design d device xcvc1902 const N = 0 const T = [1, 2]\nkernel a[8](in x: stream int32, out y: stream \
         int32) {{ source \"a.cc\" }}\n{statements}\n"
    );
    let file = SourceFile { id: SourceId(0), name: "d.dsl".into(), text };
    let (program, faults) = aiec_dsl::parse(&file).into_parts();
    assert!(faults.is_empty(), "{faults:#?}");
    lower(&program.expect("a tree"), &Options::default()).diagnostics().to_vec()
}

#[test]
fn a_loop_between_numbers_that_never_runs_is_warned_about_wherever_it_stands() {
    let empty = "for i in 4..4 { place a[i] at (i, 0) }";
    assert_eq!(said(empty), ["lower/empty-loop"]);
    assert_eq!(said(&empty.replace("4..4", "0..-2")), ["lower/empty-loop"]);
    assert_eq!(said(&format!("if N == 1 {{ {empty} }}")), ["lower/empty-loop"]);
    assert_eq!(said(&format!("for j in 0..2 {{ place a[j] at (j, 0) {empty} }}")), ["lower/empty-loop"]);
    // Another value of the constant lets the loop run.
    assert!(said(&empty.replace("4..4", "0..N")).is_empty());
    assert!(said(&empty.replace("4..4", "0..4")).is_empty());
}

#[test]
fn a_variable_may_be_used_anywhere_in_its_loop() {
    for body in [
        "connect a[i].y -> a[7].x",
        "connect a[6].y -> a[2 * i + 1].x fifo 16",
        "connect a[6].y -> a[7].x fifo 16 + i",
        "connect a[6].y -> a[7].x fifo 16 at shim i number 0",
        "place a[0] at (i, 0)",
        "place a[0] at a[1] + (*, i + 1)",
        "region a[0..1] in (0, 0) to (i + 1, 7)",
        "together a[i], a[7]",
        "apart a[i..8]",
        "keepout (40 + i, 0)",
        "for j in 0..i { place a[j] at (j, 0) }",
        "if i == 5 { keepout (40, 0) }",
        "assert T[i] > 0 \"positive\"",
        "assert min(i, 3) >= 0 \"no negative number\"",
    ] {
        assert!(!said(&format!("for i in 0..1 {{ {body} }}")).contains(&"lower/idle-variable"), "{body}");
    }
    assert_eq!(said("for i in 0..2 { together a[0], a[1] }"), ["lower/idle-variable"]);
    assert_eq!(said("for i in 0..2 { for j in 0..2 { place a[j] at (j, 0) } }"), ["lower/idle-variable"]);
}

#[test]
fn an_allowed_warning_is_left_out() {
    let allow = "allow \"lower/empty-loop\" because \"for later\"";
    assert!(said(&format!("{allow}\nfor i in 4..4 {{ place a[i] at (i, 0) }}")).is_empty());
    assert_eq!(said(allow), ["check/unused-allow"]);
}

#[test]
fn an_error_is_not_allowed_under_its_short_name_either() {
    for name in ["sync-cycle", "check/sync-cycle"] {
        let found = messages(&format!("allow \"{name}\" because \"for later\""));
        assert!(found[0].starts_with("`check/sync-cycle` is an error"), "{found:?}");
    }
}
