//! Prices of the lines between columns, so that no line carries more nets than it has wires
//! (negotiated congestion).
//!
//! Takes tiles from time to time, and gives the price of a net from one column to another. A price
//! rises while its line has too many nets, and falls while wires are left. In the end the nets that
//! lose least by it have moved. The price is the same for every net, so two columns determine it.
//! Counting the nets across every line would take ten times as long.

use aiec_device::{Grid, TileId};

use super::problem::{CUT, TileProblem};

/// Change of a price for every excess net or, downwards, for every free wire; in 1/16 cost units.
const STEP: i64 = 16;

/// The price of a net from one column to another.
pub(super) struct Prices {
    /// By source and sink column: `from * columns + to`.
    table: Vec<i64>,
    /// The price of the line east of each column, eastwards and westwards, in 1/16 cost units.
    lines: [Vec<i64>; 2],
    columns: usize,
}

impl Prices {
    /// No prices.
    pub(super) fn new(grid: &Grid) -> Self {
        let columns = grid.ids().last().map_or(0, |id| usize::from(grid.tile(id).column) + 1);
        Self { table: vec![0; columns * columns], lines: [vec![0; columns], vec![0; columns]], columns }
    }

    /// Updates the prices from the nets across their lines. Returns true if there are any prices,
    /// or were before.
    pub(super) fn update(&mut self, problem: &TileProblem<'_>, tiles: &[TileId]) -> bool {
        let excess = problem.nets.column_excess(&problem.nets.loads(problem.grid, tiles));
        let had_prices = self.are_any();
        for (lines, excess) in self.lines.iter_mut().zip(excess) {
            for (price, excess) in lines.iter_mut().zip(excess) {
                *price = (*price + STEP * excess).clamp(0, 64 * CUT);
            }
        }
        let changes = had_prices || self.are_any();
        if changes {
            self.add_up();
        }
        changes
    }

    fn are_any(&self) -> bool {
        self.lines.iter().flatten().any(|&price| price > 0)
    }

    fn add_up(&mut self) {
        for from in 0..self.columns {
            let (mut east, mut west) = (0, 0);
            for to in from + 1..self.columns {
                east += self.lines[0][to - 1];
                west += self.lines[1][to - 1];
                self.table[from * self.columns + to] = east / 16;
                self.table[to * self.columns + from] = west / 16;
            }
        }
    }

    /// The price of a net between these columns.
    pub(super) fn of(&self, from: u16, to: u16) -> i64 {
        self.table[usize::from(from) * self.columns + usize::from(to)]
    }
}

/// Nets in excess of the target for lines between columns, summed over all lines.
pub(super) fn overload(problem: &TileProblem<'_>, tiles: &[TileId]) -> i64 {
    let excess = problem.nets.column_excess(&problem.nets.loads(problem.grid, tiles));
    excess.iter().flatten().map(|excess| excess.max(&0)).sum()
}
