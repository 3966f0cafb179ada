//! Assigns kernels to cores: the best tiles by the objective. The usual order puts the fewest
//! connections through DMA first.
//!
//! Takes a [`TileProblem`], whose kernels are teams that run on one core. Returns tiles, none
//! twice. Each kernel is on a tile that it may take, and formations keep their layout. Pairs that
//! must or must not share memory only have a high cost; [`TileProblem::broken_pair`] reports a pair
//! that is not kept. Several [starts](start) are annealed, and integer programs over neighbourhoods
//! improve the best one. A small design is one neighbourhood; the program then proves that no
//! placement on its region needs fewer connections through DMA. [Scores](rank) compare the
//! assignments, and hill climbing ([`polish`]) on the score improves the best one.

mod anneal;
mod embed;
mod fill;
mod groups;
mod model;
mod neighbourhood;
mod plain;
mod polish;
mod prices;
mod problem;
pub(crate) mod rank;
mod seen;
pub(crate) mod small;
mod start;
mod state;
mod structure;
mod traffic;
mod weights;

use aiec_device::TileId;

pub(crate) use problem::{TileProblem, legal_columns};
pub(crate) use seen::Seen;
use start::Steps;
use state::{Costs, State};
use structure::Snake;
pub use traffic::Line;
pub(crate) use traffic::Nets;

use crate::objective::Term;
use crate::options::PlaceOptions;
use crate::random::Random;
use crate::watch::Run;

/// Finds tiles for all kernels. `crowding` limits their density (1/1024 of a module); None ignores
/// memory. With tiles in `before`, which must keep the rules, it repairs these where lines are too
/// full.
///
/// Returns None when there are more kernels than tiles.
pub(crate) fn assign(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    crowding: Option<i64>,
    before: Option<&[TileId]>,
    run: &Run<'_>,
) -> Option<Vec<TileId>> {
    let costs = Costs { crowding, centre: centre(problem), traffic: false };
    let mut random = Random::new(options.seed.wrapping_add(u64::from(run.attempt) << 32));
    if run.quick {
        let state = State::new(problem, costs, start::columns(problem, costs.centre)?);
        let moves = QUICK_MOVES.min(QUICK_MOVES_PER_KERNEL * problem.kernels() as u64);
        return Some(anneal::anneal(problem, state, moves, start::GENTLE, &mut random, run).tiles);
    }
    if let Some(before) = before.filter(|before| fill::is_legal(problem, before)) {
        let tiles = mended(problem, options, costs, before.to_vec(), &mut random, run).tiles;
        return Some(polished(problem, options, costs, tiles, run));
    }
    let seen = Seen::new(costs);
    let best = best_start(problem, options, costs, &mut random, &Run { seen: Some(&seen), ..*run })?;
    let best = if run.stopped() { seen.or_better(problem, best) } else { best };
    let limits = neighbourhood::Limits { programs: options.programs(), kernels: 12, tiles: 18, nodes: 200 };
    let many = best.cut_connections(problem) > MANY && options.level() < 3;
    let best = if many { best } else { neighbourhood::search(problem, best, &limits, &mut random, run) };
    let tiles = with_traffic(problem, options, costs, best, &mut random, run).tiles;
    Some(polished(problem, options, costs, tiles, run))
}

/// Tiles from the fixed patterns of chains, rings and meshes. All their windows find memory, which
/// moves of single kernels would spoil. Empty if memory is not scarce or the design has no such
/// pattern.
pub(crate) fn patterns(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    crowding: Option<i64>,
    run: &Run<'_>,
) -> Vec<Vec<TileId>> {
    if crowding.is_none() || !structure::has_regular(problem) {
        return Vec::new();
    }
    let costs = Costs { crowding, centre: centre(problem), traffic: false };
    let lay = |snake| start::structured(problem, options, costs, snake, &mut Random::new(options.seed), run);
    [Snake::Rows, Snake::Columns].into_iter().filter_map(lay).collect()
}

/// Tiles along the rows for any design, with growing distances. They are not good, but immediate,
/// and work where windows need most of the memory.
pub(crate) fn first_at_hand<'a>(problem: &'a TileProblem<'_>) -> impl Iterator<Item = Vec<TileId>> + 'a {
    let steps = [(1, 1), (1, 2), (2, 1), (2, 2)].map(|(columns, rows)| Steps { columns, rows });
    steps.into_iter().filter_map(|steps| start::rows(problem, steps, centre(problem)))
}

/// Improves tiles that keep the rules by single changes, in the order of terms of `problem`.
pub(crate) fn polished_anew(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    crowding: Option<i64>,
    tiles: Vec<TileId>,
    run: &Run<'_>,
) -> Vec<TileId> {
    let costs = Costs { crowding, centre: centre(problem), traffic: false };
    polished(problem, options, costs, tiles, run)
}

fn polished(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    costs: Costs,
    tiles: Vec<TileId>,
    run: &Run<'_>,
) -> Vec<TileId> {
    let tries = options.polish_tries_per_kernel() * problem.kernels() as u64;
    polish::polish(problem, costs, tiles, tries, run)
}

/// Repairs tiles that overfill some lines, by annealing with all costs. It tries two starts and
/// keeps the better result: these tiles, and these tiles after plain moves with line prices. The
/// temperature is high enough to change neighbourhoods.
fn mended(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    costs: Costs,
    tiles: Vec<TileId>,
    random: &mut Random,
    run: &Run<'_>,
) -> State {
    let kernels = problem.kernels() as u64;
    let schedule = plain::Schedule::warm(options.plain_moves_per_kernel() * kernels / 4);
    let warm = plain::anneal(problem, tiles.clone(), schedule, random, run);
    let begins = [tiles, warm].map(|tiles| State::new(problem, Costs { traffic: true, ..costs }, tiles));
    let (moves, seeds) = (options.moves_per_kernel() * kernels, [random.bits(), random.bits()]);
    let annealed = run.workers.map(begins.len(), |task| {
        let random = &mut Random::new(seeds[task]);
        anneal::anneal(problem, begins[task].clone(), moves, start::WIRES_ONLY, random, run)
    });
    let [begin, warm] = begins;
    let better = |best: State, state: State| {
        if state.cost(problem) < best.cost(problem) { state } else { best }
    };
    annealed.into_iter().fold(better(begin, warm), better)
}

/// If nets overfill a line between columns or rows, anneals with the cost of lines and returns the
/// best result.
///
/// Only then, because most designs have few nets and moves are faster without that cost.
fn with_traffic(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    costs: Costs,
    state: State,
    random: &mut Random,
    run: &Run<'_>,
) -> State {
    if !is_dear(problem, &state) {
        return state;
    }
    let state = State::new(problem, Costs { traffic: true, ..costs }, state.tiles);
    let moves = options.moves_per_kernel() * problem.kernels() as u64;
    let seeds: Vec<u64> = (0..options.annealings().div_ceil(2)).map(|_| random.bits()).collect();
    let annealed = run.workers.map(seeds.len(), |task| {
        let heat = if task % 2 == 0 { start::WIRES_ONLY } else { start::GENTLE };
        anneal::anneal(problem, state.clone(), moves, heat, &mut Random::new(seeds[task]), run)
    });
    annealed.into_iter().min_by_key(|state| rank::score(problem, state)).unwrap_or(state)
}

fn is_dear(problem: &TileProblem<'_>, state: &State) -> bool {
    problem.nets.are_dear(&problem.nets.loads(problem.grid, &state.tiles))
}

/// Maximum number of moves of a quick search.
const QUICK_MOVES: u64 = 1 << 18;
/// Maximum number of moves of a quick search per kernel.
const QUICK_MOVES_PER_KERNEL: u64 = 2_000;

/// Above this number of connections through DMA, integer programs are not worth their time. There
/// are a dozen, and each saves one connection at best.
const MANY: u64 = 32;

/// Above this number of kernels, one plain annealing is worth more than several other starts.
const LARGE: usize = 160;

/// Up to this number of kernels, [other starts](SHORT_STARTS) that only shorten wires are fast
/// enough.
const SMALL: usize = 48;

/// The best of all starts after annealing. If the known structure reaches the bound, it tries
/// nothing else; for a small design, only if no term except compactness can improve.
fn best_start(
    problem: &TileProblem<'_>,
    options: &PlaceOptions,
    costs: Costs,
    random: &mut Random,
    run: &Run<'_>,
) -> Option<State> {
    let moves = options.moves_per_kernel() * problem.kernels() as u64;
    let known = start::structured(problem, options, costs, Snake::Columns, random, run)
        .map(|tiles| State::new(problem, costs, tiles))
        .map(|state| anneal::anneal(problem, state, moves, start::WIRES_ONLY, random, run));
    let first =
        Term::ALL.iter().all(|&term| term == Term::Dma || problem.objective.prefers(Term::Dma, &[term]));
    let is_least = |state: &State| {
        first
            && problem.broken_pair(&state.tiles).is_none()
            && run.is_least(problem.always + state.cut_connections(problem))
            && !is_dear(problem, state)
    };
    let least = known.as_ref().filter(|state| is_least(state));
    if let Some(state) = least {
        let polished = || polished(problem, options, costs, state.tiles.clone(), run);
        if problem.kernels() > SMALL || rank::is_floor(problem, &rank::terms(problem, &polished())) {
            return known;
        }
    }
    let columns = State::new(problem, costs, start::columns(problem, costs.centre)?);
    let mut starts = match least {
        Some(_) => SHORT_STARTS.to_vec(),
        None => starts(problem, options),
    };
    if known.is_some() && least.is_none() {
        starts.push(Start::Known);
    }
    let seeds: Vec<u64> = starts.iter().map(|_| random.bits()).collect();
    let others = run.workers.map(starts.len(), |task| {
        let random = &mut Random::new(seeds[task]);
        let (tiles, heat) = match starts[task] {
            Start::Fill => (columns.tiles.clone(), start::GENTLE),
            Start::Plain(schedule) => {
                let schedule = schedule(options.plain_moves_per_kernel() * problem.kernels() as u64);
                (plain::anneal(problem, columns.tiles.clone(), schedule, random, run), start::WIRES_ONLY)
            }
            Start::Known => {
                let tiles = known.as_ref()?.tiles.clone();
                let schedule =
                    plain::Schedule::warm(options.plain_moves_per_kernel() * problem.kernels() as u64 / 3);
                (plain::anneal(problem, tiles, schedule, random, run), start::WIRES_ONLY)
            }
            Start::Embedded(parts) => {
                (start::embedded(problem, options, costs, parts, random, run)?, start::WIRES_ONLY)
            }
        };
        let state = State::new(problem, costs, tiles);
        let crowded = is_dear(problem, &state);
        let state = State::new(problem, Costs { traffic: crowded, ..costs }, state.tiles);
        Some(anneal::anneal(problem, state, moves, heat, random, run))
    });
    // The first of equal states, so that the order in which tasks end does not matter.
    known.into_iter().chain(others.into_iter().flatten()).min_by_key(|state| rank::score(problem, state))
}

/// A way to build the first tiles.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// Fills columns depth first, then anneals at a low temperature.
    Fill,
    /// Fills columns, then anneals with connections and wires alone, by a schedule with the given
    /// number of moves.
    Plain(fn(u64) -> plain::Schedule),
    /// Lays the known structure, then anneals it by plain moves, since its blocks were laid out
    /// independently.
    Known,
    /// Embeds, with [`embed::Schedule::parts`].
    Embedded(i64),
}

/// Starts that shorten wires when the minimum of connections through DMA is already reached.
const SHORT_STARTS: [Start; 2] = [Start::Fill, Start::Embedded(32)];

/// Starts that are worth their time. An embedding works well on leaves. With few leaves, or with
/// many cycles, it finds less than plain moves of single kernels and takes longer.
fn starts(problem: &TileProblem<'_>, options: &PlaceOptions) -> Vec<Start> {
    let partners = |k: &usize| problem.neighbours[*k].iter().filter(|n| n.weight > 0).count();
    let leaves = (0..problem.kernels()).filter(|k| partners(k) == 1).count();
    let plain = [Start::Plain(plain::Schedule::settling), Start::Plain(plain::Schedule::even)];
    let plain = plain.into_iter().cycle();
    let dense = problem.edges.len() * 4 > problem.kernels() * 5;
    if (dense || leaves * 4 < problem.kernels()) && problem.kernels() > SMALL {
        return plain.take(options.annealings() as usize).collect();
    }
    let rounds =
        if problem.kernels() > LARGE { options.annealings().div_ceil(2) } else { options.annealings() };
    let patient = [Start::Embedded(32), Start::Fill, Start::Embedded(8)].into_iter().cycle();
    let patient = patient.take((2 * options.annealings()).saturating_sub(rounds).max(1) as usize);
    patient.chain(plain.take(rounds as usize)).collect()
}

/// The column to gather around: the mean of the fixed kernels and shim wishes, or the middle of the
/// array.
fn centre(problem: &TileProblem<'_>) -> u16 {
    let grid = problem.grid;
    let fixed: Vec<u64> = problem.fixed.iter().flatten().map(|&id| u64::from(grid.tile(id).column)).collect();
    let middle = grid.ids().last().map_or(0, |id| grid.tile(id).column / 2);
    match fixed.len() as u64 {
        0 => middle,
        count => u16::try_from(fixed.iter().sum::<u64>() / count).unwrap_or(middle),
    }
}

#[cfg(test)]
mod tests;
