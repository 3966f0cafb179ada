//! Runs the design with tokens in place of windows, and finds kernels that wait for ever on each
//! other's buffers.
//!
//! A kernel takes its synchronous windows, makes its collective calls step by step as their
//! schedules require, and gives the windows away at the end of its run. A kernel starts when its
//! synchronous inputs are full and its synchronous outputs are empty (UG1079). Each step waits for
//! a full or an empty buffer, so a rank may have to wait for a rank that has not started. Kernels
//! and buffers form a network of processes with bounded queues: the order of their turns does not
//! change where the network stops.
//!
//! The kernel's code decides what it does with asynchronous windows, so the model treats these as
//! always ready. The data of inputs and the room at outputs are always ready too. A connection has
//! the least number of buffers that it can have. Two kernels share buffers if there is one
//! consumer. A broadcast, and packets, have buffers at each end and eight words between (AM009,
//! "AXI4-Stream Interconnect").

use std::collections::VecDeque;

use aiec_diag::Diagnostic;

use super::context::Context;
use crate::errors::cycles::{self as errors, Stuck};
use aiec_collectives::repeats::{Block, Cursor, Section};
use aiec_collectives::{Buffering, Direction, Phase};
use aiec_ir::expanded::{Collective, Expanded, Membership, PortRole};
use aiec_ir::{CollectiveId, IdVec, KernelId, PortId};

/// Steps of all kernels after which a run counts as endless; a tenth of a second of work.
const MOST_STEPS: u64 = 2_000_000;

/// Bytes in flight within a stream.
const IN_FLIGHT: u64 = 32;

/// Bytes of a word of a FIFO.
const WORD: u64 = 4;

/// One action of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    /// Waits for a buffer at the port: for a full one at an input, for an empty one at an output.
    Take(PortId),
    /// Hands the buffer on.
    Hand(PortId),
    /// Waits for all other ranks of a cascade or of streams.
    Join(CollectiveId),
}

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut run = Run::new(design);
    if run.goes_on() {
        return Vec::new();
    }
    run.cycle().map(|cycle| errors::stuck(design, &cycle)).into_iter().collect()
}

// --- what kernels do ---

fn program(
    design: &Expanded,
    kernel: KernelId,
    schedules: &IdVec<CollectiveId, Vec<Vec<Phase>>>,
) -> Vec<Section<Op>> {
    let synchronous = |&port: &PortId| {
        let port = &design.ports[port];
        let user = matches!(port.role, PortRole::User(_)) && port.window().is_some();
        user && !port.asynchronous && !port.connections.is_empty()
    };
    let ports: Vec<PortId> = design.ports_of(kernel).filter(synchronous).collect();
    let once = |ops: Vec<Op>| Section::once(vec![Block::once(ops)]);
    let mut sections = vec![once(ports.iter().copied().map(Op::Take).collect())];
    for member in &design.kernels[kernel].memberships {
        let collective = &design.collectives[member.collective];
        let both = |port: Option<PortId>| {
            port.into_iter().flat_map(|port| [Op::Take(port), Op::Hand(port)]).collect()
        };
        let blocks = if collective.plan.is_opened() {
            vec![Block::once(waits_for_all(collective).then_some(Op::Join(member.collective)).into_iter())]
        } else if collective.plan.is_cascade() {
            let result = Block { times: collective.chunks().into(), ops: both(member.result) };
            vec![Block::once([Op::Join(member.collective)]), result]
        } else {
            let phases = schedules[member.collective].get(member.rank.index()).into_iter().flatten();
            phases.map(|phase| block(design, member, phase)).collect()
        };
        sections.push(Section { times: collective.calls.into(), blocks });
        sections.push(once(both(member.cycles)));
    }
    sections.push(once(ports.into_iter().rev().map(Op::Hand).collect()));
    sections
}

/// True if a call over streams ends at no rank before all have begun it: more data passes than
/// streams hold. Channels wait at single elements, which the check of streams follows.
pub(super) fn waits_for_all(collective: &Collective) -> bool {
    let depth = collective.fifo.as_ref().map_or(0, |fifo| u64::from(fifo.value) * WORD);
    !collective.plan.row().is_channel() && collective.data.value.bytes() > IN_FLIGHT + depth
}

/// A kernel reads packets as they come. It holds all other windows of a step until the step is
/// done.
fn block(design: &Expanded, member: &Membership, phase: &Phase) -> Block<Op> {
    let mut ops = Vec::new();
    for step in &phase.steps {
        let (take, give) = design.step_ports(member, step);
        let (packets, take): (Vec<_>, Vec<_>) =
            take.into_iter().partition(|&port| design.joins_packets(port));
        ops.extend(packets.into_iter().flat_map(|port| [Op::Take(port), Op::Hand(port)]));
        ops.extend(take.iter().chain(&give).copied().map(Op::Take));
        ops.extend(give.iter().chain(take.iter().rev()).copied().map(Op::Hand));
    }
    Block { times: phase.times.into(), ops }
}

// --- the run ---

struct Run<'a> {
    design: &'a Expanded,
    programs: IdVec<KernelId, Vec<Section<Op>>>,
    cursors: IdVec<KernelId, Cursor>,
    /// Buffers that the kernel of a port may take.
    available: IdVec<PortId, u64>,
    /// Empty buffers of an input that its net may fill.
    empty: IdVec<PortId, u64>,
    /// Windows of an output that its net has not carried yet; for a stream of packets, windows that
    /// its kernel has asked for.
    pending: IdVec<PortId, u64>,
    /// For each collective along a cascade, the number of ranks that have reached their call.
    joined: IdVec<CollectiveId, usize>,
    /// For each collective along a cascade, the calls that all ranks have reached.
    begun: IdVec<CollectiveId, u64>,
    /// For each kernel, the call along a cascade that it has completed.
    passed: IdVec<KernelId, Option<(CollectiveId, u64)>>,
    ready: VecDeque<KernelId>,
}

impl<'a> Run<'a> {
    fn new(design: &'a Expanded) -> Self {
        let schedules = design.collectives.iter().map(|collective| collective.plan.all_programs()).collect();
        let mut run = Self {
            design,
            programs: design.kernels.ids().map(|kernel| program(design, kernel, &schedules)).collect(),
            cursors: design.kernels.iter().map(|_| Cursor::default()).collect(),
            available: design.ports.iter().map(|_| 0).collect(),
            empty: design.ports.iter().map(|_| 0).collect(),
            pending: design.ports.iter().map(|_| 0).collect(),
            joined: design.collectives.iter().map(|_| 0).collect(),
            begun: design.collectives.iter().map(|_| 0).collect(),
            passed: design.kernels.iter().map(|_| None).collect(),
            ready: design.kernels.ids().collect(),
        };
        for port in design.ports.ids() {
            run.prepare(port);
        }
        for port in design.ports.ids().filter(|&port| design.ports[port].direction == Direction::Out) {
            run.carry(port);
        }
        run
    }

    fn is_free(&self, port: PortId) -> bool {
        let end = &self.design.ports[port];
        // A kernel reads streams at any time, and the check of streams follows them.
        let user = matches!(end.role, PortRole::User(_) | PortRole::Channel(_))
            && (end.asynchronous || end.window().is_none());
        user || self.design.kernel_of(port).is_none()
    }

    /// The other end of the connection if the two kernels share their buffers.
    fn partner(&self, port: PortId) -> Option<PortId> {
        let design = self.design;
        let &[id] = design.ports[port].connections.as_slice() else { return None };
        let wire = &design.connections[id];
        let inside = |port: PortId| design.kernel_of(port).is_some();
        let shared = inside(wire.from) && inside(wire.to) && !design.always_streams(wire.from);
        shared.then_some(wire.other(port))
    }

    fn prepare(&mut self, port: PortId) {
        let end = &self.design.ports[port];
        let depth = if self.design.buffering_of(port) == Buffering::Single { 1 } else { 2 };
        let slack = IN_FLIGHT / end.window().map_or(u64::MAX, |window| window.bytes().max(1));
        match (end.direction, self.is_free(port)) {
            (Direction::Out, true) => self.pending[port] = u64::MAX,
            (Direction::In, true) => self.empty[port] = u64::MAX,
            (Direction::Out, false) => self.available[port] = depth,
            (Direction::In, false) if self.design.joins_packets(port) => self.empty[port] = 1,
            (Direction::In, false) => self.empty[port] = depth + slack,
        }
        if let Some(partner) = self.partner(port).filter(|_| end.direction == Direction::Out) {
            // An end that is always ready never blocks the other end.
            self.available[port] = if self.is_free(partner) { u64::MAX } else { depth };
            self.available[partner] = if self.is_free(port) { u64::MAX } else { 0 };
        }
    }

    /// True if the run ends, or passes [`MOST_STEPS`].
    fn goes_on(&mut self) -> bool {
        let mut steps = 0;
        while let Some(kernel) = self.ready.pop_front() {
            while let Some(op) = self.op(kernel) {
                steps += 1;
                if steps > MOST_STEPS {
                    return true;
                }
                if !self.done(kernel, op) {
                    break;
                }
                self.cursors[kernel].advance();
            }
        }
        self.design.kernels.ids().all(|kernel| self.op(kernel).is_none())
    }

    fn op(&mut self, kernel: KernelId) -> Option<Op> {
        self.cursors[kernel].op(&self.programs[kernel], self.design.iterations)
    }

    /// Does `op`. Returns false if the kernel has to wait.
    fn done(&mut self, kernel: KernelId, op: Op) -> bool {
        match op {
            Op::Take(port) if self.available[port] == 0 => return false,
            Op::Take(port) => self.available[port] = less(self.available[port]),
            Op::Hand(port) => self.hand(port),
            Op::Join(collective) => return self.join(kernel, collective),
        }
        true
    }

    fn join(&mut self, kernel: KernelId, collective: CollectiveId) -> bool {
        if self.passed[kernel].is_none() {
            self.passed[kernel] = Some((collective, self.begun[collective]));
            self.joined[collective] += 1;
            if self.joined[collective] == self.design.collectives[collective].ranks.len() {
                self.joined[collective] = 0;
                self.begun[collective] += 1;
                self.ready.extend(&self.design.collectives[collective].ranks);
            }
        }
        let through = self.passed[kernel].is_some_and(|(_, call)| call < self.begun[collective]);
        if through {
            self.passed[kernel] = None;
        }
        through
    }

    fn hand(&mut self, port: PortId) {
        if let Some(partner) = self.partner(port) {
            self.give(partner);
        } else if self.design.ports[port].direction == Direction::Out {
            self.pending[port] = more(self.pending[port]);
            self.carry(port);
        } else {
            self.empty[port] = more(self.empty[port]);
            for &id in &self.design.ports[port].connections {
                self.carry(self.design.connections[id].from);
            }
        }
    }

    /// Gives the kernel of a port one more buffer.
    fn give(&mut self, port: PortId) {
        self.available[port] = more(self.available[port]);
        self.ready.extend(self.design.kernel_of(port));
    }

    /// Carries windows from an output to all of its inputs while there are windows and all inputs
    /// have room.
    fn carry(&mut self, from: PortId) {
        if self.partner(from).is_some() {
            return;
        }
        let sinks: Vec<PortId> =
            self.design.ports[from].connections.iter().map(|&id| self.design.connections[id].to).collect();
        if sinks.iter().all(|&to| self.is_free(to)) {
            return if !self.is_free(from) && self.pending[from] > 0 {
                self.pending[from] = less(self.pending[from]);
                self.give(from);
                self.carry(from);
            };
        }
        while self.pending[from] > 0 && sinks.iter().all(|&to| self.empty[to] > 0) {
            self.pending[from] = less(self.pending[from]);
            for &to in &sinks {
                self.empty[to] = less(self.empty[to]);
                self.give(to);
            }
            self.give(from);
        }
    }

    // --- when nothing goes on ---

    /// A cycle of kernels that wait for each other.
    fn cycle(&mut self) -> Option<Vec<Stuck>> {
        let first = self.design.kernels.ids().find(|&kernel| self.op(kernel).is_some())?;
        let mut path: Vec<Stuck> = Vec::new();
        let mut kernel = first;
        loop {
            if let Some(start) = path.iter().position(|stuck| stuck.kernel == kernel) {
                return Some(path.split_off(start));
            }
            let stuck = self.stuck(kernel)?;
            path.push(stuck);
            kernel = stuck.needs;
        }
    }

    /// The kernel for which `kernel` waits.
    fn stuck(&mut self, kernel: KernelId) -> Option<Stuck> {
        let design = self.design;
        match self.op(kernel)? {
            Op::Take(port) => {
                let peers: Vec<PortId> = design.ports[port]
                    .connections
                    .iter()
                    .map(|&id| &design.connections[id])
                    .flat_map(|wire| [wire.from, wire.to])
                    .filter(|&end| end != port)
                    .collect();
                let from =
                    if design.ports[port].direction == Direction::Out { port } else { *peers.first()? };
                let full = |&port: &PortId| self.empty[port] == 0 && self.partner(port).is_none();
                let all = design.ports[from].connections.iter().map(|&id| design.connections[id].to);
                let held = if self.pending[from] > 0 { all.into_iter().find(full) } else { None };
                let needs = held.into_iter().chain(peers).filter_map(|peer| design.kernel_of(peer));
                let waits: Vec<KernelId> = needs.filter(|&other| other != kernel).collect();
                let needs = waits.into_iter().find(|&other| self.op(other).is_some())?;
                Some(Stuck { kernel, port, needs })
            }
            Op::Join(collective) => {
                let ranks = design.collectives[collective].ranks.clone();
                let late = ranks
                    .into_iter()
                    .find(|&rank| self.op(rank).is_some_and(|op| op != Op::Join(collective)))?;
                let port = design.ports_of(late).next()?;
                Some(Stuck { kernel, port, needs: late })
            }
            Op::Hand(_) => None,
        }
    }
}

/// One less. `u64::MAX` means unlimited and stays.
const fn less(count: u64) -> u64 {
    if count == u64::MAX { count } else { count - 1 }
}

const fn more(count: u64) -> u64 {
    count.saturating_add(1)
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    /// A reduction of `windows` windows to `b`, which takes a window of `a`'s before it starts.
    fn to_a_late_root(windows: u32) -> Builder {
        let mut builder = Builder::new("late", "toy");
        builder.kernels("a", &[], &[output("y", int32(8))]).kernels("b", &[], &[input("x", int32(8))]);
        builder.reduce(Reduce::over("c", &["a", "b"], int32(8)).data(int32(8 * windows)).root("b"));
        builder.connect("a.y", "b.x");
        builder
    }

    #[test]
    fn a_rank_waits_for_an_empty_buffer_of_one_that_waits_for_its_end() {
        let builder = to_a_late_root(5);
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
        let text = rendered(&builder, &toy());
        for part in ["a waits for an empty buffer", "b waits for data at b.x"] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }

    #[test]
    fn windows_that_fit_the_buffers_need_nobody_to_take_them() {
        assert_eq!(slugs_on_toy(&to_a_late_root(2)), [""; 0]);
        assert_eq!(slugs_on_toy(&to_a_late_root(3)), ["check/sync-cycle"]);
    }

    #[test]
    fn a_broadcast_holds_up_who_could_go_on_while_another_waits() {
        // s sends to a and b. b starts when a has ended and takes nothing before. a needs more
        // windows than b has buffers.
        let mut builder = Builder::new("held", "toy");
        builder.kernels("s", &[], &[]).kernels("a", &[], &[output("y", int32(8))]).kernels(
            "b",
            &[],
            &[input("x", int32(8))],
        );
        let flat = aiec_collectives::Shape::Flat;
        let broadcast = Reduce::over("c", &["s", "a", "b"], int32(8)).data(int32(80)).root("s");
        builder.reduce(broadcast.operation(aiec_collectives::Operation::Broadcast, flat));
        builder.connect("a.y", "b.x");
        assert_eq!(slugs_on_toy(&builder), ["check/sync-cycle"]);
    }
}
