//! The one place that calls the integer programming solver.
//!
//! In comes a good_lp model over integer variables; out goes an assignment with the knowledge whether it is optimal, or the
//! knowledge that there is none. The limit is a number of branch-and-bound nodes, so that results do not depend on the machine.

use ::microlp::{Error, SolveOptions, SolveOutcome, TerminationReason};
use good_lp::variable::UnsolvedProblem;
use good_lp::{Constraint, SolverModel, microlp};

/// What the solver found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Values of all variables in the order they were added, and whether the solver proved that nothing is better.
    Found { values: Vec<i64>, optimal: bool },
    /// There is no assignment.
    None,
    /// The node limit came first.
    Unknown,
}

/// Solves `model` under `constraints` with at most `nodes` nodes.
pub(crate) fn solve(model: UnsolvedProblem, constraints: Vec<Constraint>, nodes: u64) -> Answer {
    let mut program = model.using(microlp);
    for constraint in constraints {
        program.add_constraint(constraint);
    }
    let mut options = SolveOptions::default();
    options.node_limit = Some(nodes);
    match program.as_inner().solve_with(options) {
        Ok(SolveOutcome::Solution(solution)) => Answer::Found {
            values: solution.iter().map(|(_, value)| value.round() as i64).collect(),
            optimal: solution.termination_reason() == TerminationReason::ProvenOptimal,
        },
        Err(Error::Infeasible) => Answer::None,
        Ok(SolveOutcome::Interrupted(_)) | Err(_) => Answer::Unknown,
    }
}
