//! Integer programs and who solves them.
//!
//! In comes a good_lp model over integer variables; out goes an assignment with the knowledge whether it is optimal, or the
//! knowledge that there is none. [`Microlp`] is always there; HiGHS comes with the cargo feature `highs`; programs such as CBC are
//! started by whoever passes a [`Solver`] in, since stages start none. The limit of the built-in one is a number of branch-and-bound
//! nodes, so that results do not depend on the machine.

use ::microlp::{Error, SolveOptions, SolveOutcome, TerminationReason};
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, microlp,
};

/// An integer program: the variables with their limits, what to maximise, and the constraints.
#[derive(Clone, Default)]
pub struct Program {
    /// The variables.
    pub variables: ProblemVariables,
    /// What is to be as large as possible.
    pub objective: Expression,
    /// What must hold.
    pub constraints: Vec<Constraint>,
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An assignment.
    Found {
        /// Values of all variables in the order they were added.
        values: Vec<i64>,
        /// True if the solver proved that nothing is better.
        optimal: bool,
    },
    /// There is no assignment.
    None,
    /// The solver ended without an answer: at its limit, or by a fault.
    Unknown,
}

/// Someone who solves integer programs.
pub trait Solver: Sync {
    /// Solves `program` with at most `nodes` branch-and-bound nodes, if the solver can count them.
    fn solve(&self, program: Program, nodes: u64) -> Answer;
}

/// The solver that is built in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Microlp;

impl Solver for Microlp {
    fn solve(&self, program: Program, nodes: u64) -> Answer {
        let mut model = program.variables.maximise(program.objective).using(microlp);
        for constraint in program.constraints {
            model.add_constraint(constraint);
        }
        let mut options = SolveOptions::default();
        options.node_limit = Some(nodes);
        match model.as_inner().solve_with(options) {
            Ok(SolveOutcome::Solution(solution)) => Answer::Found {
                values: solution.iter().map(|(_, value)| value.round() as i64).collect(),
                optimal: solution.termination_reason() == TerminationReason::ProvenOptimal,
            },
            Err(Error::Infeasible) => Answer::None,
            Ok(SolveOutcome::Interrupted(_)) | Err(_) => Answer::Unknown,
        }
    }
}

/// HiGHS, linked in with the cargo feature `highs`: on one thread, its nodes counted like those of the built-in one.
#[cfg(feature = "highs")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Highs;

#[cfg(feature = "highs")]
impl Solver for Highs {
    fn solve(&self, program: Program, nodes: u64) -> Answer {
        let nodes = i32::try_from(nodes).unwrap_or(i32::MAX);
        let highs = |unsolved| good_lp::highs(unsolved).set_threads(1).set_option("mip_max_nodes", nodes);
        solve_with(highs, program).unwrap_or(Answer::Unknown)
    }
}

/// Solves `program` with any solver of good_lp; not said to be optimal, since not all of them tell.
///
/// # Errors
/// What the solver says if it fails: its program cannot be started, or what it writes cannot be read.
pub fn solve_with<S>(solver: S, program: Program) -> Result<Answer, String>
where
    S: good_lp::Solver<Model: SolverModel<Error = ResolutionError>>,
{
    let order: Vec<Variable> = program.variables.iter_variables_with_def().map(|(v, _)| v).collect();
    let mut model = program.variables.maximise(program.objective).using(solver);
    for constraint in program.constraints {
        model.add_constraint(constraint);
    }
    match model.solve() {
        Ok(solution) => Ok(Answer::Found {
            values: order.into_iter().map(|variable| solution.value(variable).round() as i64).collect(),
            optimal: false,
        }),
        Err(ResolutionError::Infeasible) => Ok(Answer::None),
        // This is how good_lp says that a limit was reached.
        Err(ResolutionError::Other(_)) => Ok(Answer::Unknown),
        Err(error) => Err(error.to_string()),
    }
}

/// What every solver must answer.
#[doc(hidden)]
pub mod examples {
    use super::{Answer, Program};
    use good_lp::{Expression, constraint, variable};

    /// Of three things that weigh 2, 3 and 4 and are worth 3, 4 and 6, those worth most that fit into `room`, at least one.
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

    /// True if `solve` finds the best that fits into 6, and that nothing fits into 0.
    pub fn are_solved_by(mut solve: impl FnMut(Program) -> Answer) -> bool {
        let best = matches!(solve(knapsack(6.0)), Answer::Found { values, .. } if values == [1, 0, 1]);
        best && solve(knapsack(0.0)) == Answer::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_solver_finds_and_refuses() {
        assert!(examples::are_solved_by(|program| Microlp.solve(program, 100)));
        let Answer::Found { optimal, .. } = Microlp.solve(examples::knapsack(6.0), 100) else {
            unreachable!("solved above");
        };
        assert!(optimal, "it knows");
    }

    #[test]
    fn any_solver_of_good_lp_gives_values_in_the_order_of_the_variables() {
        assert!(examples::are_solved_by(|program| solve_with(microlp, program).expect("it runs")));
    }
}
