//! Checks single buffers and stacks: number, position and reach.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_diag::Diagnostic;
use aiec_ir::expanded::{Connection, Owner};
use aiec_ir::{Direction, KernelId, PortId};

use super::Case;
use super::ledger::Stored;
use crate::placement::PortBuffers;

impl Case<'_> {
    /// Diagnostics of single ports, buffers and stacks.
    pub(super) fn memory_faults(&self) -> Vec<Diagnostic> {
        let ports = || self.checked.ports.ids();
        let mut found = self.stack_faults();
        found.extend(ports().filter_map(|port| self.port_fault(port)));
        found.extend(ports().filter_map(|port| self.split_fault(port)));
        for stored in &self.ledger {
            found.extend(self.spot_faults(stored));
            found.extend(self.reach_faults(stored));
        }
        found
    }

    /// The port has the wrong number of buffers, or shares where it must not.
    fn port_fault(&self, port: PortId) -> Option<Diagnostic> {
        let checked = self.checked;
        let needs = match checked.ports[port].owner {
            Owner::External(_) => 0,
            Owner::Kernel(_) if !checked.has_buffers(port) => 0,
            Owner::Kernel(_) if self.is_fed_on_core(port) => 1,
            Owner::Kernel(_) => (checked.buffering_of(port).copies() + checked.selectors_of(port)) as usize,
        };
        let may_share = self.may_share(port);
        let has = match &self.placement.buffers[port] {
            PortBuffers::Shared if may_share => return None,
            PortBuffers::Shared => return Some(self.cannot_share(port)),
            _ if may_share && self.stays_on_core(port) => return Some(self.must_share(port)),
            PortBuffers::None => 0,
            PortBuffers::Own(spots) => spots.len(),
        };
        (has != needs).then(|| self.buffer_count(port, has, needs))
    }

    /// The kernels of a core share one stack area.
    fn stack_faults(&self) -> Vec<Diagnostic> {
        let stacks = &self.placement.stacks;
        let mut first: BTreeMap<Tile, KernelId> = BTreeMap::new();
        let mut found = Vec::new();
        for (kernel, &tile) in self.placement.kernels.enumerate() {
            let before = *first.entry(tile).or_insert(kernel);
            found.extend((stacks[before] != stacks[kernel]).then(|| self.stacks_apart(before, kernel)));
        }
        found
    }

    /// The connection of a port. Returns None when it has none or several.
    fn only_connection(&self, port: PortId) -> Option<&Connection> {
        let [only] = self.checked.ports[port].connections.as_slice() else { return None };
        Some(&self.checked.connections[*only])
    }

    /// True if the one connection of `port` leads to a kernel on the same core.
    fn stays_on_core(&self, port: PortId) -> bool {
        let kernels = |c: &Connection| self.checked.kernel_of(c.from).zip(self.checked.kernel_of(c.to));
        let ends = self.only_connection(port).and_then(kernels);
        ends.is_some_and(|(from, to)| from != to && self.tile(from) == self.tile(to))
    }

    /// True if the producer of the input port `port` is on the same core and writes into its
    /// buffer.
    fn is_fed_on_core(&self, port: PortId) -> bool {
        let writes = |from| from != port && self.placement.buffers[from] == PortBuffers::Shared;
        self.only_connection(port).is_some_and(|c| writes(c.from)) && self.stays_on_core(port)
    }

    /// Only an output port of a kernel with one consumer, also a kernel, can write into the
    /// consumer's buffers. UG1079: a broadcast is copied. AM009: packets and streams go over the
    /// stream switches. Windows of different sizes have no buffer in common.
    fn may_share(&self, port: PortId) -> bool {
        let (checked, entry) = (self.checked, &self.checked.ports[port]);
        let consumes = |c: &Connection| {
            let [from, to] =
                [entry, &checked.ports[c.to]].map(|port| port.window().map(|window| window.bytes()));
            let same = from == to;
            c.switch.is_none() && same && checked.kernel_of(c.to).is_some() && checked.has_buffers(c.to)
        };
        let produces = matches!(entry.owner, Owner::Kernel(_)) && entry.direction == Direction::Out;
        produces && checked.has_buffers(port) && self.only_connection(port).is_some_and(consumes)
    }

    /// The buffers of a port with DMA, or of a parameter of the host, lie in different modules. A
    /// tile's DMA serves only its own module.
    fn split_fault(&self, port: PortId) -> Option<Diagnostic> {
        let PortBuffers::Own(spots) = &self.placement.buffers[port] else { return None };
        let first = spots.first()?.tile;
        let apart = spots.iter().find(|spot| spot.tile != first)?;
        let by_dma = self.ledger.iter().any(|stored| stored.port == Some(port) && stored.dma.is_some());
        let stays = by_dma || self.checked.stays_in_one_module(port);
        stays.then(|| self.dma_split(port, first, apart.tile))
    }

    /// The block is outside the array, misaligned, or beyond the end of the module.
    fn spot_faults(&self, stored: &Stored) -> Vec<Diagnostic> {
        let (memory, spot) = (&self.device.memory, stored.spot);
        let is_outside = self.grid.id(spot.tile).is_none();
        let is_misaligned = !spot.offset.is_multiple_of(memory.buffer_alignment.max(1));
        let is_beyond = stored.end() > u64::from(memory.module_bytes);
        let outside = is_outside.then(|| self.spot_outside(stored));
        let misaligned = is_misaligned.then(|| self.misaligned(stored));
        let beyond = is_beyond.then(|| self.beyond_module(stored));
        outside.into_iter().chain(misaligned).chain(beyond).collect()
    }

    /// Each core that uses the block and cannot reach its module.
    fn reach_faults(&self, stored: &Stored) -> Vec<Diagnostic> {
        let Some(module) = self.grid.id(stored.spot.tile) else { return Vec::new() };
        let reaches =
            |kernel| self.grid.id(self.tile(kernel)).is_none_or(|core| self.grid.reaches(core, module));
        let users = [Some(stored.kernel), stored.producer].into_iter().flatten();
        users.filter(|&kernel| !reaches(kernel)).map(|kernel| self.unreachable(stored, kernel)).collect()
    }
}
