//! What a predicted time rests on: measurements of this very form, an extension of them, or none.

use aiec_collectives::{Operation, Shape};
use aiec_ir::{Buffering, CollectiveId, ElementType};
use aiec_timing::TimingProfile;
use serde::Serialize;

use crate::pipeline::Front;

/// What a time of the event model rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Basis {
    /// The thesis measured the same form on a VCK190: its errors are those of the docs.
    Measured,
    /// The model of the thesis, for a form that it did not measure.
    Extended,
    /// Documents and assumptions: nobody measured this on hardware.
    Unmeasured,
    /// A profile of the user.
    Own,
}

impl Basis {
    /// The word in tables.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Measured => "measured form",
            Self::Extended => "extended, not measured",
            Self::Unmeasured => "not measured",
            Self::Own => "profile of the user",
        }
    }
}

/// True for a profile that comes with aiec.
fn is_builtin(profile: &str) -> bool {
    TimingProfile::names().any(|name| name == profile)
}

/// What a line of cycles with this profile rests on, as a sentence for the user.
pub(crate) fn note(profile: &str) -> String {
    match is_builtin(profile) {
        true => format!(
            "Cycles are estimates with profile {profile}. Measured on hardware were windows of 16 bytes, and scalar \
             int32 reductions in binary trees; all else was not.\n"
        ),
        false => format!("Cycles are estimates with profile {profile}, which does not come with aiec.\n"),
    }
}

/// What latencies of windows with this profile rest on.
pub(crate) fn of_latency(profile: &str) -> Basis {
    if is_builtin(profile) { Basis::Measured } else { Basis::Own }
}

/// What the times of a collective rest on. The thesis measured reductions of `int32` in binary
/// trees, with loops that go element by element.
pub(crate) fn of_collective(front: &Front, id: CollectiveId) -> Basis {
    if !is_builtin(&front.profile.name) {
        return Basis::Own;
    }
    let collective = &front.checked.collectives[id];
    let is_known = collective.plan.operation == Operation::Reduce && !collective.plan.is_cascade();
    if !collective.scalar || !is_known {
        return Basis::Unmeasured;
    }
    let is_int32 = collective.data.value.element == ElementType::Int32;
    let is_pingpong = collective.buffering == Buffering::Pingpong;
    match collective.plan.shape {
        Shape::Tree(2) if is_int32 && is_pingpong => Basis::Measured,
        _ => Basis::Extended,
    }
}
