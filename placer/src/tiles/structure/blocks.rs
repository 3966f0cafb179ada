//! Blocks: parts of a design laid out by themselves, then put beside each other.
//!
//! The sharing relation looks the same from every column, and from every second row where the horizontal neighbour alternates with
//! the rows: a block may be moved that way and shares what it shared before.

use aiec_device::{Grid, Tile, TileId};

/// Kernels with their tiles, somewhere on the array.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) kernels: Vec<usize>,
    pub(crate) tiles: Vec<TileId>,
}

/// Puts `blocks` one after the other as far west as they go, then all around the column `centre`; a tile for each of the kernels
/// in any block, none if they find no room.
pub(crate) fn pack(
    grid: &Grid,
    blocks: &[Block],
    kernels: usize,
    centre: u16,
) -> Option<Vec<Option<TileId>>> {
    let mut used = vec![false; grid.len()];
    let mut result = vec![None; kernels];
    for block in blocks {
        let tiles = first_fit(grid, &block.tiles, &used)?;
        for (&kernel, tile) in block.kernels.iter().zip(tiles) {
            used[tile.index()] = true;
            result[kernel] = Some(tile);
        }
    }
    let all: Vec<TileId> = result.iter().flatten().copied().collect();
    let by = columns_to_centre(grid, &all, centre);
    Some(result.into_iter().map(|tile| tile.and_then(|tile| moved(grid, tile, by, 0))).collect())
}

/// The tiles moved to the westernmost, then lowest place where none is used.
fn first_fit(grid: &Grid, tiles: &[TileId], used: &[bool]) -> Option<Vec<TileId>> {
    let (columns, rows) = size(grid);
    let west = tiles.iter().map(|&t| i32::from(grid.tile(t).column)).min()?;
    let low = tiles.iter().map(|&t| i32::from(grid.tile(t).row)).min()?;
    let steps = (0..columns).flat_map(|c| (0..rows).map(move |r| (c - west, r - low)));
    let mut even = steps.filter(|(_, row)| row % 2 == 0);
    even.find_map(|(column, row)| {
        let place = |&tile: &TileId| moved(grid, tile, column, row).filter(|t| !used[t.index()]);
        tiles.iter().map(place).collect()
    })
}

/// Columns by which to move everything so that its middle comes to `centre`, as far as the array allows.
fn columns_to_centre(grid: &Grid, tiles: &[TileId], centre: u16) -> i32 {
    let column = |&tile: &TileId| i32::from(grid.tile(tile).column);
    let west = tiles.iter().map(column).min().unwrap_or(0);
    let east = tiles.iter().map(column).max().unwrap_or(0);
    (i32::from(centre) - i32::midpoint(west, east)).clamp(-west, size(grid).0 - 1 - east)
}

/// The tile so many columns and rows further, if it is on the array.
fn moved(grid: &Grid, tile: TileId, columns: i32, rows: i32) -> Option<TileId> {
    let tile = grid.tile(tile);
    let column = u16::try_from(i32::from(tile.column) + columns).ok()?;
    let row = u16::try_from(i32::from(tile.row) + rows).ok()?;
    grid.id(Tile::new(column, row))
}

/// Columns and rows of the array.
pub(crate) fn size(grid: &Grid) -> (i32, i32) {
    let last = grid.ids().last().map_or(Tile::new(0, 0), |id| grid.tile(id));
    (i32::from(last.column) + 1, i32::from(last.row) + 1)
}
