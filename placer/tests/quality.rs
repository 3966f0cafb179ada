//! How good placements are: connections between kernels that go by DMA, at most. For optimised builds:
//! `cargo test --release -p aiec_placer -- --ignored`.

mod support;

use aiec_ir::build::{Builder, int32};
use aiec_placer::{PlaceOptions, dma_connections, place, verify};
use support::*;

/// Connections through DMA at the default effort, without the `external` ones to inputs and outputs.
fn dma(builder: &Builder, external: usize) -> usize {
    let device = vc1902();
    let design = checked(builder, &device);
    let placement = value(place(&design, &device, &PlaceOptions::default()));
    dma_connections(&design, &value(verify(&design, &device, placement))) - external
}

#[test]
#[ignore = "for optimised builds"]
fn trees() {
    let cases = [
        (31, 2, 0),
        (63, 2, 0),
        (127, 2, 1),
        (255, 2, 3),
        (399, 2, 14),
        (255, 1, 0),
        (255, 3, 9),
        (255, 4, 12),
        (255, 8, 42),
    ];
    for (kernels, arity, most) in cases {
        let found = dma(&tree(kernels, arity, int32(4)), 1);
        assert!(found <= most, "{kernels} kernels, arity {arity}: {found} by DMA, not {most}");
    }
}

#[test]
#[ignore = "for optimised builds"]
fn the_thesis_with_small_and_large_windows() {
    for (bytes, most) in [(16, 0), (4096, 0), (8192, 2)] {
        let found = dma(&thesis(bytes), 2);
        assert!(found <= most, "windows of {bytes} bytes: {found} by DMA, not {most}");
    }
}

#[test]
#[ignore = "for optimised builds"]
fn graphs_without_structure() {
    for seed in 1..=5 {
        let found = dma(&random_graph(100, seed), 0);
        assert!(found <= 57, "seed {seed}: {found} by DMA");
    }
    assert_eq!(dma(&pipelines(20, 8), 40), 0);
}
