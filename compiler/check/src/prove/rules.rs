//! The constraints of a design in the search's form: tiles for each kernel, kernels that move as
//! one, pairs.
//!
//! Takes a checked design, the tiles that a placement file fixes, and a grid. The grid's closed
//! tiles are those where nothing may be placed. Returns tables. [`crate::check`] reports
//! contradictions that need no search before this stage.

use crate::formation::{Formation, formations, moved};
use crate::statement::{Allowed, Pins, Stated};
use crate::{Checked, tie_serves};
use aiec_device::{Device, Grid, TileId};
use aiec_ir::KernelId;
use aiec_ir::blocks::Anchor;
use aiec_ir::constraints::Aligned;

/// The allowed tiles of kernels, and the rules between kernels.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The tiles of each kernel.
    tiles: Allowed,
    /// Formations of at least two kernels.
    pub groups: Vec<Formation<KernelId>>,
    /// Pairs of kernels that must share memory.
    pub together: Vec<(KernelId, KernelId)>,
    /// Pairs of kernels that must not share memory.
    pub apart: Vec<(KernelId, KernelId)>,
    /// Pairs of kernels that must not share a core.
    pub distinct: Vec<(KernelId, KernelId)>,
    /// Kernels whose column or row follows from that of another.
    pub aligned: Vec<Aligned<KernelId>>,
}

impl Rules {
    /// Builds the rules of `checked` and `pins` on `device`.
    pub fn new(checked: &Checked, device: &Device, grid: &Grid, pins: &Pins) -> Self {
        let stated = Stated { design: checked, pins };
        let statements = stated.all();
        let open = grid.ids().map(|tile| grid.is_open(tile)).collect();
        let tiles = stated.allowed(grid, open, &statements);
        let ties = stated.ties(&statements, &checked.kernels.ids().collect());
        let ids = |(&a, &b): (&KernelId, &KernelId)| (a, b);
        let constraints = &checked.constraints;
        let mut rules = Self {
            tiles,
            groups: formations(grid, &ties),
            together: constraints.together.iter().flat_map(|g| g.pairs().map(ids)).collect(),
            apart: constraints.apart.iter().flat_map(|g| g.pairs().map(ids)).collect(),
            distinct: constraints.distinct.iter().flat_map(|g| g.pairs().map(ids)).collect(),
            aligned: constraints.aligned.clone(),
        };
        rules.reach_blocks(checked, grid);
        // Inputs and outputs that follow a kernel need a channel in its column.
        for tie in &checked.shim_ties {
            rules.narrow(grid, tie.from, |tile| tie_serves(checked, device, tie, grid.tile(tile).column));
        }
        rules
    }

    /// Leaves `kernel` only those of its tiles that `may` accepts.
    fn narrow(&mut self, grid: &Grid, kernel: KernelId, may: impl Fn(TileId) -> bool) {
        let tiles = self.tiles.narrowed.entry(kernel).or_insert_with(|| self.tiles.open.clone());
        tiles.iter_mut().zip(grid.ids()).for_each(|(allowed, tile)| *allowed = *allowed && may(tile));
    }

    /// Narrows kernels to the tiles whose cores reach the modules of their placed buffers and
    /// stacks, those at stated distances among them.
    fn reach_blocks(&mut self, checked: &Checked, grid: &Grid) {
        for place in &checked.blocks.places {
            let Some(kernel) = checked.kernel_of_block(place.block) else { continue };
            let beside = place.beside.filter(|&distance| distance != (0, 0));
            let modules = place.modules().into_iter().filter_map(|(column, row)| grid.at(column, row));
            let modules: Vec<TileId> = modules.collect();
            if beside.is_some() || !modules.is_empty() {
                self.narrow(grid, kernel, |tile| {
                    let beside = beside.map(|(columns, rows)| moved(grid, tile, columns, rows));
                    let mut all = beside.into_iter().chain(modules.iter().copied().map(Some));
                    all.all(|module| module.is_some_and(|module| grid.reaches(tile, module)))
                });
            }
        }
        for tie in &checked.blocks.ties {
            let (Anchor::Block(other), Some((columns, rows))) = (tie.from, tie.distance) else { continue };
            let [own, from] = [tie.block, other].map(|block| checked.kernel_of_block(block));
            if let Some(kernel) = own.filter(|_| own == from) {
                let end = |&module: &TileId| moved(grid, module, columns, rows);
                self.narrow(grid, kernel, |tile| {
                    grid.reach(tile).iter().filter_map(end).any(|end| grid.reaches(tile, end))
                });
            }
        }
    }

    /// One entry per tile: true if `kernel` may be there.
    pub fn allowed(&self, kernel: KernelId) -> &[bool] {
        self.tiles.of(kernel)
    }

    /// True if `kernel` may use only some of the open tiles.
    pub fn is_narrowed(&self, kernel: KernelId) -> bool {
        self.tiles.narrowed.contains_key(&kernel)
    }
}
