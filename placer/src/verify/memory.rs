//! Checks single buffers and stacks: number, position and reach.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::Tile;
use aiec_diag::Diagnostic;
use aiec_ir::expanded::Owner;
use aiec_ir::{Direction, KernelId, PortId};

use super::ledger::Stored;
use super::{Case, errors};
use crate::placement::{Placement, PortBuffers, Spot};

/// Diagnostics of single ports, buffers and stacks.
pub(super) fn faults(case: &Case<'_>) -> Vec<Diagnostic> {
    let Case { checked, placement, ledger, .. } = *case;
    let mut found = stack_faults(checked, placement);
    found.extend(checked.ports.ids().filter_map(|port| port_fault(checked, placement, port)));
    found.extend(checked.ports.ids().filter_map(|port| split_fault(case, port)));
    for stored in ledger {
        found.extend(spot_faults(case, stored));
        found.extend(reach_faults(case, stored));
    }
    found
}

/// The port has the wrong number of buffers, or shares where it must not.
fn port_fault(checked: &Checked, placement: &Placement, port: PortId) -> Option<Diagnostic> {
    let needs = match checked.ports[port].owner {
        Owner::External(_) => 0,
        Owner::Kernel(_) if !checked.has_buffers(port) => 0,
        Owner::Kernel(_) if is_fed_on_core(checked, placement, port) => 1,
        Owner::Kernel(_) => (checked.buffering_of(port).copies() + checked.selectors_of(port)) as usize,
    };
    let shared = placement.buffers[port] == PortBuffers::Shared;
    if !shared && may_share(checked, port) && stays_on_core(checked, placement, port) {
        return Some(errors::must_share(checked, port));
    }
    let has = match &placement.buffers[port] {
        PortBuffers::None => 0,
        PortBuffers::Own(spots) => spots.len(),
        PortBuffers::Shared if may_share(checked, port) => return None,
        PortBuffers::Shared => return Some(errors::cannot_share(checked, port)),
    };
    (has != needs).then(|| errors::buffer_count(checked, port, has, needs))
}

/// The kernels of a core share one stack area.
fn stack_faults(checked: &Checked, placement: &Placement) -> Vec<Diagnostic> {
    let mut first: BTreeMap<Tile, KernelId> = BTreeMap::new();
    let mut found = Vec::new();
    for (kernel, &tile) in placement.kernels.enumerate() {
        let before = *first.entry(tile).or_insert(kernel);
        if placement.stacks[before] != placement.stacks[kernel] {
            found.push(errors::stacks_apart(checked, before, kernel, tile));
        }
    }
    found
}

/// True if the one connection of `port` leads to a kernel on the same core.
fn stays_on_core(checked: &Checked, placement: &Placement, port: PortId) -> bool {
    let [connection] = checked.ports[port].connections.as_slice() else { return false };
    let connection = &checked.connections[*connection];
    let ends = checked.kernel_of(connection.from).zip(checked.kernel_of(connection.to));
    ends.is_some_and(|(from, to)| from != to && placement.kernels[from] == placement.kernels[to])
}

/// True if the producer of the input port `port` is on the same core and writes into its buffer.
fn is_fed_on_core(checked: &Checked, placement: &Placement, port: PortId) -> bool {
    let [connection] = checked.ports[port].connections.as_slice() else { return false };
    let from = checked.connections[*connection].from;
    from != port && placement.buffers[from] == PortBuffers::Shared && stays_on_core(checked, placement, port)
}

/// Only an output port of a kernel with one consumer, also a kernel, can write into the consumer's
/// buffers. UG1079: a broadcast is copied. AM009: packets and streams go over the stream switches.
/// Windows of different sizes have no buffer in common.
fn may_share(checked: &Checked, port: PortId) -> bool {
    let entry = &checked.ports[port];
    let consumer = match entry.connections.as_slice() {
        [only] if checked.connections[*only].switch.is_some() => None,
        [only] => {
            let to = checked.connections[*only].to;
            let same = checked.ports[port].window() == checked.ports[to].window();
            checked.kernel_of(to).filter(|_| same && checked.has_buffers(to))
        }
        _ => None,
    };
    let producer = matches!(entry.owner, Owner::Kernel(_)) && entry.direction == Direction::Out;
    producer && checked.has_buffers(port) && consumer.is_some()
}

/// The buffers of a port with DMA, or of a parameter of the host, lie in different modules. A
/// tile's DMA serves only its own module.
fn split_fault(case: &Case<'_>, port: PortId) -> Option<Diagnostic> {
    let PortBuffers::Own(spots) = &case.placement.buffers[port] else { return None };
    let apart = spots.iter().find(|spot| spots.first().is_some_and(|first| first.tile != spot.tile))?;
    let by_dma = case.ledger.iter().any(|stored| stored.port == Some(port) && stored.dma.is_some());
    (by_dma || case.checked.stays_in_one_module(port))
        .then(|| errors::dma_split(case.checked, port, spots[0].tile, apart.tile))
}

/// The block is outside the array, misaligned, or beyond the end of the module.
fn spot_faults(case: &Case<'_>, stored: &Stored) -> Vec<Diagnostic> {
    let Case { checked, device, grid, .. } = *case;
    let Spot { tile, offset } = stored.spot;
    let mut found = Vec::new();
    if grid.id(tile).is_none() {
        found.push(errors::spot_outside(checked, stored));
    }
    if !offset.is_multiple_of(device.memory.buffer_alignment.max(1)) {
        found.push(errors::misaligned(checked, stored, device.memory.buffer_alignment));
    }
    if stored.end() > u64::from(device.memory.module_bytes) {
        found.push(errors::beyond_module(checked, stored, device.memory.module_bytes));
    }
    found
}

/// A core that uses the block cannot reach its module.
fn reach_faults(case: &Case<'_>, stored: &Stored) -> Vec<Diagnostic> {
    let Case { checked, grid, placement, .. } = *case;
    let Some(module) = grid.id(stored.spot.tile) else { return Vec::new() };
    let beyond = |kernel: &KernelId| {
        let core = grid.id(placement.kernels[*kernel]);
        core.is_some_and(|core| !grid.reaches(core, module))
    };
    let users = [Some(stored.kernel), stored.producer].into_iter().flatten();
    let report = |kernel: KernelId| {
        let tile = placement.kernels[kernel];
        let reach = grid.id(tile).map_or(&[][..], |core| grid.reach(core));
        let reach: Vec<Tile> = reach.iter().map(|&module| grid.tile(module)).collect();
        errors::unreachable(checked, stored, kernel, tile, &reach)
    };
    users.filter(beyond).map(report).collect()
}
