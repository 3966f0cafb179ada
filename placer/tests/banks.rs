//! Banks: where there is room, no two inputs of a kernel share a bank, and no block that fits a
//! bank lies in two.

use std::collections::BTreeMap;

use crate::support::*;
use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_ir::{Buffering, Direction, PortId};
use aiec_placer::{Placed, PortBuffers, bank_sharing};
use aiec_test_support::{Builder, Reduce, input, int32, output};
use proptest::prelude::*;

/// A buffer or stack: its offset, its bytes, and the input ports of kernels that use it.
type Block = (u32, u64, Vec<PortId>);

/// The contents of each module, counted from the placement and the design alone.
fn modules(design: &Checked, device: &Device, placed: &Placed) -> BTreeMap<Tile, Vec<Block>> {
    let mut modules: BTreeMap<Tile, Vec<Block>> = BTreeMap::new();
    let mut stacks: BTreeMap<Tile, u64> = BTreeMap::new();
    for kernel in design.kernels.ids() {
        let [stack, heap] = design.stack_and_heap(kernel, device);
        *stacks.entry(placed.kernels[kernel]).or_insert(device.memory.sync_bytes.into()) += stack + heap;
    }
    for kernel in design.kernels.ids() {
        if let Some(bytes) = stacks.remove(&placed.kernels[kernel]) {
            let spot = placed.stacks[kernel];
            modules.entry(spot.tile).or_default().push((spot.offset, bytes, vec![]));
        }
    }
    for (port, buffers) in placed.buffers.enumerate() {
        let PortBuffers::Own(spots) = buffers else { continue };
        let bytes = design.ports[port].window().expect("a buffer has a window").bytes();
        for spot in spots {
            let is_input = design.ports[port].direction == Direction::In;
            let inputs = is_input.then_some(port).into_iter().collect();
            modules.entry(spot.tile).or_default().push((spot.offset, bytes, inputs));
        }
    }
    modules
}

const BANK: u64 = 8192;

fn straddles(&(offset, bytes, _): &Block) -> bool {
    bytes <= BANK && u64::from(offset) / BANK != (u64::from(offset) + bytes - 1) / BANK
}

/// First fit decreasing: large blocks one after the other from the start, then the others into the
/// rest of each bank. Returns true if all fit.
fn first_fit_does(blocks: &[Block]) -> bool {
    let mut sizes: Vec<u64> = blocks.iter().map(|(_, bytes, _)| bytes.next_multiple_of(32)).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let large: u64 = sizes.iter().filter(|&&bytes| bytes > BANK).sum();
    let mut room: Vec<u64> = (1..=4).map(|bank| (bank * BANK).saturating_sub(large).min(BANK)).collect();
    sizes.iter().filter(|&&bytes| bytes <= BANK).all(|&bytes| {
        let bank = room.iter_mut().find(|room| **room >= bytes);
        bank.map(|room| *room -= bytes).is_some()
    }) && large <= 4 * BANK
}

/// True if some assignment of a module's blocks to banks separates all inputs of each kernel.
fn some_way_parts(design: &Checked, blocks: &[Block], banks: &mut Vec<usize>) -> bool {
    let Some((_, bytes, inputs)) = blocks.get(banks.len()) else { return true };
    let kernel = |ports: &[PortId]| ports.first().map(|&port| (design.kernel_of(port), port));
    (0..4).any(|bank| {
        let there = || banks.iter().zip(blocks).filter(|(b, _)| **b == bank).map(|(_, block)| block);
        let used: u64 = there().map(|(_, bytes, _)| bytes.next_multiple_of(32)).sum();
        let meets = there().any(|(_, _, others)| match (kernel(inputs), kernel(others)) {
            (Some((a, x)), Some((b, y))) => a == b && x != y,
            _ => false,
        });
        if meets || used + bytes > BANK {
            return false;
        }
        banks.push(bank);
        let found = some_way_parts(design, blocks, banks);
        banks.pop();
        found
    })
}

/// A chain of kernels with further inputs and outputs: bytes of windows, and whether they have one
/// buffer.
#[derive(Clone, Debug)]
struct Case {
    kernels: u32,
    inputs: Vec<(u32, bool)>,
    links: Vec<(u32, bool)>,
    stack: u32,
}

fn cases() -> impl Strategy<Value = Case> {
    let bytes = || prop::sample::select(vec![16_u32, 128, 1_024, 2_048, 3_072, 4_096, 6_144, 8_192, 10_240]);
    let window = move || (bytes(), any::<bool>());
    let stack = prop::sample::select(vec![1_024_u32, 2_048, 5_120, 7_136, 9_216]);
    (2_u32..7, prop::collection::vec(window(), 1..3), prop::collection::vec(window(), 1..4), stack)
        .prop_map(|(kernels, inputs, links, stack)| Case { kernels, inputs, links, stack })
}

fn design(case: &Case) -> Builder {
    let mut builder = Builder::new("banks", "xcvc1902");
    let names = |prefix: &str, count: usize| (0..count).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
    let (xs, ins, outs) =
        (names("x", case.inputs.len()), names("in", case.links.len()), names("out", case.links.len()));
    let mut ports: Vec<_> =
        xs.iter().zip(&case.inputs).map(|(name, w)| input(name, int32(w.0 / 4))).collect();
    ports.extend(ins.iter().zip(&case.links).map(|(name, w)| input(name, int32(w.0 / 4))));
    ports.extend(outs.iter().zip(&case.links).map(|(name, w)| output(name, int32(w.0 / 4))));
    builder.kernels("k", &[case.kernels], &ports).stack("k", case.stack);
    for (name, (_, single)) in xs.iter().zip(&case.inputs) {
        builder.plio(&format!("p{name}"), &[case.kernels], Direction::Out, 64);
        for kernel in 0..case.kernels {
            let buffering = if *single { Buffering::Single } else { Buffering::Pingpong };
            builder.connect_with(&format!("p{name}[{kernel}]"), &format!("k[{kernel}].{name}"), buffering);
        }
    }
    for (at, (_, single)) in case.links.iter().enumerate() {
        let buffering = if *single { Buffering::Single } else { Buffering::Pingpong };
        for kernel in 0..case.kernels {
            // A ring, asynchronous to avoid a deadlock.
            let next = (kernel + 1) % case.kernels;
            let (from, to) = (format!("async k[{kernel}].out{at}"), format!("async k[{next}].in{at}"));
            builder.connect_with(&from, &to, buffering);
        }
    }
    builder
}

#[test]
fn where_there_is_room_nothing_straddles_and_no_two_inputs_share_a_bank() {
    banks_hold(6);
}

#[test]
#[ignore = "long: places 48 designs"]
fn where_there_is_room_nothing_straddles_and_no_two_inputs_share_a_bank_in_all_cases() {
    banks_hold(48);
}

/// The argument treats single modules and shares no code with the placer; `placed` verifies.
fn banks_hold(number: u32) {
    proptest!(ProptestConfig::with_cases(number), |(case in cases())| {
        let device = vc1902();
        let Ok(expanded) = design(&case).expanded() else { return Ok(()) };
        let Some(design) = aiec_check::check(expanded, &device).into_parts().0 else { return Ok(()) };
        let found = aiec_placer::place(&design, &device, &QUICK).into_parts().0;
        let Some(placement) = found else { return Ok(()) };
        let placed = value(aiec_placer::verify(&design, &device, placement));
        let sharing = bank_sharing(&design, &device, &placed);
        let mut straddling = 0;
        for (tile, blocks) in modules(&design, &device, &placed) {
            let here = blocks.iter().filter(|block| straddles(block)).count();
            prop_assert!(here == 0 || !first_fit_does(&blocks), "{tile}: {blocks:?}");
            straddling += here;
            let pairs = sharing.shared_pairs.iter().filter(|(.., (t, _))| *t == tile).count();
            let may_part = blocks.len() <= 9 && some_way_parts(&design, &blocks, &mut Vec::new());
            prop_assert!(pairs == 0 || !may_part, "{tile}: {blocks:?} {:?}", sharing.shared_pairs);
        }
        prop_assert_eq!(sharing.straddling.len(), straddling);
    });
}

#[test]
fn inputs_of_a_kernel_lie_in_different_banks_also_where_that_takes_other_modules() {
    let device = vc1902();
    let w = int32(32);
    let names: Vec<String> = (0..7).map(|at| format!("in{at}")).collect();
    let ports: Vec<_> = names.iter().map(|name| input(name, w)).collect();
    let mut builder = Builder::new("fan", "xcvc1902");
    builder.kernels("sink", &[], &ports).kernels("source", &[7], &[input("x", w), output("y", w)]);
    builder.plio("p", &[7], Direction::Out, 64);
    for (at, name) in names.iter().enumerate() {
        builder.connect(&format!("p[{at}]"), &format!("source[{at}].x"));
        builder.connect(&format!("source[{at}].y"), &format!("sink.{name}"));
    }
    let design = checked(&builder, &device);
    let placed = placed(&design, &device);
    let sharing = bank_sharing(&design, &device, &placed);
    // 14 buffers in the 16 banks of 4 modules.
    assert_eq!((sharing.pairs, sharing.shared_pairs), (21, vec![]));
    // Ping and pong of a port come after that.
    assert!(sharing.shared_doubles.len() <= 2, "{:?}", sharing.shared_doubles);
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn children_of_a_collective_meet_in_no_bank() {
    let device = vc1902();
    for arity in [2, 4, 8, 12] {
        let mut builder = Builder::new("tree", "xcvc1902");
        builder
            .kernels("worker", &[40], &[input("own", int32(64))])
            .plio("data", &[40], Direction::Out, 64)
            .gmio_output("sum")
            .reduce(Reduce::over("total", &["worker"], int32(64)).arity(arity))
            .connect("total.result", "sum");
        (0..40).for_each(|k| {
            builder.connect(&format!("data[{k}]"), &format!("worker[{k}].own"));
        });
        let design = checked(&builder, &device);
        let sharing = bank_sharing(&design, &device, &placed(&design, &device));
        assert!(sharing.pairs > 39);
        assert_eq!((sharing.shared_pairs, sharing.straddling), (vec![], vec![]), "arity {arity}");
    }
}

#[test]
fn without_room_what_straddles_and_what_meets_is_counted() {
    let mut builder = Builder::new("full", "toy");
    // Ten buffers of 5 KiB on an array of two tiles, which have eight banks.
    let names: Vec<String> = (0..5).map(|at| format!("w{at}")).collect();
    let (outs, ins): (Vec<_>, Vec<_>) =
        names.iter().map(|name| (output(name, int32(1280)), input(name, int32(1280)))).unzip();
    builder.kernels("a", &[], &outs).kernels("b", &[], &ins);
    names.iter().for_each(|name| {
        builder.connect(&format!("a.{name}"), &format!("b.{name}"));
    });
    let small = Device { columns: 1, rows: 2, ..toy() };
    let design = checked(&builder, &small);
    let sharing = bank_sharing(&design, &small, &placed(&design, &small));
    assert!(!sharing.straddling.is_empty(), "{sharing:?}");
    assert_eq!(sharing.blocks, 10 + 2);
    assert!(sharing.straddling.iter().all(|(what, _)| what.contains("buffer of `b.w")), "{sharing:?}");
}

#[test]
#[ignore = "long: searches hundreds of kernels"]
fn children_of_four_hundred_kernels_meet_in_no_bank() {
    let device = vc1902();
    let mut builder = Builder::new("tree", "xcvc1902");
    builder
        .kernels("worker", &[400], &[])
        .gmio_output("sum")
        .reduce(Reduce::over("total", &["worker"], int32(256)).arity(3))
        .connect("total.result", "sum");
    let design = checked(&builder, &device);
    let sharing = bank_sharing(&design, &device, &placed(&design, &device));
    assert_eq!((sharing.shared_pairs, sharing.straddling), (vec![], vec![]));
}
