//! `aiec diff`: what changed between two designs, builds or reports.
//!
//! Both sides are reports: read from a file or from the folder of a build, or made of a design or
//! graph. So the old design is not needed to compare its build with the new one.

mod changes;
mod page;
mod report;
mod shift;
mod side;
mod tables;

use crate::args::Diff;
use crate::disk::Form;
use crate::invocation::Invocation;
use crate::output::Console;
use crate::report::json;
use crate::results::Results;

/// Compares the two sides. Returns true if they differ.
pub(crate) fn run(args: &Diff, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<bool> {
    let mut originals = Vec::new();
    let mut old = side::side(&args.old, args, &mut originals, invocation)?;
    let mut new = side::side(&args.new, args, &mut originals, invocation)?;
    let mut results = Results::of_files(args.overwrite, invocation);
    results.protect(originals);
    changes::align(&mut old, &mut new);
    let renamed = changes::rename(&mut old, &new);
    let differences = changes::between(&old, &new, renamed);
    let file = args.json.clone().flatten();
    results.check(&[(&file, Form::Json), (&args.html, Form::Svg)], invocation)?;
    let html = page::page([&old, &new], &differences);
    results.write(&[(&file, Form::Json, json(&differences)), (&args.html, Form::Svg, html)], invocation)?;
    match args.json {
        Some(None) => console.text(&json(&differences)),
        _ => console.text(&tables::text(&differences)),
    }
    Some(!differences.equal)
}
