//! What a sweep prints.

use std::path::Path;

use super::point::{Outcome, Row};
use crate::table::Table;

/// Columns of figures.
const FIGURES: usize = 6;
/// Most rows that are printed; the files have all.
const MOST_ROWS: usize = 64;

/// The rows as a table, what their cycles rest on (`note`), the reason of the first refusal, and
/// where the files are. `kept` is the number of rows from an earlier sweep.
pub(crate) fn summary(constants: &[&str], rows: &[Row], note: &str, kept: usize, csv: &Path) -> String {
    let head = constants.iter().chain(&["by DMA", "bound", "cores", "bytes", "nets", "cycles", ""]);
    let mut table = Table::new(&head.copied().collect::<Vec<_>>());
    rows.iter().take(MOST_ROWS).for_each(|row| table.row(cells(constants, row)));
    let mut text = table.text();
    if let Some(more @ 1..) = rows.len().checked_sub(MOST_ROWS) {
        text += &format!("  and {more} more\n");
    }
    if rows.iter().any(|row| row.figures().is_some()) {
        text += &format!("{note}\n");
    }
    let refused = rows.iter().filter(|row| row.figures().is_none());
    text += &refused.clone().next().map(|row| reason(constants, row)).unwrap_or_default();
    let refused = refused.count();
    let kept = if kept > 0 { format!(", {kept} of them kept from before") } else { String::new() };
    let points = if rows.len() == 1 { "point" } else { "points" };
    text += &format!(
        "{} {points}: {} placed, {refused} refused{kept}: {}\n",
        rows.len(),
        rows.len() - refused,
        csv.display()
    );
    text
}

/// Why a point was refused, and how to see the place in the design.
fn reason(constants: &[&str], row: &Row) -> String {
    let Outcome::Refused(refusal) = &row.outcome else { return String::new() };
    let defines = constants.iter().map(|name| format!("-D {name}={}", row.constant(name)));
    let defines = defines.collect::<Vec<_>>().join(" ");
    format!(
        "{defines}: {}: {}\n  `aiec report` with these constants shows the place in the design\n",
        refusal.code, refusal.message
    )
}

fn cells(constants: &[&str], row: &Row) -> Vec<String> {
    let constants = constants.iter().map(|name| row.constant(name));
    let numbers = match &row.outcome {
        Outcome::Refused(refusal) => {
            let mut cells = vec![String::new(); FIGURES];
            cells.push(refusal.code.clone());
            cells
        }
        Outcome::Placed(figures) => {
            let cycles = figures.total_cycles.map_or_else(|| "-".to_owned(), |cycles| format!("{cycles:.0}"));
            let counts = [figures.dma_connections, figures.dma_bound, figures.cores, figures.bytes];
            let counts = counts.into_iter().chain([figures.nets]).map(|count| count.to_string());
            let note = figures.no_statement.clone().map(|reason| format!("no cycles: {reason}"));
            counts.chain([cycles, note.unwrap_or_default()]).collect()
        }
    };
    constants.chain(numbers).collect()
}
