//! The quality of a placement, as reports give it.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_prove::{Argument, Bound, bound};
use serde::Serialize;

use crate::placed::Placed;
use crate::report::dma_connections;

/// The quality of a placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Connections through DMA, including those to inputs and outputs.
    pub connections: u64,
    /// The lower bound for every placement of the design.
    pub bound: Bound,
    /// Broadcast connections between kernels. All of them count as DMA on any tiles (UG1079).
    pub broadcasts: u64,
}

impl Quality {
    /// Counts the connections through DMA of `placed` and computes the bound.
    pub fn of(checked: &Checked, device: &Device, placed: &Placed) -> Self {
        let broadcasts = checked.connections.iter().filter(|connection| {
            checked.is_broadcast(connection.from)
                && checked.kernel_of(connection.from).is_some()
                && checked.kernel_of(connection.to).is_some()
        });
        Self {
            connections: dma_connections(checked, placed) as u64,
            bound: bound(checked, device),
            broadcasts: broadcasts.count() as u64,
        }
    }

    /// Number of connections through DMA above the bound.
    pub const fn gap(&self) -> u64 {
        self.connections.saturating_sub(self.bound.connections)
    }

    /// True if no placement has fewer connections through DMA.
    pub const fn is_optimal(&self) -> bool {
        self.gap() == 0
    }
}

/// The quality of a placement and the proved bound on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlacementEntry {
    /// Connections through DMA, including those to inputs and outputs.
    pub connections: u64,
    /// Lower bound on `connections` for every placement.
    pub bound: u64,
    /// The argument that proves the bound: `always`, `pieces`, `balls`, `exact` or
    /// `exhaustive` (`docs/proofs.md`).
    pub argument: &'static str,
    /// What the argument counts: `cells`, `bytes` or `locks`.
    pub counted: Option<&'static str>,
    /// `connections - bound`
    pub gap: u64,
    /// True if no placement has fewer connections through DMA: the gap is 0.
    pub optimal: bool,
    /// Broadcast connections between kernels. They count as DMA in every placement, and in the
    /// bound.
    pub broadcasts: u64,
    /// True if a time limit or the user stopped the search.
    pub cut_short: bool,
}

impl PlacementEntry {
    /// Builds the entry for `quality`.
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

    /// One sentence on the number of connections through DMA and its bound.
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
