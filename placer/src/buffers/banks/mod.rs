//! Assigns offsets to all stacks and buffers, after tiles and modules are chosen.
//!
//! Takes the items of a design with the modules of their parts. Returns offsets, and for some parts
//! another module. Where there is room, no block that fits a bank straddles two, and no two inputs
//! of a kernel share a bank (`layout.rs`). Ping and pong of a port, and inputs and outputs of a
//! kernel, are then separated as far as possible (`clash.rs`). A block without room in the banks of
//! its module moves to another module that all its cores reach (`moves.rs`), which costs no
//! connection by DMA. If no module has room, blocks stay in place: the given modules always hold
//! them.

mod clash;
mod layout;
mod moves;

use std::collections::BTreeMap;
use std::ops::Range;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::blocks::{Block, BlockPlace};
use aiec_ir::{KernelId, PortId};

use super::items::{Item, Load, Packing, What};
use super::pull;
use crate::options::NODES;
use crate::tiles::Tiles;
use clash::{Clashes, Fault};
use layout::{Contents, Layout, Ruler};

/// Modules packed to try out moves, per part.
const TRIES: u64 = 24;

/// A design whose parts have modules.
pub(super) struct Laid<'a> {
    pub(super) checked: &'a Checked,
    pub(super) device: &'a Device,
    pub(super) grid: &'a Grid,
    /// The tile of each kernel.
    pub(super) tiles: &'a Tiles,
    pub(super) items: &'a [Item],
    pub(super) packing: &'a Packing,
}

impl Laid<'_> {
    /// The module and the offset in bytes of every buffer of every item.
    pub(super) fn offsets(&self) -> Vec<Vec<(TileId, u64)>> {
        let mut spread = Spread::new(self);
        while spread.improve() {}
        spread.settle();
        spread.places(self.items.len())
    }

    /// The modules that may hold a part of `item`, each with its cost.
    fn prices(&self, item: &Item) -> Vec<(TileId, u64)> {
        let away = pull::distances(self.checked, self.grid, self.tiles, item);
        let nearest = away.iter().min().copied().unwrap_or(0);
        let price = |&away: &u32| if away > nearest { Fault::Farther.cost() } else { 0 };
        item.modules.iter().copied().zip(away.iter().map(price)).collect()
    }

    /// The bank of each block of an item that the design states.
    fn banks(&self, item: usize) -> Vec<Option<usize>> {
        let (packed, what) = (self.packing.modules[item].len(), self.items[item].what);
        let blocks = packed * self.items[item].blocks as usize;
        let is_it = |place: &&BlockPlace<KernelId, PortId>| match (what, place.block) {
            (What::Stack(kernel), Block::Stack(other)) => self.tiles[kernel] == self.tiles[other],
            (What::Port(port), Block::Buffers(other)) => {
                port == other || self.items[item].shared_from == Some(other)
            }
            _ => false,
        };
        let mut places = self.checked.blocks.places.iter().filter(is_it).filter(|p| !p.banks.is_empty());
        let place = places.next();
        let bank = |number| place.and_then(|place| place.bank_of(number)).map(|bank| bank as usize);
        (0..blocks).map(bank).collect()
    }

    /// The banks of a module. A single bank when the alignment does not divide the bank size.
    fn ruler(&self) -> Ruler {
        let memory = &self.device.memory;
        let bank = memory.bank_bytes();
        if bank > 0 && bank.is_multiple_of(memory.buffer_alignment.max(1)) {
            Ruler { bank: bank.into(), banks: memory.banks as usize }
        } else {
            Ruler { bank: memory.module_bytes.into(), banks: 1 }
        }
    }
}

/// Blocks that move as one: a stack, all buffers of a port with DMA, or a single shared buffer.
#[derive(Clone, Debug)]
struct Part {
    item: usize,
    /// Its blocks, by index in the design.
    blocks: Range<usize>,
    /// Resources it takes of a module.
    load: Load,
    /// The modules that may hold it, each with its cost.
    modules: Vec<(TileId, u64)>,
    is_stack: bool,
}

/// The contents of a module.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Indices of the parts.
    parts: Vec<usize>,
    /// The offsets of their blocks, in the order of the parts.
    layout: Layout,
}

/// The parts of a design in modules.
struct Spread {
    ruler: Ruler,
    parts: Vec<Part>,
    /// Bytes of each block.
    bytes: Vec<u64>,
    clashes: Clashes,
    /// The bank of each block that the design states.
    fixed: Vec<Option<usize>>,
    /// The module of each part.
    at: Vec<TileId>,
    /// Free resources of each module.
    room: Vec<Load>,
    /// Contents of each module.
    held: Vec<Held>,
    /// Remaining number of modules that may be packed to try out moves.
    tries: usize,
}

impl Spread {
    fn new(laid: &Laid<'_>) -> Self {
        let (mut parts, mut bytes, mut at) = (Vec::new(), Vec::new(), Vec::new());
        let mut fixed = Vec::new();
        let mut of_port: BTreeMap<PortId, Vec<usize>> = BTreeMap::new();
        let mut stacks: BTreeMap<TileId, usize> = BTreeMap::new();
        for (number, item) in laid.items.iter().enumerate() {
            let modules = laid.prices(item);
            fixed.extend(laid.banks(number));
            for &module in &laid.packing.modules[number] {
                let blocks = bytes.len()..bytes.len() + item.blocks as usize;
                bytes.extend(blocks.clone().map(|_| item.bytes));
                match item.what {
                    What::Stack(kernel) => {
                        stacks.insert(laid.tiles[kernel], blocks.start);
                    }
                    What::Port(port) => of_port.entry(port).or_default().extend(blocks.clone()),
                }
                let is_stack = matches!(item.what, What::Stack(_));
                parts.push(Part {
                    item: number,
                    blocks,
                    load: item.part,
                    modules: modules.clone(),
                    is_stack,
                });
                at.push(module);
            }
        }
        let stack_of = |kernel: KernelId| stacks.get(&laid.tiles[kernel]).copied();
        let clashes = Clashes::new(laid.checked, bytes.len(), &of_port, &stack_of);
        let mut held = vec![Held::default(); laid.packing.room.len()];
        for (part, module) in at.iter().enumerate() {
            held[module.index()].parts.push(part);
        }
        let (tries, room) = (TRIES as usize * parts.len(), laid.packing.room.clone());
        let mut spread = Self { ruler: laid.ruler(), parts, bytes, clashes, fixed, at, room, held, tries };
        for module in 0..spread.held.len() {
            let held = spread.packed(spread.held[module].parts.clone(), u64::MAX, NODES);
            spread.held[module] = held.unwrap_or_default();
        }
        spread
    }

    /// Packs these parts into one module. Returns None when that costs at least `limit`.
    fn packed(&self, parts: Vec<usize>, limit: u64, nodes: u64) -> Option<Held> {
        let blocks: Vec<usize> = parts.iter().flat_map(|&part| self.parts[part].blocks.clone()).collect();
        let row = |&a: &usize| blocks.iter().map(|&b| self.clashes.between(a, b)).collect();
        let contents = Contents {
            bytes: blocks.iter().map(|&block| self.bytes[block]).collect(),
            clash: blocks.iter().map(row).collect(),
            fixed: blocks.iter().map(|&block| self.fixed[block]).collect(),
        };
        Some(Held { layout: layout::pack(self.ruler, &contents, limit, nodes)?, parts })
    }

    /// Searches longer for offsets in modules with a cost, as long as all tries of a part. Then moves stacks to the ends of their
    /// banks, as in public mapping reports: a stack that overflows leaves the bank instead of
    /// overwriting a buffer in it.
    fn settle(&mut self) {
        for module in 0..self.held.len() {
            let Held { parts, layout } = &self.held[module];
            let better = self.packed(parts.clone(), layout.cost, NODES * TRIES);
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
        let blocks: Vec<(u64, bool)> = parts
            .iter()
            .flat_map(|&part| self.parts[part].blocks.clone().map(move |block| (block, part)))
            .map(|(block, part)| (self.bytes[block], self.parts[part].is_stack))
            .collect();
        let starts = layout.starts.clone();
        self.held[module].layout.starts = self.ruler.with_last(&blocks, &starts);
    }

    /// Module and offset of every block of `items` items.
    fn places(&self, items: usize) -> Vec<Vec<(TileId, u64)>> {
        let mut start = vec![0; self.bytes.len()];
        for Held { parts, layout } in &self.held {
            let blocks = parts.iter().flat_map(|&part| self.parts[part].blocks.clone());
            blocks.zip(&layout.starts).for_each(|(block, &offset)| start[block] = offset);
        }
        let mut places = vec![Vec::new(); items];
        for (part, &module) in self.parts.iter().zip(&self.at) {
            places[part.item].extend(part.blocks.clone().map(|block| (module, start[block])));
        }
        places
    }
}
