//! First tiles for the annealing of graphs without a known [structure].

use aiec_device::TileId;
use aiec_ir::{IdVec, KernelId};

use super::anneal;
use super::embed::{self, Task};
use super::fill::{self, Wish, region};
use super::problem::{TileProblem, Tiles};
use super::structure::{self, Component, MemberId};
use crate::options::PlaceOptions;
use crate::random::Random;
use crate::watch::Run;

/// As [`Task::parts`]. With 8, random graphs of 300 kernels need a tenth more connections by DMA.
const PARTS: i64 = 32;

/// Embeds the kernels with shareable connections in a region around the centre. The other kernels
/// go beside them. One long annealing finds more than several shorter ones (measured).
pub(crate) fn embedded(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Tiles> {
    let shares = |k: &KernelId| problem.neighbours[*k].iter().any(|n| n.weight > 0);
    let kernels: Vec<KernelId> = problem.ids().filter(shares).collect();
    if kernels.is_empty() {
        return None;
    }
    let fixed: Vec<TileId> = problem.fixed.iter().flatten().copied().collect();
    // A tenth of the region stays free, so that kernels can pass each other.
    let wanted = kernels.len() * 10 / 9;
    // Tiles that no kernel may take give no room.
    let open = |tile: &TileId| !fixed.contains(tile) && kernels.iter().any(|&k| problem.allows(k, *tile));
    let near = region(problem).into_iter().filter(open);
    let mut area: Vec<TileId> = near.take(wanted.max(kernels.len() + 8)).collect();
    area.extend(kernels.iter().filter_map(|&k| problem.fixed[k]));
    let narrowed: Vec<KernelId> = kernels.iter().copied().filter(|&k| problem.rules.is_narrowed(k)).collect();
    for tile in problem.grid.ids() {
        if !area.contains(&tile) && narrowed.iter().any(|&k| problem.allows(k, tile)) {
            area.push(tile);
        }
    }
    let moves_per_host = options.moves_per_kernel() / 2;
    let task = Task { kernels: &kernels, area: &area, moves_per_host, parts: PARTS };
    let (_, found) = embed::embed(problem, &task, random, run)?;
    let mut tiles: Wish = IdVec::filled(None, problem.kernels());
    kernels.iter().zip(found).for_each(|(&kernel, tile)| tiles[kernel] = Some(tile));
    fill::fill(problem, &tiles)
}

/// Tiles for all kernels near random wishes.
pub(crate) fn anywhere(problem: &TileProblem<'_>, random: &mut Random) -> Option<Tiles> {
    let wish: Wish = problem.ids().map(|_| anneal::anywhere(problem, random)).collect();
    fill::fill(problem, &wish)
}

/// Tiles for all kernels in depth-first order along the columns around the centre. Subtrees stay
/// together.
pub(crate) fn columns(problem: &TileProblem<'_>) -> Option<Tiles> {
    fill::fill(problem, &IdVec::filled(None, problem.kernels()))
}

/// Tiles for all kernels in the order of a sweep through the graph, over all columns of the array.
/// If the graph follows the array, as in designs drawn on it, every kernel starts near its column.
/// Also returns the longest sweep through a component, in edges.
pub(crate) fn swept(problem: &TileProblem<'_>) -> Option<(Tiles, usize)> {
    let mut longest = 0;
    let mut order: Vec<KernelId> = Vec::with_capacity(problem.kernels());
    for component in structure::components(problem) {
        let (kernels, length) = unfolded(&component, problem.grid.rows().into());
        longest = longest.max(length);
        order.extend(kernels.into_iter().map(|kernel| component.kernels[kernel]));
    }
    let mut tiles: Vec<TileId> = problem.grid.ids().filter(|&id| problem.grid.is_open(id)).collect();
    tiles.sort_by_key(|&id| problem.grid.tile(id));
    let mut wish: Wish = IdVec::filled(None, problem.kernels());
    for (number, &kernel) in order.iter().enumerate() {
        wish[kernel] = tiles.get(number * tiles.len() / order.len()).copied();
    }
    Some((fill::fill(problem, &wish)?, longest))
}

/// A sweep without short cuts: edges between distant places fold a sweep, because their ends come
/// side by side. Near places of an array have several short ways between them. So edges without
/// another short way are left out first, then those that are long in the order of the others. Short
/// are as many edges, and then columns, as lead from the lowest row to the highest, two at a step.
/// If more than a tenth has no other short way, the graph does not follow the array: all count.
fn unfolded(component: &Component, rows: usize) -> (Vec<MemberId>, usize) {
    let short = rows / 2;
    let direct = kept(component, short, |a, b| {
        let mut rest = component.clone();
        rest.neighbours[a].retain(|&other| other != b);
        rest.distances(a)[b]
    });
    let mut rank = IdVec::filled(0, component.kernels.len());
    sweep(&direct).0.into_iter().enumerate().for_each(|(number, kernel)| rank[kernel] = number);
    let near = kept(component, short * rows, |a, b| usize::abs_diff(rank[a], rank[b]));
    let is_most = |part: &Component| part.edges().len() * 10 >= component.edges().len() * 9;
    sweep(if is_most(&direct) && is_most(&near) { &near } else { component })
}

/// `component` without edges of a length above `most`, but for the shortest that keep it whole.
fn kept(component: &Component, most: usize, length: impl Fn(MemberId, MemberId) -> usize) -> Component {
    let mut edges: Vec<_> = component.edges().into_iter().map(|(a, b)| (length(a, b), a, b)).collect();
    edges.sort_unstable();
    let neighbours = IdVec::filled(Vec::new(), component.kernels.len());
    let mut kept = Component { kernels: component.kernels.clone(), neighbours };
    for (length, a, b) in edges {
        if length <= most || kept.distances(a)[b] == usize::MAX {
            kept.neighbours[a].push(b);
            kept.neighbours[b].push(a);
        }
    }
    component.kernels.ids().for_each(|kernel| kept.neighbours[kernel].sort_unstable());
    kept
}

/// The kernels in order along a component, and its length in edges. Places begin as the distance
/// from one end of the graph less that from the kernel farthest from it.
/// Then each moves to the mean of its neighbours' places again and again, which leads to the
/// Fiedler vector of the graph: the order in which neighbours are closest.
fn sweep(component: &Component) -> (Vec<MemberId>, usize) {
    let farthest = |from: MemberId| {
        let distance = component.distances(from);
        (distance.ids().max_by_key(|&kernel| distance[kernel]).unwrap_or(from), distance)
    };
    let (west, _) = farthest(MemberId(0));
    let (east, from_west) = farthest(west);
    let (_, from_east) = farthest(east);
    let length = from_west[east];
    let mut places: IdVec<MemberId, f64> =
        from_west.iter().zip(from_east.iter()).map(|(&west, &east)| west as f64 - east as f64).collect();
    let degree = |kernel: MemberId| component.neighbours[kernel].len() as f64;
    let total: f64 = places.ids().map(degree).sum();
    for _ in 0..length * length / 4 {
        let mean = |kernel: MemberId| {
            let sum: f64 = component.neighbours[kernel].iter().map(|&other| places[other]).sum();
            f64::midpoint(places[kernel], sum / degree(kernel))
        };
        let next: IdVec<MemberId, f64> = places.ids().map(mean).collect();
        let middle = next.enumerate().map(|(kernel, place)| place * degree(kernel)).sum::<f64>() / total;
        let next: Vec<f64> = next.iter().map(|place| place - middle).collect();
        let most = next.iter().fold(f64::MIN_POSITIVE, |most, place| place.abs().max(most));
        places = next.iter().map(|place| place / most).collect();
    }
    let mut order: Vec<MemberId> = component.kernels.ids().collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    (order, length)
}
