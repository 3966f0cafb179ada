//! The plots of a sweep: a figure over the first constant with several values, one line for each
//! combination of the others.

use aiec_draw::{Chart, ChartLine};

use super::point::{Figures, Row};
use super::values::Axis;

/// The pictures of total cycles and of connections by DMA.
pub(crate) fn plots(design: &str, axes: &[Axis], rows: &[Row]) -> [String; 2] {
    let cycles = |figures: &Figures| figures.total_cycles;
    let connections = |figures: &Figures| Some(figures.dma_connections as f64);
    let profile = rows.iter().find_map(|row| Some(row.figures()?.profile.as_str()));
    let with = profile.map(|profile| format!(" with {profile}")).unwrap_or_default();
    [
        plot(
            &format!("Total cycles of {design} by the event model{with}"),
            "array cycles",
            axes,
            rows,
            &cycles,
        ),
        plot(&format!("Connections by DMA of {design}"), "connections", axes, rows, &connections),
    ]
}

fn plot(
    title: &str,
    unit: &str,
    axes: &[Axis],
    rows: &[Row],
    figure: &dyn Fn(&Figures) -> Option<f64>,
) -> String {
    let several = axes.iter().find(|axis| axis.values.len() > 1);
    let Some(first) = several.or_else(|| axes.first()) else { return String::new() };
    let mut lines: Vec<ChartLine> = Vec::new();
    for row in rows {
        let name = name(axes, first, row);
        let value = row.constants.get(&first.name).and_then(serde_json::Value::as_f64).unwrap_or_default();
        let point = (value, row.figures().and_then(figure));
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => lines.push(ChartLine { name, points: vec![point] }),
        }
    }
    lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let chart = Chart { title, x: &first.name, y: unit, logarithmic: first.geometric, lines };
    aiec_draw::chart_svg(&chart)
}

/// The constants of a line: all with several values but the one along the axis.
fn name(axes: &[Axis], first: &Axis, row: &Row) -> String {
    let others = axes.iter().filter(|axis| axis.name != first.name && axis.values.len() > 1);
    let words = others.map(|axis| format!("{}={}", axis.name, row.constant(&axis.name)));
    words.collect::<Vec<_>>().join(", ")
}
