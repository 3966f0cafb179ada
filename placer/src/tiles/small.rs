//! Branch and bound over all tiles of a small design.
//!
//! Takes a [`TileProblem`] of few kernels with few tiles, and a function `score`. `score` is called
//! for each complete assignment that beats the incumbent; the search is exhaustive unless the
//! budget ends. It places kernels one after the other, those with the fewest tiles left first. The
//! lower bound on the terms counts the placed kernels and, for each other kernel by itself, its
//! best remaining tile. Pairs keep their memory rules.

use aiec_device::{Tile, TileId};

use super::problem::TileProblem;
use crate::objective::{Objective, Term};
use crate::score::Terms;

/// Maximum number of kernels of a problem.
const MOST_KERNELS: usize = 12;
/// Maximum number of tiles that any of its kernels may take.
const MOST_TILES: usize = 24;
/// Number of layouts examined at level 0: a tenth of a second at most.
const WORK: u64 = 1 << 20;
/// Maximum number of calls of `score` at level 0. Each call assigns memory.
const MOST_QUESTIONS: u32 = 200;

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The problem is too large.
    NotTried,
    /// The budget of layouts or calls ran out.
    CutShort,
    /// Exhaustive: no tiles beat the best ones passed to `score`.
    Complete,
}

/// Calls `score` with tiles of `problem`, each better than the incumbent by the terms of its tiles.
/// `score` returns the true terms, or None when the tiles have no memory.
///
/// The first round compares the first term of the objective only, the second round all terms.
/// `level` is the effort. Each level doubles layouts and calls.
pub(crate) fn try_out(
    problem: &TileProblem<'_>,
    level: u32,
    score: &mut dyn FnMut(&[TileId]) -> Option<Terms>,
) -> Ending {
    let Some(units) = units(problem) else { return Ending::NotTried };
    let mut search = Search {
        problem,
        units: &units,
        score,
        objective: problem.objective,
        best: None,
        tiles: vec![None; problem.kernels()],
        taken: vec![false; problem.grid.len()],
        work: WORK << level,
        questions: MOST_QUESTIONS << level,
    };
    let first: Vec<Term> = problem.objective.terms().take(1).collect();
    for objective in [Objective::new(&first), Some(problem.objective)].into_iter().flatten() {
        search.objective = objective;
        let open: Vec<usize> = (0..units.len()).collect();
        let always = search.problem.measure.always();
        if search.go_on(&open, &always).is_none() {
            return Ending::CutShort;
        }
    }
    Ending::Complete
}

/// A formation or a single kernel, with all tiles it may take.
struct Unit {
    kernels: Vec<usize>,
    layouts: Vec<Vec<TileId>>,
}

/// The units of the problem. Returns None when it is too large.
fn units(problem: &TileProblem<'_>) -> Option<Vec<Unit>> {
    if problem.kernels() > MOST_KERNELS {
        return None;
    }
    let may =
        |kernels: &[usize], tiles: &[TileId]| kernels.iter().zip(tiles).all(|(&k, &t)| problem.allows(k, t));
    let group = |group: &crate::formation::Formation| {
        let layouts = group.layouts().filter(|tiles| may(&group.members, tiles)).map(<[TileId]>::to_vec);
        Unit { kernels: group.members.clone(), layouts: layouts.collect() }
    };
    let mut units: Vec<Unit> = problem.rules.groups.iter().map(group).collect();
    let single = |kernel: usize| {
        let layouts = problem.grid.ids().filter(|&tile| problem.allows(kernel, tile)).map(|tile| vec![tile]);
        Unit { kernels: vec![kernel], layouts: layouts.collect() }
    };
    units.extend((0..problem.kernels()).filter(|&k| problem.group_of[k].is_none()).map(single));
    let mut tiles: Vec<TileId> =
        units.iter().flat_map(|unit| unit.layouts.iter().flatten().copied()).collect();
    tiles.sort_unstable();
    tiles.dedup();
    (tiles.len() <= MOST_TILES).then_some(units)
}

/// A layout of a unit, with the terms it adds to those of the placed kernels.
struct Choice {
    layout: usize,
    adds: Terms,
}

struct Search<'a, 'g> {
    problem: &'a TileProblem<'g>,
    units: &'a [Unit],
    score: &'a mut dyn FnMut(&[TileId]) -> Option<Terms>,
    /// The terms compared in this round.
    objective: Objective,
    /// The incumbent: the best terms that `score` has returned.
    best: Option<Terms>,
    tiles: Vec<Option<TileId>>,
    taken: Vec<bool>,
    work: u64,
    questions: u32,
}

impl Search<'_, '_> {
    /// Branches over all tiles of the units `open`. The terms of the placed units are `paid`.
    /// Returns None when the budget ran out.
    fn go_on(&mut self, open: &[usize], paid: &Terms) -> Option<()> {
        let mut least = *paid;
        let mut next: Option<(usize, Vec<Choice>)> = None;
        for &unit in open {
            let choices = self.choices(unit)?;
            let Some(fewest) = choices.iter().map(|choice| choice.adds).reduce(Terms::least) else {
                return Some(());
            };
            least = least.plus(fewest);
            if next.as_ref().is_none_or(|(_, others)| choices.len() < others.len()) {
                next = Some((unit, choices));
            }
        }
        let tiles: Vec<Option<Tile>> =
            self.tiles.iter().map(|tile| tile.map(|tile| self.problem.grid.tile(tile))).collect();
        let (path, compact) = self.problem.measure.so_far(&tiles, |a, b| self.shares(a, b));
        let least = Terms { path, compact, ..least };
        if self.best.is_some_and(|best| best.score(&self.objective) <= least.score(&self.objective)) {
            return Some(());
        }
        let Some((unit, mut choices)) = next else { return self.ask() };
        let objective = self.objective;
        choices.sort_by_key(|choice| (choice.adds.score(&objective), choice.layout));
        let rest: Vec<usize> = open.iter().copied().filter(|&other| other != unit).collect();
        for Choice { layout, adds } in choices {
            self.put(unit, layout, true);
            let done = self.go_on(&rest, &paid.plus(adds));
            self.put(unit, layout, false);
            done?;
        }
        Some(())
    }

    /// Calls `score` with the complete tiles.
    fn ask(&mut self) -> Option<()> {
        self.questions = self.questions.checked_sub(1)?;
        let tiles: Vec<TileId> = self.tiles.iter().flatten().copied().collect();
        let found = (self.score)(&tiles).filter(|terms| {
            let score = terms.score(&self.objective);
            self.best.is_none_or(|best| score < best.score(&self.objective))
        });
        self.best = found.or(self.best);
        Some(())
    }

    fn put(&mut self, unit: usize, layout: usize, there: bool) {
        let Unit { kernels, layouts } = &self.units[unit];
        for (&kernel, &tile) in kernels.iter().zip(&layouts[layout]) {
            self.tiles[kernel] = there.then_some(tile);
            self.taken[tile.index()] = there;
        }
    }

    /// The layouts of `unit` compatible with the placed kernels. Returns None when the budget ran
    /// out.
    fn choices(&mut self, unit: usize) -> Option<Vec<Choice>> {
        let unit = &self.units[unit];
        self.work = self.work.checked_sub(unit.layouts.len() as u64)?;
        let choice = |(layout, tiles): (usize, &Vec<TileId>)| {
            let free = tiles.iter().all(|tile| !self.taken[tile.index()]);
            (free && self.keeps_pairs(unit, tiles)).then(|| Choice { layout, adds: self.adds(unit, tiles) })
        };
        Some(unit.layouts.iter().enumerate().filter_map(choice).collect())
    }

    /// The tile of a kernel with `unit` on `tiles`, if it has one.
    fn tile(&self, unit: &Unit, tiles: &[TileId], kernel: usize) -> Option<TileId> {
        let own = unit.kernels.iter().position(|&other| other == kernel);
        own.map_or(self.tiles[kernel], |at| Some(tiles[at]))
    }

    fn keeps_pairs(&self, unit: &Unit, tiles: &[TileId]) -> bool {
        let holds = |&(a, b): &(usize, usize), shares: bool| {
            let ends = self.tile(unit, tiles, a).zip(self.tile(unit, tiles, b));
            ends.is_none_or(|(a, b)| (self.problem.gap(a, b) == 0) == shares)
        };
        let rules = &self.problem.rules;
        rules.together.iter().all(|pair| holds(pair, true))
            && rules.apart.iter().all(|pair| holds(pair, false))
    }

    /// The terms that `unit` on `tiles` adds: links to placed kernels and within the unit, and
    /// distances to the interface row.
    fn adds(&self, unit: &Unit, tiles: &[TileId]) -> Terms {
        let (measure, grid) = (&self.problem.measure, self.problem.grid);
        let mut sum = Terms::default();
        for link in &measure.links {
            if link.teams.iter().any(|team| unit.kernels.contains(team))
                && let [Some(a), Some(b)] = link.teams.map(|team| self.tile(unit, tiles, team))
            {
                let shares = self.problem.gap(a, b) == 0;
                sum = sum.plus(measure.of_link(link, grid.tile(a), grid.tile(b), shares));
            }
        }
        let ways =
            unit.kernels.iter().zip(tiles).map(|(&kernel, &tile)| measure.ways(kernel, grid.tile(tile)));
        sum.plus(Terms { wire: ways.sum(), ..Terms::default() })
    }

    fn shares(&self, a: Tile, b: Tile) -> bool {
        let grid = self.problem.grid;
        grid.id(a).zip(grid.id(b)).is_some_and(|(a, b)| self.problem.gap(a, b) == 0)
    }
}
