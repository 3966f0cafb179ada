//! The fewest cuts that leave pieces which fit around their tops (dynamic programming over a tree).
//!
//! All kernels of a piece down to depth `d` below a kernel lie within `d` steps of its core, so
//! their need fits the room there. If the kernel's parent is in the piece too, it takes its share
//! of that room. Going up from the leaves, the dynamic program keeps for each kernel the cuts below
//! it and the need of the piece by depth. If a way needs more cuts than the minimum by the cost of
//! the edge above, cutting that edge is at least as good. A graph that is no tree is split into
//! forests without a common edge, so their cuts add up.

use aiec_ir::{IdVec, KernelId};

use super::graph::{Forest, Graph};
use super::room::Room;
use crate::prove::limits::SMALL;

/// Minimum number of cuts.
pub(super) fn fewest_cuts(graph: &Graph, room: &Room) -> u64 {
    let depth = room.depth();
    let mut left = IdVec::filled(true, graph.edges.len());
    let mut cuts = 0;
    loop {
        let forest = Forest::new(graph, &left, KernelId(0));
        if forest.edges().next().is_none() {
            return cuts;
        }
        cuts += cuts_of(&forest, graph, room, depth);
        forest.edges().for_each(|edge| left[edge] = false);
    }
}

/// The fewest cuts of `forest`.
fn cuts_of(forest: &Forest, graph: &Graph, room: &Room, depth: usize) -> u64 {
    let mut ways: IdVec<KernelId, Vec<Way>> =
        room.need.iter().map(|&need| vec![Way { cuts: 0, need: vec![need] }]).collect();
    let mut cuts = 0;
    for &kernel in forest.order.iter().rev() {
        let own = std::mem::take(&mut ways[kernel]);
        // A kernel alone always fits; the checks before placement ensure it.
        let fewest = own.iter().map(|way| way.cuts).min().unwrap_or(0);
        match forest.parent[kernel] {
            None => cuts += fewest,
            Some((parent, edge)) => {
                let cut = fewest + graph.edges[edge].connections;
                let joint = Joint { parent, cut, room, depth };
                ways[parent] = joint.join(&ways[parent], &own);
            }
        }
    }
    cuts
}

/// A way to cut the edges below a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    /// Number of connections cut.
    cuts: u64,
    /// Need of the kernel's piece down to each depth below it, up to its end.
    need: Vec<u64>,
}

impl Way {
    fn need(&self, depth: usize) -> u64 {
        self.need.get(depth).or(self.need.last()).copied().unwrap_or(0)
    }

    /// True if `self` is at least as good in every entry.
    fn dominates(&self, other: &Self) -> bool {
        let depth = self.need.len().max(other.need.len());
        self.cuts <= other.cuts && (0..depth).all(|d| self.need(d) <= other.need(d))
    }
}

/// A kernel that is joined to its parent, or cut off.
struct Joint<'a> {
    parent: KernelId,
    /// Cuts if it is cut off.
    cut: u64,
    room: &'a Room,
    depth: usize,
}

impl Joint<'_> {
    /// The ways of the parent after adding one more child.
    fn join(&self, above: &[Way], below: &[Way]) -> Vec<Way> {
        let mut ways: Vec<Way> =
            above.iter().map(|way| Way { cuts: way.cuts + self.cut, need: way.need.clone() }).collect();
        let kept = below.iter().filter(|way| way.cuts < self.cut && self.fits_below(way));
        for child in kept {
            let joined = above.iter().map(|way| self.hang(way, child));
            ways.extend(joined.filter(|way| self.fits(way)));
        }
        prune(ways)
    }

    /// True if the piece and the parent fit around the child.
    fn fits_below(&self, way: &Way) -> bool {
        let parent = self.room.need[self.parent];
        (1..=self.depth).all(|d| way.need(d) + parent <= self.room.within(d))
    }

    fn fits(&self, way: &Way) -> bool {
        (0..way.need.len()).all(|d| way.need[d] <= self.room.within(d))
    }

    fn hang(&self, above: &Way, child: &Way) -> Way {
        let deepest = above.need.len().max(child.need.len() + 1).min(self.depth + 1);
        let need = (0..deepest).map(|d| above.need(d) + d.checked_sub(1).map_or(0, |d| child.need(d)));
        Way { cuts: above.cuts + child.cuts, need: need.collect() }
    }
}

/// Removes dominated ways. Of equal cuts, merges more than [`SMALL`] ways into one that is better
/// than all of them, which keeps the bound true.
fn prune(mut ways: Vec<Way>) -> Vec<Way> {
    ways.sort_by(|a, b| (a.cuts, &a.need).cmp(&(b.cuts, &b.need)));
    let mut kept: Vec<Way> = Vec::new();
    for way in ways {
        if kept.iter().any(|other| other.dominates(&way)) {
            continue;
        }
        let same = kept.iter().filter(|other| other.cuts == way.cuts).count();
        match kept.last_mut().filter(|_| same >= SMALL) {
            Some(last) => *last = meet(last, &way),
            None => kept.push(way),
        }
    }
    kept
}

/// The minimum of both at every depth.
fn meet(a: &Way, b: &Way) -> Way {
    let depth = a.need.len().max(b.need.len());
    Way { cuts: a.cuts.min(b.cuts), need: (0..depth).map(|d| a.need(d).min(b.need(d))).collect() }
}
