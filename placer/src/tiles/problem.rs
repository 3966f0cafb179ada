//! The tile problem: a weighted graph to embed in the sharing relation of the grid. Holds
//! everything the search over tiles needs, as numbers. Costs are integers in units of 1/1024 of a
//! connection through DMA.

use aiec_check::{Checked, columns_for};
use aiec_device::{Device, Grid, TileId};
use aiec_ir::constraints::{Aligned, Axis};
use aiec_ir::expanded::{Connection, Owner};
use aiec_ir::{ExternalId, IdVec, KernelId};

use super::cores::{Core, Shares, supply};
use super::needs::Needs;
use super::weights::Weights;
use crate::lines::Nets;
pub(crate) use crate::lines::Tiles;
use crate::objective::Objective;
use crate::rules::Rules;
use crate::score::Measure;

/// Cost of a connection that needs DMA, without its bytes.
pub(crate) const CUT: i64 = 1024;
/// Cost of a tile of wire in the usual order, small against [`CUT`].
pub(crate) const LENGTH: i64 = 20;
/// Cost of what a state should not have, more than the connections that it could save: a module
/// that lacks all of a resource, a kernel that joins another on its core, a net beyond the wires of
/// a line, a unit of a term that precedes connections. Also the highest price of a line.
pub(crate) const PENALTY: i64 = 4 * CUT;
/// Cost of what must not be, more than the connections of any kernel: a core that cannot run its
/// kernels, a pair that breaks its memory rule.
pub(crate) const NEVER: i64 = 64 * CUT;

/// An edge between two kernels that could share memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) a: KernelId,
    pub(crate) b: KernelId,
    /// Cost if it goes through DMA, without wire.
    pub(crate) weight: i64,
    /// Number of connections that the edge stands for.
    pub(crate) connections: u64,
}

/// A neighbour of a kernel in the graph.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    pub(crate) kernel: KernelId,
    /// As [`Edge::weight`]. 0 for the wire of a broadcast, which never shares.
    pub(crate) weight: i64,
    /// Cost per tile of distance when memory is not shared.
    pub(crate) length: i64,
    /// Cost if memory is shared: 0 unless the two kernels must be apart.
    pub(crate) near: i64,
    /// What else must hold for the tiles of the two.
    pub(crate) law: Law,
    /// Windows that could be shared: from the neighbour, and to it.
    pub(crate) windows: [i64; 2],
    /// The one ordinary window to the neighbour (0) or from it (1), whose cost moves read from a
    /// table. None for several windows, broadcasts, and pairs with a rule.
    pub(super) way: Option<usize>,
}

impl Neighbour {
    /// Sets [`Neighbour::way`]. A tile of wire costs `length`.
    fn find_way(&mut self, length: i64) {
        let is_plain = self.near == 0 && self.law.is_none() && self.length == length;
        self.way = self.windows.iter().rposition(|&count| count == 1).map(|at| 1 - at);
        self.way = self.way.filter(|_| is_plain && self.windows.iter().sum::<i64>() == 1);
    }
}

/// What must hold for the tiles of two kernels besides memory, seen from the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Law {
    /// They are on different cores.
    pub(crate) distinct: bool,
    /// Columns and rows from the first to the second, where stated.
    pub(crate) steps: [Option<i64>; 2],
}

impl Law {
    /// True if any two tiles will do.
    pub(crate) fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Tiles by which the second kernel is off its stated column and row, and 1 for two kernels on
    /// one core that must not be there.
    fn off(self, grid: &Grid, a: TileId, b: TileId) -> i64 {
        if self.is_none() {
            return 0;
        }
        let (columns, rows) = grid.tile(a).steps_to(grid.tile(b));
        let away = |stated: Option<i64>, step: i64| stated.map_or(0, |stated| (step - stated).abs());
        away(self.steps[0], columns) + away(self.steps[1], rows) + i64::from(self.distinct && a == b)
    }
}

/// A pair of kernels whose tiles break a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// They must share memory.
    Together,
    /// They must not share memory.
    Apart,
    /// They must not share a core.
    Distinct,
    /// Their columns or rows have a stated distance.
    Aligned(Axis),
}

/// The search space over tiles: allowed tiles, edges and costs.
#[derive(Clone, Debug)]
pub(crate) struct TileProblem<'g> {
    pub(crate) grid: &'g Grid,
    /// Edges that could be shared, one per pair of kernels.
    pub(crate) edges: Vec<Edge>,
    /// Neighbours of each kernel: over edges, then over broadcasts.
    pub(crate) neighbours: IdVec<KernelId, Vec<Neighbour>>,
    /// The fixed tile of each kernel, if it has one.
    pub(crate) fixed: IdVec<KernelId, Option<TileId>>,
    /// Tiles for each kernel, formations, and pairs that must or must not share memory.
    pub(crate) rules: Rules,
    /// Kernels that can move by themselves.
    pub(crate) movable: Vec<KernelId>,
    /// The group of [`Rules::groups`] that each kernel belongs to.
    pub(crate) group_of: IdVec<KernelId, Option<usize>>,
    /// Cost of each tile for a kernel with inputs or outputs of the array. Empty for other kernels.
    pub(crate) sites: IdVec<KernelId, Vec<i64>>,
    /// Memory that ports and stacks need.
    pub(crate) needs: Needs,
    /// Kernels in the order in which their memory is packed: the largest buffers first.
    pub(crate) hardest_first: Vec<KernelId>,
    /// What each kernel takes of a core.
    pub(crate) cores: IdVec<KernelId, Core>,
    /// What a core has.
    pub(crate) supply: Shares,
    /// Nets across the lines between columns and rows.
    pub(crate) nets: Nets,
    /// What counts the terms of a placement.
    pub(crate) measure: Measure,
    /// Cost of a pair that breaks its rule.
    unkept: i64,
    /// Costs by the objective.
    pub(super) weights: Weights,
    /// Pairwise distances where memory is not shared, 0 where it is; indexed by `a * tiles + b`.
    distance: Vec<u16>,
}

impl<'g> TileProblem<'g> {
    /// The problem of `checked` on `device`, with the `rules` of its kernels.
    pub(crate) fn new(
        checked: &Checked,
        device: &Device,
        grid: &'g Grid,
        rules: Rules,
        objective: &Objective,
    ) -> Self {
        let (kernels, weights) = (checked.kernels.len(), Weights::new(checked, objective));
        let needs = Needs::new(checked, device, grid, &weights);
        let mut hardest_first: Vec<KernelId> = checked.kernels.ids().collect();
        hardest_first.sort_by_key(|&kernel| std::cmp::Reverse(needs.least_bytes(kernel)));
        let measure = Measure::new(checked, device);
        let mut problem = Self {
            grid,
            edges: Vec::new(),
            neighbours: IdVec::filled(Vec::new(), kernels),
            fixed: IdVec::filled(None, kernels),
            rules: Rules::default(),
            movable: Vec::new(),
            group_of: IdVec::filled(None, kernels),
            sites: IdVec::filled(Vec::new(), kernels),
            needs,
            hardest_first,
            cores: Core::of_kernels(checked),
            supply: supply(device),
            nets: Nets::new(checked, device),
            // A tile of wire or a column may cost more than a connection.
            unkept: NEVER / CUT * CUT.max(weights.length).max(weights.compact),
            weights,
            measure,
            distance: distances(grid),
        };
        problem.obey(rules);
        for connection in checked.connections.iter() {
            problem.add_connection(checked, device, connection);
        }
        for kernel in problem.ids() {
            problem.neighbours[kernel].iter_mut().for_each(|n| n.find_way(weights.length));
        }
        problem
    }

    /// Takes over tiles, groups and pairs of `rules`.
    fn obey(&mut self, rules: Rules) {
        let ids: Vec<TileId> = self.grid.ids().collect();
        for kernel in self.ids().filter(|&kernel| rules.is_narrowed(kernel)) {
            let mut tiles = ids.iter().zip(rules.allowed(kernel)).filter(|(_, allowed)| **allowed);
            if let (Some((&tile, _)), None) = (tiles.next(), tiles.next()) {
                self.fixed[kernel] = Some(tile);
            }
        }
        for (group, members) in rules.groups.iter().enumerate() {
            members.members.iter().for_each(|&member| self.group_of[member] = Some(group));
        }
        let unkept = self.unkept;
        for (pairs, far, near) in [(&rules.together, unkept, 0), (&rules.apart, 0, unkept)] {
            for &(a, b) in pairs {
                for (of, kernel) in [(a, b), (b, a)] {
                    let neighbour = self.neighbour(of, kernel);
                    neighbour.weight += far;
                    neighbour.near += near;
                }
            }
        }
        for &(a, b) in &rules.distinct {
            self.neighbour(a, b).law.distinct = true;
            self.neighbour(b, a).law.distinct = true;
        }
        for &Aligned { kernel, from, axis, distance, .. } in &rules.aligned {
            for (of, other, distance) in [(from, kernel, distance), (kernel, from, distance.saturating_neg())]
            {
                self.neighbour(of, other).law.steps[usize::from(axis == Axis::Row)] = Some(distance);
            }
        }
        self.rules = rules;
        self.movable = self.ids().filter(|&kernel| self.is_free(kernel)).collect();
    }

    /// True if `kernel` may be on `tile`.
    pub(crate) fn allows(&self, kernel: KernelId, tile: TileId) -> bool {
        self.rules.allowed(kernel)[tile.index()]
    }

    /// True if `kernel` can move by itself.
    pub(crate) fn is_free(&self, kernel: KernelId) -> bool {
        self.fixed[kernel].is_none() && self.group_of[kernel].is_none()
    }

    /// True if `kernel` may take any open tile whatever the tiles of others. Ignores pairs.
    pub(crate) fn is_unbound(&self, kernel: KernelId) -> bool {
        self.is_free(kernel) && !self.rules.is_narrowed(kernel)
    }

    /// The pairs that break a rule on these tiles.
    pub(crate) fn broken_pairs(&self, tiles: &Tiles) -> impl Iterator<Item = (KernelId, KernelId, Broken)> {
        let all = [(&self.rules.together, true), (&self.rules.apart, false)];
        let all = all.into_iter().flat_map(|(pairs, shares)| pairs.iter().map(move |&(a, b)| (a, b, shares)));
        let near = all.filter(|&(a, b, shares)| (self.gap(tiles[a], tiles[b]) == 0) != shares);
        let near = near.map(|(a, b, shares)| (a, b, if shares { Broken::Together } else { Broken::Apart }));
        let one_core = self.rules.distinct.iter().filter(|(a, b)| tiles[*a] == tiles[*b]);
        let one_core = one_core.map(|&(a, b)| (a, b, Broken::Distinct));
        let is_off = |one: &&Aligned<KernelId>| {
            let [from, to] = [one.from, one.kernel].map(|kernel| self.grid.tile(tiles[kernel]));
            one.axis.of(from.steps_to(to)) != one.distance
        };
        let aligned = self.rules.aligned.iter().filter(is_off);
        near.chain(one_core).chain(aligned.map(|one| (one.from, one.kernel, Broken::Aligned(one.axis))))
    }

    /// Cost of two tiles that break the law of a link: more than the connections of any kernel, and
    /// more for each tile that they are off.
    pub(crate) fn law_cost(&self, law: Law, a: TileId, b: TileId) -> i64 {
        match law.off(self.grid, a, b) {
            0 => 0,
            off => self.unkept + self.unkept / 8 * off,
        }
    }

    /// The kernels of the design, in ascending order.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = KernelId> + Clone + use<> {
        self.neighbours.ids()
    }

    /// Number of kernels of the design.
    pub(crate) fn kernels(&self) -> usize {
        self.neighbours.len()
    }

    /// Distance in tiles between two cores that share no module; 0 if they share one.
    pub(crate) fn gap(&self, a: TileId, b: TileId) -> i64 {
        i64::from(self.distance[a.index() * self.grid.len() + b.index()])
    }

    /// Cost of a connection between the tiles `a` and `b`.
    pub(crate) fn pair_cost(&self, neighbour: &Neighbour, a: TileId, b: TileId) -> i64 {
        let wire = match self.gap(a, b) {
            0 => neighbour.near,
            gap => neighbour.weight + neighbour.length * gap,
        };
        wire + self.law_cost(neighbour.law, a, b)
    }

    /// Cost of the distance from `kernel` on `tile` to the shim.
    pub(crate) fn site_cost(&self, kernel: KernelId, tile: TileId) -> i64 {
        self.sites[kernel].get(tile.index()).copied().unwrap_or(0)
    }

    /// True if at least a quarter of the kernels have one partner, as in trees.
    pub(crate) fn is_leafy(&self) -> bool {
        let partners = |near: &&Vec<Neighbour>| near.iter().filter(|n| n.weight > 0).count();
        self.neighbours.iter().filter(|near| partners(near) == 1).count() * 4 >= self.kernels()
    }

    /// True if constraints leave some kernel only some of the open tiles, or tie kernels together.
    pub(crate) fn is_constrained(&self) -> bool {
        let rules = &self.rules;
        self.ids().any(|kernel| rules.is_narrowed(kernel))
            || [&rules.together, &rules.apart, &rules.distinct].iter().any(|pairs| !pairs.is_empty())
            || !rules.aligned.is_empty()
            || !rules.groups.is_empty()
    }

    /// The column to gather around: the mean of the fixed kernels, or the middle of the array.
    pub(crate) fn centre(&self) -> u16 {
        let fixed = self.fixed.iter().flatten().map(|&id| u64::from(self.grid.tile(id).column));
        let middle = (self.grid.columns() - 1) / 2;
        match fixed.clone().count() as u64 {
            0 => middle,
            count => u16::try_from(fixed.sum::<u64>() / count).unwrap_or(middle),
        }
    }

    /// Adds a window of `weight` from `a` to `b`. It extends an existing edge between them.
    fn add_edge(&mut self, a: KernelId, b: KernelId, weight: i64) {
        let same = |e: &Edge| (e.a, e.b) == (a, b) || (e.a, e.b) == (b, a);
        if let Some(edge) = self.edges.iter_mut().find(|edge| same(edge)) {
            edge.weight += weight;
            edge.connections += 1;
        } else {
            self.edges.push(Edge { a, b, weight, connections: 1 });
        }
        self.add_wire(a, b, weight, 1);
    }

    /// Makes `a` and `b` neighbours, with `windows` windows from `a` to `b` that could be shared.
    fn add_wire(&mut self, a: KernelId, b: KernelId, weight: i64, windows: i64) {
        let length = self.weights.length;
        for (of, kernel, windows) in [(a, b, [0, windows]), (b, a, [windows, 0])] {
            let neighbour = self.neighbour(of, kernel);
            neighbour.weight += weight;
            neighbour.length += length;
            neighbour.windows[0] += windows[0];
            neighbour.windows[1] += windows[1];
        }
    }

    /// The entry of `kernel` among the neighbours of `of`. Creates it if there is none.
    fn neighbour(&mut self, of: KernelId, kernel: KernelId) -> &mut Neighbour {
        let neighbours = &mut self.neighbours[of];
        let at = neighbours.iter().position(|n| n.kernel == kernel).unwrap_or(neighbours.len());
        if at == neighbours.len() {
            let (law, windows) = (Law::default(), [0; 2]);
            neighbours.push(Neighbour { kernel, weight: 0, length: 0, near: 0, law, windows, way: None });
        }
        &mut neighbours[at]
    }

    fn add_connection(&mut self, checked: &Checked, device: &Device, connection: &Connection) {
        let &Connection { from, to, .. } = connection;
        match (checked.ports[from].owner, checked.ports[to].owner) {
            (Owner::Kernel(a), Owner::Kernel(b)) if a == b || checked.is_cascade(from) => {}
            (Owner::Kernel(a), Owner::Kernel(b)) if checked.always_streams(from) => self.add_wire(a, b, 0, 0),
            (Owner::Kernel(a), Owner::Kernel(b)) => {
                self.add_edge(a, b, self.weights.of(checked, device, connection));
            }
            (Owner::External(e), Owner::Kernel(k)) | (Owner::Kernel(k), Owner::External(e)) => {
                self.add_site(checked, device, e, k);
            }
            (Owner::External(_), Owner::External(_)) => {}
        }
    }

    fn add_site(&mut self, checked: &Checked, device: &Device, external: ExternalId, kernel: KernelId) {
        let columns = columns_for(checked, device, external);
        let table = &mut self.sites[kernel];
        table.resize(self.grid.len(), 0);
        for id in self.grid.ids() {
            let tile = self.grid.tile(id);
            let aside = columns.iter().map(|c| c.abs_diff(tile.column)).min().unwrap_or(0);
            table[id.index()] += self.weights.length * i64::from(aside + tile.row);
        }
    }
}

fn distances(grid: &Grid) -> Vec<u16> {
    let mut distance = vec![0; grid.len() * grid.len()];
    for a in grid.ids() {
        for b in grid.ids().filter(|&b| a != b && !grid.partners(a).contains(&b)) {
            let tiles = grid.tile(a).distance(grid.tile(b));
            distance[a.index() * grid.len() + b.index()] = u16::try_from(tiles).unwrap_or(u16::MAX);
        }
    }
    distance
}
