//! Prices of the lines between columns and between rows, so that no line carries more nets than it
//! has wires (negotiated congestion).
//!
//! A price rises while its line has too many nets, and falls while wires are left. In the end the
//! nets that lose least by it have moved. The price is the same for every net, so two tiles
//! determine it. Counting the nets across every line at each move would take ten times as long.

use aiec_device::{Grid, Tile};

/// The prices of all lines.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    /// The price of each line in the order of [`super::Nets`], in cost units.
    lines: Vec<i64>,
    /// True if some line has a price. Every move asks.
    are_any: bool,
    /// Sum of the prices of all lines before a column or row, eastwards, westwards, northwards and
    /// southwards.
    sums: [Vec<i64>; 4],
}

impl Prices {
    /// Prices of 0 for all lines.
    pub(crate) fn new(grid: &Grid) -> Self {
        let (columns, rows) = (usize::from(grid.columns()), usize::from(grid.rows()) + 1);
        let sums = [columns, columns, rows, rows].map(|count| vec![0; count]);
        Self { lines: Vec::new(), are_any: false, sums }
    }

    /// Updates the prices from the [excess](super::Nets::excess) of nets across their lines: by a
    /// cost unit for every excess net or, downwards, for every free wire. No price exceeds
    /// `highest`. Returns true if there are any prices, or were before.
    pub(crate) fn update(&mut self, excess: &[i64], highest: i64) -> bool {
        self.lines.resize(excess.len(), 0);
        let had_prices = self.are_any;
        for (price, excess) in self.lines.iter_mut().zip(excess) {
            *price = (*price + excess).clamp(0, highest);
        }
        self.are_any = self.lines.iter().any(|&price| price > 0);
        let changes = had_prices || self.are_any;
        if changes {
            self.add_up();
        }
        changes
    }

    /// True if some line has a price.
    pub(crate) const fn are_any(&self) -> bool {
        self.are_any
    }

    fn add_up(&mut self) {
        let mut lines = self.lines.iter();
        for sums in &mut self.sums {
            let mut sum = 0;
            for before in sums.iter_mut() {
                sum += lines.next().copied().unwrap_or(0);
                *before = sum;
            }
        }
    }

    /// The price of a net from one tile to another.
    pub(crate) fn of(&self, from: Tile, to: Tile) -> i64 {
        let [from, to] = [from, to].map(place);
        self.of_span([from, to, to], false)
    }

    /// The price of a net over `span`, each line counted once; see [`crossed`].
    pub(super) fn of_span(&self, span: Span, inwards: bool) -> i64 {
        let price =
            |(sums, (from, to)): (&Vec<i64>, Crossed)| if to > from { sums[to] - sums[from] } else { 0 };
        self.sums.iter().zip(crossed(span, inwards)).map(price).sum()
    }
}

/// Column and switch row. The interface row is row 0.
pub(super) type Place = (usize, usize);

/// The switch of a core.
pub(super) fn place(tile: Tile) -> Place {
    (tile.column.into(), usize::from(tile.row) + 1)
}

/// The source of a net, and two corners of the rectangle around its sinks.
pub(super) type Span = [Place; 3];

/// Two columns or rows. A net crosses the lines after the first, up to the second. It crosses no
/// line when the second is not greater.
type Crossed = (usize, usize);

/// The lines that a net crosses eastwards, westwards, northwards, southwards; `inwards` turns it.
pub(super) fn crossed([source, low, high]: Span, inwards: bool) -> [Crossed; 4] {
    let [right, left] = [(source.0, high.0), (low.0, source.0)];
    let [up, down] = [(source.1, high.1), (low.1, source.1)];
    if inwards { [left, right, down, up] } else { [right, left, up, down] }
}
