//! Hosts on tiles, each move priced with an optimal matching of all leaves.

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId};

use super::super::anneal::Anneal;
use super::super::problem::TileProblem;
use super::Task;
use super::graph::{Graph, HostId};
use super::matching::Matching;
use crate::random::Random;

/// The tiles beside each tile.
pub(super) type Near = Vec<Vec<TileId>>;

/// A placement of hosts, with the leaves matched to tiles.
#[derive(Clone)]
pub(super) struct Hosts<'a> {
    problem: &'a TileProblem<'a>,
    graph: &'a Graph,
    task: &'a Task<'a>,
    /// Partner tiles within the area, by tile.
    near: &'a Near,
    /// Tile of each host.
    at: IdVec<HostId, TileId>,
    /// Host on each tile.
    host: Vec<Option<HostId>>,
    leaves: Matching,
    /// Hosts that may move.
    movable: Vec<HostId>,
    /// Connections that share no memory, with a little for their length.
    pub(super) cost: i64,
}

impl Anneal for Hosts<'_> {
    type Worth = i64;

    fn worth(&self) -> i64 {
        self.cost
    }

    fn try_one(&mut self, limit: i64, random: &mut Random) {
        let mover = self.movable[random.below(self.movable.len())];
        if let Some(target) = self.propose(mover, random) {
            self.attempt(mover, target, limit);
        }
    }

    fn is_least(&self) -> bool {
        self.cost == 0 || self.movable.is_empty()
    }
}

impl<'a> Hosts<'a> {
    /// Hosts on their fixed tiles, or on random tiles of the area of `task`.
    pub(super) fn new(
        problem: &'a TileProblem<'a>,
        graph: &'a Graph,
        task: &'a Task<'a>,
        near: &'a Near,
        random: &mut Random,
    ) -> Self {
        let tiles = problem.grid.len();
        let is_movable = |host: &HostId| problem.fixed[graph.hosts[*host]].is_none();
        let mut hosts = Self {
            problem,
            graph,
            task,
            near,
            at: IdVec::filled(TileId(0), graph.hosts.len()),
            host: vec![None; tiles],
            leaves: Matching::new(tiles, graph.leaves.iter().map(Vec::len).collect()),
            movable: graph.hosts.ids().filter(is_movable).collect(),
            cost: 0,
        };
        hosts.begin(random);
        hosts
    }

    /// Puts every host on its fixed tile or any other. A tile that the host may take is best;
    /// without one, the caller moves the host after the embedding.
    fn begin(&mut self, random: &mut Random) {
        let mut free = self.task.area.to_vec();
        for i in (1..free.len()).rev() {
            free.swap(i, random.below(i + 1));
        }
        for (host, &kernel) in self.graph.hosts.enumerate() {
            if let Some(tile) = self.problem.fixed[kernel] {
                self.put(host, tile);
            }
        }
        for host in self.movable.clone() {
            let open = |tile: &TileId| self.host[tile.index()].is_none();
            let own = |tile: &TileId| open(tile) && self.may(host, *tile);
            if let Some(at) = free.iter().rposition(own).or_else(|| free.iter().rposition(open)) {
                let tile = free.swap_remove(at);
                self.put(host, tile);
            }
        }
        self.leaves.complete(&self.at, self.near, &self.host);
        self.cost = self.counted();
    }

    /// The cost of all edges and of the leaves without a tile.
    fn counted(&self) -> i64 {
        let twice: i64 = self.graph.hosts.ids().map(|host| self.wires_of(host, None)).sum();
        twice / 2 + self.lacking()
    }

    fn may(&self, host: HostId, tile: TileId) -> bool {
        self.problem.allows(self.graph.hosts[host], tile)
    }

    fn put(&mut self, host: HostId, tile: TileId) {
        self.at[host] = tile;
        self.host[tile.index()] = Some(host);
    }

    /// Moves `mover` to `target`, and the host there to its tile, if that costs at most `limit`.
    fn attempt(&mut self, mover: HostId, target: TileId, limit: i64) {
        let source = self.at[mover];
        let other = self.host[target.index()];
        let stays = |o: HostId| self.problem.fixed[self.graph.hosts[o]].is_some() || !self.may(o, source);
        if target == source || !self.may(mover, target) || other.is_some_and(stays) {
            return;
        }
        let before = self.wires(mover, other);
        let lacking = self.lacking();
        self.exchange(mover, source, other, target);
        let delta = self.wires(mover, other) - before;
        // The best case: after the move every leaf has a tile.
        if delta - lacking <= limit {
            let leaves = self.leaves.clone();
            self.rematch(mover, source, other, target);
            let delta = delta + self.lacking() - lacking;
            if delta <= limit {
                self.cost += delta;
                return;
            }
            self.leaves = leaves;
        }
        self.exchange(mover, target, other, source);
    }

    /// Proposes a tile beside one of the host's neighbours, beside its own, or anywhere.
    fn propose(&self, mover: HostId, random: &mut Random) -> Option<TileId> {
        let own = self.at[mover];
        let neighbours = &self.graph.edges[mover];
        let around = match random.below(8) {
            0 => return self.task.area.get(random.below(self.task.area.len())).copied(),
            1 | 2 => own,
            _ => neighbours.get(random.below(neighbours.len())).map_or(own, |&(n, _)| self.at[n]),
        };
        let near = &self.near[around.index()];
        near.get(random.below(near.len())).copied()
    }

    fn exchange(&mut self, mover: HostId, source: TileId, other: Option<HostId>, target: TileId) {
        self.host[source.index()] = None;
        self.put(mover, target);
        if let Some(other) = other {
            self.put(other, source);
        }
    }

    /// Takes tiles from leaves that are no longer beside their host or whose tile now has a host,
    /// and matches these leaves again.
    fn rematch(&mut self, mover: HostId, source: TileId, other: Option<HostId>, target: TileId) {
        self.leaves.release(target);
        self.leave(mover, source, target);
        if let Some(other) = other {
            self.leave(other, target, source);
        }
        self.leaves.complete(&self.at, self.near, &self.host);
    }

    /// Releases the tiles of `host` that are beside its old tile `from` but not beside `to`.
    fn leave(&mut self, host: HostId, from: TileId, to: TileId) {
        for &tile in &self.near[from.index()] {
            if self.leaves.owner(tile) == Some(host) && self.problem.gap(to, tile) > 0 {
                self.leaves.release(tile);
            }
        }
    }

    /// Cost of the edges of one host and of another one, without the edges between them.
    fn wires(&self, mover: HostId, other: Option<HostId>) -> i64 {
        self.wires_of(mover, None) + other.map_or(0, |other| self.wires_of(other, Some(mover)))
    }

    fn wires_of(&self, host: HostId, except: Option<HostId>) -> i64 {
        let edges = self.graph.edges[host].iter().filter(|(other, _)| Some(*other) != except);
        edges.map(|&(other, weight)| self.wire(host, other, weight)).sum()
    }

    /// Cost of one edge: 0 if the two tiles share memory, else the weight and a fraction of it for
    /// every tile beyond the least distance.
    fn wire(&self, a: HostId, b: HostId, weight: i64) -> i64 {
        match self.problem.gap(self.at[a], self.at[b]) {
            0 => 0,
            gap => weight + weight * (gap - 2).max(0) / self.task.parts,
        }
    }

    /// Cost of the leaves without a tile beside their host.
    fn lacking(&self) -> i64 {
        let lacking = self.leaves.lacking();
        lacking.map(|(host, count)| self.graph.leaf_weight[host] * count as i64).sum()
    }

    /// The tile of each kernel of the task. Unmatched leaves take the nearest free tiles.
    pub(super) fn tiles(&self) -> Vec<TileId> {
        let mut tiles: Vec<Option<TileId>> = vec![None; self.problem.kernels()];
        let mut free: Vec<TileId> = self.task.area.to_vec();
        let mut take = |kernel: KernelId, tile: TileId| {
            tiles[kernel.index()] = Some(tile);
            free.retain(|other| *other != tile);
            free.len()
        };
        let mut homeless = Vec::new();
        for host in self.graph.hosts.ids() {
            take(self.graph.hosts[host], self.at[host]);
            let leaves = &self.graph.leaves[host];
            let beside = self.near[self.at[host].index()].iter();
            let own: Vec<TileId> =
                beside.copied().filter(|&tile| self.leaves.owner(tile) == Some(host)).collect();
            for (&leaf, &tile) in leaves.iter().zip(&own) {
                take(leaf, tile);
            }
            homeless.extend(leaves.iter().skip(own.len()).map(|&leaf| (leaf, self.at[host])));
        }
        for (leaf, host) in homeless {
            let nearest = (0..free.len()).min_by_key(|&i| self.problem.gap(free[i], host));
            tiles[leaf.index()] = nearest.map(|i| free.remove(i));
        }
        // The area has a tile for every kernel.
        self.task.kernels.iter().map(|&kernel| tiles[kernel.index()].unwrap_or(self.task.area[0])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::problem::CUT;
    use super::super::super::tests::{toy, with_state_of};
    use super::*;
    use aiec_test_support::windows::{Case, design};

    /// The cost counted anew: all edges, and the leaves that a new matching leaves without a tile.
    fn recounted(hosts: &Hosts<'_>) -> i64 {
        let mut anew = hosts.clone();
        anew.leaves = Matching::new(anew.host.len(), anew.graph.leaves.iter().map(Vec::len).collect());
        anew.leaves.complete(&anew.at, anew.near, &anew.host);
        anew.counted()
    }

    /// A move changes the cost and the matching of leaves only by what it touches.
    #[test]
    fn moves_of_hosts_keep_the_cost_and_a_maximum_matching() {
        for seed in 0..20 {
            let random = &mut Random::new(seed);
            let windows = (1..20).map(|child| (random.below(child), child, 16, false)).collect();
            let tree = design(&Case { columns: 20, rows: 1, windows, stacks: [1_024; 2] });
            let tested = with_state_of(&tree, &toy(), |_, state| {
                let (problem, grid) = (state.problem, state.problem.grid);
                let area: Vec<TileId> = grid.ids().collect();
                let near: Near = grid.ids().map(|tile| grid.partners(tile).to_vec()).collect();
                let all: Vec<KernelId> = problem.ids().collect();
                let task = Task { kernels: &all, area: &area, moves_per_host: 1, parts: 8 };
                let graph = Graph::new(problem, &task);
                let mut hosts = Hosts::new(problem, &graph, &task, &near, random);
                for limit in [i64::MAX / 4, CUT, 0] {
                    for _ in 0..100 {
                        hosts.try_one(limit, random);
                        assert_eq!(hosts.cost, recounted(&hosts), "seed {seed}");
                    }
                }
                Ok(())
            });
            tested.expect("the design is legal");
        }
    }
}
