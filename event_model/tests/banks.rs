//! Conflicts of memory banks, with cycles computed by hand.

mod common;

use std::cell::Cell;

use aiec_event_model::{LegKind, Timeline, run, with_path};
use aiec_placer::{PlaceOptions, PortBuffers, Spot};
use aiec_router_model::Implementation;
use aiec_test_support::{Builder, input, int32, output};
use aiec_timing::TimingProfile;
use common::laid::{Laid, laid, value};
use common::random::{Random, random};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn counting() -> TimingProfile {
    TimingProfile { bank_conflicts: true, ..TimingProfile::thesis() }
}

fn timeline(laid: &Laid, profile: &TimingProfile) -> Timeline {
    value(run(&laid.whole(), profile, &|_| ()))
}

/// A kernel that reads two windows of 512 bytes from far away, in 100 cycles.
fn two_inputs() -> Builder {
    let mut builder = Builder::new("pair", "xcvc1902");
    let window = int32(128);
    builder.kernels("far", &[], &[output("p", window), output("q", window)]);
    builder.kernels("sum", &[], &[input("a", window), input("b", window)]);
    builder.connect("far.p", "sum.a").connect("far.q", "sum.b");
    builder.place("far", 2, 0).place("sum", 9, 3).cycles("sum", 100);
    builder
}

/// The design with all first buffers of both inputs at these offsets in the module of the kernel.
fn at(offsets: [u32; 2]) -> Laid {
    let mut laid = Laid::of(&two_inputs());
    let mut placement = (*laid.placed).clone();
    for (name, offset) in ["sum.a", "sum.b"].into_iter().zip(offsets) {
        let port = laid.checked.ports.ids().find(|&port| laid.checked.port_name(port) == name);
        let port = port.expect("it is there");
        let kernel = laid.checked.kernel_of(port).expect("a kernel");
        let tile = placement.kernels[kernel];
        // The stack lies in the last bank.
        placement.stacks[kernel] = Spot { tile, offset: 0x6000 };
        if let PortBuffers::Own(spots) = &mut placement.buffers[port] {
            for (half, spot) in (0..).zip(spots.iter_mut()) {
                *spot = Spot { tile, offset: offset + 512 * half };
            }
        }
    }
    laid.placed = value(aiec_placer::verify(&laid.checked, &laid.device, placement));
    laid
}

#[test]
fn two_inputs_in_one_bank_cost_a_core_the_cycles_in_which_it_needs_both() {
    // 512 bytes by 32 in 100 cycles: each window is accessed in 16 % of them, both in 2.56 %.
    let (apart, together) = (at([0, 0x2000]), at([0, 1024]));
    let total = |laid, profile| timeline(laid, &profile).total_cycles;
    let plain = total(&together, TimingProfile::thesis());
    assert!((total(&apart, counting()) - plain).abs() < 1e-9, "in banks of their own nothing is lost");
    let lost = total(&together, counting()) - plain;
    assert!((lost - 100.0 * 0.16 * 0.16).abs() < 0.011, "{lost}");
    let (_, path) = value(with_path(&together.whole(), &counting(), &|_| ()));
    let waiting: f64 =
        path.legs.iter().filter(|leg| leg.kind == LegKind::Kernel).map(|leg| leg.cycles.waiting).sum();
    assert!((waiting - lost).abs() < 0.011, "the path names the cycles: {waiting}");
}

#[test]
fn without_the_option_banks_make_no_difference() {
    let runs = [[0, 0x2000], [0, 1024]].map(|offsets| timeline(&at(offsets), &TimingProfile::thesis()));
    assert_eq!(runs[0], runs[1]);
}

/// The totals of a design with the usual profile and with conflicts, and whether these cost
/// anything. Each module is one bank of a byte, since the placer spreads buffers over several, and
/// the windows are small. Returns None when a design has no run.
fn with_and_without(design: &Random) -> Option<([f64; 2], bool)> {
    let device = aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0)?;
    let mut crowded = device.clone();
    (crowded.memory.banks, crowded.memory.bank_bits) = (1, 8);
    let checked = aiec_check::check(design.expanded()?, &device).into_parts().0?;
    let options = PlaceOptions { effort: 1, ..PlaceOptions::default() };
    let (placed, routed) = laid(&checked, &device, &options).ok()?;
    let checked = checked.timed(&checked.kernels.ids().map(|kernel| (kernel, 40)).collect(), 5);
    let whole = Implementation { checked: &checked, placed: &placed, routed: &routed, device: &crowded };
    let timeline = |profile: &TimingProfile| run(&whole, profile, &|_| ()).into_parts().0;
    let plain = timeline(&TimingProfile::thesis())?;
    let counted = timeline(&counting()).expect("conflicts stop nobody");
    Some(([plain.total_cycles, counted.total_cycles], plain != counted))
}

#[test]
#[ignore = "long: 40 designs in all shapes"]
fn conflicts_make_no_random_design_faster() {
    let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let (compared, costly) = (Cell::new(0), Cell::new(0));
    let result = runner.run(&random(), |design| {
        let all = std::iter::once(design.clone()).chain(design.in_other_shapes());
        for ([plain, counted], costs) in all.filter_map(|design| with_and_without(&design)) {
            prop_assert!(plain <= counted, "{plain} and {counted}");
            compared.set(compared.get() + 1);
            costly.set(costly.get() + u32::from(costs));
        }
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    assert!(costly.get() > 0, "{} of {} designs have conflicts", costly.get(), compared.get());
}
