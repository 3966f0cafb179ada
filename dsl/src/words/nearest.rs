//! The nearest word of what the grammar allows at a place, for one that it does not.
//!
//! A misspelt word is often a name to the grammar, such as `merg` in `connect a.y -> merg b.x`,
//! and the error is at the word behind it. So the grammar is asked what else could stand in place
//! of the name, and whether the text goes on with that.

use aiec_diag::{Diagnostic, SourceFile, nearest};

use super::{Context, words_of};
use crate::RESERVED;
use crate::errors::{self, Advice};
use crate::grammar::Rule;

/// The word among those that begin one of `rules` that `found` means: the one that it begins with,
/// as `input` with `in`; or the nearest; or the one that it shortens.
pub(super) fn of(found: &str, rules: &[Rule]) -> Option<String> {
    misspelt(found, rules).or_else(|| shortened(found, rules))
}

/// The word among those that begin one of `rules` that `found` is with other letters, or with more.
pub(super) fn misspelt(found: &str, rules: &[Rule]) -> Option<String> {
    let words: Vec<String> = rules.iter().flat_map(|&rule| beginning(rule)).collect();
    let close = || nearest(found, words.iter().map(String::as_str)).map(str::to_owned);
    lengthened(found, rules).or_else(close)
}

/// The word among those that begin one of `rules` that `found` begins with: as `stack` in
/// `stacksize`. Of words with fewer than four letters only if `found` is a word of the language.
pub(super) fn lengthened(found: &str, rules: &[Rule]) -> Option<String> {
    let words = rules.iter().flat_map(|&rule| beginning(rule));
    let is_long = |word: &String| word.len() >= 4 || RESERVED.contains(&found);
    words.filter(|word| is_long(word) && found.starts_with(word.as_str())).max_by_key(String::len)
}

/// The only word among those that begin one of `rules` that begins with `found`, which has at least
/// three letters.
pub(super) fn shortened(found: &str, rules: &[Rule]) -> Option<String> {
    let mut words: Vec<String> = rules.iter().flat_map(|&rule| beginning(rule)).collect();
    words.retain(|word| found.len() >= 3 && word.len() > found.len() && word.starts_with(found));
    words.sort();
    words.dedup();
    words.pop().filter(|_| words.is_empty())
}

/// The words that a rule begins with. Empty for names and symbols.
pub fn beginning(rule: Rule) -> Vec<String> {
    let name = format!("{rule:?}");
    let word = name.strip_prefix("kw_").unwrap_or(&name);
    let words: &[&str] = match rule {
        Rule::automatic => &["auto"],
        Rule::unit => &["B", "KiB", "MiB"],
        Rule::expr | Rule::operand | Rule::number => &["len", "max", "min"],
        Rule::connect_end => &["async"],
        Rule::port => &["in", "inout", "out"],
        Rule::switch => &["merge", "split"],
        Rule::fifo_place => &["shim", "switch"],
        Rule::first | Rule::table_file | Rule::user_op => &["from"],
        Rule::in_switch => &["switch"],
        Rule::number_of => &["number"],
        Rule::byte_offset => &["offset"],
        Rule::member => &["called"],
        _ if !words_of(rule).is_empty() => words_of(rule),
        // Other rules are called as the word that begins them, if one does.
        _ if Rule::all_rules().iter().any(|other| format!("{other:?}") == format!("kw_{word}")) => &[word],
        _ => &[],
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}

impl Context<'_> {
    /// The fault of a misspelt word in front of the error that counts as a name.
    pub(super) fn misspelt_name(&self) -> Option<Diagnostic> {
        let name = self.before(0);
        let before = self.scan.before(self.position, 0)?.range.clone();
        let behind = self.scan.at(self.position)?.range.clone();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let start = self.file.text.get(..before.start)?;
        let rest = self.file.text.get(before.end..behind.end)?;
        let goes_on = |word: &String| {
            let text = self.with(format!("{start}{word}{rest}"));
            !(self.rules_behind)(&text, Some(before.start)).is_empty()
        };
        let words: Vec<String> = (self.rules_behind)(&self.with(start.to_owned()), None)
            .into_iter()
            .flat_map(beginning)
            .filter(|word| word != name && nearest(name, [word.as_str()]).is_some() && goes_on(word))
            .collect();
        let word = nearest(name, words.iter().map(String::as_str))?.to_owned();
        let span = self.file.span_at(before);
        let help = format!("did you mean `{word}` instead of `{name}`?");
        let advice = Advice { help, edit: Some((span, word.clone())) };
        Some(errors::unexpected(span, &format!("`{word}`"), &format!("`{name}`"), advice))
    }

    /// The file with another text.
    fn with(&self, text: String) -> SourceFile {
        SourceFile { id: self.file.id, name: self.file.name.clone(), text }
    }
}
