//! The plain voice of `CONTRIBUTING.md`, as far as a program can check it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::root;

/// Phrases that leave out who or how many, with the plain form.
const BANNED: [(&str, &str); 11] = [
    ("so many", "N"),
    ("none if", "returns None when"),
    ("none where", "returns None when"),
    ("in come ", "takes"),
    ("in comes ", "takes"),
    ("out go ", "returns"),
    ("out goes ", "returns"),
    ("is said", "who says it"),
    ("are said", "who says it"),
    ("whoever", "the user, the caller"),
    ("guilty", "the cause"),
];

/// Endings of the files whose comments are read.
const SOURCES: [&str; 8] = ["rs", "h", "hpp", "inl", "cc", "cpp", "pest", "askama"];

/// Columns of prose in `docs/` and of comments in Rust.
const COLUMNS: usize = 100;
/// Words of the median sentence of a page in `docs/`.
const MEDIAN: usize = 15;
/// Words of the changelog.
const CHANGELOG: usize = 800;

/// What is not plain, one line each.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn faults() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for path in tracked()? {
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        let ending = Path::new(&path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_prose = ending == "md";
        if path.ends_with("tools/src/voice.rs") || path == "CONTRIBUTING.md" {
            continue; // they quote the phrases
        }
        if is_prose || SOURCES.contains(&ending) {
            faults.extend(banned(&path, &text, is_prose));
        }
        if ending == "rs" {
            faults.extend(long_comments(&path, &text));
        }
        if path.starts_with("docs/") && is_prose {
            faults.extend(long_lines(&path, &text));
            faults.extend(long_sentences(&path, &text));
        }
        if path == "CHANGELOG.md" && text.split_whitespace().count() > CHANGELOG {
            faults.push(format!("{path} has more than {CHANGELOG} words"));
        }
    }
    Ok(faults)
}

/// Files of the repository.
fn tracked() -> Result<Vec<String>, String> {
    let output = Command::new("git").current_dir(root()).arg("ls-files").output();
    let output = output.map_err(|error| format!("git ls-files: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Banned phrases in prose, or in the comments of a source.
fn banned(path: &str, text: &str, is_prose: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let comment = line.find("//").map_or("", |at| &line[at..]);
        let read = if is_prose { line } else { comment }.to_lowercase();
        for (phrase, plain) in BANNED {
            if read.contains(phrase) {
                faults.push(format!("{path}:{number}: \"{}\"; write {plain}", phrase.trim()));
            }
        }
    }
    faults
}

/// Lines of prose, without those of code and tables, which are not wrapped. An indented line is
/// code.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            lines.push((number, ""));
        } else if is_code || line.starts_with(['|', '#', '<']) || line.starts_with("    ") {
            lines.push((number, ""));
        } else {
            lines.push((number, line));
        }
    }
    lines
}

fn long_lines(path: &str, text: &str) -> Vec<String> {
    let long =
        prose(text).into_iter().filter(|(_, line)| line.chars().count() > COLUMNS && line.contains(' '));
    long.map(|(number, _)| format!("{path}:{number}: more than {COLUMNS} columns")).collect()
}

/// Lines of Rust that are comments and longer than those of prose.
fn long_comments(path: &str, text: &str) -> Vec<String> {
    let long = (1..).zip(text.lines()).filter(|(_, line): &(usize, &str)| {
        line.trim_start().starts_with("//") && line.chars().count() > COLUMNS
    });
    long.map(|(number, _)| format!("{path}:{number}: a comment of more than {COLUMNS} columns")).collect()
}

/// The median of the words of its sentences.
fn long_sentences(path: &str, text: &str) -> Option<String> {
    let mut paragraphs = vec![String::new()];
    for (_, line) in prose(text) {
        let is_item = line.trim_start().starts_with("- ");
        if line.is_empty() || is_item {
            paragraphs.push(String::new());
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            *paragraph += line.trim();
            paragraph.push(' ');
        }
    }
    let mut words: Vec<usize> = paragraphs.iter().flat_map(|paragraph| sentence_lengths(paragraph)).collect();
    words.sort_unstable();
    let median = words.get(words.len() / 2).copied().unwrap_or(0);
    (median > MEDIAN).then(|| format!("{path}: the median sentence has {median} words, more than {MEDIAN}"))
}

/// Words of each sentence; headings of lists and remarks of two words do not count.
fn sentence_lengths(paragraph: &str) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut words = 0;
    for word in paragraph.split_whitespace() {
        words += 1;
        if word.ends_with(['.', '!', '?']) {
            lengths.push(words);
            words = 0;
        }
    }
    lengths.push(words);
    lengths.retain(|&words| words > 2);
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_in_comments_and_prose_only() {
        assert_eq!(banned("a.rs", "let x = \"so many\"; // Runs so many times.", false).len(), 1);
        assert_eq!(banned("a.rs", "let x = \"so many\";", false), Vec::<String>::new());
        assert_eq!(banned("a.md", "None if there is none", true).len(), 1);
    }

    #[test]
    fn code_and_tables_are_no_prose() {
        let long = "x ".repeat(60);
        let text = format!("{long}\n\n```\n{long}\n```\n| {long} |\n");
        assert_eq!(long_lines("a.md", &text), ["a.md:1: more than 100 columns"]);
    }

    #[test]
    fn comments_are_as_narrow_as_prose() {
        let text = format!("    // {0}\n    // a\nlet x = \"{0}\";\n", "x ".repeat(60));
        assert_eq!(long_comments("a.rs", &text), ["a.rs:1: a comment of more than 100 columns"]);
    }

    #[test]
    fn the_median_is_of_sentences() {
        assert_eq!(sentence_lengths("One two three. One two three four five! So"), [3, 5]);
    }
}
