//! Runs one iteration of the graph with words in place of data, and stops where nothing can move.
//!
//! Kernels, windows and streams are a network of processes with bounded queues. A firing takes its
//! synchronous windows, moves the stated words of its streams, and hands the windows on. Balanced
//! rates bring all queues back to their first state, so one iteration stands for all of them.
//!
//! A word moves by no time but by counts. A net has sent as many words as its producer offers and
//! as every branch takes: the words that the consumer has asked for, and the room between them.
//! Both only grow, so the state at the end does not depend on the order of the steps.
//!
//! A split or merge takes part if the design states all its amounts, and its branches move as many
//! words in an iteration as its trunk. [`net`] says what the run assumes of the order of packets,
//! and of their headers.
//!
//! A parameter between kernels counts as a word that leaves at the end of a firing. Both kernels
//! have the same one or two buffers. A writer waits for one that the reader has released, unless
//! the parameter is asynchronous. A reader waits before each firing for a new value, or with
//! `async` before the first one. A graph of ADF may give the first value (`initial_value`), so
//! asynchronous ones are left out there.
//!
//! A connection through shared memory has the buffers of one end, no net and no FIFO. The caller
//! says which do. A kernel acquires and releases an asynchronous window with stated `windows`
//! somewhere in its firing: the run takes the best order.
//!
//! An open end of a channel or of a streamed collective moves at most the elements of `data`. A run
//! assumes that it moves all of them, or takes the amount for unknown.
//!
//! A cascade passes an amount that no design states. The caller says how much one firing moves and
//! how much a cascade holds, or leaves it out. One whose ends run unequally often is left out.
//!
//! Ports with unknown amounts, cascades that are left out, packets of another split or merge, and
//! ports of collectives offer and take everything. So they can hide a hang, and never cause one.

mod any_order;
mod net;
mod packets;
mod turns;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use aiec_collectives::Direction;
use aiec_ir::expanded::{Expanded, PortRole, SwitchKind};
use aiec_ir::{Carries, ConnectionId, Id, IdVec, KernelId, PortId, SwitchId};

use net::{Branch, Held, Net, Passage, Source};
use packets::Packets;
pub(super) use turns::Stop;

/// An amount without limit.
const ENDLESS: u64 = u64::MAX;

/// Words of one value of a parameter: the run counts values.
const VALUE: u64 = 1;

/// What a run assumes where the design leaves it open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Assumptions {
    /// Words that a net holds in its switches.
    pub in_flight: u64,
    /// Words that the FIFO of each connection holds.
    pub fifos: IdVec<ConnectionId, u64>,
    /// Bytes of a word of the stream network.
    pub word_bytes: u64,
    pub order: Order,
    /// Open ends move all elements of `data`. If false, their amounts are unknown.
    pub all_elements: bool,
    /// Additional FIFO words of connections.
    pub more: Vec<(ConnectionId, u64)>,
    /// Connections whose two ends have the same buffers.
    pub shared: BTreeSet<ConnectionId>,
    /// The cascades that take part.
    pub cascades: BTreeMap<ConnectionId, Cascade>,
}

/// What a cascade passes, in vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cascade {
    /// Those of one firing.
    pub moved: u64,
    /// Those that it holds.
    pub held: u64,
}

/// How the words of a port move in a firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passing {
    /// Word by word, in the order of the run.
    Stream,
    /// As a window or parameter that the firing holds from start to end, with this number of
    /// buffers.
    Held(u64),
    /// As windows that the kernel's code acquires and releases.
    Acquired {
        /// Words of one window.
        window: u64,
        /// Buffers of the port.
        buffers: u64,
    },
}

/// The order in which a kernel reads and writes its streams in a firing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// The order that goes furthest.
    #[default]
    Furthest,
    /// All in step; in each step reads come before writes.
    ReadsFirst,
    /// All in step; in each step writes come before reads.
    WritesFirst,
}

aiec_ir::ids! {
    /// What leaves one port, or comes to one merge.
    NetId;
}

/// The progress of a kernel.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    fired: u32,
    /// The step of the firing that it is in, and the stream that it moves in this step.
    step: Option<(u64, usize)>,
}

/// A port of a kernel that takes part in the run.
#[derive(Clone, Copy, Debug)]
struct End {
    port: PortId,
    net: NetId,
    /// True for a branch of the net, false for a source.
    is_input: bool,
    /// Its position in the branches or sources.
    at: usize,
    /// Words in one firing.
    words: u64,
    passing: Passing,
    /// True if the other end has the same buffers.
    is_shared: bool,
}

/// Why a kernel waits, and for which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    pub kernel: KernelId,
    /// The port at which it waits.
    pub port: PortId,
    /// The branch that is full, if a full branch is the reason.
    pub full: Option<ConnectionId>,
    /// The port whose packet comes first in an ordered merge or, with a full branch, in a split
    /// that sends its packets in turn.
    pub first: Option<PortId>,
    /// The kernel that must act first.
    pub needs: KernelId,
}

impl Passing {
    /// Words that the port's buffers hold, if a firing moves `words`.
    const fn room(self, words: u64) -> u64 {
        match self {
            Self::Stream => 0,
            Self::Held(buffers) => buffers.saturating_mul(words),
            Self::Acquired { window, buffers } => buffers.saturating_mul(window),
        }
    }
}

impl Order {
    /// True if the stream comes first in each step.
    fn is_first(self, end: &End) -> bool {
        end.is_input == (self != Self::WritesFirst)
    }

    /// The steps of a firing whose longest stream has this number of words.
    const fn steps(self, words: u64) -> u64 {
        match self {
            Self::Furthest => 1,
            Self::ReadsFirst | Self::WritesFirst => words,
        }
    }

    /// The words of a stream that the first `done` of `steps` steps move.
    fn part(self, end: &End, done: u64, steps: u64) -> u64 {
        let part = end.words * done;
        if self.is_first(end) { part.div_ceil(steps) } else { part / steps }
    }
}

/// A run of the whole design, word by word.
#[derive(Clone)]
pub(super) struct Flow<'a> {
    design: &'a Expanded,
    order: Order,
    all_elements: bool,
    word_bytes: u64,
    nets: IdVec<NetId, Net>,
    /// The splits and merges that take part.
    followed: BTreeSet<SwitchId>,
    /// The cascades that take part.
    cascades: BTreeMap<ConnectionId, Cascade>,
    ends: IdVec<KernelId, Vec<End>>,
    /// The streams of each kernel, and the steps of a firing: the most words of any of them.
    steps: IdVec<KernelId, (usize, u64)>,
    states: IdVec<KernelId, State>,
    /// Kernels that may go on, each once.
    ready: VecDeque<KernelId>,
    is_ready: IdVec<KernelId, bool>,
    /// Kernels on one core, which run in turn. Empty if each has its own.
    core: BTreeSet<KernelId>,
    /// The kernel of this core that may begin a firing.
    turn: Option<KernelId>,
    /// Steps that this run may still take.
    budget: u64,
}

impl<'a> Flow<'a> {
    /// The state before the first firing. The run stops after `budget` steps.
    pub fn new(design: &'a Expanded, assumptions: &Assumptions, budget: u64) -> Self {
        let mut flow = Self {
            design,
            order: assumptions.order,
            all_elements: assumptions.all_elements,
            word_bytes: assumptions.word_bytes.max(1),
            nets: IdVec::new(),
            followed: followed(design, assumptions.word_bytes.max(1)),
            cascades: assumptions.cascades.clone(),
            ends: design.kernels.iter().map(|_| Vec::new()).collect(),
            steps: design.kernels.iter().map(|_| (1, 1)).collect(),
            states: design.kernels.iter().map(|_| State::default()).collect(),
            ready: design.kernels.ids().collect(),
            is_ready: design.kernels.iter().map(|_| true).collect(),
            core: BTreeSet::new(),
            turn: None,
            budget,
        };
        flow.add_nets(assumptions);
        for kernel in design.kernels.ids().filter(|_| flow.order != Order::Furthest) {
            let ends = &mut flow.ends[kernel];
            ends.sort_by_key(|end| {
                (end.passing != Passing::Stream, !flow.order.is_first(end), design.ports[end.port].slot)
            });
            let streams = || ends.iter().filter(|end| end.passing == Passing::Stream);
            let words = streams().map(|end| end.words).max().unwrap_or(1);
            flow.steps[kernel] = (streams().count().max(1), flow.order.steps(words));
        }
        flow
    }

    /// Adds the nets of the design: one for each producing port, or for each merge that takes part.
    fn add_nets(&mut self, assumptions: &Assumptions) {
        let design = self.design;
        let followed = |flow: &Self, wire: ConnectionId| {
            let switch = design.connections[wire].switch.filter(|switch| flow.followed.contains(switch))?;
            Some((switch, &design.switches[switch]))
        };
        let mut merged = BTreeSet::new();
        for from in design.ports.ids() {
            let port = &design.ports[from];
            let (Direction::Out, Some(&wire)) = (port.direction, port.connections.first()) else { continue };
            let (sources, passage) = match followed(self, wire) {
                Some((_, switch)) if switch.kind == SwitchKind::Split => {
                    (vec![(from, wire)], self.split(&switch.branches))
                }
                Some((id, _)) if !merged.insert(id) => continue,
                Some((_, switch)) => {
                    let sources = switch.branches.iter().map(|&id| (design.connections[id].from, id));
                    (sources.collect(), self.merge(switch.kind, &switch.branches))
                }
                None => (vec![(from, wire)], Passage::Broadcast),
            };
            self.add_net(passage, &sources, assumptions);
        }
    }

    /// Adds a net and its ends. Several sources have one consumer between them.
    fn add_net(&mut self, passage: Passage, sources: &[(PortId, ConnectionId)], assumptions: &Assumptions) {
        let (design, net) = (self.design, NetId::from_index(self.nets.len()));
        let mut all = Net { passage, sources: Vec::new(), branches: Vec::new() };
        // Words of windows that the code of a source has released.
        let mut released = 0;
        for (at, &(from, connection)) in sources.iter().enumerate() {
            let source = self.words(from);
            if let Some((kernel, words, passing)) = source {
                let is_shared = self.is_shared(connection, assumptions);
                self.ends[kernel].push(End {
                    port: from,
                    net,
                    is_input: false,
                    at,
                    words,
                    passing,
                    is_shared,
                });
                if matches!(passing, Passing::Acquired { .. }) {
                    released += passing.room(words);
                }
            }
            let offered = if source.is_some() { 0 } else { ENDLESS };
            let packets = match all.passage {
                Passage::Merge => self.packets(from, false),
                _ => Packets::default(),
            };
            all.sources.push(Source { from, connection, packets, offered, sent: 0 });
        }
        let way = |connection: ConnectionId| {
            if let Some(cascade) = assumptions.cascades.get(&connection) {
                return cascade.held;
            }
            let more = assumptions.more.iter().filter(|(id, _)| *id == connection).map(|(_, words)| words);
            assumptions.in_flight + assumptions.fifos[connection] + more.sum::<u64>()
        };
        let wires = match sources {
            &[(from, _)] => design.ports[from].connections.as_slice(),
            several => &several.iter().map(|(_, wire)| *wire).take(1).collect::<Vec<_>>(),
        };
        for (at, &connection) in wires.iter().enumerate() {
            let to = design.connections[connection].to;
            let sink = self.words(to);
            // The ways from all sources lead to the branch of a merge.
            let ways = if sources.len() > 1 {
                sources.iter().map(|&(_, wire)| way(wire)).sum()
            } else {
                way(connection)
            };
            let is_shared = self.is_shared(connection, assumptions);
            let between = match (is_shared, sink) {
                (true, _) => 0,
                (false, Some(_)) => ways.saturating_add(released),
                (false, None) => ENDLESS,
            };
            let buffers = sink.map_or(0, |(_, words, passing)| passing.room(words));
            let packets = self.packets_to(&all.passage, to, at);
            if let Some((kernel, words, passing)) = sink {
                self.ends[kernel].push(End { port: to, net, is_input: true, at, words, passing, is_shared });
            }
            let asked = if sink.is_some() { 0 } else { ENDLESS };
            all.branches.push(Branch { to, connection, buffers, between, packets, asked, sent: 0 });
        }
        all.pump();
        self.nets.push(all);
    }

    /// True if the two ends of a connection have the same buffers, as those of a parameter do.
    fn is_shared(&self, connection: ConnectionId, assumptions: &Assumptions) -> bool {
        let from = self.design.connections[connection].from;
        let is_parameter = matches!(self.design.ports[from].carries, Some(Carries::Parameter(_)));
        is_parameter || assumptions.shared.contains(&connection)
    }

    /// The kernel of a port, its words in one firing, and how they move. Returns None when the run
    /// knows no amount.
    fn words(&self, port: PortId) -> Option<(KernelId, u64, Passing)> {
        let connections = &self.design.ports[port].connections;
        if let Some(cascade) = connections.first().and_then(|wire| self.cascades.get(wire)) {
            return Some((self.design.kernel_of(port)?, cascade.moved, Passing::Stream));
        }
        let mut switches = connections.iter().filter_map(|&id| self.design.connections[id].switch);
        let is_unknown = !self.all_elements && self.design.opens_for(port).is_some();
        if is_unknown || switches.any(|switch| !self.followed.contains(&switch)) {
            return None;
        }
        amount(self.design, port, self.word_bytes)
    }

    /// Runs until nothing moves. Returns true if every kernel has fired as often as an iteration
    /// asks, or the budget is spent.
    pub fn finishes(&mut self) -> bool {
        !self.stops() || self.design.kernels.ids().all(|kernel| self.is_done(kernel))
    }

    /// Runs until nothing moves. Returns false if the budget is spent before.
    fn stops(&mut self) -> bool {
        while let Some(kernel) = self.ready.pop_front() {
            self.is_ready[kernel] = false;
            while self.advance(kernel) {
                let Some(left) = self.budget.checked_sub(1) else { return false };
                self.budget = left;
            }
        }
        true
    }

    /// Lets a kernel try to go on.
    fn wake(&mut self, kernel: KernelId) {
        if !std::mem::replace(&mut self.is_ready[kernel], true) {
            self.ready.push_back(kernel);
        }
    }

    /// The steps that are left.
    pub const fn budget(&self) -> u64 {
        self.budget
    }

    fn is_done(&self, kernel: KernelId) -> bool {
        self.states[kernel].fired >= self.design.kernels[kernel].repetitions
    }

    /// Takes one step of a kernel. Returns false if it has to wait, or is done.
    fn advance(&mut self, kernel: KernelId) -> bool {
        if self.is_done(kernel) || self.rests(kernel) || self.obstacle(kernel).is_some() {
            return false;
        }
        let (streams, steps) = self.steps[kernel];
        let next = match self.states[kernel].step {
            None => Some((1, 0)),
            Some((step, stream)) if stream + 1 < streams => Some((step, stream + 1)),
            Some((step, _)) if step < steps => Some((step + 1, 0)),
            Some(_) => None,
        };
        self.states[kernel].step = next;
        self.states[kernel].fired += u32::from(next.is_none());
        self.turn = self.turn.filter(|&turn| turn != kernel || next.is_some());
        for at in 0..self.ends[kernel].len() {
            self.ask(kernel, at, next);
        }
        true
    }

    /// Offers or asks for the words of a port that the new step moves.
    fn ask(&mut self, kernel: KernelId, at: usize, step: Option<(u64, usize)>) {
        let end = self.ends[kernel][at];
        let End { net, is_input, at: side, words, passing, .. } = end;
        let fired = u64::from(self.states[kernel].fired);
        let total = match (step, passing) {
            // These windows are handed on at the end of a firing.
            (_, Passing::Held(_)) | (None, _) => fired * words,
            (Some(_), Passing::Acquired { .. }) => (fired + 1) * words,
            (Some(_), Passing::Stream) if self.order == Order::Furthest => (fired + 1) * words,
            (Some((step, stream)), Passing::Stream) => {
                let (_, steps) = self.steps[kernel];
                fired * words + self.order.part(&end, step - u64::from(at > stream), steps)
            }
        };
        let wire = &mut self.nets[net];
        let moved = if is_input { &mut wire.branches[side].asked } else { &mut wire.sources[side].offered };
        *moved = total.max(*moved);
        // A buffer that is released is free at both ends.
        if wire.pump() || end.is_shared {
            let sources = wire.sources.iter().map(|source| source.from);
            let ends = wire.branches.iter().map(|branch| branch.to).chain(sources);
            let kernels: Vec<KernelId> = ends.filter_map(|port| self.design.kernel_of(port)).collect();
            kernels.into_iter().for_each(|kernel| self.wake(kernel));
        }
    }

    /// The first end at which a kernel cannot go on. Returns None when it can.
    fn obstacle(&self, kernel: KernelId) -> Option<&End> {
        let state = self.states[kernel];
        let fired = u64::from(state.fired);
        let (streams, steps) = self.steps[kernel];
        let is_last = state.step == Some((steps, streams - 1));
        self.ends[kernel].iter().find(|end| {
            let net = &self.nets[end.net];
            let moves = match end.passing {
                Passing::Stream => state.step.is_some(),
                Passing::Held(_) => state.step.is_none(),
                Passing::Acquired { .. } => is_last,
            };
            if !moves {
                return false;
            }
            if end.is_input {
                let branch = &net.branches[end.at];
                let firings = if self.design.ports[end.port].asynchronous { 1 } else { fired + 1 };
                return match end.passing {
                    Passing::Held(_) => branch.sent < firings * end.words,
                    Passing::Stream | Passing::Acquired { .. } => branch.sent < branch.asked,
                };
            }
            let source = &net.sources[end.at];
            match end.passing {
                // The reader has not released the buffer for this firing.
                Passing::Held(_) if end.is_shared => {
                    net.branches.iter().any(|branch| branch.limit() < (fired + 1) * end.words)
                }
                Passing::Held(buffers) => fired - source.sent / end.words >= buffers,
                Passing::Stream | Passing::Acquired { .. } => source.sent < source.offered,
            }
        })
    }

    /// The reason for which a kernel waits after a run. Returns None when it does not, or when no
    /// kernel is the cause.
    pub fn wait(&self, kernel: KernelId) -> Option<Wait> {
        if self.is_done(kernel) {
            return None;
        }
        let end = self.obstacle(kernel)?;
        let (net, port) = (&self.nets[end.net], end.port);
        let blamed = |port: &PortId| self.design.kernel_of(*port).is_some_and(|kernel| !self.is_done(kernel));
        let sources = || net.sources.iter().map(|source| source.from);
        let to = || net.branches.iter().map(|branch| branch.to);
        let held = match end.is_shared && !end.is_input {
            true => Held::Full(0),
            false => net.held((!end.is_input).then_some(end.at)),
        };
        let (needs, full, first) = match held {
            Held::Empty => (sources().find(blamed).or_else(|| sources().next())?, None, None),
            Held::Turn(at) => (net.sources[at].from, None, Some(net.sources[at].from)),
            Held::Full(at) => {
                // All branches of a split are full. A kernel that is done never empties one.
                let split = matches!(net.passage, Passage::Split);
                let at = if split { to().position(|port| blamed(&port)).unwrap_or(at) } else { at };
                let first = matches!(net.passage, Passage::Dealt { .. }).then(|| net.branches[at].to);
                let merge = net.sources.len() > 1;
                let wire = if merge { net.sources[end.at].connection } else { net.branches[at].connection };
                (net.branches[at].to, Some(wire), first)
            }
        };
        Some(Wait { kernel, port, full, first, needs: self.design.kernel_of(needs)? })
    }

    /// A wait for the turn of a kernel that has sent all packets of an iteration. Returns None when
    /// there is none.
    pub fn turn_of_done(&self) -> Option<Wait> {
        let waits = self.design.kernels.ids().filter_map(|kernel| self.wait(kernel));
        waits.into_iter().find(|wait| wait.first.is_some() && self.is_done(wait.needs))
    }

    /// A cycle of kernels that wait for each other after a run. Returns None when there is none.
    pub fn cycle(&self) -> Option<Vec<Wait>> {
        let first = self.design.kernels.ids().find(|&kernel| !self.is_done(kernel))?;
        let (mut path, mut kernel): (Vec<Wait>, _) = (Vec::new(), first);
        loop {
            if let Some(start) = path.iter().position(|wait| wait.kernel == kernel) {
                return Some(path.split_off(start));
            }
            let wait = self.wait(kernel)?;
            path.push(wait);
            kernel = wait.needs;
        }
    }
}

/// The kernel of a port, its words in one firing, and how they move. Returns None when the design
/// states no amount.
fn amount(design: &Expanded, port: PortId, word_bytes: u64) -> Option<(KernelId, u64, Passing)> {
    let end = &design.ports[port];
    let kernel = design.kernel_of(port)?;
    if matches!(end.carries, Some(Carries::Parameter(_))) {
        let waits = end.direction == Direction::Out || !end.asynchronous || !design.is_adf();
        let is_async = |port: PortId| design.ports[port].asynchronous;
        let others = || end.connections.iter().map(|&wire| design.connections[wire].other(port));
        let is_free = is_async(port) || others().any(is_async);
        let buffers = if is_free { ENDLESS } else { design.buffering_of(port).copies().into() };
        return (waits && !end.connections.is_empty()).then_some((kernel, VALUE, Passing::Held(buffers)));
    }
    let is_user = matches!(end.role, PortRole::User(_));
    let is_packets = end.connections.iter().any(|&wire| design.connections[wire].switch.is_some());
    let is_followed = match end.asynchronous {
        true => is_user && !is_packets,
        false => is_user || matches!(end.role, PortRole::Channel(_)),
    };
    let words = |bytes: &u64| bytes.is_multiple_of(word_bytes) && *bytes > 0;
    let bytes = design.bytes_per_run(port).filter(|bytes| is_followed && words(bytes))?;
    let buffers = u64::from(design.buffering_of(port).copies());
    let passing = match end.window() {
        None => Passing::Stream,
        Some(_) if !end.asynchronous => Passing::Held(buffers),
        Some(window) => {
            Passing::Acquired { window: Some(window.bytes()).filter(words)? / word_bytes, buffers }
        }
    };
    Some((kernel, bytes / word_bytes, passing))
}

/// The splits and merges with known amounts whose branches move as much in an iteration as the
/// trunk. An output takes whatever a merge sends.
pub(super) fn followed(design: &Expanded, word_bytes: u64) -> BTreeSet<SwitchId> {
    let total = |port: PortId| {
        let (kernel, words, _) = amount(design, port, word_bytes)?;
        words.checked_mul(design.kernels[kernel].repetitions.into())
    };
    let balances = |id: &SwitchId| {
        let switch = &design.switches[*id];
        let ends = switch.branches.iter().map(|&wire| design.connections[wire].other(switch.trunk));
        let branches = ends.map(total).try_fold(0_u64, |sum, words| sum.checked_add(words?));
        // A stream that feeds several splits is multicast, which a run does not follow.
        let own = |&wire: &ConnectionId| design.connections[wire].switch == Some(*id);
        let is_alone = design.ports[switch.trunk].connections.iter().all(own);
        let is_output = switch.kind != SwitchKind::Split && design.kernel_of(switch.trunk).is_none();
        is_alone && branches.is_some() && (is_output || branches == total(switch.trunk))
    };
    design.switches.ids().filter(balances).collect()
}
