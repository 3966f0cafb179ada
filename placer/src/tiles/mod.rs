//! Assigns kernels to cores, and stacks and buffers to memory modules: the best state by the
//! objective. The usual order puts the fewest connections through DMA first.
//!
//! Takes a [`TileProblem`]. Returns a [`State`]: every kernel is on a tile that it may take, and
//! formations keep their layout. [`State::violations`] is 0 if modules, cores and pairs keep their
//! rules too. Several [starts](start) are [annealed](anneal), integer programs over
//! [neighbourhoods](neighbourhood) improve the best one, and hill climbing ([`polish`]) on the
//! [score](rank) ends the search.

mod anneal;
mod cores;
mod embed;
mod fill;
mod memory;
mod model;
mod needs;
mod neighbourhood;
mod polish;
mod problem;
pub(crate) mod rank;
mod start;
mod state;
mod structure;
mod ties;
mod weights;

pub use aiec_check::Line;
pub(crate) use needs::{Load, Piece, RESOURCES, SlotId};
pub(crate) use problem::{Broken, TileProblem};
pub(crate) use state::State;

use crate::lines::Tiles;
use crate::objective::Term;
use crate::options::{EASY, PlaceOptions};
use crate::random::Random;
use crate::watch::Run;
use anneal::{FROM_SCRATCH, Schedule, anneal};
use problem::{CUT, PENALTY};

/// Temperatures for graphs that nearly fill the wires: the hotter part sorts out long wires.
const FULL: [i64; 2] = [CUT * 5 / 8, CUT / 25];
/// Temperatures for designs whose rules leave few legal states. The hotter part accepts a module
/// that is overfull by half, so that buffers can change places.
const CROWDED: [i64; 2] = [PENALTY, CUT / 10];
/// Temperatures for a state whose neighbourhoods should change, but not its overall shape.
const WARM: [i64; 2] = [CUT / 6, CUT / 25];
/// Temperatures for a state in which only wires should become shorter.
const WIRES: [i64; 2] = [CUT / 40, CUT / 100];
/// Temperatures at which wires of [`STRETCH`] times their cost order the graph along the array.
const STRETCHED: [i64; 2] = [2 * CUT, CUT / 7];
/// Cost of a tile of wire in an annealing that orders a graph along the array, in those of other
/// annealings: four tiles outweigh a connection.
const STRETCH: i64 = 14;
/// Number of kernels that an integer program can place in tenths of a second, and of a design that
/// is also searched by [`CLIMBS`] climbs.
const FEW: usize = 12;
/// Climbs from random states of a small design. They share the moves of one annealing, so that each
/// still has a thousand for every kernel.
const CLIMBS: u64 = 32;
/// Moves of a search for any legal state: less than a second.
const QUICK_MOVES: u64 = 1 << 18;
/// Annealings of a small design that has no legal state yet.
const TRIES: u32 = 4;

/// A way to build a state and to anneal it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Columns filled depth first, annealed at these temperatures.
    Columns([i64; 2]),
    /// The order of a sweep through the graph, a long one annealed by [`STRETCHED`], then by
    /// [`FROM_SCRATCH`].
    Swept,
    /// An embedding, annealed by [`WIRES`].
    Embedded,
}

/// The starts of an effort. An embedding works well on leaves; without leaves it finds less than
/// moves of single kernels. It ignores memory and constraints.
fn starts(problem: &TileProblem<'_>, options: PlaceOptions) -> &'static [Start] {
    use Start::{Columns, Embedded, Swept};
    let has_other_needs = problem.needs.is_scarce() || problem.is_constrained();
    match (problem.is_leafy(), has_other_needs, options.level()) {
        (true, false, _) => &[Embedded],
        (true, true, 0 | 1) => &[Embedded, Columns(FROM_SCRATCH)],
        (true, true, _) => &[Embedded, Columns(FROM_SCRATCH), Columns(FULL)],
        (false, _, 0 | 1) => &[Columns(FROM_SCRATCH)],
        (false, ..) => &[Columns(FROM_SCRATCH), Columns(FULL), Swept],
    }
}

/// Searches from scratch, or from `before`. Returns None when a kernel may take no tile or a
/// formation has no layout.
///
/// The best state so far is kept, and each effort first repeats the searches of all lower ones.
/// More time or more effort therefore never gives a worse state. If the first effort, or `before`,
/// ends in no legal state, `enumerated` may have tiles of one.
pub(crate) fn assign<'a>(
    problem: &'a TileProblem<'a>,
    options: &PlaceOptions,
    before: Option<Tiles>,
    enumerated: &dyn Fn(&State<'a>) -> Option<Tiles>,
    run: &Run<'_>,
) -> Option<State<'a>> {
    let random = &mut Random::new(options.seed);
    if let Some(before) = before.filter(|before| fill::is_legal(problem, before)) {
        let mended = mended(State::new(problem, before), options, random, run);
        return Some(made_legal(mended, options, enumerated, random, run));
    }
    let columns = &State::new(problem, start::columns(problem)?);
    let search = Search { columns, options: *options, run };
    let mut best = search.first(random);
    if run.quick {
        return Some(best);
    }
    for options in options.up_to() {
        if run.stopped() || is_least(&best, run) {
            break;
        }
        let search = Search { options, ..search };
        best = search.legal(better(best, search.round(random)), random);
        if options.effort == EASY.effort {
            best = made_legal(best, &options, enumerated, random, run);
        }
    }
    Some(search.climbs(polished(best, options, run), random))
}

/// The state, or a legal one on tiles that the enumeration has. It follows annealings alone, so a
/// quick run goes without.
fn made_legal<'a>(
    state: State<'a>,
    options: &PlaceOptions,
    enumerated: &dyn Fn(&State<'a>) -> Option<Tiles>,
    random: &mut Random,
    run: &Run<'_>,
) -> State<'a> {
    if state.violations() == 0 || run.quick || run.stopped() {
        return state;
    }
    match enumerated(&state) {
        Some(tiles) => mended(state.with(tiles), options, random, run),
        None => state,
    }
}

/// The better of two states; the first among equals.
fn better<'a>(one: State<'a>, other: State<'a>) -> State<'a> {
    if rank::score(&other) < rank::score(&one) { other } else { one }
}

/// True if connections come first and none can be saved: the state is legal, every line has its
/// wires, and connections through DMA are at the bound.
fn is_least(state: &State<'_>, run: &Run<'_>) -> bool {
    let terms = rank::terms(state);
    let first = state.problem.weights.objective.place(Term::Dma) == Some(0);
    first && state.violations() == 0 && terms.overload == 0 && run.is_least(terms.dma)
}

fn polished<'a>(state: State<'a>, options: &PlaceOptions, run: &Run<'_>) -> State<'a> {
    let tries = options.polish_tries_per_kernel() * state.tiles.len() as u64;
    polish::polish(state, tries, run)
}

/// Repairs a state that overfills some lines: the prices of lines rise until few nets cross them.
fn mended<'a>(state: State<'a>, options: &PlaceOptions, random: &mut Random, run: &Run<'_>) -> State<'a> {
    let moves = options.moves_per_kernel() * state.problem.kernels() as u64 / 4;
    let mended = anneal(state.clone(), Schedule { moves, heat: WARM }, random, run);
    polished(better(state, mended), options, run)
}

/// The search with one effort.
#[derive(Clone, Copy)]
struct Search<'s, 'a> {
    /// All kernels in depth-first order along the columns.
    columns: &'s State<'a>,
    options: PlaceOptions,
    run: &'s Run<'s>,
}

impl<'a> Search<'_, 'a> {
    /// A first state: a short annealing; the known structure and a longer one if it is not legal.
    fn first(&self, random: &mut Random) -> State<'a> {
        let Self { columns, run, .. } = *self;
        let options = PlaceOptions { effort: 1, ..self.options };
        let moves = QUICK_MOVES.min(EASY.short_moves_per_kernel() * columns.problem.kernels() as u64);
        let mut best = anneal(columns.clone(), Schedule { moves, heat: WARM }, random, run);
        if best.violations() > 0 && !run.quick {
            best = Search { columns, options, run }.known(random).into_iter().fold(best, better);
        }
        if best.violations() > 0 && !run.quick {
            best = better(
                best,
                anneal(columns.clone(), Schedule { moves: QUICK_MOVES, heat: FULL }, random, run),
            );
        }
        best
    }

    /// The best of `best` and, while none of them is legal, of longer and longer annealings.
    fn legal(&self, mut best: State<'a>, random: &mut Random) -> State<'a> {
        let most = self.schedule(CROWDED).moves;
        let mut lengths = (0..).map(|tried| (tried, QUICK_MOVES << tried));
        while let Some((tried, moves)) = lengths.next()
            && best.violations() > 0
            && (tried < TRIES || moves <= most)
            && !self.run.stopped()
        {
            let schedule = Schedule { moves: moves.min(most), heat: CROWDED };
            best = better(best, anneal(self.columns.clone(), schedule, random, self.run));
        }
        best
    }

    /// The best of `best` and of [`CLIMBS`] random states after a short annealing and hill
    /// climbing, for a design of at most [`FEW`] kernels. Whatever the order of the terms, one of
    /// these climbs nearly always ends in the best state there is.
    fn climbs(&self, mut best: State<'a>, random: &mut Random) -> State<'a> {
        let (problem, run) = (self.columns.problem, self.run);
        let moves = EASY.moves_per_kernel() * problem.kernels() as u64 / CLIMBS;
        let climbs = if problem.kernels() <= FEW { CLIMBS } else { 0 };
        for _ in 0..climbs {
            let Some(tiles) = start::anywhere(problem, random).filter(|_| !run.stopped()) else { break };
            let schedule = Schedule { moves, heat: FROM_SCRATCH };
            let state = anneal(self.columns.gathered(tiles), schedule, random, run);
            best = better(best, polish::polish(state, moves, run));
        }
        best
    }

    /// All starts, then integer programs over neighbourhoods of the best.
    fn round(&self, random: &mut Random) -> State<'a> {
        let known = self.known(random);
        if let Some(known) = known.as_ref().filter(|known| is_least(known, self.run)) {
            return known.clone();
        }
        let starts = starts(self.columns.problem, self.options);
        let seeds: Vec<u64> = starts.iter().map(|_| random.bits()).collect();
        let annealed = self.run.tools.workers.map(starts.len(), |task| {
            let random = &mut Random::new(seeds[task]);
            let (state, schedule) = self.begin(starts[task], random)?;
            Some(anneal(state, schedule, random, self.run))
        });
        // The first of equal states, so that the order in which tasks end does not matter.
        let all = known.iter().cloned().chain(annealed.into_iter().flatten());
        let best = all.reduce(better).unwrap_or_else(|| self.columns.clone());
        let best = neighbourhood::search(best, self.options.programs(), random, self.run);
        if rank::terms(&best).overload > 0 { mended(best, &self.options, random, self.run) } else { best }
    }

    /// The state of a start, with its temperatures. Returns None when there is no such start.
    fn begin(&self, start: Start, random: &mut Random) -> Option<(State<'a>, Schedule)> {
        Some(match start {
            Start::Columns(heat) => (self.columns.clone(), self.schedule(heat)),
            Start::Swept => {
                let (tiles, longest) = start::swept(self.columns.problem)?;
                let state = self.columns.with(tiles);
                (self.straightened(state, longest, random), self.schedule(FROM_SCRATCH))
            }
            Start::Embedded => {
                let tiles = start::embedded(self.columns.problem, &self.options, random, self.run)?;
                (self.columns.with(tiles), self.schedule(WIRES))
            }
        })
    }

    /// `state` after an annealing that makes wires short, if the graph is much longer than the
    /// array is high. Such a graph lies in order along the array, and short wires show the way to
    /// that order when single connections do not. Where memory is scarce, memory decides.
    fn straightened(&self, state: State<'a>, longest: usize, random: &mut Random) -> State<'a> {
        let problem = self.columns.problem;
        if longest <= 2 * usize::from(problem.grid.rows()) || problem.needs.is_scarce() {
            return state;
        }
        anneal(state.stretched(STRETCH), self.schedule(STRETCHED), random, self.run).stretched(1)
    }

    /// An annealing at these temperatures. Of moves that count memory there are fewer: they take
    /// several times as long.
    fn schedule(&self, heat: [i64; 2]) -> Schedule {
        let kernels = self.columns.problem.kernels() as u64;
        let moves = match heat {
            WIRES => self.options.short_moves_per_kernel() * kernels,
            _ if self.columns.problem.needs.is_scarce() => self.options.moves_per_kernel() * kernels / 4,
            _ => self.options.moves_per_kernel() * kernels * 3 / 2,
        };
        Schedule { moves, heat }
    }

    /// The known structure of the graph; if memory is scarce, also with meshes on every second row:
    /// there windows that need most of a module find memory.
    fn known(&self, random: &mut Random) -> Option<State<'a>> {
        let ways = if self.columns.problem.needs.is_scarce() { 2 } else { 1 };
        let mut best: Option<State<'a>> = None;
        for apart in [false, true].into_iter().take(ways) {
            let tries = 1 + self.options.level();
            let tiles = structure::tiles(self.columns.problem, apart, tries, random, self.run);
            let Some(state) = tiles.map(|tiles| self.columns.with(tiles)) else { continue };
            let state = anneal(state, self.schedule(WIRES), random, self.run);
            let is_least = is_least(&state, self.run);
            best = best.into_iter().chain([state]).reduce(better);
            if is_least {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests;
