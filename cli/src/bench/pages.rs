//! Measurements beside predictions as CSV, as Markdown, and as plots.

use aiec_diag::count;
use aiec_draw::{Chart, ChartLine};

use super::against::{Compared, Row, Whole};
use super::table::{Measure, Measurement};
use crate::sweep::csv::line;

/// The columns of each measure.
const COLUMNS: [&str; 5] = ["", " predicted", " error", " closed form", " closed form error"];

/// The rows under one header.
pub(super) fn csv(whole: &Whole<'_>) -> String {
    let measures = whole.measures.iter().flat_map(|measure| {
        COLUMNS.iter().map(move |column| format!("{measure}{column}")).chain([format!("{measure} basis")])
    });
    let head: Vec<String> =
        whole.constants.iter().cloned().chain(["refused".to_owned()]).chain(measures).collect();
    let cells = |row: &Row| {
        let constants = whole.constants.iter().map(|name| constant(row, name));
        let refused = row.refused.as_ref().map_or_else(String::new, |refusal| refusal.code.clone());
        let figures = row.figures.iter().flat_map(|figure| {
            let basis = figure.basis.map_or("", |basis| basis.words()).to_owned();
            numbers(figure).into_iter().chain([basis]).collect::<Vec<_>>()
        });
        constants.chain([refused]).chain(figures).collect::<Vec<_>>()
    };
    line(&head) + &whole.rows.iter().map(|row| line(&cells(row))).collect::<String>()
}

fn constant(row: &Row, name: &str) -> String {
    row.constants.get(name).map(serde_json::Value::to_string).unwrap_or_default()
}

/// Cycles as they are, and errors to four digits behind the point.
fn numbers(figure: &Compared) -> [String; 5] {
    let cycles = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let error = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.4}"));
    let Compared { measured, predicted, error: off, closed_form, closed_form_error, .. } = *figure;
    [cycles(measured), cycles(predicted), error(off), cycles(closed_form), error(closed_form_error)]
}

/// The rows as a table of Markdown, with the largest errors below.
pub(super) fn markdown(whole: &Whole<'_>) -> String {
    let Whole { design, device, profile, source, .. } = whole;
    // No row is on a device if all are refused.
    let on = if device.is_empty() { String::new() } else { format!(" on {device}") };
    let mut text =
        format!("{design}{on}: measured, and predicted with profile {profile}, in array cycles\n\n");
    let measures = whole.measures.iter().enumerate().flat_map(|(at, measure)| {
        shown(whole, at).into_iter().map(move |column| format!("{measure}{}", COLUMNS[column]))
    });
    let head: Vec<String> = whole.constants.iter().cloned().chain(measures).collect();
    text += &cells(&head);
    text += &cells(&vec!["---:".to_owned(); head.len()]);
    for row in &whole.rows {
        let constants = whole.constants.iter().map(|name| constant(row, name));
        let figures = row.figures.iter().enumerate().flat_map(|(at, figure)| {
            let numbers = percents(figure);
            shown(whole, at).into_iter().map(move |column| numbers[column].clone())
        });
        text += &cells(&constants.chain(figures).collect::<Vec<_>>());
    }
    text += "\n";
    for (at, measure) in whole.measures.iter().enumerate() {
        text += &format!("{measure}: {}\n", errors(whole, at));
    }
    for row in &whole.rows {
        if let Some(refusal) = &row.refused {
            let names = whole.constants.iter().map(|name| format!("{name}={}", constant(row, name)));
            let point = names.collect::<Vec<_>>().join(" ");
            text += &format!("{point}: {}: {}\n", refusal.code, refusal.message);
        }
    }
    text + &format!("profile {profile}: {source}\n")
}

/// The columns of a measure that have a number in some row.
fn shown(whole: &Whole<'_>, at: usize) -> Vec<usize> {
    let has = |&column: &usize| whole.rows.iter().any(|row| !numbers(&row.figures[at])[column].is_empty());
    (0..COLUMNS.len()).filter(has).collect()
}

fn percents(figure: &Compared) -> [String; 5] {
    let percent = |value: Option<f64>| value.map_or_else(String::new, percent_of);
    let [measured, predicted, _, closed, _] = numbers(figure);
    [measured, predicted, percent(figure.error), closed, percent(figure.closed_form_error)]
}

/// A part in percent, without the sign of a rounded zero.
pub(super) fn percent_of(value: f64) -> String {
    format!("{:.1} %", (1000.0 * value).round() / 10.0 + 0.0)
}

fn cells(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// The largest and the mean error of a measure, by each model.
fn errors(whole: &Whole<'_>, at: usize) -> String {
    let parts = [("predicted", false), ("closed form", true)].into_iter().filter_map(|(name, is_closed)| {
        let error = |figure: &Compared| if is_closed { figure.closed_form_error } else { figure.error };
        let errors: Vec<f64> =
            whole.rows.iter().filter_map(|row| error(&row.figures[at])).map(f64::abs).collect();
        let largest = errors.iter().copied().fold(0.0, f64::max);
        let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let rows = count(errors.len() as u64, "row");
        let (largest, mean) = (100.0 * largest, 100.0 * mean);
        (!errors.is_empty())
            .then(|| format!("{name} off by at most {largest:.1} %, {mean:.1} % on average ({rows})"))
    });
    let parts: Vec<String> = parts.collect();
    let basis = whole.rows.iter().filter_map(|row| row.figures[at].basis).next();
    let basis = basis.map_or_else(String::new, |basis| format!("; {}", basis.words()));
    if parts.is_empty() { "no predictions".to_owned() } else { parts.join("; ") + &basis }
}

/// The names of the plots, which follow from the table alone.
pub(super) fn names(constants: &[String], measures: &[Measure], rows: &[Measurement]) -> Vec<String> {
    let axes = axes(constants.len(), rows);
    let of = |measure: &Measure| {
        axes.iter().map(|axis| file(&measure.to_string(), &constants[axis.constant])).collect::<Vec<_>>()
    };
    measures.iter().flat_map(of).collect()
}

/// A constant that a plot can have along its axis.
struct Axis {
    /// Its position among the constants.
    constant: usize,
    /// Its value in each row.
    values: Vec<f64>,
}

/// The constants with several values.
fn axes(constants: usize, rows: &[Measurement]) -> Vec<Axis> {
    let axes = (0..constants).map(|constant| {
        let values = rows.iter().map(|row| row.point[constant].1.decimal().nearest()).collect();
        Axis { constant, values }
    });
    axes.filter(|axis| axis.values.iter().any(|value| Some(value) != axis.values.first())).collect()
}

/// The name of a plot: letters, digits, and `-` for all else.
fn file(measure: &str, axis: &str) -> String {
    let plain = |text: &str| {
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect::<String>()
    };
    format!("{}-by-{}.svg", plain(measure), plain(axis))
}

/// A plot of each measure over each constant with several values: lines of measurements and of
/// predictions, for each combination of the other constants with several rows. In the order of
/// their [`names`].
pub(super) fn plots(whole: &Whole<'_>, rows: &[Measurement]) -> Vec<String> {
    let axes = axes(whole.constants.len(), rows);
    let mut plots = Vec::new();
    for (at, measure) in whole.measures.iter().enumerate() {
        for axis in &axes {
            let title = format!("{measure} of {}, profile {}", whole.design, whole.profile);
            let lines = lines(whole, at, axis);
            let (x, logarithmic) = (&whole.constants[axis.constant], is_geometric(&axis.values));
            plots.push(aiec_draw::chart_svg(&Chart {
                title: &title,
                x,
                y: "array cycles",
                logarithmic,
                lines,
            }));
        }
    }
    plots
}

/// True if each value is at least one and a half times the one before.
fn is_geometric(values: &[f64]) -> bool {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    sorted.first().is_some_and(|&first| first > 0.0) && sorted.windows(2).all(|pair| pair[1] >= 1.5 * pair[0])
}

fn lines(whole: &Whole<'_>, at: usize, axis: &Axis) -> Vec<ChartLine> {
    let mut lines: Vec<ChartLine> = Vec::new();
    let mut add =
        |name: String, point: (f64, Option<f64>)| match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => lines.push(ChartLine { name, points: vec![point] }),
        };
    for (row, &x) in whole.rows.iter().zip(&axis.values) {
        let others = whole.constants.iter().filter(|name| **name != whole.constants[axis.constant]);
        let others: Vec<String> = others.map(|name| format!("{name}={}", constant(row, name))).collect();
        let figure = &row.figures[at];
        let named = |what: &str| [others.clone(), vec![what.to_owned()]].concat().join(", ");
        add(named("measured"), (x, figure.measured));
        add(named("predicted"), (x, figure.predicted));
    }
    lines.retain(|line| line.points.len() > 1);
    lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    lines
}
