//! The integer program of an assignment: `x[p,m]` is 1 if part `p` lies in module `m`. The parts of
//! a module take at most its channels, its descriptors and the sum of its free bytes. Parts that do
//! not fit the free pieces of a module together are forbidden there as they turn up.

use std::collections::BTreeMap;

use aiec_ilp::{Answer, Program, Solver};
use good_lp::{Constraint, Expression, ProblemVariables, Variable, constraint, variable};

use crate::assign::Problem;

/// Limit on branch-and-bound nodes of a program.
const NODES: u64 = 2_000;
/// Limit on the programs, of which each forbids more parts to be together.
const ROUNDS: usize = 32;

/// What a solver knows about an assignment.
pub(crate) enum Result {
    /// The module of each part.
    Found(Vec<usize>),
    /// Proved: no assignment to these modules.
    None,
    /// Nothing was found within the limits.
    Unknown,
}

impl Result {
    pub(crate) fn found(self) -> Option<Vec<usize>> {
        match self {
            Self::Found(found) => Some(found),
            Self::None | Self::Unknown => None,
        }
    }
}

/// Parts that have no room together, and the module.
type Cut = (usize, Vec<usize>);

/// The best assignment of each part to one of its modules in `lists`.
pub(crate) fn solve(problem: &Problem, lists: &[&[usize]], solver: &dyn Solver) -> Result {
    let mut cuts: Vec<Cut> = Vec::new();
    for _ in 0..ROUNDS {
        match solver.solve(program(problem, lists, &cuts), NODES) {
            Answer::None => return Result::None,
            Answer::Unknown => return Result::Unknown,
            Answer::Found { values, .. } => {
                let Some(found) = modules(lists, &values) else { return Result::Unknown };
                let new = unpacked(problem, &found);
                if new.is_empty() {
                    return Result::Found(found);
                }
                cuts.extend(new);
            }
        }
    }
    Result::Unknown
}

fn program(problem: &Problem, lists: &[&[usize]], cuts: &[Cut]) -> Program {
    let mut variables = ProblemVariables::new();
    let mut x = || variables.add(variable().integer().min(0.0).max(1.0));
    let rows: Vec<Vec<Variable>> = lists.iter().map(|list| list.iter().map(|_| x()).collect()).collect();
    let mut objective = Expression::default();
    let mut constraints: Vec<Constraint> = Vec::new();
    // Of each module: the parts that may lie there.
    let mut here: BTreeMap<usize, BTreeMap<usize, Variable>> = BTreeMap::new();
    for (part, (list, row)) in lists.iter().zip(&rows).enumerate() {
        for (&module, &x) in list.iter().zip(row) {
            objective.add_mul(-(problem.cost(part, module) as f64), x);
            here.entry(module).or_default().insert(part, x);
        }
        constraints.push(constraint!(row.iter().sum::<Expression>() == 1.0));
    }
    for (&module, parts) in &here {
        let room = &problem.modules[module];
        let free: u64 = room.gaps.iter().map(|gap| gap.bytes()).sum();
        let mut bytes = Expression::default();
        parts.iter().for_each(|(&part, &x)| bytes.add_mul(problem.parts[part].bytes as f64, x));
        constraints.push(constraint!(parts.values().sum::<Expression>() <= room.fifos as f64));
        constraints.push(constraint!(bytes <= free as f64));
    }
    for (module, parts) in cuts {
        let together = parts.iter().filter_map(|part| here.get(module)?.get(part));
        let most = parts.len().saturating_sub(1) as f64;
        constraints.push(constraint!(together.sum::<Expression>() <= most));
    }
    Program { variables, objective, constraints }
}

/// The module of each part, from the values of the variables.
fn modules(lists: &[&[usize]], values: &[i64]) -> Option<Vec<usize>> {
    let mut rest = values;
    let mut found = Vec::new();
    for list in lists {
        let (row, behind) = rest.split_at_checked(list.len())?;
        found.push(list[row.iter().position(|&value| value == 1)?]);
        rest = behind;
    }
    Some(found)
}

/// The parts of each module without room for all of them.
fn unpacked(problem: &Problem, found: &[usize]) -> Vec<Cut> {
    let mut here: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (part, &module) in found.iter().enumerate() {
        here.entry(module).or_default().push(part);
    }
    here.into_iter().filter(|(module, parts)| problem.packed(*module, parts).is_none()).collect()
}
