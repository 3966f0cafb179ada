//! `aiec report --why`: where the cycles of a design go, and which changes would help.
//!
//! Cycles are those of the event model. Changes are variants of the design that are built, placed
//! and timed.

mod changes;
mod text;

use aiec_event_model::{Floors, Path};
use aiec_ir::expanded::PortRole;
use aiec_ir::{Design, KernelId};
use serde::Serialize;

use crate::models::{Models, models};
use crate::pipeline::{Back, Front};
use crate::search::Deadline;
use crate::summary::counted;
use crate::unstated::silence;
use crate::variant::Builder;

pub(crate) use text::text;

/// The number of changes that an answer names.
const BEST: usize = 3;

/// What the event model says about a design.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Answer {
    /// Where the cycles go.
    Known(Box<Why>),
    /// Nothing.
    Silent {
        /// Why the event model makes no statement.
        no_statement: String,
    },
}

/// Where the cycles of a design go.
#[derive(Debug, Serialize)]
pub(crate) struct Why {
    /// The name of the timing profile.
    pub(crate) profile: String,
    /// What its cycles rest on.
    pub(crate) note: String,
    /// What the cycles hold: the work of kernels where the design states it.
    pub(crate) holds: String,
    /// Array cycles until everything has left the array.
    pub(crate) total_cycles: f64,
    /// Floors, the lowest first. None when a perfect run has no end.
    pub(crate) floors: Option<Floors>,
    /// The chain of kernels and connections that decided the total.
    pub(crate) path: Path,
    /// The first calls of the collectives by both models.
    pub(crate) models: Vec<Models>,
    /// The changes that help most, the best first.
    pub(crate) changes: Vec<Gain>,
    /// The number of changes that were built.
    pub(crate) built: usize,
    /// The number of changes for which `--time-limit` left no time.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) not_built: usize,
}

/// A change with its effect.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Gain {
    /// The property and its new value, in words of the language.
    pub(crate) change: String,
    /// Array cycles without it.
    pub(crate) before: f64,
    /// Array cycles with it.
    pub(crate) after: f64,
}

/// What to do about kernels whose cycles nothing states. Those that only take part in collectives
/// have no others.
fn without_cycles(front: &Front) -> &'static str {
    let checked = &front.checked;
    let is_open = |id: KernelId| {
        let is_users = |port| matches!(checked.ports[port].role, PortRole::User(_));
        checked.body(id).cycles.is_none() && checked.ports_of(id).any(is_users)
    };
    let own = checked.kernels.enumerate();
    let mut own = own.filter(|(_, kernel)| !checked.families[kernel.family].is_outside());
    match own.any(|(id, _)| is_open(id)) {
        true => {
            "; other code of kernels takes no time: state `cycles`, or give --cycles the output of \
             `aiec sim --timing --json`, which counts it"
        }
        false => "",
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Explains the time of a placed design. No change is begun after `deadline`, and the searches of
/// all of them share the time until then.
pub(crate) fn answer(
    builder: &Builder<'_>,
    design: &Design,
    front: &Front,
    back: &Back,
    deadline: Deadline,
) -> Answer {
    let profile = &front.profile;
    let bar = builder.search.timing();
    let run = aiec_event_model::with_path(&back.timed(front), profile, &bar.watch()).into_parts().0;
    drop(bar);
    let reason = silence(front, run.as_ref().map(|(timeline, _)| timeline));
    let (timeline, path) = match (run, reason) {
        (Some(run), None) => run,
        (_, reason) => {
            let no_statement = reason.unwrap_or_else(|| "it does not end".to_owned());
            return Answer::Silent { no_statement };
        }
    };
    let before = timeline.total_cycles;
    let floors = aiec_event_model::floors(&back.timed(front), profile, &builder.search.timing().watch());
    let changes = changes::of(builder, design, front, back, &path);
    let number = changes.len();
    let mut built = 0;
    let mut gains: Vec<Gain> = Vec::new();
    for change in changes {
        if deadline.is_over() {
            break;
        }
        let share = u32::try_from(number - built).unwrap_or(u32::MAX);
        let limit = deadline.left().map(|left| left / share.max(1));
        let subject = format!("with {}", change.words);
        let search = builder.search.for_subject(&subject, limit);
        built += 1;
        let after = change.cycles(&Builder { search, ..*builder });
        let gain = after.filter(|&after| after < before);
        gains.extend(gain.map(|after| Gain { change: change.words, before, after }));
    }
    let mut changes = gains;
    changes.sort_by(|a, b| a.after.total_cmp(&b.after));
    changes.truncate(BEST);
    Answer::Known(Box::new(Why {
        profile: profile.name.clone(),
        note: profile.note(),
        holds: counted(front) + without_cycles(front),
        total_cycles: before,
        floors,
        path,
        models: models(back, &timeline),
        changes,
        built,
        not_built: number - built,
    }))
}
