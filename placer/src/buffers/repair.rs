//! Where greedy packing gets stuck: an integer program over the modules around the conflict.
//!
//! `z[i,m]` counts the parts of item `i` in module `m`; they sum to the item's parts, and what a module's items take of each
//! resource is at most what the module has left beside the items that stay.

use std::collections::{BTreeMap, BTreeSet};

use aiec_device::TileId;
use good_lp::{Constraint, Expression, ProblemVariables, Variable, constraint, variable};

use super::items::Item;
use super::pack::Packing;
use crate::ilp::{Answer, Microlp, Program, Solver};

/// Largest program, in items.
const ITEMS: usize = 90;
/// Branch-and-bound nodes per program.
const NODES: u64 = 400;

/// Packs the unplaced item `stuck` by repacking ever more items around it; false if no program of bearable size does it.
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

/// Finds new modules for the items `free`, the others staying; leaves everything as it was if there are none.
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
    let mut by_module: BTreeMap<TileId, Vec<(usize, Variable)>> = BTreeMap::new();
    let mut order = Vec::new();
    for &item in free {
        let mut sum = Expression::default();
        for &module in &items[item].modules {
            let z = variables.add(variable().integer().min(0.0).max(items[item].parts as f64));
            sum += z;
            by_module.entry(module).or_default().push((item, z));
            order.push((item, module));
        }
        constraints.push(constraint!(sum == items[item].parts as f64));
    }
    for (module, users) in &by_module {
        limit(items, packing, *module, users, &mut constraints);
    }
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

/// What the items may take of each resource of `module`.
fn limit(
    items: &[Item],
    packing: &Packing,
    module: TileId,
    users: &[(usize, Variable)],
    constraints: &mut Vec<Constraint>,
) {
    for resource in 0..packing.room[module.index()].len() {
        let room = packing.room[module.index()][resource];
        // Bytes in units of 32, so that coefficients stay small.
        let scale = if resource == 0 { 32.0 } else { 1.0 };
        let mut sum = Expression::default();
        let mut most = 0;
        for &(item, z) in users {
            sum.add_mul(items[item].part[resource] as f64 / scale, z);
            most += items[item].total()[resource];
        }
        if most > room {
            let bound = room as f64 / scale;
            constraints.push(constraint!(sum <= bound));
        }
    }
}
