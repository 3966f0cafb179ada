//! Source texts and places in them.

use std::ops::Range;

use serde::Serialize;

/// Identifies one source text (a design, a device file, a placement file) within a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct SourceId(pub u32);

/// A half-open range of bytes, `start..end`, in one source text.
///
/// Ordered by source, then by position: sorting diagnostics by span gives reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The text the range lies in.
    pub source: SourceId,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `start..end` (byte offsets) of `source`.
    pub const fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end }
    }

    /// The span of a range of bytes. Offsets above 32 bits become the largest one.
    pub fn of_bytes(source: SourceId, bytes: Range<usize>) -> Self {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self::new(source, offset(bytes.start), offset(bytes.end))
    }

    /// The smallest span that covers both, which must lie in one source.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        debug_assert_eq!(self.source, other.source, "spans of one construct lie in one source");
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span in front of it, where text is inserted.
    #[must_use]
    pub const fn before(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The empty span behind it, where text is inserted.
    #[must_use]
    pub const fn behind(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// Number of bytes that it covers.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// True if the span covers no byte.
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// A value with the place it was written at. Serialised as the value alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Spanned<T> {
    /// What the source says there.
    pub value: T,
    /// Its position in the source.
    #[serde(skip)]
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Pairs `value` with the place it was written at.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// One source text with the name shown to the user.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its identity in the [`Sources`] it came from.
    pub id: SourceId,
    /// The name shown in messages, normally the path as the user gave it.
    pub name: String,
    /// The whole text, to which spans are byte offsets.
    pub text: String,
}

impl SourceFile {
    /// The span of the whole text.
    pub fn span(&self) -> Span {
        self.span_at(0..self.text.len())
    }

    /// The span of the first line, without its end. A message about the whole file marks it, since
    /// a long file would fill the screen.
    pub fn first_line(&self) -> Span {
        self.span_at(0..self.text.lines().next().map_or(0, str::len))
    }

    /// The span of some bytes of the text, as far as it has them.
    pub fn span_at(&self, bytes: Range<usize>) -> Span {
        let end = self.text.len();
        Span::of_bytes(self.id, bytes.start.min(end)..bytes.end.min(end))
    }
}

/// All source texts of one run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a text and returns its identity.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { id, name: name.into(), text: text.into() });
        id
    }

    /// The text with this identity, if it belongs to this collection.
    pub fn get(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All texts, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// Line and column (both from 1, column in characters) of the start of `span`.
    pub fn position(&self, span: Span) -> Option<(usize, usize)> {
        let text = self.get(span.source)?.text.get(..span.start as usize)?;
        let (line, column) = position_in(text, text.len());
        Some((line + 1, column + 1))
    }
}

/// Line and column (both from 0, column in characters) of byte `offset` of `text`, a border of
/// characters.
pub(crate) fn position_in(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count(), before[line_start..].chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let id = sources.add("a.dsl", "één\ntwee drie\n");
        assert_eq!(sources.position(Span::new(id, 0, 1)), Some((1, 1)));
        let drie = "één\ntwee ".len() as u32;
        assert_eq!(sources.position(Span::new(id, drie, drie + 4)), Some((2, 6)));
    }

    #[test]
    fn spans_sort_in_reading_order_and_join() {
        let id = SourceId(0);
        let (first, second) = (Span::new(id, 3, 5), Span::new(id, 8, 9));
        assert!(first < second);
        assert_eq!(second.to(first), Span::new(id, 3, 9));
        assert_eq!(first.to(second).len(), 6);
    }
}
