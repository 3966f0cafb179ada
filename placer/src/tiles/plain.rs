//! Annealing that looks at connections and wires alone, for graphs without structure.
//!
//! In come tiles that keep every rule; out go tiles that keep them too, pairs left aside. What memory and channels cost is
//! left to the annealing after it ([`super::anneal`]), and crowded lines have [prices](super::prices) that a table tells. So a move reads two rows of a table and changes nothing unless it is taken, and
//! several times as many are tried in the same time, which is what counts where no pattern helps.

use aiec_device::TileId;

use super::prices::Prices;
use super::problem::{CUT, Neighbour, TileProblem};
use crate::random::{Acceptance, Random};
use crate::watch::Run;

/// Temperature from which disorder falls into place, in cost units: above it, random graphs do not hold together.
const HOT: i64 = CUT / 2;
/// Temperature at the end.
const COLD: i64 = CUT / 66;
/// What is left of the temperature after each step, in 1/65536: e^(-3.5 / 256).
const FALL: i64 = 64_646;

/// The temperature below which lines between columns have [prices](super::prices): above it, any placement crowds them.
const PRICED: i64 = CUT / 6;

/// How long and how hot to anneal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Moves tried in all.
    pub(super) moves: u64,
    /// A tile of wire costs so many times the usual.
    pub(super) stretch: i64,
    /// Temperature at the start, in cost units.
    pub(super) hot: i64,
}

impl Schedule {
    /// From disorder.
    pub(super) const fn hot(moves: u64, stretch: i64) -> Self {
        Self { moves, stretch, hot: HOT }
    }

    /// From a placement that is to be mended.
    pub(super) const fn warm(moves: u64) -> Self {
        Self { moves, stretch: 1, hot: PRICED }
    }

    /// The temperatures of all steps.
    fn temperatures(&self) -> Vec<i64> {
        let (mut temperature, mut all) = (self.hot << 16, Vec::new());
        while temperature >> 16 > COLD {
            all.push(temperature >> 16);
            temperature = fall(temperature);
        }
        all
    }
}

/// The temperature of the next step; both in 1/65536 cost units. Where there are prices, it falls half as fast, so that they can settle.
const fn fall(temperature: i64) -> i64 {
    let part = if temperature >> 16 <= PRICED { (FALL + 0x1_0000) / 2 } else { FALL };
    (temperature >> 16) * part + (((temperature & 0xFFFF) * part) >> 16)
}

/// Improves `tiles` by tried moves of single kernels and swaps. Kernels that are fixed or move as one stay where they are.
pub(super) fn anneal(
    problem: &TileProblem<'_>,
    tiles: Vec<TileId>,
    schedule: Schedule,
    random: &mut Random,
    run: &Run<'_>,
) -> Vec<TileId> {
    let movable: Vec<usize> = (0..problem.kernels()).filter(|&k| problem.is_free(k)).collect();
    if movable.is_empty() {
        return tiles;
    }
    let mut plain = Plain::new(problem, tiles, schedule.stretch);
    let acceptance = Acceptance::new();
    let (mut cost, mut least) = (0, 0);
    let mut best = plain.tiles.clone();
    let temperatures = schedule.temperatures();
    let steps = (temperatures.len() as u64).max(1);
    for (step, temperature) in (0..).zip(temperatures) {
        if run.stopped() {
            break;
        }
        run.tell(step, steps, problem.always + problem.cut_connections(&best));
        for _ in 0..schedule.moves / steps {
            let kernel = movable[random.below(movable.len())];
            let Some(target) = plain.propose(kernel, random) else { continue };
            let delta = plain.delta(kernel, target);
            if acceptance.accepts(delta, temperature, random) {
                plain.exchange(kernel, target);
                cost += delta;
            }
        }
        let repriced = temperature <= PRICED && plain.prices.update(problem, &plain.tiles);
        if repriced || cost < least {
            // With other prices, what was best before says nothing.
            cost = if repriced { 0 } else { cost };
            least = cost;
            best.clone_from(&plain.tiles);
        }
    }
    best
}

/// Kernels on tiles.
struct Plain<'a> {
    problem: &'a TileProblem<'a>,
    tiles: Vec<TileId>,
    /// Kernel on each tile.
    kernel: Vec<Option<usize>>,
    /// A tile of wire costs so many times the usual.
    stretch: i64,
    /// What nets between columns pay.
    prices: Prices,
    /// Column of each tile.
    column: Vec<u16>,
}

impl<'a> Plain<'a> {
    fn new(problem: &'a TileProblem<'a>, tiles: Vec<TileId>, stretch: i64) -> Self {
        let mut kernel = vec![None; problem.grid.len()];
        tiles.iter().enumerate().for_each(|(k, tile)| kernel[tile.index()] = Some(k));
        let column = problem.grid.ids().map(|id| problem.grid.tile(id).column).collect();
        Self { problem, tiles, kernel, stretch, prices: Prices::new(problem.grid), column }
    }

    /// A tile beside one of the kernel's neighbours, beside its own, or anywhere, that it may take, as may whoever is there its own.
    fn propose(&self, kernel: usize, random: &mut Random) -> Option<TileId> {
        let (problem, here) = (self.problem, self.tiles[kernel]);
        let neighbours = &problem.neighbours[kernel];
        let around = match random.below(16) {
            0 => return self.free(kernel, TileId(u16::try_from(random.below(problem.grid.len())).ok()?)),
            1 | 2 => here,
            _ => neighbours.get(random.below(neighbours.len())).map_or(here, |n| self.tiles[n.kernel]),
        };
        let partners = problem.grid.partners(around);
        self.free(kernel, *partners.get(random.below(partners.len()))?)
    }

    fn free(&self, kernel: usize, target: TileId) -> Option<TileId> {
        let (problem, here) = (self.problem, self.tiles[kernel]);
        let yields = |other: usize| problem.is_free(other) && problem.allows(other, here);
        let free = target != here && self.kernel[target.index()].is_none_or(yields);
        (free && problem.allows(kernel, target)).then_some(target)
    }

    /// What the cost grows by if `kernel` goes to `target`, and whoever is there to where it comes from.
    fn delta(&self, kernel: usize, target: TileId) -> i64 {
        let source = self.tiles[kernel];
        let other = self.kernel[target.index()];
        let own = self.way(kernel, other, source, target);
        own + other.map_or(0, |other| self.way(other, Some(kernel), target, source))
    }

    /// The same for one kernel, without its wire to `except`, which stays as long as it is.
    fn way(&self, kernel: usize, except: Option<usize>, from: TileId, to: TileId) -> i64 {
        let problem = self.problem;
        let wire = |n: &Neighbour| {
            let end = self.tiles[n.kernel];
            self.wire(n, to, end) - self.wire(n, from, end)
        };
        let wires = problem.neighbours[kernel].iter().filter(|n| Some(n.kernel) != except).map(wire);
        wires.sum::<i64>() + problem.site_cost(kernel, to) - problem.site_cost(kernel, from)
    }

    fn wire(&self, n: &Neighbour, a: TileId, b: TileId) -> i64 {
        match self.problem.gap(a, b) {
            0 => n.near,
            gap => {
                let (a, b) = (self.column[a.index()], self.column[b.index()]);
                let lines = n.windows[1] * self.prices.of(a, b) + n.windows[0] * self.prices.of(b, a);
                n.weight + n.length * self.stretch * gap + lines
            }
        }
    }

    fn exchange(&mut self, kernel: usize, target: TileId) {
        let source = self.tiles[kernel];
        let other = self.kernel[target.index()].replace(kernel);
        self.kernel[source.index()] = other;
        self.tiles[kernel] = target;
        if let Some(other) = other {
            self.tiles[other] = source;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::start;
    use super::*;
    use crate::watch::tests::ALONE;
    use aiec_device::{Grid, builtin};

    #[test]
    fn no_tile_is_taken_twice_and_fewer_connections_are_cut() {
        let device = builtin("xcvc1902").expect("built in").into_parts().0.expect("right");
        let grid = Grid::new(&device);
        let mut problem = TileProblem::unconnected(&grid, 60);
        let mut random = Random::new(7);
        for a in 0..60 {
            (0..2).for_each(|_| problem.add_edge(a, random.below(60), CUT));
        }
        problem.fixed[5] = Some(TileId(399));
        let begin = start::columns(&problem, 20).expect("room");
        let cuts = problem.cut_connections(&begin);
        let tiles = anneal(&problem, begin, Schedule::hot(200_000, 1), &mut random, &ALONE);
        let mut places = tiles.clone();
        places.sort_unstable();
        places.dedup();
        assert_eq!((places.len(), tiles[5]), (60, TileId(399)));
        assert!(problem.cut_connections(&tiles) * 4 < cuts * 3, "{cuts}");
    }
}
