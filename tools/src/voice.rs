//! The plain voice of `CONTRIBUTING.md` and its rules for Rust files, as far as a program can
//! check them.

use std::fs;
use std::process::Command;

use crate::{code, root};

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

/// Endings of the files with comments behind `//` or in strings.
const SOURCES: [&str; 9] = ["rs", "h", "hpp", "inl", "cc", "cpp", "pest", "askama", "js"];
/// Endings of the files with comments behind `#`.
const SCRIPTS: [&str; 4] = ["toml", "py", "sh", "run"];
/// Endings of the files that are text for readers as a whole.
const TEXTS: [&str; 3] = ["md", "json", "askama"];

/// Columns of prose and of comments.
const COLUMNS: usize = 100;
/// Words of the median sentence of a page in `docs/`.
const MEDIAN: usize = 15;
/// Limits on the words of pages that grow with every change.
const WORDS: [(&str, usize); 2] = [("CHANGELOG.md", 800), ("docs/placement.md", 3000)];

/// What is not plain, one line each.
///
/// # Errors
/// git does not list the files.
pub(crate) fn faults() -> Result<Vec<String>, String> {
    let mut faults = Vec::new();
    for path in tracked()? {
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        // They quote the phrases.
        if path != "CONTRIBUTING.md" && path != "tools/src/voice.rs" {
            faults.extend(banned(&path, &text));
        }
        faults.extend(long_lines(&path, &text));
        if ending(&path) == "rs" {
            faults.extend(code::faults(&path, &text));
        }
        if path.starts_with("docs/") && ending(&path) == "md" {
            faults.extend(long_sentences(&path, &text));
        }
        let limit =
            WORDS.iter().find(|(page, most)| *page == path && text.split_whitespace().count() > *most);
        faults.extend(limit.map(|(_, most)| format!("{path} has more than {most} words")));
    }
    Ok(faults)
}

/// The letters behind the last `.` of the file's name; `run` for `.ci/run`.
fn ending(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit('.').next().unwrap_or(name)
}

/// Files of the repository.
pub(crate) fn tracked() -> Result<Vec<String>, String> {
    let output = Command::new("git").current_dir(root()).arg("ls-files").output();
    let output = output.map_err(|error| format!("git ls-files: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// Banned phrases in what a reader of the file reads, also across the ends of lines.
fn banned(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let lines = read(ending(path), text);
    let paragraphs = lines.chunk_by(|one, next| one.1.is_empty() == next.1.is_empty());
    for paragraph in paragraphs.filter(|lines| lines.iter().any(|(_, line)| !line.is_empty())) {
        let mut joined = String::new();
        let mut ends = Vec::new();
        for (number, line) in paragraph {
            joined += &format!("{} ", line.to_lowercase());
            ends.push((joined.len(), *number));
        }
        for (phrase, plain) in BANNED {
            for (at, _) in joined.match_indices(phrase) {
                let line = ends.iter().find(|(end, _)| at < *end).map_or(0, |(_, number)| *number);
                faults.push(format!("{path}:{line}: \"{}\"; write {plain}", phrase.trim()));
            }
        }
    }
    faults
}

/// The lines of a file with what a reader reads of each: all of a text, and comments and strings of
/// other files.
fn read<'a>(ending: &str, text: &'a str) -> Vec<(usize, &'a str)> {
    let lines = (1..).zip(text.lines());
    let part = |line: &'a str| match ending {
        _ if TEXTS.contains(&ending) => line.trim(),
        _ if SOURCES.contains(&ending) => comment(line, "//").unwrap_or_else(|| quoted(line)),
        _ if SCRIPTS.contains(&ending) => comment(line, "#").unwrap_or_else(|| quoted(line)),
        _ => "",
    };
    lines.map(|(number, line)| (number, part(line))).collect()
}

/// The words of a comment behind `mark`, without the further marks of a doc comment.
fn comment<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (_, comment) = line.split_once(mark)?;
    Some(comment.trim_start_matches(['/', '!', '#']).trim())
}

/// What stands between the first and the last quotation mark of a line. A line without any may be
/// in the middle of a string, and is read if it has neither `;` nor `=`.
fn quoted(line: &str) -> &str {
    match (line.find('"'), line.rfind('"')) {
        (Some(first), Some(last)) => line[first..last].trim_start_matches('"'),
        _ if line.contains([';', '=', '{', '}']) => "",
        _ => line.trim(),
    }
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

/// Lines of prose and comments that are too long. A line of one word cannot be broken.
fn long_lines(path: &str, text: &str) -> Vec<String> {
    let starts_with = |mark: &str| -> Vec<(usize, &str)> {
        (1..).zip(text.lines()).filter(|(_, line)| line.trim_start().starts_with(mark)).collect()
    };
    let lines = match ending(path) {
        "md" => prose(text),
        // A name takes the place of `{{ name }}`.
        "askama" => Vec::new(),
        ending if SOURCES.contains(&ending) => starts_with("//"),
        ending if SCRIPTS.contains(&ending) => starts_with("#"),
        _ => Vec::new(),
    };
    let long = lines.into_iter().filter(|(_, line)| line.chars().count() > COLUMNS && line.contains(' '));
    long.map(|(number, _)| format!("{path}:{number}: more than {COLUMNS} columns")).collect()
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
    fn phrases_are_found_in_comments_strings_and_prose_only() {
        assert_eq!(banned("a.rs", "let x = 1; // Runs so many times.").len(), 1);
        assert_eq!(banned("a.rs", "let x = \"so many\";").len(), 1);
        assert_eq!(banned("a.rs", "None if x => 1,"), Vec::<String>::new());
        assert_eq!(banned("a.md", "None if there is none").len(), 1);
        assert_eq!(banned("a.json", "\"description\": \"So many elements.\"").len(), 1);
        assert_eq!(banned("a.py", "    # So many a line.").len(), 1);
    }

    #[test]
    fn phrases_are_found_across_lines() {
        let said = banned("a.rs", "/// The links. None\n/// if there are none.\nfn f() {}\n");
        assert_eq!(said, ["a.rs:1: \"none if\"; write returns None when"]);
        assert_eq!(banned("a.md", "so\n\nmany"), Vec::<String>::new(), "two paragraphs");
    }

    #[test]
    fn code_and_tables_are_no_prose() {
        let long = "x ".repeat(60);
        let text = format!("{long}\n\n```\n{long}\n```\n| {long} |\n");
        assert_eq!(long_lines("a.md", &text), ["a.md:1: more than 100 columns"]);
    }

    #[test]
    fn comments_are_as_narrow_as_prose() {
        let text = |mark: &str| format!("    {mark} {0}\n    {mark} a\nlet x = \"{0}\";\n", "x ".repeat(60));
        for (file, mark) in [("a.rs", "//"), ("a.inl", "//"), ("Cargo.toml", "#"), (".ci/run", "#")] {
            assert_eq!(long_lines(file, &text(mark)), [format!("{file}:1: more than 100 columns")]);
        }
    }

    #[test]
    fn the_median_is_of_sentences() {
        assert_eq!(sentence_lengths("One two three. One two three four five! So"), [3, 5]);
    }
}
