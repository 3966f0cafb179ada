//! Simulated annealing over hosts. Each move is priced with an optimal matching of all leaves.

use aiec_device::TileId;

use super::super::problem::TileProblem;
use super::graph::Graph;
use super::matching::Matching;
use super::{Schedule, Task};
use crate::random::{Dice, Random};
use crate::watch::Run;

/// A placement of hosts, with the leaves matched to tiles.
pub(super) struct Annealing<'a> {
    problem: &'a TileProblem<'a>,
    graph: &'a Graph,
    /// Partner tiles within the area, by tile.
    near: Vec<Vec<u16>>,
    area: Vec<u16>,
    /// Tile of each host.
    at: Vec<u16>,
    /// Host on each tile.
    host: Vec<Option<u16>>,
    leaves: Matching,
    /// Hosts that may move.
    movable: Vec<usize>,
    /// As in [`Schedule::parts`].
    parts: i64,
}

impl<'a> Annealing<'a> {
    /// Starts from the tiles of `task`, or from random tiles.
    pub(super) fn new(
        problem: &'a TileProblem<'a>,
        graph: &'a Graph,
        task: &Task<'_>,
        random: &mut Random,
    ) -> Self {
        let tiles = problem.grid.len();
        let mut inside = vec![false; tiles];
        task.area.iter().for_each(|tile| inside[tile.index()] = true);
        let near = |tile: TileId| {
            let partners = problem.grid.partners(tile).iter();
            partners.filter(|t| inside[t.index()]).map(|t| t.0).collect()
        };
        let movable = (0..graph.hosts.len()).filter(|&h| problem.fixed[graph.hosts[h]].is_none()).collect();
        let mut annealing = Self {
            problem,
            graph,
            near: problem.grid.ids().map(near).collect(),
            area: task.area.iter().map(|tile| tile.0).collect(),
            at: vec![0; graph.hosts.len()],
            host: vec![None; tiles],
            leaves: Matching::new(tiles, &graph.wanted),
            movable,
            parts: 8,
        };
        annealing.begin(task, random);
        annealing
    }

    /// Puts every host on its tile: the fixed one, the start's, or any.
    fn begin(&mut self, task: &Task<'_>, random: &mut Random) {
        let mut free = self.area.clone();
        for i in (1..free.len()).rev() {
            free.swap(i, random.below(i + 1));
        }
        let given = |k: usize| {
            let position = task.kernels.iter().position(|&other| other == k)?;
            task.start.map(|start| start[position])
        };
        let wish: Vec<Option<TileId>> =
            self.graph.hosts.iter().map(|&k| self.problem.fixed[k].or_else(|| given(k))).collect();
        for (h, tile) in wish.iter().enumerate().filter_map(|(h, tile)| Some((h, (*tile)?))) {
            self.put(h, tile.0);
        }
        for h in (0..wish.len()).filter(|&h| wish[h].is_none()) {
            // Prefers a tile that the host may take. Without one, the caller moves the host after
            // the embedding.
            let open = |tile: &u16| self.host[usize::from(*tile)].is_none();
            let own = |tile: &u16| open(tile) && self.problem.allows(self.graph.hosts[h], TileId(*tile));
            if let Some(at) = free.iter().rposition(own).or_else(|| free.iter().rposition(open)) {
                let tile = free.swap_remove(at);
                self.put(h, tile);
            }
        }
        self.leaves.complete(&self.at, &self.near, &self.host);
        self.leaves.commit();
    }

    fn put(&mut self, host: usize, tile: u16) {
        self.at[host] = tile;
        self.host[usize::from(tile)] = u16::try_from(host).ok();
    }

    /// Anneals and ends in the best placement met. Returns its cost.
    pub(super) fn run(&mut self, schedule: &Schedule, random: &mut Random, run: &Run<'_>) -> i64 {
        const STEPS: u64 = 256;
        let dice = Dice::new();
        self.parts = schedule.parts.max(1);
        let mut cost = self.cost();
        let (mut best, mut least) = (self.at.clone(), cost);
        if self.movable.is_empty() {
            return cost;
        }
        let moves = schedule.moves_per_host * self.at.len() as u64;
        for step in 0..STEPS {
            let temperature = schedule.temperature(step, STEPS);
            for _ in 0..moves / STEPS {
                if let Some(delta) = self.step(dice.limit(temperature, random), random) {
                    cost += delta;
                    if cost < least {
                        (best, least) = (self.at.clone(), cost);
                    }
                }
            }
            if least == 0 || run.stopped() {
                break;
            }
        }
        self.restore(&best);
        least
    }

    /// Puts all hosts on the tiles `at`.
    fn restore(&mut self, at: &[u16]) {
        self.host.fill(None);
        for (host, &tile) in at.iter().enumerate() {
            self.put(host, tile);
        }
        self.leaves = Matching::new(self.host.len(), &self.graph.wanted);
        self.leaves.complete(&self.at, &self.near, &self.host);
        self.leaves.commit();
    }

    /// Tries one move. Returns the change of the cost if it is at most `limit`; else None, and
    /// nothing changes.
    fn step(&mut self, limit: i64, random: &mut Random) -> Option<i64> {
        let mover = self.movable[random.below(self.movable.len())];
        let target = self.propose(mover, random)?;
        let source = self.at[mover];
        let other = self.host[usize::from(target)].map(usize::from);
        let may = |host: usize, tile: u16| self.problem.allows(self.graph.hosts[host], TileId(tile));
        let stays = |o: usize| self.problem.fixed[self.graph.hosts[o]].is_some() || !may(o, source);
        if target == source || !may(mover, target) || other.is_some_and(stays) {
            return None;
        }
        let before = self.wires(mover, other);
        let lacking = self.lacking();
        self.exchange(mover, source, other, target);
        let delta = self.wires(mover, other) - before;
        // The best case: after the move every leaf has a tile.
        if delta - lacking <= limit {
            self.rematch(mover, source, other, target);
            let delta = delta + self.lacking() - lacking;
            if delta <= limit {
                self.leaves.commit();
                return Some(delta);
            }
            self.leaves.undo();
        }
        self.exchange(mover, target, other, source);
        None
    }

    /// Proposes a tile beside one of the host's neighbours, beside its own, or anywhere.
    fn propose(&self, mover: usize, random: &mut Random) -> Option<u16> {
        let neighbours = &self.graph.edges[mover];
        let around = match random.below(8) {
            0 => return self.area.get(random.below(self.area.len())).copied(),
            1 | 2 => self.at[mover],
            _ => neighbours.get(random.below(neighbours.len())).map_or(self.at[mover], |&(n, _)| self.at[n]),
        };
        let near = &self.near[usize::from(around)];
        near.get(random.below(near.len())).copied()
    }

    fn exchange(&mut self, mover: usize, source: u16, other: Option<usize>, target: u16) {
        self.host[usize::from(source)] = None;
        self.put(mover, target);
        if let Some(other) = other {
            self.put(other, source);
        }
    }

    /// Takes tiles from leaves that are no longer beside their host or whose tile now has a host,
    /// and matches these leaves again.
    fn rematch(&mut self, mover: usize, source: u16, other: Option<usize>, target: u16) {
        self.leaves.release(target);
        self.leave(mover, source, target);
        if let Some(other) = other {
            self.leave(other, target, source);
        }
        self.leaves.complete(&self.at, &self.near, &self.host);
    }

    /// Releases the tiles of `host` that are beside its old tile `from` but not beside `to`.
    fn leave(&mut self, host: usize, from: u16, to: u16) {
        for &tile in &self.near[usize::from(from)] {
            let own = self.leaves.owner(tile).is_some_and(|owner| usize::from(owner) == host);
            if own && self.problem.gap(TileId(to), TileId(tile)) > 0 {
                self.leaves.release(tile);
            }
        }
    }

    /// Cost of the edges of one host and of another one, without the edges between them.
    fn wires(&self, mover: usize, other: Option<usize>) -> i64 {
        self.wires_of(mover, None) + other.map_or(0, |other| self.wires_of(other, Some(mover)))
    }

    fn wires_of(&self, host: usize, except: Option<usize>) -> i64 {
        let edges = self.graph.edges[host].iter().filter(|(other, _)| Some(*other) != except);
        edges.map(|&(other, weight)| self.wire(host, other, weight)).sum()
    }

    /// Cost of one edge: 0 if the two tiles share memory, else the weight and a fraction of it for
    /// every tile beyond the least distance.
    fn wire(&self, a: usize, b: usize, weight: i64) -> i64 {
        match self.problem.gap(TileId(self.at[a]), TileId(self.at[b])) {
            0 => 0,
            gap => weight + weight * (gap - 2).max(0) / self.parts,
        }
    }

    /// Cost of the leaves without a tile beside their host.
    fn lacking(&self) -> i64 {
        self.leaves.lacking().map(|(host, count)| self.graph.leaf_weight[host] * count as i64).sum()
    }

    fn cost(&self) -> i64 {
        let twice: i64 = (0..self.at.len()).map(|host| self.wires_of(host, None)).sum();
        twice / 2 + self.lacking()
    }

    /// The tile of each kernel of `task`. Unmatched leaves take the nearest free tiles.
    pub(super) fn tiles(&self, task: &Task<'_>) -> Vec<TileId> {
        let mut tiles: Vec<Option<TileId>> = vec![None; self.problem.kernels()];
        let mut used = vec![false; self.host.len()];
        for (&kernel, &tile) in self.graph.hosts.iter().zip(&self.at) {
            tiles[kernel] = Some(TileId(tile));
            used[usize::from(tile)] = true;
        }
        for (host, leaves) in self.graph.leaves.iter().enumerate() {
            let beside = self.near[usize::from(self.at[host])].iter();
            let own = beside.filter(|&&t| self.leaves.owner(t).is_some_and(|o| usize::from(o) == host));
            for (&leaf, &tile) in leaves.iter().zip(own) {
                tiles[leaf] = Some(TileId(tile));
                used[usize::from(tile)] = true;
            }
        }
        for (host, &leaf) in
            self.graph.leaves.iter().enumerate().flat_map(|(h, l)| l.iter().map(move |l| (h, l)))
        {
            if tiles[leaf].is_none() {
                let free = self.area.iter().filter(|&&tile| !used[usize::from(tile)]);
                let nearest = free.min_by_key(|&&tile| self.problem.gap(TileId(tile), TileId(self.at[host])));
                tiles[leaf] = nearest.map(|&tile| TileId(tile));
                nearest.into_iter().for_each(|&tile| used[usize::from(tile)] = true);
            }
        }
        // The area has a tile for every kernel.
        task.kernels.iter().map(|&kernel| tiles[kernel].unwrap_or(task.area[0])).collect()
    }
}

impl Schedule {
    /// Geometric cooling from `hot` to `cold`, by integer arithmetic.
    fn temperature(&self, step: u64, steps: u64) -> i64 {
        // With 2^n = hot / cold, the temperature halves n times in equal parts. Within a part it
        // falls linearly.
        let mut low = self.hot.max(1);
        let mut halvings = 0;
        while low > self.cold.max(1) {
            low /= 2;
            halvings += 1;
        }
        let place = step * halvings * 256 / steps.max(1);
        let (whole, part) = (place / 256, (place % 256) as i64);
        let high = self.hot >> whole.min(62);
        (high - high / 2 * part / 256).max(self.cold)
    }
}
