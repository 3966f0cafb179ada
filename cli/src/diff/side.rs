//! One side of `aiec diff`: from a path to a report.

use std::path::{Path, PathBuf};

use aiec_system::files::{self, MAX_VENDOR};

use super::report::{self, Report};
use crate::args::Diff;
use crate::compared::Compared;
use crate::invocation::{Invocation, finish, report_of};
use crate::locate::report_in;
use crate::report::json;
use crate::search::Timing;
use crate::unstated::silence;
use crate::{errors, pipeline};

/// A report, and what the user called it.
pub(super) struct Side {
    /// A path as it was given; of a path from the root its last part, so that results say nothing
    /// about the machine.
    pub(super) name: String,
    pub(super) report: Report,
}

/// The side that `path` names. The sources and data of a design are added to `originals`.
pub(super) fn side(
    path: &Path,
    args: &Diff,
    originals: &mut Vec<PathBuf>,
    invocation: &mut Invocation,
) -> Option<Side> {
    let shown = if path.is_absolute() { path.file_name().map(Path::new).unwrap_or(path) } else { path };
    let name = files::shown(shown);
    let report = match report_in(path) {
        Some(file) => {
            let source = invocation.read(&file, MAX_VENDOR)?;
            let read = report::read(&source.text);
            invocation.require(read.map_err(|reason| errors::bad_report(&source, &reason)))?
        }
        None => of_design(path, args, originals, invocation)?,
    };
    Some(Side { name, report })
}

/// The report of a design or graph with the cycles of the event model.
fn of_design(
    path: &Path,
    args: &Diff,
    originals: &mut Vec<PathBuf>,
    invocation: &mut Invocation,
) -> Option<Report> {
    let Compared { input, options, front, .. } =
        Compared::read(path, args.device.as_ref(), &args.common, originals, invocation)?;
    let back = finish(&front, &args.common.placing, &options, invocation)?;
    let data = report_of(&front, &back, &input, &options, invocation)?;
    let bar = Timing::new(invocation.progress);
    let timeline = pipeline::timeline(&front, &back, &bar.watch(), &mut pipeline::Log::default());
    let known = timeline.filter(|timeline| silence(&front, Some(timeline)).is_none());
    // What aiec writes, it reads.
    let mut report = report::read(&json(&data)).ok()?;
    report.why.total_cycles = known.map(|timeline| timeline.total_cycles);
    Some(report)
}
