//! The solvers of integer programs: the built-in one, one that is linked in, or an external
//! program.
//!
//! When a solver fails, aiec reports it and goes on with the built-in one. External programs
//! exchange files with aiec in the CPLEX LP format, through good_lp's `lp-solvers`.
#![allow(clippy::disallowed_methods, reason = "this module looks for the programs of solvers")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use aiec_ilp::{Answer, Microlp, Program, Solver, solve_with};
use good_lp::solvers::lp_solvers::{CbcSolver, Cplex, GlpkSolver, GurobiSolver, LpSolver, WithMaxSeconds};

/// Limit in seconds for one integer program in an external solver. A search solves many.
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
    /// The external program that the solver needs. Returns None when the solver is built in or
    /// linked.
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

impl Chosen {
    /// Solves `program`. Fails with the solver's reason.
    fn try_solve(self, program: Program, nodes: u64) -> Result<Answer, String> {
        match self {
            Self::Microlp => Ok(Microlp.solve(program, nodes)),
            #[cfg(feature = "highs")]
            Self::Highs => Ok(aiec_ilp::Highs.solve(program, nodes)),
            Self::Cbc => solve_with(LpSolver(CbcSolver::new().with_max_seconds(SECONDS)), program),
            Self::Glpk => solve_with(LpSolver(GlpkSolver::new().with_max_seconds(SECONDS)), program),
            Self::Gurobi => solve_with(LpSolver(GurobiSolver::new()), program),
            Self::Cplex => solve_with(LpSolver(Cplex::default()), program),
        }
    }
}

/// The solver of one search: the chosen one until it fails, then the built-in one.
pub(crate) struct Solving<S> {
    solve: S,
    failure: OnceLock<String>,
}

impl Solving<()> {
    /// Solves with `chosen` until it fails.
    pub(crate) fn with(chosen: Chosen) -> Solving<impl Fn(Program, u64) -> Result<Answer, String>> {
        Solving { solve: move |program, nodes| chosen.try_solve(program, nodes), failure: OnceLock::new() }
    }
}

impl<S> Solving<S> {
    /// The reason why the chosen solver failed. Returns None while it works.
    pub(crate) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }
}

impl<S: Fn(Program, u64) -> Result<Answer, String> + Sync> Solver for Solving<S> {
    fn solve(&self, program: Program, nodes: u64) -> Answer {
        if self.failure.get().is_none() {
            match (self.solve)(program.clone(), nodes) {
                Ok(answer) => return answer,
                // Another thread may have failed first. One reason is enough.
                Err(reason) => drop(self.failure.set(reason)),
            }
        }
        Microlp.solve(program, nodes)
    }
}

/// The solvers that are programs: the name on the command line, and the program.
pub(crate) fn programs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = [Chosen::Cbc, Chosen::Glpk, Chosen::Gurobi, Chosen::Cplex];
    all.into_iter().filter_map(|chosen| Some((name(chosen), chosen.program()?)))
}

/// The name of `chosen` on the command line.
pub(crate) fn name(chosen: Chosen) -> &'static str {
    match chosen {
        Chosen::Microlp => "microlp",
        #[cfg(feature = "highs")]
        Chosen::Highs => "highs",
        Chosen::Cbc => "cbc",
        Chosen::Glpk => "glpk",
        Chosen::Gurobi => "gurobi",
        Chosen::Cplex => "cplex",
    }
}

/// The solver called `name`. Fails when aiec does not know it or its program is not installed.
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

/// The path of a program, from the folders of PATH.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory: PathBuf| directory.join(program))
        .find(|file: &PathBuf| Path::is_file(file))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use aiec_test_support::knapsack::{is_solved_by, knapsack};

    #[test]
    #[allow(clippy::print_stderr, reason = "a test that is left out says so")]
    fn every_solver_that_is_installed_gives_the_same_answers() {
        for name in ["microlp", "highs", "cbc", "glpk", "gurobi", "cplex"] {
            match parse(name) {
                Err(reason) => eprintln!("left out: {name}: {reason}"),
                Ok(solver) => {
                    let solve = |program| solver.try_solve(program, 100).expect(name);
                    assert!(is_solved_by(solve), "{name}");
                }
            }
        }
    }

    #[test]
    fn a_solver_that_fails_is_replaced_once_and_its_words_are_kept() {
        let starts = AtomicU32::new(0);
        let solve = |_: Program, _: u64| {
            starts.fetch_add(1, Ordering::Relaxed);
            Err("it has no licence".to_owned())
        };
        let solving = Solving { solve, failure: OnceLock::new() };
        assert!(is_solved_by(|program| solving.solve(program, 100)));
        assert_eq!((solving.failure(), starts.load(Ordering::Relaxed)), (Some("it has no licence"), 1));
    }

    #[test]
    fn a_program_that_ends_without_a_solution_file_has_failed() {
        let broken = CbcSolver::new().command_name("false".to_owned());
        assert!(solve_with(LpSolver(broken), knapsack(6.0)).is_err());
    }

    #[test]
    fn a_solver_that_is_not_there_is_refused_with_the_program_it_needs() {
        assert!(parse("lindo").is_err_and(|reason| reason.contains("microlp")));
        if find("cplex").is_none() {
            assert!(parse("cplex").is_err_and(|reason| reason.contains("`cplex`")));
        }
    }
}
