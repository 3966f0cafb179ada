use std::collections::BTreeSet;

use aiec_device::{Device, Grid, TileId, builtin};
use proptest::prelude::*;

use aiec_ir::KernelId;

use super::graph::Edge;
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

/// The complete tree of `kernels` nodes.
fn tree(kernels: usize, arity: usize) -> Graph {
    graph(kernels, &(1..kernels).map(|child| ((child - 1) / arity, child)).collect::<Vec<_>>())
}

/// The best bound by cells on `grid`.
fn bound_of(graph: &Graph, grid: &Grid) -> u64 {
    let field = Field::new(&device("xcvc1902"), grid);
    cuts(graph, &[room::tests::cells(grid, graph.around.len())], Some(&field)).0
}

/// The fewest cuts over all assignments of one kernel to a tile (exhaustive).
fn exact(graph: &Graph, grid: &Grid) -> u64 {
    fn place(graph: &Graph, grid: &Grid, tiles: &mut Vec<TileId>, cuts: u64, best: &mut u64) {
        let kernel = KernelId(tiles.len() as u32);
        if cuts >= *best {
            return;
        }
        if tiles.len() == graph.around.len() {
            *best = cuts;
            return;
        }
        for tile in grid.ids() {
            if !tiles.contains(&tile) {
                let cut = |&&(_, other): &&(usize, KernelId)| {
                    tiles.get(other.index()).is_some_and(|&there| !grid.partners(tile).contains(&there))
                };
                let more: u64 =
                    graph.around[kernel].iter().filter(cut).map(|&(e, _)| graph.edges[e].connections).sum();
                tiles.push(tile);
                place(graph, grid, tiles, cuts + more, best);
                tiles.pop();
            }
        }
    }
    let mut best = u64::MAX;
    place(graph, grid, &mut Vec::new(), 0, &mut best);
    best
}

#[test]
#[ignore = "long: bounds hundreds of kernels"]
fn binary_trees_of_31_63_127_and_255_kernels_need_at_least_0_0_1_and_3_cuts_on_xcvc1902() {
    let grid = Grid::new(&device("xcvc1902"));
    let bounds = [31, 63, 127, 255].map(|kernels| bound_of(&tree(kernels, 2), &grid));
    assert_eq!(bounds, [0, 0, 1, 3]);
}

#[test]
fn a_kernel_with_twelve_neighbours_cuts_four() {
    let grid = Grid::new(&device("xcvc1902"));
    let star = graph(13, &(1..13).map(|leaf| (0, leaf)).collect::<Vec<_>>());
    assert_eq!(bound_of(&star, &grid), 4);
}

/// The complete graph of `kernels` kernels.
fn complete(kernels: usize) -> Graph {
    graph(kernels, &(0..kernels).flat_map(|a| (a + 1..kernels).map(move |b| (a, b))).collect::<Vec<_>>())
}

#[test]
fn a_complete_graph_of_five_and_a_torus_of_nine_cut_two() {
    let grid = Grid::new(&device("xcvc1902"));
    assert_eq!(bound_of(&complete(4), &grid), 0, "four cores reach one module");
    assert_eq!(bound_of(&complete(5), &grid), 2);
    let at = |c: usize, r: usize| 3 * (c % 3) + r % 3;
    let torus: Vec<_> = (0..9).flat_map(|k| [(k, at(k / 3 + 1, k)), (k, at(k / 3, k + 1))]).collect();
    assert_eq!(bound_of(&graph(9, &torus), &grid), 2);
}

#[test]
fn chains_rings_and_the_array_s_own_mesh_prove_nothing() {
    let grid = Grid::new(&device("xcvc1902"));
    let ring: Vec<_> = (0..400).map(|k| (k, (k + 1) % 400)).collect();
    assert_eq!(bound_of(&graph(400, &ring), &grid), 0);
    let mesh =
        grid.ids().flat_map(|id| grid.partners(id).iter().map(move |&near| (id.index(), near.index())));
    let mesh: Vec<_> = mesh.filter(|(a, b)| a < b).collect();
    assert_eq!(bound_of(&graph(400, &mesh), &grid), 0);
}

#[test]
fn a_tree_of_399_kernels_and_arity_8_cuts_at_least_43() {
    // 50 kernels have children. All but the root and the last have nine neighbours, one more than a
    // core has partners.
    let grid = Grid::new(&device("xcvc1902"));
    assert_eq!(bound_of(&tree(399, 8), &grid), 43);
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
        let fewest = exact(&graph, &grid);
        prop_assert!(balls::fewest_cuts(&graph, &room) <= fewest);
        prop_assert!(pieces::fewest_cuts(&graph, &room) <= fewest);
        // On so few tiles the search only ignores that pieces take tiles from each other.
        let found = super::exact::fewest_cuts(&graph, &Field::new(&device("toy"), &grid), 0);
        prop_assert!(found <= fewest);
        prop_assert!(fewest > 0 || found == 0);
    }

    /// Kernels on their tiles, most edges between tiles that share, random prices of the edges.
    #[test]
    fn every_placement_meets_every_inequality(
        (ends, prices) in (
            prop::collection::vec((0_usize..18, 0_usize..12), 15..60),
            prop::collection::vec(0.01_f64..1.0, 60),
        )
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
        let is_cut = |edge: usize| {
            let Edge { a, b, .. } = graph.edges[edge];
            !grid.partners(tile(a)).contains(&tile(b))
        };
        for kernel in graph.kernels() {
            let row = balls::cheapest(&graph, &room, kernel, &prices, &mut 1000);
            prop_assert!(row.iter().all(|row| row.holds(is_cut)), "{row:?}");
        }
    }
}
