//! Tests of the state of the search: its costs and its memory after moves.

use aiec_check::Checked;
use aiec_device::{Device, Grid, TileId, builtin};
use aiec_ir::KernelId;
use aiec_prove::Pins;
use aiec_test_support::Builder;
use proptest::prelude::*;

use super::anneal::{Schedule, anneal};
use super::problem::CUT;
use super::state::Move;
use super::{State, TileProblem, Tiles, start};
use crate::objective::Objective;
use crate::random::Random;
use crate::room_tests::{Case, design};
use crate::rules::Rules;
use crate::watch::tests::ALONE;
use crate::{buffers, shims, verify};

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

fn toy() -> Device {
    builtin("toy").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// Runs `test` on a state of a [`random_design`], if the checks accept it.
fn with_state(
    words: u32,
    seed: u64,
    test: impl FnOnce(&Checked, &Device, State<'_>, &mut Random) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let device = toy();
    let grid = Grid::new(&device);
    let expanded = random_design(14, words, seed).expanded().expect("names are right");
    let Some(checked) = aiec_check::check(expanded, &device).into_parts().0 else { return Ok(()) };
    let rules = Rules::new(&checked, &grid, &Pins::default());
    let problem = TileProblem::new(&checked, &device, &grid, rules, &Objective::USUAL);
    let state = State::new(&problem, start::columns(&problem).expect("there are tiles"));
    test(&checked, &device, state, &mut Random::new(seed))
}

/// The moves of a state in words that can be compared: tiles, room of every module, and costs.
fn seen(state: &State<'_>) -> (Tiles, Vec<[i32; 5]>, i64, i64) {
    let room = state.problem.grid.ids().map(|module| *state.memory.room(module)).collect();
    (state.tiles.clone(), room, state.cost(), state.violations())
}

/// Moves a random kernel to a random tile, alone or in exchange with a kernel there.
fn any_move(state: &State<'_>, random: &mut Random) -> (KernelId, TileId, Option<KernelId>) {
    let kernel = KernelId(random.below(state.tiles.len()) as u32);
    let target = TileId(random.below(state.problem.grid.len()) as u16);
    let other = state.on(target).next().filter(|&other| other != kernel && random.below(2) == 0);
    (kernel, target, other)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_move_changes_the_cost_as_computed_anew(words in 16_u32..2_000, seed in any::<u64>()) {
        with_state(words, seed, |_, _, mut state, random| {
            state.counts_memory = true;
            for _ in 0..300 {
                let (kernel, target, other) = any_move(&state, random);
                let before = state.cost();
                let delta = state.attempt(kernel, target, other, i64::MAX / 4, random.bits());
                prop_assert_eq!(delta.map(|delta| before + delta), Some(state.cost()));
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_refused_move_changes_nothing(words in 16_u32..2_000, seed in any::<u64>()) {
        with_state(words, seed, |_, _, mut state, random| {
            state.counts_memory = true;
            for _ in 0..100 {
                let (kernel, target, other) = any_move(&state, random);
                let before = seen(&state);
                // A limit that the tables accept and memory mostly does not.
                let refused = state.attempt(kernel, target, other, -1, random.bits()).is_none();
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
        with_state(words, seed, |checked, device, state, random| {
            let grid = state.problem.grid;
            let schedule = Schedule { moves: 20_000, heat: [CUT / 2, CUT / 25] };
            let state = anneal(state, schedule, random, &ALONE);
            if state.violations() == 0 {
                let (stacks, buffers) = buffers::settle(checked, device, &state);
                let kernels = state.tiles.iter().map(|&id| grid.tile(id)).collect();
                let shims = shims::assign(checked, device, grid, &state.tiles).expect("no inputs");
                let placement = crate::Placement { kernels, stacks, buffers, shims };
                let outcome = verify(checked, device, placement);
                prop_assert!(outcome.value().is_some(), "{:?}", outcome.diagnostics());
                let placed = outcome.value().expect("legal");
                prop_assert_eq!(crate::dma_connections(checked, placed) as u64, state.cut_connections());
            }
            Ok(())
        })?;
    }
}
