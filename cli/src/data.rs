//! The data files of inputs and the golden files, checked before anything is compiled.
//!
//! Takes the texts of the files. Returns a fault for a word that is no number of the input's type,
//! with its place, and for a file with fewer values than all iterations read.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use aiec_check::Checked;
use aiec_codegen::{DataFile, EmitOptions};
use aiec_diag::{Diagnostic, Sources, Span};
use aiec_host_run::errors;
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::DataEnd;
use aiec_ir::{Carries, Direction, ElementType};
use aiec_system::files::{self, MAX_DATA};

use crate::invocation::Invocation;

/// Limit on the size of a file that a diagnostic shows, in bytes. Of a larger one it gives the
/// line.
const MOST_SHOWN: usize = 1 << 20;

/// The mark of the end of a packet in the data of a PLIO.
const TLAST: &str = "TLAST";

/// Characters between the words of a data file.
const BLANKS: [char; 6] = [' ', '\t', '\r', '\u{b}', '\u{c}', ','];

/// Checks the data files that are there. Returns None when one of them is wrong.
pub(crate) fn check(checked: &Checked, user: &EmitOptions, invocation: &mut Invocation) -> Option<()> {
    let mut faults = Vec::new();
    for end in checked.data_ends(Direction::Out) {
        let file = aiec_codegen::data_file(checked, end);
        if let Some(data) = user.data.iter().find(|data| data.path == file) {
            faults.extend(fault(checked, end, data, &mut invocation.sources));
        }
    }
    let right = faults.is_empty();
    invocation.log.diagnostics.extend(errors::by_declaration(faults));
    right.then_some(())
}

/// Checks that the golden files hold numbers. Returns None when one of them does not.
pub(crate) fn check_goldens(
    checked: &Checked,
    goldens: &[(DataEnd, PathBuf)],
    invocation: &mut Invocation,
) -> Option<()> {
    for (end, file) in goldens {
        let text = invocation.require(files::read_text(file, MAX_DATA, None))?;
        let path = file.display().to_string();
        let Some((line, at, word)) = words_of(&text).find(|(.., word)| !is_float(word)) else { continue };
        let (name, span) = (checked.data_name(*end), checked.data_span(*end));
        let span = checked.data_golden(*end).map_or(span, |golden| golden.span);
        let element = checked.data_carries(*end).and_then(Carries::element).unwrap_or(ElementType::Int32);
        let place = place_of(&mut invocation.sources, &path, &text, at, word);
        let wrong = errors::WrongWord { input: name, file: &path, line, word, element, is_number: false };
        invocation.log.diagnostics.push(errors::bad_golden(&wrong, place, span));
        return None;
    }
    Some(())
}

/// The place of `word`, at byte `at` of the file `path`. Returns None when the file is too large to
/// be shown.
fn place_of(sources: &mut Sources, path: &str, text: &str, at: usize, word: &str) -> Option<Span> {
    (text.len() <= MOST_SHOWN).then(|| Span::of_bytes(sources.add(path, text), at..at + word.len()))
}

fn fault(checked: &Checked, end: DataEnd, data: &DataFile, sources: &mut Sources) -> Option<Diagnostic> {
    let (name, span) = (checked.data_name(end), checked.data_span(end));
    let carries = checked.data_carries(end)?;
    let element = carries.element()?;
    let is_plio = match end {
        DataEnd::External(id) => matches!(checked.externals[id].endpoint, Endpoint::Plio { .. }),
        DataEnd::Parameter(_) => false,
    };
    if is_plio && data.text.starts_with("CMD") {
        return None;
    }
    // Packets have header words between their values.
    if matches!(carries, Carries::Packets(_)) {
        return packet_fault(checked, end, data, sources);
    }
    let parts = u64::from(element.parts());
    let needed = needed(checked, end)?;
    // Simulators parse the whole file of a PLIO. The program reads as much of others as it needs.
    let read = match is_plio {
        true => usize::MAX,
        false => usize::try_from(needed.saturating_mul(parts)).unwrap_or(usize::MAX),
    };
    // GMIO and parameters have no packets.
    let mark = if is_plio { None } else { marks(&data.text).next() };
    if let Some((line, at)) = mark {
        let place = place_of(sources, &data.path, &data.text, at, TLAST);
        let wrong =
            errors::WrongWord { input: name, file: &data.path, line, word: TLAST, element, is_number: false };
        return Some(errors::bad_data(&wrong, place, span));
    }
    let mut words = 0_u64;
    for (line, at, word) in words_of(&data.text).take(read) {
        words += 1;
        if !is_value(word, element) {
            let place = place_of(sources, &data.path, &data.text, at, word);
            let is_number = word.parse::<f64>().is_ok();
            let wrong = errors::WrongWord { input: name, file: &data.path, line, word, element, is_number };
            return Some(errors::bad_data(&wrong, place, span));
        }
    }
    let found = words / parts;
    (found < needed).then(|| errors::starved(name, &data.path, needed, found, Some(span)))
}

/// Line (from 1) and byte offset of every TLAST mark of a text.
fn marks(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let marked = (1..).zip(text.lines()).filter(|(_, line)| line.trim() == TLAST);
    marked.map(|(number, line)| (number, line.trim_start().as_ptr() as usize - text.as_ptr() as usize))
}

/// Bits of the packet id in a header: the lowest five (UG1079, "Packet Stream Operations").
const PACKET_ID: i64 = 0x1f;

/// What is wrong with the packets in the data of an input: the first header of a split whose packet
/// id no branch has, or ends without a mark.
fn packet_fault(
    checked: &Checked,
    end: DataEnd,
    data: &DataFile,
    sources: &mut Sources,
) -> Option<Diagnostic> {
    let DataEnd::External(id) = end else { return None };
    let port = checked.externals[id].port;
    if !checked.splits_packets(port) {
        return unmarked(checked, end, data, sources);
    }
    let branches = checked.branches_of_splits(port);
    let ways = branches.keys().next_back()?.saturating_add(1);
    let (line, at, word, id) = headers(&data.text).into_iter().find_map(|(line, at, word)| {
        let id = word.parse::<i64>().ok()? & PACKET_ID;
        let is_known = u32::try_from(id).is_ok_and(|id| branches.contains_key(&id));
        (!is_known).then_some((line, at, word, id))
    })?;
    let place = place_of(sources, &data.path, &data.text, at, word);
    let wrong =
        errors::WrongPacket { input: checked.data_name(end), file: &data.path, line, id, branches: ways };
    Some(errors::bad_packet_id(&wrong, place, checked.data_span(end)))
}

/// The fault of data without a mark of an end that has just as many words as packets of all runs,
/// each with a header. Packets without marks are one, whose header the kernel takes in the first
/// run alone.
fn unmarked(checked: &Checked, end: DataEnd, data: &DataFile, sources: &mut Sources) -> Option<Diagnostic> {
    let DataEnd::External(id) = end else { return None };
    let block = checked.data_carries(end)?.per_run()?;
    let values = u64::from(block.elements) * u64::from(block.element.parts());
    let runs = checked.windows_through(id)?.saturating_mul(checked.iterations.into());
    let words = words_of(&data.text).count() as u64;
    let whole = words.is_multiple_of(values + 1) && words / (values + 1) >= runs;
    if runs < 2 || !whole || marks(&data.text).next().is_some() {
        return None;
    }
    let (line, at, word) = words_of(&data.text).nth(usize::try_from(values + 1).ok()?)?;
    let place = place_of(sources, &data.path, &data.text, at, word);
    let one = errors::Unmarked { input: checked.data_name(end), file: &data.path, line, values };
    Some(errors::unmarked_packets(&one, place, checked.data_span(end)))
}

/// The first words of packets with line (from 1) and byte offset. A line `TLAST` stands before the
/// last line of a packet (UG1079, "Packet Switching").
fn headers(text: &str) -> Vec<(usize, usize, &str)> {
    let ends: BTreeSet<usize> = marks(text).map(|(line, _)| line).collect();
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    let (mut seen, mut is_next) = (0, true);
    for (line, at, word) in words_of(text) {
        if line != seen && is_next {
            found.push((line, at, word));
        }
        if line != seen {
            // The last line of a packet is the first one with data behind a TLAST.
            is_next = ends.range(seen + 1..line).next().is_some();
        }
        seen = line;
    }
    found
}

/// The values that all iterations read. Returns None when nothing is connected.
fn needed(checked: &Checked, end: DataEnd) -> Option<u64> {
    let (block, blocks) = match end {
        DataEnd::External(id) => (checked.data_carries(end)?.per_run()?, checked.windows_through(id)?),
        DataEnd::Parameter(id) => (checked.parameter_block(id)?, 1),
    };
    let blocks = blocks.saturating_mul(checked.iterations.into());
    Some(blocks.saturating_mul(block.elements.into()))
}

/// The words of a data file with line (from 1) and byte offset, without TLAST, comments and the
/// times that simulators write (`T 120 ns`).
fn words_of(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').enumerate().map(move |(number, line)| {
        let at = start;
        start += line.len();
        (number + 1, at, line.trim_end_matches('\n'))
    });
    lines.flat_map(|(number, start, line)| {
        let words = line.split(BLANKS).filter(|word| !word.is_empty());
        let data = words.take_while(|word| *word != "T" && !word.starts_with('#'));
        data.filter(|word| *word != TLAST).map(move |word| {
            let offset = word.as_ptr() as usize - line.as_ptr() as usize;
            (number, start + offset, word)
        })
    })
}

/// True for a number that fits one part of an element.
fn is_value(word: &str, element: ElementType) -> bool {
    let digits = word.strip_prefix('+').unwrap_or(word);
    match range(element) {
        Some(range) => digits.parse::<i128>().is_ok_and(|value| range.contains(&value)),
        None => is_float(digits),
    }
}

/// The integers of one part of an element. Returns None when the elements are floats.
fn range(element: ElementType) -> Option<RangeInclusive<i128>> {
    let bits = |bits: u32, signed: bool| {
        let half = 1_i128 << (bits - 1);
        if signed { -half..=half - 1 } else { 0..=2 * half - 1 }
    };
    let parts = element.parts();
    let name = element.name();
    (!element.is_float()).then(|| bits(8 * element.bytes() / parts, !name.starts_with('u')))
}

/// True for what C's `strtof` takes: decimal and hexadecimal floats, infinities and NaN.
fn is_float(word: &str) -> bool {
    let plain = word.strip_prefix('-').unwrap_or(word).to_lowercase();
    let hexadecimal = plain.strip_prefix("0x").is_some_and(|digits| {
        !digits.is_empty()
            && digits.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, '.' | 'p' | '+' | '-'))
    });
    hexadecimal || plain.starts_with("nan") || word.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_of_packets_is_found_with_its_line() {
        assert_eq!(marks("1\n 2\n TLAST\n3\n").next(), Some((3, 6)));
        assert_eq!(marks("1 2\n# TLAST\n").next(), None);
    }

    #[test]
    fn headers_stand_at_the_start_and_behind_the_last_lines_of_packets() {
        let lines = |text: &str| -> Vec<(usize, String)> {
            headers(text).into_iter().map(|(line, _, word)| (line, word.to_owned())).collect()
        };
        let wanted = [(1, "0".to_owned()), (5, "9".to_owned())];
        assert_eq!(lines("0\n1\nTLAST\n2\n9\n1\n2\nTLAST\n3\n"), wanted);
        assert_eq!(lines("0 1\nTLAST\n2 3\n\n9 8\n"), wanted, "two words a line");
        assert_eq!(lines("TLAST\n0\n1\n"), [(2, "0".to_owned()), (3, "1".to_owned())]);
    }

    #[test]
    fn words_have_their_places_and_marks_are_no_words() {
        let text = "1, 2\r\nT 120 ns\nTLAST\n# no\n 3 x\n";
        let all: Vec<_> = words_of(text).collect();
        assert_eq!(all, [(1, 0, "1"), (1, 3, "2"), (5, 27, "3"), (5, 29, "x")]);
    }

    #[test]
    fn numbers_fit_their_types() {
        for (word, element, fits) in [
            ("127", ElementType::Int8, true),
            ("128", ElementType::Int8, false),
            ("-128", ElementType::Int8, true),
            ("+7", ElementType::Cint16, true),
            ("40000", ElementType::Cint16, false),
            ("40000", ElementType::Uint16, true),
            ("-1", ElementType::Uint16, false),
            ("18446744073709551615", ElementType::Uint64, true),
            ("1.5", ElementType::Int32, false),
            ("1e5", ElementType::Float, true),
            ("-inf", ElementType::Cfloat, true),
            ("0x1p-3", ElementType::Float, true),
            ("1.5O", ElementType::Float, false),
        ] {
            assert_eq!(is_value(word, element), fits, "{word} as {}", element.name());
        }
    }
}
