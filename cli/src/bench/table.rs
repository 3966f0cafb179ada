//! A table of measurements (CSV): constants of the design, and medians measured with them.

use std::fmt;
use std::ops::Range;

use aiec_diag::{Diagnostic, SourceFile};

use crate::asked::number;
use crate::errors;
use crate::sweep::values::{MOST_POINTS, Point};

/// The measurements of a table.
#[derive(Debug)]
pub(super) struct Table {
    /// The constants, in the order of their columns.
    pub(super) constants: Vec<String>,
    /// What was measured, in the order of the columns.
    pub(super) measures: Vec<Measure>,
    /// One entry for each set of constants.
    pub(super) rows: Vec<Measurement>,
    /// The bytes of the header.
    pub(super) header: Range<usize>,
}

/// The measurements with one set of constants.
#[derive(Debug)]
pub(super) struct Measurement {
    pub(super) point: Point,
    /// The value of each measure in array cycles. None when the cell is empty.
    pub(super) values: Vec<Option<f64>>,
}

/// What a column measures, such as `first:cycles`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) kind: Kind,
    /// The output that counts, or the port that sends.
    pub(super) of: String,
}

/// The kind of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The first call after a start.
    First,
    /// Calls that follow another one.
    Further,
    /// The time of the smallest window from a port to its consumer.
    Latency,
}

/// The words before the colon.
const KINDS: [(&str, Kind); 3] =
    [("first", Kind::First), ("further", Kind::Further), ("latency", Kind::Latency)];

impl Measure {
    fn parse(column: &str) -> Option<Self> {
        let (word, of) = column.split_once(':')?;
        let (_, kind) = KINDS.iter().find(|(known, _)| *known == word)?;
        (!of.is_empty()).then(|| Self { kind: *kind, of: of.to_owned() })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(word, _)| word);
        write!(f, "{word}:{}", self.of)
    }
}

/// Reads a table of measurements from CSV with a header.
pub(super) fn parse(file: &SourceFile) -> Result<Table, Diagnostic> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file.text.as_bytes());
    let first_line = 0..file.text.lines().next().map_or(0, str::len);
    let bad = |bytes: Range<usize>, reason: &str| errors::bad_table(file, bytes, reason);
    let header = reader.headers().cloned();
    let header = header.map_err(|error| bad(first_line.clone(), &error.to_string()))?;
    let mut table = Table { constants: vec![], measures: vec![], rows: vec![], header: first_line.clone() };
    let columns: Vec<Option<Measure>> = header.iter().map(Measure::parse).collect();
    for (at, (name, measure)) in header.iter().zip(&columns).enumerate() {
        if !name.is_empty() && header.iter().take(at).any(|other| other == name) {
            return Err(bad(first_line, &format!("the column `{name}` is there twice")));
        }
        if let Some(measure) = measure {
            table.measures.push(measure.clone());
        } else if name.is_empty() || name.contains(':') {
            let reason = format!("the column `{name}` is neither a constant nor a measure");
            return Err(bad(first_line, &reason));
        } else {
            table.constants.push(name.to_owned());
        }
    }
    if table.measures.is_empty() {
        return Err(bad(first_line, "no column is a measure"));
    }
    for record in reader.records() {
        let record = record.map_err(|error| {
            let at = error.position().and_then(|position| usize::try_from(position.byte()).ok());
            bad(line_at(&file.text, at.unwrap_or(0)), &error.to_string())
        })?;
        let at = record.position().and_then(|position| usize::try_from(position.byte()).ok());
        let row = row(&header, &columns, &record);
        table.rows.push(row.map_err(|reason| bad(line_at(&file.text, at.unwrap_or(0)), &reason))?);
        if table.rows.len() as u128 > MOST_POINTS {
            return Err(bad(first_line, &format!("the table has more than {MOST_POINTS} rows")));
        }
    }
    match table.rows.is_empty() {
        true => Err(bad(first_line, "the table has no row")),
        false => Ok(table),
    }
}

/// The first line with text at or behind `at`.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let begin = at + (rest.len() - rest.trim_start().len());
    begin..begin + text.get(begin..).and_then(|rest| rest.lines().next()).map_or(0, str::len)
}

fn row(
    header: &csv::StringRecord,
    columns: &[Option<Measure>],
    record: &csv::StringRecord,
) -> Result<Measurement, String> {
    let mut row = Measurement { point: Point::new(), values: Vec::new() };
    for ((name, measure), cell) in header.iter().zip(columns).zip(record) {
        let value = number(cell);
        match (measure, value) {
            (None, Some(value)) => row.point.push((name.to_owned(), value)),
            (Some(_), None) if cell.is_empty() => row.values.push(None),
            (Some(_), Some(value)) if value.decimal().nearest() > 0.0 => {
                row.values.push(Some(value.decimal().nearest()));
            }
            (Some(_), Some(_)) => return Err(format!("`{name}` is {cell}, and times are above 0")),
            (_, None) => return Err(format!("`{name}` is `{cell}`, which is no number")),
        }
    }
    Ok(row)
}
