//! Offsets for the stacks and buffers of a legal state.
//!
//! Takes a [`State`] without violations. Returns the module and the offset of every stack and every
//! buffer. Buffers with a DMA may move to another module that their core reaches.

mod banks;
mod items;
mod pull;

use aiec_check::Checked;
use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::{IdVec, KernelId, PortId};

use crate::placement::{PortBuffers, Spot};
use crate::tiles::{State, Tiles};
use items::{Item, Load, Packing, What};

/// Assigns an offset to every stack and buffer of `state`. Shared connections stay shared.
pub(crate) fn settle(
    checked: &Checked,
    device: &Device,
    state: &State<'_>,
) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
    let grid = state.problem.grid;
    // Packed anew, buffers lie further apart, which leaves more banks to choose from.
    let mut anew = state.clone();
    anew.pack();
    let is_as_good = anew.memory.over() == 0 && anew.memory.cost() <= state.memory.cost();
    let state = if is_as_good { &anew } else { state };
    let (items, mut packing) = packed(state);
    pull::pull(checked, grid, &state.tiles, &items, &mut packing);
    let laid = banks::Laid { checked, device, grid, tiles: &state.tiles, items: &items, packing: &packing };
    let places = laid.offsets();
    spots(checked, grid, &state.tiles, &items, places)
}

/// The items of `state` with their modules.
fn packed(state: &State<'_>) -> (Vec<Item>, Packing) {
    let (problem, memory) = (state.problem, &state.memory);
    let (grid, needs) = (problem.grid, &problem.needs);
    let amounts = |load: &crate::tiles::Load| load.map(|amount| u64::try_from(amount).unwrap_or(0));
    let mut items = Vec::new();
    let room: Vec<Load> = grid.ids().map(|module| amounts(memory.room(module))).collect();
    let mut packing = Packing { modules: Vec::new(), room };
    for tile in grid.ids() {
        let first = state.on(tile).min();
        let lying = memory.of_stack(needs, tile);
        let (Some(kernel), Some(&module)) = (first, lying.modules().first()) else { continue };
        let bytes = u64::try_from(lying.stack()).unwrap_or(0);
        let (what, part) = (What::Stack(kernel), [bytes, 0, 0, 0, 0]);
        let slot = needs.ports.len() + tile.index();
        let modules = narrowed(state, slot, false, grid.reach(tile).iter().copied());
        items.push(Item { what, modules, part, blocks: 1, bytes, shared_from: None });
        packing.modules.push(vec![module]);
    }
    for (slot, need) in needs.ports.iter().enumerate() {
        let lying = memory.of_port(slot);
        let here = state.tiles[need.kernel];
        let bytes = amounts(need.one())[0];
        let (modules, part, blocks, shared_from) = match need.peer {
            _ if lying.modules().is_empty() => continue,
            Some((producer, from)) if lying.shared => {
                let common = narrowed(state, slot, true, grid.shared(here, state.tiles[from]));
                (common, amounts(need.one()), 1, Some(needs.ports[producer].port))
            }
            _ => {
                let reached = narrowed(state, slot, false, grid.reach(here).iter().copied());
                (reached, amounts(need.all()), need.copies(), None)
            }
        };
        items.push(Item { what: What::Port(need.port), modules, part, blocks, bytes, shared_from });
        packing.modules.push(lying.modules().to_vec());
    }
    (items, packing)
}

/// Those of `modules` that the constraints of the design leave to a slot.
fn narrowed(
    state: &State<'_>,
    slot: usize,
    shared: bool,
    modules: impl Iterator<Item = TileId>,
) -> Vec<TileId> {
    modules.filter(|&module| state.problem.needs.may_lie(slot, shared, &state.tiles, module)).collect()
}

/// Stacks and buffers of `items`. `places` gives the module and the offset in bytes of each block.
fn spots(
    checked: &Checked,
    grid: &Grid,
    tiles: &Tiles,
    items: &[Item],
    places: Vec<Vec<(TileId, u64)>>,
) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
    let nowhere = Spot { tile: Tile::new(0, 0), offset: 0 };
    let mut stacks = vec![nowhere; checked.kernels.len()];
    let mut buffers = vec![PortBuffers::None; checked.ports.len()];
    for (item, places) in items.iter().zip(places) {
        let spots: Vec<Spot> =
            places.into_iter().map(|(module, offset)| spot(grid, module, offset)).collect();
        if let Some(from) = item.shared_from {
            buffers[from.index()] = PortBuffers::Shared;
        }
        match item.what {
            What::Stack(kernel) => {
                let same = |other: &KernelId| tiles[*other] == tiles[kernel];
                for member in checked.kernels.ids().filter(same) {
                    stacks[member.index()] = spots.first().copied().unwrap_or(nowhere);
                }
            }
            What::Port(port) => buffers[port.index()] = PortBuffers::Own(spots),
        }
    }
    (stacks.into_iter().collect(), buffers.into_iter().collect())
}

fn spot(grid: &Grid, module: TileId, offset: u64) -> Spot {
    Spot { tile: grid.tile(module), offset: u32::try_from(offset).unwrap_or(u32::MAX) }
}
