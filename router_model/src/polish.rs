//! Shortens the trees of a legal routing: each circuit in turn gets the shortest tree over the
//! wires that the others leave.
//!
//! No edge becomes overfull, and the wire length never grows. A net is left out if its tree is at
//! its [lower bound](Lengths), or if no wire around it became free since the last attempt. Nets
//! with few sinks get an exact Steiner tree. Others get the shorter of their tree and a newly grown
//! one, shortened piece by piece ([`local`]).

use aiec_device::Device;
use aiec_ir::IdVec;

use crate::fabric::{Edge, Fabric, Node};
use crate::pathfinder::{Ends, FREE, Search};
use crate::request::{NetId, OwnerId, Request};
use crate::steiner::{Lengths, Limit};
use crate::{local, steiner};

/// Shortens all circuits until a pass changes nothing, at most `passes` times.
pub(crate) fn shorten(search: &mut Search<'_>, passes: u32) {
    let mut polish = Polish {
        lengths: Lengths::new(&search.fabric),
        freed: search.used.iter().map(|_| 0).collect(),
        tried: search.owners.iter().map(|_| 0).collect(),
        clock: 1,
    };
    for _ in 0..passes {
        let mut shorter = false;
        for owner in search.owners.ids() {
            shorter |= !search.is_optional(owner) && polish.shorten(search, owner);
        }
        if !shorter {
            return;
        }
    }
}

/// What earlier attempts found.
struct Polish {
    lengths: Lengths,
    /// When the last net left an edge. 0 if none did.
    freed: IdVec<Edge, u32>,
    /// When an exact tree was last searched for each owner. 0 if never.
    tried: IdVec<OwnerId, u32>,
    /// Number of shortened trees, and 1.
    clock: u32,
}

impl Polish {
    /// Shortens one net. Returns true if its tree became shorter.
    fn shorten(&mut self, search: &mut Search<'_>, owner: OwnerId) -> bool {
        let [net] = search.owners[owner][..] else { return false };
        let Some(ends) = search.ends(net) else { return false };
        let far = ends.far_sinks();
        let old = search.trees[net].clone();
        let is_exact = far.len() <= steiner::MAX_SINKS;
        if old.len() as u64 <= self.lengths.least(ends.source, &far)
            || is_exact && !self.may_differ(&search.fabric, owner, ends.source, &far)
        {
            return false;
        }
        search.tear_up(owner);
        let new = if is_exact {
            exact_tree(search, &ends, &far, old.len())
        } else {
            mended_tree(search, owner, &ends, &old, &mut self.lengths)
        };
        let shorter = new.filter(|new| new.len() < old.len());
        self.tried[owner] = self.clock;
        let better = shorter.is_some();
        if better {
            self.clock += 1;
            old.iter().for_each(|&edge| self.freed[edge] = self.clock);
        }
        search.trees[net] = shorter.unwrap_or(old);
        search.settle(owner);
        better
    }

    /// True if a net left one of the edges around the ends since the last search for an exact tree.
    /// Otherwise these have no more wires than then, and a search would find nothing shorter.
    fn may_differ(&self, fabric: &Fabric, owner: OwnerId, source: Node, far: &[Node]) -> bool {
        let tried = self.tried[owner];
        tried == 0 || steiner::edges_around(fabric, source, far).any(|edge| self.freed[edge] > tried)
    }
}

/// A shortest tree over free wires. Returns None when it has `edges` edges or more.
fn exact_tree(search: &Search<'_>, ends: &Ends, far: &[Node], edges: usize) -> Option<Vec<Edge>> {
    let limit = Limit::below(edges, &FREE);
    let cost = |edge| search.free(edge).filter(|_| ends.may_leave_by(edge));
    steiner::tree(&search.fabric, ends.source, far, limit, cost).map(|(_, tree)| tree)
}

/// The shorter of the old tree and a newly grown one, both shortened piece by piece. The owner is
/// off its edges before and after.
fn mended_tree(
    search: &mut Search<'_>,
    owner: OwnerId,
    ends: &Ends,
    old: &[Edge],
    lengths: &mut Lengths,
) -> Option<Vec<Edge>> {
    let [net] = search.owners[owner][..] else { return None };
    search.route_free(owner, |search, edge| search.free(edge));
    let grown = search.trees[net].clone();
    search.tear_up(owner);
    let mut mend =
        |tree: Vec<Edge>| local::shorten(&search.fabric, ends, tree, lengths, |edge| search.free(edge));
    // A failed growth leaves an empty tree. A net with many sinks always has hops.
    let trees = [Some(old.to_vec()), Some(grown).filter(|tree| !tree.is_empty())];
    trees.into_iter().flatten().map(&mut mend).min_by_key(Vec::len)
}

/// Lower bound on the hops of the tree of `request`, ignoring all other nets. Exact for up to 6
/// sink switches (the length of a shortest tree on the switches), half the perimeter around all
/// ends for more. Returns None when an end lies off the array.
pub fn least_hops(request: &Request, device: &Device) -> Option<u64> {
    let requests = std::slice::from_ref(request);
    let search = Search::new(requests, device);
    let ends = search.ends(NetId(0))?;
    let far = ends.far_sinks();
    if far.len() <= steiner::MAX_SINKS {
        let cost = |edge| ends.may_leave_by(edge).then_some(1);
        return steiner::tree(&search.fabric, ends.source, &far, Limit::NONE, cost).map(|(length, _)| length);
    }
    Some(Lengths::new(&search.fabric).least(ends.source, &far))
}
