//! The places left to the pieces of a puzzle, within a work limit.
//!
//! First, arc consistency: it removes a place if `together`, `apart` or a piece with one place
//! leave no compatible place at another piece, until nothing changes. Second, bipartite matching:
//! kernels that share cores only in small numbers find enough tiles. Both relax the problem, so a
//! piece without a place is a proof. The [branch and bound](super::fewest) takes both steps after
//! each choice.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use fixedbitset::FixedBitSet;

use super::puzzle::{Bond, Member, PieceId, Puzzle, only, tile_set, tiles_of};
use crate::prove::matching::Matching;
use crate::prove::work::Work;

/// The state of a search.
pub(super) struct Solver<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    /// Remaining places of each piece.
    pub(super) places: IdVec<PieceId, FixedBitSet>,
    /// Undo log: the earlier places of changed pieces, in the order of the changes.
    before: Vec<(PieceId, FixedBitSet)>,
    /// Remaining budget of places and tiles.
    pub(super) work: &'p Work<'p>,
}

impl<'p, 'a> Solver<'p, 'a> {
    pub(super) fn new(puzzle: &'p Puzzle<'a>, work: &'p Work<'p>) -> Self {
        Self { puzzle, places: puzzle.places.clone(), before: Vec::new(), work }
    }

    /// Pieces that the others could leave without a place: all but kernels with at least as many
    /// tiles as there are kernels to take them.
    pub(super) fn crowd(&self) -> Vec<PieceId> {
        let mut crowd: Vec<PieceId> = self.places.ids().collect();
        loop {
            let before = crowd.len();
            let kernels: usize = crowd.iter().map(|&piece| self.puzzle.pieces[piece].members.len()).sum();
            let is_easy = |piece: PieceId| {
                self.puzzle.pieces[piece].members.len() == 1
                    && self.puzzle.joined[piece].is_empty()
                    && self.places[piece].count_ones(..) >= kernels
            };
            crowd.retain(|&piece| !is_easy(piece));
            if crowd.len() == before {
                return crowd;
            }
        }
    }

    /// Removes incompatible places. Returns false when some piece has no place left.
    pub(super) fn settle(&mut self) -> bool {
        let all: Vec<PieceId> = self.places.ids().collect();
        !self.places.iter().any(FixedBitSet::is_clear)
            && self.propagate(all.iter().copied().collect(), &all)
            && self.find_enough_tiles(&all)
    }

    /// Arc consistency: removes places from the pieces of `scope` that are compatible with no place
    /// of a `changed` piece, repeatedly. Returns false when a piece has none left.
    fn propagate(&mut self, mut changed: BTreeSet<PieceId>, scope: &[PieceId]) -> bool {
        while let Some(piece) = changed.pop_first() {
            let settled = only(&self.places[piece]).is_some();
            let others = if settled { scope } else { self.puzzle.joined[piece].as_slice() };
            for &other in others.iter().filter(|&&other| other != piece) {
                if self.work.left() == 0 {
                    return true;
                }
                let supported = self.supported(piece, other);
                if self.places[other].is_subset(&supported) {
                    continue;
                }
                let mut left = self.places[other].clone();
                left.intersect_with(&supported);
                let none = left.is_clear();
                self.before.push((other, std::mem::replace(&mut self.places[other], left)));
                if none {
                    return false;
                }
                changed.insert(other);
            }
        }
        true
    }

    /// The places of `to`, and possibly others, that are compatible with some place of `from`.
    fn supported(&mut self, from: PieceId, to: PieceId) -> FixedBitSet {
        let puzzle = self.puzzle;
        let (own, other) = (&self.places[from], &self.places[to]);
        let (a, b) = (&puzzle.pieces[from], &puzzle.pieces[to]);
        let bonds: Option<Vec<Bond>> = match b.members.as_slice() {
            &[to] => Some(a.members.iter().map(|&from| puzzle.bond(from, to)).collect()),
            _ => None,
        };
        let mut all = FixedBitSet::with_capacity(puzzle.grid.len());
        for place in tiles_of(own) {
            let examined = if let Some(bonds) = &bonds {
                let mut beside_all = other.clone();
                for (&bond, (_, tile)) in bonds.iter().zip(a.at(place)) {
                    beside_all.intersect_with(&puzzle.beside(bond, tile));
                }
                all.union_with(&beside_all);
                bonds.len()
            } else {
                let goes = |to: &TileId| puzzle.go_together(a.at(place), b.at(*to));
                all.extend(tiles_of(other).filter(goes).map(TileId::index));
                a.members.len() * other.count_ones(..)
            };
            self.work.spend(examined as u64);
            if other.is_subset(&all) {
                break;
            }
        }
        all
    }

    /// Returns false if kernels have too few tiles together. Their time limits how many fit on a
    /// core.
    pub(super) fn find_enough_tiles(&self, scope: &[PieceId]) -> bool {
        let members = |piece: PieceId| self.puzzle.pieces[piece].members.iter().enumerate();
        let members = scope.iter().flat_map(|&piece| {
            members(piece).map(move |(number, &kernel)| (Member { piece, number }, kernel))
        });
        let fit = |kernel: KernelId| WHOLE_CORE / self.puzzle.facts.shares[kernel].max(1);
        let members: Vec<(u32, Member)> = members.map(|(member, kernel)| (fit(kernel), member)).collect();
        let fits: BTreeSet<u32> = members.iter().map(|(fit, _)| *fit).collect();
        fits.into_iter().all(|most| {
            let some: Vec<Member> = members.iter().filter(|(fit, _)| *fit <= most).map(|(_, m)| *m).collect();
            self.have_tiles(&some, most as usize)
        })
    }

    /// True if each of `members` finds a tile, with at most `fit` members on each.
    fn have_tiles(&self, members: &[Member], fit: usize) -> bool {
        // A member with more tiles than all members fill always finds one.
        let few = |member: &&Member| self.places[member.piece].count_ones(..) * fit < members.len();
        let tiles = members.iter().filter(few).map(|&member| {
            tile_set(&self.puzzle.grid, self.puzzle.tiles(member, &self.places[member.piece]))
        });
        let mut tiles: Vec<FixedBitSet> = tiles.collect();
        tiles.sort_by_key(|tiles| tiles.count_ones(..));
        let examined = members.len() + tiles.iter().map(|tiles| tiles.count_ones(..)).sum::<usize>();
        self.work.spend(examined as u64);
        // More places on a tile than kernels change nothing.
        let fit = fit.min(tiles.len());
        let all: BTreeSet<usize> = tiles.iter().flat_map(FixedBitSet::ones).collect();
        let all: Vec<usize> = all.into_iter().collect();
        let mut matching = Matching::empty(tiles.len(), all.len() * fit);
        let may = |kernel: usize, place: usize| tiles[kernel].contains(all[place / fit]);
        (0..tiles.len()).all(|kernel| matching.augment(kernel, may).is_ok())
    }

    /// Leaves a piece those of its places that are among `places`. Returns false when it has none,
    /// or a piece of `scope` has no compatible place.
    pub(super) fn keep(&mut self, piece: PieceId, places: Vec<TileId>, scope: &[PieceId]) -> bool {
        let mut kept = tile_set(&self.puzzle.grid, places.into_iter());
        kept.intersect_with(&self.places[piece]);
        let has_none = kept.is_clear();
        self.before.push((piece, std::mem::replace(&mut self.places[piece], kept)));
        !has_none && self.propagate(BTreeSet::from([piece]), scope)
    }

    /// The current position in the undo log, for [`Self::back_to`].
    pub(super) const fn mark(&self) -> usize {
        self.before.len()
    }

    /// Undoes all changes since `mark`.
    pub(super) fn back_to(&mut self, mark: usize) {
        while self.before.len() > mark {
            let Some((piece, places)) = self.before.pop() else { break };
            self.places[piece] = places;
        }
    }

    /// True if each core can run the kernels of `scope` on it. Counts kernels with one place left.
    pub(super) fn cores_suffice(&self, scope: &[PieceId]) -> bool {
        let mut on: BTreeMap<TileId, Vec<KernelId>> = BTreeMap::new();
        for &piece in scope {
            let place = only(&self.places[piece]);
            for (kernel, tile) in place.into_iter().flat_map(|place| self.puzzle.pieces[piece].at(place)) {
                on.entry(tile).or_default().push(kernel);
            }
        }
        on.values().all(|kernels| kernels.len() < 2 || self.puzzle.facts.may_share_core(kernels))
    }
}
