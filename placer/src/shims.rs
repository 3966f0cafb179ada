//! Assigns inputs and outputs to columns and channels of the interface row.
//!
//! Takes the tiles of the kernels. Returns a channel for every input and output, near the kernels
//! it serves. The algorithm is greedy: the nearest channel for one input or output after the other.
//! It then redistributes the channels of each kind in the order of their kernels. A PLIO channel is
//! a South port of the shim switch. A PLIO of 128 bits takes an even port and the odd port after
//! it. A GMIO takes the South port that the device names for its DMA channel (AM009, interface
//! chapter; port tables of aie-rt). A column may carry more inputs or outputs than it has wires to
//! the core row, but only if no nearer column has wires left.

use std::collections::{BTreeMap, BTreeSet};

use aiec_check::Checked;
use aiec_device::{Device, Grid};
use aiec_ir::design::Endpoint;
use aiec_ir::{Direction, ExternalId, IdVec};

use crate::placement::ShimSpot;
use crate::tiles::{Tiles, legal_columns};

/// Returns the shim channels of all inputs and outputs, or the first input or output that finds
/// none.
pub(crate) fn assign(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &Tiles,
) -> Result<IdVec<ExternalId, ShimSpot>, ExternalId> {
    let mut order: Vec<ExternalId> = checked.externals.ids().collect();
    // Inputs and outputs with the fewest choices come first: GMIO, then PLIO that take two
    // channels, then the others; each from west to east.
    order.sort_by_key(|&e| (choice(checked, device, e), target(checked, grid, tiles, e), e));
    let mut row = Row { device, taken: BTreeSet::new() };
    let mut spots = vec![ShimSpot { column: 0, channel: 0 }; checked.externals.len()];
    for external in order {
        let near = target(checked, grid, tiles, external);
        spots[external.index()] = row.take(checked, external, near).ok_or(external)?;
    }
    uncross(checked, device, grid, tiles, &mut spots);
    Ok(spots.into_iter().collect())
}

/// Redistributes the channels of inputs and outputs of one kind, both from west to east. On a line
/// this assignment has the least total distance, and no two nets cross in the interface row without
/// need.
fn uncross(checked: &Checked, device: &Device, grid: &Grid, tiles: &Tiles, spots: &mut [ShimSpot]) {
    let mut kinds: BTreeMap<(Direction, u32), Vec<ExternalId>> = BTreeMap::new();
    for (id, external) in checked.externals.enumerate() {
        kinds.entry((external.direction, choice(checked, device, id))).or_default().push(id);
    }
    for externals in kinds.values_mut() {
        let mut channels: Vec<ShimSpot> = externals.iter().map(|e| spots[e.index()]).collect();
        channels.sort_unstable();
        externals.sort_by_key(|&e| (target(checked, grid, tiles, e), e));
        externals.iter().zip(channels).for_each(|(e, channel)| spots[e.index()] = channel);
    }
}

fn choice(checked: &Checked, device: &Device, external: ExternalId) -> u32 {
    match &checked.externals[external].endpoint {
        Endpoint::Gmio { .. } => 0,
        Endpoint::Plio { bits, .. } => 3 - device.shim.channels_of(bits.value),
    }
}

/// The mean column of the kernels connected to an input or output.
fn target(checked: &Checked, grid: &Grid, tiles: &Tiles, external: ExternalId) -> u16 {
    let port = checked.externals[external].port;
    let ends = checked.ports[port].connections.iter().map(|&c| &checked.connections[c]);
    let kernels = ends.flat_map(|c| [c.from, c.to]).filter_map(|end| checked.kernel_of(end));
    let columns: Vec<u64> = kernels.map(|k| u64::from(grid.tile(tiles[k]).column)).collect();
    let mean = columns.iter().sum::<u64>() / (columns.len() as u64).max(1);
    u16::try_from(mean).unwrap_or(0)
}

/// The interface row with the South ports taken so far.
struct Row<'d> {
    device: &'d Device,
    taken: BTreeSet<(Direction, u16, u32)>,
}

impl Row<'_> {
    /// Takes the best channel for `external`. Preference: wires left, then a register, then
    /// distance to `target`, then no DMA on the port.
    fn take(&mut self, checked: &Checked, external: ExternalId, target: u16) -> Option<ShimSpot> {
        let external = &checked.externals[external];
        let direction = external.direction;
        let mut best = None;
        for column in legal_columns(&external.endpoint, self.device) {
            for (channel, ports) in self.channels(&external.endpoint, direction) {
                if ports.iter().any(|&port| self.taken.contains(&(direction, column, port))) {
                    continue;
                }
                // Without a register the programmable logic may miss its timing. Public placements
                // have 26 of 27 inputs elsewhere.
                let is_plio = matches!(external.endpoint, Endpoint::Plio { .. });
                let is_slow = |port| self.device.shim.slow_inputs.contains(port);
                let slow = direction == Direction::Out && is_plio && ports.iter().any(is_slow);
                let dma = ports.iter().filter(|port| self.dma_ports(direction).contains(port)).count();
                let near = (column.abs_diff(target), dma, column, channel);
                let key = (self.crowded(direction, column), slow, near);
                if best.as_ref().is_none_or(|(other, _)| key < *other) {
                    best = Some((key, ports));
                }
            }
        }
        let ((.., (.., column, channel)), ports) = best?;
        self.taken.extend(ports.into_iter().map(|port| (direction, column, port)));
        Some(ShimSpot { column, channel })
    }

    /// The channels of an endpoint, each with its South ports.
    fn channels(&self, endpoint: &Endpoint, direction: Direction) -> Vec<(u32, Vec<u32>)> {
        match endpoint {
            Endpoint::Gmio { .. } => {
                (0..).zip(self.dma_ports(direction).iter().map(|&port| vec![port])).collect()
            }
            Endpoint::Plio { bits, .. } => {
                let shim = &self.device.shim;
                let (all, pairs) = match direction {
                    Direction::Out => (shim.plio_in_channels, &shim.plio_in_pairs),
                    Direction::In => (shim.plio_out_channels, &shim.plio_out_pairs),
                };
                if shim.channels_of(bits.value) == 2 {
                    return pairs.iter().map(|pair| (pair[0], pair.to_vec())).collect();
                }
                (0..all).map(|channel| (channel, vec![channel])).collect()
            }
        }
    }

    /// South ports of the shim DMA. An input of the array is a producer, so its direction is `Out`.
    fn dma_ports(&self, direction: Direction) -> &[u32] {
        match direction {
            Direction::Out => &self.device.shim.gmio_in_ports,
            Direction::In => &self.device.shim.gmio_out_ports,
        }
    }

    /// True if the taken ports of the column use up its wires to the core row (inputs) or from it
    /// (outputs).
    fn crowded(&self, direction: Direction, column: u16) -> bool {
        let wires = match direction {
            Direction::Out => self.device.switch.north,
            Direction::In => self.device.switch.south,
        };
        let taken = self.taken.range((direction, column, 0)..=(direction, column, u32::MAX)).count();
        taken >= wires as usize
    }
}
