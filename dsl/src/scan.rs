//! A first pass over the text, before the grammar: tokens, comments and brackets.
//!
//! It refuses brackets that are nested too deeply, which would make the grammar deep. Comments and
//! strings without an end are faults beside the tokens. The printer takes the comments from here,
//! error messages the tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use aiec_diag::{Diagnostic, SourceFile, Span};

use crate::errors;

/// Most brackets (round, square, curly) around any place of a design.
pub const MAX_NESTING: usize = 64;

/// Some editors put this in front of a text. It has no meaning.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The kinds of token, as far as messages need them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or word of the language.
    Word,
    /// A word that starts with a digit.
    Number,
    /// A string with its quotes.
    Text,
    /// Punctuation, or a character that means nothing.
    Symbol,
}

/// A token: its kind and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// Tokens and comments in the order of the text.
#[derive(Debug, Default)]
pub struct Scan {
    /// All tokens: the text without white space and comments.
    pub tokens: Vec<Token>,
    /// Comments with their delimiters, line comments without the line's end.
    pub comments: Vec<Range<usize>>,
    /// Strings without an end: the tokens and what to say of them.
    pub strings: Vec<(usize, Diagnostic)>,
    /// The first byte of a comment without an end, which takes the rest of the text, and what to
    /// say of it.
    pub comment: Option<(usize, Diagnostic)>,
}

impl Scan {
    /// The words of `text` that occur once, strings and comments apart.
    pub fn once(&self, text: &str) -> BTreeSet<String> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for token in self.tokens.iter().filter(|token| token.kind == TokenKind::Word) {
            *counts.entry(&text[token.range.clone()]).or_default() += 1;
        }
        let once = counts.into_iter().filter(|(_, count)| *count == 1);
        once.map(|(word, _)| word.to_owned()).collect()
    }

    /// The last token that ends at or before byte `position`, counted back by `back`.
    pub fn before(&self, position: usize, back: usize) -> Option<&Token> {
        let count = self.tokens.partition_point(|token| token.range.end <= position);
        self.tokens[..count].iter().nth_back(back)
    }

    /// The token at byte `position`, or the first one behind it.
    pub fn at(&self, position: usize) -> Option<&Token> {
        self.tokens.get(self.tokens.partition_point(|token| token.range.end <= position))
    }
}

/// Splits the text into tokens and comments.
///
/// # Errors
/// A diagnostic if brackets are nested more than [`MAX_NESTING`] deep.
pub fn scan(file: &SourceFile) -> Result<Scan, Diagnostic> {
    let text = file.text.as_str();
    let mut scan = Scan::default();
    let mut depth = 0usize;
    let mut position = 0;
    while let Some(first) = text.get(position..).and_then(|rest| rest.chars().next()) {
        let rest = &text[position..];
        let end = position + piece_length(rest, first);
        let span = file.span_at(position..end);
        if rest.starts_with("//") || rest.starts_with("/*") {
            if rest.starts_with("/*") && !is_closed_comment(&text[position..end]) {
                let fault = errors::unterminated_comment(file.span_at(position..position + 2), file.span());
                scan.comment = Some((position, fault));
            }
            scan.comments.push(position..end);
        } else if !first.is_ascii_whitespace() && first != BYTE_ORDER_MARK {
            if first == '"' && !is_closed_string(&text[position..end]) {
                scan.strings.push((scan.tokens.len(), errors::unterminated_string(span)));
            }
            depth = depth_after(first, depth);
            if depth > MAX_NESTING {
                return Err(errors::nesting_too_deep(span, MAX_NESTING));
            }
            scan.tokens.push(Token { kind: kind_of(first), range: position..end });
        }
        position = end;
    }
    Ok(scan)
}

/// The files of constant tables that a design names, as written: every `const NAME = from "FILE"`.
/// Also finds them in a text with syntax errors.
pub fn table_files(file: &SourceFile) -> Vec<String> {
    let scan = scan(file).unwrap_or_default();
    let text = |at: usize| scan.tokens.get(at).and_then(|token| file.text.get(token.range.clone()));
    let files = (0..scan.tokens.len()).filter_map(|at| {
        let [first, _, equals, from, path] = [0, 1, 2, 3, 4].map(|step| text(at + step));
        let is_table = (first, equals, from) == (Some("const"), Some("="), Some("from"));
        path.filter(|_| is_table)?.strip_prefix('"')?.strip_suffix('"').map(str::to_owned)
    });
    files.collect()
}

/// The files that a design imports, as written: every `import "FILE"`. Also finds them in a text
/// with syntax errors.
pub fn imports(file: &SourceFile) -> Vec<String> {
    let scan = scan(file).unwrap_or_default();
    let text = |at: usize| scan.tokens.get(at).and_then(|token| file.text.get(token.range.clone()));
    let files = (0..scan.tokens.len()).filter(|&at| text(at) == Some("import"));
    let path = |at: usize| text(at + 1)?.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    files.filter_map(path).collect()
}

fn kind_of(first: char) -> TokenKind {
    match first {
        'a'..='z' | 'A'..='Z' | '_' => TokenKind::Word,
        '0'..='9' => TokenKind::Number,
        '"' => TokenKind::Text,
        _ => TokenKind::Symbol,
    }
}

fn depth_after(symbol: char, depth: usize) -> usize {
    match symbol {
        '(' | '[' | '{' => depth + 1,
        ')' | ']' | '}' => depth.saturating_sub(1),
        _ => depth,
    }
}

fn is_closed_comment(comment: &str) -> bool {
    comment.len() >= 4 && comment.ends_with("*/")
}

fn is_closed_string(string: &str) -> bool {
    string.len() >= 2 && string.ends_with('"')
}

/// Bytes of the token, comment or white-space character at the start of `rest`.
fn piece_length(rest: &str, first: char) -> usize {
    let run = |keep: fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if let Some(body) = rest.strip_prefix("/*") {
        return body.find("*/").map_or(rest.len(), |end| end + 4);
    }
    match kind_of(first) {
        TokenKind::Word | TokenKind::Number => run(|c| c.is_ascii_alphanumeric() || c == '_'),
        TokenKind::Text => string_length(rest),
        TokenKind::Symbol
            if ["->", "..", "<<", ">>", "==", "!=", "<=", ">="].iter().any(|pair| rest.starts_with(pair)) =>
        {
            2
        }
        TokenKind::Symbol => first.len_utf8(),
    }
}

fn string_length(rest: &str) -> usize {
    let body = &rest[1..];
    match body.find(['"', '\n', '\r']) {
        Some(end) if body[end..].starts_with('"') => end + 2,
        Some(end) => end + 1,
        None => rest.len(),
    }
}

/// The phrase for the token at byte `position`.
pub(crate) fn found_at(file: &SourceFile, scan: &Scan, position: usize) -> (String, Span) {
    match scan.at(position) {
        None => ("the end of the file".to_owned(), last_of(file, scan.tokens.last())),
        Some(token) => {
            let text = file.text.get(token.range.clone()).unwrap_or_default();
            let shown: String = text.chars().take(40).collect();
            let dots = if shown.len() < text.len() { "..." } else { "" };
            (format!("`{shown}{dots}`"), file.span_at(token.range.clone()))
        }
    }
}

/// The last character of a token, behind which something is missing.
pub(crate) fn last_of(file: &SourceFile, token: Option<&Token>) -> Span {
    let end = token.map_or(0, |token| token.range.end);
    let before = file.text.get(..end).and_then(|text| text.char_indices().next_back());
    file.span_at(before.map_or(0, |(at, _)| at)..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_diag::SourceId;

    fn file(text: &str) -> SourceFile {
        SourceFile { id: SourceId(0), name: "a.dsl".into(), text: text.into() }
    }

    #[test]
    fn tokens_and_comments_are_told_apart() {
        let file = file("a -> b[0..8] // c\n\"/* no */\" /* d */ x");
        let scan = scan(&file).unwrap();
        let words: Vec<&str> = scan.tokens.iter().map(|token| &file.text[token.range.clone()]).collect();
        assert_eq!(words, ["a", "->", "b", "[", "0", "..", "8", "]", "\"/* no */\"", "x"]);
        let comments: Vec<&str> = scan.comments.iter().map(|range| &file.text[range.clone()]).collect();
        assert_eq!(comments, ["// c", "/* d */"]);
    }

    #[test]
    fn files_of_tables_are_found_without_the_grammar() {
        let file = file(
            "const A = from \"a.txt\" kernel ( const B=from/**/\"b/c.txt\"\ninput x from gmio(\"x.txt\")",
        );
        assert_eq!(table_files(&file), ["a.txt", "b/c.txt"]);
    }

    #[test]
    fn what_has_no_end_is_a_fault() {
        for (text, comment, strings) in
            [("x /* y", Some(2), vec![]), ("/*/", Some(0), vec![]), ("a \"abc\n\" b", None, vec![1, 2])]
        {
            let found = scan(&file(text)).unwrap();
            assert_eq!(found.comment.map(|(at, _)| at), comment, "{text}");
            assert_eq!(found.strings.into_iter().map(|(at, _)| at).collect::<Vec<_>>(), strings, "{text}");
        }
    }

    #[test]
    fn brackets_nest_sixty_four_deep_and_no_deeper() {
        let nested = |depth: usize| file(&format!("{}{}", "(".repeat(depth), ")".repeat(depth)));
        assert!(scan(&nested(MAX_NESTING)).is_ok());
        assert_eq!(scan(&nested(MAX_NESTING + 1)).unwrap_err().code.slug, "parse/nesting-too-deep");
        let quoted = format!("\"{0}\" // {0}\n/* {0} */", "(".repeat(1000));
        assert!(scan(&file(&quoted)).is_ok(), "strings and comments do not nest");
    }
}
