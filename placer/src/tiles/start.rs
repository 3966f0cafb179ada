//! Constructive placements: where the search begins.
//!
//! Kernels are put in depth-first order along the columns of a region around the centre, so that subtrees stay together;
//! fixed kernels keep their tiles.

use aiec_device::TileId;

use super::problem::TileProblem;

/// Tiles for all kernels, none twice, fixed kernels where they must be; none if there are more kernels than tiles.
pub(crate) fn columns(problem: &TileProblem<'_>, centre: u16) -> Option<Vec<TileId>> {
    let mut tiles: Vec<Option<TileId>> = problem.fixed.clone();
    let mut free = region(problem, centre).into_iter().filter(|tile| !problem.fixed.contains(&Some(*tile)));
    for kernel in depth_first(problem) {
        if tiles[kernel].is_none() {
            tiles[kernel] = Some(free.next()?);
        }
    }
    tiles.into_iter().collect()
}

/// Tiles in boustrophedon order over the fewest columns around `centre` that hold all kernels, then those of the other columns.
fn region(problem: &TileProblem<'_>, centre: u16) -> Vec<TileId> {
    let grid = problem.grid;
    let columns = grid.ids().last().map_or(0, |id| grid.tile(id).column + 1);
    let rows = grid.len() / usize::from(columns).max(1);
    let taken = problem.fixed.iter().flatten().count();
    let width =
        u16::try_from((problem.kernels() + taken).div_ceil(rows.max(1))).unwrap_or(columns).min(columns);
    let first = centre.saturating_sub(width / 2).min(columns - width);
    let mut tiles: Vec<TileId> = grid.ids().collect();
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

/// All kernels in depth-first order, every component from its first kernel.
fn depth_first(problem: &TileProblem<'_>) -> Vec<usize> {
    let mut seen = vec![false; problem.kernels()];
    let mut order = Vec::with_capacity(problem.kernels());
    for root in 0..problem.kernels() {
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
