//! Placement constraints: each names tiles of the array, and none contradicts the others as far as
//! can be seen without a search.
//!
//! The rules look at the constraints on one kernel, at kernels in fixed positions to each other, at
//! pairs of kernels with one tile left each, at the kernels of a `together` or `apart`, and at
//! kernels that share a set of tiles. The placer finds out whether all constraints of the design
//! hold together.

use std::collections::BTreeMap;

use aiec_device::{Grid, TileId};
use aiec_diag::{Diagnostic, catalogue};

use super::aligned;
use super::conflict;
use super::context::{Context, grouped};
use super::outside;
use super::pinned;
use super::rigid::{GroupId, Groups, allowed};
use super::scattered;
use crate::errors::places::{self as errors, Wish};
use crate::statement::{Allowed, Statement};
use aiec_ir::KernelId;
use aiec_ir::WHOLE_CORE;
use aiec_ir::constraints::{Group, Offset};
use aiec_ir::expanded::Place;

/// Limit on the sets of tiles whose capacity is compared with their kernels' demand.
const MOST_SETS: usize = 256;

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let inside = inside(context);
    let mut found = outside::check(context);
    let statements = context.statements();
    let mut groups = groups(context, &inside, &statements);
    found.extend(two_tiles(context, &inside));
    found.extend(two_distances(context, &groups));
    found.extend(nowhere(context, &groups, &inside));
    found.extend(twice_apart(context));
    found.extend(pairs(context, &mut groups));
    found.extend(both_ways(context, &groups));
    found.extend(cores(context, &groups));
    found.extend(one_core(context, &groups));
    let allowed = allowed(context, &statements);
    if found.is_empty() {
        found.extend(aligned::check(context, &allowed));
    }
    found.extend(too_small(context, &allowed));
    found.extend(too_many_in_group(context, &allowed));
    found
}

/// The stated places inside the array.
fn inside<'a>(context: &Context<'a>) -> Vec<(TileId, &'a Place)> {
    let places = context.expanded.places.iter();
    places.filter_map(|place| Some((context.tile(place.column, place.row)?, place))).collect()
}

/// The groups of the kernels that constraints name. `places` are those inside the array.
fn groups<'a>(context: &Context<'a>, places: &[(TileId, &Place)], statements: &[Statement]) -> Groups<'a> {
    let named = places.iter().map(|(_, place)| place.kernel);
    let named = named.chain(context.expanded.constraints.kernels().copied()).collect();
    Groups::new(context, &named, statements)
}

/// Kernels that two `place` constraints fix to different tiles.
fn two_tiles(context: &Context, places: &[(TileId, &Place)]) -> Vec<Diagnostic> {
    let by_kernel = grouped(places.iter().map(|&(tile, place)| (place.kernel, (tile, place))));
    let pairs = by_kernel.values().filter_map(|places| first_difference(places, |(tile, _)| *tile));
    pairs.map(|((_, first), (_, second))| errors::two_tiles(context.expanded, first, second)).collect()
}

/// Offsets that contradict earlier offsets.
fn two_distances(context: &Context, groups: &Groups) -> Vec<Diagnostic> {
    let says = |(offset, made): &(&Offset<KernelId>, (i64, i64))| {
        let statements = conflict::offsets(context, &groups.members_with(offset.kernel), offset);
        errors::two_distances(context.expanded, offset, *made, &statements)
    };
    groups.contradictions.iter().map(says).collect()
}

/// Groups without any possible position on the array, unless an earlier rule reported the reason.
fn nowhere(context: &Context, groups: &Groups, places: &[(TileId, &Place)]) -> Vec<Diagnostic> {
    let by_kernel = grouped(places.iter().map(|&(tile, place)| (place.kernel, tile)));
    let twice = |kernel: &KernelId| {
        by_kernel.get(kernel).is_some_and(|tiles| first_difference(tiles, |tile| *tile).is_some())
    };
    let lost = groups.groups.enumerate().filter(|(_, group)| group.anchors.is_empty());
    let lost = lost.filter(|(at, _)| !groups.is_contradictory(*at));
    let lost = lost.map(|(_, group)| &group.members).filter(|kernels| !kernels.iter().any(twice));
    let says = |kernels: &Vec<KernelId>| {
        let (statements, kernels) = conflict::without_tiles(context, kernels);
        let code = &catalogue::PLACE_CONFLICT;
        errors::no_tiles(code, context.stated(), context.device, &kernels, &statements)
    };
    lost.map(says).collect()
}

/// Kernels that an `apart` names twice.
fn twice_apart(context: &Context) -> Vec<Diagnostic> {
    let constraints = &context.expanded.constraints;
    let groups = constraints.apart.iter().chain(&constraints.distinct);
    let again = |group: &'_ Group<KernelId>| {
        let (kernel, _) = group.pairs().find(|(a, b)| a == b)?;
        Some(errors::apart_from_itself(context.expanded, *kernel, group.span))
    };
    groups.filter_map(again).collect()
}

/// Pairs that must share memory, or must share none, and cannot in any position. Removes from each
/// group the anchors that break its own pairs.
fn pairs(context: &Context, groups: &mut Groups) -> Vec<Diagnostic> {
    let constraints = &context.expanded.constraints;
    let together = constraints.together.iter().map(|group| (group, true));
    let mut found = Vec::new();
    for (group, shares) in together.chain(constraints.apart.iter().map(|group| (group, false))) {
        let mut others = group.pairs().filter(|(a, b)| a != b);
        let broken = others.find(|(a, b)| !can_hold(context, groups, Wish { a: **a, b: **b, shares }));
        found.extend(broken.map(|(&a, &b)| {
            let kernels = &groups.members_with(a) | &groups.members_with(b);
            let wish = Wish { a, b, shares };
            let statements = conflict::least_set(context, &kernels, Some(wish));
            errors::pair(context.stated(), &kernels, wish, group, &statements)
        }));
    }
    found
}

/// False if the two kernels of `wish` break it in every position.
fn can_hold(context: &Context, groups: &mut Groups, wish: Wish) -> bool {
    if let Some((group, left)) = groups.holding(context, wish) {
        let anchors = &mut groups.groups[group].anchors;
        // A group without any position has been reported already.
        let possible = !left.is_empty() || anchors.is_empty();
        if possible {
            *anchors = left;
        }
        return possible;
    }
    let tiles = groups.only_tile(context, wish.a).zip(groups.only_tile(context, wish.b));
    tiles.is_none_or(|(a, b)| wish.holds(&context.grid, a, b))
}

/// The identity of a core before placement: the only tile that is left for a kernel, or a position
/// within a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Core {
    /// A position within this group.
    Member { group: GroupId, columns: i64, rows: i64 },
    /// The only tile that is left.
    Tile(TileId),
}

/// The core of `kernel` as far as constraints determine it. Kernels with the same value share a
/// core.
fn core_of(context: &Context, groups: &Groups, kernel: KernelId) -> Option<Core> {
    let &(group, _) = groups.of.get(&kernel).filter(|(group, _)| !groups.is_contradictory(*group))?;
    let (columns, rows) = groups.position(kernel)?;
    let tile = groups.only_tile(context, kernel);
    let position = Core::Member { group, columns, rows };
    Some(tile.map_or(position, Core::Tile))
}

/// For each `apart`, its first pair that is also in a `together`, directly or through kernels on
/// the same two cores.
fn both_ways(context: &Context, groups: &Groups) -> Vec<Diagnostic> {
    let constraints = &context.expanded.constraints;
    let cores = |(a, b): (&KernelId, &KernelId)| {
        let (a, b) = core_of(context, groups, *a).zip(core_of(context, groups, *b))?;
        Some((a.min(b), a.max(b)))
    };
    let mut together: BTreeMap<(Core, Core), &Group<KernelId>> = BTreeMap::new();
    for group in &constraints.together {
        together.extend(group.pairs().filter_map(cores).map(|pair| (pair, group)));
    }
    let broken = constraints.apart.iter().filter_map(|apart| {
        let fault = |pair| Some((pair, *together.get(&cores(pair)?)?));
        apart
            .pairs()
            .filter(|(a, b)| a != b)
            .find_map(fault)
            .map(|((a, b), together)| ((*a, *b), together, apart))
    });
    broken
        .map(|((a, b), together, apart)| errors::together_and_apart(context.expanded, a, b, together, apart))
        .collect()
}

/// For each `apart` by core, its first pair that other constraints put on one core.
fn one_core(context: &Context, groups: &Groups) -> Vec<Diagnostic> {
    let same = |(a, b): &(&KernelId, &KernelId)| {
        let cores = core_of(context, groups, **a).zip(core_of(context, groups, **b));
        a != b && cores.is_some_and(|(a, b)| a == b)
    };
    let broken = context.expanded.constraints.distinct.iter().filter_map(|group| {
        let (&a, &b) = group.pairs().find(same)?;
        Some(errors::on_one_core(context.expanded, a, b, group))
    });
    broken.collect()
}

/// The kernels of each core on which constraints put several.
fn crowded(context: &Context, groups: &Groups) -> Vec<Vec<KernelId>> {
    let mut on: BTreeMap<Core, Vec<KernelId>> = BTreeMap::new();
    for &kernel in groups.of.keys() {
        if let Some(core) = core_of(context, groups, kernel) {
            on.entry(core).or_default().push(kernel);
        }
    }
    on.into_values().filter(|kernels| kernels.len() > 1).collect()
}

/// As [`crate::shared_cores`].
pub(super) fn shared_cores(context: &Context) -> Vec<Vec<KernelId>> {
    crowded(context, &groups(context, &inside(context), &context.statements()))
}

/// Kernels that constraints put on one core which cannot run them all.
fn cores(context: &Context, groups: &Groups) -> Vec<Diagnostic> {
    let crowded = crowded(context, groups);
    let alone = context.expanded.alone();
    let overloaded = crowded.iter().filter_map(|kernels| core(context, kernels, &alone));
    let locked = |kernels: &Vec<KernelId>| context.expanded.locked_between(kernels).first().copied();
    let waiting = crowded.iter().filter_map(|kernels| Some((kernels, locked(kernels)?)));
    let waiting = waiting.map(|(kernels, port)| errors::core_wait(context.expanded, kernels, port));
    overloaded.chain(waiting).collect()
}

/// The first fault of these kernels on one core.
fn core(
    context: &Context,
    kernels: &[KernelId],
    alone: &aiec_ir::IdVec<KernelId, Option<aiec_ir::Alone>>,
) -> Option<Diagnostic> {
    let (design, device) = (context.expanded, context.device);
    if let Some((kernel, why)) = kernels.iter().find_map(|&kernel| Some((kernel, alone[kernel]?))) {
        return Some(errors::not_shared(design, kernels, kernel, why));
    }
    let time: u64 = kernels.iter().map(|&kernel| u64::from(context.shares[kernel])).sum();
    if time > u64::from(WHOLE_CORE) {
        return Some(errors::core_time(design, kernels, time));
    }
    let programs = kernels.iter().map(|&kernel| u64::from(design.program_bytes(kernel).unwrap_or(0)));
    let program: u64 = programs.sum();
    if program > u64::from(device.core.program_bytes) {
        return Some(errors::core_program(design, kernels, program, device.core.program_bytes));
    }
    let supply = [device.tile.streams_in, device.tile.streams_out];
    let demand = |way: usize| kernels.iter().map(|&kernel| design.stream_ports(kernel)[way]).sum::<u32>();
    if let Some(way) = [0, 1].into_iter().find(|&way| demand(way) > supply[way]) {
        return Some(errors::core_ports(design, kernels, way, [demand(way), supply[way]]));
    }
    let system = design.core_system_bytes(kernels, device);
    if system > context.module_bytes() {
        return Some(errors::core_system(design, kernels, system, device));
    }
    pinned::of_core(context, kernels).map(|crowd| crate::errors::pinned::crowd(design, &crowd, device))
}

/// Sets of tiles with fewer cores than the kernels need that are confined to them.
fn too_small(context: &Context, allowed: &Allowed) -> Vec<Diagnostic> {
    let sets = allowed.groups();
    let within =
        |small: &[bool], large: &[bool]| small.iter().zip(large).all(|(small, large)| !small | large);
    let supply = |set: &[bool]| set.iter().filter(|&&allowed| allowed).count() as u64;
    let mut found = Vec::new();
    // One tile with too many kernels is reported as an overloaded core.
    for &set in sets.keys().filter(|set| supply(set) > 1).take(MOST_SETS) {
        let inside = sets.iter().filter(|(other, _)| within(other, set)).flat_map(|(_, kernels)| kernels);
        let kernels: Vec<KernelId> = inside.copied().collect();
        let demand = context.least_cores(kernels.iter().copied());
        if demand > supply(set) {
            found.push(errors::region_too_small(context.expanded, &kernels, demand, supply(set)));
        }
    }
    found
}

/// Groups of `together` or `apart` with more kernels than can pairwise share memory, or pairwise
/// share none.
fn too_many_in_group(context: &Context, allowed: &Allowed) -> Vec<Diagnostic> {
    let constraints = &context.expanded.constraints;
    let best = if constraints.together.is_empty() { 0 } else { most_together(&context.grid) };
    let crowd = |group: &&Group<KernelId>| context.least_cores(group.kernels.iter().copied()) > best;
    let together = constraints.together.iter().filter(crowd);
    let together = together.map(|group| {
        let cores = context.least_cores(group.kernels.iter().copied());
        errors::too_many_together(context.expanded, group, cores, best)
    });
    let scattered = constraints.apart.iter().filter_map(|group| crowded_apart(context, allowed, group));
    together.chain(scattered).collect()
}

/// The fault of an `apart` group if more of its kernels are confined to a set of tiles than find
/// room there.
fn crowded_apart(context: &Context, allowed: &Allowed, group: &Group<KernelId>) -> Option<Diagnostic> {
    let open: Vec<bool> = context.grid.ids().map(|tile| context.grid.is_open(tile)).collect();
    let mut sets: Vec<&[bool]> = group.kernels.iter().map(|&kernel| allowed.of(kernel)).collect();
    sets.push(&open);
    sets.sort_unstable();
    sets.dedup();
    sets.sort_by_key(|tiles| tiles.iter().filter(|&&tile| tile).count());
    sets.into_iter().take(MOST_SETS).find_map(|tiles| {
        let within =
            |kernel: &KernelId| allowed.of(*kernel).iter().zip(tiles).all(|(&own, &all)| !own || all);
        let kernels: Vec<KernelId> = group.kernels.iter().copied().filter(within).collect();
        let count = tiles.iter().filter(|&&tile| tile).count();
        // Two kernels confined to one tile are reported as such.
        let many = count > 1 && kernels.len() as u64 > scattered::some_apart(&context.grid, tiles);
        let most = if many { scattered::most_apart(&context.grid, tiles) } else { u64::MAX };
        let region = (*tiles != open[..]).then_some(count);
        (kernels.len() as u64 > most)
            .then(|| errors::too_many_apart(context.expanded, group, &kernels, most, region))
    })
}

/// The most cores that pairwise reach a common module: the largest clique of partners. On all
/// arrays of AM009 it consists of the four cores that reach one module.
fn most_together(grid: &Grid) -> u64 {
    fn largest(grid: &Grid, candidates: &[TileId]) -> u64 {
        let with = |(at, &core): (usize, &TileId)| {
            let later = candidates[at + 1..].iter().copied();
            1 + largest(grid, &later.filter(|other| grid.partners(core).contains(other)).collect::<Vec<_>>())
        };
        candidates.iter().enumerate().map(with).max().unwrap_or(0)
    }
    let open = grid.ids().filter(|&core| grid.is_open(core));
    // Each clique is found from its first core.
    let later = |core: TileId| -> Vec<TileId> {
        grid.partners(core).iter().copied().filter(|&other| other > core).collect()
    };
    open.map(|core| 1 + largest(grid, &later(core))).max().unwrap_or(0)
}

/// The first item, and the first item that differs from it in `by`.
fn first_difference<T: Copy, K: PartialEq>(things: &[T], by: impl Fn(&T) -> K) -> Option<(T, T)> {
    let first = things.first()?;
    let other = things.iter().find(|thing| by(thing) != by(first))?;
    Some((*first, *other))
}

#[cfg(test)]
mod tests {
    use crate::testing::{
        device, done, placed, rendered, slugs_on, slugs_on_toy, slugs_with, toy, with_ranks,
    };
    use aiec_collectives::Direction;
    use aiec_test_support::{Builder, Reduce, input, int32, output, stream};

    #[test]
    fn a_kernel_is_on_one_tile_and_a_tile_runs_one_kernel() {
        assert_eq!(placed(&[("a[0]", 1, 1), ("a[0]", 1, 1)]), [""; 0], "saying it twice is no contradiction");
        assert_eq!(placed(&[("a[0]", 1, 1), ("a[0]", 1, 2)]), ["check/place-conflict"]);
        assert_eq!(placed(&[("a[0]", 1, 1), ("a[1]", 1, 1), ("a[2]", 2, 2)]), ["check/core-overload"]);
    }

    #[test]
    fn a_core_runs_kernels_whose_ratios_sum_to_one() {
        let on_one = |ratio: u32, program: u32| {
            slugs_with(move |b| {
                b.runtime("a", ratio).program("a", program);
                b.place_relative("a[1]", "a[0]", (0, 0)).place_relative("a[2]", "a[1]", (0, 0));
            })
        };
        assert_eq!(on_one(333, 5000), [""; 0]);
        assert_eq!(on_one(334, 5000), ["check/core-overload"]);
        assert_eq!(on_one(333, 5462), ["check/core-overload"], "16 KiB of program memory (AM009)");
    }

    #[test]
    fn kernels_share_a_core_on_one_tile_in_one_position_and_in_a_region_of_one_tile() {
        let cores = |made: &dyn Fn(&mut Builder)| {
            let design = with_ranks(|b| made(b)).expanded().expect("every name is declared");
            let cores = crate::shared_cores(&design, &toy()).into_iter();
            cores.map(|core| core.into_iter().map(aiec_ir::Id::index).collect()).collect::<Vec<Vec<_>>>()
        };
        assert_eq!(cores(&|b| done(b.place("a[0]", 1, 1).place("a[2]", 1, 1))), [[0, 2]]);
        assert_eq!(cores(&|b| done(b.place_relative("a[1]", "a[0]", (0, 0)))), [[0, 1]]);
        assert_eq!(cores(&|b| done(b.region(&["a[1]", "a[3]"], (2, 1), (2, 1)))), [[1, 3]]);
        assert_eq!(cores(&|b| done(b.region(&["a[1]", "a[3]"], (2, 1), (3, 1)))), [[0usize; 2]; 0]);
        assert_eq!(cores(&|b| done(b.together(&["a[0]", "a[1]"]))), [[0usize; 2]; 0], "on two cores");
    }

    #[test]
    fn windows_that_a_kernel_locks_pass_within_a_core_only_where_that_is_allowed() {
        let mut builder = Builder::new("d", "toy");
        builder.kernels("a", &[], &[output("y", int32(16))]).kernels("b", &[], &[input("x", int32(16))]);
        builder.runtime("a", 400).runtime("b", 400).connect("async a.y", "b.x");
        builder.place("a", 1, 1).place("b", 1, 1);
        assert_eq!(slugs_on(&builder, &toy()), ["check/core-wait"]);
        let expanded = builder.expanded().expect("every name is declared");
        let allowed = crate::check_allowing(expanded, &toy(), &[&aiec_diag::catalogue::CORE_WAIT]);
        assert!(allowed.diagnostics().is_empty(), "{:?}", allowed.diagnostics());
    }

    #[test]
    fn offsets_agree_with_each_other_and_with_places() {
        let square = |last: (i64, i64)| {
            slugs_with(move |b| {
                b.place_relative("a[1]", "a[0]", (1, 0)).place_relative("a[2]", "a[1]", (0, 1));
                b.place_relative("a[2]", "a[0]", last);
            })
        };
        assert_eq!(square((1, 1)), [""; 0]);
        assert_eq!(square((1, 0)), ["check/place-conflict"]);
        let pinned = |column: i64| {
            slugs_with(move |b| {
                b.place_relative("a[1]", "a[0]", (1, 0)).place("a[0]", 2, 2).place("a[1]", column, 2);
            })
        };
        assert_eq!(pinned(3), [""; 0]);
        assert_eq!(pinned(4), ["check/place-conflict"]);
    }

    #[test]
    fn a_kernel_needs_a_tile_that_all_its_constraints_leave() {
        let regions = |from: i64| {
            slugs_with(move |b| {
                done(b.region(&["a[0]"], (0, 0), (2, 3)).region(&["a[0]"], (from, 0), (5, 3)))
            })
        };
        assert_eq!(regions(2), [""; 0]);
        assert_eq!(regions(3), ["check/place-conflict"]);
        let keepout = |b: &mut Builder| done(b.place("a[0]", 1, 1).keepout((1, 1), (1, 1)));
        assert_eq!(slugs_with(keepout), ["check/place-conflict"]);
        let text = rendered(&with_ranks(keepout), &toy());
        assert!(text.contains("keepout (1, 1)"), "the constraint that is in the way is shown: {text}");
    }

    #[test]
    fn the_device_can_close_tiles_too() {
        let mut faulty = toy();
        faulty.keepout = vec![aiec_device::Tile::new(1, 1)];
        assert_eq!(slugs_on(&with_ranks(|b| done(b.place("a[0]", 1, 1))), &faulty), ["check/place-conflict"]);
        assert_eq!(slugs_on(&with_ranks(|b| done(b.place("a[0]", 1, 2))), &faulty), [""; 0]);
    }

    #[test]
    fn a_core_has_ports_for_two_streams_each_way() {
        let on_one = |kernels: u32| {
            let mut builder = Builder::new("d", "toy");
            builder.carrying("k", &[kernels], &[(Direction::In, "x", stream(Some(16)))]).runtime("k", 100);
            for at in 0..kernels {
                builder.plio_input(&format!("i{at}"), 32).connect(&format!("i{at}"), &format!("k[{at}].x"));
                builder.place(&format!("k[{at}]"), 1, 1);
            }
            slugs_on_toy(&builder)
        };
        assert_eq!(on_one(2), [""; 0]);
        assert_eq!(on_one(3), ["check/core-overload"]);
    }

    #[test]
    fn a_region_has_a_core_for_each_of_its_kernels() {
        let region = |columns: i64, ratio: Option<u32>| {
            slugs_with(move |b| {
                ratio.into_iter().for_each(|ratio| done(b.runtime("a", ratio)));
                b.region(&["a"], (1, 1), (columns, 1));
            })
        };
        assert_eq!(region(4, None), [""; 0]);
        assert_eq!(region(3, None), ["check/region-too-small"]);
        assert_eq!(region(2, Some(500)), [""; 0]);
        assert_eq!(region(2, Some(501)), ["check/region-too-small"]);
        let nested = |b: &mut Builder| {
            b.region(&["a[0]", "a[1]"], (0, 0), (1, 0)).region(&["a[2]"], (0, 0), (0, 0));
        };
        assert_eq!(slugs_with(nested), ["check/region-too-small"], "three kernels on two tiles");
    }

    #[test]
    fn a_small_region_is_helped_by_ratios_where_kernels_lack_one() {
        let help = |ratio: Option<u32>, columns: i64| {
            let design = with_ranks(|b| {
                ratio.into_iter().for_each(|ratio| done(b.runtime("a", ratio)));
                b.region(&["a"], (1, 1), (columns, 1));
            });
            rendered(&design, &toy())
        };
        let without = help(None, 2);
        assert!(without.contains("larger by 2 tiles, or give small kernels a `runtime` ratio"), "{without}");
        let with = help(Some(600), 3);
        assert!(with.contains("larger by 1 tile, or give kernels smaller `runtime` ratios"), "{with}");
    }

    #[test]
    fn fixed_kernels_are_together_or_apart_as_they_stand() {
        // (1, 0) and (1, 2) both reach the module between them, (1, 0) and (1, 3) none.
        let at = |row: i64, together: bool| {
            slugs_with(move |b| {
                b.place("a[0]", 1, 0).place("a[1]", 1, row);
                if together {
                    b.together(&["a[0]", "a[1]"])
                } else {
                    b.apart(&["a[0]", "a[1]"])
                };
            })
        };
        assert_eq!((at(2, true), at(2, false)), (vec![], vec!["check/place-conflict"]));
        assert_eq!((at(3, true), at(3, false)), (vec!["check/place-conflict"], vec![]));
        let relative = |offset| {
            slugs_with(move |b| done(b.place_relative("a[1]", "a[0]", offset).apart(&["a[0]", "a[1]"])))
        };
        assert_eq!(relative((0, 1)), ["check/place-conflict"]);
        assert_eq!(relative((1, 1)), [""; 0], "diagonal partners depend on the row");
    }

    /// Tries every set of cores: at most four pairwise reach a common module, on even and odd rows,
    /// and these four reach one module.
    #[test]
    fn at_most_four_cores_share_memory_with_each_other() {
        for name in ["toy", "xcvc1902"] {
            let grid = aiec_device::Grid::new(&crate::testing::device(name));
            assert_eq!(super::most_together(&grid), 4, "{name}");
            let most = grid.ids().map(|m| grid.ids().filter(|&core| grid.reaches(core, m)).count()).max();
            assert_eq!(most, Some(4), "{name}");
        }
    }

    #[test]
    fn a_pair_is_not_together_and_apart() {
        let both = |more: &dyn Fn(&mut Builder)| {
            slugs_with(|b| {
                b.together(&["a[0]", "a[1]", "a[2]"]).apart(&["a[3]", "a[1]"]);
                more(b);
            })
        };
        assert_eq!(both(&|_| ()), [""; 0]);
        assert_eq!(both(&|b| done(b.apart(&["a[2]", "a[0]"]))), ["check/place-conflict"]);
        // On one core with `a[0]`, `a[3]` is together with `a[1]`.
        let on_one = |b: &mut Builder| done(b.runtime("a", 400).place_relative("a[3]", "a[0]", (0, 0)));
        assert_eq!(both(&on_one), ["check/place-conflict"]);
    }

    #[test]
    fn not_every_number_of_kernels_can_be_together_or_apart() {
        let crowd = |n: u32, together: bool| {
            let mut builder = Builder::new("crowd", "toy");
            builder.kernels("a", &[n], &[]).reduce(Reduce::over("total", &["a"], int32(4)));
            if together {
                builder.together(&["a"])
            } else {
                builder.apart(&["a"])
            };
            slugs_on_toy(&builder)
        };
        assert_eq!(crowd(4, true), [""; 0]);
        assert_eq!(crowd(5, true), ["check/place-conflict"], "four cores reach one module (AM009)");
        assert_eq!(crowd(6, false), [""; 0]);
        assert_eq!(crowd(9, false), ["check/place-conflict"], "24 modules");
        let in_region = |n: u32| {
            let mut builder = Builder::new("strip", "xcvc1902");
            builder.kernels("a", &[n], &[]).reduce(Reduce::over("total", &["a"], int32(4)));
            builder.apart(&["a"]).region(&["a"], (10, 0), (12, 7));
            slugs_on(&builder, &device("xcvc1902"))
        };
        assert_eq!((in_region(7), in_region(9)), (vec![], vec!["check/place-conflict"]), "3 by 8 tiles");
    }
}
