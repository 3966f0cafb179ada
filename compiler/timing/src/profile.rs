//! Timing constants and the closed forms built from them.
//!
//! All constants come from a profile file; those of `profiles/` are built in. The closed forms are
//! those of the thesis, section 4.5.3, generalised from two children per node to any number. Each
//! child costs the acquire and release of one window and 30 cycles per element.

use std::ops::Range;
use std::sync::LazyLock;

use aiec_ir::Loops;
use serde::{Deserialize, Serialize};

/// The built-in profiles by name, with their texts: the measurements of the thesis, which is the
/// default, its first model, and the windows of the vendor's simulator.
const BUILTIN: [(&str, &str); 3] = [
    ("vck190-thesis", include_str!("../profiles/vck190-thesis.toml")),
    ("vck190-initial", include_str!("../profiles/vck190-initial.toml")),
    ("aiesim", include_str!("../profiles/aiesim.toml")),
];

/// Named timing constants with their source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimingProfile {
    /// Name in reports.
    pub name: String,
    /// Source of the numbers.
    pub source: String,
    /// Constants of window transfers.
    pub window: WindowTiming,
    /// Constants of the collective `reduce`.
    pub reduce: ReduceTiming,
    /// Reductions along the cascade.
    #[serde(default)]
    pub cascade: CascadeTiming,
    /// The best rates of the hardware.
    pub hardware: HardwareLimits,
    /// Constants of transfers from and to global memory.
    #[serde(default)]
    pub memory: MemoryTiming,
    /// True if buffers of one bank that are used at the same time cost cycles in the event model.
    #[serde(default)]
    pub bank_conflicts: bool,
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
    /// Added to `dma_latency` per tile of Manhattan distance (thesis 3.3.3).
    pub dma_latency_per_tile: f64,
    /// Acquiring a window that has arrived (thesis 4.5.1).
    pub acquire: i64,
    /// Releasing a window (thesis 4.5.1).
    pub release: i64,
    /// Each further release of a step that combines windows, in a pipelined loop. None when each
    /// costs as much as the first.
    #[serde(default)]
    pub further_release: Option<i64>,
    /// Locks of synchronous windows, which the wrapper around a kernel takes. None when they cost
    /// as much as locks that the kernel takes itself.
    #[serde(default)]
    pub synchronous: Option<LockTiming>,
}

/// Locks of a window, in array cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockTiming {
    /// Acquiring a window that has arrived.
    pub acquire: i64,
    /// Releasing a window.
    pub release: i64,
}

impl WindowTiming {
    /// The locks of a window that its kernel locks itself (`asynchronous`), or its wrapper.
    pub fn locks_of(&self, asynchronous: bool) -> LockTiming {
        let own = LockTiming { acquire: self.acquire, release: self.release };
        self.synchronous.filter(|_| !asynchronous).unwrap_or(own)
    }
}

/// One call of Reduce on one window, in array cycles (thesis 4.5.3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReduceTiming {
    /// Per element at a leaf.
    pub leaf_element: i64,
    /// Per call at a leaf, without its locks.
    pub leaf_constant: i64,
    /// Per element and child.
    pub input_element: i64,
    /// Per element at an inner node, without its children.
    pub level_element: i64,
    /// Per call at an inner node, without its locks.
    pub level_constant: i64,
    /// Per element, added to the tree's time by each level.
    pub tree_element: i64,
    /// Added to the tree's time by each level; negative, since a level's start overlaps with the
    /// level below.
    pub tree_constant: i64,
}

/// A reduction along the cascade, in array cycles. There are no published measurements. The
/// constants are the rate of the hardware (AM009) and an assumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CascadeTiming {
    /// For each 384 bits that pass a rank.
    pub vector_cycles: i64,
    /// From the read of a rank to the read of the next one: the depth of its loop.
    pub rank_cycles: i64,
}

/// Global memory behind the NoC, for all GMIO together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryTiming {
    /// Bytes that all GMIO move in an array cycle.
    pub bytes: f64,
    /// Array cycles until the first data of a GMIO input are there.
    #[serde(default = "first_access")]
    pub first_access: i64,
}

/// Cycles of the first access of a profile that does not state them: those of the built-in
/// profiles.
const fn first_access() -> i64 {
    340
}

impl Default for MemoryTiming {
    fn default() -> Self {
        Self { bytes: 15.6, first_access: first_access() }
    }
}

impl Default for CascadeTiming {
    fn default() -> Self {
        Self { vector_cycles: 1, rank_cycles: 16 }
    }
}

/// The best rates of the hardware (AM009).
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

/// Bytes of the largest vector that a core loads or stores at once (AM009: 256 bits).
const FULL_VECTOR: u64 = 32;

/// Bytes that pass from core to core at once along the cascade (AM009: 384 bits).
const CASCADE_BYTES: u64 = 48;

/// The data movement of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Number of windows received.
    pub taken: u32,
    /// Number of windows sent.
    pub given: u32,
    /// Number of times the result is stored: in sent windows and in own memory. At least 1.
    pub stores: u32,
    /// True if received windows are combined with own data.
    pub combines: bool,
}

impl Moves {
    /// One window sent from memory.
    pub const SENT: Self = Self { taken: 0, given: 1, stores: 1, combines: false };

    /// `taken` windows combined with own data and sent on.
    pub const fn combined(taken: u32) -> Self {
        Self { taken, given: 1, stores: 1, combines: true }
    }
}

/// The work of one turn of a vector loop: the loop of `windows.h` in the header library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Vectors of each window that a turn handles.
    pub vectors: u32,
    /// Loads of up to 256 bits.
    pub loads: u32,
    /// Stores of up to 256 bits.
    pub stores: u32,
    /// Operations of the vector unit.
    pub operations: u32,
}

impl Turn {
    /// A turn over one vector of each window, or over two if windows are combined.
    pub fn of(loops: Loops, moves: &Moves, vectors: u32) -> Self {
        let windows = if moves.combines { moves.taken.saturating_add(1) } else { 1 };
        let full = loops.op.and_then(|op| op.vector_operations(loops.window.element)).unwrap_or(0);
        // An operation on 512 bits also serves smaller vectors. The halves of a byte vector do not
        // occur alone.
        let combining = if full == 1 { 1 } else { full.div_ceil(2).saturating_mul(vectors) };
        Self {
            vectors,
            loads: windows.saturating_mul(vectors),
            stores: moves.stores.max(1).saturating_mul(vectors),
            operations: if moves.combines { moves.taken.saturating_mul(combining) } else { 0 },
        }
    }

    /// Least cycles between turns, from the loads, stores and operations of a core per cycle
    /// (AM009).
    pub fn cycles(&self, hardware: &HardwareLimits) -> u64 {
        let loads = (u64::from(self.loads) * FULL_VECTOR).div_ceil(hardware.load_bytes);
        let stores = (u64::from(self.stores) * FULL_VECTOR).div_ceil(hardware.store_bytes);
        loads.max(stores).max(self.operations.into())
    }
}

/// Why a text is no profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadProfile {
    /// What is wrong with the text or its numbers.
    pub message: String,
    /// The bytes of the text to blame. None when the whole text is to blame.
    pub bytes: Option<Range<usize>>,
}

impl BadProfile {
    /// A number of a section is out of range: the header of the section is to blame.
    pub(crate) fn of_section(text: &str, section: &str, reason: &str) -> Self {
        let header = format!("[{section}]");
        let bytes = text.find(&header).map(|start| start..start + header.len());
        Self { message: reason.to_owned(), bytes }
    }
}

impl Default for TimingProfile {
    fn default() -> Self {
        Self::thesis()
    }
}

impl TimingProfile {
    /// The built-in profile: measurements of the thesis.
    pub fn thesis() -> Self {
        static THESIS: LazyLock<TimingProfile> = LazyLock::new(|| {
            let [(_, text), ..] = BUILTIN;
            TimingProfile::parse(text).expect("the built-in profile is read by a test")
        });
        THESIS.clone()
    }

    /// Names of the built-in profiles, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|(name, _)| *name)
    }

    /// The file of a built-in profile. Returns None when the name is unknown.
    pub fn text(name: &str) -> Option<&'static str> {
        BUILTIN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// Reads a profile file.
    ///
    /// # Errors
    /// Returns the parser's message if the text is not a profile, or names the first number out of
    /// range.
    pub fn parse(text: &str) -> Result<Self, BadProfile> {
        let profile: Self = toml::from_str(text)
            .map_err(|error| BadProfile { message: error.message().to_owned(), bytes: error.span() })?;
        profile.in_range().map_err(|(section, reason)| BadProfile::of_section(text, section, reason))?;
        Ok(profile)
    }

    /// The section of the first number out of range, and the reason.
    fn in_range(&self) -> Result<(), (&'static str, &'static str)> {
        let HardwareLimits { stream_bytes, load_bytes, store_bytes } = self.hardware;
        if stream_bytes == 0 || load_bytes == 0 || store_bytes == 0 {
            return Err(("hardware", "the hardware limits are bytes per cycle, at least 1"));
        }
        if !(0.01..1e6).contains(&self.memory.bytes) {
            return Err(("memory", "global memory moves between 0.01 and a million bytes per cycle"));
        }
        if self.memory.first_access < 0 {
            return Err(("memory", "the first access to global memory takes no less than 0 cycles"));
        }
        let window = &self.window;
        let latencies = [window.shared_latency, window.dma_latency, window.dma_latency_per_tile];
        if !latencies.iter().all(|cycles| (0.0..1e9).contains(cycles)) {
            return Err(("window", "latencies are cycles between 0 and a billion"));
        }
        let wrapper = window.locks_of(false);
        if [window.acquire, window.release, wrapper.acquire, wrapper.release].iter().any(|&cycles| cycles < 0)
        {
            return Err(("window", "acquiring and releasing take no less than 0 cycles"));
        }
        if window.further_release.is_some_and(|cycles| !(0..=window.release).contains(&cycles)) {
            return Err((
                "window",
                "a further release takes no less than 0 cycles, and no more than the first",
            ));
        }
        if self.cascade.vector_cycles < 1 || self.cascade.rank_cycles < 0 {
            return Err((
                "cascade",
                "on the cascade a vector takes at least 1 cycle, and a rank no less than 0",
            ));
        }
        Ok(())
    }

    /// Cycles to acquire and release `windows` windows that have arrived.
    pub const fn locks(&self, windows: i64) -> i64 {
        self.window.acquire.saturating_add(self.window.release).saturating_mul(windows)
    }

    /// Cycles of the release of a window in a step that has released `before` others.
    pub fn release(&self, moves: &Moves, before: usize) -> i64 {
        let further = self.window.further_release.filter(|_| moves.combines && before > 0);
        further.unwrap_or(self.window.release)
    }

    /// Cycles that the pipelined releases of a step with `windows` windows leave to its other code.
    /// The measured time of a level (thesis 4.5.3) holds as much for each release as for the first.
    pub fn saved_by_releases(&self, moves: &Moves, windows: usize) -> i64 {
        let saved = |before| self.window.release.saturating_sub(self.release(moves, before));
        (0..windows).map(saved).fold(0, i64::saturating_add)
    }

    /// Cycles of a leaf to send one window. By element 17 n + 93 (thesis 4.5.3).
    pub fn leaf(&self, loops: Loops) -> i64 {
        self.work(loops, &Moves::SENT).saturating_add(self.locks(1)).saturating_add(self.reduce.leaf_constant)
    }

    /// Cycles of a node with `children` children for one window that has arrived from each. By
    /// element n (30 m + 23) + 93 (m + 1) + 120, which is 83 n + 399 for two (thesis 4.5.3).
    pub fn level(&self, loops: Loops, children: u32) -> i64 {
        self.work(loops, &Moves::combined(children))
            .saturating_add(self.locks(i64::from(children) + 1))
            .saturating_add(self.reduce.level_constant)
    }

    /// Cycles that a level adds to the path of the first window beside its own time. Its start
    /// overlaps with the level below. By element n - 214 (thesis 4.5.3, equation 4.6).
    pub fn overlap(&self, loops: Loops) -> i64 {
        let elements = if loops.vector_bytes(true).is_none() { loops.window.elements } else { 0 };
        i64::from(elements).saturating_mul(self.reduce.tree_element).saturating_add(self.reduce.tree_constant)
    }

    /// Cycles of the loop over windows. By element as measured for the thesis's tree: 30 m + 23 per
    /// element to combine m windows with own data, 17 to move data (4.5.3). With vectors the best
    /// rate of the core: two loads, one store and one vector operation per cycle (AM009). Vectors
    /// of 128 bits take as long as those of 256. A turn that combines two windows or more takes two
    /// vectors of each, and a last turn takes one if their number is odd.
    pub fn work(&self, loops: Loops, moves: &Moves) -> i64 {
        let taken = i64::from(moves.taken);
        let Some(bytes) = loops.vector_bytes(moves.combines) else {
            let reduce = &self.reduce;
            let combining =
                || reduce.input_element.saturating_mul(taken).saturating_add(reduce.level_element);
            let per_element = if moves.combines { combining() } else { reduce.leaf_element };
            return i64::from(loops.window.elements).saturating_mul(per_element);
        };
        let vectors = loops.window.bytes() / bytes;
        let (two, one) =
            if moves.combines && moves.taken > 1 { (vectors / 2, vectors % 2) } else { (0, vectors) };
        let cycles = |turns: u64, vectors| {
            turns.saturating_mul(Turn::of(loops, moves, vectors).cycles(&self.hardware))
        };
        i64::try_from(cycles(two, 2).saturating_add(cycles(one, 1))).unwrap_or(i64::MAX)
    }

    /// Latency in cycles of a smallest window through DMA between kernels `distance` tiles apart
    /// (thesis 3.3.3).
    pub fn dma_latency(&self, distance: u32) -> f64 {
        self.window.dma_latency_per_tile.mul_add(f64::from(distance), self.window.dma_latency)
    }

    /// Cycles of a stream for `bytes` bytes, at 32 bits per cycle.
    pub const fn stream(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.hardware.stream_bytes)
    }

    /// Cycles of the cascade for `bytes` bytes, at 384 bits a time (AM009).
    pub fn along_cascade(&self, bytes: u64) -> u64 {
        let vectors = bytes.div_ceil(CASCADE_BYTES);
        vectors.saturating_mul(u64::try_from(self.cascade.vector_cycles).unwrap_or(1))
    }

    /// Cycles of the header of a packet: one word (AM009, packet switching).
    pub const fn packet_header(&self) -> u64 {
        self.stream(4)
    }

    /// Cycles of a window of `bytes` bytes on a stream as a packet.
    pub const fn packet_stream(&self, bytes: u64) -> u64 {
        self.stream(bytes).saturating_add(self.packet_header())
    }

    /// Cycles of a core to read a packet with a window: one word per cycle, the rate of the stream
    /// (AM009), or the `work` of its loop over the elements if that is longer. Ignores the core's
    /// work between packets.
    pub fn packet(&self, loops: Loops, work: i64) -> i64 {
        let words = i64::try_from(self.stream(loops.window.bytes())).unwrap_or(i64::MAX);
        let header = i64::try_from(self.packet_header()).unwrap_or(i64::MAX);
        words.max(work).saturating_add(header)
    }

    /// Words of a window on a stream.
    pub fn words(&self, loops: Loops) -> u32 {
        u32::try_from(self.stream(loops.window.bytes())).unwrap_or(u32::MAX)
    }

    /// Cycles of a core to take and give one word of a window: one, the rate of the stream (AM009).
    /// In a loop by element that loop's share, if it is longer. Nothing of this was measured.
    pub fn word(&self, loops: Loops, moves: &Moves) -> i64 {
        if loops.vector_bytes(moves.combines).is_some() {
            return 1;
        }
        let words = i64::from(self.words(loops)).max(1);
        let work = self.work(loops, moves);
        (work / words + i64::from(work % words != 0)).max(1)
    }

    /// Cycles of a core from the first word that it takes to the first that it gives: the depth of
    /// its loop, which is assumed to be that along the cascade.
    pub fn first_word(&self, loops: Loops, moves: &Moves) -> i64 {
        self.word(loops, moves).max(self.cascade.rank_cycles)
    }

    /// Least cycles of any loop over windows: its loads and stores, at the rate of the core
    /// (AM009). No more than [`Self::work`], whatever the constants of the profile.
    pub fn least_work(&self, loops: Loops, moves: &Moves) -> i64 {
        let bytes = loops.window.bytes();
        let taken = if moves.combines { moves.taken } else { 0 };
        let stores = bytes.saturating_mul(moves.stores.into()).div_ceil(self.hardware.store_bytes);
        let least = self.memory(bytes, taken).max(stores);
        i64::try_from(least).unwrap_or(i64::MAX).min(self.work(loops, moves))
    }

    /// Least cycles of a node with `children` children to load its inputs and its own data and to
    /// store the result.
    pub fn memory(&self, bytes: u64, children: u32) -> u64 {
        let loads = bytes.saturating_mul(u64::from(children) + 1).div_ceil(self.hardware.load_bytes);
        loads.max(bytes.div_ceil(self.hardware.store_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_ir::{ElementType, Operator, ReduceOp, WindowType};

    const fn loops(element: ElementType, elements: u32, op: ReduceOp) -> Loops {
        let window = WindowType { element, elements };
        Loops::of(window, false, Some(&Operator::Builtin(op)))
    }

    const fn int32(elements: u32, scalar: bool) -> Loops {
        Loops { scalar, ..loops(ElementType::Int32, elements, ReduceOp::Sum) }
    }

    #[test]
    fn for_two_children_the_forms_are_those_of_the_thesis() {
        let profile = TimingProfile::thesis();
        for n in [4_u32, 8, 100, 2048] {
            let (wide, loops) = (i64::from(n), int32(n, true));
            assert_eq!(profile.leaf(loops), 17 * wide + 93);
            assert_eq!(profile.level(loops, 2), 83 * wide + 399);
            assert_eq!(profile.level(loops, 2) + profile.overlap(loops), 84 * wide + 185);
        }
    }

    #[test]
    fn the_largest_numbers_of_a_profile_overflow_nothing() {
        let mut profile = TimingProfile::thesis();
        (profile.window.acquire, profile.window.release) = (i64::MAX, i64::MAX);
        assert_eq!(profile.locks(2), i64::MAX);
        assert_eq!(profile.saved_by_releases(&Moves::combined(2), 3), i64::MAX);
    }

    #[test]
    fn vector_loops_take_two_loads_one_store_and_one_operation_a_cycle() {
        let profile = TimingProfile::thesis();
        let combined = |loops, taken| profile.work(loops, &Moves::combined(taken));
        let kib = int32(256, false); // 32 vectors of 256 bits
        assert_eq!(profile.work(kib, &Moves::SENT), 32, "a leaf: one vector of 8 a cycle");
        assert_eq!(combined(kib, 1), 32, "two loads");
        assert_eq!(combined(kib, 2), 48, "six loads for two vectors");
        assert_eq!(combined(kib, 3), 64, "four loads");
        assert_eq!(combined(kib, 4), 80, "ten loads for two vectors");
        let given = |given, stores| Moves { taken: 1, given, stores, combines: false };
        assert_eq!(
            profile.work(kib, &given(3, 4)),
            128,
            "a broadcast to three children, which is kept: four stores"
        );
        let root = Moves { given: 0, stores: 2, ..Moves::combined(2) };
        assert_eq!(profile.work(kib, &root), 64, "the root stores the result in its memory and in a window");
        assert_eq!(combined(int32(24, false), 2), 3 + 2, "three vectors: a turn of two, and one");
        assert_eq!(combined(int32(12, false), 1), 3, "48 bytes go by vectors of 128 bits");
        assert_eq!(combined(int32(13, false), 1), combined(int32(13, true), 1), "52 bytes do not");
    }

    #[test]
    fn what_a_core_has_no_vector_operation_for_goes_element_by_element() {
        use ElementType::{Float, Int8, Int16, Int32, Int64, Uint16, Uint32};
        let profile = TimingProfile::thesis();
        let combined = |element: ElementType, op| {
            profile.work(loops(element, 1024 / element.bytes(), op), &Moves::combined(2))
        };
        let scalar = |element: ElementType| 83 * i64::from(1024 / element.bytes());
        for op in [ReduceOp::And, ReduceOp::Or, ReduceOp::Xor] {
            assert_eq!(combined(Int32, op), scalar(Int32), "{op}");
        }
        assert_eq!(combined(Uint32, ReduceOp::Sum), 48, "the same bits as signed ones");
        assert_eq!(combined(Uint32, ReduceOp::Max), scalar(Uint32), "a comparison knows signs");
        assert_eq!(combined(Uint16, ReduceOp::Min), scalar(Uint16));
        assert_eq!(combined(Int64, ReduceOp::Sum), scalar(Int64));
        assert_eq!(combined(Int16, ReduceOp::Max), 48);
        assert_eq!(combined(Float, ReduceOp::Sum), 64, "two additions for each vector of 256 bits");
        assert_eq!(
            combined(Int8, ReduceOp::Sum),
            32 * 8,
            "two additions of 16 bits: unpacked twice and packed"
        );
        let moved = |element, elements| profile.work(loops(element, elements, ReduceOp::Xor), &Moves::SENT);
        assert_eq!(moved(Int32, 256), 32, "a leaf only moves");
        assert_eq!(moved(Uint16, 512), 32);
        assert_eq!(moved(Int64, 16), 16 * 17, "no vectors of int64");
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
    fn every_built_in_profile_has_its_own_name() {
        for name in TimingProfile::names() {
            let text = TimingProfile::text(name).expect("known");
            assert_eq!(TimingProfile::parse(text).expect("a profile").name, name);
        }
        assert_eq!(TimingProfile::thesis(), TimingProfile::default());
    }

    /// Thesis, Table 4.1: bytes of a window; predicted cycles of a tree of three levels, of a level
    /// and of a leaf.
    const TABLE_4_1: [(u32, i64, i64, i64); 10] = [
        (16, 1155, 527, 101),
        (32, 1659, 775, 109),
        (64, 2667, 1271, 125),
        (128, 4683, 2263, 157),
        (256, 8715, 4247, 221),
        (512, 16_779, 8215, 349),
        (1024, 32_907, 16_151, 605),
        (2048, 65_163, 32_023, 1117),
        (4096, 129_675, 63_767, 2141),
        (8192, 258_699, 127_255, 4189),
    ];

    #[test]
    fn the_initial_profile_gives_the_predictions_of_table_4_1() {
        let text = TimingProfile::text("vck190-initial").expect("built in");
        let profile = TimingProfile::parse(text).expect("a profile");
        for (bytes, tree, level, leaf) in TABLE_4_1 {
            let loops = int32(bytes / 4, true);
            assert_eq!((profile.level(loops, 2), profile.leaf(loops)), (level, leaf), "{bytes} bytes");
            let step = profile.level(loops, 2) + profile.overlap(loops);
            assert_eq!(profile.leaf(loops) + 2 * step, tree, "{bytes} bytes");
        }
    }

    #[test]
    fn a_profile_without_bandwidth_is_refused() {
        let text = BUILTIN[0].1.replace("stream_bytes = 4", "stream_bytes = 0");
        assert!(TimingProfile::parse(&text).is_err());
        assert!(TimingProfile::parse("name = 1").is_err());
    }
}
