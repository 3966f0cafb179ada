//! Constraints and shared cores: the search keeps them, and the checker accepts the result.

use std::collections::BTreeMap;

use crate::support::{checked, pipelines, placed, toy, tree, value, vc1902};
use aiec_check::Checked;
use aiec_device::{Device, Grid, Tile};
use aiec_ir::{Direction, KernelId};
use aiec_placer::{PlaceOptions, Placed, PortBuffers, dma_connections, verify};
use aiec_test_support::{Builder, Reduce, input, int32, output};

fn tile(checked: &Checked, placed: &Placed, name: &str) -> Tile {
    let kernel = checked.kernels.enumerate().find(|(_, kernel)| kernel.name == name);
    placed.kernels[kernel.expect("declared").0]
}

/// Places a design after `constrain` has added to it.
fn place(mut builder: Builder, device: &Device, constrain: impl Fn(&mut Builder)) -> (Checked, Placed) {
    constrain(&mut builder);
    let checked = checked(&builder, device);
    let placed = placed(&checked, device);
    (checked, placed)
}

#[test]
fn kernels_stay_in_their_regions() {
    let (checked, placed) = place(tree(31, 2, int32(16)), &vc1902(), |builder| {
        let half: Vec<String> = (0..15).map(|i| format!("worker[{i}]")).collect();
        let half: Vec<&str> = half.iter().map(String::as_str).collect();
        builder.region(&half, (5, 2), (8, 5)).region(&["worker[0]"], (8, 5), (9, 9 - 2));
    });
    for (id, &tile) in placed.kernels.enumerate() {
        let inside = (5..=8).contains(&tile.column) && (2..=5).contains(&tile.row);
        assert!(inside || id.index() >= 15, "{} at {tile}", checked.kernels[id].name);
    }
    assert_eq!(tile(&checked, &placed, "worker[0]"), Tile::new(8, 5));
}

#[test]
fn a_region_that_is_just_large_enough_is_filled() {
    let (_, placed) = place(tree(8, 2, int32(16)), &toy(), |builder| {
        builder.region(&["worker"], (2, 0), (3, 3));
    });
    assert!(placed.kernels.iter().all(|tile| (2..=3).contains(&tile.column)));
}

#[test]
fn offsets_hold_wherever_the_kernels_go() {
    let (checked, placed) = place(pipelines(2, 4), &vc1902(), |builder| {
        for lane in 0..2 {
            for stage in 1..4 {
                let (stage, before) =
                    (format!("stage[{lane}][{stage}]"), format!("stage[{lane}][{}]", stage - 1));
                builder.place_relative(&stage, &before, (i64::from(lane % 2), 1));
            }
        }
    });
    for lane in 0..2u16 {
        let at = |stage: u16| tile(&checked, &placed, &format!("stage[{lane}][{stage}]"));
        for stage in 1..4 {
            let (a, b) = (at(stage - 1), at(stage));
            assert_eq!((b.column, b.row), (a.column + lane % 2, a.row + 1));
        }
    }
}

#[test]
fn a_group_follows_the_one_of_its_kernels_that_is_placed() {
    let (checked, placed) = place(pipelines(1, 3), &toy(), |builder| {
        builder.place_relative("stage[0][1]", "stage[0][0]", (2, 1));
        builder.place_relative("stage[0][2]", "stage[0][1]", (-1, 2)).place("stage[0][2]", 3, 3);
    });
    assert_eq!(tile(&checked, &placed, "stage[0][0]"), Tile::new(2, 0));
}

#[test]
fn kernels_apart_reach_no_common_module_and_kernels_together_do() {
    let device = vc1902();
    let (checked, placed) = place(tree(31, 2, int32(16)), &device, |builder| {
        builder.apart(&["worker[0]", "worker[1]", "worker[2]", "worker[30]"]);
        builder.together(&["worker[5]", "worker[20]", "worker[29]"]);
    });
    let grid = Grid::new(&device);
    let share = |a: &str, b: &str| {
        let id = |name| grid.id(tile(&checked, &placed, name)).expect("on the array");
        grid.shared(id(a), id(b)).next().is_some()
    };
    for (a, b) in [(0, 1), (0, 2), (0, 30), (1, 2), (1, 30), (2, 30)] {
        assert!(!share(&format!("worker[{a}]"), &format!("worker[{b}]")), "{a} and {b}");
    }
    for (a, b) in [(5, 20), (5, 29), (20, 29)] {
        assert!(share(&format!("worker[{a}]"), &format!("worker[{b}]")), "{a} and {b}");
    }
}

#[test]
fn nothing_lies_on_tiles_that_are_kept_free() {
    let mut device = toy();
    device.keepout = vec![Tile::new(5, 3)];
    let (_, placed) = place(tree(15, 2, int32(256)), &device, |builder| {
        builder.keepout((2, 1), (3, 2));
    });
    let closed = |tile: Tile| {
        tile == Tile::new(5, 3) || ((2..=3).contains(&tile.column) && (1..=2).contains(&tile.row))
    };
    assert!(
        !placed.kernels.iter().chain(placed.stacks.iter().map(|spot| &spot.tile)).any(|tile| closed(*tile))
    );
    let spots = placed.buffers.iter().filter_map(|buffers| match buffers {
        PortBuffers::Own(spots) => Some(spots),
        _ => None,
    });
    assert!(!spots.flatten().any(|spot| closed(spot.tile)));
}

/// `pairs` pairs of connected kernels, with one `ratio` for all.
fn pairs(pairs: u32, ratio: u32) -> Builder {
    let w = int32(64);
    let mut builder = Builder::new("pairs", "xcvc1902");
    builder.kernels("a", &[pairs], &[output("y", w)]).kernels("b", &[pairs], &[input("x", w)]);
    builder.runtime("a", ratio).runtime("b", ratio);
    for i in 0..pairs {
        builder.connect(&format!("a[{i}].y"), &format!("b[{i}].x"));
    }
    builder
}

fn kernels_on(placed: &Placed) -> BTreeMap<Tile, Vec<KernelId>> {
    let mut on: BTreeMap<Tile, Vec<KernelId>> = BTreeMap::new();
    for (kernel, &tile) in placed.kernels.enumerate() {
        on.entry(tile).or_default().push(kernel);
    }
    on
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn five_hundred_kernels_of_two_fifths_fit_four_hundred_tiles() {
    let device = vc1902();
    let (checked, placed) = place(pairs(250, 400), &device, |_| ());
    let on = kernels_on(&placed);
    assert!(on.len() <= 400 && on.values().all(|kernels| kernels.len() <= 2));
    assert!(on.values().filter(|kernels| kernels.len() == 2).count() >= 100);
    assert_eq!(dma_connections(&checked, &placed), 0);
}

/// UG1079: windows of different sizes have buffers of their own, which a DMA copies, on one core
/// too.
#[test]
fn windows_of_different_sizes_on_one_core_have_two_buffers_each() {
    let mut builder = Builder::new("rates", "toy");
    builder
        .kernels("up", &[], &[input("x", int32(64)), output("y", int32(128))])
        .kernels("down", &[], &[input("x", int32(192)), output("y", int32(64))])
        .plio("from", &[], Direction::Out, 32)
        .plio("to", &[], Direction::In, 32)
        .runtime("up", 400)
        .runtime("down", 500)
        .connect("from", "up.x")
        .connect("up.y", "down.x")
        .connect("down.y", "to")
        .place_relative("down", "up", (0, 0));
    let (checked, placed) = place(builder, &toy(), |_| ());
    assert_eq!(kernels_on(&placed).len(), 1);
    for port in checked.ports.ids().filter(|&port| checked.has_buffers(port)) {
        let PortBuffers::Own(spots) = &placed.buffers[port] else { unreachable!("nothing is shared") };
        assert_eq!(spots.len(), 2);
    }
}

#[test]
fn kernels_have_tiles_of_their_own_while_there_are_some() {
    let (_, placed) = place(pairs(12, 400), &toy(), |_| ());
    assert_eq!(kernels_on(&placed).len(), 24);
}

#[test]
fn a_small_region_puts_kernels_on_one_core_and_their_windows_into_one_buffer() {
    let (checked, placed) = place(pairs(2, 500), &toy(), |builder| {
        builder.region(&["a", "b"], (1, 1), (2, 1));
    });
    let on = kernels_on(&placed);
    assert_eq!(on.len(), 2);
    for kernels in on.values() {
        assert_eq!(placed.stacks[kernels[0]], placed.stacks[kernels[1]], "one area for stacks a core");
    }
    for connection in checked.connections.iter() {
        let ends = [connection.from, connection.to].map(|port| checked.kernel_of(port).expect("of a kernel"));
        let one_core = placed.kernels[ends[0]] == placed.kernels[ends[1]];
        let PortBuffers::Own(spots) = &placed.buffers[connection.to] else {
            unreachable!("an input has its own")
        };
        assert_eq!(spots.len(), if one_core { 1 } else { 2 });
    }
}

#[test]
fn a_tree_of_one_window_may_share_cores() {
    let mut builder = tree(31, 2, int32(16));
    builder.runtime("worker", 250).region(&["worker"], (3, 0), (4, 3));
    let (checked, placed) = place(builder, &vc1902(), |_| ());
    assert_eq!(kernels_on(&placed).len(), 8, "31 quarters on 8 cores");
    assert_eq!(checked.kernels.len(), 31);
}

#[test]
#[ignore = "long: searches for seconds"]
fn the_same_seed_gives_the_same_placement_under_constraints() {
    let constrain = |builder: &mut Builder| {
        builder.apart(&["worker[0]", "worker[14]"]).place_relative("worker[9]", "worker[4]", (1, 1));
    };
    let (_, first) = place(tree(15, 2, int32(16)), &vc1902(), constrain);
    let (_, second) = place(tree(15, 2, int32(16)), &vc1902(), constrain);
    assert_eq!(*first, *second);
}

#[test]
fn a_family_in_two_reductions_can_be_kept_together() {
    let mut builder = Builder::new("two", "toy");
    builder.kernels("w", &[4], &[]).reduce(Reduce::over("t", &["w"], int32(16))).together(&["w"]);
    let (_, placed) = place(builder, &toy(), |_| ());
    assert_eq!(placed.kernels.len(), 4);
}

/// Connections through DMA of the tree of 63 kernels under what `constrain` adds.
fn tree_of_63(constrain: impl Fn(&mut Builder)) -> usize {
    let (checked, placed) = place(tree(63, 2, int32(16)), &vc1902(), constrain);
    dma_connections(&checked, &placed)
}

#[test]
#[ignore = "long: searches for seconds"]
fn a_tree_under_constraints_shares_almost_as_much_as_a_free_one() {
    // The result always goes by DMA. Kernels apart cut the connections between them. Shared cores
    // leave half as many kernels to embed.
    let region = tree_of_63(|b| {
        b.region(&["worker"], (10, 0), (19, 7));
    });
    let apart = tree_of_63(|b| {
        b.apart(&["worker[1]", "worker[2]", "worker[40]"]);
    });
    let offset = tree_of_63(|b| {
        b.place_relative("worker[2]", "worker[1]", (2, 1));
    });
    let keepout = tree_of_63(|b| {
        b.keepout((24, 2), (25, 4));
    });
    let runtime = tree_of_63(|b| {
        b.runtime("worker", 400);
    });
    assert!(region <= 3 && apart <= 3 && offset <= 3 && keepout <= 3 && runtime <= 3);
}

#[test]
fn kernels_share_a_core_where_they_find_no_room_on_two() {
    // Three windows of 28000 bytes with two buffers each, or with one between kernels on one core
    // (UG1079), in modules of 32 KiB.
    let window = int32(7000);
    let mut builder = Builder::new("pair", "xcvc1902");
    builder
        .kernels("a", &[], &[output("x", window), output("y", window), output("z", window)])
        .kernels("b", &[], &[input("x", window), input("y", window), input("z", window)])
        .connect("a.x", "b.x")
        .connect("a.y", "b.y")
        .connect("a.z", "b.z")
        .runtime("a", 400)
        .runtime("b", 400);
    let (checked, placed) = place(builder, &vc1902(), |_| ());
    assert_eq!(tile(&checked, &placed, "a"), tile(&checked, &placed, "b"));
}

#[test]
fn more_kernels_are_together_on_shared_cores_than_share_memory_on_their_own() {
    let (checked, _) = place(pipelines(8, 1), &vc1902(), |builder| {
        builder.runtime("stage", 100).together(&["stage"]);
    });
    assert_eq!(checked.kernels.len(), 8);
}

#[test]
fn cores_that_meet_only_in_a_module_left_free_are_apart() {
    let window = int32(16);
    let mut builder = Builder::new("corner", "toy");
    builder
        .kernels("a", &[], &[output("y", window)])
        .kernels("b", &[], &[output("y", window)])
        .plio("o", &[2], aiec_ir::Direction::In, 64)
        .connect("a.y", "o[0]")
        .connect("b.y", "o[1]");
    place(builder, &toy(), |builder| {
        builder.keepout((3, 1), (3, 1)).region(&["a", "b"], (3, 0), (3, 2)).apart(&["a", "b"]);
    });
}

#[test]
fn tiles_decide_which_kernels_share_a_core_where_distances_and_a_region_bind_them() {
    // Eight kernels, two to a core, on six tiles: `k[1]` is above `k[0]`, `k[3]` beside `k[2]`, and
    // two kernels have the lowest row.
    let device = Device { columns: 2, rows: 3, ..toy() };
    let mut builder = Builder::new("few", "toy");
    builder.kernels("k", &[8], &[]).runtime("k", 400).reduce(Reduce::over("t", &["k"], int32(16)));
    builder.place_relative("k[1]", "k[0]", (0, 1)).place_relative("k[3]", "k[2]", (1, 0));
    builder.region(&["k[0]", "k[2]", "k[6]"], (0, 0), (1, 0)).region(&["k[4]", "k[5]"], (0, 2), (1, 2));
    let checked = checked(&builder, &device);
    let placed = placed(&checked, &device);
    let all = kernels_on(&placed);
    assert!(all.values().all(|kernels| kernels.len() <= 2) && all.len() <= 6, "{all:?}");
    let at = |kernel: &str| tile(&checked, &placed, kernel);
    assert_eq!((at("k[0]").column, at("k[2]").row), (at("k[1]").column, at("k[3]").row));
}

/// The search of a design of more than 64 kernels takes the tiles of such a chain from the
/// enumeration of the proofs.
#[test]
#[ignore = "long: searches a graph of 80 kernels twice"]
fn a_chain_kept_together_and_stretched_to_all_but_one_step_is_placed_beside_others() {
    let device = vc1902();
    let mut builder = Builder::new("stretched", "xcvc1902");
    for (chain, kernels) in [("tight", 20), ("free", 60)] {
        builder.kernels(chain, &[kernels], &[input("x", int32(16)), output("y", int32(16))]);
        for k in 1..kernels {
            builder.connect(&format!("{chain}[{}].y", k - 1), &format!("{chain}[{k}].x"));
        }
        let (from, to) = (format!("{chain}_in"), format!("{chain}_out"));
        builder.gmio_input(&from).gmio_output(&to);
        builder.connect(&from, &format!("{chain}[0].x"));
        builder.connect(&format!("{chain}[{}].y", kernels - 1), &to);
    }
    (1..20).for_each(|k| _ = builder.together(&[&format!("tight[{}]", k - 1), &format!("tight[{k}]")]));
    builder.place("tight[0]", 3, 3).place("tight[19]", 21, 3);
    let design = checked(&builder, &device);
    let options = PlaceOptions { effort: 1, ..PlaceOptions::default() };
    let placement = value(aiec_placer::place(&design, &device, &options));
    let placed = value(verify(&design, &device, placement));
    assert_eq!(tile(&design, &placed, "tight[19]"), Tile::new(21, 3));
}
