//! The index of `docs/language.md`: each construct has a section, a diagnostic that the section
//! names, and a design in `examples/` that uses its words.
#![allow(clippy::disallowed_methods, reason = "the test reads the page and the examples")]

use std::collections::BTreeSet;
use std::fs;

use aiec_diag::catalogue;
use aiec_tests::path;

fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_else(|error| format!("{file}: {error}"))
}

/// The words of the language, from the rules of the grammar.
fn words_of_the_language() -> BTreeSet<String> {
    let grammar = read("dsl/src/grammar.pest");
    let rules = grammar.lines().filter_map(|line| line.strip_prefix("kw_")?.split_once(['=', ' ']));
    let words: BTreeSet<String> = rules.map(|(word, _)| word.trim().to_owned()).collect();
    assert!(words.len() > 80, "only {} words", words.len());
    words
}

/// Words of letters in a text without the comments of its lines.
fn words(text: &str) -> BTreeSet<&str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_ascii_alphabetic() && c != '_')).collect()
}

/// The texts between backquotes, without strings in them.
fn spans(cell: &str) -> String {
    let quoted = cell.split('`').skip(1).step_by(2);
    quoted.map(|span| span.split('"').step_by(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
}

/// The targets of the links in a cell.
fn links(cell: &str) -> Vec<&str> {
    cell.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

/// The anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    heading.to_lowercase().chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The section with an anchor, up to the next heading of its level.
fn section<'a>(page: &'a str, link: &str) -> Option<&'a str> {
    let wanted = link.strip_prefix('#')?;
    let level = |line: &str| line.bytes().take_while(|&byte| byte == b'#').count();
    let lines = || {
        page.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at - line.len(), line))
        })
    };
    let is_heading = |line: &str| line.trim_start_matches('#').starts_with(' ') && level(line) > 0;
    let (start, heading) = lines()
        .find(|(_, line)| is_heading(line) && anchor(line.trim_start_matches('#').trim()) == wanted)?;
    let after = |&(at, line): &(usize, &str)| at > start && is_heading(line) && level(line) <= level(heading);
    let end = lines().find(after).map_or(page.len(), |(at, _)| at);
    page.get(start..end)
}

/// The faults of one row of the index.
fn faults(page: &str, row: &str, language: &BTreeSet<String>) -> Vec<String> {
    let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
    let [construct, .., sections, examples] = cells.as_slice() else { return vec![format!("no row: {row}")] };
    let mut found = Vec::new();
    let texts: Vec<Option<&str>> = links(sections).into_iter().map(|link| section(page, link)).collect();
    if texts.is_empty() || texts.iter().any(Option::is_none) {
        found.push(format!("{construct}: a section is missing"));
    }
    let names = |text: &&str| catalogue::ALL.iter().any(|code| text.contains(&format!("`{}`", code.slug)));
    if !texts.iter().flatten().any(names) {
        found.push(format!("{construct}: its sections name no diagnostic"));
    }
    let designs: Vec<String> =
        links(examples).into_iter().map(|link| read(link.trim_start_matches("../"))).collect();
    let used: BTreeSet<&str> = designs.iter().flat_map(|design| words(design)).collect();
    let spans = spans(construct);
    let missing = words(&spans).into_iter().filter(|word| language.contains(*word) && !used.contains(word));
    found.extend(missing.map(|word| format!("{construct}: no example has `{word}`")));
    if designs.is_empty() {
        found.push(format!("{construct}: no example"));
    }
    found
}

/// The rows of the index.
fn rows(page: &str) -> impl Iterator<Item = &str> {
    let from_header = page.lines().skip_while(|line| !line.ends_with("| runs in |"));
    from_header.skip(2).take_while(|line| line.starts_with('|'))
}

#[test]
fn every_construct_has_a_section_a_diagnostic_and_an_example() {
    let (page, language) = (read("docs/language.md"), words_of_the_language());
    assert!(rows(&page).count() > 20, "the index is gone");
    let found: Vec<String> = rows(&page).flat_map(|row| faults(&page, row, &language)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_construct_without_an_example_is_noticed() {
    let row =
        "| `connect a.y -> b.x fifo 64` | none | [FIFOs](#nowhere) | [reduce](../examples/reduce.dsl) |";
    let found = faults("# FIFOs", row, &words_of_the_language());
    let expected = ["a section is missing", "its sections name no diagnostic", "no example has `fifo`"];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    assert!(found.iter().zip(expected).all(|(found, expected)| found.ends_with(expected)), "{found:#?}");
}
