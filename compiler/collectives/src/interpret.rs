//! Runs the programs of all ranks with symbols for data, and says what each rank ends up with after
//! every call.
//!
//! A value is the list of blocks it was combined from, in order. A seed draws the order of
//! ranks and of merged packets. A rank runs as far as it has windows. Each link holds one window.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Carry, Cell, Keep, Phase, Plan, Step};

/// A window of what a rank handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) call: u32,
    pub(super) rank: u32,
    pub(super) block: u32,
    pub(super) window: u32,
}

/// What a value was combined from.
pub(super) type Value = Vec<Piece>;

/// One rank's memory: windows of cells.
pub(super) type Memory = BTreeMap<(Cell, u32), Value>;

struct Runner {
    number: u32,
    program: Vec<(u32, Vec<Rc<Step>>)>,
    calls: u32,
    /// Blocks, and windows of each.
    shape: (u32, u32),
    at: (usize, u32, usize),
    memory: Memory,
    /// The memory after each call that is done.
    after: Vec<Memory>,
    /// Packets of each sender in this call.
    packets: BTreeMap<u32, u32>,
    inputs: Vec<Vec<(usize, usize)>>,
    outputs: Vec<usize>,
}

/// A window in a link: its value, and the receivers that have not taken it.
struct Wire {
    value: Value,
    wanted: Vec<bool>,
}

/// The links of a plan, and what is in them.
struct Lines {
    links: Vec<super::Link>,
    /// The window in each link, by the link's number.
    wires: Vec<Option<Wire>>,
    chance: Chance,
}

/// Pseudo-random numbers. Seed 0 gives zeros only.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        /// Multiplier of the linear congruential generator MMIX (Knuth, TAOCP volume 2, 3.3.4).
        const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
        /// The low bits of such a generator have short periods: the upper 31 are used.
        const LOW_BITS: u32 = 33;
        self.0 = self.0.wrapping_mul(MULTIPLIER);
        (self.0 >> LOW_BITS) as usize % limit.max(1)
    }
}

/// Runs `calls` calls in a row; every rank has `blocks` blocks at the start of each. The memory of
/// each rank after each of its calls.
///
/// # Panics
/// If ranks wait for each other for ever, or windows are left over: then the schedule is wrong.
pub(super) fn run(plan: &Plan, blocks: u32, calls: u32, seed: u64) -> Vec<Vec<Memory>> {
    run_programs(plan, plan.all_programs(), blocks, calls, seed)
}

/// The same with programs for the ranks that need not be those of the plan.
///
/// # Panics
/// As `run`.
pub(super) fn run_programs(
    plan: &Plan,
    programs: Vec<Vec<Phase>>,
    blocks: u32,
    calls: u32,
    seed: u64,
) -> Vec<Vec<Memory>> {
    let links = plan.links();
    let wires = links.iter().map(|_| None).collect();
    let mut ranks: Vec<Runner> =
        (0..).zip(programs).map(|(r, p)| Runner::new(plan, r, p, blocks, calls)).collect();
    for (at, (link, ends)) in links.iter().zip(plan.ends(&links)).enumerate() {
        assert_eq!(ranks[link.from.index()].outputs.len(), ends.from);
        ranks[link.from.index()].outputs.push(at);
        for (sink, (&to, port)) in link.to.iter().zip(ends.to).enumerate() {
            assert_ne!(to, link.from, "{plan:?}: a link to itself");
            let inputs = &mut ranks[to.index()].inputs;
            inputs.resize(inputs.len().max(port + 1), Vec::new());
            inputs[port].push((at, sink));
        }
    }
    let mut lines = Lines { links, wires, chance: Chance(seed) };
    let mut turns: Vec<usize> = (0..ranks.len()).collect();
    let mut moved = true;
    while std::mem::take(&mut moved) {
        for at in (1..turns.len()).rev() {
            turns.swap(at, at - lines.chance.below(at + 1));
        }
        for &rank in &turns {
            moved |= ranks[rank].advance(&mut lines);
        }
    }
    for rank in &ranks {
        assert!(rank.is_done(), "{plan:?}: rank {} waits for ever at {:?}", rank.number, rank.at);
    }
    assert!(lines.wires.iter().all(Option::is_none), "{plan:?}: a window is left over");
    ranks.into_iter().map(|rank| rank.after).collect()
}

impl Runner {
    fn new(plan: &Plan, number: u32, program: Vec<Phase>, blocks: u32, calls: u32) -> Self {
        let windows = plan.windows.iter().copied().max().unwrap_or(1);
        let shared = |phase: Phase| (phase.times, phase.steps.into_iter().map(Rc::new).collect());
        let mut rank = Self {
            number,
            program: program.into_iter().map(shared).collect(),
            calls,
            shape: (blocks, windows),
            at: (0, 0, 0),
            memory: Memory::new(),
            after: Vec::new(),
            packets: BTreeMap::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        rank.begin();
        rank
    }

    /// Has new data for the next call.
    fn begin(&mut self) {
        let (call, rank, (blocks, windows)) = (self.after.len() as u32, self.number, self.shape);
        let cells = (0..blocks).flat_map(|block| (0..windows).map(move |window| (block, window)));
        let own = |(block, window)| ((Cell::Own(block), window), vec![Piece { call, rank, block, window }]);
        self.memory = cells.map(own).collect();
        self.packets.clear();
        self.at = (0, 0, 0);
    }

    fn is_done(&self) -> bool {
        self.calls == 0
    }

    /// The next step and the window it is done for.
    fn next(&mut self) -> Option<(Rc<Step>, u32)> {
        while self.calls > 0 {
            let (phase, window, step) = self.at;
            match self.program.get(phase) {
                None => {
                    self.calls -= 1;
                    self.after.push(std::mem::take(&mut self.memory));
                    self.begin();
                }
                Some((times, _)) if window >= *times => self.at = (phase + 1, 0, 0),
                Some((_, steps)) => match steps.get(step) {
                    None => self.at = (phase, window + 1, 0),
                    Some(found) => return Some((Rc::clone(found), window)),
                },
            }
        }
        None
    }

    /// Goes as far as windows allow, or stops before that by chance; true if at least one step was
    /// done.
    fn advance(&mut self, lines: &mut Lines) -> bool {
        /// A rank goes on after a step in three of four cases.
        const CASES: usize = 4;
        let mut moved = false;
        while let Some((step, window)) = self.next() {
            let ready = step.take.iter().all(|&port| !self.full(port, &lines.wires).is_empty());
            let free = step.give.iter().all(|&port| lines.wires[self.outputs[port as usize]].is_none());
            if !ready || !free || (moved && lines.chance.below(CASES) == CASES - 1) {
                break;
            }
            self.perform(&step, window, lines);
            self.at.2 += 1;
            moved = true;
        }
        moved
    }

    fn perform(&mut self, step: &Step, window: u32, lines: &mut Lines) {
        let taken: Vec<(u32, Value)> = step.take.iter().map(|&port| self.take(port, lines)).collect();
        let sender = taken.first().filter(|_| step.carry == Carry::Packet).map(|&(sender, _)| sender);
        // The window of a packet is the next of its sender.
        let window = sender.map_or(window, |sender| {
            let count = self.packets.entry(sender).or_default();
            *count += 1;
            *count - 1
        });
        let taken: Vec<Value> = taken.into_iter().map(|(_, value)| value).collect();
        let own =
            step.own.map(|cell| self.memory.get(&(cell, window)).expect("a cell that was filled").clone());
        let (lower, upper) = taken.split_at(step.before as usize);
        let combined: Value = lower.iter().chain(&own).chain(upper).flatten().copied().collect();
        let kept = match step.keep {
            Keep::Nothing => None,
            Keep::Combined(cell) => Some((cell, combined.clone())),
            Keep::Taken(cell) => Some((cell, taken.concat())),
            Keep::Sorted => Some((Cell::Found(sender.expect("a packet")), taken.concat())),
        };
        self.memory.extend(kept.map(|(cell, value)| ((cell, window), value)));
        for &port in &step.give {
            let at = self.outputs[port as usize];
            let wanted = vec![true; lines.links[at].to.len()];
            lines.wires[at] = Some(Wire { value: combined.clone(), wanted });
        }
    }

    /// The ends of links at `port` where a window is.
    fn full(&self, port: u32, wires: &[Option<Wire>]) -> Vec<(usize, usize)> {
        let ends = self.inputs[port as usize].iter();
        ends.copied().filter(|&(at, sink)| wires[at].as_ref().is_some_and(|wire| wire.wanted[sink])).collect()
    }

    /// Takes a window, with the rank that sent it.
    fn take(&self, port: u32, lines: &mut Lines) -> (u32, Value) {
        let full = self.full(port, &lines.wires);
        let (at, sink) = full[lines.chance.below(full.len())];
        let wire = lines.wires[at].as_mut().expect("a window that is there");
        wire.wanted[sink] = false;
        let value = wire.value.clone();
        if !wire.wanted.contains(&true) {
            lines.wires[at] = None;
        }
        (lines.links[at].from.0, value)
    }
}
