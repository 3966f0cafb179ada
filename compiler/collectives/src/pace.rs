//! When each rank is done: the programs of all ranks run against given costs of steps and links.
//!
//! Links hold any number of windows here. Throughput is computed elsewhere: steps of the slowest
//! rank. Ranks that share a core run one after the other.

use std::collections::VecDeque;

use super::{Carry, Ends, Link, LinkId, Phase, Plan, Rank, Step};
use crate::{Direction, Loops};

/// The parts of a step, in any unit of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCost {
    /// Before its first window. The windows may be on the way meanwhile.
    pub before: i64,
    /// For each window that it takes, once it has arrived.
    pub acquire: i64,
    /// From the last window that it takes to the first that it gives.
    pub work: i64,
    /// From each window that it gives to the next one.
    pub further: i64,
    /// After the windows that it gives have left.
    pub after: i64,
}

impl From<i64> for StepCost {
    /// A step that does everything between the windows that it takes and those that it gives.
    fn from(work: i64) -> Self {
        Self { work, ..Self::default() }
    }
}

/// What steps and links cost, in any unit of time.
pub trait Costs {
    /// The cost of one step.
    fn step(&self, step: &Step) -> StepCost;
    /// The delay of a window on a link, to the receiver number `sink`.
    fn link(&self, link: LinkId, sink: usize) -> i64;
}

/// The links and programs of a plan, computed once.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The links, as [`Plan::links`] lists them.
    pub links: Vec<Link>,
    /// The ports of each link.
    pub ends: Vec<Ends>,
    /// What each link carries.
    pub carries: Vec<Carry>,
    /// What each rank does in one call.
    pub programs: Vec<Vec<Phase>>,
}

impl Plan {
    /// The schedule with each stream phase repeated once per word of a window, of which there are
    /// `words`. Other phases stay: a step within a rank moves a whole window.
    pub fn paced(&self, words: u32) -> Schedule {
        let mut schedule = self.schedule();
        let by_words = |phase: &&mut Phase| phase.steps.iter().any(|step| step.carry == Carry::Words);
        for phase in schedule.programs.iter_mut().flatten().filter(by_words) {
            phase.times = phase.times.saturating_mul(words);
        }
        schedule
    }

    /// Computes all links and programs.
    pub fn schedule(&self) -> Schedule {
        let links = self.links();
        let carries = links.iter().map(|link| match link.to.first() {
            Some(_) if self.is_opened() => Carry::Words,
            Some(&to) if self.takes_packets(to) => Carry::Packet,
            Some(_) if self.is_signal(link.from, Direction::Out) => Carry::Signal,
            _ => Carry::Windows,
        });
        let carries = carries.collect();
        Schedule { ends: self.ends(&links), carries, links, programs: self.all_programs() }
    }
}

/// Costs and limits for `shape auto`.
pub trait Guide {
    /// Array cycles of a step on one window.
    fn step(&self, loops: Loops, step: &Step) -> i64;
    /// Array cycles of a step on the first window of a call.
    fn first_step(&self, loops: Loops, step: &Step) -> StepCost;
    /// Array cycles of a window between neighbours, through memory that they share.
    fn shared_cycles(&self, loops: Loops) -> i64;
    /// Array cycles of a reduction along the cascade of `ranks` cores, of data as large as the
    /// window. Returns None when the array has fewer cores.
    fn cascade(&self, loops: Loops, ranks: u32) -> Option<i64>;
    /// Most windows a kernel may have, if there is a limit.
    fn windows_per_kernel(&self) -> Option<u32>;
    /// Most streams of packets that may be merged into one.
    fn merged_streams(&self) -> u32;
    /// Ports for streams into a core.
    fn streams_per_core(&self) -> u32;
    /// Array cycles of a smallest window on its way over a net.
    fn net_cycles(&self) -> i64;
    /// Array cycles of a word on the way from a core to its neighbour.
    fn word_cycles(&self) -> i64;
    /// Words of a window on a stream.
    fn words(&self, loops: Loops) -> u32;
}

/// A guide's costs for one kind of loops. Packets and multicast signals use nets; all other links
/// use shared memory.
struct Guided<'a>(&'a dyn Guide, Loops, &'a Schedule);

impl Costs for Guided<'_> {
    fn step(&self, step: &Step) -> StepCost {
        self.0.first_step(self.1, step)
    }

    fn link(&self, link: LinkId, _: usize) -> i64 {
        match self.2.carries.get(link.index()) {
            Some(Carry::Packet | Carry::Signal) => self.0.net_cycles(),
            Some(Carry::Words) => self.0.word_cycles(),
            _ => self.0.shared_cycles(self.1),
        }
    }
}

/// Estimated array cycles of one call: the first round of the slowest rank, then the other rounds
/// of the busiest rank.
pub fn call_cycles(plan: &Plan, loops: Loops, guide: &dyn Guide) -> i64 {
    let schedule = plan.paced(guide.words(loops));
    let costs = Guided(guide, loops, &schedule);
    let first = finish_times(&schedule, &costs, &[]).into_iter().max().unwrap_or(0);
    let further = schedule.programs.iter().map(|program| {
        let (round, all) = busy(program, &|step| guide.step(loops, step));
        all.saturating_sub(round)
    });
    first.saturating_add(further.max().unwrap_or(0))
}

/// The steps of one round: each phase that is not empty, for one window.
fn first_round(program: &[Phase]) -> impl Iterator<Item = &Step> {
    program.iter().filter(|phase| phase.times > 0).flat_map(|phase| &phase.steps)
}

/// A rank and its position in its program.
struct Runner<'a> {
    steps: std::iter::Peekable<std::vec::IntoIter<&'a Step>>,
    now: i64,
    /// The ends of links at each input port: several if they are merged.
    inputs: Vec<Vec<(LinkId, usize)>>,
    outputs: Vec<LinkId>,
}

/// The time at which each rank ends its first round. All start at 0. `after[rank]` is the rank that
/// runs before it on its core. It is None when there is none.
pub fn finish_times(schedule: &Schedule, costs: &impl Costs, after: &[Option<Rank>]) -> Vec<i64> {
    let Schedule { links, ends, programs, .. } = schedule;
    let mut wires: Vec<Vec<VecDeque<i64>>> =
        links.iter().map(|link| vec![VecDeque::new(); link.to.len()]).collect();
    let steps = programs.iter().map(|program| first_round(program).collect::<Vec<_>>());
    let mut ranks: Vec<Runner<'_>> = steps
        .map(|steps| Runner {
            steps: steps.into_iter().peekable(),
            now: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
        })
        .collect();
    for (id, (link, ends)) in (0..).map(LinkId).zip(links.iter().zip(ends)) {
        ranks[link.from.index()].outputs.push(id);
        for (sink, (&to, &port)) in link.to.iter().zip(&ends.to).enumerate() {
            let inputs = &mut ranks[to.index()].inputs;
            inputs.resize(inputs.len().max(port + 1), Vec::new());
            inputs[port].push((id, sink));
        }
    }
    let mut done: Vec<Option<i64>> = vec![None; ranks.len()];
    // Which packet comes first is known when all that can be sent has been.
    let (mut moved, mut all_sent) = (true, false);
    while moved || !all_sent {
        all_sent = !std::mem::take(&mut moved);
        for (rank, runner) in ranks.iter_mut().enumerate() {
            if done[rank].is_some() {
                continue;
            }
            if let Some(first) = after.get(rank).copied().flatten() {
                let Some(free) = done[first.index()] else { continue };
                runner.now = runner.now.max(free);
            }
            moved |= runner.advance(costs, &mut wires, all_sent);
            if runner.steps.peek().is_none() {
                done[rank] = Some(runner.now);
                moved = true;
            }
        }
    }
    ranks.iter().map(|runner| runner.now).collect()
}

impl Runner<'_> {
    /// Runs steps until a window is missing. Returns true if one ran. `packets` allows steps that
    /// take packets.
    fn advance(&mut self, costs: &impl Costs, wires: &mut [Vec<VecDeque<i64>>], packets: bool) -> bool {
        let mut moved = false;
        while let Some(step) = self.steps.next_if(|step| {
            let there = |&port: &u32| {
                self.inputs[port as usize].iter().any(|&(link, sink)| !wires[link.index()][sink].is_empty())
            };
            (packets || step.carry != Carry::Packet) && step.take.iter().all(there)
        }) {
            let StepCost { before, acquire, work, further, after } = costs.step(step);
            self.now = self.now.saturating_add(before);
            for &port in &step.take {
                // The first packet of a merged stream.
                let fronts = self.inputs[port as usize].iter();
                let fronts = fronts
                    .filter_map(|&(link, sink)| Some((*wires[link.index()][sink].front()?, link, sink)));
                let Some((arrived, link, sink)) = fronts.min() else { continue };
                wires[link.index()][sink].pop_front();
                self.now = self.now.max(arrived).saturating_add(acquire);
            }
            self.now = self.now.saturating_add(work);
            for (given, &port) in step.give.iter().enumerate() {
                let link = self.outputs[port as usize];
                self.now = self.now.saturating_add(if given > 0 { further } else { 0 });
                for (sink, wire) in wires[link.index()].iter_mut().enumerate() {
                    wire.push_back(self.now.saturating_add(costs.link(link, sink)));
                }
            }
            self.now = self.now.saturating_add(after);
            moved = true;
        }
        moved
    }
}

/// The cost of a rank's steps: in the first round, and in the whole call.
pub fn busy(program: &[Phase], step: &impl Fn(&Step) -> i64) -> (i64, i64) {
    let of = |phase: &Phase| phase.steps.iter().fold(0_i64, |sum, s| sum.saturating_add(step(s)));
    program.iter().filter(|phase| phase.times > 0).fold((0, 0), |(first, all), phase| {
        let round = of(phase);
        (first.saturating_add(round), all.saturating_add(round.saturating_mul(phase.times.into())))
    })
}

/// Steps cost nothing and links one each.
struct Hops;

impl Costs for Hops {
    fn step(&self, _: &Step) -> StepCost {
        StepCost::default()
    }

    fn link(&self, _: LinkId, _: usize) -> i64 {
        1
    }
}

/// The most links on a path between two ranks.
pub fn longest_way(plan: &Plan) -> u32 {
    let hops = finish_times(&plan.schedule(), &Hops, &[]).into_iter().max().unwrap_or(0);
    u32::try_from(hops).unwrap_or(u32::MAX)
}
