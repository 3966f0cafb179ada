//! The search for a placement: tiles, then memory, then the interface row. Where memory runs out, kernels get more room in the
//! next attempt; where DMA channels do, those with many connections stay closer to their partners.
//!
//! In come a checked design and its device; out goes a [`Placement`] that [`verify`](crate::verify()) accepts, or the reason why there
//! is none: proved (`place/infeasible`) or not found within the work allowed (`place/gave-up`).

use std::collections::BTreeSet;

use aiec_device::{Device, Grid, Tile, TileId};
use aiec_diag::{Diagnostic, Outcome, catalogue};
use aiec_ir::{Checked, IdVec, KernelId};

use crate::bound::{Bound, bound};
use crate::buffers::{self, Conflict, Memory};
use crate::options::PlaceOptions;
use crate::pins::Pins;
use crate::placement::{Placement, PortBuffers};
use crate::rules::Rules;
use crate::score::Score;
use crate::teams::Teams;
use crate::tiles::{self, Line, TileProblem, rank};
use crate::watch::{Run, Tools, Unseen};
use crate::{contradiction, crowd, errors, explain, shims};

/// Density up to which kernels may crowd at first, in 1/1024 of a module.
const FIRST_CROWDING: i64 = 870;
/// What each conflict over memory takes off that.
const CROWDING_STEP: i64 = 90;

/// Kernels of the largest design for which every question of [`explain`] is a whole search of the least effort; larger ones are searched
/// quickly.
const WELL_SEARCHED: usize = 128;
/// Attempts of such a quick search.
const QUICK_ATTEMPTS: u32 = 2;

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
    let outcome = attempts(checked, device, pins, options, around, (tools, false));
    if outcome.value().is_some() || tools.watch.stopped() {
        return outcome;
    }
    let (_, said) = outcome.into_parts();
    let easy = PlaceOptions { effort: 1, ..*options };
    let quick = checked.kernels.len() > WELL_SEARCHED;
    let finds = |checked: &Checked, device: &Device| {
        let tools = &Tools { watch: &Unseen(tools.watch), ..*tools };
        !tools.watch.stopped()
            && attempts(checked, device, pins, &easy, around, (tools, quick)).value().is_some()
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

/// Attempts with more and more room between kernels, until one gives a placement or the search gives up.
fn attempts(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    options: &PlaceOptions,
    around: &Around<'_>,
    (tools, quick): (&Tools<'_>, bool),
) -> Outcome<Found> {
    let grid = Grid::without(device, |tile| checked.is_closed(device, tile));
    let impossible = crowd::impossible(checked, device, &grid);
    if !impossible.is_empty() {
        return Outcome::from_parts(None, impossible);
    }
    let Tools { watch, workers, solver } = *tools;
    // A quick search only asks whether there is anything.
    let bound = if quick { Bound::NONE } else { bound(checked, device) };
    let rules = Rules::new(checked, &grid, pins);
    let teams = match Teams::new(checked, device, &grid, &rules) {
        Ok(teams) => teams,
        Err(shortage) => return Outcome::error(errors::too_few_cores(checked, &shortage)),
    };
    let rules = rules.of_teams(&teams.members, &teams.of);
    let mut problem = TileProblem::new(checked, device, &grid, (&teams, rules), &options.objective);
    for &(line, wires) in around.hot {
        problem.nets.spare(line, wires);
    }
    let mut before = around.tiles.and_then(|tiles| teams.tiles(&grid, tiles));
    let mut best: Option<(Score, Vec<TileId>, Memory)> = None;
    let (mut last, mut broken, mut tightness) = (None, None, 0);
    let attempts = if quick { QUICK_ATTEMPTS } else { options.attempts() };
    for attempt in 0..attempts {
        let crowding = crowding(&problem, tightness);
        let run = &Run { watch, workers, solver, bound, attempt, quick };
        // A placement that found no room is no beginning for the next attempt.
        let before = before.take();
        let Some(tiles) = tiles::assign(&problem, options, crowding, before.as_deref(), run) else {
            return Outcome::error(errors::no_start(checked));
        };
        broken = problem.broken_pair(&tiles);
        if broken.is_some() {
            continue;
        }
        let cuts = problem.cut_connections(&tiles);
        let spread_out = teams.spread(&tiles);
        match buffers::assign(checked, device, &grid, &teams, &spread_out) {
            Ok(memory) => {
                let connections = problem.always + cuts + memory.flipped;
                // Where connections went by DMA for want of room, kernels get more of it once.
                let last = quick || memory.flipped == 0 || best.is_some() || run.is_least(connections);
                let is_shared = |from| memory.buffers[from] == PortBuffers::Shared;
                let score = rank::with_memory(&problem, &tiles, is_shared);
                if best.as_ref().is_none_or(|(least, ..)| score < *least) {
                    best = Some((score, spread_out, memory));
                }
                if last || watch.stopped() {
                    break;
                }
                tightness += 1;
            }
            Err(conflict) => {
                if conflict.is_about_channels() {
                    problem.channel_price = (problem.channel_price * 4).min(1 << 20);
                } else {
                    spread(&mut problem, &teams, &conflict);
                    tightness += 1;
                }
                last = Some(conflict);
            }
        }
    }
    match (best, last, broken) {
        (Some((_, tiles, memory)), ..) => finish(checked, device, &grid, &tiles, memory)
            .map(|placement| Found { placement, bound, cut_short: watch.stopped() }),
        (None, Some(conflict), None) => {
            Outcome::error(errors::gave_up(checked, &grid, &conflict, options, watch.stopped()))
        }
        (None, _, Some((a, b, together))) => {
            let pair = (&teams.members[a][..], &teams.members[b][..]);
            Outcome::error(errors::pair_unkept(checked, pair, together, options))
        }
        (None, None, None) => Outcome::error(errors::no_start(checked)),
    }
}

/// The density limit after so many conflicts over memory; none if no tile could exceed it, since a module sees at most the densest kernels' mean.
fn crowding(problem: &TileProblem<'_>, tightness: u32) -> Option<i64> {
    let limit = (FIRST_CROWDING - CROWDING_STEP * i64::from(tightness)).max(100);
    let densest = problem.density.iter().copied().max().unwrap_or(0);
    (densest > limit).then_some(limit)
}

/// Makes the kernels around a conflict ask for more room in the next attempt.
fn spread(problem: &mut TileProblem<'_>, teams: &Teams, conflict: &Conflict) {
    let crowd: BTreeSet<usize> = conflict.kernels.iter().map(|kernel| teams.of[kernel.index()]).collect();
    for team in crowd {
        let density = &mut problem.density[team];
        *density = (*density * 5 / 4 + 64).min(4096);
    }
    let density = &mut problem.density[teams.of[conflict.kernel.index()]];
    *density = (*density + 128).min(4096);
}

fn finish(
    checked: &Checked,
    device: &Device,
    grid: &Grid,
    tiles: &[TileId],
    memory: Memory,
) -> Outcome<Placement> {
    match shims::assign(checked, device, grid, tiles) {
        Err(external) => Outcome::error(errors::no_shim_channel(checked, device, external)),
        Ok(shims) => Outcome::ok(Placement {
            kernels: tiles.iter().map(|&id| grid.tile(id)).collect(),
            stacks: memory.stacks,
            buffers: memory.buffers,
            shims,
        }),
    }
}
