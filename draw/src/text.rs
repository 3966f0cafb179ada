//! The floorplan as text: one cell a tile, the highest row in use first, the interface row below.

use aiec_device::Tile;

use super::legend::{self, Letters};
use super::plan::{Floorplan, KernelMark};

/// Characters a line may have before names get shorter.
const WIDTH: usize = 100;

/// The floorplan as lines of text. Kernels are shown by name, by their number in the design if
/// names are too long, or on a wide array as one character: their level in their collective, or in
/// a design without collectives the part of the design. Tiles without kernel whose module holds a
/// buffer or stack show `.`.
pub fn text(plan: &Floorplan) -> String {
    let columns = plan.used_columns();
    let count = usize::from(columns.end() - columns.start()) + 1;
    let names = |kernel: &KernelMark| kernel.name.clone();
    let number = |kernel: &KernelMark| {
        plan.kernels.iter().position(|other| other == kernel).map_or_else(String::new, |n| n.to_string())
    };
    let level = |kernel: &KernelMark| {
        let level = kernel.collective.as_ref().map_or(0, |level| level.level);
        if kernel.collective.is_some() { char::from_digit(level.min(35), 36).unwrap_or('#') } else { '#' }
            .to_string()
    };
    let fits = |label: &dyn Fn(&KernelMark) -> String| {
        let widest = plan.kernels.iter().map(|kernel| label(kernel).chars().count()).max().unwrap_or(1);
        (count * (widest + 2) + 4 <= WIDTH).then_some(widest)
    };
    if let Some(width) = fits(&names) {
        grid(plan, width + 1, &names, "")
    } else if let Some(width) = fits(&number) {
        grid(plan, width + 1, &number, "") + &legend::numbers(plan)
    } else if let Some(letters) = letters(plan) {
        grid(plan, 1, &|kernel: &KernelMark| letters.letter(kernel), "") + &letters.legend(plan)
    } else {
        grid(
            plan,
            1,
            &level,
            "each character a kernel: its level in its collective, 0 for the root; # in none\n",
        )
    }
}

/// The characters of parts of a design without collectives.
fn letters(plan: &Floorplan) -> Option<Letters<'_>> {
    let is_collective = plan.kernels.iter().any(|kernel| kernel.collective.is_some());
    Letters::of(plan).filter(|_| !is_collective)
}

fn grid(plan: &Floorplan, width: usize, label: &dyn Fn(&KernelMark) -> String, note: &str) -> String {
    let top = plan.kernels.iter().map(|k| k.tile.row).chain(plan.modules.iter().map(|m| m.tile.row)).max();
    let rows = (0..=top.unwrap_or(0)).rev().map(|row| {
        let cells = plan.used_columns().map(|column| cell(plan, Tile::new(column, row), label));
        line(&format!("{row:>2}"), cells, width)
    });
    let scale = plan.used_columns().map(|column| scale(column, width));
    let shim = plan.used_columns().map(|column| shim(plan, column, width));
    let rows: String = rows.collect();
    format!("{note}{rows}{}{}", line("io", shim, width), line("  ", scale, width))
}

fn line(head: &str, cells: impl Iterator<Item = String>, width: usize) -> String {
    let cells: String = cells.map(|cell| format!(" {cell:<width$}")).collect();
    format!("{head} {}\n", cells.trim_end())
}

fn cell(plan: &Floorplan, tile: Tile, label: &dyn Fn(&KernelMark) -> String) -> String {
    let kernels: Vec<String> = plan.on(tile).map(label).collect();
    if !kernels.is_empty() {
        return kernels.join("+");
    }
    let used = plan.modules.iter().any(|module| module.tile == tile && module.bytes > 0);
    if used { "." } else { "" }.to_owned()
}

/// Inputs and outputs of a column: their number if the column has no room for more.
fn shim(plan: &Floorplan, column: u16, width: usize) -> String {
    let names: Vec<&str> =
        plan.externals.iter().filter(|external| external.column == column).map(|e| e.name.as_str()).collect();
    match names.as_slice() {
        [] => String::new(),
        [name] if name.chars().count() <= width => (*name).to_owned(),
        names if names.len() < 10 => names.len().to_string(),
        _ => "*".to_owned(),
    }
}

/// Column numbers. With one character a column, every fifth, by its tens or last digit.
fn scale(column: u16, width: usize) -> String {
    match width {
        1 if column.is_multiple_of(10) => (column / 10).to_string(),
        1 if column.is_multiple_of(5) => "'".to_owned(),
        1 => String::new(),
        _ => column.to_string(),
    }
}
