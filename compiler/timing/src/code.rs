//! Program memory of a kernel from the counts of what it executes.
//!
//! Headers count operations of vectors and numbers in memory, and loops. They count no scalar
//! arithmetic, and no code that did not run. So this is a fit to published sizes with a wide range,
//! and no bound.

use serde::{Deserialize, Serialize};

use crate::counts::{KernelCounts, Region};

/// Constants of the fit, with units and source in `profiles/aie1-core.toml`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeModel {
    /// Bytes of a core with an empty kernel: start, `main`, locks.
    pub base: f64,
    /// Bytes for the square root of the operations in the bodies of loops.
    pub root_operation: f64,
    /// Bytes for each execution of a loop in a firing.
    pub run: f64,
    /// Executions that count: more are the same code again.
    pub most_runs: f64,
    /// The least size by the estimate.
    pub least: f64,
    /// The largest size by the estimate.
    pub most: f64,
}

/// Bytes of program memory of a kernel that has a core of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProgramBytes {
    /// Nine of ten published sizes lie above this.
    pub low: f64,
    /// The expected bytes.
    pub estimate: f64,
    /// Nine of ten published sizes lie below this.
    pub high: f64,
}

impl CodeModel {
    /// The size of a kernel with these counts.
    pub(crate) fn bytes(&self, counts: &KernelCounts) -> ProgramBytes {
        let loops = || counts.regions.iter().filter(|region| region.line > 0);
        let operations: f64 = loops().map(|region| operations(region) / region.turns.max(1) as f64).sum();
        let runs: f64 = loops().map(|region| region.runs as f64 / counts.firings.max(1) as f64).sum();
        let estimate =
            self.base + self.root_operation * operations.sqrt() + self.run * runs.min(self.most_runs);
        let [low, estimate, high] = [self.least, 1.0, self.most].map(|factor| (estimate * factor).round());
        ProgramBytes { low, estimate, high }
    }
}

/// Operations of a loop in all iterations.
fn operations(region: &Region) -> f64 {
    let all = [
        region.load,
        region.store,
        region.scalar_load,
        region.scalar_store,
        region.narrow_store,
        region.multiply,
        region.multiply_float,
        region.lanes,
        region.r#move,
        region.shift,
        region.stream_in,
        region.stream_out,
        region.cascade_in,
        region.cascade_out,
        region.lock,
    ];
    all.iter().map(|&number| number as f64).sum()
}
