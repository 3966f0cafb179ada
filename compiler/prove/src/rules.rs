//! The constraints of a design in the search's form: tiles for each kernel, kernels that move as
//! one, pairs.
//!
//! Takes a checked design, the tiles that a placement file fixes, and a grid. The grid's closed
//! tiles are those where nothing may be placed. Returns tables. [`aiec_check::check`] reports
//! contradictions that need no search before this stage.

use std::collections::BTreeMap;

use aiec_check::formation::{Formation, formations, moved};
use aiec_check::statement::{Allowed, Pins, Stated};
use aiec_check::{Checked, tie_serves};
use aiec_device::{Device, Grid, TileId};
use aiec_ir::blocks::{Anchor, Block};
use aiec_ir::constraints::Aligned;
use aiec_ir::{KernelId, PortId};

/// The allowed tiles of kernels, and the rules between kernels.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// One entry per tile: true if it is open.
    open: Vec<bool>,
    /// One entry per tile for each kernel that may use only some open tiles.
    narrowed: BTreeMap<KernelId, Vec<bool>>,
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
    /// Builds the rules of `checked` and `pins`.
    pub fn new(checked: &Checked, grid: &Grid, pins: &Pins) -> Self {
        let stated = Stated { design: checked, pins };
        let statements = stated.all();
        let open = grid.ids().map(|tile| grid.is_open(tile)).collect();
        let Allowed { open, narrowed } = stated.allowed(grid, open, &statements);
        let mut narrowed: BTreeMap<KernelId, Vec<bool>> = narrowed.into_iter().collect();
        reaching(checked, grid, &open, &mut narrowed);
        let ties = stated.ties(&statements, &checked.kernels.ids().collect());
        let ids = |(&a, &b): (&KernelId, &KernelId)| (a, b);
        let constraints = &checked.constraints;
        Self {
            open,
            narrowed,
            groups: formations(grid, &ties),
            together: constraints.together.iter().flat_map(|g| g.pairs().map(ids)).collect(),
            apart: constraints.apart.iter().flat_map(|g| g.pairs().map(ids)).collect(),
            distinct: constraints.distinct.iter().flat_map(|g| g.pairs().map(ids)).collect(),
            aligned: constraints.aligned.clone(),
        }
    }

    /// Narrows kernels to the columns in which the inputs and outputs that follow them have a
    /// channel on `device`.
    pub fn follow(&mut self, checked: &Checked, device: &Device, grid: &Grid) {
        for tie in &checked.shim_ties {
            let tiles = self.narrowed.entry(tie.kernel).or_insert_with(|| self.open.clone());
            for (allowed, tile) in tiles.iter_mut().zip(grid.ids()) {
                *allowed &= tie_serves(checked, device, tie, grid.tile(tile).column);
            }
        }
    }

    /// One entry per tile: true if `kernel` may be there.
    pub fn allowed(&self, kernel: KernelId) -> &[bool] {
        self.narrowed.get(&kernel).unwrap_or(&self.open)
    }

    /// True if `kernel` may use only some of the open tiles.
    pub fn is_narrowed(&self, kernel: KernelId) -> bool {
        self.narrowed.contains_key(&kernel)
    }
}

/// Narrows kernels to the tiles whose cores reach the modules of their placed buffers and stacks,
/// those at stated distances among them.
fn reaching(checked: &Checked, grid: &Grid, open: &[bool], narrowed: &mut BTreeMap<KernelId, Vec<bool>>) {
    for place in &checked.blocks.places {
        let kernel = match place.block {
            Block::Stack(kernel) => Some(kernel),
            Block::Buffers(port) => checked.kernel_of(port),
        };
        let Some(kernel) = kernel else { continue };
        let beside = place.beside.filter(|&distance| distance != (0, 0));
        let modules = place.modules().into_iter().filter_map(|(column, row)| grid.at(column, row));
        let modules: Vec<TileId> = modules.collect();
        if beside.is_none() && modules.is_empty() {
            continue;
        }
        let tiles = narrowed.entry(kernel).or_insert_with(|| open.to_vec());
        for (allowed, tile) in tiles.iter_mut().zip(grid.ids()) {
            let beside = beside.map(|(columns, rows)| moved(grid, tile, columns, rows));
            let mut all = beside.into_iter().chain(modules.iter().copied().map(Some));
            *allowed &= all.all(|module| module.is_some_and(|module| grid.reaches(tile, module)));
        }
    }
    for tie in &checked.blocks.ties {
        let own = |block: Block<KernelId, PortId>| match block {
            Block::Stack(kernel) => Some(kernel),
            Block::Buffers(port) => checked.kernel_of(port),
        };
        let Some(kernel) = own(tie.block) else { continue };
        let Anchor::Block(other) = tie.from else { continue };
        if own(other) != Some(kernel) {
            continue;
        }
        let tiles = narrowed.entry(kernel).or_insert_with(|| open.to_vec());
        for (allowed, tile) in tiles.iter_mut().zip(grid.ids()) {
            let mut ends = grid.reach(tile).iter().map(|&module| moved(grid, module, tie.columns, tie.rows));
            *allowed &= ends.any(|end| end.is_some_and(|end| grid.reaches(tile, end)));
        }
    }
}
