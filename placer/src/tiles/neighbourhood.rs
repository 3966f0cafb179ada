//! Large neighbourhood search: around each connection that needs DMA, it takes some kernels off
//! their tiles, and an integer program places them again.

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId};

use super::FEW;
use super::anneal::Anneal;
use super::model::{self, Neighbourhood};
use super::state::State;
use crate::options::NODES;
use crate::random::Random;
use crate::watch::Run;

/// Improves `state` by at most `programs` integer programs. Ends early when no connection needs
/// DMA, after a third of the programs without an improvement, and when programs find nothing in
/// fewer and fewer nodes.
pub(crate) fn search<'a>(
    mut state: State<'a>,
    programs: usize,
    random: &mut Random,
    run: &Run<'_>,
) -> State<'a> {
    let problem = state.problem;
    let (mut barren, mut nodes) = (0, NODES);
    for program in 0..programs {
        let cuts = state.cuts();
        let connections = problem.measure.always() + state.cut_connections();
        run.tell(program as u64, programs as u64, connections);
        if run.stopped()
            || cuts.is_empty()
            || run.is_least(connections)
            || barren > (programs / 3).min(2 * cuts.len())
            || nodes == 0
        {
            break;
        }
        let cut = cuts[random.below(cuts.len())];
        let hood = around(&state, cut, random);
        barren += 1;
        let improvement = model::improve(&state, &hood, nodes, run.tools.solver);
        // In dense graphs the linear relaxations are weak, and programs end only at their limit.
        // Later programs get fewer nodes.
        nodes = if improvement.is_err() { nodes / 2 } else { NODES };
        if let Ok(Some(tiles)) = improvement {
            let moves: Vec<_> = hood.kernels.iter().copied().zip(tiles).collect();
            let before = state.worth();
            if state.attempt_all(&moves, 0, |state, _| state.worth() < before) {
                barren = 0;
            }
        }
    }
    state
}

/// At most [`FEW`] kernels around the edge `a`-`b`, with half as many tiles more. Half of the
/// kernels are the nearest in the graph, the others those on the tiles around. No more edges join
/// them than there are kernels: each edge adds a variable for every pair of tiles that share a
/// module.
fn around(state: &State<'_>, (a, b): (KernelId, KernelId), random: &mut Random) -> Neighbourhood {
    let problem = state.problem;
    let size = FEW - random.below(FEW / 3 + 1);
    let pivot = if random.below(2) == 0 { a } else { b };
    let centre = problem.grid.tile(state.tiles[pivot]);
    let mut kernels = Vec::new();
    let mut queue = std::collections::VecDeque::from([a, b]);
    let mut seen = IdVec::filled(false, problem.kernels());
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
    let more: Vec<KernelId> = by_place.take(missing).collect();
    kernels.extend(more);
    kernels.retain(|&k| problem.is_free(k) && state.only(state.tiles[k]).is_some());
    while model::inner_edges(problem, &kernels).count() > kernels.len() {
        kernels.pop();
    }
    let mut places: Vec<TileId> = kernels.iter().map(|&k| state.tiles[k]).collect();
    let free = near.iter().copied().filter(|&tile| state.is_free(tile));
    // Half as many free tiles as kernels let these move, at few more variables.
    places.extend(free.take((FEW * 3 / 2).saturating_sub(places.len())));
    Neighbourhood { kernels, tiles: places }
}
