//! A chart of lines over numbers, as an SVG document.

use svg::node::element::{Circle, Group, Line as Segment, Path, Rectangle, Text, Title};

use crate::sheet::sheet;

/// Pixels on the left, for the numbers of the vertical axis.
const LEFT: f64 = 84.0;
/// Pixels above the lines, for the title.
const TOP: f64 = 52.0;
/// Pixels of the area of the lines.
const WIDTH: f64 = 560.0;
/// Pixels of the area of the lines.
const HEIGHT: f64 = 360.0;
/// Pixels below the area, for numbers and the name of the axis.
const BOTTOM: f64 = 56.0;
/// Pixels between the area and the edges of the picture, so that marks on an edge are whole.
const MARGIN: f64 = 24.0;
/// Pixels of a letter of a label, for the width of the legend.
const LETTER: f64 = 6.6;
/// Pixels of a line of the legend.
const ENTRY: f64 = 18.0;
/// Most lines in a chart. Colours do not distinguish more.
const MOST_LINES: usize = 24;
/// Least pixels between two numbers along the horizontal axis.
const GAP: f64 = 10.0;
/// Colours that readers with a colour vision deficiency tell apart (Okabe and Ito, 2008), without
/// yellow.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];
/// Dashes of lines. The next pattern begins when all colours are in use.
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "9 3 2 3"];

/// Lines over one axis.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// The text above the chart.
    pub title: &'a str,
    /// The name of the horizontal axis.
    pub x: &'a str,
    /// The name of the vertical axis, which begins at 0.
    pub y: &'a str,
    /// True if the horizontal axis is logarithmic. All of its numbers are then positive.
    pub logarithmic: bool,
    /// Each with a colour of its own; all but the first 24 are only counted.
    pub lines: Vec<ChartLine>,
}

/// Points that are joined from left to right.
#[derive(Clone, Debug)]
pub struct ChartLine {
    /// Its name in the legend. Empty for a single line.
    pub name: String,
    /// Its points from left to right. A point without a value is marked on the axis.
    pub points: Vec<(f64, Option<f64>)>,
}

/// The chart as an SVG document.
pub fn chart_svg(chart: &Chart<'_>) -> String {
    let shown = chart.lines.len().min(MOST_LINES);
    let scale = Scale::of(chart);
    let longest = chart.lines.iter().take(shown).map(|line| line.name.chars().count()).max().unwrap_or(0);
    let legend = if longest == 0 { 0.0 } else { 60.0 + LETTER * longest as f64 };
    let letters = LETTER * 24.0;
    let width = LEFT + WIDTH + MARGIN + legend.max(if longest == 0 { 0.0 } else { letters });
    let height = (TOP + HEIGHT + BOTTOM).max(TOP + ENTRY * (shown as f64 + 3.0));
    let background = Rectangle::new().set("width", width).set("height", height).set("fill", "white");
    let mut document = sheet(width, height)
        .set("font-size", 12)
        .add(background)
        .add(label(chart.title, LEFT, 28.0).set("font-size", 16))
        .add(axes(chart, &scale));
    for (at, line) in chart.lines.iter().take(shown).enumerate() {
        document = document.add(drawn(chart, line, at, &scale));
    }
    if longest > 0 {
        document = document.add(self::legend(chart, shown));
    }
    let is_missing = |line: &ChartLine| line.points.iter().any(|(_, value)| value.is_none());
    if chart.lines.iter().any(is_missing) {
        let note = label("× no value: refused, or no statement", LEFT, TOP + HEIGHT + 46.0);
        document = document.add(note.set("fill", "#555555"));
    }
    format!("{document}\n")
}

/// Where numbers lie in the picture.
struct Scale {
    logarithmic: bool,
    /// Least and greatest number along the horizontal axis, as it is drawn.
    x: [f64; 2],
    /// The number at the top.
    top: f64,
    /// The numbers along the axes.
    ticks: [Vec<f64>; 2],
}

impl Scale {
    fn of(chart: &Chart<'_>) -> Self {
        let points = || chart.lines.iter().flat_map(|line| &line.points);
        let mut numbers: Vec<f64> = points().map(|(x, _)| *x).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.dedup();
        let along = |number: f64| if chart.logarithmic { number.log10() } else { number };
        let first = numbers.first().copied().map_or(0.0, along);
        let last = numbers.last().copied().map_or(1.0, along);
        // A single number stands in the middle.
        let room = if last > first { 0.0 } else { 1.0 };
        let most = points().filter_map(|(_, value)| *value).fold(0.0, f64::max);
        let step = step(most);
        let steps = (most / step).ceil().max(1.0);
        let vertical = (0..=steps as u32).map(|number| f64::from(number) * step).collect();
        let scale = Self {
            logarithmic: chart.logarithmic,
            x: [first - room, last + room],
            top: steps * step,
            ticks: [Vec::new(), vertical],
        };
        Self { ticks: [scale.apart(&numbers), scale.ticks[1].clone()], ..scale }
    }

    /// The numbers whose labels do not touch that of the one before.
    fn apart(&self, numbers: &[f64]) -> Vec<f64> {
        let mut end = f64::NEG_INFINITY;
        let is_free = |number: &&f64| {
            let half = LETTER * number.to_string().len() as f64 / 2.0;
            let is_free = self.x(**number) - half >= end + GAP;
            end = if is_free { self.x(**number) + half } else { end };
            is_free
        };
        numbers.iter().filter(is_free).copied().collect()
    }

    fn x(&self, number: f64) -> f64 {
        let along = if self.logarithmic { number.log10() } else { number };
        pixel(LEFT + WIDTH * (along - self.x[0]) / (self.x[1] - self.x[0]))
    }

    fn y(&self, number: f64) -> f64 {
        pixel(TOP + HEIGHT * (1.0 - number / self.top))
    }
}

/// A place to a tenth of a pixel.
fn pixel(place: f64) -> f64 {
    (place * 10.0).round() / 10.0
}

/// The distance of the numbers along the vertical axis: 1, 2 or 5 times a power of ten, at least 1,
/// so that there are at most seven numbers up to `most`.
fn step(most: f64) -> f64 {
    let least = (most / 6.0).max(1.0);
    let power = 10_f64.powf(least.log10().floor());
    let found = [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|step| *step >= least);
    found.unwrap_or(10.0 * power)
}

fn label(text: impl Into<String>, x: f64, y: f64) -> Text {
    Text::new(text.into()).set("x", x).set("y", y)
}

fn axes(chart: &Chart<'_>, scale: &Scale) -> Group {
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let segment = |x1: f64, y1: f64, x2: f64, y2: f64| {
        Segment::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
    };
    let [along, up] = &scale.ticks;
    let mut group = Group::new().set("stroke-width", 1);
    for &number in up {
        let y = scale.y(number);
        group = group
            .add(segment(LEFT, y, right, y).set("stroke", "#dddddd"))
            .add(label(number.to_string(), LEFT - 8.0, y + 4.0).set("text-anchor", "end"));
    }
    for &number in along {
        let x = scale.x(number);
        group = group
            .add(segment(x, bottom, x, bottom + 5.0).set("stroke", "#30343b"))
            .add(label(number.to_string(), x, bottom + 18.0).set("text-anchor", "middle"));
    }
    let name = if chart.logarithmic { format!("{} (logarithmic)", chart.x) } else { chart.x.to_owned() };
    group
        .add(segment(LEFT, bottom, right, bottom).set("stroke", "#30343b"))
        .add(segment(LEFT, TOP, LEFT, bottom).set("stroke", "#30343b"))
        .add(label(name, right, bottom + 36.0).set("text-anchor", "end"))
        .add(label(chart.y, LEFT, TOP - 8.0).set("fill", "#555555"))
}

/// The stroke of the line with number `at`.
fn stroke(at: usize) -> (&'static str, &'static str) {
    (COLOURS[at % COLOURS.len()], DASHES[at / COLOURS.len() % DASHES.len()])
}

/// A line with its marks. It has gaps where there is no value.
fn drawn(chart: &Chart<'_>, line: &ChartLine, at: usize, scale: &Scale) -> Group {
    let (colour, dashes) = stroke(at);
    let mut way = String::new();
    let mut marks = Group::new();
    let mut pen = 'M';
    for &(number, value) in &line.points {
        let x = scale.x(number);
        let Some(value) = value else {
            pen = 'M';
            marks =
                marks.add(label("×", x, TOP + HEIGHT + 4.0).set("text-anchor", "middle").set("fill", colour));
            continue;
        };
        let y = scale.y(value);
        way += &format!("{pen}{x},{y} ");
        pen = 'L';
        let constants = format!("{}={number}", chart.x);
        let words = [constants.as_str(), &line.name].into_iter().filter(|word| !word.is_empty());
        let hint = format!("{}: {value}", words.collect::<Vec<_>>().join(", "));
        let mark = Circle::new().set("cx", x).set("cy", y).set("r", 3.5).set("fill", colour);
        marks = marks.add(mark.add(Title::new(hint)));
    }
    if way.is_empty() {
        return marks;
    }
    let path = Path::new().set("d", way.trim_end()).set("fill", "none").set("stroke", colour);
    Group::new().add(path.set("stroke-width", 2).set("stroke-dasharray", dashes)).add(marks)
}

fn legend(chart: &Chart<'_>, shown: usize) -> Group {
    let x = LEFT + WIDTH + MARGIN;
    let mut group = Group::new();
    for (at, line) in chart.lines.iter().take(shown).enumerate() {
        let y = TOP + ENTRY * at as f64;
        let (colour, dashes) = stroke(at);
        let sample = Segment::new().set("x1", x).set("y1", y).set("x2", x + 30.0).set("y2", y);
        group = group
            .add(sample.set("stroke", colour).set("stroke-width", 2).set("stroke-dasharray", dashes))
            .add(label(line.name.as_str(), x + 38.0, y + 4.0));
    }
    match chart.lines.len() - shown {
        0 => group,
        more => group.add(label(format!("{more} more lines not drawn"), x, TOP + ENTRY * shown as f64 + 4.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(lines: Vec<ChartLine>) -> String {
        chart_svg(&Chart { title: "t", x: "N", y: "cycles", logarithmic: true, lines })
    }

    fn line(name: &str, points: &[(f64, Option<f64>)]) -> ChartLine {
        ChartLine { name: name.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn a_logarithmic_axis_has_equal_steps_for_equal_factors() {
        let text = chart(vec![line("", &[(1.0, Some(3.0)), (4.0, Some(3.0)), (16.0, Some(6.0))])]);
        assert!(text.contains(&format!("M{LEFT},232 L{},232 L{},52", LEFT + 280.0, LEFT + 560.0)), "{text}");
    }

    #[test]
    fn a_point_without_value_parts_the_line_and_has_a_mark() {
        let points = [(1.0, Some(1.0)), (2.0, Some(1.0)), (4.0, None), (8.0, Some(1.0))];
        let text = chart(vec![line("A=1", &points)]);
        let path =
            text.lines().find(|line| line.contains(" d=\"M") || line.contains("d=\"M")).expect("a path");
        assert_eq!(path.matches('M').count(), 2, "{path}");
        assert!(text.contains("no value: refused"));
    }

    #[test]
    fn numbers_along_the_axis_are_round() {
        assert_eq!([0.0, 6.0, 7.0, 44.0, 3000.0, 61000.0].map(step), [1.0, 1.0, 2.0, 10.0, 500.0, 20000.0]);
    }

    #[test]
    fn few_or_very_many_lines_are_a_picture_too() {
        for text in [chart(Vec::new()), chart(vec![line("", &[(5.0, None)])])] {
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
        let many = (0..30).map(|number| line(&format!("A={number}"), &[(2.0, Some(1.0))])).collect();
        assert!(chart(many).contains("6 more lines not drawn"));
    }
}
