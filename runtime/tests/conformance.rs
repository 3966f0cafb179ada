//! The headers conform to the documents. In `conformance/*.txt`, each documented line compiles
//! against the headers. Each line that the vendor's tools refuse on AIE does not, nor does a
//! documented line that is listed as missing. A line that must not compile stands with its nearest
//! form that does, so that it fails for the intended reason. A failure names file and line of the
//! list, and the document.
#![allow(clippy::disallowed_methods, reason = "the test compiles C++")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use aiec_runtime::LINKED;

/// One line of a list.
struct Entry {
    line: usize,
    document: String,
    text: String,
    compiles: bool,
    /// It is documented, and not there yet.
    missing: bool,
}

/// A list and how its lines are compiled: after a prologue, each in its own struct, which begins
/// with `head`.
struct List {
    name: &'static str,
    standard: &'static str,
    opens: &'static str,
}

const LISTS: [List; 2] = [
    List { name: "graph", standard: "-std=c++20", opens: "struct line_{} : everything { line_{}() {" },
    List { name: "kernel", standard: "-std=c++20", opens: "struct line_{} : everything { void run() {" },
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

/// Reads a list. Every entry has a document, and every refused line is followed by its form that
/// compiles.
fn entries(list: &str) -> Vec<Entry> {
    let text = fs::read_to_string(folder().join(list).with_extension("txt")).expect("the list is readable");
    let mut document = None;
    let mut found: Vec<Entry> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line_number = i + 1;
        let Some((mark, rest)) = line.split_once(' ') else {
            assert!(
                line.is_empty() || line == "#",
                "{list}.txt:{line_number}: a mark and a blank come first"
            );
            continue;
        };
        let refused_before = found
            .last()
            .is_some_and(|entry| !entry.compiles && !entry.missing && entry.line + 1 == line_number);
        assert_eq!(mark == "~", refused_before, "{list}.txt:{line_number}: ~ stands behind each -");
        match mark {
            "#" => {}
            "=" => document = Some(rest.to_owned()),
            "+" | "-" | "~" | "!" => found.push(Entry {
                line: line_number,
                document: document.clone().expect("a document stands before the first line"),
                text: rest.to_owned(),
                compiles: mark == "+" || mark == "~",
                missing: mark == "!",
            }),
            _ => unreachable!("{list}.txt:{line_number}: no such mark"),
        }
    }
    found
}

/// The source for these entries, with `#line` directives that point into the list.
fn source(list: &List, entries: &[&Entry]) -> String {
    let mut text =
        fs::read_to_string(folder().join(list.name).with_extension("h")).expect("the prologue is readable");
    for entry in entries {
        let opens = list.opens.replace("{}", &entry.line.to_string());
        text += &format!("{opens}\n#line {} \"{}.txt\"\n{}\n}} }};\n", entry.line, list.name, entry.text);
    }
    text
}

/// The numbers of the entries that do not compile, and the compiler's output.
fn refused(list: &List, entries: &[&Entry]) -> (BTreeSet<usize>, String) {
    let here = tempfile::tempdir().expect("a temporary directory");
    let file = here.path().join("lines.cpp");
    fs::write(&file, source(list, entries)).expect("writable");
    let run = Command::new("g++")
        .args([
            list.standard,
            "-fsyntax-only",
            "-fmax-errors=0",
            "-ftemplate-backtrace-limit=0",
            "-D__X86SIM__",
            LINKED,
        ])
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(&file)
        .env("LC_ALL", "C")
        .output()
        .expect("g++ runs");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let prefix = format!("{}.txt:", list.name);
    let lines = said
        .lines()
        .filter(|line| line.contains(": error: ") || line.contains("required from here"))
        .filter_map(|line| line.strip_prefix(&prefix)?.split(':').next()?.parse().ok())
        .collect();
    (lines, said)
}

fn check(list: &List) {
    let all = entries(list.name);
    let (right, wrong): (Vec<&Entry>, Vec<&Entry>) = all.iter().partition(|entry| entry.compiles);
    let (_, said) = refused(list, &right);
    assert!(!said.contains(": error: "), "what is documented does not compile:\n{said}");
    // If several lines instantiate one template, the compiler only names the first. So the others
    // are compiled once more without it.
    let mut left = wrong;
    loop {
        let (told, _) = refused(list, &left);
        let before = left.len();
        left.retain(|entry| !told.contains(&entry.line));
        if left.is_empty() || left.len() == before {
            break;
        }
    }
    let accepted: Vec<String> = left
        .into_iter()
        .map(|entry| {
            let there = if entry.missing { " is there now: mark it with +" } else { "" };
            format!("{}.txt:{}: {}{there} ({})", list.name, entry.line, entry.text, entry.document)
        })
        .collect();
    assert!(accepted.is_empty(), "what the tools refuse compiles:\n{}", accepted.join("\n"));
}

#[test]
fn graphs_are_written_as_documented_and_not_otherwise() {
    check(&LISTS[0]);
}

#[test]
fn kernels_use_what_aie_has_and_nothing_else() {
    check(&LISTS[1]);
}
