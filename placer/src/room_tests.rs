//! Compares the proofs of a lack of memory with an assignment of memory on all tiles.

use aiec_device::{Grid, TileId};
use aiec_prove::Pins;
use aiec_prove::rules::Rules;
use aiec_test_support::exhaustive::toy;
use aiec_test_support::windows::{cases, design};
use proptest::prelude::*;

use crate::objective::Objective;
use crate::tiles::{State, TileProblem};

/// True if all buffers and stacks fit, with the kernels after those of `tiles` on some of the
/// other tiles.
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// On an array of one row a core has two partners. This cuts several connections.
    #[test]
    fn no_tiles_have_memory_for_buffers_that_are_too_many(case in cases()) {
        let device = toy(case.columns, case.rows);
        let expanded = design(&case).expanded().expect("names are right");
        if let Some(checked) = aiec_check::check(expanded, &device).into_parts().0 {
            let grid = Grid::new(&device);
            let rules = Rules::new(&checked, &grid, &Pins::default());
            let problem = TileProblem::new(&checked, &device, &grid, rules, &Objective::USUAL);
            let state = State::new(&problem, problem.ids().map(|_| TileId(0)).collect());
            let bound = aiec_prove::bound(&checked, &device, &aiec_check::Alone);
            if let Some(told) = aiec_prove::no_room(&checked, &device, &grid, bound) {
                prop_assert!(!fits(&state, &mut Vec::new()), "{}", told.message);
            }
        }
    }
}
