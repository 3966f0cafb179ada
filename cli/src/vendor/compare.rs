//! `aiec compare`: two placements and routings side by side.

use aiec_diag::count;
use aiec_vendor::compare::{self, Comparison, Moves};

use super::sides::{alike, side};
use crate::args::Compare;
use crate::disk::Form;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::report;
use crate::results::Results;
use crate::table::Table;

/// The most rows of a table of differences. `--json` has all.
const MOST_ROWS: usize = 40;

/// Compares the two sides.
pub(crate) fn compare(args: &Compare, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let device = super::device(args.device.as_deref(), invocation)?;
    let mut originals = Vec::new();
    let one = side(&args.one, args, &device, &mut originals, invocation)?;
    let other = side(&args.other, args, &device, &mut originals, invocation)?;
    let mut results = Results::of_files(args.overwrite, invocation);
    results.protect(originals);
    let [one, other] = alike([one, other]);
    let all = compare::compare(&one, &other);
    results.check(&[(&args.json, Form::Json)], invocation)?;
    results.write(&[(&args.json, Form::Json, report::json(&all))], invocation)?;
    console.text(&text(&all));
    Some(())
}

fn text(all: &Comparison) -> String {
    let mut text = format!("A  {}\nB  {}\n\n{}", all.names[0], all.names[1], totals(all));
    let parts = [
        ("kernels", &all.kernels),
        ("stacks", &all.stacks),
        ("buffers", &all.buffers),
        ("inputs and outputs", &all.shims),
    ];
    text += &renamed(all);
    for (kind, moves) in parts {
        text += &moved(kind, moves);
    }
    text += &nets(all);
    text + &cuts(all)
}

/// The counts of both sides.
fn totals(all: &Comparison) -> String {
    let mut table = Table::new(&["", "A", "B", "same place", "moved", "A alone", "B alone"]);
    let parts = [
        ("kernels", &all.kernels),
        ("stacks", &all.stacks),
        ("buffers of ports", &all.buffers),
        ("inputs and outputs", &all.shims),
    ];
    for (kind, Moves { same, moved, only }) in parts {
        let both = same + moved.len();
        let counts =
            [both + only[0].len(), both + only[1].len(), *same, moved.len(), only[0].len(), only[1].len()];
        table.row([kind.to_owned()].into_iter().chain(counts.map(|count| count.to_string())));
    }
    let mut pair = |kind: &str, values: [Option<u64>; 2]| {
        if values != [None; 2] {
            let cell = |value: Option<u64>| value.map_or("unknown".to_owned(), |value| value.to_string());
            table.row([kind.to_owned(), cell(values[0]), cell(values[1])]);
        }
    };
    let count = |value: Option<usize>| value.and_then(|value| u64::try_from(value).ok());
    pair("shared connections", all.shared.map(count));
    pair("connections by DMA", all.dma.map(count));
    pair("nets", all.totals.map(|totals| count(totals.map(|totals| totals.nets))));
    pair("hops", all.totals.map(|totals| totals.map(|totals| totals.hops)));
    pair("longest way", all.totals.map(|totals| totals.map(|totals| u64::from(totals.longest))));
    table.text()
}

/// The parts under two names, and how many kernels may have others that nothing tells apart.
fn renamed(all: &Comparison) -> String {
    let mut table = Table::new(&["name in A", "name in B"]);
    all.renamed.iter().take(MOST_ROWS).for_each(|pair| table.row(pair.clone()));
    let alike = match all.alike {
        0 => String::new(),
        alike => format!(
            "\n{} alone on both sides may differ in names: ports and neighbours tell none from the others\n",
            count(alike as u64, "kernel")
        ),
    };
    section(&table, all.renamed.len()) + &alike
}

fn moved(kind: &str, moves: &Moves) -> String {
    let mut table = Table::new(&[kind, "A", "B"]);
    for one in moves.moved.iter().take(MOST_ROWS) {
        table.row([one.name.clone(), one.places[0].clone(), one.places[1].clone()]);
    }
    section(&table, moves.moved.len())
}

fn nets(all: &Comparison) -> String {
    let mut table = Table::new(&["nets", "hops in A", "hops in B"]);
    for net in all.nets.iter().take(MOST_ROWS) {
        table.row([net.name.clone(), net.hops[0].to_string(), net.hops[1].to_string()]);
    }
    section(&table, all.nets.len())
}

/// The lines that nets cross, if both sides state them.
fn cuts(all: &Comparison) -> String {
    let stated = all.cuts.first().is_some_and(|cut| cut.demand.iter().all(Option::is_some));
    if !stated {
        return String::new();
    }
    let mut table = Table::new(&["cut", "demand in A", "demand in B", "used in A", "used in B", "wires"]);
    for cut in all.cuts.iter().take(MOST_ROWS) {
        let counts = cut.demand.into_iter().chain(cut.used);
        let cells = counts.map(|count| count.map_or("unknown".to_owned(), |count| count.to_string()));
        table.row([cut.name.clone()].into_iter().chain(cells).chain([cut.capacity.to_string()]));
    }
    section(&table, all.cuts.len())
}

/// A table behind a blank line, and the number of rows that it leaves out.
fn section(table: &Table, rows: usize) -> String {
    if table.is_empty() {
        return String::new();
    }
    let more = match rows.checked_sub(MOST_ROWS) {
        Some(more @ 1..) => format!("and {more} more; --json has all\n"),
        _ => String::new(),
    };
    format!("\n{}{more}", table.text())
}
