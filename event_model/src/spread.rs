//! When the ranks of a barrier or clock enter and leave its calls, over all ranks: how long before
//! the last one came, and how long after that.
//!
//! Ranks are at most some calls apart, and the model has few distinct times. So memory does not
//! grow with the number of calls.

use std::collections::{BTreeMap, VecDeque};

use aiec_ir::KernelId;
use aiec_ir::expanded::Collective;

use crate::calls::note;
use crate::time::Time;

/// The calls of a collective that all ranks enter and leave.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    /// Number of ranks.
    ranks: usize,
    /// Calls in one firing.
    calls: u64,
    /// Calls each rank has left.
    made: BTreeMap<KernelId, u64>,
    /// Calls that are done.
    done: u64,
    /// Those that are not, in order.
    open: VecDeque<Open>,
    /// Times from entering until the last rank came, each with the number of ranks and calls.
    pub(crate) entered: BTreeMap<Time, u64>,
    /// Times from then until leaving.
    pub(crate) left: BTreeMap<Time, u64>,
}

/// A call that not all ranks have left.
#[derive(Clone, Debug, Default)]
struct Open {
    entered: Vec<Time>,
    left: Vec<Time>,
}

impl Spread {
    /// No calls of a collective. Returns None when it moves data.
    pub(crate) fn of(collective: &Collective) -> Option<Self> {
        (!collective.plan.row().has_data()).then(|| Self {
            ranks: collective.ranks.len(),
            calls: collective.calls.into(),
            made: BTreeMap::new(),
            done: 0,
            open: VecDeque::new(),
            entered: BTreeMap::new(),
            left: BTreeMap::new(),
        })
    }

    /// A rank enters its next call.
    pub(crate) fn enters(&mut self, rank: KernelId, now: Time) {
        let made = *self.made.entry(rank).or_default();
        self.open_call(made).entered.push(now);
    }

    /// A rank leaves its call, and enters the next one of the firing.
    pub(crate) fn leaves(&mut self, rank: KernelId, now: Time) {
        let made = self.made.entry(rank).or_default();
        let call = *made;
        *made += 1;
        let goes_on = !made.is_multiple_of(self.calls.max(1));
        self.open_call(call).left.push(now);
        if goes_on {
            self.enters(rank, now);
        }
        while self.open.front().is_some_and(|open| open.left.len() >= self.ranks) {
            let done = self.open.pop_front().unwrap_or_default();
            self.done += 1;
            self.count(&done);
        }
    }

    fn open_call(&mut self, number: u64) -> &mut Open {
        let ahead = usize::try_from(number.saturating_sub(self.done)).unwrap_or(usize::MAX);
        if self.open.len() <= ahead {
            self.open.resize_with(ahead.saturating_add(1), Open::default);
        }
        &mut self.open[ahead]
    }

    fn count(&mut self, done: &Open) {
        let last = done.entered.iter().copied().max().unwrap_or(Time::ZERO);
        let before = done.entered.iter().map(|entered| last.since(*entered));
        before.for_each(|time| note(&mut self.entered, time));
        done.left.iter().map(|left| left.since(last)).for_each(|time| note(&mut self.left, time));
    }
}
