//! Exact branch and bound: the fewest cuts of a small graph over all ways to share.
//!
//! Takes a graph and a [`Field`] of tiles, returns a number of cuts that no placement goes below.
//! For 0, 1, 2, ... cuts the search asks whether the graph fits the tiles, until it does or the
//! budget ends. A kernel takes a tile that shares with a neighbour's, or all edges to its placed
//! neighbours are cut. The search ignores bytes, locks, channels, and the tiles of pieces that no
//! shared edge joins. This makes the bound lower but keeps it true.

use std::collections::BTreeMap;

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use super::graph::{EdgeId, Graph};
use crate::components::components;
use crate::contradiction::Freedom;
use crate::limits::{MOST_KERNELS, SMALL, WORK};

/// Tiles, and the kernels that may use them.
pub(super) struct Field {
    grid: Grid,
    /// Tiles where pieces begin.
    starts: Vec<TileId>,
    /// For each kernel and tile: true if the kernel may be there. Empty if every kernel may be
    /// anywhere.
    allowed: IdVec<KernelId, Vec<bool>>,
    /// Share of a core of each kernel, in 1/1000.
    shares: IdVec<KernelId, u32>,
}

impl Field {
    /// The array for kernels with these shares of a core, as far as `freedom` binds them.
    pub(super) fn new(
        device: &Device,
        grid: &Grid,
        shares: IdVec<KernelId, u32>,
        freedom: Option<&Freedom>,
    ) -> Self {
        let tiles = |freedom: &Freedom| shares.ids().map(|kernel| freedom.tiles(kernel).to_vec()).collect();
        let allowed: IdVec<_, Vec<bool>> =
            freedom.filter(|freedom| freedom.is_bound).map(tiles).unwrap_or_default();
        let whole = allowed.is_empty() && grid.open_tiles() == grid.len() && grid.len() > SMALL;
        // A sharing step spans at most two rows or columns, and a piece has at most `MOST_KERNELS`.
        // Reach depends only on the parity of the row.
        let steps = 2 * MOST_KERNELS as u16;
        let (grid, starts) = if whole {
            let grid = Grid::new(&Device { columns: 2 * steps + 1, rows: 2 * steps + 2, ..device.clone() });
            let starts = [steps, steps + 1].map(|row| grid.id(Tile::new(steps, row)));
            (grid, starts.into_iter().flatten().collect())
        } else {
            (grid.clone(), grid.ids().filter(|&tile| grid.is_open(tile)).collect())
        };
        Self { grid, starts, allowed, shares }
    }
}

/// Minimum number of cuts. The search starts from the `proved` number if the graph is connected.
pub(super) fn fewest_cuts(graph: &Graph, field: &Field, proved: u64) -> u64 {
    let around = |kernel: KernelId| graph.around[kernel].iter().map(|&(_, other)| other);
    let mut parts = components(graph.around.len(), around);
    parts.retain(|part| part.len() > 1);
    let from = if parts.len() == 1 { proved } else { 0 };
    let kernels = parts.iter().map(Vec::len).max().unwrap_or(0);
    // Larger graphs get less work, since little is decided there.
    let (mut work, mut all) = (WORK / kernels.div_ceil(8).max(1) as u64, 0_u64);
    let mut known: BTreeMap<Vec<(usize, usize, u64)>, u64> = BTreeMap::new();
    for part in parts.iter().filter(|part| part.len() <= MOST_KERNELS) {
        let shape = shape(graph, part);
        // Without constraints, equal parts have equal results.
        let same = known.get(&shape).copied().filter(|_| field.allowed.is_empty() && is_plain(field));
        let cuts = same.unwrap_or_else(|| least(graph, field, part, from, &mut work));
        known.insert(shape, cuts);
        all = all.saturating_add(cuts);
    }
    all
}

fn is_plain(field: &Field) -> bool {
    field.shares.iter().all(|&share| share == WHOLE_CORE)
}

/// The fewest cuts within `part`, within the budget.
fn least(graph: &Graph, field: &Field, part: &[KernelId], from: u64, work: &mut u64) -> u64 {
    let all: u64 =
        part.iter().flat_map(|&k| &graph.around[k]).map(|&(e, _)| graph.edges[e].connections).sum();
    let mut cuts = from;
    while cuts <= all / 2 {
        let mut search = Search::new(graph, field, part, cuts, work);
        match search.begin(0) {
            Some(false) => cuts += 1,
            Some(true) | None => break,
        }
    }
    cuts
}

/// The edges of `part`, by the positions of their ends in it.
fn shape(graph: &Graph, part: &[KernelId]) -> Vec<(usize, usize, u64)> {
    let place = |kernel: KernelId| part.binary_search(&kernel).unwrap_or(usize::MAX);
    let edges = part.iter().flat_map(|&a| graph.around[a].iter().map(move |&(edge, b)| (a, b, edge)));
    let edges = edges.filter(|(a, b, _)| a < b);
    edges.map(|(a, b, edge)| (place(a), place(b), graph.edges[edge].connections)).collect()
}

/// The state of a kernel in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Not placed yet.
    Open,
    /// On a tile, in the current piece.
    Tile(TileId),
    /// In a complete piece.
    Done,
}

struct Search<'a> {
    graph: &'a Graph,
    field: &'a Field,
    part: &'a [KernelId],
    /// Maximum number of cuts.
    most: u64,
    work: &'a mut u64,
    at: IdVec<KernelId, At>,
    /// Edges that the branch cuts, so their ends must not share.
    cut: IdVec<EdgeId, bool>,
    /// Used time of each tile's core, in 1/1000.
    taken: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, field: &'a Field, part: &'a [KernelId], most: u64, work: &'a mut u64) -> Self {
        let (at, cut) = (graph.each(&At::Open), IdVec::filled(false, graph.edges.len()));
        Self { graph, field, part, most, work, at, cut, taken: vec![0; field.grid.len()] }
    }

    /// Begins a piece with the open kernel that has the most neighbours. Returns true if all
    /// kernels find a tile with at most `most` cuts, None when the budget ran out.
    fn begin(&mut self, paid: u64) -> Option<bool> {
        let open = self.part.iter().copied().filter(|&k| self.at[k] == At::Open);
        let Some(first) = open.max_by_key(|&k| (self.graph.around[k].len(), std::cmp::Reverse(k))) else {
            return Some(true);
        };
        let starts = self.field.starts.clone();
        for tile in starts {
            if self.fits(first, tile) && self.with(first, tile, |search| search.go_on(paid))? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Puts the next kernel beside the piece, or cuts it off from the placed kernels of the piece.
    fn go_on(&mut self, paid: u64) -> Option<bool> {
        *self.work = self.work.checked_sub(1)?;
        if paid + self.to_come() > self.most {
            return Some(false);
        }
        let Some(kernel) = self.next() else { return self.complete(paid) };
        let around = self.undecided(kernel);
        let tiles = self.tiles_beside(kernel, &around);
        *self.work = self.work.saturating_sub(tiles.len() as u64);
        for (cost, tile) in tiles {
            if paid + cost <= self.most && self.with(kernel, tile, |search| search.go_on(paid + cost))? {
                return Some(true);
            }
        }
        let cost: u64 = around.iter().map(|&(edge, _)| self.graph.edges[edge].connections).sum();
        if paid + cost > self.most {
            return Some(false);
        }
        around.iter().for_each(|&(edge, _)| self.cut[edge] = true);
        let found = self.go_on(paid + cost);
        around.iter().for_each(|&(edge, _)| self.cut[edge] = false);
        found
    }

    /// Removes the piece from the tiles and begins the next one. No edge joins the piece to an open
    /// kernel any more.
    fn complete(&mut self, paid: u64) -> Option<bool> {
        let (at, taken) =
            (self.at.clone(), std::mem::replace(&mut self.taken, vec![0; self.field.grid.len()]));
        let done = |at: &At| if *at == At::Open { At::Open } else { At::Done };
        self.at = at.iter().map(done).collect();
        let found = self.begin(paid);
        (self.at, self.taken) = (at, taken);
        found
    }

    /// Runs `then` with `kernel` on `tile`, and takes the kernel off again.
    fn with<T>(&mut self, kernel: KernelId, tile: TileId, then: impl FnOnce(&mut Self) -> T) -> T {
        let share = self.field.shares[kernel];
        self.at[kernel] = At::Tile(tile);
        self.taken[tile.index()] += share;
        let result = then(self);
        self.taken[tile.index()] -= share;
        self.at[kernel] = At::Open;
        result
    }

    /// Uncut edges from an open kernel to placed ones, each with the tile.
    fn undecided(&self, kernel: KernelId) -> Vec<(EdgeId, TileId)> {
        let around = self.graph.around[kernel].iter().filter(|(edge, _)| !self.cut[*edge]);
        around
            .filter_map(|&(edge, other)| match self.at[other] {
                At::Tile(tile) => Some((edge, tile)),
                _ => None,
            })
            .collect()
    }

    /// The open kernel with the most undecided edges to the piece.
    fn next(&self) -> Option<KernelId> {
        let open = self.part.iter().copied().filter(|&k| self.at[k] == At::Open);
        let edges = open.map(|k| (self.undecided(k).len(), std::cmp::Reverse(k)));
        edges.max().filter(|(edges, _)| *edges > 0).map(|(_, kernel)| kernel.0)
    }

    /// Tiles that share with at least one tile of `around`, each with its number of cuts, fewest
    /// first.
    fn tiles_beside(&self, kernel: KernelId, around: &[(EdgeId, TileId)]) -> Vec<(u64, TileId)> {
        let mut tiles: Vec<TileId> = around
            .iter()
            .flat_map(|&(_, tile)| self.field.grid.partners(tile).iter().copied().chain([tile]))
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles.retain(|&tile| self.fits(kernel, tile));
        let cost = |&tile: &TileId| {
            let far = around.iter().filter(|&&(_, other)| !self.shares(tile, other));
            (far.map(|&(edge, _)| self.graph.edges[edge].connections).sum(), tile)
        };
        let mut tiles: Vec<(u64, TileId)> = tiles.iter().map(cost).collect();
        tiles.sort_unstable();
        tiles
    }

    /// True if `kernel` may be on `tile` beside the placed kernels: the core has time left, and no
    /// cut edge is shared.
    fn fits(&self, kernel: KernelId, tile: TileId) -> bool {
        let near = |other: KernelId| matches!(self.at[other], At::Tile(there) if self.shares(tile, there));
        self.taken[tile.index()] + self.field.shares[kernel] <= WHOLE_CORE
            && self.field.allowed.get(kernel).is_none_or(|tiles| tiles[tile.index()])
            && !self.graph.around[kernel].iter().any(|&(edge, other)| self.cut[edge] && near(other))
    }

    fn shares(&self, a: TileId, b: TileId) -> bool {
        a == b || self.field.grid.partners(a).contains(&b)
    }

    /// Lower bound on the remaining cuts: kernels with more undecided edges than free tiles beside
    /// them. An edge counts at one end only.
    fn to_come(&self) -> u64 {
        if !is_plain(self.field) {
            return 0;
        }
        let excess = |kernel: KernelId, tile: TileId| {
            let open =
                self.graph.around[kernel].iter().filter(|(e, o)| !self.cut[*e] && self.at[*o] == At::Open);
            let mut edges: Vec<u64> = open.map(|&(edge, _)| self.graph.edges[edge].connections).collect();
            let free =
                self.field.grid.partners(tile).iter().filter(|tile| self.taken[tile.index()] == 0).count();
            edges.sort_unstable();
            edges.iter().take(edges.len().saturating_sub(free)).sum::<u64>()
        };
        let on_tiles = self.part.iter().filter_map(|&k| match self.at[k] {
            At::Tile(tile) => Some((k, tile)),
            _ => None,
        });
        on_tiles.map(|(kernel, tile)| excess(kernel, tile)).sum()
    }
}
