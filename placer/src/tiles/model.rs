//! The integer program for a neighbourhood: some kernels on some tiles, everything else fixed.
//!
//! The program is that of `docs/placement.md`, with `x[k,t]` only where kernel `k` may be. The sum
//! of an edge's `y` is 1 exactly when the edge can be shared. The objective is the weight of shared
//! edges, inside and to the fixed kernels around, less the wire to those kernels and to the shim.
//! Wire between two free kernels is not linear and left out: the caller compares true costs.

use aiec_device::TileId;
use aiec_ir::KernelId;
use good_lp::{Constraint, Expression, ProblemVariables, Variable, constraint, variable};

use super::problem::{CUT, Edge, TileProblem};
use super::state::State;
use aiec_ilp::{Answer, Program, Solver};

/// Some kernels and the tiles they may take.
#[derive(Clone, Debug)]
pub(crate) struct Neighbourhood {
    /// The free kernels, none of them fixed by the design.
    pub(crate) kernels: Vec<KernelId>,
    /// Their tiles and some free ones, at least one for each kernel.
    pub(crate) tiles: Vec<TileId>,
}

/// A program that is not decided.
pub(crate) struct Undecided;

/// Looks for an assignment of the neighbourhood whose shared weight exceeds that of `state` by at
/// least one connection. Returns new tiles for the kernels, in order, or None without one.
///
/// # Errors
/// Fails if that is not decided within the node limit.
pub(crate) fn improve(
    state: &State<'_>,
    hood: &Neighbourhood,
    nodes: u64,
    solver: &dyn Solver,
) -> Result<Option<Vec<TileId>>, Undecided> {
    let mut model = Model::new(state, hood);
    for edge in inner_edges(state.problem, &hood.kernels) {
        model.share(edge);
    }
    let current = model.current();
    model.solve(current + 1.0 - 1.0 / 64.0, nodes, solver)
}

/// Edges with both ends among `kernels`.
pub(super) fn inner_edges<'a>(
    problem: &'a TileProblem<'_>,
    kernels: &'a [KernelId],
) -> impl Iterator<Item = &'a Edge> {
    problem.edges.iter().filter(|edge| kernels.contains(&edge.a) && kernels.contains(&edge.b))
}

struct Model<'a> {
    state: &'a State<'a>,
    hood: &'a Neighbourhood,
    variables: ProblemVariables,
    /// `x` by kernel, then tile.
    x: Vec<Vec<Variable>>,
    /// The objective coefficient of each `x`, in connections.
    worth: Vec<Vec<f64>>,
    objective: Expression,
    constraints: Vec<Constraint>,
}

impl<'a> Model<'a> {
    fn new(state: &'a State<'a>, hood: &'a Neighbourhood) -> Self {
        let mut variables = ProblemVariables::new();
        let most = |k: KernelId, tile: TileId| if state.problem.allows(k, tile) { 1.0 } else { 0.0 };
        let mut x_of = |k: KernelId, tile| variables.add(variable().integer().min(0.0).max(most(k, tile)));
        let row = |&k: &KernelId| hood.tiles.iter().map(|&tile| x_of(k, tile)).collect();
        let x: Vec<Vec<Variable>> = hood.kernels.iter().map(row).collect();
        let worth: Vec<Vec<f64>> = hood.kernels.iter().map(|&k| outer_worth(state, hood, k)).collect();
        let mut objective = Expression::default();
        for (&x, &worth) in x.iter().flatten().zip(worth.iter().flatten()) {
            objective.add_mul(worth, x);
        }
        // One tile for each kernel, at most one kernel on each tile.
        let tiles_of = x.iter().map(|row| row.iter().sum::<Expression>());
        let kernels_on = (0..hood.tiles.len()).map(|t| x.iter().map(|row| row[t]).sum::<Expression>());
        let one_tile = tiles_of.map(|sum| constraint!(sum == 1.0));
        let one_kernel = kernels_on.map(|sum| constraint!(sum <= 1.0));
        let constraints = one_tile.chain(one_kernel).collect();
        Self { state, hood, variables, x, worth, objective, constraints }
    }

    /// Adds the `y` of an inner edge with their constraints.
    fn share(&mut self, edge: &Edge) {
        let position = |k: KernelId| self.hood.kernels.iter().position(|&other| other == k);
        let (Some(a), Some(b)) = (position(edge.a), position(edge.b)) else { return };
        let tiles = self.hood.tiles.len();
        let mut from = vec![Expression::default(); tiles];
        let mut to = vec![Expression::default(); tiles];
        for (t, &tile) in self.hood.tiles.iter().enumerate() {
            for (u, &other) in self.hood.tiles.iter().enumerate() {
                if t != u && self.state.problem.gap(tile, other) == 0 {
                    let y = self.variables.add(variable().min(0.0).max(1.0));
                    from[t] += y;
                    to[u] += y;
                    self.objective.add_mul(connections(edge.weight), y);
                }
            }
        }
        for (t, (out, into)) in from.into_iter().zip(to).enumerate() {
            self.constraints.push(constraint!(out <= self.x[a][t]));
            self.constraints.push(constraint!(into <= self.x[b][t]));
        }
    }

    /// The objective value of the tiles of the state.
    fn current(&self) -> f64 {
        let tile = |k: KernelId| self.hood.tiles.iter().position(|&t| t == self.state.tiles[k]);
        let outer: f64 = (self.hood.kernels.iter().zip(&self.worth))
            .map(|(&k, worth)| tile(k).map_or(0.0, |t| worth[t]))
            .sum();
        let inner = inner_edges(self.state.problem, &self.hood.kernels);
        let shared = inner.filter(|edge| !self.state.is_cut(edge));
        outer + shared.map(|edge| connections(edge.weight)).sum::<f64>()
    }

    fn solve(
        mut self,
        at_least: f64,
        nodes: u64,
        solver: &dyn Solver,
    ) -> Result<Option<Vec<TileId>>, Undecided> {
        let (hood, bound) = (self.hood, self.objective.clone());
        self.constraints.push(constraint!(bound >= at_least));
        let Self { variables, objective, constraints, .. } = self;
        let program = Program { variables, objective, constraints };
        match solver.solve(program, nodes) {
            Answer::Found { values, .. } => {
                let columns = hood.tiles.len();
                let tile = |row: &[i64]| row.iter().position(|&v| v == 1).map(|t| hood.tiles[t]);
                // The first variables are the x, row by row.
                let tiles: Option<Vec<_>> =
                    values.chunks(columns).take(hood.kernels.len()).map(tile).collect();
                tiles.map(Some).ok_or(Undecided)
            }
            Answer::None => Ok(None),
            Answer::Unknown => Err(Undecided),
        }
    }
}

/// The coefficient of each tile for kernel `k`: its edges to kernels outside the neighbourhood and
/// its way to the shim.
fn outer_worth(state: &State<'_>, hood: &Neighbourhood, k: KernelId) -> Vec<f64> {
    let problem = state.problem;
    let outside: Vec<_> =
        problem.neighbours[k].iter().filter(|n| !hood.kernels.contains(&n.kernel)).collect();
    let worth = |&tile: &TileId| {
        let wires: i64 =
            outside.iter().map(|n| n.weight - problem.pair_cost(n, tile, state.tiles[n.kernel])).sum();
        connections(wires - problem.site_cost(k, tile))
    };
    hood.tiles.iter().map(worth).collect()
}

/// Converts cost units to connections.
fn connections(cost: i64) -> f64 {
    cost as f64 / CUT as f64
}
