//! Kernels that find no room on their tiles seated by clearing some: a few of those around a tile make way and are seated anew.
//!
//! In come tiles of all kernels, not all of which have memory there; out goes a fit of all kernels. Memory is exact all the while, so that a single buffer
//! that finds no room costs a few kernels their tiles, not a whole annealing with more room for all.

use std::cmp::Reverse;

use aiec_device::TileId;

use super::fitting::Fitting;
use super::seat::Worth;
use crate::random::{Acceptance, Random};
use crate::watch::Run;

/// Most kernels that are asked to make way at once, and most that do, with those that lose a buffer by it.
const MOST_ASKED: usize = 4;
const MOST_LIFTED: usize = 9;
/// Of so many tiles, the best that there are for a kernel, one is cleared.
const CHOICES: usize = 16;
/// Connections by DMA that a kernel which waits counts for, beside its own.
const WAITING: usize = 4;
/// Where the temperature begins and ends, in 1/1024 of a connection.
const HOT: i64 = 1536;
const COLD: i64 = 256;

/// Seats all kernels of the empty `fitting` on or near `tiles`, with so many tries; none if some find no room, or one that may not be moved.
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
        // What is shared leaves room: between two tries to seat one that waits, others are seated better.
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
    /// The kernels that find room on their tiles, and those that do not; none if one of these has no other tile.
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

    /// The same with one of those that wait on a tile, and those that wait then.
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

    /// One of the best tiles for `team`, taken or not.
    fn wanted(&self, team: usize, random: &mut Random) -> Option<TileId> {
        let tiles = self.problem.grid.ids().filter(|&tile| self.problem.allows(team, tile));
        let mut tiles: Vec<(Worth, TileId)> =
            tiles.map(|tile| (self.worth(team, tile, None), tile)).collect();
        tiles.sort_unstable();
        tiles.truncate(CHOICES);
        tiles.get(random.below(tiles.len().max(1))).map(|&(_, tile)| tile)
    }

    /// The kernel on `tile`, and some of those that share memory with it there.
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

    /// Takes kernels off their tiles, and those that have no room then for buffers of their own: all of them; none if they are more than `most`.
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
