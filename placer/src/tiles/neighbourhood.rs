//! Large neighbourhood search: around each connection that needs DMA, it takes some kernels off
//! their tiles, and an integer program places them again.

use aiec_device::TileId;

use super::anneal::worth;
use super::model::{self, Improvement, Neighbourhood};
use super::problem::TileProblem;
use super::state::State;
use crate::random::Random;
use crate::watch::Run;

/// Sizes and limits of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Maximum number of integer programs in all.
    pub(crate) programs: usize,
    /// Kernels per neighbourhood.
    pub(crate) kernels: usize,
    /// Tiles per neighbourhood.
    pub(crate) tiles: usize,
    /// Branch-and-bound nodes per program.
    pub(crate) nodes: u64,
}

/// Improves `state`. Ends when no connection needs DMA, when every neighbourhood in turn is proved
/// optimal, or when the programs are used up.
pub(crate) fn search<'a>(
    mut state: State<'a>,
    limits: &Limits,
    random: &mut Random,
    run: &Run<'_>,
) -> State<'a> {
    let problem = state.problem;
    let (mut barren, mut nodes) = (0, limits.nodes);
    // In a dense graph each program takes half a second to find no improvement.
    let patience = limits.programs / 3 + 1;
    for program in 0..limits.programs {
        let cuts = state.cuts();
        let connections = problem.always + state.cut_connections();
        run.tell(program as u64, limits.programs as u64, connections);
        if run.stopped()
            || cuts.is_empty()
            || run.is_least(connections)
            || barren > patience.min(2 * cuts.len())
        {
            break;
        }
        let (a, b) = cuts[random.below(cuts.len())];
        let size = limits.kernels - random.below(limits.kernels / 3 + 1);
        let hood = around(problem, &state, a, b, size, limits.tiles, random);
        barren += 1;
        let improvement = model::improve(problem, &state, &hood, nodes, run.solver);
        // In dense graphs the linear relaxations are weak, and programs end only at their limit.
        // Later programs get fewer nodes.
        nodes = match improvement {
            Improvement::Unknown => (nodes / 2).max(FEWEST_NODES),
            _ => limits.nodes,
        };
        if let Improvement::Better(tiles) = improvement {
            let moves: Vec<_> = hood.kernels.iter().copied().zip(tiles).collect();
            let before = worth(&state);
            if state.attempt_all(&moves, 0, |state, _| worth(state) < before) {
                barren = 0;
            }
        }
    }
    state
}

/// Minimum number of branch-and-bound nodes for a program.
const FEWEST_NODES: u64 = 8;

/// Maximum number of edges inside a neighbourhood. Each edge adds a variable for every pair of
/// tiles that share a module, so dense graphs need smaller neighbourhoods for programs of the same
/// size.
const MAX_EDGES: usize = 14;

fn inner_edges(problem: &TileProblem<'_>, kernels: &[usize]) -> usize {
    problem.edges.iter().filter(|edge| kernels.contains(&edge.a) && kernels.contains(&edge.b)).count()
}

/// The kernels nearest to the edge `a`-`b` in the graph, alternating from both ends, and the
/// kernels on tiles around it.
fn around(
    problem: &TileProblem<'_>,
    state: &State<'_>,
    a: usize,
    b: usize,
    size: usize,
    tiles: usize,
    random: &mut Random,
) -> Neighbourhood {
    let pivot = if random.below(2) == 0 { a } else { b };
    let centre = problem.grid.tile(state.tiles[pivot]);
    let mut kernels = Vec::new();
    let mut queue = std::collections::VecDeque::from([a, b]);
    let mut seen = vec![false; problem.kernels()];
    // Half of the kernels by distance in the graph, the others by distance of their tiles from the
    // pivot.
    while let Some(kernel) = queue.pop_front() {
        if kernels.len() >= size / 2 || std::mem::replace(&mut seen[kernel], true) {
            continue;
        }
        kernels.push(kernel);
        queue.extend(problem.neighbours[kernel].iter().map(|n| n.kernel));
    }
    let mut near: Vec<TileId> = problem.grid.ids().filter(|&id| problem.grid.is_open(id)).collect();
    near.sort_by_key(|&id| (problem.grid.tile(id).distance(centre), id));
    let by_place = near.iter().filter_map(|&tile| state.only(tile)).filter(|k| !kernels.contains(k));
    let missing = size.saturating_sub(kernels.len());
    let more: Vec<usize> = by_place.take(missing).collect();
    kernels.extend(more);
    kernels.retain(|&k| problem.is_free(k) && state.only(state.tiles[k]).is_some());
    while inner_edges(problem, &kernels) > MAX_EDGES {
        kernels.pop();
    }
    let mut places: Vec<TileId> = kernels.iter().map(|&k| state.tiles[k]).collect();
    let free = near.iter().copied().filter(|&tile| state.is_free(tile));
    places.extend(free.take(tiles.saturating_sub(places.len())));
    Neighbourhood { kernels, tiles: places }
}
