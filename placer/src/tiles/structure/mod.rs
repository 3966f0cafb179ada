//! Starts that know structure: patterns recognised in the graph and laid out so that what can be shared is.
//!
//! Every component of the graph of connections that could share is looked at by itself: chains become snakes, rings closed
//! snakes, meshes lie on the array as they are, trees are cut into [pieces](tree). The blocks that come out are put side by
//! side ([`blocks`]). Equal components get equal blocks.

mod blocks;
mod components;
mod mesh;
mod path;
mod piece;
mod tree;

use std::collections::BTreeMap;

use aiec_device::TileId;

use super::problem::TileProblem;
use crate::random::Random;
use crate::watch::Run;
use blocks::Block;
use components::Component;
use piece::Box;

/// How much work embeddings may take, and where the result should lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Moves of the annealing of a piece for each of its hosts.
    pub(crate) moves_per_host: u64,
    /// Annealings of a piece until it shares everything.
    pub(crate) tries: u32,
    /// The column to gather around.
    pub(crate) centre: u16,
    /// As in [`super::embed::Task::spare`].
    pub(crate) spare: i64,
}

/// Tiles for the kernels of all components, `None` for those without connections that could share; nothing if no component has a
/// known structure, if kernels are fixed, or if the blocks find no room beside each other.
pub(crate) fn layout(
    problem: &TileProblem<'_>,
    plan: &Plan,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Vec<Option<TileId>>> {
    if problem.fixed.iter().any(Option::is_some) {
        return None;
    }
    let components = components::components(problem);
    let kernels: usize = components.iter().map(|component| component.kernels.len()).sum();
    let space = Box::new(problem.grid, plan, kernels);
    let mut known: BTreeMap<Vec<(usize, usize)>, Vec<Block>> = BTreeMap::new();
    let (mut laid, mut recognised) = (Vec::new(), false);
    for component in &components {
        let edges = component.edges();
        if !known.contains_key(&edges) {
            let (blocks, pattern) = lay(problem, plan, &space, component, random, run)?;
            recognised |= pattern;
            known.insert(edges.clone(), blocks);
        }
        laid.extend(known[&edges].iter().map(|block| component.own(block)));
    }
    recognised.then(|| blocks::pack(problem.grid, &laid, problem.kernels(), plan.centre))?
}

/// The blocks of a component, its kernels given by their position in it, and whether it has a known structure.
fn lay(
    problem: &TileProblem<'_>,
    plan: &Plan,
    space: &Box,
    component: &Component,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<(Vec<Block>, bool)> {
    let whole = |tiles| vec![Block { kernels: (0..component.kernels.len()).collect(), tiles }];
    let pattern = path::lay(problem.grid, component, plan.spare)
        .or_else(|| mesh::lay(problem.grid, component, plan.spare));
    if let Some(tiles) = pattern {
        return Some((whole(tiles), true));
    }
    if let Some(pieces) = tree::pieces(problem.grid, component) {
        return Some((piece::solve_all(problem, plan, space, component, &pieces, random, run)?, true));
    }
    let all: Vec<usize> = (0..component.kernels.len()).collect();
    Some((whole(piece::solve(problem, plan, space, component, &all, random, run)?), false))
}

#[cfg(test)]
mod tests;
