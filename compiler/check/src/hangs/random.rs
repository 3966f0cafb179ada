//! Random graphs, and a simulator that moves single words.

use std::collections::BTreeSet;

use aiec_collectives::Direction::{self, In, Out};
use aiec_ir::expanded::{Connection, Expanded, Kernel};
use aiec_ir::{Accumulator, Carries, CascadeType, ConnectionId, PortId};
use aiec_test_support::Builder;
use proptest::prelude::*;

use crate::testing::{toy, window, words};

/// A connection of a random graph: kernels, factor of the amount, stream or window at each end, and
/// FIFO words.
pub(super) type Edge = (usize, usize, u32, bool, bool, u32);

pub(super) const KERNELS: usize = 4;

pub(super) const SUMS: Carries = Carries::Cascade(CascadeType::Accumulator(Accumulator::Acc48));

pub(super) fn graph() -> impl Strategy<Value = (Vec<Edge>, Vec<u32>, bool)> {
    let edge = (0..KERNELS, 0..KERNELS, 4_u32..40, any::<bool>(), any::<bool>(), 0_u32..60);
    (prop::collection::vec(edge, 2..7), prop::collection::vec(1_u32..4, KERNELS), any::<bool>())
}

/// The graph, without loops of one kernel. Its rates balance. If `joined`, the first kernel sends
/// one stream to the consumers of its streams of the first amount.
pub(super) fn builder(graph: &(Vec<Edge>, Vec<u32>, bool)) -> Builder {
    with_cascades(graph, &[])
}

/// The same, with cascades between these kernels, but between those of equal runs alone.
pub(super) fn with_cascades(
    (edges, runs, joined): &(Vec<Edge>, Vec<u32>, bool),
    cascades: &[(usize, usize)],
) -> Builder {
    let mut ports: Vec<Vec<(Direction, String, Carries)>> = vec![Vec::new(); KERNELS];
    let mut wires = Vec::new();
    let mut shared: Option<u32> = None;
    for (at, &(from, to, factor, from_stream, to_stream, fifo)) in edges.iter().enumerate() {
        if from == to {
            continue;
        }
        let kind =
            |is_stream: bool, elements: u32| if is_stream { words(elements) } else { window(elements) };
        let (input, mut output) = (format!("i{at}"), format!("o{at}"));
        let mut factor = factor;
        match shared.filter(|_| *joined && from == 0) {
            Some(first) => (factor, output) = (first, "shared".to_owned()),
            None => {
                let name = if *joined && from == 0 { "shared".to_owned() } else { output };
                output = name;
                shared = shared.or((from == 0).then_some(factor));
                ports[from].push((Out, output.clone(), kind(from_stream, factor * 6 / runs[from])));
            }
        }
        ports[to].push((In, input.clone(), kind(to_stream, factor * 6 / runs[to])));
        wires.push((format!("k{from}.{output}"), format!("k{to}.{input}"), fifo));
    }
    // A core has one cascade in and one out.
    let (mut giving, mut taking) = (BTreeSet::new(), BTreeSet::new());
    let is_possible = |&&(from, to): &&(usize, usize)| {
        from != to && runs[from] == runs[to] && giving.insert(from) && taking.insert(to)
    };
    let cascades: Vec<_> = cascades.iter().filter(is_possible).enumerate().collect();
    for &(at, &(from, to)) in &cascades {
        ports[from].push((Out, format!("c{at}"), SUMS));
        ports[to].push((In, format!("d{at}"), SUMS));
    }
    let mut builder = Builder::new("random", "toy");
    for (at, ports) in ports.iter().enumerate() {
        let ports: Vec<_> = ports.iter().map(|(way, name, kind)| (*way, name.as_str(), *kind)).collect();
        builder.carrying(&format!("k{at}"), &[], &ports);
    }
    for (from, to, fifo) in wires {
        builder.connect(&from, &to).fifo(fifo);
    }
    for (at, (from, to)) in cascades {
        builder.connect(&format!("k{from}.c{at}"), &format!("k{to}.d{at}"));
    }
    builder
}

/// A branch word by word: what is between the ends, and for a window what its buffers hold.
#[derive(Clone)]
pub(super) struct Queue {
    held: u32,
    room: u32,
}

/// An operation of a kernel on one word or one window.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Take(usize, u32),
    Free(usize, u32),
    Read(usize),
    Claim(usize, u32),
    Give(usize, u32),
    Write(usize),
}

/// The order of the words of a firing.
#[derive(Clone, Copy)]
pub(super) enum Words {
    /// In step; in each step reads come first.
    ReadsFirst,
    /// In step; in each step writes come first.
    WritesFirst,
    /// Bursts of random streams, by a seed.
    Drawn(u32),
    /// Another one of these for each kernel and firing, by a seed, or all reads before all writes,
    /// or one whole stream after the other.
    Mixed(u32),
}

/// Streams of a kernel with the words that one firing moves.
type Streams = [(Op, u32)];

/// The operations of a firing on its streams, in step.
fn in_step(streams: &Streams, reads_first: bool) -> Vec<Op> {
    let mut program = Vec::new();
    let steps = streams.iter().map(|(_, words)| *words).max().unwrap_or(0);
    let mut done = vec![0; streams.len()];
    for step in 1..=steps {
        for first in [true, false] {
            for (at, &(op, words)) in streams.iter().enumerate() {
                let is_first = matches!(op, Op::Read(_)) == reads_first;
                let part = words * step;
                let target = if is_first { part.div_ceil(steps) } else { part / steps };
                while is_first == first && done[at] < target {
                    program.push(op);
                    done[at] += 1;
                }
            }
        }
    }
    program
}

/// The operations of a firing on its streams, in bursts of at most `most` words. `draw` returns a
/// number below its argument.
fn in_bursts(streams: &Streams, draw: &mut impl FnMut(usize) -> usize, most: usize) -> Vec<Op> {
    let mut program = Vec::new();
    let mut left: Vec<(Op, u32)> = streams.to_vec();
    while !left.is_empty() {
        let at = draw(left.len());
        let burst = left[at].1.min(1 + u32::try_from(draw(most)).unwrap_or(0));
        program.extend((0..burst).map(|_| left[at].0));
        left[at].1 -= burst;
        left.retain(|(_, words)| *words > 0);
    }
    program
}

/// The operations of a firing in an order of its own. With `is_late` a write comes after its share
/// of the reads.
fn mixed(streams: &Streams, is_late: bool, draw: &mut impl FnMut(usize) -> usize) -> Vec<Op> {
    let is_read = |(op, _): &(Op, u32)| matches!(op, Op::Read(_));
    let (reads, writes): (Vec<_>, Vec<_>) = streams.iter().copied().partition(is_read);
    let whole = 1 << 20;
    let ops = match draw(6) {
        0 => in_step(streams, true),
        1 => in_step(streams, false),
        2 => [in_step(&reads, true), in_step(&writes, true)].concat(),
        3 => [in_bursts(&reads, draw, whole), in_bursts(&writes, draw, whole)].concat(),
        4 => in_bursts(streams, draw, whole),
        _ => in_bursts(streams, draw, 40),
    };
    if is_late { late(streams, &ops) } else { ops }
}

/// The operations, each write behind its share of the reads of the one input.
fn late(streams: &Streams, ops: &[Op]) -> Vec<Op> {
    let words = |wanted: Op| streams.iter().find(|(op, _)| *op == wanted).map_or(0, |(_, words)| *words);
    let reads = ops.iter().copied().filter(|op| matches!(op, Op::Read(_)));
    let (mut left, mut done) = (reads.collect::<Vec<_>>(), Vec::new());
    let all = left.len();
    for &op in ops {
        let is_read = matches!(op, Op::Read(_));
        let written = done.iter().filter(|other| **other == op).count() + 1;
        let wanted =
            if is_read { 1 + all - left.len() } else { (written * all).div_ceil(words(op) as usize) };
        while all - left.len() < wanted.min(all) {
            done.extend(left.pop());
        }
        done.extend((!is_read).then_some(op));
    }
    done
}

/// The operations of each kernel in three iterations. `nets` are the producing ports.
pub(super) fn programs(design: &Expanded, nets: &[PortId], order: Words) -> Vec<Vec<Op>> {
    let net_of = |port| nets.iter().position(|&net| net == port).expect("it is an output");
    let mut state = if let Words::Drawn(seed) | Words::Mixed(seed) = order { seed } else { 0 };
    let vectors = state;
    let mut draw = move |n: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % n.max(1)
    };
    let mut program_of = |kernel: &Kernel| {
        let (mut before, mut after, mut streams): (Vec<Op>, Vec<Op>, Vec<(Op, u32)>) = Default::default();
        for &port in kernel.inputs.iter().chain(&kernel.outputs) {
            let Some(&wire) = design.ports[port].connections.first() else { continue };
            let (wire, carries) = (wire.0 as usize, design.ports[port].carries.expect("a kind"));
            let elements = match carries {
                // A design does not state how much it passes.
                Carries::Cascade(_) => 1 + (design.ports[port].connections[0].0 * 5 + vectors) % 11,
                _ => carries.per_run().expect("known").elements,
            };
            match (design.ports[port].direction, carries.window()) {
                (In, Some(_)) => {
                    before.push(Op::Take(wire, elements));
                    after.push(Op::Free(wire, elements));
                }
                (In, None) => streams.push((Op::Read(wire), elements)),
                (Out, Some(_)) => {
                    before.push(Op::Claim(net_of(port), elements));
                    after.push(Op::Give(net_of(port), elements));
                }
                (Out, None) => streams.push((Op::Write(net_of(port)), elements)),
            }
        }
        let mut program = Vec::new();
        for _ in 0..3 * kernel.repetitions {
            program.extend(before.iter().copied());
            program.extend(match order {
                Words::ReadsFirst => in_step(&streams, true),
                Words::WritesFirst => in_step(&streams, false),
                Words::Drawn(_) => in_bursts(&streams, &mut draw, 40),
                Words::Mixed(_) => mixed(&streams, kernel.inputs.len() == 1, &mut draw),
            });
            program.extend(after.iter().copied());
        }
        program
    };
    design.kernels.iter().map(&mut program_of).collect()
}

/// The words between the ends of each connection.
#[derive(Clone)]
pub(super) struct Wires {
    /// Whether both ends of a net have the same buffers.
    shared: Vec<bool>,
    /// Connections of each net.
    branches: Vec<Vec<usize>>,
    queues: Vec<Queue>,
    /// Words of windows that are given and not sent, of each net.
    pending: Vec<u32>,
    /// Words of windows in buffers of the producer, of each net.
    claimed: Vec<u32>,
}

impl Wires {
    pub fn new(design: &Expanded, nets: &[PortId], in_flight: u32, in_memory: bool) -> Self {
        let is_shared = |port: &PortId| {
            let wires = &design.ports[*port].connections;
            let to = |at: usize| design.ports[design.connections[wires[at]].to].window();
            let window = design.ports[*port].window();
            in_memory && wires.len() == 1 && window.is_some() && window == to(0)
        };
        let queue = |connection: &Connection| {
            if matches!(design.ports[connection.to].carries, Some(Carries::Cascade(_))) {
                return Queue { held: 0, room: 4 };
            }
            let size = design.ports[connection.to].window().map_or(0, |window| 2 * window.elements);
            Queue { held: 0, room: in_flight + connection.held_words(&toy()) + size }
        };
        let branches =
            |&port: &PortId| design.ports[port].connections.iter().map(|id| id.0 as usize).collect();
        Self {
            shared: nets.iter().map(is_shared).collect(),
            branches: nets.iter().map(branches).collect(),
            queues: design.connections.iter().map(queue).collect(),
            pending: vec![0; nets.len()],
            claimed: vec![0; nets.len()],
        }
    }

    /// Lets these connections hold everything.
    pub fn open(&mut self, connections: impl Iterator<Item = ConnectionId>) {
        connections.for_each(|id| self.queues[id.index()].room = u32::MAX);
    }

    fn has_room(&self, net: usize) -> bool {
        self.branches[net].iter().all(|&branch| self.queues[branch].held < self.queues[branch].room)
    }

    fn send(&mut self, net: usize) {
        for &branch in &self.branches[net] {
            self.queues[branch].held += 1;
        }
    }

    /// Carries an operation out. Returns false when it must wait.
    pub fn carry_out(&mut self, op: Op) -> bool {
        let possible = match op {
            Op::Take(wire, words) => self.queues[wire].held >= words,
            Op::Read(wire) => self.queues[wire].held > 0,
            Op::Claim(net, words) if self.shared[net] => {
                self.claimed[net] + self.queues[self.branches[net][0]].held + words <= 2 * words
            }
            Op::Claim(net, words) => self.claimed[net] + words <= 2 * words,
            Op::Write(net) => self.has_room(net),
            Op::Free(..) | Op::Give(..) => true,
        };
        match op {
            _ if !possible => {}
            Op::Take(..) => {}
            Op::Free(wire, words) => self.queues[wire].held -= words,
            Op::Read(wire) => self.queues[wire].held -= 1,
            Op::Claim(net, words) => self.claimed[net] += words,
            Op::Give(net, words) => self.pending[net] += words,
            Op::Write(net) => self.send(net),
        }
        possible
    }

    /// Sends the words of given windows, as far as there is room. Returns true if one moved.
    pub fn copy_windows(&mut self) -> bool {
        let mut moved = false;
        for net in 0..self.branches.len() {
            while self.pending[net] > 0 && self.has_room(net) {
                self.send(net);
                self.pending[net] -= 1;
                self.claimed[net] -= 1;
                moved = true;
            }
        }
        moved
    }
}

/// Runs the graph word by word, each kernel by its own program. Equal windows share buffers if
/// `in_memory`. Returns true if it finishes.
pub(super) fn finishes(design: &Expanded, in_flight: u32, order: Words, in_memory: bool) -> bool {
    finishes_with(design, order, Wires::new(design, &sources(design), in_flight, in_memory))
}

/// The ports that give data.
pub(super) fn sources(design: &Expanded) -> Vec<PortId> {
    design.ports.ids().filter(|&port| design.ports[port].direction == Out).collect()
}

/// The same with these connections.
pub(super) fn finishes_with(design: &Expanded, order: Words, mut wires: Wires) -> bool {
    let programs = programs(design, &sources(design), order);
    let mut at = vec![0; programs.len()];
    let mut moved = true;
    while moved {
        moved = false;
        for (at, program) in at.iter_mut().zip(&programs) {
            while program.get(*at).is_some_and(|&op| wires.carry_out(op)) {
                (moved, *at) = (true, *at + 1);
            }
        }
        moved |= wires.copy_windows();
    }
    at.iter().zip(&programs).all(|(at, program)| *at == program.len())
}
