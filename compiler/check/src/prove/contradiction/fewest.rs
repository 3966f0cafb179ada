//! Branch and bound over all tiles that keep the constraints: whether there are any, and the fewest
//! edges that they cut. An edge is cut if its ends share no memory.
//!
//! For 0, 1, 2, ... it asks whether tiles exist whose cut edges have at most that weight. Each "no"
//! is a proof. A piece goes to a place that shares memory with placed pieces, or the branch keeps
//! it away from all such places and goes on with other pieces.
//!
//! A place costs the edges to placed pieces that it cuts. A kernel also has edges to open pieces,
//! whose tiles beside it must differ: those for which there are too few free ones are cut. Either
//! end may count such an edge, so it costs each of them half. If all kernels have cores of their
//! own, the least cost of different tiles (linear [assignment](super::assignment)) bounds what a
//! branch cuts. Places that exceed the limit by their reduced cost are removed.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use fixedbitset::FixedBitSet;
use petgraph::algo::dinics;
use petgraph::graph::DiGraph;

use super::assignment::prices;
use super::puzzle::{Member, PieceId, Puzzle, only, tiles_of};
use super::solve::Solver;
use crate::prove::components::components;
use crate::prove::limits::{MOST_WORK, SMALL};
use crate::prove::work::Work;

/// An edge between two kernels, and its cost if they share no memory.
pub type Weighted = (KernelId, KernelId, u64);

/// True if all pieces find places: each set that pairs join by itself, then those that could take
/// each other's tiles. Returns None when the work ran out. A set without places leaves all pieces
/// together none.
pub(super) fn have_places<'p>(puzzle: &'p Puzzle<'_>, work: &'p Work<'p>) -> Option<bool> {
    let mut any = |_| true;
    let search = Search::new(puzzle, &[], Solver::new(puzzle, work), 0);
    let mut search = Search { test: Some(&mut any), ..search };
    if !search.solver.settle() {
        return Some(false);
    }
    let crowd = search.solver.crowd();
    let sets = components(puzzle.pieces.len(), |piece: PieceId| puzzle.joined[piece].iter().copied());
    for scope in sets.into_iter().filter(|set| set.len() > 1).chain([crowd]) {
        search.scope = scope;
        if !search.go_on()? {
            return Some(false);
        }
    }
    Some(true)
}

/// Minimum weight of cut edges over all tiles; `from` is already proved. With `split`, only over
/// tiles on which shared edges join all kernels, or `split` if that is less.
pub(super) fn fewest_cuts(puzzle: &Puzzle<'_>, edges: &[Weighted], from: u64, split: Option<u64>) -> u64 {
    let work = &Work::new(MOST_WORK, puzzle.facts.watch);
    let all: u64 = edges.iter().map(|(.., weight)| weight).sum();
    let is_less = |most: &u64| {
        let search = Search::new(puzzle, edges, Solver::new(puzzle, work), *most);
        Search { is_joined: split.is_some(), ..search }.begin() == Some(false)
    };
    from + (from..all.min(split.unwrap_or(all))).take_while(is_less).count() as u64
}

/// Minimum weight of edges that join some kernels to the others (maximum flows from the first).
pub(super) fn least_split(edges: &[Weighted]) -> u64 {
    let both = edges.iter().flat_map(|&(a, b, weight)| [(a.0, b.0, weight), (b.0, a.0, weight)]);
    let graph = DiGraph::<(), u64>::from_edges(both);
    let ends: BTreeSet<u32> = edges.iter().flat_map(|(a, b, _)| [a.0, b.0]).collect();
    let Some(&first) = ends.first() else { return 0 };
    let flow = |&end: &u32| dinics(&graph, first.into(), end.into()).0;
    ends.iter().skip(1).map(flow).min().unwrap_or(0)
}

/// A tile for each kernel of `puzzle`, which must hold all kernels of the design. See
/// [`tiles`](super::tiles).
pub(super) fn tiles(
    puzzle: &Puzzle<'_>,
    edges: &[Weighted],
    accepts: &mut dyn FnMut(&[TileId]) -> bool,
) -> Option<Vec<TileId>> {
    let mut found = None;
    let mut test = |tiles: Vec<TileId>| {
        found = accepts(&tiles).then_some(tiles);
        found.is_some()
    };
    let work = &puzzle.facts.work();
    let search = Search::new(puzzle, edges, Solver::new(puzzle, work), u64::MAX);
    Search { test: Some(&mut test), ..search }.begin();
    found
}

struct Search<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    /// The edges of each piece to others: the number of the own kernel, the other one, the weight.
    around: IdVec<PieceId, Vec<(usize, Member, u64)>>,
    /// The edges within a piece.
    within: Vec<([Member; 2], u64)>,
    scope: Vec<PieceId>,
    solver: Solver<'p, 'a>,
    /// Maximum weight of cut edges.
    most: u64,
    /// All open tiles. None when kernels may share cores.
    cores: Option<FixedBitSet>,
    /// True if only tiles count on which shared edges join all kernels.
    is_joined: bool,
    /// The test of complete assignments. Without one, the search skips kernels without edges.
    test: Option<&'p mut dyn FnMut(Vec<TileId>) -> bool>,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(puzzle: &'p Puzzle<'a>, edges: &[Weighted], solver: Solver<'p, 'a>, most: u64) -> Self {
        let (mut around, mut within) = (IdVec::filled(Vec::new(), puzzle.pieces.len()), Vec::new());
        for (a, b, weight) in edges {
            let (Some(&a), Some(&b)) = (puzzle.of.get(a), puzzle.of.get(b)) else { continue };
            if a.piece == b.piece {
                within.push(([a, b], *weight));
            } else {
                around[a.piece].push((a.number, b, *weight));
                around[b.piece].push((b.number, a, *weight));
            }
        }
        let scope = puzzle.pieces.ids().collect();
        let own_cores = puzzle.of.keys().all(|&kernel| puzzle.facts.shares[kernel] == WHOLE_CORE);
        let cores = own_cores.then(|| puzzle.open());
        Self { puzzle, around, within, scope, solver, most, cores, is_joined: false, test: None }
    }

    /// True if some tiles cut at most the limit. Returns None when the work ran out.
    fn begin(&mut self) -> Option<bool> {
        if !self.solver.settle() {
            return Some(false);
        }
        self.go_on()
    }

    fn go_on(&mut self) -> Option<bool> {
        let mut choices = self.choices();
        let spare = self.most.checked_sub(self.cut());
        if !spare.is_some_and(|spare| self.narrow(&mut choices, spare)) {
            return Some(false);
        }
        let mut settles = false;
        for choice in choices.iter().filter(|choice| choice.places.len() < choice.before) {
            settles |= choice.places.len() == 1;
            let places = choice.places.iter().map(|place| place.tile).collect();
            if !self.solver.keep(choice.piece, places, &self.scope) {
                return Some(false);
            }
        }
        if settles {
            return self.go_on();
        }
        // Places that share nothing with placed kernels make one branch.
        let near = choices.iter().filter(|choice| choice.sharing().next().is_some());
        let fewest = |choice: &&Choice| (choice.sharing().count(), Reverse(choice.saved()), choice.piece);
        if let Some(choice) = near.min_by_key(fewest) {
            let branches = choice.sharing().map(|place| vec![place]);
            return self.try_out(choice.piece, branches.chain([choice.others().collect()]));
        }
        let Some(piece) = self.next() else { return self.ask() };
        if self.is_joined && self.scope.iter().any(|&piece| self.solver.places[piece].count_ones(..) == 1) {
            return Some(false);
        }
        let places: Vec<TileId> = tiles_of(&self.solver.places[piece]).collect();
        self.try_out(piece, places.into_iter().map(|place| vec![place]))
    }

    /// Goes on with each of `branches`, places of `piece`.
    fn try_out(&mut self, piece: PieceId, branches: impl Iterator<Item = Vec<TileId>>) -> Option<bool> {
        for places in branches.filter(|places| !places.is_empty()) {
            if self.solver.work.left() == 0 {
                return None;
            }
            let mark = self.solver.mark();
            // With a limit, the costs of different tiles tell more than their number.
            let costs = self.test.is_none() && self.cores.is_some();
            let stands = self.solver.keep(piece, places, &self.scope)
                && (costs || self.solver.find_enough_tiles(&self.scope));
            let found = if stands { self.go_on()? } else { false };
            self.solver.back_to(mark);
            if found {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tests the remaining tiles. A test costs as much work as all tiles of all kernels of a small
    /// design. Returns None when the work ran out.
    fn ask(&mut self) -> Option<bool> {
        let Some(test) = &mut self.test else { return Some(true) };
        if !self.solver.cores_suffice(&self.scope) {
            return Some(false);
        }
        let places = self.puzzle.pieces.iter().zip(self.solver.places.iter());
        let on = places.filter_map(|(piece, places)| Some(piece.at(only(places)?))).flatten();
        let tiles: BTreeMap<KernelId, TileId> = on.collect();
        self.solver.work.left().checked_sub((SMALL * SMALL) as u64)?;
        self.solver.work.spend((SMALL * SMALL) as u64);
        Some(test(tiles.into_values().collect()))
    }

    /// The open piece with the fewest places; of equals the one with the most edges.
    fn next(&self) -> Option<PieceId> {
        let (places, around) = (&self.solver.places, &self.around);
        let asked = |piece: &PieceId| {
            only(&places[*piece]).is_none() && (self.test.is_some() || !around[*piece].is_empty())
        };
        let key = |piece: &PieceId| (places[*piece].count_ones(..), Reverse(around[*piece].len()), *piece);
        self.scope.iter().copied().filter(asked).min_by_key(key)
    }

    /// The open pieces with edges, with the costs of their places.
    fn choices(&self) -> Vec<Choice> {
        let at: IdVec<PieceId, Option<TileId>> = self.solver.places.iter().map(only).collect();
        let tiles = |piece: PieceId| self.puzzle.pieces[piece].on(at[piece]?);
        let is_open = |piece: &PieceId| at[*piece].is_none() && !self.around[*piece].is_empty();
        let open: Vec<PieceId> = at.ids().filter(is_open).collect();
        let room = self.room(at.ids().filter_map(tiles).flatten(), &open);
        let choice = |piece: PieceId| {
            let around = &self.around[piece];
            let (mut placed, mut loose) = (Vec::new(), Vec::new());
            for &(number, other, weight) in around {
                match tiles(other.piece) {
                    Some(on) => placed.push((number, &self.puzzle.near[on[other.number].index()], weight)),
                    None => loose.push(weight),
                }
            }
            loose.sort_unstable();
            let formation = &self.puzzle.pieces[piece];
            let place = |tile: TileId| {
                let on = formation.on(tile)?;
                let far = placed.iter().filter(|(number, near, _)| !near.contains(on[*number].index()));
                let cut = far.map(|(.., weight)| weight).sum();
                let room = room.get(tile.index()).filter(|_| on.len() == 1);
                let without = room.map_or(0, |room| loose.len().saturating_sub(*room));
                Some(Place { cost: 2 * cut + loose[..without].iter().sum::<u64>(), cut, tile })
            };
            let mut places: Vec<Place> = tiles_of(&self.solver.places[piece]).filter_map(place).collect();
            self.solver.work.spend((places.len() * around.len()) as u64);
            places.sort_unstable();
            let all = placed.iter().map(|(.., weight)| weight).sum();
            Choice { piece, all, before: places.len(), places }
        };
        open.iter().copied().map(choice).collect()
    }

    /// The number of tiles that are not `taken` beside each place of the `open` pieces. The other
    /// ends of a kernel's edges need as many. Empty if kernels may share cores.
    fn room<'t>(&self, taken: impl Iterator<Item = &'t TileId>, open: &[PieceId]) -> Vec<usize> {
        let Some(mut free) = self.cores.clone() else { return Vec::new() };
        let mut room = vec![0; free.len()];
        taken.for_each(|tile| free.remove(tile.index()));
        let mut places = FixedBitSet::with_capacity(free.len());
        open.iter().for_each(|&piece| places.union_with(&self.solver.places[piece]));
        for tile in tiles_of(&places) {
            // The tile is near itself.
            room[tile.index()] = self.puzzle.near[tile.index()].intersection_count(&free).saturating_sub(1);
        }
        room
    }

    /// Leaves `choices` the places of tiles that cut at most `spare` more. Returns false when there
    /// are no such tiles.
    fn narrow(&self, choices: &mut [Choice], spare: u64) -> bool {
        let least = choices.iter().map(Choice::least).sum();
        let Some(slack) = spare.saturating_mul(2).checked_sub(least) else { return false };
        for choice in choices.iter_mut() {
            let most = choice.least().saturating_add(slack);
            choice.places.truncate(choice.places.partition_point(|place| place.cost <= most));
        }
        if self.cores.is_none() || self.most == u64::MAX {
            return true;
        }
        // Kernels that may miss their cheapest places, since others take them.
        let single = |choice: &&mut Choice| self.puzzle.pieces[choice.piece].members.len() == 1;
        let mut rows: Vec<&mut Choice> = choices.iter_mut().filter(single).collect();
        while let few = rows.len()
            && rows.extract_if(.., |row| row.cheapest() >= few).next().is_some()
        {}
        self.assign(&mut rows, slack.cast_signed())
    }

    /// Leaves kernels the places of different tiles that cost at most `slack` more than the least
    /// of each. Returns false when there are no such tiles.
    fn assign(&self, rows: &mut [&mut Choice], slack: i64) -> bool {
        let (mut column, mut columns) = (vec![None; self.puzzle.grid.len()], 0);
        for place in rows.iter().flat_map(|row| &row.places) {
            let index = *column[place.tile.index()].get_or_insert(columns);
            columns = columns.max(index + 1);
        }
        let column = |place: &Place| column[place.tile.index()].unwrap_or(0);
        let cost = |row: &&mut Choice| {
            let mut costs = vec![slack + 1; columns];
            for place in &row.places {
                costs[column(place)] = (place.cost - row.least()).cast_signed();
            }
            costs
        };
        let costs: Vec<Vec<i64>> = rows.iter().map(cost).collect();
        self.solver.work.spend((rows.len() * columns) as u64);
        let Some((of_row, of_column)) = prices(&costs, columns) else { return false };
        let left = slack - of_row.iter().chain(&of_column).sum::<i64>();
        for ((row, costs), price) in rows.iter_mut().zip(costs).zip(of_row) {
            row.places.retain(|place| {
                let column = column(place);
                costs[column] - price - of_column[column] <= left
            });
        }
        left >= 0
    }

    /// Weight of the cut edges between placed kernels and within pieces.
    fn cut(&self) -> u64 {
        let shares = |(a, b): (TileId, TileId)| self.puzzle.near[a.index()].contains(b.index());
        let tiles = |end: Member| self.puzzle.tiles(end, &self.solver.places[end.piece]);
        let within = self.within.iter().filter(|([a, b], _)| !tiles(*a).zip(tiles(*b)).any(shares));
        let tile = |end: Member| {
            self.puzzle.pieces[end.piece].on(only(&self.solver.places[end.piece])?)?.get(end.number)
        };
        let far = |(a, b, weight)| {
            let (a, b) = (tile(a)?, tile(b)?);
            (!shares((*a, *b))).then_some(weight)
        };
        let edges = self.around.enumerate().flat_map(|(piece, around)| {
            let first = around.iter().filter(move |(_, other, _)| piece < other.piece);
            first.filter_map(move |&(number, other, weight)| far((Member { piece, number }, other, weight)))
        });
        let edges: u64 = edges.sum();
        edges + within.map(|(_, weight)| weight).sum::<u64>()
    }
}

/// An open piece with edges.
struct Choice {
    piece: PieceId,
    /// Weight of its edges to placed pieces.
    all: u64,
    /// Its places, the cheapest first.
    places: Vec<Place>,
    /// The number of its places before it was narrowed.
    before: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    /// Twice `cut`, and the least weight of the edges to open pieces that are cut for want of free
    /// tiles. Both ends of such an edge may count it, so twice the weight that is cut is at least
    /// the sum over all pieces.
    cost: u64,
    /// Weight of the cut edges to placed pieces.
    cut: u64,
    tile: TileId,
}

impl Choice {
    /// The least cost.
    fn least(&self) -> u64 {
        self.places.first().map_or(0, |place| place.cost)
    }

    /// Weight of the edges to placed pieces that its cheapest place shares.
    fn saved(&self) -> u64 {
        self.places.first().map_or(0, |place| self.all - place.cut)
    }

    /// The number of places with the least cost.
    fn cheapest(&self) -> usize {
        self.places.partition_point(|place| place.cost == self.least())
    }

    /// The places that share some of the edges.
    fn sharing(&self) -> impl Iterator<Item = TileId> {
        self.places.iter().filter(|place| place.cut < self.all).map(|place| place.tile)
    }

    /// The places that share none.
    fn others(&self) -> impl Iterator<Item = TileId> {
        self.places.iter().filter(|place| place.cut == self.all).map(|place| place.tile)
    }
}
