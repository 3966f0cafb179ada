//! The critical path of a run: the chain of steps that decided when it ended.
//!
//! Each step begins when the step before it ends, because that one made it ready last. The path
//! goes back from the last step to the start. So its cycles add up to those of the run.

use std::collections::BTreeMap;

use aiec_ir::expanded::Expanded;
use aiec_ir::{KernelId, PortId};
use serde::Serialize;

use crate::links::Links;
use crate::program::Task;
use crate::steps::{Passing, Step};
use crate::time::Time;
use crate::trace::net_name;

/// The critical path: the chain of steps that decided when the run ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Path {
    /// False if the run had more steps than are kept. The path then ends early.
    pub complete: bool,
    /// Cycles of the whole path.
    pub cycles: Spent,
    /// Its kernels and connections, in order of their first step.
    pub legs: Vec<Leg>,
}

/// The steps of one kernel or connection on the path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leg {
    /// Name of the kernel, or the ends of the connection.
    pub name: String,
    /// Whether it is a kernel, shared memory or a net.
    pub kind: LegKind,
    /// Number of times that the path comes here.
    pub visits: u64,
    /// Cycles of all visits.
    pub cycles: Spent,
}

/// What a path leads through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LegKind {
    /// The work of a kernel.
    Kernel,
    /// A connection through shared memory.
    Memory,
    /// A connection over a net.
    Net,
}

/// Array cycles by use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Work of kernels: loops and constants of calls, and the `cycles` of the design.
    pub compute: f64,
    /// Acquiring and releasing buffers, and passing them through shared memory.
    pub locks: f64,
    /// Latency of DMA, and words at 32 bits a cycle.
    pub dma: f64,
    /// The way over the array: the distance in tiles, or along the cascade.
    pub hops: f64,
    /// Waiting for a stream that carries packets of another net, or for a bank that others use.
    pub waiting: f64,
}

impl Spent {
    /// The sum of all parts, in array cycles.
    pub fn total(&self) -> f64 {
        let Self { compute, locks, dma, hops, waiting } = self;
        compute + locks + dma + hops + waiting
    }

    /// The parts by name.
    pub fn parts(&self) -> [(&'static str, f64); 5] {
        let Self { compute, locks, dma, hops, waiting } = *self;
        [("compute", compute), ("locks", locks), ("DMA", dma), ("hops", hops), ("waiting", waiting)]
    }
}

/// The uses of time, in the unit of the run.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    compute: Time,
    locks: Time,
    dma: Time,
    hops: Time,
    waiting: Time,
}

impl Parts {
    fn spent(&self) -> Spent {
        Spent {
            compute: self.compute.as_cycles(),
            locks: self.locks.as_cycles(),
            dma: self.dma.as_cycles(),
            hops: self.hops.as_cycles(),
            waiting: self.waiting.as_cycles(),
        }
    }
}

/// A kernel or connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Kernel(KernelId),
    Memory(PortId),
    Net(PortId),
}

/// The path as far as it was walked.
pub(crate) struct Walk<'a> {
    design: &'a Expanded,
    links: &'a Links,
    complete: bool,
    /// The time of the last step.
    now: Time,
    here: Option<Place>,
    all: Parts,
    legs: Vec<(Place, u64, Parts)>,
    known: BTreeMap<Place, usize>,
}

impl<'a> Walk<'a> {
    /// A walk from the start.
    pub(crate) fn new(design: &'a Expanded, links: &'a Links, complete: bool) -> Self {
        Self {
            design,
            links,
            complete,
            now: Time::ZERO,
            here: None,
            all: Parts::default(),
            legs: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    /// Passes a step and counts its cycles since the step before. Along a cascade a rank begins
    /// some cycles after the one that decided: these are part of the way.
    pub(crate) fn pass(&mut self, step: &Step, next: Option<&Step>) {
        let place = self.place(step.passing);
        let at = *self.known.entry(place).or_insert(self.legs.len());
        if at == self.legs.len() {
            self.legs.push((place, 0, Parts::default()));
        }
        let way = step.begin.since(self.now);
        let time = step.end.since(step.begin.max(self.now));
        self.now = self.now.max(step.end);
        if self.here != Some(place) {
            self.legs[at].1 += 1;
            self.here = Some(place);
        }
        for parts in [&mut self.legs[at].2, &mut self.all] {
            parts.hops = parts.hops.after(way);
            spend(parts, step.passing, next.map(|next| next.passing), time);
        }
    }

    fn place(&self, passing: Passing) -> Place {
        match passing {
            Passing::Work(kernel, _) => Place::Kernel(kernel),
            Passing::Share(port) => Place::Memory(port),
            Passing::Carry(net) | Passing::Arrive(net, _) => Place::Net(self.links.wires[net].from),
        }
    }

    /// The path up to the last step that was passed.
    pub(crate) fn path(self) -> Path {
        let leg = |(place, visits, parts): &(Place, u64, Parts)| {
            let (name, kind) = match *place {
                Place::Kernel(kernel) => (self.design.kernels[kernel].name.clone(), LegKind::Kernel),
                Place::Memory(port) => (net_name(self.design, port), LegKind::Memory),
                Place::Net(port) => (net_name(self.design, port), LegKind::Net),
            };
            Leg { name, kind, visits: *visits, cycles: parts.spent() }
        };
        Path { complete: self.complete, cycles: self.all.spent(), legs: self.legs.iter().map(leg).collect() }
    }
}

/// Adds the time of a step to its use.
fn spend(parts: &mut Parts, passing: Passing, next: Option<Passing>, time: Time) {
    let other_net = |net| match next {
        Some(Passing::Carry(next) | Passing::Arrive(next, _)) => next != net,
        _ => false,
    };
    let (part, time) = match passing {
        Passing::Work(_, Task::Acquire(_) | Task::Release(_)) | Passing::Share(_) => (&mut parts.locks, time),
        Passing::Work(_, Task::Own | Task::Call(_)) => (&mut parts.compute, time),
        Passing::Work(_, Task::Bank) => (&mut parts.waiting, time),
        Passing::Carry(net) if other_net(net) => (&mut parts.waiting, time),
        Passing::Carry(_) => (&mut parts.dma, time),
        Passing::Arrive(_, hops) => {
            let hops = hops.min(time);
            parts.hops = parts.hops.after(hops);
            (&mut parts.dma, time.since(hops))
        }
    };
    *part = part.after(time);
}
