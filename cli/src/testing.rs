//! `aiec test`: simulates the designs of folders and compares them with their goldens.
#![allow(clippy::disallowed_methods, reason = "this module looks for designs in folders")]

use std::path::{Path, PathBuf};

use aiec_system::errors::output_unwritable;
use aiec_system::passing::scratch::Scratch;

use crate::args::{MessageFormat, Test};
use crate::errors;
use crate::invocation::Invocation;
use crate::locate::{DEPTH, designs_in};
use crate::output::Console;
use crate::search::Wait;
use crate::sim::NOT_COMPARED;
use crate::{SUCCESS, Terminal};

/// Runs every design, whatever the others' faults are. Fails if one fails, or if there is none.
pub(crate) fn run(args: &Test, invocation: &mut Invocation, console: &mut Console<'_>) -> Option<()> {
    let mut designs: Vec<PathBuf> = Vec::new();
    for path in &args.paths {
        let found = if path.is_dir() { designs_in(path, DEPTH) } else { vec![path.clone()] };
        designs.extend(found);
    }
    designs.sort();
    designs.dedup();
    let (mut passed, mut failed) = (0_u32, 0_u32);
    for design in &designs {
        let shown = design.display();
        let wait = Wait::new(format!("simulating {shown}"), invocation.progress);
        let ran = one(design, args, console.terminal());
        drop(wait);
        let Ran { status, said, compared } = invocation.require(ran)?;
        if status == SUCCESS {
            passed += 1;
            console.line(&format!("{shown}: ok{compared}"));
        } else {
            failed += 1;
            console.line(&format!("{shown}: FAILED"));
        }
        let is_document = args.message_format.is_document();
        match is_document.then(|| serde_json::from_str(&said).ok()).flatten() {
            Some(document) => console.hold(document),
            None if status == SUCCESS => {}
            None => console.error(&said),
        }
    }
    console.line(&format!("{passed} passed, {failed} failed"));
    if designs.is_empty() {
        return invocation.fail(errors::no_design_found());
    }
    (failed == 0 && passed > 0).then_some(())
}

/// What became of one design.
struct Ran {
    /// The exit status.
    status: u8,
    /// The diagnostics as text.
    said: String,
    /// The outputs that no golden was compared with, as the end of a line. Empty if there are none.
    compared: String,
}

/// Simulates one design, with its outputs in a folder that is removed.
fn one(design: &Path, args: &Test, terminal: Terminal) -> Result<Ran, aiec_diag::Diagnostic> {
    let unwritable = |error: std::io::Error| output_unwritable("a temporary folder", &error.to_string());
    let scratch = Scratch::new(&std::env::temp_dir(), "aiec-test-").map_err(unwritable)?;
    let mut words: Vec<std::ffi::OsString> = vec!["aiec".into(), "sim".into()];
    words.extend(["--output".into(), scratch.path().join("out").into_os_string()]);
    words.extend(["--cxx".into(), args.cxx.clone().into()]);
    words.extend(args.unplaced.then(|| "--unplaced".into()));
    words.extend(["--message-format".into(), name(args.message_format).into()]);
    words.extend(["--".into(), design.as_os_str().to_owned()]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = crate::run(words, Terminal { progress: false, ..terminal }, &mut out, &mut err);
    let out = String::from_utf8_lossy(&out);
    let open = out.lines().find_map(|line| line.trim().strip_prefix(NOT_COMPARED)?.split(';').next());
    let compared = open.map_or_else(String::new, |open| format!(", {NOT_COMPARED}{open}"));
    Ok(Ran { status, said: String::from_utf8_lossy(&err).into_owned(), compared })
}

/// A format as the command line names it.
fn name(format: MessageFormat) -> String {
    use clap::ValueEnum;
    format.to_possible_value().map_or_else(|| "human".to_owned(), |value| value.get_name().to_owned())
}
