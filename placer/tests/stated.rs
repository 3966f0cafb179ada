//! Places that a design states in every form of the vendor's `location`: what is stated is kept,
//! what is free is placed.

#![allow(clippy::panic, reason = "a test fails by panicking")]

use aiec_check::{Checked, check, columns_for};
use aiec_device::{Device, Tile};
use aiec_diag::catalogue;
use aiec_ir::blocks::{Block, BlockSpot, Within};
use aiec_ir::constraints::Axis;
use aiec_ir::design::Endpoint;
use aiec_ir::fifos::FifoKind;
use aiec_ir::{Carries, Direction, ExternalId, KernelId, PortId};
use aiec_placer::{PlaceOptions, Placement, PortBuffers, Spot, place, verify};
use aiec_test_support::{Builder, input, int32, output, stream};
use proptest::prelude::*;

fn toy() -> Device {
    aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

fn checked(builder: &Builder, device: &Device) -> Checked {
    let outcome = check(builder.expanded().expect("names are right"), device);
    assert!(outcome.diagnostics().is_empty(), "{:?}", outcome.diagnostics());
    outcome.into_parts().0.expect("checked")
}

/// A placement of the design that the checker accepts.
fn placed(checked: &Checked, device: &Device) -> Placement {
    let found = place(checked, device, &PlaceOptions { effort: 1, ..PlaceOptions::default() });
    let placement = found.value().cloned().unwrap_or_else(|| panic!("{:?}", found.diagnostics()));
    let verified = verify(checked, device, placement.clone());
    assert!(verified.diagnostics().is_empty(), "{:?}", verified.diagnostics());
    placement
}

fn port(checked: &Checked, name: &str) -> PortId {
    checked.ports.ids().find(|&id| checked.port_name(id) == name).expect("a port of this name")
}

/// Chains of two kernels each: `i[n] -> a[n] -> b[n] -> o[n]`.
fn chains(count: u32, bits: u32) -> Builder {
    let mut builder = Builder::new("chains", "toy");
    builder.plio("i", &[count], Direction::Out, bits).plio("o", &[count], Direction::In, bits);
    let ports = [input("x", int32(64)), output("y", int32(64))];
    builder.kernels("a", &[count], &ports).kernels("b", &[count], &ports);
    for n in 0..count {
        builder.connect(&format!("i[{n}]"), &format!("a[{n}].x"));
        builder.connect(&format!("a[{n}].y"), &format!("b[{n}].x"));
        builder.connect(&format!("b[{n}].y"), &format!("o[{n}]"));
    }
    builder
}

const fn at(module: (i64, i64), offset: u32) -> BlockSpot {
    BlockSpot { module: Some(module), within: Within::Offset(offset) }
}

#[test]
fn buffers_and_stacks_lie_at_their_offsets_and_others_go_around_them() {
    let device = toy();
    let mut builder = chains(1, 64);
    builder.place("a[0]", 2, 1).place("b[0]", 2, 2);
    builder.place_block(Block::Buffers("a[0].x".into()), &[at((2, 1), 4096), at((2, 1), 12288)]);
    builder.place_block(Block::Stack("a[0]".into()), &[at((2, 1), 0)]);
    let open = BlockSpot { module: None, within: Within::Offset(8192) };
    builder.place_block(Block::Buffers("b[0].y".into()), &[open]);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let spot = |offset| Spot { tile: Tile::new(2, 1), offset };
    let own = |name: &str| match &placement.buffers[port(&checked, name)] {
        PortBuffers::Own(spots) => spots.clone(),
        other => panic!("{name} has {other:?}"),
    };
    assert_eq!(own("a[0].x"), [spot(4096), spot(12288)]);
    assert_eq!(placement.stacks[KernelId(0)], spot(0));
    assert_eq!(own("b[0].y")[0].offset, 8192, "in any module");
}

#[test]
fn shared_ping_and_pong_may_lie_in_two_modules() {
    let device = toy();
    let mut builder = chains(1, 64);
    builder.place("a[0]", 2, 1).place("b[0]", 2, 2);
    let bank = |module, bank| BlockSpot { module: Some(module), within: Within::Bank(bank) };
    let spots = [bank((2, 1), 3), bank((2, 2), 0)];
    builder.place_block(Block::Buffers("a[0].y".into()), &spots);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    assert_eq!(placement.buffers[port(&checked, "a[0].y")], PortBuffers::Shared);
    let PortBuffers::Own(spots) = &placement.buffers[port(&checked, "b[0].x")] else { panic!("its own") };
    assert_eq!([spots[0].tile, spots[1].tile], [Tile::new(2, 1), Tile::new(2, 2)]);
    assert_eq!([spots[0].offset / 8192, spots[1].offset / 8192], [3, 0]);
}

#[test]
fn a_stated_column_attracts_the_kernels_and_free_ports_leave_its_channels() {
    let device = toy();
    let mut builder = chains(4, 64);
    builder.shim("i[3]", 4, Some(0)).shim("o[0]", 1, None).shim("i[0]", 4, None);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let spot = |name: &str| {
        let id: ExternalId =
            checked.externals.ids().find(|&e| checked.externals[e].name == name).expect("there");
        (placement.shims[id].column, placement.shims[id].channel)
    };
    assert_eq!(spot("i[3]"), (4, 0));
    assert_eq!((spot("o[0]").0, spot("i[0]").0), (1, 4));
    assert_ne!(spot("i[0]").1, 0);
}

#[test]
fn inputs_and_outputs_follow_a_kernel() {
    let device = toy();
    let mut builder = chains(4, 64);
    builder.shim_tie("i[3]", "a[3]", 1).shim_tie("o[0]", "a[3]", -1).regions(&["a[3]"], &[((2, 0), (4, 3))]);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let column = |name: &str| {
        let id = checked.externals.ids().find(|&e| checked.externals[e].name == name).expect("there");
        placement.shims[id].column
    };
    let kernel = checked.kernels.ids().find(|&k| checked.kernels[k].name == "a[3]").expect("there");
    let own = placement.kernels[kernel].column;
    assert_eq!((column("i[3]"), column("o[0]")), (own + 1, own - 1));
}

#[test]
fn inputs_and_outputs_follow_each_other() {
    let device = toy();
    let mut builder = chains(4, 64);
    builder.shim_tie("o[2]", "i[0]", 2).shim_tie("i[1]", "o[2]", -1).shim_tie("o[0]", "i[3]", 0);
    builder.shim_tie("o[3]", "i[2]", 1).shim_tie("i[2]", "a[2]", 0);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let id =
        |name: &str| checked.externals.ids().find(|&e| checked.externals[e].name == name).expect("there");
    let column = |name: &str| placement.shims[id(name)].column;
    assert_eq!((column("o[2]"), column("i[1]")), (column("i[0]") + 2, column("i[0]") + 1));
    assert_eq!((column("o[0]"), column("o[3]")), (column("i[3]"), column("i[2]") + 1));
    let mut moved = placement.clone();
    let other = &mut moved.shims[id("i[1]")].column;
    *other = if *other == 2 { 3 } else { 2 };
    let said = verify(&checked, &device, moved);
    assert!(
        said.diagnostics().iter().any(|one| one.code.slug == catalogue::CONSTRAINT_BROKEN.slug),
        "{said:?}"
    );
}

#[test]
fn an_input_lies_in_one_of_the_stated_columns() {
    let device = toy();
    let mut builder = chains(4, 64);
    builder.place("a[0]", 0, 0).shim_range("i[0]", 3, 4).shim_range("o[1]", 2, 2);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let id =
        |name: &str| checked.externals.ids().find(|&e| checked.externals[e].name == name).expect("there");
    assert_eq!(placement.shims[id("i[0]")].column, 3, "the nearest of them");
    assert_eq!(placement.shims[id("o[1]")].column, 2);
    let mut moved = placement.clone();
    moved.shims[id("i[0]")].column = 2;
    let said = verify(&checked, &device, moved);
    let text = format!("{:?}", said.diagnostics());
    assert!(text.contains("the design says columns 3 to 4"), "{text}");
}

/// Each of 40 inputs has four readers, eight columns apart, at stated tiles. In the middle of their
/// readers the inputs would send 40 nets across lines of 36 wires, both to the east and to the
/// west.
#[test]
fn broadcasts_leave_the_middle_where_their_nets_would_fill_lines() {
    let device = aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("there");
    let mut builder = Builder::new("wide", "xcvc1902");
    builder.plio("i", &[40], Direction::Out, 32).kernels("k", &[160], &[input("x", int32(4))]);
    for number in 0..160u32 {
        let (from, group) = (number % 40, number / 40);
        builder.connect(&format!("i[{from}]"), &format!("k[{number}].x"));
        let column = 8 + 8 * group + from % 8;
        builder.place(&format!("k[{number}]"), column.into(), (from / 8).into());
    }
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let readers = |number: u32| {
        let columns = (0..4).map(|group| 8 + 8 * group + number % 8);
        (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0))
    };
    let at = |number: u32| {
        let name = format!("i[{number}]");
        let id = checked.externals.ids().find(|&e| checked.externals[e].name == name).expect("there");
        u32::from(placement.shims[id].column)
    };
    for line in 0..49 {
        let goes_east = (0..40).filter(|&n| at(n) <= line && line < readers(n).1).count();
        let goes_west = (0..40).filter(|&n| readers(n).0 <= line && line < at(n)).count();
        assert!(goes_east <= 36 && goes_west <= 36, "line {line}: {goes_east} east, {goes_west} west");
    }
}

/// 160 outputs of kernels at stated tiles, four to a column, of which the first 16 are wide. The
/// interface row has 156 wires from above and eight from its sides.
#[test]
fn outputs_that_need_all_wires_leave_none_unused() {
    let device = aiec_device::builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("there");
    let mut builder = Builder::new("full", "xcvc1902");
    builder.plio("w", &[16], Direction::In, 128).plio("o", &[144], Direction::In, 64);
    builder.plio("i", &[16], Direction::Out, 64);
    builder.kernels("k", &[160], &[input("x", int32(4)), output("y", int32(4))]);
    for number in 0..160 {
        builder.connect(&format!("i[{}]", number % 16), &format!("k[{number}].x"));
        let output = if number < 16 { format!("w[{number}]") } else { format!("o[{}]", number - 16) };
        builder.connect(&format!("k[{number}].y"), &output);
        builder.place(&format!("k[{number}]"), (6 + number / 4).into(), (2 * (number % 4)).into());
    }
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let outputs = checked.externals.enumerate().filter(|(_, one)| one.direction == Direction::In);
    let columns: Vec<u16> = outputs.map(|(id, _)| placement.shims[id].column).collect();
    for first in 6..=44 {
        for last in first..=44 {
            let nets = columns.iter().filter(|column| (first..=last).contains(*column)).count();
            let wires = 4 * usize::from(last - first + 1) + 8;
            assert!(nets <= wires, "columns {first} to {last}: {nets} nets for {wires} wires");
        }
    }
}

#[test]
fn columns_and_rows_alone_and_different_cores_are_kept() {
    let device = toy();
    let mut builder = chains(4, 64);
    builder.runtime("a", 100).runtime("b", 100).distinct(&["a"]);
    builder.align("a[1]", "a[0]", Axis::Column, 2).align("a[2]", "a[0]", Axis::Row, 3);
    builder.regions(&["b"], &[((0, 0), (0, 3)), ((5, 0), (5, 3))]);
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let tile = |name: &str| {
        let id = checked.kernels.ids().find(|&k| checked.kernels[k].name == name).expect("there");
        placement.kernels[id]
    };
    assert_eq!(tile("a[1]").column, tile("a[0]").column + 2);
    assert_eq!(tile("a[2]").row, tile("a[0]").row + 3);
    assert!((0..4).all(|n| [0, 5].contains(&tile(&format!("b[{n}]")).column)));
}

#[test]
fn blocks_go_around_a_fifo_in_memory_which_takes_channels_and_descriptors() {
    let mut device = toy();
    let mut builder = Builder::new("fifo", "toy");
    builder.plio_input("i", 64).plio_output("o", 64);
    let window = Carries::window_of(int32(64));
    builder.carrying("a", &[], &[(Direction::In, "x", window), (Direction::Out, "y", stream(Some(64)))]);
    builder.carrying("b", &[], &[(Direction::In, "x", stream(Some(64))), (Direction::Out, "y", window)]);
    builder.connect("i", "a.x").connect("a.y", "b.x").fifo(64).connect("b.y", "o");
    builder.place("a", 2, 1).place("b", 2, 2).place_buffers("a.x", 2, 1, &[0, 1]);
    builder.fifo_of("a.y", 2, Some(1), FifoKind::Dma { offset: 0, words: 64 });
    let checked = checked(&builder, &device);
    let placement = placed(&checked, &device);
    let PortBuffers::Own(spots) = &placement.buffers[port(&checked, "a.x")] else { panic!("its own") };
    assert!(spots[0].offset >= 256 && spots[0].offset < 8192, "behind the FIFO in bank 0: {spots:?}");
    let slugs = |placement: Placement, device: &Device| -> Vec<&str> {
        verify(&checked, device, placement).diagnostics().iter().map(|d| d.code.slug).collect()
    };
    let mut onto = placement.clone();
    onto.buffers[port(&checked, "a.x")] = PortBuffers::Own(vec![Spot { offset: 0, ..spots[0] }, spots[1]]);
    assert_eq!(slugs(onto, &device), ["place/buffer-overlap"]);
    device.tile.s2mm = 1;
    assert_eq!(slugs(placement, &device), ["place/module-channels"], "the window and the FIFO");
}

/// The data pass the FIFO on the way, so its place is the end of two wires.
#[test]
fn kernels_lie_on_a_shortest_way_over_the_stated_place_of_a_fifo() {
    let device = toy();
    let mut builder = Builder::new("fifo", "toy");
    builder.plio_input("i", 64).plio_output("o", 64);
    let window = Carries::window_of(int32(64));
    builder.carrying("a", &[], &[(Direction::In, "x", window), (Direction::Out, "y", stream(Some(64)))]);
    builder.carrying("b", &[], &[(Direction::In, "x", stream(Some(64))), (Direction::Out, "y", window)]);
    builder.connect("i", "a.x").connect("a.y", "b.x").fifo(64).connect("b.y", "o");
    for (column, row) in [(0, 3), (5, 3), (0, 0), (5, 0)] {
        let mut builder = builder.clone();
        builder.fifo_of("a.y", column.into(), Some(row.into()), FifoKind::Dma { offset: 0, words: 64 });
        let checked = checked(&builder, &device);
        let placement = placed(&checked, &device);
        let way = |external: ExternalId, kernel: KernelId| {
            let (shim, tile) = (placement.shims[external].column, placement.kernels[kernel]);
            u32::from(tile.column.abs_diff(shim) + tile.row + 1) + tile.distance(Tile::new(column, row))
        };
        let least = |external: ExternalId| {
            let columns = columns_for(&checked, &device, external);
            columns
                .iter()
                .map(|at| u32::from(at.abs_diff(column) + row + 1))
                .min()
                .expect("columns with ports")
        };
        let [i, o] = [ExternalId(0), ExternalId(1)];
        let (found, least) = (way(i, KernelId(0)) + way(o, KernelId(1)), least(i) + least(o));
        assert!(found <= least, "({column}, {row}): {found}, {least}");
    }
}

#[test]
fn the_checker_finds_each_broken_statement() {
    let device = toy();
    let plain = checked(&chains(2, 64), &device);
    let placement = placed(&plain, &device);
    let (a, b) = (placement.kernels[KernelId(0)], placement.kernels[KernelId(1)]);
    let column = i64::from(placement.shims[ExternalId(0)].column);
    let broken = |change: &dyn Fn(&mut Builder)| {
        let mut builder = chains(2, 64);
        change(&mut builder);
        let checked = checked(&builder, &device);
        let verified = verify(&checked, &device, placement.clone());
        let slugs: Vec<&str> = verified.diagnostics().iter().map(|d| d.code.slug).collect();
        slugs == [catalogue::CONSTRAINT_BROKEN.slug]
    };
    let east = i64::from(b.column) - i64::from(a.column);
    let north = i64::from(b.row) - i64::from(a.row);
    assert!(broken(&|d| _ = d.align("a[1]", "a[0]", Axis::Column, if east == 0 { 1 } else { 0 })));
    assert!(broken(&|d| _ = d.align("a[1]", "a[0]", Axis::Row, if north == 0 { 1 } else { 0 })));
    assert!(broken(&|d| _ = d.shim("i[0]", if column == 1 { 2 } else { 1 }, None)));
    let from_a = column - i64::from(a.column);
    assert!(!broken(&|d| _ = d.shim_tie("i[0]", "a[0]", from_a)));
    assert!(broken(&|d| _ = d.shim_tie("i[0]", "a[0]", if from_a == 0 { 1 } else { 0 })));
    let away = column - i64::from(placement.shims[ExternalId(1)].column);
    let other = &plain.externals[ExternalId(1)].name;
    assert!(!broken(&|d| _ = d.shim_tie("i[0]", other, away)));
    assert!(broken(&|d| _ = d.shim_tie("i[0]", other, if away == 0 { 1 } else { 0 })));
    let channel = placement.shims[ExternalId(0)].channel;
    assert!(broken(&|d| _ = d.shim("i[0]", column, Some((channel + 1) % 8))));
    let PortBuffers::Own(spots) = &placement.buffers[port(&plain, "a[0].x")] else { panic!("its own") };
    let away = spots[0].offset ^ 16384;
    let moved = BlockSpot { module: None, within: Within::Offset(away) };
    assert!(broken(&|d| _ = d.place_block(Block::Buffers("a[0].x".into()), &[moved])));
    assert!(!broken(&|d| _ = d.distinct(&["a"])), "they are on two cores");
}

/// Statements that hold in `placement`, by random numbers.
fn hidden(builder: &mut Builder, checked: &Checked, placement: &Placement, picks: &[(u8, usize, usize)]) {
    let kernels: Vec<KernelId> = checked.kernels.ids().collect();
    for &(kind, first, second) in picks {
        let (a, b) = (kernels[first % kernels.len()], kernels[second % kernels.len()]);
        let (from, to) = (placement.kernels[a], placement.kernels[b]);
        let (name, other) = (&checked.kernels[a].name, &checked.kernels[b].name);
        let external = ExternalId((first % checked.externals.len()) as u32);
        let shim = placement.shims[external];
        let outside = &checked.externals[external].name;
        let step = |a: u16, b: u16| i64::from(b) - i64::from(a);
        match kind {
            0 if a != b => _ = builder.align(other, name, Axis::Column, step(from.column, to.column)),
            1 if a != b => _ = builder.align(other, name, Axis::Row, step(from.row, to.row)),
            2 if from != to => _ = builder.distinct(&[name, other]),
            3 => _ = builder.shim(outside, shim.column.into(), None),
            4 => _ = builder.shim(outside, shim.column.into(), Some(shim.channel)),
            5 => {
                let spot = placement.stacks[a];
                let module = (second % 2 == 0).then_some((spot.tile.column.into(), spot.tile.row.into()));
                let spot = BlockSpot { module, within: Within::Offset(spot.offset) };
                builder.place_block(Block::Stack(name.clone()), &[spot]);
            }
            6 => {
                let x = port(checked, &format!("{name}.x"));
                let PortBuffers::Own(spots) = &placement.buffers[x] else { continue };
                let spot = |spot: &Spot| at((spot.tile.column.into(), spot.tile.row.into()), spot.offset);
                let spots: Vec<BlockSpot> = spots.iter().map(spot).collect();
                builder.place_block(Block::Buffers(format!("{name}.x")), &spots);
            }
            7 => {
                let own = (i64::from(from.column), i64::from(from.row));
                builder.regions(&[name], &[(own, own), ((0, 0), (1, 1))]);
            }
            _ => {}
        }
    }
}

#[test]
#[ignore = "long: places many designs"]
fn a_hidden_placement_is_never_refused() {
    hidden_placements_are_not_refused(8);
}

#[test]
#[ignore = "long: places many designs twice"]
fn none_of_many_hidden_placements_is_refused() {
    hidden_placements_are_not_refused(32);
}

/// Statements taken from a legal placement are never refused by the checks, and a placement that is
/// found under them keeps them.
fn hidden_placements_are_not_refused(cases: u32) {
    let picks = || prop::collection::vec((0_u8..8, 0_usize..16, 0_usize..16), 1..10);
    proptest!(ProptestConfig::with_cases(cases), |(seed in 0_u64..8, picks in picks())| {
        let device = toy();
        let mut builder = chains(4, 64);
        builder.externals("g", &[], Direction::Out, Endpoint::GMIO);
        builder.kernels("c", &[], &[input("x", int32(64))]).connect("g", "c.x");
        let plain = checked(&builder, &device);
        let options = PlaceOptions { effort: 1, seed, ..PlaceOptions::default() };
        let placement = place(&plain, &device, &options).into_parts().0.expect("room for all");
        hidden(&mut builder, &plain, &placement, &picks);
        let outcome = check(builder.expanded().expect("names are right"), &device);
        prop_assert!(outcome.diagnostics().is_empty(), "{:?}", outcome.diagnostics());
        let checked = outcome.into_parts().0.expect("checked");
        let again = verify(&checked, &device, placement);
        prop_assert!(again.diagnostics().is_empty(), "{:?}", again.diagnostics());
        let found = place(&checked, &device, &options);
        match found.value() {
            Some(found) => {
                let verified = verify(&checked, &device, found.clone());
                prop_assert!(verified.diagnostics().is_empty(), "{:?}", verified.diagnostics());
            }
            None => prop_assert!(
                found.diagnostics().iter().all(|d| d.code.slug == catalogue::GAVE_UP.slug),
                "{:?}", found.diagnostics()
            ),
        }
    });
}
