//! The run behind `aiec report --trace`.

use aiec_event_model::{Timeline, Trace};

use crate::pipeline::{Back, Front};
use crate::search::Timing;
use crate::unstated::assumed;

/// Runs a placed design in the event model. Shows a bar if it takes long and this is `visible`. The
/// trace is there even if the run stops in the order of the model, which is no fault of the design.
pub(crate) fn traced(front: &Front, back: &Back, visible: bool) -> (Option<Timeline>, Trace) {
    let bar = Timing::new(visible);
    let (timeline, mut trace) = aiec_event_model::traced(&back.timed(front), &front.profile, &bar.watch());
    trace.other.assumed = assumed(front.timed());
    (timeline.into_parts().0, trace)
}
