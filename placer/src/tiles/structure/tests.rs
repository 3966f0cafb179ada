use aiec_device::{Grid, TileId, builtin};

use super::super::problem::{CUT, Edge, Tiles};
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

/// Number of connections that share no module in the layout. Checks that no tile is taken twice.
fn cuts(problem: &TileProblem<'_>) -> usize {
    cuts_of(problem, Snake::Columns)
}

fn cuts_of(problem: &TileProblem<'_>, snake: Snake) -> usize {
    let plan = Plan { moves_per_host: 40_000, tries: 4, centre: 25, spare: 0, snake };
    let tiles = layout(problem, &plan, &mut Random::new(1), &ALONE).expect("a known structure");
    let mut all: Vec<TileId> = tiles.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), problem.kernels(), "every kernel has a tile of its own");
    let cut = |e: &&Edge| tiles[e.a].zip(tiles[e.b]).is_none_or(|(a, b)| problem.gap(a, b) > 0);
    problem.edges.iter().filter(cut).count()
}

fn mesh(grid: &Grid, rows: usize, columns: usize) -> TileProblem<'_> {
    let at = |row: usize, column: usize| row * columns + column;
    let across = (0..rows).flat_map(|r| (1..columns).map(move |c| (at(r, c - 1), at(r, c))));
    let up = (1..rows).flat_map(|r| (0..columns).map(move |c| (at(r - 1, c), at(r, c))));
    problem(grid, rows * columns, across.chain(up))
}

#[test]
fn perfect_trees_of_31_and_63_cut_nothing() {
    perfect_trees_cut(&[(31, 0), (63, 0)]);
}

#[test]
#[ignore = "long: lays out hundreds of kernels"]
fn perfect_trees_of_127_and_255_cut_1_and_3() {
    perfect_trees_cut(&[(127, 1), (255, 3)]);
}

/// Lays out perfect trees: how many kernels each has, and how many connections are cut.
fn perfect_trees_cut(trees: &[(usize, usize)]) {
    let grid = grid();
    for &(kernels, count) in trees {
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
fn a_mesh_of_16_rows_is_cut_once_across() {
    let grid = grid();
    assert_eq!(cuts(&mesh(&grid, 16, 20)), 20);
}

#[test]
fn a_square_mesh_that_fills_the_array_is_cut_twice_across_and_folded_at_its_end() {
    let grid = grid();
    // Strips of 8, 8 and 4 rows are 60 columns wide. With the last one folded they are 50, and the
    // fold cuts at most three edges.
    let cuts = cuts(&mesh(&grid, 20, 20));
    assert!((20 + 20..=20 + 20 + 3).contains(&cuts), "{cuts}");
}

#[test]
fn equal_pipelines_lie_side_by_side() {
    let grid = grid();
    let stages = (0..160).filter(|k| k % 8 > 0).map(|k| (k - 1, k));
    assert_eq!(cuts(&problem(&grid, 160, stages)), 0);
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
    let plan = Plan { moves_per_host: 1000, tries: 1, centre: 25, spare: 0, snake: Snake::Columns };
    let mut random = Random::new(1);
    assert!(layout(&clique, &plan, &mut random, &ALONE).is_none());
    assert_eq!(random.bits(), Random::new(1).bits(), "nothing is embedded for nothing");
}

#[test]
#[ignore = "long: lays out hundreds of kernels"]
fn butterflies_are_cut_between_two_layers_and_share_nearly_everything_else() {
    let grid = grid();
    let edges = (0..7_usize).flat_map(|stage| {
        (0..32_usize).flat_map(move |lane| {
            [lane, lane ^ (1 << (stage % 5))].map(|other| (stage * 32 + lane, (stage + 1) * 32 + other))
        })
    });
    let cut = cuts(&problem(&grid, 256, edges));
    assert!(cut <= 100, "{cut} of 448, of which 64 are between the two halves of the stages");
}

/// A tree of 255 kernels with rules. Returns the unshared connections and the misplaced kernels.
fn bound_tree(bind: impl Fn(&mut TileProblem<'_>)) -> (usize, usize) {
    let grid = grid();
    let mut tree = problem(&grid, 255, (1..255).map(|child| ((child - 1) / 2, child)));
    bind(&mut tree);
    let plan = Plan { moves_per_host: 40_000, tries: 4, centre: 25, spare: 0, snake: Snake::Columns };
    let tiles = layout(&tree, &plan, &mut Random::new(1), &ALONE).expect("a known structure");
    let tiles: Tiles = tiles.iter().copied().flatten().collect();
    let cut = tree.edges.iter().filter(|e| tree.gap(tiles[e.a], tiles[e.b]) > 0).count();
    let wrong = tree.ids().filter(|&k| tree.fixed[k].is_some_and(|tile| tile != tiles[k])).count();
    (cut, wrong)
}

#[test]
#[ignore = "long: lays out hundreds of kernels"]
fn a_tree_with_one_kernel_on_a_given_tile_keeps_its_pattern() {
    let tile = |problem: &TileProblem<'_>, column, row| problem.grid.id(aiec_device::Tile::new(column, row));
    for (kernel, column, row) in [(0, 20, 3), (77, 9, 6)] {
        let (cut, misplaced) = bound_tree(|tree| tree.fixed[KernelId(kernel)] = tile(tree, column, row));
        assert!(cut <= 4, "{cut} connections with kernel {kernel} bound; without, 3");
        assert_eq!(misplaced, 0);
    }
}
