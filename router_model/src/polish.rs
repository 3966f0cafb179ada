//! Shortens the trees of a legal routing: each circuit in turn gets the shortest tree over the
//! wires that the others leave.
//!
//! No edge becomes overfull, and the wire length never grows. Nets with few sinks get an exact
//! Steiner tree. Others get the shorter of their tree and a newly grown one, shortened piece by
//! piece ([`local`]).

use aiec_device::Device;

use crate::fabric::{Edge, Fabric, Node};
use crate::pathfinder::{Ends, Search};
use crate::request::{NetId, OwnerId, Request};
use crate::{local, steiner};

/// Shortens all circuits until a pass changes nothing, at most `passes` times.
pub(crate) fn shorten(search: &mut Search<'_>, passes: u32) {
    for _ in 0..passes {
        let mut shorter = false;
        for owner in search.owners.ids() {
            shorter |= !search.is_optional(owner) && shorten_owner(search, owner);
        }
        if !shorter {
            return;
        }
    }
}

/// Shortens one net. Returns true if its tree became shorter.
fn shorten_owner(search: &mut Search<'_>, owner: OwnerId) -> bool {
    let [net] = search.owners[owner][..] else { return false };
    let Some(ends) = search.ends(net) else { return false };
    let far = ends.far_sinks();
    let old = search.trees[net].clone();
    if old.len() as u64 <= half_perimeter(&search.fabric, ends.source, &far) {
        return false;
    }
    search.tear_up(owner);
    let new = if far.len() <= steiner::MAX_SINKS {
        exact_tree(search, &ends, &far)
    } else {
        mended_tree(search, owner, net, &ends, &old)
    };
    let shorter = new.filter(|new| new.len() < old.len());
    let better = shorter.is_some();
    search.trees[net] = shorter.unwrap_or(old);
    search.settle(owner);
    better
}

fn exact_tree(search: &Search<'_>, ends: &Ends, far: &[Node]) -> Option<Vec<Edge>> {
    let cost = |edge| search.free(edge).filter(|_| ends.may_leave_by(edge));
    steiner::tree(&search.fabric, ends.source, far, cost).map(|(_, tree)| tree)
}

/// The shorter of the old tree and a newly grown one, both shortened piece by piece. The owner is
/// off its edges before and after.
fn mended_tree(
    search: &mut Search<'_>,
    owner: OwnerId,
    net: NetId,
    ends: &Ends,
    old: &[Edge],
) -> Option<Vec<Edge>> {
    search.route_free(owner, |search, edge| search.free(edge));
    let grown = search.trees[net].clone();
    search.tear_up(owner);
    let mend = |tree: Vec<Edge>| local::shorten(&search.fabric, ends, tree, |edge| search.free(edge));
    // A failed growth leaves an empty tree. A net with many sinks always has hops.
    let trees = [Some(old.to_vec()), Some(grown).filter(|tree| !tree.is_empty())];
    trees.into_iter().flatten().map(mend).min_by_key(Vec::len)
}

/// Half the perimeter of the rectangle around the ends: a lower bound on the length of a tree.
fn half_perimeter(fabric: &Fabric, source: Node, far: &[Node]) -> u64 {
    let switches = || far.iter().copied().chain([source]).map(|node| fabric.switch(node));
    let extent = |low: Option<u16>, high: Option<u16>| u64::from(high.unwrap_or(0) - low.unwrap_or(0));
    extent(switches().map(|s| s.column).min(), switches().map(|s| s.column).max())
        + extent(switches().map(|s| s.row).min(), switches().map(|s| s.row).max())
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
        return steiner::tree(&search.fabric, ends.source, &far, cost).map(|(length, _)| length);
    }
    Some(half_perimeter(&search.fabric, ends.source, &far))
}
