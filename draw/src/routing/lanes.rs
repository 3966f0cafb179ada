//! Assigns each net a wire of every edge: its current wire if it goes straight on, otherwise the
//! first free one.
//!
//! These numbers are only for drawing. The settings of the switches hold the hardware's numbers.

use std::collections::BTreeMap;

use aiec_router_model::{Hop, NetId, Switch};

use super::{NetMark, side};

/// The lanes of all nets.
pub(super) struct Lanes {
    /// By net and hop.
    of: BTreeMap<(NetId, Hop), u32>,
    /// Number of lanes of each edge.
    count: BTreeMap<Hop, u32>,
}

impl Lanes {
    pub(super) fn assign(nets: &[NetMark]) -> Self {
        let mut taken: BTreeMap<Hop, Vec<bool>> = BTreeMap::new();
        let mut of = BTreeMap::new();
        for (id, net) in (0..).map(NetId).zip(nets) {
            // The hop and lane by which the net entered each switch.
            let mut entered: BTreeMap<Switch, (Hop, u32)> = BTreeMap::new();
            for &hop in &net.hops {
                let straight = entered.get(&hop.from).filter(|(before, _)| side(*before) == side(hop));
                let lane = take(taken.entry(hop).or_default(), straight.map(|&(_, lane)| lane));
                of.insert((id, hop), lane);
                entered.insert(hop.to, (hop, lane));
            }
        }
        let count =
            taken.into_iter().map(|(hop, lanes)| (hop, u32::try_from(lanes.len()).unwrap_or(u32::MAX)));
        Self { of, count: count.collect() }
    }

    /// The lane of a net on a hop of its tree.
    pub(super) fn lane(&self, net: NetId, hop: Hop) -> u32 {
        self.of.get(&(net, hop)).copied().unwrap_or(0)
    }

    /// Lanes of an edge.
    pub(super) fn count(&self, hop: Hop) -> u32 {
        self.count.get(&hop).copied().unwrap_or(0)
    }
}

/// The wanted lane if it is free, else the first that is.
fn take(taken: &mut Vec<bool>, wanted: Option<u32>) -> u32 {
    let wanted =
        wanted.map(|lane| lane as usize).filter(|&lane| !taken.get(lane).is_some_and(|&taken| taken));
    let lane = wanted.unwrap_or_else(|| taken.iter().position(|&taken| !taken).unwrap_or(taken.len()));
    if taken.len() <= lane {
        taken.resize(lane + 1, false);
    }
    taken[lane] = true;
    u32::try_from(lane).unwrap_or(u32::MAX)
}
