//! Kernels that run in turn on one core.
//!
//! The core begins a firing and runs it to its end; the other kernels of the core rest meanwhile
//! (UG1079). A firing that ends only adds words and room, so it never takes the
//! end of another firing away. So the run begins any firing that ends, as long as there is one.
//! Where there is none, no order of the kernels goes on.

use aiec_ir::KernelId;

use super::{Flow, Wait};

/// A core on which no firing ends that may begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The kernels of the core that have firings left.
    pub open: Vec<KernelId>,
    /// The one of them that has the core.
    pub running: KernelId,
    /// What it waits for, and what the kernels wait for that it needs.
    pub waits: Vec<Wait>,
    /// The kernel of the same core that the last of them needs.
    pub resting: KernelId,
}

impl Flow<'_> {
    /// True if the kernel may not begin a firing, because another one has its core.
    pub(super) fn rests(&self, kernel: KernelId) -> bool {
        self.core.contains(&kernel) && self.turn != Some(kernel)
    }

    /// Runs with these kernels in turn on one core. Returns None when all of them end, when the
    /// budget is spent, or when they stop for another reason than each other.
    pub fn in_turn(&mut self, core: &[KernelId]) -> Option<Stop> {
        self.core = core.iter().copied().collect();
        if !self.stops() {
            return None;
        }
        loop {
            let open: Vec<KernelId> = core.iter().copied().filter(|&kernel| !self.is_done(kernel)).collect();
            let mut stops = Vec::new();
            let mut next = None;
            for &kernel in &open {
                let mut trial = self.clone();
                trial.turn = Some(kernel);
                trial.wake(kernel);
                if !trial.stops() {
                    self.budget = 0;
                    return None;
                }
                self.budget = trial.budget;
                if trial.turn.is_none() {
                    next = Some(trial);
                    break;
                }
                stops.push(trial.stop(kernel, &open));
            }
            match next {
                Some(trial) => *self = trial,
                // Without a wait for a kernel that rests, the core is not the reason.
                None => return stops.into_iter().collect::<Option<Vec<Stop>>>()?.into_iter().next(),
            }
        }
    }

    /// Why a kernel that has the core does not go on. Returns None when it waits for no kernel that
    /// rests.
    fn stop(&self, running: KernelId, open: &[KernelId]) -> Option<Stop> {
        let (mut waits, mut kernel): (Vec<Wait>, _) = (Vec::new(), running);
        loop {
            let wait = self.wait(kernel)?;
            kernel = wait.needs;
            let is_seen = waits.iter().any(|wait| wait.kernel == kernel) || kernel == running;
            waits.push(wait);
            if open.contains(&kernel) && kernel != running {
                return Some(Stop { open: open.to_vec(), running, waits, resting: kernel });
            }
            if is_seen {
                return None;
            }
        }
    }
}
