//! Tiles for leaves: a maximum bipartite matching of wishes to free tiles, by augmenting paths. It
//! is updated move by move.

use aiec_device::TileId;
use aiec_ir::IdVec;

use super::graph::HostId;
use super::hosts::Near;

/// Which host owns which tile. The caller passes the tiles beside each host and the
/// tiles with a host on them.
#[derive(Clone, Debug)]
pub(super) struct Matching {
    /// The host that owns each tile for one of its wishes.
    owner: Vec<Option<HostId>>,
    /// Number of tiles each host owns.
    has: IdVec<HostId, usize>,
    /// Number of tiles that each host needs.
    wanted: IdVec<HostId, usize>,
    /// Hosts that own fewer tiles than they need.
    short: Vec<HostId>,
    /// Round in which a host was last visited.
    seen: IdVec<HostId, u32>,
    round: u32,
}

impl Matching {
    /// No host owns a tile.
    pub(super) fn new(tiles: usize, wanted: IdVec<HostId, usize>) -> Self {
        let short: Vec<HostId> = wanted.ids().filter(|&host| wanted[host] > 0).collect();
        Self {
            owner: vec![None; tiles],
            has: IdVec::filled(0, wanted.len()),
            short,
            seen: IdVec::filled(0, wanted.len()),
            round: 0,
            wanted,
        }
    }

    /// The host that owns `tile`.
    pub(super) fn owner(&self, tile: TileId) -> Option<HostId> {
        self.owner[tile.index()]
    }

    /// Hosts that own fewer tiles than they need, with the number missing.
    pub(super) fn lacking(&self) -> impl Iterator<Item = (HostId, usize)> + '_ {
        self.short.iter().map(|&host| (host, self.wanted[host] - self.has[host]))
    }

    /// Takes `tile` from its owner, if it has one.
    pub(super) fn release(&mut self, tile: TileId) {
        if let Some(host) = self.owner[tile.index()] {
            self.set(tile, None);
            if !self.short.contains(&host) {
                self.short.push(host);
            }
        }
    }

    /// Gives free tiles to hosts that lack some, until no augmenting path remains. `at` is the tile
    /// of each host, `near` the tiles beside each tile, and `taken` the host on each tile.
    pub(super) fn complete(&mut self, at: &IdVec<HostId, TileId>, near: &Near, taken: &[Option<HostId>]) {
        // Within a round, a host whose search failed cannot help another search.
        self.round += 1;
        let mut short = std::mem::take(&mut self.short);
        short.retain(|&host| {
            while self.has[host] < self.wanted[host] {
                if self.seen[host] == self.round || !self.augment(host, at, near, taken) {
                    return true;
                }
                self.round += 1;
            }
            false
        });
        self.short = short;
    }

    fn augment(
        &mut self,
        host: HostId,
        at: &IdVec<HostId, TileId>,
        near: &Near,
        taken: &[Option<HostId>],
    ) -> bool {
        let beside = &near[at[host].index()];
        let free = |tile: &&TileId| taken[tile.index()].is_none();
        if let Some(&tile) = beside.iter().filter(free).find(|tile| self.owner(**tile).is_none()) {
            self.set(tile, Some(host));
            return true;
        }
        self.seen[host] = self.round;
        for &tile in beside.iter().filter(free) {
            let Some(other) = self.owner(tile).filter(|&other| other != host) else { continue };
            if self.seen[other] != self.round && self.augment(other, at, near, taken) {
                self.set(tile, Some(host));
                return true;
            }
        }
        false
    }

    fn set(&mut self, tile: TileId, owner: Option<HostId>) {
        if let Some(host) = std::mem::replace(&mut self.owner[tile.index()], owner) {
            self.has[host] -= 1;
        }
        if let Some(host) = owner {
            self.has[host] += 1;
        }
    }
}
