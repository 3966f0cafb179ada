//! Faults of a text with a half-typed line: those of the other items stand.

use serde_json::json;

use crate::client::Client;

/// A design without faults. Its lines count from 0.
const LINE: &str = "\
design line
device xcvc1902
const N = 64
kernel a(in x: window int32[N], out y: window int32[64]) { source \"a.cc\" }
input i from gmio
output o to gmio
connect i -> a.x
connect a.y -> o
";

/// The faults of `LINE` with `wrong` in its place and `half` behind it, except the syntax error.
fn faults(client: &mut Client, version: i32, (right, wrong): (&str, &str), half: &str) -> Vec<String> {
    assert!(LINE.contains(right), "{right}");
    client.change("d.dsl", version, &format!("{}{half}\n", LINE.replace(right, wrong)));
    let all = client.published("d.dsl");
    assert!(half.is_empty() || all.iter().any(|fault| fault.ends_with("parse/syntax")), "{half}: {all:?}");
    all.into_iter().filter(|fault| !fault.ends_with("parse/syntax")).collect()
}

#[test]
fn a_half_typed_line_hides_no_fault_of_another_item() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", LINE);
    assert_eq!(client.published("d.dsl"), [""; 0]);
    let behind = |more: &str| format!("connect a.y -> o\n{more}");
    let mut version = 1;
    for (right, wrong, fault) in [
        ("connect a.y -> o", "connect a.zz -> o".to_owned(), "7:10 lower/unknown-port"),
        ("connect a.y -> o", behind("place a at (90, 0)"), "8:0 check/place-outside"),
        ("connect a.y -> o", behind("kernel a() { source \"a.cc\" }"), "8:7 lower/duplicate-name"),
        ("connect a.y -> o", behind("allow \"x\" because \"y\""), "8:6 lower/bad-allow"),
        ("window int32[N]", "window int32[M]".to_owned(), "3:28 lower/unknown-name"),
    ] {
        for half in ["", "connect a.y -> ", "place a at (N, ", "kernel b(in x: window", "connect i, "] {
            version += 1;
            let found = faults(&mut client, version, (right, &wrong), half);
            assert!(found.contains(&fault.to_owned()), "{wrong} with {half}: {found:?}");
        }
    }
    client.end();
}

/// `bank` has a meaning of its own in generated C++.
#[test]
fn a_fault_of_the_design_line_costs_no_hover() {
    let mut client = Client::start(&json!({}));
    let wrong = LINE.replace("design line", "design bank");
    client.open("d.dsl", &wrong);
    assert_eq!(client.published("d.dsl"), ["0:7 lower/bad-identifier"]);
    for half in ["", "connect a.y -> \n"] {
        let text = format!("{wrong}{half}");
        client.change("d.dsl", 2, &text);
        let hover = client.hover(&text, "a(in x", 1);
        assert!(hover.contains("- 1 instance\n") && hover.contains("256 B"), "{hover}");
    }
    client.end();
}

#[test]
fn what_a_half_typed_line_declares_or_uses_is_not_missed() {
    let mut client = Client::start(&json!({}));
    client.open("d.dsl", LINE);
    assert_eq!(client.published("d.dsl"), [""; 0]);
    for (version, (right, half)) in [
        ("const N = 64\n", "const N = "),
        ("kernel a(in x: window int32[N], ", "kernel a(in x: wind int32[N], "),
        ("input i from gmio\n", "input i from "),
        ("connect a.y -> o\n", "connect a.y ->\n"),
        ("int32[N]", "int32[N"),
    ]
    .into_iter()
    .enumerate()
    {
        let version = i32::try_from(version).unwrap() + 2;
        client.change("d.dsl", version, &LINE.replace(right, half));
        let all = client.published("d.dsl");
        assert!(all.len() == 1 && all[0].ends_with("parse/syntax"), "{half}: {all:?}");
    }
    client.end();
}
