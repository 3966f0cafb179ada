//! The promises of the placer: a legal placement for ordinary designs, few connections through DMA,
//! and a reason otherwise.

use crate::support::*;
use aiec_device::Tile;
use aiec_ir::Direction;
use aiec_ir::design::Endpoint;
use aiec_placer::{PortBuffers, dma_connections, module_use};
use aiec_test_support::{Builder, input, int32, output};

#[test]
#[ignore = "long: searches for seconds"]
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

#[test]
fn the_same_seed_gives_the_same_placement() {
    let device = vc1902();
    let design = checked(&tree(40, 3, int32(64)), &device);
    assert_eq!(placement(&design, &device), placement(&design, &device));
}

#[test]
#[ignore = "long: searches a hundred kernels or more"]
fn a_random_graph_of_100_kernels_is_placed() {
    let device = vc1902();
    let design = checked(&random_graph(100, 7), &device);
    assert_eq!(placed(&design, &device).kernels.len(), 100);
}

#[test]
fn pipelines_between_plio_are_shared_throughout() {
    let device = vc1902();
    let design = checked(&pipelines(8, 5), &device);
    let dma = dma_connections(&design, &placed(&design, &device));
    assert!(dma <= 16 + 2, "16 go to PLIO, yet {dma} go by DMA");
}

#[test]
fn a_broadcast_goes_by_dma_with_one_source_channel() {
    let device = vc1902();
    let design = checked(&broadcast(12), &device);
    let placed = placed(&design, &device);
    assert_eq!(dma_connections(&design, &placed), 1 + 12 + 12);
    let uses = module_use(&design, &device, &placed);
    assert_eq!(uses.values().map(|u| u.mm2s).sum::<u32>(), 1 + 12);
}

#[test]
fn kernels_stay_where_the_design_says() {
    let device = vc1902();
    let mut builder = tree(15, 2, int32(64));
    builder.place("worker[0]", 30, 7).place("worker[14]", 49, 0);
    let design = checked(&builder, &device);
    // Verification checks the constraints.
    assert_eq!(placed(&design, &device).kernels[aiec_ir::KernelId(14)], Tile::new(49, 0));
}

#[test]
fn ping_and_pong_lie_in_different_banks_where_there_is_room() {
    let device = vc1902();
    let design = checked(&tree(3, 2, int32(64)), &device);
    let placed = placed(&design, &device);
    for port in design.ports.ids() {
        let PortBuffers::Own(spots) = &placed.buffers[port] else { continue };
        let banks = spots.iter().map(|spot| (spot.tile, spot.offset / device.memory.bank_bytes()));
        let banks: std::collections::BTreeSet<_> = banks.collect();
        assert_eq!(banks.len(), spots.len(), "{}", design.port_name(port));
    }
}

#[test]
fn inputs_and_outputs_of_all_kinds_find_channels_that_do_not_collide() {
    let device = toy();
    let w = int32(4);
    let mut builder = Builder::new("shim", "toy");
    builder
        .kernels("k", &[8], &[input("x", w), output("y", w)])
        .plio("wide", &[4], Direction::Out, 128)
        .plio("narrow", &[2], Direction::Out, 32)
        .externals("ddr", &[2], Direction::Out, Endpoint::GMIO)
        .externals("back", &[4], Direction::In, Endpoint::GMIO)
        .plio("out", &[4], Direction::In, 128);
    let from = ["wide[0]", "wide[1]", "wide[2]", "wide[3]", "narrow[0]", "narrow[1]", "ddr[0]", "ddr[1]"];
    let to = ["back[0]", "back[1]", "back[2]", "back[3]", "out[0]", "out[1]", "out[2]", "out[3]"];
    for (kernel, (from, to)) in from.iter().zip(to).enumerate() {
        builder.connect(from, &format!("k[{kernel}].x")).connect(&format!("k[{kernel}].y"), to);
    }
    let design = checked(&builder, &device);
    // Verification checks columns, parity and South ports.
    assert_eq!(placed(&design, &device).shims.len(), 16);
}

#[test]
#[ignore = "long: searches a hundred kernels or more"]
fn a_mesh_between_inputs_and_outputs_is_placed_where_no_column_is_crossed_by_more_nets_than_wires() {
    let device = vc1902();
    let w = int32(4);
    let (rows, columns) = (8, 40);
    let ports = [input("south", w), input("west", w), output("north", w), output("east", w)];
    let mut builder = Builder::new("mesh", "xcvc1902");
    builder
        .kernels("k", &[rows, columns], &ports)
        .plio("up", &[columns], Direction::Out, 64)
        .plio("left", &[rows], Direction::Out, 64)
        .plio("top", &[columns], Direction::In, 64)
        .plio("right", &[rows], Direction::In, 64);
    for column in 0..columns {
        builder.connect(&format!("up[{column}]"), &format!("k[0][{column}].south"));
        builder.connect(&format!("k[7][{column}].north"), &format!("top[{column}]"));
        (1..rows).for_each(|row| {
            builder.connect(&format!("k[{}][{column}].north", row - 1), &format!("k[{row}][{column}].south"));
        });
    }
    for row in 0..rows {
        builder.connect(&format!("left[{row}]"), &format!("k[{row}][0].west"));
        builder.connect(&format!("k[{row}][39].east"), &format!("right[{row}]"));
        (1..columns).for_each(|column| {
            builder.connect(&format!("k[{row}][{}].east", column - 1), &format!("k[{row}][{column}].west"));
        });
    }
    let design = checked(&builder, &device);
    let placed = placed(&design, &device);
    assert_eq!(dma_connections(&design, &placed), 96, "only inputs and outputs");
    let crossing = |between: u16| {
        let crosses = |external: &aiec_ir::ExternalId| {
            let kernel = design.ports[design.externals[*external].port].connections.iter().find_map(|&c| {
                let connection = &design.connections[c];
                design.kernel_of(connection.from).or(design.kernel_of(connection.to))
            });
            let (shim, kernel) =
                (placed.shims[*external].column, placed.kernels[kernel.expect("connected")].column);
            (shim < between) != (kernel < between)
        };
        design.externals.ids().filter(crosses).count()
    };
    assert!((1..device.columns).all(|between| crossing(between) <= 36), "36 wires each way");
}

#[test]
#[ignore = "long: searches a hundred kernels or more"]
fn four_sources_broadcast_to_a_hundred_kernels_each() {
    let device = vc1902();
    let w = int32(64);
    let ports = ["a", "b", "c", "d"].map(|name| input(name, w));
    let mut builder = Builder::new("casts", "xcvc1902");
    builder.kernels("source", &[4], &[output("y", w)]).kernels("sink", &[100], &ports);
    for sink in 0..100 {
        for (source, port) in ["a", "b", "c", "d"].iter().enumerate() {
            builder.connect(&format!("source[{source}].y"), &format!("sink[{sink}].{port}"));
        }
    }
    let design = checked(&builder, &device);
    // Each sink takes four channels into memory, and a module has two.
    assert_eq!(dma_connections(&design, &placed(&design, &device)), 400);
}

#[test]
#[ignore = "long: searches a hundred kernels or more"]
fn pipelines_of_windows_of_12_kib_fit() {
    let device = vc1902();
    let w = int32(3072);
    let mut builder = Builder::new("pipelines", "xcvc1902");
    builder
        .kernels("stage", &[20, 8], &[input("x", w), output("y", w)])
        .plio("samples", &[20], Direction::Out, 64)
        .plio("results", &[20], Direction::In, 64);
    for lane in 0..20 {
        builder.connect(&format!("samples[{lane}]"), &format!("stage[{lane}][0].x"));
        builder.connect(&format!("stage[{lane}][7].y"), &format!("results[{lane}]"));
        (1..8).for_each(|stage| {
            builder.connect(&format!("stage[{lane}][{}].y", stage - 1), &format!("stage[{lane}][{stage}].x"));
        });
    }
    let design = checked(&builder, &device);
    // Two of these go by DMA at every pipeline. A module holds two halves of 12 KiB, but not three.
    assert!(dma_connections(&design, &placed(&design, &device)) <= 45);
}

#[test]
fn buffers_of_a_net_lie_on_the_side_to_which_it_leads() {
    let device = vc1902();
    let mut builder = Builder::new("far", "xcvc1902");
    builder
        .kernels("source", &[1], &[output("y", int32(4))])
        .kernels("sink", &[1], &[input("x", int32(4))])
        .connect("source[0].y", "sink[0].x")
        .place("source[0]", 20, 2)
        .place("sink[0]", 5, 3);
    let design = checked(&builder, &device);
    let placement = placement(&design, &device);
    let columns: Vec<u16> = placement
        .buffers
        .iter()
        .filter_map(|buffers| match buffers {
            PortBuffers::Own(spots) => spots.first().map(|spot| spot.tile.column),
            _ => None,
        })
        .collect();
    // On an even row the west module is in reach, on an odd one the east module (AM009, memory
    // chapter).
    assert_eq!(columns, [19, 6], "both ends a column nearer to each other");
}
