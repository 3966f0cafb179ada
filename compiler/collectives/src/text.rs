//! Data files of inputs and outputs, and golden files: numbers in text, as AMD's simulators write
//! them.
//!
//! One rule holds for all of them. Numbers stand between blanks, commas or line ends; a complex
//! value is two numbers. `#` begins a comment to the end of its line, and so does the word `T` of
//! the times that simulators write (`T 120 ns`). A line `TLAST` stands before the line whose last
//! number ends a packet (UG1076, "Simulation Input and Output Data Streams").
//!
//! The host runtime (`adf/sim/text.h`) and the emitted programs (`aiec/text_file.h`,
//! `sw/aiec_host.h`) read texts by the same rule.

use crate::ElementType;

/// The mark of the end of a packet.
pub const TLAST: &str = "TLAST";

/// Characters between the words of a line.
const BLANKS: [char; 6] = [' ', '\t', '\r', '\u{b}', '\u{c}', ','];

/// A word of a text, with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The line, from 1.
    pub line: usize,
    /// Bytes of the text in front of the word.
    pub at: usize,
    /// The word itself.
    pub text: &'a str,
}

/// The words of a text that stand for numbers, in their order.
pub fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    tokens(text).filter(|word| word.text != TLAST)
}

/// The marks `TLAST` of a text.
pub fn marks(text: &str) -> impl Iterator<Item = Word<'_>> {
    tokens(text).filter(|word| word.text == TLAST)
}

/// For each packet that a mark ends: the number of words up to its end, from the start of the text.
pub fn packet_ends(text: &str) -> Vec<usize> {
    let (mut ends, mut count, mut last_line, mut mark) = (Vec::new(), 0, 0, None);
    for word in tokens(text) {
        if word.line != last_line && mark.is_some_and(|mark| mark < last_line) {
            ends.push(count);
            mark = None;
        }
        if word.text == TLAST {
            mark = Some(word.line);
        } else {
            (count, last_line) = (count + 1, word.line);
        }
    }
    if mark.is_some_and(|mark| mark < last_line) {
        ends.push(count);
    }
    ends
}

/// Words and marks, without comments and times.
fn tokens(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').zip(1..).map(move |(row, line)| {
        let at = start;
        start += row.len();
        (line, at, row.trim_end_matches('\n'))
    });
    lines.flat_map(|(line, start, row)| {
        let words = row.split(BLANKS).filter(|word| !word.is_empty());
        let data = words.take_while(|word| *word != "T" && !word.starts_with('#'));
        data.map(move |text| Word {
            line,
            at: start + (text.as_ptr() as usize - row.as_ptr() as usize),
            text,
        })
    })
}

/// True for a number that fits one part of an element.
pub fn is_part(word: &str, element: ElementType) -> bool {
    if element.is_float() {
        return float(word).is_some();
    }
    let bits = 8 * element.bytes() / element.parts();
    if element.name().starts_with('u') {
        return word.parse::<u64>().is_ok_and(|value| bits == 64 || value >> bits == 0);
    }
    word.parse::<i64>().is_ok_and(|value| bits == 64 || value >> (bits - 1) == value >> 63)
}

/// The number that C's `strtof` reads: a decimal or hexadecimal float, an infinity or NaN. Returns
/// None for other words.
pub fn float(word: &str) -> Option<f32> {
    let (sign, plain) = match word.strip_prefix('-') {
        Some(plain) => (-1.0, plain),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(digits) => hexadecimal(digits).map(|value| sign * value as f32),
        None => word.parse().ok(),
    }
}

/// A hexadecimal float without its `0x`: digits, perhaps with a point, perhaps with a power of two.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, power) = text.split_once(['p', 'P']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = || whole.chars().chain(fraction.chars());
    let power = power.parse::<i32>().ok().filter(|_| all().next().is_some())?;
    let value = all().try_fold(0.0, |sum, digit| Some(sum * 16.0 + f64::from(digit.to_digit(16)?)))?;
    let places = i32::try_from(fraction.len()).ok()?;
    Some(value * 2_f64.powi(power.saturating_sub(places.saturating_mul(4))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_places_and_comments_and_times_are_no_words() {
        let text = "1, 2\r\nT 120 ns\nTLAST\n# no\n 3 x # 4\n";
        let all: Vec<_> = words(text).map(|word| (word.line, word.at, word.text)).collect();
        assert_eq!(all, [(1, 0, "1"), (1, 3, "2"), (5, 27, "3"), (5, 29, "x")]);
        let found: Vec<_> = marks(text).map(|word| (word.line, word.at)).collect();
        assert_eq!(found, [(3, 15)]);
    }

    #[test]
    fn a_packet_ends_behind_the_line_that_follows_its_mark() {
        assert_eq!(packet_ends("0\n1\nTLAST\n2\n9\n1\n2\nTLAST\n3\n"), [3, 7]);
        assert_eq!(packet_ends("0 1\nTLAST\n2 3\n\n9 8\n"), [4], "two words a line");
        assert_eq!(packet_ends("TLAST\n0\n1\n"), [1]);
        assert_eq!(packet_ends("1 2\n"), [0; 0]);
    }

    #[test]
    fn numbers_fit_their_types() {
        for (word, element, fits) in [
            ("127", ElementType::Int8, true),
            ("128", ElementType::Int8, false),
            ("-128", ElementType::Int8, true),
            ("-129", ElementType::Int8, false),
            ("+7", ElementType::Cint16, true),
            ("++7", ElementType::Cint16, false),
            ("40000", ElementType::Cint16, false),
            ("40000", ElementType::Uint16, true),
            ("-1", ElementType::Uint16, false),
            ("-9223372036854775808", ElementType::Int64, true),
            ("18446744073709551615", ElementType::Uint64, true),
            ("1.5", ElementType::Int32, false),
            ("0x10", ElementType::Int32, false),
            ("1e5", ElementType::Float, true),
            ("1e400", ElementType::Float, true),
            ("-inf", ElementType::Cfloat, true),
            ("nano", ElementType::Float, false),
            ("1.5O", ElementType::Float, false),
        ] {
            assert_eq!(is_part(word, element), fits, "{word} as {}", element.name());
        }
    }

    #[test]
    fn hexadecimal_floats_are_read_as_c_reads_them() {
        for (word, value) in [("0x1p-3", 0.125), ("-0xA.8", -10.5), ("0x10", 16.0), ("0X.8P1", 1.0)] {
            assert_eq!(float(word), Some(value), "{word}");
        }
        for word in ["0x", "0x.", "0xp1", "0x1p", "0xg", "--0x1", "0x+1"] {
            assert_eq!(float(word), None, "{word}");
        }
    }
}
