//! Whether tiles can be found that keep some statements, resources left aside: exactly, within a limit of work.
//!
//! Kernels that offsets and cascades tie together are a piece, whose place is that of its first kernel. For each piece the places are listed that
//! its own statements leave. Then, in this order: pieces with one place take theirs away from the others; kernels with cores of their own
//! find different tiles (a bipartite matching); and the pieces that `together` and `apart` join are tried out, the one with the fewest
//! places first, each place taking away from the others what does not go with it. Every step leaves something of the problem out or is
//! exact, so that [`Verdict::Impossible`] is a proof.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::constraints::Group;
use aiec_ir::{Checked, IdVec, KernelId, WHOLE_CORE};

use super::Freedom;
use super::statement::Statement;
use crate::formation::{Formation, Tie, Way, formations};
use crate::matching::Matching;
use crate::pins::Pins;

/// What is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Tiles were found, as far as was looked.
    Possible,
    /// There are none.
    Impossible,
    /// The work ran out.
    Unknown,
}

/// What every question has in common.
pub(super) struct Facts<'a> {
    pub(super) checked: &'a Checked,
    pub(super) device: &'a Device,
    pub(super) pins: &'a Pins,
    /// The array with all tiles closed that are to be left free, whatever is left out.
    whole: Grid,
    shares: IdVec<KernelId, u32>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(checked: &'a Checked, device: &'a Device, pins: &'a Pins) -> Self {
        let whole = Grid::without(device, |tile| checked.is_closed(device, tile));
        Self { checked, device, pins, whole, shares: checked.core_shares() }
    }

    /// True if one core could run both, others left aside.
    fn may_share_core(&self, a: KernelId, b: KernelId) -> bool {
        let program = |kernel| u64::from(self.checked.program_bytes(kernel).unwrap_or(0));
        self.shares[a] + self.shares[b] <= WHOLE_CORE
            && program(a) + program(b) <= self.device.core.program_bytes.into()
            && self.checked.core_system_bytes(&[a, b], self.device) <= self.device.memory.module_bytes.into()
    }

    /// Whether `statements` can be kept for the kernels in `only`, or for all of them; takes its work off `work`.
    pub(super) fn ask(
        &self,
        statements: &[Statement],
        only: Option<&BTreeSet<KernelId>>,
        work: &mut u64,
    ) -> Verdict {
        Puzzle::new(self, statements, only).solve(work)
    }
}

impl Facts<'_> {
    /// Tiles of every kernel, and those of `pairs` that share memory nowhere; none if there is a contradiction.
    pub(super) fn freedom(
        &self,
        statements: &[Statement],
        pairs: impl Iterator<Item = (KernelId, KernelId)>,
        work: &mut u64,
    ) -> Option<Freedom> {
        let mut puzzle = Puzzle::new(self, statements, None);
        if !puzzle.settle(work) {
            return None;
        }
        let open: Vec<bool> = puzzle.grid.ids().map(|tile| puzzle.grid.is_open(tile)).collect();
        let mut allowed = vec![open; self.checked.kernels.len()];
        let mut of: BTreeMap<KernelId, (usize, usize)> = BTreeMap::new();
        for (piece, (members, places)) in puzzle.pieces.iter().zip(&puzzle.places).enumerate() {
            for (number, &kernel) in members.kernels.iter().enumerate() {
                of.insert(kernel, (piece, number));
                let tiles = &mut allowed[kernel.index()];
                tiles.fill(false);
                members.tiles(number, places).for_each(|tile| tiles[tile.index()] = true);
            }
        }
        let far = pairs.filter(|pair| puzzle.never_share(*pair, &allowed, &of)).collect();
        Some(Freedom { allowed, far })
    }
}

/// Kernels that move as one.
struct Piece {
    kernels: Vec<KernelId>,
    formation: Formation,
}

impl Piece {
    /// Tiles of a member for each of `places` of the first one.
    fn tiles<'a>(&'a self, number: usize, places: &'a [TileId]) -> impl Iterator<Item = TileId> + 'a {
        places.iter().filter_map(move |&place| self.formation.on(place)?.get(number).copied())
    }

    /// The kernels with their tiles if the first one is on `place`; none if they cannot stand so.
    fn at(&self, place: TileId) -> impl Iterator<Item = (KernelId, TileId)> + Clone + '_ {
        self.kernels.iter().copied().zip(self.formation.on(place).unwrap_or_default().iter().copied())
    }
}

struct Puzzle<'a> {
    facts: &'a Facts<'a>,
    grid: Grid,
    pieces: Vec<Piece>,
    /// Places of each piece.
    places: Vec<Vec<TileId>>,
    together: BTreeSet<(KernelId, KernelId)>,
    apart: BTreeSet<(KernelId, KernelId)>,
}

impl<'a> Puzzle<'a> {
    /// The pieces and their places.
    fn new(facts: &'a Facts<'a>, statements: &[Statement], only: Option<&BTreeSet<KernelId>>) -> Self {
        let constraints = &facts.checked.constraints;
        let closed = |tile: Tile| {
            let (column, row) = (i64::from(tile.column), i64::from(tile.row));
            let keepout = |s: &Statement| matches!(s, Statement::Keepout(at) if constraints.keepouts[*at].area.contains(column, row));
            facts.device.keepout.contains(&tile) || statements.iter().any(keepout)
        };
        let asked = |kernel: &KernelId| only.is_none_or(|only| only.contains(kernel));
        let named = statements.iter().flat_map(|s| s.kernels(facts.checked)).filter(asked);
        let named: BTreeSet<KernelId> = named.collect();
        let pairs = |of: &dyn Fn(&Statement) -> Option<&'a Group<KernelId>>| {
            let pairs = statements.iter().filter_map(of).flat_map(Group::pairs);
            let pairs = pairs.filter(|(a, b)| asked(a) && asked(b));
            pairs.map(|(a, b)| (*a.min(b), *a.max(b))).collect::<BTreeSet<_>>()
        };
        let together = |s: &Statement| match s {
            Statement::Together(at) => Some(&constraints.together[*at]),
            _ => None,
        };
        let apart = |s: &Statement| match s {
            Statement::Apart(at) => Some(&constraints.apart[*at]),
            _ => None,
        };
        let grid = Grid::without(facts.device, closed);
        let mut puzzle = Self {
            facts,
            pieces: pieces(facts.checked, &grid, statements, &named),
            grid,
            places: Vec::new(),
            together: pairs(&together),
            apart: pairs(&apart),
        };
        puzzle.list_places(statements);
        puzzle
    }

    /// The places that each piece's own statements leave.
    fn list_places(&mut self, statements: &[Statement]) {
        let mut allowed: BTreeMap<KernelId, Vec<bool>> = BTreeMap::new();
        let tiles: Vec<Tile> = self.grid.ids().map(|id| self.grid.tile(id)).collect();
        let mut narrow = |kernel: KernelId, keep: &dyn Fn(i64, i64) -> bool| {
            let all = allowed.entry(kernel).or_insert_with(|| vec![true; tiles.len()]);
            all.iter_mut()
                .zip(&tiles)
                .for_each(|(ok, tile)| *ok &= keep(tile.column.into(), tile.row.into()));
        };
        let (checked, pins) = (self.facts.checked, self.facts.pins);
        for statement in statements {
            match *statement {
                Statement::Place(at) => {
                    let place = &checked.places[at];
                    narrow(place.kernel, &|c, r| (c, r) == (place.column, place.row));
                }
                Statement::Pin(kernel) => {
                    let tile = pins.kernels.get(&kernel).copied();
                    narrow(kernel, &|c, r| tile.is_some_and(|t| (c, r) == (t.column.into(), t.row.into())));
                }
                Statement::Region(at) => {
                    let region = &checked.constraints.regions[at];
                    region.kernels.iter().for_each(|&k| narrow(k, &|c, r| region.area.contains(c, r)));
                }
                _ => {}
            }
        }
        let may = |kernel: KernelId, tile: TileId| {
            self.grid.is_open(tile) && allowed.get(&kernel).is_none_or(|tiles| tiles[tile.index()])
        };
        let fits = |piece: &Piece, place: TileId| {
            let mut all = piece.at(place);
            let stands =
                piece.formation.on(place).is_some() && all.clone().all(|(kernel, tile)| may(kernel, tile));
            stands
                && std::iter::from_fn(|| Some((all.next()?, all.clone())))
                    .all(|(one, others)| self.go_together(std::iter::once(one), others))
        };
        let places = |piece: &Piece| self.grid.ids().filter(|&place| fits(piece, place)).collect::<Vec<_>>();
        self.places = self.pieces.iter().map(places).collect();
    }

    /// True if all kernels of `a` on their tiles go with all of `b` on theirs.
    fn go_together(
        &self,
        mut a: impl Iterator<Item = (KernelId, TileId)>,
        b: impl Iterator<Item = (KernelId, TileId)> + Clone,
    ) -> bool {
        a.all(|(a, first)| b.clone().all(|(b, second)| self.agree(a, first, b, second)))
    }

    /// True if nothing is against these tiles of two kernels.
    ///
    /// Without a `keepout` more cores share memory. So that leaving one out forbids nothing, kernels apart are looked at as if all held.
    fn agree(&self, a: KernelId, first: TileId, b: KernelId, second: TileId) -> bool {
        let same = first == second;
        let near = |grid: &Grid| same || grid.partners(first).contains(&second);
        let pair = (a.min(b), a.max(b));
        (!same || self.facts.may_share_core(a, b))
            && (!self.together.contains(&pair) || near(&self.grid))
            && (!self.apart.contains(&pair) || !near(&self.facts.whole))
    }

    /// True if no tiles let two kernels share memory: an `apart`, their distance in a piece, or that the tiles of one are far from the other's.
    fn never_share(
        &self,
        (a, b): (KernelId, KernelId),
        allowed: &[Vec<bool>],
        of: &BTreeMap<KernelId, (usize, usize)>,
    ) -> bool {
        if self.apart.contains(&(a, b)) {
            return true;
        }
        if let (Some(&(piece, first)), Some(&(other, second))) = (of.get(&a), of.get(&b))
            && piece == other
        {
            let tiles = |number| self.pieces[piece].tiles(number, &self.places[piece]);
            let near = |(a, b): (TileId, TileId)| a == b || self.grid.partners(a).contains(&b);
            return !tiles(first).zip(tiles(second)).any(near);
        }
        let (from, to) = (&allowed[a.index()], &allowed[b.index()]);
        let near =
            |tile: TileId| to[tile.index()] || self.grid.partners(tile).iter().any(|other| to[other.index()]);
        !self.grid.ids().any(|tile| from[tile.index()] && near(tile))
    }

    fn solve(&mut self, work: &mut u64) -> Verdict {
        if !self.settle(work) || !self.find_different_tiles() {
            return Verdict::Impossible;
        }
        let mut verdict = Verdict::Possible;
        for joined in self.joined() {
            let places: Vec<Vec<TileId>> = joined.iter().map(|&piece| self.places[piece].clone()).collect();
            match self.try_out(&joined, &places, &mut vec![false; joined.len()], work) {
                Verdict::Impossible => return Verdict::Impossible,
                Verdict::Unknown => verdict = Verdict::Unknown,
                Verdict::Possible => {}
            }
        }
        verdict
    }

    /// Pieces with one place take it away from all others, until nothing changes; false if a piece has no place.
    fn settle(&mut self, work: &mut u64) -> bool {
        let mut settled = vec![false; self.pieces.len()];
        loop {
            if self.places.iter().any(Vec::is_empty) {
                return false;
            }
            let next = (0..self.pieces.len()).find(|&piece| !settled[piece] && self.places[piece].len() == 1);
            let Some(piece) = next.filter(|_| *work > 0) else { return true };
            settled[piece] = true;
            let place = self.places[piece][0];
            for other in (0..self.pieces.len()).filter(|&other| other != piece) {
                *work = work.saturating_sub(self.places[other].len() as u64);
                let mut left = std::mem::take(&mut self.places[other]);
                left.retain(|&to| self.go_together(self.pieces[piece].at(place), self.pieces[other].at(to)));
                self.places[other] = left;
            }
        }
    }

    /// False if kernels with cores of their own have fewer tiles between them than they are.
    fn find_different_tiles(&self) -> bool {
        let alone = |kernel: KernelId| self.facts.shares[kernel] == WHOLE_CORE;
        let members =
            self.pieces.iter().zip(&self.places).filter(|(_, places)| places.len() < self.grid.len());
        let members =
            members.flat_map(|(piece, places)| (0..piece.kernels.len()).map(move |at| (piece, at, places)));
        let members = members.filter(|(piece, at, _)| alone(piece.kernels[*at]));
        let tiles = members.map(|(piece, at, places)| {
            let mut tiles = vec![false; self.grid.len()];
            piece.tiles(at, places).for_each(|tile| tiles[tile.index()] = true);
            (places.len(), tiles)
        });
        let tiles: Vec<(usize, Vec<bool>)> = tiles.collect();
        let mut matching = Matching::empty(tiles.len(), self.grid.len());
        let mut order: Vec<usize> = (0..tiles.len()).collect();
        order.sort_by_key(|&kernel| (tiles[kernel].0, kernel));
        order.iter().all(|&kernel| matching.augment(kernel, |kernel, tile| tiles[kernel].1[tile]).is_ok())
    }

    /// Pieces that `together` and `apart` join, each set in ascending order.
    fn joined(&self) -> Vec<Vec<usize>> {
        let of: BTreeMap<KernelId, usize> = (self.pieces.iter().enumerate())
            .flat_map(|(piece, members)| members.kernels.iter().map(move |&kernel| (kernel, piece)))
            .collect();
        let mut leader: Vec<usize> = (0..self.pieces.len()).collect();
        for (a, b) in self.together.iter().chain(&self.apart) {
            if let (Some(&a), Some(&b)) = (of.get(a), of.get(b)) {
                let (low, high) = (leader[a].min(leader[b]), leader[a].max(leader[b]));
                leader.iter_mut().filter(|l| **l == high).for_each(|l| *l = low);
            }
        }
        let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        leader.iter().enumerate().for_each(|(piece, &leader)| sets.entry(leader).or_default().push(piece));
        sets.into_values().filter(|set| set.len() > 1).collect()
    }

    /// Looks for places of `joined`, of which those `done` have one left.
    fn try_out(
        &self,
        joined: &[usize],
        places: &[Vec<TileId>],
        done: &mut [bool],
        work: &mut u64,
    ) -> Verdict {
        let open = (0..joined.len()).filter(|&at| !done[at]);
        let Some(at) = open.min_by_key(|&at| places[at].len()) else { return Verdict::Possible };
        done[at] = true;
        let mut verdict = Verdict::Impossible;
        for place in places[at].clone() {
            if *work == 0 {
                verdict = Verdict::Unknown;
                break;
            }
            let Some(left) = self.left(joined, places, done, (at, place), work) else { continue };
            match self.try_out(joined, &left, done, work) {
                Verdict::Impossible => {}
                other => {
                    verdict = other;
                    break;
                }
            }
        }
        done[at] = false;
        verdict
    }

    /// What is left of `places` if the piece `at` has this one; none if some piece has nothing left.
    fn left(
        &self,
        joined: &[usize],
        places: &[Vec<TileId>],
        done: &[bool],
        (at, place): (usize, TileId),
        work: &mut u64,
    ) -> Option<Vec<Vec<TileId>>> {
        let mut left = places.to_vec();
        left[at] = vec![place];
        for other in (0..joined.len()).filter(|&other| !done[other]) {
            *work = work.saturating_sub(left[other].len() as u64);
            let (piece, others) = (&self.pieces[joined[at]], &self.pieces[joined[other]]);
            left[other].retain(|&to| self.go_together(piece.at(place), others.at(to)));
            if left[other].is_empty() {
                return None;
            }
        }
        Some(left)
    }
}

/// The kernels in the pieces that offsets and cascades make. Of a cascade the ranks that are named keep their distances.
fn pieces(
    checked: &Checked,
    grid: &Grid,
    statements: &[Statement],
    named: &BTreeSet<KernelId>,
) -> Vec<Piece> {
    let ids: Vec<KernelId> = named.iter().copied().collect();
    let number = |kernel: &KernelId| ids.binary_search(kernel).ok();
    let mut ties = Vec::new();
    for statement in statements {
        match *statement {
            Statement::Offset(at) => {
                let offset = &checked.constraints.offsets[at];
                let ends = number(&offset.from).zip(number(&offset.kernel));
                let way = Way::Offset(offset.columns, offset.rows);
                ties.extend(ends.map(|(from, to)| Tie { from, to, way }));
            }
            Statement::Cascade(id) => {
                let ranks = (0_i64..).zip(&checked.collectives[id].ranks);
                let ranks: Vec<(i64, usize)> =
                    ranks.filter_map(|(rank, kernel)| Some((rank, number(kernel)?))).collect();
                let tie = |pair: &[(i64, usize)]| {
                    let way = Way::Cascade(pair[1].0 - pair[0].0);
                    Tie { from: pair[0].1, to: pair[1].1, way }
                };
                ties.extend(ranks.windows(2).map(tie));
            }
            _ => {}
        }
    }
    let mut found = formations(grid, &ties);
    let tied: BTreeSet<usize> = found.iter().flat_map(|formation| &formation.members).copied().collect();
    found.extend((0..ids.len()).filter(|at| !tied.contains(at)).map(|at| Formation::single(grid, at)));
    found.sort_by_key(|formation| formation.members.first().copied());
    let piece = |formation: Formation| Piece {
        kernels: formation.members.iter().map(|&at| ids[at]).collect(),
        formation,
    };
    found.into_iter().map(piece).collect()
}
