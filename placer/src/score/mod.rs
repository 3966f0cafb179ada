//! The score of a placement: [`Terms`], counted from tiles and the connections that go through
//! shared memory, and a [`Score`] in the order of an [`Objective`]. The placement with the smaller
//! score is better. The annealings minimise a weighted sum instead, but every comparison of whole
//! placements uses the score.

mod measure;
mod path;

use aiec_check::Checked;
use aiec_device::{Device, Grid};

pub(crate) use measure::{Layout, Measure};

use crate::lines::{Nets, Tiles};
use crate::objective::{Objective, Term};
use crate::placed::Placed;

/// Counted terms of a placement, the smaller the better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Pairs of kernels that break their memory rule. 0 in a verified placement.
    pub unkept: u64,
    /// Nets that must cross a line between columns or rows without a wire for them, over all lines.
    pub overload: u64,
    /// Count of [`Term::Dma`].
    pub dma: u64,
    /// Count of [`Term::Bytes`].
    pub bytes: u64,
    /// Count of [`Term::Path`].
    pub path: u64,
    /// Count of [`Term::Wire`].
    pub wire: u64,
    /// Count of [`Term::Compact`].
    pub compact: u64,
}

/// Terms in order. Scores compare lexicographically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score([u64; 2 + Term::ALL.len()]);

impl Terms {
    /// The terms of a verified placement. `device` must be the one it was verified for.
    pub fn of(checked: &Checked, device: &Device, placed: &Placed) -> Self {
        let grid = Grid::new(device);
        let measure = Measure::new(checked, device);
        // A verified placement has every kernel on the array.
        let ids: Tiles = placed.kernels.iter().filter_map(|&tile| grid.id(tile)).collect();
        if ids.len() != checked.kernels.len() {
            return Self::default();
        }
        let layout = measure.placed(placed);
        let nets = Nets::new(checked, device);
        Self { overload: nets.overload(&grid, &ids), ..measure.terms(&layout) }
    }

    /// The value of one term.
    pub const fn value(&self, term: Term) -> u64 {
        match term {
            Term::Dma => self.dma,
            Term::Bytes => self.bytes,
            Term::Path => self.path,
            Term::Wire => self.wire,
            Term::Compact => self.compact,
        }
    }

    /// The terms in order: the criteria above all terms, then the terms of `objective`.
    pub fn score(&self, objective: &Objective) -> Score {
        let mut places = [0; 2 + Term::ALL.len()];
        let terms = [self.unkept, self.overload].into_iter();
        let terms = terms.chain(objective.terms().map(|term| self.value(term)));
        places.iter_mut().zip(terms).for_each(|(place, term)| *place = term);
        Score(places)
    }
}
