//! Cascade streams: from each core to the next one along the snake.

use aiec_diag::Span;

use crate::ids::{CollectiveId, ConnectionId, KernelId};

/// A cascade stream from one core to the next one along the cascade (AM009). It has no window,
/// buffer, lock or net. That of a collective is the kernel's last port of its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cascade {
    /// The kernel that writes.
    pub from: KernelId,
    /// The kernel that reads.
    pub to: KernelId,
    /// The construct that made the stream.
    pub origin: CascadeOrigin,
    /// Source location of the construct that made the stream.
    pub span: Span,
}

/// The construct that made a cascade stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CascadeOrigin {
    /// The links of a collective of shape `cascade`. They have no ports.
    Collective(CollectiveId),
    /// A connection of the user between two ports that carry a cascade.
    Connection(ConnectionId),
}
