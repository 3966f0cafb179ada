//! An assignment of kernels to tiles with its cost, updated move by move.

use aiec_device::TileId;

use super::problem::{CUT, Neighbour, TileProblem};
use super::traffic::Loads;

/// Largest saving of memory, channel and line cost that a refused move could have. If the wire cost
/// alone exceeds the limit by more than this, [`State::exchange_below`] skips the move without
/// computing the other costs. The pruning is wrong when a move would save more than one
/// connection's worth of them.
const MOST_SAVED: i64 = CUT;

/// Costs besides wires: the density limit, the centre and the lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// Density of a module above which it costs, in 1/1024 of a module. None ignores memory.
    pub(crate) crowding: Option<i64>,
    /// The column kernels gather around.
    pub(crate) centre: u16,
    /// True if nets across lines that are nearly full cost.
    pub(crate) traffic: bool,
}

/// Kernels on tiles, at most one on each.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Tile of each kernel.
    pub(crate) tiles: Vec<TileId>,
    /// Kernel on each tile.
    pub(crate) kernel: Vec<Option<usize>>,
    /// Density that each module sees. Empty when memory is ignored.
    load: Vec<i64>,
    /// Nets across each line, if lines cost.
    traffic: Option<Loads>,
    costs: Costs,
}

impl State {
    /// The state with kernel `k` on `tiles[k]`. No tile may occur twice.
    pub(crate) fn new(problem: &TileProblem<'_>, costs: Costs, tiles: Vec<TileId>) -> Self {
        let mut kernel = vec![None; problem.grid.len()];
        for (k, tile) in tiles.iter().enumerate() {
            kernel[tile.index()] = Some(k);
        }
        let load = if costs.crowding.is_some() { vec![0; problem.grid.len()] } else { Vec::new() };
        let traffic = costs.traffic.then(|| problem.nets.loads(problem.grid, &tiles));
        let mut state = Self { tiles, kernel, load, traffic, costs };
        for k in 0..state.tiles.len() {
            state.charge(problem, k, state.tiles[k], 1);
        }
        state
    }

    /// A state with the same costs and the kernels on `tiles`.
    pub(crate) fn moved(&self, problem: &TileProblem<'_>, tiles: Vec<TileId>) -> Self {
        Self::new(problem, self.costs, tiles)
    }

    /// Total cost.
    pub(crate) fn cost(&self, problem: &TileProblem<'_>) -> i64 {
        let own: i64 = (0..self.tiles.len())
            .map(|k| {
                let tile = self.tiles[k];
                let wires: i64 = problem.neighbours[k]
                    .iter()
                    .filter(|n| n.kernel > k)
                    .map(|n| problem.pair_cost(n, tile, self.tiles[n.kernel]))
                    .sum();
                wires + self.own_cost(problem, k, tile)
            })
            .sum();
        own + self.room_cost(problem)
    }

    /// Cost of memory, channels and, if they count, lines: the limits for the later stages.
    pub(crate) fn room_cost(&self, problem: &TileProblem<'_>) -> i64 {
        self.memory_cost(problem) + self.traffic.as_ref().map_or(0, |loads| problem.nets.cost(loads))
    }

    /// Cost of crowded modules and of channels.
    pub(crate) fn memory_cost(&self, problem: &TileProblem<'_>) -> i64 {
        let channels: i64 = match problem.channel_heavy.is_empty() {
            true => 0,
            false => (0..self.tiles.len()).map(|k| problem.channel_cost(k, &self.tiles)).sum(),
        };
        channels + self.load.iter().map(|&load| self.crowd_cost(load)).sum::<i64>()
    }

    /// Connections between kernels that share no module, as pairs of kernels.
    pub(crate) fn cuts(&self, problem: &TileProblem<'_>) -> Vec<(usize, usize)> {
        let cut = |(a, b): (usize, usize)| problem.gap(self.tiles[a], self.tiles[b]) > 0;
        problem.edges.iter().map(|edge| (edge.a, edge.b)).filter(|&pair| cut(pair)).collect()
    }

    /// Number of connections between kernels that share no module.
    pub(crate) fn cut_connections(&self, problem: &TileProblem<'_>) -> u64 {
        problem.cut_connections(&self.tiles)
    }

    /// Does [`State::exchange`] if the cost grows by no more than `limit`. Otherwise returns None
    /// and changes nothing.
    ///
    /// Wires alone refuse most moves, and their change is cheap to compute. The other costs can
    /// only shrink where they are positive. Moves that would need to save more than [`MOST_SAVED`]
    /// of them are refused too.
    pub(crate) fn exchange_below(
        &mut self,
        problem: &TileProblem<'_>,
        kernel: usize,
        target: TileId,
        limit: i64,
    ) -> Option<i64> {
        if self.wire_delta(problem, kernel, target) > limit.saturating_add(MOST_SAVED) {
            return None;
        }
        let source = self.tiles[kernel];
        let delta = self.exchange(problem, kernel, target);
        if delta > limit {
            self.exchange(problem, kernel, source);
            return None;
        }
        Some(delta)
    }

    /// Change of the cost of wires, of distances to the shim and from the centre after such an
    /// exchange.
    fn wire_delta(&self, problem: &TileProblem<'_>, kernel: usize, target: TileId) -> i64 {
        let source = self.tiles[kernel];
        let other = self.kernel[target.index()];
        let own = self.way(problem, kernel, other, source, target);
        own + other.map_or(0, |other| self.way(problem, other, Some(kernel), target, source))
    }

    /// The change for one kernel, without its wire to `except`, whose length stays the same.
    fn way(
        &self,
        problem: &TileProblem<'_>,
        kernel: usize,
        except: Option<usize>,
        from: TileId,
        to: TileId,
    ) -> i64 {
        let wire = |n: &Neighbour| {
            let end = self.tiles[n.kernel];
            problem.pair_cost(n, to, end) - problem.pair_cost(n, from, end)
        };
        let wires = problem.neighbours[kernel].iter().filter(|n| Some(n.kernel) != except).map(wire);
        wires.sum::<i64>() + self.own_cost(problem, kernel, to) - self.own_cost(problem, kernel, from)
    }

    /// Moves `kernel` to `target` and the kernel there to its old tile. Returns the change of the
    /// cost.
    pub(crate) fn exchange(&mut self, problem: &TileProblem<'_>, kernel: usize, target: TileId) -> i64 {
        let source = self.tiles[kernel];
        let other = self.kernel[target.index()];
        let before = self.around(problem, kernel, other);
        let lifted = self.count_nets(problem, kernel, other, -1);
        let mut delta = self.relocate(problem, kernel, source, target);
        if let Some(other) = other {
            delta += self.relocate(problem, other, target, source);
        }
        self.kernel[target.index()] = Some(kernel);
        self.kernel[source.index()] = other;
        let dropped = self.count_nets(problem, kernel, other, 1);
        lifted + delta + dropped + self.around(problem, kernel, other) - before
    }

    /// Adds or removes the nets of the two kernels, if lines cost. Returns the change of the cost.
    fn count_nets(
        &mut self,
        problem: &TileProblem<'_>,
        kernel: usize,
        other: Option<usize>,
        sign: i64,
    ) -> i64 {
        let Some(loads) = &mut self.traffic else { return 0 };
        problem.nets.change_all(problem.grid, &self.tiles, kernel, other, sign, loads)
    }

    fn around(&self, problem: &TileProblem<'_>, kernel: usize, other: Option<usize>) -> i64 {
        let first = self.local_cost(problem, kernel, None);
        let second = other.map_or(0, |other| self.local_cost(problem, other, Some(kernel)));
        first + second + self.channel_costs(problem, kernel, other)
    }

    /// Cost of the channels that a move of the two kernels can change.
    fn channel_costs(&self, problem: &TileProblem<'_>, kernel: usize, other: Option<usize>) -> i64 {
        let Some(first) = problem.channel_heavy.get(kernel) else { return 0 };
        let second = other.and_then(|other| problem.channel_heavy.get(other)).into_iter().flatten();
        let all = first.iter().chain(second.filter(|k| !first.contains(k)));
        all.map(|&k| problem.channel_cost(k, &self.tiles)).sum()
    }

    /// Cost of `kernel` and its wires, without those to `except`.
    fn local_cost(&self, problem: &TileProblem<'_>, kernel: usize, except: Option<usize>) -> i64 {
        let tile = self.tiles[kernel];
        let wires: i64 = problem.neighbours[kernel]
            .iter()
            .filter(|n| Some(n.kernel) != except)
            .map(|n| problem.pair_cost(n, tile, self.tiles[n.kernel]))
            .sum();
        wires + self.own_cost(problem, kernel, tile)
    }

    /// Puts `kernel` on another tile. Returns the change of the crowding cost.
    fn relocate(&mut self, problem: &TileProblem<'_>, kernel: usize, from: TileId, to: TileId) -> i64 {
        self.tiles[kernel] = to;
        self.charge(problem, kernel, from, -1) + self.charge(problem, kernel, to, 1)
    }

    fn charge(&mut self, problem: &TileProblem<'_>, kernel: usize, tile: TileId, sign: i64) -> i64 {
        if self.load.is_empty() {
            return 0;
        }
        let modules = problem.grid.reach(tile);
        let part = sign * problem.density[kernel] / modules.len().max(1) as i64;
        let mut delta = 0;
        for module in modules {
            let load = self.load[module.index()];
            delta += self.crowd_cost(load + part) - self.crowd_cost(load);
            self.load[module.index()] = load + part;
        }
        delta
    }

    /// Cost of a module's density. It grows with the square of the excess, so that no module gets
    /// far over the limit.
    fn crowd_cost(&self, load: i64) -> i64 {
        let excess = self.costs.crowding.map_or(0, |limit| (load - limit).max(0)).min(1 << 20);
        excess * excess / 32
    }

    fn own_cost(&self, problem: &TileProblem<'_>, kernel: usize, tile: TileId) -> i64 {
        let column = problem.grid.tile(tile).column;
        problem.site_cost(kernel, tile) + i64::from(column.abs_diff(self.costs.centre)) * problem.compact
    }
}
