//! The checker of placements: takes a placement from the search or from a file, returns the proof
//! that it is legal, or every fault in it.
//!
//! Shares no code with the search. It counts every limit again from the placement and the device
//! alone. Checked:
//!
//! * tables: one entry for every kernel, port, input and output of the design;
//! * kernels: inside the array, on the tile of each `place`; several on a tile only if none needs a
//!   core of its own ([`Checked::alone`]), and runtime ratios, known program sizes and ports for
//!   streams do not sum to more than a core has (UG1079);
//! * constraints: offsets; ranks on cores that follow each other along the cascade; regions;
//!   `together` and `apart` by the modules that the cores reach; nothing on closed tiles;
//! * constraints on memory: each block in the module and the banks of its `place`, and no bank with
//!   buffers of two ports of an `apart`;
//! * buffers: ports of kernels have as many as their buffering states, ports of inputs and outputs
//!   none. Input ports have their own. An output port writes into its consumer's only if it has
//!   exactly one consumer and that is a kernel; it must do so if that kernel runs on the same core,
//!   with one buffer (UG1079);
//! * stacks: one area for the kernels of a core, as large as all of theirs;
//! * reach: every core reaches the modules of its stack and buffers, and both ends reach a shared
//!   buffer;
//! * FIFOs in memory with a chosen place: words, bounds, open tiles, no overlap;
//! * modules: alignment, bounds, no overlap; buffers that a DMA fills or drains together in one
//!   module;
//! * charges: a lock for every buffer; for a buffer with DMA a buffer descriptor, and one channel
//!   for the buffers of a port, all charged to the module that holds them; for a FIFO in memory two
//!   descriptors and a channel of each direction (AM009, memory and DMA chapters; UG1079);
//! * interface row: PLIO and GMIO columns, channel numbers, even channels for PLIO of 128 bits, no
//!   South port taken twice, GMIO included (AM009, interface chapter; port tables of aie-rt).
//!
//! The checks before placement guarantee these assumptions: windows of connected ports agree, every
//! port of a kernel is connected, widths of PLIO are legal. Not checked: whether nets can be
//! routed. The router decides that.

mod blocks;
mod constraints;
mod errors;
mod kernels;
mod ledger;
mod memory;
mod modules;
mod shims;

pub(crate) use blocks::Broken;
pub use ledger::{Stored, stored};
pub(crate) use ledger::{all_reserved, reserved};
pub use modules::ModuleUse;
pub(crate) use modules::uses;

use aiec_check::{Checked, chosen_faults};
use aiec_device::{Device, Grid, Tile};
use aiec_diag::{Diagnostic, Outcome};
use aiec_ir::KernelId;

use crate::placed::Placed;
use crate::placement::Placement;

/// A placement to check.
struct Case<'a> {
    checked: &'a Checked,
    device: &'a Device,
    grid: Grid,
    placement: &'a Placement,
    /// What the placement stores where.
    ledger: Vec<Stored>,
}

impl<'a> Case<'a> {
    fn new(checked: &'a Checked, device: &'a Device, placement: &'a Placement) -> Self {
        let ledger = stored(checked, device, placement);
        Self { checked, device, grid: Grid::new(device), placement, ledger }
    }

    /// The tile of a kernel in the placement.
    fn tile(&self, kernel: KernelId) -> Tile {
        self.placement.kernels[kernel]
    }

    /// The name of a kernel in the design.
    fn name(&self, kernel: KernelId) -> &str {
        &self.checked.kernels[kernel].name
    }
}

/// Verifies `placement` against `checked` on `device`. This is the only way to make a [`Placed`].
///
/// # Errors
/// Returns one `place/*` diagnostic for each violation. If tables do not match the design, the
/// check ends there.
pub fn verify(checked: &Checked, device: &Device, placement: Placement) -> Outcome<Placed> {
    let sizes = table_sizes(checked, &placement);
    if !sizes.is_empty() {
        return Outcome::from_parts(None, sizes);
    }
    let case = Case::new(checked, device, &placement);
    let mut found = case.kernel_faults();
    found.extend(case.constraint_faults());
    let blocks = case.broken_blocks().into_iter();
    found.extend(blocks.map(|broken| errors::constraint_broken(broken.what, broken.span)));
    found.extend(case.memory_faults());
    found.extend(chosen_faults(checked, device, &placement.fifos));
    found.extend(case.module_faults());
    found.extend(case.shim_faults());
    Outcome::new(Placed(placement), found)
}

/// What the blocks of a found `placement` do not keep: a constraint on memory, or room between two.
pub(crate) fn unkept(checked: &Checked, device: &Device, placement: &Placement) -> Option<Broken> {
    let case = Case::new(checked, device, placement);
    case.broken_blocks().into_iter().next().or_else(|| case.first_overlap())
}

fn table_sizes(checked: &Checked, placement: &Placement) -> Vec<Diagnostic> {
    let tables = [
        ("kernels", placement.kernels.len(), checked.kernels.len()),
        ("stacks", placement.stacks.len(), checked.kernels.len()),
        ("ports", placement.buffers.len(), checked.ports.len()),
        ("inputs and outputs", placement.shims.len(), checked.externals.len()),
    ];
    let wrong = tables.into_iter().filter(|(_, has, needs)| has != needs);
    wrong.map(|(table, has, needs)| errors::table_size(checked, table, has, needs)).collect()
}
