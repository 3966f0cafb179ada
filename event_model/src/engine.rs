//! The event loop.
//!
//! Events are handled in order of time, and at equal times in order of creation, so a run is
//! repeatable. Each event carries the step that made it ready last, from which the critical path
//! follows.

mod deal;
mod notes;
mod sent;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use aiec_ir::expanded::Expanded;
use aiec_ir::{CollectiveId, IdVec, KernelId, PortId};
use aiec_timing::TimingProfile;

use crate::awaited::Awaited;
use crate::banks::Banks;
use crate::calls::Calls;
use crate::joint::Joint;
use crate::links::{Link, Links, Sink, WireId};
use crate::path::Path;
use crate::program::{Cursor, Op, Program, Task};
use crate::report::{Progress, Watch};
use crate::results::Results;
use crate::steps::{Passing, Step, StepId, Steps};
use crate::time::Time;
use crate::trace::{Doing, Recorder, Trace};
use crate::words::{Word, Words};

/// Most events handled, about five seconds of work; then the run ends unfinished.
pub(crate) const MAX_EVENTS: u64 = 50_000_000;

/// Events between two reports of progress: about 10 ms.
const EVENTS_PER_REPORT: u64 = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// The kernel continues.
    Resume(KernelId),
    /// The port's kernel may take one buffer more.
    Grant(PortId),
    /// A word of a firing comes to this port.
    Word(PortId, Word),
    /// The net's window is carried, its wire free again.
    Carried(WireId),
    /// The next window leaves a collective that takes no time, by the number of its port.
    Result(CollectiveId, usize),
}

/// A time, and the step that ended then and made the event ready. The step is None at the start,
/// and when the run keeps no steps.
#[derive(Clone, Copy, Debug, Default)]
struct At {
    now: Time,
    cause: Option<StepId>,
}

/// An event with its time, its number, and the step that made it ready.
type Entry = (Time, u64, Event, Option<StepId>);

/// The progress of a kernel, and its times.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelState {
    cursor: Cursor,
    /// Firings of the current iteration.
    fired: u32,
    /// All of its firings so far.
    firings: u64,
    /// The awaited event, and the start of the wait.
    pub(crate) waiting: Option<(Awaited, Time)>,
    /// When it was done, if it is.
    pub(crate) finished: Option<Time>,
    pub(crate) busy: Time,
    pub(crate) waited: Time,
}

/// A run of a design: its queue of events, and the state of kernels and nets.
pub(crate) struct Engine<'a> {
    design: &'a Expanded,
    programs: Vec<Program>,
    links: Links,
    words: Words,
    queue: BinaryHeap<Reverse<Entry>>,
    sequence: u64,
    pub(crate) events: u64,
    /// Firings that have ended.
    fired: u64,
    pub(crate) kernels: IdVec<KernelId, KernelState>,
    /// Buffers that each port's kernel may take.
    available: IdVec<PortId, u32>,
    /// Parts of empty buffers of each consuming port, which a net may fill.
    empty: IdVec<PortId, u32>,
    /// Parts of the block of each port that its net has moved.
    moved: IdVec<PortId, u32>,
    /// Parts of full blocks at the source of each net.
    pending: IdVec<WireId, u64>,
    carrying: IdVec<WireId, bool>,
    /// The nets of each channel, by the first of them.
    sharing: IdVec<WireId, Vec<WireId>>,
    /// The next net of each channel to start, if it has a window.
    turns: IdVec<WireId, usize>,
    /// For each kernel the next on its core, itself if it is alone.
    successor: IdVec<KernelId, KernelId>,
    /// Kernels that wait for their turn and for nothing else.
    idle: IdVec<KernelId, bool>,
    pub(crate) calls: IdVec<CollectiveId, Calls>,
    /// For each collective along the cascade or over streams the ranks that have begun their call,
    /// with the time.
    joined: IdVec<CollectiveId, BTreeMap<KernelId, At>>,
    /// Times of a call, for each collective whose ranks make it together.
    joints: IdVec<CollectiveId, Option<Joint>>,
    /// What leaves each collective that takes no time.
    results: IdVec<CollectiveId, Vec<Results>>,
    /// The memory banks, if their conflicts count.
    banks: Option<Banks>,
    /// The latest time at which a kernel finished or a window left the array.
    pub(crate) end: Time,
    /// The step that ended then.
    last: Option<StepId>,
    /// The time of the last event.
    pub(crate) now: Time,
    /// What kernels and nets do at each time, if the user wants a trace.
    recorder: Option<Recorder>,
    /// The steps so far, if the user wants the critical path.
    steps: Option<Steps>,
}

impl<'a> Engine<'a> {
    /// An engine at time 0. On each of `cores` the first kernel begins; the others follow in their
    /// order.
    pub(crate) fn new(
        design: &'a Expanded,
        programs: Vec<Program>,
        links: Links,
        words: Words,
        cores: &[Vec<KernelId>],
        joints: IdVec<CollectiveId, Option<Joint>>,
    ) -> Self {
        let nets = links.wires.len();
        let mut successor: IdVec<KernelId, KernelId> = design.kernels.ids().collect();
        let mut idle: IdVec<KernelId, bool> = design.kernels.iter().map(|_| false).collect();
        for core in cores {
            for (kernel, next) in core.iter().zip(core.iter().cycle().skip(1)) {
                successor[*kernel] = *next;
            }
            core.iter().skip(1).for_each(|&kernel| idle[kernel] = true);
        }
        Self {
            design,
            programs,
            queue: BinaryHeap::new(),
            sequence: 0,
            events: 0,
            fired: 0,
            kernels: design.kernels.iter().map(|_| KernelState::default()).collect(),
            available: links.at_start.clone(),
            empty: links.empty.clone(),
            moved: links.parts.iter().map(|_| 0).collect(),
            pending: IdVec::filled(0, nets),
            carrying: IdVec::filled(false, nets),
            sharing: sharing(&links),
            turns: IdVec::filled(0, nets),
            successor,
            idle,
            calls: design.collectives.iter().map(Calls::of).collect(),
            joined: design.collectives.iter().map(|_| BTreeMap::new()).collect(),
            joints,
            results: design.collectives.iter().map(|_| Vec::new()).collect(),
            banks: None,
            end: Time::default(),
            last: None,
            now: Time::default(),
            recorder: None,
            steps: None,
            links,
            words,
        }
    }

    /// Counts conflicts of these banks in the run that follows.
    pub(crate) fn count_conflicts(&mut self, banks: Banks) {
        self.banks = Some(banks);
    }

    /// Has collectives take no time in the run that follows, and give these results alone.
    pub(crate) fn give(&mut self, results: IdVec<CollectiveId, Vec<Results>>) {
        self.results = results;
    }

    /// Records the run that follows.
    pub(crate) fn record(&mut self) {
        self.recorder = Some(Recorder::default());
    }

    /// The trace of what was recorded.
    pub(crate) fn trace(&mut self, profile: &TimingProfile) -> Trace {
        self.recorder.take().unwrap_or_default().trace(self.design, &self.links, profile, self.end)
    }

    /// Keeps the steps of the run that follows.
    pub(crate) fn keep_steps(&mut self) {
        self.steps = Some(Steps::default());
    }

    /// The critical path: the steps that led to the end.
    pub(crate) fn path(&mut self) -> Path {
        self.steps.take().unwrap_or_default().path(self.last, self.design, &self.links)
    }

    /// Keeps a step that began at `at.now`. Returns what it makes ready, at `end`.
    fn step(&mut self, passing: Passing, begin: Time, end: Time, cause: Option<StepId>) -> At {
        let step = Step { passing, begin, end, before: cause };
        let kept = self.steps.as_mut().and_then(|steps| steps.keep(step));
        At { now: end, cause: kept.or(cause) }
    }

    /// Notes that something was done or left the array.
    fn ends(&mut self, at: At) {
        if at.now > self.end {
            (self.end, self.last) = (at.now, at.cause);
        }
    }

    fn note(&mut self, doing: Doing, begin: Time, end: Time) {
        if let Some(recorder) = &mut self.recorder {
            recorder.add(doing, begin, end);
        }
    }

    /// Runs until nothing happens any more; false if there were too many events. Reports progress
    /// to `watch`.
    pub(crate) fn run(&mut self, watch: Watch<'_>) -> bool {
        let firings = self.design.kernels.ids().map(|kernel| self.design.firings(kernel)).sum();
        for kernel in self.design.kernels.ids() {
            if !self.idle[kernel] {
                self.schedule(At::default(), Event::Resume(kernel));
            }
        }
        for net in self.links.wires.ids() {
            self.start(net, At::default());
        }
        for port in self.words.fed_from_outside() {
            for &connection in &self.design.ports[port].connections {
                self.send_word(connection, Word::First, At::default());
            }
        }
        while let Some(Reverse((now, _, event, cause))) = self.queue.pop() {
            let at = At { now, cause };
            self.events += 1;
            self.now = now;
            if self.events.is_multiple_of(EVENTS_PER_REPORT) {
                watch(Progress { fired: self.fired, firings });
            }
            if self.events > MAX_EVENTS {
                return false;
            }
            match event {
                Event::Resume(kernel) => self.resume(kernel, at),
                Event::Grant(port) => self.grant(port, at),
                Event::Word(port, word) => self.word_comes(port, word, at),
                Event::Carried(net) => self.carried(net, at),
                Event::Result(collective, number) => self.give_next(collective, number, at),
            }
        }
        true
    }

    /// Runs of a kernel in all iterations.
    fn firings(&self, kernel: KernelId) -> u32 {
        u32::try_from(self.design.firings(kernel)).unwrap_or(u32::MAX)
    }

    /// True if a net could fill a buffer of this port.
    pub(crate) fn has_empty(&self, port: PortId) -> bool {
        self.empty[port] > 0
    }

    fn schedule(&mut self, at: At, event: Event) {
        self.sequence += 1;
        self.queue.push(Reverse((at.now, self.sequence, event, at.cause)));
    }

    /// Lets a kernel go on until it works, waits or is done.
    fn resume(&mut self, kernel: KernelId, at: At) {
        let now = at.now;
        if self.stalls(kernel, at) {
            return;
        }
        if let Some((awaited, since)) = self.kernels[kernel].waiting.take() {
            self.note(Doing::Wait(kernel, awaited), since, now);
            let waited = now.since(since);
            self.kernels[kernel].waited = self.kernels[kernel].waited.after(waited);
        }
        loop {
            let firings = self.firings(kernel);
            let op = self.kernels[kernel].cursor.next(&self.programs[kernel.index()], firings);
            match op {
                None => return self.finish(kernel, at),
                Some(Op::Work(task, time)) => {
                    let end = now.after(time);
                    self.note(Doing::Work(kernel, task), now, end);
                    self.kernels[kernel].busy = self.kernels[kernel].busy.after(time);
                    if let (Some(banks), Task::Own | Task::Call(_)) = (&mut self.banks, task) {
                        banks.works(kernel, now, end);
                    }
                    let done = self.step(Passing::Work(kernel, task), now, end, at.cause);
                    return self.schedule(done, Event::Resume(kernel));
                }
                Some(Op::Take(port)) if self.available[port] == 0 => {
                    self.kernels[kernel].waiting = Some((Awaited::Port(port), now));
                    return;
                }
                Some(Op::Take(port)) => {
                    self.available[port] -= 1;
                    self.took(kernel, port, now);
                }
                Some(Op::Hand(port)) => self.hand(port, at),
                Some(Op::Await(port, word))
                    if !self.words.has_come(port, word, self.kernels[kernel].firings) =>
                {
                    self.kernels[kernel].waiting = Some((Awaited::Word(port, word), now));
                    return;
                }
                Some(Op::Await(..)) => {}
                Some(Op::End(port)) => self.send_words(port, Word::Last, at),
                Some(Op::Join(collective)) => return self.join(collective, kernel, at),
                Some(Op::Begin(collective)) => self.begin(collective, kernel, at),
                Some(Op::Call(collective)) => self.calls[collective].returned(kernel, now),
                Some(Op::Fired) if self.ends_turn(kernel) => return self.pass_turn(kernel, at),
                Some(Op::Fired) => {}
            }
        }
    }

    /// Lets a kernel lose the cycles of its last work in which it met others at a bank. Returns
    /// true if there are any; the kernel goes on after them.
    fn stalls(&mut self, kernel: KernelId, at: At) -> bool {
        let lost = self.banks.as_mut().map_or(Time::ZERO, |banks| banks.lost(kernel));
        if lost == Time::ZERO {
            return false;
        }
        let end = at.now.after(lost);
        self.note(Doing::Work(kernel, Task::Bank), at.now, end);
        self.kernels[kernel].waited = self.kernels[kernel].waited.after(lost);
        let done = self.step(Passing::Work(kernel, Task::Bank), at.now, end, at.cause);
        self.schedule(done, Event::Resume(kernel));
        true
    }

    /// A kernel has taken a buffer of its port.
    fn took(&mut self, kernel: KernelId, port: PortId, now: Time) {
        if let Some(recorder) = &mut self.recorder {
            recorder.takes(port, now);
        }
        if let Some(banks) = &mut self.banks {
            banks.takes(kernel, port);
        }
    }

    /// A net has filled or emptied a buffer of a port.
    fn moved(&mut self, port: PortId) {
        if let Some(banks) = &mut self.banks {
            banks.moved(port);
        }
    }

    /// True if the rank has begun the call that the others are waiting with.
    pub(crate) fn has_joined(&self, collective: CollectiveId, kernel: KernelId) -> bool {
        self.joined[collective].contains_key(&kernel)
    }

    /// A rank begins a call that all make together. When the last rank has come, all of them
    /// proceed.
    fn join(&mut self, collective: CollectiveId, kernel: KernelId, at: At) {
        self.kernels[kernel].waiting = Some((Awaited::Ranks(collective), at.now));
        self.joined[collective].insert(kernel, at);
        let ranks = &self.design.collectives[collective].ranks;
        if self.joined[collective].len() != ranks.len() {
            return;
        }
        let Some(times) = self.joints[collective].clone() else { return };
        let begun = std::mem::take(&mut self.joined[collective]);
        // How far each rank is ahead of the one that begins last.
        let latest = times.begins.iter().copied().max().unwrap_or(0);
        let ahead = |rank: usize| Time::cycles(latest - times.begins[rank]);
        let backwards = || ranks.iter().enumerate().rev();
        let ready = backwards().filter_map(|(rank, kernel)| {
            let begun = begun.get(kernel)?;
            Some(At { now: begun.now.after(ahead(rank)), cause: begun.cause })
        });
        let last = ready.max_by_key(|ready| ready.now).unwrap_or(at);
        for (rank, kernel) in backwards() {
            let begin = last.now.since(ahead(rank));
            let end = begin.after(Time::cycles(times.lasts[rank]));
            let state = &mut self.kernels[*kernel];
            state.busy = state.busy.after(Time::cycles(times.busy[rank]));
            if let Some((awaited, since)) = state.waiting.take() {
                state.waited = state.waited.after(begin.since(since));
                self.note(Doing::Wait(*kernel, awaited), since, begin);
            }
            let task = Task::Call(collective);
            self.note(Doing::Work(*kernel, task), begin, end);
            let done = self.step(Passing::Work(*kernel, task), begin, end, last.cause);
            self.schedule(done, Event::Resume(*kernel));
        }
    }

    /// A rank begins its calls of a collective.
    fn begin(&mut self, collective: CollectiveId, rank: KernelId, at: At) {
        self.calls[collective].begins(rank, at.now);
        for number in 0..self.results[collective].len() {
            if self.results[collective][number].begins(rank) {
                self.schedule_next(collective, number, at);
            }
        }
    }

    /// The next window of a result leaves, and the one after it follows.
    fn give_next(&mut self, collective: CollectiveId, number: usize, at: At) {
        self.hand(self.results[collective][number].port, at);
        if self.results[collective][number].gives() {
            self.schedule_next(collective, number, at);
        }
    }

    fn schedule_next(&mut self, collective: CollectiveId, number: usize, at: At) {
        let now = at.now.after(self.results[collective][number].pace);
        self.schedule(At { now, ..at }, Event::Result(collective, number));
    }

    /// Counts a firing. Returns true if the next kernel of the core follows: after the firings of
    /// an iteration.
    fn ends_turn(&mut self, kernel: KernelId) -> bool {
        self.fired += 1;
        self.kernels[kernel].firings += 1;
        let fired = &mut self.kernels[kernel].fired;
        *fired = (*fired + 1) % self.design.kernels[kernel].repetitions.max(1);
        *fired == 0 && self.successor[kernel] != kernel
    }

    /// Ends a turn on a core with several kernels, and ends the kernel after its last firing. The
    /// next kernel begins its own.
    fn pass_turn(&mut self, kernel: KernelId, at: At) {
        let mut ahead = self.kernels[kernel].cursor;
        if ahead.next(&self.programs[kernel.index()], self.firings(kernel)).is_none() {
            self.finish(kernel, at);
        }
        self.idle[kernel] = true;
        let next = self.successor[kernel];
        if self.kernels[next].finished.is_none() {
            self.idle[next] = false;
            self.schedule(at, Event::Resume(next));
        }
    }

    fn finish(&mut self, kernel: KernelId, at: At) {
        self.kernels[kernel].finished = Some(at.now);
        self.ends(at);
    }

    /// The port's kernel gets one buffer more, and at once takes it if it waits for it.
    fn grant(&mut self, port: PortId, at: At) {
        let waiter = self.design.kernel_of(port);
        let waits = |kernel: &KernelId| matches!(self.kernels[*kernel].waiting, Some((wanted, _)) if wanted == Awaited::Port(port));
        match waiter.filter(waits) {
            Some(kernel) => {
                self.took(kernel, port, at.now);
                self.resume(kernel, at);
            }
            None => self.available[port] += 1,
        }
    }

    /// A kernel hands the buffer of `port` on: a full one as producer, an empty one as consumer.
    fn hand(&mut self, port: PortId, at: At) {
        if let Some(banks) = &mut self.banks {
            banks.hands(self.design, port);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.hands(port, at.now);
        }
        self.send_words(port, Word::First, at);
        match self.links.of[port] {
            Link::None => {}
            Link::Shared(other, Time::ZERO) => self.schedule(at, Event::Grant(other)),
            Link::Shared(other, transit) => {
                let end = at.now.after(transit);
                let arrived = self.step(Passing::Share(port), at.now, end, at.cause);
                self.schedule(arrived, Event::Grant(other));
            }
            Link::Net(net) => {
                if self.links.dealt.contains_key(&port) {
                    self.deal(port, at);
                } else if self.links.wires[net].from == port {
                    self.pending[net] += u64::from(self.links.parts[port]);
                } else {
                    self.empty[port] += self.links.parts[port];
                }
                self.start_all(net, at);
            }
        }
    }

    /// Starts every net that can start on the channel of `net`. Nets take turns, beginning after
    /// the last one carried, as arbiters of packets do.
    fn start_all(&mut self, net: WireId, at: At) {
        let channel = self.links.wires[net].channel;
        let (nets, turn) = (self.sharing[channel].len(), self.turns[channel]);
        for index in 0..nets {
            let index = (turn + index) % nets;
            if self.start(self.sharing[channel][index], at) {
                self.turns[channel] = index + 1;
            }
        }
    }

    /// Starts a transfer if there is a window, room at every sink, and the wire is free. Returns
    /// true if it started.
    fn start(&mut self, net: WireId, at: At) -> bool {
        let wire = &self.links.wires[net];
        let has_window = if wire.endless { !wire.sinks.is_empty() } else { self.pending[net] > 0 };
        let lane = wire.lane;
        if self.carrying[lane] || !has_window || wire.sinks.iter().any(|sink| self.empty[sink.port] == 0) {
            return false;
        }
        let (sinks, outside) = (wire.sinks.len(), wire.outside);
        // Only the first block of a net waits for the first access to global memory.
        let first = std::mem::take(&mut self.links.wires[net].first);
        let carrying = self.links.wires[net].carrying.after(first);
        let end = at.now.after(carrying);
        if let Some(banks) = &mut self.banks {
            banks.carries(&self.links.wires[net], at.now.after(first), end);
        }
        if let Some((outside, hops)) = outside {
            let left = at.now.after(outside).after(first);
            let left = self.step(Passing::Arrive(net, hops), at.now, left, at.cause);
            self.ends(left);
        }
        self.carrying[lane] = true;
        self.pending[net] = self.pending[net].saturating_sub(1);
        for sink in 0..sinks {
            let Sink { port, arrival, hops } = self.links.wires[net].sinks[sink];
            self.empty[port] -= 1;
            if self.completes(port) {
                let arrived = at.now.after(arrival).after(first);
                let arrived = self.step(Passing::Arrive(net, hops), at.now, arrived, at.cause);
                self.schedule(arrived, Event::Grant(port));
                self.moved(port);
            }
        }
        self.note(Doing::Carry(net), at.now, end);
        self.note_channels(net, at.now.after(first), end);
        let carried = self.step(Passing::Carry(net), at.now, end, at.cause);
        self.schedule(carried, Event::Carried(net));
        true
    }

    /// Counts a part of a block of `port`. Returns true if it is the last one.
    fn completes(&mut self, port: PortId) -> bool {
        self.moved[port] += 1;
        let complete = self.moved[port] == self.links.parts[port];
        if complete {
            self.moved[port] = 0;
        }
        complete
    }

    fn carried(&mut self, net: WireId, at: At) {
        let (from, endless) = (self.links.wires[net].from, self.links.wires[net].endless);
        self.carrying[self.links.wires[net].lane] = false;
        if let Some(dealt) = self.links.dealt.get_mut(&from) {
            dealt.carried += 1;
            self.free(from, at);
        } else if !endless && self.completes(from) {
            self.moved(from);
            self.grant(from, at);
        }
        self.start_all(net, at);
    }
}

/// The nets of each channel.
fn sharing(links: &Links) -> IdVec<WireId, Vec<WireId>> {
    let mut sharing = IdVec::filled(Vec::new(), links.wires.len());
    links.wires.enumerate().for_each(|(net, wire)| sharing[wire.channel].push(net));
    sharing
}
