//! When the calls of a collective are done: the first one, the last two, and their number. Also how
//! long the calls take at the rank that counts its cycles, and of a barrier when all ranks enter
//! and leave.
//!
//! Ranks are at most some calls apart, as buffers between them are few, and the model has few
//! distinct durations. So memory does not grow with the number of calls.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use aiec_ir::KernelId;
use aiec_ir::expanded::Collective;

use crate::spread::Spread;
use crate::time::Time;

/// Most distinct durations that are kept; the calls of any further one are not counted.
const MOST_DURATIONS: usize = 4096;

/// The calls of a collective in a run so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls {
    /// The rank whose return ends a call: the one that gets the result. Without one, a call is done
    /// when all ranks have returned.
    root: Option<KernelId>,
    /// The rank that counts cycles.
    counter: Option<KernelId>,
    /// When that rank began its current call.
    begun: Time,
    /// The ranks that have begun a call.
    ranks: BTreeSet<KernelId>,
    /// When each of them began its first one: the earliest and the latest.
    starts: Option<(Time, Time)>,
    /// Duration of the first call of the run at that rank.
    pub(crate) first_duration: Option<Time>,
    /// Durations of its other calls but the first of each firing, with their numbers.
    pub(crate) durations: BTreeMap<Time, u64>,
    /// True until the rank returns from the first call of a firing.
    is_first: bool,
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
    /// When ranks enter and leave. None for a collective that moves data.
    pub(crate) spread: Option<Spread>,
}

impl Calls {
    /// No calls of a collective.
    pub(crate) fn of(collective: &Collective) -> Self {
        let at_root = collective.plan.row().ends_at_root();
        let root = at_root.then_some(collective.root.value);
        let counter = Some(collective.root.value);
        let returns = if at_root { 1 } else { collective.ranks.len() };
        Self { root, counter, returns, spread: Spread::of(collective), ..Self::default() }
    }

    /// A rank begins the calls of a firing.
    pub(crate) fn begins(&mut self, rank: KernelId, now: Time) {
        if self.counter == Some(rank) {
            (self.begun, self.is_first) = (now, true);
        }
        if self.ranks.insert(rank) {
            let (earliest, latest) = self.starts.unwrap_or((now, now));
            self.starts = Some((earliest.min(now), latest.max(now)));
        }
        if let Some(spread) = &mut self.spread {
            spread.enters(rank, now);
        }
    }

    /// When all ranks began their first call. None when they began at different times.
    pub(crate) fn start(&self) -> Option<Time> {
        self.starts.filter(|(earliest, latest)| earliest == latest).map(|(start, _)| start)
    }

    /// The rank that counts returns from a call, and begins the next one.
    fn counted(&mut self, now: Time) {
        let duration = now.since(self.begun);
        if self.first_duration.is_none() {
            self.first_duration = Some(duration);
        } else if !self.is_first {
            note(&mut self.durations, duration);
        }
        (self.begun, self.is_first) = (now, false);
    }

    /// A rank returns from its next call.
    pub(crate) fn returned(&mut self, rank: KernelId, now: Time) {
        if self.counter == Some(rank) {
            self.counted(now);
        }
        if let Some(spread) = &mut self.spread {
            spread.leaves(rank, now);
        }
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

/// Counts a time, unless there are too many distinct ones.
pub(crate) fn note(times: &mut BTreeMap<Time, u64>, time: Time) {
    if times.contains_key(&time) || times.len() < MOST_DURATIONS {
        *times.entry(time).or_default() += 1;
    }
}
