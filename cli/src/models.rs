//! The first call of each collective by both models: closed form and event simulation.
//!
//! Where nothing was measured, their difference is the least uncertainty of both.

use aiec_event_model::Timeline;
use aiec_timing::Basis;
use serde::Serialize;

use crate::pipeline::Back;

/// The first call of a collective, in array cycles.
#[derive(Debug, Serialize)]
pub(crate) struct Models {
    /// The name of the collective.
    pub(crate) collective: String,
    /// The cycle at which the event model completes it.
    pub(crate) done_at: f64,
    /// By the closed form.
    pub(crate) closed_cycles: i64,
    /// By the event model. None when the ranks do not begin together, as the closed form takes it.
    pub(crate) event_cycles: Option<f64>,
    /// Difference of the two, in per cent of the event model. None when there is one of them alone.
    pub(crate) difference_percent: Option<f64>,
    /// What both rest on.
    pub(crate) basis: Basis,
}

/// The collectives that the event model completed.
pub(crate) fn models(back: &Back, timeline: &Timeline) -> Vec<Models> {
    let both = timeline.collectives.iter().zip(&back.estimate.collectives);
    let compared = both.filter_map(|(times, estimate)| {
        let done_at = times.first?;
        let event_cycles = times.start.map(|start| done_at - start).filter(|&cycles| cycles > 0.0);
        let closed = estimate.call_cycles as f64;
        Some(Models {
            collective: times.name.clone(),
            done_at,
            closed_cycles: estimate.call_cycles,
            event_cycles,
            difference_percent: event_cycles.map(|cycles| (closed - cycles).abs() / cycles * 100.0),
            basis: estimate.basis,
        })
    });
    compared.collect()
}

impl Models {
    /// What the times rest on, and how uncertain they are at least if nothing was measured.
    pub(crate) fn rests_on(&self) -> String {
        let words = self.basis.words();
        let uncertain = self.difference_percent.filter(|&percent| percent >= 0.5);
        match uncertain.filter(|_| self.basis != Basis::Measured) {
            Some(percent) => format!("{words}, uncertain by {percent:.0} % or more"),
            None => words.to_owned(),
        }
    }
}
