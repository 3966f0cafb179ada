use aiec_device::{Device, Grid, builtin};

use super::super::problem;
use super::*;
use crate::watch::tests::ALONE;

fn grid() -> Grid {
    let device: Device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
    Grid::new(&device)
}

/// The tiles of the first `columns` columns.
fn area(grid: &Grid, columns: u16) -> Vec<TileId> {
    grid.ids().filter(|&id| grid.tile(id).column < columns).collect()
}

fn tree(grid: &Grid, kernels: usize, arity: usize) -> TileProblem<'_> {
    let mut problem = TileProblem::unconnected(grid, kernels);
    for child in 1..kernels {
        problem.add_edge((child - 1) / arity, child, problem::CUT);
    }
    problem
}

/// Number of connections whose ends share no module.
fn cuts(problem: &TileProblem<'_>, tiles: &[TileId]) -> usize {
    problem.edges.iter().filter(|e| problem.gap(tiles[e.a], tiles[e.b]) > 0).count()
}

fn run(problem: &TileProblem<'_>, columns: u16, moves_per_host: u64, seed: u64) -> Vec<TileId> {
    let kernels: Vec<usize> = (0..problem.kernels()).collect();
    let area = area(problem.grid, columns);
    let task = Task { kernels: &kernels, area: &area, start: None, spare: 0 };
    let schedule = Schedule { moves_per_host, hot: problem::CUT / 2, cold: problem::CUT / 10, parts: 8 };
    let embedding = embed(problem, &task, &schedule, &mut Random::new(seed), &ALONE).expect("room");
    let mut all = embedding.tiles.clone();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), problem.kernels(), "no tile twice");
    embedding.tiles
}

#[test]
fn a_perfect_tree_of_63_shares_everything() {
    let grid = grid();
    let problem = tree(&grid, 63, 2);
    let found = (1..=3).map(|seed| cuts(&problem, &run(&problem, 11, 32_000, seed))).min();
    assert_eq!(found, Some(0));
}

#[test]
fn leaves_beyond_what_a_core_can_share_with_are_the_only_ones_cut() {
    let grid = grid();
    // A star of ten leaves. A core has only eight partners.
    let problem = tree(&grid, 11, 10);
    assert_eq!(cuts(&problem, &run(&problem, 6, 20_000, 1)), 2);
}

#[test]
fn kernels_with_a_tile_of_their_own_stay_there() {
    let grid = grid();
    let mut problem = tree(&grid, 15, 2);
    let corner = grid.ids().last().expect("has tiles");
    problem.fixed[9] = Some(corner);
    let kernels: Vec<usize> = (0..15).collect();
    let area: Vec<TileId> = grid.ids().skip(320).collect();
    let task = Task { kernels: &kernels, area: &area, start: None, spare: 0 };
    let schedule =
        Schedule { moves_per_host: 20_000, hot: problem::CUT / 2, cold: problem::CUT / 10, parts: 8 };
    let tiles = embed(&problem, &task, &schedule, &mut Random::new(1), &ALONE).expect("room").tiles;
    assert_eq!(tiles[9], corner);
    assert_eq!(cuts(&problem, &tiles), 0);
}
