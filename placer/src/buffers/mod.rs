//! Offsets for the stacks and buffers of a legal state.
//!
//! Takes a [`State`] without violations. Returns the module and the offset of every stack and every
//! buffer. Where there is room, no block that fits a bank straddles two, and no two inputs of a
//! kernel share a bank (`layout.rs`). Ping and pong of a port, and inputs and outputs of a kernel,
//! are then separated as far as possible (`clash.rs`). A block without room in the banks of its
//! module moves to another module that all its cores reach (`moves.rs`), which costs no connection
//! by DMA. If no module has room, blocks stay in place: the given modules always hold them.

mod clash;
mod layout;
mod moves;
mod parts;

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_device::{Device, Tile, TileId};
use aiec_ir::blocks::{Block, BlockPlace, Within};
use aiec_ir::{IdVec, KernelId, PortId};

use crate::options::NODES;
use crate::placement::{PortBuffers, Spot};
use crate::tiles::{Load, SlotId, State};
use crate::verify;
use crate::watch::Watch;
use clash::Clashes;
use layout::{Contents, Layout, Ruler};
use parts::{Part, Parts, What};

/// Modules packed to try out moves, per part: a part has up to four modules, alone or with the
/// others of its port, and swaps with a few parts in each.
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
    let is_as_good = anew.memory.over() == 0 && anew.memory.cost() <= state.memory.cost();
    let state = if is_as_good { &anew } else { state };
    let mut spread = Spread::new(checked, device, state);
    while spread.improve(watch) {}
    spread.settle(watch);
    spread.spots(checked, state)
}

/// The contents of a module.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Indices of the parts.
    parts: Vec<usize>,
    /// The offsets of their blocks, in the order of the parts.
    layout: Layout,
}

/// The parts of a design in modules, with offsets.
struct Spread {
    ruler: Ruler,
    parts: Vec<Part>,
    /// Bytes of each block.
    bytes: Vec<u64>,
    clashes: Clashes,
    /// The position of each block that the design states.
    stated: Vec<Stated>,
    /// The module of each part.
    at: Vec<TileId>,
    /// Free resources of each module.
    room: Vec<Load>,
    /// Offsets and bytes that FIFOs take of each module.
    taken: Vec<Vec<(u64, u64)>>,
    /// Contents of each module.
    held: Vec<Held>,
    /// Remaining number of modules that may be packed to try out moves.
    tries: usize,
}

impl Spread {
    fn new(checked: &Checked, device: &Device, state: &State<'_>) -> Self {
        let Parts { parts, bytes, at, room } = Parts::of(checked, state);
        let mut of_port: BTreeMap<PortId, Vec<usize>> = BTreeMap::new();
        let mut stacks: BTreeMap<TileId, usize> = BTreeMap::new();
        let mut held = vec![Held::default(); room.len()];
        for (number, part) in parts.iter().enumerate() {
            match part.what {
                What::Stack(kernel) => _ = stacks.insert(state.tiles[kernel], part.blocks.start),
                What::Port(port) => of_port.entry(port).or_default().extend(part.buffers()),
            }
            held[at[number].index()].parts.push(number);
        }
        let stack_of = |kernel: KernelId| stacks.get(&state.tiles[kernel]).copied();
        let clashes = Clashes::new(checked, bytes.len(), &of_port, &stack_of);
        let stated = stated_spots(checked, state, &parts);
        let mut taken = vec![Vec::new(); room.len()];
        for fifo in verify::reserved(checked) {
            if let Some(module) = state.problem.grid.id(fifo.spot.tile) {
                taken[module.index()].push((u64::from(fifo.spot.offset), fifo.bytes));
            }
        }
        let (ruler, tries) = (Ruler::of(device), TRIES as usize * parts.len());
        let mut spread = Self { ruler, parts, bytes, clashes, stated, at, room, taken, held, tries };
        for module in 0..spread.held.len() {
            let held = spread.packed(module, spread.held[module].parts.clone(), u64::MAX, NODES);
            spread.held[module] = held.unwrap_or_default();
        }
        spread
    }

    /// Packs these parts into `module`. Returns None when that costs at least `limit`.
    fn packed(&self, module: usize, parts: Vec<usize>, limit: u64, nodes: u64) -> Option<Held> {
        let blocks: Vec<usize> = parts.iter().flat_map(|&part| self.parts[part].blocks.clone()).collect();
        let row = |&a: &usize| blocks.iter().map(|&b| self.clashes.between(a, b)).collect();
        let contents = Contents {
            bytes: blocks.iter().map(|&block| self.bytes[block]).collect(),
            clash: blocks.iter().map(row).collect(),
            fixed: blocks.iter().map(|&block| self.stated[block].bank).collect(),
            stated: blocks.iter().map(|&block| self.stated[block].at).collect(),
        };
        let contents = contents.beside(&self.taken[module]);
        let mut layout = layout::pack(self.ruler, &contents, limit, nodes)?;
        layout.starts.truncate(blocks.len());
        Some(Held { layout, parts })
    }

    /// Searches longer for offsets in modules with a cost, as long as all tries of a part. Then
    /// moves stacks to the ends of their banks, as in public mapping reports: a stack that
    /// overflows leaves the bank instead of overwriting a buffer in it.
    fn settle(&mut self, watch: &dyn Watch) {
        for module in 0..self.held.len() {
            let Held { parts, layout } = &self.held[module];
            let nodes = if watch.stopped() { NODES } else { NODES * TRIES };
            let better = self.packed(module, parts.clone(), layout.cost, nodes);
            if let Some(better) = better {
                self.held[module] = better;
            }
            self.push_stacks(module);
        }
    }

    /// Moves the stacks of a module to the ends of their banks, and the blocks behind them to the
    /// left.
    fn push_stacks(&mut self, module: usize) {
        let Held { parts, layout } = &self.held[module];
        let mut all = parts.iter().flat_map(|&part| self.parts[part].blocks.clone());
        if !self.taken[module].is_empty() || all.any(|block| self.stated[block].at.is_some()) {
            return;
        }
        let blocks: Vec<(u64, bool)> = parts
            .iter()
            .flat_map(|&part| self.parts[part].blocks.clone().map(move |block| (block, part)))
            .map(|(block, part)| (self.bytes[block], matches!(self.parts[part].what, What::Stack(_))))
            .collect();
        let starts = layout.starts.clone();
        self.held[module].layout.starts = self.ruler.with_last(&blocks, &starts);
    }

    /// Stacks and buffers with their offsets.
    fn spots(
        &self,
        checked: &Checked,
        state: &State<'_>,
    ) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
        let mut start = vec![0; self.bytes.len()];
        for Held { parts, layout } in &self.held {
            let blocks = parts.iter().flat_map(|&part| self.parts[part].blocks.clone());
            blocks.zip(&layout.starts).for_each(|(block, &offset)| start[block] = offset);
        }
        let nowhere = Spot { tile: Tile::new(0, 0), offset: 0 };
        let mut stacks: IdVec<KernelId, Spot> = checked.kernels.ids().map(|_| nowhere).collect();
        let mut buffers: IdVec<PortId, PortBuffers> =
            checked.ports.ids().map(|_| PortBuffers::None).collect();
        for (part, &module) in self.parts.iter().zip(&self.at) {
            let tile = state.problem.grid.tile(module);
            let offsets = part.blocks.clone().map(|block| u32::try_from(start[block]).unwrap_or(u32::MAX));
            for spot in offsets.map(|offset| Spot { tile, offset }) {
                match part.what {
                    What::Stack(kernel) => {
                        state.on(state.tiles[kernel]).for_each(|member| stacks[member] = spot);
                    }
                    What::Port(port) => match &mut buffers[port] {
                        PortBuffers::Own(spots) => spots.push(spot),
                        none => *none = PortBuffers::Own(vec![spot]),
                    },
                }
            }
        }
        let ports = &state.problem.needs.ports;
        let shared = ports.enumerate().filter(|&(slot, _)| state.memory.of_port(slot).shared);
        for (producer, _) in shared.filter_map(|(_, need)| need.peer) {
            buffers[ports[producer].port] = PortBuffers::Shared;
        }
        (stacks, buffers)
    }
}

/// The bank and the offset of each block of `parts` that the design states. Where kernels share
/// buffers, it may name either port.
fn stated_spots(checked: &Checked, state: &State<'_>, parts: &[Part]) -> Vec<Stated> {
    let needs = &state.problem.needs;
    let mut spots = Vec::new();
    let mut before: BTreeMap<PortId, usize> = BTreeMap::new();
    for part in parts {
        let is_it = |place: &&BlockPlace<KernelId, PortId>| match (part.what, place.block) {
            (What::Stack(kernel), Block::Stack(other)) => state.tiles[kernel] == state.tiles[other],
            (What::Port(port), Block::Buffers(other)) => {
                port == other || needs.slot(port).and_then(|slot| shared_from(state, slot)) == Some(other)
            }
            _ => false,
        };
        let places: Vec<_> = checked.blocks.places.iter().filter(is_it).collect();
        let first = match part.what {
            What::Stack(_) => 0,
            What::Port(port) => {
                let first = before.entry(port).or_default();
                *first += part.blocks.len();
                *first - part.blocks.len()
            }
        };
        let spot = |number| {
            let within = places.iter().map(|place| place.spot_of(number).within);
            within.fold(Stated::default(), |known, within| match within {
                Within::Module => known,
                Within::Bank(bank) => Stated { bank: known.bank.or(Some(bank as usize)), ..known },
                Within::Offset(at) => Stated { at: known.at.or(Some(at.into())), ..known },
            })
        };
        spots.extend((first..first + part.buffers().len()).map(spot));
        // A selector word may lie anywhere.
        spots.extend(part.selector.then_some(Stated::default()));
    }
    spots
}

/// The position of a block in its module, as far as the design states it.
#[derive(Clone, Copy, Debug, Default)]
struct Stated {
    bank: Option<usize>,
    /// Its offset in bytes.
    at: Option<u64>,
}

/// The producing port whose buffers are those of a slot.
fn shared_from(state: &State<'_>, slot: SlotId) -> Option<PortId> {
    let (peer, _) = state.problem.needs.ports[slot].peer.filter(|_| state.memory.of_port(slot).shared)?;
    Some(state.problem.needs.ports[peer].port)
}
