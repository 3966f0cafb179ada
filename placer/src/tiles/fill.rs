//! Finds tiles for all kernels that keep every rule except those about pairs, as near as possible
//! to a wish.
//!
//! Takes a wished tile for each kernel, or no wishes. Returns tiles, none twice. Every kernel is on
//! a tile that it may take, and formations keep their layout. Fixed kernels come first, then
//! formations, then kernels that may use only some tiles, then all others.

use aiec_device::TileId;

use super::problem::{LENGTH, TileProblem};
use super::start::{depth_first, region};
use crate::matching::Matching;

/// Maximum number of anchor tiles tried for formations before the fill fails.
const TRIES: usize = 20_000;

/// Tiles for all kernels. Returns None when there are too few tiles or no layout of the formations
/// was found.
pub(super) fn fill(problem: &TileProblem<'_>, wish: Option<&[TileId]>, centre: u16) -> Option<Vec<TileId>> {
    let mut matching = Matching::empty(problem.kernels(), problem.grid.len());
    for (kernel, tile) in problem.fixed.iter().enumerate() {
        if let Some(tile) = tile {
            matching.put(kernel, tile.index());
        }
    }
    let start = Start { problem, wish, region: region(problem, centre), order: depth_first(problem) };
    let groups = start.groups();
    let matching = start.place_groups(&matching, &groups, &mut 0)?;
    let ids: Vec<TileId> = problem.grid.ids().collect();
    matching.place.into_iter().map(|place| ids.get(place?).copied()).collect()
}

/// True if these tiles keep every rule except those about pairs.
pub(super) fn is_legal(problem: &TileProblem<'_>, tiles: &[TileId]) -> bool {
    let mut taken = vec![false; problem.grid.len()];
    let own = |(kernel, tile): (usize, &TileId)| {
        problem.allows(kernel, *tile) && !std::mem::replace(&mut taken[tile.index()], true)
    };
    tiles.iter().enumerate().all(own) && problem.rules.groups.iter().all(|group| group.stands(tiles))
}

struct Start<'a> {
    problem: &'a TileProblem<'a>,
    /// The wished tile of each kernel.
    wish: Option<&'a [TileId]>,
    /// Tiles in the order in which they are taken.
    region: Vec<TileId>,
    /// Kernels in the order in which they are placed.
    order: Vec<usize>,
}

impl Start<'_> {
    /// The groups in the order of their first kernels.
    fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = Vec::new();
        for group in self.order.iter().filter_map(|&kernel| self.problem.group_of[kernel]) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups
    }

    /// Places `groups`, then all other kernels. Backtracks to the next place of a group on failure.
    fn place_groups(&self, matching: &Matching, groups: &[usize], tries: &mut usize) -> Option<Matching> {
        let Some((group, rest)) = groups.split_first() else { return self.place_others(matching.clone()) };
        for anchor in self.anchors(matching, *group) {
            *tries += 1;
            if *tries > TRIES {
                return None;
            }
            let mut next = matching.clone();
            let group = &self.problem.rules.groups[*group];
            for (&member, tile) in group.members.iter().zip(group.on(anchor)?) {
                next.put(member, tile.index());
            }
            if let Some(found) = self.place_groups(&next, rest, tries) {
                return Some(found);
            }
        }
        None
    }

    /// Tiles for the first kernel of a group on which all its kernels have free, allowed tiles.
    /// Tiles near its neighbours come first.
    fn anchors(&self, matching: &Matching, group: usize) -> Vec<TileId> {
        let problem = self.problem;
        let group = &problem.rules.groups[group];
        let cost = |anchor: TileId| -> Option<i64> {
            group.members.iter().zip(group.on(anchor)?).try_fold(0, |sum, (&member, &tile)| {
                let holder = matching.thing[tile.index()];
                let free = holder.is_none_or(|kernel| kernel == member);
                (free && problem.allows(member, tile))
                    .then(|| sum + self.wires(matching, member, tile) + self.way(member, tile))
            })
        };
        let mut anchors: Vec<(i64, usize, TileId)> = (self.region.iter().enumerate())
            .filter_map(|(at, &anchor)| Some((cost(anchor)?, at, anchor)))
            .collect();
        anchors.sort_unstable();
        anchors.into_iter().map(|(_, _, anchor)| anchor).collect()
    }

    /// Wire cost of `kernel` on `tile` to the kernels that have a tile.
    fn wires(&self, matching: &Matching, kernel: usize, tile: TileId) -> i64 {
        let placed = self.problem.neighbours[kernel].iter().filter_map(|neighbour| {
            let place = u16::try_from(matching.place[neighbour.kernel]?).ok()?;
            Some(self.problem.pair_cost(neighbour, tile, TileId(place)))
        });
        placed.sum()
    }

    /// Cost of the distance from the wished tile of `kernel` to `tile`.
    fn way(&self, kernel: usize, tile: TileId) -> i64 {
        let grid = self.problem.grid;
        let wish = self.wish.and_then(|wish| wish.get(kernel));
        wish.map_or(0, |&wish| LENGTH * i64::from(grid.tile(wish).distance(grid.tile(tile))))
    }

    /// Places kernels with few tiles first, by augmenting paths, then all others along the region.
    fn place_others(&self, mut matching: Matching) -> Option<Matching> {
        let problem = self.problem;
        let kept = matching.place.clone();
        let allowed = |kernel: usize, tile: usize| match kept[kernel] {
            Some(kept) => kept == tile,
            None => problem.rules.allowed(kernel)[tile],
        };
        let open = |matching: &Matching| {
            let free = |tile: &&TileId| matching.place_is_free(tile.index());
            self.region.iter().filter(free).copied().collect::<Vec<TileId>>()
        };
        let waiting = |matching: &Matching, narrowed: bool| {
            let waits = |k: &usize| matching.place[*k].is_none() && problem.rules.is_narrowed(*k) == narrowed;
            self.order.iter().copied().filter(waits).collect::<Vec<usize>>()
        };
        for kernel in waiting(&matching, true) {
            let tiles =
                open(&matching).into_iter().enumerate().filter(|(_, tile)| allowed(kernel, tile.index()));
            match tiles.min_by_key(|&(at, tile)| (self.way(kernel, tile), at)) {
                Some((_, tile)) => matching.put(kernel, tile.index()),
                None => matching.augment(kernel, allowed).ok()?,
            }
        }
        let others = waiting(&matching, false);
        for &kernel in &others {
            let wish = self.wish.and_then(|wish| wish.get(kernel)).map(|tile| tile.index());
            if let Some(tile) = wish.filter(|&tile| matching.place_is_free(tile) && allowed(kernel, tile)) {
                matching.put(kernel, tile);
            }
        }
        let mut free = open(&matching);
        for kernel in
            others.into_iter().filter(|&kernel| matching.place[kernel].is_none()).collect::<Vec<usize>>()
        {
            // Takes the free tile nearest to the wish, or the next one of the region without a
            // wish.
            let (at, _) = free.iter().enumerate().min_by_key(|&(at, &tile)| (self.way(kernel, tile), at))?;
            matching.put(kernel, free.remove(at).index());
        }
        Some(matching)
    }
}
