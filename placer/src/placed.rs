//! A verified placement, the input of routing.

use aiec_check::Checked;
use aiec_ir::{ConnectionId, PortId};

use crate::placement::{Placement, PortBuffers};

/// A placement in which every limit of the device holds for the design it was verified against.
///
/// Only [`verify`](crate::verify()) makes one.
#[derive(Clone, Debug)]
pub struct Placed(pub(crate) Placement);

impl Placed {
    /// True if `connection` goes through shared memory, without DMA or net.
    pub fn is_shared(&self, checked: &Checked, connection: ConnectionId) -> bool {
        self.is_shared_port(checked.connections[connection].from)
    }

    /// True if the producing port `from` writes straight into its consumer's buffers.
    pub fn is_shared_port(&self, from: PortId) -> bool {
        self.buffers[from] == PortBuffers::Shared
    }
}

impl std::ops::Deref for Placed {
    type Target = Placement;
    fn deref(&self) -> &Placement {
        &self.0
    }
}
