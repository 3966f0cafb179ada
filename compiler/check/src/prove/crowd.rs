//! Proves that some trees cannot be placed: too many windows meet around one kernel.
//!
//! A kernel receives at most as many windows by DMA as the modules in its reach have channels. The
//! senders of all others sit on its own core or on partner tiles. Their own inputs take channels of
//! the modules around there, or come from kernels within two steps of the sharing relation, and
//! that area has few tiles. The sum is a number of channels that every placement needs. The proof
//! counts how many kernels fit on N cores by their shares of a core's time, smallest first.

use std::collections::BTreeSet;

use crate::Checked;
use aiec_device::{Device, Grid};
use aiec_diag::Diagnostic;
use aiec_ir::{Direction, IdVec, KernelId, WHOLE_CORE};

use crate::prove::bound::room::{balls, largest};
use crate::prove::channels::Windows;
use crate::prove::errors;

/// The maxima over the surroundings of all tiles.
pub(crate) struct Surroundings {
    /// Channels from stream to memory in the modules that one core reaches.
    pub(crate) channels: u64,
    /// Number of tiles: the tile itself and its partner tiles.
    near: u64,
    /// Number of tiles within two steps.
    tiles: u64,
    /// Channels from stream to memory in the modules that a core and its partners reach.
    pub(crate) channels_around: u64,
}

/// The minimum need when `near` senders share memory with the kernel.
pub(crate) struct Need {
    /// Number of windows that the kernel receives.
    pub(crate) windows: u64,
    /// Number of senders that share memory with the kernel.
    pub(crate) near: u64,
    /// Number of windows that these senders receive.
    pub(crate) received: u64,
    /// Minimum number of channels for the kernel and these senders.
    pub(crate) channels: u64,
}

/// The windows that kernels receive, and the kernels' shares of a core.
struct Flows {
    into: IdVec<KernelId, Windows>,
    /// Share of a core's time of each kernel, in 1/1000.
    shares: IdVec<KernelId, u32>,
}

/// One diagnostic for each kernel with too few channels around it.
pub(crate) fn impossible(checked: &Checked, device: &Device, grid: &Grid) -> Vec<Diagnostic> {
    let around = Surroundings::most(device, grid);
    let kernels = || checked.kernels.ids();
    let into = kernels().map(|kernel| Windows::new(checked, kernel, Direction::In)).collect();
    let flows = Flows { into, shares: checked.core_shares() };
    let proof = |kernel| Some(errors::crowded(checked, kernel, &around, &flows.need(&around, kernel)?));
    kernels().filter_map(proof).collect()
}

impl Surroundings {
    fn most(device: &Device, grid: &Grid) -> Self {
        let balls = largest(&balls(grid));
        let within = |steps: usize| balls.get(steps).or(balls.last()).copied().unwrap_or_default();
        let ([_, reach], [near, modules], [tiles, _]) = (within(0), within(1), within(2));
        let per_module = u64::from(device.tile.s2mm);
        Self { channels: reach * per_module, near, tiles, channels_around: modules * per_module }
    }
}

impl Flows {
    /// Minimum number of channels around `kernel`, if that exceeds the supply. Returns None when
    /// nothing is proved.
    fn need(&self, around: &Surroundings, kernel: KernelId) -> Option<Need> {
        let windows = self.into[kernel].all();
        let senders = &self.into[kernel].shareable;
        let fewest = windows.checked_sub(around.channels).filter(|&fewest| fewest > 0)?;
        // The count below takes one window from each sender, and no window between the kernels it
        // counts.
        let feeders: BTreeSet<KernelId> =
            senders.keys().flat_map(|&s| self.into[s].shareable.keys().copied()).collect();
        let tangled = feeders.contains(&kernel) || senders.keys().any(|s| feeders.contains(s));
        if senders.values().any(|&count| count > 1) || tangled {
            return None;
        }
        // Most windows that one feeder sends to any of the senders.
        let sent = |feeder| senders.keys().filter_map(|&s| self.into[s].shareable.get(feeder)).sum();
        let each: u64 = feeders.iter().map(sent).max().unwrap_or(0);
        let shares = |kernels: &mut dyn Iterator<Item = &KernelId>| {
            let mut shares: Vec<u64> = kernels.map(|&k| self.shares[k].into()).collect();
            shares.sort_unstable();
            shares
        };
        let (of_senders, of_feeders) = (shares(&mut senders.keys()), shares(&mut feeders.iter()));
        let mut inputs: Vec<u64> = senders.keys().map(|&s| self.into[s].all()).collect();
        inputs.sort_unstable();
        let own = u64::from(self.shares[kernel]);
        let most = room(&of_senders, time(around.near) - own);
        let needs = (fewest..=most).map(|near| {
            let some = usize::try_from(near).unwrap_or(usize::MAX);
            let received: u64 = inputs.iter().take(some).sum();
            let taken: u64 = own + of_senders.iter().take(some).sum::<u64>();
            let shared = each * room(&of_feeders, time(around.tiles).saturating_sub(taken));
            Need { windows, near, received, channels: windows - near + received.saturating_sub(shared) }
        });
        needs.min_by_key(|need| need.channels).filter(|need| need.channels > around.channels_around)
    }
}

/// The time of N cores, in 1/1000 of one.
fn time(cores: u64) -> u64 {
    cores.max(1) * u64::from(WHOLE_CORE)
}

/// How many kernels with these ascending shares fit into `time` together.
fn room(shares: &[u64], time: u64) -> u64 {
    let sums = shares.iter().scan(0, |sum, &share| {
        *sum += share;
        Some(*sum)
    });
    sums.take_while(|&sum| sum <= time).count() as u64
}
