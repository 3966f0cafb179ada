//! The pieces of a text with syntax errors: where items begin and end, as far as words and brackets
//! show it.
//!
//! Takes the tokens alone, not the grammar. A bracket that nothing closes counts as none, so an
//! item whose end is missing ends where the next one begins.

use std::ops::Range;

use crate::scan::Token;
use crate::{Behind, FREE_ITEM_WORDS, ITEM_WORDS, RESERVED_ITEM_WORDS};

/// Tokens with the items that they begin and the brackets that they close.
pub struct Pieces {
    /// Brackets around each token; a bracket lies outside of itself.
    depth: Vec<u32>,
    /// The bracket that closes each opening one, and the other way round.
    partner: Vec<Option<usize>>,
    /// True for each token that begins an item.
    begins: Vec<bool>,
}

/// An opening bracket that is still open.
struct Open<'a> {
    at: usize,
    symbol: &'a str,
    /// True if items may stand in it.
    holds_items: bool,
}

impl Pieces {
    /// The pieces of `text`, whose tokens are `tokens`.
    pub fn of(text: &str, tokens: &[Token]) -> Self {
        let words: Vec<&str> = tokens.iter().map(|token| &text[token.range.clone()]).collect();
        let starts: Vec<Start> = (0..words.len()).map(|at| start(text, tokens, &words, at)).collect();
        let begins: Vec<bool> = starts.iter().map(|start| *start != Start::None).collect();
        let partner = partners(&words, &starts);
        let mut inside = 0u32;
        let depth = (0..words.len()).map(|at| match partner[at] {
            Some(other) if other > at => {
                inside += 1;
                inside - 1
            }
            Some(_) => {
                inside = inside.saturating_sub(1);
                inside
            }
            None => inside,
        });
        Self { depth: depth.collect(), partner, begins }
    }

    /// The tokens of each item outside of all brackets, with the parts of other items between them.
    /// Together they are all tokens.
    pub fn outermost(&self) -> Vec<Range<usize>> {
        let starts = (1..self.begins.len()).filter(|&at| self.begins[at] && self.depth[at] == 0);
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        let ends = starts.iter().skip(1).copied().chain([self.begins.len()]);
        starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }

    /// The tokens of the innermost piece around token `at` within `outer`: of its item up to the
    /// first item inside, if `at` lies there, or else of the whole item.
    pub fn around(&self, at: usize, outer: &Range<usize>) -> Vec<usize> {
        let start = self.start(at, outer.start);
        let head = self.from(start, outer.end);
        if head.contains(&at) {
            return head;
        }
        let ends = |end: &usize| self.depth[*end] < self.depth[start] || self.begins_beside(*end, start);
        self.closed(start..(at..outer.end).find(ends).unwrap_or(outer.end))
    }

    /// The first token of the innermost item around token `at`, at or behind token `least`.
    fn start(&self, at: usize, least: usize) -> usize {
        let mut least_depth = self.depth[at];
        let is_around = |&before: &usize| {
            least_depth = least_depth.min(self.depth[before]);
            self.begins[before] && self.depth[before] <= least_depth
        };
        (least..=at).rev().find(is_around).unwrap_or(least)
    }

    /// True if token `at` begins an item, and not inside of the one at `start`.
    fn begins_beside(&self, at: usize, start: usize) -> bool {
        self.begins[at] && self.depth[at] <= self.depth[start]
    }

    /// The tokens from `start` to the next item inside or behind, at most to `end`, or to where the
    /// brackets around `start` close. Brackets that close what opens there are added.
    pub fn from(&self, start: usize, end: usize) -> Vec<usize> {
        let stops = |at: &usize| self.begins[*at] || self.depth[*at] < self.depth[start];
        self.closed(start..(start + 1..end).find(stops).unwrap_or(end))
    }

    /// These tokens, and the brackets behind them that close what opens in them.
    fn closed(&self, range: Range<usize>) -> Vec<usize> {
        let closing = range.clone().filter_map(|at| self.partner[at]).filter(|&other| other >= range.end);
        let closing: Vec<usize> = closing.collect();
        range.chain(closing).collect()
    }

    /// True if token `at` begins an item.
    pub fn begins(&self, at: usize) -> bool {
        self.begins[at]
    }

    /// True if nothing closes the bracket that token `at` is.
    pub fn is_unclosed(&self, at: usize) -> bool {
        self.partner[at].is_none()
    }
}

/// Whether a token begins an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    None,
    /// A word that may also be a name, where the item before may end.
    Likely,
    /// A reserved word, or one that may also be a name with what only an item has behind it.
    Certain,
}

/// Whether token `at` begins an item. Words that may also be names do so at the start of a line and
/// behind a curly bracket, and reserved words also within a line, but for lists.
fn start(text: &str, tokens: &[Token], words: &[&str], at: usize) -> Start {
    if !ITEM_WORDS.contains(&words[at]) {
        return Start::None;
    }
    let Some(before) = at.checked_sub(1) else {
        return if RESERVED_ITEM_WORDS.contains(&words[at]) { Start::Certain } else { Start::Likely };
    };
    let between = &text[tokens[before].range.end..tokens[at].range.start];
    if RESERVED_ITEM_WORDS.contains(&words[at]) {
        // `input x: window int32[8]` in a list of ports.
        let has_type = words.get(at + 2) == Some(&":");
        let is_listed = matches!(words[before], "(" | ",") && (has_type || !between.contains('\n'));
        return if is_listed { Start::None } else { Start::Certain };
    }
    if !between.contains('\n') && !matches!(words[before], "{" | "}") {
        return Start::None;
    }
    if heads_item(words, at) {
        return Start::Certain;
    }
    match words[before] {
        "->" | "," | "." | "else" | "connect" | "over" | "at" => Start::None,
        _ => Start::Likely,
    }
}

/// True if behind the word `at`, which may be a name, stands what the grammar allows behind it in
/// an item alone.
fn heads_item(words: &[&str], at: usize) -> bool {
    let behind = |ahead: usize| words.get(at + ahead).copied().unwrap_or_default();
    let is_named = behind(1).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match FREE_ITEM_WORDS.iter().find(|(word, _)| *word == words[at]) {
        Some((_, Behind::Name(next))) => is_named && next.contains(&behind(2)),
        Some((_, Behind::Text)) => behind(1).starts_with('"'),
        Some((_, Behind::Expression)) | None => false,
    }
}

/// The partner of each bracket.
fn partners(words: &[&str], starts: &[Start]) -> Vec<Option<usize>> {
    let mut partner = vec![None; words.len()];
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut item = "";
    for (at, &word) in words.iter().enumerate() {
        if starts[at] != Start::None {
            item = word;
            if starts[at] == Start::Certain {
                let kept = open.iter().rposition(|bracket| bracket.holds_items);
                open.truncate(kept.map_or(0, |last| last + 1));
            }
        }
        match word {
            "(" | "[" | "{" => {
                let is_else = at.checked_sub(1).is_some_and(|before| words[before] == "else");
                let holds_items = word == "{" && (is_else || matches!(item, "component" | "for" | "if"));
                open.push(Open { at, symbol: word, holds_items });
            }
            ")" | "]" | "}" => {
                let opening = match word {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                let reach =
                    open.iter().rposition(|bracket| bracket.symbol == opening || bracket.symbol == "{");
                if let Some(index) = reach.filter(|&index| open[index].symbol == opening) {
                    let other = open[index].at;
                    (partner[at], partner[other]) = (Some(other), Some(at));
                    open.truncate(index);
                }
            }
            _ => {}
        }
    }
    partner
}
