//! Exact branch and bound: the fewest cuts of a small graph over all ways to share.
//!
//! Takes a graph and a [`Field`] of tiles, returns a number of cuts that no placement goes below.
//! For 0, 1, 2, ... cuts the search asks whether the graph fits the tiles with that many cuts. Each
//! "no" raises the bound. A "yes" or the end of the budget ends the search. In the terms of the
//! integer program of `docs/placement.md`, it branches on `x[k,t]` kernel by kernel along edges
//! with `y = 1`: a kernel takes a tile that shares with a neighbour's, or all edges to its placed
//! neighbours are cut. The search ignores constraints, bytes, locks, channels, and the tiles of
//! pieces that no shared edge joins. This makes the bound lower but keeps it true. Each kernel has
//! a core of its own.

use std::cmp::Reverse;

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::{IdVec, KernelId};

use super::graph::Graph;
use crate::{MOST_KERNELS, SMALL, WORK, components};

/// Tiles, and those where pieces begin.
pub(super) struct Field {
    grid: Grid,
    starts: Vec<TileId>,
}

impl Field {
    /// The tiles of `grid`. A large array without closed tiles counts as one without borders, where
    /// a piece begins in the middle.
    pub(super) fn new(device: &Device, grid: &Grid) -> Self {
        if grid.open_tiles() < grid.len() || grid.len() <= SMALL {
            return Self {
                grid: grid.clone(),
                starts: grid.ids().filter(|&tile| grid.is_open(tile)).collect(),
            };
        }
        // A sharing step spans at most two rows or columns, and a piece has at most `MOST_KERNELS`.
        // Reach depends only on the parity of the row.
        let steps = 2 * MOST_KERNELS as u16;
        let grid = Grid::new(&Device { columns: 2 * steps + 1, rows: 2 * steps + 2, ..device.clone() });
        let starts = [steps, steps + 1].into_iter().filter_map(|row| grid.id(Tile::new(steps, row)));
        Self { starts: starts.collect(), grid }
    }
}

/// Minimum number of cuts. The search starts from the `proved` number if the graph is connected.
pub(super) fn fewest_cuts(graph: &Graph, field: &Field, proved: u64) -> u64 {
    let around = |kernel: usize| graph.around[KernelId(kernel as u32)].iter().map(|(_, other)| other.index());
    let mut parts = components(graph.around.len(), around);
    parts.retain(|part| part.len() > 1);
    let from = if parts.len() == 1 { proved } else { 0 };
    let small = parts.iter().filter(|part| part.len() <= MOST_KERNELS);
    let mut work = WORK;
    small
        .map(|part| {
            let part: Vec<KernelId> = part.iter().map(|&kernel| KernelId(kernel as u32)).collect();
            let all: u64 = part.iter().flat_map(|&k| &graph.around[k]).map(|&(e, _)| graph.cost(e)).sum();
            let is_less =
                |most: &u64| Search::new(graph, field, &part, *most, &mut work).begin(0) == Some(false);
            from + (from..=all / 2).take_while(is_less).count() as u64
        })
        .sum()
}

struct Search<'a> {
    graph: &'a Graph,
    field: &'a Field,
    part: &'a [KernelId],
    /// Maximum number of cuts.
    most: u64,
    work: &'a mut u64,
    /// Number of the current piece.
    piece: usize,
    /// The piece and the tile of each placed kernel.
    at: IdVec<KernelId, Option<(usize, TileId)>>,
    /// Edges that the branch cuts, so their ends must not share.
    cut: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, field: &'a Field, part: &'a [KernelId], most: u64, work: &'a mut u64) -> Self {
        let (at, cut) = (graph.each(&None), vec![false; graph.edges.len()]);
        Self { graph, field, part, most, work, piece: 0, at, cut }
    }

    /// Begins a piece with the open kernel that has the most neighbours. No edge joins earlier
    /// pieces to open kernels any more. Returns true if all kernels find a tile with at most `most`
    /// cuts, None when the budget ran out.
    fn begin(&mut self, paid: u64) -> Option<bool> {
        let Some(first) = self.open().max_by_key(|&k| (self.graph.around[k].len(), Reverse(k))) else {
            return Some(true);
        };
        self.piece += 1;
        let field = self.field;
        let found = self.try_tiles(first, field.starts.iter().map(|&tile| (0, tile)), paid);
        self.piece -= 1;
        found
    }

    /// Puts the next kernel beside the piece, or cuts it off from the placed kernels of the piece.
    fn go_on(&mut self, paid: u64) -> Option<bool> {
        *self.work = self.work.checked_sub(self.part.len() as u64)?;
        if paid + self.to_come() > self.most {
            return Some(false);
        }
        let Some(kernel) = self.next() else { return self.begin(paid) };
        let around = self.undecided(kernel);
        let tiles = self.tiles_beside(kernel, &around);
        if self.try_tiles(kernel, tiles.into_iter(), paid)? {
            return Some(true);
        }
        let cost: u64 = around.iter().map(|&(edge, _)| self.graph.cost(edge)).sum();
        around.iter().for_each(|&(edge, _)| self.cut[edge] = true);
        let found = self.go_on(paid + cost);
        around.iter().for_each(|&(edge, _)| self.cut[edge] = false);
        found
    }

    /// Goes on with `kernel` on each of `tiles`, which have numbers of cuts.
    fn try_tiles(
        &mut self,
        kernel: KernelId,
        tiles: impl Iterator<Item = (u64, TileId)>,
        paid: u64,
    ) -> Option<bool> {
        for (cost, tile) in tiles {
            self.at[kernel] = Some((self.piece, tile));
            let found = self.go_on(paid + cost)?;
            self.at[kernel] = None;
            if found {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The kernels without a tile.
    fn open(&self) -> impl Iterator<Item = KernelId> {
        self.part.iter().copied().filter(|&kernel| self.at[kernel].is_none())
    }

    /// The tile of a kernel of the current piece.
    fn tile(&self, kernel: KernelId) -> Option<TileId> {
        self.at[kernel].filter(|(piece, _)| *piece == self.piece).map(|(_, tile)| tile)
    }

    /// Uncut edges from an open kernel to the current piece, each with the tile.
    fn undecided(&self, kernel: KernelId) -> Vec<(usize, TileId)> {
        let around = self.graph.around[kernel].iter().filter(|(edge, _)| !self.cut[*edge]);
        around.filter_map(|&(edge, other)| Some((edge, self.tile(other)?))).collect()
    }

    /// The open kernel with the most undecided edges to the piece.
    fn next(&self) -> Option<KernelId> {
        let edges = self.open().map(|k| (self.undecided(k).len(), Reverse(k)));
        edges.max().filter(|(edges, _)| *edges > 0).map(|(_, kernel)| kernel.0)
    }

    /// Free tiles that share with at least one tile of `around`, each with its number of cuts,
    /// fewest first. No edge that the branch cuts is shared there.
    fn tiles_beside(&self, kernel: KernelId, around: &[(usize, TileId)]) -> Vec<(u64, TileId)> {
        let mut tiles: Vec<TileId> =
            around.iter().flat_map(|&(_, tile)| self.field.grid.partners(tile)).copied().collect();
        tiles.sort_unstable();
        tiles.dedup();
        let near =
            |other: KernelId, tile: TileId| self.tile(other).is_some_and(|there| self.shares(tile, there));
        let cut = self.graph.around[kernel].iter().filter(|(edge, _)| self.cut[*edge]);
        tiles.retain(|&tile| self.is_free(tile) && !cut.clone().any(|&(_, other)| near(other, tile)));
        let cost = |tile: TileId| {
            let far = around.iter().filter(|&&(_, other)| !self.shares(tile, other));
            (far.map(|&(edge, _)| self.graph.cost(edge)).sum(), tile)
        };
        let mut tiles: Vec<(u64, TileId)> = tiles.into_iter().map(cost).collect();
        tiles.sort_unstable();
        tiles
    }

    fn is_free(&self, tile: TileId) -> bool {
        self.part.iter().all(|&kernel| self.tile(kernel) != Some(tile))
    }

    fn shares(&self, a: TileId, b: TileId) -> bool {
        self.field.grid.partners(a).contains(&b)
    }

    /// Lower bound on the remaining cuts: kernels with more undecided edges than free tiles beside
    /// them. An edge counts at one end only.
    fn to_come(&self) -> u64 {
        let excess = |kernel: KernelId, tile: TileId| {
            let around = self.graph.around[kernel].iter();
            let open = around.filter(|(edge, other)| !self.cut[*edge] && self.at[*other].is_none());
            let mut edges: Vec<u64> = open.map(|&(edge, _)| self.graph.cost(edge)).collect();
            let free = self.field.grid.partners(tile).iter().filter(|&&tile| self.is_free(tile)).count();
            edges.sort_unstable();
            edges.iter().take(edges.len().saturating_sub(free)).sum::<u64>()
        };
        self.part.iter().filter_map(|&kernel| Some(excess(kernel, self.tile(kernel)?))).sum()
    }
}
