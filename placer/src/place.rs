//! The way to a placement: proofs that there is none, then the search over tiles and memory, then
//! the interface row.
//!
//! Takes a checked design and its device. Returns a [`Placement`] that [`verify`](crate::verify())
//! accepts, or the reason why there is none: proved (`place/infeasible`) or not found within the
//! work allowed (`place/gave-up`).

use aiec_check::Checked;
use aiec_check::statement::NO_PINS;
use aiec_device::{Device, Tile};
use aiec_diag::{Diagnostic, Outcome, catalogue};
use aiec_ir::{IdVec, KernelId};

use crate::options::PlaceOptions;
use crate::placement::Placement;
use crate::search::attempt;
use crate::tiles::Line;
use crate::watch::{Quiet, Run, Tools};
use aiec_check::prove::{Bound, Pins, SMALL};

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
    search(checked, device, options, &Basis::NOTHING, &Tools::ALONE).map(|found| found.placement)
}

/// An overfull line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HotLine {
    /// Where nets cross it.
    pub line: Line,
    /// Number of its wires that nets must leave free.
    pub wires: u32,
}

/// What a search starts from: a placement file, and a placement that could not be routed, which the
/// search repairs instead of starting from scratch.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// The tiles that a placement file fixes.
    pub pins: &'a Pins,
    /// Lines on which nets must leave wires free, since they were overfull.
    pub hot: &'a [HotLine],
    /// The tiles of all kernels to start from. None when there is no earlier placement.
    pub tiles: Option<&'a IdVec<KernelId, Tile>>,
}

impl Basis<'static> {
    /// No placement file and no earlier placement.
    pub const NOTHING: Self = Self { pins: &NO_PINS, hot: &[], tiles: None };
}

/// Like [`place`], from a `basis`, and with `tools`: a watch that can stop the search, and workers.
///
/// Unless the watch stops the search, the result depends on the solver alone.
///
/// # Errors
/// As [`place`].
pub fn search(
    checked: &Checked,
    device: &Device,
    options: &PlaceOptions,
    basis: &Basis<'_>,
    tools: &Tools<'_>,
) -> Outcome<Found> {
    if options.effort == 0 {
        let run = Run { tools: *tools, bound: Bound::NONE, quick: true };
        return attempt(checked, device, options, basis, &run);
    }
    let impossible = aiec_check::prove::impossible(checked, device, basis.pins, tools.watch);
    if !impossible.is_empty() {
        return Outcome::from_parts(None, impossible);
    }
    let run = Run { tools: *tools, bound: Bound::NONE, quick: false };
    let outcome = attempt(checked, device, options, basis, &run);
    if outcome.value().is_some() || run.stopped() {
        return outcome;
    }
    let (_, said) = outcome.into_parts();
    let easy = PlaceOptions { effort: 1, ..*options };
    let tools = Tools { watch: &Quiet(tools.watch), ..*tools };
    // A full search at effort 1 takes a small design about a second; larger ones get quick ones.
    let question = Run { tools, quick: checked.kernels.len() > SMALL, ..run };
    let finds = |checked: &Checked, device: &Device| {
        !run.stopped() && attempt(checked, device, &easy, basis, &question).value().is_some()
    };
    let explain = |refusal: Diagnostic| {
        if refusal.code.slug != catalogue::GAVE_UP.slug {
            return refusal;
        }
        let explained = aiec_check::prove::explained(refusal.clone(), checked, device, finds);
        // An interrupted question gives no answer, so its explanation is dropped.
        if run.stopped() { refusal } else { explained }
    };
    Outcome::from_parts(None, said.into_iter().map(explain).collect())
}
