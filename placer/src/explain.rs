//! Proofs by counting that a design has no placement: every kernel with a fixed tile by itself, all kernels
//! together, then the [surroundings](crowd) of kernels with many inputs.
//!
//! Whatever the placement, all buffers of a kernel lie in modules it reaches; a buffer is shared by at most the two ends of a
//! connection between two kernels; inputs, outputs and broadcasts always take a DMA channel.

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_diag::Diagnostic;
use aiec_ir::{Checked, Direction, KernelId, PortId};

use crate::buffers::{RESOURCES, capacity};
use crate::{crowd, demand, errors};

/// Why no placement exists, as far as counting shows; empty if it shows nothing.
pub(crate) fn impossible(checked: &Checked, device: &Device, grid: &Grid) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> =
        checked.places.iter().flat_map(|place| fixed_kernel(checked, device, grid, place)).collect();
    found.extend(whole_array(checked, device, grid));
    found.extend(crowd::impossible(checked, device, grid));
    found
}

/// What a fixed kernel needs against what its tile reaches.
fn fixed_kernel(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    place: &aiec_ir::expanded::Place,
) -> Vec<Diagnostic> {
    let tile = u16::try_from(place.column).ok().zip(u16::try_from(place.row).ok());
    let Some(id) = tile.and_then(|(column, row)| grid.id(Tile::new(column, row))) else { return Vec::new() };
    let need = kernel_need(checked, device, place.kernel);
    let modules = grid.reach(id).len() as u64;
    let short = |&resource: &usize| need[resource] > capacity(device)[resource] * modules;
    let report = |resource: usize| {
        let supply = capacity(device)[resource] * modules;
        errors::fixed_kernel_needs(checked, place, RESOURCES[resource], need[resource], supply, modules)
    };
    (0..RESOURCES.len()).filter(short).map(report).collect()
}

/// What all kernels need against what all modules have.
fn whole_array(checked: &Checked, device: &Device, grid: &Grid) -> Vec<Diagnostic> {
    let mut need = [0_u64; RESOURCES.len()];
    for kernel in checked.kernels.ids() {
        need[0] += demand::stack_bytes(checked, device, kernel);
        for port in checked.ports_of(kernel) {
            // The producer's end of a connection that can be shared needs nothing.
            let counted = !demand::may_share(checked, port) || checked.ports[port].direction == Direction::In;
            if counted {
                add(&mut need, port_need(checked, device, port));
            }
        }
    }
    let supply = capacity(device).map(|amount| amount * reachable(grid));
    let short = |&resource: &usize| need[resource] > supply[resource];
    let report =
        |resource: usize| errors::array_needs(checked, RESOURCES[resource], need[resource], supply[resource]);
    (0..RESOURCES.len()).filter(short).map(report).collect()
}

fn reachable(grid: &Grid) -> u64 {
    let some_core = |module: &TileId| grid.ids().any(|core| grid.reaches(core, *module));
    grid.ids().filter(some_core).count() as u64
}

/// The least a kernel takes of the modules it reaches.
fn kernel_need(checked: &Checked, device: &Device, kernel: KernelId) -> [u64; RESOURCES.len()] {
    let mut need = [demand::stack_bytes(checked, device, kernel), 0, 0, 0, 0];
    for port in checked.ports_of(kernel) {
        add(&mut need, port_need(checked, device, port));
    }
    need
}

/// The least the buffers of a port take, wherever they lie.
fn port_need(checked: &Checked, device: &Device, port: PortId) -> [u64; RESOURCES.len()] {
    let copies = u64::from(demand::copies(checked, port));
    let bytes = demand::port_bytes(checked, device, port);
    if demand::may_share(checked, port) {
        return [bytes, copies, 0, 0, 0];
    }
    match checked.ports[port].direction {
        Direction::In => [bytes, copies, copies, 1, 0],
        Direction::Out => [bytes, copies, copies, 0, 1],
    }
}

fn add(need: &mut [u64], more: [u64; RESOURCES.len()]) {
    for (need, more) in need.iter_mut().zip(more) {
        *need += more;
    }
}
