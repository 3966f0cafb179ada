//! Local search: a part moves to a module with room or swaps with a part there if both modules then
//! cost less. Costs are those of `layout.rs`, `clash.rs`, and `Fault::Farther` for a longer net.

use aiec_device::TileId;

use super::parts::{PartId, change, fits};
use super::{Held, Spread};
use crate::options::NODES;
use crate::tiles::Load;
use crate::watch::Watch;

/// Parts that change modules, each with its new module.
type Move = Vec<(PartId, TileId)>;

impl Spread {
    /// Tries one improving move for each part of a module with a cost. Returns false when no move
    /// improved, the tries are used up or the search is stopped.
    pub(super) fn improve(&mut self, watch: &dyn Watch) -> bool {
        let mut better = false;
        for part in self.parts.ids() {
            if watch.stopped() {
                return false;
            }
            if self.tries > 0 && self.held[self.at[part].index()].layout.cost > 0 {
                let moves = self.moves_of(part);
                better |= moves.into_iter().any(|moved| self.try_out(&moved));
            }
        }
        better && self.tries > 0
    }

    /// The candidate moves of a part: to another module, or swapped with a part there.
    fn moves_of(&self, part: PartId) -> Vec<Move> {
        let from = self.at[part];
        let targets = || self.parts[part].modules.iter().map(|&(module, _)| module).filter(|&m| m != from);
        let mut moves: Vec<Move> = targets().map(|module| vec![(part, module)]).collect();
        for module in targets() {
            let others = self.held[module.index()].parts.iter();
            let back = others.filter(|&&other| self.parts[other].modules.iter().any(|&(m, _)| m == from));
            moves.extend(back.map(|&other| vec![(part, module), (other, from)]));
        }
        moves
    }

    /// Makes the move if there is room and it costs less.
    fn try_out(&mut self, moved: &Move) -> bool {
        if self.tries == 0 || !self.has_room(moved) {
            return false;
        }
        let mut touched: Vec<TileId> =
            moved.iter().flat_map(|&(part, module)| [self.at[part], module]).collect();
        touched.sort_unstable();
        touched.dedup();
        let now = touched.iter().map(|module| self.held[module.index()].layout.cost).sum::<u64>()
            + moved.iter().map(|&(part, _)| self.price(part, self.at[part])).sum::<u64>();
        let mut cost: u64 = moved.iter().map(|&(part, module)| self.price(part, module)).sum();
        let mut after: Vec<Held> = Vec::with_capacity(touched.len());
        for &module in &touched {
            let Some(limit) = now.checked_sub(cost).filter(|&limit| limit > 0) else { return false };
            self.tries = self.tries.saturating_sub(1);
            let Some(held) = self.packed(self.parts_after(moved, module), limit, NODES) else {
                return false;
            };
            cost += held.layout.cost;
            after.push(held);
        }
        if cost >= now {
            return false;
        }
        // A departing part frees the room for an arriving one.
        for &(part, _) in moved {
            change(&mut self.room[self.at[part].index()], &self.parts[part].load, 1);
        }
        for &(part, module) in moved {
            change(&mut self.room[module.index()], &self.parts[part].load, -1);
            self.at[part] = module;
        }
        touched.into_iter().zip(after).for_each(|(module, held)| self.held[module.index()] = held);
        true
    }

    /// The parts of a module after a move.
    fn parts_after(&self, moved: &Move, module: TileId) -> Vec<PartId> {
        let is_moved = |part: &PartId| moved.iter().any(|(other, _)| other == part);
        let mut parts: Vec<PartId> =
            self.held[module.index()].parts.iter().copied().filter(|part| !is_moved(part)).collect();
        parts.extend(moved.iter().filter(|&&(_, to)| to == module).map(|&(part, _)| part));
        parts.sort_unstable();
        parts
    }

    /// True if every module has enough resources after a move.
    fn has_room(&self, moved: &Move) -> bool {
        let takes = |module: TileId| {
            let mut room: Load = self.room[module.index()];
            moved.iter().filter(|&&(part, _)| self.at[part] == module).for_each(|&(part, _)| {
                change(&mut room, &self.parts[part].load, 1);
            });
            let mut came = moved.iter().filter(|&&(_, to)| to == module);
            came.all(|&(part, _)| {
                let load = &self.parts[part].load;
                let has_room = fits(&room, load);
                change(&mut room, load, -1);
                has_room
            })
        };
        moved.iter().all(|&(_, to)| takes(to))
    }

    /// Cost of a part in a module besides its clashes.
    fn price(&self, part: PartId, module: TileId) -> u64 {
        self.parts[part].modules.iter().find(|&&(m, _)| m == module).map_or(0, |&(_, price)| price)
    }
}
