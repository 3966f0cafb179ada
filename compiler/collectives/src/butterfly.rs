//! The butterfly: rounds of exchanges over distances 1, 2, 4 and so on.

use super::table::{Algorithm, NOTHING, Wire};
use super::{Link, Rank};

/// The part that operations over a butterfly have in common. Their links lead from each rank to the
/// one `2^k` further.
pub(crate) const BUTTERFLY: Algorithm = Algorithm {
    word: "butterfly",
    links: |plan, _| {
        let round =
            |d| Rank::all(plan.size).map(move |rank| Link { from: rank, to: vec![plan.after(rank, d)] });
        distances(plan.size).flat_map(round).collect()
    },
    most_links: |_, ranks| ranks.saturating_mul(2 + u64::from(u64::BITS - ranks.leading_zeros())),
    wires: |_| vec![Wire::Plain("dissemination")],
    ..NOTHING
};

/// Rounds until distances reach `size`: its binary logarithm, rounded up.
pub(crate) const fn rounds_up(size: u32) -> u32 {
    size.next_power_of_two().ilog2()
}

/// The distances of all rounds.
pub(crate) fn distances(size: u32) -> impl Iterator<Item = u32> {
    (0..rounds_up(size)).map(|round| 1 << round)
}

/// Ranks in pairs of which one folds into the other, so that a power of two is left.
pub(crate) struct Fold {
    pub(crate) rounds: u32,
    /// Pairs: ranks below `2 * pairs` are folded (even) or keep (odd).
    pub(crate) pairs: u32,
}

impl Fold {
    pub(crate) const fn of(size: u32) -> Self {
        let rounds = size.ilog2();
        Self { rounds, pairs: size - (1 << rounds) }
    }

    /// The number of a rank that takes part in the rounds. Returns None when the rank is folded.
    pub(crate) const fn number(&self, Rank(rank): Rank) -> Option<u32> {
        match rank {
            _ if rank >= 2 * self.pairs => Some(rank - self.pairs),
            _ if rank % 2 == 1 => Some(rank / 2),
            _ => None,
        }
    }

    pub(crate) const fn rank(&self, number: u32) -> Rank {
        Rank(if number < self.pairs { 2 * number + 1 } else { number + self.pairs })
    }

    pub(crate) const fn keeps(&self, Rank(rank): Rank) -> bool {
        rank < 2 * self.pairs && rank % 2 == 1
    }
}
