//! Packs a small design by one integer program, which also chooses the connections that go by DMA
//! because memory is full.
//!
//! With `z[i,m]` parts of item `i` in module `m`, `y[i] = 1` if two items of its own replace a
//! shared item, and `u[e,m]` for these:
//!
//! ```text
//! sum over m of z[i,m]   = parts[i] (1 - y[i])
//! sum over m of u[e,m]   = y[i]                   for the items e at both ends of i
//! sum of what lies in m <= what m has             for each module and resource
//! minimise  sum of (1 + bytes[i] / all bytes) y[i]
//! ```
//!
//! Greedy packing sends the item by DMA that finds no room. Sometimes another item must go instead.

use std::collections::BTreeMap;

use aiec_device::TileId;
use good_lp::{Expression, Variable, constraint, variable};

use super::Packed;
use super::items::{Item, Load};
use super::pack::Packing;
use super::repair::{Users, limits};
use aiec_ilp::{Answer, Microlp, Program, Solver};

/// Maximum number of items of a design.
pub(super) const MOST_ITEMS: usize = 40;
/// Branch-and-bound nodes.
const NODES: u64 = 400;

/// An item, and the two items that replace it if its window may go by DMA.
pub(super) type Choice = (Item, Option<[Item; 2]>);

/// The meaning of a variable.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// 1 if an item goes by DMA.
    ByDma,
    /// Number of parts of an item in a module.
    Parts(Source, TileId),
}

/// An item of the program, by its choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    /// Index of the choice.
    choice: usize,
    /// None for the shared item, else the index of the item that replaces it at one end.
    end: Option<usize>,
}

/// The program under construction.
#[derive(Default)]
struct Model {
    program: Program,
    slots: Vec<Slot>,
    users: Users,
}

impl Model {
    fn variable(&mut self, most: usize, slot: Slot) -> Variable {
        self.slots.push(slot);
        self.program.variables.add(variable().integer().min(0.0).max(most as f64))
    }

    /// Adds an item. Its parts must lie in modules as often as `wanted` says.
    fn item(&mut self, item: &Item, source: Source, wanted: Expression) {
        let mut sum = -wanted;
        for &module in &item.modules {
            let parts = self.variable(item.parts, Slot::Parts(source, module));
            sum += parts;
            self.users.entry(module).or_default().push((item.part, item.parts, parts));
        }
        self.program.constraints.push(constraint!(sum == 0.0));
    }
}

/// Packs the items into `modules` modules of `capacity`. Minimises the number of shareable
/// connections by DMA; returns the best found. Returns None when there is no room, or none was
/// found.
pub(super) fn pack(choices: &[Choice], modules: usize, capacity: Load) -> Option<Packed> {
    let mut model = Model::default();
    let all: u64 = choices.iter().map(|(item, _)| item.total()[0]).sum();
    for (choice, (item, ends)) in choices.iter().enumerate() {
        let parts = item.parts as f64;
        let Some(ends) = ends else {
            model.item(item, Source { choice, end: None }, Expression::from(parts));
            continue;
        };
        let by_dma = model.variable(1, Slot::ByDma);
        model.program.objective.add_mul(-1.0 - item.total()[0] as f64 / all.max(1) as f64, by_dma);
        model.item(item, Source { choice, end: None }, parts - parts * by_dma);
        for (end, item) in ends.iter().enumerate() {
            model.item(item, Source { choice, end: Some(end) }, Expression::from(by_dma));
        }
    }
    model.program.constraints.extend(limits(&model.users, |_| capacity));
    let Answer::Found { values, .. } = Microlp.solve(model.program, NODES) else { return None };
    let mut flips = 0;
    let mut lie: BTreeMap<Source, Vec<TileId>> = BTreeMap::new();
    for (slot, value) in model.slots.into_iter().zip(values) {
        let value = usize::try_from(value).unwrap_or(0);
        match slot {
            Slot::ByDma => flips += value as u64,
            Slot::Parts(source, module) if value > 0 => {
                lie.entry(source).or_default().extend(std::iter::repeat_n(module, value));
            }
            Slot::Parts(..) => {}
        }
    }
    let item = |&Source { choice, end }: &Source| {
        let (item, ends) = choices.get(choice)?;
        end.map_or(Some(item), |end| ends.as_ref()?.get(end)).cloned()
    };
    let items: Vec<Item> = lie.keys().map(item).collect::<Option<_>>()?;
    let mut packing = Packing::new(modules, capacity, &items);
    lie.into_values().enumerate().for_each(|(at, modules)| packing.put(&items, at, modules));
    Some((items, packing, flips))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffers::items::What;
    use aiec_ir::KernelId;
    use proptest::prelude::*;

    /// The least number of DMA connections with which all items fit (exhaustive).
    fn fewest(choices: &[Choice], room: &mut Vec<u64>) -> Option<u64> {
        let Some(((item, ends), rest)) = choices.split_first() else { return Some(0) };
        let shared = lay(&[item], rest, room);
        let apart = ends.as_ref().and_then(|[a, b]| Some(1 + lay(&[a, b], rest, room)?));
        shared.into_iter().chain(apart).min()
    }

    /// The least number with the parts of `items` packed first.
    fn lay(items: &[&Item], rest: &[Choice], room: &mut Vec<u64>) -> Option<u64> {
        let Some((item, others)) = items.split_first() else { return fewest(rest, room) };
        let mut left = (*item).clone();
        left.parts -= 1;
        let mut next: Vec<&Item> = others.to_vec();
        if left.parts > 0 {
            next.push(&left);
        }
        let mut best: Option<u64> = None;
        for module in &item.modules {
            if room[module.index()] >= item.part[0] {
                room[module.index()] -= item.part[0];
                best = best.into_iter().chain(lay(&next, rest, room)).min();
                room[module.index()] += item.part[0];
            }
        }
        best
    }

    fn item(modules: &[u16], parts: usize, bytes: u64) -> Item {
        Item {
            what: What::Stack(KernelId(0)),
            kernel: KernelId(0),
            modules: modules.iter().map(|&module| TileId(module)).collect(),
            parts,
            part: [bytes, 0, 0, 0, 0],
            blocks: 1,
            bytes,
            shared_from: None,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// Pairs of buffers that are shared in a module between, or separate at both ends, in a row
        /// of four modules.
        #[test]
        fn no_choice_lets_fewer_go_by_dma(
            pairs in prop::collection::vec((0_u16..3, 1_u64..6, any::<bool>()), 1..6),
            stack in 1_u64..8,
        ) {
            let mut choices: Vec<Choice> = vec![(item(&[0, 1], 1, stack * 32), None)];
            choices.extend(pairs.iter().map(|&(at, size, may)| {
                let ends = [item(&[at], 1, size * 64), item(&[at + 1], 1, size * 64)];
                (item(&[at, at + 1], 2, size * 32), may.then_some(ends))
            }));
            let capacity = [12 * 32, 9, 9, 9, 9];
            let found = pack(&choices, 4, capacity);
            let expected = fewest(&choices, &mut vec![capacity[0]; 4]);
            prop_assert_eq!(found.as_ref().map(|(.., flips)| *flips), expected);
            if let Some((items, packing, _)) = found {
                let lie = |module: u16| items.iter().zip(&packing.modules).map(move |(item, modules)| {
                    let parts = modules.iter().filter(|&&m| m == TileId(module)).count() as u64;
                    parts * item.part[0]
                });
                prop_assert!((0..4).all(|module| lie(module).sum::<u64>() <= capacity[0]));
            }
        }
    }
}
