//! The quality of a placement, as reports give it.

use aiec_check::prove::{Argument, bound};
use aiec_check::{Alone, Checked};
use aiec_device::Device;
use serde::Serialize;

use crate::placed::Placed;
use crate::report::dma_connections;

/// The quality of a placement and the proved bound on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlacementEntry {
    /// Connections through DMA, including those to inputs and outputs.
    pub connections: u64,
    /// Lower bound on `connections` for every placement.
    pub bound: u64,
    /// What proves the bound (`docs/proofs.md`): `always`, `pieces`, `balls` or `exhaustive`.
    pub argument: &'static str,
    /// What the argument counts: `cells` or `bytes`.
    pub counted: Option<&'static str>,
    /// Connections above the bound: `connections - bound`.
    pub gap: u64,
    /// True if no placement has fewer connections through DMA: the gap is 0.
    pub optimal: bool,
    /// Broadcast connections between kernels. They count as DMA on any tiles, also in the bound.
    pub broadcasts: u64,
    /// True if a time limit or the user stopped the search.
    pub cut_short: bool,
}

impl PlacementEntry {
    /// Counts the connections through DMA of `placed` and computes the bound.
    pub fn of(checked: &Checked, device: &Device, placed: &Placed, cut_short: bool) -> Self {
        let broadcasts = checked.connections.iter().filter(|connection| {
            checked.is_broadcast(connection.from)
                && checked.kernel_of(connection.from).is_some()
                && checked.kernel_of(connection.to).is_some()
        });
        let (connections, bound) = (dma_connections(checked, placed) as u64, bound(checked, device, &Alone));
        let gap = connections.saturating_sub(bound.connections);
        Self {
            connections,
            bound: bound.connections,
            argument: bound.argument.name(),
            counted: (bound.argument != Argument::Always).then(|| bound.counted.name()),
            gap,
            optimal: gap == 0,
            broadcasts: broadcasts.count() as u64,
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
