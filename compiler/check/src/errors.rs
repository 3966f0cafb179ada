//! The diagnostics of the checks: one constructor per entry of the catalogue, in the order of the
//! rule families.
//!
//! Each constructor takes facts and writes message, labels and help. The facts are structs of this
//! module tree, so the checks import the errors and never the other way round. The message names
//! resource, demand and supply. The labels mark the constructs that ask. The help names one thing
//! to try.

pub(crate) mod blocks;
pub(crate) mod cascade;
pub(crate) mod channels;
pub(crate) mod cuts;
pub(crate) mod cycles;
pub(crate) mod fifos;
pub(crate) mod fixes;
pub(crate) mod hangs;
pub(crate) mod kinds;
pub(crate) mod outside;
pub(crate) mod packets;
pub(crate) mod parameters;
pub(crate) mod pinned;
pub(crate) mod places;
pub(crate) mod rates;
pub(crate) mod resources;
pub(crate) mod shim;
pub(crate) mod shims;
pub(crate) mod stated;
pub(crate) mod windows;
pub(crate) mod wiring;

use aiec_device::Device;
use aiec_diag::{Diagnostic, Span, catalogue, count, listed, size};

use aiec_ir::KernelId;
use aiec_ir::expanded::Expanded;

/// Limit on the kernels that a message names.
const MOST_NAMES: usize = 4;
/// Limit on the labels of one kind in a diagnostic; more would hide the first.
const MOST_LABELS: usize = 5;

/// aiec does not target the device.
pub(crate) fn unsupported_device(device: &Device, place: Option<Span>) -> Diagnostic {
    let what = if place.is_some() { String::new() } else { format!(", the {}", device.description) };
    Diagnostic::new(
        &catalogue::UNSUPPORTED_DEVICE,
        format!("aiec does not target {}{what} yet", device.name),
        "choose a supported device: `aiec devices` lists them",
    )
    .label_at(place, device.description.clone())
}

/// `shortage` would not exist if no tile was left free: `closed` of `all` tiles are.
pub(crate) fn kept_out(
    mut shortage: Diagnostic,
    design: &Expanded,
    device: &Device,
    closed: usize,
    all: usize,
) -> Diagnostic {
    let keepouts = &design.constraints.keepouts;
    let by_device = match device.keepout.len() {
        0 => String::new(),
        tiles => format!(", {tiles} of them by {}", device.name),
    };
    shortage.message = format!(
        "{}; {closed} of the {all} tiles are left free{by_device}, and with them there would be enough",
        shortage.message
    );
    if !keepouts.is_empty() {
        shortage.help = "leave fewer tiles free with `keepout`".into();
        shortage.fixes.clear();
    }
    let labels = keepouts.iter().map(|keepout| (keepout.span, "these tiles are left free".to_owned()));
    labelled(shortage, labels.collect::<Vec<_>>())
}

/// `first`, or `first and n more`, where the name stands for `total` items.
fn and_more(first: &str, total: usize) -> String {
    match total.saturating_sub(1) {
        0 => format!("`{first}`"),
        more => format!("`{first}` and {more} more"),
    }
}

/// The names of kernels with the same fault: the first, and how many more.
fn kernels(design: &Expanded, kernels: &[KernelId]) -> String {
    let first = kernels.first().map_or("", |&kernel| design.kernels[kernel].name.as_str());
    and_more(first, kernels.len())
}

/// The names of kernels, or the first few and how many more.
pub fn list(design: &Expanded, kernels: &[KernelId]) -> String {
    listed(kernels.iter().map(|&kernel| format!("`{}`", design.kernels[kernel].name)), MOST_NAMES)
}

/// Adds at most one label per place and five in all. The last label counts the rest.
pub fn labelled(mut diagnostic: Diagnostic, labels: impl IntoIterator<Item = (Span, String)>) -> Diagnostic {
    let mut kept: Vec<(Span, String)> = Vec::new();
    let mut rest = 0;
    for (span, text) in labels {
        let taken =
            kept.iter().map(|(span, _)| *span).chain(diagnostic.labels.iter().map(|label| label.span));
        if taken.into_iter().any(|taken| taken == span) {
            continue;
        }
        if kept.len() < MOST_LABELS { kept.push((span, text)) } else { rest += 1 }
    }
    if let Some((_, text)) = kept.last_mut().filter(|_| rest > 0) {
        text.push_str(&format!(", and {rest} more like it"));
    }
    for (span, text) in kept {
        diagnostic = diagnostic.label(span, text);
    }
    diagnostic
}
