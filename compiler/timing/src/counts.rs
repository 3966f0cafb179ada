//! What a kernel executed, as the host runtime counts it (`runtime/include/adf/counts.h`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The counts of one kernel over all its firings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelCounts {
    /// Number of the kernel in the program, in order of creation.
    #[serde(default)]
    pub kernel: u32,
    /// The user's name of the kernel. Empty when the program does not know it.
    #[serde(default)]
    pub name: String,
    /// The file of the kernel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Firings that were counted.
    pub firings: u64,
    /// Windows, streams and parameters of the kernel, with their sizes.
    #[serde(default)]
    pub ports: Vec<PortCounts>,
    /// What it did that a core does in software, and that no figure has cycles for: name and
    /// number of calls.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uncounted: BTreeMap<String, u64>,
    /// Its loops, and the code outside of loops.
    pub regions: Vec<Region>,
}

/// A port of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortCounts {
    /// `in`, `out` or `inout`.
    pub way: String,
    /// `block` for windows and buffers, `stream`, `packet`, `cascade`, `parameter`.
    pub kind: String,
    /// True if the kernel locks it itself, or reads the latest value of a parameter.
    #[serde(rename = "async")]
    pub asynchronous: bool,
    /// Bytes of a window without its margin, or of a parameter.
    pub bytes: u64,
    /// Bytes of the margin.
    pub margin: u64,
    /// Bytes that passed through a stream in all firings, without headers of packets, or blocks
    /// that the kernel handed on.
    #[serde(default)]
    pub passed: u64,
}

/// The counts of one loop, over all its executions. Code outside of loops is the region at line 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Region {
    /// The file of the loop.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Its line. 0 for the code outside of loops.
    pub line: u32,
    /// True if a directive requests software pipelining.
    #[serde(skip_serializing_if = "is_false")]
    pub pipelined: bool,
    /// True if its file has pointers with `restrict`.
    #[serde(skip_serializing_if = "is_false")]
    pub restricted: bool,
    /// True if no other loop has run inside.
    #[serde(skip_serializing_if = "is_false")]
    pub inner: bool,
    /// Executions of the loop.
    pub runs: u64,
    /// Iterations in all executions.
    pub turns: u64,
    /// Cycles of the longest chain of operations that need each other's results.
    #[serde(skip_serializing_if = "is_zero")]
    pub chain: u64,
    /// Cycles if an iteration begins after the end of the one before.
    #[serde(skip_serializing_if = "is_zero")]
    pub alone: u64,
    /// Vector loads of up to 256 bits.
    #[serde(skip_serializing_if = "is_zero")]
    pub load: u64,
    /// Vector stores of up to 256 bits.
    #[serde(skip_serializing_if = "is_zero")]
    pub store: u64,
    /// Loads of scalar numbers.
    #[serde(skip_serializing_if = "is_zero")]
    pub scalar_load: u64,
    /// Stores of numbers of 32 bits and more.
    #[serde(skip_serializing_if = "is_zero")]
    pub scalar_store: u64,
    /// Stores of numbers of 8 or 16 bits.
    #[serde(skip_serializing_if = "is_zero")]
    pub narrow_store: u64,
    /// Cycles of the fixed-point multiplier.
    #[serde(skip_serializing_if = "is_zero")]
    pub multiply: u64,
    /// Cycles of the floating-point multiplier and adder.
    #[serde(skip_serializing_if = "is_zero")]
    pub multiply_float: u64,
    /// Other operations on lanes.
    #[serde(skip_serializing_if = "is_zero")]
    pub lanes: u64,
    /// Moves between registers.
    #[serde(skip_serializing_if = "is_zero")]
    pub r#move: u64,
    /// Conversions between accumulators and vectors.
    #[serde(skip_serializing_if = "is_zero")]
    pub shift: u64,
    /// Those of them that a store includes.
    #[serde(skip_serializing_if = "is_zero")]
    pub fused: u64,
    /// Words read at the busiest stream port.
    #[serde(skip_serializing_if = "is_zero")]
    pub stream_in: u64,
    /// Words written at the busiest stream port.
    #[serde(skip_serializing_if = "is_zero")]
    pub stream_out: u64,
    /// Reads of 384 bits from the cascade.
    #[serde(skip_serializing_if = "is_zero")]
    pub cascade_in: u64,
    /// Writes of 384 bits to the cascade.
    #[serde(skip_serializing_if = "is_zero")]
    pub cascade_out: u64,
    /// Acquires and releases of the kernel itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub lock: u64,
    /// Operations of the kernel's own code on integers of up to 32 bits.
    #[serde(skip_serializing_if = "is_zero")]
    pub scalar: u64,
    /// Operations of the kernel's own code on single floats.
    #[serde(skip_serializing_if = "is_zero")]
    pub scalar_float: u64,
    /// Cycles of the multiplier by element types, such as `cint16 x int16`.
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub products: std::collections::BTreeMap<String, u64>,
}

/// The folder of the header library of emitted projects.
const LIBRARY: &str = "/include/aiec/";

impl KernelCounts {
    /// The counts without the loops of the header library, in which collectives move their data.
    pub fn outside_of_collectives(&self) -> Self {
        let own = self.regions.iter().filter(|region| !region.file.contains(LIBRARY));
        Self { regions: own.cloned().collect(), ..self.clone() }
    }
}

impl Region {
    /// Vector operations of all slots.
    pub const fn vectors(&self) -> u64 {
        self.load + self.store + self.multiply + self.multiply_float + self.lanes + self.r#move
    }

    /// True for scalar work on memory, which the host compiler reports instead of the headers.
    pub const fn is_scalar(&self) -> bool {
        self.scalar_load > 0 || self.scalar_store > 0 || self.narrow_store > 0
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
