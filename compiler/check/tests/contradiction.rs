//! Contradictions between constraints are found exactly where an enumeration finds no tiles.

use std::sync::atomic::{AtomicU32, Ordering};

use aiec_check::prove::{Pins, impossible, tiles};
use aiec_check::{Alone, Checked, Watch};
use aiec_device::{Device, builtin};
use aiec_diag::{Diagnostic, catalogue};
use aiec_test_support::Builder;
use aiec_test_support::exhaustive::{Grids, by_trying, constrain, few, keeps_all, random, toy};
use proptest::prelude::*;

/// The contradiction that is proved, if there is one.
fn contradiction(checked: &Checked, device: &Device) -> Option<Diagnostic> {
    let proofs = impossible(checked, device, &Pins::default(), &Alone);
    proofs.into_iter().find(|proof| proof.code.slug == catalogue::CONTRADICTION.slug)
}

#[test]
fn partners_of_a_kernel_are_counted_two_to_a_core_where_a_core_runs_two() {
    let device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
    let is_possible = |partners: u32| {
        let mut builder = few(partners + 1, Some(400));
        for partner in 1..=partners {
            builder.together(&["k[0]", &format!("k[{partner}]")]);
        }
        let checked = checked(&builder, &device).expect("no single group is too large");
        contradiction(&checked, &device).is_none()
    };
    // One beside the first, and two on each of the eight cores around it.
    assert_eq!([17, 18].map(is_possible), [true, false]);
}

/// A watch that has stopped before the first question, and counts them.
struct Past(AtomicU32);

impl Watch for Past {
    fn stopped(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        true
    }
}

#[test]
fn proofs_end_at_once_when_their_time_is_over_and_then_prove_less() {
    let device = builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in");
    let mut builder = few(19, Some(400));
    (1..19).for_each(|partner| _ = builder.together(&["k[0]", &format!("k[{partner}]")]));
    let design = checked(&builder, &device).expect("no single group is too large");
    assert!(contradiction(&design, &device).is_some());
    let watch = Past(AtomicU32::new(0));
    assert!(impossible(&design, &device, &Pins::default(), &watch).is_empty());
    assert!(tiles(&design, &device, &Pins::default(), &[], &watch, &mut |_| true).is_none());
    let asked = watch.0.load(Ordering::Relaxed);
    assert!((2..9).contains(&asked), "{asked} questions");
}

fn checked(builder: &Builder, device: &Device) -> Option<Checked> {
    aiec_check::check(builder.expanded().expect("names are right"), device).into_parts().0
}

/// Compares the answers for `builder`, if the checks accept it, with an enumeration.
fn is_told_exactly(builder: &Builder, device: &Device) -> Result<(), TestCaseError> {
    let Some(checked) = checked(builder, device) else { return Ok(()) };
    let grid = checked.open_grid(device);
    let grids = Grids { open: &grid, whole: &grid };
    let possible = by_trying(&checked, grids, &mut Vec::new());
    let found = contradiction(&checked, device);
    prop_assert_eq!(found.is_none(), possible, "{:?}", found);
    let tiles = tiles(&checked, device, &Pins::default(), &[], &Alone, &mut |_| true);
    prop_assert_eq!(tiles.is_some(), possible, "{:?}", tiles);
    prop_assert!(tiles.is_none_or(|tiles| keeps_all(&checked, grids, &tiles)));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any design that the checks accept, on an array of 4 by 3.
    #[test]
    fn a_contradiction_is_found_exactly_where_trying_out_finds_nothing(constraints in random()) {
        is_told_exactly(&constrain(few(4, None), &constraints, 4, 3), &toy(4, 3))?;
    }

    /// Cores that run one, two or three of four to eight kernels, on an array of 2 by 3.
    /// Kernels that no constraint names take tiles too.
    #[test]
    #[ignore = "long: places many designs"]
    fn contradictions_are_told_exactly_also_where_kernels_share_cores(
        (constraints, ratio, kernels) in (random(), 300_u32..=600, 4_u32..9)
    ) {
        is_told_exactly(&constrain(few(kernels, Some(ratio)), &constraints, 2, 3), &toy(2, 3))?;
    }
}
