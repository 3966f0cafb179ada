//! Blocks: parts of a design laid out independently, then packed side by side.
//!
//! The sharing relation is the same from every column, and from every second row if the horizontal
//! neighbour alternates with the rows. A block shifted that way still shares what it shared before.
//! So does a block turned by 180 degrees on an even number of rows. Kernels with fixed tiles and
//! closed tiles decide where a block goes.

use aiec_device::{Grid, Tile, TileId};
use aiec_ir::{IdVec, KernelId};

use super::super::fill::Wish;
use super::super::problem::TileProblem;
use crate::formation::moved;

/// Kernels with their tiles, anywhere on the array. `K` is [`KernelId`], or
/// [`MemberId`](super::components::MemberId) in a component.
#[derive(Clone, Debug)]
pub(crate) struct Block<K = KernelId> {
    pub(crate) kernels: Vec<K>,
    pub(crate) tiles: Vec<TileId>,
}

impl Block {
    /// True if some kernel may not take every open tile.
    pub(super) fn is_bound(&self, problem: &TileProblem<'_>) -> bool {
        self.kernels.iter().any(|&k| problem.rules.is_narrowed(k))
    }

    /// Number of kernels on tiles they may not take, with the block on `tiles`.
    fn misplaced(&self, problem: &TileProblem<'_>, tiles: &[TileId]) -> usize {
        self.kernels.iter().zip(tiles).filter(|&(&k, &tile)| !problem.allows(k, tile)).count()
    }
}

/// Packs blocks (first fit) and returns a tile for each kernel in any block. Blocks with bound
/// kernels go first, where their rules hold, and the others as near to them as possible. Without
/// bound blocks, each block goes as far west as it fits, and the whole is then centred on the
/// column `centre`. Returns None when the blocks do not fit.
pub(crate) fn pack(problem: &TileProblem<'_>, blocks: &[Block], centre: u16) -> Option<Wish> {
    let grid = problem.grid;
    let mut used: Vec<bool> = grid.ids().map(|tile| !grid.is_open(tile)).collect();
    let mut result: Wish = IdVec::filled(None, problem.kernels());
    let (bound, free): (Vec<&Block>, Vec<&Block>) = blocks.iter().partition(|block| block.is_bound(problem));
    let near = bound.first().map(|_| i32::from(centre));
    for block in bound.iter().chain(&free) {
        let tiles = match block.is_bound(problem) {
            true => best_fit(problem, block, &used, centre)?.1,
            false => first_fit(grid, &block.tiles, &used, near)?,
        };
        for (&kernel, tile) in block.kernels.iter().zip(tiles) {
            used[tile.index()] = true;
            result[kernel] = Some(tile);
        }
    }
    if !bound.is_empty() {
        return Some(result);
    }
    let all: Vec<TileId> = result.iter().flatten().copied().collect();
    let by = columns_to_centre(grid, &all, centre);
    let centred: Wish =
        result.iter().map(|tile| tile.and_then(|tile| moved(grid, tile, by.into(), 0))).collect();
    let is_open = centred.iter().flatten().all(|&tile| grid.is_open(tile));
    Some(if is_open { centred } else { result })
}

/// The best position of `block`, shifted or turned by 180 degrees, near the column `centre`: the
/// number of misplaced kernels, and the tiles.
pub(super) fn best_fit(
    problem: &TileProblem<'_>,
    block: &Block,
    used: &[bool],
    centre: u16,
) -> Option<(usize, Vec<TileId>)> {
    let grid = problem.grid;
    let turned = || block.tiles.iter().map(|&tile| opposite(grid, tile)).collect::<Option<_>>();
    let turned = may_turn(problem).then(turned).flatten();
    let forms = std::iter::once(block.tiles.clone()).chain(turned);
    let fits = forms.flat_map(|tiles| {
        let steps = shifts(grid, &tiles, Some(i32::from(centre)));
        let at = |(column, row)| place(grid, &tiles, column, row, used);
        steps.into_iter().filter_map(at).collect::<Vec<_>>()
    });
    // The first of equals is the nearest.
    fits.map(|tiles| (block.misplaced(problem, &tiles), tiles)).min_by_key(|(misplaced, _)| *misplaced)
}

/// The first shift of the tiles onto unused ones: westernmost, then lowest, or nearest to a column.
fn first_fit(grid: &Grid, tiles: &[TileId], used: &[bool], near: Option<i32>) -> Option<Vec<TileId>> {
    shifts(grid, tiles, near).into_iter().find_map(|(column, row)| place(grid, tiles, column, row, used))
}

fn place(grid: &Grid, tiles: &[TileId], column: i32, row: i32, used: &[bool]) -> Option<Vec<TileId>> {
    tiles
        .iter()
        .map(|&tile| moved(grid, tile, column.into(), row.into()).filter(|t| !used[t.index()]))
        .collect()
}

/// Shifts of the tiles by columns and rows, in the order in which to try them.
fn shifts(grid: &Grid, tiles: &[TileId], near: Option<i32>) -> Vec<(i32, i32)> {
    let (columns, rows) = size(grid);
    let column = |&tile: &TileId| i32::from(grid.tile(tile).column);
    let (west, east) =
        (tiles.iter().map(column).min().unwrap_or(0), tiles.iter().map(column).max().unwrap_or(0));
    let low = tiles.iter().map(|&t| i32::from(grid.tile(t).row)).min().unwrap_or(0);
    let steps = (0..columns).flat_map(|c| (0..rows).map(move |r| (c - west, r - low)));
    let mut even: Vec<(i32, i32)> = steps.filter(|(_, row)| row % 2 == 0).collect();
    if let Some(near) = near {
        even.sort_by_key(|(by, _)| (2 * (near - by) - west - east).abs());
    }
    even
}

/// The tile turned by 180 degrees around the middle of the array.
fn opposite(grid: &Grid, tile: TileId) -> Option<TileId> {
    let tile = grid.tile(tile);
    grid.id(Tile::new(grid.columns() - 1 - tile.column, grid.rows() - 1 - tile.row))
}

/// True if turned tiles share what they shared before: the horizontal neighbour alternates and the
/// number of rows is even.
fn may_turn(problem: &TileProblem<'_>) -> bool {
    let grid = problem.grid;
    let shares = |a: TileId, b: TileId| {
        let ends = opposite(grid, a).zip(opposite(grid, b));
        ends.is_some_and(|(a, b)| problem.gap(a, b) == 0)
    };
    grid.ids().all(|tile| {
        !grid.is_open(tile)
            || grid.partners(tile).iter().all(|&other| shares(tile, other) || !turns_open(grid, tile, other))
    })
}

fn turns_open(grid: &Grid, a: TileId, b: TileId) -> bool {
    [a, b].into_iter().all(|tile| opposite(grid, tile).is_some_and(|tile| grid.is_open(tile)))
}

/// Shift in columns that centres all tiles on `centre`, as far as the array allows.
fn columns_to_centre(grid: &Grid, tiles: &[TileId], centre: u16) -> i32 {
    let column = |&tile: &TileId| i32::from(grid.tile(tile).column);
    let west = tiles.iter().map(column).min().unwrap_or(0);
    let east = tiles.iter().map(column).max().unwrap_or(0);
    (i32::from(centre) - i32::midpoint(west, east)).clamp(-west, size(grid).0 - 1 - east)
}

/// Number of columns and rows of the array.
pub(crate) fn size(grid: &Grid) -> (i32, i32) {
    (grid.columns().into(), grid.rows().into())
}
