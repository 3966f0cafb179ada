//! The packets that a kernel writes for the branches of a split.
//!
//! In an iteration each branch takes as many packets as its kernel takes windows, or has runs. The
//! runs of the writer share them evenly, and the branches take turns.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_ir::{ConnectionId, Id, PortId};

use crate::links::WireId;

/// The packets of a writer.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    /// Runs of the writer in an iteration.
    runs: u64,
    /// The net of each branch, and its packets in an iteration.
    branches: Vec<(WireId, u64)>,
    /// Runs whose packets were handed on, and those whose packets have left.
    handed: u64,
    left: u64,
    /// Packets that have left.
    pub(crate) carried: u64,
}

/// What each kernel deals out that writes the packets of a split. `nets` are the port and the
/// connections of each net.
pub(crate) fn of(checked: &Checked, nets: &[(PortId, Vec<ConnectionId>)]) -> BTreeMap<PortId, Dealt> {
    let mut found: BTreeMap<PortId, Dealt> = BTreeMap::new();
    for (index, (from, sinks)) in nets.iter().enumerate() {
        let Some(writer) = checked.kernel_of(*from).filter(|_| checked.splits_packets(*from)) else {
            continue;
        };
        let runs = u64::from(checked.kernels[writer].repetitions.max(1));
        let packets = sinks.first().and_then(|&sink| checked.packets_of_branch(sink, *from));
        let none = Dealt { runs, branches: Vec::new(), handed: 0, left: 0, carried: 0 };
        let branches = &mut found.entry(*from).or_insert(none).branches;
        branches.push((WireId::from_index(index), packets.unwrap_or(runs)));
    }
    found
}

impl Dealt {
    /// The next run of the writer. Returns its packets for the net of each branch.
    pub(crate) fn hand(&mut self) -> Vec<(WireId, u64)> {
        self.handed += 1;
        let of_run = |branch| self.until(branch, self.handed) - self.until(branch, self.handed - 1);
        self.branches.iter().enumerate().map(|(branch, &(net, _))| (net, of_run(branch))).collect()
    }

    /// Runs whose packets have all left since the last call.
    pub(crate) fn freed(&mut self) -> u64 {
        let before = self.left;
        while self.left < self.handed && self.carried >= self.all_until(self.left + 1) {
            self.left += 1;
        }
        self.left - before
    }

    /// Packets of a branch in the first `runs` runs of the writer.
    fn until(&self, branch: usize, runs: u64) -> u64 {
        let (ways, turn) = (self.branches.len() as u128, branch as u128);
        // Its packet of a turn comes behind those of the branches before it.
        let turns = u128::from(runs) * u128::from(self.branches[branch].1) * ways;
        let packets = (turns + (ways - 1 - turn) * u128::from(self.runs)) / (ways * u128::from(self.runs));
        u64::try_from(packets).unwrap_or(u64::MAX)
    }

    fn all_until(&self, runs: u64) -> u64 {
        (0..self.branches.len()).map(|branch| self.until(branch, runs)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packets of each branch in each of the first runs.
    fn dealt(runs: u64, counts: &[u64], shown: u64) -> Vec<Vec<u64>> {
        let branches = counts.iter().enumerate().map(|(at, &count)| (WireId::from_index(at), count));
        let mut dealt = Dealt { runs, branches: branches.collect(), handed: 0, left: 0, carried: 0 };
        (0..shown).map(|_| dealt.hand().into_iter().map(|(_, packets)| packets).collect()).collect()
    }

    #[test]
    fn the_runs_of_a_writer_share_the_packets_of_an_iteration() {
        assert_eq!(dealt(1, &[2, 3], 2), [[2, 3], [2, 3]]);
        assert_eq!(dealt(2, &[1, 1], 4), [[1, 0], [0, 1], [1, 0], [0, 1]], "the branches take turns");
        assert_eq!(dealt(4, &[2, 4], 4), [[1, 1], [0, 1], [1, 1], [0, 1]]);
    }
}
