//! Start assignments for the annealing: patterns for graphs with structure, an embedding that only
//! maximises sharing, and a plain fill.

use aiec_device::{Tile, TileId};

use super::embed::{self, Schedule, Task};
use super::fill;
use super::problem::{CUT, TileProblem};
use super::state::Costs;
use super::structure::{self, Plan, Snake};
use crate::options::PlaceOptions;
use crate::random::Random;
use crate::watch::Run;

/// Start temperature for assignments that already share what they can: only wires improve.
pub(crate) const WIRES_ONLY: i64 = CUT / 40;
/// Start temperature for the depth-first fill. More heat would destroy the tree structure it has
/// (measured on trees of 63 to 255 kernels).
pub(crate) const GENTLE: i64 = CUT / 8;

/// Moves per host of the annealing that embeds a piece.
const PIECE_MOVES: u64 = 40_000;

/// Tiles for all kernels by the patterns in the graph. Returns None when the graph has no pattern.
pub(crate) fn structured(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    costs: Costs,
    snake: Snake,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let plan = Plan {
        snake,
        moves_per_host: PIECE_MOVES,
        tries: 1 + options.level(),
        centre: costs.centre,
        spare: spare(problem, costs),
    };
    complete(problem, &structure::layout(problem, &plan, random, run)?, costs.centre)
}

/// Tiles to keep free for each kernel so that memory suffices, in 1/1024 of a tile.
fn spare(problem: &TileProblem<'_>, costs: Costs) -> i64 {
    let Some(limit) = costs.crowding else { return 0 };
    let all: i64 = problem.density.iter().sum();
    let tiles = all * 1024 / limit.max(1) / (problem.kernels() as i64).max(1);
    let most = problem.grid.len() as i64 * 1024 / (problem.kernels() as i64).max(1);
    (tiles.min(most) - 1024).max(0)
}

/// Embeds the kernels with shareable connections in a region around the centre. The other kernels
/// go beside them.
///
/// `parts` as in [`Schedule::parts`]: on random graphs of 300 kernels 32 leaves a tenth fewer
/// connections through DMA than 8 (measured). Trees are sometimes better with 8.
pub(crate) fn embedded(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    costs: Costs,
    parts: i64,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let spare = spare(problem, costs);
    let shares = |k: &usize| problem.neighbours[*k].iter().any(|n| n.weight > 0);
    let kernels: Vec<usize> = (0..problem.kernels()).filter(shares).collect();
    if kernels.is_empty() {
        return None;
    }
    let fixed: Vec<TileId> = problem.fixed.iter().flatten().copied().collect();
    let wanted = kernels.len() * usize::try_from(1024 + spare).unwrap_or(1024) / 1024 * 10 / 9;
    // Tiles that no kernel may take give no room.
    let wide = kernels.iter().any(|&k| !problem.rules.is_narrowed(k));
    let open =
        |tile: &TileId| !fixed.contains(tile) && (wide || kernels.iter().any(|&k| problem.allows(k, *tile)));
    let near = region(problem, costs.centre).into_iter().filter(open);
    let mut area: Vec<TileId> = near.take(wanted.max(kernels.len() + 8)).collect();
    area.extend(kernels.iter().filter_map(|&k| problem.fixed[k]));
    let narrowed: Vec<usize> = kernels.iter().copied().filter(|&k| problem.rules.is_narrowed(k)).collect();
    for tile in problem.grid.ids() {
        if !area.contains(&tile) && narrowed.iter().any(|&k| problem.allows(k, tile)) {
            area.push(tile);
        }
    }
    let task = Task { kernels: &kernels, area: &area, start: None, spare };
    let moves_per_host = 2 * options.moves_per_kernel();
    let schedule = Schedule { moves_per_host, hot: CUT * 2 / 5, cold: CUT / 10, parts };
    let found = embed::embed(problem, &task, &schedule, random, run)?;
    let mut tiles = vec![None; problem.kernels()];
    kernels.iter().zip(found.tiles).for_each(|(&kernel, tile)| tiles[kernel] = Some(tile));
    complete(problem, &tiles, costs.centre)
}

/// Completes `given`: the other kernels take free tiles as near as possible to their neighbours.
fn complete(problem: &TileProblem<'_>, given: &[Option<TileId>], centre: u16) -> Option<Vec<TileId>> {
    let mut tiles: Vec<Option<TileId>> =
        given.iter().zip(&problem.fixed).map(|(given, fixed)| fixed.or(*given)).collect();
    let mut free = region(problem, centre);
    free.retain(|tile| !tiles.contains(&Some(*tile)));
    for kernel in depth_first(problem) {
        if tiles[kernel].is_none() {
            let ends: Vec<TileId> =
                problem.neighbours[kernel].iter().filter_map(|n| tiles[n.kernel]).collect();
            let wires = |tile: TileId| ends.iter().map(|&end| problem.gap(tile, end)).sum::<i64>();
            let best =
                (0..free.len()).min_by_key(|&i| wires(free[i]) + problem.site_cost(kernel, free[i]))?;
            tiles[kernel] = Some(free.remove(best));
        }
    }
    let tiles: Vec<TileId> = tiles.into_iter().collect::<Option<_>>()?;
    // Patterns ignore the rules. If they break a rule, the fill keeps as many tiles as possible.
    if fill::is_legal(problem, &tiles) { Some(tiles) } else { fill::fill(problem, Some(&tiles), centre) }
}

/// Tiles for all kernels in depth-first order along the columns around the centre. Subtrees stay
/// together.
pub(crate) fn columns(problem: &TileProblem<'_>, centre: u16) -> Option<Vec<TileId>> {
    fill::fill(problem, None, centre)
}

/// Distances between kernels in [`rows`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// Columns from one kernel to the next.
    pub(crate) columns: u16,
    /// Rows from one used row to the next.
    pub(crate) rows: u16,
}

/// Tiles for all kernels along the rows, in an [order](along_paths) in which most kernels are
/// connected to the one before. Such a pair shares the module between them; the modules of free
/// tiles hold the other buffers. Returns None when there are too few tiles.
pub(crate) fn rows(problem: &TileProblem<'_>, steps: Steps, centre: u16) -> Option<Vec<TileId>> {
    let grid = problem.grid;
    let last = grid.ids().last().map(|id| grid.tile(id))?;
    let is_taken = |tile: &Tile| tile.row.is_multiple_of(steps.rows);
    let height = usize::from(last.row / steps.rows) + 1;
    let closed = grid.len() - grid.open_tiles();
    let wanted = (problem.kernels() + closed).div_ceil(height) * usize::from(steps.columns);
    let width = u16::try_from(wanted).unwrap_or(u16::MAX).min(last.column + 1);
    let first = centre.saturating_sub(width / 2).min(last.column + 1 - width);
    let mut tiles: Vec<TileId> = grid.ids().filter(|&id| grid.is_open(id)).collect();
    tiles.retain(|&id| {
        let tile = grid.tile(id);
        let column = tile.column.checked_sub(first);
        is_taken(&tile) && column.is_some_and(|at| at < width && at.is_multiple_of(steps.columns))
    });
    tiles.sort_by_key(|&id| {
        let Tile { column, row } = grid.tile(id);
        let back = (row / steps.rows) % 2 == 1;
        (row, if back { -i32::from(column) } else { i32::from(column) })
    });
    if tiles.len() < problem.kernels() {
        return None;
    }
    let mut wish = vec![TileId(0); problem.kernels()];
    along_paths(problem).into_iter().zip(tiles).for_each(|(kernel, tile)| wish[kernel] = tile);
    if fill::is_legal(problem, &wish) { Some(wish) } else { fill::fill(problem, Some(&wish), centre) }
}

/// All kernels along few paths (greedy path cover). Each path begins at a kernel with the fewest
/// unvisited neighbours and continues to the neighbour with the fewest.
fn along_paths(problem: &TileProblem<'_>) -> Vec<usize> {
    let near = |kernel: usize| problem.neighbours[kernel].iter().filter(|n| n.windows != [0; 2]);
    let mut seen = vec![false; problem.kernels()];
    let mut order: Vec<usize> = Vec::with_capacity(problem.kernels());
    while order.len() < problem.kernels() {
        let left = |kernel: usize| near(kernel).filter(|n| !seen[n.kernel]).count();
        let open = |&kernel: &usize| !seen[kernel];
        let after = order.last().into_iter().flat_map(|&last| near(last)).map(|n| n.kernel).filter(open);
        let next = after.min_by_key(|&kernel| (left(kernel), kernel));
        let any = || (0..problem.kernels()).filter(open).min_by_key(|&kernel| (left(kernel), kernel));
        let Some(next) = next.or_else(any) else { break };
        seen[next] = true;
        order.push(next);
    }
    order
}

/// Open tiles in boustrophedon order over the fewest columns around `centre` that hold all kernels,
/// then those of the other columns.
pub(super) fn region(problem: &TileProblem<'_>, centre: u16) -> Vec<TileId> {
    let grid = problem.grid;
    let columns = grid.ids().last().map_or(0, |id| grid.tile(id).column + 1);
    let rows = grid.len() / usize::from(columns).max(1);
    let taken = problem.fixed.iter().flatten().count() + grid.len() - grid.open_tiles();
    let width =
        u16::try_from((problem.kernels() + taken).div_ceil(rows.max(1))).unwrap_or(columns).min(columns);
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
pub(super) fn depth_first(problem: &TileProblem<'_>) -> Vec<usize> {
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
