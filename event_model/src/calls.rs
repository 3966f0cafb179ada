//! When the calls of a collective are done: the first one, the last two, and their number.
//!
//! Ranks are at most some calls apart, as buffers between them are few. So memory does not grow
//! with the number of calls.

use std::collections::{BTreeMap, VecDeque};

use aiec_ir::KernelId;
use aiec_ir::expanded::Collective;

use crate::time::Time;

/// The calls of a collective in a run so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    /// The rank whose return ends a call: the one that gets the result. Without one, a call is done
    /// when all ranks have returned.
    root: Option<KernelId>,
    /// Ranks that return before a call is done.
    returns: usize,
    /// Calls each rank has returned from.
    made: BTreeMap<KernelId, u64>,
    /// Ranks that have returned and the latest return, of each call that is not done yet.
    open: VecDeque<(usize, Time)>,
    /// Calls that are done.
    pub(crate) done: u64,
    /// End of the first call.
    pub(crate) first: Option<Time>,
    /// End of the call before the last one.
    pub(crate) before: Option<Time>,
    /// End of the last call.
    pub(crate) last: Option<Time>,
}

impl Calls {
    /// No calls of a collective.
    pub(crate) fn of(collective: &Collective) -> Self {
        let at_root = collective.plan.row().ends_at_root();
        let root = at_root.then_some(collective.root.value);
        Self { root, returns: if at_root { 1 } else { collective.ranks.len() }, ..Self::default() }
    }

    /// A rank returns from its next call.
    pub(crate) fn returned(&mut self, rank: KernelId, now: Time) {
        if self.root.is_some_and(|root| root != rank) {
            return;
        }
        let made = self.made.entry(rank).or_default();
        let ahead = usize::try_from(made.saturating_sub(self.done)).unwrap_or(usize::MAX);
        *made += 1;
        match self.open.get_mut(ahead) {
            Some((ranks, latest)) => (*ranks, *latest) = (*ranks + 1, now.max(*latest)),
            None => self.open.push_back((1, now)),
        }
        while let Some(&(_, end)) = self.open.front().filter(|(ranks, _)| *ranks >= self.returns) {
            self.open.pop_front();
            self.done += 1;
            self.first.get_or_insert(end);
            (self.before, self.last) = (self.last, Some(end));
        }
    }
}
