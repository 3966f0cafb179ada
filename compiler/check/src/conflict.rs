//! The constraints that leave kernels no tiles: a minimal unsatisfiable subset (MUS) of them.
//!
//! Takes kernels that offsets tie to each other and, where these are the fault, two kernels that
//! must or must not share memory. Returns statements that contradict each other together, but not
//! without any one of them. Only `place`, offsets, `region` and `keepout` count, as far as they lie
//! on the array.

use std::collections::BTreeSet;

use super::context::Context;
use super::rigid::Groups;
use crate::errors::places::Wish;
use crate::least;
use crate::statement::Statement;
use aiec_ir::KernelId;
use aiec_ir::constraints::Offset;

/// A MUS of the constraints that leave `kernels` no tiles, or no tiles for which `wish` holds.
/// Returns all constraints if they do leave such tiles.
pub(super) fn least_set(
    context: &Context,
    kernels: &BTreeSet<KernelId>,
    wish: Option<Wish>,
) -> Vec<Statement> {
    least(&about(context, kernels), |kept| !is_possible(context, kernels, wish, kept))
}

/// A MUS of the constraints that leave `kernels` no tiles, and a minimal subset of `kernels` to
/// which it leaves none.
pub(super) fn without_tiles(context: &Context, kernels: &[KernelId]) -> (Vec<Statement>, Vec<KernelId>) {
    let statements = least_set(context, &kernels.iter().copied().collect(), None);
    let is_impossible =
        |rest: &[KernelId]| !is_possible(context, &rest.iter().copied().collect(), None, &statements);
    let kernels = least(kernels, is_impossible);
    (statements, kernels)
}

/// `offset` and a minimal set of other offsets that contradict it.
pub(super) fn offsets(
    context: &Context,
    kernels: &BTreeSet<KernelId>,
    offset: &Offset<KernelId>,
) -> Vec<Statement> {
    let offsets = &context.expanded.constraints.offsets;
    let is_own =
        |s: &Statement| matches!(s, Statement::Offset(at) if std::ptr::eq(&raw const offsets[*at], offset));
    let mut all = about(context, kernels);
    all.retain(|statement| matches!(statement, Statement::Offset(_)));
    let (own, others): (Vec<Statement>, Vec<Statement>) = all.into_iter().partition(is_own);
    let with_own = |rest: &[Statement]| [&own[..], rest].concat();
    let contradicts = |rest: &[Statement]| {
        let groups = Groups::new(context, kernels, &with_own(rest));
        groups.of.get(&offset.kernel).is_some_and(|&(group, _)| groups.is_contradictory(group))
    };
    with_own(&least(&others, contradicts))
}

/// The statements about `kernels` alone: keepouts, regions, offsets, then places. Deletion drops
/// the first ones first, so that the answer keeps the statements that name the kernels.
fn about(context: &Context, kernels: &BTreeSet<KernelId>) -> Vec<Statement> {
    let stated = context.stated();
    let ours = |statement: &Statement| {
        let named = stated.kernels(*statement);
        match statement {
            Statement::Keepout(_) => true,
            Statement::Region(_) => named.iter().any(|kernel| kernels.contains(kernel)),
            _ => named.iter().all(|kernel| kernels.contains(kernel)),
        }
    };
    let all = context.statements().into_iter().filter(ours);
    let areas = |statement: &Statement| matches!(statement, Statement::Keepout(_) | Statement::Region(_));
    let (areas, others): (Vec<Statement>, Vec<Statement>) = all.partition(areas);
    [areas, others].concat()
}

/// True if the statements in `kept` leave tiles for every kernel.
fn is_possible(
    context: &Context,
    kernels: &BTreeSet<KernelId>,
    wish: Option<Wish>,
    kept: &[Statement],
) -> bool {
    let groups = Groups::new(context, kernels, kept);
    let stand = groups.contradictions.is_empty() && groups.groups.iter().all(|g| !g.anchors.is_empty());
    stand && wish.is_none_or(|wish| comes_true(context, wish, &groups))
}

/// True if the two kernels can stand as `wish` asks.
fn comes_true(context: &Context, wish: Wish, groups: &Groups) -> bool {
    if let Some((_, anchors)) = groups.holding(context, wish) {
        return !anchors.is_empty();
    }
    let tiles = |kernel| groups.tiles(context, kernel);
    tiles(wish.a)
        .zip(tiles(wish.b))
        .is_none_or(|(a, b)| a.iter().any(|&a| b.iter().any(|&b| wish.holds(&context.grid, a, b))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{device, rendered, toy};
    use aiec_device::Tile;
    use aiec_ir::Expanded;
    use aiec_test_support::{Builder, Reduce, int32};

    /// The oracle: true if three kernels find tiles that satisfy `kept`, by exhaustive search on an
    /// array of 4 by 3.
    fn by_trying(context: &Context, kept: &[Statement]) -> bool {
        let design = context.expanded;
        let ids: Vec<KernelId> = design.kernels.ids().collect();
        let tiles: Vec<Tile> = context.grid.ids().map(|id| context.grid.tile(id)).collect();
        let at = |tile: Tile| (i64::from(tile.column), i64::from(tile.row));
        let keeps = |trial: &[Tile]| {
            let of =
                |kernel: KernelId| at(trial[ids.iter().position(|&id| id == kernel).expect("one of them")]);
            kept.iter().all(|statement| match *statement {
                Statement::Place(n) => {
                    of(design.places[n].kernel) == (design.places[n].column, design.places[n].row)
                }
                Statement::Region(n) => {
                    let region = &design.constraints.regions[n];
                    region.kernels.iter().all(|&k| region.contains(of(k).0, of(k).1))
                }
                Statement::Offset(n) => {
                    let offset = design.constraints.offsets[n];
                    let (from, to) = (of(offset.from), of(offset.kernel));
                    (to.0 - from.0, to.1 - from.1) == (offset.columns, offset.rows)
                }
                Statement::Keepout(n) => {
                    let area = design.constraints.keepouts[n].area;
                    trial.iter().all(|&tile| !area.contains(at(tile).0, at(tile).1))
                }
                _ => true,
            })
        };
        tiles.iter().any(|&a| tiles.iter().any(|&b| tiles.iter().any(|&c| keeps(&[a, b, c]))))
    }

    /// Up to six random constraints on three kernels, as numbers.
    fn random() -> impl Strategy<Value = Vec<(u8, usize, i64, i64)>> {
        prop::collection::vec((0_u8..5, 0_usize..3, 0_i64..4, 0_i64..3), 1..7)
    }

    fn constrained(constraints: &[(u8, usize, i64, i64)]) -> Expanded {
        let mut builder = Builder::new("few", "toy");
        builder.kernels("k", &[3], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        for &(kind, k, column, row) in constraints {
            let (first, second) = (format!("k[{k}]"), format!("k[{}]", (k + 1) % 3));
            match kind {
                0 => builder.place(&first, column, row),
                1 => builder.region(&[&first, &second], (column, row), (1, 1)),
                2 | 3 => builder.place_relative(&first, &second, (column, row - 1)),
                _ => builder.keepout((column, row), (column.min(2), row)),
            };
        }
        builder.expanded().expect("names are right")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// Each set found contradicts itself, and without any one of its statements there are
        /// tiles.
        #[test]
        fn none_of_the_statements_of_a_conflict_can_be_left_out(constraints in random()) {
            let device = aiec_device::Device { columns: 4, rows: 3, ..toy() };
            let expanded = constrained(&constraints);
            let context = Context::new(&expanded, &device);
            let kernels: BTreeSet<KernelId> = expanded.kernels.ids().collect();
            let all = about(&context, &kernels);
            if !by_trying(&context, &all) {
                let set = least_set(&context, &kernels, None);
                prop_assert!(!by_trying(&context, &set), "{set:?}");
                for left_out in 0..set.len() {
                    let mut rest = set.clone();
                    rest.remove(left_out);
                    prop_assert!(by_trying(&context, &rest), "{set:?} without {left_out}");
                }
            }
        }
    }

    #[test]
    fn what_has_nothing_to_do_with_it_is_not_pointed_at() {
        let mut builder = Builder::new("long", "xcvc1902");
        builder.kernels("k", &[3], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        builder.place_relative("k[1]", "k[0]", (30, 0)).place_relative("k[2]", "k[1]", (30, 0));
        builder.keepout((3, 3), (4, 4)).region(&["k[0]"], (0, 0), (49, 6));
        let text = rendered(&builder, &device("xcvc1902"));
        let says =
            "`k[0]`, `k[1]` and `k[2]` cannot all be placed: 2 `place` leave no tiles of xcvc1902 for all 3";
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(flat.contains(says), "{text}");
        assert!(!text.contains("left free") && !text.contains("region"), "{text}");
    }

    #[test]
    fn offsets_that_contradict_each_other_are_those_of_the_way_between_them() {
        let mut builder = Builder::new("ways", "toy");
        builder.kernels("k", &[4], &[]).reduce(Reduce::over("t", &["k"], int32(4)));
        builder.place_relative("k[1]", "k[0]", (1, 0)).place_relative("k[2]", "k[1]", (0, 1));
        builder.place_relative("k[3]", "k[2]", (1, 1)).place_relative("k[2]", "k[0]", (2, 1));
        let text = rendered(&builder, &toy());
        assert_eq!(text.matches("one of the other offsets").count(), 2, "{text}");
    }
}
