//! What the choice of a shape needs: a timing profile and the limits of a device.

use aiec_collectives::{Guide, Step, StepCost};
use aiec_device::{Device, Grid, Release};
use aiec_ir::Loops;

use crate::profile::TimingProfile;

/// Cycles of a word to cross a switch, where the device is not known (AM009).
const AIE1_HOP_CYCLES: u32 = 4;

/// A timing profile and the limits of a device, for choosing shapes.
#[derive(Clone, Debug)]
pub struct ShapeGuide {
    /// Costs of the steps.
    pub profile: TimingProfile,
    /// Maximum number of windows per kernel. None when unlimited.
    pub windows_per_kernel: Option<u32>,
    /// Maximum number of cores that follow each other along the cascade.
    pub cascade_cores: usize,
    /// Maximum number of packet streams merged into one.
    pub merged_streams: u32,
    /// Number of stream ports into a core.
    pub streams_per_core: u32,
    /// Cycles of a word to cross a switch.
    pub hop_cycles: u32,
}

impl ShapeGuide {
    /// The built-in profile with the limits of `device`. Without a device there is no cascade and
    /// no other limit.
    pub fn of(device: Option<&Device>) -> Self {
        let cores =
            |device: &Device| Grid::without(device, |tile| device.keepout.contains(&tile)).longest_cascade();
        Self {
            profile: TimingProfile::thesis(),
            windows_per_kernel: device.and_then(|device| device.memory.windows_per_kernel),
            cascade_cores: device.map_or(0, cores),
            merged_streams: device.map_or(u32::MAX, Device::most_merged_streams),
            streams_per_core: device.map_or(u32::MAX, |device| device.tile.streams_in),
            hop_cycles: device.map_or(AIE1_HOP_CYCLES, |device| device.switch.hop_cycles),
        }
    }

    /// These limits, with merges no wider than `release` of Vitis accepts.
    #[must_use]
    pub fn for_release(self, release: &Release) -> Self {
        let taken = release.merge_inputs.value.unwrap_or(u32::MAX);
        Self { merged_streams: self.merged_streams.min(taken), ..self }
    }
}

impl Guide for ShapeGuide {
    fn step(&self, loops: Loops, step: &Step) -> i64 {
        self.profile.step(loops, step)
    }

    fn first_step(&self, loops: Loops, step: &Step) -> StepCost {
        self.profile.first_step(loops, step)
    }

    fn shared_cycles(&self, loops: Loops) -> i64 {
        if loops.goes_by_elements() { 0 } else { self.profile.way(loops.window.bytes(), false) }
    }

    fn cascade(&self, loops: Loops, ranks: u32) -> Option<i64> {
        (ranks as usize <= self.cascade_cores)
            .then(|| self.profile.cascade(loops, ranks).map(|times| times.call))?
    }

    fn windows_per_kernel(&self) -> Option<u32> {
        self.windows_per_kernel
    }

    fn merged_streams(&self) -> u32 {
        self.merged_streams
    }

    fn streams_per_core(&self) -> u32 {
        self.streams_per_core
    }

    fn net_cycles(&self) -> i64 {
        self.profile.net()
    }

    fn word_cycles(&self) -> i64 {
        2 * i64::from(self.hop_cycles) // the switches of both tiles
    }

    fn words(&self, loops: Loops) -> u32 {
        self.profile.words(loops)
    }
}
