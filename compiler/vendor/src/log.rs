//! The log of `aiecompiler` or `v++`: messages, cut tables and times.
//!
//! A log may have any text between its messages, such as compilers' output. [`read`] keeps warnings
//! and errors, lines that [`messages::find`] knows, the tables of cuts and the times of phases.

use aiec_diag::{SourceFile, Span};

use crate::messages::{self, Known};

/// The most messages that are kept, more than anybody reads.
const MOST_MESSAGES: usize = 10_000;

/// The most bytes of a line that are kept. Command lines may have thousands.
const LONGEST: usize = 400;

/// What a log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Warnings, errors and known messages, in their order.
    pub messages: Vec<Message>,
    /// Messages beyond the limit of 10000, which are counted only.
    pub more: usize,
    /// The tables of cuts, in their order.
    pub cuts: Vec<CutTable>,
    /// The phases whose time the log states.
    pub phases: Vec<Phase>,
}

/// A line of a tool that has a severity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How serious it is.
    pub severity: Severity,
    /// Its number in brackets, such as `aiecompiler 77-753`. Empty if it has none.
    pub number: String,
    /// The line, at most 400 bytes of it.
    pub text: String,
    /// The command that the next line names behind `>>`, at most 400 bytes of it.
    pub command: Option<String>,
    /// The line between columns that the next line of the log tells.
    pub load: Option<LineLoad>,
    /// Its line, from 1.
    pub line: usize,
    /// The bytes of the line.
    pub span: Span,
    /// What it means, if that is known.
    pub known: Option<&'static Known>,
}

/// The use of the line behind a column: `Column[6] : East : 600/3600 West : 3000/3600`
/// (arc-research-lab/AIM#4). 100 is one net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineLoad {
    /// The column to the west of the line, from 0.
    pub column: u32,
    /// Demand and wires to the east, in hundredths.
    pub east: (u32, u32),
    /// Demand and wires to the west, in hundredths.
    pub west: (u32, u32),
}

/// How serious a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information.
    Info,
    /// `WARNING`
    Warning,
    /// `CRITICAL WARNING`
    Critical,
    /// `ERROR`
    Error,
}

/// The demand across lines in one direction, `EAST:` and below it indices and shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutTable {
    /// `NORTH`, `SOUTH`, `EAST` or `WEST`.
    pub side: &'static str,
    /// The demand of each line, in the order of the log.
    pub entries: Vec<CutEntry>,
    /// The line of its first cells, from 1.
    pub line: usize,
}

/// A line between columns or rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutEntry {
    /// The index n: the line between columns, or hardware rows, n-1 and n.
    pub index: u32,
    /// Wires in hundredths: 3600 are 36 wires.
    pub capacity: u32,
    /// Demand in hundredths of a percent of the capacity.
    pub share: u32,
}

impl CutEntry {
    /// The nets that must cross, to the nearest whole number.
    pub fn nets(&self) -> u64 {
        (u64::from(self.capacity) * u64::from(self.share) + 500_000) / 1_000_000
    }
}

/// A phase with its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What the log calls it.
    pub name: String,
    /// Its time in milliseconds.
    pub milliseconds: u64,
}

/// The contents of a log. Any text is one.
pub fn read(file: &SourceFile) -> Log {
    let mut reader = Reader::default();
    let mut start = 0;
    for (number, line) in file.text.split_inclusive('\n').enumerate() {
        let at = start..start + line.trim_end().len();
        start += line.len();
        reader.line(line.trim(), number + 1, file.span_at(at));
    }
    reader.log
}

#[derive(Default)]
struct Reader {
    log: Log,
    /// The direction whose table may follow, and its indices.
    side: Option<&'static str>,
    indices: Vec<u32>,
    /// True if the line before was a message.
    after_message: bool,
}

impl Reader {
    fn line(&mut self, line: &str, number: usize, span: Span) {
        let after = std::mem::take(&mut self.after_message);
        if let Some(command) = line.strip_prefix(">>").filter(|_| after) {
            if let Some(message) = self.log.messages.last_mut() {
                message.command = Some(cropped(command.trim()));
            }
            return;
        }
        if let Some(load) = load(line).filter(|_| after) {
            if let Some(message) = self.log.messages.last_mut() {
                message.load = Some(load);
            }
            return;
        }
        if self.table(line, number) {
            return;
        }
        self.log.phases.extend(phase(line));
        let severity = severity(line);
        let known = messages::find(line);
        if severity.is_none_or(|severity| severity == Severity::Info) && known.is_none() {
            return;
        }
        if self.log.messages.len() >= MOST_MESSAGES {
            self.log.more += 1;
            return;
        }
        self.after_message = true;
        self.log.messages.push(Message {
            severity: severity.unwrap_or(Severity::Error),
            number: bracketed(line),
            text: cropped(line),
            command: None,
            load: None,
            line: number,
            span,
            known,
        });
    }

    /// True if the line belongs to a table of cuts.
    fn table(&mut self, line: &str, number: usize) -> bool {
        if let Some(side) =
            ["NORTH", "SOUTH", "EAST", "WEST"].into_iter().find(|side| line.strip_suffix(':') == Some(side))
        {
            (self.side, self.indices) = (Some(side), Vec::new());
            return true;
        }
        let Some(side) = self.side else { return false };
        if line.starts_with('*') {
            self.indices.extend(line.split(['*', ' ']).filter_map(|cell| cell.parse::<u32>().ok()));
            return true;
        }
        let cells =
            line.strip_prefix('|').map(|cells| cells.split('|').filter_map(cut_cell).collect::<Vec<_>>());
        self.side = None;
        let Some(cells) = cells.filter(|cells| !cells.is_empty()) else { return false };
        let entries = self.indices.drain(..).zip(cells);
        let entries = entries.map(|(index, (capacity, share))| CutEntry { index, capacity, share }).collect();
        self.log.cuts.push(CutTable { side, entries, line: number });
        true
    }
}

/// `Column[6] : East : 600/3600 West : 3000/3600`
fn load(line: &str) -> Option<LineLoad> {
    let (column, rest) = line.strip_prefix("Column[")?.split_once(']')?;
    let mut words = rest.split([' ', ':']).filter(|word| !word.is_empty());
    let mut side = |name| {
        let (used, wires) = words.next().filter(|word| *word == name).and(words.next())?.split_once('/')?;
        Some((used.parse().ok()?, wires.parse().ok()?))
    };
    Some(LineLoad { column: column.parse().ok()?, east: side("East")?, west: side("West")? })
}

/// `3600 (2.78%)`: capacity, and share in hundredths of a percent.
fn cut_cell(cell: &str) -> Option<(u32, u32)> {
    let (capacity, share) = cell.trim().split_once('(')?;
    Some((capacity.trim().parse().ok()?, hundredths(share.trim_end().strip_suffix("%)")?)?))
}

/// `2.78` as 278.
fn hundredths(number: &str) -> Option<u32> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits: String = part.chars().chain("00".chars()).take(2).collect();
    whole.parse::<u32>().ok()?.checked_mul(100)?.checked_add(digits.parse().ok()?)
}

/// `###Exit: UDM Mapper Phase (25.310000 secs)`
fn phase(line: &str) -> Option<Phase> {
    let (before, time) = line.strip_suffix(" secs)")?.rsplit_once('(')?;
    let name = before.rsplit_once("###").map_or(before, |(_, name)| name);
    let name = ["Exit:", "Done"].iter().fold(name.trim(), |name, word| name.trim_start_matches(word).trim());
    let milliseconds = u64::from(hundredths(time)?) * 10;
    Some(Phase { name: cropped(name), milliseconds })
}

fn severity(line: &str) -> Option<Severity> {
    let words = [
        ("CRITICAL WARNING", Severity::Critical),
        ("WARNING", Severity::Warning),
        ("ERROR", Severity::Error),
        ("Error:", Severity::Error),
        ("INFO", Severity::Info),
    ];
    if is_of_a_compiler(line) {
        return Some(Severity::Error);
    }
    let found = words.into_iter().find(|(word, _)| line.starts_with(word));
    // "ERRORS: 0" and the like are no messages.
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([':', ' ']);
    found.filter(|(word, _)| word.ends_with(':') || ends(&line[word.len()..])).map(|(_, severity)| severity)
}

/// True for `graph.h:12:3: error: ...`, as the C++ front ends of the tools print it.
fn is_of_a_compiler(line: &str) -> bool {
    let place =
        [": error: ", ": fatal error: "].into_iter().find_map(|words| Some(line.split_once(words)?.0));
    let mut numbers = place.unwrap_or_default().rsplit(':').take_while(|part| part.parse::<u32>().is_ok());
    numbers.next().is_some() && place.is_some_and(|place| place.contains('.'))
}

/// The number in the first brackets of a line.
fn bracketed(line: &str) -> String {
    let inner =
        line.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(inner, _)| inner);
    let is_number =
        inner.len() < 40 && inner.contains('-') && inner.ends_with(|last: char| last.is_ascii_digit());
    if is_number { inner.to_owned() } else { String::new() }
}

fn cropped(text: &str) -> String {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use aiec_diag::SourceId;

    use super::*;

    fn log(text: &str) -> Log {
        read(&SourceFile { id: SourceId(0), name: "aie.log".to_owned(), text: text.to_owned() })
    }

    #[test]
    fn errors_are_kept_with_their_meaning_and_the_command_that_failed() {
        let log = log("INFO: [aiecompiler 77-297] Cmd Line : x\n\
            ERROR: [aiecompiler 77-753] This application has discovered an exceptional condition\n  >> ./Work/temp/graph.out -I .\n\
            ERROR: [aiecompiler 99-1] Not known here\nSome other ERROR text\nColumn[6] : East : 600/3600 West : 3000/3600\n\
            Error: Could not find free space\nERRORS: 0\n");
        let known: Vec<(usize, bool)> =
            log.messages.iter().map(|message| (message.line, message.known.is_some())).collect();
        assert_eq!(known, [(2, true), (4, false), (7, true)]);
        assert_eq!(log.messages[0].command.as_deref(), Some("./Work/temp/graph.out -I ."));
        assert_eq!(log.messages[1].number, "aiecompiler 99-1");
    }

    #[test]
    fn a_full_line_belongs_to_the_message_before_it() {
        let head = "INFO: [aiecompiler 35-3206] AIE Router found a column with over 80 percent horizontal resource utilization\n";
        let log = log(&format!(
            "{head}Column[6] : East : 600/3600 West : 3000/3600\n\n{head}\nColumn[7] : East : 1/2 West : 1/2\n"
        ));
        let loads: Vec<Option<LineLoad>> = log.messages.iter().map(|message| message.load).collect();
        let sixth = LineLoad { column: 6, east: (600, 3600), west: (3000, 3600) };
        assert_eq!(loads, [Some(sixth), None], "only the next line");
        for text in
            ["Column[x] : East : 1/2 West : 1/2", "Column[1] : West : 1/2 East : 1/2", "Column[1] East 1"]
        {
            assert_eq!(load(text), None, "{text}");
        }
    }

    #[test]
    fn tables_of_cuts_are_read_with_their_indices() {
        let log = log(
            "EAST:\n****\n* 1  * 2  * 10 *\n****\n| 3600 (0.00%) | 3600 (2.78%) | 3600 (97.2%) |\n~~~~\n\
            WEST:\nno table\nEAST: No Congestion\n",
        );
        assert_eq!(log.cuts.len(), 1);
        let entries: Vec<(u32, u64)> = log.cuts[0].entries.iter().map(|e| (e.index, e.nets())).collect();
        assert_eq!(entries, [(1, 0), (2, 1), (10, 35)]);
    }

    #[test]
    fn phases_have_their_times() {
        let log = log("DEBUG:AIEngineUDMPlacer:###Exit: UDM Mapper Phase (25.310000 secs)\n");
        assert_eq!(log.phases, [Phase { name: "UDM Mapper Phase".to_owned(), milliseconds: 25_310 }]);
    }

    #[test]
    fn any_text_is_a_log() {
        for text in ["", "\u{0}", "EAST:", "EAST:\n* 99999999999 *\n| 1 (x%) |", "| (", ">> x", "é secs)"] {
            assert_eq!(log(text).messages.len(), 0, "{text:?}");
        }
        let many = log(&"ERROR: x\n".repeat(MOST_MESSAGES + 5));
        assert_eq!((many.messages.len(), many.more), (MOST_MESSAGES, 5));
        assert_eq!(log(&format!("ERROR: {}", "é".repeat(1000))).messages[0].text.len(), 399);
    }
}
