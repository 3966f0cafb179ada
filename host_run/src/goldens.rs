//! Reads the data of an output and compares it with a golden file.
//!
//! Values are compared within a tolerance. Ends of packets (TLAST) are compared where a kernel
//! writes them, at streams and packets, if the golden file marks any. The DMA of a window marks
//! ends of its own, which AMD's simulators write and a functional run has not.

use std::path::Path;

use aiec_check::Checked;
use aiec_collectives::text::{self, Word};
use aiec_collectives::value::{Expected, Value, first_difference, parse_words};
use aiec_diag::Diagnostic;
use aiec_ir::expanded::DataEnd;
use aiec_ir::{Carries, ElementType};

use crate::errors;
use crate::numbers::Allowed;

/// A golden file: the expected numbers of an output.
#[derive(Clone, Copy, Debug)]
pub struct Golden<'a> {
    /// Path of the file.
    pub file: &'a Path,
    /// Text of the file.
    pub text: &'a str,
}

/// The words of a data text, and for each packet that a mark ends the number of words up to there.
struct Words<'a> {
    words: Vec<&'a str>,
    ends: Vec<usize>,
}

/// What the words of an output stand for.
#[derive(Clone, Copy)]
struct Format {
    element: ElementType,
    has_packets: bool,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        Self { words: text::words(text).map(|word| word.text).collect(), ends: text::packet_ends(text) }
    }

    /// The ranges of words that are packets; a rest without a mark is one more.
    fn packets(&self) -> impl Iterator<Item = &[&'a str]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ends = self.ends.iter().copied().chain([self.words.len()]);
        starts.zip(ends).map(|(start, end)| &self.words[start..end]).filter(|packet| !packet.is_empty())
    }

    /// The values of the words. Where packets pass, the first word of each is its header.
    fn values(&self, format: Format) -> Result<Vec<Value>, String> {
        let parsed = |words: &[&str]| parse_words(format.element, words).map_err(|error| error.to_string());
        if !format.has_packets {
            return parsed(&self.words);
        }
        let mut values = Vec::new();
        for packet in self.packets() {
            values.extend(packet.first().map(|word| header_word(word)).transpose()?);
            values.extend(parsed(&packet[1..])?);
        }
        Ok(values)
    }

    /// The number of values in the first `count` words.
    fn values_in(&self, count: usize, format: Format) -> usize {
        let starts = std::iter::once(&0).chain(&self.ends);
        let headers = if format.has_packets { starts.filter(|&&start| start < count).count() } else { 0 };
        headers + (count - headers) / format.element.parts() as usize
    }
}

impl Format {
    fn of(checked: &Checked, end: DataEnd) -> Self {
        let carries = checked.data_carries(end);
        let element = carries.and_then(Carries::element).unwrap_or(ElementType::Int32);
        Self { element, has_packets: matches!(carries, Some(Carries::Packets(_))) }
    }

    /// True for the number of an element's part, or of a header.
    fn takes(self, word: &str) -> bool {
        text::is_part(word, self.element) || self.has_packets && header_word(word).is_ok()
    }
}

/// The values that a text of the data of `end` has.
///
/// # Errors
/// The first word that is no value of the element type, as text.
pub fn values(checked: &Checked, end: DataEnd, text: &str) -> Result<Vec<Value>, String> {
    Words::of(text).values(Format::of(checked, end))
}

/// The first word of a golden file that is no number of the output's element type.
pub fn wrong_word<'a>(checked: &Checked, end: DataEnd, text: &'a str) -> Option<Word<'a>> {
    let format = Format::of(checked, end);
    text::words(text).find(|word| !format.takes(word.text))
}

/// The header of a packet, signed or not.
fn header_word(text: &str) -> Result<Value, String> {
    let signed = || text.parse::<i32>().map(|word| word.cast_unsigned());
    let word = text.parse::<u32>().or_else(|_| signed());
    word.map(|word| Value::UInt(word.into())).map_err(|_| format!("`{text}` is no header of a packet"))
}

/// Compares an output or parameter with `golden`, within the tolerance of `allowed`. `output` reads
/// its data. Returns a line about equal data.
///
/// # Errors
/// The first difference; an output without readable data.
pub fn compare(
    checked: &Checked,
    end: DataEnd,
    golden: Golden<'_>,
    allowed: Allowed,
    output: &dyn Fn(DataEnd) -> Result<String, String>,
) -> Result<String, Box<Diagnostic>> {
    let (name, span) = (checked.data_name(end), checked.data_span(end));
    let shown = golden.file.display().to_string();
    let unread = |reason: String| Box::new(errors::no_output(name, &reason, span));
    let found_text = output(end).map_err(unread)?;
    let (found, format) = (Words::of(&found_text), Format::of(checked, end));
    let found_values = found.values(format).map_err(unread)?;
    let wanted = Words::of(golden.text);
    let has_marks = matches!(checked.data_carries(end), Some(Carries::Stream(_) | Carries::Packets(_)));
    let mark = if has_marks { first_mark(&found, &wanted, format, allowed.skip) } else { None };
    let difference = match (Words { words: wanted.words, ends: found.ends }).values(format) {
        Ok(expected) => earliest(mark, value_difference(&expected, &found_values, allowed)),
        Err(error) => Some(mark.map_or(error, |mark| mark.1)),
    };
    match difference {
        None => Ok(allowed.equal(name, found_values.len(), golden.file)),
        Some(difference) => {
            let writer = checked.data_peers(end).first().map(|&port| checked.port_name(port));
            let port = writer.as_deref().unwrap_or("nothing");
            Err(Box::new(errors::differs_from_golden(name, port, &shown, &difference, span)))
        }
    }
}

/// A difference at an element, as text.
type Difference = (usize, String);

/// Of two differences the one at the first element.
fn earliest(mark: Option<Difference>, value: Option<Difference>) -> Option<String> {
    let first = mark.into_iter().chain(value).min_by_key(|(at, _)| *at);
    first.map(|(_, difference)| difference)
}

/// The first end of a packet, behind `skip` values, that only one of both has. Returns None when
/// the golden file marks no ends at all.
fn first_mark(found: &Words<'_>, wanted: &Words<'_>, format: Format, skip: usize) -> Option<Difference> {
    let one_only = |one: &Words<'_>, other: &Words<'_>| {
        let ends = one.ends.iter().filter(|end| !other.ends.contains(end));
        ends.map(|&end| found.values_in(end, format)).find(|&end| end > skip)
    };
    let missing = one_only(wanted, found);
    let surplus = one_only(found, wanted);
    let is_missing = missing.is_some_and(|missing| surplus.is_none_or(|surplus| missing < surplus));
    let at = if is_missing { missing? } else { surplus? } - 1;
    (!wanted.ends.is_empty()).then(|| {
        let how = match is_missing {
            true => format!("element {at} has no TLAST, expected one"),
            false => format!("element {at} has a TLAST, expected none"),
        };
        (at, how)
    })
}

/// The first value that differs, or the number of values.
fn value_difference(expected: &[Value], found: &[Value], allowed: Allowed) -> Option<Difference> {
    let one = |(at, &value): (usize, &Value)| match found.get(at) {
        Some(&found) if at < allowed.skip || apart(found, value) <= allowed.units => Expected::exactly(found),
        _ => Expected::within(value, allowed.share as f32),
    };
    let expected: Vec<Expected> = expected.iter().enumerate().map(one).collect();
    let at = first_difference(&expected, found)?;
    Some((at, difference(at, &expected, found)))
}

/// The difference of integers in units, the larger of both parts for complex ones.
fn apart(found: Value, expected: Value) -> u64 {
    match (found, expected) {
        (Value::Int(found), Value::Int(expected)) => found.abs_diff(expected),
        (Value::UInt(found), Value::UInt(expected)) => found.abs_diff(expected),
        (Value::CInt(re, im), Value::CInt(re2, im2)) => re.abs_diff(re2).max(im.abs_diff(im2)),
        _ => u64::MAX,
    }
}

/// The difference at element `at`, as text.
pub(crate) fn difference(at: usize, expected: &[Expected], found: &[Value]) -> String {
    match (expected.get(at), found.get(at)) {
        (Some(expected), Some(found)) => format!("element {at} is {found}, expected {expected}"),
        (Some(_), None) => format!("there are {} values, expected {}", found.len(), expected.len()),
        _ => format!("there are {} values, expected only {}", found.len(), expected.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Format = Format { element: ElementType::Int32, has_packets: false };
    const PACKETS: Format = Format { has_packets: true, ..STREAM };

    fn mark(found: &str, wanted: &str, format: Format, skip: usize) -> Option<Difference> {
        first_mark(&Words::of(found), &Words::of(wanted), format, skip)
    }

    #[test]
    fn a_golden_file_with_marks_has_those_of_the_output() {
        let found = "1\nTLAST\n2\n3\nTLAST\n4\n";
        assert_eq!(mark(found, found, STREAM, 0), None);
        assert_eq!(mark(found, "1 2 3 4\n", STREAM, 0), None, "a golden file without marks has values alone");
        let surplus = (1, "element 1 has a TLAST, expected none".to_owned());
        assert_eq!(mark(found, "1\n2\n3\nTLAST\n4\n", STREAM, 0), Some(surplus));
        let missing = (2, "element 2 has no TLAST, expected one".to_owned());
        assert_eq!(mark(found, "1\nTLAST\n2\nTLAST\n3\nTLAST\n4\n", STREAM, 0), Some(missing));
        assert_eq!(mark(found, "1\n2\n3\nTLAST\n4\n", STREAM, 2), None, "skipped values skip their marks");
        assert!(mark("1\n2\n", "1\nTLAST\n2\n", STREAM, 0).is_some());
    }

    #[test]
    fn a_mark_of_packets_counts_headers_as_elements() {
        let complex = Format { element: ElementType::Cint16, ..PACKETS };
        let found = Words::of("7\n1 2\nTLAST\n3 4\n8\n5 6\nTLAST\n7 8\n");
        assert_eq!((found.values_in(5, complex), found.values_in(10, complex)), (3, 6));
        let wanted = Words::of("7\n1 2\n3 4\n8\n5 6\nTLAST\n7 8\n");
        let first = first_mark(&found, &wanted, complex, 0);
        assert_eq!(first, Some((2, "element 2 has a TLAST, expected none".to_owned())));
    }

    #[test]
    fn the_first_word_of_a_packet_is_a_header_signed_or_not() {
        let values = Words::of("-2147483648\n-1\nTLAST\n2\n1\n3\n").values(PACKETS).expect("numbers");
        let wanted = [Value::UInt(1 << 31), Value::Int(-1), Value::Int(2), Value::UInt(1), Value::Int(3)];
        assert_eq!(values, wanted);
    }
}
