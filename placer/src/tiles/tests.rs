//! Tests of the state of the search: costs and memory after moves, and proofs of a lack of memory.

use aiec_check::Checked;
use aiec_check::prove::{Bound, Pins};
use aiec_device::{Device, Grid, TileId, builtin};
use aiec_ir::KernelId;
use aiec_test_support::{Builder, input, int32, output};
use proptest::prelude::*;

use super::anneal::{Schedule, anneal};
use super::problem::{CUT, Neighbour};
use super::state::{Move, Step};
use super::{State, TileProblem, Tiles, start};
use crate::objective::Objective;
use crate::random::Random;
use crate::rules::Rules;
use crate::watch::{Alone, Run, Tools};
use crate::{buffers, shims, verify};
use aiec_test_support::exhaustive;
use aiec_test_support::windows::{Case, cases, design};

/// A random graph: each kernel sends windows of `words` to kernels after it, and some kernels share
/// cores.
fn random_design(kernels: u16, words: u32, seed: u64) -> Builder {
    let random = &mut Random::new(seed);
    let mut window = |to: u16| (random.below(to.into()), to.into(), 4 * words, false);
    let windows = (1..kernels).flat_map(|to| [window(to), window(to)]).collect();
    let mut builder = design(&Case { columns: kernels, rows: 1, windows, stacks: [1_024; 2] });
    for kernel in 0..u32::from(kernels) {
        builder.runtime(&format!("k{kernel}"), 300 + 400 * (kernel % 2));
    }
    builder
}

/// A [`random_design`] in which two kernels also broadcast to three others each and read a PLIO.
fn design_with_broadcasts(words: u32, seed: u64) -> Builder {
    let mut builder = random_design(14, words, seed);
    let w = int32(words);
    for hub in ["h0", "h1"] {
        let plio = format!("from_{hub}");
        builder.kernels(hub, &[], &[input("x", w), output("y", w)]).plio_input(&plio, 64);
        builder.kernels(&format!("to_{hub}"), &[3], &[input("x", w)]).connect(&plio, &format!("{hub}.x"));
        (0..3).for_each(|sink| _ = builder.connect(&format!("{hub}.y"), &format!("to_{hub}[{sink}].x")));
    }
    builder
}

pub(super) fn toy() -> Device {
    builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// Runs `test` on a state of a design, if the checks accept it.
pub(super) fn with_state_of(
    design: &Builder,
    device: &Device,
    test: impl FnOnce(&Checked, State<'_>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let grid = Grid::new(device);
    let expanded = design.expanded().expect("names are right");
    let Some(checked) = aiec_check::check(expanded, device).into_parts().0 else { return Ok(()) };
    let rules = Rules::new(&checked, device, &grid, &Pins::default());
    let problem = TileProblem::new(&checked, device, &grid, rules, &Objective::USUAL);
    let state = State::new(&problem, start::columns(&problem).expect("there are tiles"));
    test(&checked, state)
}

/// The cost of a state with the prices of its lines, net by net.
fn priced(state: &State<'_>) -> i64 {
    let (problem, tiles) = (state.problem, &state.tiles);
    let place = |kernel: KernelId| problem.grid.tile(tiles[kernel]);
    let pair = |kernel: KernelId, n: &Neighbour| {
        let [into, out] = n.windows;
        let (here, there) = (place(kernel), place(n.kernel));
        into * state.prices.of(there, here) + out * state.prices.of(here, there)
    };
    let pairs = problem.ids().flat_map(|kernel| problem.neighbours[kernel].iter().map(move |n| (kernel, n)));
    let apart = |&(kernel, n): &(KernelId, &Neighbour)| {
        n.kernel > kernel && problem.gap(tiles[kernel], tiles[n.kernel]) > 0
    };
    let lines: i64 = pairs.filter(apart).map(|(kernel, n)| pair(kernel, n)).sum();
    let all: Vec<KernelId> = problem.ids().collect();
    let tolls = problem.nets.tolls(problem.grid, &all, &state.prices, |kernel| tiles[kernel]);
    state.cost() + lines + tolls
}

/// The moves of a state in words that can be compared: tiles, room of every module, and costs.
fn seen(state: &State<'_>) -> (Tiles, Vec<[i32; 5]>, i64, i64) {
    let room = state.problem.grid.ids().map(|module| *state.memory.room(module)).collect();
    (state.tiles.clone(), room, state.cost(), state.violations())
}

/// Moves a random kernel to a random tile, alone or in exchange with a kernel there.
fn any_step(state: &State<'_>, random: &mut Random) -> Step {
    let kernel = KernelId(random.below(state.tiles.len()) as u32);
    let target = TileId(random.below(state.problem.grid.len()) as u16);
    let first = state.on(target).first().copied();
    let other = first.filter(|&other| other != kernel && random.below(2) == 0);
    Step { kernel, target, other }
}

/// True if all buffers and stacks fit, with the kernels after those of `tiles` on other tiles.
fn fits(state: &State<'_>, tiles: &mut Vec<TileId>) -> bool {
    if tiles.len() == state.tiles.len() {
        return state.with(tiles.iter().copied().collect()).violations() == 0;
    }
    let free: Vec<TileId> = state.problem.grid.ids().filter(|tile| !tiles.contains(tile)).collect();
    free.into_iter().any(|tile| {
        tiles.push(tile);
        let found = fits(state, tiles);
        tiles.pop();
        found
    })
}

/// A ladder, and a connection between its ends, which folds the order of the graph.
#[test]
fn a_sweep_goes_along_a_ladder_in_spite_of_a_short_cut() {
    let window = |from: usize, to: usize| (from, to, 16, false);
    let sides = (0..30).map(|kernel| window(kernel, kernel + 2));
    let rungs = (0..16).map(|step| window(2 * step, 2 * step + 1));
    let windows = sides.chain(rungs).chain([window(0, 31)]).collect();
    let case = Case { columns: 16, rows: 2, windows, stacks: [1_024; 2] };
    let tested = with_state_of(&design(&case), &exhaustive::toy(16, 6), |_, state| {
        let (tiles, _) = start::swept(state.problem).expect("there are tiles");
        let column = |step: u32| state.problem.grid.tile(tiles[KernelId(2 * step)]).column;
        let columns: Vec<u16> = (0..16).map(column).collect();
        prop_assert!(columns.is_sorted() || columns.iter().rev().is_sorted(), "{:?}", columns);
        Ok(())
    });
    tested.expect("the design is legal");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// On an array of one row a core has two partners. This cuts several connections.
    #[test]
    fn no_tiles_have_memory_for_buffers_that_are_too_many(case in cases()) {
        let device = exhaustive::toy(case.columns, case.rows);
        with_state_of(&design(&case), &device, |checked, state| {
            let bound = aiec_check::prove::bound(checked, &device, &Alone);
            if let Some(told) = aiec_check::prove::no_room(checked, &device, state.problem.grid, bound) {
                prop_assert!(!fits(&state, &mut Vec::new()), "{}", told.message);
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Lines that nets overfill have prices, which broadcasts and inputs pay too, each once.
    #[test]
    fn moves_change_the_priced_cost_as_computed_anew(words in 16_u32..2_000, seed in any::<u64>()) {
        with_state_of(&design_with_broadcasts(words, seed), &toy(), |_, mut state| {
            let random = &mut Random::new(seed);
            state.counts_memory = true;
            let lines = state.problem.nets.excess(state.problem.grid, &state.tiles).len();
            let excess: Vec<i64> = (0..lines).map(|_| random.below(64) as i64).collect();
            state.prices.update(&excess, 64);
            state.write_down();
            for _ in 0..100 {
                let step @ Step { kernel, target, other } = any_step(&state, random);
                let (before, source) = (priced(&state), state.tiles[kernel]);
                let delta = state.attempt(step, i64::MAX / 4, random.bits());
                prop_assert_eq!(delta.map(|delta| before + delta), Some(priced(&state)));
                let Step { kernel: third, target: beside, .. } = any_step(&state, random);
                let moves = [(kernel, source), (other.unwrap_or(kernel), target), (third, beside)];
                let distinct = other.is_some() && third != kernel && Some(third) != other;
                let (moves, before) = (&moves[..if distinct { 3 } else { 1 }], priced(&state));
                let mut grown = 0;
                state.attempt_all(moves, random.bits(), |_, delta| { grown = delta; true });
                prop_assert_eq!(before + grown, priced(&state));
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_refused_move_changes_nothing(words in 16_u32..2_000, seed in any::<u64>()) {
        with_state_of(&random_design(14, words, seed), &toy(), |_, mut state| {
            let random = &mut Random::new(seed);
            state.counts_memory = true;
            for _ in 0..100 {
                let step @ Step { kernel, target, other } = any_step(&state, random);
                let before = seen(&state);
                // A limit that the tables accept and memory mostly does not.
                let refused = state.attempt(step, -1, random.bits()).is_none();
                prop_assert!(!refused || seen(&state) == before);
                let source = state.tiles[kernel];
                let moves: Vec<Move> =
                    [(kernel, target)].into_iter().chain(other.map(|other| (other, source))).collect();
                let before = seen(&state);
                state.attempt_all(&moves, 0, |_, _| false);
                prop_assert_eq!(seen(&state), before);
            }
            Ok(())
        })?;
    }

    /// [`verify()`](crate::verify()) knows nothing of the state, and counts all limits again.
    #[test]
    fn a_state_without_violations_is_a_legal_placement(words in 16_u32..2_500, seed in any::<u64>()) {
        let device = &toy();
        with_state_of(&random_design(14, words, seed), device, |checked, state| {
            let (grid, random) = (state.problem.grid, &mut Random::new(seed));
            let schedule = Schedule { moves: 20_000, heat: [CUT / 2, CUT / 25] };
            let run = Run { tools: Tools::ALONE, bound: Bound::NONE, quick: false };
            let state = anneal(state, schedule, random, &run);
            if state.violations() == 0 {
                let (stacks, buffers) = buffers::settle(checked, device, &state, &Alone);
                let kernels = state.tiles.iter().map(|&id| grid.tile(id)).collect();
                let shims = shims::assign(checked, device, grid, &state.tiles).expect("no inputs");
                let fifos = std::collections::BTreeMap::new();
                let placement = crate::Placement { kernels, stacks, buffers, shims, fifos };
                let outcome = verify(checked, device, placement);
                prop_assert!(outcome.value().is_some(), "{:?}", outcome.diagnostics());
                let placed = outcome.value().expect("legal");
                prop_assert_eq!(crate::dma_connections(checked, placed) as u64, state.cut_connections());
            }
            Ok(())
        })?;
    }
}
