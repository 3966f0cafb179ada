//! The room around a core, and the share of it that each kernel takes.
//!
//! Kernels within `d` shared connections of a kernel have their cores within `d` steps, from
//! partner to partner, of its core, and their needs lie on these cores or in modules they reach.
//! The room within `d` steps is counted on the real array, borders included, at the best position.

use crate::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};
use fixedbitset::FixedBitSet;

use super::Counted;

/// The supply of one resource around cores, and the need of each kernel.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) counted: Counted,
    /// Need of each kernel on any tile.
    pub(super) need: IdVec<KernelId, u64>,
    /// Room within 0, 1, 2, ... steps of any core. The last entry holds for more steps too.
    around: Vec<u64>,
}

impl Room {
    /// Room within `steps` of any core.
    pub(super) fn within(&self, steps: usize) -> u64 {
        self.around.get(steps).or(self.around.last()).copied().unwrap_or(u64::MAX)
    }

    /// Steps within which all kernels fit around any core. More steps prove nothing.
    pub(super) fn depth(&self) -> usize {
        let all: u64 = self.need.iter().sum();
        self.around.iter().position(|&room| room >= all).unwrap_or(self.around.len())
    }
}

/// The rooms for cells (in 1/1000 of a core if kernels may share cores) and for bytes.
pub(super) fn rooms(checked: &Checked, device: &Device, grid: &Grid) -> Vec<Room> {
    let balls = largest(&balls(grid));
    let room = |counted: Counted, need: IdVec<KernelId, u64>, each: u64| Room {
        counted,
        need,
        around: balls.iter().map(|ball| ball[counted as usize] * each).collect(),
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
            let windows: u64 = inputs.map(|&port| checked.buffer_bytes(port, device)).sum();
            return checked.added_bytes(kernel, shares[kernel], device) + windows;
        }
        let windows: u64 = inputs.map(|&port| checked.port_bytes(port, device)).sum();
        checked.stack_area_bytes(&[kernel], device) + windows
    });
    vec![
        room(Counted::Cells, need, core),
        room(Counted::Bytes, bytes.collect(), device.memory.module_bytes.into()),
    ]
}

/// The cells within N steps of one core, and the modules that these cells reach, as [`Counted`].
pub(crate) type Ball = [u64; 2];

/// The balls around every core, for growing numbers of steps until they no longer grow.
pub(crate) fn balls(grid: &Grid) -> Vec<Vec<Ball>> {
    let none = FixedBitSet::with_capacity(grid.len());
    let around = |centre: TileId| {
        let (mut cells, mut modules) = (none.clone(), none.clone());
        let (mut border, mut balls) = (vec![centre], Vec::new());
        cells.insert(centre.index());
        while !border.is_empty() {
            modules.extend(border.iter().flat_map(|&tile| grid.reach(tile)).map(|module| module.index()));
            balls.push([cells.count_ones(..) as u64, modules.count_ones(..) as u64]);
            let near = border.iter().flat_map(|&tile| grid.partners(tile)).copied();
            border = near.filter(|tile| !cells.put(tile.index())).collect();
        }
        balls
    };
    grid.ids().map(around).collect()
}

/// The maximum over all cores, for each number of steps.
pub(crate) fn largest(balls: &[Vec<Ball>]) -> Vec<Ball> {
    let longest = balls.iter().map(Vec::len).max().unwrap_or(0);
    let most = |steps: usize, what: usize| {
        let all = balls.iter().filter_map(|balls| balls.get(steps).or(balls.last()));
        all.map(|ball| ball[what]).max().unwrap_or(0)
    };
    (0..longest).map(|steps| [0, 1].map(|what| most(steps, what))).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use aiec_device::builtin;

    /// The room on `grid` for `kernels` kernels, one on each cell.
    pub(crate) fn cells(grid: &Grid, kernels: usize) -> Room {
        let around = largest(&balls(grid)).into_iter().map(|[cells, _]| cells).collect();
        let need = (0..kernels).map(|_| 1).collect();
        Room { counted: Counted::Cells, need, around }
    }

    #[test]
    fn an_inner_core_of_xcvc1902_has_9_24_40_56_and_72_cells_within_1_to_5_steps() {
        let device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
        let room = cells(&Grid::new(&device), 400);
        let within: Vec<u64> = (0..6).map(|steps| room.within(steps)).collect();
        assert_eq!(within, [1, 9, 24, 40, 56, 72]);
    }
}
