//! The figures of a bench as a table.

use aiec_diag::count;

use super::pages::percent_of;
use super::{Figure, Report, What};
use crate::sample::Sample;
use crate::table::Table;

/// The table with its head and notes.
pub(super) fn text(report: &Report) -> String {
    let Report { design, device, profile, source, array_mhz, .. } = report;
    let mut text = match report.runs {
        Some(runs) => format!(
            "{design} on {device}: {}, in array cycles ({array_mhz} MHz), beside the event model with profile {profile}\n",
            count(runs, "run")
        ),
        None => format!(
            "{design} on {device}: array cycles by the event model with profile {profile}, no run on a board\n"
        ),
    };
    let mut table = match report.runs {
        Some(_) => Table::new(&[
            "figure",
            "values",
            "median",
            "from",
            "to",
            "least",
            "most",
            "predicted",
            "error",
            "prediction",
        ]),
        None => Table::new(&["figure", "values", "median", "from", "to", "least", "most", "prediction"]),
    };
    report.figures.iter().for_each(|figure| table.row(row(figure, report.runs.is_some())));
    text += &match report.figures.is_empty() {
        true => "  no figures: nothing was measured, and nothing is predicted\n".to_owned(),
        false => table.text() + "  from, to: first and third quartile\n",
    };
    if report.wrong_runs > 0 {
        text += &format!("  left out: {} with a wrong output\n", count(report.wrong_runs, "run"));
    }
    for log in &report.cut_off {
        text += &format!("  left out: the last line of {log}, which is cut off\n");
    }
    if let Some(reason) = &report.no_statement {
        text += &format!("  no predictions, since {reason}\n");
    }
    if report.figures.iter().any(|figure| figure.what == What::WholeRun && figure.measured.is_some()) {
        text += "  whole run: clock of the host, with the start of the graph, which no model predicts\n";
    }
    text + &format!("  profile {profile}: {source}\n")
}

fn row(figure: &Figure, is_measured: bool) -> Vec<String> {
    let what = match figure.what {
        What::FirstCall => "first call",
        What::FurtherCalls => "further calls",
        What::Entered => "entered before the last rank",
        What::Left => "left after that",
        What::WholeRun => "whole run",
    };
    let mut cells = vec![format!("{}, {what}", figure.of)];
    let shown = if is_measured { &figure.measured } else { &figure.predicted };
    cells.extend(numbers(shown.as_ref()));
    if is_measured {
        cells.push(figure.predicted.as_ref().map_or_else(String::new, |sample| cycles(sample.median)));
        cells.push(figure.error.map_or_else(String::new, percent_of));
    }
    cells.push(figure.basis.map_or("", |basis| basis.words()).to_owned());
    cells
}

fn numbers(sample: Option<&Sample>) -> Vec<String> {
    let Some(Sample { values, least, lower, median, upper, most }) = sample else {
        return vec![String::new(); 6];
    };
    let cycles = [median, lower, upper, least, most].map(|&value| cycles(value));
    [vec![values.to_string()], cycles.to_vec()].concat()
}

/// Cycles with a half if they have one, as medians of an even number do.
fn cycles(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
