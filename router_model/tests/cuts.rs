//! The lines that the checks count before placement, and those of the router after it.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use aiec_check::{Checked, Line, check, line_loads};
use aiec_device::Device;
use aiec_diag::Outcome;
use aiec_ir::blocks::{Block, BlockSpot, Within};
use aiec_ir::{Direction, PortId};
use aiec_placer::{PlaceOptions, Placed, PortBuffers, place, verify};
use aiec_router_model::{Boundary, Request, Side, lines, nets};
use aiec_test_support::{Builder, input, int32, output};
use proptest::prelude::*;

fn value<T>(outcome: Outcome<T>) -> T {
    let (value, diagnostics) = outcome.into_parts();
    value.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

fn device() -> Device {
    value(aiec_device::builtin("toy").expect("built in"))
}

/// The line of a boundary in the words of the checks.
fn line(boundary: &Boundary) -> Line {
    match *boundary {
        Boundary::Column { column, towards: Side::East } => Line::East(column),
        Boundary::Column { column, .. } => Line::West(column),
        Boundary::Row { row, towards: Side::North } => Line::North(row),
        Boundary::Row { row, .. } => Line::South(row),
        Boundary::Region { .. } | Boundary::Area { .. } => panic!("not a line"),
    }
}

/// Nets and wires of every line of a placement, as the router counts them.
fn routed(checked: &Checked, placed: &Placed, device: &Device) -> Vec<(Line, usize, u32)> {
    let requests: Vec<Request> = nets(checked, placed, device).iter().map(Request::from).collect();
    let all = lines(&requests, device);
    all.iter().map(|cut| (line(&cut.boundary), cut.nets.len(), cut.capacity)).collect()
}

/// The same before placement.
fn stated(builder: &Builder, device: &Device) -> Vec<(Line, usize, u32)> {
    let design = builder.expanded().expect("names are right");
    line_loads(&design, device).into_iter().map(|load| (load.line, load.nets.len(), load.wires)).collect()
}

/// Kernels `k` with an input and an output, joined by `edges`, of which several may leave one
/// kernel; inputs for those without a sender and outputs for those without a reader.
fn graph(edges: &[usize]) -> Builder {
    let mut builder = Builder::new("graph", "toy");
    let kernels = edges.len() as u32 + 1;
    builder.plio_input("i", 64).gmio_output("o");
    builder.kernels("k", &[kernels], &[input("x", int32(16)), output("y", int32(16))]);
    builder.connect("i", "k[0].x");
    for (at, from) in edges.iter().enumerate() {
        builder.connect(&format!("k[{}].y", from % (at + 1)), &format!("k[{}].x", at + 1));
    }
    let sends = |kernel: u32| edges.iter().enumerate().any(|(at, from)| from % (at + 1) == kernel as usize);
    let last: Vec<u32> = (0..kernels).filter(|&kernel| !sends(kernel)).collect();
    builder.plio("e", &[last.len() as u32], Direction::In, 32);
    for (at, kernel) in last.into_iter().enumerate() {
        builder.connect(&format!("k[{kernel}].y"), &format!("e[{at}]"));
    }
    builder.connect("k[0].y", "o");
    builder
}

/// Fixes all that the placement has: kernels, and with `all` buffers, inputs and outputs.
fn fixed(mut builder: Builder, checked: &Checked, placed: &Placed, all: bool) -> Builder {
    for (kernel, tile) in placed.kernels.enumerate() {
        builder.place(&checked.kernels[kernel].name, tile.column.into(), tile.row.into());
    }
    if !all {
        return builder;
    }
    for (external, spot) in placed.shims.enumerate() {
        builder.shim(&checked.externals[external].name, spot.column.into(), Some(spot.channel));
    }
    let ports: Vec<PortId> = checked.ports.ids().collect();
    for port in ports {
        let PortBuffers::Own(spots) = &placed.buffers[port] else { continue };
        let spot = |spot: &aiec_placer::Spot| BlockSpot {
            module: Some((spot.tile.column.into(), spot.tile.row.into())),
            within: Within::Offset(spot.offset),
        };
        let spots: Vec<BlockSpot> = spots.iter().map(spot).collect();
        builder.place_block(Block::Buffers(checked.port_name(port)), &spots);
    }
    builder
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Before placement no line has more nets than after it. With all ends fixed the checks count
    /// what the router counts.
    #[test]
    fn the_checks_count_what_the_router_counts(
        edges in prop::collection::vec(0_usize..8, 1..9),
        seed in 0_u64..4,
    ) {
        let (device, builder) = (device(), graph(&edges));
        let outcome = check(builder.expanded().expect("names are right"), &device);
        let checked = outcome.into_parts().0;
        let checked = checked.expect("a sound design");
        let options = PlaceOptions { effort: 1, seed, ..PlaceOptions::default() };
        let placed = value(verify(&checked, &device, value(place(&checked, &device, &options))));
        let after = routed(&checked, &placed, &device);
        for (before, after) in stated(&fixed(builder.clone(), &checked, &placed, false), &device).iter().zip(&after) {
            prop_assert_eq!((before.0, before.2), (after.0, after.2));
            prop_assert!(before.1 <= after.1, "{:?} before, {:?} after", before, after);
        }
        let all = fixed(builder, &checked, &placed, true);
        prop_assert_eq!(stated(&all, &device), after);
        let outcome = check(all.expanded().expect("names are right"), &device);
        prop_assert!(outcome.diagnostics().iter().all(|d| !d.is_error()), "{:?}", outcome.diagnostics());
    }
}
