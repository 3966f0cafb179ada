//! The differences as tables, which the text and the page share, and as text.

use aiec_diag::count;
use aiec_vendor::compare::Moves;

use super::changes::{Differences, Pair};
use crate::table::Table;

/// The most rows of a table of the text. JSON and page have all.
const MOST_ROWS: usize = 40;

/// A table of differences of one kind.
pub(super) struct Section {
    /// What differs, which is the first column, and the others.
    pub(super) columns: [&'static str; 4],
    pub(super) rows: Vec<[String; 4]>,
}

/// The tables that have rows.
pub(super) fn sections(all: &Differences) -> Vec<Section> {
    let parts = [
        ("settings", &all.settings),
        ("kernels", &all.besides.kernels),
        ("properties of kernels", &all.properties),
        ("inputs and outputs", &all.besides.shims),
        ("connections", &all.connections),
        ("collectives", &all.collectives),
    ];
    let parts = parts.map(|(title, moves)| of_moves(title, moves));
    let numbers = [
        ("hops", &all.hops),
        ("cycles", &all.cycles),
        ("totals", &all.totals),
        ("bytes", &all.besides.bytes),
    ];
    let numbers = numbers.map(|(title, pairs)| of_pairs(title, pairs));
    let memory = of_moves("stacks and buffers", &all.besides.memory);
    let row = |[old, new]: &[String; 2]| [new.clone(), old.clone(), new.clone(), String::new()];
    let renamed =
        Section { columns: ["names", "old", "new", ""], rows: sorted(all.renamed.iter().map(row).collect()) };
    let sections = [renamed].into_iter().chain(parts).chain(numbers).chain([memory]);
    sections.filter(|section| !section.rows.is_empty()).collect()
}

fn of_moves(title: &'static str, moves: &Moves) -> Section {
    let [removed, added] = &moves.only;
    let alone = |names: &[String], what: &str| {
        let row = |name: &String| [name.clone(), String::new(), String::new(), what.to_owned()];
        sorted(names.iter().map(row).collect())
    };
    let moved = moves.moved.iter().map(|one| {
        let [old, new] = one.places.clone();
        [one.name.clone(), old, new, String::new()]
    });
    let rows = [alone(added, "added"), alone(removed, "removed"), sorted(moved.collect())].concat();
    Section { columns: [title, "old", "new", ""], rows }
}

/// The rows by name, in which a number counts as one: `w[9]` is before `w[10]`.
fn sorted(mut rows: Vec<[String; 4]>) -> Vec<[String; 4]> {
    let part = |part: &str| {
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        (digits.parse::<u64>().unwrap_or(0), part[digits.len()..].to_owned())
    };
    let key = |name: &str| -> Vec<(u64, String)> {
        name.split_inclusive(|c: char| !c.is_ascii_digit()).map(part).collect()
    };
    rows.sort_by_cached_key(|row| key(&row[0]));
    rows
}

/// The numbers that grew most come first.
fn of_pairs(title: &'static str, pairs: &[Pair]) -> Section {
    let mut sorted: Vec<&Pair> = pairs.iter().collect();
    sorted.sort_by_key(|pair| std::cmp::Reverse(pair.growth()));
    let cell = |value: Option<i64>| value.map_or_else(String::new, |value| value.to_string());
    let row = |pair: &Pair| {
        let change = pair.growth().map_or_else(String::new, |growth| format!("{growth:+}"));
        [pair.name.clone(), cell(pair.values[0]), cell(pair.values[1]), change]
    };
    Section { columns: [title, "old", "new", "change"], rows: sorted.into_iter().map(row).collect() }
}

/// The differences in one sentence.
pub(super) fn verdict(all: &Differences) -> String {
    if all.equal {
        return format!("no difference: {} on the same tiles", count(all.kernels.same as u64, "kernel"));
    }
    let longer = all.hops.iter().filter(|pair| pair.growth() > Some(0)).count();
    let Moves { moved, only: [removed, added], .. } = &all.besides.kernels;
    let together = all
        .shift
        .map(|shift| format!("{} moved as one, {}", count(shift.kernels as u64, "kernel"), shift.words()));
    let moved_how = if together.is_some() { "moved otherwise" } else { "moved" };
    let counts = [
        (all.settings.moved.len(), "setting", "changed"),
        (all.renamed.len(), "name", "changed"),
        (added.len(), "kernel", "added"),
        (removed.len(), "kernel", "removed"),
        (moved.len(), "kernel", moved_how),
        (all.connections.only[1].len(), "connection", "added"),
        (all.connections.only[0].len(), "connection", "removed"),
        (all.connections.moved.len(), "connection", "changed"),
        (longer, "way", "longer"),
        (all.hops.len() - longer, "way", "shorter"),
        (all.cycles.len(), "number of cycles", "changed"),
    ];
    let said = counts.iter().filter(|(number, ..)| *number > 0);
    let said = said.map(|(number, what, how)| format!("{} {how}", counted(*number, what)));
    let said: Vec<String> = together.into_iter().chain(said).collect();
    match said.is_empty() {
        true => "only what the tables list differs".to_owned(),
        false => said.join(", "),
    }
}

fn counted(number: usize, what: &str) -> String {
    match what.split_once(" of ") {
        Some((first, rest)) => format!("{} of {rest}", count(number as u64, first)),
        None => count(number as u64, what),
    }
}

/// The differences as text.
pub(super) fn text(all: &Differences) -> String {
    let [old, new] = &all.names;
    let mut text = format!("old  {old}\nnew  {new}\n{}\n", verdict(all));
    for Section { columns, rows } in sections(all) {
        let mut table = Table::new(&columns);
        rows.iter().take(MOST_ROWS).for_each(|row| table.row(row.clone()));
        text += &format!("\n{}", table.text());
        if let Some(more @ 1..) = rows.len().checked_sub(MOST_ROWS) {
            text += &format!("  and {more} more; --json and --html have all\n");
        }
    }
    text
}
