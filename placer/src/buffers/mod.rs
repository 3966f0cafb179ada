//! Assigns buffers and stacks to memory modules.
//!
//! Takes the design and the tiles of its kernels. Returns the module of every stack and every
//! buffer within all limits of every module, or the conflict that prevents it. Offsets are computed
//! once, for the final placement ([`settle`]).

mod banks;
mod fit;
mod fitting;
mod items;
mod pack;
mod pull;
mod refit;
mod repair;
mod seat;
mod squeeze;
mod whole;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_ir::{IdVec, KernelId, PortId};

use crate::placement::{PortBuffers, Spot};
use crate::teams::Teams;
pub(crate) use fit::{Next, fit};
pub(crate) use fitting::Fitting;
pub(crate) use items::RESOURCES;
use items::{Item, What};
use pack::Packing;
pub(crate) use refit::refit;
pub(crate) use squeeze::squeeze;

/// Stacks and buffers as in a placement. Offsets are 0 before [`settle`].
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) stacks: IdVec<KernelId, Spot>,
    pub(crate) buffers: IdVec<PortId, PortBuffers>,
    /// Connections that could be shared on these tiles, but go by DMA because memory is full.
    pub(crate) flipped: u64,
    /// The items, for computing offsets.
    items: Vec<Item>,
    packing: Packing,
}

/// An item that found no module.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// The kernel that needs the item.
    pub(crate) kernel: KernelId,
    /// The port whose buffers found no module. None for a stack.
    pub(crate) port: Option<PortId>,
    /// The allowed modules.
    pub(crate) modules: Vec<TileId>,
    /// The scarcest resource there, as index of [`RESOURCES`].
    pub(crate) resource: usize,
    /// Total need of the item and of the items that lie there.
    pub(crate) demand: u64,
    /// Supply of the modules.
    pub(crate) supply: u64,
    /// Kernels whose buffers lie there.
    pub(crate) kernels: Vec<KernelId>,
}

impl Conflict {
    /// True if DMA channels are the scarcest resource.
    pub(crate) const fn is_about_channels(&self) -> bool {
        self.resource >= 3
    }
}

/// Packs all items. Shares every shareable connection unless only DMA leaves room.
pub(crate) fn assign(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    teams: &Teams,
    tiles: &[TileId],
) -> Result<Memory, Box<Conflict>> {
    let all = items::items(checked, device, grid, teams, tiles);
    let mut found = pack_greedily(checked, device, grid, tiles, all.clone());
    if all.len() <= whole::MOST_ITEMS && found.as_ref().map_or(true, |(.., flips)| *flips > 0) {
        let choices: Vec<whole::Choice> =
            all.into_iter().map(|item| (item.clone(), flip(checked, device, grid, tiles, &item))).collect();
        let least = found.as_ref().map_or(u64::MAX, |(.., flips)| *flips);
        let other = whole::pack(&choices, grid.len(), items::capacity(device));
        found = other.filter(|(.., flips)| *flips < least).map_or(found, Ok);
    }
    found.map(|(items, mut packing, flips)| {
        pull::pull(checked, grid, tiles, &items, &mut packing);
        memory(checked, grid, teams, items, packing, flips)
    })
}

/// Items, their modules, and the number of connections forced onto DMA by lack of room.
type Packed = (Vec<Item>, Packing, u64);

/// Greedy bin packing, one item after the other. A shared item without room goes by DMA.
fn pack_greedily(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &[TileId],
    mut items: Vec<Item>,
) -> Result<Packed, Box<Conflict>> {
    let mut flips = 0;
    // An integer program packs small designs after this.
    let repairs = items.len() > whole::MOST_ITEMS;
    // Each round turns one shared connection into DMA, so the number of rounds is bounded.
    loop {
        let mut packing = Packing::new(grid.len(), items::capacity(device), &items);
        let Some(stuck) = pack_all(&items, &mut packing, repairs) else { return Ok((items, packing, flips)) };
        let Some(flipped) = flip(checked, device, grid, tiles, &items[stuck]) else {
            return Err(Box::new(conflict(device, &items, &packing, stuck)));
        };
        items.splice(stuck..=stuck, flipped);
        flips += 1;
    }
}

/// Packs all items and returns the first that does not fit. `repairs` allows repacking around a
/// conflict.
fn pack_all(items: &[Item], packing: &mut Packing, repairs: bool) -> Option<usize> {
    let mut packs = |item| packing.insert(items, item) || repairs && repair::repair(items, packing, item);
    pack::hardest_first(items).into_iter().find(|&item| !packs(item))
}

/// The two items that replace a shared one when a DMA copies its window.
fn flip(checked: &Checked, device: &Device, grid: &Grid, tiles: &[TileId], item: &Item) -> Option<[Item; 2]> {
    let (What::Port(port), Some(from)) = (item.what, item.shared_from) else { return None };
    let producer = checked.kernel_of(from)?;
    if tiles[producer.index()] == tiles[item.kernel.index()] {
        return None; // no DMA leads from a core to itself
    }
    Some([
        items::own(checked, device, grid, tiles, item.kernel, port),
        items::own(checked, device, grid, tiles, producer, from),
    ])
}

fn conflict(device: &Device, items: &[Item], packing: &Packing, stuck: usize) -> Conflict {
    let item = &items[stuck];
    let capacity = items::capacity(device);
    let count = item.modules.len() as u64;
    let there = |i: &usize| packing.modules[*i].iter().any(|module| item.modules.contains(module));
    let used = |resource: usize| -> u64 {
        let left: u64 = item.modules.iter().map(|m| packing.room[m.index()][resource]).sum();
        (capacity[resource] * count).saturating_sub(left) + item.total()[resource]
    };
    let asked = (0..RESOURCES.len()).filter(|&r| item.part[r] > 0);
    let fill = |&r: &usize| used(r) * 4096 / (capacity[r] * count).max(1);
    let resource = asked.max_by_key(fill).unwrap_or(0);
    let mut kernels: Vec<KernelId> = (0..items.len()).filter(there).map(|i| items[i].kernel).collect();
    kernels.push(item.kernel);
    kernels.sort_unstable();
    kernels.dedup();
    Conflict {
        kernel: item.kernel,
        port: match item.what {
            What::Port(port) => Some(port),
            What::Stack(_) => None,
        },
        modules: item.modules.clone(),
        resource,
        demand: used(resource),
        supply: capacity[resource] * count,
        kernels,
    }
}

fn memory(
    checked: &Checked,
    grid: &Grid,
    teams: &Teams,
    items: Vec<Item>,
    packing: Packing,
    flipped: u64,
) -> Memory {
    let places = packing.modules.iter().zip(&items).map(|(modules, item)| {
        let blocks = |&module: &TileId| std::iter::repeat_n((module, 0), item.blocks as usize);
        modules.iter().flat_map(blocks).collect()
    });
    let (stacks, buffers) = spots(checked, grid, teams, &items, places.collect());
    Memory { stacks, buffers, flipped, items, packing }
}

/// Assigns an offset to every item on these tiles, and to some another module that their cores
/// reach too. Shared connections stay shared.
pub(crate) fn settle(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    teams: &Teams,
    tiles: &[TileId],
    memory: &Memory,
) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
    let Memory { items, packing, .. } = memory;
    let laid = banks::Laid { checked, device, grid, teams, tiles, items, packing };
    spots(checked, grid, teams, items, laid.offsets())
}

/// Stacks and buffers of `items`. `places` gives the module and the offset in bytes of each block.
fn spots(
    checked: &Checked,
    grid: &Grid,
    teams: &Teams,
    items: &[Item],
    places: Vec<Vec<(TileId, u64)>>,
) -> (IdVec<KernelId, Spot>, IdVec<PortId, PortBuffers>) {
    let nowhere = Spot { tile: aiec_device::Tile::new(0, 0), offset: 0 };
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
                for member in &teams.members[teams.of[kernel.index()]] {
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
