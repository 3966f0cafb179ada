//! An integer program that every solver must solve.

use aiec_ilp::{Answer, Program};
use good_lp::{Expression, constraint, variable};

/// The knapsack problem: three things weigh 2, 3 and 4 and are worth 3, 4 and 6. At least one must
/// be taken, and all must fit into `room`.
pub fn knapsack(room: f64) -> Program {
    let mut program = Program::default();
    let mut sum = Expression::default();
    for (weight, worth) in [(2.0, 3.0), (3.0, 4.0), (4.0, 6.0)] {
        let take = program.variables.add(variable().binary());
        program.objective += worth * take;
        sum += weight * take;
    }
    program.constraints.push(constraint!(sum.clone() <= room));
    program.constraints.push(constraint!(sum >= 1.0));
    program
}

/// True if `solve` finds the optimum for a room of 6, and that nothing fits into 0.
pub fn is_solved_by(mut solve: impl FnMut(Program) -> Answer) -> bool {
    let best = matches!(solve(knapsack(6.0)), Answer::Found { values, .. } if values == [1, 0, 1]);
    best && solve(knapsack(0.0)) == Answer::None
}
