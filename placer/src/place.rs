//! The way to a placement: proofs that there is none, then the search over tiles and memory, then
//! the interface row.
//!
//! Takes a checked design and its device. Returns a [`Placement`] that [`verify`](crate::verify())
//! accepts, or the reason why there is none: proved (`place/infeasible`) or not found within the
//! work allowed (`place/gave-up`).

use aiec_check::Checked;
use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, Outcome, catalogue};
use aiec_ir::{IdVec, KernelId};

use crate::options::PlaceOptions;
use crate::placement::Placement;
use crate::search::attempt;
use crate::tiles::Line;
use crate::watch::{Tools, Unseen};
use aiec_prove::Bound;
use aiec_prove::Pins;

/// Largest number of kernels for which every question of [`aiec_prove::explained`] is a full search
/// at effort 1, of about a second. Larger designs get quick searches.
const WELL_SEARCHED: usize = 64;

/// A placement, its lower bound and how the search ended.
#[derive(Clone, Debug)]
pub struct Found {
    /// The placement, not verified yet.
    pub placement: Placement,
    /// Lower bound on the connections through DMA.
    pub bound: Bound,
    /// True if the search was stopped early. Another run can give another placement.
    pub cut_short: bool,
}

/// Places every kernel, buffer, stack, input and output of `checked`.
///
/// The same arguments give the same placement on any machine. The result is not verified yet.
///
/// # Errors
/// Returns `place/infeasible` with the resource, its demand and its supply when counting proves
/// that no placement exists. Returns `place/gave-up` with the last conflict when the search ends
/// without a placement.
pub fn place(checked: &Checked, device: &Device, options: &PlaceOptions) -> Outcome<Placement> {
    let around = Around::default();
    search(checked, device, &Pins::default(), options, &around, &Tools::ALONE).map(|found| found.placement)
}

/// An overfull line, and the number of its wires that nets must leave free.
pub type HotLine = (Line, u32);

/// A placement that could not be routed. The search repairs it instead of starting from scratch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// The overfull lines.
    pub hot: &'a [HotLine],
    /// The tiles of all kernels to start from. None when there is no earlier placement.
    pub tiles: Option<&'a IdVec<KernelId, Tile>>,
}

/// Like [`place`], with the tiles of `pins`, `around` a placement that could not be routed, and
/// with `tools`: a watch that can stop the search, and workers.
///
/// Unless the watch stops the search, the result depends on the solver alone.
///
/// # Errors
/// As [`place`].
pub fn search(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    options: &PlaceOptions,
    around: &Around<'_>,
    tools: &Tools<'_>,
) -> Outcome<Found> {
    let impossible = aiec_prove::impossible(checked, device, pins);
    if !impossible.is_empty() {
        return Outcome::from_parts(None, impossible);
    }
    let outcome = attempt(checked, device, pins, options, around, tools, false);
    if outcome.value().is_some() || tools.watch.stopped() {
        return outcome;
    }
    let (_, said) = outcome.into_parts();
    let easy = PlaceOptions { effort: 1, ..*options };
    let quick = checked.kernels.len() > WELL_SEARCHED;
    let finds = |checked: &Checked, device: &Device| {
        let tools = &Tools { watch: &Unseen(tools.watch), ..*tools };
        !tools.watch.stopped()
            && attempt(checked, device, pins, &easy, around, tools, quick).value().is_some()
    };
    let explain = |refusal: Diagnostic| {
        if refusal.code.slug != catalogue::GAVE_UP.slug {
            return refusal;
        }
        let explained = aiec_prove::explained(refusal.clone(), checked, device, finds);
        // An interrupted question gives no answer, so its explanation is dropped.
        if tools.watch.stopped() { refusal } else { explained }
    };
    Outcome::from_parts(None, said.into_iter().map(explain).collect())
}
