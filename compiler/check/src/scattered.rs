//! The most kernels that fit a set of tiles if no two of them may share memory: an independent set.
//!
//! Takes tiles and returns an upper bound on the number of cores of which no two reach a common
//! module. The tiles are cut into blocks of a few columns, and branch and bound solves each block
//! exactly within bounded work. The sum over the blocks is never less than the number for all
//! tiles. A second bound counts modules: the reaches of such cores are disjoint.

use aiec_device::{Grid, TileId};

/// Columns of a block: as wide as branch and bound solves quickly.
const COLUMNS: u16 = 4;
/// Search nodes for each block.
const WORK: u64 = 1 << 14;

/// The size of an independent set that a greedy pass finds: cores on `tiles`, one entry per tile,
/// of which no two reach a common module.
pub(super) fn some_apart(grid: &Grid, tiles: &[bool]) -> u64 {
    let mut open: Vec<TileId> = grid.ids().filter(|tile| tiles[tile.index()]).collect();
    let mut found = 0;
    while let Some(&first) = open.first() {
        found += 1;
        open.retain(|other| *other != first && !grid.partners(first).contains(other));
    }
    found
}

/// An upper bound on the cores on `tiles`, one entry per tile, of which no two reach a common
/// module.
pub(super) fn most_apart(grid: &Grid, tiles: &[bool]) -> u64 {
    let all: Vec<TileId> = grid.ids().filter(|tile| tiles[tile.index()]).collect();
    let columns: Vec<u16> = all.iter().map(|&tile| grid.tile(tile).column).collect();
    let (Some(&first), Some(&last)) = (columns.iter().min(), columns.iter().max()) else { return 0 };
    let blocks = (first..=last).step_by(usize::from(COLUMNS)).map(|west| {
        let inside =
            |tile: &&TileId| (west..west.saturating_add(COLUMNS)).contains(&grid.tile(**tile).column);
        let mut search = Search { grid, best: 0, work: WORK };
        let block: Vec<TileId> = all.iter().filter(inside).copied().collect();
        // Every core takes at least one module from the others.
        if search.go_on(&block, 0).is_some() { search.best } else { by_modules(grid, &block) }
    });
    blocks.sum::<u64>().min(by_modules(grid, &all))
}

/// The most cores whose reaches, the smallest first, sum to no more than the modules that `tiles`
/// reach.
fn by_modules(grid: &Grid, tiles: &[TileId]) -> u64 {
    let mut reach: Vec<usize> = tiles.iter().map(|&tile| grid.reach(tile).len()).collect();
    reach.sort_unstable();
    let mut modules: Vec<TileId> = tiles.iter().flat_map(|&tile| grid.reach(tile)).copied().collect();
    modules.sort_unstable();
    modules.dedup();
    let within = reach.iter().scan(0, |sum, &modules| {
        *sum += modules;
        Some(*sum)
    });
    within.take_while(|&sum| sum <= modules.len()).count() as u64
}

struct Search<'a> {
    grid: &'a Grid,
    best: u64,
    work: u64,
}

impl Search<'_> {
    /// Branch and bound: takes or leaves the first of `open`, in ascending order, after `chosen`
    /// cores. Returns None when the work runs out.
    fn go_on(&mut self, open: &[TileId], chosen: u64) -> Option<()> {
        self.work = self.work.checked_sub(1)?;
        self.best = self.best.max(chosen);
        if chosen + self.cliques(open) <= self.best {
            return Some(());
        }
        let (&first, rest) = open.split_first()?;
        let apart: Vec<TileId> =
            rest.iter().copied().filter(|other| !self.grid.partners(first).contains(other)).collect();
        self.go_on(&apart, chosen + 1)?;
        self.go_on(rest, chosen)
    }

    /// A greedy cover of `open` by cliques of cores that pairwise share memory. At most one core of
    /// each clique can be taken.
    fn cliques(&self, open: &[TileId]) -> u64 {
        let mut sets: Vec<Vec<TileId>> = Vec::new();
        for &tile in open {
            let near = |other: &TileId| self.grid.partners(tile).contains(other);
            match sets.iter_mut().find(|set| set.iter().all(near)) {
                Some(set) => set.push(tile),
                None => sets.push(vec![tile]),
            }
        }
        sets.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::device;

    /// The exact number, by exhaustive search.
    fn by_trying(grid: &Grid, open: &[TileId]) -> u64 {
        let Some((&first, rest)) = open.split_first() else { return 0 };
        let apart: Vec<TileId> =
            rest.iter().copied().filter(|other| !grid.partners(first).contains(other)).collect();
        by_trying(grid, rest).max(1 + by_trying(grid, &apart))
    }

    #[test]
    fn in_a_region_of_few_columns_the_number_is_exact() {
        let grid = Grid::new(&device("xcvc1902"));
        for (columns, rows) in [(1, 8), (2, 3), (3, 8), (4, 4)] {
            let inside = |tile: TileId| {
                let tile = grid.tile(tile);
                (10..10 + columns).contains(&tile.column) && tile.row < rows
            };
            let tiles: Vec<bool> = grid.ids().map(inside).collect();
            let open: Vec<TileId> = grid.ids().filter(|&tile| inside(tile)).collect();
            assert!(some_apart(&grid, &tiles) <= most_apart(&grid, &tiles));
            assert_eq!(most_apart(&grid, &tiles), by_trying(&grid, &open), "{columns} x {rows}");
        }
    }

    #[test]
    fn a_whole_array_is_never_given_too_few() {
        let grid = Grid::new(&device("xcvc1902"));
        let most = most_apart(&grid, &vec![true; grid.len()]);
        // The cores in every second column of rows 0, 3 and 6 share no module.
        assert!((75..=125).contains(&most), "{most}");
    }
}
