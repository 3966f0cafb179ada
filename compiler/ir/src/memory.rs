//! Bytes and locks that the buffers of ports and the stacks of kernels take of memory modules.

use aiec_device::Device;

use crate::expanded::Expanded;
use crate::ids::{KernelId, PortId};

impl Expanded {
    /// Bytes of one buffer of `port` in a module: rounded to the stored size, then to the
    /// alignment.
    pub fn buffer_bytes(&self, port: PortId, device: &Device) -> u64 {
        let bytes = self.block(port).map_or(0, |block| block.bytes());
        device.memory.aligned(device.memory.stored_bytes(bytes))
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
}
