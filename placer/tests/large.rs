//! Windows that need most of the memory, in graphs without a pattern. The greedy fit places kernels
//! where their buffers find room, then large neighbourhood search improves the fit.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::*;
use aiec_device::Device;
use aiec_ir::Buffering;
use aiec_ir::Direction;
use aiec_placer::{Basis, PlaceOptions, Tools, Watch, dma_connections, search, verify};
use aiec_test_support::{Builder, input, int32, output};

/// A mesh whose kernels send windows of `bytes` bytes to the right and down.
fn mesh(columns: u32, rows: u32, bytes: u32) -> Builder {
    let window = int32(bytes / 4);
    let mut builder = Builder::new("mesh", "xcvc1902");
    for (x, y) in (0..columns).flat_map(|x| (0..rows).map(move |y| (x, y))) {
        let mut ports = Vec::new();
        ports.extend((x > 0).then(|| input("left", window)));
        ports.extend((y > 0).then(|| input("above", window)));
        ports.extend((x + 1 < columns).then(|| output("right", window)));
        ports.extend((y + 1 < rows).then(|| output("below", window)));
        builder.kernels(&format!("k{x}_{y}"), &[], &ports);
    }
    for (x, y) in (0..columns).flat_map(|x| (0..rows).map(move |y| (x, y))) {
        if x + 1 < columns {
            builder.connect(&format!("k{x}_{y}.right"), &format!("k{}_{y}.left", x + 1));
        }
        if y + 1 < rows {
            builder.connect(&format!("k{x}_{y}.below"), &format!("k{x}_{}.above", y + 1));
        }
    }
    builder
}

/// A mesh with one more connection from corner to corner: no pattern.
fn crossed_mesh(columns: usize, rows: usize, bytes: u32) -> Builder {
    let right = (0..columns * rows).filter(|k| k % columns + 1 < columns).map(|k| (k, k + 1));
    let down = (0..columns * (rows - 1)).map(|k| (k, k + columns));
    let edges: Vec<(usize, usize)> = right.chain(down).chain([(0, columns * rows - 1)]).collect();
    graph(columns * rows, &edges, bytes)
}

/// Stops a search before it begins.
struct Never;

impl Watch for Never {
    fn stopped(&self) -> bool {
        true
    }
}

/// Stops a search within its first moves.
struct Soon(AtomicU32);

impl Watch for Soon {
    fn stopped(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 4096
    }
}

#[test]
#[ignore = "long: searches dense designs"]
fn kernels_are_seated_at_once_where_a_module_holds_one_connection() {
    let device = vc1902();
    for (columns, rows, bytes) in [(8, 8, 12_288), (12, 8, 12_288), (14, 14, 8_192)] {
        let design = checked(&crossed_mesh(columns, rows, bytes), &device);
        let watch = &Soon(AtomicU32::new(0));
        let tools = Tools { watch, ..Tools::ALONE };
        let found = value(search(&design, &device, &QUICK, &Basis::NOTHING, &tools));
        value(verify(&design, &device, found.placement));
    }
}

#[test]
#[ignore = "long: searches dense designs"]
fn seating_kernels_anew_shares_most_connections() {
    let device = vc1902();
    let design = checked(&crossed_mesh(6, 6, 12_288), &device);
    let placed = placed(&design, &device);
    let by_dma = dma_connections(&design, &placed);
    assert!(by_dma < 61 / 3, "{by_dma} of 61 connections by DMA");
}

#[test]
#[ignore = "long: searches dense designs"]
fn meshes_of_which_a_module_holds_one_connection_lie_on_every_second_row() {
    // Four rows of 50 take half of the tiles and 346 of the modules. Of eight rows, the upper four
    // lie beside the others.
    let device = vc1902();
    for (columns, rows, cut) in [(50, 4, 0), (3, 40, 0), (25, 8, 25)] {
        let design = checked(&mesh(columns, rows, 12_288), &device);
        let tools = Tools { watch: &Never, ..Tools::ALONE };
        let found = value(search(&design, &device, &QUICK, &Basis::NOTHING, &tools));
        let placed = value(verify(&design, &device, found.placement));
        let by_dma = dma_connections(&design, &placed);
        assert!(by_dma <= cut, "{by_dma} by DMA of {columns} by {rows}");
    }
}

#[test]
#[ignore = "long: searches dense designs"]
fn kernels_make_way_for_those_that_find_no_room() {
    // 98 windows of 10 KiB between 50 kernels, which four out of ten modules could hold. Neither
    // annealing nor the greedy fit finds room for all.
    let device = Device { columns: 24, ..vc1902() };
    let (kernels, mut dice) = (50, 7_u32);
    let mut edges: Vec<(usize, usize)> = Vec::new();
    while edges.len() < 2 * kernels - 2 {
        let mut draw = || {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (dice >> 16) as usize % kernels
        };
        let ends = (draw(), draw());
        let (a, b) = (ends.0.min(ends.1), ends.0.max(ends.1));
        let degree = |kernel: usize| edges.iter().filter(|(a, b)| *a == kernel || *b == kernel).count();
        if a != b && degree(a) < 4 && degree(b) < 4 && !edges.contains(&(a, b)) {
            edges.push((a, b));
        }
    }
    let design = checked(&graph(kernels, &edges, 10_240), &device);
    let options = PlaceOptions { effort: 1, ..PlaceOptions::default() };
    let found = search(&design, &device, &options, &Basis::NOTHING, &Tools::ALONE);
    value(verify(&design, &device, value(found).placement));
}

#[test]
#[ignore = "long: searches dense designs"]
fn constraints_hold_where_kernels_are_seated_one_by_one() {
    let device = vc1902();
    let mut builder = mesh(8, 8, 12_288);
    builder
        .place("k0_0", 10, 2)
        .region(&["k7_7", "k7_6"], (30, 0), (33, 7))
        .together(&["k3_3", "k3_4"])
        .apart(&["k4_4", "k5_4"])
        .place_relative("k2_2", "k1_1", (2, 3));
    let design = checked(&builder, &device);
    let tools = Tools { watch: &Soon(AtomicU32::new(0)), ..Tools::ALONE };
    let found = value(search(&design, &device, &QUICK, &Basis::NOTHING, &tools));
    value(verify(&design, &device, found.placement));
}

/// Five kernels with large windows and stacks on six tiles of 2 by 3. Few of the 720 placements
/// leave room for all buffers.
#[test]
fn a_small_design_is_placed_if_only_few_of_all_tiles_have_room() {
    let device = toy();
    let bytes = |bytes: u32| int32(bytes / 4);
    let mut builder = Builder::new("few", "toy");
    builder
        .kernels("k0", &[], &[output("y0", bytes(15_360)), output("y1", bytes(4_096))])
        .kernels("k1", &[], &[output("y0", bytes(13_312))])
        .kernels(
            "k2",
            &[],
            &[input("x0", bytes(4_096)), output("y0", bytes(15_328)), output("y1", bytes(15_360))],
        )
        .kernels(
            "k3",
            &[],
            &[input("x0", bytes(15_328)), input("x1", bytes(15_360)), input("x2", bytes(15_360))],
        )
        .kernels("k4", &[], &[input("x0", bytes(13_312)), output("y0", bytes(15_328))])
        .plio_input("i", 64)
        .plio("o", &[2], Direction::In, 64);
    for (kernel, stack, heap) in
        [("k0", 512, 32), ("k1", 8_192, 32), ("k2", 16_384, 32), ("k3", 1_024, 1_024)]
    {
        builder.stack(kernel, stack).heap(kernel, heap);
    }
    builder.stack("k4", 2_048).heap("k4", 1_024);
    for (from, to) in
        [("k2.y0", "k3.x0"), ("k2.y1", "k3.x1"), ("k0.y0", "k3.x2"), ("k1.y0", "k4.x0"), ("i", "k2.x0")]
    {
        builder.connect(from, to);
    }
    builder.connect_with("k4.y0", "o[0]", Buffering::Single).connect("k0.y1", "o[1]");
    builder.keepout((3, 0), (5, 3)).keepout((0, 2), (2, 3));
    let design = checked(&builder, &device);
    placed(&design, &device);
}
