//! Pieces without a pattern of their own: embedded in a few columns.

use std::collections::BTreeMap;

use aiec_device::{Grid, TileId};
use aiec_ir::KernelId;

use super::super::embed::{self, Embedding, Task};
use super::blocks::{self, Block};
use super::components::{Component, MemberId};
use super::{Blocks, Layer};
use crate::options::EASY;

/// The least and the most of a region that kernels fill, in thousandths. With more room a piece is
/// not compact, and with less the embedding cuts it.
const FILL: [usize; 2] = [760, 950];
/// Columns of the narrowest region: a core there has its horizontal partners.
const NARROWEST: usize = 3;
/// As [`Task::parts`]. A piece is small, so short wires lead to shared ones.
const PARTS: i64 = 8;

/// The shape of the region for a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    columns: usize,
    rows: usize,
    /// The part of the region to fill, in thousandths.
    fill: usize,
}

impl Region {
    /// As full as the array with `kernels` kernels.
    pub(super) fn new(grid: &Grid, kernels: usize) -> Self {
        let (columns, rows) = blocks::size(grid);
        let fill = kernels * 1000 / grid.len().max(1);
        Self { columns, rows, fill: fill.clamp(FILL[0], FILL[1]) }
    }

    /// Number of western columns for `kernels` kernels.
    fn width(&self, kernels: usize) -> usize {
        (kernels * 1000).div_ceil(self.rows * self.fill).max(NARROWEST).min(self.columns)
    }
}

impl Layer<'_> {
    /// Blocks for `pieces` of a component. Pieces of equal shape get equal blocks.
    pub(super) fn solve_all(&mut self, component: &Component, pieces: &[Vec<MemberId>]) -> Option<Blocks> {
        let mut known: BTreeMap<Shape, Vec<TileId>> = BTreeMap::new();
        let mut laid = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let shape = shape(component, piece);
            if !known.contains_key(&shape) {
                known.insert(shape.clone(), self.solve(component, piece)?);
            }
            laid.push(Block { kernels: piece.clone(), tiles: known[&shape].clone() });
        }
        Some(laid)
    }

    /// The best of several embeddings of a piece in as many western columns as it should fill.
    pub(super) fn solve(&mut self, component: &Component, piece: &[MemberId]) -> Option<Vec<TileId>> {
        let grid = self.problem.grid;
        let kernels: Vec<KernelId> = piece.iter().map(|&k| component.kernels[k]).collect();
        let width = self.space.width(kernels.len());
        let inside = |&tile: &TileId| usize::from(grid.tile(tile).column) < width;
        let area: Vec<TileId> = grid.ids().filter(inside).collect();
        let moves_per_host = 2 * EASY.moves_per_kernel();
        let task = Task { kernels: &kernels, area: &area, moves_per_host, parts: PARTS };
        let mut best: Option<Embedding> = None;
        for _ in 0..self.tries {
            let found = embed::embed(self.problem, &task, self.random, self.run)?;
            best = best.into_iter().chain([found]).min_by_key(|found| found.cost);
            if best.as_ref().is_some_and(|best| best.cost == 0) {
                break;
            }
        }
        best.map(|best| best.tiles)
    }
}

/// The number of kernels of a piece and the edges between their positions. Equal pieces have equal
/// shapes.
type Shape = (usize, Vec<(usize, usize)>);

fn shape(component: &Component, piece: &[MemberId]) -> Shape {
    let position: BTreeMap<MemberId, usize> =
        piece.iter().enumerate().map(|(at, &kernel)| (kernel, at)).collect();
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (at, &kernel) in piece.iter().enumerate() {
        let others = component.neighbours[kernel].iter().filter_map(|k| position.get(k));
        edges.extend(others.filter(|&&other| other < at).map(|&other| (other, at)));
    }
    edges.sort_unstable();
    (piece.len(), edges)
}
