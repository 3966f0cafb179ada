//! Syntax errors: all of a text, and the tree of the rest.
//!
//! Each outermost item is parsed by itself. Where the grammar stops, the innermost piece around the
//! error is overwritten with blanks, and the item is parsed again. So positions stay those of the
//! file, and a half-typed line costs only the item that it belongs to. The number of errors is
//! limited, so the time is linear in the length of the text.

use std::collections::BTreeSet;
use std::ops::Range;

use aiec_diag::{Diagnostic, SourceFile};
use pest::Parser;
use pest::error::{Error, ErrorVariant};

use crate::ast::Item;
use crate::grammar::{Grammar, Rule};
use crate::left_out::LeftOut;
use crate::parse::offset_of;
use crate::pieces::Pieces;
use crate::scan::{Scan, Token, scan};
use crate::tree::Builder;
use crate::words::{self, properties_of};

/// A character that begins no token of the language.
pub(crate) const NOTHING: char = '\u{1}';

/// Most syntax errors that are reported at once.
const MAX_ERRORS: usize = 20;

/// A text with syntax errors.
pub struct Recovery<'a> {
    file: &'a SourceFile,
    /// All tokens of the file.
    tokens: &'a [Token],
    pieces: Pieces,
    /// The text with blanks in place of what was left out.
    bytes: Vec<u8>,
    /// True for each token that is not left out.
    live: Vec<bool>,
    /// First byte behind the text: that of a comment without an end.
    end: usize,
    /// True if a comment has no end. What it may have cut off is no fault of its own.
    is_cut: bool,
    /// Byte offsets of the errors so far.
    reported: BTreeSet<usize>,
    diagnostics: Vec<Diagnostic>,
}

/// An error of the grammar at a byte of the file.
type At = (usize, Box<Error<Rule>>);

impl<'a> Recovery<'a> {
    /// The text of `file` without what its scan refuses.
    pub fn new(file: &'a SourceFile, scan: &'a Scan) -> Self {
        let end = scan.comment.as_ref().map_or(file.text.len(), |(at, _)| *at);
        let mut recovery = Self {
            file,
            tokens: &scan.tokens,
            pieces: Pieces::of(&file.text, &scan.tokens),
            bytes: file.text.as_bytes()[..end].to_vec(),
            live: vec![true; scan.tokens.len()],
            end,
            is_cut: scan.comment.is_some(),
            reported: BTreeSet::new(),
            diagnostics: Vec::new(),
        };
        recovery.diagnostics.extend(scan.comment.iter().map(|(_, fault)| fault.clone()));
        for (at, fault) in &scan.strings {
            if recovery.has_room() {
                recovery.diagnostics.push(fault.clone());
            }
            if recovery.live[*at] {
                let around = recovery.pieces.around(*at, &(0..scan.tokens.len()));
                recovery.leave_out(&around);
            }
        }
        recovery
    }

    fn has_room(&self) -> bool {
        self.diagnostics.len() < MAX_ERRORS
    }

    /// The items that have a tree, all errors, and what was left out. `whole` is the
    /// error of the grammar for the whole text, which knows more than the one for an item alone.
    pub fn run(mut self, whole: Option<At>) -> (Vec<Item>, Vec<Diagnostic>, LeftOut) {
        let mut whole = whole;
        let mut items = Vec::new();
        for piece in self.pieces.outermost() {
            items.extend(self.outermost(piece, &mut whole));
        }
        if let Some((position, error)) = whole {
            self.report(position, &error);
        }
        let words: Vec<&str> = (0..self.tokens.len()).map(|at| self.word(at)).collect();
        let left_out = LeftOut::of(&words, &self.live);
        (items, self.diagnostics, left_out)
    }

    /// The items of an outermost piece.
    fn outermost(&mut self, piece: Range<usize>, whole: &mut Option<At>) -> Vec<Item> {
        loop {
            let (position, error) = match self.parse(&piece) {
                Ok(items) => return items,
                Err(at) => at,
            };
            // Behind the piece, the error is of a word of the next item that was taken for a name.
            let end = self.bytes_of(&piece).end;
            match whole.take().filter(|(position, _)| *position <= end) {
                Some((position, error)) => self.report(position, &error),
                None => self.report(position, &error),
            }
            let left_out = self.piece_of(position, &error, &piece);
            if left_out.is_empty() || !self.has_room() {
                self.leave_out(&piece.collect::<Vec<_>>());
                return Vec::new();
            }
            self.leave_out(&left_out);
        }
    }

    /// The rules of the grammar that the last token of the text could begin, which must be none
    /// that any rule takes. Errors before it are left out; with `from`, only those before that
    /// byte, and the result is empty if there are others.
    pub fn expected_at_end(mut self, from: Option<usize>) -> Vec<Rule> {
        let (Some(piece), Some(last)) = (self.pieces.outermost().pop(), self.tokens.last()) else {
            return Vec::new();
        };
        for _ in 0..MAX_ERRORS {
            let Err((position, error)) = self.parse(&piece) else { break };
            if position >= last.range.start {
                return match error.variant {
                    ErrorVariant::ParsingError { positives, .. } => positives,
                    ErrorVariant::CustomError { .. } => Vec::new(),
                };
            }
            if from.is_some_and(|from| position >= from) {
                break;
            }
            let left_out = self.piece_of(position, &error, &piece);
            self.leave_out(&left_out);
        }
        Vec::new()
    }

    /// The bytes of an outermost piece, up to the next one.
    fn bytes_of(&self, piece: &Range<usize>) -> Range<usize> {
        let start = if piece.start == 0 { 0 } else { self.tokens[piece.start].range.start };
        let end = self.tokens.get(piece.end).map_or(self.end, |token| token.range.start);
        start..end.max(start)
    }

    fn parse(&mut self, piece: &Range<usize>) -> Result<Vec<Item>, At> {
        let bytes = self.bytes_of(piece);
        let text = std::str::from_utf8(&self.bytes[bytes.clone()]).unwrap_or_default().to_owned();
        let pairs = Grammar::parse(Rule::file, &text)
            .map_err(|error| ((bytes.start + offset_of(&error)).min(bytes.end), Box::new(error)))?;
        let scan = self.scan(piece.clone());
        let mut builder = Builder::new(self.file, &scan, bytes.start);
        let items = builder.items(pairs);
        self.diagnostics.append(&mut builder.diagnostics);
        Ok(items)
    }

    /// The tokens in `range` that are not left out.
    fn scan(&self, range: Range<usize>) -> Scan {
        let tokens = range.filter(|&at| self.live[at]).map(|at| self.tokens[at].clone());
        Scan { tokens: tokens.collect(), ..Scan::default() }
    }

    fn report(&mut self, position: usize, error: &Error<Rule>) {
        let is_cut = self.is_cut && position >= self.end;
        if is_cut || !self.has_room() || !self.reported.insert(position) {
            return;
        }
        let scan = self.scan(0..self.tokens.len());
        self.diagnostics.push(words::syntax_error(self.file, &scan, position, error, rules_behind));
    }

    /// The tokens to leave out for an error at byte `position` of an outermost piece. Empty if none
    /// is left.
    fn piece_of(&self, position: usize, error: &Error<Rule>, piece: &Range<usize>) -> Vec<usize> {
        let ErrorVariant::ParsingError { positives, .. } = &error.variant else { return Vec::new() };
        let live = |at: &usize| self.live[*at];
        let at = piece.clone().find(|at| live(at) && self.tokens[*at].range.end > position);
        let before = piece.clone().rev().find(|at| live(at) && self.tokens[*at].range.end <= position);
        let is_item = positives.iter().any(|rule| words::is_item(*rule));
        let property = positives.iter().find_map(|rule| properties_of(*rule));
        let mut tokens = match (at, before, property) {
            // A part of a token belongs to what is before it.
            (Some(at), ..) if self.tokens[at].range.start < position => self.pieces.around(at, piece),
            // The item before is whole.
            (Some(at), ..) if is_item => self.pieces.from(at, piece.end),
            (Some(at), _, Some(words)) if !self.is_bracket(at) && !self.pieces.begins(at) => {
                self.property(at, piece, words)
            }
            // Something is still open.
            (None, Some(before), _) if is_item => {
                let is_open = |at: &usize| live(at) && self.is_bracket(*at) && self.pieces.is_unclosed(*at);
                let open = (piece.start..=before).rev().find(is_open);
                self.pieces.around(open.unwrap_or(before), piece)
            }
            (_, Some(before), _) => self.pieces.around(before, piece),
            (Some(at), None, _) => self.pieces.around(at, piece),
            (None, None, _) => Vec::new(),
        };
        tokens.retain(live);
        tokens
    }

    /// The tokens from `at` to the next property of the same item, which one of `words` begins.
    fn property(&self, at: usize, piece: &Range<usize>, words: &[&str]) -> Vec<usize> {
        let mut tokens = self.pieces.from(at, piece.end);
        let next = tokens.iter().skip(1).position(|&next| words.contains(&self.word(next)));
        tokens.truncate(next.map_or(tokens.len(), |next| next + 1));
        tokens
    }

    fn word(&self, at: usize) -> &str {
        &self.file.text[self.tokens[at].range.clone()]
    }

    fn is_bracket(&self, at: usize) -> bool {
        matches!(self.word(at), "(" | "[" | "{" | ")" | "]" | "}")
    }

    fn leave_out(&mut self, tokens: &[usize]) {
        for &at in tokens {
            self.live[at] = false;
            // A token without an end may reach beyond the text.
            let range = self.tokens[at].range.clone();
            self.bytes[range.start.min(self.end)..range.end.min(self.end)].fill(b' ');
        }
    }
}

/// The rules of the grammar that could follow behind a text. Faults before the byte `from` count as
/// left out; empty if there are others.
fn rules_behind(file: &SourceFile, from: Option<usize>) -> Vec<Rule> {
    let text = format!("{} {NOTHING}", file.text);
    let file = SourceFile { id: file.id, name: file.name.clone(), text };
    match scan(&file) {
        Ok(scan) => Recovery::new(&file, &scan).expected_at_end(from),
        Err(_) => Vec::new(),
    }
}
