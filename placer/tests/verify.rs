//! Tests every rule of the checker by breaking a legal placement in one place.
#![allow(clippy::panic, reason = "a test that panics fails")]

use crate::support::*;
use aiec_check::Checked;
use aiec_collectives::{Operation, Shape};
use aiec_device::Tile;
use aiec_ir::{Direction, IdVec, KernelId, PortId};
use aiec_placer::{Placement, PortBuffers, ShimSpot, Spot, module_use, verify};
use aiec_test_support::{Builder, Reduce, input, int32, output};

/// Three kernels in a row on the toy device, between a PLIO of 128 bits and a GMIO, with a legal
/// placement.
fn chain() -> (Checked, Placement) {
    let w = int32(1024);
    let mut builder = Builder::new("chain", "toy");
    builder
        .kernels("stage", &[3], &[input("x", w), output("y", w)])
        .plio_input("samples", 128)
        .plio_input("more", 64)
        .gmio_output("result")
        .kernels("other", &[], &[input("x", w), output("y", w)])
        .gmio_output("rest")
        .connect("samples", "stage[0].x")
        .connect("stage[0].y", "stage[1].x")
        .connect("stage[1].y", "stage[2].x")
        .connect("stage[2].y", "result")
        .connect("more", "other.x")
        .connect("other.y", "rest");
    let design = checked(&builder, &toy());
    let placement = placement(&design, &toy());
    (design, placement)
}

/// Slugs of what `change` breaks.
fn broken(change: impl FnOnce(&Checked, &mut Placement)) -> Vec<&'static str> {
    let (design, mut placement) = chain();
    change(&design, &mut placement);
    slugs(&verify(&design, &toy(), placement))
}

fn assert_broken(slug: &str, change: impl FnOnce(&Checked, &mut Placement)) {
    let found = broken(change);
    assert!(found.contains(&slug), "{slug} is not among {found:?}");
}

fn port(design: &Checked, name: &str) -> PortId {
    design.ports.ids().find(|&id| design.port_name(id) == name).expect("a port of the design")
}

fn spots<'p>(placement: &'p mut Placement, design: &Checked, name: &str) -> &'p mut Vec<Spot> {
    match &mut placement.buffers[port(design, name)] {
        PortBuffers::Own(spots) => spots,
        other => panic!("{name} has {other:?}"),
    }
}

#[test]
fn the_unbroken_placement_is_legal() {
    assert_eq!(broken(|_, _| ()), Vec::<&str>::new());
}

#[test]
fn swapped_kernels_no_longer_reach_their_buffers() {
    let device = vc1902();
    let design = checked(&tree(30, 2, int32(4)), &device);
    let legal = placement(&design, &device);
    let (first, last) = (KernelId(0), KernelId(29));
    let mut swapped = legal.clone();
    (swapped.kernels[first], swapped.kernels[last]) = (legal.kernels[last], legal.kernels[first]);
    assert!(slugs(&verify(&design, &device, swapped)).contains(&"place/unreachable-buffer"));
}

/// AM009, memory chapter: west on even rows, east on odd ones. The kernels of a tree share in every
/// direction.
#[test]
fn a_placement_moved_up_by_one_row_breaks_parity() {
    let device = vc1902();
    let mut low = tree(31, 2, int32(4));
    low.region(&["worker"], (10, 0), (20, 6)).keepout((0, 7), (49, 7));
    let legal = placement(&checked(&low, &device), &device);
    // The top row is open again, so only the shared buffers can be wrong.
    let design = checked(&tree(31, 2, int32(4)), &device);
    assert!(verify(&design, &device, legal.clone()).value().is_some());
    let moved = |rows: u16| {
        let mut placement = legal.clone();
        let up = |tile: Tile| Tile::new(tile.column, tile.row + rows);
        placement.kernels = legal.kernels.iter().map(|&tile| up(tile)).collect();
        placement.stacks = legal.stacks.iter().map(|s| Spot { tile: up(s.tile), ..*s }).collect();
        placement.buffers = legal
            .buffers
            .iter()
            .map(|buffers| match buffers {
                PortBuffers::Own(spots) => {
                    PortBuffers::Own(spots.iter().map(|s| Spot { tile: up(s.tile), ..*s }).collect())
                }
                other => other.clone(),
            })
            .collect();
        slugs(&verify(&design, &device, placement))
    };
    assert!(moved(1).contains(&"place/unreachable-buffer"), "{:?}", moved(1));
}

#[test]
fn a_buffer_moved_to_a_module_that_is_full() {
    // 28 KiB of stack and heap and a buffer exceed a module. The offset is legal.
    assert_broken("place/buffer-outside", |d, p| {
        let spots = spots(p, d, "stage[0].x");
        (spots[0].offset, spots[1].offset) = (32_768 - 4064, 0);
    });
}

#[test]
fn two_kernels_on_a_tile() {
    assert_broken("place/tile-shared", |_, p| p.kernels[KernelId(0)] = p.kernels[KernelId(1)]);
}

#[test]
fn a_kernel_outside_the_array() {
    assert_broken("place/outside", |_, p| p.kernels[KernelId(0)] = Tile::new(6, 0));
}

#[test]
fn a_kernel_that_is_not_where_the_design_says() {
    let w = int32(4);
    let mut builder = Builder::new("pinned", "toy");
    builder
        .kernels("k", &[], &[input("x", w), output("y", w)])
        .plio_input("a", 64)
        .plio_output("b", 64)
        .connect("a", "k.x")
        .connect("k.y", "b")
        .place("k", 3, 1);
    let design = checked(&builder, &toy());
    let mut placement = placement(&design, &toy());
    assert_eq!(placement.kernels[KernelId(0)], Tile::new(3, 1));
    placement.kernels[KernelId(0)] = Tile::new(3, 2);
    assert!(slugs(&verify(&design, &toy(), placement)).contains(&"place/constraint-broken"));
}

#[test]
fn a_buffer_out_of_its_core_s_reach() {
    assert_broken("place/unreachable-buffer", |d, p| {
        let far = Tile::new(if p.kernels[KernelId(0)].column < 3 { 5 } else { 0 }, 3);
        for spot in spots(p, d, "stage[0].x") {
            spot.tile = far;
        }
    });
}

#[test]
fn a_shared_buffer_that_only_the_consumer_reaches() {
    // The consumer reaches a module that the producer does not reach.
    let (design, legal) = chain();
    let grid = aiec_device::Grid::new(&toy());
    let at = |k: u32| grid.id(legal.kernels[KernelId(k)]).expect("on the array");
    let beyond = grid.reach(at(1)).iter().find(|&&m| !grid.reaches(at(0), m)).expect("two cores differ");
    let mut placement = legal.clone();
    spots(&mut placement, &design, "stage[1].x")[0].tile = grid.tile(*beyond);
    assert!(slugs(&verify(&design, &toy(), placement)).contains(&"place/unreachable-buffer"));
}

#[test]
fn overlapping_buffers() {
    assert_broken("place/buffer-overlap", |d, p| {
        let spots = spots(p, d, "stage[0].x");
        spots[1].offset = spots[0].offset + 4064;
    });
}

#[test]
fn a_buffer_on_a_stack() {
    assert_broken("place/buffer-overlap", |d, p| {
        p.stacks[KernelId(0)] = spots(p, d, "stage[0].x")[0];
    });
}

#[test]
fn a_misaligned_buffer() {
    assert_broken("place/buffer-misaligned", |d, p| spots(p, d, "other.x")[0].offset += 16);
}

#[test]
fn a_stack_beyond_its_module() {
    assert_broken("place/buffer-outside", |_, p| p.stacks[KernelId(2)].offset = 32_768 - 2048);
}

#[test]
fn a_missing_half_and_a_third_one() {
    assert_broken("place/buffer-count", |d, p| spots(p, d, "stage[2].x").truncate(1));
    assert_broken("place/buffer-count", |d, p| {
        let spots = spots(p, d, "stage[2].x");
        spots.push(spots[0]);
    });
}

#[test]
fn a_wrong_number_of_buffers_names_the_connection_that_states_it() {
    let (design, mut placement) = chain();
    spots(&mut placement, &design, "stage[2].x").truncate(1);
    let outcome = verify(&design, &toy(), placement);
    let found = outcome.diagnostics().iter().find(|one| one.code.slug == "place/buffer-count");
    let found = found.expect("a fault");
    let help = "write `buffer single` behind each connection of the port, or list 2 places for `stage[2].x`";
    assert!(found.help.starts_with(help), "{}", found.help);
    assert_eq!(found.labels.len(), 2, "the port and its connection");
}

/// AM009: packets go over the stream switches into the core of their receiver.
#[test]
fn a_stream_of_packets_has_no_buffers_and_its_senders_share_none() {
    let device = toy();
    let mut builder = Builder::new("merge", "toy");
    let done = Reduce::over("done", &["w"], int32(4)).operation(Operation::Barrier, Shape::Merge);
    builder.kernels("w", &[3], &[]).reduce(done);
    let design = checked(&builder, &device);
    let legal = placement(&design, &device);
    let (packets, sender) = (port(&design, "w[0].done_in0"), port(&design, "w[1].done_out0"));
    assert_eq!(legal.buffers[packets], PortBuffers::None);
    for (port, buffers) in [
        (packets, legal.buffers[sender].clone()),
        (packets, PortBuffers::Shared),
        (sender, PortBuffers::Shared),
        (sender, PortBuffers::None),
    ] {
        let mut broken = legal.clone();
        broken.buffers[port] = buffers;
        assert!(slugs(&verify(&design, &device, broken)).contains(&"place/buffer-count"));
    }
    assert!(slugs(&verify(&design, &device, legal)).is_empty());
}

#[test]
fn an_input_port_and_an_output_to_the_shim_cannot_share() {
    for name in ["stage[0].x", "stage[2].y"] {
        assert_broken("place/buffer-count", |d, p| p.buffers[port(d, name)] = PortBuffers::Shared);
    }
}

#[test]
fn an_input_is_told_that_it_always_has_buffers_of_its_own() {
    let (design, mut placement) = chain();
    placement.buffers[port(&design, "stage[1].x")] = PortBuffers::Shared;
    let outcome = verify(&design, &toy(), placement);
    let message = "`stage[1].x` is marked as shared, but an input always has its own";
    assert!(
        outcome.diagnostics().iter().any(|d| d.message.starts_with(message)),
        "{:?}",
        outcome.diagnostics()
    );
}

#[test]
fn halves_of_a_dma_buffer_in_two_modules() {
    assert_broken("place/dma-split", |d, p| {
        let grid = aiec_device::Grid::new(&toy());
        let core = grid.id(p.kernels[KernelId(0)]).expect("on the array");
        let spots = spots(p, d, "stage[0].x");
        let other = grid.reach(core).iter().map(|&m| grid.tile(m)).find(|&t| t != spots[0].tile);
        spots[1].tile = other.expect("a core reaches several modules");
    });
}

#[test]
fn a_plio_of_128_bits_on_an_odd_channel() {
    assert_broken("place/shim-channel", |_, p| p.shims[aiec_ir::ExternalId(0)].channel = 1);
}

#[test]
fn a_plio_outside_the_pl_columns_and_a_gmio_outside_the_noc_columns() {
    assert_broken("place/shim-channel", |_, p| p.shims[aiec_ir::ExternalId(0)].column = 0);
    assert_broken("place/shim-channel", |_, p| p.shims[aiec_ir::ExternalId(2)].column = 2);
    assert_broken("place/shim-channel", |_, p| p.shims[aiec_ir::ExternalId(2)].channel = 2);
}

#[test]
fn a_plio_on_the_second_channel_of_a_wide_one() {
    assert_broken("place/shim-conflict", |_, p| {
        let wide = p.shims[aiec_ir::ExternalId(0)];
        p.shims[aiec_ir::ExternalId(1)] = ShimSpot { channel: wide.channel + 1, ..wide };
    });
}

#[test]
fn a_gmio_takes_the_plio_channel_of_its_south_port() {
    let w = int32(4);
    let mut builder = Builder::new("mixed", "toy");
    builder
        .kernels("k", &[2], &[input("x", w), output("y", w)])
        .plio("samples", &[2], Direction::Out, 64)
        .plio_output("p", 64)
        .gmio_output("g")
        .connect("samples[0]", "k[0].x")
        .connect("samples[1]", "k[1].x")
        .connect("k[0].y", "p")
        .connect("k[1].y", "g");
    let design = checked(&builder, &toy());
    let mut placement = placement(&design, &toy());
    // Shim DMA channel 0 leaves through South output 2.
    placement.shims[aiec_ir::ExternalId(2)] = ShimSpot { column: 4, channel: 2 };
    placement.shims[aiec_ir::ExternalId(3)] = ShimSpot { column: 4, channel: 0 };
    assert_eq!(slugs(&verify(&design, &toy(), placement)), ["place/shim-conflict"]);
}

#[test]
fn a_module_has_two_channels_in_each_direction_and_sixteen_locks() {
    // A kernel with four inputs from PLIO and outputs to PLIO: all buffers in one module.
    let w = int32(4);
    let names = ["a", "b", "c", "d", "e"];
    let mut builder = Builder::new("wide", "toy");
    let ports: Vec<_> = names.iter().map(|name| input(name, w)).collect();
    let outs = ["p", "q", "r", "s"];
    let ports: Vec<_> = ports.into_iter().chain(outs.iter().map(|name| output(name, w))).collect();
    builder.kernels("k", &[], &ports);
    for name in names {
        builder.plio_input(&format!("in_{name}"), 64).connect(&format!("in_{name}"), &format!("k.{name}"));
    }
    for name in outs {
        builder.plio_output(&format!("out_{name}"), 64).connect(&format!("k.{name}"), &format!("out_{name}"));
    }
    let design = checked(&builder, &toy());
    let mut placement = placement(&design, &toy());
    let tile = placement.kernels[KernelId(0)];
    let mut offset = 0;
    for buffers in design.ports.ids().filter(|&p| design.kernel_of(p).is_some()) {
        let spot = |n: u32| Spot { tile, offset: offset + n * 32 };
        placement.buffers[buffers] = PortBuffers::Own(vec![spot(0), spot(1)]);
        offset += 64;
    }
    placement.stacks[KernelId(0)] = Spot { tile, offset: 8192 };
    let found = slugs(&verify(&design, &toy(), placement));
    assert_eq!(
        found,
        ["place/module-bds", "place/module-channels", "place/module-channels", "place/module-locks"]
    );
}

#[test]
fn tables_of_the_wrong_size_are_an_error() {
    assert_broken("place/missing", |_, p| {
        p.kernels.push(Tile::new(0, 0));
    });
    assert_broken("place/missing", |_, p| p.buffers = IdVec::new());
}

#[test]
fn no_placement_of_the_right_size_makes_the_checker_panic() {
    let edge = [0, 1, 31, 32, 32_767, u32::MAX];
    let tiles = [Tile::new(0, 0), Tile::new(5, 3), Tile::new(u16::MAX, u16::MAX), Tile::new(6, 4)];
    for (&offset, &tile) in edge.iter().zip(tiles.iter().cycle()) {
        let found = broken(|d, p| {
            p.kernels = d.kernels.iter().map(|_| tile).collect();
            p.stacks = d.kernels.iter().map(|_| Spot { tile, offset }).collect();
            p.buffers = d.ports.iter().map(|_| PortBuffers::Own(vec![Spot { tile, offset }; 3])).collect();
            p.shims = d.externals.iter().map(|_| ShimSpot { column: tile.column, channel: offset }).collect();
        });
        assert!(!found.is_empty());
    }
    let found = broken(|d, p| p.buffers = d.ports.iter().map(|_| PortBuffers::Shared).collect());
    assert!(found.contains(&"place/buffer-count"));
}

#[test]
fn the_report_counts_what_table_a_window_connection_costs() {
    let (design, legal) = chain();
    let placed = value(verify(&design, &toy(), legal));
    let uses = module_use(&design, &toy(), &placed);
    let total = |of: fn(&aiec_placer::ModuleUse) -> u32| uses.values().map(of).sum::<u32>();
    // Four windows by DMA and two shared, ping-pong: 12 locks, 8 descriptors, and a channel for
    // each of the four.
    assert_eq!((total(|u| u.locks), total(|u| u.bds)), (12, 8));
    assert_eq!((total(|u| u.s2mm), total(|u| u.mm2s)), (2, 2));
    let stacks = 4 * (1024 + 1024 + 32);
    assert_eq!(uses.values().map(|u| u.bytes).sum::<u64>(), stacks + 12 * 4096);
}

/// Two connected kernels on one core, a third far away, under every kind of constraint.
fn constrained() -> (Checked, Placement, aiec_device::Device) {
    let w = int32(256);
    let mut builder = Builder::new("constrained", "toy");
    builder
        .kernels("a", &[], &[output("y", w)])
        .kernels("b", &[], &[input("x", w), output("y", w)])
        .kernels("c", &[], &[input("x", w)])
        .kernels("d", &[], &[output("y", w)])
        .gmio_output("result")
        .runtime("a", 400)
        .program("a", 8192)
        .runtime("b", 400)
        .program("b", 8192)
        .runtime("c", 400)
        .connect("a.y", "b.x")
        .connect("b.y", "c.x")
        .connect("d.y", "result")
        .place_relative("b", "a", (0, 0))
        .place_relative("c", "a", (1, 0))
        .region(&["a", "d"], (0, 0), (4, 3))
        .together(&["b", "c"])
        .apart(&["a", "d"])
        .keepout((5, 0), (5, 0));
    let mut device = toy();
    device.keepout = vec![Tile::new(5, 3)];
    let design = checked(&builder, &device);
    let placement = placement(&design, &device);
    (design, placement, device)
}

/// Asserts the slug that `change` causes in a constrained placement. Ignores other faults.
fn assert_unkept(slug: &str, change: impl FnOnce(&Checked, &mut Placement)) {
    let (design, mut placement, device) = constrained();
    change(&design, &mut placement);
    let found = slugs(&verify(&design, &device, placement));
    assert!(found.contains(&slug), "{slug} is not among {found:?}");
}

/// Number of messages with these words after `change`.
fn messages(words: &str, change: impl FnOnce(&Checked, &mut Placement)) -> usize {
    let (design, mut placement, device) = constrained();
    change(&design, &mut placement);
    let outcome = verify(&design, &device, placement);
    outcome.diagnostics().iter().filter(|d| d.message.contains(words)).count()
}

const A: KernelId = KernelId(0);
const B: KernelId = KernelId(1);
const C: KernelId = KernelId(2);
const D: KernelId = KernelId(3);

#[test]
fn the_constrained_placement_is_legal_and_has_two_kernels_on_a_core() {
    let (design, placement, device) = constrained();
    assert_eq!(placement.kernels[A], placement.kernels[B]);
    assert_eq!(slugs(&verify(&design, &device, placement)), Vec::<&str>::new());
}

#[test]
fn a_kernel_at_another_distance_than_the_design_says() {
    assert_eq!(messages("but the design says + (1, 0)", |_, p| p.kernels[C] = p.kernels[D]), 1);
    assert_eq!(messages("but the design says + (0, 0)", |_, p| p.kernels[B] = p.kernels[D]), 1);
}

#[test]
fn a_kernel_out_of_its_region() {
    assert_eq!(
        messages("but its region goes from (0, 0) to (4, 3)", |_, p| p.kernels[D] = Tile::new(5, 1)),
        1
    );
}

#[test]
fn kernels_that_are_not_together_or_not_apart() {
    assert_eq!(messages("the design says `together`", |_, p| p.kernels[C] = far(p.kernels[B])), 1);
    assert_eq!(messages("the design says `apart`", |_, p| p.kernels[D] = p.kernels[A]), 1);
}

/// A tile that shares no module with `tile`.
fn far(tile: Tile) -> Tile {
    Tile::new(if tile.column < 3 { tile.column + 3 } else { tile.column - 3 }, tile.row)
}

#[test]
fn kernels_buffers_and_stacks_on_tiles_that_are_kept_free() {
    for closed in [Tile::new(5, 0), Tile::new(5, 3)] {
        assert_eq!(messages("which must stay free", |_, p| p.kernels[D] = closed), 1);
        assert_eq!(messages("which must stay free", |_, p| p.stacks[D].tile = closed), 1);
        let buffer = |design: &Checked, p: &mut Placement| spots(p, design, "d.y")[0].tile = closed;
        assert_eq!(messages("which must stay free", buffer), 1);
    }
}

#[test]
fn a_core_with_more_than_its_time_or_program_memory_or_a_kernel_of_its_own() {
    // Three kernels of 0.4.
    assert_unkept("place/tile-shared", |_, p| p.kernels[C] = p.kernels[A]);
    assert_eq!(messages("need 1200 1/1000 of its time", |_, p| p.kernels[C] = p.kernels[A]), 1);
    assert_eq!(messages("`d` needs a core of its own", |_, p| p.kernels[D] = p.kernels[C]), 1);
    let (mut design, mut device) = (constrained().0, toy());
    device.core.program_bytes = 16_383;
    let placement = constrained().1;
    let outcome = verify(&design, &device, placement.clone());
    assert!(outcome.diagnostics().iter().any(|d| d.message.contains("need 16384 bytes of program memory")));
    design = constrained().0;
    device.core.program_bytes = 16_384;
    assert!(slugs(&verify(&design, &device, placement)).is_empty());
}

#[test]
fn kernels_on_a_core_with_two_stacks_or_two_buffers_between_them() {
    assert_unkept("place/stacks-apart", |_, p| p.stacks[B].offset += 8192);
    assert_unkept("place/buffer-count", |design, p| {
        let second = Spot { offset: 0, ..spots(p, design, "b.x")[0] };
        spots(p, design, "b.x").push(second);
    });
    assert_unkept("place/buffer-count", |design, p| {
        let own = spots(p, design, "b.x").clone();
        p.buffers[port(design, "a.y")] = PortBuffers::Own(own);
    });
}

#[test]
fn the_stacks_of_a_core_take_the_sum_of_its_kernels() {
    let (design, placement, device) = constrained();
    let placed = value(verify(&design, &device, placement));
    let stack = placed.stacks[A];
    let used = module_use(&design, &device, &placed)[&stack.tile].bytes;
    // Two stacks and two heaps of 1 KiB and one sync area, at least.
    assert!(used >= 4 * 1024 + 32, "{used}");
    assert_eq!(
        messages("ends at byte", |_, p| {
            (p.stacks[A].offset, p.stacks[B].offset) = (32_768 - 4096, 32_768 - 4096);
        }),
        1
    );
}
