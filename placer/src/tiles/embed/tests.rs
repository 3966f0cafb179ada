use aiec_device::{Grid, builtin};

use super::super::anneal::Anneal;
use super::super::problem::CUT;
use super::hosts::Near;
use super::*;

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
        let task = Task { kernels: &all, area: &area, moves_per_host: 1, parts: 8 };
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
