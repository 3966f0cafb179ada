//! Starts from known structure: recognises patterns in the graph and lays them out so that all
//! shareable connections share memory.
//!
//! It handles every component of the graph of shareable connections separately. Chains become
//! snakes along columns or rows, rings closed snakes, and meshes lie on the array unchanged. Trees
//! are cut into [pieces](tree).
//! The resulting blocks are packed side by side ([`blocks`]). Equal components get equal blocks.

mod blocks;
mod components;
mod mesh;
mod path;
mod piece;
mod tree;

use std::collections::BTreeMap;

use super::fill::fill;
use super::problem::{TileProblem, Tiles};
use crate::random::Random;
use crate::watch::Run;
use blocks::Block;
pub(crate) use components::{Component, MemberId, components};
use piece::Region;

/// Orientation of chains, and spacing of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Snake {
    /// Up one column and down the next; meshes unchanged.
    Columns,
    /// East along a row and west along the next; meshes on every second row.
    Rows,
}

/// Tiles for all kernels by the patterns of the components, those without a shareable connection in
/// the gaps. A piece of a tree is annealed at most `tries` times. Returns None when no component
/// has a known structure, or when the blocks do not fit side by side. Kernels bound to tiles are
/// there if their block can be moved so; otherwise they go to the nearest.
pub(crate) fn tiles(
    problem: &TileProblem<'_>,
    snake: Snake,
    tries: u32,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Tiles> {
    let components = components(problem);
    let kernels: usize = components.iter().map(|component| component.kernels.len()).sum();
    let space = Region::new(problem.grid, kernels);
    let mut layer = Layer { problem, snake, tries, space, random, run };
    // A component without a pattern is embedded only if another component has one.
    let mut known: BTreeMap<Vec<(MemberId, MemberId)>, Option<Blocks>> = BTreeMap::new();
    for component in &components {
        known.entry(component.edges()).or_insert_with(|| layer.pattern(component));
    }
    if known.values().all(Option::is_none) {
        return None;
    }
    let mut laid = Vec::new();
    for component in &components {
        let blocks = known.entry(component.edges()).or_default();
        if blocks.is_none() {
            *blocks = Some(layer.embedded(component)?);
        }
        laid.extend(blocks.iter().flatten().map(|block| component.own(block)));
    }
    fill(problem, &blocks::pack(problem, &laid)?)
}

/// Blocks of a component.
type Blocks = Vec<Block<MemberId>>;

/// Lays out components and their pieces.
struct Layer<'a> {
    problem: &'a TileProblem<'a>,
    snake: Snake,
    /// Maximum number of annealings of a piece. Ends early when everything is shared.
    tries: u32,
    /// Where a piece is embedded.
    space: Region,
    random: &'a mut Random,
    run: &'a Run<'a>,
}

impl Layer<'_> {
    /// The blocks of a component with a known structure. Kernels are given by their number in it.
    fn pattern(&mut self, component: &Component) -> Option<Blocks> {
        let (problem, grid) = (self.problem, self.problem.grid);
        if self.snake == Snake::Rows
            && let Some(blocks) = path::along_rows(problem, component)
        {
            return Some(blocks);
        }
        let apart = || mesh::lay(grid, component, true).filter(|_| self.snake == Snake::Rows);
        let whole =
            apart().or_else(|| path::lay(grid, component)).or_else(|| mesh::lay(grid, component, false));
        if let Some(block) = whole {
            return Some(vec![block]);
        }
        self.solve_all(component, &tree::pieces(grid, component)?)
    }

    /// Embeds any other component as one block.
    fn embedded(&mut self, component: &Component) -> Option<Blocks> {
        let kernels: Vec<MemberId> = component.kernels.ids().collect();
        let tiles = self.solve(component, &kernels)?;
        Some(vec![Block { kernels, tiles }])
    }
}
