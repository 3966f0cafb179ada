//! Packets that pass through a split or merge in an iteration.

use super::{Expanded, SwitchKind};
use crate::carries::Carries;
use crate::ids::{ConnectionId, PortId};

/// The packets of one branch of a split or merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BranchPackets {
    /// The id in their headers.
    pub id: u32,
    /// Their number in one iteration.
    pub count: u64,
    /// Data of each, without its header.
    pub bytes: u64,
}

impl Expanded {
    /// The packets of each branch of the splits or the merge with this trunk, in the order of their
    /// ids. A window is a packet, and so are the data of a run of a `packets` port. Branches of one
    /// id get the same packets. Returns None when the port is no trunk, or the amount of a branch
    /// is unknown.
    pub fn packets_by_branch(&self, trunk: PortId) -> Option<Vec<BranchPackets>> {
        let switch = &self.switches[self.ports[trunk].switch?];
        if switch.trunk != trunk {
            return None;
        }
        let branches: Vec<(u32, ConnectionId)> = match switch.kind {
            SwitchKind::Split => {
                let by_id = self.branches_of_splits(trunk).into_iter();
                by_id.filter_map(|(id, readers)| Some((id, *readers.first()?))).collect()
            }
            SwitchKind::Merge | SwitchKind::OrderedMerge => switch.numbered().collect(),
        };
        let packets = |(id, wire): (u32, ConnectionId)| {
            let bytes = self.ports[self.connections[wire].other(trunk)].carries?.per_run()?.bytes();
            Some(BranchPackets { id, count: self.packets_of_branch(wire, trunk)?, bytes })
        };
        branches.into_iter().map(packets).collect()
    }

    /// The packets that pass through a connection in an iteration, whose other end is the trunk of
    /// a split or merge. Returns None when the end is an input or output, or the kernel there locks
    /// its windows an unknown number of times.
    pub fn packets_of_branch(&self, branch: ConnectionId, trunk: PortId) -> Option<u64> {
        let end = self.connections[branch].other(trunk);
        let runs = u64::from(self.kernels[self.kernel_of(end)?].repetitions);
        match self.ports[end].carries? {
            Carries::Packets(_) => Some(runs),
            _ => runs.checked_mul(self.windows_per_run(end)?),
        }
    }
}
