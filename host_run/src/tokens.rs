//! Tokens of preprocessed C++, for [`loops`](crate::loops) and [`looping`](crate::looping).

use std::ops::Range;

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

/// The tokens of preprocessed text, without line markers.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' {
            fresh = true;
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if byte == b'#' && fresh {
            at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
        } else {
            fresh = false;
            let end = end_of_token(bytes, at).max(at + 1);
            all.push(at..end);
            at = end;
        }
    }
    all
}

/// True for the bytes of words: letters, digits, `_`, `$`, and bytes beyond ASCII.
pub(super) fn of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// End of the token that begins at `at`.
fn end_of_token(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    match rest {
        [b'"' | b'\'', ..] => at + literal(rest),
        [first, ..] if first.is_ascii_digit() => {
            // 1'000 is one number. 1.5e-3 may be three tokens, which does no harm here.
            let within = |i: &usize| {
                of_word(rest[*i]) || (rest[*i] == b'\'' && rest.get(i + 1).is_some_and(|&b| of_word(b)))
            };
            at + (0..rest.len()).take_while(within).count()
        }
        [first, ..] if of_word(*first) => {
            let length = rest.iter().take_while(|&&b| of_word(b)).count();
            let raw = rest.get(length) == Some(&b'"') && rest.get(length - 1) == Some(&b'R');
            if raw { at + length + raw_literal(&rest[length..]) } else { at + length }
        }
        _ => at + 1,
    }
}

/// The length of a literal in quotes.
fn literal(rest: &[u8]) -> usize {
    let mut escaped = false;
    for (i, &byte) in rest.iter().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if Some(&byte) == rest.first() => return i + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of `"word(...)word"`.
fn raw_literal(rest: &[u8]) -> usize {
    let open = rest.iter().position(|&b| b == b'(').unwrap_or(rest.len());
    let end = [b")", rest.get(1..open).unwrap_or_default(), b"\""].concat();
    let found = rest.windows(end.len()).position(|window| window == end);
    found.map_or(rest.len(), |at| at + end.len())
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
