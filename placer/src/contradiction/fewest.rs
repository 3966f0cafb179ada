//! The fewest edges between kernels whose ends share no memory, over all tiles that keep the constraints, and such tiles: branch and bound.
//!
//! In come edges with weights and a [`Puzzle`] with the kernels at their ends; asked is, for 0, 1, 2, ... whether tiles can be found at which edges of no more
//! weight are cut. Each "no" is a proof; a "yes" ends the search, and so does the end of the work. Pieces are put on places one after the other, those
//! with the most edges to others on places first. A branch ends where edges that cannot be shared any more, and those that have too few tiles
//! left, are more than asked for.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use aiec_ir::{KernelId, WHOLE_CORE};

use super::puzzle::Puzzle;
use super::solve::Solver;
use super::tiles::TileSet;

/// Tiles of a kernel up to which it is looked whether any of them shares with those of another.
const FEW: usize = 6;

/// How often is asked about tiles in each of two rounds.
const MOST_QUESTIONS: u32 = 400;

/// An edge between two kernels, and what it costs if they share no memory.
pub(crate) type Weighted = (KernelId, KernelId, u64);

/// The weight of edges that no tiles do without cutting, `from` of which is known; takes its work off `work`.
pub(super) fn fewest_cuts(puzzle: &Puzzle<'_>, edges: &[Weighted], from: u64, work: &mut u64) -> u64 {
    let all: u64 = edges.iter().map(|(.., weight)| weight).sum();
    let mut cuts = from;
    while cuts < all {
        let solver = Solver::new(puzzle, work);
        match Search::new(puzzle, edges, solver, cuts).begin() {
            Some(false) => cuts += 1,
            Some(true) | None => break,
        }
    }
    cuts
}

/// A tile for each kernel of `puzzle`, which are all of the design, so that `accepts` takes them; none if there are none, or the work or the questions ran
/// out.
///
/// Asked first is about tiles that share what they can with those taken before, then about those at which 0, 1, 2, ... edges are cut.
pub(super) fn tiles(
    puzzle: &Puzzle<'_>,
    edges: &[Weighted],
    work: u64,
    accepts: &mut dyn FnMut(&[TileId]) -> bool,
) -> Option<Vec<TileId>> {
    let all: u64 = edges.iter().map(|(.., weight)| weight).sum();
    let (mut found, mut left) = (None, work / 2);
    let mut round = |(fewest, most): (u64, u64), work: &mut u64| {
        let mut questions = MOST_QUESTIONS;
        let mut judge = |tiles: Vec<TileId>| {
            questions = questions.checked_sub(1)?;
            let accepted = accepts(&tiles);
            found = accepted.then_some(tiles);
            Some(accepted)
        };
        Search::new(puzzle, edges, Solver::new(puzzle, work), most).asking(fewest, &mut judge).begin()
    };
    let mut undecided = round((0, all), &mut (work / 2)).is_none();
    let mut cuts = 0;
    while undecided && cuts <= all {
        undecided = round((cuts, cuts), &mut left) == Some(false);
        cuts += 1;
    }
    found
}

/// Says whether tiles of all kernels are accepted; none to end the search.
type Judge<'p> = dyn FnMut(Vec<TileId>) -> Option<bool> + 'p;

struct Search<'p, 'a> {
    puzzle: &'p Puzzle<'a>,
    /// Ends by piece and number in it, with the weight.
    edges: Vec<[(usize, usize); 2]>,
    weights: Vec<u64>,
    /// The edges of each piece.
    at: Vec<Vec<usize>>,
    scope: Vec<usize>,
    solver: Solver<'p, 'a>,
    /// The most that may be cut.
    most: u64,
    /// True if no two kernels are on one core.
    alone: bool,
    /// Who is asked about tiles of all kernels; without anybody, kernels without edges are left out.
    judge: Option<&'p mut Judge<'p>>,
    /// The least that is cut of what is asked about.
    fewest: u64,
}

impl<'p, 'a> Search<'p, 'a> {
    fn new(puzzle: &'p Puzzle<'a>, edges: &[Weighted], solver: Solver<'p, 'a>, most: u64) -> Self {
        let of: BTreeMap<KernelId, (usize, usize)> = (puzzle.pieces.iter().enumerate())
            .flat_map(|(piece, m)| {
                m.kernels.iter().enumerate().map(move |(at, &kernel)| (kernel, (piece, at)))
            })
            .collect();
        let mut search = Self {
            puzzle,
            edges: Vec::new(),
            weights: Vec::new(),
            at: vec![Vec::new(); puzzle.pieces.len()],
            scope: (0..puzzle.pieces.len()).collect(),
            solver,
            most,
            alone: of.keys().all(|&kernel| puzzle.facts.shares[kernel] == WHOLE_CORE),
            judge: None,
            fewest: 0,
        };
        for (a, b, weight) in edges {
            if let (Some(&a), Some(&b)) = (of.get(a), of.get(b)) {
                let ends: BTreeSet<usize> = [a.0, b.0].into();
                ends.into_iter().for_each(|piece| search.at[piece].push(search.edges.len()));
                search.edges.push([a, b]);
                search.weights.push(*weight);
            }
        }
        search
    }

    fn asking(self, fewest: u64, judge: &'p mut Judge<'p>) -> Self {
        Self { judge: Some(judge), fewest, ..self }
    }

    /// True if some tiles cut no more than asked for; none if the work ran out.
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
        let Some(piece) = self.next() else { return self.ask(cut) };
        for place in self.ordered(piece) {
            if self.solver.is_done() {
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

    /// Asks whether the tiles that are left do, at which edges of the weight `cut` are cut; none if too much was asked.
    fn ask(&mut self, cut: u64) -> Option<bool> {
        let Some(judge) = &mut self.judge else { return Some(true) };
        if cut < self.fewest || !self.solver.cores_suffice(&self.scope) {
            return Some(false);
        }
        let places = self.puzzle.pieces.iter().zip(&self.solver.places);
        let on = places.filter_map(|(piece, places)| Some(piece.at(places.only()?))).flatten();
        let tiles: BTreeMap<KernelId, TileId> = on.collect();
        judge(tiles.into_values().collect())
    }

    /// The open piece with edges that has the most to pieces on places, of these the one with the fewest places.
    fn next(&self) -> Option<usize> {
        let settled = |piece: usize| self.solver.places[piece].only().is_some();
        let asked = |piece: usize| self.judge.is_some() || !self.at[piece].is_empty();
        let open = self.scope.iter().copied().filter(|&piece| !settled(piece) && asked(piece));
        open.min_by_key(|&piece| {
            let others = self.at[piece].iter().flat_map(|&edge| self.edges[edge]);
            let near = others.filter(|&(other, _)| other != piece && settled(other)).count();
            (std::cmp::Reverse(near), self.solver.places[piece].len(), piece)
        })
    }

    /// The places of `piece`, those first from which it shares the most with pieces on places.
    fn ordered(&self, piece: usize) -> Vec<TileId> {
        let shared = |place: TileId| -> u64 {
            let edges = self.at[piece].iter().filter(|&&edge| {
                let [a, b] = self.edges[edge].map(|end| self.only(end, Some((piece, place))));
                a.zip(b).is_some_and(|(a, b)| self.puzzle.near[a.index()].contains(b))
            });
            edges.map(|&edge| self.weights[edge]).sum()
        };
        let mut places: Vec<TileId> = self.solver.places[piece].iter().collect();
        places.sort_by_cached_key(|&place| (std::cmp::Reverse(shared(place)), place));
        places
    }

    /// The tile of a kernel that has one, if a piece were on a place.
    fn only(&self, (piece, number): (usize, usize), with: Option<(usize, TileId)>) -> Option<TileId> {
        let own = with.filter(|&(other, _)| other == piece).map(|(_, place)| place);
        let place = own.or_else(|| self.solver.places[piece].only())?;
        self.puzzle.pieces[piece].formation.on(place)?.get(number).copied()
    }

    /// The tiles that a kernel may still be on.
    fn tiles(&self, (piece, number): (usize, usize)) -> TileSet {
        let tiles = self.puzzle.pieces[piece].tiles(number, &self.solver.places[piece]);
        TileSet::of(self.puzzle.grid.len(), tiles)
    }

    /// What is cut at least: edges none of whose ends' tiles share, and those of a kernel on a tile that have too few tiles around it.
    fn cut(&mut self) -> u64 {
        *self.solver.work = self.solver.work.saturating_sub(self.edges.len() as u64);
        let mut cut = 0;
        // For each kernel on a tile the edges that may be shared from there, and the tiles for their other ends.
        let mut open: BTreeMap<(usize, usize), (Vec<u64>, TileSet)> = BTreeMap::new();
        for (edge, &weight) in self.edges.iter().zip(&self.weights) {
            let (own, other) = match edge.map(|end| self.solver.places[end.0].len()) {
                [a, b] if a <= b => (edge[0], edge[1]),
                _ => (edge[1], edge[0]),
            };
            let (from, to) = (self.tiles(own), self.tiles(other));
            if own.0 == other.0 || from.len() > FEW {
                continue;
            }
            let mut near = TileSet::none(self.puzzle.grid.len());
            from.iter().for_each(|tile| near.add(&self.puzzle.near[tile.index()]));
            near.keep(&to);
            match from.only() {
                _ if near.is_empty() => cut += weight,
                Some(tile) if to.len() > 1 => {
                    near.remove(tile);
                    let empty = || (Vec::new(), TileSet::none(self.puzzle.grid.len()));
                    let (weights, tiles) = open.entry(own).or_insert_with(empty);
                    weights.push(weight);
                    tiles.add(&near);
                }
                _ => {}
            }
        }
        cut + self.inside() + if self.alone { open.into_values().map(too_few).sum() } else { 0 }
    }

    /// What is cut of edges within pieces, wherever they still may be.
    fn inside(&self) -> u64 {
        let inside = self.edges.iter().zip(&self.weights).filter(|([a, b], _)| a.0 == b.0);
        let cut = inside.filter(|([a, b], _)| {
            let near = |place: TileId| {
                let tiles = self.only(*a, Some((a.0, place))).zip(self.only(*b, Some((b.0, place))));
                tiles.is_some_and(|(a, b)| self.puzzle.near[a.index()].contains(b))
            };
            !self.solver.places[a.0].iter().any(near)
        });
        cut.map(|(_, weight)| weight).sum()
    }
}

/// The weight of the lightest edges that are too many for `tiles`, of which each takes one.
fn too_few((mut weights, tiles): (Vec<u64>, TileSet)) -> u64 {
    weights.sort_unstable();
    weights.iter().take(weights.len().saturating_sub(tiles.len())).sum()
}
