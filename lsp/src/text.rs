//! Bytes of a text to positions of the protocol, and back.
//!
//! A position is a line and a column, both from 0. Columns count units of UTF-16, or bytes where
//! the client offers it. Lines end with `\n`, `\r\n` or `\r`, as in the protocol.

use std::ops::Range;

use lsp_types::Position;

/// The units of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client knows.
    #[default]
    Utf16,
}

/// A text and where its lines begin.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'a> Lines<'a> {
    /// The lines of `text`.
    pub fn new(text: &'a str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = (0..bytes.len()).filter(ends).map(|at| at + 1);
        Self { text, starts: std::iter::once(0).chain(starts).collect(), encoding }
    }

    /// The position of byte `offset`, or of the start of the character around it.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let before = &self.text[self.starts[line]..offset];
        let column = match self.encoding {
            Encoding::Utf8 => before.len(),
            Encoding::Utf16 => before.encode_utf16().count(),
        };
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Position::new(number(line), number(column))
    }

    /// The range of some bytes.
    pub fn range(&self, bytes: Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// The byte at a position. Columns behind the end of a line mean its end, lines behind the last
    /// one the end of the text.
    pub fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let line = self.text[start..end].trim_end_matches(['\n', '\r']);
        let mut left = position.character as usize;
        for (at, character) in line.char_indices() {
            let units = match self.encoding {
                Encoding::Utf8 => character.len_utf8(),
                Encoding::Utf16 => character.len_utf16(),
            };
            if left < units {
                return start + at;
            }
            left -= units;
        }
        start + line.len()
    }

    /// The bytes of a range. Empty if its end comes first.
    pub fn bytes(&self, range: lsp_types::Range) -> Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_in_the_units_of_the_client() {
        let text = "a\u{e4}\u{1f600}b\r\nc\rd\n";
        let utf16 = Lines::new(text, Encoding::Utf16);
        let utf8 = Lines::new(text, Encoding::Utf8);
        let b = text.find('b').unwrap();
        assert_eq!((utf16.position(b), utf8.position(b)), (Position::new(0, 4), Position::new(0, 7)));
        assert_eq!(utf16.position(text.find('d').unwrap()), Position::new(2, 0), "a lone \\r ends a line");
        for lines in [utf16, utf8] {
            for (at, _) in text.char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
                assert_eq!(lines.offset(lines.position(at)), at);
            }
            assert_eq!(lines.offset(Position::new(0, 99)), text.find('\r').unwrap(), "the end of the line");
            assert_eq!(lines.offset(Position::new(9, 0)), text.len());
            assert_eq!(
                lines.position(3),
                lines.position(text.find('\u{1f600}').unwrap()),
                "inside of a character"
            );
        }
    }
}
