//! Ejection search: to place a kernel for which no tile has memory, evict some kernels around one
//! tile and re-place them.
//!
//! Takes tiles for all kernels, some of which lack memory there. Returns a fit of all kernels.
//! Memory stays exact throughout. A single buffer without room therefore moves a few kernels and
//! does not restart an annealing with more room for all.

use std::cmp::Reverse;

use aiec_device::TileId;

use super::fitting::Fitting;
use super::seat::Worth;
use crate::random::{Acceptance, Random};
use crate::watch::Run;

/// Maximum number of kernels chosen for eviction at once.
const MOST_ASKED: usize = 4;
/// Maximum number of kernels evicted in one round, including those that lose a buffer by it.
const MOST_LIFTED: usize = 9;
/// The search clears one of this many best tiles of a kernel.
const CHOICES: usize = 16;
/// Cost of a waiting kernel in DMA connections, beside its own.
const WAITING: usize = 4;
/// Temperature at the start, in 1/1024 of a connection.
const HOT: i64 = 1536;
/// Temperature at the end.
const COLD: i64 = 256;

/// Places all kernels of the empty `fitting` on or near `tiles`, in `tries` rounds. Returns None
/// when some kernels remain without room, or a fixed kernel has none.
pub(crate) fn squeeze<'a>(
    fitting: Fitting<'a>,
    tiles: &[TileId],
    tries: u64,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Fitting<'a>> {
    let (mut fitting, mut waiting) = fitting.begun(tiles)?;
    let acceptance = Acceptance::new();
    let cost = |fitting: &Fitting<'_>, waiting: &[usize]| {
        (WAITING * waiting.len() + fitting.cuts().count()) as i64 * 1024
    };
    let mut now = cost(&fitting, &waiting);
    for number in 0..tries {
        if waiting.is_empty() || run.stopped() {
            break;
        }
        // Sharing frees room. Every second round re-places other kernels for a better fit.
        let next = if number % 2 == 0 {
            fitting.cleared(&waiting, random)
        } else {
            fitting.reseated(random).map(|next| (next, waiting.clone()))
        };
        let Some((next, left)) = next else { continue };
        let (then, temperature) = (cost(&next, &left), HOT - (HOT - COLD) * number as i64 / tries as i64);
        if acceptance.accepts(then - now, temperature, random) {
            (fitting, waiting, now) = (next, left, then);
        }
    }
    waiting.is_empty().then_some(fitting)
}

impl Fitting<'_> {
    /// Places the kernels that fit on their tiles. Returns the fit and the waiting kernels, or None
    /// when one of these has no other tile.
    fn begun(mut self, tiles: &[TileId]) -> Option<(Self, Vec<usize>)> {
        for (team, &tile) in tiles.iter().enumerate() {
            self.tiles[team] = Some(tile);
            self.is_taken[tile.index()] = true;
        }
        let mut order: Vec<usize> = (0..tiles.len()).collect();
        order.sort_by_key(|&team| (self.problem.is_free(team), Reverse(self.problem.density[team]), team));
        let mut waiting = Vec::new();
        for team in order {
            if self.tiles[team].is_none() {
                continue;
            }
            match self.seat(team, tiles[team]) {
                Some(seat) => self.take(seat),
                None => waiting.extend(self.make_way(vec![team], tiles.len())?),
            }
        }
        Some((self, waiting))
    }

    /// Places one waiting kernel by eviction. Returns the new fit and the new waiting kernels.
    fn cleared(&self, waiting: &[usize], random: &mut Random) -> Option<(Self, Vec<usize>)> {
        let mut left = waiting.to_vec();
        let team = left.swap_remove(random.below(left.len()));
        let mut next = self.clone();
        if let Some(seat) = next.best_seat(team) {
            next.take(seat);
            return Some((next, left));
        }
        let tile = self.wanted(team, random)?;
        let mut lifted = next.make_way(self.around(tile, random), MOST_LIFTED)?;
        let seat = next.is_for(team, tile).then(|| next.seat(team, tile)).flatten();
        let seat = seat.or_else(|| next.best_seat(team))?;
        next.take(seat);
        while !lifted.is_empty() {
            let other = lifted.swap_remove(random.below(lifted.len()));
            match next.best_seat(other) {
                Some(seat) => next.take(seat),
                None => left.push(other),
            }
        }
        Some((next, left))
    }

    /// One of the best tiles for `team`, whether taken or free.
    fn wanted(&self, team: usize, random: &mut Random) -> Option<TileId> {
        let tiles = self.problem.grid.ids().filter(|&tile| self.problem.allows(team, tile));
        let mut tiles: Vec<(Worth, TileId)> =
            tiles.map(|tile| (self.worth(team, tile, None), tile)).collect();
        tiles.sort_unstable();
        tiles.truncate(CHOICES);
        tiles.get(random.below(tiles.len().max(1))).map(|&(_, tile)| tile)
    }

    /// The kernel on `tile`, and some kernels that share memory with it.
    fn around(&self, tile: TileId, random: &mut Random) -> Vec<usize> {
        let on =
            |team: usize| self.tiles[team].map(|there| (there == tile, self.problem.gap(there, tile) == 0));
        let all = (0..self.tiles.len()).filter(|&team| self.problem.is_free(team));
        let (mut asked, mut near) = (Vec::new(), Vec::new());
        for team in all {
            match on(team) {
                Some((true, _)) => asked.push(team),
                Some((_, true)) => near.push(team),
                _ => {}
            }
        }
        for _ in 0..=random.below(MOST_ASKED) {
            if !near.is_empty() {
                asked.push(near.swap_remove(random.below(near.len())));
            }
        }
        asked
    }

    /// Evicts kernels, and then those without room for buffers of their own. Returns all evicted
    /// kernels, or None when there are more than `most`.
    fn make_way(&mut self, mut asked: Vec<usize>, most: usize) -> Option<Vec<usize>> {
        let mut lifted = Vec::new();
        while let Some(team) = asked.pop() {
            if lifted.contains(&team) {
                continue;
            }
            if lifted.len() == most || !self.problem.is_free(team) {
                return None;
            }
            asked.extend(self.lift(team)?);
            lifted.push(team);
        }
        Some(lifted)
    }
}
