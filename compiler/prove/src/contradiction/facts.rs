//! Data common to all questions about the constraints of a design.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_check::statement::{Pins, Stated, Statement};
use aiec_device::{Device, Grid};
use aiec_ir::{IdVec, KernelId, WHOLE_CORE};

use super::puzzle::{Member, Possible, Puzzle, only};
use super::solve::{Solver, Verdict};
use super::{Freedom, SMALL};

/// A design with its fixed tiles.
pub(super) struct Facts<'a> {
    pub(super) checked: &'a Checked,
    pub(super) device: &'a Device,
    pub(super) stated: Stated<'a>,
    /// The array with the tiles of all `keepout` statements closed, whatever statements are
    /// dropped.
    pub(super) whole: Grid,
    /// Share of a core's time of each kernel, in 1/1000.
    pub(super) shares: IdVec<KernelId, u32>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(checked: &'a Checked, device: &'a Device, pins: &'a Pins) -> Self {
        let whole = Grid::without(device, |tile| checked.is_closed(device, tile));
        let stated = Stated { design: checked.expanded(), pins };
        Self { checked, device, stated, whole, shares: checked.core_shares() }
    }

    /// True if one core could run all of `kernels`, without any others.
    pub(super) fn may_share_core(&self, kernels: &[KernelId]) -> bool {
        let program = |&kernel: &KernelId| u64::from(self.checked.program_bytes(kernel).unwrap_or(0));
        let time: u64 = kernels.iter().map(|&kernel| u64::from(self.shares[kernel])).sum();
        time <= WHOLE_CORE.into()
            && kernels.iter().map(program).sum::<u64>() <= self.device.core.program_bytes.into()
            && self.checked.core_system_bytes(kernels, self.device) <= self.device.memory.module_bytes.into()
    }

    /// Whether the kernels in `only`, or all kernels, can keep `statements`. Subtracts its work
    /// from `work`.
    pub(super) fn ask(
        &self,
        statements: &[Statement],
        only: Option<&BTreeSet<KernelId>>,
        work: &mut u64,
    ) -> Verdict {
        Solver::new(&self.puzzle(statements, only), work).solve()
    }

    /// The puzzle of `statements` for the kernels in `only`, or for all. In a large design only for
    /// the kernels that the statements name, since the others usually have enough tiles.
    pub(super) fn puzzle<'b>(
        &'b self,
        statements: &[Statement],
        only: Option<&BTreeSet<KernelId>>,
    ) -> Puzzle<'b> {
        if self.checked.kernels.len() > SMALL {
            return Puzzle::new(self, statements, only);
        }
        Puzzle::with(self, statements, only, &self.checked.kernels.ids().collect())
    }

    /// The possible tiles of every kernel, and those of `pairs` that never share memory. Returns
    /// None on a contradiction.
    pub(super) fn freedom(
        &self,
        statements: &[Statement],
        pairs: impl Iterator<Item = (KernelId, KernelId)>,
        work: &mut u64,
    ) -> Option<Freedom> {
        let puzzle = Puzzle::new(self, statements, None);
        let places = Solver::new(&puzzle, work).settled()?;
        let mut open: Vec<bool> = puzzle.grid.ids().map(|tile| puzzle.grid.is_open(tile)).collect();
        // No other kernel is on the core of a kernel with a core of its own and one place.
        let settled =
            puzzle.pieces.iter().zip(&places).filter_map(|(piece, left)| Some(piece.at(only(left)?)));
        let alone = settled.flatten().filter(|(kernel, _)| self.shares[*kernel] == WHOLE_CORE);
        alone.for_each(|(_, tile)| open[tile.index()] = false);
        let mut allowed = vec![open; self.checked.kernels.len()];
        let mut of: BTreeMap<KernelId, Member> = BTreeMap::new();
        for (piece, (members, places)) in puzzle.pieces.iter().zip(&places).enumerate() {
            for (number, &kernel) in members.members.iter().enumerate() {
                of.insert(kernel, Member { piece, number });
                let tiles = &mut allowed[kernel.index()];
                tiles.fill(false);
                puzzle.tiles(Member { piece, number }, places).for_each(|tile| tiles[tile.index()] = true);
            }
        }
        let possible = Possible { places: &places, allowed: &allowed, of: &of };
        let far = pairs.filter(|pair| puzzle.never_share(*pair, &possible)).collect();
        Some(Freedom { allowed, far })
    }
}
