//! Nets that share a port at an end: the packet streams of a split or a merge.
//!
//! Takes the ends and demands of nets. Returns the group of each net. Nets that start or end at one
//! port belong together, and so do the nets that each of them meets at its other end.

use std::collections::BTreeMap;

use aiec_diag::Diagnostic;
use petgraph::unionfind::UnionFind;

use super::{VendorEnds, VendorNet, WHOLE, errors};
use crate::net::NetEnd;

/// The ports at which nets start (true) or end (false).
#[derive(Default)]
pub(super) struct Ends {
    ports: BTreeMap<(NetEnd, bool), Users>,
    /// The nets by their groups.
    sets: UnionFind<usize>,
    /// True for a net that shares an end.
    is_shared: Vec<bool>,
}

/// The nets at a port.
struct Users {
    first: usize,
    demand: u64,
}

impl Ends {
    /// Adds the next net to those `kept`. Returns a diagnostic, and adds nothing, if a port is then
    /// asked for more than a stream. A net of unknown demand asks for nothing.
    pub(super) fn add(
        &mut self,
        net: &VendorNet,
        ends: &VendorEnds,
        kept: &[VendorNet],
    ) -> Result<(), Diagnostic> {
        let demand = u64::from(net.demand.unwrap_or(0));
        let sinks = ends.sinks.iter().map(|sink| (*sink, false));
        let ports: Vec<(NetEnd, bool)> = std::iter::once((ends.source, true)).chain(sinks).collect();
        for (end, starts) in &ports {
            let Some(users) = self.ports.get(&(*end, *starts)) else { continue };
            let (all, first) = (users.demand.saturating_add(demand), kept.get(users.first));
            if let Some(first) = first.filter(|_| all > u64::from(WHOLE)) {
                return Err(errors::shared_port(first, net, all, *end, *starts));
            }
        }
        let at = self.sets.new_set();
        self.is_shared.push(false);
        for port in ports {
            let users = self.ports.entry(port).or_insert(Users { first: at, demand: 0 });
            users.demand = users.demand.saturating_add(demand);
            let first = users.first;
            self.join(first, at);
        }
        Ok(())
    }

    fn join(&mut self, one: usize, other: usize) {
        if one != other {
            self.is_shared[one] = true;
            self.is_shared[other] = true;
        }
        self.sets.union(one, other);
    }

    /// The group of each net. None when it shares no end.
    pub(super) fn groups(self) -> Vec<Option<u32>> {
        let groups = self.sets.into_labeling().into_iter().zip(self.is_shared);
        groups.map(|(group, is_shared)| u32::try_from(group).ok().filter(|_| is_shared)).collect()
    }
}
