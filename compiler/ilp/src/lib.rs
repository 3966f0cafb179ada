//! Integer programs and their solvers.
//!
//! Takes a good_lp model over integer variables. Returns an assignment and whether it is proved
//! optimal, or the proof that there is none. [`Microlp`] is always available, and HiGHS with the
//! cargo feature `highs`. External programs such as CBC come from a caller that passes a
//! [`Solver`], since stages start no programs. The built-in solver is limited by branch-and-bound
//! nodes, so results do not depend on the machine.

use ::microlp::{Error, SolveOptions, SolveOutcome, TerminationReason};
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable, microlp,
};

/// An integer program: the bounded variables, the objective to maximise, and the constraints.
#[derive(Clone, Default)]
pub struct Program {
    /// The variables with their bounds.
    pub variables: ProblemVariables,
    /// The expression to maximise.
    pub objective: Expression,
    /// Linear constraints, all of which hold in an answer.
    pub constraints: Vec<Constraint>,
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An assignment.
    Found {
        /// Values of all variables in the order they were added.
        values: Vec<i64>,
        /// True if the solver proved the assignment optimal.
        optimal: bool,
    },
    /// Proved: there is no assignment.
    None,
    /// The solver ended without a result: at its limit, or by a fault.
    Unknown,
}

/// A solver of integer programs.
pub trait Solver: Sync {
    /// Solves `program` with at most `nodes` branch-and-bound nodes, if the solver can count them.
    fn solve(&self, program: Program, nodes: u64) -> Answer;
}

/// The built-in solver.
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

/// HiGHS, linked in by the cargo feature `highs`. It uses one thread and counts nodes like the
/// built-in solver.
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

/// Solves `program` with any solver of good_lp. The result is never marked optimal, since not all
/// of these solvers report it.
///
/// # Errors
/// Returns the solver's message when it fails: its program does not start, or its output cannot be
/// read.
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
        // good_lp reports a reached limit in this way.
        Err(ResolutionError::Other(_)) => Ok(Answer::Unknown),
        Err(error) => Err(error.to_string()),
    }
}
