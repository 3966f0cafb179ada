//! What kernels wait for.

use aiec_ir::{CollectiveId, PortId};

use crate::words::Word;

/// The event that a kernel waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// A buffer at this port.
    Port(PortId),
    /// A word of the firing at this port.
    Word(PortId, Word),
    /// The other ranks of a cascade or of streams.
    Ranks(CollectiveId),
}
