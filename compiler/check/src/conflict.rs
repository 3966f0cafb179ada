//! The constraints that leave kernels no tiles: a minimal unsatisfiable subset (MUS) of them.
//!
//! Takes kernels that offsets tie to each other and, where these are the fault, two kernels that
//! must or must not share memory. Returns statements that contradict each other together, but not
//! without any one of them. Only `place`, offsets, `region` and `keepout` count, as far as they lie
//! on the array.

use std::collections::BTreeMap;

use aiec_device::{Tile, TileId};

use super::context::Context;
use super::rigid::{Member, Rigid, fits_array, moved};
use crate::errors::places::{Statement, Wish};
use crate::least;
use aiec_ir::KernelId;
use aiec_ir::constraints::Offset;

/// A MUS of the constraints that leave `kernels` no tiles, or no tiles for which `wish` holds.
/// Returns all constraints if they do leave such tiles.
pub(super) fn least_set(context: &Context, kernels: &[KernelId], wish: Option<Wish>) -> Vec<Statement> {
    let question = Question { context, kernels, wish };
    least(&question.statements(), |kept| !question.is_possible(kept))
}

/// `offset` and a minimal set of other offsets that contradict it.
pub(super) fn offsets(context: &Context, kernels: &[KernelId], offset: &Offset<KernelId>) -> Vec<Statement> {
    let question = Question { context, kernels, wish: None };
    let offsets = &context.expanded.constraints.offsets;
    let is_own = |s: &Statement| matches!(s, Statement::Offset(at) if offsets[*at].span == offset.span && offsets[*at].kernel == offset.kernel);
    let (own, others): (Vec<Statement>, Vec<Statement>) = question
        .statements()
        .into_iter()
        .filter(|statement| matches!(statement, Statement::Offset(_)))
        .partition(is_own);
    let contradicts = |rest: &[Statement]| {
        let all: Vec<Statement> = own.iter().chain(rest).copied().collect();
        question.gather(offset.kernel, &all).is_none()
    };
    let others = least(&others, contradicts);
    own.into_iter().chain(others).collect()
}

struct Question<'a> {
    context: &'a Context<'a>,
    kernels: &'a [KernelId],
    wish: Option<Wish>,
}

impl Question<'_> {
    /// The statements about the kernels: keepouts, regions, offsets, then places. Deletion drops
    /// the first ones first, so that the answer keeps the statements that name the kernels.
    fn statements(&self) -> Vec<Statement> {
        let (design, ours) = (self.context.expanded, |kernel: &KernelId| self.kernels.contains(kernel));
        let constraints = &design.constraints;
        let numbers = |count: usize| 0..count;
        let regions =
            numbers(constraints.regions.len()).filter(|&at| constraints.regions[at].kernels.iter().any(ours));
        let places = numbers(design.places.len()).filter(|&at| {
            let place = &design.places[at];
            ours(&place.kernel) && self.context.tile(place.column, place.row).is_some()
        });
        let offsets = numbers(constraints.offsets.len()).filter(|&at| {
            let offset = &constraints.offsets[at];
            ours(&offset.kernel) && ours(&offset.from) && fits_array(self.context, offset)
        });
        let keepouts = numbers(constraints.keepouts.len()).map(Statement::Keepout);
        let others = regions.map(Statement::Region).chain(offsets.map(Statement::Offset));
        keepouts.chain(others).chain(places.map(Statement::Place)).collect()
    }

    /// True if the statements in `kept` leave tiles for every kernel.
    fn is_possible(&self, kept: &[Statement]) -> bool {
        let allowed = self.allowed(kept);
        let (mut groups, mut of): (Vec<Rigid>, BTreeMap<KernelId, usize>) = (Vec::new(), BTreeMap::new());
        for &kernel in self.kernels {
            if of.contains_key(&kernel) {
                continue;
            }
            let Some(members) = self.gather(kernel, kept) else { return false };
            of.extend(members.iter().map(|member| (member.kernel, groups.len())));
            let fits = |&anchor: &TileId| {
                members.iter().all(|member| {
                    let tile = moved(self.context, anchor, member);
                    tile.is_some_and(|tile| allowed[&member.kernel][tile.index()])
                })
            };
            let anchors: Vec<TileId> = self.context.grid.ids().filter(fits).collect();
            if anchors.is_empty() {
                return false;
            }
            groups.push(Rigid { members, anchors });
        }
        self.wish.is_none_or(|wish| self.comes_true(wish, &groups, &of))
    }

    /// True if the two kernels can stand as `wish` asks.
    fn comes_true(&self, wish: Wish, groups: &[Rigid], of: &BTreeMap<KernelId, usize>) -> bool {
        let (Some(&first), Some(&second)) = (of.get(&wish.a), of.get(&wish.b)) else { return true };
        let tiles = |piece: usize, kernel: KernelId| {
            let piece = &groups[piece];
            let member = piece.members.iter().find(|member| member.kernel == kernel);
            let on = |&anchor: &TileId| moved(self.context, anchor, member?);
            piece.anchors.iter().filter_map(on).collect::<Vec<TileId>>()
        };
        let (a, b) = (tiles(first, wish.a), tiles(second, wish.b));
        let holds =
            |a: TileId, b: TileId| (a == b || self.context.grid.partners(a).contains(&b)) == wish.shares;
        match first == second {
            true => a.iter().zip(&b).any(|(&a, &b)| holds(a, b)),
            false => a.iter().any(|&a| b.iter().any(|&b| holds(a, b))),
        }
    }

    /// Tiles that `kept` leaves to each kernel by itself.
    fn allowed(&self, kept: &[Statement]) -> BTreeMap<KernelId, Vec<bool>> {
        let (context, design) = (self.context, self.context.expanded);
        let constraints = &design.constraints;
        let tiles: Vec<Tile> = context.grid.ids().map(|id| context.grid.tile(id)).collect();
        let closed = |tile: &Tile| {
            let (column, row) = (tile.column.into(), tile.row.into());
            let left_free = |s: &Statement| matches!(s, Statement::Keepout(at) if constraints.keepouts[*at].area.contains(column, row));
            context.device.keepout.contains(tile) || kept.iter().any(left_free)
        };
        let open: Vec<bool> = tiles.iter().map(|tile| !closed(tile)).collect();
        let mut allowed: BTreeMap<KernelId, Vec<bool>> =
            self.kernels.iter().map(|&kernel| (kernel, open.clone())).collect();
        let mut narrow = |kernel: KernelId, keep: &dyn Fn(i64, i64) -> bool| {
            for (ok, tile) in allowed.get_mut(&kernel).into_iter().flatten().zip(&tiles) {
                *ok &= keep(tile.column.into(), tile.row.into());
            }
        };
        for statement in kept {
            match *statement {
                Statement::Place(at) => {
                    let place = &design.places[at];
                    narrow(place.kernel, &|column, row| (column, row) == (place.column, place.row));
                }
                Statement::Region(at) => {
                    let region = &constraints.regions[at];
                    region.kernels.iter().for_each(|&k| narrow(k, &|c, r| region.area.contains(c, r)));
                }
                Statement::Offset(_) | Statement::Keepout(_) => {}
            }
        }
        allowed
    }

    /// The kernels that offsets in `kept` tie to `first`, with their positions, by breadth-first
    /// search. Returns None when the offsets contradict each other.
    fn gather(&self, first: KernelId, kept: &[Statement]) -> Option<Vec<Member>> {
        let offsets = &self.context.expanded.constraints.offsets;
        let mut members = vec![Member { kernel: first, columns: 0, rows: 0 }];
        let mut next = 0;
        while let Some(&member) = members.get(next) {
            next += 1;
            for statement in kept {
                let Statement::Offset(at) = *statement else { continue };
                let offset = &offsets[at];
                let ends = [
                    (offset.from, offset.kernel, offset.columns, offset.rows),
                    (offset.kernel, offset.from, -offset.columns, -offset.rows),
                ];
                for (_, to, columns, rows) in ends.into_iter().filter(|(from, ..)| *from == member.kernel) {
                    let (columns, rows) = (member.columns + columns, member.rows + rows);
                    match members.iter().find(|other| other.kernel == to) {
                        Some(known) if (known.columns, known.rows) != (columns, rows) => return None,
                        Some(_) => {}
                        None => members.push(Member { kernel: to, columns, rows }),
                    }
                }
            }
        }
        Some(members)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{device, rendered, toy};
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
                    region.kernels.iter().all(|&k| region.area.contains(of(k).0, of(k).1))
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
            let kernels: Vec<KernelId> = expanded.kernels.ids().collect();
            let all = Question { context: &context, kernels: &kernels, wish: None }.statements();
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
        let says = "`k[0]` and 2 more kernels, whose distances are fixed, need 1 place, but 2 `place` leave 0 on xcvc1902";
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
