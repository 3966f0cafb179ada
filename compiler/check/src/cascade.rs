//! Cascades: their number per core, their element type and their length (AM009, cascade).

use std::collections::{BTreeMap, BTreeSet};

use aiec_diag::Diagnostic;

use super::context::{Context, grouped};
use crate::errors::cascade as errors;
use aiec_ir::constraints::Group;
use aiec_ir::expanded::{Cascade, CascadeOrigin, Collective};
use aiec_ir::{Carries, CascadeType, KernelId};

pub(super) fn check(context: &Context) -> Vec<Diagnostic> {
    let mut found = ends(context);
    found.extend(deep(context));
    found.extend(vectors(context));
    let chains = || context.expanded.collectives.iter().filter(|collective| collective.plan.is_cascade());
    found.extend(chains().filter(|chain| has_no_carrier(chain)).map(errors::element));
    let longest = context.grid.longest_cascade();
    let long = chains().filter(|chain| chain.ranks.len() > longest);
    found.extend(long.map(|chain| errors::too_long(context.expanded, chain, longest, context.device)));
    if found.is_empty() {
        found.extend(chains_of_connections(context, longest));
    }
    if found.is_empty() {
        found.extend(misplaced(context));
        found.extend(apart(context));
    }
    found
}

/// The first cascade of each `apart` of kernels whose ends the `apart` keeps from each other's
/// memory, where all cores that follow each other along the cascade reach a common module.
fn apart(context: &Context) -> Vec<Diagnostic> {
    let (design, grid) = (context.expanded, &context.grid);
    let reach_one = |tile| grid.along_cascade(tile, 1).is_none_or(|next| grid.partners(tile).contains(&next));
    if grid.longest_cascade() < 2 || !grid.ids().all(reach_one) {
        return Vec::new();
    }
    let fault = |group: &Group<KernelId>| {
        let is_kept = |cascade: &&Cascade| {
            [cascade.from, cascade.to].iter().all(|kernel| group.kernels.contains(kernel))
        };
        Some(errors::apart(design, design.cascades.iter().find(is_kept)?, group))
    };
    design.constraints.apart.iter().filter_map(fault).collect()
}

/// Connections between cascade ports that state a FIFO, one for each `connect`.
fn deep(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let fifo = connection.fifo.as_ref()?;
        let cascade = design.is_cascade(connection.from) && design.is_cascade(connection.to);
        cascade.then_some((fifo.span, id))
    });
    grouped(faults).iter().map(|(span, ids)| errors::fifo(design, *span, ids, context.device)).collect()
}

/// Cascades of vectors in a release whose cascades are streams of accumulators. An ADF graph is its
/// owner's.
fn vectors(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    if design.release.cascade_ports.value != Some(false) || design.is_adf() {
        return Vec::new();
    }
    let faults = design.connections.enumerate().filter_map(|(id, connection)| {
        let carries = design.ports[connection.from].carries;
        let is_vector = matches!(carries, Some(Carries::Cascade(CascadeType::Vector(_))));
        (is_vector && design.goes_by_cascade(id)).then_some((connection.span, id))
    });
    grouped(faults).values().map(|ids| errors::of_release(design, ids)).collect()
}

/// Fixed kernels of which one follows the other along a cascade, but not their tiles. Reports the
/// first such pair of each chain.
fn misplaced(context: &Context) -> Option<Diagnostic> {
    let (design, grid) = (context.expanded, &context.grid);
    let leaving: BTreeMap<KernelId, &Cascade> =
        design.cascades.iter().map(|cascade| (cascade.from, cascade)).collect();
    design.cascades.iter().find_map(|cascade| {
        let start = context.fixed_tile(cascade.from)?;
        grid.along_cascade(start, 0)?; // the cascade of the device is a line
        let next = |step: &&Cascade| leaving.get(&step.to).copied();
        let steps: Vec<&Cascade> = std::iter::successors(Some(cascade), next).take(grid.len()).collect();
        let (at, end) =
            steps.iter().enumerate().find_map(|(at, step)| Some((at, context.fixed_tile(step.to)?)))?;
        let follows = grid.along_cascade(start, i64::try_from(at).ok()?.checked_add(1)?);
        let way = errors::Way { start, end, follows, next: grid.along_cascade(start, 1) };
        (follows != Some(end)).then(|| errors::misplaced(design, grid, &steps[..=at], &way))
    })
}

/// Chains that connections make, alone or with collectives: none is longer than the cascade of the
/// array, and none returns to its start. Every kernel has at most one cascade in and one out.
fn chains_of_connections(context: &Context, longest: usize) -> Vec<Diagnostic> {
    let design = context.expanded;
    let leaving: BTreeMap<KernelId, &Cascade> =
        design.cascades.iter().map(|cascade| (cascade.from, cascade)).collect();
    let entered: BTreeSet<KernelId> = design.cascades.iter().map(|cascade| cascade.to).collect();
    let mut seen = BTreeSet::new();
    let mut chain_from = |start: KernelId| -> Vec<&Cascade> {
        let next = |cascade: &&Cascade| leaving.get(&cascade.to).copied();
        let steps = std::iter::successors(leaving.get(&start).copied(), next);
        steps.take_while(|cascade| seen.insert(cascade.from)).collect()
    };
    // Chains with a first kernel come first; what remains are cycles.
    let (starts, others): (Vec<KernelId>, Vec<KernelId>) =
        leaving.keys().copied().partition(|kernel| !entered.contains(kernel));
    let open: Vec<Vec<&Cascade>> = starts.into_iter().map(&mut chain_from).collect();
    let closed: Vec<Vec<&Cascade>> = others.into_iter().map(&mut chain_from).collect();
    let is_own = |chain: &&Vec<&Cascade>| {
        chain.iter().any(|cascade| matches!(cascade.origin, CascadeOrigin::Connection(_)))
    };
    let long = open.iter().filter(is_own).filter(|chain| chain.len() + 1 > longest);
    let mut found: Vec<Diagnostic> =
        long.map(|chain| errors::long_chain(design, chain, longest, context.device)).collect();
    let cycles = closed.iter().filter(|chain| !chain.is_empty());
    found.extend(cycles.map(|chain| errors::cycle(design, chain)));
    found
}

/// True if no vector type has elements of this type.
fn has_no_carrier(chain: &Collective) -> bool {
    chain.data.value.element.carrier().is_none()
}

/// A core has one cascade in and one out. Reports the first stream that needs a second one, once
/// for each pair of collectives.
fn ends(context: &Context) -> Vec<Diagnostic> {
    let design = context.expanded;
    let mut found = Vec::new();
    let mut reported = Vec::new();
    let mut taken: BTreeMap<(KernelId, bool), &Cascade> = BTreeMap::new();
    for cascade in &design.cascades {
        for (kernel, into) in [(cascade.from, false), (cascade.to, true)] {
            let first = *taken.entry((kernel, into)).or_insert(cascade);
            let pair = (first.origin, cascade.origin);
            if first != cascade && !reported.contains(&pair) {
                reported.push(pair);
                found.push(errors::ends(design, first, cascade, into));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::{rendered, slugs_on_toy, toy};
    use aiec_collectives::{ElementType, WindowType};
    use aiec_collectives::{Operation, Shape};
    use aiec_test_support::{Builder, Reduce, input, int32, output};

    fn cascade(name: &str, group: &[&str], root: &str, window: WindowType) -> Reduce {
        Reduce::over(name, group, window).operation(Operation::Reduce, Shape::Cascade).root(root)
    }

    fn chain(ranks: u32) -> Builder {
        let mut builder = Builder::new("chain", "toy");
        builder.kernels("w", &[ranks], &[]);
        builder.reduce(cascade("total", &["w"], &format!("w[{}]", ranks - 1), int32(4)));
        builder
    }

    #[test]
    fn a_cascade_passes_all_cores_of_the_snake_and_has_no_windows() {
        let whole = chain(24);
        assert_eq!(slugs_on_toy(&whole), [""; 0]);
        let design = whole.expanded().unwrap();
        assert_eq!((design.cascades.len(), design.connections.len(), design.ports.len()), (23, 0, 0));
    }

    #[test]
    fn tiles_that_are_left_free_cut_the_cascade() {
        // Row 1 leads westwards: tile (2, 1) is the tenth core, so 14 cores follow it.
        let mut cut = chain(14);
        assert_eq!(slugs_on_toy(cut.keepout((2, 1), (2, 1))), [""; 0]);
        let mut cut = chain(15);
        assert_eq!(slugs_on_toy(cut.keepout((2, 1), (2, 1))), ["check/cascade-length"]);
        let text = rendered(&cut, &toy());
        assert!(text.contains("15 cores") && text.contains("most 14 that are"), "{text}");
    }

    #[test]
    fn a_core_has_one_cascade_in_and_one_out() {
        let two = |first: &[&str], second: &[&str]| {
            let mut builder = Builder::new("two", "toy");
            builder.kernels("w", &[5], &[]);
            builder.reduce(cascade("a", first, first[first.len() - 1], int32(4)));
            builder.reduce(cascade("b", second, second[second.len() - 1], int32(4)));
            slugs_on_toy(&builder)
        };
        let ends = "check/cascade-ends";
        assert!(two(&["w[0]", "w[1]", "w[2]"], &["w[3]", "w[1]"]).contains(&ends), "two in");
        assert!(two(&["w[0]", "w[1]", "w[2]"], &["w[1]", "w[3]"]).contains(&ends), "two out");
        assert!(
            !two(&["w[0]", "w[1]", "w[2]"], &["w[2]", "w[3]"]).contains(&ends),
            "the end of one begins the next"
        );
    }

    #[test]
    fn accumulators_hold_no_64_bit_integers() {
        let mut builder = Builder::new("wide", "toy");
        builder.kernels("w", &[3], &[]);
        let wide = WindowType { element: ElementType::Int64, elements: 4 };
        builder.reduce(cascade("total", &["w"], "w[2]", wide));
        assert_eq!(slugs_on_toy(&builder), ["check/cascade-type"]);
    }

    /// Kernels that connections chain, `steps` of `from -> to`.
    fn connected(kernels: u32, steps: &[(u32, u32)]) -> Builder {
        let lanes = aiec_ir::Carries::Cascade(aiec_ir::CascadeType::Vector(ElementType::Int32));
        let mut builder = Builder::new("chain", "toy");
        builder.kernels("w", &[kernels], &[input("x", int32(4)), output("y", int32(4))]);
        builder.carries("w", "x", lanes).carries("w", "y", lanes);
        for (from, to) in steps {
            builder.connect(&format!("w[{from}].y"), &format!("w[{to}].x"));
        }
        builder
    }

    #[test]
    fn a_cascade_has_no_fifo() {
        let mut builder = connected(2, &[(0, 1)]);
        let found = slugs_on_toy(builder.fifo(16));
        assert_eq!(found.into_iter().filter(|slug| slug.contains("cascade")).count(), 1);
        let text = rendered(&builder, &toy());
        assert!(text.contains("check/cascade-fifo") && text.contains("leave `fifo` out"), "{text}");
    }

    #[test]
    fn tiles_of_fixed_kernels_follow_each_other_along_the_cascade() {
        let text = |kernels: u32, places: &[(u32, (i64, i64))]| {
            let steps: Vec<(u32, u32)> = (1..kernels).map(|at| (at - 1, at)).collect();
            let mut builder = connected(kernels, &steps);
            for (kernel, (column, row)) in places {
                builder.place(&format!("w[{kernel}]"), *column, *row);
            }
            let text = rendered(&builder, &toy());
            text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
        };
        let conflict = "check/place-conflict";
        let wrong = text(2, &[(0, (3, 1)), (1, (4, 1))]);
        assert!(wrong.contains("belongs at (2, 1)") && wrong.contains("runs west in row 1"), "{wrong}");
        assert!(!text(2, &[(0, (3, 1)), (1, (2, 1))]).contains(conflict));
        assert!(!text(2, &[(0, (2, 0)), (1, (3, 0))]).contains(conflict));
        let wrong = text(2, &[(0, (3, 0)), (1, (2, 0))]);
        assert!(wrong.contains("belongs at (4, 0)") && wrong.contains("runs east in row 0"), "{wrong}");
        let wrong = text(3, &[(0, (3, 1)), (2, (2, 1))]);
        assert!(wrong.contains("2 steps") && wrong.contains("belongs at (1, 1)"), "{wrong}");
        assert!(!text(3, &[(0, (3, 1)), (2, (1, 1))]).contains(conflict));
    }

    #[test]
    fn kernels_of_a_cascade_are_not_apart() {
        let text = |apart: &[&str], by_core: bool| {
            let mut builder = connected(3, &[(0, 1), (1, 2)]);
            if by_core {
                builder.distinct(apart)
            } else {
                builder.apart(apart)
            };
            let text = rendered(&builder, &toy());
            text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
        };
        let conflict = "check/place-conflict";
        let found = text(&["w[0]", "w[1]"], false);
        assert!(found.contains(conflict) && found.contains("reach a common memory module"), "{found}");
        assert!(found.contains("`apart w[0], w[1] by core`"), "{found}");
        assert!(!text(&["w[0]", "w[2]"], false).contains(conflict), "another core lies between them");
        assert!(!text(&["w[0]", "w[1]"], true).contains(conflict));
    }

    #[test]
    fn connections_chain_no_more_cores_than_follow_each_other() {
        let chain = |kernels: u32| -> Vec<&'static str> {
            let steps: Vec<(u32, u32)> = (1..kernels).map(|at| (at - 1, at)).collect();
            let found = slugs_on_toy(connected(kernels, &steps).keepout((2, 1), (2, 1)));
            found.into_iter().filter(|slug| slug.contains("cascade")).collect()
        };
        assert_eq!(chain(14), [""; 0]);
        assert_eq!(chain(15), ["check/cascade-length"]);
    }

    #[test]
    fn a_cascade_of_connections_has_one_way_and_never_returns() {
        let cascades = |steps: &[(u32, u32)]| -> Vec<&'static str> {
            let found = slugs_on_toy(&connected(3, steps));
            found.into_iter().filter(|slug| slug.contains("cascade")).collect()
        };
        assert_eq!(cascades(&[(0, 1), (1, 2), (2, 0)]), ["check/cascade-length"]);
        assert_eq!(cascades(&[(0, 0)]), ["check/cascade-length"]);
        assert_eq!(cascades(&[(0, 1), (0, 2)]), ["check/cascade-ends"], "a broadcast");
        assert_eq!(cascades(&[(0, 2), (1, 2)]), ["check/cascade-ends"], "a fan-in");
    }
}
