//! Runs one iteration of the graph with words in place of data, and stops where nothing can move.
//!
//! Kernels, windows and streams are a network of processes with bounded queues. A firing takes its
//! synchronous windows, moves the stated words of its streams, and hands the windows on. Balanced
//! rates bring all queues back to their first state, so one iteration stands for all of them.
//!
//! A word moves by no time but by counts. A net has sent as many words as its producer offers and
//! as every branch takes: the words that the consumer has asked for, and the room between them. Both
//! only grow, so the state at the end does not depend on the order of the steps.
//!
//! Ports with unknown amounts, cascades, asynchronous windows, packets of a split or merge, and ports
//! of collectives offer and take everything. So they can hide a hang, and never cause one.

use std::collections::VecDeque;

use aiec_collectives::Direction;
use aiec_ir::expanded::{Expanded, PortRole};
use aiec_ir::{ConnectionId, IdVec, KernelId, PortId};

/// An amount without limit.
const ENDLESS: u64 = u64::MAX;

/// What a run assumes where the design leaves it open.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumptions {
    /// Words that a net holds in its switches.
    pub in_flight: u64,
    /// Bytes of a word of the stream network.
    pub word_bytes: u64,
    pub order: Order,
    /// Additional FIFO words of connections.
    pub more: Vec<(ConnectionId, u64)>,
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

/// A connection to one consumer.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub to: PortId,
    pub connection: ConnectionId,
    /// Words between producer and consumer, or [`ENDLESS`].
    room: u64,
    /// Words that the consumer has asked for so far; of a window, those it has released.
    asked: u64,
}

/// A producing port with its consumers.
#[derive(Clone, Debug)]
pub(super) struct Net {
    pub from: PortId,
    /// Words that the producer has offered so far.
    offered: u64,
    sent: u64,
    pub branches: Vec<Branch>,
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
    net: usize,
    /// The branch of an input. None for an output.
    branch: Option<usize>,
    /// Words in one firing.
    words: u64,
    /// Buffers of a window. None for a stream.
    buffers: Option<u64>,
}

/// Why a kernel waits, and for which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    pub kernel: KernelId,
    /// The port at which it waits.
    pub port: PortId,
    /// The branch that is full, if a full branch is the reason.
    pub full: Option<ConnectionId>,
    /// The kernel that must act first.
    pub needs: KernelId,
}

impl Order {
    /// True if the stream comes first in each step.
    fn is_first(self, end: &End) -> bool {
        end.branch.is_some() == (self == Self::ReadsFirst)
    }
}

/// A run.
pub(super) struct Flow<'a> {
    design: &'a Expanded,
    order: Order,
    word_bytes: u64,
    nets: Vec<Net>,
    ends: IdVec<KernelId, Vec<End>>,
    /// The streams of each kernel, and the steps of a firing: the most words of any of them.
    steps: IdVec<KernelId, (usize, u64)>,
    states: IdVec<KernelId, State>,
    /// Kernels that may go on, each once.
    ready: VecDeque<KernelId>,
    is_ready: IdVec<KernelId, bool>,
    /// Steps that this run may still take.
    budget: u64,
}

impl<'a> Flow<'a> {
    /// The state before the first firing. The run stops after `budget` steps.
    pub fn new(design: &'a Expanded, assumptions: &Assumptions, budget: u64) -> Self {
        let mut flow = Self {
            design,
            order: assumptions.order,
            word_bytes: assumptions.word_bytes.max(1),
            nets: Vec::new(),
            ends: design.kernels.iter().map(|_| Vec::new()).collect(),
            steps: design.kernels.iter().map(|_| (1, 1)).collect(),
            states: design.kernels.iter().map(|_| State::default()).collect(),
            ready: design.kernels.ids().collect(),
            is_ready: design.kernels.iter().map(|_| true).collect(),
            budget,
        };
        for from in design.ports.ids() {
            let port = &design.ports[from];
            if port.direction == Direction::Out && !port.connections.is_empty() {
                flow.net(from, assumptions);
            }
        }
        for kernel in design.kernels.ids().filter(|_| flow.order != Order::Furthest) {
            let ends = &mut flow.ends[kernel];
            ends.sort_by_key(|end| {
                (end.buffers.is_some(), !flow.order.is_first(end), design.ports[end.port].slot)
            });
            let streams = || ends.iter().filter(|end| end.buffers.is_none());
            let words = streams().map(|end| end.words).max().unwrap_or(1);
            flow.steps[kernel] = (streams().count().max(1), words);
        }
        flow
    }

    /// Adds the net of `from` and its ends.
    fn net(&mut self, from: PortId, assumptions: &Assumptions) {
        let (design, number) = (self.design, self.nets.len());
        let source = self.words(from);
        if let Some((kernel, words, buffers)) = source {
            self.ends[kernel].push(End { port: from, net: number, branch: None, words, buffers });
        }
        let branch = |(at, &connection): (usize, &ConnectionId)| {
            let wire = &design.connections[connection];
            let more = assumptions.more.iter().filter(|(id, _)| *id == connection).map(|(_, words)| words);
            let fifo = wire.fifo.as_ref().map_or(0, |fifo| u64::from(fifo.value)) + more.sum::<u64>();
            let sink = self.words(wire.to);
            let room = sink.map_or(ENDLESS, |(_, words, buffers)| match buffers {
                Some(buffers) => buffers.saturating_mul(words) + assumptions.in_flight + fifo,
                None => assumptions.in_flight + fifo,
            });
            if let Some((kernel, words, buffers)) = sink {
                let end = End { port: wire.to, net: number, branch: Some(at), words, buffers };
                self.ends[kernel].push(end);
            }
            let asked = if sink.is_some() { 0 } else { ENDLESS };
            Branch { to: wire.to, connection, room, asked }
        };
        let branches = design.ports[from].connections.iter().enumerate().map(branch).collect();
        let offered = if source.is_some() { 0 } else { ENDLESS };
        self.nets.push(Net { from, offered, sent: 0, branches });
        self.pump(number);
    }

    /// The kernel of a port, its words in one firing, and its buffers if it is a window. Returns
    /// None when the run knows no amount.
    fn words(&self, port: PortId) -> Option<(KernelId, u64, Option<u64>)> {
        let design = self.design;
        let end = &design.ports[port];
        let kernel = design.kernel_of(port)?;
        let wires = end.connections.iter().map(|&id| &design.connections[id]);
        let switched = wires.into_iter().any(|wire| wire.switch.is_some());
        if end.asynchronous || switched || !matches!(end.role, PortRole::User(_)) {
            return None;
        }
        let bytes =
            design.bytes_per_run(port).filter(|bytes| bytes.is_multiple_of(self.word_bytes) && *bytes > 0)?;
        let buffers = end.window().map(|_| u64::from(design.buffering_of(port).copies()));
        Some((kernel, bytes / self.word_bytes, buffers))
    }

    /// Sends what can be sent. Returns true if that is anything.
    fn pump(&mut self, net: usize) -> bool {
        let net = &mut self.nets[net];
        let room = net.branches.iter().map(|branch| branch.asked.saturating_add(branch.room)).min();
        let sent = room.unwrap_or(ENDLESS).min(net.offered);
        let more = sent > net.sent;
        net.sent = sent.max(net.sent);
        more
    }

    /// Runs until nothing moves. Returns true if every kernel has fired as often as an iteration
    /// asks, or the budget is spent.
    pub fn finishes(&mut self) -> bool {
        while let Some(kernel) = self.ready.pop_front() {
            self.is_ready[kernel] = false;
            while self.advance(kernel) {
                let Some(left) = self.budget.checked_sub(1) else { return true };
                self.budget = left;
            }
        }
        self.design.kernels.ids().all(|kernel| self.is_done(kernel))
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
        if self.is_done(kernel) || self.obstacle(kernel).is_some() {
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
        for at in 0..self.ends[kernel].len() {
            self.ask(kernel, at, next);
        }
        true
    }

    /// Offers or asks for the words of a port that the new step moves.
    fn ask(&mut self, kernel: KernelId, at: usize, step: Option<(u64, usize)>) {
        let end = self.ends[kernel][at];
        let End { net, branch, words, buffers, .. } = end;
        let fired = u64::from(self.states[kernel].fired);
        let total = match (step, buffers) {
            // Windows are handed on at the end of a firing.
            (_, Some(_)) | (None, None) => fired * words,
            (Some(_), None) if self.order == Order::Furthest => (fired + 1) * words,
            (Some((step, stream)), None) => {
                let (_, steps) = self.steps[kernel];
                let part = words * (step - u64::from(at > stream));
                fired * words + if self.order.is_first(&end) { part.div_ceil(steps) } else { part / steps }
            }
        };
        let wire = &mut self.nets[net];
        match branch {
            Some(branch) => wire.branches[branch].asked = wire.branches[branch].asked.max(total),
            None => wire.offered = wire.offered.max(total),
        }
        if self.pump(net) {
            let net = &self.nets[net];
            let ends = net.branches.iter().map(|branch| branch.to).chain([net.from]);
            for kernel in ends.filter_map(|port| self.design.kernel_of(port)) {
                if !std::mem::replace(&mut self.is_ready[kernel], true) {
                    self.ready.push_back(kernel);
                }
            }
        }
    }

    /// The first end at which a kernel cannot go on. Returns None when it can.
    fn obstacle(&self, kernel: KernelId) -> Option<&End> {
        let state = self.states[kernel];
        let fired = u64::from(state.fired);
        self.ends[kernel].iter().find(|end| {
            let net = &self.nets[end.net];
            match (state.step, end.branch, end.buffers) {
                (None, Some(_), Some(_)) => net.sent < (fired + 1) * end.words,
                (None, None, Some(buffers)) => fired - net.sent / end.words >= buffers,
                (Some(_), Some(branch), None) => net.sent < net.branches[branch].asked,
                (Some(_), None, None) => net.sent < net.offered,
                _ => false,
            }
        })
    }

    /// The reason for which a kernel waits after a run. Returns None when it does not, or when no
    /// kernel is to blame.
    pub fn wait(&self, kernel: KernelId) -> Option<Wait> {
        if self.is_done(kernel) {
            return None;
        }
        let end = self.obstacle(kernel)?;
        let net = &self.nets[end.net];
        let held = |branch: &&Branch| branch.asked.saturating_add(branch.room) <= net.sent;
        let full = net.branches.iter().filter(|_| net.offered > net.sent).find(held);
        let needs = full.map_or(net.from, |branch| branch.to);
        let full = full.map(|branch| branch.connection);
        Some(Wait { kernel, port: end.port, full, needs: self.design.kernel_of(needs)? })
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
