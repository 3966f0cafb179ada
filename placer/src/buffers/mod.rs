//! Offsets for the stacks and buffers of a legal state.
//!
//! Takes a [`State`] without violations. Returns the module and the offset of every stack and every
//! buffer. Where there is room, no block that fits a bank straddles two, and no two inputs of a
//! kernel share a bank (`layout.rs`). Ping and pong of a port, and inputs and outputs of a kernel,
//! are then separated as far as possible (`clash.rs`). A block without room in the banks of its
//! module moves to another module that all its cores reach (`moves.rs`), which costs no connection
//! by DMA. If no module has room, blocks stay in place: the given modules hold them in a row, or by
//! the state between the blocks whose offsets the design states.

mod clash;
mod moves;
mod parts;

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile, TileId};
use aiec_ir::blocks::Block;
use aiec_ir::{IdVec, KernelId, PortId};

use crate::layout::{self, Contents, Layout, Ruler, Stated};
use crate::options::NODES;
use crate::placement::{PortBuffers, Spot};
use crate::tiles::{Load, State};
use crate::watch::Watch;
use clash::{Blocks, Clashes};
use parts::{BlockId, Part, PartId, Parts, What};

/// Modules packed to try out moves, per part: up to four modules, and swaps with parts in each.
const TRIES: u64 = 24;

/// Assigns an offset to every stack and buffer of `state`. Shared connections stay shared. A stop
/// ends the search for better banks.
pub(crate) fn settle(
    checked: &Checked,
    device: &Device,
    state: &State<'_>,
    watch: &dyn Watch,
) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
    // Packed anew, buffers lie further apart, which leaves more banks to choose from.
    let mut anew = state.clone();
    anew.pack();
    let is_as_good = anew.violations() == 0 && anew.memory.cost() <= state.memory.cost();
    let state = if is_as_good { &anew } else { state };
    let mut spread = Spread::new(checked, device, state);
    while spread.improve(watch) {}
    spread.settle(watch);
    spread.spots(checked, state)
}

/// The contents of a module.
#[derive(Clone, Debug, Default)]
struct Held {
    parts: Vec<PartId>,
    /// The offsets of their blocks, in the order of the parts.
    layout: Layout,
}

/// The parts of a design in modules, with offsets.
struct Spread {
    ruler: Ruler,
    parts: IdVec<PartId, Part>,
    /// Bytes of each block.
    bytes: IdVec<BlockId, u64>,
    clashes: Clashes,
    /// The position of each block that the design states.
    stated: IdVec<BlockId, Stated>,
    /// Equal for blocks of one bank.
    bank_of: IdVec<BlockId, BlockId>,
    /// The module of each part.
    at: IdVec<PartId, TileId>,
    /// Free resources of each module.
    room: Vec<Load>,
    /// Contents of each module.
    held: Vec<Held>,
    /// Remaining number of modules that may be packed to try out moves.
    tries: usize,
}

impl Spread {
    fn new(checked: &Checked, device: &Device, state: &State<'_>) -> Self {
        let Parts { parts, bytes, at, room } = Parts::of(checked, state);
        let mut blocks = Blocks::new();
        let mut held = vec![Held::default(); room.len()];
        for (number, part) in parts.enumerate() {
            match part.what {
                What::Stack(kernel) => {
                    let members = state.on(state.tiles[kernel]).iter();
                    blocks.extend(members.map(|&member| (Block::Stack(member), part.blocks.clone())));
                }
                What::Port(port) => {
                    blocks.entry(Block::Buffers(port)).or_default().extend(part.buffers());
                }
                What::Fifo(_) => {}
            }
            held[at[number].index()].parts.push(number);
        }
        let clashes = Clashes::new(checked, &blocks);
        let bank_of = clash::one_bank(checked, &blocks, bytes.ids());
        let (ruler, tries) = (Ruler::of(device), TRIES as usize * parts.len());
        let mut stated = stated_spots(state, &parts);
        let bank = |known: &Stated| known.bank.or(known.at.map(|at| (at / ruler.bank) as usize));
        for block in bytes.ids() {
            let others = stated.enumerate().filter(|(other, _)| bank_of[*other] == bank_of[block]);
            stated[block].bank =
                bank(&stated[block]).or_else(|| others.filter_map(|(_, known)| bank(known)).next());
        }
        let mut spread = Self { ruler, parts, bytes, clashes, stated, bank_of, at, room, held, tries };
        for module in state.problem.grid.ids() {
            let parts = spread.held[module.index()].parts.clone();
            spread.held[module.index()] = spread.packed(parts, u64::MAX, NODES).unwrap_or_default();
        }
        spread
    }

    /// Packs these parts into a module. Returns None when that costs at least `limit`.
    fn packed(&self, parts: Vec<PartId>, limit: u64, nodes: u64) -> Option<Held> {
        let blocks: Vec<BlockId> = self.blocks_of(&parts).map(|(_, block)| block).collect();
        // Blocks of one bank lie in a row, as one, if the design states no offset of them.
        let is_free = |block: BlockId| self.stated[block].at.is_none();
        let key =
            |block: BlockId| if is_free(block) { (None, self.bank_of[block]) } else { (Some(block), block) };
        let mut rows: BTreeMap<_, Vec<BlockId>> = BTreeMap::new();
        blocks.iter().for_each(|&block| rows.entry(key(block)).or_default().push(block));
        let between = |a: &[BlockId], b: &[BlockId]| {
            let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
            pairs.map(|(a, b)| self.clashes.between(a, b)).sum()
        };
        let clash = |a: &Vec<BlockId>| rows.values().map(|b| between(a, b)).collect();
        let bytes = |row: &[BlockId]| row.iter().map(|&block| self.bytes[block]).sum();
        let contents = Contents {
            bytes: rows.values().map(|row| bytes(row)).collect(),
            clash: rows.values().map(clash).collect(),
            stated: rows.values().map(|row| self.stated[row[0]]).collect(),
        };
        let Layout { cost, starts } = layout::pack(self.ruler, &contents, limit, nodes)?;
        let start = |block: &BlockId| {
            let (row, begin) = rows.values().zip(&starts).find(|(row, _)| row.contains(block))?;
            Some(begin + bytes(row.split(|one| one == block).next()?))
        };
        Some(Held { layout: Layout { cost, starts: blocks.iter().filter_map(start).collect() }, parts })
    }

    /// Searches longer for offsets in modules with a cost, as long as all tries of a part. Then
    /// moves stacks to the ends of their banks, as in public mapping reports: a stack that
    /// overflows leaves the bank instead of overwriting a buffer in it.
    fn settle(&mut self, watch: &dyn Watch) {
        for module in (0..self.held.len()).map(|at| TileId(at as u16)) {
            let Held { parts, layout } = &self.held[module.index()];
            let nodes = if watch.stopped() { NODES } else { NODES * TRIES };
            if let Some(better) = self.packed(parts.clone(), layout.cost, nodes) {
                self.held[module.index()] = better;
            }
            self.push_stacks(module);
        }
    }

    /// Moves the stacks of a module to the ends of their banks, and blocks behind them to the left.
    fn push_stacks(&mut self, module: TileId) {
        let Held { parts, layout } = &self.held[module.index()];
        if self.blocks_of(parts).any(|(_, block)| self.stated[block].at.is_some()) {
            return;
        }
        let is_stack = |part: PartId| matches!(self.parts[part].what, What::Stack(_));
        let blocks = self.blocks_of(parts).map(|(part, block)| (self.bytes[block], is_stack(part)));
        let starts = self.ruler.with_last(&blocks.collect::<Vec<_>>(), &layout.starts);
        self.held[module.index()].layout.starts = starts;
    }

    /// The blocks of `parts`, each with its part.
    fn blocks_of<'a>(&'a self, parts: &'a [PartId]) -> impl Iterator<Item = (PartId, BlockId)> + 'a {
        parts.iter().flat_map(|&part| self.parts[part].blocks.iter().map(move |&block| (part, block)))
    }

    /// Stacks and buffers with their offsets.
    fn spots(
        &self,
        checked: &Checked,
        state: &State<'_>,
    ) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
        let mut start: IdVec<BlockId, u64> = IdVec::filled(0, self.bytes.len());
        for Held { parts, layout } in &self.held {
            let blocks = self.blocks_of(parts).zip(&layout.starts);
            blocks.for_each(|((_, block), &offset)| start[block] = offset);
        }
        let nowhere = Spot { tile: Tile::new(0, 0), offset: 0 };
        let mut stacks: IdVec<KernelId, Spot> = checked.kernels.ids().map(|_| nowhere).collect();
        let mut buffers: IdVec<PortId, PortBuffers> =
            checked.ports.ids().map(|_| PortBuffers::None).collect();
        for (part, &module) in self.parts.iter().zip(self.at.iter()) {
            let tile = state.problem.grid.tile(module);
            let offsets = part.blocks.iter().map(|&block| u32::try_from(start[block]).unwrap_or(u32::MAX));
            for spot in offsets.map(|offset| Spot { tile, offset }) {
                match part.what {
                    What::Stack(kernel) => {
                        state.on(state.tiles[kernel]).iter().for_each(|&member| stacks[member] = spot);
                    }
                    What::Port(port) => match &mut buffers[port] {
                        PortBuffers::Own(spots) => spots.push(spot),
                        none => *none = PortBuffers::Own(vec![spot]),
                    },
                    What::Fifo(_) => {}
                }
            }
        }
        let ports = &state.problem.needs.ports;
        let shared = ports.enumerate().filter(|&(slot, _)| state.memory.of(slot).shared);
        for (producer, _) in shared.filter_map(|(_, need)| need.peer) {
            buffers[ports[producer].port] = PortBuffers::Shared;
        }
        (stacks, buffers)
    }
}

/// The bank and the offset of each block of `parts` that the design states.
fn stated_spots(state: &State<'_>, parts: &IdVec<PartId, Part>) -> IdVec<BlockId, Stated> {
    let needs = &state.problem.needs;
    let mut spots = Vec::new();
    let mut before: BTreeMap<PortId, usize> = BTreeMap::new();
    for part in parts.iter() {
        let (first, stated) = match part.what {
            What::Stack(kernel) => (0, vec![needs.stated_stack(state.on(state.tiles[kernel]))]),
            What::Fifo(at) => (0, vec![Stated { bank: None, at: Some(at.into()) }]),
            What::Port(port) => {
                let first = before.entry(port).or_default();
                *first += part.blocks.len();
                let slot = needs.slots[port];
                let stated = slot.map(|slot| needs.stated(slot, state.memory.of(slot).shared));
                (*first - part.blocks.len(), stated.unwrap_or_default().to_vec())
            }
        };
        let of = |number: usize| stated.get(number).copied().unwrap_or_default();
        spots.extend((first..first + part.buffers().len()).map(of));
        // A selector word may lie anywhere.
        spots.extend(part.selector.then_some(Stated::default()));
    }
    spots.into_iter().collect()
}
