//! Resource needs of ports and kernels: bytes, locks, DMA channels and density.

use aiec_check::Checked;
use aiec_device::Device;
use aiec_ir::expanded::Owner;
use aiec_ir::{KernelId, PortId};

/// Bytes of one buffer of `port` in a module: rounded to the stored size, then to the alignment.
pub fn buffer_bytes(checked: &Checked, device: &Device, port: PortId) -> u64 {
    let bytes = checked.ports[port].window.map_or(0, |window| window.bytes());
    occupied(device, device.memory.stored_bytes(bytes))
}

/// `bytes` rounded up so that the next buffer is aligned.
pub fn occupied(device: &Device, bytes: u64) -> u64 {
    bytes.next_multiple_of(u64::from(device.memory.buffer_alignment.max(1)))
}

/// Number of buffers of `port` at each place that stores its window. 0 for a packet stream.
pub fn copies(checked: &Checked, port: PortId) -> u32 {
    if checked.is_packets(port) { 0 } else { checked.buffering_of(port).copies() }
}

/// Locks of one buffer (device: `costs.buffer_locks`).
pub fn buffer_locks(device: &Device) -> u64 {
    device.costs.buffer_locks.into()
}

/// Bytes of all buffers of `port`.
pub fn port_bytes(checked: &Checked, device: &Device, port: PortId) -> u64 {
    buffer_bytes(checked, device, port) * u64::from(copies(checked, port))
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
    let between_kernels = [connection.from, connection.to]
        .iter()
        .all(|&end| matches!(checked.ports[end].owner, Owner::Kernel(_)));
    between_kernels && !checked.always_streams(connection.from)
}

/// Memory that `kernel` needs near it, in 1/1024 of a module: the maximum over bytes, locks and
/// mandatory DMA channels. Buffers that two kernels can share count half for each.
pub fn density(checked: &Checked, device: &Device, kernel: KernelId) -> i64 {
    let (mut bytes, mut locks) = (2 * stack_bytes(checked, device, &[kernel]), 0);
    for port in checked.ports_of(kernel) {
        let parts = if may_share(checked, port) { 1 } else { 2 };
        let copies = u64::from(copies(checked, port));
        bytes += parts * copies * filled_bytes(device, buffer_bytes(checked, device, port));
        locks += parts * copies * buffer_locks(device);
    }
    let share = |amount: u64, supply: u32| amount.saturating_mul(512) / u64::from(supply.max(1));
    let density = share(bytes, device.memory.module_bytes).max(share(locks, device.tile.locks));
    let [into, out] = channels(checked, kernel).map(|count| 2 * u64::try_from(count).unwrap_or(0));
    let density = density.max(share(into, device.tile.s2mm)).max(share(out, device.tile.mm2s));
    i64::try_from(density).unwrap_or(i64::MAX / 1024)
}

/// Share of a module that one buffer of `bytes` takes. Includes the space left over when the module
/// is full of such buffers.
fn filled_bytes(device: &Device, bytes: u64) -> u64 {
    let module = u64::from(device.memory.module_bytes);
    module.checked_div(module.checked_div(bytes).unwrap_or(0)).unwrap_or(bytes)
}

/// DMA channels that `kernel` needs on every tile, into memory and out of it: for inputs, outputs
/// and broadcasts.
pub fn channels(checked: &Checked, kernel: KernelId) -> [i64; 2] {
    let needs = |port: &&PortId| !may_share(checked, **port) && !checked.is_packets(**port);
    let by_dma = |ports: &[PortId]| ports.iter().filter(needs).count() as i64;
    [by_dma(&checked.kernels[kernel].inputs), by_dma(&checked.kernels[kernel].outputs)]
}
