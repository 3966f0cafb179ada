//! A puzzle (binary constraint satisfaction problem): pieces, the places their own statements
//! allow, and which places of two pieces are compatible. It ignores resources.
//!
//! Kernels that offsets and cascades tie together are a piece. Its place is the tile of its first
//! kernel.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::formation::{Formation, tied};
use crate::statement::{Pins, Stated, Statement};
use crate::{Checked, Watch};
use aiec_device::{Device, Grid, TileId};
use aiec_ir::constraints::{Aligned, Axis, Constraints};
use aiec_ir::{IdVec, KernelId, WHOLE_CORE, stacks_and_heaps};

use fixedbitset::FixedBitSet;

use crate::prove::limits::{SMALL, WORK};
use crate::prove::work::Work;

/// The relation between two kernels, seen from the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bond {
    /// They must share memory.
    together: bool,
    /// They must not share memory.
    pub(super) apart: bool,
    /// They must not share a core.
    distinct: bool,
    /// The columns and the rows from the first kernel to the second, if they are stated.
    steps: [Option<i64>; 2],
}

aiec_ir::ids! {
    /// Kernels that move as one.
    pub(super) PieceId;
}

/// A kernel as a member of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    /// The kernels that it moves with.
    pub(super) piece: PieceId,
    /// Index of the kernel in the piece.
    pub(super) number: usize,
}

/// Data common to all questions about the constraints of a design.
pub(super) struct Facts<'a> {
    pub(super) checked: &'a Checked,
    pub(super) device: &'a Device,
    pub(super) stated: Stated<'a>,
    /// The array with the tiles of all `keepout` statements closed, whatever statements are
    /// dropped.
    pub(super) whole: Grid,
    /// Share of a core's time of each kernel, in 1/1000.
    pub(super) shares: IdVec<KernelId, u32>,
    /// Bytes of stack and heap of each kernel.
    stacks: IdVec<KernelId, [u64; 2]>,
    pub(super) watch: &'a dyn Watch,
}

impl<'a> Facts<'a> {
    pub(super) fn new(
        checked: &'a Checked,
        device: &'a Device,
        pins: &'a Pins,
        watch: &'a dyn Watch,
    ) -> Self {
        let whole = checked.open_grid(device);
        let stated = Stated { design: checked, pins };
        let stacks = checked.kernels.ids().map(|kernel| checked.stack_and_heap(kernel, device)).collect();
        Self { checked, device, stated, whole, shares: checked.core_shares(), stacks, watch }
    }

    /// The work of one question.
    pub(super) fn work(&self) -> Work<'a> {
        Work::new(WORK, self.watch)
    }

    /// True if one core could run all of `kernels`, without any others.
    pub(super) fn may_share_core(&self, kernels: &[KernelId]) -> bool {
        let program = |&kernel: &KernelId| u64::from(self.checked.program_bytes(kernel).unwrap_or(0));
        let time: u64 = kernels.iter().map(|&kernel| u64::from(self.shares[kernel])).sum();
        let stacks =
            stacks_and_heaps(kernels.iter().map(|&kernel| self.stacks[kernel]), self.checked.is_adf());
        time <= WHOLE_CORE.into()
            && kernels.iter().map(program).sum::<u64>() <= self.device.core.program_bytes.into()
            && stacks + u64::from(self.device.memory.sync_bytes) <= self.device.memory.module_bytes.into()
    }

    /// The kernels that compete for tiles under `statements`: all of a small design, else those
    /// that the statements name, since the others usually have enough tiles.
    pub(super) fn kernels(&self, statements: &[Statement]) -> BTreeSet<KernelId> {
        match self.checked.kernels.len() <= SMALL {
            true => self.checked.kernels.ids().collect(),
            false => self.stated.named(statements),
        }
    }
}

/// A question: whether some kernels find tiles under some statements.
pub(super) struct Puzzle<'a> {
    pub(super) facts: &'a Facts<'a>,
    /// The array with the tiles closed that the statements close.
    pub(super) grid: Grid,
    /// Kernels that move as one.
    pub(super) pieces: IdVec<PieceId, Formation<KernelId>>,
    /// The piece of each kernel, and its number there.
    pub(super) of: BTreeMap<KernelId, Member>,
    /// Places of each piece.
    pub(super) places: IdVec<PieceId, FixedBitSet>,
    /// Pieces that a `together` or `apart` joins to each piece, in ascending order.
    pub(super) joined: IdVec<PieceId, Vec<PieceId>>,
    /// All tiles.
    all: FixedBitSet,
    /// For each tile, the tile itself and the cores that share memory with it.
    pub(super) near: Vec<FixedBitSet>,
    /// Like `near`, with the tiles of all `keepout` statements closed.
    near_whole: Vec<FixedBitSet>,
    /// The relations that the statements make, both ways.
    pub(super) bonds: BTreeMap<(KernelId, KernelId), Bond>,
}

impl<'a> Puzzle<'a> {
    /// Builds the puzzle of `kernels`.
    pub(super) fn new(facts: &'a Facts<'a>, statements: &[Statement], kernels: BTreeSet<KernelId>) -> Self {
        let bonds = bonds(&facts.stated.design.constraints, statements, &kernels);
        let grid = Grid::without(facts.device, |tile| facts.stated.closes(facts.device, statements, tile));
        let ties = facts.stated.ties(statements, &kernels);
        let pieces: IdVec<PieceId, Formation<KernelId>> =
            tied(kernels, &ties).into_iter().map(|tied| Formation::new(&grid, tied)).collect();
        let of = pieces.enumerate().flat_map(|(piece, formation)| {
            let members = formation.members.iter().enumerate();
            members.map(move |(number, &kernel)| (kernel, Member { piece, number }))
        });
        let mut puzzle = Self {
            facts,
            of: of.collect(),
            pieces,
            all: tile_set(&grid, grid.ids()),
            near: near(&grid),
            near_whole: near(&facts.whole),
            grid,
            places: IdVec::new(),
            joined: IdVec::new(),
            bonds,
        };
        puzzle.list_places(statements);
        puzzle.list_joined();
        puzzle
    }

    /// Computes the places that each piece's own statements allow.
    fn list_places(&mut self, statements: &[Statement]) {
        let open = self.grid.ids().map(|tile| self.grid.is_open(tile)).collect();
        let allowed = self.facts.stated.allowed(&self.grid, open, statements);
        let may = |kernel: KernelId, tile: TileId| allowed.of(kernel)[tile.index()];
        let fits = |piece: &Formation<KernelId>, place: TileId| {
            let mut all = piece.at(place);
            let stands = piece.on(place).is_some() && all.clone().all(|(kernel, tile)| may(kernel, tile));
            stands
                && std::iter::from_fn(|| Some((all.next()?, all.clone())))
                    .all(|(one, others)| self.go_together(std::iter::once(one), others))
        };
        let places = |piece| tile_set(&self.grid, self.grid.ids().filter(|&place| fits(piece, place)));
        self.places = self.pieces.iter().map(places).collect();
    }

    /// Computes which pieces the pairs join.
    fn list_joined(&mut self) {
        let mut joined: IdVec<PieceId, BTreeSet<PieceId>> = IdVec::filled(BTreeSet::new(), self.pieces.len());
        for (a, b) in self.bonds.keys() {
            let (a, b) = (self.of[a].piece, self.of[b].piece);
            if a != b {
                joined[a].insert(b);
            }
        }
        self.joined = joined.iter().map(|others| others.iter().copied().collect()).collect();
    }

    /// The open tiles.
    pub(super) fn open(&self) -> FixedBitSet {
        tile_set(&self.grid, self.grid.ids().filter(|&tile| self.grid.is_open(tile)))
    }

    /// Leaves the first piece its places in the middle column.
    pub(super) fn begin_in_the_middle(&mut self) {
        let middle = |tile: &TileId| self.grid.tile(*tile).column == self.grid.columns() / 2;
        if let Some(first) = self.places.ids().next() {
            self.places[first] = tile_set(&self.grid, tiles_of(&self.places[first]).filter(middle));
        }
    }

    /// The relation between two kernels.
    pub(super) fn bond(&self, a: KernelId, b: KernelId) -> Bond {
        let bond = self.bonds.get(&(a, b)).copied().unwrap_or_default();
        Bond { distinct: bond.distinct || !self.facts.may_share_core(&[a, b]), ..bond }
    }

    /// The tiles allowed to a kernel when the other kernel of `bond` is on `tile`.
    ///
    /// Without a `keepout` more cores share memory. For `apart`, this uses the array with every
    /// `keepout` closed, so that dropping a `keepout` never forbids more.
    pub(super) fn beside(&self, bond: Bond, tile: TileId) -> Cow<'_, FixedBitSet> {
        let at = tile.index();
        let mut tiles = Cow::Borrowed(if bond.together { &self.near[at] } else { &self.all });
        if bond.apart {
            tiles.to_mut().difference_with(&self.near_whole[at]);
        }
        if bond.distinct {
            tiles.to_mut().remove(at);
        }
        if bond.steps != [None; 2] {
            let from = self.grid.tile(tile);
            let is_there = |other: &TileId| {
                let (columns, rows) = from.steps_to(self.grid.tile(*other));
                let holds = |stated: Option<i64>, step| stated.is_none_or(|stated| stated == step);
                holds(bond.steps[0], columns) && holds(bond.steps[1], rows)
            };
            tiles = Cow::Owned(tile_set(&self.grid, tiles_of(&tiles).filter(is_there)));
        }
        tiles
    }

    /// True if all kernels of `a` on their tiles are compatible with all of `b` on theirs.
    pub(super) fn go_together(
        &self,
        mut a: impl Iterator<Item = (KernelId, TileId)>,
        b: impl Iterator<Item = (KernelId, TileId)> + Clone,
    ) -> bool {
        let agree =
            |a, first, b, second: TileId| self.beside(self.bond(a, b), first).contains(second.index());
        a.all(|(a, first)| b.clone().all(|(b, second)| agree(a, first, b, second)))
    }

    /// The tiles of a kernel for each of `places` of its piece.
    pub(super) fn tiles<'p>(
        &'p self,
        kernel: Member,
        places: &'p FixedBitSet,
    ) -> impl Iterator<Item = TileId> + 'p {
        tiles_of(places)
            .filter_map(move |place| self.pieces[kernel.piece].on(place)?.get(kernel.number).copied())
    }
}

/// The relations that `statements` make between `kernels`, both ways. Of several distances along
/// one axis the first counts.
fn bonds(
    constraints: &Constraints<KernelId>,
    statements: &[Statement],
    kernels: &BTreeSet<KernelId>,
) -> BTreeMap<(KernelId, KernelId), Bond> {
    let mut bonds: BTreeMap<(KernelId, KernelId), Bond> = BTreeMap::new();
    let mut tie = |a: KernelId, b: KernelId, change: &dyn Fn(&mut Bond)| {
        if kernels.contains(&a) && kernels.contains(&b) {
            change(bonds.entry((a, b)).or_default());
        }
    };
    for statement in statements {
        let (group, change): (_, fn(&mut Bond)) = match *statement {
            Statement::Together(at) => (&constraints.together[at], |bond| bond.together = true),
            Statement::Apart(at) => (&constraints.apart[at], |bond| bond.apart = true),
            Statement::Distinct(at) => (&constraints.distinct[at], |bond| bond.distinct = true),
            Statement::Aligned(at) => {
                let Aligned { kernel, from, axis, distance, .. } = constraints.aligned[at];
                let axis = usize::from(axis == Axis::Row);
                let back = distance.saturating_neg();
                for (a, b, distance) in [(from, kernel, distance), (kernel, from, back)] {
                    tie(a, b, &|bond| bond.steps[axis] = bond.steps[axis].or(Some(distance)));
                }
                continue;
            }
            _ => continue,
        };
        for (&a, &b) in group.pairs() {
            tie(a, b, &change);
            tie(b, a, &change);
        }
    }
    bonds
}

/// For each tile, the tile itself and the cores that share memory with it.
fn near(grid: &Grid) -> Vec<FixedBitSet> {
    let near = |tile| tile_set(grid, grid.partners(tile).iter().copied().chain([tile]));
    grid.ids().map(near).collect()
}

/// The given tiles as bits, by [`TileId`].
pub(super) fn tile_set(grid: &Grid, tiles: impl Iterator<Item = TileId>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(grid.len());
    set.extend(tiles.map(TileId::index));
    set
}

/// The tiles of a set, in ascending order.
pub(super) fn tiles_of(set: &FixedBitSet) -> impl Iterator<Item = TileId> + '_ {
    set.ones().map(|at| TileId(at as u16))
}

/// The tile of a set of one. Else None.
pub(super) fn only(set: &FixedBitSet) -> Option<TileId> {
    let mut tiles = tiles_of(set);
    tiles.next().filter(|_| tiles.next().is_none())
}
