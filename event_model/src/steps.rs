//! The steps of a run, each with the one that made it ready last.

use aiec_ir::expanded::Expanded;
use aiec_ir::{KernelId, PortId};

use crate::links::{Links, WireId};
use crate::path::{Path, Walk};
use crate::program::Task;
use crate::time::Time;

/// Limit on the steps that a run keeps: about 100 MB.
const MOST_STEPS: usize = 2_000_000;

/// A step by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepId(u32);

/// The use of a step's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// A kernel works.
    Work(KernelId, Task),
    /// A buffer passes through shared memory, from this port.
    Share(PortId),
    /// A net is occupied by a block.
    Carry(WireId),
    /// A block comes over a net to one of its ends. The time is the part of the way.
    Arrive(WireId, Time),
}

/// A span of time with one use, such as the loop of a kernel over a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) passing: Passing,
    pub(crate) begin: Time,
    pub(crate) end: Time,
    /// The step that made it ready last. None when it ran at the start.
    pub(crate) before: Option<StepId>,
}

/// The steps so far.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    steps: Vec<Step>,
    /// True if there were more.
    is_full: bool,
}

impl Steps {
    /// Keeps a step. Returns None when the step takes no time, or there is no room.
    pub(crate) fn keep(&mut self, step: Step) -> Option<StepId> {
        if step.end <= step.begin {
            return None;
        }
        if self.steps.len() == MOST_STEPS {
            self.is_full = true;
            return None;
        }
        let id = u32::try_from(self.steps.len()).ok().map(StepId);
        self.steps.push(step);
        id
    }

    /// The steps that led to `last`, from the start.
    pub(crate) fn path(&self, last: Option<StepId>, design: &Expanded, links: &Links) -> Path {
        let step = |id: StepId| self.steps.get(id.0 as usize);
        let mut steps: Vec<&Step> =
            std::iter::successors(last.and_then(step), |at| step(at.before?)).collect();
        steps.reverse();
        let mut walk = Walk::new(design, links, !self.is_full);
        for (at, now) in steps.iter().enumerate() {
            walk.pass(now, steps.get(at + 1).copied());
        }
        walk.path()
    }
}
