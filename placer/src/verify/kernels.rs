//! Kernels: inside the array, one on a tile, where the design's constraints say.

use std::collections::BTreeMap;

use aiec_device::{Grid, Tile};
use aiec_diag::Diagnostic;
use aiec_ir::{Checked, KernelId};

use super::errors;
use crate::placement::Placement;

/// Faults of the table of kernels.
pub(super) fn faults(checked: &Checked, grid: &Grid, placement: &Placement) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut on: BTreeMap<Tile, KernelId> = BTreeMap::new();
    for (kernel, &tile) in placement.kernels.enumerate() {
        if grid.id(tile).is_none() {
            found.push(errors::kernel_outside(checked, kernel, tile));
        } else if let Some(other) = on.insert(tile, kernel) {
            found.push(errors::tile_shared(checked, tile, other, kernel));
        }
    }
    let broken = checked.places.iter().filter(|place| {
        let tile = placement.kernels[place.kernel];
        (i64::from(tile.column), i64::from(tile.row)) != (place.column, place.row)
    });
    found.extend(
        broken.map(|place| errors::constraint_broken(checked, place, placement.kernels[place.kernel])),
    );
    found
}
