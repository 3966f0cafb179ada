//! Baselines for aiec: placements by simpler means, on the same designs.

use std::time::Duration;

use aiec_check::Checked;
use aiec_device::{Device, Grid, Tile, TileId};
use aiec_ir::KernelId;

/// The column fill of the thesis (4.6.1): leaves, interior nodes and root from the bottom left, on
/// every second tile. Returns None when there are too many kernels.
pub fn every_second_tile(checked: &Checked, device: &Device) -> Option<Vec<Tile>> {
    let tiles =
        (0..device.columns).flat_map(|column| (0..device.rows).map(move |row| Tile::new(column, row)));
    let mut tiles = tiles.step_by(2);
    let mut order: Vec<KernelId> = checked.kernels.ids().collect();
    order.sort_by_key(|&kernel| std::cmp::Reverse(position(checked, kernel)));
    let mut placed = vec![Tile::new(0, 0); order.len()];
    for kernel in order {
        placed[kernel.index()] = tiles.next()?;
    }
    Some(placed)
}

/// Position of a kernel in its tree. Outside of trees, in the design.
fn position(checked: &Checked, kernel: KernelId) -> usize {
    let membership = checked.kernels[kernel].memberships.first();
    let tree = membership.map(|membership| {
        let collective = &checked.collectives[membership.collective];
        let order = collective.plan.order();
        order.into_iter().map(|rank| collective.ranks[rank.index()]).collect::<Vec<_>>()
    });
    tree.and_then(|tree| tree.iter().position(|&k| k == kernel)).unwrap_or(kernel.index())
}

/// Pairs of kernels with the connections between them that could share memory.
pub struct Pairs {
    pub around: Vec<Vec<(usize, i64)>>,
    /// Connections through DMA wherever kernels are.
    pub always: i64,
}

impl Pairs {
    pub fn new(checked: &Checked) -> Self {
        let mut pairs = Self { around: vec![Vec::new(); checked.kernels.len()], always: 0 };
        for connection in checked.connections.iter() {
            let ends = checked.kernel_of(connection.from).zip(checked.kernel_of(connection.to));
            match ends.filter(|_| !checked.is_broadcast(connection.from)) {
                Some((a, b)) => {
                    pairs.around[a.index()].push((b.index(), 1));
                    pairs.around[b.index()].push((a.index(), 1));
                }
                None => pairs.always += 1,
            }
        }
        pairs
    }
}

/// Connections through DMA with the kernels on `tiles`, memory and channels not looked at.
pub fn connections(pairs: &Pairs, grid: &Grid, tiles: &[TileId]) -> i64 {
    let cut = |a: usize, b: usize| tiles[a] != tiles[b] && !grid.partners(tiles[a]).contains(&tiles[b]);
    let twice: i64 = (0..tiles.len())
        .flat_map(|a| pairs.around[a].iter().filter(move |(b, _)| cut(a, *b)))
        .map(|(_, connections)| connections)
        .sum();
    pairs.always + twice / 2
}

/// The tiles that plain simulated annealing over moves and swaps finds in `time`, measured by
/// `clock`. A connection through DMA costs 1, a tile of distance 1/50. The cost ignores memory,
/// channels and routes.
pub fn annealing(
    pairs: &Pairs,
    grid: &Grid,
    time: Duration,
    clock: fn() -> Duration,
    seed: u64,
) -> Vec<TileId> {
    let mut state = Annealing::new(pairs, grid, seed);
    let begin = clock();
    let elapsed = || clock().saturating_sub(begin);
    let (mut least, mut best) = (state.connections(), state.tiles.clone());
    // Time sets the temperature, so that the schedule fits any time limit.
    while elapsed() < time {
        let part = elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9);
        let temperature = 1.0 * (0.01_f64).powf(part);
        for _ in 0..20_000 {
            state.step(temperature);
        }
        let connections = state.connections();
        if connections < least {
            least = connections;
            best.clone_from(&state.tiles);
        }
    }
    best
}

struct Annealing<'a> {
    pairs: &'a Pairs,
    grid: &'a Grid,
    tiles: Vec<TileId>,
    kernel: Vec<Option<usize>>,
    random: u64,
}

impl<'a> Annealing<'a> {
    fn new(pairs: &'a Pairs, grid: &'a Grid, seed: u64) -> Self {
        let tiles: Vec<TileId> = grid.ids().take(pairs.around.len()).collect();
        let mut kernel = vec![None; grid.len()];
        tiles.iter().enumerate().for_each(|(k, tile)| kernel[tile.index()] = Some(k));
        Self { pairs, grid, tiles, kernel, random: seed }
    }

    fn connections(&self) -> i64 {
        connections(self.pairs, self.grid, &self.tiles)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) % bound as u64) as usize
    }

    fn cost(&self, kernel: usize) -> f64 {
        let here = self.tiles[kernel];
        let wire = |&(other, connections): &(usize, i64)| {
            let there = self.tiles[other];
            let cut = here != there && !self.grid.partners(here).contains(&there);
            let far = self.grid.tile(here).distance(self.grid.tile(there));
            connections as f64 * (if cut { 1.0 } else { 0.0 } + 0.02 * f64::from(far))
        };
        self.pairs.around[kernel].iter().map(wire).sum()
    }

    fn swap(&mut self, kernel: usize, target: TileId) {
        let (source, other) = (self.tiles[kernel], self.kernel[target.index()]);
        self.tiles[kernel] = target;
        self.kernel[target.index()] = Some(kernel);
        self.kernel[source.index()] = other;
        if let Some(other) = other {
            self.tiles[other] = source;
        }
    }

    /// Half of all moves go to a partner tile of a neighbour, the others anywhere.
    fn step(&mut self, temperature: f64) {
        let kernel = self.below(self.tiles.len());
        let source = self.tiles[kernel];
        let degree = self.pairs.around[kernel].len();
        let target = if degree > 0 && self.below(2) == 0 {
            let (neighbour, _) = self.pairs.around[kernel][self.below(degree)];
            let partners = self.grid.partners(self.tiles[neighbour]);
            let count = partners.len();
            self.grid.partners(self.tiles[neighbour])[self.below(count)]
        } else {
            TileId(self.below(self.grid.len()) as u16)
        };
        if target == source {
            return;
        }
        let other = self.kernel[target.index()];
        let cost = |state: &Self| state.cost(kernel) + other.map_or(0.0, |other| state.cost(other));
        let before = cost(self);
        self.swap(kernel, target);
        let delta = cost(self) - before;
        let chance = self.below(1 << 20) as f64 / f64::from(1 << 20);
        if delta > 0.0 && chance >= (-delta / temperature).exp() {
            self.swap(kernel, source);
        }
    }
}
