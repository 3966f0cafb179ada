use std::collections::BTreeSet;

use aiec_device::{Device, Grid, TileId, builtin};
use proptest::prelude::*;

use aiec_ir::KernelId;

use super::graph::{Edge, EdgeId};
use super::*;

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

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
