//! Compares the proofs of a lack of memory with an assignment of memory on all tiles.

use aiec_device::{Grid, TileId};
use aiec_ir::Buffering;
use aiec_prove::Pins;
use aiec_prove::rules::Rules;
use aiec_test_support::exhaustive::toy;
use aiec_test_support::{Builder, input, int32, output};
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

/// A design on an array with as many tiles as it has kernels.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// Sender, receiver, bytes of the window, and whether it has a single buffer.
    pub(crate) windows: Vec<(usize, usize, u32, bool)>,
    /// Bytes of the stacks; the kernels alternate between the two.
    pub(crate) stacks: [u32; 2],
}

/// Trees and similar designs. A module holds one to four of their windows. Most windows are
/// alike, and single kernels have as many as fit around them.
fn cases() -> impl Strategy<Value = Case> {
    let sizes = vec![7_680_u32, 8_192, 10_240, 11_776, 12_288, 14_336, 15_328, 15_360, 20_480];
    let stacks = prop::sample::select(vec![512_u32, 1_024, 4_096, 8_192, 10_240]);
    let array = prop::sample::select(vec![(4_u16, 1_u16), (5, 1), (6, 1), (3, 2)]);
    let window = (0_usize..60, 0_usize..60, prop::sample::select(sizes.clone()));
    let alike = prop::option::weighted(0.8, prop::sample::select(sizes));
    let windows = (alike, prop::collection::vec(window, 4..24), prop::sample::select(vec![0_usize, 1, 24]));
    (array, windows, prop::array::uniform2(stacks)).prop_map(|((columns, rows), windows, stacks)| {
        let (kernels, (size, windows, doubles)) = (usize::from(columns * rows), windows);
        let (stacks, reach) = ([stacks[0], stacks[0].max(stacks[1])], 65_536 * u32::from(rows));
        let mut around = vec![stacks[1] + 1_056; kernels];
        let mut kept = Vec::new();
        for (number, (to, from, own)) in windows.into_iter().enumerate() {
            let to = if number < kernels - 1 { number + 1 } else { to % (kernels - 1) + 1 };
            let (from, bytes, single) = (from % to, size.unwrap_or(own), number >= doubles);
            let more = if single { bytes } else { 2 * bytes };
            if [from, to].iter().all(|&end| around[end] + more <= reach) {
                [from, to].iter().for_each(|&end| around[end] += more);
                kept.push((from, to, bytes, single));
            }
        }
        Case { columns, rows, windows: kept, stacks }
    })
}

/// Builds the design.
pub(crate) fn design(case: &Case) -> Builder {
    let names: Vec<String> = (0..case.windows.len()).map(|number| format!("w{number}")).collect();
    let mut builder = Builder::new("large", "toy");
    for kernel in 0..usize::from(case.columns * case.rows) {
        let ports =
            case.windows.iter().zip(&names).filter_map(|(&(from, to, bytes, _), name)| match kernel {
                _ if kernel == to => Some(input(name, int32(bytes / 4))),
                _ if kernel == from => Some(output(name, int32(bytes / 4))),
                _ => None,
            });
        builder.kernels(&format!("k{kernel}"), &[], &ports.collect::<Vec<_>>());
        builder.stack(&format!("k{kernel}"), case.stacks[kernel % 2]);
    }
    for (&(from, to, _, single), name) in case.windows.iter().zip(&names) {
        let buffering = if single { Buffering::Single } else { Buffering::Pingpong };
        builder.connect_with(&format!("k{from}.{name}"), &format!("k{to}.{name}"), buffering);
    }
    builder
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
