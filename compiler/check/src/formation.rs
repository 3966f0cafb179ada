//! Formations: kernels that move as one, because each tile follows from the tile of the first
//! kernel.
//!
//! Takes ties between kernels: a distance in tiles that the design states, or a number of steps
//! along the cascade. Returns the formations, each with the tiles of its kernels for every tile of
//! the first one. A layout exists only if all ties hold and all tiles are on the array.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Grid, Tile, TileId};

/// How the tile of one kernel follows from the tile of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Columns and rows from it.
    Offset(i64, i64),
    /// Steps further along the cascade.
    Cascade(i64),
}

impl Way {
    const fn back(self) -> Self {
        match self {
            Self::Offset(columns, rows) => Self::Offset(-columns, -rows),
            Self::Cascade(steps) => Self::Cascade(-steps),
        }
    }

    fn from(self, grid: &Grid, tile: TileId) -> Option<TileId> {
        match self {
            Self::Offset(columns, rows) => moved(grid, tile, columns, rows),
            Self::Cascade(steps) => grid.along_cascade(tile, steps),
        }
    }
}

/// The tile of kernel `to` is the tile of `from` moved by `way`.
#[derive(Clone, Copy, Debug)]
pub struct Tie<K> {
    /// The kernel from which the other follows.
    pub from: K,
    /// The kernel whose tile follows.
    pub to: K,
    /// The way from the first tile to the second.
    pub way: Way,
}

/// Kernels that ties join, with a spanning tree of their ties.
#[derive(Clone, Debug)]
pub struct Tied<K> {
    /// The kernels. The tiles of all others follow from the tile of the first.
    pub members: Vec<K>,
    /// For each member but the first, an earlier member and the way from it.
    tree: Vec<(usize, Way)>,
    /// All other ties between members, which must hold too.
    others: Vec<(usize, usize, Way)>,
}

/// The kernels that ties join to each of `kernels`, by breadth-first search along `ties`. A kernel
/// without ties is alone.
pub fn tied<K: Copy + Ord>(kernels: impl IntoIterator<Item = K>, ties: &[Tie<K>]) -> Vec<Tied<K>> {
    let mut at: BTreeMap<K, Vec<(K, Way)>> = BTreeMap::new();
    for tie in ties {
        at.entry(tie.from).or_default().push((tie.to, tie.way));
        at.entry(tie.to).or_default().push((tie.from, tie.way.back()));
    }
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    for kernel in kernels {
        if seen.insert(kernel) {
            all.push(follow(&at, kernel, &mut seen));
        }
    }
    all
}

fn follow<K: Copy + Ord>(at: &BTreeMap<K, Vec<(K, Way)>>, first: K, seen: &mut BTreeSet<K>) -> Tied<K> {
    let mut tied = Tied { members: vec![first], tree: Vec::new(), others: Vec::new() };
    let mut number = BTreeMap::from([(first, 0)]);
    let mut next = 0;
    while let Some(kernel) = tied.members.get(next) {
        for &(to, way) in at.get(kernel).into_iter().flatten() {
            match number.get(&to) {
                Some(&known) => tied.others.push((next, known, way)),
                None => {
                    number.insert(to, tied.members.len());
                    seen.insert(to);
                    tied.members.push(to);
                    tied.tree.push((next, way));
                }
            }
        }
        next += 1;
    }
    tied
}

impl<K> Tied<K> {
    /// Columns and rows of each member from the first, by the ties of the spanning tree. Steps
    /// along a cascade count as none.
    pub fn positions(&self) -> Vec<(i64, i64)> {
        let mut positions = vec![(0, 0)];
        for &(from, way) in &self.tree {
            let (column, row): (i64, i64) = positions[from];
            positions.push(match way {
                Way::Offset(columns, rows) => (column + columns, row + rows),
                Way::Cascade(_) => (column, row),
            });
        }
        positions
    }

    /// Appends the tiles of all members to `tiles`, with the first on `first`. Returns false if
    /// these are not on the array or break a tie; the appended tiles then mean nothing.
    fn lay(&self, grid: &Grid, first: TileId, tiles: &mut Vec<TileId>) -> bool {
        let start = tiles.len();
        tiles.push(first);
        for &(from, way) in &self.tree {
            match way.from(grid, tiles[start + from]) {
                Some(tile) => tiles.push(tile),
                None => break,
            }
        }
        let all = tiles.len() == start + self.members.len();
        let holds = |&(from, to, way): &(usize, usize, Way)| {
            way.from(grid, tiles[start + from]) == Some(tiles[start + to])
        };
        let stands = all && self.others.iter().all(holds);
        tiles.resize(start + self.members.len(), first);
        stands
    }
}

/// Kernels that move as one, with the tiles of all of them for each tile of the first. `K` is the
/// type of the kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formation<K> {
    /// The kernels. The first one is the anchor.
    pub members: Vec<K>,
    /// By tile of the first kernel: true if the layout exists.
    possible: Vec<bool>,
    /// The tiles of all members, one layout after the other. Undefined where no layout exists.
    tiles: Vec<TileId>,
}

impl<K> Formation<K> {
    /// The formation of tied kernels on `grid`.
    pub fn new(grid: &Grid, tied: Tied<K>) -> Self {
        let mut tiles = Vec::with_capacity(grid.len() * tied.members.len());
        let possible = grid.ids().map(|first| tied.lay(grid, first, &mut tiles)).collect();
        Self { members: tied.members, possible, tiles }
    }

    /// The tiles of all members with the first on `tile`. Returns None when no layout exists.
    pub fn on(&self, tile: TileId) -> Option<&[TileId]> {
        let (at, size) = (tile.index(), self.members.len());
        self.possible.get(at).filter(|&&possible| possible)?;
        self.tiles.get(at * size..(at + 1) * size)
    }

    /// The kernels with their tiles if the first is on `tile`. Empty when no layout exists.
    pub fn at(&self, tile: TileId) -> impl Iterator<Item = (K, TileId)> + Clone + '_
    where
        K: Copy,
    {
        self.members.iter().copied().zip(self.on(tile).unwrap_or_default().iter().copied())
    }

    /// The layouts that fit the array: the tiles of all members, in their order.
    pub fn layouts(&self) -> impl Iterator<Item = &[TileId]> {
        let all = self.tiles.chunks(self.members.len().max(1)).zip(&self.possible);
        all.filter(|(_, possible)| **possible).map(|(layout, _)| layout)
    }
}

impl<K: Copy> Formation<K> {
    /// True if the members form a layout where `tile_of` gives the tile of each.
    pub fn stands(&self, tile_of: impl Fn(K) -> TileId) -> bool {
        let layout = self.members.first().and_then(|&first| self.on(tile_of(first)));
        layout.is_some_and(|layout| self.members.iter().zip(layout).all(|(&k, &tile)| tile_of(k) == tile))
    }
}

/// The formations on `grid` that the ties make, in the order of their first kernels.
pub fn formations<K: Copy + Ord>(grid: &Grid, ties: &[Tie<K>]) -> Vec<Formation<K>> {
    let ends: BTreeSet<K> = ties.iter().flat_map(|tie| [tie.from, tie.to]).collect();
    tied(ends, ties).into_iter().map(|tied| Formation::new(grid, tied)).collect()
}

/// The tile that many columns and rows from `anchor`. Returns None when it is outside the array.
pub fn moved(grid: &Grid, anchor: TileId, columns: i64, rows: i64) -> Option<TileId> {
    let Tile { column, row } = grid.tile(anchor);
    let column = u16::try_from(i64::from(column).checked_add(columns)?).ok()?;
    let row = u16::try_from(i64::from(row).checked_add(rows)?).ok()?;
    grid.id(Tile::new(column, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_device::builtin;

    fn toy() -> Grid {
        Grid::new(&builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in"))
    }

    const fn tie(from: usize, to: usize, way: Way) -> Tie<usize> {
        Tie { from, to, way }
    }

    #[test]
    fn a_chain_along_the_cascade_turns_at_the_end_of_a_row() {
        let grid = toy();
        let ties = [tie(0, 1, Way::Cascade(1)), tie(1, 2, Way::Cascade(1))];
        let [chain] = formations(&grid, &ties).try_into().expect("one");
        let tile = |column, row| grid.id(Tile::new(column, row)).expect("inside");
        assert_eq!(
            chain.on(tile(4, 0)),
            Some([tile(4, 0), tile(5, 0), tile(5, 1)].as_slice()),
            "east, then up"
        );
        assert_eq!(
            chain.on(tile(1, 1)),
            Some([tile(1, 1), tile(0, 1), tile(0, 2)].as_slice()),
            "west, then up"
        );
        assert_eq!(chain.on(tile(1, 3)), None, "the last row leads to its west end");
        assert_eq!(chain.layouts().count(), 22, "24 cores, 3 in a row");
    }

    #[test]
    fn all_ties_of_a_formation_hold() {
        let grid = toy();
        // One step along the cascade that also goes west: odd rows only.
        let both = [tie(0, 1, Way::Cascade(1)), tie(0, 1, Way::Offset(-1, 0))];
        assert_eq!(formations(&grid, &both)[0].layouts().count(), 10);
        let never = [tie(0, 1, Way::Cascade(1)), tie(0, 1, Way::Offset(0, 2))];
        assert_eq!(formations(&grid, &never)[0].layouts().count(), 0);
    }

    #[test]
    fn kernels_at_distance_0_are_on_one_tile() {
        let ties = [tie(3, 5, Way::Offset(0, 0)), tie(5, 4, Way::Offset(1, 0))];
        let found = formations(&toy(), &ties);
        assert_eq!(found[0].members, [3, 5, 4]);
        assert_eq!(found[0].layouts().count(), 20);
        assert!(found[0].layouts().all(|layout| layout[0] == layout[1] && layout[0] != layout[2]));
    }
}
