//! Items that lie in memory: stacks, and the buffers of each port, with the modules that may hold
//! them.

use aiec_device::TileId;
use aiec_ir::{KernelId, PortId};

/// Amounts of bytes, locks, buffer descriptors and DMA channels.
pub(crate) type Load = [u64; 5];

/// The content of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Stacks, heaps and sync area of a core, by the first of its kernels.
    Stack(KernelId),
    /// The buffers of a port.
    Port(PortId),
}

/// A request for memory: one part, or several equal parts that may lie in different modules.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Stack or port.
    pub(crate) what: What,
    /// Modules that every core using it reaches.
    pub(crate) modules: Vec<TileId>,
    /// Resources of one part.
    pub(crate) part: Load,
    /// Number of buffers in one part.
    pub(crate) blocks: u32,
    /// Bytes of one buffer, a multiple of the alignment.
    pub(crate) bytes: u64,
    /// The producing port, if this buffer is shared with it.
    pub(crate) shared_from: Option<PortId>,
}
