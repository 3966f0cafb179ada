//! Constraints that no placement keeps, whatever memory and channels there are: found and proved before the search.
//!
//! In come a checked design and the tiles that a placement file fixes; out goes a diagnostic if the statements contradict each other, with
//! a least set of them and of kernels: statements are left out, those of one kind at once, then fewer and fewer, and so are kernels, as long as
//! the rest is still a contradiction. Each question is a small [puzzle](puzzle) of bounded work, so the size of the design does not matter.

mod errors;
mod puzzle;
mod statement;

use std::collections::BTreeSet;

use aiec_device::Device;
use aiec_diag::Diagnostic;
use aiec_ir::{Checked, KernelId, least};

use crate::pins::Pins;
use puzzle::{Facts, Verdict};
use statement::Statement;

/// Places looked at for one question: a fraction of a second.
const WORK: u64 = 1 << 21;
/// Places looked at for all of them.
const ALL_WORK: u64 = 1 << 24;

/// What is contradictory in the constraints of `checked` and in `pins`; none if nothing was proved.
pub(crate) fn find(checked: &Checked, device: &Device, pins: &Pins) -> Option<Diagnostic> {
    let (statements, kernels) = least_set(checked, device, pins)?;
    Some(errors::contradiction(checked, device, pins, &statements, &kernels))
}

/// Statements that are a contradiction together, and the kernels that they leave no tiles; as few as bounded work finds.
fn least_set(checked: &Checked, device: &Device, pins: &Pins) -> Option<(Vec<Statement>, Vec<KernelId>)> {
    let statements = statement::all(checked, pins);
    if statements.is_empty() {
        return None;
    }
    let facts = Facts::new(checked, device, pins);
    let mut left = ALL_WORK;
    let mut is_impossible = |statements: &[Statement], only: Option<&BTreeSet<KernelId>>| {
        let most = WORK.min(left);
        let mut work = most;
        let verdict = if most == 0 { Verdict::Unknown } else { facts.ask(statements, only, &mut work) };
        left = left.saturating_sub(most - work + 1);
        verdict == Verdict::Impossible
    };
    if !is_impossible(&statements, None) {
        return None;
    }
    let kept = least(&statements, |rest| is_impossible(rest, None));
    let kernels: BTreeSet<KernelId> = kept.iter().flat_map(|s| s.kernels(checked)).collect();
    let kernels: Vec<KernelId> = kernels.into_iter().collect();
    let kernels = least(&kernels, |rest| is_impossible(&kept, Some(&rest.iter().copied().collect())));
    Some((kept, kernels))
}

/// Where each kernel may be, by all constraints of a design.
pub(crate) struct Freedom {
    /// For each kernel and tile, whether it may be there.
    allowed: Vec<Vec<bool>>,
    /// Pairs that no tiles let share memory.
    far: BTreeSet<(KernelId, KernelId)>,
}

impl Freedom {
    /// What the constraints of `checked` leave, for the pairs of kernels in `pairs`, the smaller first; none if there are no constraints, or if they
    /// contradict each other.
    pub(crate) fn new(
        checked: &Checked,
        device: &Device,
        pairs: impl Iterator<Item = (KernelId, KernelId)>,
    ) -> Option<Self> {
        let pins = Pins::default();
        let statements = statement::all(checked, &pins);
        if statements.is_empty() {
            return None;
        }
        let mut work = WORK;
        Facts::new(checked, device, &pins).freedom(&statements, pairs, &mut work)
    }

    /// One entry per tile: whether `kernel` may be there.
    pub(crate) fn tiles(&self, kernel: KernelId) -> &[bool] {
        &self.allowed[kernel.index()]
    }

    /// True if two kernels, the smaller first, share no memory wherever they are.
    pub(crate) fn never_share(&self, pair: (KernelId, KernelId)) -> bool {
        self.far.contains(&pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aiec_device::{Grid, Tile, TileId, builtin};
    use aiec_ir::ConstraintKind;
    use aiec_ir::build::{Builder, Reduce, int32};
    use proptest::prelude::*;

    /// True if some tiles keep every constraint on kernels, by trying out all; kernels are apart if they are on `whole`.
    fn by_trying(checked: &Checked, (grid, whole): (&Grid, &Grid), tiles: &mut Vec<TileId>) -> bool {
        if tiles.len() == checked.kernels.len() {
            return keeps_all(checked, (grid, whole), tiles);
        }
        grid.ids().any(|tile| {
            let free = grid.is_open(tile) && !tiles.contains(&tile);
            tiles.push(tile);
            let found = free && by_trying(checked, (grid, whole), tiles);
            tiles.pop();
            found
        })
    }

    fn keeps_all(checked: &Checked, (grid, whole): (&Grid, &Grid), tiles: &[TileId]) -> bool {
        let at = |kernel: KernelId| grid.tile(tiles[kernel.index()]);
        let near = |grid: &Grid, a: &KernelId, b: &KernelId| {
            grid.shared(tiles[a.index()], tiles[b.index()]).next().is_some()
        };
        let step = |a: u16, b: u16| i64::from(b) - i64::from(a);
        let all = &checked.constraints;
        let inside =
            |tile: Tile, area: aiec_ir::constraints::Area| area.contains(tile.column.into(), tile.row.into());
        checked
            .places
            .iter()
            .all(|p| (i64::from(at(p.kernel).column), i64::from(at(p.kernel).row)) == (p.column, p.row))
            && all.regions.iter().all(|r| r.kernels.iter().all(|&k| inside(at(k), r.area)))
            && all.together.iter().all(|g| g.pairs().all(|(a, b)| near(grid, a, b)))
            && all.apart.iter().all(|g| g.pairs().all(|(a, b)| !near(whole, a, b)))
            && all.offsets.iter().all(|o| {
                let (a, b) = (at(o.from), at(o.kernel));
                (step(a.column, b.column), step(a.row, b.row)) == (o.columns, o.rows)
            })
    }

    /// Up to five random constraints on four kernels, as numbers.
    fn random() -> impl Strategy<Value = Vec<(u8, usize, usize, i64, i64)>> {
        prop::collection::vec((0_u8..6, 0_usize..4, 1_usize..4, 0_i64..4, 0_i64..3), 1..6)
    }

    fn constrained(constraints: &[(u8, usize, usize, i64, i64)]) -> Builder {
        let mut builder = Builder::new("few", "toy");
        builder.kernels("k", &[4], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        let name = |k: usize| format!("k[{}]", k % 4);
        for &(kind, a, more, column, row) in constraints {
            let (first, second) = (name(a), name(a + more));
            match kind {
                0 => builder.place(&first, column, row),
                1 => builder.region(&[&first, &second], (column, row), (1, 1)),
                2 => builder.together(&[first.as_str(), &second, &name(a + 5 - more)][..2 + more % 2]),
                3 => builder.apart(&[&first, &second]),
                4 => builder.place_relative(&first, &second, (column - 1, row - 1)),
                _ => builder.keepout((column, row), (column.min(2), row)),
            };
        }
        builder
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever the checks let pass, on an array of 4 by 3.
        #[test]
        fn a_contradiction_is_found_exactly_where_trying_out_finds_nothing(constraints in random()) {
            let toy = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
            let device = Device { columns: 4, rows: 3, ..toy };
            let expanded = constrained(&constraints).expanded().expect("names are right");
            if let Some(checked) = aiec_ir::check(expanded, &device).into_parts().0 {
                let grid = Grid::without(&device, |tile| checked.is_closed(&device, tile));
                let possible = by_trying(&checked, (&grid, &grid), &mut Vec::new());
                let found = find(&checked, &device, &Pins::default());
                prop_assert_eq!(found.is_none(), possible, "{:?}", found);
            }
        }

        /// Without any one of the statements that are named, tiles are found; with them alone, none are.
        #[test]
        fn none_of_the_statements_that_are_named_can_be_left_out(constraints in random()) {
            let toy = builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in");
            let device = Device { columns: 4, rows: 3, ..toy };
            let expanded = constrained(&constraints).expanded().expect("names are right");
            let checked = aiec_ir::check(expanded, &device).into_parts().0;
            if let Some((checked, (set, _))) =
                checked.and_then(|c| least_set(&c, &device, &Pins::default()).map(|set| (c, set)))
            {
                let whole = Grid::without(&device, |tile| checked.is_closed(&device, tile));
                let possible = |statements: &[Statement]| {
                    let design = only(&checked, statements);
                    let grid = Grid::without(&device, |tile| design.is_closed(&device, tile));
                    by_trying(&design, (&grid, &whole), &mut Vec::new())
                };
                prop_assert!(!possible(&set), "{set:?}");
                for left_out in 0..set.len() {
                    let mut rest = set.clone();
                    rest.remove(left_out);
                    prop_assert!(possible(&rest), "{set:?} without {left_out}");
                }
            }
        }
    }

    /// The design under some of its constraints.
    fn only(checked: &Checked, statements: &[Statement]) -> Checked {
        ConstraintKind::ALL.into_iter().fold(checked.clone(), |design, kind| {
            let number = |statement: &Statement| match (kind, *statement) {
                (ConstraintKind::Place, Statement::Place(at))
                | (ConstraintKind::Offset, Statement::Offset(at))
                | (ConstraintKind::Region, Statement::Region(at))
                | (ConstraintKind::Together, Statement::Together(at))
                | (ConstraintKind::Apart, Statement::Apart(at))
                | (ConstraintKind::Keepout, Statement::Keepout(at)) => Some(at),
                _ => None,
            };
            let kept: Vec<usize> = statements.iter().filter_map(number).collect();
            design.with_only(kind, &kept)
        })
    }
}
