//! Kernels on tiles with exact memory, updated as kernels are placed and removed.
//!
//! Takes seats, gives tiles and memory as in a placement. Buffers that two kernels share lie in
//! modules that both reach. All other buffers have room as for a DMA, so that a kernel can always
//! be removed or move closer.

use aiec_check::Checked;
use aiec_device::{Device, TileId};
use aiec_ir::{KernelId, PortId};

use super::items::{self, Item, Load, What, capacity, own_load};
use super::pack::{Packing, add, subtract};
use super::seat::{Need, Seat};
use super::{Memory, flip, memory, pull};
use crate::demand;
use crate::placement::PortBuffers;
use crate::teams::Teams;
use crate::tiles::TileProblem;

/// The modules of a stack or of all buffers of a port: one module, or one for each shared buffer.
#[derive(Clone, Debug)]
pub(super) struct Lying {
    pub(super) modules: Vec<TileId>,
    /// Resources taken from each of the modules.
    pub(super) part: Load,
    /// The port at the other end, if it uses the same buffers.
    pub(super) shared: Option<PortId>,
}

/// Teams on tiles, with memory for all their stacks and buffers.
#[derive(Clone)]
pub(crate) struct Fitting<'a> {
    pub(super) checked: &'a Checked,
    pub(super) device: &'a Device,
    pub(super) teams: &'a Teams,
    pub(super) problem: &'a TileProblem<'a>,
    /// Free resources of every module.
    pub(super) room: Vec<Load>,
    /// The stack of each team.
    pub(super) stacks: Vec<Option<Lying>>,
    /// The buffers of each port. Buffers that two ports share occur twice.
    pub(super) buffers: Vec<Option<Lying>>,
    pub(super) tiles: Vec<Option<TileId>>,
    pub(super) is_taken: Vec<bool>,
}

impl<'a> Fitting<'a> {
    /// A fitting without any team on a tile.
    pub(crate) fn new(
        checked: &'a Checked,
        device: &'a Device,
        teams: &'a Teams,
        problem: &'a TileProblem<'a>,
    ) -> Self {
        let grid = problem.grid;
        Self {
            checked,
            device,
            teams,
            problem,
            room: vec![capacity(device); grid.len()],
            stacks: vec![None; teams.members.len()],
            buffers: vec![None; checked.ports.len()],
            tiles: vec![None; teams.members.len()],
            is_taken: vec![false; grid.len()],
        }
    }

    /// Teams on `tiles` with the given memory. Returns None when a module is overfull.
    pub(crate) fn of(
        checked: &'a Checked,
        device: &'a Device,
        teams: &'a Teams,
        problem: &'a TileProblem<'a>,
        tiles: &[TileId],
        memory: &Memory,
    ) -> Option<Self> {
        let mut fitting = Self::new(checked, device, teams, problem);
        for (team, &tile) in tiles.iter().enumerate() {
            fitting.tiles[team] = Some(tile);
            fitting.is_taken[tile.index()] = true;
            let kernel = *teams.members[team].first()?;
            let part = [demand::stack_bytes(checked, device, &teams.members[team]), 0, 0, 0, 0];
            let module = problem.grid.id(memory.stacks[kernel].tile)?;
            fitting.adopt(team, What::Stack(kernel), Lying { modules: vec![module], part, shared: None })?;
        }
        for (port, buffers) in memory.buffers.enumerate() {
            let (PortBuffers::Own(spots), Some(team)) = (buffers, fitting.team_of(port)) else { continue };
            let modules: Option<Vec<TileId>> = spots.iter().map(|spot| problem.grid.id(spot.tile)).collect();
            let other = fitting.other_end(port).map(|(other, _)| other);
            let other = other.filter(|&other| memory.buffers[other] == PortBuffers::Shared);
            let lying = match other {
                None => {
                    let part = own_load(checked, device, port);
                    Lying { modules: modules?.into_iter().take(1).collect(), part, shared: None }
                }
                Some(other) => {
                    let (whole, parts) = fitting.shared_load(port, other);
                    Lying { modules: modules?, part: whole.map(|amount| amount / parts), shared: Some(other) }
                }
            };
            fitting.adopt(team, What::Port(port), lying)?;
        }
        Some(fitting)
    }

    /// Records the modules of an item. Returns None when there is no room.
    fn adopt(&mut self, team: usize, what: What, lying: Lying) -> Option<()> {
        for module in &lying.modules {
            for (room, amount) in self.room[module.index()].iter_mut().zip(lying.part) {
                *room = room.checked_sub(amount)?;
            }
        }
        self.note(team, what, lying);
        Some(())
    }

    /// Places the team of a seat that [`Fitting::best_seat`] found.
    pub(super) fn take(&mut self, seat: Seat) {
        seat.freed.iter().for_each(|(module, load)| add(&mut self.room[module.index()], load));
        seat.taken.iter().for_each(|(module, load)| subtract(&mut self.room[module.index()], load));
        for (what, lying) in seat.lies {
            self.note(seat.team, what, lying);
        }
        self.tiles[seat.team] = Some(seat.tile);
        self.is_taken[seat.tile.index()] = true;
    }

    fn note(&mut self, team: usize, what: What, lying: Lying) {
        match what {
            What::Stack(_) => self.stacks[team] = Some(lying),
            What::Port(port) => {
                if let Some(other) = lying.shared {
                    self.buffers[other.index()] = Some(Lying { shared: Some(port), ..lying.clone() });
                }
                self.buffers[port.index()] = Some(lying);
            }
        }
    }

    /// Takes `team` off its tile. Buffers that it shared with placed teams become buffers of their
    /// own at the other end. Returns the teams without room for these, which must be taken off too.
    pub(super) fn lift(&mut self, team: usize) -> Option<Vec<usize>> {
        let tile = self.tiles[team].take()?;
        self.is_taken[tile.index()] = false;
        let (checked, teams) = (self.checked, self.teams);
        let kernels = &teams.members[team];
        if let Some(stack) = self.stacks[team].take() {
            self.give_back(&stack);
        }
        let mut left = Vec::new();
        for port in kernels.iter().flat_map(|&kernel| checked.ports_of(kernel)) {
            let Some(lying) = self.buffers[port.index()].take() else { continue };
            self.give_back(&lying);
            if let Some(other) = lying.shared {
                self.buffers[other.index()] = None;
                let peer = self.team_of(other).filter(|&peer| peer != team && self.stacks[peer].is_some());
                left.extend(peer.map(|_| other));
            }
        }
        left.retain(|&port| self.keep(port).is_none());
        left.into_iter().map(|port| self.team_of(port)).collect()
    }

    /// Gives a port of a placed team buffers of its own. Returns None when there is no room.
    fn keep(&mut self, port: PortId) -> Option<()> {
        let team = self.team_of(port)?;
        let load = own_load(self.checked, self.device, port);
        let mut seat = Seat::empty(team, self.tiles[team]?);
        self.put(&mut seat, Need { what: What::Port(port), load, shared: None })?;
        self.take(seat);
        Some(())
    }

    fn give_back(&mut self, lying: &Lying) {
        lying.modules.iter().for_each(|module| add(&mut self.room[module.index()], &lying.part));
    }

    /// The tiles of all teams, and the memory. Returns None when a team has no tile.
    pub(crate) fn end(&self) -> Option<(Vec<TileId>, Memory)> {
        let of_teams = self.tiles.iter().copied().collect::<Option<Vec<TileId>>>()?;
        let memory = self.memory(&self.teams.spread(&of_teams))?;
        Some((of_teams, memory))
    }

    fn memory(&self, tiles: &[TileId]) -> Option<Memory> {
        let (checked, device, grid) = (self.checked, self.device, self.problem.grid);
        let mut items = items::items(checked, device, grid, self.teams, tiles);
        let mut flips = 0;
        while let Some(at) = items.iter().position(|item| self.is_kept_apart(item)) {
            items.splice(at..=at, flip(checked, device, grid, tiles, &items[at])?);
            flips += 1;
        }
        let mut packing = Packing::new(grid.len(), capacity(device), &items);
        for (index, item) in items.iter().enumerate() {
            let lying = match item.what {
                What::Stack(kernel) => self.stacks[self.teams.of[kernel.index()]].as_ref()?,
                What::Port(port) => self.buffers[port.index()].as_ref()?,
            };
            let modules = lying.modules.iter().copied().cycle().take(item.parts).collect();
            packing.put(&items, index, modules);
        }
        pull::pull(checked, grid, tiles, &items, &mut packing);
        Some(memory(checked, grid, self.teams, items, packing, flips))
    }

    /// True if an item could be shared, but has buffers at both ends.
    fn is_kept_apart(&self, item: &Item) -> bool {
        let What::Port(port) = item.what else { return false };
        item.shared_from.is_some() && !self.is_shared(port)
    }

    /// Pairs of teams with a connection through DMA that could share memory on other tiles.
    pub(super) fn cuts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cut =
            self.problem.measure.links.iter().filter(|link| link.may_share && !self.is_shared(link.from));
        cut.map(|link| (link.teams[0], link.teams[1]))
    }

    /// True if the other end of the connection of `port` uses the same buffers.
    pub(super) fn is_shared(&self, port: PortId) -> bool {
        self.buffers[port.index()].as_ref().is_some_and(|lying| lying.shared.is_some())
    }

    pub(super) fn team_of(&self, port: PortId) -> Option<usize> {
        self.checked.kernel_of(port).map(|kernel| self.teams.of[kernel.index()])
    }

    /// The port and the kernel at the other end of a shareable connection.
    pub(super) fn other_end(&self, port: PortId) -> Option<(PortId, KernelId)> {
        if !demand::may_share(self.checked, port) {
            return None;
        }
        let connection = &self.checked.connections[*self.checked.ports[port].connections.first()?];
        let other = if connection.from == port { connection.to } else { connection.from };
        Some((other, self.checked.kernel_of(other)?))
    }

    /// Resources of the buffers that two ports share, and the number of parts that may lie in
    /// different modules. Kernels on one core run in turn and use one buffer (UG1079).
    pub(super) fn shared_load(&self, port: PortId, other: PortId) -> (Load, u64) {
        let [bytes, locks, ..] = own_load(self.checked, self.device, port);
        let copies = u64::from(demand::copies(self.checked, port)).max(1);
        let on_one_core = self.team_of(port) == self.team_of(other)
            && self.checked.kernel_of(port) != self.checked.kernel_of(other);
        if on_one_core {
            ([bytes / copies, locks / copies, 0, 0, 0], 1)
        } else {
            ([bytes, locks, 0, 0, 0], copies)
        }
    }
}
