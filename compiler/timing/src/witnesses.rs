//! Published cycle figures beside those of the model, as the table of `docs/timing.md`.
//!
//! Every row has the counts of its kernel, as `aiec sim --timing` gave them, or counts from its
//! published operations. The model runs anew for each table.

use std::fmt::Write as _;

use serde::Deserialize;

use crate::core::{CoreLimit, CoreModel, KernelEstimate};
use crate::counts::KernelCounts;

/// The rows: a JSON object per line.
const ROWS: &str = include_str!("../witnesses/rows.jsonl");

/// The largest error of rows that streams or a DMA limit.
const TRANSFER_GATE: f64 = 0.05;

/// Marks of the generated part of the page.
const BEGIN: &str = "<!-- rows -->\n";
const END: &str = "<!-- /rows -->";

/// The command that writes the page.
pub const DOCUMENT_COMMAND: &str = "cargo run -p xtask -- docs";

/// A published figure, with the counts from which the model estimates it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// Its number in the collection of figures.
    pub id: String,
    /// Kernel, types and sizes.
    pub what: String,
    /// Published cycles in the kernel's function, or from one firing to the next if `interval`.
    pub cycles: f64,
    /// True if `cycles` is from one firing to the next.
    #[serde(default)]
    pub interval: bool,
    /// The firings of the published run, if `cycles` is the time of the core's `main` divided by
    /// them.
    #[serde(default)]
    pub over: Option<u32>,
    /// Words that inputs and outputs of the array carry in a cycle, if they are slower than
    /// streams.
    #[serde(default)]
    pub plio_words: Option<f64>,
    /// True if the counts follow from published operations, not from a run of the kernel.
    #[serde(default)]
    pub by_operations: bool,
    /// Published bytes of program memory.
    #[serde(default)]
    pub program: Option<f64>,
    /// The counts of the kernel, which the model takes.
    pub counts: KernelCounts,
}

/// A published figure and that of the model.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The published figure.
    pub witness: Witness,
    /// The cycles of the model.
    pub kernel: KernelEstimate,
    /// The estimate that is compared with the published figure.
    pub estimate: f64,
    /// The part of the gates in which it counts.
    pub class: Class,
}

/// Classes of rows with a gate of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Streams or the DMA of windows decide.
    Transfer,
    /// Pipelined loops of fixed-point vectors over pointers with `restrict`.
    Restrict,
    /// Other kernels.
    Other,
}

impl Compared {
    /// The estimate over the published figure, less 1.
    pub fn error(&self) -> f64 {
        self.estimate / self.witness.cycles - 1.0
    }
}

/// All rows, compared.
///
/// # Errors
/// Returns the reason and the line of the first row that is none.
pub fn compared() -> Result<Vec<Compared>, String> {
    let row = |(number, line): (usize, &str)| {
        let witness: Witness =
            serde_json::from_str(line).map_err(|error| format!("row {}: {error}", number + 1))?;
        Ok(compare(witness))
    };
    ROWS.lines().enumerate().map(row).collect()
}

/// A row with the cycles of the model.
fn compare(witness: Witness) -> Compared {
    let mut model = CoreModel::aie1().clone();
    model.slots.stream_words = witness.plio_words.unwrap_or(model.slots.stream_words);
    let kernel = model.estimate(&witness.counts);
    let call = kernel.estimate + kernel.overhead;
    let interval = match witness.over {
        Some(firings) => model.run(&witness.counts, call, firings) / f64::from(firings),
        None => call.max(kernel.transfer),
    };
    let estimate = if witness.interval { interval } else { kernel.estimate };
    let class = if witness.interval && kernel.transfer > call || kernel.limit == CoreLimit::Stream {
        Class::Transfer
    } else if is_restrict(&witness.counts) {
        Class::Restrict
    } else {
        Class::Other
    };
    Compared { witness, kernel, estimate, class }
}

/// True if pipelined loops without floats, over pointers with `restrict`, do the vector work.
fn is_restrict(counts: &KernelCounts) -> bool {
    let vectors = || counts.regions.iter().filter(|region| region.vectors() > 0);
    vectors().next().is_some()
        && vectors().all(|region| region.restricted && region.pipelined && region.multiply_float == 0)
}

impl Compared {
    /// True if the DMA of a window takes longer than a call.
    fn is_carried(&self) -> bool {
        self.witness.interval && self.kernel.transfer > self.kernel.estimate + self.kernel.overhead
    }

    /// The estimated over the published program memory, less 1.
    pub fn program_error(&self) -> Option<f64> {
        Some(self.kernel.program.estimate / self.witness.program? - 1.0)
    }

    /// True if the published program memory lies in the range of the model.
    fn has_program_in_range(&self) -> Option<bool> {
        let range = self.kernel.program.low..=self.kernel.program.high;
        Some(range.contains(&self.witness.program?))
    }
}

/// The median of the absolute errors. Returns None when there are no rows.
pub fn median<'a>(rows: impl Iterator<Item = &'a Compared>) -> Option<f64> {
    middle(rows.map(|row| row.error().abs()).collect())
}

/// The median of some numbers. Returns None when there are none.
fn middle(mut errors: Vec<f64>) -> Option<f64> {
    errors.sort_by(f64::total_cmp);
    let upper = errors.get(errors.len() / 2)?;
    let lower = errors.get((errors.len() - 1) / 2)?;
    Some(f64::midpoint(*lower, *upper))
}

/// The page with its generated part anew.
///
/// # Errors
/// Returns a reason if the page has no marks or a row is none.
pub fn document(page: &str) -> Result<String, String> {
    let missing = || format!("docs/timing.md has no part between {} and {END}", BEGIN.trim());
    let (before, rest) = page.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", table(&compared()?)))
}

fn table(rows: &[Compared]) -> String {
    let mut text =
        String::from("| rows | number | median error | largest error | gate |\n|---|---|---|---|---|\n");
    let transfer = |row: &&Compared| row.class == Class::Transfer;
    let met = rows.iter().filter(transfer).filter(|row| row.error().abs() <= TRANSFER_GATE).count();
    let gate = format!("each at most {:.0} %: {met} are", 100.0 * TRANSFER_GATE);
    summary(&mut text, "limited by streams or a DMA", rows.iter().filter(transfer), &gate);
    let restrict = |row: &&Compared| row.class == Class::Restrict;
    summary(&mut text, "fixed point, pipelined, `restrict`", rows.iter().filter(restrict), "median 10 %");
    let float = |row: &&Compared| row.class == Class::Other;
    summary(&mut text, "other compute, mostly floats", rows.iter().filter(float), "none");
    let compute = |row: &&Compared| row.class != Class::Transfer;
    summary(&mut text, "all compute", rows.iter().filter(compute), "median 20 %");
    let _ = writeln!(text, "\n{}", programs(rows));
    text += "\n| id | kernel | published | low | estimate | error | limit | counts |\n|---|---|---|---|---|---|---|---|\n";
    for row in rows {
        let by = if row.witness.by_operations { "operations" } else { "run" };
        let limit = match row.class {
            Class::Transfer if row.is_carried() => "DMA",
            _ => row.kernel.limit.word(),
        };
        let interval = if row.witness.interval { ", from firing to firing" } else { "" };
        let _ = writeln!(
            text,
            "| {} | {}{interval} | {:.0} | {:.0} | {:.0} | {:+.0} % | {limit} | {by} |",
            row.witness.id,
            row.witness.what,
            row.witness.cycles,
            row.kernel.low.ceil(),
            row.estimate,
            100.0 * row.error()
        );
    }
    text
}

/// A sentence about program memory.
fn programs(rows: &[Compared]) -> String {
    let errors: Vec<f64> = rows.iter().filter_map(Compared::program_error).collect();
    let within = rows.iter().filter_map(Compared::has_program_in_range).filter(|&within| within).count();
    let largest = errors.iter().copied().map(f64::abs).fold(0.0, f64::max);
    let median = middle(errors.iter().copied().map(f64::abs).collect()).unwrap_or(0.0);
    format!(
        "Program memory, {} rows: median error {:.0} %, largest {:.0} %; {within} in the stated range.",
        errors.len(),
        100.0 * median,
        100.0 * largest
    )
}

fn summary<'a>(text: &mut String, name: &str, rows: impl Iterator<Item = &'a Compared> + Clone, gate: &str) {
    let Some(median) = median(rows.clone()) else { return };
    let largest = rows.clone().map(|row| row.error().abs()).fold(0.0, f64::max);
    let _ = writeln!(
        text,
        "| {name} | {} | {:.1} % | {:.0} % | {gate} |",
        rows.count(),
        100.0 * median,
        100.0 * largest
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_the_model_as_it_is() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/timing.md");
        #[expect(clippy::disallowed_methods, reason = "a test compares a file of the repository")]
        let page = std::fs::read_to_string(path).expect("the page is there");
        assert!(document(&page).expect("marks and rows") == page, "stale: run `{DOCUMENT_COMMAND}`");
    }

    #[test]
    fn compute_rows_stay_within_their_gates() {
        let rows = compared().expect("rows");
        assert!(rows.len() >= 80, "{}", rows.len());
        let compute = median(rows.iter().filter(|row| row.class != Class::Transfer)).expect("rows");
        assert!(compute <= 0.2, "median of compute rows: {compute}");
        let restrict = median(rows.iter().filter(|row| row.class == Class::Restrict)).expect("rows");
        assert!(restrict <= 0.1, "median of loops with restrict: {restrict}");
    }

    #[test]
    fn nine_of_ten_programs_have_a_size_in_the_stated_range() {
        let rows = compared().expect("rows");
        let within: Vec<bool> = rows.iter().filter_map(Compared::has_program_in_range).collect();
        assert!(within.len() >= 80, "{}", within.len());
        let inside = within.iter().filter(|&&within| within).count();
        assert!(inside * 10 >= within.len() * 9, "{inside} of {}", within.len());
        let errors = rows.iter().filter_map(Compared::program_error).map(f64::abs).collect();
        assert!(middle(errors).is_some_and(|median| median <= 0.2));
    }
}
