//! Kernels of different graph objects, which never share a core: "You cannot place kernels from
//! different top-level graphs in the same AI Engine" (UG1079, "Runtime Ratio").

use std::collections::BTreeMap;

use aiec_ir::WHOLE_CORE;

use crate::bodies::thousandths;
use crate::description::{Description, GraphIndex, Kernel, KernelIndex, Place, Site, Subject};

/// The most pairs that a design holds. A placement of more takes minutes.
const MOST: usize = 4096;

/// Kernels that share no core.
pub(crate) struct Strangers<'d> {
    /// Every two of them, in order, with the statement of the later object.
    pub pairs: Vec<(KernelIndex, KernelIndex, Option<&'d Site>)>,
    /// The statement of an object whose pairs are left out, as they are too many. Those on one
    /// stated tile are there.
    pub more: Option<Option<&'d Site>>,
}

/// Every two kernels of different objects that could share a core by their ratios and tiles.
pub(crate) fn strangers(description: &Description) -> Strangers<'_> {
    let tiles = tiles(description);
    let candidates: Vec<Candidate<'_>> = (0..)
        .map(KernelIndex)
        .zip(&description.kernels)
        .filter_map(|(at, kernel)| Candidate::of(description, at, kernel, &tiles))
        .collect();
    let pairs = || {
        candidates.iter().enumerate().flat_map(|(at, a)| {
            let later = candidates[at + 1..].iter().filter(|b| a.may_meet(b));
            later.map(move |b| (a, b))
        })
    };
    let site = |object: GraphIndex| description.graphs.get(object.0 as usize)?.site.as_ref();
    let pair = |(a, b): (&Candidate<'_>, &Candidate<'_>)| (a.kernel, b.kernel, site(a.object.max(b.object)));
    let is_full = pairs().nth(MOST).is_some();
    let kept = pairs().filter(|(a, b)| !is_full || a.tile.is_some() && b.tile.is_some());
    let more = pairs().next().filter(|_| is_full).map(|first| pair(first).2);
    Strangers { pairs: kept.map(pair).collect(), more }
}

/// A kernel that may share a core.
struct Candidate<'d> {
    kernel: KernelIndex,
    /// The graph object that it belongs to.
    object: GraphIndex,
    /// Its share of a core's time in 1/1000.
    runtime: u32,
    /// Its column and row, if they are stated.
    tile: Option<&'d (i64, i64)>,
}

impl<'d> Candidate<'d> {
    /// Returns None for a kernel that has a core of its own, or that belongs to no object.
    fn of(
        description: &Description,
        at: KernelIndex,
        kernel: &Kernel,
        tiles: &'d BTreeMap<KernelIndex, (i64, i64)>,
    ) -> Option<Self> {
        let object = object(description, kernel.graph?);
        let runtime = thousandths(kernel.runtime?);
        Some(Self { kernel: at, object, runtime, tile: tiles.get(&at) })
    }

    fn may_meet(&self, other: &Self) -> bool {
        self.object != other.object
            && self.runtime.saturating_add(other.runtime) <= WHOLE_CORE
            && (self.tile.is_none() || other.tile.is_none() || self.tile == other.tile)
    }
}

/// The outermost graph around `graph`.
fn object(description: &Description, graph: GraphIndex) -> GraphIndex {
    let graphs = &description.graphs;
    let parent = |at: &GraphIndex| graphs.get(at.0 as usize).and_then(|graph| graph.parent);
    let chain = std::iter::successors(Some(graph), parent).take(graphs.len() + 1);
    chain.last().unwrap_or(graph)
}

/// The tiles that the graph states for kernels.
fn tiles(description: &Description) -> BTreeMap<KernelIndex, (i64, i64)> {
    let tile = |location: &crate::description::Location| match (location.subject, &*location.places) {
        (Subject::Kernel(kernel), &[Place::Tile { column, row }]) => Some((kernel, (column, row))),
        _ => None,
    };
    description.locations.iter().filter_map(tile).collect()
}
