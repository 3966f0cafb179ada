//! Placement constraints on memory: where the buffers of a port or a stack lie, and buffers that
//! share no bank.
//!
//! Kernels have type `K` and ports type `P`: instances of families in a [`Design`](crate::Design),
//! ids in an [`Expanded`](crate::Expanded). Nothing is checked here. The meaning of each, for the
//! search and for its checker:
//!
//! * a [`BlockPlace`]: the block lies in the module of the tile (the vendor's `location<buffer>`,
//!   `location<parameter>` and `location<stack>`), and in the stated banks. The buffers of a port
//!   are those that it uses. Where two kernels share buffers, these are the consumer's.
//! * [`BuffersApart`]: no bank holds buffers of two of the ports (the vendor's `not_equal`, UG1079,
//!   "Buffer Allocation Control"). Ports that share their buffers with each other break it.

use aiec_diag::Span;

/// The constraints on memory of a design, each list in source order.
#[derive(Clone, Debug)]
pub struct Blocks<K, P> {
    /// `place k.x at (column, row)` and `place k.stack at (column, row)`
    pub places: Vec<BlockPlace<K, P>>,
    /// `apart a.x, b.y`
    pub apart: Vec<BuffersApart<P>>,
}

/// What a constraint places in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Block<K, P> {
    /// Stack, heap and sync area of the kernel's core.
    Stack(K),
    /// The buffers of a port.
    Buffers(P),
}

/// A block in a memory module.
#[derive(Clone, Debug)]
pub struct BlockPlace<K, P> {
    /// The block.
    pub block: Block<K, P>,
    /// The column of the module as written.
    pub column: i64,
    /// The core row of the module as written.
    pub row: i64,
    /// Banks of the module: none, one for all buffers, or one for each buffer.
    pub banks: Vec<u32>,
    /// Source location of the `place`.
    pub span: Span,
}

/// Ports whose buffers share no bank.
#[derive(Clone, Debug)]
pub struct BuffersApart<P> {
    /// The ports, in the order written.
    pub ports: Vec<P>,
    /// Source location of the `apart`.
    pub span: Span,
}

impl<K, P> Blocks<K, P> {
    /// True if the design has no such constraint.
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty() && self.apart.is_empty()
    }

    /// The same constraints with other names. Leaves out what has none.
    pub fn map<L, Q>(
        &self,
        kernel: impl Fn(&K) -> Option<L>,
        port: impl Fn(&P) -> Option<Q>,
    ) -> Blocks<L, Q> {
        let place = |place: &BlockPlace<K, P>| {
            let block = match &place.block {
                Block::Stack(owner) => Block::Stack(kernel(owner)?),
                Block::Buffers(of) => Block::Buffers(port(of)?),
            };
            let BlockPlace { column, row, span, .. } = *place;
            Some(BlockPlace { block, column, row, banks: place.banks.clone(), span })
        };
        let apart = |group: &BuffersApart<P>| BuffersApart {
            ports: group.ports.iter().filter_map(&port).collect(),
            span: group.span,
        };
        Blocks {
            places: self.places.iter().filter_map(place).collect(),
            apart: self.apart.iter().map(apart).collect(),
        }
    }
}

impl<K, P> BlockPlace<K, P> {
    /// The bank of buffer `number`. Returns None when any bank will do.
    pub fn bank_of(&self, number: usize) -> Option<u32> {
        self.banks.get(number).or(self.banks.first()).copied()
    }
}

impl<P> BuffersApart<P> {
    /// Every pair of the ports.
    pub fn pairs(&self) -> impl Iterator<Item = (&P, &P)> {
        self.ports.iter().enumerate().flat_map(|(at, a)| self.ports[at + 1..].iter().map(move |b| (a, b)))
    }
}

impl<K, P> Default for Blocks<K, P> {
    fn default() -> Self {
        Self { places: Vec::new(), apart: Vec::new() }
    }
}
