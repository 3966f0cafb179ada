//! Runs the search for a placement after the proofs have found nothing against it.
//!
//! Takes a checked design, its device and the fixed tiles. Returns the best placement met, or the
//! reason why there is none.

use std::collections::BTreeMap;

use aiec_check::Checked;
use aiec_check::prove::{Bound, Pins, SMALL, Weighted, bound};
use aiec_device::{Device, TileId};
use aiec_diag::Outcome;

use crate::errors::Lack;
use crate::lines::Tiles;
use crate::options::PlaceOptions;
use crate::place::{Basis, Found};
use crate::placement::Placement;
use crate::rules::Rules;
use crate::tiles::{self, State, TileProblem};
use crate::watch::Run;
use crate::{buffers, errors, shims, verify};

/// Searches for a placement. A quick `run` is one short annealing, and has no bound.
pub(crate) fn attempt(
    checked: &Checked,
    device: &Device,
    options: &PlaceOptions,
    basis: &Basis<'_>,
    run: &Run<'_>,
) -> Outcome<Found> {
    let grid = checked.open_grid(device);
    let bound =
        if run.quick || run.stopped() { Bound::NONE } else { bound(checked, device, run.tools.watch) };
    if let Some(no_room) = aiec_check::prove::no_room(checked, device, &grid, bound) {
        return Outcome::error(no_room);
    }
    placed(checked, device, options, basis, &Run { bound, ..*run })
}

/// Searches from a `basis`. The `run` has the bound.
fn placed(
    checked: &Checked,
    device: &Device,
    options: &PlaceOptions,
    basis: &Basis<'_>,
    run: &Run<'_>,
) -> Outcome<Found> {
    let grid = checked.open_grid(device);
    let rules = Rules::new(checked, device, &grid, basis.pins);
    let mut problem = TileProblem::new(checked, device, &grid, rules, &options.objective);
    basis.hot.iter().for_each(|hot| problem.nets.spare(hot.line, hot.wires));
    let before = basis.tiles.and_then(|tiles| tiles.iter().map(|&tile| grid.id(tile)).collect());
    let enumerated = |state: &State<'_>| enumerated(checked, device, basis.pins, state, run);
    let state = tiles::assign(&problem, options, before, &enumerated, run);
    let stopped = run.stopped() && !run.quick;
    let refuse = |lack| Outcome::error(errors::gave_up(lack, stopped));
    let Some(state) = state else { return refuse(errors::no_start(checked)) };
    if let Some(lack) = lack(checked, &state) {
        let pins = if run.quick { None } else { joined(checked, device, basis.pins, run) };
        let held = pins.map(|pins| placed(checked, device, options, &Basis { pins: &pins, ..*basis }, run));
        return held.filter(|held| held.value().is_some()).unwrap_or_else(|| refuse(lack));
    }
    let shims = match shims::assign(checked, device, &grid, &state.tiles) {
        Err(external) => return Outcome::error(errors::no_shim_channel(checked, device, external)),
        Ok(shims) => shims,
    };
    let (stacks, buffers) = buffers::settle(checked, device, &state, run.tools.watch);
    let kernels = state.tiles.iter().map(|&id| grid.tile(id)).collect();
    let placement = Placement { kernels, stacks, buffers, shims, fifos: BTreeMap::new() };
    if let Some(broken) = verify::unkept(checked, device, &placement) {
        return refuse(errors::block_unkept(broken));
    }
    Outcome::ok(Found { placement, bound: run.bound, cut_short: stopped })
}

/// The connections that may share memory.
fn edges(checked: &Checked) -> Vec<Weighted> {
    let ends = |from, to| checked.kernel_of(from).zip(checked.kernel_of(to));
    let shareable = checked.connections.iter().filter(|c| checked.may_share(c.from));
    let edges = shareable.filter_map(|c| ends(c.from, c.to)).filter(|(a, b)| a != b);
    edges.map(|(a, b)| (a, b, 1)).collect()
}

/// Fixed tiles for the kernels of a large design that constraints join, by the enumeration of the
/// proofs. Returns None when there are none, or bounded work finds none.
fn joined(checked: &Checked, device: &Device, pins: &Pins, run: &Run<'_>) -> Option<Pins> {
    if checked.kernels.len() <= SMALL {
        return None;
    }
    aiec_check::prove::joined(checked, device, pins, &edges(checked), run.tools.watch)
}

/// Tiles that make a small design legal, by the enumeration of the proofs. Returns None when
/// bounded work finds none. `state` is any state of the design.
fn enumerated(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    state: &State<'_>,
    run: &Run<'_>,
) -> Option<Tiles> {
    let mut is_legal = |tiles: &[TileId]| state.with(tiles.iter().copied().collect()).violations() == 0;
    let tiles =
        aiec_check::prove::tiles(checked, device, pins, &edges(checked), run.tools.watch, &mut is_legal)?;
    Some(tiles.into_iter().collect())
}

/// What `state` lacks, if it is not legal.
fn lack(checked: &Checked, state: &State<'_>) -> Option<Lack> {
    let problem = state.problem;
    if let Some((a, b, rule)) = problem.broken_pairs(&state.tiles).next() {
        return Some(errors::pair_unkept(checked, a, b, rule));
    }
    if let Some(tile) = problem.grid.ids().find(|&tile| state.is_overfull(tile)) {
        return Some(errors::no_core(checked, problem.grid.tile(tile), state.on(tile)));
    }
    // Free parts in 1/1024 of what a module has.
    let parts = problem.grid.ids().flat_map(|module| {
        let room = state.memory.room(module).iter().zip(&problem.needs.capacity).enumerate();
        room.map(move |(at, (&room, &all))| (i64::from(room) * 1024 / i64::from(all).max(1), at, module))
    });
    let (_, resource, module) = parts.min().filter(|(part, ..)| *part < 0)?;
    Some(errors::no_memory(checked, state, module, resource))
}
