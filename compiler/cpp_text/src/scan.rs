//! Where a token ends. Takes bytes and the first byte of a token, and returns the byte behind it:
//! always behind an ASCII character or at the end, so never within a letter of UTF-8.

use memchr::{memchr, memchr3, memmem};

use crate::{Kind, is_word_byte};

/// The most characters of the delimiter of a raw literal (C++ standard, "String literals").
const MOST_OF_DELIMITER: usize = 16;

/// The kind of the token at `start`, and the byte behind it.
pub(crate) fn token(bytes: &[u8], start: usize) -> (Kind, usize) {
    let second = start + 1 + splices(bytes, start + 1);
    match (bytes[start], bytes.get(second)) {
        (b'/', Some(b'/')) => (Kind::Comment, line_comment(bytes, second + 1)),
        (b'/', Some(b'*')) => (Kind::Comment, block_comment(bytes, second + 1)),
        (b'"', _) => (Kind::Text, literal(bytes, start)),
        (b'\'', _) => (Kind::Character, literal(bytes, start)),
        (b'0'..=b'9', _) | (b'.', Some(b'0'..=b'9')) => (Kind::Number, number(bytes, start)),
        (first, _) if is_word_byte(first) => word(bytes, start),
        _ => (Kind::Mark, start + 1),
    }
}

/// The name of a file in angle brackets at `start`; a mark if no bracket closes it in its line.
pub(crate) fn header(bytes: &[u8], start: usize) -> (Kind, usize) {
    let rest = &bytes[start..];
    let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    match memchr(b'>', line) {
        Some(at) => (Kind::Header, start + at + 1),
        None => (Kind::Mark, start + 1),
    }
}

/// The length of the splices at `at`: each a backslash at the end of a line, behind which GCC and
/// Clang allow blanks.
pub(crate) fn splices(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while let Some(b'\\') = bytes.get(end) {
        let rest = &bytes[end + 1..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if rest.get(blanks) != Some(&b'\n') {
            break;
        }
        end += blanks + 2;
    }
    end - at
}

/// The byte where the splice that ends at `end` begins. Returns None when none ends there.
fn splice_before(bytes: &[u8], end: usize) -> Option<usize> {
    let before = bytes[..end].strip_suffix(b"\n")?;
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    before[..before.len() - blanks].strip_suffix(b"\\").map(<[u8]>::len)
}

/// The end of the line that holds `at`, or of the last of the lines that splices join to it.
fn line_comment(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr(b'\n', bytes.get(at..).unwrap_or_default()) {
        let end = at + found;
        if splice_before(bytes, end + 1).is_none() {
            return end - usize::from(bytes[..end].ends_with(b"\r"));
        }
        at = end + 1;
    }
    bytes.len()
}

/// The end of the comment whose first byte behind `/*` is at `from`.
fn block_comment(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(found) = memchr(b'/', bytes.get(at..).unwrap_or_default()) {
        let slash = at + found;
        let mut star = slash;
        while let Some(before) = splice_before(bytes, star) {
            star = before;
        }
        if star > from && bytes[star - 1] == b'*' {
            return slash + 1;
        }
        at = slash + 1;
    }
    bytes.len()
}

/// The end of the literal whose quote is at `open`: that of the line if nothing closes it.
fn literal(bytes: &[u8], open: usize) -> usize {
    let quote = bytes[open];
    let mut at = open + 1;
    while let Some(found) = memchr3(quote, b'\\', b'\n', bytes.get(at..).unwrap_or_default()) {
        at += found;
        match bytes[at] {
            b'\\' => at += splices(bytes, at).max(2),
            b'\n' => return at - usize::from(bytes[..at].ends_with(b"\r")),
            _ => return at + 1,
        }
    }
    bytes.len()
}

/// The end of the number at `start`. A sign belongs to it behind an exponent, and a quote before a
/// digit or letter.
fn number(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'+' | b'-'), _) if matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P') => at += 1,
            (Some(b'\''), Some(_)) if is_in_word(bytes, at + 1) => at += 2,
            (Some(b'.'), _) => at += 1,
            _ if is_in_word(bytes, at) => at += 1,
            _ => match splices(bytes, at) {
                length if length > 0 && is_in_word(bytes, at + length) => at += length,
                _ => return at,
            },
        }
    }
}

/// A word, or a literal with a prefix.
fn word(bytes: &[u8], start: usize) -> (Kind, usize) {
    let end = end_of_word(bytes, start);
    let prefix = &bytes[start..end];
    match (prefix, bytes.get(end)) {
        (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", Some(b'"')) => match raw(bytes, end) {
            Some(end) => (Kind::Raw, end),
            None => (Kind::Word, end),
        },
        (b"L" | b"u" | b"U" | b"u8", Some(b'"')) => (Kind::Text, literal(bytes, end)),
        (b"L" | b"u" | b"U" | b"u8", Some(b'\'')) => (Kind::Character, literal(bytes, end)),
        _ => (Kind::Word, end),
    }
}

/// The length of the white space beyond ASCII at `at`, 0 without any. The characters are those of
/// Clang (`UnicodeWhitespaceCharRanges`), which takes them as blanks, and warns. GCC refuses them.
pub(crate) fn wide_blank(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..] | [0xe1, 0xa0, 0x8e, ..] => 3, // U+1680, U+180E
        [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..] => 3, // U+2000 to 200A, 2028, 2029, 202F
        [0xe2, 0x81, 0x9f, ..] | [0xe3, 0x80, 0x80, ..] => 3, // U+205F, U+3000
        _ => 0,
    }
}

/// True if the byte at `at` belongs to a word.
fn is_in_word(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|&byte| is_word_byte(byte) && (byte < 0x80 || wide_blank(bytes, at) == 0))
}

fn end_of_word(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        while is_in_word(bytes, at) {
            at += 1;
        }
        match splices(bytes, at) {
            length if length > 0 && is_in_word(bytes, at + length) => at += length,
            _ => return at,
        }
    }
}

/// The end of the raw literal whose quote is at `open`. Returns None when no delimiter follows.
fn raw(bytes: &[u8], open: usize) -> Option<usize> {
    let rest = &bytes[open + 1..];
    let length = rest.iter().take(MOST_OF_DELIMITER + 1).position(|&byte| byte == b'(')?;
    let delimiter = &rest[..length];
    if delimiter
        .iter()
        .any(|byte| byte.is_ascii_whitespace() || matches!(byte, b')' | b'\\' | b'"' | b'\x0b'))
    {
        return None;
    }
    let mut close = [0; MOST_OF_DELIMITER + 2];
    close[0] = b')';
    close[1..=length].copy_from_slice(delimiter);
    close[length + 1] = b'"';
    let close = &close[..length + 2];
    let body = open + 1 + length;
    Some(memmem::find(&bytes[body..], close).map_or(bytes.len(), |at| body + at + close.len()))
}
