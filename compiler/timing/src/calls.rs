//! Times of the calls of a collective, from its schedule.
//!
//! Takes a plan, its windows, and the links that go through DMA. Simulates the steps of all ranks
//! with the costs of a timing profile. For a reduction over a tree the result equals the closed
//! forms of the thesis (4.5.3), summed over the slowest path from a leaf to the root. The same
//! simulation with the least times of memory ports and streams gives the bound.

use aiec_collectives::{Carry, Costs, Keep, LinkId, Rank, Schedule, Step, StepCost, busy, finish_times};
use aiec_ir::Loops;
use serde::Serialize;

use crate::profile::{Moves, TimingProfile};

/// What takes most of the time between two windows of a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// 32 bits per cycle on a stream.
    Stream,
    /// The loop of the busiest rank over the elements of its windows.
    Loop,
    /// Locks and constants of the calls of the busiest rank.
    Locks,
    /// 384 bits per cycle from core to core.
    Cascade,
}

/// A collective to time.
pub struct Calls<'a> {
    /// Links and programs of the collective.
    pub schedule: &'a Schedule,
    /// Loops over a window's elements.
    pub loops: Loops,
    /// The constants from which cycles are computed.
    pub profile: &'a TimingProfile,
    /// For each link and each of its receivers: true if it goes over a net.
    pub routed: Vec<Vec<bool>>,
    /// Like `routed`, for links that go over a net on every placement.
    pub streamed: Vec<Vec<bool>>,
    /// For each link and each of its receivers: cycles of a word on the way, where links are
    /// streams. May be empty.
    pub ways: Vec<Vec<i64>>,
    /// For each rank, the rank that runs before it on its core. May be empty.
    pub after: Vec<Option<Rank>>,
}

/// Cycles of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTimes {
    /// From the start until the slowest rank ends the first round, which is one window of every
    /// block.
    pub first: i64,
    /// Time of the busiest rank or net for one round whose windows have arrived: the interval
    /// between rounds.
    pub level: i64,
    /// Time of the first call of a run.
    pub call: i64,
    /// Time of the busiest rank or net for one further call.
    pub again: i64,
    /// Lower bound on the first call in this shape, for any program on any placement.
    pub bound: u64,
    /// What takes most of the time between rounds.
    pub limit: Limit,
}

impl TimingProfile {
    /// Cycles of a step whose windows have arrived. A combining step costs one level of the
    /// thesis's tree with as many children as windows taken (4.5.3). Any other step moves elements
    /// like a leaf, with one pair of lock operations for each window.
    pub fn step(&self, loops: Loops, step: &Step) -> i64 {
        let moves = Moves::of(step, loops.result);
        let work = self.loop_of(loops, step);
        if matches!(step.carry, Carry::Packet | Carry::Words) {
            return work;
        }
        // The thesis measured inner nodes, and took its root for one.
        let is_node = moves.combines && loops.goes_by_elements();
        let given = if is_node { moves.given.max(1) } else { count(handed(loops, step)) };
        self.start(&moves)
            .saturating_add(work)
            .saturating_add(self.locks(i64::from(moves.taken) + i64::from(given)))
    }

    /// Cycles of the loop of a step over its windows, or over one word of them where links are
    /// streams. A packet is read in the same loop.
    fn loop_of(&self, loops: Loops, step: &Step) -> i64 {
        let moves = Moves::of(step, loops.result);
        match step.carry {
            Carry::Packet => self.packet(loops, self.work(loops, &moves)),
            Carry::Words => self.word(loops, &moves),
            Carry::Signal => self.work(loops.signal(), &moves),
            Carry::Windows => self.work(loops, &moves),
        }
    }

    /// Cycles of a step before its first window.
    pub const fn start(&self, moves: &Moves) -> i64 {
        if moves.combines { self.reduce.level_constant } else { self.reduce.leaf_constant }
    }

    /// What a step costs the first window. The path through a tree was measured for loops by
    /// element (thesis 4.5.3). Other loops take it in parts: a node starts while its windows are on
    /// the way, and releases those that it took after its own has left.
    pub(crate) fn first_step(&self, loops: Loops, step: &Step) -> StepCost {
        if step.carry == Carry::Words {
            return self.first_word(loops, &Moves::of(step, false)).into();
        }
        if step.carry == Carry::Packet || loops.goes_by_elements() {
            let starts_early = step.carry == Carry::Windows && Moves::of(step, false).combines;
            let overlap = if starts_early { self.overlap(loops) } else { 0 };
            return self.step(loops, step).saturating_add(overlap).into();
        }
        let moves = Moves::of(step, loops.result);
        let given = handed(loops, step);
        let windows = step.take.len() + given;
        let first = if given > 0 { self.release(&moves, 0) } else { 0 };
        let left = step.give.len().max(given.min(1))..windows;
        let acquires = self.window.acquire.saturating_mul(count(given).into());
        StepCost {
            before: self.start(&moves).saturating_add(self.saved_by_releases(&moves, windows)),
            acquire: self.window.acquire,
            work: acquires.saturating_add(self.loop_of(loops, step)).saturating_add(first),
            further: self.release(&moves, 1),
            after: left.map(|before| self.release(&moves, before)).fold(0, i64::saturating_add),
        }
    }

    /// Cycles of a window of `bytes` bytes on its way through shared memory, or over a net to a
    /// neighbour. The latencies were measured with the locks at both ends.
    pub(crate) fn way(&self, bytes: u64, routed: bool) -> i64 {
        if routed {
            let stream = self.stream(bytes.saturating_sub(self.window.measured_bytes));
            return self.net().saturating_add(i64::try_from(stream).unwrap_or(i64::MAX));
        }
        (self.window.shared_latency.round() as i64).saturating_sub(self.locks(1)).max(0)
    }

    /// Cycles of a smallest window on its way over a net to a neighbour.
    pub(crate) fn net(&self) -> i64 {
        (self.dma_latency(1).round() as i64).saturating_sub(self.locks(1)).max(0)
    }
}

/// Windows that a step hands on: over links, and the result of the root.
fn handed(loops: Loops, step: &Step) -> usize {
    step.give.len() + usize::from(step.result && loops.result)
}

impl Moves {
    /// The moves of a step. `result` says that a root fills a window with the result.
    pub fn of(step: &Step, result: bool) -> Self {
        let (taken, given) = (count(step.take.len()), count(step.give.len()));
        let kept = u32::from(step.keep != Keep::Nothing) + u32::from(step.result && result);
        let stores = given.saturating_add(kept).max(1);
        Self { taken, given, stores, combines: taken > 0 && step.own.is_some() }
    }
}

/// Costs of the first round.
struct First<'a>(&'a Calls<'a>);

impl Costs for First<'_> {
    fn step(&self, step: &Step) -> StepCost {
        self.0.profile.first_step(self.0.loops, step)
    }

    fn link(&self, link: LinkId, sink: usize) -> i64 {
        let (profile, window) = (&self.0.profile, self.0.loops.window);
        let is_routed = || is_routed(&self.0.routed, link, sink);
        match self.0.carry(link) {
            // The constants measured for scalar loops already include a mean placement's share.
            _ if self.0.loops.goes_by_elements() => 0,
            Carry::Windows => profile.way(window.bytes(), is_routed()),
            Carry::Signal => profile.way(window.signal().bytes(), is_routed()),
            Carry::Words | Carry::Packet => self.0.carried(&self.0.routed, link, sink),
        }
    }
}

/// Lower bounds of the costs.
struct Least<'a>(&'a Calls<'a>);

impl Costs for Least<'_> {
    fn step(&self, step: &Step) -> StepCost {
        self.cycles(step).into()
    }

    fn link(&self, link: LinkId, sink: usize) -> i64 {
        self.0.carried(&self.0.streamed, link, sink)
    }
}

impl Least<'_> {
    fn cycles(&self, step: &Step) -> i64 {
        let (profile, window) = (self.0.profile, self.0.loops.window);
        let cycles = match step.carry {
            Carry::Packet => profile.packet_stream(window.bytes()),
            Carry::Words => profile.stream(profile.hardware.stream_bytes),
            Carry::Signal => profile.memory(window.signal().bytes(), 0),
            Carry::Windows => profile.memory(window.bytes(), count(step.take.len())),
        };
        i64::try_from(cycles).unwrap_or(i64::MAX)
    }
}

/// True for a receiver of a link that goes over a net.
fn is_routed(routed: &[Vec<bool>], link: LinkId, sink: usize) -> bool {
    routed.get(link.index()).and_then(|sinks| sinks.get(sink)).copied().unwrap_or(false)
}

impl Calls<'_> {
    fn carry(&self, link: LinkId) -> Carry {
        self.schedule.carries.get(link.index()).copied().unwrap_or(Carry::Windows)
    }

    /// Cycles that a window takes to a receiver of a link, if it is one of `routed`. 0 through
    /// shared memory, and for a packet, which the core reads as it arrives. A word of a stream
    /// takes those of its way.
    fn carried(&self, routed: &[Vec<bool>], link: LinkId, sink: usize) -> i64 {
        match self.carry(link) {
            Carry::Words => self.ways.get(link.index()).and_then(|ways| ways.get(sink)).copied().unwrap_or(0),
            Carry::Packet => 0,
            Carry::Windows | Carry::Signal => {
                if is_routed(routed, link, sink) {
                    self.link_stream(link)
                } else {
                    0
                }
            }
        }
    }

    /// Cycles that a window takes on the net of a link. A packet has a header.
    fn link_stream(&self, link: LinkId) -> i64 {
        let window = self.loops.window;
        let cycles = match self.carry(link) {
            Carry::Windows => self.profile.stream(window.bytes()),
            Carry::Words => self.profile.stream(self.profile.hardware.stream_bytes),
            Carry::Signal => self.profile.stream(window.signal().bytes()),
            Carry::Packet => self.profile.packet_stream(window.bytes()),
        };
        i64::try_from(cycles).unwrap_or(i64::MAX)
    }

    /// The times under the profile.
    pub fn times(&self) -> CallTimes {
        let last = |costs: &dyn Fn() -> Vec<i64>| costs().into_iter().max().unwrap_or(0);
        let first = last(&|| finish_times(self.schedule, &First(self), &self.after));
        let least = last(&|| finish_times(self.schedule, &Least(self), &self.after));
        let programs = &self.schedule.programs;
        let most = |step: &dyn Fn(&Step) -> i64| {
            let sums: Vec<(i64, i64)> = programs.iter().map(|program| busy(program, &step)).collect();
            let round = sums.iter().map(|&(round, _)| round).max().unwrap_or(0);
            let further = sums.iter().map(|&(round, all)| all.saturating_sub(round)).max().unwrap_or(0);
            (round, further, sums.iter().map(|&(_, all)| all).max().unwrap_or(0))
        };
        let (level, further, again) = most(&|step| self.profile.step(self.loops, step));
        let (_, memory_further, _) = most(&|step| Least(self).cycles(step));
        let (stream, stream_further) = self.streams(&self.routed);
        let (_, always_further) = self.streams(&self.streamed);
        let bound = least.saturating_add(memory_further.max(always_further));
        CallTimes {
            first,
            level: level.max(stream),
            call: first.saturating_add(further.max(stream_further)),
            again: again.max(stream.saturating_add(stream_further)),
            bound: u64::try_from(bound).unwrap_or(0),
            limit: if stream >= level { Limit::Stream } else { self.limit_of_ranks() },
        }
    }

    /// What takes most of a round of the busiest rank.
    fn limit_of_ranks(&self) -> Limit {
        let rounds = self.schedule.programs.iter().map(|program| {
            let (round, _) = busy(program, &|step: &Step| self.profile.step(self.loops, step));
            let (loops, _) = busy(program, &|step: &Step| self.profile.loop_of(self.loops, step));
            (round, loops)
        });
        let (round, loops) = rounds.max().unwrap_or_default();
        if loops.saturating_mul(2) >= round { Limit::Loop } else { Limit::Locks }
    }

    /// Cycles that the busiest net of some links carries windows: in one round, and in the rest of
    /// a call.
    fn streams(&self, routed: &[Vec<bool>]) -> (i64, i64) {
        let Schedule { links, ends, programs, .. } = self.schedule;
        let nets = (0..).map(LinkId).zip(links.iter().zip(ends)).map(|(id, (link, ends))| {
            let port = count(ends.from);
            let routed = routed.get(id.index()).is_some_and(|sinks| sinks.contains(&true));
            let given = |step: &Step| if step.give.contains(&port) { self.link_stream(id) } else { 0 };
            if routed { busy(&programs[link.from.index()], &given) } else { (0, 0) }
        });
        nets.fold((0, 0), |(round, further), (one, all)| {
            (round.max(one), further.max(all.saturating_sub(one)))
        })
    }
}

/// Cycles of one call along the cascade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CascadeTimes {
    /// Time for all data to pass one rank.
    pub flow: i64,
    /// From the read of one rank to the read of the next.
    pub rank: i64,
    /// From the start to the end at the last rank.
    pub call: i64,
}

impl TimingProfile {
    /// Times of a reduction along the cascade of `ranks` cores, of data as large as the window of
    /// `loops`. Returns None when the cascade cannot carry such data. Loops by element combine as
    /// loops over windows do.
    pub fn cascade(&self, loops: Loops, ranks: u32) -> Option<CascadeTimes> {
        let carrier = loops.window.element.carrier()?;
        let vectors = i64::from(loops.window.elements.div_ceil(carrier.lanes));
        let element = if loops.scalar {
            self.reduce.input_element.saturating_add(self.reduce.level_element)
        } else {
            0
        };
        let combining = element.saturating_mul(carrier.lanes.into());
        let vector =
            self.cascade.vector_cycles.saturating_mul(carrier.cycles.into()).saturating_add(combining);
        let (flow, rank) =
            (vectors.saturating_mul(vector), self.cascade.rank_cycles.saturating_add(combining));
        Some(CascadeTimes { flow, rank, call: flow.saturating_add(rank.saturating_mul(ranks.into())) })
    }
}

/// The call times of a collective along the cascade. All data pass the busiest rank, and no program
/// is faster than the cascade and the loads of a core.
pub fn cascade_times(profile: &TimingProfile, loops: Loops, ranks: u32) -> CallTimes {
    let CascadeTimes { flow, rank, call } =
        profile.cascade(loops, ranks).unwrap_or(CascadeTimes { flow: 0, rank: 0, call: 0 });
    let least = loops.window.cascade_cycles().unwrap_or(0).max(profile.memory(loops.window.bytes(), 0));
    let bound = least.saturating_add(u64::from(ranks.saturating_sub(1)));
    let again = flow.saturating_add(rank);
    CallTimes { first: call, level: flow, call, again, bound, limit: Limit::Cascade }
}

/// One opening of a channel: its bytes leave as fast as a stream takes them, whatever the kernels
/// do meanwhile.
pub fn stream_times(profile: &TimingProfile, bytes: u64) -> CallTimes {
    let bound = profile.stream(bytes);
    let cycles = i64::try_from(bound).unwrap_or(i64::MAX);
    CallTimes { first: cycles, level: cycles, call: cycles, again: cycles, bound, limit: Limit::Stream }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_collectives::{Operation, Plan, Shape};
    use aiec_ir::{ElementType, Operator, ReduceOp, WindowType};

    const fn int32(elements: u32) -> WindowType {
        WindowType { element: ElementType::Int32, elements }
    }

    /// Element by element, as in the thesis.
    const fn scalar(elements: u32) -> Loops {
        Loops::of(int32(elements), true, Some(&Operator::Builtin(ReduceOp::Sum)))
    }

    fn reduce(shape: Shape, size: u32, chunks: u32) -> Plan {
        Plan { windows: vec![chunks; size as usize], ..Plan::new(Operation::Reduce, shape, size) }
    }

    fn times(plan: &Plan, elements: u32, routed: bool) -> CallTimes {
        in_loops(plan, scalar(elements), routed, false)
    }

    /// Times with all links `routed`, because of this placement or on every one.
    fn in_loops(plan: &Plan, loops: Loops, routed: bool, always: bool) -> CallTimes {
        let nets = |go: bool| plan.links().iter().map(|link| vec![go; link.to.len()]).collect();
        Calls {
            schedule: &plan.schedule(),
            loops,
            profile: &TimingProfile::thesis(),
            routed: nets(routed),
            streamed: nets(always),
            ways: Vec::new(),
            after: Vec::new(),
        }
        .times()
    }

    fn perfect(levels: u32, bytes: u64) -> CallTimes {
        times(&reduce(Shape::Tree(2), (1 << levels) - 1, 1), (bytes / 4) as u32, false)
    }

    #[test]
    fn kernels_on_one_core_run_one_after_the_other() {
        let profile = TimingProfile::thesis();
        let schedule = &reduce(Shape::Tree(2), 3, 1).schedule();
        let timed = |after| Calls {
            schedule,
            loops: scalar(4),
            profile: &profile,
            routed: Vec::new(),
            streamed: Vec::new(),
            ways: Vec::new(),
            after,
        };
        let (alone, together) = (timed(Vec::new()).times(), timed(vec![None, Some(Rank(2)), None]).times());
        assert_eq!(
            together.first,
            alone.first + profile.leaf(scalar(4)),
            "the second leaf waits for the first"
        );
    }

    /// Thesis Table 4.2: levels, window bytes, tree time predicted and measured, level time
    /// predicted and measured, leaf time.
    const TABLE_4_2: [(u32, u64, i64, f64, i64, f64, i64); 17] = [
        (3, 16, 1203, 1246.5, 731, 729.0, 161),
        (4, 16, 1724, 1783.5, 731, 729.0, 161),
        (5, 16, 2245, 2247.5, 731, 729.0, 161),
        (6, 16, 2766, 2780.0, 731, 729.0, 161),
        (3, 8192, 379_343, 379_373.0, 170_383, 170_384.0, 34_909),
        (4, 8192, 551_560, 551_618.5, 170_383, 170_384.0, 34_909),
        (3, 4096, 189_903, 189_946.5, 85_391, 85_391.0, 17_501),
        (4, 4096, 276_104, 276_165.5, 85_391, 85_404.0, 17_501),
        (5, 4096, 362_305, 362_667.5, 85_391, 85_392.0, 17_501),
        (6, 4096, 448_506, 449_123.0, 85_391, 85_391.0, 17_501),
        (3, 2048, 95_183, 94_189.0, 42_895, 42_895.0, 8797),
        (3, 1024, 47_823, 47_343.0, 21_647, 21_647.0, 4445),
        (3, 512, 24_143, 23_907.0, 11_023, 11_023.0, 2269),
        (3, 256, 12_303, 12_208.0, 5711, 5709.0, 1181),
        (3, 128, 6383, 6344.0, 3055, 3053.0, 637),
        (3, 64, 3423, 3408.0, 1727, 1725.0, 365),
        (3, 32, 1943, 1949.0, 1063, 1061.0, 229),
    ];

    #[test]
    fn predictions_are_exactly_those_of_table_4_2() {
        for (levels, bytes, tree, _, level, _, leaf) in TABLE_4_2 {
            let times = perfect(levels, bytes);
            assert_eq!(
                (times.first, times.level, TimingProfile::thesis().leaf(scalar((bytes / 4) as u32))),
                (tree, level, leaf),
                "{levels} levels, {bytes} bytes"
            );
        }
    }

    #[test]
    fn measurements_of_table_4_2_are_met_within_4_per_cent() {
        for (levels, bytes, _, tree, _, level, _) in TABLE_4_2 {
            let times = perfect(levels, bytes);
            let error = |estimate: i64, measured: f64| (measured - estimate as f64).abs() / measured;
            assert!(
                error(times.first, tree) < 0.04,
                "{levels} levels, {bytes} bytes: {}",
                error(times.first, tree)
            );
            assert!(error(times.level, level) < 0.003, "{levels} levels, {bytes} bytes: level");
        }
    }

    #[test]
    fn an_incomplete_tree_takes_the_time_of_its_slowest_branch() {
        // Four nodes, arity 2: the root has two children, the first of which has one.
        let (times, profile) = (times(&reduce(Shape::Tree(2), 4, 1), 4, false), TimingProfile::thesis());
        assert_eq!(
            times.first,
            profile.leaf(scalar(4))
                + profile.level(scalar(4), 1)
                + profile.level(scalar(4), 2)
                + 2 * profile.overlap(scalar(4))
        );
        assert_eq!(times.level, profile.level(scalar(4), 2), "the root is the slowest");
    }

    #[test]
    fn further_windows_follow_at_the_pace_of_the_busiest_rank() {
        let (one, five) = (
            times(&reduce(Shape::Tree(2), 7, 1), 16, false),
            times(&reduce(Shape::Tree(2), 7, 5), 16, false),
        );
        assert_eq!(five.first, one.first);
        assert_eq!(five.call, one.first + 4 * one.level);
        assert_eq!(five.again, 5 * one.level);
    }

    #[test]
    fn vector_loops_are_as_fast_as_their_streams() {
        let (plan, profile) = (reduce(Shape::Tree(2), 7, 3), TimingProfile::thesis());
        let loops = Loops { scalar: false, ..scalar(1024) };
        let timed = |routed| in_loops(&plan, loops, routed, false);
        let (shared, routed) = (timed(false), timed(true));
        assert_eq!(shared.level, profile.level(loops, 2), "192 cycles of loads, 399 of locks and starting");
        assert_eq!(routed.level, 1024, "4096 bytes at 4 bytes a cycle");
        assert_eq!(
            routed.first,
            shared.first + 2 * (36 + 1020 - 6),
            "over two links: a smallest window, and the other words"
        );
        assert_eq!(routed.call, routed.first + 2 * 1024);
    }

    #[test]
    fn the_bound_does_not_depend_on_the_placement() {
        let plan = reduce(Shape::Tree(2), 7, 1);
        let vectors = Loops { scalar: false, ..scalar(1024) };
        let (shared, routed) =
            (in_loops(&plan, vectors, false, false), in_loops(&plan, vectors, true, false));
        // 3 windows loaded at 64 bytes per cycle at each of two levels, 1 stored at 32 bytes per
        // cycle at the leaf.
        assert_eq!((shared.bound, routed.bound), (2 * 192 + 128, shared.bound));
        let streamed = in_loops(&plan, vectors, true, true);
        assert_eq!(
            streamed.bound,
            shared.bound + 2 * 1024,
            "two links of 4 bytes a cycle on every placement"
        );
        let two = in_loops(&reduce(Shape::Tree(2), 7, 2), vectors, true, true);
        assert_eq!(two.bound, streamed.bound + 1024, "the second window follows at the pace of the streams");
    }

    #[test]
    fn the_limit_is_what_takes_most_of_the_time_of_the_design() {
        let plan = reduce(Shape::Tree(2), 7, 1);
        let limit = |loops, routed| in_loops(&plan, loops, routed, false).limit;
        assert_eq!(limit(scalar(1024), false), Limit::Loop);
        assert_eq!(limit(scalar(1024), true), Limit::Loop, "83 cycles an element hide a stream of one");
        let vectors = |elements| Loops { scalar: false, ..scalar(elements) };
        assert_eq!(limit(vectors(1024), false), Limit::Locks, "399 cycles, and 192 of loads");
        assert_eq!(limit(vectors(2048), true), Limit::Stream);
    }

    #[test]
    fn few_elements_favour_few_rounds_and_many_elements_few_copies() {
        let cycles = |shape, size: u32, elements: u32, window: u32| {
            let block = if shape == Shape::Ring {
                aiec_ir::expanded::Collective::part_elements(int32(elements), size)
            } else {
                elements
            };
            let windows = vec![block.div_ceil(window); size as usize];
            let plan = Plan { windows, ..Plan::new(Operation::Allreduce, shape, size) };
            times(&plan, window, false).call
        };
        assert!(cycles(Shape::Butterfly, 16, 8, 8) < cycles(Shape::Ring, 16, 8, 8), "4 rounds, not 30 steps");
        assert!(cycles(Shape::Ring, 16, 4096, 64) < cycles(Shape::Tree(13), 16, 4096, 64));
    }
}
