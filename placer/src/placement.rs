//! A placement as plain data. Not trusted until [`verify`](crate::verify()) has checked it.

use std::collections::BTreeMap;

use aiec_device::Tile;
use aiec_ir::fifos::FifoPlace;
use aiec_ir::{ConnectionId, Expanded, ExternalId, IdVec, KernelId, PortId};
use serde::Serialize;

/// A bank of a module: the tile and the bank number, from 0.
pub type Bank = (Tile, u64);

/// The positions of kernels, buffers, stacks, shim ports and FIFOs, indexed as in the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The tile of each kernel.
    pub kernels: IdVec<KernelId, Tile>,
    /// Stack, heap and sync area of each kernel, contiguous in one module.
    pub stacks: IdVec<KernelId, Spot>,
    /// The buffers of each port.
    pub buffers: IdVec<PortId, PortBuffers>,
    /// The shim channel of each input and output.
    pub shims: IdVec<ExternalId, ShimSpot>,
    /// The chosen places of FIFOs in memory to which the design gives none. A FIFO without an entry
    /// is left to the vendor's tools.
    pub fifos: BTreeMap<ConnectionId, Vec<FifoPlace>>,
}

impl Placement {
    /// The places of the FIFO of a connection, as the design states them or as chosen.
    pub fn fifo_places<'a>(&'a self, design: &'a Expanded, connection: ConnectionId) -> &'a [FifoPlace] {
        self.fifos.get(&connection).unwrap_or(&design.connections[connection].fifo_places)
    }
}

/// A position in a memory module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Spot {
    /// The tile that owns the module.
    pub tile: Tile,
    /// Offset in the module, in bytes.
    pub offset: u32,
}

/// The buffers behind a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortBuffers {
    /// No buffers: the port of an input or output of the array.
    None,
    /// One or two buffers of the port's own (ping and pong), then the selector word of a parameter
    /// of the host. Input ports of kernels always have their own.
    Own(Vec<Spot>),
    /// An output port that writes straight into the buffers of the one input port it is connected
    /// to: a connection through shared memory, without DMA or net.
    Shared,
}

/// A PLIO channel or shim DMA channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ShimSpot {
    /// Column of the interface row.
    pub column: u16,
    /// PLIO: the channel, which is also the South port of the shim switch. GMIO: the shim DMA
    /// channel (0 or 1); the device names its South port.
    pub channel: u32,
}
