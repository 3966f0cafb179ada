//! Small designs: all tiles tried out.
//!
//! In come a [`TileProblem`] of few kernels that may be on few tiles, and a judge who gives whole tiles a score; out go no tiles, since the judge has seen
//! them: those he liked best are the best there are, if the work sufficed. Kernels are put on tiles one after the other, those with the fewest
//! tiles left first; what the terms of a placement cannot fall below is counted from the kernels that have a tile and, for each of the others by
//! itself, from the tiles it has left. Pairs that must share memory, or must not, do so.

use aiec_device::{Tile, TileId};

use super::problem::TileProblem;
use crate::objective::{Objective, Term};
use crate::score::Terms;

/// Kernels, and tiles that any of them may take, of the largest problem that is looked at.
const MOST_KERNELS: usize = 12;
const MOST_TILES: usize = 24;
/// Layouts that are looked at for the least effort: a tenth of a second at most.
const WORK: u64 = 1 << 20;
/// What the judge may be asked for the least effort, at most: each time, memory is assigned.
const MOST_QUESTIONS: u32 = 200;

/// How a search over all tiles ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The problem is too large for it.
    NotTried,
    /// Work or questions ran out.
    CutShort,
    /// Nothing was left out: there are no better tiles than the judge has seen.
    Complete,
}

/// Shows `judge` tiles of `problem`, each better than the best before as far as tiles tell; he says how good they are, or that there is no memory for them.
///
/// The first term of the objective is decided first, then all of them. `level` is the effort; each doubles work and questions.
pub(crate) fn try_out(
    problem: &TileProblem<'_>,
    level: u32,
    judge: &mut dyn FnMut(&[TileId]) -> Option<Terms>,
) -> Ending {
    let Some(units) = units(problem) else { return Ending::NotTried };
    let mut search = Search {
        problem,
        units: &units,
        judge,
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

/// Kernels that move as one, or one that moves by itself, with all tiles they may take.
struct Unit {
    kernels: Vec<usize>,
    layouts: Vec<Vec<TileId>>,
}

/// The units of a problem that is small enough.
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

/// A layout of a unit, with what it adds to the terms of the kernels on tiles.
struct Choice {
    layout: usize,
    adds: Terms,
}

struct Search<'a, 'g> {
    problem: &'a TileProblem<'g>,
    units: &'a [Unit],
    judge: &'a mut dyn FnMut(&[TileId]) -> Option<Terms>,
    /// What is compared in this round.
    objective: Objective,
    /// The best that the judge has given.
    best: Option<Terms>,
    tiles: Vec<Option<TileId>>,
    taken: Vec<bool>,
    work: u64,
    questions: u32,
}

impl Search<'_, '_> {
    /// Tries out all tiles of the units `open`, the others being on tiles that cost `paid`; none if work or questions ran out.
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

    /// Asks the judge about the tiles, all of which are given.
    fn ask(&mut self) -> Option<()> {
        self.questions = self.questions.checked_sub(1)?;
        let tiles: Vec<TileId> = self.tiles.iter().flatten().copied().collect();
        let found = (self.judge)(&tiles).filter(|terms| {
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

    /// The layouts of `unit` that go with the kernels on tiles; none if the work ran out.
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

    /// What `unit` on `tiles` adds: its links to kernels on tiles and within it, and its ways to the interface row.
    fn adds(&self, unit: &Unit, tiles: &[TileId]) -> Terms {
        let (measure, grid) = (&self.problem.measure, self.problem.grid);
        let mut sum = Terms::default();
        for link in &measure.links {
            if link.teams.iter().any(|team| unit.kernels.contains(team))
                && let [Some(a), Some(b)] = link.teams.map(|team| self.tile(unit, tiles, team))
            {
                let shares = self.problem.gap(a, b) == 0;
                sum = sum.plus(measure.of_link(link, (grid.tile(a), grid.tile(b)), shares));
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
