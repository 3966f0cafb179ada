//! Chains and rings of windows that nearly fill a module. Every module holds the two buffers of one
//! connection and a stack, so they fit only along the rows.

use crate::support::{checked, placed, vc1902};
use aiec_placer::dma_connections;
use aiec_test_support::{Builder, input, int32, output};

/// A chain of `kernels` kernels with windows of `kib` KiB.
fn chain(kernels: u32, kib: u32) -> Builder {
    let window = int32(kib * 256);
    let mut builder = Builder::new("chain", "xcvc1902");
    builder
        .kernels("first", &[], &[output("y", window)])
        .kernels("s", &[kernels - 2], &[input("x", window), output("y", window)])
        .kernels("last", &[], &[input("x", window)])
        .connect("first.y", "s[0].x")
        .connect(&format!("s[{}].y", kernels - 3), "last.x");
    (1..kernels - 2).for_each(|k| {
        builder.connect(&format!("s[{}].y", k - 1), &format!("s[{k}].x"));
    });
    // Beside two buffers of 15 KiB a module has room for a stack of 1.5 KiB.
    ["first", "s", "last"].iter().for_each(|family| {
        builder.stack(family, 1024).heap(family, 512);
    });
    builder
}

/// A ring of `kernels` kernels with windows of `kib` KiB.
fn ring(kernels: u32, kib: u32) -> Builder {
    let window = int32(kib * 256);
    let mut builder = Builder::new("ring", "xcvc1902");
    builder.kernels("s", &[kernels], &[input("x", window), output("y", window)]);
    (0..kernels).for_each(|k| {
        builder.connect(&format!("async s[{k}].y"), &format!("async s[{}].x", (k + 1) % kernels));
    });
    builder.stack("s", 1024).heap("s", 512);
    builder
}

/// Connections by DMA of a design with additional constraints.
fn by_dma(mut builder: Builder, constrain: impl Fn(&mut Builder)) -> usize {
    let device = vc1902();
    constrain(&mut builder);
    let design = checked(&builder, &device);
    dma_connections(&design, &placed(&design, &device))
}

/// Fails unless every connection of `design(kernels, kib)` shares memory.
#[track_caller]
fn assert_shared(design: impl Fn(u32, u32) -> Builder, sizes: &[(u32, u32)]) {
    for &(kernels, kib) in sizes {
        assert_eq!(by_dma(design(kernels, kib), |_| ()), 0, "{kernels} kernels, windows of {kib} KiB");
    }
}

#[test]
fn a_chain_shares_all_its_windows() {
    assert_shared(chain, &[(3, 12), (20, 15), (100, 12)]);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_chain_of_any_length_shares_all_its_windows() {
    assert_shared(chain, &[(300, 12), (350, 12), (350, 15), (390, 12), (399, 15), (400, 12)]);
}

#[test]
fn a_ring_shares_all_its_windows() {
    assert_shared(ring, &[(4, 12), (7, 12), (15, 12), (16, 15), (100, 12)]);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_ring_of_any_length_shares_all_its_windows() {
    // A ring of 400 takes every module of the array.
    assert_shared(ring, &[(200, 12), (301, 12), (399, 15), (400, 15)]);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_ring_passes_tiles_that_are_left_free() {
    // Columns 0 to 19 and 21 to 49 are open from top to bottom. A ring of 300 kernels goes through
    // DMA where it passes from one run to the other and back.
    let cut = by_dma(ring(300, 12), |builder| {
        builder.keepout((20, 3), (20, 3));
    });
    assert!(cut <= 2, "{cut} by DMA");
    // Beside a closed corner it closes without DMA.
    let beside = by_dma(ring(300, 12), |builder| {
        builder.keepout((0, 0), (0, 0));
    });
    assert_eq!(beside, 0);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn two_chains_lie_side_by_side() {
    let window = int32(3072);
    let mut builder = chain(150, 12);
    builder.kernels("t", &[100], &[input("x", window), output("y", window)]).plio_input("in", 64);
    builder.plio_output("out", 64).connect("in", "t[0].x").connect("t[99].y", "out");
    (1..100).for_each(|k| {
        builder.connect(&format!("t[{}].y", k - 1), &format!("t[{k}].x"));
    });
    assert_eq!(by_dma(builder, |_| ()), 2, "the input and the output");
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_chain_passes_tiles_that_are_left_free() {
    // Columns 0 to 19 and 21 to 49 are open from top to bottom. A chain of 300 kernels goes through
    // DMA where it passes from one run to the other.
    let cut = by_dma(chain(300, 12), |builder| {
        builder.keepout((20, 3), (20, 3));
    });
    assert!(cut <= 1, "{cut} by DMA");
    // All rows but the topmost are open, so it is wider.
    let low = by_dma(chain(300, 12), |builder| {
        builder.keepout((0, 7), (49, 7));
    });
    assert_eq!(low, 0);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn a_kernel_of_a_chain_stands_where_it_is_placed() {
    // The 101st kernel is in row 1 or higher of any snake. Some width puts it at (20, 3).
    let cut = by_dma(chain(300, 12), |builder| {
        builder.place("s[100]", 20, 3);
    });
    assert_eq!(cut, 0);
    // No snake begins in the middle of the array, so the connection of a first kernel there goes by
    // DMA.
    let cut = by_dma(chain(200, 12), |builder| {
        builder.place("first", 20, 3);
    });
    assert!(cut <= 8, "{cut} by DMA");
}
