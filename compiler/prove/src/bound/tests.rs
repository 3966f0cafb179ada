use std::collections::BTreeSet;

use aiec_device::{Device, Grid, TileId, builtin};
use proptest::prelude::*;

use aiec_ir::KernelId;

use super::graph::{Edge, EdgeId};
use super::*;
use aiec_check::Alone;

fn device(name: &str) -> Device {
    builtin(name).and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// An array like the toy device's, smaller.
fn tiny(columns: u16, rows: u16) -> Grid {
    Grid::new(&Device { columns, rows, ..device("toy") })
}

fn graph(kernels: usize, edges: &[(usize, usize)]) -> Graph {
    let id = |kernel: usize| KernelId(kernel as u32);
    let edge = |&(a, b): &(usize, usize)| Edge { a: id(a.min(b)), b: id(a.max(b)), connections: 1 };
    Graph::of(kernels, edges.iter().map(edge).collect())
}

/// The fewest cuts over all tiles of the kernels after those on `tiles`, which make `cuts`
/// (exhaustive); at most `best`. Each edge is one connection.
fn by_trying(graph: &Graph, grid: &Grid, tiles: &mut Vec<TileId>, cuts: u64, mut best: u64) -> u64 {
    if cuts >= best || tiles.len() == graph.around.len() {
        return cuts.min(best);
    }
    let around = &graph.around[KernelId(tiles.len() as u32)];
    for tile in grid.ids() {
        if !tiles.contains(&tile) {
            let placed = around.iter().filter_map(|(_, other)| tiles.get(other.index()));
            let cut = placed.filter(|there| !grid.partners(tile).contains(there)).count() as u64;
            tiles.push(tile);
            best = by_trying(graph, grid, tiles, cuts + cut, best);
            tiles.pop();
        }
    }
    best
}

/// Connected graphs of up to six kernels, and an array with room for them.
fn small() -> impl Strategy<Value = (usize, Vec<(usize, usize)>, u16, u16)> {
    (2_usize..7).prop_flat_map(|kernels| {
        let up = (1..kernels).map(|k| 0..k).collect::<Vec<_>>();
        let more = prop::collection::vec((0..kernels, 0..kernels), 0..6);
        (Just(kernels), up, more, 3_u16..5, 2_u16..4).prop_map(|(kernels, up, more, columns, rows)| {
            let mut edges: Vec<_> = up.into_iter().zip(1..).collect();
            edges.extend(more.into_iter().filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))));
            edges.sort_unstable();
            edges.dedup();
            (kernels, edges, columns, rows)
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Each argument alone, on arrays so small that their borders matter.
    #[test]
    fn no_placement_is_below_any_bound((kernels, edges, columns, rows) in small()) {
        let (grid, graph) = (tiny(columns, rows), graph(kernels, &edges));
        let room = room::tests::cells(&grid, kernels);
        let fewest = by_trying(&graph, &grid, &mut Vec::new(), 0, u64::MAX);
        prop_assert!(balls::fewest_cuts(&graph, &room, &Alone) <= fewest);
        prop_assert!(pieces::fewest_cuts(&graph, &room) <= fewest);
    }

    /// Kernels on their tiles, most edges between tiles that share.
    #[test]
    fn every_placement_meets_every_inequality(
        ends in prop::collection::vec((0_usize..18, 0_usize..12), 15..60)
    ) {
        let grid = tiny(9, 2);
        let near = |a: usize, other: usize| {
            let near = grid.partners(TileId(a as u16)).get(other);
            (a, near.map_or(other, |tile| tile.index()))
        };
        let edges: BTreeSet<_> = ends.into_iter().map(|(a, other)| near(a, other)).collect();
        let edges: Vec<_> = edges.into_iter().filter(|(a, b)| a < b).collect();
        let graph = graph(18, &edges);
        let room = room::tests::cells(&grid, 18);
        let tile = |kernel: KernelId| TileId(kernel.0 as u16);
        let is_cut = |edge: EdgeId| {
            let Edge { a, b, .. } = graph.edges[edge];
            !grid.partners(tile(a)).contains(&tile(b))
        };
        for kernel in graph.around.ids() {
            let rows = balls::rows(&graph, &room, kernel);
            let cut_off = |row: &balls::Row| -> u64 {
                row.below.iter().filter(|(edge, _)| is_cut(*edge)).map(|(_, part)| part).sum()
            };
            prop_assert!(rows.iter().all(|row| cut_off(row) >= row.excess), "{rows:?}");
        }
    }
}
