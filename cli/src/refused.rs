//! Designs that the checks refuse and that can be drawn all the same.

use aiec_diag::SourceFile;

use crate::pipeline::{Front, Log, Options, design, device_of, expand};

/// Text to the refused design, for a picture of the line that has too few wires. Returns None
/// when something else is wrong, or a kernel has no stated place. What it logs is logged already.
pub(crate) fn overfull(source: &SourceFile, options: &Options) -> Option<Front> {
    let mut log = Log::default();
    let expanded = expand(&design(source, options, &mut log)?, options, &mut log)?;
    let device = device_of(&expanded, options, &mut log)?;
    let checked = aiec_check::overfull(expanded, &device, &options.allowed)?;
    Some(Front::new(device, checked, options))
}
