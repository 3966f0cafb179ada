//! No accepted design gets stuck: random designs whose user kernels have synchronous ports only,
//! checked, placed, routed and simulated. The check counts buffers with tokens before placement.
//! The simulation uses the buffers of the placement and the times of the hardware.

mod common;

use aiec_ir::Expanded;
use aiec_placer::PlaceOptions;
use aiec_router_model::Implementation;
use aiec_timing::TimingProfile;
use common::laid::laid;
use common::random::random;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// The outcome for a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Refused,
    /// For a circle of waits that takes in an empty buffer.
    Full,
    NotRouted,
    Ran,
    Stuck,
}

fn end(expanded: Expanded) -> End {
    let device = aiec_device::builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
    let (checked, found) = aiec_check::check(expanded, &device).into_parts();
    let Some(checked) = checked else {
        return if found.iter().any(|d| d.message.contains("empty buffer at")) {
            End::Full
        } else {
            End::Refused
        };
    };
    let Ok((placed, routed)) = laid(&checked, &device, &PlaceOptions::default()) else {
        return End::NotRouted;
    };
    let profile = TimingProfile::thesis();
    let whole = Implementation { checked: &checked, placed: &placed, routed: &routed, device: &device };
    match aiec_event_model::run(&whole, &profile, &|_| ()).into_parts().0 {
        Some(_) => End::Ran,
        None => End::Stuck,
    }
}

#[test]
fn accepted_designs_with_synchronous_ports_run_to_their_end() {
    accepted_designs_run(300);
}

#[test]
#[ignore = "long: runs 1500 designs"]
fn accepted_designs_with_synchronous_ports_run_to_their_end_in_all_cases() {
    accepted_designs_run(1500);
}

/// Runs `cases` random designs. At least one of 15 runs, and one of 300 is refused for an empty
/// buffer.
fn accepted_designs_run(cases: u32) {
    let mut ends = Vec::new();
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let seen = std::cell::RefCell::new(&mut ends);
    let result = runner.run(&random(), |design| {
        let Some(expanded) = design.expanded() else { return Ok(()) };
        let end = end(expanded);
        seen.borrow_mut().push(end);
        prop_assert_ne!(end, End::Stuck);
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    let count = |wanted: End| ends.iter().filter(|&&end| end == wanted).count();
    let cases = cases as usize;
    assert!(
        count(End::Ran) > cases / 15 && count(End::Full) > cases / 300,
        "the designs are worth checking: {ends:?}"
    );
}
