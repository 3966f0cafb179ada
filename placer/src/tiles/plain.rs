//! Simulated annealing that counts only connections and wires, for graphs without structure.
//!
//! Takes tiles that keep every rule, and returns tiles that keep all rules except those about
//! pairs. The later annealing ([`super::anneal`]) handles the cost of memory and channels. Crowded
//! lines have [prices](super::prices) in a table. A move therefore reads a few rows of small tables
//! and changes nothing unless it is accepted. It tries several times as many moves in the same
//! time, which matters where no pattern applies.

use aiec_device::TileId;

use super::prices::{self, Prices};
use super::problem::{CUT, Edge, Neighbour, TileProblem};
use crate::random::{Dice, Random};
use crate::watch::Run;

/// Start temperature for random tiles, in cost units. Above half a connection the annealing only
/// sorts out long wires, which a graph that nearly fills the wires of the array needs (measured on
/// random graphs of 280 to 300 kernels).
const HOT: i64 = CUT;
/// Temperature below which lines have [prices](super::prices), while the graph takes its shape. At
/// higher temperatures any placement crowds the lines; at much lower ones only single kernels can
/// still move.
const PRICED: i64 = CUT * 5 / 8;
/// Start temperature for repairing a placement: neighbourhoods change, the overall shape does not.
const WARM: i64 = CUT / 6;
/// Temperature at the end.
const COLD: i64 = CUT / 25;
/// Temperature range for a graph that leaves wires free. Outside it, no lasting decision happens.
const MILD: std::ops::RangeInclusive<i64> = CUT / 10..=CUT * 2 / 5;
/// Temperature range in which such a graph settles which kernels share memory.
const SETTLING: std::ops::RangeInclusive<i64> = CUT * 3 / 20..=CUT * 3 / 10;
/// Of 16 tried moves, the number that begin with an edge and move one end if the edge is cut. Once
/// a graph has its shape, few other moves are accepted.
const CUTS: usize = 14;
/// Cooling factor of each step, in 1/65536: e^(-1 / 128).
const FALL: i64 = 65_026;

/// Cost of an excess net on a line between columns when whole assignments are compared. The later
/// annealing can still remove a few.
const CROWD: i64 = 3 * CUT;

/// Length and temperatures of the annealing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Total number of moves tried.
    moves: u64,
    /// Temperatures at the start and at the end, in cost units.
    hot: i64,
    cold: i64,
    /// True if most moves fall into the [`SETTLING`] range.
    settles: bool,
}

impl Schedule {
    /// Equal numbers of moves for every step, from [`HOT`]: for graphs that nearly fill the wires
    /// of the array.
    pub(super) const fn even(moves: u64) -> Self {
        Self { moves, hot: HOT, cold: COLD, settles: false }
    }

    /// More moves in the settling range, for graphs that leave wires free.
    pub(super) const fn settling(moves: u64) -> Self {
        Self { moves, hot: *MILD.end(), cold: *MILD.start(), settles: true }
    }

    /// From [`WARM`], for repairing a placement.
    pub(super) const fn warm(moves: u64) -> Self {
        Self { moves, hot: WARM, cold: COLD, settles: false }
    }

    /// The temperature of each step, with its number of moves.
    fn steps(&self) -> Vec<(i64, u64)> {
        let (mut temperature, mut all) = (self.hot << 16, Vec::new());
        while temperature >> 16 > self.cold {
            all.push(temperature >> 16);
            temperature = (temperature >> 16) * FALL + (((temperature & 0xFFFF) * FALL) >> 16);
        }
        let share = |temperature: i64| if self.settles && !SETTLING.contains(&temperature) { 3 } else { 8 };
        let shares: u64 = all.iter().map(|&temperature| share(temperature)).sum();
        let moves = |temperature| self.moves * share(temperature) / shares.max(1);
        all.into_iter().map(|temperature| (temperature, moves(temperature))).collect()
    }
}

/// Improves `tiles` by moves of single kernels and swaps. Fixed kernels and formations keep their
/// tiles.
///
/// Returns the cheapest tiles at the end of any step. An excess net on a line between columns
/// counts as three connections.
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
    let mut plain = Plain::new(problem, tiles);
    let dice = Dice::new();
    let mut best = (plain.worth(), plain.tiles.clone());
    let steps = schedule.steps();
    let count = steps.len() as u64;
    for (step, (temperature, moves)) in (0..).zip(steps) {
        if run.stopped() {
            break;
        }
        run.tell(step, count, problem.always + problem.cut_connections(&best.1));
        for _ in 0..moves {
            let Some((kernel, target)) = plain.propose(&movable, random) else { continue };
            if plain.delta(kernel, target) <= dice.limit(temperature, random) {
                plain.exchange(kernel, target);
            }
        }
        let worth = plain.worth();
        if worth < best.0 {
            best = (worth, plain.tiles.clone());
            run.note(problem, &best.1);
        }
        if temperature <= PRICED && plain.prices.update(problem, &plain.tiles) {
            plain.write_down();
        }
    }
    best.1
}

/// A [`Neighbour`] in fewer bytes.
#[derive(Clone, Copy)]
struct Link {
    kernel: u32,
    weight: i32,
    kind: Kind,
}

/// How the cost of a link is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One ordinary window to the neighbour: by [`Plain::single`].
    Out,
    /// One ordinary window from the neighbour: by [`Plain::single`].
    In,
    /// Several windows, broadcasts, and pairs that must be apart: by the [`Neighbour`].
    Other,
}

impl Link {
    fn new(problem: &TileProblem<'_>, n: &Neighbour) -> Self {
        let kind = match n.windows {
            [0, 1] if n.near == 0 && n.length == problem.length() => Kind::Out,
            [1, 0] if n.near == 0 && n.length == problem.length() => Kind::In,
            _ => Kind::Other,
        };
        let kernel = u32::try_from(n.kernel).unwrap_or(u32::MAX);
        // A weight beyond the range of i32 is far above all other costs, so clamping is safe.
        Self { kernel, weight: i32::try_from(n.weight).unwrap_or(i32::MAX / 2), kind }
    }

    /// The cost of one window: its weight plus the table entry `besides`.
    fn single(&self, besides: i32) -> i64 {
        if besides == 0 { 0 } else { i64::from(self.weight) + i64::from(besides) }
    }
}

/// An assignment of kernels to tiles with the tables that price moves.
struct Plain<'a> {
    problem: &'a TileProblem<'a>,
    tiles: Vec<TileId>,
    /// Kernel on each tile.
    kernel: Vec<Option<u32>>,
    /// Links of all kernels, and the first link of each kernel.
    links: Vec<Link>,
    first: Vec<usize>,
    /// [`TileProblem::gap`] by row of tiles, at most 255.
    gaps: Vec<u8>,
    /// Prices of nets between columns.
    prices: Prices,
    /// Column of each tile.
    column: Vec<u16>,
    /// Cost of a window from tile to tile besides its weight, by row of tiles; 0 exactly where the
    /// tiles share memory. The second entry is the cost of a window in the other direction.
    single: Vec<[i32; 2]>,
    /// Tiles that each kernel may take. Empty for a kernel that cannot move by itself.
    allowed: Vec<&'a [bool]>,
}

impl<'a> Plain<'a> {
    fn new(problem: &'a TileProblem<'a>, tiles: Vec<TileId>) -> Self {
        let grid = problem.grid;
        let mut kernel = vec![None; grid.len()];
        (0..).zip(&tiles).for_each(|(k, tile)| kernel[tile.index()] = Some(k));
        let (mut links, mut first) = (Vec::new(), vec![0]);
        for neighbours in &problem.neighbours {
            links.extend(neighbours.iter().map(|n| Link::new(problem, n)));
            first.push(links.len());
        }
        let gap = |a, b| u8::try_from(problem.gap(a, b)).unwrap_or(u8::MAX);
        let gaps = grid.ids().flat_map(|a| grid.ids().map(move |b| gap(a, b))).collect();
        let column = grid.ids().map(|id| grid.tile(id).column).collect();
        let allowed = |k| if problem.is_free(k) { problem.rules.allowed(k) } else { &[] };
        let allowed = (0..problem.kernels()).map(allowed).collect();
        let (prices, single) = (Prices::new(grid), Vec::new());
        let mut plain = Self { problem, tiles, kernel, links, first, gaps, prices, column, single, allowed };
        plain.write_down();
        plain
    }

    /// Fills the table of single-window costs.
    fn write_down(&mut self) {
        let (tiles, length, prices) = (self.column.len(), self.problem.length(), &self.prices);
        self.single.clear();
        for (row, &own) in self.gaps.chunks_exact(tiles.max(1)).zip(&self.column) {
            let cost = |(&gap, &other): (&u8, &u16)| {
                // At least 1, because 0 means shared memory.
                let cost = |price: i64| match gap {
                    0 => 0,
                    _ => i32::try_from((length * i64::from(gap) + price).max(1)).unwrap_or(i32::MAX / 2),
                };
                [cost(prices.of(own, other)), cost(prices.of(other, own))]
            };
            self.single.extend(row.iter().zip(&self.column).map(cost));
        }
    }

    fn links(&self, kernel: usize) -> &[Link] {
        &self.links[self.first[kernel]..self.first[kernel + 1]]
    }

    /// Proposes a kernel and an allowed tile for it. The kernel on that tile may take the first
    /// one's tile. Mostly the tile is beside the other end of a cut edge.
    fn propose(&self, movable: &[usize], random: &mut Random) -> Option<(usize, TileId)> {
        let problem = self.problem;
        let kind = random.below(16);
        if kind < CUTS
            && let Some(&Edge { a, b, .. }) = problem.edges.get(random.below(problem.edges.len()))
            && self.row(self.tiles[a])[self.tiles[b].index()] > 0
        {
            let (kernel, end) = if random.below(2) == 0 { (a, b) } else { (b, a) };
            let target = self.beside(self.tiles[end], random)?;
            return self.free(kernel, target);
        }
        let kernel = movable[random.below(movable.len())];
        let (links, here) = (self.links(kernel), self.tiles[kernel]);
        let target = match random.below(16) {
            0 => TileId(u16::try_from(random.below(problem.grid.len())).ok()?),
            1 => self.beside(here, random)?,
            _ => {
                let link = links.get(random.below(links.len()));
                self.beside(link.map_or(here, |link| self.tiles[link.kernel as usize]), random)?
            }
        };
        self.free(kernel, target)
    }

    /// A random tile that shares a module with `tile`.
    fn beside(&self, tile: TileId, random: &mut Random) -> Option<TileId> {
        let partners = self.problem.grid.partners(tile);
        partners.get(random.below(partners.len())).copied()
    }

    /// Returns `kernel` and `target` if the kernel may go there and the kernel on `target` may take
    /// its tile.
    fn free(&self, kernel: usize, target: TileId) -> Option<(usize, TileId)> {
        let here = self.tiles[kernel];
        let may = |kernel: usize, tile: TileId| self.allowed[kernel].get(tile.index()) == Some(&true);
        let yields = |other: u32| may(other as usize, here);
        let free = target != here && self.kernel[target.index()].is_none_or(yields);
        (free && may(kernel, target)).then_some((kernel, target))
    }

    /// Change of the cost if `kernel` goes to `target` and the kernel there takes its tile.
    fn delta(&self, kernel: usize, target: TileId) -> i64 {
        let source = self.tiles[kernel];
        let other = self.kernel[target.index()];
        let own = self.way(kernel, other, source, target);
        let except = u32::try_from(kernel).ok();
        own + other.map_or(0, |other| self.way(other as usize, except, target, source))
    }

    /// Change of the wire cost of one kernel, without its wire to `except`, whose length stays the
    /// same.
    fn way(&self, kernel: usize, except: Option<u32>, from: TileId, to: TileId) -> i64 {
        let (row_from, row_to) = (self.part(&self.single, from), self.part(&self.single, to));
        let mut delta = self.problem.site_cost(kernel, to) - self.problem.site_cost(kernel, from);
        for (number, link) in self.links(kernel).iter().enumerate() {
            if Some(link.kernel) == except {
                continue;
            }
            let end = self.tiles[link.kernel as usize];
            let (before, after) = (row_from[end.index()], row_to[end.index()]);
            delta += match link.kind {
                Kind::Out => link.single(after[0]) - link.single(before[0]),
                Kind::In => link.single(after[1]) - link.single(before[1]),
                Kind::Other => {
                    let neighbour = &self.problem.neighbours[kernel][number];
                    self.wire(neighbour, to, end) - self.wire(neighbour, from, end)
                }
            };
        }
        delta
    }

    /// Gaps from `tile` to all others.
    fn row(&self, tile: TileId) -> &[u8] {
        self.part(&self.gaps, tile)
    }

    /// The row of `tile` in a table of all pairs of tiles.
    fn part<'t, T>(&self, table: &'t [T], tile: TileId) -> &'t [T] {
        let tiles = self.column.len();
        &table[tile.index() * tiles..][..tiles]
    }

    /// Cost of a link of any kind between two tiles.
    fn wire(&self, link: &Neighbour, here: TileId, there: TileId) -> i64 {
        let gap = self.row(here)[there.index()];
        if gap == 0 {
            return link.near;
        }
        let (own, other) = (self.column[here.index()], self.column[there.index()]);
        let [into, out] = link.windows;
        let lines = out * self.prices.of(own, other) + into * self.prices.of(other, own);
        link.weight + link.length * i64::from(gap) + lines
    }

    fn exchange(&mut self, kernel: usize, target: TileId) {
        let source = self.tiles[kernel];
        let other = self.kernel[target.index()].replace(u32::try_from(kernel).unwrap_or(u32::MAX));
        self.kernel[source.index()] = other;
        self.tiles[kernel] = target;
        if let Some(other) = other {
            self.tiles[other as usize] = source;
        }
    }

    /// The cost without prices, plus [`CROWD`] for each excess net.
    fn worth(&self) -> i64 {
        let problem = self.problem;
        let own = |kernel: usize| {
            let here = self.tiles[kernel];
            let wires = problem.neighbours[kernel].iter().filter(|n| n.kernel > kernel);
            let wires: i64 = wires.map(|n| problem.pair_cost(n, here, self.tiles[n.kernel])).sum();
            wires + problem.site_cost(kernel, here)
        };
        let cost: i64 = (0..problem.kernels()).map(own).sum();
        cost + CROWD * prices::overload(problem, &self.tiles)
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
        let tiles = anneal(&problem, begin, Schedule::even(200_000), &mut random, &ALONE);
        let mut places = tiles.clone();
        places.sort_unstable();
        places.dedup();
        assert_eq!((places.len(), tiles[5]), (60, TileId(399)));
        assert!(problem.cut_connections(&tiles) * 4 < cuts * 3, "{cuts}");
    }
}
