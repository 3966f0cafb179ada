//! Formations: kernels that move as one, because each tile follows from the tile of the first
//! kernel.
//!
//! Takes ties between kernels: a distance in tiles that the design asks for, or a number of steps
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
pub struct Tie {
    /// The kernel from which the other follows.
    pub from: usize,
    /// The kernel whose tile follows.
    pub to: usize,
    /// The way from the first tile to the second.
    pub way: Way,
}

/// Kernels that move as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formation {
    /// Indices of the kernels. The first one is the anchor.
    pub members: Vec<usize>,
    /// By tile of the first kernel: true if the layout exists.
    possible: Vec<bool>,
    /// The tiles of all members, one layout after the other. Undefined where no layout exists.
    tiles: Vec<TileId>,
}

impl Formation {
    /// A formation of one kernel without ties.
    pub fn single(grid: &Grid, kernel: usize) -> Self {
        Self { members: vec![kernel], possible: vec![true; grid.len()], tiles: grid.ids().collect() }
    }

    /// A formation of `members`. `layouts` has one entry for each tile of the first kernel, None
    /// where no layout exists.
    fn new(members: Vec<usize>, layouts: impl Iterator<Item = Option<Vec<TileId>>>) -> Self {
        let (mut possible, mut tiles) = (Vec::new(), Vec::new());
        for layout in layouts {
            possible.push(layout.is_some());
            tiles.extend(layout.unwrap_or_else(|| vec![TileId(0); members.len()]));
        }
        Self { members, possible, tiles }
    }

    /// The tiles of all members with the first on `tile`. None when no layout exists.
    pub fn on(&self, tile: TileId) -> Option<&[TileId]> {
        let (at, size) = (tile.index(), self.members.len());
        self.possible.get(at).filter(|&&possible| possible)?;
        self.tiles.get(at * size..(at + 1) * size)
    }

    /// All existing layouts.
    pub fn layouts(&self) -> impl Iterator<Item = &[TileId]> {
        let all = self.tiles.chunks(self.members.len().max(1)).zip(&self.possible);
        all.filter(|(_, possible)| **possible).map(|(layout, _)| layout)
    }

    /// True if the members form a layout on `tiles`, the tiles of all kernels.
    pub fn stands(&self, tiles: &[TileId]) -> bool {
        let first = self.members.first().and_then(|&first| tiles.get(first));
        first.and_then(|&first| self.on(first)).is_some_and(|layout| {
            self.members.iter().zip(layout).all(|(&member, tile)| tiles.get(member) == Some(tile))
        })
    }

    /// Pairs of members on one tile in every layout.
    pub fn on_one_tile(&self) -> Vec<(usize, usize)> {
        if self.layouts().next().is_none() {
            return Vec::new();
        }
        let mut first: BTreeMap<Vec<TileId>, usize> = BTreeMap::new();
        let of = |at: usize| self.layouts().map(|layout| layout[at]).collect();
        let pairs = self
            .members
            .iter()
            .enumerate()
            .map(|(at, &member)| (*first.entry(of(at)).or_insert(member), member));
        pairs.filter(|(a, b)| a != b).collect()
    }

    /// The formation over teams of kernels; `of` gives the team of each kernel. Returns None when
    /// all members are in one team. Different teams are on different tiles.
    pub fn of_teams(&self, of: &[usize]) -> Option<Self> {
        let teams: Vec<usize> = self.members.iter().map(|&member| of[member]).collect();
        let first_of = |team: usize| teams.iter().position(|&other| other == team).unwrap_or(0);
        let kept: Vec<usize> = (0..teams.len()).filter(|&at| first_of(teams[at]) == at).collect();
        let layout = |layout: &[TileId]| {
            let agree = (0..teams.len()).all(|at| layout[first_of(teams[at])] == layout[at]);
            let tiles: Vec<TileId> = kept.iter().map(|&at| layout[at]).collect();
            let different = tiles.iter().collect::<BTreeSet<_>>().len() == tiles.len();
            (agree && different).then_some(tiles)
        };
        let layouts = self.tiles.chunks(teams.len()).zip(&self.possible);
        let layouts = layouts.map(|(tiles, possible)| possible.then(|| layout(tiles)).flatten());
        (kept.len() > 1).then(|| Self::new(kept.iter().map(|&at| teams[at]).collect(), layouts))
    }
}

/// The formations that the ties make, in the order of their first kernels.
pub fn formations(grid: &Grid, ties: &[Tie]) -> Vec<Formation> {
    let mut at: BTreeMap<usize, Vec<Tie>> = BTreeMap::new();
    for tie in ties {
        at.entry(tie.from).or_default().push(*tie);
        at.entry(tie.to).or_default().push(Tie { from: tie.to, to: tie.from, way: tie.way.back() });
    }
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for &first in at.keys() {
        if seen.insert(first) {
            found.push(formation(grid, &at, first, &mut seen));
        }
    }
    found
}

/// The formation of `first`, by breadth-first search along the ties.
fn formation(
    grid: &Grid,
    ties: &BTreeMap<usize, Vec<Tie>>,
    first: usize,
    seen: &mut BTreeSet<usize>,
) -> Formation {
    // Each member but the first with the tie that leads to it, and all other ties, which must hold
    // too. All by member index.
    let (mut members, mut ways, mut others) = (vec![first], Vec::new(), Vec::new());
    let mut number: BTreeMap<usize, usize> = BTreeMap::from([(first, 0)]);
    let mut next = 0;
    while let Some(&kernel) = members.get(next) {
        for tie in ties.get(&kernel).into_iter().flatten() {
            match number.get(&tie.to) {
                Some(&known) => others.push((next, known, tie.way)),
                None => {
                    number.insert(tie.to, members.len());
                    seen.insert(tie.to);
                    members.push(tie.to);
                    ways.push((next, tie.way));
                }
            }
        }
        next += 1;
    }
    let layout = |tile: TileId| -> Option<Vec<TileId>> {
        let mut tiles = vec![tile];
        for &(from, way) in &ways {
            tiles.push(way.from(grid, tiles[from])?);
        }
        others.iter().all(|&(from, to, way)| way.from(grid, tiles[from]) == Some(tiles[to])).then_some(tiles)
    };
    Formation::new(members, grid.ids().map(layout))
}

/// The tile that many columns and rows from `anchor`. None outside the array.
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

    const fn tie(from: usize, to: usize, way: Way) -> Tie {
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
    fn kernels_at_distance_0_are_on_one_tile_and_a_team() {
        let ties = [tie(3, 5, Way::Offset(0, 0)), tie(5, 4, Way::Offset(1, 0))];
        let found = formations(&toy(), &ties);
        assert_eq!(found[0].on_one_tile(), [(3, 5)]);
        let teams = found[0].of_teams(&[0, 1, 2, 3, 4, 3]).expect("two teams");
        assert_eq!((teams.members.as_slice(), teams.layouts().count()), ([3, 4].as_slice(), 20));
        assert_eq!(found[0].of_teams(&[0, 1, 2, 3, 3, 3]).map(|f| f.layouts().count()), None, "one team");
    }
}
