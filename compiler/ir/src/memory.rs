//! Bytes and locks that the buffers of ports and the stacks of kernels take of memory modules.

use aiec_collectives::Buffering;
use aiec_device::Device;

use crate::blocks::{Block, BlockPlace};
use crate::expanded::{Connection, Expanded, HostParameter};
use crate::ids::{ConnectionId, KernelId, PortId};

impl Expanded {
    /// Bytes of one buffer of `port` in a module: rounded to the stored size, then to the
    /// alignment.
    pub fn buffer_bytes(&self, port: PortId, device: &Device) -> u64 {
        let bytes = self.block(port).map_or(0, |block| block.bytes());
        device.memory.aligned(device.memory.stored_bytes(bytes))
    }

    /// Buffers of a port's window or parameter at each place that stores it: ping-pong unless all
    /// its connections are single. A table is there once.
    pub fn buffering_of(&self, port: PortId) -> Buffering {
        if self.is_table(port) {
            return Buffering::Single;
        }
        let mut connections = self.ports[port].connections.iter();
        let Some(&first) = connections.next() else { return self.buffering_of_host(port) };
        let is_single = |id: ConnectionId| self.connections[id].buffering == Buffering::Single;
        let single = is_single(first) && connections.all(|&id| is_single(id));
        if single { Buffering::Single } else { Buffering::Pingpong }
    }

    /// Buffers of a port without connections, which may have a parameter of the host.
    fn buffering_of_host(&self, port: PortId) -> Buffering {
        let of = |parameter: &HostParameter| {
            let at = parameter.ports.iter().position(|&one| one == port)?;
            parameter.buffering.get(at).copied()
        };
        self.parameters.iter().find_map(of).unwrap_or(Buffering::Pingpong)
    }

    /// Number of buffers of `port` at each place that stores its data. 0 for a stream or cascade.
    pub fn copies(&self, port: PortId) -> u32 {
        if self.has_buffers(port) { self.buffering_of(port).copies() } else { 0 }
    }

    /// Locks of one buffer of `port` (device: `costs.buffer_locks`). Nothing locks a table.
    pub fn buffer_locks(&self, port: PortId, device: &Device) -> u64 {
        if self.is_table(port) { 0 } else { device.costs.buffer_locks.into() }
    }

    /// Locks of all buffers of `port` and of its selector word.
    pub fn port_locks(&self, port: PortId, device: &Device) -> u64 {
        u64::from(self.copies(port) + self.selectors_of(port)) * self.buffer_locks(port, device)
    }

    /// Bytes of the selector word of `port` in a module; 0 without one.
    pub fn selector_bytes(&self, port: PortId, device: &Device) -> u64 {
        let word = device.memory.stored_bytes(device.tile.word_bytes.into());
        u64::from(self.selectors_of(port)) * device.memory.aligned(word)
    }

    /// Bytes of all buffers of `port`, with its selector word.
    pub fn port_bytes(&self, port: PortId, device: &Device) -> u64 {
        self.buffer_bytes(port, device) * u64::from(self.copies(port)) + self.selector_bytes(port, device)
    }

    /// Bytes of stacks, heaps and sync area of the core that runs `kernels`, as they occupy a
    /// module.
    pub fn stack_area_bytes(&self, kernels: &[KernelId], device: &Device) -> u64 {
        device.memory.aligned(device.memory.stored_bytes(self.core_system_bytes(kernels, device)))
    }

    /// True if `port` has exactly one connection and it joins two kernels. Only such a connection
    /// can go through shared memory.
    pub fn may_share(&self, port: PortId) -> bool {
        let [connection] = self.ports[port].connections.as_slice() else { return false };
        let connection = &self.connections[*connection];
        let mut ends = [connection.from, connection.to].into_iter();
        let between_kernels = ends.all(|end| self.kernel_of(end).is_some());
        between_kernels && self.has_buffers(connection.from) && !self.always_streams(connection.from)
    }

    /// True if the ends are ports of two kernels with stated places that no buffer has both. Each
    /// end then has buffers of its own.
    pub(crate) fn lies_apart(&self, connection: &Connection) -> bool {
        let places = |port: PortId| {
            let of_port = move |place: &&BlockPlace<_, _>| place.block == Block::Buffers(port);
            self.blocks.places.iter().filter(of_port)
        };
        let kernels = [connection.from, connection.to].map(|end| self.kernel_of(end));
        let copies = self.copies(connection.from) as usize;
        let are_two = matches!(kernels, [Some(from), Some(to)] if from != to);
        are_two
            && places(connection.from).any(|from| {
                let differ = |to: &BlockPlace<_, _>| {
                    (0..copies).any(|number| from.spot_of(number).differs(to.spot_of(number)))
                };
                places(connection.to).any(differ)
            })
    }
}
