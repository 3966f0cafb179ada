//! The solvers find the optimum of a small program, and that another one has no solution.

use aiec_ilp::{Answer, Microlp, Solver, solve_with};
use aiec_test_support::knapsack::{is_solved_by, knapsack};

#[test]
fn the_built_in_solver_finds_and_refuses() {
    assert!(is_solved_by(|program| Microlp.solve(program, 100)));
    let Answer::Found { optimal, .. } = Microlp.solve(knapsack(6.0), 100) else {
        unreachable!("solved above");
    };
    assert!(optimal, "it knows");
}

#[test]
fn any_solver_of_good_lp_gives_values_in_the_order_of_the_variables() {
    assert!(is_solved_by(|program| solve_with(good_lp::microlp, program).expect("it runs")));
}
