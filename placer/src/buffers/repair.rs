//! Repairs greedy packing by an integer program over the modules around the conflict.
//!
//! `z[i,m]` counts the parts of item `i` in module `m`. They sum to the item's parts. For each
//! resource, a module's items take at most what the fixed items leave.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use good_lp::{Constraint, Expression, ProblemVariables, Variable, constraint, variable};

use super::items::{Item, Load};
use super::pack::Packing;
use aiec_ilp::{Answer, Microlp, Program, Solver};

/// Maximum number of items in a program.
const ITEMS: usize = 90;
/// Branch-and-bound nodes per program.
const NODES: u64 = 400;

/// Packs the item `stuck` by repacking ever more items around it. Returns false when no program
/// within the size limit succeeds.
pub(crate) fn repair(items: &[Item], packing: &mut Packing, stuck: usize) -> bool {
    let mut free = BTreeSet::from([stuck]);
    loop {
        let modules: BTreeSet<TileId> = free.iter().flat_map(|&i| items[i].modules.iter().copied()).collect();
        let inside = |i: &usize| packing.modules[*i].iter().any(|module| modules.contains(module));
        let mut grown = free.clone();
        grown.extend((0..items.len()).filter(inside));
        if grown.len() > ITEMS {
            return false;
        }
        if grown == free {
            return false;
        }
        free = grown;
        if repack(items, packing, &free) {
            return true;
        }
    }
}

/// Finds new modules for the items `free`; the others stay. On failure nothing changes.
fn repack(items: &[Item], packing: &mut Packing, free: &BTreeSet<usize>) -> bool {
    let before = packing.clone();
    for &item in free {
        packing.remove(items, item);
    }
    let Some(found) = solve(items, packing, free) else {
        *packing = before;
        return false;
    };
    for (item, modules) in found {
        packing.put(items, item, modules);
    }
    true
}

fn solve(items: &[Item], packing: &Packing, free: &BTreeSet<usize>) -> Option<BTreeMap<usize, Vec<TileId>>> {
    let mut variables = ProblemVariables::new();
    let mut constraints = Vec::new();
    let mut users = Users::new();
    let mut order = Vec::new();
    for &item in free {
        let mut sum = Expression::default();
        for &module in &items[item].modules {
            let z = variables.add(variable().integer().min(0.0).max(items[item].parts as f64));
            sum += z;
            users.entry(module).or_default().push((items[item].part, items[item].parts, z));
            order.push((item, module));
        }
        constraints.push(constraint!(sum == items[item].parts as f64));
    }
    constraints.extend(limits(&users, |module| packing.room[module.index()]));
    let program = Program { variables, objective: Expression::default(), constraints };
    let Answer::Found { values, .. } = Microlp.solve(program, NODES) else {
        return None;
    };
    let mut found: BTreeMap<usize, Vec<TileId>> = BTreeMap::new();
    for ((item, module), count) in order.into_iter().zip(values) {
        let count = usize::try_from(count).unwrap_or(0);
        found.entry(item).or_default().extend(std::iter::repeat_n(module, count));
    }
    Some(found)
}

/// For each module the parts that may lie there: the load of a part, the maximum number of parts,
/// and the variable that counts them.
pub(super) type Users = BTreeMap<TileId, Vec<(Load, usize, Variable)>>;

/// The capacity constraints: `users` take at most `room` of each resource of each module.
pub(super) fn limits(users: &Users, room: impl Fn(TileId) -> Load) -> Vec<Constraint> {
    let mut limits = Vec::new();
    for (&module, users) in users {
        for (resource, room) in room(module).into_iter().enumerate() {
            // Bytes in units of 32, so that coefficients stay small.
            let scale = if resource == 0 { 32.0 } else { 1.0 };
            let mut sum = Expression::default();
            let mut most = 0;
            for &(part, parts, z) in users {
                sum.add_mul(part[resource] as f64 / scale, z);
                most += part[resource] * parts as u64;
            }
            if most > room {
                let bound = room as f64 / scale;
                limits.push(constraint!(sum <= bound));
            }
        }
    }
    limits
}
