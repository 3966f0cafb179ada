//! Runs placement attempts that leave more and more room between kernels, and keeps the best
//! result.
//!
//! Takes a checked design, its device and the fixed tiles. Returns the best placement met, or the
//! reason why there is none. Before the attempts it searches small designs exhaustively, makes one
//! short attempt that cannot be interrupted, and lays chains, rings and meshes as fixed patterns.

use std::collections::BTreeSet;

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId};
use aiec_diag::{Diagnostic, Outcome};
use aiec_prove::Weighted;

use crate::buffers::{self, Conflict, Fitting, Memory, Next};
use crate::objective::Objective;
use crate::options::PlaceOptions;
use crate::place::{Around, Found};
use crate::placement::{Placement, PortBuffers};
use crate::random::Random;
use crate::rules::Rules;
use crate::score::Terms;
use crate::teams::Teams;
use crate::tiles::small::{Ending, try_out};
use crate::tiles::{self, TileProblem, rank};
use crate::watch::{Alone, Run, Tools};
use crate::{demand, errors, shims};
use aiec_prove::Pins;
use aiec_prove::{Bound, bound};

/// Initial limit on the density of kernels, in 1/1024 of a module.
const FIRST_CROWDING: i64 = 870;
/// Each memory conflict lowers the density limit by this much.
const CROWDING_STEP: i64 = 90;
/// Effort levels added to the exhaustive search of a small design when nothing else found a
/// placement.
const MORE_TRIES: u32 = 4;
/// Attempts of a quick search.
const QUICK_ATTEMPTS: u32 = 2;
/// Attempts that use the full effort even if no earlier attempt found a placement.
const WHOLE_ATTEMPTS: u32 = 3;

/// How much work the search does when the first attempt finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// All methods.
    Whole,
    /// The attempts alone. The explanation asks its questions this way.
    Question,
    /// One or two short attempts.
    Quick,
}

/// Searches for a placement with `care`.
pub(crate) fn attempts(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    options: &PlaceOptions,
    around: &Around<'_>,
    tools: &Tools<'_>,
    care: Care,
) -> Outcome<Found> {
    let quick = care == Care::Quick;
    let grid = Grid::without(device, |tile| checked.is_closed(device, tile));
    let bound = if quick || tools.watch.stopped() { Bound::NONE } else { bound(checked, device) };
    if let Some(no_room) = aiec_prove::no_room(checked, device, &grid, bound) {
        return Outcome::error(no_room);
    }
    let rules = Rules::new(checked, &grid, pins);
    let design = Design { checked, device, grid: &grid };
    let setup = Setup { design, rules: &rules, options, around, bound, tools, care };
    let teams = Teams::new(checked, device, &grid, &rules);
    let found = match &teams {
        Ok(teams) => setup.search(teams, None),
        Err(shortage) => Outcome::error(errors::too_few_cores(checked, shortage)),
    };
    if found.value().is_some() {
        return found;
    }
    // Two kernels on one core share one buffer. A design that ran out of memory may fit with fewer
    // cores.
    let teams = teams.ok();
    let is_closer =
        |close: &Teams| teams.as_ref().is_some_and(|teams| close.members.len() < teams.members.len());
    let closer = Teams::close(checked, device, &rules).filter(is_closer);
    let other = closer.as_ref().map(|teams| setup.search(teams, None));
    if let Some(other) = other.filter(|other| other.value().is_some()) {
        return other;
    }
    if care != Care::Whole {
        return found;
    }
    // The tiles that keep the constraints may need different teams.
    match tiles_with_memory(design, pins) {
        Some(tiles) => setup.search(&Teams::on(checked, &tiles), Some(&tiles)),
        None => found,
    }
}

/// One tile for each kernel of a small design. The tiles keep the constraints and have memory for
/// everything. Returns None when the search finds no such tiles.
fn tiles_with_memory(design: Design<'_>, pins: &Pins) -> Option<Vec<TileId>> {
    let Design { checked, device, grid } = design;
    let ends = |from, to| checked.kernel_of(from).zip(checked.kernel_of(to));
    let shareable =
        checked.connections.iter().filter(|connection| demand::may_share(checked, connection.from));
    let edges = shareable.filter_map(|c| ends(c.from, c.to)).filter(|(a, b)| a != b);
    let edges: Vec<Weighted> = edges.map(|(a, b)| (a, b, 1)).collect();
    let mut has_memory =
        |tiles: &[TileId]| buffers::assign(checked, device, grid, &Teams::on(checked, tiles), tiles).is_ok();
    aiec_prove::tiles(checked, device, pins, &edges, &mut has_memory)
}

/// A checked design with its device and the grid of its open tiles.
#[derive(Clone, Copy)]
struct Design<'a> {
    checked: &'a Checked,
    device: &'a Device,
    grid: &'a Grid,
}

/// The inputs that the searches with different teams share.
struct Setup<'a> {
    design: Design<'a>,
    /// The rules of single kernels.
    rules: &'a Rules,
    options: &'a PlaceOptions,
    /// The placement to repair, if there is one.
    around: &'a Around<'a>,
    /// Lower bound of the design.
    bound: Bound,
    tools: &'a Tools<'a>,
    care: Care,
}

impl Setup<'_> {
    /// Searches with the kernels on cores as `teams` says. `start` gives the tile of each kernel of
    /// a first assignment to try.
    fn search(&self, teams: &Teams, start: Option<&[TileId]>) -> Outcome<Found> {
        let Design { checked, device, grid } = self.design;
        let quick = self.care == Care::Quick;
        let rules = self.rules.of_teams(&teams.members, &teams.of);
        let problem = |objective: &Objective| {
            let mut problem = TileProblem::new(checked, device, grid, teams, rules.clone(), objective);
            self.around.hot.iter().for_each(|&(line, wires)| problem.nets.spare(line, wires));
            problem
        };
        let asked = &self.options.objective;
        let usual = (*asked != Objective::USUAL && !quick).then(|| problem(&Objective::USUAL));
        let mut search = Attempts {
            checked,
            device,
            grid,
            teams,
            problem: problem(asked),
            usual,
            options: self.options,
            bound: self.bound,
            best: None,
            obstacle: None,
            crowded: None,
            tightness: 0,
            made: 0,
        };
        let before = self.around.tiles.and_then(|tiles| teams.tiles(grid, tiles));
        if let Some(tiles) = start.and_then(|tiles| teams.gather(tiles)) {
            search.offer(&tiles);
        }
        search.run(before, self.tools, self.care);
        search.end(self.tools.watch.stopped() && !quick)
    }
}

/// The last reason why an attempt failed.
enum Obstacle {
    /// A buffer or stack found no memory.
    Memory(Box<Conflict>),
    /// Two teams break a memory rule. True: they must share memory but do not. False: they must not
    /// share memory but do.
    Pair(usize, usize, bool),
    /// The search found no tiles that keep all relative positions of kernels.
    Tiles,
}

/// A placement without the interface row.
struct Candidate {
    terms: Terms,
    /// The tile of each kernel.
    tiles: Vec<TileId>,
    memory: Memory,
}

struct Attempts<'a> {
    checked: &'a Checked,
    device: &'a Device,
    grid: &'a Grid,
    teams: &'a Teams,
    problem: TileProblem<'a>,
    /// The problem with the terms in their usual order, when the user asked for another order.
    usual: Option<TileProblem<'a>>,
    options: &'a PlaceOptions,
    bound: Bound,
    best: Option<Candidate>,
    obstacle: Option<Obstacle>,
    /// The last tiles of teams on which a buffer or stack found no memory.
    crowded: Option<Vec<TileId>>,
    /// Number of memory conflicts so far. Each one lowers the density limit.
    tightness: u32,
    /// Number of attempts made.
    made: u32,
}

impl Attempts<'_> {
    /// Runs all methods until the work or the time is used up.
    ///
    /// The best placement so far is kept. A search starts with the first result at hand and then
    /// repeats the searches of all lower efforts. More time or more effort therefore never gives a
    /// worse placement.
    fn run(&mut self, before: Option<Vec<TileId>>, tools: &Tools<'_>, care: Care) {
        if care == Care::Quick {
            self.attempt_all(before, None, self.options, tools, true);
            self.fit_one_by_one();
        } else if before.is_some() {
            self.attempt_all(before, None, self.options, tools, false);
            if self.best.is_none() && tools.watch.stopped() {
                self.take_first_at_hand(tools);
            }
        } else if !self.try_out(self.options.level()) {
            self.take_first_at_hand(tools);
            self.deepen(tools);
            if self.best.is_none() && care == Care::Whole && !tools.watch.stopped() {
                self.try_out(self.options.level() + MORE_TRIES);
            }
        }
    }

    /// Searches with growing effort. Each search starts from scratch.
    fn deepen(&mut self, tools: &Tools<'_>) {
        let (problem, usual) = (self.problem.clone(), self.usual.clone());
        for options in self.options.up_to() {
            (self.problem, self.usual, self.tightness) = (problem.clone(), usual.clone(), 0);
            let patterned = self.lay_patterns(&options, tools);
            self.attempt_all(None, patterned, &options, tools, false);
            self.squeeze(&options, tools);
            self.refit(&options, tools);
            let nothing_left = |best: &Candidate| rank::is_floor(&problem, &best.terms);
            if self.best.as_ref().is_some_and(nothing_left) || tools.watch.stopped() {
                return;
            }
        }
    }

    /// First result, not interruptible: short annealing; if memory packing fails, fixed patterns,
    /// then row order, then greedy. Runs even when the time limit is 0.
    fn take_first_at_hand(&mut self, tools: &Tools<'_>) {
        let tools = &Tools { watch: &Alone, ..*tools };
        let (problem, usual) = (self.problem.clone(), self.usual.clone());
        self.attempt_all(None, None, self.options, tools, true);
        (self.problem, self.usual, self.tightness) = (problem.clone(), usual, 0);
        if self.best.is_none() {
            self.lay_patterns(&PlaceOptions { effort: 1, ..*self.options }, tools);
        }
        if self.best.is_none() {
            tiles::first_at_hand(&problem).find_map(|tiles| self.offer(&tiles));
        }
        self.fit_one_by_one();
    }

    /// Ejection search for kernels without memory. Runs only if no placement has been found yet.
    fn squeeze(&mut self, options: &PlaceOptions, tools: &Tools<'_>) {
        let Some(tiles) = self.crowded.take().filter(|_| self.best.is_none()) else { return };
        let run = self.run_of(tools, 0, false);
        let tries = options.squeezes_per_kernel() * tiles.len() as u64;
        let fitting = Fitting::new(self.checked, self.device, self.teams, &self.problem);
        let fitting = buffers::squeeze(fitting, &tiles, tries, &mut Random::new(options.seed), &run);
        if let Some((tiles, memory)) = fitting.and_then(|fitting| fitting.end()) {
            self.keep(&tiles, memory);
        }
    }

    /// Greedy placement: one kernel after the other on a tile where its buffers fit. Runs only if
    /// no placement has been found yet.
    fn fit_one_by_one(&mut self) {
        for next in [Next::Nearest, Next::Largest] {
            if self.best.is_none() {
                let fitting = buffers::fit(self.checked, self.device, self.teams, &self.problem, next);
                if let Some((tiles, memory)) = fitting.and_then(|fitting| fitting.end()) {
                    self.keep(&tiles, memory);
                }
            }
        }
    }

    /// Large neighbourhood search on the best placement: removes a few kernels at a time and places
    /// them again. Runs only after memory conflicts.
    fn refit(&mut self, options: &PlaceOptions, tools: &Tools<'_>) {
        let Some(best) = self.best.as_ref().filter(|best| !self.is_least(best.terms.dma)) else { return };
        let Some(tiles) = self.teams.gather(&best.tiles).filter(|_| self.tightness > 0) else {
            return;
        };
        let run = self.run_of(tools, 0, false);
        let fitting = Fitting::of(self.checked, self.device, self.teams, &self.problem, &tiles, &best.memory);
        let tries = options.refits_per_kernel() * tiles.len() as u64;
        let refitted = |fitting| buffers::refit(fitting, tries, &mut Random::new(options.seed), &run).end();
        if let Some((tiles, memory)) = fitting.and_then(refitted) {
            self.keep(&tiles, memory);
        }
    }

    /// Branch and bound over all tiles of a small design, with the work of effort `level`. Returns
    /// true if the search was complete and a placement exists.
    fn try_out(&mut self, level: u32) -> bool {
        let problem = self.problem.clone();
        let ending = try_out(&problem, level, &mut |tiles| self.offer(tiles).map(|(terms, _)| terms));
        ending == Ending::Complete && self.best.is_some()
    }

    /// Lays chains, rings and meshes as fixed patterns, if memory is scarce. Returns the terms of
    /// the best one.
    fn lay_patterns(&mut self, options: &PlaceOptions, tools: &Tools<'_>) -> Option<Terms> {
        let run = &self.run_of(tools, 0, false);
        let patterns = tiles::patterns(&self.problem, options, self.crowding(), run);
        let terms: Vec<Terms> =
            patterns.iter().filter_map(|tiles| self.offer(tiles)).map(|(terms, _)| terms).collect();
        self.obstacle = None;
        terms.into_iter().min_by_key(|terms| terms.score(&self.options.objective))
    }

    /// Makes attempts until one result cannot improve with more room. `best` holds the terms that
    /// other methods found with the same effort.
    fn attempt_all(
        &mut self,
        mut before: Option<Vec<TileId>>,
        mut best: Option<Terms>,
        options: &PlaceOptions,
        tools: &Tools<'_>,
        quick: bool,
    ) {
        let is_easy = quick || options.level() == 1 && self.best.is_some();
        let most = if is_easy { QUICK_ATTEMPTS } else { options.attempts() };
        let mut found_before = false;
        for number in 0..most {
            // After several failures there may be no placement. The other attempts are short until
            // one succeeds.
            let short = !quick && !found_before && number >= WHOLE_ATTEMPTS;
            let options = if short { options.lesser() } else { *options };
            // A placement that ran out of memory is a bad start for the next attempt.
            let found = self.attempt(number, before.take(), &options, tools, quick);
            self.made += 1;
            let settled = match found {
                // If lack of room forced connections onto DMA, kernels get more room once.
                Some((terms, flipped)) => {
                    let again = flipped > 0 && !self.is_least(terms.dma);
                    self.tightness += u32::from(again && !short);
                    quick || found_before || !(again || short)
                }
                None => !self.make_room(),
            };
            found_before |= found.is_some();
            let all = best.into_iter().chain(found.map(|(terms, _)| terms));
            best = all.min_by_key(|terms| terms.score(&self.options.objective));
            // More room rarely improves on the result of a pattern.
            let enough = |best: Terms| (number > 0 && !short) || self.is_least(best.dma);
            if settled || best.is_some_and(enough) || tools.watch.stopped() {
                return;
            }
        }
    }

    /// One attempt: tiles and memory, both for the requested order of terms and for the usual
    /// order.
    fn attempt(
        &mut self,
        number: u32,
        before: Option<Vec<TileId>>,
        options: &PlaceOptions,
        tools: &Tools<'_>,
        quick: bool,
    ) -> Option<(Terms, u64)> {
        let (run, crowding) = (&self.run_of(tools, number, quick), self.crowding());
        let tiles = tiles::assign(&self.problem, options, crowding, before.as_deref(), run);
        let Some(tiles) = tiles else {
            self.obstacle = Some(Obstacle::Tiles);
            return None;
        };
        let own = self.offer(&tiles);
        let Some(usual) = &self.usual else { return own };
        // The best result in another order is often found on the way to the usual order.
        let other = tiles::assign(usual, options, crowding, before.as_deref(), run)
            .map(|tiles| tiles::polished_anew(&self.problem, options, crowding, tiles, run))
            .and_then(|tiles| self.offer(&tiles));
        let objective = &options.objective;
        [own, other].into_iter().flatten().min_by_key(|(terms, _)| terms.score(objective))
    }

    /// Packs memory for these tiles of teams and keeps the result if it is the best so far. Returns
    /// its terms and the number of connections forced onto DMA by lack of room.
    fn offer(&mut self, tiles: &[TileId]) -> Option<(Terms, u64)> {
        if let Some((a, b, together)) = self.problem.broken_pair(tiles) {
            self.obstacle = Some(Obstacle::Pair(a, b, together));
            return None;
        }
        let spread_out = self.teams.spread(tiles);
        let memory = match buffers::assign(self.checked, self.device, self.grid, self.teams, &spread_out) {
            Ok(memory) => memory,
            Err(conflict) => {
                self.obstacle = Some(Obstacle::Memory(conflict));
                self.crowded = Some(tiles.to_vec());
                return None;
            }
        };
        Some(self.keep(tiles, memory))
    }

    /// Keeps tiles of teams with their memory if they are the best so far. Returns their terms and
    /// the number of connections forced onto DMA by lack of room.
    fn keep(&mut self, tiles: &[TileId], memory: Memory) -> (Terms, u64) {
        let flipped = memory.flipped;
        let is_shared = |from| memory.buffers[from] == PortBuffers::Shared;
        let terms = rank::with_memory(&self.problem, tiles, is_shared);
        let objective = &self.options.objective;
        let is_better = |best: &Candidate| terms.score(objective) < best.terms.score(objective);
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(Candidate { terms, tiles: self.teams.spread(tiles), memory });
        }
        (terms, flipped)
    }

    /// Adds costs so that the next attempt avoids the last obstacle. Returns false if the problem
    /// did not change.
    fn make_room(&mut self) -> bool {
        let conflict = match &self.obstacle {
            // The next attempt would give the same tiles.
            _ if self.problem.fixed.iter().all(Option::is_some) => return false,
            Some(Obstacle::Memory(conflict)) => conflict,
            Some(Obstacle::Pair(..)) => return true,
            Some(Obstacle::Tiles) | None => return false,
        };
        for problem in std::iter::once(&mut self.problem).chain(&mut self.usual) {
            if conflict.is_about_channels() {
                problem.channel_price = (problem.channel_price * 4).min(1 << 20);
            } else {
                spread(problem, self.teams, conflict);
            }
        }
        self.tightness += u32::from(!conflict.is_about_channels());
        true
    }

    const fn run_of<'t>(&self, tools: &Tools<'t>, attempt: u32, quick: bool) -> Run<'t> {
        let Tools { watch, workers, solver } = *tools;
        Run { watch, workers, solver, bound: self.bound, attempt, quick, seen: None }
    }

    const fn is_least(&self, connections: u64) -> bool {
        connections <= self.bound.connections
    }

    /// The density limit after the memory conflicts so far. Returns None when no tile could exceed
    /// it, because a module sees at most the mean density of the densest kernels.
    fn crowding(&self) -> Option<i64> {
        let limit = (FIRST_CROWDING - CROWDING_STEP * i64::from(self.tightness)).max(100);
        let densest = self.problem.density.iter().copied().max().unwrap_or(0);
        (densest > limit).then_some(limit)
    }

    /// Adds the interface row to the best candidate, or returns the reason why there is none.
    fn end(self, stopped: bool) -> Outcome<Found> {
        let Some(Candidate { tiles, memory, .. }) = self.best else {
            return Outcome::error(self.refusal(stopped));
        };
        let (checked, device, grid) = (self.checked, self.device, self.grid);
        let shims = match shims::assign(checked, device, grid, &tiles) {
            Err(external) => {
                return Outcome::error(errors::no_shim_channel(checked, device, external));
            }
            Ok(shims) => shims,
        };
        let (stacks, buffers) = buffers::settle(checked, device, grid, self.teams, &tiles, &memory);
        let kernels = tiles.iter().map(|&id| grid.tile(id)).collect();
        Outcome::ok(Found {
            placement: Placement { kernels, stacks, buffers, shims },
            bound: self.bound,
            cut_short: stopped,
        })
    }

    fn refusal(&self, stopped: bool) -> Diagnostic {
        let ended = errors::Ended { attempts: self.made, stopped };
        match &self.obstacle {
            Some(Obstacle::Memory(conflict)) => errors::gave_up(self.checked, self.grid, conflict, &ended),
            Some(Obstacle::Pair(a, b, together)) => {
                let (a, b) = (&self.teams.members[*a], &self.teams.members[*b]);
                errors::pair_unkept(self.checked, a, b, *together, &ended)
            }
            Some(Obstacle::Tiles) | None => errors::no_start(self.checked, &ended),
        }
    }
}

/// Raises the density of the kernels around a conflict for the next attempt.
fn spread(problem: &mut TileProblem<'_>, teams: &Teams, conflict: &Conflict) {
    let crowd: BTreeSet<usize> = conflict.kernels.iter().map(|kernel| teams.of[kernel.index()]).collect();
    for team in crowd {
        let density = &mut problem.density[team];
        *density = (*density * 5 / 4 + 64).min(4096);
    }
    let density = &mut problem.density[teams.of[conflict.kernel.index()]];
    *density = (*density + 128).min(4096);
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_device::builtin;
    use aiec_test_support::exhaustive::{Grids, any_tiles, constrain, keeps_all, random};
    use aiec_test_support::{Builder, Reduce, int32};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Up to seven kernels, two or three to a core, on an array of 2 by 3. The constraints
        /// decide which kernels share a core.
        #[test]
        fn kernels_that_share_cores_are_placed_wherever_some_tiles_do(
            (constraints, ratio, kernels) in (random(), 300_u32..=500, 5_u32..8)
        ) {
            let toy = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
            let device = Device { columns: 2, rows: 3, ..toy };
            let mut builder = Builder::new("few", "toy");
            builder.kernels("k", &[kernels], &[]).runtime("k", ratio);
            builder.reduce(Reduce::over("t", &["k"], int32(16)));
            let expanded = constrain(builder, &constraints, 2, 3).expanded().expect("names are right");
            if let Some(checked) = aiec_check::check(expanded, &device).into_parts().0 {
                let grid = Grid::without(&device, |tile| checked.is_closed(&device, tile));
                let options = PlaceOptions { effort: 1, ..PlaceOptions::default() };
                let outcome = crate::place::place(&checked, &device, &options);
                let do_tiles = |tiles: &[TileId]| {
                    let teams = Teams::on(&checked, tiles);
                    keeps_all(&checked, Grids { open: &grid, whole: &grid }, tiles)
                        && buffers::assign(&checked, &device, &grid, &teams, tiles).is_ok()
                };
                if outcome.value().is_none() {
                    let possible = any_tiles(&checked, &grid, &mut Vec::new(), &do_tiles);
                    prop_assert!(!possible, "{}", outcome.diagnostics()[0].message);
                }
            }
        }
    }
}
