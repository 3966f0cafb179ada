//! Links of Markdown pages: which of them lead nowhere, and where links to other files lead on a
//! site.

use std::collections::{BTreeMap, BTreeSet};

/// The web address of a file of the repository.
const REPOSITORY: &str = "https://github.com/aiec/aiec/blob/main/";

/// The places of the targets of links and pictures in `text`, outside code.
fn places(text: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let code = code(text);
    for (at, _) in text.match_indices("](") {
        let start = at + 2;
        let Some(length) = text[start..].find(')') else { continue };
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        let is_link = !line.starts_with("    ") && !code.iter().any(|range| range.contains(&at));
        if is_link && !text[start..start + length].contains(char::is_whitespace) {
            places.push((start, start + length));
        }
    }
    places
}

/// The ranges of blocks and spans of code.
fn code(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let (mut offset, mut block, mut prose) = (0, None, 0..0);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            match block.take() {
                None => {
                    spans(text, prose.clone(), &mut ranges);
                    block = Some(offset);
                }
                Some(start) => {
                    ranges.push(start..offset + line.len());
                    prose = offset + line.len()..offset + line.len();
                }
            }
        } else if block.is_none() {
            prose.end = offset + line.len();
        }
        offset += line.len();
    }
    spans(text, prose, &mut ranges);
    ranges
}

/// The spans between backticks in a range.
fn spans(text: &str, range: std::ops::Range<usize>, ranges: &mut Vec<std::ops::Range<usize>>) {
    let ticks: Vec<usize> = text[range.clone()].match_indices('`').map(|(at, _)| range.start + at).collect();
    ranges.extend(ticks.chunks_exact(2).map(|pair| pair[0]..pair[1]));
}

/// The targets of links and pictures.
pub(crate) fn targets(text: &str) -> Vec<&str> {
    places(text).into_iter().map(|(start, end)| &text[start..end]).collect()
}

/// The text of the page at `path`, whose links to files of the repository lead to the page that
/// `moved` has for them, or to the web.
pub(crate) fn rewritten(
    path: &str,
    text: &str,
    tracked: &[String],
    moved: impl Fn(&str) -> Option<String>,
) -> String {
    let mut result = String::new();
    let mut from = 0;
    for (start, end) in places(text) {
        let target = &text[start..end];
        result += &text[from..start];
        from = end;
        let (file, anchor) =
            target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
        let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
        let full = joined(path, file);
        let is_inside = !file.is_empty() && !target.contains("://");
        let exists = tracked.iter().any(|one| *one == full || one.starts_with(&format!("{full}/")));
        result += &match moved(&full).filter(|_| is_inside) {
            Some(page) => format!("{}{anchor}", relative(path, &page)),
            None if is_inside && exists && !has_place(&full) => format!("{REPOSITORY}{full}{anchor}"),
            None => target.to_owned(),
        };
    }
    result + &text[from..]
}

/// True for files that lie in the site beside its pages.
fn has_place(path: &str) -> bool {
    path.starts_with("docs/") && (path.ends_with(".svg") || path.ends_with(".json"))
}

/// The path of `link` on the page at `path`.
fn joined(path: &str, link: &str) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The link from the page at `path` to `target`.
fn relative(path: &str, target: &str) -> String {
    let up = path.matches('/').count();
    format!("{}{target}", "../".repeat(up))
}

/// The links that lead to no page, no file that `there` knows, or no heading.
pub(crate) fn faults(pages: &BTreeMap<String, String>, there: impl Fn(&str) -> bool) -> Vec<String> {
    let anchors: BTreeMap<&String, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (path, headings(text))).collect();
    let mut faults = Vec::new();
    for (path, text) in pages {
        for target in targets(text).into_iter().filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let full = if file.is_empty() { path.clone() } else { joined(path, file) };
            let is_there = match anchors.get(&full) {
                Some(headings) => anchor.is_empty() || headings.contains(anchor),
                None => there(&full),
            };
            if !is_there {
                faults.push(format!("{path}: {target}"));
            }
        }
    }
    faults
}

/// The ids of the headings, as mdBook and GitHub make them.
fn headings(text: &str) -> BTreeSet<String> {
    let code = code(text);
    let mut ids = BTreeSet::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let is_code = code.iter().any(|range| range.contains(&offset));
        if line.starts_with('#') && !is_code {
            let id = id(line.trim_start_matches('#').trim());
            let mut number = 0;
            let mut unique = id.clone();
            while !ids.insert(unique.clone()) {
                number += 1;
                unique = format!("{id}-{number}");
            }
        }
        offset += line.len();
    }
    ids
}

fn id(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A `b` page\n\nSee [one](x.md#c-d), `[no](link.md)` and ![two](p/y.svg).\n\n```\n\
        [no](code.md)\n```\n";

    #[test]
    fn links_are_those_outside_code() {
        assert_eq!(targets(PAGE), ["x.md#c-d", "p/y.svg"]);
    }

    #[test]
    fn a_link_needs_its_page_and_its_heading() {
        let pages = |other: &str| {
            BTreeMap::from([("d/a.md".to_owned(), PAGE.to_owned()), ("d/x.md".to_owned(), other.to_owned())])
        };
        assert!(faults(&pages("## C d\n"), |path| path == "d/p/y.svg").is_empty());
        assert_eq!(faults(&pages("## C e\n"), |_| false), ["d/a.md: x.md#c-d", "d/a.md: p/y.svg"]);
    }

    #[test]
    fn a_link_to_the_repository_leads_to_a_page_or_to_the_web() {
        let tracked = ["e/x.dsl".to_owned(), "src/a.rs".to_owned()];
        let moved = |path: &str| (path == "e/x.dsl").then(|| "e/x.md".to_owned());
        let text = "[x](../e/x.dsl) [a](../src/a.rs) [w](https://w) [h](#h)";
        let there = rewritten("d/a.md", text, &tracked, moved);
        let web = "https://github.com/aiec/aiec/blob/main/src/a.rs";
        assert_eq!(there, format!("[x](../e/x.md) [a]({web}) [w](https://w) [h](#h)"));
    }
}
