//! Lower bounds on the number of connections through DMA.
//!
//! Takes a checked design and its device. Returns a number with the name of the argument that
//! proves it. It holds for every placement that the placer's `verify` accepts, from any
//! source, and shares no code with the search. All arguments treat the design as a graph whose
//! edges are the shareable connections ([`graph`]), and the array as the number of cells and
//! bytes within N sharing steps of a core ([`room`]). The [`Argument`]s differ in what they cut.

mod balls;
mod graph;
mod pieces;
pub(crate) mod room;

use crate::{Checked, Watch};
use aiec_device::Device;

use crate::prove::contradiction::{self, Freedom, Weighted};
use crate::statement::NO_PINS;
use graph::Graph;
use room::Room;

/// The argument that proves a [`Bound`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// Inputs, outputs, broadcasts, and connections whose ends constraints keep too far apart: part
    /// of every bound.
    Always,
    /// Cutting the unshared edges of trees leaves pieces that must fit around their tops.
    Pieces,
    /// The same for the surroundings of all kernels at once, by a linear program.
    Balls,
    /// All tiles that keep the constraints of a small design, within a work limit.
    Exhaustive,
}

/// The resource that a bound counts around a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// Cores.
    Cells,
    /// Bytes of memory modules.
    Bytes,
}

/// A proved lower bound on the connections through DMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Minimum number of connections through DMA, including those to inputs and outputs.
    pub connections: u64,
    /// The argument that proves the bound.
    pub argument: Argument,
    /// The resource that the argument counts.
    pub counted: Counted,
}

impl Argument {
    /// The argument's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Pieces => "pieces",
            Self::Balls => "balls",
            Self::Exhaustive => "exhaustive",
        }
    }
}

impl Counted {
    /// The resource's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Bytes => "bytes",
        }
    }
}

impl Bound {
    /// The trivial bound: 0 connections.
    pub const NONE: Self = Self { connections: 0, argument: Argument::Always, counted: Counted::Cells };

    /// The argument and the resource, as in `pieces (cells)`.
    pub fn name(&self) -> String {
        match self.argument {
            Argument::Always => self.argument.name().to_owned(),
            argument => format!("{} ({})", argument.name(), self.counted.name()),
        }
    }
}

/// The best lower bound on the connections of `checked` through DMA on `device`. Stopped work
/// proves less.
pub fn bound(checked: &Checked, device: &Device, watch: &dyn Watch) -> Bound {
    let grid = checked.open_grid(device);
    let freedom = Freedom::new(checked, device, &NO_PINS, watch);
    let graph = Graph::new(checked, &freedom);
    let rooms = room::rooms(checked, device, &grid);
    let (cuts, argument, counted) = cuts(&graph, &rooms, watch);
    let edges = graph.edges.iter().map(|edge| (edge.a, edge.b, edge.connections));
    let edges: Vec<Weighted> = edges.collect();
    match contradiction::fewest_cuts(checked, device, &edges, cuts, watch) {
        all if all > cuts => {
            Bound { connections: graph.always + all, argument: Argument::Exhaustive, counted: Counted::Cells }
        }
        _ => Bound { connections: graph.always + cuts, argument, counted },
    }
}

/// The highest number of cuts that any argument proves; the first of equals.
fn cuts(graph: &Graph, rooms: &[Room], watch: &dyn Watch) -> (u64, Argument, Counted) {
    let mut best = (0, Argument::Always, Counted::Cells);
    for room in rooms {
        let proofs = [
            (Argument::Pieces, pieces::fewest_cuts(graph, room)),
            (Argument::Balls, balls::fewest_cuts(graph, room, watch)),
        ];
        for (argument, cuts) in proofs {
            if cuts > best.0 {
                best = (cuts, argument, room.counted);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests;
