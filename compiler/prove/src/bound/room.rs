//! The room around a core, and the share of it that each kernel takes.
//!
//! A core shares memory with its partners. Kernels joined by shared connections sit on cores joined
//! by steps from partner to partner. Kernels within `d` shared connections of a kernel therefore
//! have their cores within `d` steps of its core, and their needs lie on these cores or in modules
//! they reach. The room within `d` steps is counted on the real array, borders included, at the
//! best position, or at the kernel's fixed tile.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use super::Counted;
use crate::contradiction::Freedom;
use crate::demand;

/// The supply of one resource around cores, and the need of each kernel.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) counted: Counted,
    /// Need of each kernel on any tile.
    pub(super) need: IdVec<KernelId, u64>,
    /// Room within 0, 1, 2, ... steps of any core. The last entry holds for more steps too.
    anywhere: Vec<u64>,
    /// The room around kernels with a fixed tile.
    fixed: BTreeMap<KernelId, Vec<u64>>,
}

impl Room {
    /// Room within `steps` of the core of `kernel`.
    pub(super) fn within(&self, kernel: KernelId, steps: usize) -> u64 {
        let table = self.fixed.get(&kernel).unwrap_or(&self.anywhere);
        table.get(steps).or(table.last()).copied().unwrap_or(u64::MAX)
    }

    /// Steps within which all kernels fit around any core. More steps prove nothing.
    pub(super) fn depth(&self) -> usize {
        let all: u64 = self.need.iter().sum();
        let tables = std::iter::once(&self.anywhere).chain(self.fixed.values());
        tables
            .map(|table| table.iter().position(|&room| room >= all).unwrap_or(table.len()))
            .max()
            .unwrap_or(0)
    }
}

/// The rooms for cells (in 1/1000 of a core if kernels may share cores), bytes and locks.
pub(super) fn rooms(checked: &Checked, device: &Device, grid: &Grid, freedom: &Freedom) -> Vec<Room> {
    let balls = Balls::new(grid);
    let only = |kernel: KernelId| {
        let mut tiles = grid.ids().filter(|tile| freedom.tiles(kernel)[tile.index()]);
        tiles.next().filter(|_| tiles.next().is_none()).map(|tile| (kernel, tile))
    };
    let tiles: BTreeMap<KernelId, TileId> = checked.kernels.ids().filter_map(only).collect();
    let room = |counted, need: IdVec<KernelId, u64>, each: u64, count: fn(&Ball) -> u64| Room {
        counted,
        need,
        anywhere: balls.most(|ball| count(ball) * each),
        fixed: tiles.iter().map(|(&k, &tile)| (k, balls.at(tile, |ball| count(ball) * each))).collect(),
    };
    let kernels = || checked.kernels.ids();
    let shares = checked.core_shares();
    let whole = shares.iter().all(|&share| share == WHOLE_CORE);
    let (need, core) = match whole {
        true => (kernels().map(|_| 1).collect(), 1),
        false => (shares.iter().map(|&share| share.into()).collect(), WHOLE_CORE.into()),
    };
    let bytes = kernels().map(|kernel| {
        let inputs = checked.kernels[kernel].inputs.iter();
        if shares[kernel] < WHOLE_CORE {
            // On a shared core a kernel has no sync area of its own, and one buffer for each window
            // that stays on the core.
            let windows: u64 = inputs.map(|&port| demand::buffer_bytes(checked, device, port)).sum();
            let sync = u64::from(device.memory.sync_bytes);
            return checked.core_system_bytes(&[kernel], device) - sync + windows;
        }
        let windows: u64 = inputs.map(|&port| demand::port_bytes(checked, device, port)).sum();
        demand::stack_bytes(checked, device, &[kernel]) + windows
    });
    let locks = kernels().map(|kernel| {
        let inputs = checked.kernels[kernel].inputs.iter();
        let alone = shares[kernel] == WHOLE_CORE;
        inputs.map(|&port| if alone { u64::from(demand::copies(checked, port)) } else { 1 }).sum()
    });
    vec![
        room(Counted::Cells, need, core, Ball::cells),
        room(Counted::Bytes, bytes.collect(), device.memory.module_bytes.into(), Ball::modules),
        room(Counted::Locks, locks.collect(), device.tile.locks.into(), Ball::modules),
    ]
}

/// Counts within N steps of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ball {
    cells: u64,
    /// Modules that these cells reach.
    modules: u64,
}

impl Ball {
    const fn cells(&self) -> u64 {
        self.cells
    }

    const fn modules(&self) -> u64 {
        self.modules
    }
}

/// The balls around every core, for growing numbers of steps until they no longer grow.
struct Balls(Vec<Vec<Ball>>);

impl Balls {
    fn new(grid: &Grid) -> Self {
        Self(grid.ids().map(|tile| balls(grid, tile)).collect())
    }

    fn at(&self, tile: TileId, of: impl Fn(&Ball) -> u64) -> Vec<u64> {
        self.0.get(tile.index()).map(|balls| balls.iter().map(of).collect()).unwrap_or_default()
    }

    /// The maximum over all cores, for each number of steps.
    fn most(&self, of: impl Fn(&Ball) -> u64) -> Vec<u64> {
        let longest = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let at = |balls: &Vec<Ball>, steps: usize| balls.get(steps).or(balls.last()).map_or(0, &of);
        (0..longest).map(|steps| self.0.iter().map(|balls| at(balls, steps)).max().unwrap_or(0)).collect()
    }
}

fn balls(grid: &Grid, centre: TileId) -> Vec<Ball> {
    let mut cells = BTreeSet::from([centre]);
    let mut modules: BTreeSet<TileId> = grid.reach(centre).iter().copied().collect();
    let (mut border, mut balls) = (vec![centre], Vec::new());
    while !border.is_empty() {
        balls.push(Ball { cells: cells.len() as u64, modules: modules.len() as u64 });
        let near = border.iter().flat_map(|&tile| grid.partners(tile)).copied();
        border = near.collect::<BTreeSet<_>>().into_iter().filter(|&tile| cells.insert(tile)).collect();
        modules.extend(border.iter().flat_map(|&tile| grid.reach(tile)));
    }
    balls
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use aiec_device::builtin;

    /// The room on `grid` for `kernels` kernels, one on each cell.
    pub(crate) fn cells(grid: &Grid, kernels: usize) -> Room {
        let anywhere = Balls::new(grid).most(|ball| ball.cells);
        Room {
            counted: Counted::Cells,
            need: (0..kernels).map(|_| 1).collect(),
            anywhere,
            fixed: BTreeMap::new(),
        }
    }

    #[test]
    fn an_inner_core_of_xcvc1902_has_9_24_40_56_and_72_cells_within_1_to_5_steps() {
        let device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
        let room = cells(&Grid::new(&device), 400);
        let within: Vec<u64> = (0..6).map(|steps| room.within(KernelId(7), steps)).collect();
        assert_eq!(within, [1, 9, 24, 40, 56, 72]);
    }
}
