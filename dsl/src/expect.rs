//! What may follow at a place in a text: for an editor that completes words.
//!
//! The grammar answers: the text up to the place is parsed with a token behind it that no rule
//! takes, and the parser lists the rules that could go on.

use aiec_diag::SourceFile;

use crate::ITEM_WORDS;
use crate::grammar::Rule;
use crate::recover::Recovery;
use crate::scan::{Scan, TokenKind, scan};
use crate::words;

/// A character that begins no token of the language.
const NOTHING: char = '\u{1}';

/// What may stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// First byte of the word that is being written.
    pub start: usize,
    /// Words of the language, sorted.
    pub words: Vec<String>,
    /// Names that are declared elsewhere.
    pub names: Vec<Names>,
    /// The end of a connection at the place.
    pub end: Option<End>,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In front of the arrow: what gives data.
    Producing,
    /// Behind the arrow: what takes data.
    Consuming,
}

/// A kind of names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {
    /// Constants, loop variables and named indices, for an expression.
    Values,
    /// Kernels, collectives, inputs, outputs, instances, and ports of the component around.
    References,
    /// What these names, joined by dots, have inside: ports, or what a component declares.
    Members(Vec<String>),
    /// Element types.
    Types,
    /// The names that this word has behind it, such as those of devices behind `device`.
    Behind(String),
}

/// What may stand at byte `offset` of a text, in place of the word there. Nothing is expected
/// inside of comments and strings.
pub fn expected(file: &SourceFile, offset: usize) -> Expected {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = file.text.get(..offset).unwrap_or_default();
    let start = before.trim_end_matches(is_word).len();
    let nothing = Expected { start, ..Expected::default() };
    let text = format!("{}{NOTHING}", &before[..start]);
    let cut = SourceFile { id: file.id, name: file.name.clone(), text };
    let Ok(scan) = scan(&cut) else { return nothing };
    // A string without an end, or a comment, takes the last character.
    let last = scan.tokens.last().filter(|token| token.range.start == start);
    if last.is_none_or(|token| token.kind != TokenKind::Symbol) {
        return nothing;
    }
    let rules = Recovery::new(&cut, &scan).expected_at_end();
    let mut words: Vec<String> = rules.iter().flat_map(|rule| words_of(*rule)).collect();
    let mut names: Vec<Names> = rules.iter().filter_map(|rule| names_of(*rule, &cut, &scan)).collect();
    words.sort();
    words.dedup();
    names.sort();
    names.dedup();
    Expected { start, words, names, end: end_at(&cut, &scan) }
}

/// The end of a connection that the last token of a text is in.
fn end_at(file: &SourceFile, scan: &Scan) -> Option<End> {
    let tokens = scan.tokens.iter().rev().map(|token| &file.text[token.range.clone()]);
    let mut is_behind = false;
    for token in tokens {
        is_behind |= token == "->";
        if ITEM_WORDS.contains(&token) {
            let end = if is_behind { End::Consuming } else { End::Producing };
            return (token == "connect").then_some(end);
        }
    }
    None
}

/// The words that a rule begins with.
fn words_of(rule: Rule) -> Vec<String> {
    let name = format!("{rule:?}");
    let words: &[&str] = match rule {
        Rule::automatic => &["auto"],
        Rule::unit => &["B", "KiB", "MiB"],
        Rule::expr | Rule::operand => &["len", "max", "min"],
        Rule::connect_end => &["async"],
        Rule::port => &["in", "inout", "out"],
        Rule::switch => &["merge", "split"],
        Rule::fifo_place => &["shim", "switch"],
        _ => match name.strip_prefix("kw_") {
            Some(word) => &[word],
            None => words::words_of(rule),
        },
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The names that a rule begins with, at the last token.
fn names_of(rule: Rule, file: &SourceFile, scan: &Scan) -> Option<Names> {
    match rule {
        Rule::expr | Rule::operand => Some(Names::Values),
        Rule::connect_end => Some(Names::References),
        Rule::window_type | Rule::flow => Some(Names::Types),
        Rule::ident | Rule::part => {
            let tokens = scan.tokens.iter().rev().skip(1);
            let before: Vec<&str> = tokens.map(|token| &file.text[token.range.clone()]).collect();
            behind(&before)
        }
        _ => None,
    }
}

/// The names at a place where a name stands. `before` are the tokens before it, the nearest first.
fn behind(before: &[&str]) -> Option<Names> {
    let item = before.iter().find(|word| ITEM_WORDS.contains(word)).copied().unwrap_or_default();
    let lists = ["connect", "region", "together", "apart"];
    match *before.first()? {
        "." => Some(Names::Members(path(&before[1..]))),
        "window" | "data" | "cycles" | "stream" | "packets" | "parameter" | "as" => Some(Names::Types),
        word @ ("device" | "board" | "ports" | "of" | "op" | "shape" | "buffer" | "style" | "cascade") => {
            Some(Names::Behind(word.to_owned()))
        }
        "," if lists.contains(&item)
            || before.iter().take_while(|word| **word != item).any(|word| *word == "over") =>
        {
            Some(Names::References)
        }
        "->" | "connect" | "over" | "place" | "at" | "region" | "together" | "apart" | "async" | "root"
        | "split" | "merge" | "ordered" => Some(Names::References),
        _ => None,
    }
}

/// The names of a reference that ends before a dot, the first one first, without their indices.
fn path(before: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        while before.get(at) == Some(&"]") {
            let Some(open) = before[at..].iter().position(|word| *word == "[") else { break };
            at += open + 1;
        }
        let Some(name) = before.get(at) else { break };
        names.push((*name).to_owned());
        if before.get(at + 1) != Some(&".") {
            break;
        }
        at += 2;
    }
    names.reverse();
    names
}
