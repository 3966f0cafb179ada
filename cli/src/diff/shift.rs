//! A placement that is the old one, shifted or mirrored as a whole.
//!
//! A search may put all kernels some columns further, or mirror them. Then every kernel has another
//! tile, and the lists of what differs say nothing. Takes two reports, and finds the map of tiles
//! that most kernels of both follow.

use std::collections::BTreeMap;

use serde::Serialize;

use super::report::{Report, Tile};

/// A map of columns and rows: each is shifted, or mirrored first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Shift {
    /// True for an axis (columns, rows) that counts the other way.
    mirrored: [bool; 2],
    /// What is added to column and row after that.
    by: [i32; 2],
    /// Kernels of both sides that follow the map.
    pub(super) kernels: usize,
}

impl Shift {
    /// The map that more than half of the kernels of both sides follow, and at least two of them.
    /// Returns None when these stay where they are.
    pub(super) fn of(old: &Report, new: &Report) -> Option<Self> {
        let tiles: BTreeMap<&str, Tile> =
            new.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel.tile)).collect();
        let pairs = old.kernels.iter();
        let pairs = pairs.filter_map(|kernel| Some((kernel.tile, *tiles.get(kernel.name.as_str())?)));
        let pairs: Vec<(Tile, Tile)> = pairs.collect();
        // Of maps that equally many kernels follow, the first one has the fewest mirrors.
        let ways = [[false, false], [true, false], [false, true], [true, true]];
        let all = ways.into_iter().rev().filter_map(|mirrored| Self::most(&pairs, mirrored));
        let best = all.max_by_key(|shift| shift.kernels)?;
        let is_still = best.mirrored == [false, false] && best.by == [0, 0];
        (best.kernels >= 2 && best.kernels * 2 > pairs.len() && !is_still).then_some(best)
    }

    /// The map with these mirrors that most pairs follow.
    fn most(pairs: &[(Tile, Tile)], mirrored: [bool; 2]) -> Option<Self> {
        let mut counts: BTreeMap<[i32; 2], usize> = BTreeMap::new();
        for (from, to) in pairs {
            let [column, row] = turned(*from, mirrored);
            *counts.entry([i32::from(to.0) - column, i32::from(to.1) - row]).or_default() += 1;
        }
        let (by, kernels) = counts.into_iter().rev().max_by_key(|(_, count)| *count)?;
        Some(Self { mirrored, by, kernels })
    }

    /// Column and row where a tile comes to lie, perhaps outside of the array.
    pub(super) fn tile(self, tile: Tile) -> (i32, i32) {
        let [column, row] = turned(tile, self.mirrored);
        (column + self.by[0], row + self.by[1])
    }

    /// The map in words, such as `2 columns east and 1 row south`.
    pub(super) fn words(self) -> String {
        let axis = |at: usize, name: &str, [up, down]: [&str; 2]| {
            let by = self.by[at];
            let far = aiec_diag::count(by.unsigned_abs().into(), name);
            match (self.mirrored[at], by) {
                (true, _) => Some(format!("{name} x at {by} - x")),
                (false, 0) => None,
                (false, 1..) => Some(format!("{far} {up}")),
                (false, _) => Some(format!("{far} {down}")),
            }
        };
        let axes = [axis(0, "column", ["east", "west"]), axis(1, "row", ["north", "south"])];
        axes.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}

/// Column and row, the mirrored ones negative.
fn turned(tile: Tile, mirrored: [bool; 2]) -> [i32; 2] {
    let turn = |number: u16, is_turned: bool| if is_turned { -i32::from(number) } else { i32::from(number) };
    [turn(tile.0, mirrored[0]), turn(tile.1, mirrored[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(pairs: &[(Tile, Tile)], mirrored: [bool; 2]) -> Option<(String, usize)> {
        Shift::most(pairs, mirrored).map(|shift| (shift.words(), shift.kernels))
    }

    #[test]
    fn a_map_is_that_of_most_kernels() {
        let shifted = [((3, 1), (5, 0)), ((4, 1), (6, 0)), ((4, 2), (9, 9))];
        assert_eq!(most(&shifted, [false, false]), Some(("2 columns east and 1 row south".into(), 2)));
        let mirrored = [((3, 1), (7, 1)), ((4, 2), (6, 2)), ((5, 0), (5, 0))];
        assert_eq!(most(&mirrored, [true, false]), Some(("column x at 10 - x".into(), 3)));
        let shift = Shift::most(&mirrored, [true, false]).expect("a map");
        assert_eq!(shift.tile((1, 6)), (9, 6));
        assert_eq!(most(&[], [false, false]), None);
    }
}
