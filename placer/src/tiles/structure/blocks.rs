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
use super::components::MemberId;
use crate::formation::moved;

/// Kernels with tiles anywhere on the array. `K` is [`KernelId`], or [`MemberId`] in a component.
#[derive(Clone, Debug)]
pub(crate) struct Block<K = KernelId> {
    pub(crate) kernels: Vec<K>,
    pub(crate) tiles: Vec<TileId>,
}

impl Block<MemberId> {
    /// The kernels on the first of `cells`, columns and rows of the array. Returns None when there
    /// are too few.
    pub(super) fn on_cells(
        grid: &Grid,
        kernels: &[MemberId],
        cells: impl Iterator<Item = (usize, usize)>,
    ) -> Option<Self> {
        let tile = |(column, row)| grid.at(i64::try_from(column).ok()?, i64::try_from(row).ok()?);
        let tiles: Vec<TileId> = cells.take(kernels.len()).map(tile).collect::<Option<_>>()?;
        (tiles.len() == kernels.len()).then(|| Self { kernels: kernels.to_vec(), tiles })
    }
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
/// bound blocks, each block goes as far west as it fits, and the whole then moves to the centre.
/// Returns None when the blocks do not fit.
pub(crate) fn pack(problem: &TileProblem<'_>, blocks: &[Block]) -> Option<Wish> {
    let grid = problem.grid;
    let mut used: Vec<bool> = grid.ids().map(|tile| !grid.is_open(tile)).collect();
    let mut result: Wish = IdVec::filled(None, problem.kernels());
    let (bound, free): (Vec<&Block>, Vec<&Block>) = blocks.iter().partition(|block| block.is_bound(problem));
    let centre = i64::from(problem.centre());
    let near = bound.first().map(|_| centre);
    for block in bound.iter().chain(&free) {
        let tiles = match block.is_bound(problem) {
            true => best_fit(problem, block, &used)?.1,
            false => fits(grid, &block.tiles, &used, near).next()?,
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
    let (west, east) = extent(grid, &all);
    let last = i64::from(grid.columns()) - 1;
    let by = (centre - (west + east) / 2).clamp(-west, last - east);
    let centred: Wish = result.iter().map(|tile| tile.and_then(|tile| moved(grid, tile, by, 0))).collect();
    let is_open = centred.iter().flatten().all(|&tile| grid.is_open(tile));
    Some(if is_open { centred } else { result })
}

/// The best position of `block`, shifted or turned by 180 degrees, near the centre: the
/// number of misplaced kernels, and the tiles.
pub(super) fn best_fit(
    problem: &TileProblem<'_>,
    block: &Block,
    used: &[bool],
) -> Option<(usize, Vec<TileId>)> {
    let grid = problem.grid;
    let turned = || block.tiles.iter().map(|&tile| opposite(grid, tile)).collect::<Option<_>>();
    // The core at the other end of an odd number of rows has its neighbour on the same side.
    let turned = grid.rows().is_multiple_of(2).then(turned).flatten();
    let forms: Vec<Vec<TileId>> = std::iter::once(block.tiles.clone()).chain(turned).collect();
    let all = forms.iter().flat_map(|tiles| fits(grid, tiles, used, Some(problem.centre().into())));
    // The first of equals is the nearest.
    all.map(|tiles| (block.misplaced(problem, &tiles), tiles)).min_by_key(|(misplaced, _)| *misplaced)
}

/// The tiles shifted onto unused ones in all ways: the westernmost first, then the lowest; or the
/// nearest to a column.
fn fits<'a>(
    grid: &'a Grid,
    tiles: &'a [TileId],
    used: &'a [bool],
    near: Option<i64>,
) -> impl Iterator<Item = Vec<TileId>> + 'a {
    let (west, east) = extent(grid, tiles);
    let low = tiles.iter().map(|&tile| i64::from(grid.tile(tile).row)).min().unwrap_or(0);
    let (columns, rows) = (i64::from(grid.columns()), i64::from(grid.rows()));
    let steps = (0..columns).flat_map(|column| (0..rows).map(move |row| (column - west, row - low)));
    let mut steps: Vec<(i64, i64)> = steps.filter(|(_, row)| row % 2 == 0).collect();
    if let Some(near) = near {
        steps.sort_by_key(|(by, _)| (2 * (near - by) - west - east).abs());
    }
    steps.into_iter().filter_map(move |(column, row)| {
        let shifted = tiles.iter().map(|&tile| moved(grid, tile, column, row));
        shifted.map(|tile| tile.filter(|tile| !used[tile.index()])).collect()
    })
}

/// The westernmost and the easternmost column of the tiles.
fn extent(grid: &Grid, tiles: &[TileId]) -> (i64, i64) {
    let columns = || tiles.iter().map(|&tile| i64::from(grid.tile(tile).column));
    (columns().min().unwrap_or(0), columns().max().unwrap_or(0))
}

/// The tile turned by 180 degrees around the middle of the array.
fn opposite(grid: &Grid, tile: TileId) -> Option<TileId> {
    let tile = grid.tile(tile);
    grid.id(Tile::new(grid.columns() - 1 - tile.column, grid.rows() - 1 - tile.row))
}

/// Number of columns and rows of the array.
pub(super) fn size(grid: &Grid) -> (usize, usize) {
    (grid.columns().into(), grid.rows().into())
}
