//! The tiles that all constraints of a design leave its kernels.

use std::collections::BTreeSet;

use crate::statement::Pins;
use crate::{Checked, Watch};
use aiec_device::{Device, TileId};
use aiec_ir::{KernelId, WHOLE_CORE};

use super::puzzle::{Facts, Member, Puzzle, only, tiles_of};
use super::solve::Solver;

/// The possible tiles of each kernel under all constraints of a design.
pub(crate) struct Freedom {
    /// For each kernel and tile: true if the kernel may be there.
    allowed: Vec<Vec<bool>>,
    /// Pairs that share memory on no tiles.
    far: BTreeSet<(KernelId, KernelId)>,
}

impl Freedom {
    /// The possible tiles of kernels, and the connected pairs that never share, under the
    /// constraints of `checked` and `pins`. If these contradict each other, every open tile counts
    /// as possible. Stopped work leaves more tiles.
    pub(crate) fn new(checked: &Checked, device: &Device, pins: &Pins, watch: &dyn Watch) -> Self {
        let facts = Facts::new(checked, device, pins, watch);
        facts.freedom().unwrap_or_else(|| {
            let open: Vec<bool> = facts.whole.ids().map(|tile| facts.whole.is_open(tile)).collect();
            let allowed = vec![open; checked.kernels.len()];
            Self { allowed, far: BTreeSet::new() }
        })
    }

    /// One entry per tile: true if `kernel` may be there.
    pub(crate) fn tiles(&self, kernel: KernelId) -> &[bool] {
        &self.allowed[kernel.index()]
    }

    /// True if two kernels share memory on no tiles.
    pub(crate) fn never_share(&self, a: KernelId, b: KernelId) -> bool {
        self.far.contains(&(a.min(b), a.max(b)))
    }
}

impl Facts<'_> {
    fn freedom(&self) -> Option<Freedom> {
        let statements = self.stated.all();
        if statements.is_empty() {
            return None;
        }
        let puzzle = Puzzle::new(self, &statements, self.stated.named(&statements));
        let work = self.work();
        let mut solver = Solver::new(&puzzle, &work);
        let places = solver.settle().then_some(&solver.places)?;
        let mut open: Vec<bool> = puzzle.grid.ids().map(|tile| puzzle.grid.is_open(tile)).collect();
        // No other kernel is on the core of a kernel with a core of its own and one place.
        let pieces = puzzle.pieces.iter().zip(places.iter());
        let settled = pieces.filter_map(|(piece, left)| Some(piece.at(only(left)?)));
        let alone = settled.flatten().filter(|(kernel, _)| self.shares[*kernel] == WHOLE_CORE);
        alone.for_each(|(_, tile)| open[tile.index()] = false);
        let mut allowed = vec![open; self.checked.kernels.len()];
        let tiles = |member: Member| puzzle.tiles(member, &places[member.piece]);
        for (kernel, &member) in &puzzle.of {
            allowed[kernel.index()].fill(false);
            tiles(member).for_each(|tile| allowed[kernel.index()][tile.index()] = true);
        }
        let shares = |a: TileId, b: TileId| puzzle.near[a.index()].contains(b.index());
        let never = |&(a, b): &(KernelId, KernelId)| {
            if puzzle.bonds.get(&(a, b)).is_some_and(|bond| bond.apart) {
                return true;
            }
            // Members of a piece have one tile for each of its places.
            if let (Some(&a), Some(&b)) = (puzzle.of.get(&a), puzzle.of.get(&b))
                && a.piece == b.piece
            {
                return !tiles(a).zip(tiles(b)).any(|(a, b)| shares(a, b));
            }
            let (from, to) = (&allowed[a.index()], &allowed[b.index()]);
            let near = |tile: TileId| tiles_of(&puzzle.near[tile.index()]).any(|other| to[other.index()]);
            !puzzle.grid.ids().any(|tile| from[tile.index()] && near(tile))
        };
        let ends = |from, to| self.checked.kernel_of(from).zip(self.checked.kernel_of(to));
        let pairs = self.checked.connections.iter().filter_map(|connection| {
            let (a, b) = ends(connection.from, connection.to)?;
            Some((a.min(b), a.max(b)))
        });
        let far = pairs.filter(never).collect();
        Some(Freedom { allowed, far })
    }
}
