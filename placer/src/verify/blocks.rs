//! Checks the constraints on memory: places of buffers and stacks, and buffers apart.

use std::collections::BTreeSet;

use aiec_device::Tile;
use aiec_diag::Span;
use aiec_ir::blocks::{Anchor, Block, BlockPlace, BlockSpot, OneBank, Within};
use aiec_ir::{KernelId, PortId};

use super::Case;
use super::ledger::Stored;
use crate::placement::{Bank, PortBuffers};

/// A constraint on memory that a placement breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// Where the blocks lie, and what the constraint says.
    pub(crate) what: String,
    /// Source location of the constraint.
    pub(crate) span: Span,
}

impl Case<'_> {
    /// All constraints on memory that the blocks break.
    pub(super) fn broken_blocks(&self) -> Vec<Broken> {
        let places = self.checked.blocks.places.iter();
        let far = |place: &BlockPlace<KernelId, PortId>| {
            let kernel = self.checked.kernel_of_block(place.block)?;
            self.off(place.block, Anchor::Core(kernel), Some(place.beside?), place.span)
        };
        let places = places.filter_map(|place| far(place).or_else(|| self.misplaced(place)));
        let ties = self.checked.blocks.ties.iter();
        let ties = ties.filter_map(|tie| self.off(tie.block, tie.from, tie.distance, tie.span));
        let parted = self.checked.blocks.one_bank.iter().filter_map(|both| self.parted(both));
        let apart = self.checked.blocks.in_no_bank().filter_map(|(both, span)| self.not_apart(both, span));
        places.chain(ties).chain(parted).chain(apart).collect()
    }

    /// Bytes of a bank.
    fn bank(&self) -> u64 {
        u64::from(self.device.memory.bank_bytes()).max(1)
    }

    /// The buffers that a port uses: its own, or those of the consumer that it shares.
    fn buffers(&self, port: PortId) -> Vec<&Stored> {
        let used = match &self.placement.buffers[port] {
            PortBuffers::Shared => {
                let wires = self.checked.ports[port].connections.iter();
                wires.map(|&wire| self.checked.connections[wire].to).next().unwrap_or(port)
            }
            PortBuffers::Own(_) | PortBuffers::None => port,
        };
        let of_port = |stored: &&Stored| stored.port == Some(used) && !stored.is_selector();
        self.ledger.iter().filter(of_port).collect()
    }

    /// The blocks in memory. A kernel has the stack area of its core, as all kernels there.
    fn stored(&self, block: Block<KernelId, PortId>) -> Vec<&Stored> {
        match block {
            Block::Buffers(port) => self.buffers(port),
            Block::Stack(kernel) => {
                let is_here =
                    |stored: &&Stored| stored.port.is_none() && self.tile(stored.kernel) == self.tile(kernel);
                self.ledger.iter().filter(is_here).collect()
            }
        }
    }

    /// A block that is not in its stated module, bank or offset.
    fn misplaced(&self, place: &BlockPlace<KernelId, PortId>) -> Option<Broken> {
        let mut stored = self.stored(place.block).into_iter().zip((0..).map(|number| place.spot_of(number)));
        let (block, asked) = stored.find(|(block, asked)| !self.is_at(block, *asked))?;
        let (first, last) = block.banks(self.bank());
        let (name, tile, offset) = (block.name(self.checked), block.spot.tile, block.spot.offset);
        let banks = if first == last { format!("bank {first}") } else { format!("banks {first} to {last}") };
        let what = format!("{name} lies at {tile} offset {offset} in {banks}, but the design says {asked}");
        Some(Broken { what, span: place.span })
    }

    /// A module of `block` that is not at the stated distance from a module of `from`, or, without
    /// one, is a module of `from`.
    fn off(
        &self,
        block: Block<KernelId, PortId>,
        from: Anchor<KernelId, PortId>,
        distance: Option<(i64, i64)>,
        span: Span,
    ) -> Option<Broken> {
        let name = |stored: &Stored| stored.name(self.checked);
        let anchors: Vec<(Tile, String)> = match from {
            Anchor::Core(kernel) => vec![(self.tile(kernel), format!("`{}`", self.name(kernel)))],
            Anchor::Block(other) => {
                self.stored(other).into_iter().map(|other| (other.spot.tile, name(other))).collect()
            }
        };
        let (block, (from, anchor)) = self.stored(block).into_iter().find_map(|block| {
            let is_there = |from: Tile| from.steps_to(block.spot.tile) == distance.unwrap_or_default();
            let is_off = |(from, _): &&(Tile, String)| is_there(*from) == distance.is_none();
            Some((block, anchors.iter().find(is_off)?))
        })?;
        let (name, tile) = (name(block), block.spot.tile);
        let away = |(columns, rows)| format!("{columns} columns and {rows} rows away");
        let asked = distance.map_or("another module".to_owned(), away);
        let what = format!("{name} lies at {tile} and {anchor} at {from}, but the design says {asked}");
        Some(Broken { what, span })
    }

    /// True if a block lies in a spot.
    fn is_at(&self, block: &Stored, asked: BlockSpot) -> bool {
        let (first, last) = block.banks(self.bank());
        let is_within = match asked.within {
            Within::Module => true,
            Within::Bank(bank) => first == u64::from(bank) && (first == last || block.bytes > self.bank()),
            Within::Offset(offset) => block.spot.offset == offset,
        };
        is_within && asked.module.is_none_or(|module| module == block.spot.tile.position())
    }

    /// Blocks of one bank that have no bank in common: ping and ping, or pong and pong.
    fn parted(&self, both: &OneBank<KernelId, PortId>) -> Option<Broken> {
        let [some, others] = both.blocks.map(|block| self.stored(block));
        let is_parted =
            |(a, b): &(&Stored, &Stored)| a.in_banks(self.bank()).is_disjoint(&b.in_banks(self.bank()));
        let (a, b) = some.into_iter().zip(others).find(is_parted)?;
        let [a, b] = [a, b].map(|block| block.name(self.checked));
        let what = format!("{a} and {b} lie in different banks, but the design says one bank");
        Some(Broken { what, span: both.span })
    }

    /// Two blocks that use one bank and must not.
    fn not_apart(&self, both: [Block<KernelId, PortId>; 2], span: Span) -> Option<Broken> {
        let [a, b] = both.map(|block| -> BTreeSet<Bank> {
            self.stored(block).into_iter().flat_map(|stored| stored.in_banks(self.bank())).collect()
        });
        let (tile, bank) = a.intersection(&b).next()?;
        let [a, b] = both.map(|block| self.checked.block_name(block));
        let what =
            format!("{a} and {b} both use bank {bank} of the module at {tile}, but the design says `apart`");
        Some(Broken { what, span })
    }
}
