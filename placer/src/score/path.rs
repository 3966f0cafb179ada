//! The longest data path through collectives, in 1/100 array cycles.
//!
//! Takes the connections of each collective and the latency of each. Returns the longest sum along
//! a chain of them; in a reduction from a leaf to the root. It ignores the time of kernels in
//! between, which does not depend on their tiles.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_ir::{CollectiveId, IdVec, KernelId};
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

use super::measure::{Link, LinkId};

/// A connection of a collective.
#[derive(Clone, Copy, Debug)]
struct Hop {
    link: LinkId,
    /// Source and destination kernel.
    from: KernelId,
    to: KernelId,
}

/// The connections of all collectives that join kernels.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// The hops of each collective in topological order.
    collectives: Vec<Vec<Hop>>,
    kernels: usize,
}

impl Paths {
    /// The paths of `checked`, whose connections between kernels are `links`.
    pub(super) fn new(checked: &Checked, links: &IdVec<LinkId, Link>) -> Self {
        let hops = |collective: CollectiveId| -> Vec<Hop> {
            let belongs = |link: &Link| checked.connections[link.connection].collective == Some(collective);
            let members = links.enumerate().filter(|(_, link)| belongs(link));
            members.map(|(at, link)| Hop { link: at, from: link.kernels[0], to: link.kernels[1] }).collect()
        };
        let kernels = checked.kernels.len();
        let collectives = checked.collectives.ids().map(|id| in_order(hops(id))).collect();
        Self { collectives, kernels }
    }

    /// Sum of the longest path through each collective when a link takes `latency`.
    pub(super) fn longest(&self, latency: impl Fn(LinkId) -> u64) -> u64 {
        let mut arrival = IdVec::filled(0_u64, self.kernels);
        let mut sum = 0_u64;
        for hops in &self.collectives {
            let mut longest = 0;
            for hop in hops {
                let there = arrival[hop.from].saturating_add(latency(hop.link));
                arrival[hop.to] = arrival[hop.to].max(there);
                longest = longest.max(there);
            }
            sum = sum.saturating_add(longest);
            hops.iter().for_each(|hop| (arrival[hop.from], arrival[hop.to]) = (0, 0));
        }
        sum
    }
}

/// Topological order of hops. Hops on a cycle keep their order, so that each counts at most once.
fn in_order(mut hops: Vec<Hop>) -> Vec<Hop> {
    let graph = DiGraphMap::<u32, ()>::from_edges(hops.iter().map(|hop| (hop.from.0, hop.to.0)));
    let cycles = kosaraju_scc(&graph).into_iter().rev().enumerate();
    let rank: BTreeMap<u32, usize> =
        cycles.flat_map(|(at, kernels)| kernels.into_iter().map(move |kernel| (kernel, at))).collect();
    hops.sort_by_key(|hop| rank.get(&hop.from.0).copied());
    hops
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(edges: &[(u32, u32)]) -> Paths {
        let hop = |(link, &(from, to))| Hop { link: LinkId(link), from: KernelId(from), to: KernelId(to) };
        let hops = (0..).zip(edges).map(hop).collect();
        Paths { collectives: vec![in_order(hops)], kernels: 8 }
    }

    #[test]
    fn on_a_cycle_every_link_counts_at_most_once_and_collectives_add_up() {
        assert_eq!(paths(&[(0, 1), (1, 2), (2, 0)]).longest(|_| 1), 3);
        let mut two = paths(&[(0, 1), (1, 0)]);
        assert_eq!(two.longest(|_| 5), 10);
        two.collectives.push(two.collectives[0].clone());
        assert_eq!(two.longest(|_| 5), 20, "collectives add up");
    }
}
