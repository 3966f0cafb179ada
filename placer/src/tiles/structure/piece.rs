//! Pieces without a pattern of their own: embedded in a few columns.

use std::collections::BTreeMap;

use aiec_device::TileId;
use aiec_ir::KernelId;

use super::super::embed::{self, Task};
use super::blocks::{self, Block};
use super::components::{Component, MemberId};
use super::{Blocks, Layer};
use crate::options::EASY;

/// The least and the most of a region that kernels fill, in thousandths. With more room a piece is
/// not compact, and with less the embedding cuts it.
const FULL: [usize; 2] = [760, 950];
/// Columns of the narrowest region: a core there has its horizontal partners.
const NARROWEST: usize = 3;
/// As [`Task::parts`]. A piece is small, so short wires lead to shared ones.
const PARTS: i64 = 8;

impl Layer<'_> {
    /// Blocks for `pieces` of a component. Pieces of equal shape get equal blocks.
    pub(super) fn solve_all(&mut self, component: &Component, pieces: &[Vec<MemberId>]) -> Option<Blocks> {
        let block = |kernels: &Vec<MemberId>| {
            let shape = shape(component, kernels);
            if !self.known.contains_key(&shape) {
                let tiles = self.solve(component, kernels)?;
                self.known.insert(shape.clone(), tiles);
            }
            Some(Block { kernels: kernels.clone(), tiles: self.known[&shape].clone() })
        };
        pieces.iter().map(block).collect()
    }

    /// The best of several embeddings of a piece in as many western columns as it should fill.
    fn solve(&mut self, component: &Component, piece: &[MemberId]) -> Option<Vec<TileId>> {
        let grid = self.problem.grid;
        let (columns, rows) = blocks::size(grid);
        let full = self.full.clamp(FULL[0], FULL[1]);
        let kernels: Vec<KernelId> = piece.iter().map(|&k| component.kernels[k]).collect();
        let width = (kernels.len() * 1000).div_ceil(rows * full).max(NARROWEST).min(columns);
        let inside = |&tile: &TileId| usize::from(grid.tile(tile).column) < width;
        let area: Vec<TileId> = grid.ids().filter(inside).collect();
        let moves_per_host = 2 * EASY.moves_per_kernel();
        let task = Task { kernels: &kernels, area: &area, moves_per_host, parts: PARTS };
        let mut best: Option<(i64, Vec<TileId>)> = None;
        for _ in 0..self.tries {
            let found = embed::embed(self.problem, &task, self.random, self.run)?;
            best = best.into_iter().chain([found]).min_by_key(|(cost, _)| *cost);
            if best.as_ref().is_some_and(|(cost, _)| *cost == 0) {
                break;
            }
        }
        best.map(|(_, tiles)| tiles)
    }
}

/// The number of kernels of a piece and the edges between their positions. Equal pieces have equal
/// shapes.
pub(super) type Shape = (usize, Vec<(usize, usize)>);

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
