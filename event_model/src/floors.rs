//! Floors under the time of a run: what no program, no placement and no shape goes below.
//!
//! They are runs of the event model itself, perfect in some respect. The first one also counts what
//! a core loads for collectives.

use aiec_check::Checked;
use aiec_collectives::Rank;
use aiec_ir::expanded::Collective;
use aiec_router_model::Implementation;
use aiec_timing::TimingProfile;
use serde::Serialize;

use crate::ideal::Ideal;
use crate::links::Sources;
use crate::report::Watch;
use crate::run;

/// A time that no run goes below.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Floor {
    /// The shapes and placements over which it holds, in words.
    pub holds: &'static str,
    /// The least array cycles of a run.
    pub cycles: f64,
    /// What its costs assume, in words.
    pub assumes: &'static str,
}

/// The three floors of a run, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Floors {
    /// For collectives of the same data in any shape, with any root, on any placement.
    pub any_shape: Floor,
    /// For the shapes of the design on any placement.
    pub any_placement: Floor,
    /// For the placement of the design.
    pub this_placement: Floor,
}

impl Floors {
    /// All of them, the lowest first.
    pub const fn all(&self) -> [Floor; 3] {
        [self.any_shape, self.any_placement, self.this_placement]
    }
}

/// The floors of a design on a placement. Reports the progress of each run to `watch`. Returns None
/// when the event model makes no statement.
pub fn floors(whole: &Implementation<'_>, profile: &TimingProfile, watch: Watch<'_>) -> Option<Floors> {
    let run = |ideal| total(&Sources::of(whole, profile, ideal), watch);
    let (any_placement, this_placement) = (run(Ideal::Placement)?, run(Ideal::Code)?);
    let floor = |holds, cycles, assumes| Floor { holds, cycles, assumes };
    Some(Floors {
        any_shape: match whole.checked.collectives.is_empty() {
            true => floor("any shape and placement", any_placement, "as the next: there is no collective"),
            false => {
                let rest = run(Ideal::Collectives)?;
                floor("any shape and placement", rest.max(counted(whole.checked, profile)), ANY_SHAPE)
            }
        },
        any_placement: floor("this shape, any placement", any_placement, ANY_PLACEMENT),
        this_placement: floor("this placement", this_placement, THIS_PLACEMENT),
    })
}

/// Array cycles of a run. Returns None when it does not end.
fn total(sources: &Sources<'_>, watch: Watch<'_>) -> Option<f64> {
    let timeline = run::finish(sources.checked, &mut run::engine(sources), watch).into_parts().0?;
    timeline.complete.then_some(timeline.total_cycles)
}

/// The assumptions of a floor for all shapes.
const ANY_SHAPE: &str = "as the next, but collectives take no time and send their results alone; or a core \
                         loads their data at the hardware's rate, or does its stated cycles: what takes longest";
/// The assumptions of a floor for all placements.
const ANY_PLACEMENT: &str = "windows go through shared memory where some placement allows it; loops take their \
                             loads and stores; locks are those of the profile; global memory takes no time";
/// The assumptions of a floor for one placement.
const THIS_PLACEMENT: &str = "loops take their loads and stores, calls have no constants; locks, latencies and \
                              streams are those of the profile; global memory takes no time";

/// Cycles of the busiest kernel or collective, whatever the shape: the stated cycles of a kernel,
/// or the data of a rank at the rate of a core's loads (AM009).
fn counted(checked: &Checked, profile: &TimingProfile) -> f64 {
    let own = checked.kernels.ids().map(|kernel| {
        let cycles = checked.body(kernel).cycles.as_ref().map_or(0, |cycles| u64::from(cycles.value));
        cycles.saturating_mul(checked.firings(kernel))
    });
    let collectives = checked.collectives.iter().map(|collective| {
        let runs = collective.ranks.iter().map(|&rank| checked.firings(rank)).min().unwrap_or(0);
        let calls = runs.saturating_mul(collective.calls.into());
        calls.saturating_mul(data(collective).div_ceil(profile.hardware.load_bytes))
    });
    own.chain(collectives).max().unwrap_or(0) as f64
}

/// Bytes that a rank at least loads or stores in a call: its arrays, without the block that stays
/// where it is if there are several.
fn data(collective: &Collective) -> u64 {
    let block = u64::from(collective.data.value.elements);
    let arrays = Rank::all(collective.plan.size).map(|rank| {
        let (read, written) = collective.array_elements(rank);
        read.max(written)
    });
    let most = arrays.max().unwrap_or(0);
    let moved = if most > block { most - block } else { most };
    moved.saturating_mul(collective.data.value.element.bytes().into())
}
