//! The free room of all memory modules, and of the interface row, while a layout is drawn.

use std::collections::BTreeSet;

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::Direction;
use aiec_placer::{ShimSpot, Spot};

/// What is taken of one memory module.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    bytes: u32,
    locks: u32,
    descriptors: u32,
    /// Channels from stream to memory.
    fill: u32,
    /// Channels from memory to stream.
    drain: u32,
}

/// What is taken of all memory modules. Offsets in a module go up without gaps but for alignment.
pub struct Modules<'a> {
    device: &'a Device,
    grid: &'a Grid,
    taken: Vec<Taken>,
}

impl<'a> Modules<'a> {
    /// The modules of `grid`, all empty.
    pub fn new(device: &'a Device, grid: &'a Grid) -> Self {
        Self { device, grid, taken: vec![Taken::default(); grid.len()] }
    }

    /// Bytes taken of all modules, with alignment.
    pub fn bytes(&self) -> u64 {
        self.taken.iter().map(|taken| u64::from(taken.bytes)).sum()
    }

    /// Stores `bytes` without a lock, as for a stack. Returns None when they do not fit.
    pub fn stack(&mut self, module: TileId, bytes: u32) -> Option<Spot> {
        let spot = self.next(module);
        let end = self.end(module, bytes)?;
        self.taken[module.index()].bytes = end;
        Some(spot)
    }

    /// Stores a buffer that two cores share. Returns None when it does not fit.
    pub fn buffer(&mut self, module: TileId, bytes: u32) -> Option<Spot> {
        let locks = self.taken[module.index()].locks + self.device.costs.buffer_locks;
        if locks > self.device.tile.locks {
            return None;
        }
        let spot = self.stack(module, bytes)?;
        self.taken[module.index()].locks = locks;
        Some(spot)
    }

    /// Stores two shared buffers, or none.
    pub fn shared(&mut self, [ping, pong]: [TileId; 2], bytes: u32) -> Option<[Spot; 2]> {
        let before = self.taken[ping.index()];
        let first = self.buffer(ping, bytes)?;
        let second = self.buffer(pong, bytes);
        if second.is_none() {
            self.taken[ping.index()] = before;
        }
        Some([first, second?])
    }

    /// Stores the two buffers of a port whose DMA works in `direction`, or none.
    pub fn by_dma(&mut self, module: TileId, bytes: u32, direction: Direction) -> Option<[Spot; 2]> {
        let tile = &self.device.tile;
        let before = self.taken[module.index()];
        let mut after = before;
        after.descriptors += 2 * self.device.costs.dma_buffer_bds;
        match direction {
            Direction::In => after.fill += 1,
            Direction::Out => after.drain += 1,
        }
        if after.descriptors > tile.bds || after.fill > tile.s2mm || after.drain > tile.mm2s {
            return None;
        }
        let spots = self.shared([module, module], bytes)?;
        let Taken { bytes, locks, .. } = self.taken[module.index()];
        self.taken[module.index()] = Taken { bytes, locks, ..after };
        Some(spots)
    }

    /// The contents of `module`, for [`Modules::restore`].
    pub fn save(&self) -> Saved {
        Saved(self.taken.clone())
    }

    /// Goes back to what was saved.
    pub fn restore(&mut self, saved: Saved) {
        self.taken = saved.0;
    }

    /// The position after everything in `module`, aligned.
    fn next(&self, module: TileId) -> Spot {
        let offset = self.taken[module.index()].bytes;
        let offset = offset.next_multiple_of(self.device.memory.buffer_alignment.max(1));
        Spot { tile: self.grid.tile(module), offset }
    }

    /// The end of `bytes` more in `module`. Returns None when that is beyond its size.
    fn end(&self, module: TileId, bytes: u32) -> Option<u32> {
        let stored = self.device.memory.stored_bytes(u64::from(bytes));
        let end = self.next(module).offset + u32::try_from(stored).ok()?;
        (end <= self.device.memory.module_bytes).then_some(end)
    }
}

/// What was taken of all modules at some time.
pub struct Saved(Vec<Taken>);

/// The free PLIO channels of the interface row.
pub struct Shim {
    /// Channels of single width in use, by direction, column and number.
    taken: BTreeSet<(Direction, u16, u32)>,
    columns: Vec<u16>,
}

impl Shim {
    /// The interface row of `device`, all free.
    pub fn new(device: &Device) -> Self {
        Self { taken: BTreeSet::new(), columns: device.shim.plio_columns().collect() }
    }

    /// Takes a channel for a PLIO of `bits` in the column `nearest` to a tile that has one. Inputs
    /// of the array have the direction `Out`. Returns None when all are taken.
    pub fn plio(&mut self, device: &Device, direction: Direction, bits: u32, near: Tile) -> Option<ShimSpot> {
        let mut columns = self.columns.clone();
        columns.sort_by_key(|column| column.abs_diff(near.column));
        columns.into_iter().find_map(|column| {
            let ports = choices(device, direction, bits);
            let free =
                |ports: &Vec<u32>| ports.iter().all(|&port| !self.taken.contains(&(direction, column, port)));
            let ports = ports.into_iter().find(free)?;
            self.taken.extend(ports.iter().map(|&port| (direction, column, port)));
            Some(ShimSpot { column, channel: ports[0] })
        })
    }
}

/// The channels of single width that a PLIO of `bits` can take together.
fn choices(device: &Device, direction: Direction, bits: u32) -> Vec<Vec<u32>> {
    let shim = &device.shim;
    let (channels, pairs) = match direction {
        Direction::Out => (shim.plio_in_channels, &shim.plio_in_pairs),
        Direction::In => (shim.plio_out_channels, &shim.plio_out_pairs),
    };
    match shim.channels_of(bits) {
        1 => (0..channels).map(|channel| vec![channel]).collect(),
        _ => pairs.iter().map(|pair| pair.to_vec()).collect(),
    }
}
