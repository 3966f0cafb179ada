//! The search for a placement: tiles, then memory, then the interface row. Where memory runs out, kernels get more room in the
//! next attempt; where DMA channels do, those with many connections stay closer to their partners.
//!
//! In come a checked design and its device; out goes a [`Placement`] that [`verify`](crate::verify()) accepts, or the reason why there
//! is none: proved (`place/infeasible`) or not found within the work allowed (`place/gave-up`).

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, Outcome, catalogue};
use aiec_ir::{IdVec, KernelId};

use crate::attempts::{Care, attempts};
use crate::bound::Bound;
use crate::options::PlaceOptions;
use crate::pins::Pins;
use crate::placement::Placement;
use crate::tiles::Line;
use crate::watch::{Tools, Unseen};
use crate::{channels, contradiction, explain};

/// Kernels of the largest design for which every question of [`explain`] is a whole search of the least effort; larger ones are searched
/// quickly.
const WELL_SEARCHED: usize = 64;

/// A placement and what is known of it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The placement; not verified yet.
    pub placement: Placement,
    /// What no placement goes below.
    pub bound: Bound,
    /// True if the search was stopped before its work was done: another run can give another placement.
    pub cut_short: bool,
}

/// Places every kernel, buffer, stack, input and output of `checked`.
///
/// The same arguments give the same placement on any machine. The result has not been verified yet.
///
/// # Errors
/// `place/infeasible` with the resource, its demand and its supply where counting proves that no placement exists;
/// `place/gave-up` with the last conflict where the search ended without one.
pub fn place(checked: &Checked, device: &Device, options: &PlaceOptions) -> Outcome<Placement> {
    search(checked, device, &Pins::default(), options, &Tools::ALONE).map(|found| found.placement)
}

/// As [`place`] with `tools`: watched, stopped when the watch says so, and with the help of workers.
///
/// Unless it is stopped, the result depends on the solver alone.
///
/// # Errors
/// As [`place`].
pub fn search(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    options: &PlaceOptions,
    tools: &Tools<'_>,
) -> Outcome<Found> {
    search_around(checked, device, pins, options, &Around::default(), tools)
}

/// A line that was too full, and how many of its wires nets shall leave.
pub type HotLine = (Line, u32);

/// A placement that could not be routed, to be mended rather than searched anew.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// The lines that were too full.
    pub hot: &'a [HotLine],
    /// The tiles of all kernels, if there is a placement to begin with.
    pub tiles: Option<&'a IdVec<KernelId, Tile>>,
}

/// As [`search`], `around` a placement that could not be routed.
///
/// # Errors
/// As [`place`].
pub fn search_around(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    options: &PlaceOptions,
    around: &Around<'_>,
    tools: &Tools<'_>,
) -> Outcome<Found> {
    if let Some(contradiction) = contradiction::find(checked, device, pins) {
        return Outcome::error(contradiction);
    }
    let impossible = channels::impossible(checked, device, pins);
    if !impossible.is_empty() {
        return Outcome::from_parts(None, impossible);
    }
    let outcome = attempts(checked, device, pins, options, around, (tools, Care::Whole));
    if outcome.value().is_some() || tools.watch.stopped() {
        return outcome;
    }
    let (_, said) = outcome.into_parts();
    let easy = PlaceOptions { effort: 1, ..*options };
    let care = if checked.kernels.len() > WELL_SEARCHED { Care::Quick } else { Care::Question };
    let finds = |checked: &Checked, device: &Device| {
        let tools = &Tools { watch: &Unseen(tools.watch), ..*tools };
        !tools.watch.stopped()
            && attempts(checked, device, pins, &easy, around, (tools, care)).value().is_some()
    };
    let explain = |refusal: Diagnostic| {
        if refusal.code.slug != catalogue::GAVE_UP.slug {
            return refusal;
        }
        let explained = explain::explained(refusal.clone(), checked, device, finds);
        // Answers that were cut short are no answers.
        if tools.watch.stopped() { refusal } else { explained }
    };
    Outcome::from_parts(None, said.into_iter().map(explain).collect())
}
