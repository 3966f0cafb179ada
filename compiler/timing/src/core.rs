//! Cycles of a kernel from what it executes: a model of the issue slots and loops of a core.
//!
//! Takes the counts of [`KernelCounts`] and the constants of a [`CoreModel`]. Returns for each
//! kernel
//!
//! - `low`: no schedule is shorter. In each loop the busiest slot, or the longest chain of
//!   operations that need each other's results;
//! - `estimate`: what the vendor's compiler is expected to reach. Innermost loops with a directive
//!   for pipelining overlap, if their body is not too long; others do not;
//! - `high`: no iterations overlap at all, times a guard for what the model leaves out.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::code::{CodeModel, ProgramBytes};
use crate::counts::{KernelCounts, PortCounts, Region};

/// Constants of the core, with units and sources in `profiles/aie1-core.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreModel {
    /// Name in reports.
    pub name: String,
    /// Source of the numbers.
    pub source: String,
    /// Operations that each unit issues per cycle.
    pub slots: Slots,
    /// Cycles of loops beside their operations.
    pub loops: LoopTiming,
    /// Calls of a kernel.
    pub call: CallTiming,
    /// Factors for what the model leaves out.
    pub guard: Guard,
    /// Constants from which bytes of program memory are estimated.
    pub code: CodeModel,
}

/// Operations that a core issues per cycle.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slots {
    /// Vector loads of 256 bits.
    pub loads: f64,
    /// Stores of 256 bits.
    pub stores: f64,
    /// Operations of the vector unit.
    pub vector: f64,
    /// Moves between registers.
    pub moves: f64,
    /// Words of 32 bits at one stream port.
    pub stream_words: f64,
    /// Words that one stream access moves at most.
    pub stream_access_words: f64,
    /// Cycles of one store of 8 or 16 bits.
    pub narrow_store: f64,
    /// Operations of the scalar unit on integers.
    pub scalar: f64,
    /// Cycles of one operation on single floats.
    pub scalar_float: f64,
}

/// Cost of loops in cycles, beside their operations.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopTiming {
    /// Longest body that the compiler pipelines.
    pub fold_limit: f64,
    /// The same of releases before 2025.1.
    pub fold_before: f64,
    /// From the first product of an iteration to the first word that it writes to a stream.
    pub head: f64,
    /// To enter and leave a pipelined loop, beside its first iteration.
    pub enter: f64,
    /// Of an iteration that does not overlap, beside its operations.
    pub branch: f64,
    /// Cycles of the busiest slot up to which a loop reaches that bound.
    pub small: f64,
    /// Share of body less slots that longer loops lose, mostly to registers.
    pub loss: f64,
    /// Longest body with products of floats that overlaps.
    pub float_body: f64,
    /// Factor of a longer one over its chain.
    pub float_stretch: f64,
}

/// Calls of a kernel, in cycles.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallTiming {
    /// In the kernel: its call and set-up.
    pub function: f64,
    /// Between two calls of a kernel with streams only.
    pub stream: f64,
    /// Between two calls of a kernel with windows.
    pub base: f64,
    /// Added for each synchronous window.
    pub window: f64,
    /// Added if a window has a margin.
    pub margin: f64,
    /// Bytes of margin that are copied in one further cycle.
    pub margin_bytes: f64,
    /// Added for each array of an asynchronous parameter.
    pub parameter: f64,
}

/// The ratio of true to estimated cycles that one row in ten exceeds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guard {
    /// With fixed-point vectors.
    pub fixed: f64,
    /// With floating-point vectors.
    pub float: f64,
    /// With scalar work.
    pub scalar: f64,
}

/// What a kernel waits for most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CoreLimit {
    /// Load units.
    Load,
    /// The store unit.
    Store,
    /// The vector unit.
    Vector,
    /// Moves between registers.
    Move,
    /// Words of streams.
    Stream,
    /// Accumulators between neighbouring cores, 384 bits a cycle.
    Cascade,
    /// The scalar unit, and loads and stores of numbers.
    Scalar,
    /// Operations that need each other's results.
    Chain,
    /// Entry of loops and calls.
    Call,
}

impl CoreLimit {
    /// The word of reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
            Self::Vector => "vector",
            Self::Move => "move",
            Self::Stream => "stream",
            Self::Cascade => "cascade",
            Self::Scalar => "scalar",
            Self::Chain => "chain",
            Self::Call => "call",
        }
    }
}

/// How much of a kernel the headers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Fixed-point vectors and streams.
    Good,
    /// Floating-point vectors, whose chains the compiler often breaks.
    Fair,
    /// Scalar work, or nothing that was counted.
    Low,
}

impl Confidence {
    /// The word of reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Fair => "fair",
            Self::Low => "low",
        }
    }
}

/// Cycles of one kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelEstimate {
    /// Number of the kernel in the program.
    pub kernel: u32,
    /// The user's name of the kernel. Empty when the program does not know it.
    pub name: String,
    /// The file of the kernel.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Firings that were counted.
    pub firings: u64,
    /// Cycles of a firing in the kernel's function: no schedule is shorter.
    pub low: f64,
    /// The expected cycles of a firing in the kernel's function.
    pub estimate: f64,
    /// Cycles if no iterations overlap, with the guard.
    pub high: f64,
    /// Cycles between two firings beside the function: the call, locks, copies of margins.
    pub overhead: f64,
    /// The part of `overhead` that is not for the locks of windows.
    pub wrapper: f64,
    /// Cycles between two firings that windows need if they arrive or leave through a DMA.
    pub transfer: f64,
    /// What takes most of the estimate.
    pub limit: CoreLimit,
    /// How much of the kernel was seen.
    pub confidence: Confidence,
    /// Program memory of the kernel on a core of its own.
    pub program: ProgramBytes,
}

/// A loop as the core's compiler scheduled it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopSchedule {
    /// Cycles from one iteration to the next.
    pub interval: f64,
    /// Iterations that begin before an iteration ends.
    pub folded: f64,
}

/// Cycles of one region in all its runs.
struct RegionCycles {
    low: f64,
    estimate: f64,
    high: f64,
    limit: CoreLimit,
}

impl CoreModel {
    /// The built-in model of AIE1.
    pub fn aie1() -> &'static Self {
        static AIE1: LazyLock<CoreModel> = LazyLock::new(|| {
            toml::from_str(include_str!("../profiles/aie1-core.toml")).expect("a test reads the file")
        });
        &AIE1
    }

    /// Cycles of a kernel with these counts.
    pub fn estimate(&self, counts: &KernelCounts) -> KernelEstimate {
        let firings = float(counts.firings.max(1));
        let regions: Vec<RegionCycles> = counts.regions.iter().map(|region| self.region(region)).collect();
        let sum = |of: fn(&RegionCycles) -> f64| regions.iter().map(of).sum::<f64>() / firings;
        let low = sum(|region| region.low);
        let estimate = (sum(|region| region.estimate) + self.call.function).max(low);
        let longest = regions.iter().max_by(|a, b| a.estimate.total_cmp(&b.estimate));
        let confidence = match longest.map(|region| region.limit) {
            Some(CoreLimit::Scalar) => Confidence::Low,
            _ => confidence(counts),
        };
        let guard = match confidence {
            Confidence::Good => self.guard.fixed,
            Confidence::Fair => self.guard.float,
            Confidence::Low => self.guard.scalar,
        };
        let high = (sum(|region| region.high) + self.call.function).max(estimate * guard);
        let limit = longest.filter(|region| region.estimate / firings > self.call.function);
        KernelEstimate {
            kernel: counts.kernel,
            name: counts.name.clone(),
            source: counts.source.clone(),
            firings: counts.firings,
            low,
            estimate,
            high,
            overhead: self.overhead(counts),
            wrapper: self.overhead(counts) - self.locks(counts),
            transfer: self.transfer(counts),
            limit: limit.map_or(CoreLimit::Call, |region| region.limit),
            confidence,
            program: self.code.bytes(counts),
        }
    }

    /// Cycles of a firing in the kernel's function, if the innermost loops take what the core's
    /// compiler scheduled, and the rest what is estimated. `of_loop` gives the schedule of the loop
    /// at a line of a file. Returns None when it knows no loop of the kernel.
    pub fn scheduled(
        &self,
        counts: &KernelCounts,
        of_loop: &dyn Fn(&str, u32) -> Option<LoopSchedule>,
    ) -> Option<f64> {
        let schedule = |region: &Region| {
            let is_loop = region.line > 0 && region.inner && region.turns > 0;
            is_loop.then(|| of_loop(&region.file, region.line)).flatten()
        };
        let known = counts.regions.iter().any(|region| schedule(region).is_some());
        let cycles = |region: &Region| match schedule(region) {
            // A run fills and drains its pipeline once.
            Some(LoopSchedule { interval, folded }) => {
                let (turns, runs) = (float(region.turns), float(region.runs));
                folded.mul_add(runs, turns).mul_add(interval, self.loops.enter * runs)
            }
            None => self.region(region).estimate,
        };
        let all: f64 = counts.regions.iter().map(cycles).sum();
        known.then(|| all / float(counts.firings.max(1)) + self.call.function)
    }

    /// Cycles of all runs of a loop, or of the code outside of loops.
    fn region(&self, region: &Region) -> RegionCycles {
        let (slots, limit) = self.busiest(region);
        let (turns, runs) = (float(region.turns), float(region.runs));
        let (chain, alone) = (float(region.chain), float(region.alone) + self.behind_memory(region));
        let low = slots.max(chain);
        let body = if region.turns > 0 { alone / turns } else { 0.0 };
        if region.line == 0 || !region.inner {
            let branches = if region.line == 0 { 0.0 } else { self.loops.branch * turns };
            let all = alone.max(slots) + branches;
            return RegionCycles { low, estimate: all, high: all, limit };
        }
        let plain = ((body + self.loops.branch) * turns).max(slots);
        let (per_run, per_turn) = (turns / runs.max(1.0), slots / turns.max(1.0));
        // Of the chain of a run, the part behind its first iteration is that between iterations.
        let step =
            if per_run > 1.0 { ((chain / runs.max(1.0) - body) / (per_run - 1.0)).max(0.0) } else { 0.0 };
        let loops = &self.loops;
        if region.multiply_float > 0 && body > loops.float_body {
            let estimate = (body * turns * loops.float_stretch).max(slots);
            return RegionCycles { low, estimate, high: estimate.max(plain), limit: CoreLimit::Chain };
        }
        if let Some(turn) = self.flowing_turn(region, body, (slots, limit)) {
            let estimate = (turn * turns).max(slots);
            return RegionCycles { low, estimate, high: plain.max(estimate), limit };
        }
        // The compiler overlaps the iterations of a small scalar loop by itself.
        let overlaps = region.pipelined || region.is_scalar() && region.vectors() == 0;
        if !overlaps || per_run < 2.0 || body > loops.fold_limit {
            let limit = if body > per_turn { CoreLimit::Chain } else { limit };
            return RegionCycles { low, estimate: plain, high: plain, limit };
        }
        let bound = per_turn.max(step).max(1.0);
        let loses = region.multiply > 0 && per_turn > loops.small && limit != CoreLimit::Stream;
        let interval = if loses { (body - bound).max(0.0).mul_add(loops.loss, bound) } else { bound };
        let limit = if step > per_turn { CoreLimit::Chain } else { limit };
        let run = (per_run - 1.0).mul_add(interval, body.max(interval)) + loops.enter;
        RegionCycles { low, estimate: run * runs, high: plain.max(run * runs), limit }
    }

    /// Cycles of an iteration of a loop that streams limit and that is too long to overlap. Its
    /// words flow while it works, but none between the last word of an iteration and the first one
    /// of the next, which waits for a product. None of other loops.
    fn flowing_turn(&self, region: &Region, body: f64, (slots, limit): (f64, CoreLimit)) -> Option<f64> {
        let is_long = region.pipelined && region.multiply > 0 && body > self.loops.fold_before;
        if !is_long || limit != CoreLimit::Stream {
            return None;
        }
        // Products of one sum follow each other at one a cycle.
        let products = float(region.multiply) / float(region.shift.max(1));
        let idle = self.loops.head + (products - 1.0).max(0.0) - self.slots.stream_access_words;
        Some(slots / float(region.turns.max(1)) + idle)
    }

    /// Cycles of the scalar unit.
    fn scalar(&self, region: &Region) -> f64 {
        float(region.scalar_float).mul_add(self.slots.scalar_float, float(region.scalar) / self.slots.scalar)
    }

    /// Cycles of the scalar unit in which an iteration that does not overlap does nothing else: it
    /// works on what it has read. Beside vectors the unit has the time for indices.
    fn behind_memory(&self, region: &Region) -> f64 {
        if region.vectors() == 0 { self.scalar(region) } else { 0.0 }
    }

    /// Cycles of the busiest slot, and which it is.
    fn busiest(&self, region: &Region) -> (f64, CoreLimit) {
        let slots = &self.slots;
        let sum = |counts: &[u64]| counts.iter().map(|&count| float(count)).sum::<f64>();
        let words = float(region.stream_in.max(region.stream_out));
        let accesses = sum(&[region.stream_in, region.stream_out]) / slots.stream_access_words;
        let shifts = region.shift.saturating_sub(region.fused);
        let moves = sum(&[region.r#move, shifts, region.cascade_in, region.cascade_out]) + accesses;
        let all = [
            (sum(&[region.load, region.scalar_load]) / slots.loads, CoreLimit::Load),
            (sum(&[region.store, region.scalar_store]) / slots.stores, CoreLimit::Store),
            (sum(&[region.multiply, region.multiply_float, region.lanes]) / slots.vector, CoreLimit::Vector),
            (moves / slots.moves, CoreLimit::Move),
            (words / slots.stream_words, CoreLimit::Stream),
            (float(region.cascade_in.max(region.cascade_out)), CoreLimit::Cascade),
            // Numbers use one of both load units; narrow ones hold up the store unit.
            (float(region.scalar_load), CoreLimit::Scalar),
            (float(region.narrow_store) * slots.narrow_store, CoreLimit::Scalar),
            (self.scalar(region), CoreLimit::Scalar),
        ];
        all.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, CoreLimit::Call))
    }

    /// Cycles between two firings for the locks of synchronous windows.
    fn locks(&self, counts: &KernelCounts) -> f64 {
        let windows = counts.ports.iter().filter(|port| port.kind == "block" && !port.asynchronous);
        self.call.window * float(windows.count() as u64)
    }

    /// Cycles between two firings of a kernel beside its function.
    fn overhead(&self, counts: &KernelCounts) -> f64 {
        let windows = || counts.ports.iter().filter(|port| port.kind == "block" && !port.asynchronous);
        let margin: u64 = windows().map(|port| port.margin).sum();
        let arrays = counts.ports.iter().filter(|port| port.kind == "parameter" && port.bytes > 4).count();
        let call = &self.call;
        let count = |n: usize| float(n as u64);
        let base = match windows().count() {
            0 => call.stream,
            n => call.window.mul_add(count(n), call.base),
        };
        let margins = if margin > 0 { call.margin + float(margin) / call.margin_bytes } else { 0.0 };
        call.parameter.mul_add(count(arrays), base + margins)
    }
}

impl CoreModel {
    /// Cycles between firings that the DMA of the largest window needs. 0 for a kernel without.
    pub fn transfer(&self, counts: &KernelCounts) -> f64 {
        self.carried(counts, &|_| true)
    }

    /// Cycles in which the DMA carries the largest window of these ports.
    fn carried(&self, counts: &KernelCounts, of: &dyn Fn(&PortCounts) -> bool) -> f64 {
        let windows = counts.ports.iter().filter(|port| port.kind == "block" && of(port));
        let words = windows.map(|port| port.bytes.div_ceil(4)).max().unwrap_or(0);
        float(words) / self.slots.stream_words
    }

    /// Cycles from the start of a core until its kernel has fired `firings` times, if a call takes
    /// `call` cycles. Windows are ping-pong, and their DMA comes from and goes to inputs and
    /// outputs of the array. The first call waits for its windows, and nobody waits for the last
    /// ones.
    pub fn run(&self, counts: &KernelCounts, call: f64, firings: u32) -> f64 {
        let (into, out) =
            (self.carried(counts, &|port| port.way == "in"), self.carried(counts, &|port| port.way == "out"));
        // The ends of the last two calls, of the last window that came, and of the last two that
        // left.
        let (mut before, mut end, mut came, mut left) = (0.0_f64, 0.0_f64, 0.0_f64, [0.0_f64; 2]);
        for _ in 0..firings {
            came = came.max(before) + into;
            let has_room = left[0];
            let begin = end.max(came).max(has_room);
            (before, end) = (end, begin + call);
            left = [left[1], left[1].max(end) + out];
        }
        end
    }
}

/// How much of the kernel the headers saw.
fn confidence(counts: &KernelCounts) -> Confidence {
    let total = |of: fn(&Region) -> u64| counts.regions.iter().map(of).sum::<u64>();
    let scalar = total(|r| r.scalar_load + r.scalar_store + 7 * r.narrow_store + r.scalar + r.scalar_float);
    let vectors = total(Region::vectors);
    let words = total(|r| r.stream_in + r.stream_out + r.cascade_in + r.cascade_out);
    if scalar > (vectors + words) / 4 || vectors + words == 0 {
        Confidence::Low
    } else if total(|r| r.multiply_float) > 0 {
        Confidence::Fair
    } else {
        Confidence::Good
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts above 2^53 need no last digit")]
const fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(region: Region) -> KernelCounts {
        let regions = vec![Region { line: 1, inner: true, runs: 1, ..region }];
        KernelCounts {
            kernel: 0,
            name: String::new(),
            source: String::new(),
            firings: 1,
            ports: Vec::new(),
            uncounted: std::collections::BTreeMap::new(),
            regions,
        }
    }

    #[test]
    fn a_pipelined_loop_takes_its_busiest_slot_and_one_body() {
        // A copy of 32 vectors of 256 bits: load 8, store 1.
        let copy = Region {
            pipelined: true,
            turns: 32,
            chain: 9,
            alone: 32 * 9,
            load: 32,
            store: 32,
            ..Region::default()
        };
        let cycles = CoreModel::aie1().estimate(&kernel(copy.clone()));
        assert!((cycles.low - 32.0).abs() < 1e-9, "{cycles:?}");
        assert!((cycles.estimate - (31.0 + 9.0 + 8.0 + 8.0)).abs() < 1e-9, "{cycles:?}");
        assert_eq!((cycles.limit, cycles.confidence), (CoreLimit::Store, Confidence::Good));
        let plain = CoreModel::aie1().estimate(&kernel(Region { pipelined: false, ..copy }));
        assert!(plain.estimate > 32.0 * 9.0, "without the directive nothing overlaps: {plain:?}");
    }

    #[test]
    fn a_chain_through_the_iterations_holds_a_loop_up() {
        let sum = Region {
            pipelined: true,
            turns: 10,
            chain: 10 * 7,
            alone: 10 * 8,
            multiply_float: 10,
            ..Region::default()
        };
        let cycles = CoreModel::aie1().estimate(&kernel(sum));
        assert!(cycles.low >= 70.0 && cycles.limit == CoreLimit::Chain, "{cycles:?}");
        assert_eq!(cycles.confidence, Confidence::Fair);
    }

    #[test]
    fn the_first_call_waits_for_its_window_and_no_window_waits_for_the_last_one() {
        let port = |way: &str, bytes| PortCounts {
            way: way.to_owned(),
            kind: "block".to_owned(),
            asynchronous: false,
            bytes,
            margin: 0,
            passed: 0,
        };
        let run =
            |ports| CoreModel::aie1().run(&KernelCounts { ports, ..kernel(Region::default()) }, 30.0, 4);
        assert_eq!(run(vec![port("in", 400)]), 4.0 * 100.0 + 30.0);
        assert_eq!(run(vec![port("out", 400)]), 2.0 * 30.0 + 2.0 * 100.0, "two buffers are free");
        assert_eq!(run(vec![port("in", 400), port("out", 400)]), 4.0 * 100.0 + 30.0);
        assert_eq!(run(vec![port("in", 40)]), 10.0 + 4.0 * 30.0);
    }

    #[test]
    fn the_streams_of_a_long_loop_stand_idle_until_its_first_product() {
        let long = Region {
            pipelined: true,
            turns: 10,
            chain: 10 * 16,
            alone: 10 * 90,
            multiply: 10 * 16,
            shift: 10 * 16,
            stream_out: 10 * 64,
            ..Region::default()
        };
        let estimate = |region| CoreModel::aie1().estimate(&kernel(region)).estimate;
        assert_eq!(estimate(long.clone()), 10.0 * (64.0 + 11.0 - 4.0) + 8.0);
        let short = Region { alone: 10 * 60, ..long };
        assert_eq!(estimate(short), 9.0 * 64.0 + 64.0 + 8.0 + 8.0, "its iterations overlap");
    }

    #[test]
    fn a_schedule_of_the_compiler_takes_the_place_of_the_estimate_of_its_loop() {
        let inner = Region { pipelined: true, turns: 32, chain: 9, alone: 32 * 9, ..Region::default() };
        let counts = KernelCounts { firings: 2, ..kernel(inner) };
        let model = CoreModel::aie1();
        // One of two firings runs the loop: (32 + 2) x 3 cycles, and 8 to enter and leave it. Each
        // has the call.
        let schedule = LoopSchedule { interval: 3.0, folded: 2.0 };
        let cycles = model.scheduled(&counts, &|_, line| (line == 1).then_some(schedule));
        assert_eq!(cycles, Some((34.0 * 3.0 + 8.0) / 2.0 + 8.0));
        assert_eq!(model.scheduled(&counts, &|_, line| (line == 2).then_some(schedule)), None);
    }

    #[test]
    fn every_estimate_lies_between_its_bounds() {
        for turns in [0, 1, 2, 1000] {
            for alone in [0, 1, 5000, u64::MAX / 4] {
                let region = Region {
                    pipelined: true,
                    turns,
                    alone,
                    scalar_load: 3,
                    narrow_store: 2,
                    ..Region::default()
                };
                let cycles = CoreModel::aie1().estimate(&kernel(region));
                assert!(cycles.low <= cycles.estimate && cycles.estimate <= cycles.high, "{cycles:?}");
            }
        }
    }

    #[test]
    fn nothing_counted_is_no_confidence() {
        let none = KernelCounts {
            kernel: 0,
            name: String::new(),
            source: String::new(),
            firings: 0,
            ports: Vec::new(),
            uncounted: std::collections::BTreeMap::new(),
            regions: Vec::new(),
        };
        assert_eq!(CoreModel::aie1().estimate(&none).confidence, Confidence::Low);
    }
}
