//! What leaves a collective that takes no time, for the floor of all shapes.
//!
//! Whatever the shape and the root, a window of the result leaves only after all ranks have begun
//! the run to which it belongs, and its core takes the locks of one window after the other. So do
//! cycle counts, one window in a run. They wait for all ranks if the rank that counts does.

use std::collections::BTreeMap;

use aiec_ir::expanded::{Collective, Membership};
use aiec_ir::{CollectiveId, IdVec, KernelId, PortId};
use aiec_timing::Moves;

use crate::links::Sources;
use crate::time::Time;

/// Windows that leave a collective.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    /// The port from which they leave.
    pub(crate) port: PortId,
    /// Least time that their core needs for one.
    pub(crate) pace: Time,
    /// Windows in a run.
    windows: u64,
    /// Runs that each rank has begun.
    begun: BTreeMap<KernelId, u64>,
    /// True if a run needs all ranks, false if it needs any of them.
    needs_all: bool,
    /// Runs that enough ranks have begun.
    runs: u64,
    /// Windows of these runs that have not left.
    left: u64,
}

impl Results {
    /// A rank begins a run. Returns true if that makes the next window ready.
    pub(crate) fn begins(&mut self, rank: KernelId) -> bool {
        *self.begun.entry(rank).or_default() += 1;
        let begun = self.begun.values().copied();
        let runs = if self.needs_all { begun.min() } else { begun.max() }.unwrap_or(0);
        let is_idle = self.left == 0;
        self.left = self.left.saturating_add((runs - self.runs).saturating_mul(self.windows));
        self.runs = runs;
        is_idle && self.left > 0
    }

    /// A window leaves. Returns true if there are more.
    pub(crate) fn gives(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

impl Sources<'_> {
    /// What leaves each collective, if collectives take no time.
    pub(crate) fn results(&self) -> IdVec<CollectiveId, Vec<Results>> {
        let of = |id| if self.ideal.has_no_collectives() { self.results_of(id) } else { Vec::new() };
        self.checked.collectives.ids().map(of).collect()
    }

    fn results_of(&self, id: CollectiveId) -> Vec<Results> {
        let collective = &self.checked.collectives[id];
        let members = || {
            let of = |&rank: &KernelId| &self.checked.kernels[rank].memberships;
            collective.ranks.iter().flat_map(of).filter(|member| member.collective == id)
        };
        let port = |of: fn(&Membership) -> Option<PortId>| members().find_map(of);
        let calls = u64::from(collective.calls);
        let result = port(|member| member.result).map(|port| Results {
            pace: self.pace(port, self.profile.least_work(collective.loops(), &Moves::SENT)),
            windows: calls.saturating_mul(collective.chunks().into()),
            needs_all: true,
            ..Self::leaving(collective, port)
        });
        let cycles = port(|member| member.cycles)
            .map(|port| Results { pace: self.pace(port, 0), ..Self::leaving(collective, port) });
        result.into_iter().chain(cycles).collect()
    }

    /// A window in each run, at once.
    fn leaving(collective: &Collective, port: PortId) -> Results {
        Results {
            port,
            pace: Time::ZERO,
            windows: 1,
            begun: collective.ranks.iter().map(|&rank| (rank, 0)).collect(),
            needs_all: collective.plan.row().ends_at_root(),
            runs: 0,
            left: 0,
        }
    }

    /// Cycles of a window's locks, and of its data.
    fn pace(&self, port: PortId, data: i64) -> Time {
        let locks = self.profile.window.locks_of(self.checked.ports[port].asynchronous);
        Time::cycles(locks.acquire.saturating_add(data).saturating_add(locks.release))
    }
}
