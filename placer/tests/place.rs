//! What the placer promises: a legal answer for the designs people have, few connections through DMA, a reason otherwise.

mod support;

use aiec_ir::build::int32;
use aiec_placer::dma_connections;
use support::*;

#[test]
fn trees_of_any_arity_and_size_are_placed() {
    let device = vc1902();
    for (kernels, arity) in [(2, 2), (5, 1), (40, 1), (30, 2), (50, 3), (47, 4), (60, 8), (60, 13)] {
        let design = checked(&tree(kernels, arity, int32(4)), &device);
        let placed = placed(&design, &device);
        assert_eq!(placed.kernels.len(), kernels as usize, "{kernels} kernels, arity {arity}");
    }
}

#[test]
fn the_thesis_s_63_kernels_need_at_most_3_tree_edges_by_dma() {
    let device = vc1902();
    let design = checked(&thesis(16), &device);
    // Two more go to the outputs.
    let dma = dma_connections(&design, &placed(&design, &device));
    assert!(dma <= 3 + 2, "{dma} connections go by DMA");
}

#[test]
fn the_thesis_s_63_kernels_fit_with_windows_of_4096_bytes() {
    let device = vc1902();
    let design = checked(&thesis(4096), &device);
    let dma = dma_connections(&design, &placed(&design, &device));
    assert!(dma <= 6 + 2, "{dma} connections go by DMA");
}
