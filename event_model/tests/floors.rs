//! No floor is above a run: random designs on several placements and in several shapes.

mod common;

use aiec_check::Checked;
use aiec_device::Device;
use aiec_event_model::{Floors, floors, perfect, run, with_path};
use aiec_ir::Expanded;
use aiec_placer::PlaceOptions;
use aiec_router_model::Implementation;
use aiec_test_support::{Builder, Reduce, input, int32};
use aiec_timing::TimingProfile;
use common::laid::laid;
use common::random::{Random, random};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Rounding of times to hundredths of a cycle.
const ROUNDING: f64 = 0.011;

fn toy() -> Device {
    aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// Cycles of a run on a placement, and its floors.
struct Ran {
    total: f64,
    /// Cycles of the same kernels on a perfect placement.
    perfect: f64,
    floors: Floors,
}

/// The runs of a design on placements of two seeds. Empty for a design without placement.
fn runs(expanded: Expanded, profile: &TimingProfile) -> Vec<Ran> {
    let device = toy();
    let Some(checked) = aiec_check::check(expanded, &device).into_parts().0 else { return Vec::new() };
    [0, 7].into_iter().filter_map(|seed| ran(&checked, &device, seed, profile)).collect()
}

fn ran(checked: &Checked, device: &Device, seed: u64, profile: &TimingProfile) -> Option<Ran> {
    let options = PlaceOptions { seed, effort: 1, ..PlaceOptions::default() };
    let (placed, routed) = laid(checked, device, &options).ok()?;
    let whole = Implementation { checked, placed: &placed, routed: &routed, device };
    let timeline = run(&whole, profile, &|_| ()).into_parts().0?;
    let (again, path) = with_path(&whole, profile, &|_| ()).into_parts().0?;
    assert_eq!(again, timeline, "keeping the steps changes nothing");
    assert!(path.complete);
    let explained = path.cycles.total();
    assert!(
        (explained - timeline.total_cycles).abs() < ROUNDING,
        "the path explains {explained} of {}",
        timeline.total_cycles
    );
    let legs: f64 = path.legs.iter().map(|leg| leg.cycles.total()).sum();
    assert!((legs - explained).abs() < ROUNDING, "the legs make up the path");
    let floors = floors(&whole, profile, &|_| ()).expect("the run ended");
    let perfect = perfect(checked, device, profile, &|_| ()).into_parts().0.expect("the run ended");
    Some(Ran { total: timeline.total_cycles, perfect: perfect.total_cycles, floors })
}

/// Checks all floors of a design against all runs for which they hold. Returns the runs compared.
fn check(design: &Random, profile: &TimingProfile) -> Result<usize, TestCaseError> {
    let Some(expanded) = design.expanded() else { return Ok(0) };
    let runs = runs(expanded, profile);
    let Some(lowest) = runs.iter().map(|ran| ran.floors.any_shape.cycles).reduce(f64::max) else {
        return Ok(0);
    };
    for of in &runs {
        let Floors { any_shape, any_placement, this_placement } = of.floors;
        prop_assert!(any_shape.cycles <= any_placement.cycles);
        prop_assert!(any_placement.cycles <= this_placement.cycles);
        prop_assert!(this_placement.cycles <= of.total);
        prop_assert!(any_placement.cycles <= of.perfect, "{} on a perfect placement", of.perfect);
        for other in &runs {
            prop_assert!(any_placement.cycles <= other.total);
            prop_assert!(of.perfect <= other.total, "{} is above {}", of.perfect, other.total);
        }
    }
    let others = design.in_other_shapes().filter_map(|other| other.expanded());
    let others: Vec<Ran> = others.flat_map(|other| self::runs(other, profile)).collect();
    for other in &others {
        prop_assert!(lowest <= other.total, "{lowest} is above {}", other.total);
    }
    Ok(runs.len() + others.len())
}

/// Checks `cases` random designs under `profile`.
fn no_floor_is_above_a_run(cases: u32, profile: &TimingProfile) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let compared = std::cell::Cell::new(0);
    let result = runner.run(&random(), |design| {
        compared.set(compared.get() + check(&design, profile)?);
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    assert!(compared.get() > cases as usize / 5, "the designs are worth checking: {}", compared.get());
}

/// Least array cycles in any shape of a reduction with one window of 64 words in each of 10 runs,
/// by what takes its result.
fn any_shape(takes: impl FnOnce(&mut Builder)) -> f64 {
    let mut builder = Builder::new("result", "toy");
    builder.kernels("w", &[3], &[]).reduce(Reduce::over("c", &["w"], int32(64))).iterations(10);
    takes(&mut builder);
    let runs = runs(builder.expanded().expect("a design"), &TimingProfile::thesis());
    runs.first().expect("it was placed").floors.any_shape.cycles
}

#[test]
fn in_any_shape_a_result_passes_its_output() {
    let cycles = any_shape(|builder| {
        builder.plio_output("sum", 32).connect("c.result", "sum");
    });
    assert!(cycles >= 10.0 * 256.0, "ten windows of 256 bytes at a byte a cycle: {cycles}");
}

#[test]
fn in_any_shape_a_result_reaches_its_consumer() {
    let cycles = any_shape(|builder| {
        builder.kernels("k", &[], &[input("x", int32(64))]).cycles("k", 300).connect("c.result", "k.x");
    });
    assert!(cycles >= 10.0 * 300.0 + 100.0, "ten runs, and the way of the first window: {cycles}");
}

#[test]
fn no_floor_is_above_a_run_of_a_random_design() {
    no_floor_is_above_a_run(40, &TimingProfile::thesis());
}

#[test]
#[ignore = "long: 200 designs in all shapes"]
fn no_floor_is_above_a_run_of_a_random_design_in_all_cases() {
    no_floor_is_above_a_run(200, &TimingProfile::thesis());
}

#[test]
fn nor_under_a_profile_whose_loops_and_ways_take_no_time() {
    let mut profile = TimingProfile::thesis();
    let reduce = &mut profile.reduce;
    (reduce.leaf_element, reduce.input_element, reduce.level_element, reduce.level_constant) = (0, 0, 0, 0);
    (profile.window.dma_latency, profile.window.shared_latency) = (0.0, 0.0);
    no_floor_is_above_a_run(40, &profile);
}
