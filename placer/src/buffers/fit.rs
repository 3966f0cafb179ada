//! Greedy placement for kernels whose windows need most of the memory: one kernel after the other
//! goes where its buffers fit.
//!
//! Takes the design and the problem of its tiles, returns a fit of all kernels. No kernel moves
//! again, so this finds a placement, not a good one.

use std::cmp::Reverse;

use aiec_check::Checked;
use aiec_device::{Device, TileId};

use super::fitting::Fitting;
use crate::teams::Teams;
use crate::tiles::TileProblem;

/// Order of the kernels without a fixed tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The kernel with the most connections to placed kernels.
    Nearest,
    /// The kernel with the largest buffers.
    Largest,
}

/// Places all teams with memory for all their items. Returns None when a kernel does not fit beside
/// the earlier ones.
pub(crate) fn fit<'a>(
    checked: &'a Checked,
    device: &'a Device,
    teams: &'a Teams,
    problem: &'a TileProblem<'a>,
    next: Next,
) -> Option<Fitting<'a>> {
    let mut fitting = Fitting::new(checked, device, teams, problem);
    while let Some(team) = fitting.next(next) {
        fitting = fitting.with(team)?;
    }
    Some(fitting)
}

impl Fitting<'_> {
    /// The next team. Teams with a fixed tile come first, then teams that must share memory with a
    /// placed one, then formations, then teams with few tiles, then other teams with a `together`.
    /// `next` orders the teams of each class.
    fn next(&self, next: Next) -> Option<usize> {
        let waiting = (0..self.tiles.len()).filter(|&team| self.tiles[team].is_none());
        waiting.min_by_key(|&team| {
            let rules = &self.problem.rules;
            let mut partners = rules.together.iter().filter(|&&(a, b)| a == team || b == team).peekable();
            let is_together = partners.peek().is_some();
            let is_awaited = partners.any(|&(a, b)| self.tiles[a].is_some() || self.tiles[b].is_some());
            let class = match (self.problem.fixed[team], self.problem.group_of[team]) {
                (Some(_), _) => 0,
                _ if is_awaited => 1,
                (None, Some(_)) => 2,
                _ if rules.is_narrowed(team) => 3,
                _ if is_together => 4,
                _ => 5,
            };
            let near =
                self.problem.neighbours[team].iter().filter(|n| self.tiles[n.kernel].is_some()).count();
            let size = self.problem.density[team];
            let wish = match next {
                Next::Nearest => (near as i64, size),
                Next::Largest => (size, near as i64),
            };
            (class, Reverse(wish), team)
        })
    }

    /// Places `team` and its formation where they share most. Returns None when there is no room.
    fn with(self, team: usize) -> Option<Self> {
        let Some(group) = self.problem.group_of[team].map(|group| &self.problem.rules.groups[group]) else {
            let seat = self.best_seat(team)?;
            let mut fitting = self;
            fitting.take(seat);
            return Some(fitting);
        };
        let on = |anchor: TileId| {
            let mut fitting = self.clone();
            let mut worth = (Reverse(0), 0, 0);
            for (&member, &tile) in group.members.iter().zip(group.on(anchor)?) {
                let seat = fitting.is_for(member, tile).then(|| fitting.seat(member, tile))??;
                let (Reverse(shared), wire, aside) = fitting.worth(member, tile, Some(seat.shared));
                worth = (Reverse(worth.0.0 + shared), worth.1 + wire, worth.2 + aside);
                fitting.take(seat);
            }
            Some((worth, anchor, fitting))
        };
        let fittings = self.problem.grid.ids().filter_map(on);
        fittings.min_by_key(|&(worth, anchor, _)| (worth, anchor)).map(|(.., fitting)| fitting)
    }
}
