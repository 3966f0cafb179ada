//! The window operations of a kernel in one firing.

use aiec_check::Checked;
use aiec_collectives::{Carry, Phase, Step, repeats};
use aiec_ir::expanded::Membership;
use aiec_ir::{CollectiveId, Direction, IdVec, KernelId, Loops, PortId};
use aiec_timing::{LockTiming, Moves, TimingProfile};

use crate::ideal::Ideal;
use crate::time::Time;
use crate::words::{Word, Words, flows_by_word, is_users};

/// One operation of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Waits until the port has a buffer for it and takes it.
    Take(PortId),
    /// Works on a task for this time.
    Work(Task, Time),
    /// Hands the port's buffer on.
    Hand(PortId),
    /// Waits for a word of the firing at a port.
    Await(PortId, Word),
    /// Writes the last word of the firing at a port.
    End(PortId),
    /// Has its data pass along the cascade or the streams of a collective, with all other ranks.
    Join(CollectiveId),
    /// Begins its calls of a collective.
    Begin(CollectiveId),
    /// Has finished a call of a collective.
    Call(CollectiveId),
    /// Has fired: on a core with several kernels it is the next one's turn.
    Fired,
}

/// What a kernel works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// The lock of a buffer that it takes.
    Acquire(PortId),
    /// The lock of a buffer that it hands on.
    Release(PortId),
    /// Its own `cycles`.
    Own,
    /// A call of a collective.
    Call(CollectiveId),
    /// Nothing, while others use the banks of its windows.
    Bank,
}

type Block = repeats::Block<Op>;
type Section = repeats::Section<Op>;

/// One firing of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    sections: Vec<Section>,
}

/// The progress of a kernel through its program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor(repeats::Cursor);

impl Cursor {
    /// The next operation of `program` fired `firings` times. Returns None when all have run.
    pub(crate) fn next(&mut self, program: &Program, firings: u32) -> Option<Op> {
        let op = self.0.op(&program.sections, firings);
        self.0.advance();
        op
    }
}

/// The phases of every rank of every collective in one call.
pub(crate) type Schedules = IdVec<CollectiveId, Vec<Vec<Phase>>>;

/// The schedules of all collectives.
pub(crate) fn schedules(design: &Checked) -> Schedules {
    design.collectives.iter().map(|collective| collective.plan.all_programs()).collect()
}

impl Program {
    /// The firing of `kernel`.
    pub(crate) fn of(writer: &Writer<'_>, kernel: KernelId) -> Self {
        let mut start = vec![writer.synchronous_start(kernel), writer.flows(kernel, Direction::Out)];
        start.extend(writer.asynchronous(kernel));
        start.push(writer.first_words(kernel));
        start.push(writer.own_work(kernel));
        start.push(writer.flows(kernel, Direction::In));
        start.push(writer.last_words(kernel));
        let mut sections = vec![Section::once(start)];
        let members = writer.design.kernels[kernel].memberships.iter();
        // Words of channels pass like those of other streams.
        for member in members.filter(|member| !writer.is_channel(member)) {
            sections.push(Section::once(vec![Block::once([Op::Begin(member.collective)])]));
            if !writer.ideal.has_no_collectives() {
                sections.push(writer.calls(member));
                sections.push(Section::once(vec![writer.cycle_counts(member)]));
            }
        }
        sections.push(Section::once(vec![writer.synchronous_end(kernel), Block::once([Op::Fired])]));
        Self { sections }
    }
}

/// Writes the programs of a design's kernels.
pub(crate) struct Writer<'a> {
    pub(crate) design: &'a Checked,
    pub(crate) schedules: &'a Schedules,
    pub(crate) profile: &'a TimingProfile,
    pub(crate) words: &'a Words,
    /// What is taken as perfect.
    pub(crate) ideal: Ideal,
}

impl Writer<'_> {
    fn is_channel(&self, member: &Membership) -> bool {
        self.design.collectives[member.collective].plan.row().is_channel()
    }

    /// Cycles of a loop over a window.
    fn work(&self, loops: Loops, moves: &Moves) -> i64 {
        match self.ideal.has_best_code() {
            false => self.profile.work(loops, moves),
            true => self.profile.least_work(loops, moves),
        }
    }

    /// Cycles of a step on `windows` windows before the first of them.
    fn start(&self, moves: &Moves, windows: usize) -> i64 {
        if self.ideal.has_best_code() {
            return 0;
        }
        self.profile.start(moves).saturating_add(self.profile.saved_by_releases(moves, windows))
    }

    fn acquire(&self, port: PortId) -> impl Iterator<Item = Op> + use<> {
        let lock = Op::Work(Task::Acquire(port), Time::cycles(self.locks(port).acquire));
        [Some(Op::Take(port)), self.awaited(port, Word::Last), Some(lock)].into_iter().flatten()
    }

    /// The wait for a word at a port that awaits one.
    fn awaited(&self, port: PortId, word: Word) -> Option<Op> {
        self.words.awaits(port, word).then_some(Op::Await(port, word))
    }

    fn release(&self, port: PortId) -> [Op; 2] {
        [release(port, self.locks(port).release), Op::Hand(port)]
    }

    /// Cycles of a window's locks, which a kernel or its wrapper takes.
    fn locks(&self, port: PortId) -> LockTiming {
        self.profile.window.locks_of(self.design.ports[port].asynchronous)
    }

    /// The kernel's connected user ports and ends of channels, inputs first. A run-time parameter
    /// costs nothing and delays no kernel: no document states the cycles that it takes.
    fn user_ports(&self, kernel: KernelId) -> impl Iterator<Item = PortId> + '_ {
        let wanted = |&port: &PortId| {
            let own = &self.design.ports[port];
            let parameter = matches!(own.carries, Some(aiec_ir::Carries::Parameter(_)));
            is_users(self.design, port) && !parameter && !own.connections.is_empty()
        };
        self.design.ports_of(kernel).filter(wanted)
    }

    /// The user ports with windows.
    fn window_ports(&self, kernel: KernelId, asynchronous: bool) -> Vec<PortId> {
        let ports = self.user_ports(kernel).filter(|&port| !flows_by_word(self.design, port));
        ports.filter(|&port| self.design.ports[port].asynchronous == asynchronous).collect()
    }

    /// The cycles of one firing that the design states, or none.
    fn own_work(&self, kernel: KernelId) -> Block {
        let stated = self.design.body(kernel).cycles.as_ref();
        Block::once(stated.map(|cycles| Op::Work(Task::Own, Time::cycles(cycles.value.into()))))
    }

    /// The words of one firing through all streams and cascades of one direction. A firing starts
    /// its writes before it waits for its reads, so kernels that exchange words do not stop. The
    /// words of a write leave while those of a read arrive.
    fn flows(&self, kernel: KernelId, direction: Direction) -> Block {
        let ops = |port| {
            [Some(Op::Take(port)), self.awaited(port, Word::Last), Some(Op::Hand(port))].into_iter().flatten()
        };
        Block::once(self.flowing(kernel, direction).flat_map(ops))
    }

    /// The first words of all streams and cascades into the kernel.
    fn first_words(&self, kernel: KernelId) -> Block {
        let ports = self.flowing(kernel, Direction::In);
        Block::once(ports.filter_map(|port| self.awaited(port, Word::First)))
    }

    /// The last words of all streams and cascades out of the kernel.
    fn last_words(&self, kernel: KernelId) -> Block {
        Block::once(self.flowing(kernel, Direction::Out).map(Op::End))
    }

    /// The kernel's streams and cascades of one direction.
    fn flowing(&self, kernel: KernelId, direction: Direction) -> impl Iterator<Item = PortId> + '_ {
        let ports = self.user_ports(kernel).filter(|&port| flows_by_word(self.design, port));
        ports.filter(move |&port| self.design.ports[port].direction == direction)
    }

    fn synchronous_start(&self, kernel: KernelId) -> Block {
        Block::once(self.window_ports(kernel, false).into_iter().flat_map(|port| self.acquire(port)))
    }

    fn synchronous_end(&self, kernel: KernelId) -> Block {
        Block::once(self.window_ports(kernel, false).into_iter().rev().flat_map(|port| self.release(port)))
    }

    /// Uses each asynchronous user window as often as the design states, or once. Ports take turns,
    /// outputs first: in this order the fewest designs stop.
    fn asynchronous(&self, kernel: KernelId) -> Vec<Block> {
        let mut ports = self.window_ports(kernel, true);
        ports.sort_by_key(|&port| self.design.ports[port].direction == Direction::In);
        let windows = |port: PortId| self.design.windows_per_run(port).unwrap_or(1);
        let both = |port| self.acquire(port).chain(self.release(port));
        let mut numbers: Vec<u64> = ports.iter().map(|&port| windows(port)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let from = std::iter::once(0).chain(numbers.clone());
        let turns = from.zip(numbers).map(|(from, to)| {
            let left = ports.iter().copied().filter(|&port| windows(port) > from);
            Block { times: to - from, ops: left.flat_map(both).collect() }
        });
        turns.collect()
    }

    /// All calls of one collective: the phases of its schedule, window by window.
    fn calls(&self, member: &Membership) -> Section {
        let collective = &self.design.collectives[member.collective];
        if collective.plan.is_cascade() || collective.plan.is_opened() {
            return self.together(member);
        }
        let block = |phase: &Phase| Block {
            times: phase.times.into(),
            ops: phase.steps.iter().flat_map(|step| self.step(member, step)).collect(),
        };
        let schedule = self.schedules[member.collective].get(member.rank.index());
        let mut blocks: Vec<Block> = schedule.into_iter().flatten().map(block).collect();
        blocks.push(Block::once([Op::Call(member.collective)]));
        Section { times: collective.calls.into(), blocks }
    }

    /// All calls that the ranks make together; then the root of a cascade sends the result, window
    /// by window.
    fn together(&self, member: &Membership) -> Section {
        let collective = &self.design.collectives[member.collective];
        let send = |port| self.send(member, port, collective.loops());
        let result =
            Block { times: collective.chunks().into(), ops: member.result.map_or_else(Vec::new, send) };
        let blocks = vec![
            Block::once([Op::Join(member.collective)]),
            result,
            Block::once([Op::Call(member.collective)]),
        ];
        Section { times: collective.calls.into(), blocks }
    }

    /// A window that is filled from memory and sent.
    fn send(&self, member: &Membership, port: PortId, loops: Loops) -> Vec<Op> {
        let copy = call(member, self.work(loops, &Moves::SENT));
        self.acquire(port).chain([copy]).chain(self.release(port)).collect()
    }

    /// One step on one window: acquire all windows, do the work, release them. A packet is read as
    /// it arrives; the result is then sent without further steps.
    fn step(&self, member: &Membership, step: &Step) -> Vec<Op> {
        let (take, give) = self.design.step_ports(member, step);
        let moves = Moves::of(step, member.result.is_some());
        let loops = self.design.collectives[member.collective].loops();
        if step.carry == Carry::Packet {
            let read = call(member, self.profile.packet(loops, self.work(loops, &moves)));
            let packets = take.iter().flat_map(|&port| [Op::Take(port), read, Op::Hand(port)]);
            return packets.chain(give.iter().flat_map(|&port| self.send(member, port, loops))).collect();
        }
        let loops = if step.carry == Carry::Signal { loops.signal() } else { loops };
        let mut ops = vec![call(member, self.start(&moves, take.len() + give.len()))];
        let work = self.work(loops, &moves);
        ops.extend(take.iter().chain(&give).flat_map(|&port| self.acquire(port)));
        ops.push(call(member, work));
        let released = give.iter().chain(take.iter().rev()).enumerate();
        ops.extend(released.flat_map(|(before, &port)| {
            [release(port, self.profile.release(&moves, before)), Op::Hand(port)]
        }));
        ops
    }

    /// The kernel sends the window of cycle counts once per firing, after the calls.
    fn cycle_counts(&self, member: &Membership) -> Block {
        Block::once(member.cycles.into_iter().flat_map(|port| self.acquire(port).chain(self.release(port))))
    }
}

/// The release of a buffer.
fn release(port: PortId, cycles: i64) -> Op {
    Op::Work(Task::Release(port), Time::cycles(cycles))
}

/// Work of a rank in a call of its collective.
fn call(member: &Membership, cycles: i64) -> Op {
    Op::Work(Task::Call(member.collective), Time::cycles(cycles))
}
