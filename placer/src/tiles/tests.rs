use aiec_device::{Device, Grid, builtin};

use super::*;

fn device() -> Device {
    builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// The complete tree of `kernels` nodes, children of `i` at `arity * i + 1` and on.
pub(super) fn tree(grid: &Grid, kernels: usize, arity: usize) -> TileProblem<'_> {
    let mut problem = TileProblem::unconnected(grid, kernels);
    for child in 1..kernels {
        problem.add_edge((child - 1) / arity, child, problem::CUT);
    }
    problem
}

fn cuts(problem: &TileProblem<'_>, tiles: &[TileId]) -> usize {
    problem.edges.iter().filter(|e| problem.gap(tiles[e.a], tiles[e.b]) > 0).count()
}

#[test]
fn a_tree_of_63_needs_few_connections_by_dma() {
    let grid = Grid::new(&device());
    let problem = tree(&grid, 63, 2);
    let tiles = assign(&problem, &PlaceOptions { effort: 1, seed: 1 }, None, 0).expect("room");
    assert!(cuts(&problem, &tiles) <= 3);
}
