//! Blocks whose modules follow from those of others, or from other cores.
//!
//! Takes the ties of a design. The search may break a tie: then [`Ties::cost`] grows with the
//! distance by which it is broken, so kernels with tied blocks approach each other. A block that is
//! placed later goes to the module nearest to the stated one, or to one that is not forbidden.

use std::borrow::Cow;

use aiec_check::Checked;
use aiec_device::{Grid, TileId};
use aiec_ir::blocks::{Anchor, Block};
use aiec_ir::{IdVec, KernelId, PortId};

use super::memory::{Memory, Site};
use super::needs::{Needs, SlotId};
use super::problem::{CUT, NEVER, Tiles};

/// An end of a tie.
#[derive(Clone, Copy, Debug)]
enum End {
    Core(KernelId),
    Stack(KernelId),
    Port(SlotId),
}

/// Two ends with the columns and rows from the first to the second, if they do not lie apart.
#[derive(Clone, Copy, Debug)]
struct Tie {
    ends: [End; 2],
    distance: Option<(i64, i64)>,
}

/// The ties of a design.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ties {
    all: Vec<Tie>,
}

impl Ties {
    /// The ties of `checked`, without those of ports that have no buffers.
    pub(super) fn of(checked: &Checked, slots: &IdVec<PortId, Option<SlotId>>) -> Self {
        let block = |block: Block<KernelId, PortId>| match block {
            Block::Stack(kernel) => Some(End::Stack(kernel)),
            Block::Buffers(port) => slots.get(port).copied().flatten().map(End::Port),
        };
        let ties = checked.blocks.ties.iter().filter_map(|tie| {
            let from = match tie.from {
                Anchor::Core(kernel) => Some(End::Core(kernel)),
                Anchor::Block(of) => block(of),
            };
            Some(Tie { ends: [from?, block(tie.block)?], distance: tie.distance })
        });
        Self { all: ties.collect() }
    }

    /// True for a design without ties.
    pub(crate) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Cost of the broken ties: 0 if all hold. A block that lies nowhere breaks none.
    pub(super) fn cost(&self, needs: &Needs, memory: &Memory, tiles: &Tiles, grid: &Grid) -> i64 {
        let of = |tie: &Tie| {
            let [from, to] = tie.ends.map(|end| end.modules(needs, memory, tiles));
            let pairs = from.iter().flat_map(|&from| to.iter().map(move |&to| (from, to)));
            pairs.map(|(from, to)| grid.off(from, to, tie.distance)).max().unwrap_or(0)
        };
        let broken = self.all.iter().map(of).filter(|&tiles| tiles > 0);
        broken.map(|tiles| NEVER + CUT * tiles).sum()
    }

    /// True if the block of `slot` has a tie.
    pub(crate) fn hold(&self, needs: &Needs, slot: SlotId, tiles: &Tiles) -> bool {
        self.all.iter().flat_map(|tie| tie.ends).any(|end| end.is_of(needs, slot, tiles))
    }

    /// Those of `modules` nearest to the place that the ties of `slot` require, as far as the other
    /// ends have a place.
    pub(super) fn nearest<'m>(
        &self,
        site: &Site<'_>,
        memory: &Memory,
        slot: SlotId,
        modules: &'m [TileId],
    ) -> Cow<'m, [TileId]> {
        let Site { needs, grid, tiles, .. } = *site;
        let mut wanted: Vec<(TileId, Option<(i64, i64)>)> = Vec::new();
        for &Tie { ends: [from, to], distance } in &self.all {
            let back = distance.map(|(columns, rows)| (-columns, -rows));
            for (own, other, distance) in [(to, from, distance), (from, to, back)] {
                if own.is_of(needs, slot, tiles) {
                    let others = other.modules(needs, memory, tiles).iter();
                    wanted.extend(others.map(|&other| (other, distance)));
                }
            }
        }
        if wanted.is_empty() {
            return Cow::Borrowed(modules);
        }
        let away = |module: TileId| -> i64 {
            wanted.iter().map(|&(other, distance)| grid.off(other, module, distance)).sum()
        };
        let least = modules.iter().map(|&module| away(module)).min();
        Cow::Owned(modules.iter().copied().filter(|&module| Some(away(module)) == least).collect())
    }
}

impl End {
    /// Where it lies. Shared buffers lie in the slot of the consumer.
    fn modules<'s>(self, needs: &Needs, memory: &'s Memory, tiles: &'s Tiles) -> &'s [TileId] {
        let slot = match self {
            Self::Core(kernel) => return std::slice::from_ref(&tiles[kernel]),
            Self::Stack(kernel) => needs.stack_of(tiles[kernel]),
            Self::Port(slot) => {
                let peer = needs.ports.get(slot).and_then(|need| need.peer).map(|(peer, _)| peer);
                peer.filter(|&peer| memory.of(peer).shared).unwrap_or(slot)
            }
        };
        memory.of(slot).modules()
    }

    /// True if it is the block of `slot`, or shares its buffers.
    fn is_of(self, needs: &Needs, slot: SlotId, tiles: &Tiles) -> bool {
        match self {
            Self::Core(_) => false,
            Self::Stack(kernel) => needs.stack_of(tiles[kernel]) == slot,
            Self::Port(own) => {
                let peer = needs.ports.get(own).and_then(|need| need.peer);
                own == slot || peer.is_some_and(|(peer, _)| peer == slot)
            }
        }
    }
}
