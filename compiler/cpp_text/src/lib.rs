//! The tokens of C++ texts.
//!
//! Takes a text of C++, before or after the preprocessor. Returns its tokens in order, each with
//! its kind and its bytes. White space belongs to no token. The kinds follow the C++ standard
//! ("Phases of translation" and "Preprocessing tokens"), with three differences:
//!
//! - Comments and preprocessor directives are tokens.
//! - Every sign of punctuation is a token of its own: `::` is two.
//! - There are no digraphs and no trigraphs, which GCC ignores by default.
//!
//! White space beyond ASCII, such as the no-break space, is white space, as for Clang.
//!
//! A backslash at the end of a line splices it to the next, as in GCC with blanks behind it. A word
//! may hold such a splice; its text then holds it, too.
//!
//! No text is an error. A literal without an end ends with its line, and a raw literal or a comment
//! with the text. The lexer allocates nothing, and takes time linear in the text.

mod directives;
mod scan;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use directives::{Directive, directives, includes, quoted_includes};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword. Characters beyond ASCII count as parts of words, but for blanks.
    Word,
    /// A number, with its separators and suffixes: `1'000u`, `1.5e-3`.
    Number,
    /// A literal in single quotes, with its prefix.
    Character,
    /// A literal in double quotes, with its prefix.
    Text,
    /// A raw literal, with its prefix: `R"x(...)x"`.
    Raw,
    /// The name of a file in angle brackets, in a directive that includes it.
    Header,
    /// A comment of either form.
    Comment,
    /// A preprocessor directive, or a line marker of preprocessed text, from `#` to the end of its
    /// last line.
    Directive,
    /// One character of punctuation.
    Mark,
}

impl Kind {
    /// True for words, numbers and marks: not for literals, comments and directives.
    pub fn is_code(self) -> bool {
        matches!(self, Self::Word | Self::Number | Self::Mark)
    }
}

/// A token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its first byte in the text.
    pub start: usize,
    /// Its part of the text.
    pub text: &'a str,
}

impl Token<'_> {
    /// The byte behind it.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Its bytes in the text.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end()
    }
}

/// Where in a line a lexer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Only white space and comments are before it in the line: `#` begins a directive.
    Start,
    /// Behind other tokens.
    Line,
    /// In a directive, before its name.
    Name,
    /// In a directive behind `include`.
    Include,
    /// In a directive behind all that.
    Rest,
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
    place: Place,
}

/// The tokens of `text`; a directive is one token.
pub fn tokens(text: &str) -> Tokens<'_> {
    // Windows marks UTF-8 by this character.
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    Tokens { text, at, place: Place::Start }
}

/// The tokens of `text`, with `#` and the tokens inside in place of each directive.
pub fn opened(text: &str) -> impl Iterator<Item = Token<'_>> {
    tokens(text).flat_map(move |token| {
        let inside = Tokens::inside(text, &token);
        let mark = Token { kind: Kind::Mark, text: token.text.get(..1).unwrap_or_default(), ..token };
        let first = if inside.is_some() { mark } else { token };
        std::iter::once(first).chain(inside.into_iter().flatten())
    })
}

/// The words, numbers and marks of `text`, without those of directives.
pub fn code(text: &str) -> impl Iterator<Item = Token<'_>> {
    tokens(text).filter(|token| token.kind.is_code())
}

/// `text` with blanks in place of the tokens whose kind `hides`. Every byte keeps its position, and
/// every line its number.
pub fn blanked(text: &str, hides: impl Fn(Kind) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for token in tokens(text).filter(|token| hides(token.kind)) {
        out += text.get(done..token.start).unwrap_or_default();
        out.extend(token.text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = token.end();
    }
    out + text.get(done..).unwrap_or_default()
}

/// `text` with blanks in place of its comments, literals and directives, as [`blanked`].
pub fn blanked_code(text: &str) -> String {
    blanked(text, |kind| !kind.is_code())
}

/// `text` with as many ASCII blanks as it has bytes of white space beyond ASCII between its tokens.
/// Returns None when it has none there.
pub fn with_plain_blanks(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let has_any = || (0..bytes.len()).any(|at| bytes[at] >= 0x80 && scan::wide_blank(bytes, at) > 0);
    if text.is_ascii() || !has_any() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for token in tokens(text) {
        out.extend(text.get(end..token.start).unwrap_or_default().chars().flat_map(plain));
        out += token.text;
        end = token.end();
    }
    out.extend(text.get(end..).unwrap_or_default().chars().flat_map(plain));
    (out != text).then_some(out)
}

/// A character between tokens: blanks for white space beyond ASCII.
fn plain(c: char) -> impl Iterator<Item = char> {
    let is_wide = !c.is_ascii() && c != '\u{feff}';
    std::iter::repeat_n(if is_wide { ' ' } else { c }, if is_wide { c.len_utf8() } else { 1 })
}

/// The parts of a list of arguments, such as those of a template: the texts between commas outside
/// of brackets, without the space around them. Two commas have an empty part between them.
pub fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(text[from..].trim());
    found
}

/// The line, from 1, of the byte `at` of `text`.
pub fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    1 + memchr::memchr_iter(b'\n', before).count()
}

/// True for the bytes of words: letters, digits, `_`, `$`, and bytes beyond ASCII.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        let is_inside = !matches!(self.place, Place::Start | Place::Line);
        loop {
            match *bytes.get(self.at)? {
                b'\n' if is_inside => return None,
                b'\n' => {
                    self.place = Place::Start;
                    self.at += 1;
                }
                b'\\' => match scan::splices(bytes, self.at) {
                    0 => break,
                    length => self.at += length,
                },
                byte if byte.is_ascii_whitespace() || byte == b'\x0b' => self.at += 1,
                _ => match scan::wide_blank(bytes, self.at) {
                    0 => break,
                    length => self.at += length,
                },
            }
        }
        let start = self.at;
        let (kind, end) = match bytes[start] {
            b'#' if self.place == Place::Start => (Kind::Directive, self.end_of_directive(start)),
            b'<' if self.place == Place::Include => scan::header(bytes, start),
            _ => scan::token(bytes, start),
        };
        let token = Token { kind, start, text: self.text.get(start..end).unwrap_or_default() };
        self.at = end;
        self.place = match self.place {
            place if kind == Kind::Comment => place,
            Place::Start | Place::Line => Place::Line,
            Place::Name if directives::names_file(token.text) => Place::Include,
            Place::Name | Place::Include | Place::Rest => Place::Rest,
        };
        Some(token)
    }
}

impl<'a> Tokens<'a> {
    /// The tokens of `text` inside a directive, behind its `#`. Returns None when `token` is no
    /// directive.
    fn inside(text: &'a str, token: &Token<'a>) -> Option<Self> {
        let is_directive = token.kind == Kind::Directive;
        is_directive.then_some(Self { text, at: token.start + 1, place: Place::Name })
    }

    /// The byte behind the last token of the directive that begins at `start`.
    fn end_of_directive(&self, start: usize) -> usize {
        let inside = Tokens { text: self.text, at: start + 1, place: Place::Name };
        inside.last().map_or(start + 1, |token| token.end())
    }
}
