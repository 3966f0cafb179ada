//! Timing constants and the closed forms built from them.
//!
//! All constants come from a profile file; `profiles/thesis.toml` is built in. The closed forms are those of the thesis, section 4.5.3,
//! generalised from two children per node to any number: each child costs one window to acquire and release and 30 cycles per element.

use serde::{Deserialize, Serialize};

/// Named timing constants with their source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimingProfile {
    /// Name shown in reports.
    pub name: String,
    /// Where the numbers come from.
    pub source: String,
    /// Window transfers.
    pub window: WindowTiming,
    /// The Reduce collective.
    pub reduce: ReduceTiming,
    /// What the hardware does at best.
    pub hardware: HardwareLimits,
}

/// Window transfers, in array cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowTiming {
    /// Bytes of the windows the latencies were measured with.
    pub measured_bytes: u64,
    /// Latency through shared memory (thesis 3.3.1).
    pub shared_latency: f64,
    /// Latency through DMA at distance 0 (thesis 3.3.3).
    pub dma_latency: f64,
    /// Added to it per tile of Manhattan distance (thesis 3.3.3).
    pub dma_latency_per_tile: f64,
    /// Acquiring a window that is there (thesis 4.5.1).
    pub acquire: i64,
    /// Releasing a window (thesis 4.5.1).
    pub release: i64,
}

/// One call of Reduce on one window, in array cycles (thesis 4.5.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReduceTiming {
    /// Per element at a leaf.
    pub leaf_element: i64,
    /// Per call at a leaf, beside its locks.
    pub leaf_constant: i64,
    /// Per element and child.
    pub input_element: i64,
    /// Per element at an inner node, beside its children.
    pub level_element: i64,
    /// Per call at an inner node, beside its locks.
    pub level_constant: i64,
    /// Per element, added to the tree's time by each level.
    pub tree_element: i64,
    /// Added to the tree's time by each level; negative, since a level's start overlaps with the level below.
    pub tree_constant: i64,
}

/// What the hardware does at best (AM009).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardwareLimits {
    /// Bytes a stream carries per cycle.
    pub stream_bytes: u64,
    /// Bytes a core loads per cycle.
    pub load_bytes: u64,
    /// Bytes a core stores per cycle.
    pub store_bytes: u64,
}

impl TimingProfile {
    /// The built-in profile: measurements of the thesis.
    pub fn thesis() -> Self {
        Self::parse(include_str!("../profiles/thesis.toml")).expect("the built-in profile is read by a test")
    }

    /// Reads a profile file.
    ///
    /// # Errors
    /// The reader's message for text that is not a profile, or the first number that makes no sense.
    pub fn parse(text: &str) -> Result<Self, String> {
        let profile: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let HardwareLimits { stream_bytes, load_bytes, store_bytes } = profile.hardware;
        if stream_bytes == 0 || load_bytes == 0 || store_bytes == 0 {
            return Err("the hardware limits are bytes per cycle, at least 1".into());
        }
        let window = &profile.window;
        let latencies = [window.shared_latency, window.dma_latency, window.dma_latency_per_tile];
        if !latencies.iter().all(|cycles| (0.0..1e9).contains(cycles)) {
            return Err("latencies are cycles between 0 and a billion".into());
        }
        if window.acquire < 0 || window.release < 0 {
            return Err("acquiring and releasing take no less than 0 cycles".into());
        }
        Ok(profile)
    }

    /// Cycles to acquire and release `windows` windows that are there.
    pub const fn locks(&self, windows: i64) -> i64 {
        (self.window.acquire + self.window.release).saturating_mul(windows)
    }

    /// Cycles a leaf needs to send one window of `elements` elements: 17 n + 93 (thesis 4.5.3).
    pub const fn leaf(&self, elements: u32) -> i64 {
        let reduce = &self.reduce;
        (elements as i64)
            .saturating_mul(reduce.leaf_element)
            .saturating_add(self.locks(1))
            .saturating_add(reduce.leaf_constant)
    }

    /// Cycles a node with `children` children needs for one window that has arrived from each: n (30 m + 23) + 93 (m + 1) + 120, which is
    /// 83 n + 399 for two (thesis 4.5.3).
    pub const fn level(&self, elements: u32, children: u32) -> i64 {
        let reduce = &self.reduce;
        self.level_work(elements, children)
            .saturating_add(self.locks(children as i64 + 1))
            .saturating_add(reduce.level_constant)
    }

    /// The part of [`level`](Self::level) that is the arithmetic: n (30 m + 23) cycles.
    pub const fn level_work(&self, elements: u32, children: u32) -> i64 {
        let reduce = &self.reduce;
        let per_element =
            reduce.input_element.saturating_mul(children as i64).saturating_add(reduce.level_element);
        (elements as i64).saturating_mul(per_element)
    }

    /// Cycles that a node with `children` children adds to the time of the tree below it: level + n - 214 (thesis 4.5.3, equation 4.6).
    pub const fn tree_step(&self, elements: u32, children: u32) -> i64 {
        let reduce = &self.reduce;
        self.level(elements, children)
            .saturating_add((elements as i64).saturating_mul(reduce.tree_element))
            .saturating_add(reduce.tree_constant)
    }

    /// Latency in cycles of a smallest window through DMA between kernels `distance` tiles apart (thesis 3.3.3).
    pub fn dma_latency(&self, distance: u32) -> f64 {
        self.window.dma_latency_per_tile.mul_add(f64::from(distance), self.window.dma_latency)
    }

    /// Cycles a stream needs for `bytes` bytes at 32 bits a cycle.
    pub const fn stream(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.hardware.stream_bytes)
    }

    /// Least cycles in which a node with `children` children loads its inputs and its own data and stores the result.
    pub fn memory(&self, bytes: u64, children: u32) -> u64 {
        let loads = bytes.saturating_mul(u64::from(children) + 1).div_ceil(self.hardware.load_bytes);
        loads.max(bytes.div_ceil(self.hardware.store_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_two_children_the_forms_are_those_of_the_thesis() {
        let profile = TimingProfile::thesis();
        for n in [4_u32, 8, 100, 2048] {
            let wide = i64::from(n);
            assert_eq!(profile.leaf(n), 17 * wide + 93);
            assert_eq!(profile.level(n, 2), 83 * wide + 399);
            assert_eq!(profile.tree_step(n, 2), 84 * wide + 185);
        }
    }

    #[test]
    fn dma_latencies_meet_table_3_1_within_one_per_cent() {
        let profile = TimingProfile::thesis();
        for (distance, measured) in
            [(10, 164.0), (19, 200.0), (28, 236.0), (37, 272.0), (46, 308.0), (56, 346.0)]
        {
            let error = (profile.dma_latency(distance) - measured).abs() / measured;
            assert!(error < 0.01, "distance {distance}: error {error}");
        }
        assert!((profile.window.shared_latency - 98.5).abs() < f64::EPSILON, "distance 1 shares memory");
    }

    #[test]
    fn a_profile_without_bandwidth_is_refused() {
        let text = include_str!("../profiles/thesis.toml").replace("stream_bytes = 4", "stream_bytes = 0");
        assert!(TimingProfile::parse(&text).is_err());
        assert!(TimingProfile::parse("name = 1").is_err());
    }
}
