//! Offsets of all stacks and buffers, after tiles and modules are chosen.
//!
//! In come the items of a design with the modules of their parts; out go offsets, and for some parts another module. No block of at most a bank straddles two,
//! and no two inputs of a kernel lie in one bank, where there is room (`layout.rs`); then ping and pong of a port, and inputs and outputs of a kernel,
//! part as far as they can (`clash.rs`). What no bank of its module has room for goes to another module that all its cores reach (`moves.rs`), which costs
//! no connection by DMA. Where nothing does, blocks stay as they are: the modules that were given always hold them.

mod clash;
mod layout;
mod moves;

use std::collections::BTreeMap;
use std::ops::Range;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::{KernelId, PortId};

use super::items::{Item, Load, What};
use super::pack::Packing;
use super::pull;
use crate::teams::Teams;
use clash::Clashes;
use layout::{Contents, Layout, Ruler};

/// Nodes of branch and bound for one module at a time while parts move, and for its last offsets.
const NODES: u64 = 400;
const LAST_NODES: u64 = 20_000;
/// Modules that are packed to try out moves, for each part there is.
const TRIES: usize = 24;
/// What a part by DMA costs in a column farther from the other ends of its net than another module's: less than two inputs in one bank, more than
/// ping and pong.
const FARTHER: u64 = 200;

/// A design whose parts have modules.
pub(super) struct Laid<'a> {
    pub(super) checked: &'a Checked,
    pub(super) device: &'a Device,
    pub(super) grid: &'a Grid,
    pub(super) teams: &'a Teams,
    /// The tile of each kernel.
    pub(super) tiles: &'a [TileId],
    pub(super) items: &'a [Item],
    pub(super) packing: &'a Packing,
}

impl Laid<'_> {
    /// Where every buffer of every item lies: its module and offset in bytes.
    pub(super) fn offsets(&self) -> Vec<Vec<(TileId, u64)>> {
        let mut spread = Spread::new(self);
        while spread.improve() {}
        spread.settle();
        spread.places(self.items.len())
    }

    /// The modules that a part of `item` may lie in, each with what it costs there.
    fn prices(&self, item: &Item) -> Vec<(TileId, u64)> {
        let away = pull::distances(self.checked, self.grid, self.tiles, item);
        let nearest = away.iter().min().copied().unwrap_or(0);
        let price = |&away: &u32| if away > nearest { FARTHER } else { 0 };
        item.modules.iter().copied().zip(away.iter().map(price)).collect()
    }

    /// The banks of a module; a single one where buffers could not begin with each.
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

/// Something that moves as one: a stack, all buffers of a port with DMA, or a single buffer that is shared.
#[derive(Clone, Debug)]
struct Part {
    item: usize,
    /// Its blocks, by their numbers in the design.
    blocks: Range<usize>,
    /// What it takes of a module.
    load: Load,
    /// The modules that it may lie in, each with what it costs there.
    modules: Vec<(TileId, u64)>,
    is_stack: bool,
}

/// What lies in a module.
#[derive(Clone, Debug, Default)]
struct Held {
    /// The parts.
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
    /// The module of each part.
    at: Vec<TileId>,
    /// What each module still has.
    room: Vec<Load>,
    /// What lies in each module.
    held: Vec<Held>,
    /// Modules that may still be packed to try something out.
    tries: usize,
}

impl Spread {
    fn new(laid: &Laid<'_>) -> Self {
        let (mut parts, mut bytes, mut at) = (Vec::new(), Vec::new(), Vec::new());
        let mut of_port: BTreeMap<PortId, Vec<usize>> = BTreeMap::new();
        let mut stacks: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, item) in laid.items.iter().enumerate() {
            let modules = laid.prices(item);
            for &module in &laid.packing.modules[number] {
                let blocks = bytes.len()..bytes.len() + item.blocks as usize;
                bytes.extend(blocks.clone().map(|_| item.bytes));
                match item.what {
                    What::Stack(kernel) => {
                        stacks.insert(laid.teams.of[kernel.index()], blocks.start);
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
        let stack_of = |kernel: KernelId| stacks.get(&laid.teams.of[kernel.index()]).copied();
        let clashes = Clashes::new(laid.checked, bytes.len(), &of_port, &stack_of);
        let mut held = vec![Held::default(); laid.packing.room.len()];
        for (part, module) in at.iter().enumerate() {
            held[module.index()].parts.push(part);
        }
        let (tries, room) = (TRIES * parts.len(), laid.packing.room.clone());
        let mut spread = Self { ruler: laid.ruler(), parts, bytes, clashes, at, room, held, tries };
        for module in 0..spread.held.len() {
            let held = spread.packed(spread.held[module].parts.clone(), u64::MAX, NODES);
            spread.held[module] = held.unwrap_or_default();
        }
        spread
    }

    /// These parts in one module, if that costs less than `limit`.
    fn packed(&self, parts: Vec<usize>, limit: u64, nodes: u64) -> Option<Held> {
        let blocks: Vec<usize> = parts.iter().flat_map(|&part| self.parts[part].blocks.clone()).collect();
        let row = |&a: &usize| blocks.iter().map(|&b| self.clashes.between(a, b)).collect();
        let contents = Contents {
            bytes: blocks.iter().map(|&block| self.bytes[block]).collect(),
            clash: blocks.iter().map(row).collect(),
        };
        Some(Held { layout: layout::pack(self.ruler, &contents, limit, nodes)?, parts })
    }

    /// Looks once more, and longer, for offsets in modules that cost anything; then moves stacks to the ends of their banks, as public mapping reports
    /// have them: what grows beyond its end leaves the bank instead of overwriting a buffer in it.
    fn settle(&mut self) {
        for module in 0..self.held.len() {
            let Held { parts, layout } = &self.held[module];
            let better = self.packed(parts.clone(), layout.cost, LAST_NODES);
            if let Some(better) = better {
                self.held[module] = better;
            }
            self.push_stacks(module);
        }
    }

    /// Moves the stacks of a module to the ends of their banks, and what lies behind them to the left.
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

    /// Module and offset of every block of so many items.
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
