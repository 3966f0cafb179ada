//! Writes a project: all changes or nothing.

use std::io;

use aiec_diag::Diagnostic;

use super::manifest::MANIFEST;
use super::plan::Plan;
use crate::disk::{Locked, Text};

/// Writes the project of `plan` once this process holds the folder's lock and an interrupted build
/// is finished or undone. It calls `plan` again under the lock: the earlier plan may have seen
/// another process's unfinished work. `may_write` decides whether the plan is carried out.
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

/// The new contents of the changed files. The manifest comes last.
fn texts<'p>(plan: &'p Plan<'_>) -> Vec<Text<'p>> {
    let changes = plan.changes.iter().map(|change| Text { path: &change.path, text: change.text });
    let list = plan.changes_list().then_some(Text { path: MANIFEST, text: Some(&plan.manifest) });
    changes.chain(list).collect()
}
