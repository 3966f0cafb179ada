//! Runs the programs of all ranks with symbols for data, and says what each rank ends up with.
//!
//! A value is the list of blocks it was combined from, in order. Ranks run one after the other as far as they get, so what they do
//! depends on nothing but windows being there; each link holds one window.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Cell, Keep, Phase, Plan, Step};

/// The blocks a value was combined from: rank and number of each, and which window of it.
pub(super) type Value = Vec<(u32, u32, u32)>;

/// One rank's memory: windows of cells.
pub(super) type Memory = BTreeMap<(Cell, u32), Value>;

struct Rank {
    program: Vec<(u32, Vec<Rc<Step>>)>,
    calls: u32,
    at: (usize, u32, usize),
    memory: Memory,
    inputs: Vec<Vec<(usize, usize)>>,
    outputs: Vec<usize>,
}

/// What a window in a link is: its value, and which receivers have not taken it yet.
struct Wire {
    value: Value,
    wanted: Vec<bool>,
}

/// Runs `calls` calls in a row; every rank has `blocks` blocks to start with.
///
/// # Panics
/// If ranks wait for each other for ever, or windows are left over: then the schedule is wrong.
pub(super) fn run(plan: &Plan, blocks: u32, calls: u32) -> Vec<Memory> {
    let links = plan.links();
    let mut wires: Vec<Option<Wire>> = links.iter().map(|_| None).collect();
    let mut ranks: Vec<Rank> =
        (0..).zip(plan.all_programs()).map(|(r, p)| rank(plan, r, p, blocks, calls)).collect();
    for (at, (link, ends)) in links.iter().zip(plan.ends(&links)).enumerate() {
        assert_eq!(ranks[link.from as usize].outputs.len(), ends.from);
        ranks[link.from as usize].outputs.push(at);
        for (sink, (&to, port)) in link.to.iter().zip(ends.to).enumerate() {
            assert_ne!(to, link.from, "{plan:?}: a link to itself");
            let inputs = &mut ranks[to as usize].inputs;
            inputs.resize(inputs.len().max(port + 1), Vec::new());
            inputs[port].push((at, sink));
        }
    }
    while ranks.iter_mut().filter_map(|rank| rank.advance(&mut wires, &links).then_some(())).count() > 0 {}
    for (number, rank) in ranks.iter().enumerate() {
        assert!(rank.is_done(), "{plan:?}: rank {number} waits for ever at {:?}", rank.at);
    }
    assert!(wires.iter().all(Option::is_none), "{plan:?}: a window is left over");
    ranks.into_iter().map(|rank| rank.memory).collect()
}

fn rank(plan: &Plan, rank: u32, program: Vec<Phase>, blocks: u32, calls: u32) -> Rank {
    let windows = plan.windows.iter().copied().max().unwrap_or(1);
    let cells = (0..blocks).flat_map(|block| (0..windows).map(move |window| (block, window)));
    let memory =
        cells.map(|(block, window)| ((Cell::Own(block), window), vec![(rank, block, window)])).collect();
    let shared = |phase: Phase| (phase.times, phase.steps.into_iter().map(Rc::new).collect());
    let program = program.into_iter().map(shared).collect();
    Rank { program, calls, at: (0, 0, 0), memory, inputs: Vec::new(), outputs: Vec::new() }
}

impl Rank {
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
                    self.at = (0, 0, 0);
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

    /// Goes as far as windows allow; true if at least one step was done.
    fn advance(&mut self, wires: &mut [Option<Wire>], links: &[super::Link]) -> bool {
        let mut moved = false;
        while let Some((step, window)) = self.next() {
            let ready =
                step.take.iter().all(|&port| self.full(port, wires).count() >= step.windows_at_a_port());
            let free = step.give.iter().all(|&port| wires[self.outputs[port as usize]].is_none());
            if !ready || !free {
                break;
            }
            self.perform(&step, window, wires, links);
            self.at.2 += 1;
            moved = true;
        }
        moved
    }

    fn perform(&mut self, step: &Step, window: u32, wires: &mut [Option<Wire>], links: &[super::Link]) {
        let taken: Vec<Value> = step.take.iter().map(|&port| self.take(port, wires)).collect();
        let own =
            step.own.map(|cell| self.memory.get(&(cell, window)).expect("a cell that was filled").clone());
        let (lower, upper) = taken.split_at(step.before as usize);
        let combined: Value = lower.iter().chain(&own).chain(upper).flatten().copied().collect();
        match step.keep {
            Keep::Nothing => {}
            Keep::Combined(cell) => drop(self.memory.insert((cell, window), combined.clone())),
            Keep::Taken(cell) => drop(self.memory.insert((cell, window), taken.concat())),
        }
        for &port in &step.give {
            let at = self.outputs[port as usize];
            wires[at] = Some(Wire { value: combined.clone(), wanted: vec![true; links[at].to.len()] });
        }
    }

    /// The ends of links at `port` where a window is.
    fn full(&self, port: u32, wires: &[Option<Wire>]) -> impl Iterator<Item = (usize, usize)> {
        let ends = self.inputs[port as usize].iter();
        ends.copied().filter(|&(at, sink)| wires[at].as_ref().is_some_and(|wire| wire.wanted[sink]))
    }

    fn take(&self, port: u32, wires: &mut [Option<Wire>]) -> Value {
        let (at, sink) = self.full(port, wires).next().expect("a window that is there");
        let wire = wires[at].as_mut().expect("a window that is there");
        wire.wanted[sink] = false;
        let value = wire.value.clone();
        if !wire.wanted.contains(&true) {
            wires[at] = None;
        }
        value
    }
}
