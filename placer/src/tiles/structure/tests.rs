use aiec_device::{Grid, TileId, builtin};

use super::super::problem::{CUT, Tiles};
use super::*;
use crate::watch::tests::ALONE;

fn grid() -> Grid {
    Grid::new(&builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in"))
}

fn problem(grid: &Grid, kernels: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> TileProblem<'_> {
    let mut problem = TileProblem::unconnected(grid, kernels);
    let id = |kernel: usize| KernelId(u32::try_from(kernel).expect("few kernels"));
    edges.into_iter().for_each(|(a, b)| problem.add_edge(id(a), id(b), CUT));
    problem
}

/// The layout of all kernels. Checks that no tile is taken twice.
fn laid(problem: &TileProblem<'_>, snake: Snake) -> Tiles {
    let plan = Plan { moves_per_host: 40_000, tries: 4, centre: 25, spare: 0, snake, layers: true };
    let tiles = layout(problem, &plan, &mut Random::new(1), &ALONE).expect("a known structure");
    let mut all: Vec<TileId> = tiles.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), problem.kernels(), "every kernel has a tile of its own");
    tiles.iter().copied().flatten().collect()
}

/// Number of connections that share no module in the layout.
fn cuts(problem: &TileProblem<'_>) -> usize {
    cuts_of(problem, Snake::Columns)
}

fn cuts_of(problem: &TileProblem<'_>, snake: Snake) -> usize {
    let tiles = laid(problem, snake);
    problem.edges.iter().filter(|e| problem.gap(tiles[e.a], tiles[e.b]) > 0).count()
}

fn mesh(grid: &Grid, rows: usize, columns: usize) -> TileProblem<'_> {
    let at = |row: usize, column: usize| row * columns + column;
    let across = (0..rows).flat_map(|r| (1..columns).map(move |c| (at(r, c - 1), at(r, c))));
    let up = (1..rows).flat_map(|r| (0..columns).map(move |c| (at(r - 1, c), at(r, c))));
    problem(grid, rows * columns, across.chain(up))
}

#[test]
#[ignore = "long: lays out hundreds of kernels"]
fn perfect_trees_of_127_and_255_cut_1_and_3() {
    let grid = grid();
    for (kernels, count) in [(127, 1), (255, 3)] {
        let tree = problem(&grid, kernels, (1..kernels).map(|child| ((child - 1) / 2, child)));
        assert_eq!(cuts(&tree), count, "{kernels} kernels");
    }
}

#[test]
fn chains_of_all_lengths_share_everything() {
    let grid = grid();
    for kernels in [2, 3, 8, 9, 17, 255, 400] {
        assert_eq!(cuts(&problem(&grid, kernels, (1..kernels).map(|k| (k - 1, k)))), 0, "{kernels} kernels");
    }
}

#[test]
fn rings_of_all_lengths_share_everything() {
    let grid = grid();
    for kernels in [4, 5, 6, 7, 15, 16, 17, 18, 33, 100, 255, 399, 400] {
        assert_eq!(
            cuts(&problem(&grid, kernels, (0..kernels).map(|k| (k, (k + 1) % kernels)))),
            0,
            "{kernels} kernels"
        );
    }
}

#[test]
fn meshes_of_up_to_eight_rows_share_everything_either_way_round() {
    let grid = grid();
    for (rows, columns) in [(8, 50), (50, 8), (3, 3), (2, 7), (5, 40), (8, 8)] {
        assert_eq!(cuts(&mesh(&grid, rows, columns)), 0, "{rows} by {columns}");
    }
}

#[test]
fn meshes_on_every_second_row_are_cut_between_strips_of_four_rows() {
    let grid = grid();
    for (rows, columns, cut) in [(2, 2, 0), (4, 50, 0), (50, 3, 0), (8, 25, 25), (12, 16, 32)] {
        assert_eq!(cuts_of(&mesh(&grid, rows, columns), Snake::Rows), cut, "{rows} by {columns}");
    }
}

#[test]
fn a_tree_beside_a_ring_and_a_mesh_is_found_as_well() {
    let grid = grid();
    let tree = (1..63).map(|child| ((child - 1) / 2, child));
    let ring = (0..20).map(|k| (63 + k, 63 + (k + 1) % 20));
    let square = (0..9).flat_map(|k| [(k % 3 < 2).then_some((k, k + 1)), (k < 6).then_some((k, k + 3))]);
    let square = square.flatten().map(|(a, b)| (83 + a, 83 + b));
    assert_eq!(cuts(&problem(&grid, 92, tree.chain(ring).chain(square))), 0);
}

#[test]
fn a_graph_without_structure_is_left_to_others() {
    let grid = grid();
    let clique = problem(&grid, 5, (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))));
    let plan =
        Plan { moves_per_host: 1000, tries: 1, centre: 25, spare: 0, snake: Snake::Columns, layers: true };
    let mut random = Random::new(1);
    assert!(layout(&clique, &plan, &mut random, &ALONE).is_none());
    assert_eq!(random.bits(), Random::new(1).bits(), "nothing is embedded for nothing");
}

/// The edges of a butterfly, from producer to consumer.
fn butterfly(lanes: usize, stages: usize) -> Vec<(usize, usize)> {
    let bits = lanes.trailing_zeros() as usize;
    let pairs = |stage: usize, lane: usize| {
        [lane, lane ^ (1 << (stage % bits))].map(|to| (stage * lanes + lane, (stage + 1) * lanes + to))
    };
    (0..stages - 1).flat_map(|stage| (0..lanes).flat_map(move |lane| pairs(stage, lane))).collect()
}

#[test]
fn a_butterfly_of_32_lanes_and_8_stages_falls_into_8_of_8_lanes_and_4_stages() {
    let grid = grid();
    let component = components(&problem(&grid, 256, butterfly(32, 8))).remove(0);
    let layers = Layers::new(&component, butterfly(32, 8)).expect("layered");
    let pieces = layers.pieces(40).expect("pieces");
    assert_eq!(pieces.iter().map(Vec::len).collect::<Vec<_>>(), [32; 8]);
    let leap = butterfly(32, 8).into_iter().chain([(0, 64)]);
    assert!(Layers::new(&component, leap.collect()).is_none(), "an edge leaps over a layer");
}

#[test]
#[ignore = "long: lays out hundreds of kernels"]
fn butterflies_are_cut_between_two_layers_and_share_nearly_everything_else() {
    let cut = cuts(&problem(&grid(), 256, butterfly(32, 8)));
    assert!(cut <= 100, "{cut} of 448, of which 64 are between the two halves of the stages");
}

#[test]
#[ignore = "long: lays out hundreds of kernels"]
fn a_tree_with_one_kernel_on_a_given_tile_keeps_its_pattern() {
    let grid = grid();
    for (kernel, column, row) in [(0, 20, 3), (77, 9, 6)] {
        let mut tree = problem(&grid, 255, (1..255).map(|child| ((child - 1) / 2, child)));
        let tile = grid.id(aiec_device::Tile::new(column, row));
        tree.fixed[KernelId(kernel)] = tile;
        let tiles = laid(&tree, Snake::Columns);
        let cut = tree.edges.iter().filter(|e| tree.gap(tiles[e.a], tiles[e.b]) > 0).count();
        assert!(cut <= 4, "{cut} connections with kernel {kernel} bound; without, 3");
        assert_eq!(Some(tiles[KernelId(kernel)]), tile);
    }
}
