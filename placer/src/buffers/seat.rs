//! Seats: tiles with room for all items of one more kernel.
//!
//! Takes kernels on tiles. Returns the best tile for one more, with the modules of its stack and
//! buffers.

use std::cmp::Reverse;

use aiec_device::TileId;
use aiec_ir::{Direction, KernelId, PortId};

use super::fitting::{Fitting, Lying};
use super::items::{Load, What, own_load};
use super::pack::{add, subtract};
use crate::demand;

/// An item that needs memory.
pub(super) struct Need {
    pub(super) what: What,
    pub(super) load: Load,
    /// The port that could share it, and the modules that both cores reach.
    pub(super) shared: Option<(PortId, Vec<TileId>)>,
}

/// Value of a seat, the smallest is the best: shared connections, wire, columns from the middle.
pub(super) type Worth = (Reverse<u64>, i64, u16);

/// A tile for a team, with the modules of all its items.
pub(super) struct Seat {
    pub(super) team: usize,
    pub(super) tile: TileId,
    pub(super) taken: Vec<(TileId, Load)>,
    pub(super) freed: Vec<(TileId, Load)>,
    pub(super) lies: Vec<(What, Lying)>,
    /// Number of shared connections to other teams.
    pub(super) shared: u64,
}

impl Seat {
    /// A seat without any item.
    pub(super) const fn empty(team: usize, tile: TileId) -> Self {
        Self { team, tile, taken: Vec::new(), freed: Vec::new(), lies: Vec::new(), shared: 0 }
    }
}

impl Fitting<'_> {
    /// The best seat for `team`. Returns None when it fits nowhere.
    pub(super) fn best_seat(&self, team: usize) -> Option<Seat> {
        let mut tiles: Vec<(Worth, TileId)> = (self.problem.grid.ids())
            .filter(|&tile| self.is_for(team, tile))
            .map(|tile| (self.worth(team, tile, None), tile))
            .collect();
        tiles.sort_unstable();
        let mut best: Option<(Worth, Seat)> = None;
        for (most, tile) in tiles {
            if best.as_ref().is_some_and(|(worth, _)| *worth <= most) {
                break;
            }
            let Some(seat) = self.seat(team, tile) else { continue };
            let worth = self.worth(team, tile, Some(seat.shared));
            if best.as_ref().is_none_or(|(least, _)| worth < *least) {
                best = Some((worth, seat));
            }
        }
        best.map(|(_, seat)| seat)
    }

    /// Value of a tile with `shared` shared connections, or the maximum possible when None. More
    /// shared connections are better, then less wire, then nearer to the middle column.
    pub(super) fn worth(&self, team: usize, tile: TileId, shared: Option<u64>) -> Worth {
        let (problem, grid) = (self.problem, self.problem.grid);
        let (mut most, mut wire) = (0, 0);
        for neighbour in &problem.neighbours[team] {
            let Some(there) = self.tiles[neighbour.kernel] else { continue };
            match problem.gap(tile, there) {
                0 => most += neighbour.windows.iter().sum::<i64>().unsigned_abs(),
                gap => wire += gap,
            }
        }
        let middle = grid.ids().last().map_or(0, |last| grid.tile(last).column / 2);
        (Reverse(shared.unwrap_or(most)), wire, grid.tile(tile).column.abs_diff(middle))
    }

    /// True if `team` may be on `tile` by the rules and beside the placed teams.
    pub(super) fn is_for(&self, team: usize, tile: TileId) -> bool {
        !self.is_taken[tile.index()] && self.problem.allows(team, tile) && self.keeps_pairs(team, tile)
    }

    /// True if `team` on `tile` keeps the pair rules with all placed teams.
    fn keeps_pairs(&self, team: usize, tile: TileId) -> bool {
        let shares = |&(a, b): &(usize, usize)| {
            let other = if a == team { b } else { a };
            let there = self.tiles[other].filter(|_| a == team || b == team)?;
            Some(self.problem.gap(tile, there) == 0)
        };
        let rules = &self.problem.rules;
        rules.together.iter().filter_map(shares).all(|shares| shares)
            && !rules.apart.iter().filter_map(shares).any(|shares| shares)
    }

    /// The modules of all items of `team` on `tile`. The tile must pass [`Fitting::is_for`].
    /// Returns None when there is no room.
    pub(super) fn seat(&self, team: usize, tile: TileId) -> Option<Seat> {
        let mut seat = Seat::empty(team, tile);
        let mut needs = self.needs(team, tile);
        // Items with the fewest modules first, then large ones.
        needs.sort_by_key(|need| {
            (need.shared.as_ref().map_or(usize::MAX, |(_, modules)| modules.len()), Reverse(need.load[0]))
        });
        for need in needs {
            self.put(&mut seat, need)?;
        }
        Some(seat)
    }

    /// Takes room for `need`, as for a DMA if it cannot be shared.
    pub(super) fn put(&self, seat: &mut Seat, need: Need) -> Option<()> {
        if let (Some((other, modules)), What::Port(port)) = (need.shared, need.what) {
            let freed = self.buffers[other.index()].iter();
            let freed = freed.flat_map(|lying| lying.modules.iter().map(|&module| (module, lying.part)));
            let before = seat.freed.len();
            seat.freed.extend(freed);
            if let Some(lying) = self.shared(seat, port, other, &modules) {
                seat.taken.extend(lying.modules.iter().map(|&module| (module, lying.part)));
                seat.lies.push((need.what, lying));
                seat.shared += u64::from(self.team_of(other) != Some(seat.team));
                return Some(());
            }
            seat.freed.truncate(before);
        }
        let module = self.best(seat, &need.load, self.problem.grid.reach(seat.tile))?;
        seat.taken.push((module, need.load));
        seat.lies.push((need.what, Lying { modules: vec![module], part: need.load, shared: None }));
        Some(())
    }

    /// Room in `modules` for the buffers that `port` and `other` share: in one module if it has
    /// enough, else one module for each buffer.
    fn shared(&self, seat: &mut Seat, port: PortId, other: PortId, modules: &[TileId]) -> Option<Lying> {
        let (whole, parts) = self.shared_load(port, other);
        if let Some(module) = self.best(seat, &whole, modules) {
            return Some(Lying { modules: vec![module], part: whole, shared: Some(other) });
        }
        let part = whole.map(|amount| amount / parts);
        let before = seat.taken.len();
        for _ in 0..parts {
            let module = self.best(seat, &part, modules);
            seat.taken.extend(module.map(|module| (module, part)));
        }
        let found: Vec<TileId> = seat.taken.drain(before..).map(|(module, _)| module).collect();
        (found.len() as u64 == parts).then_some(Lying { modules: found, part, shared: Some(other) })
    }

    /// Best fit: the fullest of `modules` that has room for `load`.
    fn best(&self, seat: &Seat, load: &Load, modules: &[TileId]) -> Option<TileId> {
        let left = |module: TileId| -> Option<u64> {
            let mut room = self.room[module.index()];
            let here = |(at, _): &&(TileId, Load)| *at == module;
            seat.freed.iter().filter(here).for_each(|(_, freed)| add(&mut room, freed));
            seat.taken.iter().filter(here).for_each(|(_, taken)| subtract(&mut room, taken));
            room.iter().zip(load).all(|(room, load)| room >= load).then(|| room[0])
        };
        modules.iter().filter_map(|&module| Some((left(module)?, module))).min().map(|(_, module)| module)
    }

    /// All items of `team` on `tile`.
    fn needs(&self, team: usize, tile: TileId) -> Vec<Need> {
        let kernels = &self.teams.members[team];
        let stack = kernels.first().map(|&first| Need {
            what: What::Stack(first),
            load: [demand::stack_bytes(self.checked, self.device, kernels), 0, 0, 0, 0],
            shared: None,
        });
        let ports =
            kernels.iter().flat_map(|&kernel| self.checked.ports_of(kernel).map(move |port| (kernel, port)));
        stack.into_iter().chain(ports.filter_map(|(kernel, port)| self.need(kernel, port, tile))).collect()
    }

    /// The need of a port. None when the other end on the same core holds the buffer.
    fn need(&self, kernel: KernelId, port: PortId, tile: TileId) -> Option<Need> {
        let (checked, teams) = (self.checked, self.teams);
        if checked.is_packets(port) {
            return None;
        }
        let what = What::Port(port);
        let load = own_load(checked, self.device, port);
        let Some((other, peer)) = self.other_end(port) else {
            return Some(Need { what, load, shared: None });
        };
        let here = Some(tile).filter(|_| teams.of[peer.index()] == teams.of[kernel.index()]);
        if here.is_some() && checked.ports[port].direction == Direction::Out {
            return None;
        }
        let there = here.or(self.tiles[teams.of[peer.index()]]);
        let modules = there.map(|there| self.problem.grid.shared(tile, there).collect::<Vec<_>>());
        let shared = modules.filter(|modules| !modules.is_empty()).map(|modules| (other, modules));
        Some(Need { what, load, shared })
    }
}
