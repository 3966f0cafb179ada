//! Draws a legal placement: kernels on tiles, then stacks, PLIO and connections wherever modules
//! have room.

use std::collections::BTreeSet;

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::Direction;
use aiec_placer::{ShimSpot, Spot};

use super::modules::{Modules, Shim};
use super::random::Random;
use super::recipe::{Fence, GRAIN, Recipe};

/// Draws without success after which a layout is as full as it gets.
const MOST_MISSES: usize = 400;

/// A kernel's tile and stack.
#[derive(Clone, Debug)]
pub struct Placed {
    pub tile: TileId,
    /// Bytes of its stack.
    pub stack: u32,
    /// Bytes of its heap.
    pub heap: u32,
    /// Where both are.
    pub spot: Spot,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// A port of the kernel of this number.
    Kernel(usize),
    /// A PLIO of this width at this channel.
    Plio(u32, ShimSpot),
}

/// A connection.
#[derive(Clone, Debug)]
pub struct Link {
    /// Producer and consumer.
    pub ends: [End; 2],
    /// Bytes of a window.
    pub bytes: u32,
    /// The buffers that both kernels share.
    pub shared: Option<[Spot; 2]>,
    /// The buffers of each end, if they share none.
    pub own: [Option<[Spot; 2]>; 2],
}

/// A legal placement of a design that is given by it.
#[derive(Clone, Debug)]
pub struct Layout {
    pub kernels: Vec<Placed>,
    pub links: Vec<Link>,
    /// Bytes taken of the modules that the cores of the area reach, in 1/1000.
    pub fill: u64,
}

/// True if `tile` lies in the rectangle.
pub fn inside([west_south, east_north]: [Tile; 2], tile: Tile) -> bool {
    (west_south.column..=east_north.column).contains(&tile.column)
        && (west_south.row..=east_north.row).contains(&tile.row)
}

/// The grid of `device` without the tiles that the recipe closes.
pub fn grid(recipe: &Recipe, device: &Device) -> Grid {
    Grid::without(device, |tile| recipe.fence == Fence::Walls && !inside(recipe.area, tile))
}

/// Draws a layout. Returns None when it does not get as full as the recipe asks.
pub fn draw(recipe: &Recipe, device: &Device, grid: &Grid, random: &mut Random) -> Option<Layout> {
    let mut draw = Draw::start(recipe, device, grid, random)?;
    draw.plio(random);
    draw.lonely(random);
    draw.fill(random);
    draw.finish()
}

struct Draw<'a> {
    recipe: &'a Recipe,
    device: &'a Device,
    grid: &'a Grid,
    modules: Modules<'a>,
    kernels: Vec<Placed>,
    links: Vec<Link>,
    /// The kernel on each tile.
    on: Vec<Option<usize>>,
    /// The order in which kernels send: connections go from lower to higher, so none waits for
    /// ever.
    turn: Vec<usize>,
    /// The kernels that each kernel is connected to.
    neighbours: Vec<BTreeSet<usize>>,
    /// Number of windows of each kernel.
    windows: Vec<u32>,
    /// Bytes of all modules that the area's cores reach.
    room: u64,
    /// Number of connections between kernels.
    inner: usize,
}

impl<'a> Draw<'a> {
    /// Kernels and their stacks.
    fn start(recipe: &'a Recipe, device: &'a Device, grid: &'a Grid, random: &mut Random) -> Option<Self> {
        let mut tiles: Vec<TileId> = grid.ids().filter(|&id| inside(recipe.area, grid.tile(id))).collect();
        let reached: BTreeSet<usize> =
            tiles.iter().flat_map(|&tile| grid.reach(tile)).map(|module| module.index()).collect();
        random.shuffle(&mut tiles);
        tiles.truncate(recipe.kernels);
        let mut modules = Modules::new(device, grid);
        let kernels: Option<Vec<Placed>> =
            tiles.iter().map(|&tile| stack(device, grid, &mut modules, tile, random)).collect();
        let mut on = vec![None; grid.len()];
        tiles.iter().enumerate().for_each(|(kernel, tile)| on[tile.index()] = Some(kernel));
        let mut turn: Vec<usize> = (0..tiles.len()).collect();
        random.shuffle(&mut turn);
        Some(Self {
            recipe,
            device,
            grid,
            modules,
            kernels: kernels?,
            links: Vec::new(),
            on,
            turn,
            neighbours: vec![BTreeSet::new(); tiles.len()],
            windows: vec![0; tiles.len()],
            room: reached.len() as u64 * u64::from(device.memory.module_bytes),
            inner: 0,
        })
    }

    /// The inputs and outputs, at kernels of random numbers.
    fn plio(&mut self, random: &mut Random) {
        let mut shim = Shim::new(self.device);
        let [inputs, outputs] = self.recipe.plio;
        let ways = [(Direction::Out, inputs), (Direction::In, outputs)];
        for direction in ways.into_iter().flat_map(|(way, count)| std::iter::repeat_n(way, count)) {
            let kernel = random.below(self.kernels.len());
            let bytes = self.window(random);
            let bits = random.pick(&[32, 64, 64, 64, 128]).unwrap_or(64);
            let _ = self.outer(&mut shim, kernel, direction, (bits, bytes), random);
        }
    }

    /// One PLIO at `kernel`. An input of the array has the direction `Out`.
    fn outer(
        &mut self,
        shim: &mut Shim,
        kernel: usize,
        direction: Direction,
        (bits, bytes): (u32, u32),
        random: &mut Random,
    ) -> Option<()> {
        let tile = self.kernels[kernel].tile;
        let (of_port, at) = match direction {
            Direction::Out => (Direction::In, 1),
            Direction::In => (Direction::Out, 0),
        };
        let has_room = self.has_port(kernel) && self.fits(u64::from(bytes) * 2);
        let saved = self.modules.save();
        let buffers = has_room.then(|| self.own(kernel, bytes, of_port, random))??;
        let Some(channel) = shim.plio(self.device, direction, bits, self.grid.tile(tile)) else {
            self.modules.restore(saved);
            return None;
        };
        let (mut ends, mut own) = ([End::Plio(bits, channel); 2], [None; 2]);
        (ends[at], own[at]) = (End::Kernel(kernel), Some(buffers));
        self.windows[kernel] += 1;
        self.links.push(Link { ends, bytes, shared: None, own });
        Some(())
    }

    /// A connection for each kernel that has none.
    fn lonely(&mut self, random: &mut Random) {
        for kernel in 0..self.kernels.len() {
            let mut tries = 0;
            while self.windows[kernel] == 0 && tries < MOST_MISSES {
                let _ = self.link(kernel, tries > MOST_MISSES / 2, random);
                tries += 1;
            }
        }
    }

    /// Connections between random kernels until there are enough, or no more fit.
    fn fill(&mut self, random: &mut Random) {
        let mut misses = 0;
        while misses < MOST_MISSES && self.inner < self.recipe.links[1] && self.filled() < self.recipe.target
        {
            let kernel = random.below(self.kernels.len());
            let far = random.chance(self.recipe.far);
            let drawn = self.link(kernel, far, random);
            misses = if drawn.is_some() { 0 } else { misses + 1 };
        }
    }

    /// A connection of `kernel`: through memory that it shares with the other end, or by DMA if
    /// that is `far`.
    fn link(&mut self, kernel: usize, far: bool, random: &mut Random) -> Option<()> {
        let tile = self.kernels[kernel].tile;
        let near: Vec<usize> =
            self.grid.partners(tile).iter().filter_map(|tile| self.on[tile.index()]).collect();
        let other = match far {
            false => random.pick(&near),
            true => Some(random.below(self.kernels.len())).filter(|other| !near.contains(other)),
        }?;
        let bytes = self.window(random);
        let free = |kernel: usize, other: usize| {
            let neighbours = &self.neighbours[kernel];
            self.has_port(kernel)
                && (neighbours.contains(&other) || neighbours.len() < self.recipe.neighbours)
        };
        let legal = kernel != other && free(kernel, other) && free(other, kernel);
        let copies = if far { 4 } else { 2 };
        if !legal || !self.fits(u64::from(bytes) * copies) {
            return None;
        }
        let pair = if self.turn[kernel] < self.turn[other] { [kernel, other] } else { [other, kernel] };
        let (shared, own) = match far {
            false => (Some(self.shared(pair, bytes, random)?), [None; 2]),
            true => (None, self.far(pair, bytes, random)?.map(Some)),
        };
        self.links.push(Link { ends: pair.map(End::Kernel), bytes, shared, own });
        pair.iter().for_each(|&kernel| self.windows[kernel] += 1);
        self.neighbours[kernel].insert(other);
        self.neighbours[other].insert(kernel);
        self.inner += 1;
        Some(())
    }

    /// Two buffers in any modules that both kernels reach.
    fn shared(&mut self, [from, to]: [usize; 2], bytes: u32, random: &mut Random) -> Option<[Spot; 2]> {
        let common: Vec<TileId> = self.grid.shared(self.kernels[from].tile, self.kernels[to].tile).collect();
        let mut pairs: Vec<[TileId; 2]> =
            common.iter().flat_map(|&ping| common.iter().map(move |&pong| [ping, pong])).collect();
        random.shuffle(&mut pairs);
        pairs.into_iter().find_map(|pair| self.modules.shared(pair, bytes))
    }

    /// Buffers at both ends, or none.
    fn far(&mut self, [from, to]: [usize; 2], bytes: u32, random: &mut Random) -> Option<[[Spot; 2]; 2]> {
        let saved = self.modules.save();
        let sent = self.own(from, bytes, Direction::Out, random)?;
        let Some(received) = self.own(to, bytes, Direction::In, random) else {
            self.modules.restore(saved);
            return None;
        };
        Some([sent, received])
    }

    /// The two buffers of a port with DMA, in one module that the kernel reaches.
    fn own(&mut self, kernel: usize, bytes: u32, way: Direction, random: &mut Random) -> Option<[Spot; 2]> {
        let mut reach = self.grid.reach(self.kernels[kernel].tile).to_vec();
        random.shuffle(&mut reach);
        reach.into_iter().find_map(|module| self.modules.by_dma(module, bytes, way))
    }

    fn window(&self, random: &mut Random) -> u32 {
        let bytes = random.pick(&self.recipe.windows).unwrap_or(GRAIN);
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }

    fn has_port(&self, kernel: usize) -> bool {
        let most = self.device.memory.windows_per_kernel;
        most.is_none_or(|most| self.windows[kernel] < most)
    }

    /// True if `bytes` more do not make the modules fuller than the recipe allows.
    fn fits(&self, bytes: u64) -> bool {
        (self.modules.bytes() + bytes) * 1000 <= self.recipe.fill[1] * self.room
    }

    /// Bytes taken of the modules, in 1/1000.
    fn filled(&self) -> u64 {
        self.modules.bytes() * 1000 / self.room.max(1)
    }

    fn finish(self) -> Option<Layout> {
        let fill = self.filled();
        let [least, most] = self.recipe.fill;
        let wanted = (least..=most).contains(&fill)
            && self.inner >= self.recipe.links[0]
            && self.windows.iter().all(|&windows| windows > 0);
        wanted.then_some(Layout { kernels: self.kernels, links: self.links, fill })
    }
}

/// A kernel on `tile`, with its stack in a module that it reaches: mostly its own.
fn stack(
    device: &Device,
    grid: &Grid,
    modules: &mut Modules<'_>,
    tile: TileId,
    random: &mut Random,
) -> Option<Placed> {
    let stack = random.pick(&[1024, 1024, 1024, 2048, 3072]).unwrap_or(1024);
    let heap = random.pick(&[0, 1024, 1024]).unwrap_or(1024);
    let mut reach = grid.reach(tile).to_vec();
    if random.chance(40) {
        random.shuffle(&mut reach);
    }
    let bytes = stack + heap + device.memory.sync_bytes;
    let spot = reach.into_iter().find_map(|module| modules.stack(module, bytes))?;
    Some(Placed { tile, stack, heap, spot })
}
