use aiec_device::{Device, Grid, Tile, builtin};

use super::*;
use crate::rules::Rules;
use crate::teams::Teams;
use crate::watch::tests::ALONE;
use aiec_ilp::Microlp;
use aiec_prove::Pins;

fn device() -> Device {
    builtin("xcvc1902").and_then(|outcome| outcome.into_parts().0).expect("built in")
}

/// The complete tree of `kernels` nodes. The children of `i` begin at `arity * i + 1`.
pub(super) fn tree(grid: &Grid, kernels: usize, arity: usize) -> TileProblem<'_> {
    let mut problem = TileProblem::unconnected(grid, kernels);
    for child in 1..kernels {
        problem.add_edge((child - 1) / arity, child, problem::CUT);
    }
    problem
}

fn cuts(problem: &TileProblem<'_>, tiles: &[TileId]) -> usize {
    problem.edges.iter().filter(|e| problem.gap(tiles[e.a], tiles[e.b]) > 0).count()
}

#[test]
fn a_perfect_tree_of_63_needs_no_connection_by_dma() {
    let device = device();
    let grid = Grid::new(&device);
    let mut builder = aiec_test_support::Builder::new("tree", "xcvc1902");
    builder
        .kernels("worker", &[63], &[])
        .gmio_output("sum")
        .connect("total.result", "sum")
        .reduce(aiec_test_support::Reduce::over("total", &["worker"], aiec_test_support::int32(4)));
    let problem = problem(&checked(&builder, &device), &device, &grid);
    let options = PlaceOptions { effort: 1, ..PlaceOptions::default() };
    let tiles = assign(&problem, &options, None, None, &ALONE).expect("room");
    assert_eq!(cuts(&problem, &tiles), 0);
}

fn checked(builder: &aiec_test_support::Builder, device: &Device) -> aiec_check::Checked {
    let expanded = builder.expanded().expect("names are right");
    aiec_check::check(expanded, device).into_parts().0.expect("legal")
}

/// The tile problem of a design without constraints.
fn problem<'g>(checked: &aiec_check::Checked, device: &Device, grid: &'g Grid) -> TileProblem<'g> {
    let rules = Rules::new(checked, grid, &Pins::default());
    let teams = Teams::new(checked, device, grid, &rules).expect("a core for every kernel");
    let rules = rules.of_teams(&teams.members, &teams.of);
    TileProblem::new(checked, device, grid, &teams, rules, &crate::objective::Objective::USUAL)
}

/// A state with kernel `k` on the `k`-th of `tiles`, and a neighbourhood of all kernels.
fn whole(
    problem: &TileProblem<'_>,
    tiles: &[(u16, u16)],
    more: &[(u16, u16)],
) -> (State, model::Neighbourhood) {
    let id = |&(column, row): &(u16, u16)| problem.grid.id(Tile::new(column, row)).expect("on the array");
    let own: Vec<TileId> = tiles.iter().map(id).collect();
    let costs = Costs { crowding: None, centre: 10, traffic: false };
    let hood = model::Neighbourhood {
        kernels: (0..tiles.len()).collect(),
        tiles: own.iter().copied().chain(more.iter().map(id)).collect(),
    };
    (State::new(problem, costs, own), hood)
}

#[test]
fn the_integer_program_finds_the_placement_where_everything_is_shared() {
    let grid = Grid::new(&device());
    let problem = tree(&grid, 7, 2);
    // Seven kernels in a row. Kernels more than a column apart share nothing.
    let row: Vec<(u16, u16)> = (10..17).map(|column| (column, 4)).collect();
    let block: Vec<(u16, u16)> = (10..13).flat_map(|column| [(column, 3), (column, 5)]).collect();
    let (state, hood) = whole(&problem, &row, &block);
    assert!(!state.cuts(&problem).is_empty());
    let mut better = state;
    // Each program saves at least one connection. The last one proves that none is left to save.
    for _ in 0..6 {
        match model::improve(&problem, &better, &hood, 10_000, &Microlp) {
            model::Improvement::Better(tiles) => better = better.moved(&problem, tiles),
            other => assert_eq!(other, model::Improvement::Optimal),
        }
    }
    assert_eq!(better.cuts(&problem), []);
}

#[test]
fn the_integer_program_proves_that_a_core_has_eight_partners() {
    let grid = Grid::new(&device());
    let mut problem = TileProblem::unconnected(&grid, 10);
    for leaf in 1..10 {
        problem.add_edge(0, leaf, problem::CUT);
    }
    // A star of nine leaves: the eight partners of (10, 4), and one tile beyond.
    let partners = [(9, 3), (9, 4), (9, 5), (10, 2), (10, 3), (10, 5), (10, 6), (11, 4)];
    let tiles: Vec<(u16, u16)> = [(10, 4)].into_iter().chain(partners).chain([(12, 4)]).collect();
    let (state, hood) = whole(&problem, &tiles, &[(11, 3), (11, 5)]);
    assert_eq!(state.cuts(&problem), [(0, 9)]);
    assert_eq!(model::improve(&problem, &state, &hood, 10_000, &Microlp), model::Improvement::Optimal);
}

#[test]
fn moves_keep_the_cost_up_to_date() {
    let grid = Grid::new(&device());
    let mut problem = tree(&grid, 40, 3);
    problem.density = vec![700; 40];
    let costs = Costs { crowding: Some(300), centre: 20, traffic: false };
    let mut state = State::new(&problem, costs, start::columns(&problem, 20).expect("room"));
    let mut random = Random::new(3);
    for _ in 0..500 {
        let before = state.cost(&problem);
        let target = TileId(u16::try_from(random.below(grid.len())).expect("small"));
        let kernel = random.below(40);
        if state.tiles[kernel] != target {
            let delta = state.exchange(&problem, kernel, target);
            assert_eq!(state.cost(&problem), before + delta);
        }
    }
}

#[test]
fn moves_keep_the_nets_across_lines_up_to_date() {
    let device = device();
    let grid = Grid::new(&device);
    let window = aiec_test_support::int32(4);
    let mut builder = aiec_test_support::Builder::new("tree", "xcvc1902");
    builder
        .kernels("worker", &[60], &[])
        .gmio_output("sum")
        .reduce(aiec_test_support::Reduce::over("total", &["worker"], window).arity(3))
        .connect("total.result", "sum");
    let mut problem = problem(&checked(&builder, &device), &device, &grid);
    // No wires anywhere, so every net counts.
    for column in 0..device.columns {
        problem.nets.spare(Line::East(column), 1000);
        problem.nets.spare(Line::West(column), 1000);
    }
    let costs = Costs { crowding: None, centre: 20, traffic: true };
    let mut state = State::new(&problem, costs, start::columns(&problem, 20).expect("room"));
    let mut random = Random::new(3);
    for _ in 0..300 {
        let before = state.cost(&problem);
        let target = TileId(u16::try_from(random.below(grid.len())).expect("small"));
        let kernel = random.below(60);
        if state.tiles[kernel] != target {
            let delta = state.exchange(&problem, kernel, target);
            assert_eq!(state.cost(&problem), before + delta);
            assert_eq!(state.cost(&problem), state.moved(&problem, state.tiles.clone()).cost(&problem));
        }
    }
}

#[test]
fn lines_with_prices_have_fewer_nets_too_many() {
    let device = device();
    let grid = Grid::new(&device);
    let mut builder = aiec_test_support::Builder::new("crowd", "xcvc1902");
    let word = aiec_test_support::int32(4);
    let ports = |prefix: &'static str| (0..4).map(move |n| format!("{prefix}{n}"));
    let (ins, outs): (Vec<String>, Vec<String>) = (ports("i").collect(), ports("o").collect());
    let inputs = ins.iter().map(|name| aiec_test_support::input(name, word));
    let all: Vec<_> = inputs.chain(outs.iter().map(|name| aiec_test_support::output(name, word))).collect();
    builder.kernels("source", &[60], &all[4..]).kernels("sink", &[60], &all[..4]);
    for kernel in 0..60 {
        for (port, step) in [7, 13, 17, 11].into_iter().enumerate() {
            builder.connect(
                &format!("source[{kernel}].o{port}"),
                &format!("sink[{}].i{port}", (kernel * step + port) % 60),
            );
        }
    }
    let mut problem = problem(&checked(&builder, &device), &device, &grid);
    // Nets above 16 on all lines between columns.
    let excess = |problem: &TileProblem<'_>| {
        let begin = start::columns(problem, 25).expect("room");
        let schedule = plain::Schedule::even(300_000);
        let tiles = plain::anneal(problem, begin, schedule, &mut Random::new(5), &ALONE);
        problem.nets.loads(&grid, &tiles)[..100].iter().map(|load| (load - 16).max(0)).sum::<i64>()
    };
    let free = excess(&problem);
    for column in 0..device.columns {
        problem.nets.spare(Line::East(column), 20);
        problem.nets.spare(Line::West(column), 20);
    }
    assert!(excess(&problem) < free, "{free} nets too many where they cost nothing");
}

#[test]
fn the_last_touch_never_makes_a_score_worse_and_keeps_every_rule() {
    let device = device();
    let grid = Grid::new(&device);
    let word = aiec_test_support::int32(4);
    let mut builder = aiec_test_support::Builder::new("ring", "xcvc1902");
    builder
        .kernels("node", &[40], &[aiec_test_support::input("x", word), aiec_test_support::output("y", word)])
        .place("node[7]", 20, 3)
        .place_relative("node[9]", "node[8]", (1, 1))
        .region(&["node[3]"], (18, 2), (22, 5));
    for node in 0..40 {
        builder.connect(&format!("async node[{node}].y"), &format!("async node[{}].x", node * 7 % 40));
    }
    let mut problem = problem(&checked(&builder, &device), &device, &grid);
    let costs = Costs { crowding: None, centre: 20, traffic: false };
    let begin = start::columns(&problem, 20).expect("room");
    for terms in [&Term::ALL[..], &[Term::Wire, Term::Dma], &[Term::Compact, Term::Dma]] {
        problem.objective = crate::objective::Objective::new(terms).expect("an order");
        let score = |tiles: &[TileId]| rank::terms(&problem, tiles).score(&problem.objective);
        let tiles = polish::polish(&problem, costs, begin.clone(), 20_000, &ALONE);
        assert!(score(&tiles) < score(&begin), "{terms:?}");
        assert!(fill::is_legal(&problem, &tiles) && tiles[7] == begin[7], "{terms:?}");
    }
}
