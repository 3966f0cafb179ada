//! Proofs that a design has no placement, and lower bounds on what every placement needs.
//!
//! Takes a checked design, its device and the tiles that a placement file fixes. No function
//! searches for a placement. Each works within a fixed budget, and ends when its [`Watch`] stops. A
//! diagnostic of [`impossible`] or [`no_room`] is a proof: it holds for every placement that the
//! placer's `verify` accepts. [`bound()`] counts connections through DMA. [`explained`] names the
//! constraints that conflict where a search found nothing, which is no proof.
//!
//! The placer uses the same tables: [`rules`], [`formation`](crate::formation) and [`matching`].

mod bound;
mod channels;
mod components;
mod contradiction;
mod crowd;
mod errors;
mod explain;
mod limits;
pub mod matching;
pub mod rules;
mod stacks;
mod work;

use crate::{Checked, Watch};
use aiec_device::{Device, Grid};
use aiec_diag::Diagnostic;

pub use crate::statement::Pins;
pub use bound::{Argument, Bound, Counted, bound};
pub use components::components;
pub use contradiction::{Weighted, joined, tiles};
pub use explain::explained;
pub use limits::SMALL;

/// The proofs by placement constraints, channels and windows that no placement exists. Empty when
/// nothing is proved.
///
/// The diagnostics are `place/contradiction`, or `place/infeasible`.
pub fn impossible(checked: &Checked, device: &Device, pins: &Pins, watch: &dyn Watch) -> Vec<Diagnostic> {
    if let Some(contradiction) = contradiction::find(checked, device, pins, watch) {
        return vec![contradiction];
    }
    let grid = checked.open_grid(device);
    let found = channels::impossible(checked, device, &grid, pins, watch);
    if found.is_empty() { crowd::impossible(checked, device, &grid) } else { found }
}

/// The proof that the memory modules on `grid` have no room for the buffers and stacks of
/// `checked` (`place/infeasible`). Returns None when nothing is proved. `bound` must hold for every
/// placement of the design on the device.
pub fn no_room(checked: &Checked, device: &Device, grid: &Grid, bound: Bound) -> Option<Diagnostic> {
    let excess = stacks::excess(checked, device, grid, bound)?;
    Some(errors::no_room_for_buffers(checked, &excess))
}

/// Maximum number of cores within 0, 1, 2, ... sharing steps of any core on `grid`, until all are.
pub fn cells_within(grid: &Grid) -> Vec<usize> {
    let balls = bound::room::largest(&bound::room::balls(grid));
    balls.into_iter().map(|[cells, _]| usize::try_from(cells).unwrap_or(usize::MAX)).collect()
}
