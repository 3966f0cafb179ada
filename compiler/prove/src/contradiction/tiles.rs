//! Sets of tiles as bit sets.

use aiec_device::TileId;

/// A set of tiles of one grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TileSet {
    words: Vec<u64>,
}

impl TileSet {
    /// The empty set of a grid of `tiles` tiles.
    pub(super) fn none(tiles: usize) -> Self {
        Self { words: vec![0; tiles.div_ceil(64)] }
    }

    /// The set of `members` in a grid of `tiles` tiles.
    pub(super) fn of(tiles: usize, members: impl Iterator<Item = TileId>) -> Self {
        let mut set = Self::none(tiles);
        members.for_each(|tile| set.insert(tile));
        set
    }

    pub(super) fn insert(&mut self, tile: TileId) {
        self.words[tile.index() / 64] |= 1 << (tile.index() % 64);
    }

    pub(super) fn remove(&mut self, tile: TileId) {
        self.words[tile.index() / 64] &= !(1 << (tile.index() % 64));
    }

    pub(super) fn contains(&self, tile: TileId) -> bool {
        self.words[tile.index() / 64] >> (tile.index() % 64) & 1 == 1
    }

    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The tile of a set of one. Else None.
    pub(super) fn only(&self) -> Option<TileId> {
        let mut tiles = self.iter();
        tiles.next().filter(|_| tiles.next().is_none())
    }

    /// The members in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = TileId> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            rest.take_while(|&rest| rest != 0)
                .map(move |rest| TileId((at * 64) as u16 + rest.trailing_zeros() as u16))
        })
    }

    /// Union: adds all of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
    }

    /// Intersection: keeps the members of `other`.
    pub(super) fn keep(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own &= other);
    }

    /// Difference: removes all of `other`.
    pub(super) fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own &= !other);
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(own, other)| own & !other == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let ids = |numbers: &[u16]| numbers.iter().copied().map(TileId).collect::<Vec<_>>();
        let set = |numbers: &[u16]| TileSet::of(130, ids(numbers).into_iter());
        let mut all = set(&[3, 64, 129]);
        assert_eq!(all.iter().collect::<Vec<_>>(), ids(&[3, 64, 129]));
        assert!(all.contains(TileId(64)) && !all.contains(TileId(65)) && all.len() == 3);
        all.add(&set(&[5]));
        all.subtract(&set(&[3, 7]));
        assert!(all == set(&[5, 64, 129]) && set(&[5, 129]).is_within(&all) && !set(&[3]).is_within(&all));
        all.keep(&set(&[64, 65]));
        assert_eq!(all.only(), Some(TileId(64)));
        all.remove(TileId(64));
        assert!(all.is_empty() && all.only().is_none());
    }
}
