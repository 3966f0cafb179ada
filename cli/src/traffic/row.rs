//! The figures of one pattern and one size of messages, over all its runs.

use std::collections::BTreeMap;

use aiec_router_model::{EdgeUse, Switch};
use serde::Serialize;

use super::load::Loads;
use super::sample::{Message, Sample};
use crate::sweep::Refusal;

/// Links that a row names: the hottest.
const HOTTEST: usize = 5;

/// A pattern with messages of one size.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// The pattern, as the command line names it.
    pub(crate) pattern: String,
    /// Bytes of a message.
    pub(crate) bytes: u64,
    /// Permutations that were run.
    pub(crate) runs: usize,
    /// Permutations without a placement or routes.
    pub(crate) refused: usize,
    /// Why the first of them was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refusal: Option<Refusal>,
    /// The figures of the others. None when there are no others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) figures: Option<Figures>,
    /// The times of a barrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) barrier: Option<Meeting>,
    /// Offered and accepted load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<Loads>,
}

/// Figures over all messages. Times are array cycles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figures {
    /// Messages of all runs.
    pub(crate) messages: usize,
    /// Messages through shared memory, without a net.
    pub(crate) shared: usize,
    /// The mean time of a message.
    pub(crate) mean_cycles: f64,
    /// The least time that half of the messages do not exceed.
    pub(crate) p50_cycles: f64,
    /// The least time that 99 of 100 messages do not exceed.
    pub(crate) p99_cycles: f64,
    /// The longest time of a message.
    pub(crate) max_cycles: f64,
    /// The time until all nodes were done, of the slowest run.
    pub(crate) total_cycles: f64,
    /// Messages by the number of hops between switches.
    pub(crate) hops: Vec<OfHops>,
    /// The links with the largest share of their wires in use, the hottest first.
    pub(crate) links: Vec<Hot>,
}

/// Messages with the same number of hops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct OfHops {
    /// Hops. None when the message goes through shared memory.
    pub(crate) hops: Option<u32>,
    /// Number of messages with these hops, of all runs.
    pub(crate) messages: usize,
    /// Mean time of these messages, in array cycles.
    pub(crate) mean_cycles: f64,
}

/// A link from a switch to its neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Hot {
    /// Column and hardware row of the switch it leaves.
    pub(crate) from: Switch,
    /// The switch it leads to.
    pub(crate) to: Switch,
    /// Most wires in use in a run.
    pub(crate) most: u32,
    /// Mean of the wires in use.
    pub(crate) mean: f64,
    /// Wires that it has.
    pub(crate) wires: u32,
}

impl Row {
    /// The row of all runs.
    pub(crate) fn new(
        pattern: String,
        bytes: u64,
        runs: &[Result<Sample, Refusal>],
        load: Option<Loads>,
    ) -> Self {
        let samples: Vec<&Sample> = runs.iter().filter_map(|run| run.as_ref().ok()).collect();
        Self {
            pattern,
            bytes,
            runs: runs.len(),
            refused: runs.len() - samples.len(),
            refusal: runs.iter().find_map(|run| run.as_ref().err().cloned()),
            figures: figures(&samples),
            barrier: None,
            load,
        }
    }

    /// The row of a barrier: times of nodes instead of those of messages.
    pub(crate) fn barrier(pattern: String, runs: &[Result<Sample, Refusal>]) -> Self {
        let barrier = meeting(runs.iter().filter_map(|run| run.as_ref().ok()));
        Self { barrier, figures: None, ..Self::new(pattern, 0, runs, None) }
    }
}

/// Times of the nodes in a barrier, from entry to exit, over all runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Meeting {
    /// The mean time of node 0.
    pub(crate) root_cycles: f64,
    /// The least time of a node.
    pub(crate) min_cycles: f64,
    /// The mean time of a node.
    pub(crate) mean_cycles: f64,
    /// The longest time of a node.
    pub(crate) max_cycles: f64,
}

fn meeting<'s>(samples: impl Iterator<Item = &'s Sample> + Clone) -> Option<Meeting> {
    let stays: Vec<f64> = samples.clone().flat_map(|sample| sample.stays.clone()).collect();
    let roots: Vec<f64> = samples.filter_map(|sample| sample.stays.first().copied()).collect();
    let min_cycles = stays.iter().copied().reduce(f64::min)?;
    let max_cycles = stays.iter().copied().reduce(f64::max)?;
    Some(Meeting { root_cycles: mean(&roots), min_cycles, mean_cycles: mean(&stays), max_cycles })
}

fn figures(samples: &[&Sample]) -> Option<Figures> {
    let all: Vec<Message> = samples.iter().flat_map(|sample| sample.messages.clone()).collect();
    let mut times: Vec<f64> = all.iter().map(|message| message.cycles).collect();
    times.sort_by(f64::total_cmp);
    Some(Figures {
        messages: all.len(),
        shared: all.iter().filter(|message| message.hops.is_none()).count(),
        mean_cycles: mean(&times),
        p50_cycles: percentile(&times, 50)?,
        p99_cycles: percentile(&times, 99)?,
        max_cycles: *times.last()?,
        total_cycles: samples.iter().map(|sample| sample.total).fold(0.0, f64::max),
        hops: by_hops(&all),
        links: hottest(samples),
    })
}

/// The mean, to hundredths.
fn mean(times: &[f64]) -> f64 {
    part(times.iter().sum(), times.len())
}

/// A sum divided by the number of what it adds up, to hundredths.
fn part(sum: f64, count: usize) -> f64 {
    (sum * 100.0 / count.max(1) as f64).round() / 100.0
}

/// The least of the sorted numbers that `percent` of them do not exceed (nearest rank).
fn percentile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

fn by_hops(messages: &[Message]) -> Vec<OfHops> {
    let mut groups: BTreeMap<Option<u32>, Vec<f64>> = BTreeMap::new();
    for message in messages {
        groups.entry(message.hops).or_default().push(message.cycles);
    }
    let group = |(hops, times): (Option<u32>, Vec<f64>)| OfHops {
        hops,
        messages: times.len(),
        mean_cycles: mean(&times),
    };
    groups.into_iter().map(group).collect()
}

/// The links with the largest share of their wires in use in one run, then in all runs.
fn hottest(samples: &[&Sample]) -> Vec<Hot> {
    let mut all: BTreeMap<(Switch, Switch), (u32, u64, u32)> = BTreeMap::new();
    for &EdgeUse { from, to, used, capacity } in samples.iter().flat_map(|sample| &sample.links) {
        let (most, sum, wires) = all.entry((from, to)).or_default();
        (*most, *sum, *wires) = (used.max(*most), *sum + u64::from(used), capacity);
    }
    let hot = |((from, to), (most, sum, wires)): (_, (u32, u64, u32))| {
        let mean = part(sum as f64, samples.len());
        Hot { from, to, most, mean, wires }
    };
    let mut links: Vec<Hot> = all.into_iter().map(hot).collect();
    let share = |of: f64, link: &Hot| of / f64::from(link.wires.max(1));
    links.sort_by(|a, b| {
        let most = share(f64::from(b.most), b).total_cmp(&share(f64::from(a.most), a));
        most.then(share(b.mean, b).total_cmp(&share(a.mean, a)))
    });
    links.truncate(HOTTEST);
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_of_messages_by_nearest_rank() {
        let times: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!((percentile(&times, 50), percentile(&times, 99)), (Some(100.0), Some(198.0)));
        assert_eq!(percentile(&[7.0], 99), Some(7.0));
        assert_eq!(percentile(&[], 50), None);
    }

    #[test]
    fn a_link_that_is_full_in_one_run_is_hotter_than_one_that_is_half_full_in_all() {
        let switch = |column| Switch { column, row: 1 };
        let link = |to, used| EdgeUse { from: switch(to - 1), to: switch(to), used, capacity: 4 };
        let sample =
            |links| Sample { total: 0.0, messages: Vec::new(), links, begins: Vec::new(), stays: Vec::new() };
        let (one, two) = (sample(vec![link(1, 2), link(5, 4)]), sample(vec![link(1, 2)]));
        let hot = hottest(&[&one, &two]);
        let figures: Vec<_> = hot.iter().map(|hot| (hot.to.column, hot.most, hot.mean)).collect();
        assert_eq!(figures, [(5, 4, 2.0), (1, 2, 2.0)]);
    }
}
