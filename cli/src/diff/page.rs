//! The differences as one HTML page, which has no script and loads nothing.

use std::collections::BTreeMap;

use super::changes::Differences;
use super::report::{Report, Tile};
use super::shift::Shift;
use super::side::Side;
use super::tables::{Section, sections, verdict};

/// Pixels of a tile in the picture.
const TILE: u32 = 26;
/// Empty columns beside those with kernels.
const BESIDE: u16 = 2;

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5em auto; max-width: 80em; padding: 0 1em; }
h1 { font-size: 20px; }
h2 { font-size: 15px; margin: 1.6em 0 .3em; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 2px 14px 2px 0; border-bottom: 1px solid light-dark(#d3d7de, #3a3f4a); }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.up, td.removed { color: light-dark(#b3261e, #ff8a80); }
td.down, td.added { color: light-dark(#1b7f3b, #4fc36f); }
svg { max-width: 100%; height: auto; }
.tile { fill: light-dark(#eef0f3, #242832); }
.same { fill: light-dark(#9fb3c8, #5a7391); }
.old { fill: none; stroke: light-dark(#59606d, #a2a9b6); stroke-dasharray: 3 2; }
.new { fill: light-dark(#f0b429, #8a6d1a); }
.added { fill: light-dark(#1b7f3b, #4fc36f); }
.removed { fill: light-dark(#b3261e, #ff8a80); }
.gone { fill: none; stroke: light-dark(#b3261e, #ff8a80); stroke-width: 3; }
.way { stroke: light-dark(#c2410c, #ffb454); fill: none; }
";

/// The page of `all`, with a picture of both sides. Names of the user are escaped.
pub(super) fn page(sides: [&Side; 2], all: &Differences) -> String {
    let [old, new] = all.names.each_ref().map(|name| escaped(name));
    let title = escaped(&sides[1].report.design.name);
    let tables: String = sections(all).iter().map(table).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - aiec diff</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}: what changed</h1>\n<p>From <code>{old}</code> to <code>{new}</code>: {}.</p>\n\
         {}{tables}</body>\n</html>\n",
        escaped(&verdict(all)),
        picture(sides.map(|side| &side.report), all.shift),
    )
}

fn table(section: &Section) -> String {
    let [title, columns @ ..] = section.columns;
    let heads: String =
        ["name"].iter().chain(&columns).map(|column| format!("<th>{}</th>", escaped(column))).collect();
    let rows: String = section.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row))).collect();
    format!("<h2>{}</h2>\n<table>\n<tr>{heads}</tr>\n{rows}</table>\n", escaped(title))
}

fn cells(row: &[String; 4]) -> String {
    let class = |cell: &String| match cell.as_bytes().first() {
        _ if cell == "added" || cell == "removed" => format!(" class=\"{cell}\""),
        Some(b'+') => " class=\"n up\"".to_owned(),
        Some(b'-') if cell.len() > 1 => " class=\"n down\"".to_owned(),
        Some(b'0'..=b'9') if cell.bytes().all(|byte| byte.is_ascii_digit()) => " class=\"n\"".to_owned(),
        _ => String::new(),
    };
    let [name, rest @ ..] = row;
    let rest = rest.iter().map(|cell| format!("<td{}>{}</td>", class(cell), escaped(cell)));
    format!("<td>{}</td>{}", escaped(name), rest.collect::<String>())
}

/// The columns of the array with kernels, that moved, came, went or stayed. Empty for two devices.
fn picture(reports: [&Report; 2], shift: Option<Shift>) -> String {
    let [old, new] = reports;
    let (columns, rows) = (new.device.columns, new.device.rows);
    if old.device.name != new.device.name || (old.device.columns, old.device.rows) != (columns, rows) {
        return String::new();
    }
    let tiles = |report: &Report| -> BTreeMap<String, Tile> {
        report.kernels.iter().map(|kernel| (kernel.name.clone(), kernel.tile)).collect()
    };
    let (before, after) = (tiles(old), tiles(new));
    let corner = |(column, row): Tile| {
        let up = u32::from(rows).saturating_sub(u32::from(row) + 1);
        (u32::from(column) * TILE, up * TILE)
    };
    let square = |tile: Tile, class: &str, title: &str| {
        let (x, y) = corner(tile);
        format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{w}\" height=\"{w}\"><title>{}</title></rect>\n",
            x + 3,
            y + 3,
            escaped(title),
            w = TILE - 6
        )
    };
    let mut marks = String::new();
    let used = || before.values().chain(after.values()).map(|&(column, _)| column);
    let first = used().min().unwrap_or(0).saturating_sub(BESIDE);
    let behind = used().max().unwrap_or(columns).saturating_add(BESIDE + 1).min(columns);
    for column in first..behind {
        for row in 0..rows {
            let (x, y) = corner((column, row));
            let w = TILE - 2;
            marks += &format!("<rect class=\"tile\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{w}\"/>\n");
        }
    }
    let follows = |from: Tile, to: Tile| {
        shift.map_or(from == to, |shift| shift.tile(from) == (to.0.into(), to.1.into()))
    };
    // Kernels that came to the tile of a removed one do not hide that it went.
    let mut above = String::new();
    for (name, &tile) in &before {
        if !after.contains_key(name) && after.values().any(|&taken| taken == tile) {
            above += &square(tile, "gone", &format!("{name} removed"));
        }
        marks += &match after.get(name) {
            None => square(tile, "removed", &format!("{name} removed")),
            Some(&there) if follows(tile, there) => square(there, "same", name),
            Some(_) => square(tile, "old", &format!("{name}, old")),
        };
    }
    for (name, &tile) in &after {
        match before.get(name) {
            None => marks += &square(tile, "added", &format!("{name} added")),
            Some(&from) if !follows(from, tile) => {
                marks += &square(tile, "new", name);
                let (x, y) = corner(from);
                let (to_x, to_y) = corner(tile);
                let half = TILE / 2;
                marks += &format!(
                    "<line class=\"way\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
                    x + half,
                    y + half,
                    to_x + half,
                    to_y + half
                );
            }
            Some(_) => {}
        }
    }
    let (left, width) = (u32::from(first) * TILE, u32::from(behind - first) * TILE);
    let height = u32::from(rows) * TILE;
    let stay = if shift.is_some() { "moved as one" } else { "on the same tile" };
    format!(
        "<svg viewBox=\"{left} 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"The array\">\n{marks}{above}</svg>\n<p>Columns {first} to {}. Kernels: blue {stay}, yellow moved from the \
         dashed tile, green added, red removed, in a red frame if the tile is taken \
         again.</p>\n",
        behind.saturating_sub(1)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
