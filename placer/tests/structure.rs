//! Graphs with structure share all connections that any placement shares, or nearly all.

use crate::support::*;
use aiec_placer::{PlaceOptions, dma_connections, place, verify};

/// The ends of each window.
type Edges = Vec<(usize, usize)>;

/// Connections by DMA of a graph of small windows. Kernels of `stated` are placed at tiles.
fn by_dma(kernels: usize, edges: &Edges, stated: &[(usize, (u32, u32))]) -> usize {
    let device = vc1902();
    let mut builder = graph(kernels, edges, 16);
    for &(kernel, (column, row)) in stated {
        builder.place(&format!("k{kernel}"), column.into(), row.into());
    }
    let design = checked(&builder, &device);
    let placement = value(place(&design, &device, &PlaceOptions::default()));
    dma_connections(&design, &value(verify(&design, &device, placement)))
}

fn chain(kernels: usize) -> Edges {
    (1..kernels).map(|k| (k - 1, k)).collect()
}

fn ring(kernels: usize) -> Edges {
    chain(kernels).into_iter().chain([(0, kernels - 1)]).collect()
}

fn tree(kernels: usize, arity: usize) -> Edges {
    (1..kernels).map(|child| ((child - 1) / arity, child)).collect()
}

fn mesh(rows: usize, columns: usize) -> Edges {
    let at = |row: usize, column: usize| row * columns + column;
    let across = (0..rows).flat_map(|r| (1..columns).map(move |c| (at(r, c - 1), at(r, c))));
    let up = (1..rows).flat_map(|r| (0..columns).map(move |c| (at(r - 1, c), at(r, c))));
    across.chain(up).collect()
}

/// Lanes that exchange windows in pairs from stage to stage.
fn butterfly(lanes: usize, stages: usize) -> Edges {
    let bits = lanes.trailing_zeros() as usize;
    let pairs = |stage: usize, lane: usize| {
        [lane, lane ^ (1 << (stage % bits))].map(|to| (stage * lanes + lane, (stage + 1) * lanes + to))
    };
    (0..stages - 1).flat_map(|stage| (0..lanes).flat_map(move |lane| pairs(stage, lane))).collect()
}

/// Fails unless `graph(kernels)` shares everything.
#[track_caller]
fn assert_shared(graph: fn(usize) -> Edges, sizes: &[usize]) {
    for &kernels in sizes {
        assert_eq!(by_dma(kernels, &graph(kernels), &[]), 0, "{kernels} kernels");
    }
}

#[test]
fn chains_and_rings_share_everything() {
    assert_shared(chain, &[2, 3, 17]);
    assert_shared(ring, &[4, 5, 6, 7, 17]);
}

#[test]
#[ignore = "long: places hundreds of kernels"]
fn chains_and_rings_of_all_lengths_share_everything() {
    assert_shared(chain, &[8, 9, 255, 400]);
    assert_shared(ring, &[15, 16, 18, 33, 100, 255, 399, 400]);
}

#[test]
fn small_meshes_share_everything() {
    meshes_share(&[(3, 3), (2, 7), (8, 8)]);
}

#[test]
#[ignore = "long: places hundreds of kernels"]
fn meshes_of_up_to_eight_rows_share_everything_either_way_round() {
    meshes_share(&[(8, 50), (50, 8), (5, 40)]);
}

fn meshes_share(sizes: &[(usize, usize)]) {
    for &(rows, columns) in sizes {
        assert_eq!(by_dma(rows * columns, &mesh(rows, columns), &[]), 0, "{rows} by {columns}");
    }
}

#[test]
fn a_tree_beside_a_ring_and_a_mesh_is_found_as_well() {
    let moved = |edges: Edges, by: usize| edges.into_iter().map(move |(a, b)| (a + by, b + by));
    let all = tree(63, 2).into_iter().chain(moved(ring(20), 63)).chain(moved(mesh(3, 3), 83));
    assert_eq!(by_dma(92, &all.collect(), &[]), 0);
}

#[test]
fn leaves_beyond_what_a_core_can_share_with_are_the_only_ones_cut() {
    // A star of ten leaves. A core has only eight partners.
    assert_eq!(by_dma(11, &tree(11, 10), &[]), 2);
}

#[test]
fn a_tree_goes_around_a_kernel_in_a_corner() {
    assert_eq!(by_dma(15, &tree(15, 2), &[(9, (49, 7))]), 0);
}

#[test]
#[ignore = "long: places hundreds of kernels"]
fn perfect_trees_of_127_and_255_kernels_cut_1_and_3() {
    for (kernels, cut) in [(127, 1), (255, 3)] {
        assert_eq!(by_dma(kernels, &tree(kernels, 2), &[]), cut, "{kernels} kernels");
    }
}

#[test]
#[ignore = "long: places hundreds of kernels"]
fn a_tree_with_one_kernel_on_a_given_tile_keeps_its_pattern() {
    for stated in [(0, (20, 3)), (77, (9, 6))] {
        let cut = by_dma(255, &tree(255, 2), &[stated]);
        assert!(cut <= 4, "{cut} connections with kernel {} bound; without, 3", stated.0);
    }
}

#[test]
#[ignore = "long: places hundreds of kernels"]
fn butterflies_share_most_of_their_windows() {
    let cut = by_dma(256, &butterfly(32, 8), &[]);
    assert!(cut <= 100, "{cut} of 448, of which 64 are between the two halves of the stages");
}
