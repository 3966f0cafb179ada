//! Finds and proves contradictory constraints before the search, whatever the memory and channels.
//!
//! Takes a checked design and the tiles that a placement file fixes. Returns a diagnostic if the
//! statements contradict each other, with a minimal unsatisfiable subset (MUS) of statements and
//! kernels. The algorithm is a deletion filter: it drops the statements of one kind at once, then
//! fewer and fewer, and likewise kernels, as long as the rest is still a contradiction. Each
//! question is a small [puzzle](puzzle), [solved](fewest) in bounded work, so the cost does not
//! depend on the size of the design.

mod assignment;
mod fewest;
mod freedom;
mod puzzle;
mod solve;

use std::collections::BTreeSet;

use crate::statement::{NO_PINS, Pins, Stated, Statement};
use crate::{Checked, Watch, least, no_tiles};
use aiec_device::{Device, TileId};
use aiec_diag::{Diagnostic, Span, catalogue};
use aiec_ir::KernelId;

use crate::prove::components::components;
use crate::prove::limits::{MAX_QUESTIONS, MOST_KERNELS, SMALL, WORK};
use crate::prove::work::Work;
pub use fewest::Weighted;
pub(crate) use freedom::Freedom;
use puzzle::{Facts, Puzzle};

/// The contradiction in the constraints of `checked` and in `pins`. Returns None when nothing is
/// proved.
pub(crate) fn find(checked: &Checked, device: &Device, pins: &Pins, watch: &dyn Watch) -> Option<Diagnostic> {
    let facts = Facts::new(checked, device, pins, watch);
    let (statements, kernels) = least_set(&facts)?;
    Some(no_tiles(&catalogue::CONTRADICTION, facts.stated, device, &kernels, &statements))
}

/// A MUS of the statements, and the kernels that it leaves without tiles. As small as bounded work
/// finds.
fn least_set(facts: &Facts<'_>) -> Option<(Vec<Statement>, Vec<KernelId>)> {
    let statements = facts.stated.all();
    if statements.is_empty() {
        return None;
    }
    let mut left = MAX_QUESTIONS as u64 * WORK;
    let mut is_impossible = |statements: &[Statement], kernels: &[KernelId]| {
        let most = WORK.min(left);
        let own =
            facts.kernels(statements).into_iter().filter(|kernel| kernels.binary_search(kernel).is_ok());
        let puzzle = Puzzle::new(facts, statements, own.collect());
        let work = Work::new(most, facts.watch);
        let impossible = work.left() > 0 && fewest::have_places(&puzzle, &work) == Some(false);
        left = left.saturating_sub(most - work.left() + 1);
        impossible
    };
    let all: Vec<KernelId> = facts.checked.kernels.ids().collect();
    if !is_impossible(&statements, &all) {
        return None;
    }
    let kept = least(&statements, |rest| is_impossible(rest, &all));
    if kept.is_empty() || is_impossible(&[], &all) {
        // No statement causes it.
        return None;
    }
    let kernels: Vec<KernelId> = facts.kernels(&kept).into_iter().collect();
    let kernels = least(&kernels, |rest| is_impossible(&kept, rest));
    Some((kept, kernels))
}

/// One tile for each kernel of a small design. The tiles keep the constraints and `pins`, no core
/// gets more kernels than it can run, and `accepts` returns true. Returns None when bounded work
/// finds none.
///
/// The proposals share many of `edges`.
pub fn tiles(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    edges: &[Weighted],
    watch: &dyn Watch,
    accepts: &mut dyn FnMut(&[TileId]) -> bool,
) -> Option<Vec<TileId>> {
    if checked.kernels.len() > SMALL {
        return None;
    }
    let facts = Facts::new(checked, device, pins, watch);
    let puzzle = Puzzle::new(&facts, &facts.stated.all(), checked.kernels.ids().collect());
    fewest::tiles(&puzzle, edges, accepts)
}

/// `pins`, with tiles for the kernels that `together`, `apart` and offsets join, one set of at most
/// 64 after the other. Returns None when no kernels join, or bounded work finds no tiles for a set.
///
/// The proposals share many of `edges`.
pub fn joined(
    checked: &Checked,
    device: &Device,
    pins: &Pins,
    edges: &[Weighted],
    watch: &dyn Watch,
) -> Option<Pins> {
    let facts = Facts::new(checked, device, pins, watch);
    let statements = facts.stated.all();
    let puzzle = Puzzle::new(&facts, &statements, facts.stated.named(&statements));
    let sets = components(puzzle.pieces.len(), |piece| puzzle.joined[piece].iter().copied());
    let mut pins = pins.clone();
    for set in sets.iter().filter(|set| set.len() > 1) {
        let mut kernels: BTreeSet<KernelId> =
            set.iter().flat_map(|&piece| puzzle.pieces[piece].members.iter().copied()).collect();
        if kernels.len() > SMALL || kernels.iter().all(|kernel| pins.kernels.contains_key(kernel)) {
            continue;
        }
        kernels.extend(pins.kernels.keys());
        let facts = Facts::new(checked, device, &pins, watch);
        let tiles =
            fewest::tiles(&Puzzle::new(&facts, &facts.stated.all(), kernels.clone()), edges, &mut |_| true)?;
        let tiles: Vec<_> = tiles.into_iter().map(|tile| facts.whole.tile(tile)).collect();
        pins.kernels.extend(kernels.into_iter().zip(tiles));
    }
    (pins.kernels.len() > facts.stated.pins.kernels.len()).then_some(pins)
}

/// Minimum weight of `edges` whose ends share no memory, over all tiles that keep the constraints.
/// At least `from`, which is already proved.
///
/// Examines designs of few kernels, within bounded work. If these have neither constraints nor few
/// tiles, it looks only at tiles on which shared edges join all kernels; other tiles cut at least
/// what [splits](fewest::least_split) the graph. All kernels then lie less than N columns from the
/// first (N kernels); by symmetry its column is fixed. This is left out for sparse graphs, where it
/// could prove no more than one cut.
pub(crate) fn fewest_cuts(
    checked: &Checked,
    device: &Device,
    edges: &[Weighted],
    from: u64,
    watch: &dyn Watch,
) -> u64 {
    let facts = Facts::new(checked, device, &NO_PINS, watch);
    let statements = facts.stated.all();
    let mut kernels = facts.stated.named(&statements);
    kernels.extend(edges.iter().flat_map(|&(a, b, _)| [a, b]));
    if kernels.len() > MOST_KERNELS {
        return from;
    }
    if !statements.is_empty() || facts.whole.open_tiles() <= SMALL {
        return fewest::fewest_cuts(&Puzzle::new(&facts, &statements, kernels), edges, from, None);
    }
    let split = fewest::least_split(edges);
    if facts.whole.open_tiles() < facts.whole.len() || split < from + 2 {
        return from;
    }
    let device = Device { columns: 2 * kernels.len() as u16 + 1, ..device.clone() };
    let facts = Facts::new(checked, &device, &NO_PINS, watch);
    let mut puzzle = Puzzle::new(&facts, &[], kernels);
    puzzle.begin_in_the_middle();
    fewest::fewest_cuts(&puzzle, edges, from, Some(split))
}

/// Labels for the constraints that name any of `kernels`.
pub(crate) fn labels(checked: &Checked, pins: &Pins, kernels: &BTreeSet<KernelId>) -> Vec<(Span, String)> {
    let stated = Stated { design: checked, pins };
    let names = |&s: &Statement| stated.kernels(s).iter().any(|kernel| kernels.contains(kernel));
    stated.all().into_iter().filter(names).filter_map(|s| stated.label(s, kernels)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Alone;
    use aiec_test_support::exhaustive::{Grids, by_trying, constrain, few, random, toy};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The named statements are minimal: without any one of them tiles exist, with them alone
        /// none do.
        #[test]
        fn none_of_the_statements_that_are_named_can_be_left_out(constraints in random()) {
            let device = toy(4, 3);
            let expanded = constrain(few(4, None), &constraints, 4, 3).expanded().expect("names are right");
            let checked = crate::check(expanded, &device).into_parts().0;
            if let Some((checked, (set, _))) =
                checked.and_then(|c| least_set(&Facts::new(&c, &device, &NO_PINS, &Alone)).map(|set| (c, set)))
            {
                let whole = checked.open_grid(&device);
                let possible = |statements: &[Statement]| {
                    let design = checked.keeping(statements);
                    let grid = design.open_grid(&device);
                    by_trying(&design, Grids { open: &grid, whole: &whole }, &mut Vec::new())
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
}
