//! Pieces without a pattern of their own: embedded in a few columns.

use std::collections::BTreeMap;

use aiec_device::{Grid, TileId};

use super::super::embed::{self, Schedule, Task};
use super::super::problem::{CUT, TileProblem};
use super::Plan;
use super::blocks::{self, Block};
use super::components::Component;
use crate::random::Random;
use crate::watch::Run;

/// The shape of the region for a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    columns: usize,
    rows: usize,
    /// The part of the region to fill, in thousandths.
    fill: usize,
}

impl Region {
    /// Three quarters full, or more if the array is nearly full.
    pub(super) fn new(grid: &Grid, plan: &Plan, kernels: usize) -> Self {
        let (columns, rows) = blocks::size(grid);
        let fill = with_spare(kernels, plan.spare) * 1050 / grid.len().max(1);
        let positive = |number: i32| usize::try_from(number).unwrap_or(1).max(1);
        Self { columns: positive(columns), rows: positive(rows), fill: fill.clamp(760, 950) }
    }

    /// Number of western columns for `kernels` kernels. At least three, so that a core has its
    /// horizontal partners.
    fn width(&self, kernels: usize, spare: i64) -> usize {
        (with_spare(kernels, spare) * 1000).div_ceil(self.rows * self.fill).max(3).min(self.columns)
    }
}

/// Number of tiles for `kernels` kernels, including those to keep free.
fn with_spare(kernels: usize, spare: i64) -> usize {
    kernels * usize::try_from(1024 + spare).unwrap_or(1024) / 1024
}

/// Blocks for `pieces` of a component. Pieces of equal shape get equal blocks.
pub(super) fn solve_all(
    problem: &TileProblem<'_>,
    plan: &Plan,
    space: &Region,
    component: &Component,
    pieces: &[Vec<usize>],
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<Block>> {
    let mut known: BTreeMap<Shape, Vec<TileId>> = BTreeMap::new();
    let mut laid = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let shape = shape(component, piece);
        if !known.contains_key(&shape) {
            known.insert(shape.clone(), solve(problem, plan, space, component, piece, random, run)?);
        }
        laid.push(Block { kernels: piece.clone(), tiles: known[&shape].clone() });
    }
    Some(laid)
}

/// The number of kernels of a piece and the edges between their positions. Equal pieces have equal
/// shapes.
type Shape = (usize, Vec<(usize, usize)>);

fn shape(component: &Component, piece: &[usize]) -> Shape {
    let position: BTreeMap<usize, usize> =
        piece.iter().enumerate().map(|(at, &kernel)| (kernel, at)).collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (at, &kernel) in piece.iter().enumerate() {
        let others = component.neighbours[kernel].iter().filter_map(|k| position.get(k));
        edges.extend(others.filter(|&&other| other < at).map(|&other| (other, at)));
    }
    edges.sort_unstable();
    (piece.len(), edges)
}

/// Embeds a piece in as many western columns as it should fill.
pub(super) fn solve(
    problem: &TileProblem<'_>,
    plan: &Plan,
    space: &Region,
    component: &Component,
    piece: &[usize],
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let kernels: Vec<usize> = piece.iter().map(|&k| component.kernels[k]).collect();
    let width = space.width(kernels.len(), plan.spare);
    let inside = |&tile: &TileId| usize::from(problem.grid.tile(tile).column) < width;
    let area: Vec<TileId> = problem.grid.ids().filter(inside).collect();
    embedded(problem, plan, &kernels, &area, random, run)
}

/// Embeds kernels, some of which are bound to tiles, in columns around these tiles.
pub(super) fn solve_around(
    problem: &TileProblem<'_>,
    plan: &Plan,
    space: &Region,
    kernels: &[usize],
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let grid = problem.grid;
    let fixed: Vec<TileId> = kernels.iter().filter_map(|&k| problem.fixed[k]).collect();
    let narrowed = || kernels.iter().copied().filter(|&k| problem.rules.is_narrowed(k));
    let asked = |tile: &TileId| fixed.contains(tile) || narrowed().any(|k| problem.allows(k, *tile));
    let columns: Vec<i64> = grid.ids().filter(asked).map(|tile| i64::from(grid.tile(tile).column)).collect();
    let (west, east) = (columns.iter().min()?, columns.iter().max()?);
    let width = i64::try_from(space.width(kernels.len(), plan.spare)).ok()?;
    let last = i64::try_from(space.columns).ok()? - 1;
    // As wide as the piece needs, wider if the bound tiles are further apart, and inside the array.
    let first = (i64::midpoint(*west, *east) - width / 2).min(last + 1 - width).max(0);
    let inside = |tile: &TileId| {
        let column = i64::from(grid.tile(*tile).column);
        (first..first + width).contains(&column) || fixed.contains(tile)
    };
    let others: Vec<TileId> =
        problem.fixed.iter().flatten().filter(|tile| !fixed.contains(tile)).copied().collect();
    let free = |tile: &TileId| grid.is_open(*tile) && !others.contains(tile);
    let mut area: Vec<TileId> = grid.ids().filter(|tile| inside(tile) && free(tile)).collect();
    for kernel in narrowed() {
        let own = |tile: &TileId| problem.allows(kernel, *tile);
        if !area.iter().any(own) {
            area.extend(grid.ids().filter(|tile| own(tile) && free(tile)).collect::<Vec<_>>());
        }
    }
    embedded(problem, plan, kernels, &area, random, run)
}

/// The best of several embeddings of the kernels in an area.
fn embedded(
    problem: &TileProblem<'_>,
    plan: &Plan,
    kernels: &[usize],
    area: &[TileId],
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let task = Task { kernels, area, start: None, spare: plan.spare };
    let schedule = Schedule { moves_per_host: plan.moves_per_host, hot: CUT / 2, cold: CUT / 10, parts: 8 };
    let mut best: Option<embed::Embedding> = None;
    for _ in 0..plan.tries {
        let found = embed::embed(problem, &task, &schedule, random, run)?;
        let shared = found.cost == 0;
        if best.as_ref().is_none_or(|best| found.cost < best.cost) {
            best = Some(found);
        }
        if shared {
            break;
        }
    }
    best.map(|best| best.tiles)
}
