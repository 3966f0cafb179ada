//! Large neighbourhood search on a fit: takes a few kernels off their tiles and places them again.
//!
//! Takes a fit of all kernels, returns one that is not worse. Memory stays exact throughout, unlike
//! in the annealings over tiles.

use aiec_device::TileId;

use super::fitting::Fitting;
use crate::random::Random;
use crate::score::Score;
use crate::tiles::rank;
use crate::watch::Run;

/// Maximum number of kernels taken off at once.
const MOST: usize = 6;

/// Improves `fitting` in `tries` rounds, or until the search is stopped.
pub(crate) fn refit<'a>(
    mut fitting: Fitting<'a>,
    tries: u64,
    random: &mut Random,
    run: &Run<'_>,
) -> Fitting<'a> {
    let Some(mut score) = fitting.score() else { return fitting };
    for _ in 0..tries {
        if run.stopped() {
            break;
        }
        let Some(next) = fitting.reseated(random) else { continue };
        // Equal scores are accepted. Otherwise nothing would move where connections cannot be
        // shared one by one.
        if let Some(other) = next.score().filter(|other| *other <= score) {
            (fitting, score) = (next, other);
        }
    }
    fitting
}

impl Fitting<'_> {
    /// A neighbour of this fit: takes off the kernel at one end of a DMA connection and some
    /// kernels around its other end, then places them again.
    pub(super) fn reseated(&self, random: &mut Random) -> Option<Self> {
        let mut lifted = self.some(random)?;
        let mut next = self.clone();
        for &team in &lifted {
            next.lift(team)?.is_empty().then_some(())?;
        }
        while !lifted.is_empty() {
            let team = lifted.swap_remove(random.below(lifted.len()));
            let seat = next.best_seat(team)?;
            next.take(seat);
        }
        Some(next)
    }

    /// Chooses the teams to take off.
    fn some(&self, random: &mut Random) -> Option<Vec<usize>> {
        let problem = self.problem;
        let cut: Vec<(usize, usize)> = self.cuts().collect();
        let &(a, b) = cut.get(random.below(cut.len().max(1)))?;
        let (moved, stays) = if random.below(2) == 0 { (a, b) } else { (b, a) };
        let centre = problem.grid.tile(self.tiles[stays]?);
        let mut near: Vec<(u32, usize)> = (0..problem.kernels())
            .filter(|&team| team != moved && problem.is_free(team))
            .filter_map(|team| Some((problem.grid.tile(self.tiles[team]?).distance(centre), team)))
            .collect();
        near.sort_unstable();
        near.truncate(2 * MOST);
        let friends = problem.neighbours[moved].iter().map(|neighbour| neighbour.kernel);
        let mut friends: Vec<usize> =
            friends.filter(|&team| team != stays && problem.is_free(team)).collect();
        let mut near: Vec<usize> = near.into_iter().map(|(_, team)| team).collect();
        let mut lifted = vec![moved];
        for _ in 0..random.below(MOST) {
            let from = if random.below(3) == 0 { &mut friends } else { &mut near };
            if !from.is_empty() {
                lifted.push(from.swap_remove(random.below(from.len())));
            }
        }
        lifted.sort_unstable();
        lifted.dedup();
        problem.is_free(moved).then_some(lifted)
    }

    fn score(&self) -> Option<Score> {
        let tiles = self.tiles.iter().copied().collect::<Option<Vec<TileId>>>()?;
        let terms = rank::with_memory(self.problem, &tiles, |from| self.is_shared(from));
        Some(terms.score(&self.problem.objective))
    }
}
