//! Finds first tiles for all kernels, as near as possible to a wish, if they have one.
//!
//! Every kernel is on a tile that it may take, and formations keep one of their layouts. Fixed
//! kernels come first, then formations, then kernels that may use only some tiles, then all others.
//! A core may get more kernels than it can run; the annealing separates them.

use std::cmp::Reverse;

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId};

use super::cores::Core;
use super::problem::{LENGTH, TileProblem, Tiles};
use crate::formation::Formation;

/// The wished tile of each kernel, if it has one.
pub(super) type Wish = IdVec<KernelId, Option<TileId>>;

/// Tiles for all kernels. Returns None when a kernel may take no tile or a formation has no layout.
pub(super) fn fill(problem: &TileProblem<'_>, wish: &Wish) -> Option<Tiles> {
    let region = region(problem);
    let order = depth_first(problem);
    let cores = vec![Core::default(); problem.grid.len()];
    let mut fill = Fill { problem, wish, region, cores, tiles: IdVec::filled(None, problem.kernels()) };
    for (kernel, tile) in problem.fixed.enumerate().filter(|(k, _)| problem.group_of[*k].is_none()) {
        if let Some(tile) = tile {
            fill.put(kernel, *tile);
        }
    }
    for group in problem.rules.groups.iter() {
        let tiles = fill.layout(group)?;
        group.members.iter().zip(tiles).for_each(|(&member, &tile)| fill.put(member, tile));
    }
    let mut waiting: Vec<KernelId> =
        order.into_iter().filter(|&kernel| fill.tiles[kernel].is_none()).collect();
    // Kernels with few tiles first; among the others, those with a wish.
    let tiles_of =
        |kernel: KernelId| problem.rules.allowed(kernel).iter().filter(|allowed| **allowed).count();
    waiting.sort_by_key(|&kernel| {
        let narrowed = problem.rules.is_narrowed(kernel);
        (!narrowed, if narrowed { tiles_of(kernel) } else { 0 }, Reverse(wish[kernel].is_some()))
    });
    for kernel in waiting {
        let tile = fill.tile(kernel)?;
        fill.put(kernel, tile);
    }
    fill.tiles.iter().copied().collect()
}

/// True if every kernel may take its tile and every formation has one of its layouts.
pub(super) fn is_legal(problem: &TileProblem<'_>, tiles: &Tiles) -> bool {
    tiles.enumerate().all(|(kernel, &tile)| problem.allows(kernel, tile))
        && problem.rules.groups.iter().all(|group| group.stands(|kernel| tiles[kernel]))
}

struct Fill<'a> {
    problem: &'a TileProblem<'a>,
    /// The wished tile of each kernel.
    wish: &'a Wish,
    /// Tiles in the order in which they are taken.
    region: Vec<TileId>,
    cores: Vec<Core>,
    tiles: Wish,
}

impl Fill<'_> {
    fn put(&mut self, kernel: KernelId, tile: TileId) {
        self.tiles[kernel] = Some(tile);
        self.cores[tile.index()] = self.cores[tile.index()].with(self.problem.cores[kernel]);
    }

    /// The best tiles for a formation.
    fn layout<'t>(&self, group: &'t Formation<KernelId>) -> Option<&'t [TileId]> {
        let cost = |tiles: &[TileId]| {
            group.members.iter().zip(tiles).try_fold((0, 0), |(crowd, sum), (&member, &tile)| {
                let (more, wires) = self.cost(member, tile)?;
                Some((crowd + more, sum + wires))
            })
        };
        let costs = group.layouts().filter_map(|tiles| Some((cost(tiles)?, tiles)));
        costs.min_by_key(|(cost, _)| *cost).map(|(_, tiles)| tiles)
    }

    /// The best tile for `kernel`: its wish, or a free one near its wish and its neighbours, early
    /// in the region. If no kernel has a wish, the next free tile.
    fn tile(&self, kernel: KernelId) -> Option<TileId> {
        let free = |tile: &TileId| self.cores[tile.index()].kernels == 0;
        if let Some(wish) = self.wish[kernel].filter(|&wish| free(&wish) && self.problem.allows(kernel, wish))
        {
            return Some(wish);
        }
        let has_wishes = self.wish.iter().any(Option::is_some);
        if !has_wishes
            && !self.problem.rules.is_narrowed(kernel)
            && let Some(&tile) = self.region.iter().find(|tile| free(tile))
        {
            return Some(tile);
        }
        let tiles = self.region.iter().enumerate();
        let costs = tiles.filter_map(|(at, &tile)| Some((self.cost(kernel, tile)?, at, tile)));
        costs.min().map(|(.., tile)| tile)
    }

    /// Cost of the core with one more kernel, then kernels already there, wires and the way from
    /// the wish. Returns None when `kernel` may not be there.
    fn cost(&self, kernel: KernelId, tile: TileId) -> Option<(i64, i64)> {
        let problem = self.problem;
        if !problem.allows(kernel, tile) {
            return None;
        }
        let core = self.cores[tile.index()];
        let crowd = core.with(problem.cores[kernel]).cost(problem.supply) - core.cost(problem.supply);
        let placed = problem.neighbours[kernel].iter().filter_map(|n| Some((n, self.tiles[n.kernel]?)));
        let wires: i64 = placed.map(|(n, end)| problem.pair_cost(n, tile, end)).sum();
        let grid = problem.grid;
        let way = self.wish[kernel].map_or(0, |wish| i64::from(grid.tile(wish).distance(grid.tile(tile))));
        Some((
            crowd,
            wires + LENGTH * LENGTH * way + i64::from(core.kernels) + problem.site_cost(kernel, tile),
        ))
    }
}

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
