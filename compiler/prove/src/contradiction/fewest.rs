//! Branch and bound over all tiles that keep the constraints: whether there are any, and the fewest
//! edges that they cut. An edge is cut if its ends share no memory.
//!
//! For 0, 1, 2, ... it asks whether tiles exist whose cut edges have at most that weight. Each "no"
//! is a proof. A piece goes to a place that shares memory with placed pieces, or the branch keeps
//! it away from all such places and goes on with other pieces. Places that cut too much are
//! removed. A branch ends when the edges that can no longer be shared exceed the limit.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use aiec_ir::KernelId;

use fixedbitset::FixedBitSet;
use petgraph::algo::dinics;
use petgraph::graph::DiGraph;

use super::puzzle::{Member, PieceId, Puzzle, only, tiles_of};
use super::solve::Solver;
use crate::components::components;
use crate::limits::{MOST_WORK, SMALL};
use crate::work::Work;

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
    /// The ends of each edge, and its weight.
    edges: Vec<([Member; 2], u64)>,
    scope: Vec<PieceId>,
    solver: Solver<'p, 'a>,
    /// Maximum weight of cut edges.
    most: u64,
    /// True if only tiles count on which shared edges join all kernels.
    is_joined: bool,
    /// The test of complete assignments. Without one, the search skips kernels without edges.
    test: Option<&'p mut dyn FnMut(Vec<TileId>) -> bool>,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(puzzle: &'p Puzzle<'a>, edges: &[Weighted], solver: Solver<'p, 'a>, most: u64) -> Self {
        let of = |kernel: &KernelId| puzzle.of.get(kernel).copied();
        let edges = edges.iter().filter_map(|(a, b, weight)| Some(([of(a)?, of(b)?], *weight)));
        Self {
            puzzle,
            edges: edges.collect(),
            scope: puzzle.pieces.ids().collect(),
            solver,
            most,
            is_joined: false,
            test: None,
        }
    }

    /// True if some tiles cut at most the limit. Returns None when the work ran out.
    fn begin(&mut self) -> Option<bool> {
        if !self.solver.settle() {
            return Some(false);
        }
        self.go_on()
    }

    fn go_on(&mut self) -> Option<bool> {
        let choices = self.choices();
        let Some(spare) = self.most.checked_sub(self.cut(&choices)) else { return Some(false) };
        let wide = |choice: &&Choice| choice.within(spare).len() < choice.places.len();
        let mut wide = choices.iter().filter(wide).peekable();
        if wide.peek().is_some() {
            let narrows = |choice: &Choice| self.solver.keep(choice.piece, choice.within(spare), &self.scope);
            return if wide.all(narrows) { self.go_on() } else { Some(false) };
        }
        let sharing = choices.iter().filter(|choice| choice.sharing().next().is_some());
        let fewest =
            |choice: &&Choice| (choice.sharing().count(), Reverse(choice.all - choice.least()), choice.piece);
        if let Some(choice) = sharing.min_by_key(fewest) {
            let branches = choice.sharing().map(|place| vec![place]);
            return self.try_out(choice.piece, branches.chain([choice.others().collect()]));
        }
        let Some(piece) = self.next() else { return self.ask() };
        if self.is_joined && self.scope.iter().any(|&piece| only(&self.solver.places[piece]).is_some()) {
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
            let found = if self.solver.keep(piece, places, &self.scope) { self.go_on()? } else { false };
            self.solver.back_to(mark);
            if found {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tests the remaining tiles. A test costs as much work as all
    /// tiles of all kernels of a small design. Returns None when the work ran out.
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
        let edges = |piece: PieceId| {
            let at = |(ends, _): &&([Member; 2], u64)| ends.iter().any(|end| end.piece == piece);
            self.edges.iter().filter(at).count()
        };
        let is_open = |piece: &PieceId| only(&self.solver.places[*piece]).is_none();
        let asked = |piece: &PieceId| is_open(piece) && (self.test.is_some() || edges(*piece) > 0);
        let key =
            |piece: &PieceId| (self.solver.places[*piece].count_ones(..), Reverse(edges(*piece)), *piece);
        self.scope.iter().copied().filter(asked).min_by_key(key)
    }

    /// The open pieces with edges to placed ones.
    fn choices(&self) -> Vec<Choice> {
        let mut near: BTreeMap<PieceId, Vec<(usize, &FixedBitSet, u64)>> = BTreeMap::new();
        for &([a, b], weight) in self.edges.iter().filter(|([a, b], _)| a.piece != b.piece) {
            for (open, placed) in [(a, b), (b, a)] {
                if let (None, Some(tile)) = (self.tile(open), self.tile(placed)) {
                    let beside = &self.puzzle.near[tile.index()];
                    near.entry(open.piece).or_default().push((open.number, beside, weight));
                }
            }
        }
        let choice = |(piece, near): (PieceId, Vec<(usize, &FixedBitSet, u64)>)| {
            let cut = |place: TileId| {
                let on = self.puzzle.pieces[piece].on(place)?;
                let far = near.iter().filter(|(number, near, _)| !near.contains(on[*number].index()));
                Some((far.map(|(.., weight)| weight).sum(), place))
            };
            let mut places: Vec<_> = tiles_of(&self.solver.places[piece]).filter_map(cut).collect();
            self.solver.work.spend((places.len() * near.len()) as u64);
            places.sort_unstable();
            Choice { piece, all: near.iter().map(|(.., weight)| weight).sum(), places }
        };
        near.into_iter().map(choice).collect()
    }

    /// The tile of a kernel whose piece has one place left.
    fn tile(&self, kernel: Member) -> Option<TileId> {
        let place = only(&self.solver.places[kernel.piece])?;
        self.puzzle.pieces[kernel.piece].on(place)?.get(kernel.number).copied()
    }

    /// Lower bound on the cut weight: edges between placed kernels, edges within a piece, and the
    /// least that each open piece cuts.
    fn cut(&self, choices: &[Choice]) -> u64 {
        self.solver.work.spend(self.edges.len() as u64);
        let shares = |(a, b): (TileId, TileId)| self.puzzle.near[a.index()].contains(b.index());
        let is_cut = |&&([a, b], _): &&([Member; 2], u64)| {
            if a.piece == b.piece {
                let tiles = |end| self.puzzle.tiles(end, &self.solver.places[a.piece]);
                return !tiles(a).zip(tiles(b)).any(shares);
            }
            self.tile(a).zip(self.tile(b)).is_some_and(|tiles| !shares(tiles))
        };
        let cut: u64 = self.edges.iter().filter(is_cut).map(|(_, weight)| weight).sum();
        cut + choices.iter().map(Choice::least).sum::<u64>()
    }
}

/// An open piece with edges to placed pieces.
struct Choice {
    piece: PieceId,
    /// Weight of these edges.
    all: u64,
    /// Its places, each with the weight of these edges that it cuts; the least first.
    places: Vec<(u64, TileId)>,
}

impl Choice {
    /// The least weight that a place cuts.
    fn least(&self) -> u64 {
        self.places.first().map_or(0, |(cut, _)| *cut)
    }

    /// The places that cut at most `spare` more than the least.
    fn within(&self, spare: u64) -> Vec<TileId> {
        let most = self.least().saturating_add(spare);
        self.places.iter().take_while(|(cut, _)| *cut <= most).map(|(_, place)| *place).collect()
    }

    /// The places that share some of the edges.
    fn sharing(&self) -> impl Iterator<Item = TileId> {
        self.places.iter().take_while(|(cut, _)| *cut < self.all).map(|(_, place)| *place)
    }

    /// The places that share none.
    fn others(&self) -> impl Iterator<Item = TileId> {
        self.places.iter().filter(|(cut, _)| *cut == self.all).map(|(_, place)| *place)
    }
}
