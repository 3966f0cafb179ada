//! Connections as written: between selections of ports.

use aiec_collectives::Buffering;
use aiec_diag::{Span, Spanned};

use crate::fifos::{FifoMemory, FifoPlace};
use crate::ids::{CollectiveId, ExternalFamilyId, FamilyId, SubgraphId};
use crate::ways::Border;

/// A node of the design's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A kernel family.
    Family(FamilyId),
    /// An input or output.
    External(ExternalFamilyId),
    /// A collective, with the ports `result` (0) and `cycles` (1).
    Collective(CollectiveId),
}

/// The kinds of [`PacketSwitch`](crate::expanded::PacketSwitch).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchKind {
    /// Each packet goes to the branch that its id names.
    Split,
    /// Packets of all branches follow each other in any order.
    Merge,
    /// Packets of the branches follow each other in the order of the branches.
    OrderedMerge,
}

impl SwitchKind {
    /// The word for it: `split` or `merge`.
    pub const fn word(self) -> &'static str {
        if matches!(self, Self::Split) { "split" } else { "merge" }
    }

    /// The vendor's class (UG1079, "Explicit Packet Switching").
    pub const fn class(self) -> &'static str {
        match self {
            Self::Split => "pktsplit",
            Self::Merge => "pktmerge",
            Self::OrderedMerge => "pktorderedmerge",
        }
    }
}

/// A connection between selections of ports.
///
/// Both select the same number of ports, which are connected one by one, or `from` selects one
/// port, which is broadcast to all of `to`.
#[derive(Clone, Debug)]
pub struct Link {
    /// The producing ports, of several nodes if they belong to several instances of a component.
    pub from: Vec<Selection>,
    /// The consuming ports, each fed by one producing port.
    pub to: Vec<Selection>,
    /// Buffers of each connection.
    pub buffering: Buffering,
    /// Source location of the word behind `buffer`, if the `connect` states it.
    pub buffer: Option<Span>,
    /// FIFO words of each connection.
    pub fifo: Option<Spanned<u32>>,
    /// The places of that FIFO; empty when the design states none.
    pub fifo_places: Vec<FifoPlace>,
    /// What is to hold that FIFO, if the design says it without a place.
    pub fifo_memory: Option<FifoMemory>,
    /// Source location of the whole `fifo`, if the `connect` states it.
    pub fifo_span: Option<Span>,
    /// The split or merge of packets that the connections are branches of.
    pub switch: Option<SwitchKind>,
    /// The number of the first branch of a split; the others follow it. 0 for all other links.
    pub first: u32,
    /// Source location of that number, where the design states it.
    pub first_span: Option<Span>,
    /// The instance of a component whose text has the `connect`. None when it is the design itself.
    pub level: Option<SubgraphId>,
    /// The ports of components between the ends of each connection; behind them those of the trunk
    /// of a split or merge. Empty when no way passes one.
    pub borders: Vec<Vec<Border>>,
    /// The instance of a component whose text states the FIFO. None when it is the design itself.
    pub fifo_level: Option<SubgraphId>,
    /// Source location of the `connect`.
    pub span: Span,
}

/// The same ports of one or more instances of a node.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The family, input, output or collective.
    pub node: Node,
    /// The ports: indices into a family's ports, [`PORTS`](crate::design::Collective::PORTS), or 0
    /// for inputs and outputs. Never empty; all ports of one instance come before those of the
    /// next.
    pub ports: Vec<u32>,
    /// Row-major indices of the instances, never empty; `[0]` for a collective.
    pub instances: Vec<u32>,
    /// True if the kernel acquires and releases the window itself.
    pub asynchronous: bool,
    /// Windows that the kernel acquires in one run, at least 1. None when the design does not state
    /// it.
    pub windows: Option<Spanned<u32>>,
    /// Words of FIFO at this end alone, besides those of the link: at a branch of a split or merge
    /// of an ADF graph.
    pub fifo: Option<Spanned<u32>>,
    /// Source location of the reference.
    pub span: Span,
}

impl Selection {
    /// Every selected port: the index of its instance, and that of the port.
    pub fn ends(&self) -> impl Iterator<Item = (&u32, &u32)> {
        self.instances.iter().flat_map(|instance| self.ports.iter().map(move |port| (instance, port)))
    }

    /// Number of selected ports.
    pub fn count(&self) -> usize {
        self.instances.len() * self.ports.len()
    }
}

/// Where the parts of a `connect` stand in the text. All spans of a connection of a collective are
/// those of the collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The reference at the producing end.
    pub from: Span,
    /// The reference at the consuming end.
    pub to: Span,
    /// The word behind `buffer`, if it is written.
    pub buffer: Option<Span>,
    /// The whole `fifo`, if it is written.
    pub fifo: Option<Span>,
}

/// Windows that the kernels of a `connect` acquire in one run. Only asynchronous ends state it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// At the producing end.
    pub from: Option<Spanned<u32>>,
    /// At the consuming end.
    pub to: Option<Spanned<u32>>,
}
