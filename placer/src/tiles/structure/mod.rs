//! Starts from known structure: recognises patterns in the graph and lays them out so that all
//! shareable connections share memory.
//!
//! It handles every component of the graph of shareable connections separately. Chains become
//! snakes along the rows, rings closed snakes, and meshes lie on the array unchanged. Trees are cut
//! into [pieces](tree).
//! The resulting blocks are packed side by side ([`blocks`]). Equal components get equal blocks.

mod blocks;
mod components;
mod mesh;
mod path;
mod piece;
mod tree;

use std::collections::BTreeMap;

use aiec_device::TileId;

use super::fill::fill;
use super::problem::{TileProblem, Tiles};
use crate::random::Random;
use crate::watch::Run;
use blocks::Block;
pub(crate) use components::{Component, MemberId, components};
use piece::Shape;

/// Tiles for all kernels by the patterns of the components, those without a shareable connection in
/// the gaps. Meshes lie on every second row if `apart` and possible, and a piece of a tree is
/// annealed at most `tries` times. Returns None when no component
/// has a known structure, or when the blocks do not fit side by side. Kernels bound to tiles are
/// there if their block can be moved so; otherwise they go to the nearest.
pub(crate) fn tiles(
    problem: &TileProblem<'_>,
    apart: bool,
    tries: u32,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Tiles> {
    let components = components(problem);
    let kernels: usize = components.iter().map(|component| component.kernels.len()).sum();
    let full = kernels * 1000 / problem.grid.len().max(1);
    let mut layer = Layer { problem, apart, tries, full, known: BTreeMap::new(), random, run };
    // A component without a pattern is embedded only if another component has one.
    let patterns: Vec<Option<Blocks>> = components.iter().map(|one| layer.pattern(one)).collect();
    if patterns.iter().all(Option::is_none) {
        return None;
    }
    let mut laid = Vec::new();
    for (component, blocks) in components.iter().zip(patterns) {
        let whole = || vec![component.kernels.ids().collect()];
        let blocks = blocks.or_else(|| layer.solve_all(component, &whole()))?;
        laid.extend(blocks.iter().map(|block| component.own(block)));
    }
    fill(problem, &blocks::pack(problem, &laid)?)
}

/// Blocks of a component.
type Blocks = Vec<Block<MemberId>>;

/// Lays out components and their pieces.
struct Layer<'a> {
    problem: &'a TileProblem<'a>,
    /// True if meshes lie on every second row.
    apart: bool,
    /// Maximum number of annealings of a piece. Ends early when everything is shared.
    tries: u32,
    /// How full the array is with all components, in thousandths.
    full: usize,
    /// The tiles of each kind of piece.
    known: BTreeMap<Shape, Vec<TileId>>,
    random: &'a mut Random,
    run: &'a Run<'a>,
}

impl Layer<'_> {
    /// The blocks of a component with a known structure. Kernels are given by their number in it.
    fn pattern(&mut self, component: &Component) -> Option<Blocks> {
        let grid = self.problem.grid;
        if let Some(blocks) = path::lay(self.problem, component) {
            return Some(blocks);
        }
        let apart = self.apart.then(|| mesh::lay(grid, component, true)).flatten();
        if let Some(block) = apart.or_else(|| mesh::lay(grid, component, false)) {
            return Some(vec![block]);
        }
        self.solve_all(component, &tree::pieces(grid, component)?)
    }
}
