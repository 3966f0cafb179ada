//! Placement constraints on memory: where the buffers of a port or a stack lie, and buffers that
//! share no bank.
//!
//! Kernels have type `K` and ports type `P`: instances of families in a [`Design`](crate::Design),
//! ids in an [`Expanded`](crate::Expanded). Nothing is checked here. The meaning of each, for the
//! search and for its checker:
//!
//! * a [`BlockPlace`]: the block lies in the stated modules, banks and offsets (the vendor's
//!   `location<buffer>`, `location<parameter>` and `location<stack>`), or in the module at the
//!   stated distance from the kernel's core. The buffers of a port are those that it uses. Where
//!   two kernels share buffers, these are the consumer's.
//! * a [`BlockTie`]: each module of the block lies at the stated distance from the core, or from
//!   each module of the other block (the vendor's `location<parameter>(a) =
//!   location<parameter>(b)`), or is another than that of the core (the vendor's
//!   `not_colocated_nodes` of a port, UG1079, "Not Colocated Nodes Constraint");
//! * [`OneBank`]: buffer by buffer, two blocks have a bank in common (the vendor's
//!   `location<buffer>(a) = location<buffer>(b)`, UG1079, "Mapping Constraints", and
//!   `colocated_ports`), or, in `no_bank`, no bank holds parts of both (the vendor's
//!   `not_colocated_reserved_memories` of a port);
//! * [`BuffersApart`]: no bank holds buffers of two of the ports (the vendor's `not_equal`, UG1079,
//!   "Buffer Allocation Control"). Ports that share their buffers with each other break it.

use std::fmt;

use aiec_diag::Span;

use crate::constraints::pairs;

/// The constraints on memory of a design, each list in source order.
#[derive(Clone, Debug)]
pub struct Blocks<K, P> {
    /// `place k.x at (column, row) bank 1`, `place k.stack at (column, row) offset 0`
    pub places: Vec<BlockPlace<K, P>>,
    /// Blocks that follow a core or another block. Graphs alone have them.
    pub ties: Vec<BlockTie<K, P>>,
    /// Blocks in one bank. Graphs alone have them.
    pub one_bank: Vec<OneBank<K, P>>,
    /// Blocks that share no bank, a stack among them. Graphs alone have them.
    pub no_bank: Vec<OneBank<K, P>>,
    /// `apart a.x, b.y`
    pub apart: Vec<BuffersApart<P>>,
}

/// Two blocks in one bank: ping with ping, and pong with pong. A single buffer or stack lies with
/// the first buffer of the other block. In `no_bank`, two blocks that share none.
#[derive(Clone, Copy, Debug)]
pub struct OneBank<K, P> {
    /// Stacks or buffers, in the order written.
    pub blocks: [Block<K, P>; 2],
    /// Source location of the statement.
    pub span: Span,
}

/// A block whose module follows from the place of something else, or differs from it.
#[derive(Clone, Copy, Debug)]
pub struct BlockTie<K, P> {
    /// Stack or buffers that follow.
    pub block: Block<K, P>,
    /// The core, or the modules of another block, that they follow.
    pub from: Anchor<K, P>,
    /// Columns to the east and rows to the north. None for any other module than that of `from`.
    pub distance: Option<(i64, i64)>,
    /// Source location of the statement.
    pub span: Span,
}

/// What a block follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchor<K, P> {
    /// The core of a kernel.
    Core(K),
    /// The modules of a block.
    Block(Block<K, P>),
}

impl<K, P> Block<K, P> {
    /// The same block with other names. Returns None when it has none.
    fn map<L, Q>(
        &self,
        kernel: &impl Fn(&K) -> Option<L>,
        port: &impl Fn(&P) -> Option<Q>,
    ) -> Option<Block<L, Q>> {
        Some(match self {
            Self::Stack(owner) => Block::Stack(kernel(owner)?),
            Self::Buffers(of) => Block::Buffers(port(of)?),
        })
    }
}

/// What a constraint places in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Block<K, P> {
    /// Stack, heap and sync area of the kernel's core.
    Stack(K),
    /// The buffers of a port.
    Buffers(P),
}

/// A block in memory.
#[derive(Clone, Debug)]
pub struct BlockPlace<K, P> {
    /// Stack or buffers that the place is for.
    pub block: Block<K, P>,
    /// Where it lies: one spot for all buffers of a port, or one for each in order.
    pub spots: Vec<BlockSpot>,
    /// Columns to the east and rows to the north from the core of the block's kernel to the module.
    /// None when the distance does not matter.
    pub beside: Option<(i64, i64)>,
    /// Source location of the `place`.
    pub span: Span,
}

/// A position in memory, as far as a constraint states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSpot {
    /// Column and core row of the module as written. None when any module in reach will do (the
    /// vendor's `offset`).
    pub module: Option<(i64, i64)>,
    /// The position in that module.
    pub within: Within,
}

/// A position in a module, as far as a constraint states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Within {
    /// Anywhere.
    Module,
    /// In the bank of this number (the vendor's `bank`).
    Bank(u32),
    /// At this offset, in bytes from the start of the module (the vendor's `address` and `offset`).
    Offset(u32),
}

impl Within {
    /// The bank of `bank_bytes` bytes in which a block there begins. None anywhere.
    pub const fn bank(self, bank_bytes: u32) -> Option<u32> {
        match self {
            Self::Module => None,
            Self::Bank(bank) => Some(bank),
            Self::Offset(offset) => offset.checked_div(bank_bytes),
        }
    }
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
        let Self { places, ties, one_bank, no_bank, apart } = self;
        places.is_empty() && ties.is_empty() && one_bank.is_empty() && no_bank.is_empty() && apart.is_empty()
    }

    /// Every pair of blocks that share no bank, with the source location of its statement.
    pub fn in_no_bank(&self) -> impl Iterator<Item = ([Block<K, P>; 2], Span)>
    where
        K: Copy,
        P: Copy,
    {
        let of_ports = |group: &BuffersApart<P>| -> Vec<([Block<K, P>; 2], Span)> {
            group.pairs().map(|(&a, &b)| ([a, b].map(Block::Buffers), group.span)).collect()
        };
        let ports = self.apart.iter().flat_map(of_ports);
        ports.chain(self.no_bank.iter().map(|both| (both.blocks, both.span)))
    }

    /// The same constraints with other names. Leaves out what has none.
    pub fn map<L, Q>(
        &self,
        kernel: impl Fn(&K) -> Option<L>,
        port: impl Fn(&P) -> Option<Q>,
    ) -> Blocks<L, Q> {
        let place = |place: &BlockPlace<K, P>| {
            let block = place.block.map(&kernel, &port)?;
            Some(BlockPlace { block, spots: place.spots.clone(), beside: place.beside, span: place.span })
        };
        let tie = |tie: &BlockTie<K, P>| {
            let from = match &tie.from {
                Anchor::Core(owner) => Anchor::Core(kernel(owner)?),
                Anchor::Block(block) => Anchor::Block(block.map(&kernel, &port)?),
            };
            let BlockTie { distance, span, .. } = *tie;
            Some(BlockTie { block: tie.block.map(&kernel, &port)?, from, distance, span })
        };
        let one_bank = |both: &OneBank<K, P>| {
            let [a, b] = &both.blocks;
            Some(OneBank { blocks: [a.map(&kernel, &port)?, b.map(&kernel, &port)?], span: both.span })
        };
        let apart = |group: &BuffersApart<P>| BuffersApart {
            ports: group.ports.iter().filter_map(&port).collect(),
            span: group.span,
        };
        Blocks {
            places: self.places.iter().filter_map(place).collect(),
            ties: self.ties.iter().filter_map(tie).collect(),
            one_bank: self.one_bank.iter().filter_map(one_bank).collect(),
            no_bank: self.no_bank.iter().filter_map(one_bank).collect(),
            apart: self.apart.iter().map(apart).collect(),
        }
    }
}

impl<K, P> BlockPlace<K, P> {
    /// The position of buffer `number`. One spot holds for all buffers; an offset in it only for
    /// the first, since the others cannot lie there too.
    pub fn spot_of(&self, number: usize) -> BlockSpot {
        let nowhere = BlockSpot { module: None, within: Within::Module };
        let first = self.spots.first().copied().unwrap_or(nowhere);
        match (self.spots.get(number), first.within) {
            (Some(&own), _) => own,
            (None, _) if self.spots.len() > 1 => nowhere,
            (None, Within::Offset(_)) => BlockSpot { within: Within::Module, ..first },
            (None, _) => first,
        }
    }

    /// The modules that it states, without repetition, in order.
    pub fn modules(&self) -> Vec<(i64, i64)> {
        let mut modules: Vec<(i64, i64)> = self.spots.iter().filter_map(|spot| spot.module).collect();
        modules.sort_unstable();
        modules.dedup();
        modules
    }
}

impl BlockSpot {
    /// True if no position is both, as far as they are stated.
    pub fn differs(self, other: Self) -> bool {
        let modules = self.module.zip(other.module).is_some_and(|(one, other)| one != other);
        let within = match (self.within, other.within) {
            (Within::Bank(one), Within::Bank(other)) | (Within::Offset(one), Within::Offset(other)) => {
                one != other
            }
            _ => false,
        };
        modules || within
    }
}

impl fmt::Display for BlockSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let module = self.module.map(|(column, row)| format!("({column}, {row})"));
        let within = match self.within {
            Within::Module => None,
            Within::Bank(bank) => Some(format!("bank {bank}")),
            Within::Offset(offset) => Some(format!("offset {offset}")),
        };
        let words: Vec<String> = module.into_iter().chain(within).collect();
        f.write_str(&words.join(" "))
    }
}

impl<P> BuffersApart<P> {
    /// Every pair of the ports.
    pub fn pairs(&self) -> impl Iterator<Item = (&P, &P)> {
        pairs(&self.ports)
    }
}

impl<K, P> Default for Blocks<K, P> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            ties: Vec::new(),
            one_bank: Vec::new(),
            no_bank: Vec::new(),
            apart: Vec::new(),
        }
    }
}
