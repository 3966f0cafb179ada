use aiec_device::{Grid, builtin};

use super::super::anneal::Anneal;
use super::super::problem::CUT;
use super::hosts::Near;
use super::*;
use crate::watch::tests::ALONE;

/// Embeds a tree in the western columns, with a kernel on a tile if `fixed` says so. Returns the
/// number of connections whose ends share no module, and the tiles.
fn embedded(
    kernels: u32,
    arity: u32,
    columns: u16,
    fixed: Option<(KernelId, TileId)>,
) -> (usize, Vec<TileId>) {
    let grid = Grid::new(&builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in"));
    let mut problem = TileProblem::unconnected(&grid, kernels as usize);
    for child in 1..kernels {
        problem.add_edge(KernelId((child - 1) / arity), KernelId(child), CUT);
    }
    if let Some((kernel, tile)) = fixed {
        problem.fixed[kernel] = Some(tile);
    }
    let all: Vec<KernelId> = problem.ids().collect();
    let area: Vec<TileId> = grid.ids().filter(|&id| grid.tile(id).column < columns).collect();
    let task = Task { kernels: &all, area: &area, spare: 0, moves_per_host: 20_000, parts: 8 };
    let found = embed(&problem, &task, &mut Random::new(1), &ALONE).expect("room");
    let mut different = found.tiles.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), all.len(), "no tile twice");
    let gap = |a: KernelId, b: KernelId| problem.gap(found.tiles[a.index()], found.tiles[b.index()]);
    (problem.edges.iter().filter(|e| gap(e.a, e.b) > 0).count(), found.tiles)
}

/// A move changes the cost and the matching of leaves only by what it touches.
#[test]
fn moves_of_hosts_keep_the_cost_and_a_maximum_matching() {
    let grid = Grid::new(&builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in"));
    let area: Vec<TileId> = grid.ids().collect();
    let near: Near = grid.ids().map(|tile| grid.partners(tile).to_vec()).collect();
    for seed in 0..20 {
        let random = &mut Random::new(seed);
        let mut problem = TileProblem::unconnected(&grid, 20);
        for child in 1..20 {
            problem.add_edge(KernelId(random.below(child) as u32), KernelId(child as u32), CUT);
        }
        let all: Vec<KernelId> = problem.ids().collect();
        let task = Task { kernels: &all, area: &area, spare: 0, moves_per_host: 1, parts: 8 };
        let graph = Graph::new(&problem, &task);
        let mut hosts = Hosts::new(&problem, &graph, &task, &near, random);
        for limit in [i64::MAX / 4, CUT, 0] {
            for _ in 0..100 {
                hosts.try_one(limit, random);
                assert_eq!(hosts.cost, hosts.recounted(), "seed {seed}");
            }
        }
    }
}

#[test]
fn leaves_beyond_what_a_core_can_share_with_are_the_only_ones_cut() {
    // A star of ten leaves. A core has only eight partners.
    assert_eq!(embedded(11, 10, 6, None).0, 2);
}

#[test]
fn kernels_with_a_tile_of_their_own_stay_there() {
    let corner = TileId(8 * 10 - 1);
    let (cuts, tiles) = embedded(15, 2, 10, Some((KernelId(9), corner)));
    assert_eq!((cuts, tiles[9]), (0, corner));
}
