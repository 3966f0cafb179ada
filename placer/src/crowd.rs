//! A proof that some trees cannot be placed: too many windows come together around one kernel.
//!
//! A kernel takes at most as many windows by DMA as the modules it reaches have channels. The senders of all others share
//! memory with it, so they sit on its own core or on partner tiles, and their own inputs draw on the modules around there: by DMA, or
//! from kernels within two steps of the sharing relation, of which there is only so much room. Counting both gives a number of channels
//! that no placement can do without. How many kernels have room on so many cores is counted by their shares of a core's time, the smallest
//! first. What single kernels and all kernels together need has been counted before placement.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_diag::Diagnostic;
use aiec_ir::{Direction, IdVec, KernelId, WHOLE_CORE};

use crate::{demand, errors};

/// The most that the surroundings of any tile have.
struct Surroundings {
    /// Channels from stream to memory in the modules one core reaches.
    channels: u64,
    /// The tile and its partner tiles.
    near: u64,
    /// All tiles within two steps.
    tiles: u64,
    /// Channels from stream to memory in the modules a core and its partners reach.
    channels_around: u64,
}

/// What cannot be done without, if so many senders share memory with the kernel.
pub(crate) struct Need {
    /// Senders that share memory with the kernel.
    pub(crate) near: u64,
    /// Windows these senders receive.
    pub(crate) received: u64,
    /// Channels the kernel and these senders need at least.
    pub(crate) channels: u64,
}

/// A design with what kernels send each other and take of a core.
struct Flows<'a> {
    checked: &'a Checked,
    /// For each kernel, how many windows each other sends it that could go through shared memory.
    into: Vec<BTreeMap<KernelId, u64>>,
    /// Share of a core's time of each kernel, in 1/1000.
    shares: IdVec<KernelId, u32>,
}

/// One diagnostic for each kernel around which channels cannot suffice.
pub(crate) fn impossible(checked: &Checked, device: &Device, grid: &Grid) -> Vec<Diagnostic> {
    let around = Surroundings::most(device, grid);
    let flows = Flows { checked, into: senders_of_all(checked), shares: checked.core_shares() };
    let proof = |kernel: KernelId| {
        let need = flows.need(&around, kernel)?;
        let windows = windows_into(checked, kernel);
        Some(errors::crowded(checked, kernel, windows, around.channels, &need, around.channels_around))
    };
    checked.kernels.ids().filter_map(proof).collect()
}

impl Surroundings {
    fn most(device: &Device, grid: &Grid) -> Self {
        let most = |of: &dyn Fn(TileId) -> usize| grid.ids().map(of).max().unwrap_or(0) as u64;
        let two_steps = |tile: TileId| {
            let far = grid.partners(tile).iter().flat_map(|&near| grid.partners(near));
            far.chain(grid.partners(tile)).chain(std::iter::once(&tile)).collect::<BTreeSet<_>>().len()
        };
        let modules = |tile: TileId| {
            let cores = grid.partners(tile).iter().chain(std::iter::once(&tile));
            cores.flat_map(|&core| grid.reach(core)).collect::<BTreeSet<_>>().len()
        };
        let per_module = u64::from(device.tile.s2mm);
        Self {
            channels: most(&|tile| grid.reach(tile).len()) * per_module,
            near: most(&|tile| grid.partners(tile).len() + 1),
            tiles: most(&two_steps),
            channels_around: most(&modules) * per_module,
        }
    }
}

/// Windows that `kernel` receives; streams of packets take none and no channels.
fn windows_into(checked: &Checked, kernel: KernelId) -> u64 {
    checked.kernels[kernel].inputs.iter().filter(|&&port| !checked.is_packets(port)).count() as u64
}

/// For each kernel, how many windows each other sends it that could go through shared memory.
fn senders_of_all(checked: &Checked) -> Vec<BTreeMap<KernelId, u64>> {
    let mut into = vec![BTreeMap::new(); checked.kernels.len()];
    for connection in checked.connections.iter().filter(|c| demand::may_share(checked, c.from)) {
        debug_assert_eq!(checked.ports[connection.from].direction, Direction::Out);
        if let (Some(from), Some(to)) = (checked.kernel_of(connection.from), checked.kernel_of(connection.to))
        {
            *into[to.index()].entry(from).or_insert(0) += 1;
        }
    }
    into
}

impl Flows<'_> {
    /// The least number of channels around `kernel`, if that is more than there can be; none if nothing is proved.
    fn need(&self, around: &Surroundings, kernel: KernelId) -> Option<Need> {
        let windows = windows_into(self.checked, kernel);
        let senders = &self.into[kernel.index()];
        let fewest = windows.checked_sub(around.channels).filter(|&fewest| fewest > 0)?;
        // The count below takes one window from each sender, and none between the kernels it counts.
        let feeders: BTreeSet<KernelId> =
            senders.keys().flat_map(|s| self.into[s.index()].keys().copied()).collect();
        let tangled = feeders.contains(&kernel) || senders.keys().any(|s| feeders.contains(s));
        if senders.contains_key(&kernel) || senders.values().any(|&count| count > 1) || tangled {
            return None;
        }
        let each = feeders.iter().map(|&feeder| self.sent(senders, feeder)).max().unwrap_or(0);
        let shares = |kernels: &mut dyn Iterator<Item = &KernelId>| {
            let mut shares: Vec<u64> = kernels.map(|&k| self.shares[k].into()).collect();
            shares.sort_unstable();
            shares
        };
        let (of_senders, of_feeders) = (shares(&mut senders.keys()), shares(&mut feeders.iter()));
        let mut inputs: Vec<u64> = senders.keys().map(|&s| windows_into(self.checked, s)).collect();
        inputs.sort_unstable();
        let own = u64::from(self.shares[kernel]);
        let most = room(&of_senders, time(around.near) - own);
        let needs = (fewest..=most).map(|near| {
            let some = usize::try_from(near).unwrap_or(usize::MAX);
            let received: u64 = inputs.iter().take(some).sum();
            let taken: u64 = own + of_senders.iter().take(some).sum::<u64>();
            let shared = each * room(&of_feeders, time(around.tiles).saturating_sub(taken));
            Need { near, received, channels: windows - near + received.saturating_sub(shared) }
        });
        needs.min_by_key(|need| need.channels).filter(|need| need.channels > around.channels_around)
    }

    /// Windows that `feeder` sends to any of `senders`.
    fn sent(&self, senders: &BTreeMap<KernelId, u64>, feeder: KernelId) -> u64 {
        senders.keys().filter_map(|s| self.into[s.index()].get(&feeder)).sum()
    }
}

/// The time of so many cores, in 1/1000 of one.
fn time(cores: u64) -> u64 {
    cores.max(1) * u64::from(WHOLE_CORE)
}

/// How many kernels with these shares, in ascending order, have at most `time` together.
fn room(shares: &[u64], time: u64) -> u64 {
    let sums = shares.iter().scan(0, |sum, &share| {
        *sum += share;
        Some(*sum)
    });
    sums.take_while(|&sum| sum <= time).count() as u64
}
