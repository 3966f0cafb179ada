//! Branch and bound for the fewest cut edges over all tiles that keep the constraints. An edge is
//! cut if its ends share no memory.
//!
//! For 0, 1, 2, ... it asks whether tiles exist whose cut edges have at most that weight. Each "no"
//! is a proof. It places the pieces one after the other, those with the most edges to placed pieces
//! first. A branch ends when the edges that can no longer be shared, and those with too few tiles
//! left, exceed the limit.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use aiec_ir::{KernelId, WHOLE_CORE};

use fixedbitset::FixedBitSet;
use petgraph::algo::dinics;
use petgraph::graph::DiGraph;

use super::puzzle::{Member, PieceId, Puzzle, only, tile_set, tiles_of};
use super::solve::Solver;
use crate::limits::SMALL;

/// An edge between two kernels, and its cost if they share no memory.
pub type Weighted = (KernelId, KernelId, u64);

/// Minimum weight of cut edges over all tiles, or `most` if that is less; `from` is already proved.
pub(super) fn fewest_cuts(puzzle: &Puzzle<'_>, edges: &[Weighted], from: u64, most: u64) -> u64 {
    let work = &puzzle.facts.work();
    let all: u64 = edges.iter().map(|(.., weight)| weight).sum();
    let is_less =
        |most: &u64| Search::new(puzzle, edges, Solver::new(puzzle, work), *most).begin() == Some(false);
    from + (from..all.min(most)).take_while(is_less).count() as u64
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

/// A tile for each kernel of `puzzle`, which must hold all kernels of the design, such that
/// `accepts` returns true. Returns None when there are none, or the work ran out.
///
/// It proposes tiles that share as much as possible with the placed pieces.
pub(super) fn tiles(
    puzzle: &Puzzle<'_>,
    edges: &[Weighted],
    accepts: &mut dyn FnMut(&[TileId]) -> bool,
) -> Option<Vec<TileId>> {
    let all: u64 = edges.iter().map(|(.., weight)| weight).sum();
    let mut found = None;
    let mut test = |tiles: Vec<TileId>| {
        let accepted = accepts(&tiles);
        found = accepted.then_some(tiles);
        accepted
    };
    let work = &puzzle.facts.work();
    let search = Search::new(puzzle, edges, Solver::new(puzzle, work), all);
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
    /// True if no two kernels share a core.
    alone: bool,
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
            alone: puzzle.of.keys().all(|&kernel| puzzle.facts.shares[kernel] == WHOLE_CORE),
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
        let cut = self.cut();
        if cut > self.most {
            return Some(false);
        }
        let Some(piece) = self.next() else { return self.ask() };
        for place in self.ordered(piece) {
            if self.solver.work.left() == 0 {
                return None;
            }
            let mark = self.solver.mark();
            let found = if self.solver.put(piece, place, &self.scope) { self.go_on()? } else { false };
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

    /// The open piece with the largest weight of edges to placed pieces; of equals the one with the
    /// fewest places.
    fn next(&self) -> Option<PieceId> {
        let settled = |piece: PieceId| only(&self.solver.places[piece]).is_some();
        let asked = |piece: PieceId| self.test.is_some() || self.edges_at(piece).next().is_some();
        let open = self.scope.iter().copied().filter(|&piece| !settled(piece) && asked(piece));
        open.min_by_key(|&piece| {
            let others = self.edges_at(piece).flat_map(|(ends, _)| ends);
            let near = others.filter(|other| other.piece != piece && settled(other.piece)).count();
            (Reverse(near), self.solver.places[piece].count_ones(..), piece)
        })
    }

    /// The edges with an end in `piece`.
    fn edges_at(&self, piece: PieceId) -> impl Iterator<Item = &([Member; 2], u64)> {
        self.edges.iter().filter(move |(ends, _)| ends.iter().any(|end| end.piece == piece))
    }

    /// The places of `piece` that cut no more than the limit between placed pieces, those that cut
    /// least first.
    fn ordered(&mut self, piece: PieceId) -> Vec<TileId> {
        let examined = self.solver.places[piece].count_ones(..) as u64;
        self.solver.work.spend(examined);
        let is_placed = |end: &Member| end.piece == piece || only(&self.solver.places[end.piece]).is_some();
        let placed = self.edges.iter().filter(|(ends, _)| ends.iter().all(is_placed));
        let (own, others): (Vec<_>, Vec<_>) =
            placed.partition(|(ends, _)| ends.iter().any(|end| end.piece == piece));
        let cut = |edges: &[&([Member; 2], u64)], place: TileId| -> u64 {
            let cut = edges.iter().filter(|(ends, _)| !self.shares(*ends, (piece, place)));
            cut.map(|(_, weight)| weight).sum()
        };
        let most = self.most.saturating_sub(cut(&others, TileId(0)));
        let places = tiles_of(&self.solver.places[piece]).map(|place| (cut(&own, place), place));
        let mut places: Vec<_> = places.filter(|(cut, _)| *cut <= most).collect();
        places.sort_unstable();
        places.into_iter().map(|(_, place)| place).collect()
    }

    /// True if two kernels with one tile each share memory, with a piece assumed on a place.
    fn shares(&self, ends: [Member; 2], with: (PieceId, TileId)) -> bool {
        let tile = |Member { piece, number }: Member| {
            let place = if piece == with.0 { Some(with.1) } else { only(&self.solver.places[piece]) };
            self.puzzle.pieces[piece].on(place?)?.get(number).copied()
        };
        let [a, b] = ends.map(tile);
        a.zip(b).is_some_and(|(a, b)| self.puzzle.near[a.index()].contains(b.index()))
    }

    /// The remaining tiles of a kernel.
    fn tiles(&self, kernel: Member) -> FixedBitSet {
        if self.puzzle.pieces[kernel.piece].members.len() == 1 {
            return self.solver.places[kernel.piece].clone();
        }
        tile_set(&self.puzzle.grid, self.puzzle.tiles(kernel, &self.solver.places[kernel.piece]))
    }

    /// Lower bound on the cut weight: edges whose ends have no tiles that share, and edges of a
    /// placed kernel with too few tiles around it.
    fn cut(&mut self) -> u64 {
        self.solver.work.spend(self.edges.len() as u64);
        // A kernel with more tiles than there are around any core rarely proves a cut.
        let few = self.puzzle.near.iter().map(|near| near.count_ones(..)).max().unwrap_or(0);
        let mut cut = 0;
        let mut open: BTreeMap<Member, Star> = BTreeMap::new();
        for &([a, b], weight) in &self.edges {
            if a.piece == b.piece {
                let mut places = tiles_of(&self.solver.places[a.piece]);
                let is_cut = !places.any(|place| self.shares([a, b], (a.piece, place)));
                cut += if is_cut { weight } else { 0 };
                continue;
            }
            let places = |end: &Member| self.solver.places[end.piece].count_ones(..);
            let (own, other) = if places(&a) <= places(&b) { (a, b) } else { (b, a) };
            if places(&own) > few {
                continue;
            }
            self.solver.work.spend(places(&own) as u64);
            let (from, to) = (self.tiles(own), self.tiles(other));
            let mut near = FixedBitSet::with_capacity(self.puzzle.grid.len());
            tiles_of(&from).for_each(|tile| near.union_with(&self.puzzle.near[tile.index()]));
            near.intersect_with(&to);
            match only(&from) {
                _ if near.is_clear() => cut += weight,
                Some(tile) if to.count_ones(..) > 1 => {
                    near.remove(tile.index());
                    let star = open.entry(own).or_default();
                    star.weights.push(weight);
                    star.tiles.grow(near.len());
                    star.tiles.union_with(&near);
                }
                _ => {}
            }
        }
        cut + if self.alone { open.into_values().map(Star::excess).sum() } else { 0 }
    }
}

/// The edges at a placed kernel that may still be shared.
#[derive(Default)]
struct Star {
    weights: Vec<u64>,
    /// Tiles for the other ends.
    tiles: FixedBitSet,
}

impl Star {
    /// Weight of the lightest edges beyond the number of tiles. Each edge needs one tile.
    fn excess(self) -> u64 {
        let Self { mut weights, tiles } = self;
        weights.sort_unstable();
        weights.iter().take(weights.len().saturating_sub(tiles.count_ones(..))).sum()
    }
}
