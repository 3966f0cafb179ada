//! Writing a project: everything that changed, or nothing.

use std::io;

use aiec_diag::Diagnostic;

use super::manifest::MANIFEST;
use super::plan::Plan;
use crate::disk::{Locked, Text};

/// Does what `plan` gives, once nobody else writes to the folder and what an interrupted build left is finished or undone. `plan` is asked again
/// then: what it saw before may have been another's work under way. `may_write` says whether the plan is carried out.
pub(crate) fn settle<'a>(
    plan: impl Fn() -> Result<Plan<'a>, Diagnostic>,
    may_write: impl FnOnce(&Plan<'a>) -> bool,
) -> Result<Plan<'a>, Diagnostic> {
    let seen = plan()?;
    if seen.is_current() {
        return Ok(seen);
    }
    let unwritable = |error: io::Error| {
        aiec_system::errors::output_unwritable(&seen.directory.display().to_string(), &error.to_string())
    };
    let locked = Locked::take(seen.directory).map_err(unwritable)?;
    let plan = plan()?;
    if may_write(&plan) {
        locked.change(&texts(&plan)).map_err(unwritable)?;
    }
    Ok(plan)
}

/// What the files that do not stay are to hold; the list of the folder comes last.
fn texts<'p>(plan: &'p Plan<'_>) -> Vec<Text<'p>> {
    let changes = plan.changes.iter().map(|change| Text { path: &change.path, text: change.text });
    let list = plan.changes_list().then_some(Text { path: MANIFEST, text: Some(&plan.manifest) });
    changes.chain(list).collect()
}
