use super::super::anneal::Anneal;
use super::super::problem::CUT;
use super::super::tests::{toy, with_state_of};
use super::hosts::Near;
use super::*;
use crate::room_tests::{Case, design};

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
                    assert_eq!(hosts.cost, hosts.recounted(), "seed {seed}");
                }
            }
            Ok(())
        });
        tested.expect("a legal design");
    }
}
