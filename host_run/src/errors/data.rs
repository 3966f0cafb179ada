//! Faults of the data files of inputs and outputs, and of the amount of data in them.

use std::collections::BTreeSet;

use aiec_collectives::ElementType;
use aiec_diag::{Diagnostic, Span, Spanned, catalogue, count, listed};

use super::{REPORTED_LINES, lines};

/// The inputs or outputs of a fault that a message names.
const NAMED: usize = 4;

/// The folder of the inputs does not exist.
pub fn no_input_folder(folder: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!("the input folder `{folder}` is not a folder"),
        "name the folder with --input; the file names of the graph's inputs are relative to it",
    )
}

/// Input files of a graph are in none of `folders`. `missing` pairs each file with the name of its
/// input.
pub fn no_input_files(missing: &[(String, String)], folders: &[String]) -> Diagnostic {
    let one = |(file, name): &(String, String)| match name.as_str() {
        "" => format!("`{file}`"),
        _ => format!("`{file}` of input `{name}`"),
    };
    let is = if missing.len() == 1 { "an input file is" } else { "input files are" };
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!(
            "{} missing: {} (looked for in {})",
            is,
            missing.iter().map(one).collect::<Vec<_>>().join(", "),
            folders.iter().map(|folder| format!("`{folder}`")).collect::<Vec<_>>().join(", ")
        ),
        "name with --input DIR the folder in which the graph's data lies",
    )
}

/// A graph's input file cannot be opened. `words` is the runtime's report; `folder` is where aiec
/// looked for it.
pub fn no_input_file(words: &str, folder: &str) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_INPUT,
        "an input file is missing:\n",
        format!(
            "file names of inputs are relative to `{folder}`; name with --input DIR the folder in which the graph's data lies"
        ),
    )
    .quoting(&lines(words, REPORTED_LINES))
}

/// The data `file` of `input` ends while kernels wait for more.
pub fn starved(input: &str, file: &str, needed: u64, found: u64, span: Option<Span>) -> Diagnostic {
    let wants = if needed > 0 { format!("{needed} values are needed") } else { "more are needed".to_owned() };
    let diagnostic = if needed > 0 && found >= needed {
        Diagnostic::new(
            &catalogue::SIM_INPUT,
            format!(
                "input `{input}` ends inside a packet: `{file}` holds all {found} values, but marks no end"
            ),
            "write a line `TLAST` in front of the last line of each packet",
        )
    } else {
        Diagnostic::new(
            &catalogue::SIM_INPUT,
            format!("input `{input}` ends too early: `{file}` holds {found} values, {wants}"),
            "give the file as many values as all iterations read, or lower `iterations`",
        )
    };
    diagnostic.label_at(span, format!("`{file}` is named here"))
}

/// A word of a data file that is no number of the input's type.
#[derive(Clone, Copy, Debug)]
pub struct WrongWord<'a> {
    /// The input, or the output with this golden file.
    pub input: &'a str,
    /// The file, as the design names it.
    pub file: &'a str,
    /// The line of the word, from 1.
    pub line: usize,
    /// The text between blanks.
    pub word: &'a str,
    /// The type of the input's elements.
    pub element: ElementType,
    /// True for a number that does not fit the type.
    pub is_number: bool,
}

/// A data file has a word that is no number of its input's type, at `place` if the file is shown.
pub fn bad_data(wrong: &WrongWord<'_>, place: Option<Span>, input: Span) -> Diagnostic {
    let WrongWord { input: name, file, line, word, element, is_number } = *wrong;
    let element = element.name();
    let why = if is_number { format!("is no {element}") } else { "is no number".to_owned() };
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!("`{word}` in line {line} of `{file}`, the data of input `{name}`, {why}"),
        format!("write values of type {element} with blanks between them; a complex value is two numbers"),
    );
    let diagnostic = diagnostic.label_at(place, format!("`{word}` {why}"));
    diagnostic.label(input, format!("`{name}` reads elements of type {element}"))
}

/// The header of a packet in the data of an input that is split.
#[derive(Clone, Copy, Debug)]
pub struct WrongPacket<'a> {
    /// The name of the input.
    pub input: &'a str,
    /// The file, as the design names it.
    pub file: &'a str,
    /// The line of the header, from 1.
    pub line: usize,
    /// The packet id in the header.
    pub id: i64,
    /// Branches of the splits behind the input.
    pub branches: u32,
}

/// A header has a packet id that no branch of the split has. `place` is the header, if the file is
/// shown; `input` is the declaration of the input.
pub fn bad_packet_id(wrong: &WrongPacket<'_>, place: Option<Span>, input: Span) -> Diagnostic {
    let WrongPacket { input: name, file, line, id, branches } = *wrong;
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!(
            "the packet at line {line} of `{file}`, the data of input `{name}`, has id {id}, which no branch has"
        ),
        format!(
            "write a header whose lowest five bits are from 0 to {}, or add a TLAST line before the last line of the \
             packet above",
            branches.saturating_sub(1)
        ),
    );
    let diagnostic = diagnostic.label_at(place, format!("packet id {id}"));
    diagnostic.label(input, format!("`{name}` is split into {branches} branches"))
}

/// Data with several packets, and without a mark of the end of one.
#[derive(Clone, Copy, Debug)]
pub struct Unmarked<'a> {
    /// The name of the input.
    pub input: &'a str,
    /// The file, as the design names it.
    pub file: &'a str,
    /// The line of the second header, from 1.
    pub line: usize,
    /// Numbers of a packet, without its header.
    pub values: u64,
}

/// A file of packets marks no end of one. `place` is the second header, if the file is shown;
/// `input` is the declaration of the input.
pub fn unmarked_packets(unmarked: &Unmarked<'_>, place: Option<Span>, input: Span) -> Diagnostic {
    let Unmarked { input: name, file, line, values } = *unmarked;
    let values = count(values, "value");
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_INPUT,
        format!(
            "`{file}`, the data of input `{name}`, has no line `TLAST`: line {line} is the header of a second packet \
             only if the first one ends in front of it"
        ),
        "write a line `TLAST` in front of the last line of each packet",
    );
    let diagnostic = diagnostic.label_at(place, "a packet has to end in front of this word");
    diagnostic.label(input, format!("each run takes a packet of a header and {values} of `{name}`"))
}

/// A golden file has a word that is no number of its output's type, at `place` if the file is
/// shown.
pub fn bad_golden(wrong: &WrongWord<'_>, place: Option<Span>, output: Span) -> Diagnostic {
    let WrongWord { input: name, file, line, word, element, is_number } = *wrong;
    let why = if is_number { format!("is no {}", element.name()) } else { "is no number".to_owned() };
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_GOLDEN,
        format!("`{word}` in line {line} of `{file}`, the expected data of output `{name}`, {why}"),
        format!("write values of type {} with blanks between them", element.name()),
    );
    let diagnostic = diagnostic.label_at(place, format!("`{word}` {why}"));
    diagnostic.label(output, format!("`{name}` is compared with this file"))
}

/// A golden file has another amount of numbers (`[expected, found]`) than the design writes to its
/// output. `golden` is where the design names the file.
pub fn golden_amount(
    output: &str,
    file: &str,
    numbers: [u64; 2],
    element: ElementType,
    golden: Span,
) -> Diagnostic {
    let parts = u64::from(element.parts());
    let ([expected, found], unit) = match numbers {
        [expected, found] if found.is_multiple_of(parts) => ([expected / parts, found / parts], "value"),
        _ => (numbers, "number"),
    };
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_GOLDEN,
        format!(
            "`{file}`, the expected data of output `{output}`, holds {}, but {expected} of type {} leave there in all \
             iterations",
            count(found, unit),
            element.name()
        ),
        "give the file as many values as all iterations write, or change `iterations`",
    );
    diagnostic.label(golden, format!("`{output}` is compared with this file"))
}

/// Data files of inputs do not exist: inputs, their files and where the inputs are declared.
pub fn no_input(missing: &[(&str, String, Span)]) -> Diagnostic {
    let names = listed(missing.iter().map(|(input, ..)| format!("`{input}`")), NAMED);
    let mut named = BTreeSet::new();
    let files = missing.iter().map(|(_, file, _)| file).filter(|file| named.insert(*file));
    let paths = listed(files.map(|file| format!("`{file}`")), NAMED);
    let (message, whose) = match missing {
        [_] => (format!("input {names} has no data: {paths} cannot be read"), "the input's values"),
        _ => (format!("inputs {names} have no data: {paths} cannot be read"), "their values"),
    };
    let help = format!("put {whose} there, relative to the design file, as text with blanks between them");
    let mut diagnostic = Diagnostic::new(&catalogue::SIM_INPUT, message, help);
    let mut spans = BTreeSet::new();
    for (input, _, span) in missing.iter().filter(|(.., span)| spans.insert(*span)).take(NAMED) {
        diagnostic = diagnostic.label(*span, format!("`{input}` reads this file"));
    }
    diagnostic
}

/// Golden files that the design names do not exist: outputs, their files and where they are named.
pub fn no_golden(missing: &[(&str, &Spanned<String>)]) -> Diagnostic {
    let names = listed(missing.iter().map(|(output, _)| format!("`{output}`")), NAMED);
    let mut files: Vec<&str> = missing.iter().map(|(_, file)| file.value.as_str()).collect();
    let mut named = BTreeSet::new();
    files.retain(|file| named.insert(*file));
    let paths = listed(files.iter().map(|file| format!("`{file}`")), NAMED);
    let do_not = if files.len() == 1 { "does not" } else { "do not" };
    let message = match missing {
        [_] => format!("output {names} has no expected data: {paths} does not exist"),
        _ => format!("outputs {names} have no expected data: {paths} {do_not} exist"),
    };
    let help = "put the expected values there, relative to the design file, or remove `golden`";
    let mut diagnostic = Diagnostic::new(&catalogue::SIM_GOLDEN, message, help);
    let mut spans = BTreeSet::new();
    for (output, file) in missing.iter().filter(|(_, file)| spans.insert(file.span)).take(NAMED) {
        diagnostic = diagnostic.label(file.span, format!("`{output}` is compared with this file"));
    }
    diagnostic
}

/// All kernels are done, but `bytes` of `input` are not taken.
pub fn input_left(input: &str, bytes: u64, span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_DEADLOCK,
        format!("all kernels have returned, but no kernel has taken {bytes} bytes of `{input}`"),
        "the kernel that reads it must acquire as many windows in one run as the design says",
    );
    diagnostic.label_at(span, format!("`{input}` has more than is taken"))
}

/// All kernels are done, but `output` still waits for `bytes`.
pub fn output_waits(output: &str, bytes: u64, span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &catalogue::SIM_DEADLOCK,
        format!("all kernels have returned, but `{output}` still waits for {bytes} bytes"),
        "the kernel that writes it must fill and release as many windows as the design says: look at loops around \
         window_release and around collective calls",
    );
    diagnostic.label_at(span, format!("`{output}` got too little"))
}

/// A file that the program should have written cannot be read.
pub fn no_output(output: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        &catalogue::SIM_FAILED,
        format!("the simulation wrote no readable data for output `{output}`: {reason}"),
        "run again with --keep DIR and look at the files in DIR/project",
    )
    .label(span, format!("`{output}` was to be written"))
}

#[cfg(test)]
mod tests {
    use aiec_diag::{SourceId, Span, Spanned};

    use super::no_golden;

    #[test]
    fn a_golden_file_of_several_outputs_is_named_once() {
        let file = |name: &str| Spanned { value: name.to_owned(), span: Span::new(SourceId(0), 0, 1) };
        let (one, other) = (file("g.txt"), file("h.txt"));
        let words = no_golden(&[("o[0]", &one), ("o[1]", &one)]).message;
        assert_eq!(words, "outputs `o[0]` and `o[1]` have no expected data: `g.txt` does not exist");
        let words = no_golden(&[("o[0]", &one), ("o[1]", &other)]).message;
        assert!(words.ends_with("`g.txt` and `h.txt` do not exist"), "{words}");
    }
}
