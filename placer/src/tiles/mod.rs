//! Kernels to cores: the fewest connections through DMA, then short wires, then close together.
//!
//! In comes a [`TileProblem`]; out go tiles, none twice, fixed kernels where they must be. A depth-first start is annealed,
//! then improved by integer programs over neighbourhoods; a small design is one neighbourhood, and then the program proves
//! that no placement on its region needs fewer connections through DMA.

mod anneal;
mod model;
mod neighbourhood;
mod problem;
mod start;
mod state;

use aiec_device::TileId;

pub(crate) use problem::{TileProblem, legal_columns};
use state::{Shape, State};

use crate::options::PlaceOptions;
use crate::random::Random;
use crate::watch::Run;

/// Tiles for all kernels; `crowding` limits how dense they sit (1/1024 of a module), none if memory does not matter.
///
/// None if there are more kernels than tiles.
pub(crate) fn assign(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    crowding: Option<i64>,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let centre = centre(problem);
    let shape = Shape { crowding, centre };
    let start = State::new(problem, shape, start::columns(problem, centre)?);
    let mut random = Random::new(options.seed.wrapping_add(u64::from(run.attempt) << 32));
    let annealed = best_annealing(problem, options, &start, &mut random, run);
    let limits = neighbourhood::Limits { programs: options.programs(), kernels: 12, tiles: 18, nodes: 200 };
    Some(neighbourhood::search(problem, annealed, &limits, &mut random, run).tiles)
}

/// The cheapest of some annealings from the same start.
///
/// The depth-first start has a tree's structure, which much heat would destroy (measured on trees of 63 to 255 kernels);
/// graphs without structure want more, so that every second one is hotter.
fn best_annealing(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    start: &State,
    random: &mut Random,
    run: &Run<'_>,
) -> State {
    let moves = options.moves_per_kernel() * problem.kernels() as u64;
    let seeds: Vec<u64> = (0..options.annealings()).map(|_| random.bits()).collect();
    let annealed = run.map(seeds.len(), |round| {
        let heat = if round % 2 == 0 { problem::CUT / 8 } else { problem::CUT / 3 };
        anneal::anneal(problem, start.clone(), moves, heat, &mut Random::new(seeds[round]), run)
    });
    // The first of equals, so that the order in which they end does not matter.
    annealed.into_iter().min_by_key(|state| state.cost(problem)).unwrap_or_else(|| start.clone())
}

/// The column to gather around: the mean of the fixed kernels and shim wishes, or the middle of the array.
fn centre(problem: &TileProblem<'_>) -> u16 {
    let grid = problem.grid;
    let fixed: Vec<u64> = problem.fixed.iter().flatten().map(|&id| u64::from(grid.tile(id).column)).collect();
    let middle = grid.ids().last().map_or(0, |id| grid.tile(id).column / 2);
    match fixed.len() as u64 {
        0 => middle,
        count => u16::try_from(fixed.iter().sum::<u64>() / count).unwrap_or(middle),
    }
}

#[cfg(test)]
mod tests;
