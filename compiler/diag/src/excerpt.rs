//! The excerpt of a source text in a report: all of it, except that long lines keep only the parts
//! around labels.
//!
//! Takes a source text with its labelled spans. Returns the text to draw and the labels' ranges in
//! it. Every label keeps both ends, every line its number, and every place its column in the source
//! text, in characters.

use std::ops::Range;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::source::{SourceFile, Span, position_in};

/// A line of more bytes than this is cropped.
const LONG: usize = 240;
/// Characters that a cropped line keeps on either side of the end of a label.
const MARGIN: usize = 80;
/// Places with no more lines between their surroundings are drawn as one, whose heading names the
/// line of the first label.
const NEAR: usize = 8;
/// Replaces omitted characters.
const GAP: &str = "…";

/// A source text as it is drawn.
#[derive(Debug)]
pub(crate) struct Excerpt {
    name: String,
    text: String,
    /// The labelled ranges of `text`, in the order of the labels.
    pub(crate) labels: Vec<Range<usize>>,
    /// Line and column of each label in the source text, from 0.
    places: Vec<(usize, usize)>,
}

impl Excerpt {
    /// The excerpt of `file` that shows `labels`, all of which lie in it.
    pub(crate) fn of(file: &SourceFile, labels: &[Span]) -> Self {
        let text = file.text.as_str();
        let end = |offset: u32| boundary(text, offset as usize);
        let labels: Vec<Range<usize>> =
            labels.iter().map(|label| end(label.start)..end(label.end.max(label.start))).collect();
        let places = labels.iter().map(|label| position_in(text, label.start)).collect();
        let mut cropped = Cropped::default();
        let mut start = 0;
        for line in text.split_inclusive(['\n', '\r']) {
            let range = start..start + line.len();
            start = range.end;
            if line.len() > LONG {
                cropped.keep(text, &windows(text, range, &labels));
            } else {
                cropped.keep(text, &[range]);
            }
        }
        let labels =
            labels.iter().map(|label| cropped.offset(label.start)..cropped.offset(label.end)).collect();
        Self { name: file.name.clone(), text: cropped.text, labels, places }
    }
}

/// The last border of characters of `text` up to byte `offset`.
fn boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&offset| text.is_char_boundary(offset)).unwrap_or(0)
}

/// The shown parts of the long line `line`, sorted and disjoint: the surroundings of every label
/// end, or the line's beginning; and always its end of line.
fn windows(text: &str, line: Range<usize>, labels: &[Range<usize>]) -> Vec<Range<usize>> {
    let inside = text[line.clone()].trim_end_matches(['\n', '\r']).len() + line.start;
    let ends = labels.iter().flat_map(|label| [label.start, label.end]);
    let mut wanted: Vec<Range<usize>> = ends
        .filter(|offset| (line.start..=inside).contains(offset))
        .map(|offset| back(text, line.start..offset)..forth(text, offset..inside))
        .collect();
    if wanted.is_empty() {
        wanted.push(line.start..forth(text, line.start..inside));
    }
    wanted.push(inside..line.end);
    wanted.sort_by_key(|window| (window.start, window.end));
    let mut windows: Vec<Range<usize>> = Vec::new();
    for window in wanted {
        match windows.last_mut() {
            // A gap is not to be shorter than the sign for it.
            Some(last) if window.start <= last.end + GAP.len() => last.end = last.end.max(window.end),
            _ => windows.push(window),
        }
    }
    windows
}

/// The start of the last [`MARGIN`] characters of `range`.
fn back(text: &str, range: Range<usize>) -> usize {
    let characters = text[range.clone()].char_indices().rev().take(MARGIN);
    characters.last().map_or(range.end, |(offset, _)| range.start + offset)
}

/// The end of the first [`MARGIN`] characters of `range`.
fn forth(text: &str, range: Range<usize>) -> usize {
    text[range.clone()].char_indices().nth(MARGIN).map_or(range.end, |(offset, _)| range.start + offset)
}

/// A text of which parts are left out.
#[derive(Default)]
struct Cropped {
    text: String,
    /// Parts that were kept: where each starts in the source text and in `text`.
    kept: Vec<(usize, usize)>,
    /// End of the last part in the source text.
    end: usize,
}

impl Cropped {
    /// Takes over the next parts of `source`, in order.
    fn keep(&mut self, source: &str, parts: &[Range<usize>]) {
        for part in parts {
            let contiguous = part.start == self.end;
            if !contiguous {
                self.text.push_str(GAP);
            }
            if !contiguous || self.kept.is_empty() {
                self.kept.push((part.start, self.text.len()));
            }
            self.text.push_str(&source[part.clone()]);
            self.end = part.end;
        }
    }

    /// Position in the excerpt of byte `offset` of the source text, which the excerpt contains.
    fn offset(&self, offset: usize) -> usize {
        let part = self.kept.partition_point(|&(start, _)| start <= offset).checked_sub(1);
        part.and_then(|part| self.kept.get(part)).map_or(0, |&(source, here)| here + offset - source)
    }
}

/// Lines of `text`. The count of miette 7.6 (`line_count`) begins at the first line of the source,
/// so it joins places of which one is up to twice as far down as the other.
fn lines(text: &[u8]) -> usize {
    text.split_inclusive(|&byte| byte == b'\n').count()
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, lines_before, lines_after)?;
        let alone = lines_before == 0 && lines_after == 0;
        let label = self.labels.iter().position(|label| alone && label.start == span.offset());
        let place = label.and_then(|label| self.places.get(label)).copied();
        let (line, column) = place.unwrap_or((contents.line(), contents.column()));
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            line,
            column,
            lines(contents.data()) + NEAR,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    /// The excerpt of a text and the text of its labels, which are `needles` in it.
    fn excerpt(text: &str, needles: &[&str]) -> (Excerpt, Vec<String>) {
        let mut sources = Sources::default();
        let id = sources.add("a.dsl", text);
        let spans: Vec<Span> = needles
            .iter()
            .map(|needle| {
                let start = text.find(needle).unwrap();
                Span::new(id, start as u32, (start + needle.len()) as u32)
            })
            .collect();
        let excerpt = Excerpt::of(sources.get(id).unwrap(), &spans);
        let labels = excerpt.labels.iter().map(|label| excerpt.text[label.clone()].to_owned()).collect();
        (excerpt, labels)
    }

    /// Line and column from 1 that a report gives for the first label.
    fn place(excerpt: &Excerpt) -> (usize, usize) {
        let span = SourceSpan::from(excerpt.labels[0].clone());
        let contents = excerpt.read_span(&span, 0, 0).unwrap();
        (contents.line() + 1, contents.column() + 1)
    }

    #[test]
    fn short_lines_stay_as_they_are() {
        let text = "design d\nkernel a\r\n\nplace a at (1, 2)";
        assert_eq!(excerpt(text, &["place"]).0.text, text);
    }

    #[test]
    fn a_long_line_is_cropped_on_both_sides_and_keeps_number_and_column() {
        let text = format!("first\n{}wrong{}\nlast\n", "a".repeat(1000), "b".repeat(1000));
        let (excerpt, labels) = excerpt(&text, &["wrong"]);
        let line = excerpt.text.lines().nth(1).unwrap();
        assert_eq!(line, format!("{GAP}{}wrong{}{GAP}", "a".repeat(MARGIN), "b".repeat(MARGIN)));
        assert_eq!((labels[0].as_str(), place(&excerpt)), ("wrong", (2, 1001)));
        assert_eq!(excerpt.text.lines().count(), 3);
    }

    #[test]
    fn lines_between_far_labels_are_left_out() {
        let text = format!("{}one\n{}two\n", "a\n".repeat(100), "b\n".repeat(70));
        let mut sources = Sources::default();
        let id = sources.add("a.dsl", &text);
        let span = |word: &str| {
            let start = text.find(word).unwrap() as u32;
            Span::new(id, start, start + 3)
        };
        let report = crate::Diagnostic::new(&crate::catalogue::SYNTAX, "two", "none");
        let report = report.label(span("one"), "1").label(span("two"), "2");
        let style = crate::RenderStyle { color: false, width: 100 };
        let shown = crate::render(&[report], &sources, style);
        assert!(shown.contains("a.dsl:101:1") && shown.contains("a.dsl:172:1"), "{shown}");
        assert!(shown.lines().count() < 20, "{shown}");
    }

    #[test]
    fn labels_far_apart_on_one_line_are_both_shown_with_a_gap_between() {
        let text = format!("x one {} two {}", "-".repeat(5000), "-".repeat(5000));
        let (excerpt, labels) = excerpt(&text, &["two", "one"]);
        assert_eq!(labels, ["two", "one"]);
        assert_eq!(excerpt.text.matches(GAP).count(), 2);
        assert!(excerpt.text.len() < 5 * MARGIN, "{}", excerpt.text);
        assert_eq!(place(&excerpt), (1, 5007 + 1));
    }

    #[test]
    fn labels_near_each_other_share_their_surroundings() {
        let text = format!("{}one two{}", " ".repeat(500), " ".repeat(500));
        let (excerpt, labels) = excerpt(&text, &["one", "two"]);
        assert_eq!(labels, ["one", "two"]);
        assert_eq!(excerpt.text.matches(GAP).count(), 2);
    }

    #[test]
    fn a_label_as_long_as_the_line_shows_its_two_ends() {
        let long = format!("\"start{}", "x".repeat(100_000));
        let (excerpt, _) = excerpt(&format!("source {long}end\nnext"), &[&format!("{long}end")]);
        let label = &excerpt.text[excerpt.labels[0].clone()];
        assert!(label.starts_with("\"start") && label.contains(GAP) && label.ends_with("end"), "{label}");
        assert!(excerpt.text.len() < 5 * MARGIN);
    }

    #[test]
    fn wide_characters_count_as_one_and_are_never_cut() {
        let text = format!("{}wrong{}", "宽é😀".repeat(400), "😀".repeat(400));
        let (excerpt, labels) = excerpt(&text, &["wrong"]);
        assert_eq!((labels[0].as_str(), place(&excerpt)), ("wrong", (1, 1201)));
        let shown = excerpt.text.replace(GAP, "").chars().count();
        assert_eq!(shown, 2 * MARGIN + "wrong".len());
    }

    #[test]
    fn a_long_line_without_a_label_shows_its_beginning() {
        let text = format!("{}\nwrong\n", "abc".repeat(1000));
        let (excerpt, _) = excerpt(&text, &["wrong"]);
        assert!(excerpt.text.starts_with("abcabc") && excerpt.text.contains(GAP));
        assert!(excerpt.text.len() < 2 * MARGIN);
        assert_eq!(place(&excerpt), (2, 1));
    }

    #[test]
    fn a_label_past_the_end_or_within_a_character_is_moved_to_a_border() {
        let mut sources = Sources::default();
        let id = sources.add("a.dsl", "aé");
        let excerpt = Excerpt::of(sources.get(id).unwrap(), &[Span::new(id, 2, 99), Span::new(id, 50, 40)]);
        assert_eq!(excerpt.labels, [1..3, 3..3]);
    }
}
