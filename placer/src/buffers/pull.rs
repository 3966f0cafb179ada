//! Moves buffers with a DMA towards the other ends of their nets.
//!
//! Takes a packing. Returns one with the same items in modules that have room. The buffers of each
//! net lie in the column nearest to its other ends among the modules in reach of their core. This
//! makes a net one column shorter on average, which matters where lines are full: a line between
//! columns has few wires.

use aiec_check::Checked;
use aiec_device::{Grid, TileId};
use aiec_ir::PortId;

use super::items::{Item, Packing, What};
use crate::tiles::Tiles;

/// Moves the buffers of nets in `packing`, in the order of `items`.
pub(super) fn pull(checked: &Checked, grid: &Grid, tiles: &Tiles, items: &[Item], packing: &mut Packing) {
    for (index, item) in items.iter().enumerate() {
        let by_dma = item.shared_from.is_none();
        let (What::Port(port), true, Some(&now)) = (item.what, by_dma, packing.modules[index].first()) else {
            continue;
        };
        let away = away(checked, grid, tiles, port);
        let room = |&&module: &&TileId| module == now || packing.fits(module, &item.part);
        // Stays in place on equal distance.
        let nearest =
            item.modules.iter().filter(room).min_by_key(|&&module| (away(module), module != now, module));
        if let Some(&module) = nearest.filter(|&&module| module != now) {
            packing.shift(items, index, module);
        }
    }
}

/// Distance in columns from each module of `item` to the other ends of its net. 0 for an item
/// without a net.
pub(super) fn distances(checked: &Checked, grid: &Grid, tiles: &Tiles, item: &Item) -> Vec<u32> {
    match item.what {
        What::Port(port) if item.shared_from.is_none() => {
            item.modules.iter().map(|&module| away(checked, grid, tiles, port)(module)).collect()
        }
        _ => vec![0; item.modules.len()],
    }
}

/// Distance in columns from a module to the other ends of the connections of `port`.
fn away<'a>(
    checked: &Checked,
    grid: &'a Grid,
    tiles: &Tiles,
    port: PortId,
) -> impl Fn(TileId) -> u32 + use<'a> {
    let ends = ends(checked, tiles, port);
    move |module| {
        let column = |tile: TileId| u32::from(grid.tile(tile).column);
        ends.iter().map(|&end| column(end).abs_diff(column(module))).sum()
    }
}

/// Tiles of the kernels at the other ends of the connections of `port`.
fn ends(checked: &Checked, tiles: &Tiles, port: PortId) -> Vec<TileId> {
    let connections =
        checked.ports[port].connections.iter().map(|&connection| &checked.connections[connection]);
    let others = connections.map(|c| c.other(port));
    others.filter_map(|other| Some(tiles[checked.kernel_of(other)?])).collect()
}
