//! Tokens of preprocessed C++, for [`loops`](crate::loops) and [`looping`](crate::looping).

use std::ops::Range;

use aiec_cpp_text::Kind;

/// The parts of the text between line markers that enter or leave a file. No statement spans two
/// parts.
pub(super) fn regions(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("# ")
            && line.rsplit_once('"').is_some_and(|(_, flags)| flags.contains(['1', '2']))
        {
            all.push(start..at);
            start = at;
        }
        at += line.len();
    }
    all.push(start..at);
    all
}

/// A word, a literal, or one character of punctuation, as a range of bytes.
pub(super) type Token = Range<usize>;

/// The tokens of preprocessed text, without line markers and pragmas.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let is_no_code = |kind| matches!(kind, Kind::Comment | Kind::Directive);
    aiec_cpp_text::tokens(text).filter(|token| !is_no_code(token.kind)).map(|token| token.range()).collect()
}

/// A part of the text and its tokens.
pub(super) struct Source<'a> {
    /// What the tokens are ranges of.
    pub(super) text: &'a str,
    /// Its tokens, in order.
    pub(super) tokens: Vec<Token>,
}

impl Source<'_> {
    /// The text of the token at index `at`.
    pub(super) fn word(&self, at: usize) -> Option<&str> {
        self.text.get(self.tokens.get(at)?.clone())
    }

    /// True if the token at index `at` is `wanted`.
    pub(super) fn is(&self, at: usize, wanted: &str) -> bool {
        self.word(at) == Some(wanted)
    }

    /// Byte at which the token at index `at` starts; the end of the text behind the last one.
    pub(super) fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.start)
    }

    /// The bracket that closes the one at `open`.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        (open..self.tokens.len()).find(|&at| {
            match self.word(at) {
                Some("(" | "[" | "{") => depth += 1,
                Some(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// The bracket that opens the one at `close`.
    pub(super) fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        (0..=close).rev().find(|&at| {
            match self.word(at) {
                Some(")" | "]" | "}") => depth += 1,
                Some("(" | "[" | "{") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
    }

    /// Tokens between `open` and `close` that equal `sign` and lie in no inner bracket.
    pub(super) fn signs(&self, open: usize, close: usize, sign: &str) -> Vec<usize> {
        let mut all = Vec::new();
        let mut at = open + 1;
        while at < close {
            if matches!(self.word(at), Some("(" | "[" | "{")) {
                at = self.closing(at).unwrap_or(close);
            } else if self.is(at, sign) {
                all.push(at);
            }
            at += 1;
        }
        all
    }
}
