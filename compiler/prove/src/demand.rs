//! Resource needs of ports and kernels: bytes, locks and stacks.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::{KernelId, PortId};

/// Bytes of one buffer of `port` in a module: rounded to the stored size, then to the alignment.
pub fn buffer_bytes(checked: &Checked, device: &Device, port: PortId) -> u64 {
    let bytes = checked.block(port).map_or(0, |block| block.bytes());
    occupied(device, device.memory.stored_bytes(bytes))
}

/// `bytes` rounded up so that the next buffer is aligned.
pub fn occupied(device: &Device, bytes: u64) -> u64 {
    bytes.next_multiple_of(u64::from(device.memory.buffer_alignment.max(1)))
}

/// Number of buffers of `port` at each place that stores its data. 0 for a stream or cascade.
pub fn copies(checked: &Checked, port: PortId) -> u32 {
    if checked.has_buffers(port) { checked.buffering_of(port).copies() } else { 0 }
}

/// Locks of one buffer of `port` (device: `costs.buffer_locks`). Nothing locks a table.
pub fn buffer_locks(checked: &Checked, device: &Device, port: PortId) -> u64 {
    if checked.is_table(port) { 0 } else { device.costs.buffer_locks.into() }
}

/// Locks of all buffers of `port` and of its selector word.
pub fn port_locks(checked: &Checked, device: &Device, port: PortId) -> u64 {
    u64::from(copies(checked, port) + checked.selectors_of(port)) * buffer_locks(checked, device, port)
}

/// Bytes of the selector word of `port` in a module; 0 without one.
pub fn selector_bytes(checked: &Checked, device: &Device, port: PortId) -> u64 {
    let word = device.memory.stored_bytes(device.tile.word_bytes.into());
    u64::from(checked.selectors_of(port)) * occupied(device, word)
}

/// Bytes of all buffers of `port`, with its selector word.
pub fn port_bytes(checked: &Checked, device: &Device, port: PortId) -> u64 {
    buffer_bytes(checked, device, port) * u64::from(copies(checked, port))
        + selector_bytes(checked, device, port)
}

/// Bytes of stacks, heaps and sync area of the core that runs `kernels`, as they occupy a module.
pub fn stack_bytes(checked: &Checked, device: &Device, kernels: &[KernelId]) -> u64 {
    occupied(device, device.memory.stored_bytes(checked.core_system_bytes(kernels, device)))
}

/// True if `port` has exactly one connection and it joins two kernels. Only such a connection can
/// go through shared memory.
pub fn may_share(checked: &Checked, port: PortId) -> bool {
    let [connection] = checked.ports[port].connections.as_slice() else { return false };
    let connection = &checked.connections[*connection];
    let mut ends = [connection.from, connection.to].into_iter();
    let between_kernels = ends.all(|end| checked.kernel_of(end).is_some());
    between_kernels && checked.has_buffers(connection.from) && !checked.always_streams(connection.from)
}
