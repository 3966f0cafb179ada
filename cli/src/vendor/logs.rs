//! `aiec explain --log`: the messages of AMD's tools in a log, and what each means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use aiec_diag::catalogue;
use aiec_system::files::{MAX_DATA, STDIN, STDIN_NAME, read_lossy, read_stdin_lossy};
use aiec_vendor::log::{self, CutTable, LineLoad, Log, Message, Severity};
use aiec_vendor::messages::{self, Known};

use crate::invocation::Invocation;
use crate::output::Console;

/// The most unknown errors that are printed.
const MOST_UNKNOWN: usize = 20;

/// How lines of logs begin, besides a bracket.
const HEADS: [&str; 4] = ["ERROR", "CRITICAL WARNING:", "WARNING:", "INFO:"];

/// The longest line of text, as in other results.
const WIDTH: usize = 100;

/// Prints the messages of a log with their meaning.
pub(crate) fn explain(path: &Path, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let (name, text) = match path == Path::new(STDIN) {
        true => (STDIN_NAME.to_owned(), read_stdin_lossy(MAX_DATA)),
        false => (path.display().to_string(), read_lossy(path, MAX_DATA)),
    };
    let text = invocation.require(text)?;
    let id = invocation.sources.add(name.clone(), text);
    let log = log::read(invocation.sources.get(id)?);
    console.text(&explained(&name, &log));
    Some(())
}

fn explained(name: &str, log: &Log) -> String {
    let mut text = head(name, log);
    for (known, all) in groups(&log.messages) {
        text += &known_text(known, &all);
    }
    text += &unknown(&log.messages);
    text += &phases(log);
    text + &cuts(&log.cuts)
}

fn head(name: &str, log: &Log) -> String {
    let count = |severity: Severity| log.messages.iter().filter(|m| m.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning) + count(Severity::Critical));
    let more = if log.more > 0 {
        format!(", and {} more not read", aiec_diag::count(log.more as u64, "line"))
    } else {
        String::new()
    };
    let known = log.messages.iter().filter(|message| message.known.is_some()).count();
    format!("{name}: errors {errors}, warnings {warnings}, messages with a known meaning {known}{more}\n")
}

/// Known messages with their lines, errors first, each kind in the order of its first line.
fn groups(messages: &[Message]) -> Vec<(&'static Known, Vec<&Message>)> {
    let mut all: Vec<(&'static Known, Vec<&Message>)> = Vec::new();
    for message in messages {
        let Some(known) = message.known else { continue };
        match all.iter_mut().find(|(other, _)| std::ptr::eq(*other, known)) {
            Some((_, same)) => same.push(message),
            None => all.push((known, vec![message])),
        }
    }
    let worst = |all: &[&Message]| all.iter().map(|message| message.severity).max();
    all.sort_by_key(|(_, all)| std::cmp::Reverse(worst(all)));
    all
}

fn known_text(known: &Known, all: &[&Message]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let times = if all.len() > 1 { format!(", {} times", all.len()) } else { String::new() };
    let mut text = format!("\nline {}{times}\n{}", first.line, wrapped("    ", &first.text));
    if let Some(command) = &first.command {
        text += &wrapped("    >> ", command);
    }
    let loads: Vec<String> = all.iter().filter_map(|message| message.load).map(behind).collect();
    if !loads.is_empty() {
        text += &wrapped("  lines    ", &loads.join("; "));
    }
    text + &published(known, all) + &meaning(known)
}

/// The use of a line between columns in nets.
fn behind(load: LineLoad) -> String {
    let nets = |(used, wires): (u32, u32)| format!("{}/{}", used.div_ceil(100), wires / 100);
    format!("behind column {}: east {}, west {}", load.column, nets(load.east), nets(load.west))
}

/// Says which lines have the number of a known message, but a wholly different text, or that only
/// the number tells what a line means. Nothing where the text is the published one.
fn published(known: &Known, all: &[&Message]) -> String {
    if !known.words.is_empty() || known.number.is_empty() {
        return String::new();
    }
    let Some(quoted) = quoted(known.number) else {
        return wrapped("  number   ", "known by its number: no page of aiec quotes the text, to compare it");
    };
    let other: Vec<String> =
        all.iter().filter(|one| !is_like(&one.text, quoted)).map(|one| one.line.to_string()).collect();
    if other.is_empty() {
        return String::new();
    }
    let lines = format!("of line {} differs from the published one: {quoted}", other.join(", "));
    wrapped("  text     ", &lines)
}

/// The line with this number that a page quotes from a log.
fn quoted(number: &str) -> Option<&'static str> {
    let lines = catalogue::ALL.iter().flat_map(|code| code.page.lines());
    let is_of_log = |line: &&str| line.starts_with('[') || HEADS.iter().any(|head| line.starts_with(head));
    lines.filter(is_of_log).find(|line| messages::has_number(line, number))
}

/// True if `text` has at least a third of the words of `quoted`. Names and numbers differ from log
/// to log.
fn is_like(text: &str, quoted: &str) -> bool {
    let words = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| word.len() >= 4).map(str::to_ascii_lowercase).collect::<BTreeSet<String>>()
    };
    let heads = ["error", "warning", "critical", "info", "aiecompiler"].map(str::to_owned);
    let (own, mut wanted) = (words(text), words(quoted));
    heads.iter().for_each(|head| _ = wanted.remove(head));
    3 * wanted.intersection(&own).count() >= wanted.len()
}

fn meaning(known: &Known) -> String {
    let mut text = wrapped("  means    ", known.meaning);
    for slug in known.slugs {
        let summary = catalogue::find(slug).map_or("", |code| code.summary);
        text += &wrapped("  earlier  ", &format!("{} gives {slug}: {summary}", messages::command(slug)));
    }
    text += &wrapped("  do       ", known.advice);
    text + &wrapped("  source   ", known.source)
}

fn unknown(messages: &[Message]) -> String {
    let errors: Vec<&Message> =
        messages.iter().filter(|m| m.known.is_none() && m.severity == Severity::Error).collect();
    let mut text = String::new();
    if !errors.is_empty() {
        text += &format!("\nerrors that aiec does not know: {}\n", errors.len());
    }
    for message in errors.iter().take(MOST_UNKNOWN) {
        text += &wrapped("    ", &format!("line {}: {}", message.line, message.text));
    }
    if let Some(more @ 1..) = errors.len().checked_sub(MOST_UNKNOWN) {
        text += &format!("    and {more} more\n");
    }
    text + &warnings(messages)
}

/// Warnings by number, with how often each occurs.
fn warnings(messages: &[Message]) -> String {
    let mut counts: BTreeMap<&str, (usize, &Message)> = BTreeMap::new();
    let warnings =
        |m: &&Message| m.known.is_none() && matches!(m.severity, Severity::Warning | Severity::Critical);
    for message in messages.iter().filter(warnings) {
        let key = if message.number.is_empty() { message.text.as_str() } else { message.number.as_str() };
        counts.entry(key).or_insert((0, message)).0 += 1;
    }
    if counts.is_empty() {
        return String::new();
    }
    let mut text = format!("\nwarnings that aiec does not know, by number: {}\n", counts.len());
    for (count, first) in counts.into_values().take(MOST_UNKNOWN) {
        text += &wrapped("    ", &format!("line {}, {count} in all: {}", first.line, first.text));
    }
    text
}

fn phases(log: &Log) -> String {
    let mut phases: Vec<_> = log.phases.iter().filter(|phase| phase.milliseconds >= 1000).collect();
    phases.sort_by_key(|phase| std::cmp::Reverse(phase.milliseconds));
    let mut text = String::new();
    if !phases.is_empty() {
        text += "\nphases of a second and more\n";
    }
    for phase in phases.into_iter().take(MOST_UNKNOWN) {
        let (seconds, rest) = (phase.milliseconds / 1000, phase.milliseconds % 1000 / 100);
        text += &format!("{:>10} s  {}\n", format!("{seconds}.{rest}"), phase.name);
    }
    text
}

/// The lines of the log's last tables that nets cross.
fn cuts(tables: &[CutTable]) -> String {
    let last: BTreeMap<&str, &CutTable> = tables.iter().map(|table| (table.side, table)).collect();
    let mut text = String::new();
    for (side, table) in last {
        let used = table.entries.iter().filter(|entry| entry.share > 0);
        let cells: Vec<String> =
            used.map(|entry| format!("{}: {}/{}", entry.index, entry.nets(), entry.capacity / 100)).collect();
        if !cells.is_empty() {
            let head = format!("  {:<7}  ", side.to_lowercase());
            text += &wrapped(&head, &cells.join("  "));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "\nestimated nets across lines, by the log's index: n lies between columns (rows) n-1 and n\n{text}"
    )
}

/// What is known about a message by its number: its meaning, and the pages that quote it.
pub(crate) fn of_number(number: &str) -> Option<String> {
    let plain = number.trim_matches(['[', ']']).trim_start_matches("aiecompiler").trim();
    let mut text: String =
        messages::of_number(plain).map(|known| format!("{}\n{}", known.number, meaning(known))).collect();
    let is_number = plain.contains('-') && plain.ends_with(|last: char| last.is_ascii_digit());
    let quoted = catalogue::ALL.iter().filter(|code| is_number && messages::has_number(code.page, plain));
    let quoted: Vec<String> = quoted.map(|code| format!("aiec explain {}", code.slug)).collect();
    if !quoted.is_empty() {
        text += &wrapped("  pages    ", &quoted.join(", "));
    }
    (!text.is_empty()).then_some(text)
}

/// `text` in lines of at most 100 columns, the first behind `head` and the others below its end.
fn wrapped(head: &str, text: &str) -> String {
    let indent = head.chars().count();
    let (mut lines, mut line) = (String::new(), head.to_owned());
    for word in text.split_whitespace() {
        let used = line.chars().count();
        if used > indent && used + 1 + word.chars().count() > WIDTH {
            lines += line.trim_end();
            lines.push('\n');
            line = " ".repeat(indent);
        }
        if line.chars().count() > indent {
            line.push(' ');
        }
        line += word;
    }
    lines + line.trim_end() + "\n"
}
