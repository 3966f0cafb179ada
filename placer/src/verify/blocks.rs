//! Checks the constraints on memory: places of buffers and stacks, and buffers apart.

use std::collections::BTreeSet;

use aiec_device::Tile;
use aiec_diag::Span;
use aiec_ir::blocks::{Anchor, Block, BlockPlace, BlockSpot, BlockTie, BuffersApart, Within};
use aiec_ir::{KernelId, PortId};

use super::Case;
use super::ledger::Stored;
use crate::placement::PortBuffers;

/// A constraint on memory that a placement breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// Where the blocks lie, and what the constraint says.
    pub(crate) what: String,
    /// Source location of the constraint.
    pub(crate) span: Span,
}

/// The spot of buffer `number` by the words of the constraint: the one of its number, or the only
/// one. An offset for several buffers is that of the first.
fn asked_of(place: &BlockPlace<KernelId, PortId>, number: usize) -> BlockSpot {
    match (place.spots.as_slice(), number) {
        (&[BlockSpot { module, within: Within::Offset(_) }], 1..) => {
            BlockSpot { module, within: Within::Module }
        }
        (&[only], _) => only,
        (all, _) => all.get(number).copied().unwrap_or(BlockSpot { module: None, within: Within::Module }),
    }
}

/// Columns and rows from one tile to another.
fn away(from: Tile, to: Tile) -> (i64, i64) {
    let between = |from: u16, to: u16| i64::from(to) - i64::from(from);
    (between(from.column, to.column), between(from.row, to.row))
}

impl Case<'_> {
    /// All constraints on memory that the blocks break.
    pub(super) fn broken(&self) -> Vec<Broken> {
        let places = self.checked.blocks.places.iter().filter_map(|place| self.misplaced(place));
        let ties = self.checked.blocks.ties.iter().filter_map(|tie| self.untied(tie));
        let apart = self.checked.blocks.apart.iter().filter_map(|group| self.not_apart(group));
        places.chain(ties).chain(apart).collect()
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

    /// The area of the stack of a kernel: one for all kernels of its core.
    fn stack(&self, kernel: KernelId) -> Vec<&Stored> {
        let tile = self.placement.kernels[kernel];
        let here = |stored: &&Stored| stored.port.is_none() && self.placement.kernels[stored.kernel] == tile;
        self.ledger.iter().filter(here).collect()
    }

    fn stored(&self, block: Block<KernelId, PortId>) -> Vec<&Stored> {
        match block {
            Block::Stack(kernel) => self.stack(kernel),
            Block::Buffers(port) => self.buffers(port),
        }
    }

    fn misplaced(&self, place: &BlockPlace<KernelId, PortId>) -> Option<Broken> {
        let stored = self.stored(place.block);
        if let Some(broken) = self.far(place, &stored) {
            return Some(broken);
        }
        let wrong = stored.iter().enumerate().find_map(|(number, block)| {
            let asked = asked_of(place, number);
            (!self.is_at(block, asked)).then_some((block, asked))
        });
        let (block, asked) = wrong?;
        let (first, last) = block.banks(self.bank());
        let (name, tile, offset) = (block.name(self.checked), block.spot.tile, block.spot.offset);
        let banks = if first == last { format!("bank {first}") } else { format!("banks {first} to {last}") };
        let what = format!("{name} lies at {tile} offset {offset} in {banks}, but the design says {asked}");
        Some(Broken { what, span: place.span })
    }

    /// A block that is not at the stated distance from the core of its kernel.
    fn far(&self, place: &BlockPlace<aiec_ir::KernelId, PortId>, stored: &[&Stored]) -> Option<Broken> {
        let kernel = match place.block {
            Block::Stack(kernel) => kernel,
            Block::Buffers(port) => self.checked.kernel_of(port)?,
        };
        let (columns, rows) = place.beside?;
        let core = self.placement.kernels[kernel];
        let block = stored.iter().find(|block| away(core, block.spot.tile) != (columns, rows))?;
        let (name, tile, owner) =
            (block.name(self.checked), block.spot.tile, &self.checked.kernels[kernel].name);
        let what = format!(
            "{name} lies at {tile} and `{owner}` at {core}, but the design says {columns} columns and {rows} rows away"
        );
        Some(Broken { what, span: place.span })
    }

    /// A block that is not at the stated distance from another one, or from a core.
    fn untied(&self, tie: &BlockTie<KernelId, PortId>) -> Option<Broken> {
        let anchors: Vec<(Tile, String)> = match tie.from {
            Anchor::Core(kernel) => {
                vec![(self.placement.kernels[kernel], format!("`{}`", self.checked.kernels[kernel].name))]
            }
            Anchor::Block(block) => {
                let all = self.stored(block).into_iter();
                all.map(|block| (block.spot.tile, block.name(self.checked))).collect()
            }
        };
        let (columns, rows) = (tie.columns, tie.rows);
        let wrong = self.stored(tie.block).into_iter().find_map(|block| {
            let is_off = |&&(from, _): &&(Tile, String)| away(from, block.spot.tile) != (columns, rows);
            Some((block, anchors.iter().find(is_off)?))
        });
        let (block, (from, anchor)) = wrong?;
        let (name, tile) = (block.name(self.checked), block.spot.tile);
        let what = format!(
            "{name} lies at {tile} and {anchor} at {from}, but the design says {columns} columns and {rows} rows away"
        );
        Some(Broken { what, span: tie.span })
    }

    /// True if a block lies in a spot.
    fn is_at(&self, block: &Stored, asked: BlockSpot) -> bool {
        let Tile { column, row } = block.spot.tile;
        let here = (i64::from(column), i64::from(row));
        if asked.module.is_some_and(|module| module != here) {
            return false;
        }
        let (first, last) = block.banks(self.bank());
        match asked.within {
            Within::Module => true,
            Within::Bank(bank) => first == u64::from(bank) && (first == last || block.bytes > self.bank()),
            Within::Offset(offset) => block.spot.offset == offset,
        }
    }

    fn not_apart(&self, group: &BuffersApart<PortId>) -> Option<Broken> {
        let used = |port: PortId| -> BTreeSet<(Tile, u64)> {
            let all = self.buffers(port).into_iter();
            all.flat_map(|stored| {
                let (first, last) = stored.banks(self.bank());
                (first..=last).map(|bank| (stored.spot.tile, bank))
            })
            .collect()
        };
        let banks: Vec<(PortId, BTreeSet<(Tile, u64)>)> =
            group.ports.iter().map(|&port| (port, used(port))).collect();
        let common = banks.iter().enumerate().find_map(|(at, (a, one))| {
            let later = banks[at + 1..].iter();
            later.clone().find_map(|(b, other)| Some((*a, *b, *one.intersection(other).next()?)))
        });
        let (a, b, (tile, bank)) = common?;
        let [a, b] = [a, b].map(|port| self.checked.port_name(port));
        let what = format!(
            "`{a}` and `{b}` both use bank {bank} of the module at {tile}, but the design says `apart`"
        );
        Some(Broken { what, span: group.span })
    }
}
