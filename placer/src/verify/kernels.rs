//! Checks kernels: inside the array, on the tiles of their `place` statements, and no more on a
//! tile than its core can run.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::Diagnostic;
use aiec_ir::{KernelId, WHOLE_CORE};

use super::errors::Charge;
use super::{Case, errors};

/// Diagnostics of the table of kernels.
pub(super) fn faults(case: &Case<'_>) -> Vec<Diagnostic> {
    let Case { checked, device, grid, placement, .. } = *case;
    let mut found = Vec::new();
    let mut on: BTreeMap<Tile, Vec<KernelId>> = BTreeMap::new();
    for (kernel, &tile) in placement.kernels.enumerate() {
        match grid.id(tile) {
            None => found.push(errors::kernel_outside(checked, kernel, tile)),
            Some(_) => on.entry(tile).or_default().push(kernel),
        }
    }
    let shared = on.iter().filter(|(_, kernels)| kernels.len() > 1);
    found.extend(shared.filter_map(|(&tile, kernels)| core_fault(checked, device, tile, kernels)));
    for place in &checked.places {
        let tile = placement.kernels[place.kernel];
        if (i64::from(tile.column), i64::from(tile.row)) != (place.column, place.row) {
            found.push(errors::constraint_broken(checked, place, tile));
        }
    }
    found
}

/// The fault of several kernels on one core (UG1079: runtime ratios sum to at most 1).
fn core_fault(checked: &Checked, device: &Device, tile: Tile, kernels: &[KernelId]) -> Option<Diagnostic> {
    let alone = checked.alone();
    if let Some(kernel) = kernels.iter().copied().find(|&kernel| alone[kernel].is_some()) {
        return Some(errors::tile_shared(checked, tile, kernels, kernel));
    }
    let sum = |of: &dyn Fn(KernelId) -> Option<u32>| -> u64 {
        kernels.iter().filter_map(|&kernel| of(kernel)).map(u64::from).sum()
    };
    let streams = |way: usize| sum(&|kernel| Some(checked.stream_ports(kernel)[way]));
    let charge = |resource, demand, supply: u32| Charge { resource, demand, supply: supply.into() };
    let charges = [
        charge("1/1000 of its time", sum(&|kernel| checked.runtime(kernel)), WHOLE_CORE),
        charge(
            "bytes of program memory",
            sum(&|kernel| checked.program_bytes(kernel)),
            device.core.program_bytes,
        ),
        charge("ports for streams into the core", streams(0), device.tile.streams_in),
        charge("ports for streams out of the core", streams(1), device.tile.streams_out),
    ];
    let over = charges.into_iter().find(|charge| charge.demand > charge.supply);
    over.map(|charge| errors::core_overloaded(checked, tile, kernels, charge))
}
