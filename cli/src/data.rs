//! The data files of inputs and the golden files, checked before anything is compiled.
//!
//! Takes the texts of the files. Returns a fault for a word that is no number of the element type,
//! with its place, for an input with fewer values than all iterations read, and for a golden file
//! with another number of values than all iterations write.

use std::path::PathBuf;

use aiec_check::Checked;
use aiec_codegen::{DataFile, EmitOptions};
use aiec_collectives::text::{self, Word};
use aiec_diag::{Diagnostic, Sources, Span};
use aiec_host_run::{errors, goldens};
use aiec_ir::design::Endpoint;
use aiec_ir::expanded::DataEnd;
use aiec_ir::{Carries, Direction, ElementType};
use aiec_system::files::{self, MAX_DATA};

use crate::invocation::Invocation;

/// Limit on the size of a file that a diagnostic shows, in bytes. Of a larger one it gives the
/// line.
const MOST_SHOWN: usize = 1 << 20;

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

/// Checks that the golden files hold as many numbers of the right type as leave the array. Returns
/// None when one of them does not.
pub(crate) fn check_goldens(
    checked: &Checked,
    golden_files: &[(DataEnd, PathBuf)],
    invocation: &mut Invocation,
) -> Option<()> {
    let mut faults = Vec::new();
    for (end, path) in golden_files {
        let named = checked.data_golden(*end).map(|golden| golden.span);
        let text = invocation.require(files::read_text(path, MAX_DATA, named))?;
        let file = path.display().to_string();
        faults.extend(golden_fault(checked, *end, &file, &text, &mut invocation.sources));
    }
    let right = faults.is_empty();
    invocation.log.diagnostics.extend(errors::by_declaration(faults));
    right.then_some(())
}

/// What is wrong with the golden `file` of an output.
fn golden_fault(
    checked: &Checked,
    end: DataEnd,
    file: &str,
    text: &str,
    sources: &mut Sources,
) -> Option<Diagnostic> {
    let output = checked.data_name(end);
    let span = checked.data_golden(end).map_or(checked.data_span(end), |golden| golden.span);
    let carries = checked.data_carries(end)?;
    let element = carries.element()?;
    if let Some(word) = goldens::wrong_word(checked, end, text) {
        let place = place_of(sources, file, text, word);
        return Some(errors::bad_golden(&wrong_word(output, file, word, element), place, span));
    }
    // Packets have header words between their values.
    if matches!(carries, Carries::Packets(_)) {
        return None;
    }
    let numbers = needed(checked, end)?.saturating_mul(element.parts().into());
    let found = text::words(text).count() as u64;
    (found != numbers).then(|| errors::golden_amount(output, file, [numbers, found], element, span))
}

/// `word` of `file`, which is no `element` of an input or output.
fn wrong_word<'a>(
    input: &'a str,
    file: &'a str,
    word: Word<'a>,
    element: ElementType,
) -> errors::WrongWord<'a> {
    let is_number = text::float(word.text).is_some();
    errors::WrongWord { input, file, line: word.line, word: word.text, element, is_number }
}

/// The place of `word` in the file `path`. Returns None when the file is too large to be shown.
fn place_of(sources: &mut Sources, path: &str, text: &str, word: Word<'_>) -> Option<Span> {
    let bytes = word.at..word.at + word.text.len();
    (text.len() <= MOST_SHOWN).then(|| Span::of_bytes(sources.add(path, text), bytes))
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
    let bad = |sources: &mut Sources, word: Word<'_>| {
        let place = place_of(sources, &data.path, &data.text, word);
        errors::bad_data(&wrong_word(name, &data.path, word, element), place, span)
    };
    // GMIO and parameters have no packets.
    if let Some(mark) = text::marks(&data.text).next().filter(|_| !is_plio) {
        return Some(bad(sources, mark));
    }
    let mut words = 0_u64;
    for word in text::words(&data.text).take(read) {
        words += 1;
        if !text::is_part(word.text, element) {
            return Some(bad(sources, word));
        }
    }
    let found = words / parts;
    (found < needed).then(|| errors::starved(name, &data.path, needed, found, Some(span)))
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
    let (header, id) = headers(&data.text).into_iter().find_map(|word| {
        let id = word.text.parse::<i64>().ok()? & PACKET_ID;
        let is_known = u32::try_from(id).is_ok_and(|id| branches.contains_key(&id));
        (!is_known).then_some((word, id))
    })?;
    let place = place_of(sources, &data.path, &data.text, header);
    let (input, line) = (checked.data_name(end), header.line);
    let wrong = errors::WrongPacket { input, file: &data.path, line, id, branches: ways };
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
    let words = text::words(&data.text).count() as u64;
    let whole = words.is_multiple_of(values + 1) && words / (values + 1) >= runs;
    if runs < 2 || !whole || text::marks(&data.text).next().is_some() {
        return None;
    }
    let word = text::words(&data.text).nth(usize::try_from(values + 1).ok()?)?;
    let place = place_of(sources, &data.path, &data.text, word);
    let (input, line) = (checked.data_name(end), word.line);
    let one = errors::Unmarked { input, file: &data.path, line, values };
    Some(errors::unmarked_packets(&one, place, checked.data_span(end)))
}

/// The first words of packets.
fn headers(text: &str) -> Vec<Word<'_>> {
    let words: Vec<Word<'_>> = text::words(text).collect();
    let ends = text::packet_ends(text);
    std::iter::once(0).chain(ends).filter_map(|start| words.get(start).copied()).collect()
}

/// The values that all iterations move. Returns None when nothing is connected.
fn needed(checked: &Checked, end: DataEnd) -> Option<u64> {
    let (block, blocks) = match end {
        DataEnd::External(id) => (checked.data_carries(end)?.per_run()?, checked.windows_through(id)?),
        DataEnd::Parameter(id) => (checked.parameter_block(id)?, 1),
    };
    let blocks = blocks.saturating_mul(checked.iterations.into());
    Some(blocks.saturating_mul(block.elements.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_stand_at_the_start_and_behind_the_last_lines_of_packets() {
        let lines = |text: &str| -> Vec<(usize, String)> {
            headers(text).into_iter().map(|word| (word.line, word.text.to_owned())).collect()
        };
        let wanted = [(1, "0".to_owned()), (5, "9".to_owned())];
        assert_eq!(lines("0\n1\nTLAST\n2\n9\n1\n2\nTLAST\n3\n"), wanted);
        assert_eq!(lines("0 1\nTLAST\n2 3\n\n9 8\n"), wanted, "two words a line");
        assert_eq!(lines("TLAST\n0\n1\n"), [(2, "0".to_owned()), (3, "1".to_owned())]);
    }
}
