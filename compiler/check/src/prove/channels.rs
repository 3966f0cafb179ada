//! Proves infeasibility: some kernels find no tile with the DMA channels and the memory that each
//! kernel needs by itself.
//!
//! A kernel's windows by DMA take channels of the modules in its reach. For each tile that the
//! constraints allow, the proof counts how many of its windows can be shared at most: their other
//! ends need different cores around that tile. The kernels that find such cores form a matroid, so
//! the greedy algorithm solves this assignment. Buffers and stack cannot be split, so they fill a
//! minimum number of modules, and some tiles reach fewer. Kernels with cores of their own then need
//! different tiles (bipartite matching). The proof ignores what other kernels take from the same
//! modules, so every shortage it finds holds in every placement.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::{Checked, Watch, filled_modules};
use aiec_device::{Device, Grid, TileId};
use aiec_diag::Diagnostic;
use aiec_ir::{Direction, IdVec, KernelId, WHOLE_CORE};

use crate::prove::contradiction::Freedom;
use crate::prove::errors;
use crate::prove::matching::Matching;
use crate::statement::Pins;

/// A kernel that needs more DMA channels than its best tile reaches.
pub(crate) struct Shortfall {
    pub(crate) kernel: KernelId,
    pub(crate) direction: Direction,
    /// Number of the kernel's windows in that direction.
    pub(crate) windows: u64,
    /// Minimum number of windows by DMA on the best tile. Each takes one channel.
    pub(crate) demand: u64,
    /// Channels of the modules in reach of the best tile.
    pub(crate) supply: u64,
    pub(crate) tile: TileId,
    /// Kernels at the other ends that find no core with shared memory.
    pub(crate) far: BTreeSet<KernelId>,
}

/// A Hall violator: kernels that each need a core of their own, and have too few tiles together.
pub(crate) struct FewTiles {
    pub(crate) kernels: Vec<KernelId>,
    /// Tiles that meet the needs of at least one of the kernels.
    pub(crate) tiles: Vec<TileId>,
}

/// One diagnostic for each kernel without enough channels on any tile, or one for kernels with too
/// few tiles. Empty when nothing is proved.
pub(crate) fn impossible(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    pins: &Pins,
    watch: &dyn Watch,
) -> Vec<Diagnostic> {
    let freedom = Freedom::new(checked, device, pins, watch);
    let around = Around::new(checked, device, grid, &freedom);
    let kernels = checked.kernels.ids();
    let kernels = kernels.flat_map(|kernel| [Direction::In, Direction::Out].map(|way| (kernel, way)));
    let found = kernels.filter_map(|(kernel, direction)| around.shortage(kernel, direction));
    let found: Vec<_> = found.map(|short| errors::no_channels(checked, grid, pins, &short)).collect();
    if !found.is_empty() {
        return found;
    }
    let few = around.few_tiles();
    few.map(|few| errors::few_tiles(checked, grid, pins, &few)).into_iter().collect()
}

struct Around<'a> {
    checked: &'a Checked,
    device: &'a Device,
    grid: &'a Grid,
    /// Tiles that the constraints allow each kernel.
    freedom: &'a Freedom,
    /// Share of a core's time of each kernel, in 1/1000.
    shares: IdVec<KernelId, u32>,
}

/// The windows of a kernel in one direction, without those to itself.
pub(crate) struct Windows {
    /// Windows that go by DMA on every tile.
    certain: u64,
    /// For each other kernel, the number of windows that could go through shared memory.
    pub(crate) shareable: BTreeMap<KernelId, u64>,
}

impl Windows {
    pub(crate) fn new(checked: &Checked, kernel: KernelId, direction: Direction) -> Self {
        let entry = &checked.kernels[kernel];
        let ports = if direction == Direction::In { &entry.inputs } else { &entry.outputs };
        let mut windows = Self { certain: 0, shareable: BTreeMap::new() };
        for &port in ports.iter().filter(|&&port| checked.has_buffers(port)) {
            let connections = checked.ports[port].connections.iter().map(|&id| &checked.connections[id]);
            let ends = connections.map(|c| c.other(port));
            let other = ends.filter_map(|end| checked.kernel_of(end)).next();
            match other.filter(|_| checked.may_share(port)) {
                Some(other) if other == kernel => {}
                Some(other) => *windows.shareable.entry(other).or_default() += 1,
                None => windows.certain += u64::from(!checked.ports[port].connections.is_empty()),
            }
        }
        windows
    }

    pub(crate) fn all(&self) -> u64 {
        self.certain + self.shareable.values().sum::<u64>()
    }
}

impl<'a> Around<'a> {
    fn new(checked: &'a Checked, device: &'a Device, grid: &'a Grid, freedom: &'a Freedom) -> Self {
        Self { checked, device, grid, freedom, shares: checked.core_shares() }
    }

    /// Finds kernels with cores of their own that have too few suitable tiles together.
    fn few_tiles(&self) -> Option<FewTiles> {
        let filled = filled_modules(self.checked, self.device);
        let kernels = self.checked.kernels.ids().filter(|&kernel| 2 * self.shares[kernel] > WHOLE_CORE);
        let tiles = |kernel: KernelId| {
            let windows =
                [Direction::In, Direction::Out].map(|way| (Windows::new(self.checked, kernel, way), way));
            let has = |tile: &TileId| {
                self.freedom.tiles(kernel)[tile.index()]
                    && self.grid.reach(*tile).len() as u64 >= filled[kernel]
                    && windows.iter().all(|(all, way)| self.shortage_at(*tile, kernel, *way, all).is_none())
            };
            self.grid.ids().filter(has).collect()
        };
        let mut all: Vec<(KernelId, Vec<TileId>)> = kernels.map(|kernel| (kernel, tiles(kernel))).collect();
        all.sort_by_key(|(kernel, tiles)| (tiles.len(), *kernel));
        let mut matching = Matching::empty(all.len(), self.grid.len());
        let may = |kernel: usize, tile: usize| all[kernel].1.binary_search(&TileId(tile as u16)).is_ok();
        let short = (0..all.len()).find_map(|kernel| matching.augment(kernel, may).err())?;
        let mut kernels: Vec<KernelId> = short.iter().map(|&at| all[at].0).collect();
        kernels.sort_unstable();
        let tiles: BTreeSet<TileId> = short.iter().flat_map(|&at| all[at].1.iter().copied()).collect();
        Some(FewTiles { kernels, tiles: tiles.into_iter().collect() })
    }

    /// Number of channels of a module.
    fn channels(&self, direction: Direction) -> u64 {
        let tile = &self.device.tile;
        u64::from(if direction == Direction::In { tile.s2mm } else { tile.mm2s })
    }

    /// The shortage on the best tile, if every tile of `kernel` has one.
    fn shortage(&self, kernel: KernelId, direction: Direction) -> Option<Shortfall> {
        let windows = Windows::new(self.checked, kernel, direction);
        let allowed = self.grid.ids().filter(|tile| self.freedom.tiles(kernel)[tile.index()]);
        let all = allowed.map(|tile| self.shortage_at(tile, kernel, direction, &windows));
        all.collect::<Option<Vec<_>>>()?.into_iter().min_by_key(|short| short.demand - short.supply)
    }

    /// The shortage with `kernel` on `tile`. Ignores what all other kernels take.
    fn shortage_at(
        &self,
        tile: TileId,
        kernel: KernelId,
        direction: Direction,
        windows: &Windows,
    ) -> Option<Shortfall> {
        let (all, supply) = (windows.all(), self.grid.reach(tile).len() as u64 * self.channels(direction));
        if all <= supply {
            return None;
        }
        let (shared, far) = self.shared(kernel, tile, windows);
        let short = Shortfall { kernel, direction, windows: all, demand: all - shared, supply, tile, far };
        (short.demand > supply).then_some(short)
    }

    /// Maximum number of windows that go through shared memory with `kernel` on `tile`, and the
    /// kernels at the other ends of the remaining windows.
    fn shared(&self, kernel: KernelId, tile: TileId, windows: &Windows) -> (u64, BTreeSet<KernelId>) {
        let mut others: Vec<(KernelId, u64)> = windows.shareable.iter().map(|(&k, &n)| (k, n)).collect();
        others.sort_by_key(|&(other, windows)| (Reverse(windows), other));
        let near = self.grid.partners(tile);
        let mut matching = Matching::empty(others.len(), near.len());
        let (mut shared, mut far) = (0, BTreeSet::new());
        let may = |other: KernelId, tile: TileId| self.freedom.tiles(other)[tile.index()];
        for (at, &(other, count)) in others.iter().enumerate() {
            // Kernels that use part of a core are not counted: they may share one core.
            let finds = !self.freedom.never_share(kernel, other)
                && match self.shares[other] < WHOLE_CORE {
                    true => may(other, tile) || near.iter().any(|&tile| may(other, tile)),
                    false => matching.augment(at, |at, place| may(others[at].0, near[place])).is_ok(),
                };
            match finds {
                true => shared += count,
                false => _ = far.insert(other),
            }
        }
        (shared, far)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Alone;
    use aiec_test_support::exhaustive::{Grids, any_tiles, constrain, keeps_all, random, toy};
    use aiec_test_support::{Builder, Reduce, int32};
    use proptest::prelude::*;

    /// Windows by DMA of `kernel` in one direction, and channels for them, with the kernels on
    /// `tiles`.
    fn need(around: &Around<'_>, kernel: KernelId, way: Direction, tiles: &[TileId]) -> (u64, u64) {
        let (windows, tile) = (Windows::new(around.checked, kernel, way), tiles[kernel.index()]);
        let near = |other: KernelId| around.grid.shared(tile, tiles[other.index()]).next().is_some();
        let far = windows.shareable.iter().filter(|(other, _)| !near(**other)).map(|(_, count)| count);
        let supply = around.grid.reach(tile).len() as u64 * around.channels(way);
        (windows.certain + far.sum::<u64>(), supply)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// An array of 3 by 3 with one channel per module. Three kernels each send two windows to
        /// the first kernel.
        #[test]
        fn no_tiles_have_the_channels_where_a_shortage_is_told(constraints in random()) {
            let mut device = toy(3, 3);
            device.tile.s2mm = 1;
            let mut builder = Builder::new("few", "toy");
            builder.kernels("k", &[4], &[]).reduce(Reduce::over("t", &["k"], int32(4)).arity(3));
            builder.reduce(Reduce::over("u", &["k"], int32(4)).arity(3));
            let expanded = constrain(builder, &constraints, 3, 3).expanded().expect("names are right");
            let checked = crate::check(expanded, &device).into_parts().0;
            if let Some(checked) = checked {
                let freedom = Freedom::new(&checked, &device, &Pins::default(), &Alone);
                let grid = checked.open_grid(&device);
                let around = Around::new(&checked, &device, &grid, &freedom);
                let grids = Grids { open: &grid, whole: &grid };
                let some = |accepts: &dyn Fn(&[TileId]) -> bool| {
                    let keeps = |tiles: &[TileId]| keeps_all(&checked, grids, tiles) && accepts(tiles);
                    any_tiles(&checked, &grid, &mut Vec::new(), &keeps)
                };
                if let Some(short) = around.shortage(KernelId(0), Direction::In) {
                    let told = short.demand - short.supply;
                    let less = some(&|tiles| {
                        let (demand, supply) = need(&around, KernelId(0), Direction::In, tiles);
                        demand < supply + told
                    });
                    prop_assert!(!less, "less than {told} too many");
                }
                if let Some(few) = around.few_tiles() {
                    let ways = [Direction::In, Direction::Out];
                    let has = |&kernel: &KernelId, tiles: &[TileId]| ways.iter().all(|&way| {
                        let (demand, supply) = need(&around, kernel, way, tiles);
                        demand <= supply
                    });
                    let all = some(&|tiles| few.kernels.iter().all(|kernel| has(kernel, tiles)));
                    prop_assert!(!all, "{:?}", few.tiles);
                }
            }
        }
    }
}
