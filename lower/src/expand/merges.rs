//! Which windows into a merge are synchronous.
//!
//! Takes the expanded collectives and ports, removes `async` from ports where a synchronous window
//! does the same. A synchronous window leaves when its kernel returns: so a rank must send exactly
//! one in each run, and wait for nothing after it. No public project has asynchronous windows into
//! a `pktmerge`; several have synchronous ones.

use std::collections::BTreeSet;

use aiec_ir::FamilyId;
use aiec_ir::expanded::{Collective, PortRole};

use super::Expansion;

impl Expansion<'_> {
    /// Makes the windows of ranks into a merge synchronous where all ranks of the collective but
    /// the root allow it.
    pub(super) fn synchronous_merges(&mut self) {
        let waiting = self.families_that_wait();
        let once: Vec<_> = self
            .collectives
            .enumerate()
            .filter(|(_, collective)| self.sends_once(collective, &waiting))
            .map(|(id, _)| id)
            .collect();
        for id in once {
            let collective = &mut self.collectives[id];
            collective.sends_once = true;
            let root = collective.root.value;
            for &kernel in collective.ranks.iter().filter(|&&kernel| kernel != root) {
                for &port in self.kernels[kernel].memberships.iter().flat_map(|member| &member.outputs) {
                    self.ports[port].asynchronous = false;
                }
            }
        }
    }

    /// Does every rank but the root send one window in each run, and nothing else that might wait?
    fn sends_once(&self, collective: &Collective, waiting: &BTreeSet<FamilyId>) -> bool {
        let plan = &collective.plan;
        // Of the others, ranks get an answer in the same call.
        let is_one_way = plan.row().ends_at_root();
        let ranks = collective.ranks.iter().zip(&plan.windows);
        let others = ranks.filter(|(kernel, _)| **kernel != collective.root.value);
        plan.is_merged()
            && is_one_way
            && collective.calls == 1
            && others.into_iter().all(|(&kernel, &windows)| {
                let kernel = &self.kernels[kernel];
                windows == 1 && kernel.memberships.len() == 1 && !waiting.contains(&kernel.family)
            })
    }

    /// Families with asynchronous ports of their own, which their kernels may wait for at any time.
    fn families_that_wait(&self) -> BTreeSet<FamilyId> {
        let own = |port: &aiec_ir::PortId| {
            let port = &self.ports[*port];
            port.asynchronous && matches!(port.role, PortRole::User(_))
        };
        let kernels = self.kernels.iter();
        kernels
            .filter(|kernel| kernel.inputs.iter().chain(&kernel.outputs).any(own))
            .map(|kernel| kernel.family)
            .collect()
    }
}
