//! The quality of a placement, as reports give it.

use serde::Serialize;

use crate::bound::{Argument, Quality};

/// How good a placement is, and how good any can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlacementEntry {
    /// Connections through DMA, those to inputs and outputs included.
    pub connections: u64,
    /// A number that no placement goes below.
    pub bound: u64,
    /// The argument that proves it: `always`, `degree`, `pieces`, `balls`, `exact` or `exhaustive` (`docs/placement.md`).
    pub argument: &'static str,
    /// What the argument counts: `cells`, `bytes` or `locks`.
    pub counted: Option<&'static str>,
    /// `connections - bound`
    pub gap: u64,
    /// True if it is proved that no placement has fewer connections through DMA: the gap is 0.
    pub optimal: bool,
    /// Connections of broadcasts between kernels: they count as going by DMA in every placement, in the bound too.
    pub broadcasts: u64,
    /// True if the search was stopped by a time limit or by the user.
    pub cut_short: bool,
}

impl PlacementEntry {
    /// The entry of a placement of this quality.
    pub fn new(quality: &Quality, cut_short: bool) -> Self {
        let bound = &quality.bound;
        Self {
            connections: quality.connections,
            bound: bound.connections,
            argument: bound.argument.name(),
            counted: (bound.argument != Argument::Always).then(|| bound.counted.name()),
            gap: quality.gap(),
            optimal: quality.is_optimal(),
            broadcasts: quality.broadcasts,
            cut_short,
        }
    }

    /// What is known of the number of connections through DMA, in words.
    pub fn verdict(&self) -> String {
        let name =
            self.counted.map_or_else(|| self.argument.to_owned(), |c| format!("{}, {c}", self.argument));
        let known = if self.optimal {
            format!("optimal (bound {}: {name})", self.bound)
        } else {
            format!("at least {} ({name}), gap {}", self.bound, self.gap)
        };
        let known = match self.broadcasts {
            0 => known,
            broadcasts => format!("{known}, with all {broadcasts} of broadcasts by DMA"),
        };
        if self.cut_short { format!("{known}; the search was cut short") } else { known }
    }
}
