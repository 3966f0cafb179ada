//! The rows as text, CSV and plots.

use std::path::PathBuf;

use aiec_draw::{Chart, ChartLine};

use super::Whole;
use super::row::{Figures, Row};
use crate::sweep::{Refusal, csv::line};
use crate::table::Table;

/// Marks of the longest bar of the histogram.
const BAR: usize = 40;

/// The table, and for each pattern hops, hottest links and the reason of the first refusal. Hops
/// and links are those of the first size that has routes.
pub(super) fn summary(whole: &Whole<'_>, rows: &[Row], csv: Option<PathBuf>) -> String {
    let mut text = format!("traffic on {} (cycles in profile {})\n", whole.place.text(), whole.profile);
    text += &table(rows);
    text += &barriers(rows);
    for rows in rows.chunk_by(|one, next| one.pattern == next.pattern) {
        let routed =
            rows.iter().find_map(|row| Some(details(row, row.figures.as_ref()?, whole.place.is_network())));
        let refused = rows.iter().find_map(|row| Some(reason(row, row.refusal.as_ref()?)));
        text.extend([routed, refused].into_iter().flatten());
    }
    text += &loads(rows);
    text += &format!("{}\n", whole.note);
    let csv = csv.map(|path| format!("written: {}\n", path.display()));
    text + &csv.unwrap_or_default()
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new(&[
        "pattern",
        "bytes",
        "runs",
        "refused",
        "messages",
        "in memory",
        "mean",
        "p50",
        "p99",
        "max",
        "all done",
        "",
    ]);
    for row in rows.iter().filter(|row| row.barrier.is_none()) {
        table.row(runs(row).into_iter().chain(numbers(row, 0)).chain([code(row)]));
    }
    if table.is_empty() { String::new() } else { table.text() }
}

/// The times of barriers.
fn barriers(rows: &[Row]) -> String {
    let mut table = Table::new(&["barrier", "runs", "refused", "node 0", "min", "mean", "max"]);
    for row in rows {
        let Some(times) = &row.barrier else { continue };
        let [name, _, runs, refused] = runs(row);
        let cycles = [times.root_cycles, times.min_cycles, times.mean_cycles, times.max_cycles];
        table.row([name, runs, refused].into_iter().chain(cycles.map(|cycles| format!("{cycles:.0}"))));
    }
    if table.is_empty() { String::new() } else { table.text() }
}

/// Columns of [`numbers`].
const NUMBERS: usize = 7;

/// Pattern, bytes, and the number of runs and of refused ones.
fn runs(row: &Row) -> [String; 4] {
    [row.pattern.clone(), row.bytes.to_string(), row.runs.to_string(), row.refused.to_string()]
}

/// The code of the first refusal, or nothing.
fn code(row: &Row) -> String {
    row.refusal.as_ref().map(|refusal| refusal.code.clone()).unwrap_or_default()
}

/// The figures with `digits` behind the point, or nothing in each column.
fn numbers(row: &Row, digits: usize) -> [String; NUMBERS] {
    let cycles = |cycles: f64| format!("{cycles:.digits$}");
    if let Some(times) = &row.barrier {
        let [mean, max] = [times.mean_cycles, times.max_cycles].map(cycles);
        return [String::new(), String::new(), mean, String::new(), String::new(), max.clone(), max];
    }
    let Some(figures) = &row.figures else { return Default::default() };
    [
        figures.messages.to_string(),
        figures.shared.to_string(),
        cycles(figures.mean_cycles),
        cycles(figures.p50_cycles),
        cycles(figures.p99_cycles),
        cycles(figures.max_cycles),
        cycles(figures.total_cycles),
    ]
}

fn details(row: &Row, figures: &Figures, is_network: bool) -> String {
    let mut hops = Table::new(&["hops", "messages", "mean", ""]);
    let most = figures.hops.iter().map(|group| group.messages).max().unwrap_or(1);
    for group in &figures.hops {
        let name = group.hops.map_or_else(|| "-".to_owned(), |hops| hops.to_string());
        let bar = "#".repeat((group.messages * BAR).div_ceil(most.max(1)));
        hops.row([name, group.messages.to_string(), format!("{:.0}", group.mean_cycles), bar]);
    }
    let mut links = Table::new(&["from", "to", "most", "mean"]);
    for hot in &figures.links {
        let switch = |switch: aiec_router_model::Switch| format!("({}, {})", switch.column, switch.row);
        let most = format!("{}/{}", hot.most, hot.wires);
        links.row([switch(hot.from), switch(hot.to), most, format!("{:.2}", hot.mean)]);
    }
    let links = if is_network {
        String::new()
    } else if links.is_empty() {
        "  no link is in use\n".to_owned()
    } else {
        format!("\n  hottest links (switches by column and hardware row; wires in use)\n{}", links.text())
    };
    let shared = if is_network { "" } else { " (hops -: shared memory)" };
    format!("\n{}, {} bytes{shared}\n{}{links}", row.pattern, row.bytes, hops.text())
}

fn reason(row: &Row, refusal: &Refusal) -> String {
    let number =
        if row.runs == 1 { String::new() } else { format!(" {} of {} times", row.refused, row.runs) };
    format!(
        "\n{}, {} bytes: refused{number}: {}: {}\n",
        row.pattern, row.bytes, refusal.code, refusal.message
    )
}

/// Offered and accepted loads.
fn loads(rows: &[Row]) -> String {
    let mut table = Table::new(&["pattern", "bytes", "offered", "accepted", "saturation"]);
    for row in rows {
        let Some(loads) = &row.load else { continue };
        let saturation = loads.saturation_percent.map_or_else(|| "-".to_owned(), |load| format!("{load:.1}"));
        for load in &loads.points {
            let percents = [load.offered_percent, load.accepted_percent].map(|load| format!("{load:.1}"));
            let [offered, accepted] = percents;
            table.row([row.pattern.clone(), row.bytes.to_string(), offered, accepted, saturation.clone()]);
        }
    }
    match table.is_empty() {
        true => String::new(),
        false => {
            format!("\nload of a port of the destination (percent of 32 bits a cycle)\n{}", table.text())
        }
    }
}

/// The rows under one header.
pub(super) fn csv(profile: &str, rows: &[Row]) -> String {
    let head = [
        "pattern",
        "bytes",
        "runs",
        "refused",
        "code",
        "messages",
        "shared",
        "mean_cycles",
        "p50_cycles",
        "p99_cycles",
        "max_cycles",
        "total_cycles",
        "saturation_percent",
        "profile",
    ];
    let cells = |row: &Row| {
        let saturation = row.load.as_ref().and_then(|loads| loads.saturation_percent);
        let saturation = saturation.map(|load| load.to_string()).unwrap_or_default();
        let cells = runs(row).into_iter().chain([code(row)]).chain(numbers(row, 2));
        cells.chain([saturation, profile.to_owned()]).collect::<Vec<_>>()
    };
    let lines = rows.iter().map(cells);
    [head.map(str::to_owned).to_vec()].into_iter().chain(lines).map(|cells| line(&cells)).collect()
}

/// Plots of the mean and the 99th percentile over the size of messages, a line for each pattern.
pub(super) fn plots(whole: &Whole<'_>, logarithmic: bool, rows: &[Row]) -> [String; 2] {
    let plot = |what: &str, figure: &dyn Fn(&Figures) -> f64| {
        let mut lines: Vec<ChartLine> = Vec::new();
        for row in rows.iter().filter(|row| row.barrier.is_none()) {
            let point = (row.bytes as f64, row.figures.as_ref().map(figure));
            match lines.iter_mut().find(|line| line.name == row.pattern) {
                Some(line) => line.points.push(point),
                None => lines.push(ChartLine { name: row.pattern.clone(), points: vec![point] }),
            }
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        let Whole { place, profile, .. } = whole;
        let nodes = place.nodes();
        let title = format!("{what} of messages on {nodes} nodes by the event model with {profile}");
        let y = if place.is_network() { "cycles" } else { "array cycles" };
        aiec_draw::chart_svg(&Chart { title: &title, x: "bytes", y, logarithmic, lines })
    };
    [
        plot("Mean time", &|figures| figures.mean_cycles),
        plot("99th percentile of the time", &|figures| figures.p99_cycles),
    ]
}
