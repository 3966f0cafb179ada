//! Rules for Rust files that no lint has: their length, and doc comments that restate a name.

use std::collections::BTreeSet;

/// Lines of a Rust file.
const LINES: usize = 600;

/// Words that say nothing by themselves.
const FILLERS: [&str; 22] = [
    "a", "an", "the", "its", "it", "of", "this", "that", "these", "in", "on", "at", "for", "to", "is", "are",
    "by", "with", "each", "all", "one", "as",
];

/// Words in front of the name of an item.
const KEYWORDS: [&str; 13] = [
    "pub", "const", "async", "unsafe", "fn", "struct", "enum", "trait", "type", "mod", "static", "union",
    "mut",
];

/// What is wrong with a Rust file.
pub(crate) fn faults(path: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let length = (lines.len() > LINES).then(|| {
        format!("{path}: {} lines, more than {LINES}: move a topic to a file of its own", lines.len())
    });
    length.into_iter().chain(restated(path, &lines)).collect()
}

/// Doc comments all of whose words are in the name of the item. A comment that quotes a text or
/// names another item in backquotes gives its spelling, which the name may lack.
fn restated(path: &str, lines: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    let is_doc = |line: &&str| line.starts_with("///");
    for (at, _) in
        lines.iter().enumerate().filter(|&(at, line)| is_doc(line) && (at == 0 || !is_doc(&lines[at - 1])))
    {
        let comment: Vec<&str> = lines[at..].iter().copied().take_while(is_doc).collect();
        let mut behind = lines[at + comment.len()..].iter().skip_while(|line| line.starts_with("#["));
        let name = words_of_name(behind.next().copied().and_then(name).unwrap_or_default());
        let comment = comment.join(" ");
        let mut words = words(&comment).filter(|word| !FILLERS.contains(&word.as_str())).peekable();
        if words.peek().is_some() && !comment.contains('`') && words.all(|word| name.contains(&word)) {
            let comment = comment.trim_start_matches(['/', ' ']);
            faults.push(format!(
                "{path}:{}: \"{comment}\" restates the name: say whose, its unit or its source",
                at + 1
            ));
        }
    }
    faults
}

/// The name of the item, field or variant that a line declares.
fn name(line: &str) -> Option<&str> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let line = line.strip_prefix("pub(").and_then(|rest| rest.split_once(')')).map_or(line, |(_, rest)| rest);
    line.split(|letter| !is_letter(letter)).find(|word| !word.is_empty() && !KEYWORDS.contains(word))
}

/// The words of `CamelCase` or `snake_case`.
fn words_of_name(name: &str) -> BTreeSet<String> {
    let mut spaced = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    words(&spaced).collect()
}

/// The words of a text in lower case, without an `s` at their ends.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let stem = |word: &str| {
        let word = word.to_lowercase();
        let is_plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
        if is_plural { word[..word.len() - 1].to_owned() } else { word }
    };
    words.map(stem)
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn a_comment_with_no_word_but_those_of_the_name_is_found() {
        let restated = |text: &str| !faults("a.rs", text).is_empty();
        assert!(restated("/// Its name.\npub name: String,"));
        assert!(restated("/// The times of a kernel.\n#[derive(Clone)]\npub(crate) struct KernelTimes {"));
        assert!(restated("    /// All diagnostics.\n    pub diagnostics: Vec<Diagnostic>,"));
        assert!(!restated("/// The name of the design.\npub name: String,"));
        assert!(!restated("/// `Makefile`\nstruct Makefile {"));
        assert!(!restated("/// Its bytes,\n/// without padding.\npub bytes: u64,"));
    }

    #[test]
    fn a_file_has_at_most_600_lines() {
        assert!(faults("a.rs", &"\n".repeat(600)).is_empty());
        assert_eq!(faults("a.rs", &"\n".repeat(601)).len(), 1);
    }
}
