//! Orders of tiles and of kernels.

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId};

use super::problem::TileProblem;

/// Open tiles in boustrophedon order over the fewest columns around the centre that hold all
/// kernels, then those of the other columns.
pub(super) fn region(problem: &TileProblem<'_>) -> Vec<TileId> {
    let (grid, centre) = (problem.grid, problem.centre());
    let columns = grid.columns();
    let taken = problem.fixed.iter().flatten().count() + grid.len() - grid.open_tiles();
    let width = (problem.kernels() + taken).div_ceil(grid.rows().into());
    let width = u16::try_from(width).unwrap_or(columns).min(columns);
    let first = centre.saturating_sub(width / 2).min(columns - width);
    let mut tiles: Vec<TileId> = grid.ids().filter(|&id| grid.is_open(id)).collect();
    tiles.sort_by_key(|&id| {
        let tile = grid.tile(id);
        // Columns of the region from west to east, then the others from near to far.
        let outside =
            if (first..first + width).contains(&tile.column) { 0 } else { tile.column.abs_diff(centre) };
        let row = if tile.column.is_multiple_of(2) { i32::from(tile.row) } else { -i32::from(tile.row) };
        (outside, tile.column, row)
    });
    tiles
}

/// All kernels in depth-first order. Each component starts at its first kernel.
pub(super) fn depth_first(problem: &TileProblem<'_>) -> Vec<KernelId> {
    let mut seen = IdVec::filled(false, problem.kernels());
    let mut order = Vec::with_capacity(problem.kernels());
    for root in problem.ids() {
        let mut stack = vec![root];
        while let Some(kernel) = stack.pop() {
            if !std::mem::replace(&mut seen[kernel], true) {
                order.push(kernel);
                stack.extend(problem.neighbours[kernel].iter().rev().map(|n| n.kernel).filter(|&k| !seen[k]));
            }
        }
    }
    order
}
