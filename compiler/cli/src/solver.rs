//! Who solves integer programs: the built-in solver, one that is linked in, or a program that is started.
//!
//! Programs exchange files with aiec in the CPLEX LP format, through good_lp's `lp-solvers`.
#![allow(clippy::disallowed_methods, reason = "this module looks for the programs that it lets start")]

use std::path::{Path, PathBuf};

use aiec_placer::{Answer, Microlp, Program, Solver, solve_with};
use good_lp::solvers::lp_solvers::{CbcSolver, Cplex, GlpkSolver, GurobiSolver, LpSolver, WithMaxSeconds};

/// Seconds a program may take for one integer program of a search, which solves many.
const SECONDS: u32 = 10;

/// The solver that `--solver` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Built in.
    Microlp,
    /// Linked in.
    #[cfg(feature = "highs")]
    Highs,
    /// COIN-OR CBC, the program `cbc`.
    Cbc,
    /// GLPK, the program `glpsol`.
    Glpk,
    /// Gurobi, the program `gurobi_cl`.
    Gurobi,
    /// CPLEX, the program `cplex`.
    Cplex,
}

impl Chosen {
    /// The program it needs.
    const fn program(self) -> Option<&'static str> {
        match self {
            Self::Microlp => None,
            #[cfg(feature = "highs")]
            Self::Highs => None,
            Self::Cbc => Some("cbc"),
            Self::Glpk => Some("glpsol"),
            Self::Gurobi => Some("gurobi_cl"),
            Self::Cplex => Some("cplex"),
        }
    }
}

impl Solver for Chosen {
    fn solve(&self, program: Program, nodes: u64) -> Answer {
        match self {
            Self::Microlp => Microlp.solve(program, nodes),
            #[cfg(feature = "highs")]
            Self::Highs => aiec_placer::Highs.solve(program, nodes),
            Self::Cbc => solve_with(LpSolver(CbcSolver::new().with_max_seconds(SECONDS)), program),
            Self::Glpk => solve_with(LpSolver(GlpkSolver::new().with_max_seconds(SECONDS)), program),
            Self::Gurobi => solve_with(LpSolver(GurobiSolver::new()), program),
            Self::Cplex => solve_with(LpSolver(Cplex::default()), program),
        }
    }
}

/// The solver called `name`, if it can be used here.
pub(crate) fn parse(name: &str) -> Result<Chosen, String> {
    let chosen = match name {
        "microlp" => Chosen::Microlp,
        #[cfg(feature = "highs")]
        "highs" => Chosen::Highs,
        #[cfg(not(feature = "highs"))]
        "highs" => return Err("this aiec was built without HiGHS: build it with `--features highs`".into()),
        "cbc" => Chosen::Cbc,
        "glpk" => Chosen::Glpk,
        "gurobi" => Chosen::Gurobi,
        "cplex" => Chosen::Cplex,
        _ => return Err("aiec knows microlp, highs, cbc, glpk, gurobi and cplex".into()),
    };
    match chosen.program().filter(|program| find(program).is_none()) {
        None => Ok(chosen),
        Some(program) => Err(format!(
            "its program `{program}` is in no directory of PATH: install it, or leave out --solver for the built-in one"
        )),
    }
}

/// Where a program is.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory: PathBuf| directory.join(program))
        .find(|file: &PathBuf| Path::is_file(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use good_lp::{Expression, constraint, variable};

    /// Of three things that weigh 2, 3 and 4, those worth most that fit into `room`.
    fn knapsack(room: f64) -> Program {
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

    #[test]
    #[allow(clippy::print_stderr, reason = "a test that is left out says so")]
    fn every_solver_that_is_installed_gives_the_same_answers() {
        for name in ["microlp", "highs", "cbc", "glpk", "gurobi", "cplex"] {
            match parse(name) {
                Err(reason) => eprintln!("left out: {name}: {reason}"),
                Ok(solver) => {
                    let Answer::Found { values, .. } = solver.solve(knapsack(6.0), 100) else {
                        panic!("{name} finds nothing");
                    };
                    assert_eq!(values, [1, 0, 1], "{name}");
                    assert_eq!(solver.solve(knapsack(0.0), 100), Answer::None, "{name}");
                }
            }
        }
    }

    #[test]
    fn a_solver_that_is_not_there_is_refused_with_the_program_it_needs() {
        assert!(parse("lindo").is_err_and(|reason| reason.contains("microlp")));
        if find("cplex").is_none() {
            assert!(parse("cplex").is_err_and(|reason| reason.contains("`cplex`")));
        }
    }
}
