//! Chains and rings: snakes in which each tile is adjacent to the next, so that every step shares
//! memory.
//!
//! East on even rows and west on odd ones, every two neighbours share a module that no other pair
//! shares. Windows that fill a module then find one each, for any length of the chain. For an odd
//! number of kernels one step of a ring skips a tile: two tiles of a column with one between them
//! share the middle module.

use aiec_device::Grid;
use aiec_ir::IdVec;

use super::super::problem::TileProblem;
use super::Blocks;
use super::blocks::{self, Block};
use super::components::{Component, MemberId};

/// Blocks of a chain or a ring along the rows. The first choice is one block on allowed tiles, as
/// narrow as the array is high. Otherwise pieces fill the columns without closed tiles, and a ring
/// is cut. Returns None when it is another graph, or there are not enough tiles.
pub(super) fn lay(problem: &TileProblem<'_>, component: &Component) -> Option<Blocks> {
    let (order, closed) = walk(component)?;
    let grid = problem.grid;
    let (columns, rows) = blocks::size(grid);
    let used: Vec<bool> = grid.ids().map(|tile| !grid.is_open(tile)).collect();
    let fits = |block: &Block<MemberId>| {
        let fit = blocks::best_fit(problem, &component.own(block), &used);
        fit.is_some_and(|(misplaced, _)| misplaced == 0)
    };
    if closed && let Some(block) = closed_rows(grid, &order).filter(fits) {
        return Some(vec![block]);
    }
    let back: Vec<MemberId> = order.iter().rev().copied().collect();
    // The first kernel of a snake has a module of its own only if the tile before it stays free.
    // The last one always has.
    let lead = |order: &[MemberId]| {
        let first = order.first().and_then(|&at| component.kernels.get(at));
        let has_channels = closed || first.is_some_and(|&kernel| problem.needs.uses_channels(kernel));
        usize::from(has_channels && problem.needs.is_scarce())
    };
    let narrowest = |order: &[MemberId]| (order.len() + lead(order)).div_ceil(rows);
    let mut forms = (narrowest(&order)..=columns).flat_map(|width| [(&order, width), (&back, width)]);
    let form =
        |(order, width): (&Vec<MemberId>, usize)| rows_of(grid, order, width, lead(order)).filter(fits);
    if let Some(block) = forms.find_map(form) {
        return Some(vec![block]);
    }
    let mut left = order.as_slice();
    let mut pieces = Vec::new();
    for width in open_widths(grid) {
        let most = (width * rows).saturating_sub(lead(left));
        let (piece, rest) = left.split_at(left.len().min(most));
        left = rest;
        if !piece.is_empty() {
            pieces.push(rows_of(grid, piece, narrowest(piece), lead(piece))?);
        }
    }
    left.is_empty().then_some(pieces)
}

/// A chain along the rows of the `width` western columns, without the first `lead` tiles. Returns
/// None when there are too few tiles.
fn rows_of(grid: &Grid, order: &[MemberId], width: usize, lead: usize) -> Option<Block<MemberId>> {
    let (_, rows) = blocks::size(grid);
    let row =
        |row: usize| (0..width).map(move |at| (if row.is_multiple_of(2) { at } else { width - 1 - at }, row));
    Block::on_cells(grid, order, (0..rows).flat_map(row).skip(lead))
}

/// A ring along the rows: east on each even row and back on the next, and from the last row down
/// the westernmost column to the first. For an odd number of kernels that column skips one tile.
fn closed_rows(grid: &Grid, order: &[MemberId]) -> Option<Block<MemberId>> {
    let (columns, rows) = blocks::size(grid);
    let even = order.len().next_multiple_of(2);
    // Every pair of rows has at least one tile each beside the column.
    let height = (rows.min(even / 2) / 2) * 2;
    let (pairs, tiles) = (height / 2, (even - height) / 2);
    let leaps = order.len() % 2 == 1;
    if height < if leaps { 4 } else { 2 } || 1 + tiles.div_ceil(pairs) > columns {
        return None;
    }
    let width = |pair: usize| tiles / pairs + usize::from(pair < tiles % pairs);
    let there = |pair: usize| (1..=width(pair)).map(move |column| (column, 2 * pair));
    let back = |pair: usize| (1..=width(pair)).rev().map(move |column| (column, 2 * pair + 1));
    let down = (0..height).rev().filter(|row| !(leaps && *row == 1)).map(|row| (0, row));
    let cells = (0..pairs).flat_map(|pair| there(pair).chain(back(pair))).chain(down);
    Block::on_cells(grid, order, cells)
}

/// Widths of the runs of columns without closed tiles, from west to east.
fn open_widths(grid: &Grid) -> Vec<usize> {
    let (columns, _) = blocks::size(grid);
    let open = |column: usize| {
        grid.ids().filter(|&id| usize::from(grid.tile(id).column) == column).all(|id| grid.is_open(id))
    };
    let columns: Vec<bool> = (0..columns).map(open).collect();
    columns.split(|open| !open).map(<[bool]>::len).filter(|&width| width > 0).collect()
}

/// The kernels in order along the path, and whether it is closed. Returns None when some kernel has
/// more than two neighbours.
fn walk(component: &Component) -> Option<(Vec<MemberId>, bool)> {
    if component.neighbours.iter().any(|near| near.len() > 2) {
        return None;
    }
    let end = component.kernels.ids().find(|&k| component.neighbours[k].len() == 1);
    let mut order = vec![end.unwrap_or(MemberId(0))];
    let mut seen = IdVec::filled(false, component.kernels.len());
    while let Some(&kernel) = order.last() {
        seen[kernel] = true;
        let Some(&next) = component.neighbours[kernel].iter().find(|&&k| !seen[k]) else { break };
        order.push(next);
    }
    Some((order, end.is_none()))
}
