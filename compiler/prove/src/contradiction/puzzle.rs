//! A puzzle (binary constraint satisfaction problem): pieces, the places their own statements
//! allow, and which places of two pieces are compatible. It ignores resources.
//!
//! Kernels that offsets and cascades tie together are a piece. Its place is the tile of its first
//! kernel.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use aiec_device::{Grid, Tile, TileId};
use aiec_ir::KernelId;
use aiec_ir::constraints::Group;

use super::facts::Facts;
use super::pieces::{Piece, pieces};
use super::statement::Statement;
use super::tiles::TileSet;

/// The relation between two kernels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bond {
    /// They must share memory.
    together: bool,
    /// They must not share memory.
    apart: bool,
    /// One core could run both.
    one_core: bool,
}

/// A kernel as a member of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    /// Index of the piece.
    pub(super) piece: usize,
    /// Index of the kernel in the piece.
    pub(super) number: usize,
}

/// The places and tiles left after propagation.
pub(super) struct Possible<'a> {
    /// The places of each piece.
    pub(super) places: &'a [TileSet],
    /// For each kernel and tile: true if the kernel may be there.
    pub(super) allowed: &'a [Vec<bool>],
    /// The piece of each kernel. Kernels outside the puzzle are absent.
    pub(super) of: &'a BTreeMap<KernelId, Member>,
}

/// A question: whether some kernels find tiles under some statements.
pub(super) struct Puzzle<'a> {
    pub(super) facts: &'a Facts<'a>,
    /// The array with the tiles closed that the statements close.
    pub(super) grid: Grid,
    pub(super) pieces: Vec<Piece>,
    /// Places of each piece.
    pub(super) places: Vec<TileSet>,
    /// Pieces that a `together` or `apart` joins to each piece, in ascending order.
    pub(super) joined: Vec<Vec<usize>>,
    /// All tiles.
    all: TileSet,
    /// For each tile, the tile itself and the cores that share memory with it.
    pub(super) near: Vec<TileSet>,
    /// For each tile, the cores that share memory with it, without itself.
    around: Vec<TileSet>,
    /// Like `near`, with the tiles of all `keepout` statements closed.
    near_whole: Vec<TileSet>,
    together: BTreeSet<(KernelId, KernelId)>,
    apart: BTreeSet<(KernelId, KernelId)>,
}

impl<'a> Puzzle<'a> {
    /// Builds the pieces and their places.
    pub(super) fn new(
        facts: &'a Facts<'a>,
        statements: &[Statement],
        only: Option<&BTreeSet<KernelId>>,
    ) -> Self {
        let named = statements.iter().flat_map(|s| s.kernels(facts.checked)).collect();
        Self::with(facts, statements, only, &named)
    }

    /// Builds the puzzle for these kernels, which may be more than the statements name.
    pub(super) fn with(
        facts: &'a Facts<'a>,
        statements: &[Statement],
        only: Option<&BTreeSet<KernelId>>,
        kernels: &BTreeSet<KernelId>,
    ) -> Self {
        let constraints = &facts.checked.constraints;
        let closed = |tile: Tile| {
            let (column, row) = (i64::from(tile.column), i64::from(tile.row));
            let keepout = |s: &Statement| matches!(s, Statement::Keepout(at) if constraints.keepouts[*at].area.contains(column, row));
            facts.device.keepout.contains(&tile) || statements.iter().any(keepout)
        };
        let asked = |kernel: &KernelId| only.is_none_or(|only| only.contains(kernel));
        let named: BTreeSet<KernelId> = kernels.iter().copied().filter(asked).collect();
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
            all: TileSet::of(grid.len(), grid.ids()),
            near: near(&grid),
            around: around(&grid),
            near_whole: near(&facts.whole),
            grid,
            places: Vec::new(),
            joined: Vec::new(),
            together: pairs(&together),
            apart: pairs(&apart),
        };
        puzzle.list_places(statements);
        puzzle.list_joined();
        puzzle
    }

    /// Computes the places that each piece's own statements allow.
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
        let places =
            |piece: &Piece| TileSet::of(self.grid.len(), self.grid.ids().filter(|&place| fits(piece, place)));
        self.places = self.pieces.iter().map(places).collect();
    }

    /// Computes which pieces the pairs join.
    fn list_joined(&mut self) {
        let of: BTreeMap<KernelId, usize> = (self.pieces.iter().enumerate())
            .flat_map(|(piece, members)| members.kernels.iter().map(move |&kernel| (kernel, piece)))
            .collect();
        let mut joined = vec![BTreeSet::new(); self.pieces.len()];
        for (a, b) in self.together.iter().chain(&self.apart) {
            if let (Some(&a), Some(&b)) = (of.get(a), of.get(b))
                && a != b
            {
                joined[a].insert(b);
                joined[b].insert(a);
            }
        }
        self.joined = joined.into_iter().map(|others| others.into_iter().collect()).collect();
    }

    /// Connected sets of pieces under `together` and `apart`, each in ascending order.
    pub(super) fn sets(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.pieces.len()];
        let mut sets = Vec::new();
        for first in 0..self.pieces.len() {
            let (mut set, mut next) = (vec![first], 0);
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            while let Some(&piece) = set.get(next) {
                next += 1;
                let others = self.joined[piece].iter().copied();
                set.extend(others.filter(|&other| !std::mem::replace(&mut seen[other], true)));
            }
            set.sort_unstable();
            sets.push(set);
        }
        sets.retain(|set| set.len() > 1);
        sets
    }

    /// The relation between two kernels.
    pub(super) fn bond(&self, a: KernelId, b: KernelId) -> Bond {
        let pair = (a.min(b), a.max(b));
        Bond {
            together: self.together.contains(&pair),
            apart: self.apart.contains(&pair),
            one_core: self.facts.may_share_core(&[a, b]),
        }
    }

    /// The tiles allowed to a kernel when the other kernel of `bond` is on `tile`.
    pub(super) fn beside(&self, bond: Bond, tile: TileId) -> Cow<'_, TileSet> {
        let at = tile.index();
        match (bond.together, bond.one_core) {
            (true, true) if !bond.apart => return Cow::Borrowed(&self.near[at]),
            (true, false) if !bond.apart => return Cow::Borrowed(&self.around[at]),
            (false, true) if !bond.apart => return Cow::Borrowed(&self.all),
            _ => {}
        }
        let mut tiles = if bond.together { self.near[at].clone() } else { self.all.clone() };
        if bond.apart {
            tiles.subtract(&self.near_whole[at]);
        }
        if !bond.one_core {
            tiles.remove(tile);
        }
        Cow::Owned(tiles)
    }

    /// True if all kernels of `a` on their tiles are compatible with all of `b` on theirs.
    pub(super) fn go_together(
        &self,
        mut a: impl Iterator<Item = (KernelId, TileId)>,
        b: impl Iterator<Item = (KernelId, TileId)> + Clone,
    ) -> bool {
        a.all(|(a, first)| b.clone().all(|(b, second)| self.agree(a, first, b, second)))
    }

    /// True if these tiles of two kernels are compatible.
    ///
    /// Without a `keepout` more cores share memory. For `apart`, the test uses the array with every
    /// `keepout` closed, so that dropping a `keepout` never forbids more.
    fn agree(&self, a: KernelId, first: TileId, b: KernelId, second: TileId) -> bool {
        let bond = self.bond(a, b);
        (first != second || bond.one_core)
            && (!bond.together || self.near[first.index()].contains(second))
            && (!bond.apart || !self.near_whole[first.index()].contains(second))
    }

    /// True if two kernels share memory on no tiles: because of an `apart`, of their distance in a
    /// piece, or because their tiles are too far from each other.
    pub(super) fn never_share(&self, (a, b): (KernelId, KernelId), possible: &Possible<'_>) -> bool {
        let Possible { places, allowed, of } = possible;
        if self.apart.contains(&(a, b)) {
            return true;
        }
        if let (Some(&first), Some(&second)) = (of.get(&a), of.get(&b))
            && first.piece == second.piece
        {
            let tiles = |end: Member| self.pieces[end.piece].tiles(end.number, &places[end.piece]);
            let near = |(a, b): (TileId, TileId)| a == b || self.grid.partners(a).contains(&b);
            return !tiles(first).zip(tiles(second)).any(near);
        }
        let (from, to) = (&allowed[a.index()], &allowed[b.index()]);
        let near =
            |tile: TileId| to[tile.index()] || self.grid.partners(tile).iter().any(|other| to[other.index()]);
        !self.grid.ids().any(|tile| from[tile.index()] && near(tile))
    }
}

/// For each tile, the tile itself and the cores that share memory with it.
fn near(grid: &Grid) -> Vec<TileSet> {
    let near = |tile| TileSet::of(grid.len(), grid.partners(tile).iter().copied().chain([tile]));
    grid.ids().map(near).collect()
}

/// For each tile, the other cores that share memory with it.
fn around(grid: &Grid) -> Vec<TileSet> {
    grid.ids().map(|tile| TileSet::of(grid.len(), grid.partners(tile).iter().copied())).collect()
}
