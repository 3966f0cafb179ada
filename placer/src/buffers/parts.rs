//! Parts: what lies in memory as one, and the modules that may hold it.
//!
//! The buffers of a port with a DMA go to the module nearest to the other ends of its net, if that
//! has room. This makes a net one column shorter on average, which matters where lines are full: a
//! line between columns has few wires.

use aiec_check::Checked;
use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId, PortId};

use crate::layout::Fault;
use crate::tiles::{Load, Piece, SlotId, State};
use crate::verify;

aiec_ir::ids! {
    /// A part of a design.
    pub(super) PartId;
    /// A stack, a buffer or a selector word of a design.
    pub(super) BlockId;
}

/// The content of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Stacks, heaps and sync area of a core, by the first of its kernels.
    Stack(KernelId),
    /// All buffers of a port with DMA, or a single one that a port shares.
    Port(PortId),
    /// A FIFO at a stated offset in bytes, which no other module may hold.
    Fifo(u32),
}

/// Blocks that move as one.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) what: What,
    pub(super) blocks: Vec<BlockId>,
    /// True if the last block is a selector word.
    pub(super) selector: bool,
    /// Resources it takes of a module.
    pub(super) load: Load,
    /// The modules that every core using it reaches, each with its cost.
    pub(super) modules: Vec<(TileId, u64)>,
}

impl Part {
    /// A part without blocks.
    const fn new(what: What, load: Load, modules: Vec<(TileId, u64)>) -> Self {
        Self { what, blocks: Vec::new(), selector: false, load, modules }
    }

    /// Its blocks without a selector word, which the core reads once in a run.
    pub(super) fn buffers(&self) -> &[BlockId] {
        &self.blocks[..self.blocks.len() - usize::from(self.selector)]
    }
}

/// The parts of a design in modules.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) parts: IdVec<PartId, Part>,
    /// Bytes of each block.
    pub(super) bytes: IdVec<BlockId, u64>,
    /// The module of each part.
    pub(super) at: IdVec<PartId, TileId>,
    /// Free resources of each module.
    pub(super) room: Vec<Load>,
}

impl Parts {
    /// The parts of `state`.
    pub(super) fn of(checked: &Checked, state: &State<'_>) -> Self {
        let (grid, needs, memory) = (state.problem.grid, &state.problem.needs, &state.memory);
        let room = grid.ids().map(|module| *memory.room(module)).collect();
        let mut parts = Self { room, ..Self::default() };
        // A block with a tie stays where the search put it.
        let stays = |slot: SlotId| needs.ties.hold(needs, slot, &state.tiles);
        let may = |slot: SlotId, part: usize, shared: bool| {
            let fixed = stays(slot).then(|| memory.of(slot).modules().get(part).copied()).flatten();
            move |module: &TileId| {
                fixed.is_none_or(|fixed| fixed == *module)
                    && needs.may_lie(Piece { slot, part, shared }, &state.tiles, *module)
            }
        };
        // Free bytes say little of the room between blocks at stated offsets.
        let is_open = |module: TileId| !memory.has_stated(needs, module);
        let bytes = |amount: i32| u64::try_from(amount).unwrap_or(0);
        let free = |modules: &mut dyn Iterator<Item = TileId>| modules.map(|module| (module, 0)).collect();
        for tile in grid.ids() {
            let lying = memory.of(needs.stack_of(tile));
            if let (Some(&kernel), Some(&module)) = (state.on(tile).iter().min(), lying.modules().first()) {
                let load = [lying.stack, 0, 0, 0, 0];
                let modules =
                    free(&mut grid.reach(tile).iter().copied().filter(may(needs.stack_of(tile), 0, false)));
                parts.add(Part::new(What::Stack(kernel), load, modules), module, 1, bytes(lying.stack));
            }
        }
        for (slot, need) in needs.ports.enumerate() {
            let (lying, here) = (memory.of(slot), state.tiles[need.kernel]);
            let what = What::Port(need.port);
            if let Some((_, from)) = need.peer.filter(|_| lying.shared) {
                for (number, &module) in lying.modules().iter().enumerate() {
                    let modules =
                        free(&mut grid.shared(here, state.tiles[from]).filter(may(slot, number, true)));
                    parts.add(Part::new(what, need.part, modules), module, 1, bytes(need.part[0]));
                }
            } else if let Some(&now) = lying.modules().first() {
                let reached: Vec<TileId> =
                    grid.reach(here).iter().copied().filter(may(slot, 0, false)).collect();
                let modules = away(checked, state, need.port, &reached);
                let module = parts.pulled(now, &need.own, &modules, is_open);
                let nearest = modules.iter().map(|&(_, away)| away).min().unwrap_or(0);
                let cost = |away| if away > nearest { Fault::Farther.cost() } else { 0 };
                let modules = modules.into_iter().map(|(module, away)| (module, cost(away))).collect();
                let part = Part::new(what, need.own, modules);
                let part = parts.add(part, module, need.copies, bytes(need.part[0]));
                parts.add_selector(part, need.selector);
            }
        }
        for fifo in verify::reserved(checked) {
            if let Some(module) = grid.id(fifo.spot.tile) {
                let part = Part::new(What::Fifo(fifo.spot.offset), Load::default(), Vec::new());
                parts.add(part, module, 1, fifo.bytes);
            }
        }
        parts
    }

    /// Adds a part that lies in `module`, with `count` blocks of `bytes` each. Returns its number.
    fn add(&mut self, mut part: Part, module: TileId, count: usize, bytes: u64) -> PartId {
        part.blocks = (0..count).map(|_| self.bytes.push(bytes)).collect();
        self.at.push(module);
        self.parts.push(part)
    }

    /// Adds a selector word of `bytes` to a part, behind its buffers. 0 bytes are none.
    fn add_selector(&mut self, part: PartId, bytes: i32) {
        if let Ok(bytes @ 1..) = u64::try_from(bytes) {
            self.parts[part].blocks.push(self.bytes.push(bytes));
            self.parts[part].selector = true;
        }
    }

    /// Moves `load` from `now` to the nearest of `modules` that is open and has room, and returns
    /// that. Each has its distance. Stays in place on equal distance.
    fn pulled(
        &mut self,
        now: TileId,
        load: &Load,
        modules: &[(TileId, u32)],
        is_open: impl Fn(TileId) -> bool,
    ) -> TileId {
        let room =
            |module: TileId| module == now || is_open(module) && fits(&self.room[module.index()], load);
        let open = modules.iter().filter(|(module, _)| room(*module));
        let best = open.map(|&(module, away)| (away, module != now, module)).min();
        let module = best.map_or(now, |(.., module)| module);
        change(&mut self.room[now.index()], load, 1);
        change(&mut self.room[module.index()], load, -1);
        module
    }
}

/// True if `room` has the resources of `load`.
pub(super) fn fits(room: &Load, load: &Load) -> bool {
    room.iter().zip(load).all(|(room, need)| room >= need)
}

/// Adds `load` to `room`, or subtracts it if `sign` is -1.
pub(super) fn change(room: &mut Load, load: &Load, sign: i32) {
    room.iter_mut().zip(load).for_each(|(room, amount)| *room += sign * amount);
}

/// The columns from each of `modules` to the kernels at the other ends of `port`, summed up.
fn away(checked: &Checked, state: &State<'_>, port: PortId, modules: &[TileId]) -> Vec<(TileId, u32)> {
    let column = |tile: TileId| u32::from(state.problem.grid.tile(tile).column);
    let connections = checked.ports[port].connections.iter().map(|&id| &checked.connections[id]);
    let others = connections.filter_map(|connection| checked.kernel_of(connection.other(port)));
    let ends: Vec<u32> = others.map(|kernel| column(state.tiles[kernel])).collect();
    let away = |module: TileId| ends.iter().map(|end| end.abs_diff(column(module))).sum();
    modules.iter().map(|&module| (module, away(module))).collect()
}
