//! Starts from known structure: recognises patterns in the graph and lays them out so that all
//! shareable connections share memory.
//!
//! It handles every component of the graph of shareable connections separately. Chains become
//! snakes along columns or rows, rings closed snakes, and meshes lie on the array unchanged. Trees
//! are cut into [pieces](tree), butterflies and other [layered](layers) graphs into smaller ones.
//! The resulting blocks are packed side by side ([`blocks`]). Equal components get equal blocks.

mod blocks;
mod components;
mod layers;
mod mesh;
mod path;
mod piece;
mod tree;

use std::collections::BTreeMap;

use aiec_ir::KernelId;

use super::fill::Wish;
use super::problem::{Edge, TileProblem};
use crate::random::Random;
use crate::watch::Run;
use blocks::Block;
pub(crate) use components::{Component, MemberId, components};
use layers::Layers;
use piece::Region;

/// Work limits of the embeddings, and the position of the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Annealing moves for a piece, per host.
    pub(crate) moves_per_host: u64,
    /// Maximum number of annealings of a piece. Ends early when everything is shared.
    pub(crate) tries: u32,
    /// The column to gather around.
    pub(crate) centre: u16,
    /// Orientation of chains.
    pub(crate) snake: Snake,
    /// True if layered graphs are a pattern.
    pub(crate) layers: bool,
}

/// Orientation of chains, and spacing of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Snake {
    /// Up one column and down the next; meshes unchanged.
    Columns,
    /// East along a row and west along the next; meshes on every second row.
    Rows,
}

/// Tiles for the kernels of all components; `None` for a kernel without shareable connections.
/// Returns None when no component has a known structure, or when the blocks do not fit side by
/// side. Kernels bound to tiles are there if their block can be moved so; otherwise the caller moves
/// them.
pub(crate) fn layout(
    problem: &TileProblem<'_>,
    plan: &Plan,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<Wish> {
    let components = components(problem);
    let kernels: usize = components.iter().map(|component| component.kernels.len()).sum();
    let space = Region::new(problem.grid, kernels);
    let mut layer = Layer { problem, plan, space, random, run };
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
    blocks::pack(problem, &laid, plan.centre)
}

/// Blocks of a component.
type Blocks = Vec<Block<MemberId>>;

/// Largest number of kernels to embed as a whole. For more, an embedding finds less than a pattern.
const EMBEDDED: usize = 96;

/// Lays out components and their pieces.
struct Layer<'a> {
    problem: &'a TileProblem<'a>,
    plan: &'a Plan,
    /// Where a piece is embedded.
    space: Region,
    random: &'a mut Random,
    run: &'a Run<'a>,
}

impl Layer<'_> {
    /// The blocks of a component with a known structure. Kernels are given by their number in it.
    fn pattern(&mut self, component: &Component) -> Option<Blocks> {
        let (problem, plan, grid) = (self.problem, self.plan, self.problem.grid);
        if plan.snake == Snake::Rows
            && let Some(blocks) = path::along_rows(problem, plan, component)
        {
            return Some(blocks);
        }
        let apart = || mesh::lay(grid, component, true).filter(|_| plan.snake == Snake::Rows);
        let whole =
            apart().or_else(|| path::lay(grid, component)).or_else(|| mesh::lay(grid, component, false));
        if let Some(tiles) = whole {
            return Some(vec![Block { kernels: component.kernels.ids().collect(), tiles }]);
        }
        if let Some(pieces) = tree::pieces(grid, component) {
            return self.solve_all(component, &pieces);
        }
        if plan.layers { self.layered(component) } else { None }
    }

    /// Embeds any other component as one block.
    fn embedded(&mut self, component: &Component) -> Option<Blocks> {
        let kernels: Vec<MemberId> = component.kernels.ids().collect();
        let tiles = self.solve(component, &kernels)?;
        Some(vec![Block { kernels, tiles }])
    }

    /// The blocks of a layered graph, cut into the pieces that leave the fewest connections
    /// unshared.
    fn layered(&mut self, component: &Component) -> Option<Blocks> {
        let position: BTreeMap<KernelId, MemberId> =
            component.kernels.enumerate().map(|(member, &kernel)| (kernel, member)).collect();
        let inner = |edge: &Edge| Some((*position.get(&edge.a)?, *position.get(&edge.b)?));
        let edges: Vec<(MemberId, MemberId)> = self.problem.edges.iter().filter_map(inner).collect();
        let layers = Layers::new(component, edges.clone())?;
        // Sub-butterflies of 12, 32 and 80 kernels have 4, 8 and 16 lanes.
        let sizes = [EMBEDDED / 4, EMBEDDED / 2, EMBEDDED];
        let sizes = sizes.into_iter().filter(|&size| size < component.kernels.len());
        let mut ways: Vec<Vec<Vec<MemberId>>> = sizes.filter_map(|size| layers.pieces(size)).collect();
        ways.dedup();
        let mut best: Option<(usize, Blocks)> = None;
        for pieces in ways {
            let blocks = self.solve_all(component, &pieces)?;
            let cut = unshared(self.problem, &edges, &blocks);
            if best.as_ref().is_none_or(|(least, _)| cut < *least) {
                best = Some((cut, blocks));
            }
        }
        best.map(|(_, blocks)| blocks)
    }
}

/// Number of edges between blocks, plus those within a block that share no module.
fn unshared(problem: &TileProblem<'_>, edges: &[(MemberId, MemberId)], blocks: &[Block<MemberId>]) -> usize {
    let mut at = BTreeMap::new();
    for (number, block) in blocks.iter().enumerate() {
        at.extend(block.kernels.iter().zip(&block.tiles).map(|(&k, &tile)| (k, (number, tile))));
    }
    let shares = |a: MemberId, b: MemberId| match (at.get(&a), at.get(&b)) {
        (Some((first, a)), Some((second, b))) => first == second && problem.gap(*a, *b) == 0,
        _ => false,
    };
    edges.iter().filter(|&&(a, b)| !shares(a, b)).count()
}
