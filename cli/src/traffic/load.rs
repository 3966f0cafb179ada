//! Offered and accepted load of nets that share wires: packets. A circuit has its wires alone, so
//! load means nothing to it.

use serde::Serialize;

use super::design::{BRANCHES, Pace, Traffic};
use super::sample::{Runner, Sample};

/// Messages of each node in a run with a load. The first ones fill the buffers on the way.
const MESSAGES: u32 = 32;
/// Part of a run, in messages, that is measured: its second half, in which buffers are full.
const MEASURED: usize = 16;
/// The share of the offered load, in percent, below which a port counts as saturated.
const KEEPS_UP: f64 = 95.0;

/// Loads in percent of a wire: 32 bits a cycle at each port of the destination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Loads {
    /// One for each offered load.
    pub(crate) points: Vec<Load>,
    /// The largest accepted load, if an offered one was not accepted.
    pub(crate) saturation_percent: Option<f64>,
}

/// An offered load, and what of it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Load {
    /// Data that the nodes of the largest group offer to its port.
    pub(crate) offered_percent: f64,
    /// Data that arrives there.
    pub(crate) accepted_percent: f64,
}

impl Loads {
    /// The loads, with saturation from those that were not accepted. Nodes that cannot send faster
    /// give equal loads, which count once.
    pub(crate) fn new(mut points: Vec<Load>) -> Self {
        points.dedup();
        let lost = points.iter().any(|load| !load.keeps_up());
        let most = points.iter().map(|load| load.accepted_percent).fold(0.0, f64::max);
        Self { saturation_percent: lost.then_some(most), points }
    }
}

impl Load {
    fn keeps_up(&self) -> bool {
        self.accepted_percent * 100.0 >= self.offered_percent * KEEPS_UP
    }
}

/// Offers a load in percent. Returns None when a stage refuses the design.
pub(crate) fn offer(runner: &Runner<'_>, traffic: &Traffic<'_>, bytes: u64, percent: f64) -> Option<Load> {
    let profile = &runner.options.profile;
    let group = traffic.senders().len().min(BRANCHES);
    let words = profile.stream(bytes) as f64;
    // Cycles from one message of a node to its next one.
    let period = group as f64 * words * 100.0 / percent;
    let own = period - profile.locks(1) as f64;
    let cycles = own.max(0.0).round();
    let pace = Pace { messages: MESSAGES, cycles: cycles as u64 };
    let sample = runner.run(&traffic.text(bytes, pace)).ok()?;
    let offered = group as f64 * words * 100.0 / (cycles + profile.locks(1) as f64);
    let accepted = accepted(&sample, group, words)?;
    Some(Load { offered_percent: tenths(offered), accepted_percent: tenths(accepted) })
}

/// Percent of a wire that the nets of the first group carry in the second half of a run.
fn accepted(sample: &Sample, group: usize, words: f64) -> Option<f64> {
    let rates = sample.begins.iter().take(group).map(|begins| {
        let last = begins.last()?;
        let before = begins.len().checked_sub(1 + MEASURED).and_then(|at| begins.get(at))?;
        (last > before).then(|| MEASURED as f64 * words / (last - before))
    });
    let rates: Option<Vec<f64>> = rates.collect();
    Some(rates?.iter().sum::<f64>() * 100.0)
}

fn tenths(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(offered_percent: f64, accepted_percent: f64) -> Load {
        Load { offered_percent, accepted_percent }
    }

    #[test]
    fn a_port_is_saturated_when_it_accepts_less_than_is_offered() {
        let all = Loads::new(vec![load(50.0, 50.0), load(90.0, 80.0), load(100.0, 79.9)]);
        assert_eq!(all.saturation_percent, Some(80.0));
        assert_eq!(Loads::new(vec![load(50.0, 49.9)]).saturation_percent, None);
    }

    #[test]
    fn accepted_load_is_that_of_the_second_half() {
        // A message of 10 words every 40 cycles after a fast start.
        let begins: Vec<f64> =
            (0..24).map(|k| if k < 4 { f64::from(k) } else { f64::from(k) * 40.0 }).collect();
        let sample = Sample {
            total: 0.0,
            messages: Vec::new(),
            links: Vec::new(),
            begins: vec![begins; 3],
            stays: Vec::new(),
        };
        assert_eq!(accepted(&sample, 2, 10.0), Some(50.0), "two nets");
        assert_eq!(
            accepted(&Sample { begins: vec![vec![1.0]], ..sample }, 1, 10.0),
            None,
            "too few messages"
        );
    }
}
